/*
 * thumbcalls: QEMU's plugin for test_filter_thumb: in order, at which addresses of a list an instruction was carried
 * out; a line each, in hex. at=FILE has the list.
 *
 * An instruction that QEMU takes back to carry it out again (its access was to a device) is reported once: its second
 * time has callbacks for memory alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cortexm/truth/qemu_plugin.h"

enum { CALLS_MOST = 4096 };

QEMU_PLUGIN_EXPORT int qemu_plugin_version = 1;

static unsigned long followed[CALLS_MOST];
static size_t count;
static FILE *out;

static void calls_arrive(unsigned int vcpu, void *user)
{
	(void)vcpu;
	fprintf(out, "%lx\n", *(unsigned long *)user);
}

static void calls_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		for (size_t k = 0; k < count; k++)
			if (followed[k] == qemu_plugin_insn_vaddr(insn))
				qemu_plugin_register_vcpu_insn_exec_cb(insn, calls_arrive,
					QEMU_PLUGIN_CB_NO_REGS, &followed[k]);
	}
}

static void calls_end(qemu_plugin_id_t id, void *user)
{
	(void)id, (void)user;
	fclose(out);
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	FILE *list = NULL;

	(void)info;
	for (int i = 0; i < argc; i++)
		if (!strncmp(argv[i], "at=", 3))
			list = fopen(argv[i] + 3, "r");
		else if (!strncmp(argv[i], "out=", 4))
			out = fopen(argv[i] + 4, "w");
	if (!list || !out)
		return -1;
	while (count < CALLS_MOST && fscanf(list, "%lx", &followed[count]) == 1)
		count++;
	if (!feof(list))
		return -1;
	fclose(list);
	qemu_plugin_register_vcpu_tb_trans_cb(id, calls_translate);
	qemu_plugin_register_atexit_cb(id, calls_end, NULL);
	return 0;
}
