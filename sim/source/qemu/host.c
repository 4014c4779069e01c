/*
 * wsntop-qemu: a Cortex-M's firmware runs in QEMU, as it is, and its calls are told
 * (core/wire/sim/sim.h). wsntop starts it for qemu:MACHINE; it is no program for people.
 *
 *	wsntop-qemu -m MACHINE [-f HZ] [-p PACE] [-s SECONDS] [-t TRACE] [-a SETTINGS] ELF
 *
 * It writes a table of the ELF's functions for the plugin, starts QEMU, and joins the plugin's
 * records with what the UART says. HZ: instructions a second; the nearest that QEMU has, a power of
 * two of nanoseconds. -a: semihosting is on, and these are its command line: the firmware can then
 * read and write files. Standard input: bytes for the UART.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/text.h"
#include "core/base/varint.h"
#include "core/image/image.h"
#include "core/wire/sim/sim.h"
#include "sim/source/commands.h"
#include "sim/source/qemu/table.h"

enum { PLUGIN_FD = 3, TABLE_FD = 4, ARGUMENTS = 32, SHIFT_MAX = 10 };

struct source {
	const char *machine, *elf, *settings;
	double hz, pace, seconds;
	bool trace;

	unsigned shift;			/* an instruction takes 1 << shift ns */
	int table;
	int plugin, uart;		/* our ends */
	int beside;			/* a socket for the UART's bytes, not told as text; -1 */
	pid_t qemu;
	uint8_t records[2 << 16];	/* of the plugin's: the last one may be cut */
	size_t count;
	struct commands commands;
};

static void source_fail(const char *what)
{
	fprintf(stderr, "%s\n", what);
	exit(1);
}

/* --- the table of functions ------------------------------------------------------------------- */

static bool is_vector(const struct image *im, uint64_t address)
{
	const uint32_t *vectors;
	size_t count = image_vectors(im, &vectors);

	for (size_t i = 0; i < count; i++)
		if (vectors[i] && vectors[i] == address)
			return true;
	return false;
}

static int row_compare(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void marks_write(const struct source *s, const struct codemap *map)
{
	for (size_t i = 0; i < map->mark_count; i++) {
		uint32_t row[3] = { map->marks[i].address, map->marks[i].number, TABLE_MARK };

		if (write(s->table, row, sizeof(row)) != (ssize_t)sizeof(row))
			source_fail("out of memory");
	}
}

static void table_write(struct source *s, const struct image *im)
{
	uint32_t count = image_function_count(im), (*rows)[3] = calloc(count + 1u, sizeof(*rows));

	s->table = memfd_create("functions", 0);
	if (!rows || s->table < 0)
		source_fail("out of memory");
	for (uint32_t i = 0; i < count; i++) {
		const struct image_function *f = image_function(im, i);

		rows[i][0] = (uint32_t)f->address;
		rows[i][1] = (uint32_t)f->size;
		rows[i][2] = is_vector(im, f->address) ? TABLE_HANDLER : TABLE_FUNCTION;
	}
	qsort(rows, count, sizeof(*rows), row_compare);
	if (write(s->table, rows, count * sizeof(*rows)) != (ssize_t)(count * sizeof(*rows)))
		source_fail("out of memory");
	free(rows);
	marks_write(s, image_codemap(im));
}

/* --- QEMU ------------------------------------------------------------------------------------- */

/* Beside this program. */
static void plugin_path(char *dst, size_t size)
{
	char self[2048];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash;

	self[n > 0 ? n : 0] = '\0';
	slash = strrchr(self, '/');
	if (slash)
		*slash = '\0';
	snprintf(dst, size, "%s/wsntop-qemu.so", self);
}

static void qemu_exec(const struct source *s)
{
	char plugin[4096], path[2100], icount[64], append[512];
	const char *argv[ARGUMENTS] = {
		"qemu-system-arm", "-M", s->machine, "-display", "none", "-monitor", "none",
		"-chardev", "stdio,id=uart,signal=off", "-serial", "chardev:uart", "-icount",
		icount, "-plugin", plugin, "-kernel", s->elf,
	};
	size_t n = 17;

	plugin_path(path, sizeof(path));
	snprintf(icount, sizeof(icount), "shift=%u,sleep=%s", s->shift, s->pace > 0 ? "on" : "off");
	snprintf(plugin, sizeof(plugin),
		 "%s,table=/dev/fd/%d,fd=%d,hz=%.0f,pace=%g,trace=%d", path, TABLE_FD, PLUGIN_FD,
		 s->hz, s->pace, s->trace);
	if (s->seconds > 0)
		snprintf(plugin + strlen(plugin), 40, ",end=%.0f", s->seconds * s->hz);
	if (s->settings) {
		snprintf(append, sizeof(append), "%s", s->settings);
		argv[n++] = "-semihosting-config";
		argv[n++] = "enable=on,target=native";
		argv[n++] = "-append";
		argv[n++] = append;
	}
	execvp(argv[0], (char *const *)argv);
	source_fail(errno == ENOENT ? "qemu-system-arm is not installed" : strerror(errno));
}

static void qemu_start(struct source *s)
{
	int records[2], uart[2];
	pid_t parent = getpid();

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, records) < 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, uart) < 0)
		source_fail(strerror(errno));
	s->qemu = fork();
	if (s->qemu < 0)
		source_fail(strerror(errno));
	if (s->qemu == 0) {
		int table = fcntl(s->table, F_DUPFD, 10), other = fcntl(records[1], F_DUPFD, 10);

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		dup2(uart[1], STDIN_FILENO);
		dup2(uart[1], STDOUT_FILENO);
		dup2(other, PLUGIN_FD);
		dup2(table, TABLE_FD);
		close(table);
		close(other);
		qemu_exec(s);
	}
	close(records[1]);
	close(uart[1]);
	s->plugin = records[0];
	s->uart = uart[0];
}

/* --- its records and the UART's text, joined -------------------------------------------------- */

static void bytes_tell(const void *data, size_t n)
{
	const uint8_t *p = data;

	while (n) {
		ssize_t done = write(STDOUT_FILENO, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			exit(0);		/* wsntop has ended */
		p += done;
		n -= (size_t)done;
	}
}

/* How many of these bytes are whole records, the magic among them. */
static size_t records_whole(const uint8_t *p, size_t n, bool *begun)
{
	size_t at = 0;

	if (!*begun) {
		if (n < strlen(SIM_MAGIC))
			return 0;
		at = strlen(SIM_MAGIC);
		*begun = true;
	}
	for (;;) {
		uint64_t length;
		size_t head = at + 1 < n ? varint_get(p + at + 1, n - at - 1, &length) : 0;

		if (!head || length > n - at - 1 - head)
			return at;
		at += 1 + head + length;
	}
}

static bool records_serve(struct source *s, bool *begun)
{
	ssize_t got = read(s->plugin, s->records + s->count, sizeof(s->records) - s->count);
	size_t whole;

	if (got <= 0)
		return false;
	s->count += (size_t)got;
	whole = records_whole(s->records, s->count, begun);
	bytes_tell(s->records, whole);
	s->count -= whole;
	memmove(s->records, s->records + whole, s->count);
	return true;
}

static bool uart_serve(const struct source *s)
{
	uint8_t text[4096], head[1 + VARINT_MAX] = { SIM_TEXT };
	ssize_t got = read(s->uart, text, sizeof(text));

	if (got <= 0)
		return false;
	if (s->beside >= 0)
		return write(s->beside, text, (size_t)got) == got;
	bytes_tell(head, 1 + varint_put(head + 1, (uint64_t)got));
	bytes_tell(text, (size_t)got);
	return true;
}

/* What is to be watched is the plugin's. */
static void command_pass(const struct source *s, const struct command *c)
{
	uint8_t head[1 + VARINT_MAX] = { c->type };
	size_t n = 1 + varint_put(head + 1, c->n);

	if (c->type == SIM_INPUT && write(s->uart, c->body, c->n) != (ssize_t)c->n)
		exit(0);
	if (c->type != SIM_WATCH)
		return;
	if (write(s->plugin, head, n) != (ssize_t)n ||
	    write(s->plugin, c->body, c->n) != (ssize_t)c->n)
		exit(0);
}

/* False: wsntop has ended. */
static bool input_serve(struct source *s)
{
	struct command c;

	if (!commands_read(&s->commands))
		return false;
	while (commands_next(&s->commands, &c))
		command_pass(s, &c);
	return true;
}

/* What the other node's decoder says to the firmware. */
static bool beside_serve(const struct source *s)
{
	uint8_t bytes[64];
	ssize_t got = read(s->beside, bytes, sizeof(bytes));

	return got > 0 && write(s->uart, bytes, (size_t)got) == got;
}

static void source_run(struct source *s)
{
	struct pollfd fds[] = {
		{ .fd = s->plugin, .events = POLLIN }, { .fd = s->uart, .events = POLLIN },
		{ .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = s->beside, .events = POLLIN },
	};
	bool begun = false;

	while (poll(fds, 4, -1) >= 0 || errno == EINTR) {
		if (fds[0].revents && !records_serve(s, &begun))
			break;
		/* Text has its place between records: behind the magic. */
		if (begun && fds[1].revents && !uart_serve(s))
			fds[1].fd = -1;
		if (fds[2].revents && !input_serve(s))
			exit(0);
		if (fds[3].revents && !beside_serve(s))
			fds[3].fd = -1;
	}
}

static int qemu_end(struct source *s)
{
	int status = 0;

	while (waitpid(s->qemu, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? 0 : 1;
}

/* --- begin ------------------------------------------------------------------------------------ */

static void source_options(struct source *s, int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "m:f:p:s:t:a:U:")) >= 0) {
		switch (option) {
		case 'm': s->machine = optarg; break;
		case 'f': s->hz = strtod(optarg, NULL); break;
		case 'p': s->pace = strtod(optarg, NULL); break;
		case 's': s->seconds = strtod(optarg, NULL); break;
		case 't': s->trace = strtol(optarg, NULL, 10) != 0; break;
		case 'a': s->settings = optarg; break;
		case 'U': s->beside = atoi(optarg); break;
		default: source_fail("wsntop starts this program (qemu:MACHINE)");
		}
	}
	if (optind + 1 != argc || !s->machine || !(s->hz >= 1e6 && s->hz <= 1e9))
		source_fail("wsntop starts this program (qemu:MACHINE@HZ, 1M to 1G)");
	s->elf = argv[optind];
	s->shift = (unsigned)lround(log2(1e9 / s->hz));
	s->shift = s->shift < SHIFT_MAX ? s->shift : SHIFT_MAX;
	s->hz = 1e9 / (1u << s->shift);
}

int main(int argc, char **argv)
{
	static struct source s = { .hz = 16e6, .pace = 1, .trace = true, .beside = -1,
				   .commands.fd = STDIN_FILENO };
	struct err err = { 0 };
	struct image *im;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGINT, SIG_IGN);		/* it is wsntop's */
	source_options(&s, argc, argv);
	im = image_new(s.elf, &err);
	if (!im)
		source_fail(err.text);
	if (strncmp(image_machine(im), "arm", 3) != 0) {
		fprintf(stderr, "%s is for %s, not for a Cortex-M\n", text_basename(s.elf),
			image_machine(im));
		return 1;
	}
	table_write(&s, im);
	image_free(im);
	qemu_start(&s);
	source_run(&s);
	return qemu_end(&s);
}
