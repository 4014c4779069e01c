/*
 * Helper processes that simulate a chip: simavr:CHIP@HZ, qemu:MACHINE@HZ. A helper stands beside
 * the program, or in libexec/wsntop.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/os.h"
#include "core/link/child.h"
#include "core/link/link_ops.h"
#include "core/link/scheme.h"
#include "core/link/source.h"

enum { UART_FD = 7 };		/* a helper's, where it has it */

enum { ARGUMENTS = 32, ARGUMENT = 200, PATH = 4096, SAID = 300 };

/* What a helper is started with. */
struct command {
	char path[PATH], values[ARGUMENTS][ARGUMENT];
	char *argv[2 * ARGUMENTS];
	size_t count, value_count;
};

static void argument_add(struct command *c, const char *option, const char *value)
{
	if (c->count + 3 >= sizeof(c->argv) / sizeof(c->argv[0]))
		return;
	if (option)
		c->argv[c->count++] = (char *)option;
	if (value)
		c->argv[c->count++] = (char *)value;
	c->argv[c->count] = NULL;
}

__attribute__((format(printf, 3, 4)))
static void value_add(struct command *c, const char *option, const char *fmt, ...)
{
	char *value = c->values[c->value_count++ % ARGUMENTS];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(value, ARGUMENT, fmt, ap);
	va_end(ap);
	argument_add(c, option, value);
}

/* --- which one -------------------------------------------------------------------------------- */

/* Of the running program; "." where that is not known. */
static void self_folder(char *dst, size_t size)
{
	char *slash = strrchr(os_program(dst, size), '/');

	if (slash)
		*slash = '\0';
	else
		snprintf(dst, size, ".");
}

/*
 * In WSNTOP_LIBEXEC, else beside the running program, else where wsntop is installed. The running
 * program need not be wsntop: libwsntop is used by others.
 */
static int helper_find(struct command *c, const char *name, struct err *err)
{
	char self[PATH / 2];
	const char *named = getenv("WSNTOP_LIBEXEC");
	const char *const places[][2] = {
		{ named ? named : self, "/" }, { self, "/" }, { self, "/../libexec/wsntop/" },
		{ WSNTOP_LIBEXECDIR, "/" },
	};

	self_folder(self, sizeof(self));
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(c->path, sizeof(c->path), "%s%s%s", places[i][0], places[i][1], name);
		if (access(c->path, X_OK) == 0)
			return 0;
	}
	return err_set(err, ERR_USAGE, "%s is not installed beside wsntop: build it with its "
		       "simulator (make sim)", name);
}

/* --- simavr:CHIP@HZ, qemu:MACHINE@HZ ---------------------------------------------------------- */

static const struct simulator {
	const char *prefix, *helper;
	double hz, least, most;		/* of its clock, where none is named; bounds */
	bool has_raw;			/* it sends the UART's bytes alone, too */
} simulators[] = {
	{ "simavr:", "wsntop-simavr", 8e6, 1e3, 1e8, true },
	{ "qemu:", "wsntop-qemu", 16e6, 1e6, 1e9, false },
};

static const struct simulator *simulator_of(const struct link *l)
{
	const struct simulator *s = simulators;

	while (strncmp(l->name, s->prefix, strlen(s->prefix)) != 0)
		s++;
	return s;
}

/* Options that the helpers take as they are. */
static const struct {
	const char *name, *option;
} passed[] = { { "for", "-s" }, { "trace", "-t" }, { "semihosting", "-a" } };

static int simulator_command(const struct link *l, struct command *c, struct err *err)
{
	const struct simulator *s = simulator_of(l);
	const char *at = strchr(l->where, '@');
	char value[ARGUMENT], query[ARGUMENT + 4];
	double hz = s->hz;

	if (at) {
		snprintf(query, sizeof(query), "?hz=%s", at + 1);
		hz = source_number(query, "hz");
	}
	if (!(hz >= s->least && hz <= s->most))
		return err_set(err, ERR_USAGE, "expected %s and a clock that it can have, such as "
			       "%s", s->prefix, l->scheme->example);
	if (strchr(l->where, '/'))
		return err_set(err, ERR_USAGE, "%s is no chip's name: expected for example %s",
			       l->where, l->scheme->example);
	if (helper_find(c, s->helper, err) < 0)
		return err->code;
	argument_add(c, NULL, c->path);
	value_add(c, "-m", "%.*s", (int)strcspn(l->where, "@"), l->where);
	value_add(c, "-f", "%.0f", hz);
	if (source_option(l->name, "pace", value, sizeof(value)))
		value_add(c, "-p", "%s", strcmp(value, "max") ? value : "0");
	for (size_t i = 0; i < sizeof(passed) / sizeof(passed[0]); i++)
		if (source_option(l->name, passed[i].name, value, sizeof(value)))
			value_add(c, passed[i].option, "%s", value);
	if (l->options.uart) {
		value_add(c, "-U", "%d", UART_FD);
	} else if (source_option(l->name, "uart", value, sizeof(value))) {
		if (strcmp(value, "wsn") != 0 || !s->has_raw)
			return err_set(err, ERR_USAGE, "uart=%s: expected uart=both%s: "
				       "the firmware's own stream beside what the simulator sees%s",
				       value, s->has_raw ? " or uart=wsn" : "",
				       s->has_raw ? ", or instead of it" : "");
		if (l->options.watch_count)
			return err_set(err, ERR_USAGE, "--watch=%s: uart=wsn tells no variables",
				       l->options.watches[0]);
		argument_add(c, "-u", NULL);
	}
	argument_add(c, NULL, l->options.elf);
	return 0;
}

/* --- life ------------------------------------------------------------------------------------- */

static int process_open(struct link *l, struct err *err)
{
	struct command c = { .count = 0 };
	struct child_start start = {
		.path = c.path, .argv = c.argv, .extra = l->options.uart, .extra_fd = UART_FD,
	};

	if (!l->options.elf)
		return err_set(err, ERR_USAGE, "a simulator needs the ELF of the firmware that it "
			       "is to run");
	if (!l->own && !(l->own = mem_zalloc(sizeof(struct child))))
		return err_set(err, ERR_NOMEM, "out of memory");
	if (simulator_command(l, &c, err) < 0)
		return err->code;
	return child_start(l->own, &start, &l->fd, err);
}

/* What a simulator says as it ends, and what to do about it. */
static const struct {
	const char *said, *cure;
} cures[] = {
	{ "Lockup", "the firmware met a fault in its fault handler; one that speaks to its "
		    "debugger needs ?semihosting=SETTINGS" },
};

static const char *cure_find(const char *said)
{
	for (size_t i = 0; i < sizeof(cures) / sizeof(*cures); i++) {
		if (strstr(said, cures[i].said))
			return cures[i].cure;
	}
	return NULL;
}

/* In one line, to the first that is empty: there QEMU's registers follow. */
static void said_join(const char *said, char *dst, size_t size)
{
	size_t used = 0;

	*dst = '\0';
	for (size_t n; (n = strcspn(said, "\r\n")) && used < size; said += n + (said[n] != '\0'))
		used += (size_t)snprintf(dst + used, size - used, "%s%.*s", used ? "; " : "",
					 (int)n, said);
}

static void process_why(struct link *l, const char *said, int status)
{
	enum err_code code = status ? ERR_IO : ERR_ABSENT;
	char line[SAID];
	const char *cure;

	err_clear(&l->why);
	said_join(said, line, sizeof(line));
	cure = cure_find(line);
	if (*line)
		err_set(&l->why, code, "%s%s%s", line, cure ? ": " : "", cure ? cure : "");
	else if (WIFSIGNALED(status))
		err_set(&l->why, ERR_IO, "the simulator was ended by signal %d",
			WTERMSIG(status));
	else if (WEXITSTATUS(status))
		err_set(&l->why, ERR_IO, "the simulator ended with status %d",
			WEXITSTATUS(status));
}

static ssize_t process_read(struct link *l, uint8_t *buf, size_t size, uint64_t *time_ns)
{
	ssize_t n = child_read(l->fd, buf, size);
	char said[SAID] = "";
	int status;

	(void)time_ns;
	if (n == LINK_EOF) {
		status = child_end(l->own, false, said, sizeof(said));
		process_why(l, said, status);
	}
	return n;
}

static ssize_t process_write(struct link *l, const uint8_t *data, size_t n)
{
	return child_write(l->fd, data, n);
}

static void process_close(struct link *l)
{
	if (l->own)
		child_end(l->own, true, NULL, 0);
}

static void process_release(struct link *l)
{
	mem_free(l->own);
	l->own = NULL;
}

const struct link_ops link_process = {
	.kind = "simulator",
	.gone = "the simulator ended",
	.live = true,
	.open = process_open,
	.read = process_read,
	.write = process_write,
	.close = process_close,
	.release = process_release,
};
