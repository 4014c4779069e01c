#include "core/filter/assembler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <errno.h>

#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/base/os.h"
#include "core/base/text.h"
#include "core/filter/chip.h"
#include "core/source/program.h"

enum { LINE_SHOWN = 400 };

/* --- its options ------------------------------------------------------------------------------ */

/* Those whose value is the next argument. */
static bool option_has_value(const char *o)
{
	static const char *const with[] = {
		"-o", "-I", "-MD", "--MD", "-defsym", "--defsym", "-G", "-J", "--debug-prefix-map",
		"--listing-lhs-width", "--listing-lhs-width2", "--listing-rhs-width",
		"--listing-cont-lines",
	};

	for (size_t i = 0; i < sizeof(with) / sizeof(with[0]); i++)
		if (strcmp(o, with[i]) == 0)
			return true;
	return false;
}

/* avr-as: families whose chips have `call` and `jmp` (binutils, gas/config/tc-avr.c). */
static void avr_family(const char *family, struct assembler_call *call)
{
	static const char *const with[] = {
		"avr3", "avr31", "avr35", "avr5", "avr51", "avr6",
	};
	static const char *const without[] = { "avr2", "avr25", "avr4" };

	call->outline.far_code = !strcmp(family, "avr6");

	if (!strcmp(family, "avrtiny") || !strcmp(family, "avr1"))
		call->fault = "a chip of the family avrtiny or avr1, which the hooks do not know";
	if (strncmp(family, "avrxmega", 8) == 0)
		call->outline.long_calls = 1;
	for (size_t i = 0; i < sizeof(with) / sizeof(with[0]); i++)
		if (!strcmp(family, with[i]))
			call->outline.long_calls = 1;
	for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++)
		if (!strcmp(family, without[i]))
			call->outline.long_calls = 0;
}

static void core_read(const char *core, struct assembler_call *call)
{
	call->outline.thumb1 = strncmp(core, "cortex-m0", 9) == 0 || !strcmp(core, "cortex-m1") ||
			      strncmp(core, "cortex-m23", 10) == 0 ||
			      strncmp(core, "armv6-m", 7) == 0 ||
			      strncmp(core, "armv6s-m", 8) == 0 ||
			      strncmp(core, "armv8-m.base", 12) == 0;
}

void assembler_read(const struct chip *chip, char *const *argv, struct assembler_call *call)
{
	*call = (struct assembler_call){ .outline = { -1, -1, 0 } };
	for (size_t i = 1; argv[i]; i++) {
		const char *o = argv[i];

		if (*o == '@' || !strcmp(o, "--version") || !strcmp(o, "--help") ||
		    !strcmp(o, "--target-help")) {
			call->unclear = true;
		} else if (*o != '-') {
			call->unclear |= call->input != 0;
			call->input = i;
		} else if (chip == &chip_avr && text_begins(o, "-mmcu=")) {
			avr_family(o + 6, call);
		} else if (chip == &chip_thumb &&
			   (text_begins(o, "-mcpu=") || text_begins(o, "-march="))) {
			core_read(strchr(o, '=') + 1, call);
		} else if (option_has_value(o) && argv[i + 1]) {
			i++;
		}
	}
}

struct speaker {
	const struct assembler *a;
	const char *file;
};

static void line_pass(void *ctx, const char *line)
{
	const struct speaker *s = ctx;

	s->a->say(s->a->ctx, s->file, line);
}

/* --- running it ------------------------------------------------------------------------------- */

struct texts {
	char *original;
	size_t size;
	struct buf filtered;
	struct filter_result result;
};

static int text_file(const char *text, size_t size, struct err *err)
{
	int fd = os_nameless_file();
	size_t done = 0;

	while (fd >= 0 && done < size) {
		ssize_t n = write(fd, text + done, size - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			close(fd);
			fd = -1;
			break;
		}
		done += (size_t)n;
	}
	if (fd < 0 || lseek(fd, 0, SEEK_SET) < 0)
		return err_errno(err, "cannot make a temporary file");
	return fd;
}

/* With the given descriptors. Its status, or negative. */
static int program_run(const char *path, char *const *argv, int in, int errors, struct err *err)
{
	struct program p = {
		.path = path, .argv = argv, .in = in, .out = STDOUT_FILENO, .errors = errors,
	};
	pid_t pid;
	int status, ret = program_start(&p, &pid);

	if (ret) {
		errno = ret;
		return err_errno(err, "%s: cannot run", path);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return err_errno(err, "%s: cannot wait for it", path);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void messages_copy(int from, int to)
{
	char part[4096];
	ssize_t n;

	lseek(from, 0, SEEK_SET);
	while ((n = read(from, part, sizeof(part))) > 0)
		if (write(to, part, (size_t)n) != n)
			break;
}

/* The first of its messages that names a place, for a line of ours. */
static void message_first(int from, char *line, size_t size)
{
	char part[2048], *error;
	ssize_t n = pread(from, part, sizeof(part) - 1, 0);

	part[n > 0 ? n : 0] = '\0';
	error = strstr(part, "Error: ");
	error = error ? error : part;
	text_visible(line, size, error, strcspn(error, "\n"));
}

/* The source's name; the .s file's, which gcc has made up, only where there is none. */
static const char *input_name(const struct assembler *a, const struct assembler_call *call,
			      const struct texts *t)
{
	if (*t->result.file)
		return t->result.file;
	return call->input ? a->argv[call->input] : "standard input";
}

/* The filtered text instead of the .s file. Its status; *refused: it did not take it. */
static int filtered_run(const struct assembler *a, const struct assembler_call *call,
			const char *path, const struct texts *t, bool *refused, struct err *err)
{
	size_t count = 0, n = 0;
	char **argv, line[LINE_SHOWN], said[LINE_SHOWN + 80];
	int in, errors, status = ERR_NOMEM;

	while (a->argv[count])
		count++;
	argv = mem_alloc((count + 1) * sizeof(*argv));
	if (!argv)
		return err_set(err, ERR_NOMEM, "out of memory");
	for (size_t i = 0; i < count; i++)
		if (i == 0 || i != call->input)
			argv[n++] = a->argv[i];
	argv[n] = NULL;
	in = text_file(buf_str(&t->filtered), t->filtered.len, err);
	errors = in < 0 ? -1 : text_file("", 0, err);
	if (errors >= 0) {
		status = program_run(path, argv, in, errors, err);
		*refused = status > 0;
		message_first(errors, line, sizeof(line));
		snprintf(said, sizeof(said), "the assembler refused the filtered text (%s); "
			 "this file gets no hooks", line);
		if (*refused)
			a->say(a->ctx, input_name(a, call, t), said);
		else
			messages_copy(errors, a->errors);
		close(errors);
	}
	if (in >= 0)
		close(in);
	mem_free(argv);
	return status;
}

static int original_run(const struct assembler *a, const struct assembler_call *call,
			const char *path, const struct texts *t, struct err *err)
{
	int in = STDIN_FILENO, status;

	if (!call->input && !call->unclear && t->original) {
		in = text_file(t->original, t->size, err);
		if (in < 0)
			return in;
	}
	status = program_run(path, a->argv, in, a->errors, err);
	if (in != STDIN_FILENO)
		close(in);
	return status;
}

/* --- entry ------------------------------------------------------------------------------------ */

/* Whether there is something filtered to assemble. */
static bool text_filter(struct assembler *a, const struct assembler_call *call, struct texts *t)
{
	struct speaker speaker = { a, t->result.file };
	struct filter_options o = a->filter;
	struct err err = { 0 };
	char line[LINE_SHOWN];

	o.say = line_pass;
	o.ctx = &speaker;
	o.outline = call->outline;
	if (!call->fault && filter_text(&o, t->original, t->size, &t->filtered, &t->result,
					&err) == 0)
		return t->result.functions > 0;
	snprintf(line, sizeof(line), "%s; this file gets no hooks",
		 call->fault ? call->fault : err.text);
	a->say(a->ctx, input_name(a, call, t), line);
	return false;
}

int assembler_run(struct assembler *a, struct err *err)
{
	struct texts t = { .filtered = BUF_INIT };
	struct assembler_call call;
	char *path = program_find(a->path);
	bool refused = false;
	int status = 0;

	if (!path)
		return err_set(err, ERR_ABSENT, "%s: no such program", a->path);
	assembler_read(a->filter.chip, a->argv, &call);
	if (a->filters && !call.unclear && (!call.input || file_is_regular(a->argv[call.input]))) {
		t.original = file_read(call.input ? a->argv[call.input] : "/dev/stdin",
				       STATEMENT_TEXT_MAX, &t.size, err);
		if (!t.original)
			status = ERR_IO;
		else if (text_filter(a, &call, &t))
			status = filtered_run(a, &call, path, &t, &refused, err);
		else
			refused = true;
	} else {
		refused = true;
	}
	if (refused)
		status = original_run(a, &call, path, &t, err);
	mem_free(path);
	mem_free(t.original);
	buf_release(&t.filtered);
	return status;
}
