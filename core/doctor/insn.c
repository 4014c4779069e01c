#include "core/doctor/insn.h"

static const struct {
	void (*decode)(const struct call_site *site, struct insn *in);
	uint32_t arguments;
} machines[] = {
	[ELF_ISA_AVR] = { .decode = insn_avr, .arguments = 0x0fu << 22 },	/* r25:24, r23:22 */
	[ELF_ISA_ARM] = { .decode = insn_arm, .arguments = 3 },			/* r0, r1 */
	[ELF_ISA_AARCH64] = { .decode = NULL },
};

struct insn insn_decode(const struct call_site *site)
{
	struct call call = call_decode(site);
	struct insn in = {
		.size = call.size ? call.size : (uint8_t)call_step(site->elf),
		.call = call.target,
		.jump = CODE_NO_TARGET,
		.is_call = call.size != 0,
	};

	if (machines[site->elf->machine->isa].decode && !call.size && site->left >= 2)
		machines[site->elf->machine->isa].decode(site, &in);
	return in;
}

uint32_t insn_arguments(const struct elf *e)
{
	return machines[e->machine->isa].arguments;
}
