/*
 * node: reports chosen by name and number, several profiles, recording and replay, a stream with
 * text.
 */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <malloc.h>
#include <math.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "core/base/buf.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/run/batch.h"
#include "core/node/node.h"
#include "core/wire/wsn/wsn.h"

static char dir[] = "/tmp/wsntop-test-XXXXXX";

static const char reports[] =
	"boot text\r\n"
	"PROF:one:2:10:1000:1000\r\n0x100:0x200:1:10:10:10\r\n0x110:0x300:2:20:5:15\r\n\r\n"
	"between\r\n"
	"PROF:two:1:10:1000:1000\r\n0x100:0x200:7:70:10:10\r\n\r\n"
	"PROF:one:2:10:2000:1000\r\n0x100:0x200:3:30:10:10\r\n0x110:0x300:4:40:5:15\r\n\r\n";

static const char *path_of(const char *name)
{
	static char path[2][128];
	static int turn;

	turn = !turn;
	snprintf(path[turn], sizeof(path[turn]), "%s/%s", dir, name);
	return path[turn];
}

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(path_of(name), "wb");

	assert_non_null(f);
	fwrite(text, 1, strlen(text), f);
	fclose(f);
}

static struct node *node_run(const struct node_options *o)
{
	struct err err = { 0 };
	struct node *n = node_new(o, &err);

	assert_string_equal(err.text, "");
	for (int i = 0; i < 100000 && !node_ended(n); i++)
		node_service(n, clock_now(), 1 << 20);
	assert_true(node_ended(n));
	assert_int_equal(profile_compute(node_profile(n)), 0);
	return n;
}

static uint64_t calls_of(const struct node *n, const char *name)
{
	const struct profile *p = node_profile(n);
	uint32_t i = profile_find_name(p, name);

	return i == PROFILE_NONE ? 0 : p->functions[i].calls;
}

static struct node_options options_of(const char *report)
{
	static char source[128];

	snprintf(source, sizeof(source), "%s", path_of("reports"));
	return (struct node_options){ .source = source, .report = report, .batch = true };
}

static void the_last_report_is_shown(void **state)
{
	struct node_options o = options_of(NULL);
	struct node *n = node_run(&o);

	(void)state;
	assert_int_equal(node_profiles(n), 2);
	assert_string_equal(node_profile(n)->name, "one");
	assert_int_equal(calls_of(n, "0x00200"), 3);
	assert_int_equal(node_reports(n), 3);
	node_free(n);
}

static void a_report_is_chosen_by_name_or_number(void **state)
{
	static const struct { const char *report; uint64_t calls; } rows[] = {
		{ "one", 3 }, { "two", 7 }, { "#1", 1 }, { "#2", 7 }, { "#3", 3 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct node_options o = options_of(rows[i].report);
		struct node *n = node_run(&o);

		assert_int_equal(calls_of(n, "0x00200"), rows[i].calls);
		node_free(n);
	}
}

static void text_between_reports_is_console(void **state)
{
	struct node_options o = options_of(NULL);
	struct node *n = node_run(&o);
	struct console_line line;

	(void)state;
	assert_true(console_get(node_console(n), 0, &line));
	assert_string_equal(line.text, "boot text");
	assert_true(console_get(node_console(n), 1, &line));
	assert_string_equal(line.text, "between");
	node_free(n);
}

static void a_recording_replays_the_same(void **state)
{
	struct node_options o = options_of(NULL);
	const char *copy = path_of("kept.wsnrec");
	struct node *n, *again;

	(void)state;
	o.record = copy;
	n = node_run(&o);
	o.source = copy;
	o.record = NULL;
	again = node_run(&o);
	assert_int_equal(node_stats(again)->bytes, node_stats(n)->bytes);
	assert_int_equal(node_stats(again)->events, node_stats(n)->events);
	assert_int_equal(calls_of(again, "0x00300"), 4);
	node_free(n);
	node_free(again);
}

static void a_recording_goes_on_until_another_begins(void **state)
{
	struct node_options o = options_of(NULL);
	struct err err = { 0 };
	char first[64], second[64];
	struct node *n;

	(void)state;
	snprintf(first, sizeof(first), "%s/first.wsnrec", dir);
	snprintf(second, sizeof(second), "%s/second.wsnrec", dir);
	o.record = first;
	n = node_new(&o, &err);
	assert_string_equal(err.text, "");
	assert_true(node_record(n, "/nonexistent/x", &err) < 0);
	assert_non_null(strstr(err.text, "/nonexistent/x"));
	assert_true(node_is_recording(n));
	assert_string_equal(node_options(n)->record, first);
	assert_int_equal(node_record(n, second, NULL), 0);
	assert_true(node_is_recording(n));
	assert_string_equal(node_options(n)->record, second);
	node_free(n);
}

static void sources_that_cannot_be_used_say_so(void **state)
{
	static const struct { const char *source, *elf, *format, *says; } rows[] = {
		{ "/nowhere/at/all", NULL, NULL, "/nowhere/at/all" },
		{ "file:/nowhere", NULL, NULL, "/nowhere" },
		{ "/dev/null", "/dev/null", NULL, "/dev/null" },
		{ "/dev/null", NULL, "nonsense", "nonsense" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct node_options o = { .source = rows[i].source, .elf = rows[i].elf,
					  .format = rows[i].format };
		struct err err = { 0 };

		assert_null(node_new(&o, &err));
		assert_non_null(strstr(err.text, rows[i].says));
		assert_null(strchr(err.text, '\n'));
	}
}

/* Bytes of heap; 0 where a sanitizer has the heap, which looks for leaks itself. */
static size_t heap_used(void)
{
	return mallinfo2().uordblks;
}

static void a_closed_node_leaves_nothing(void **state)
{
	const char *elfs[200];
	struct node_options o = options_of(NULL);
	size_t used = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(elfs); i++)
		elfs[i] = "/a/path/that/is/copied/by/each/node";
	o.elfs = elfs;
	o.elf_count = COUNT(elfs);
	for (int i = 0; i < 20; i++) {
		node_free(node_run(&o));
		if (i == 9)		/* what libraries keep is there by now */
			used = heap_used();
	}
	assert_in_range(heap_used(), 0, used + 1000);
}

/* A batch run over one node; its exit status. */
static int batch_of(const struct node_options *o, const struct batch_options *b, struct err *err)
{
	struct nodes nodes;
	int status;

	nodes_init(&nodes);
	assert_int_equal(nodes_open(&nodes, o, err), 0);
	assert_int_equal(nodes.count, 1);
	status = batch_run(&nodes, b, err);
	nodes_release(&nodes);
	return status;
}

static void batch_exports_and_says_what_is_missing(void **state)
{
	struct node_options o = options_of(NULL);
	struct err err = { 0 };
	const struct batch_export x = { exporter_find("json"), path_of("out.json") };
	struct batch_options b = { .exports = &x, .export_count = 1 };

	(void)state;
	assert_non_null(x.exporter);
	assert_int_equal(batch_of(&o, &b, &err), 0);
	assert_int_equal(access(x.path, R_OK), 0);

	write_file("empty", "just text\n");
	o.source = path_of("empty");
	assert_int_equal(batch_of(&o, &b, &err), 1);
	assert_non_null(strstr(err.text, "nothing decoded"));
}

static void a_stack_trace_alone_is_something(void **state)
{
	struct node_options o = options_of(NULL);
	struct err err = { 0 };
	const struct batch_export x = { exporter_find("text"), path_of("out.txt") };
	struct batch_options b = { .exports = &x, .export_count = 1 };
	char *text;
	size_t size;

	(void)state;
	write_file("stack", "Stacktrace: 1 frames, 1000 ticks/s\r\n0: 0x100->0x200 @500\r\n\r\n");
	o.source = path_of("stack");
	assert_int_equal(batch_of(&o, &b, &err), 0);
	text = file_read(x.path, 1 << 16, &size, &err);
	assert_non_null(strstr(text, "0x00100 -> 0x00200 @ 0.500000 s"));
	mem_free(text);

	o.report = "#1";
	assert_int_equal(batch_of(&o, &b, &err), 1);
	assert_non_null(strstr(err.text, "nothing decoded"));
}

/* More names than are kept apart: the newest still is what it says it is. */
static void the_newest_of_too_many_names_is_itself(void **state)
{
	struct buf b = BUF_INIT;
	struct node_options o = options_of(NULL);
	struct node *n;

	(void)state;
	for (int i = 0; i < 200; i++)
		buf_addf(&b, "PROF:n%d:1:5:5:1000\r\n0x%x:0x200:%d:9:9:9\r\n\r\n", i, 2 * i, i + 1);
	write_file("names", buf_str(&b));
	buf_release(&b);
	o.source = path_of("names");
	n = node_run(&o);
	assert_string_equal(node_profile(n)->name, "n199");
	assert_int_equal(node_profile(n)->site_count, 1);
	assert_int_equal(calls_of(n, "0x00200"), 200);
	assert_string_equal(node_profile_at(n, 0)->name, "n0");
	node_free(n);
}

/* One function at 0x200, called from one at 0x100. */
static void build_firmware(const char *elf, const char *callee)
{
	char command[512];
	char text[256];

	snprintf(text, sizeof(text), ".globl main\n.type main,@function\nmain: call %s\nret\n"
		 ".size main,.-main\n.org 0x100\n.globl %s\n.type %s,@function\n%s: ret\n"
		 ".size %s,.-%s\n", callee, callee, callee, callee, callee, callee);
	write_file("fw.s", text);
	snprintf(command, sizeof(command), "as -o %s/fw.o %s/fw.s && "
		 "ld -Ttext=0x100 -e main -o %s/fw.new %s/fw.o && mv %s/fw.new %s", dir, dir, dir,
		 dir, dir, elf);
	assert_int_equal(unit_shell(command), 0);
}

static bool serve_until_named(struct node *n, const char *name)
{
	uint64_t until = clock_now() + 10 * CLOCK_SECOND;

	while (clock_now() < until) {
		node_service(n, clock_now(), 1 << 20);
		profile_compute(node_profile(n));
		if (profile_find_name(node_profile(n), name) != PROFILE_NONE)
			return true;
		usleep(10000);
	}
	return false;
}

static void a_rebuilt_image_renames_what_was_counted(void **state)
{
	char elf[64];
	struct node_options o = options_of(NULL);
	struct err err = { 0 };
	struct node *n;

	(void)state;
	snprintf(elf, sizeof(elf), "%s/app.elf", dir);
	build_firmware(elf, "before");
	o.elf = elf;
	o.batch = false;
	n = node_new(&o, &err);
	assert_non_null(n);
	assert_true(serve_until_named(n, "before"));
	assert_int_equal(calls_of(n, "before"), 3);
	build_firmware(elf, "after");
	assert_true(serve_until_named(n, "after"));
	assert_int_equal(calls_of(n, "after"), 3);
	assert_int_equal(node_reloads(n), 1);
	node_free(n);
}

/* The search judges bytes by the image: never by one that went. */
static void a_search_for_the_rate_follows_the_image(void **state)
{
	char elf[64], source[128];
	struct node_options o = { .source = source };
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	struct err err = { 0 };
	struct node *n;

	(void)state;
	assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
	snprintf(source, sizeof(source), "serial:%s", ptsname(master));
	snprintf(elf, sizeof(elf), "%s/app.elf", dir);
	build_firmware(elf, "before");
	n = node_new(&o, &err);
	assert_string_equal(err.text, "");
	assert_non_null(node_search(n));
	assert_null(node_search(n)->code);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(node_load_image(n, elf, NULL), 0);
		assert_ptr_equal(node_search(n)->code, image_codemap(node_image(n)));
	}
	node_free(n);
	close(master);
}

/* Nine calls from main at 0x1000, 2 of them with another LR; 0: garbage, as Thumb-1 makes it. */
static void calls_into_f(const char *cpu, uint32_t other, struct node_options *o)
{
	char command[512];
	FILE *f = fopen(path_of("thumb.s"), "w");

	fprintf(f, ".syntax unified\n.cpu %s\n.thumb\n.macro fn name\n.globl \\name\n"
		".thumb_func\n.type \\name,%%function\n\\name:\n.endm\nfn main\n"
		".rept 9\nbl f\n.endr\nbx lr\n.size main,.-main\n.balign 64\nfn f\nbx lr\n"
		".size f,.-f\n", cpu);
	fclose(f);
	snprintf(command, sizeof(command), "cd %s && arm-none-eabi-as -o thumb.o thumb.s && "
		 "arm-none-eabi-ld -Ttext=0x1000 -e main -o thumb.elf thumb.o 2>/dev/null", dir);
	assert_int_equal(unit_shell(command), 0);
	f = fopen(o->source, "wb");
	for (uint32_t i = 0; i < 180; i++) {
		uint32_t n = 1 + i % 9, from = n <= 7 ? 0x1001 + 4 * n : other ? other : 4 * n;

		fprintf(f, "A%c%c%c%c%c%c%c%c", (int)(from >> 24), (int)(from >> 16),
			(int)(from >> 8), (int)from, 0, 0, 0x10, 0x41);
	}
	fclose(f);
}

static void thumb1s_lost_callers_are_no_wrong_image(void **state)
{
	static const struct { const char *cpu; uint32_t other; bool lost, match; } cases[] = {
		{ "cortex-m0", 0, true, true },
		{ "cortex-m0", 0xfffffff9, false, true },	/* EXC_RETURN: a handler */
		{ "cortex-m3", 0xfffffff9, false, true },
		{ "cortex-m3", 0, false, false },		/* there LR is always right */
	};
	char source[64], elf[64], warning[256];
	struct node_options o = { .source = source, .elf = elf, .format = "gprof", .batch = true };
	struct node *n;

	(void)state;
	if (unit_shell("command -v arm-none-eabi-as >/dev/null"))
		skip();
	snprintf(source, sizeof(source), "%s/arcs", dir);
	snprintf(elf, sizeof(elf), "%s/thumb.elf", dir);
	for (size_t i = 0; i < COUNT(cases); i++) {
		calls_into_f(cases[i].cpu, cases[i].other, &o);
		n = node_run(&o);
		node_service(n, clock_now(), 0);
		warning[0] = '\0';
		node_warning(n, warning, sizeof(warning));
		assert_int_equal(calls_of(n, "f"), 180);
		assert_string_equal(node_match(n), cases[i].match ? "yes" : "no");
		assert_int_equal(strstr(warning, "-ffixed-r8") != NULL, cases[i].lost);
		node_free(n);
	}
}

static int set_up(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(dir));
	write_file("reports", reports);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	return unit_remove(dir);
}

/* Where functions begin it cannot say; that is no reason to call it the wrong one. */
static void a_stripped_image_is_not_called_wrong(void **state)
{
	static char elf[128];
	char command[512];
	struct node_options o = options_of(NULL);
	struct node *n;

	(void)state;
	snprintf(elf, sizeof(elf), "%s", path_of("stripped.elf"));
	write_file("calls.s", ".globl main\nmain: call a\n call a\n ret\na: nop\n nop\n ret\n");
	snprintf(command, sizeof(command),
		 "gcc -nostdlib -static -no-pie -Wl,-e,main,--build-id=none,"
		 "-Ttext=0x1000 -s -o %s %s",
		 elf, path_of("calls.s"));
	assert_int_equal(unit_shell(command), 0);
	write_file("stripped",
		   "PROF:x:2:9:9:1000\r\n0x1005:0x100b:1:2:2:2\r\n0x100a:0x100b:1:2:2:2\r\n\r\n");
	o.source = path_of("stripped");
	o.elf = elf;
	n = node_run(&o);
	assert_string_equal(node_match(n), "yes");
	node_free(n);

	write_file("other",
		   "PROF:x:2:9:9:1000\r\n0x1003:0x100b:1:2:2:2\r\n0x1008:0x100b:1:2:2:2\r\n\r\n");
	o.source = path_of("other");
	n = node_run(&o);
	assert_string_equal(node_match(n), "no");
	node_free(n);
}

/*
 * --- a node that says who it is (the rest of it: tests/golden/test_wsn.sh)
 * --------------------------
 */

static void frame_write(FILE *f, uint8_t type, uint8_t epoch, const uint8_t *body, size_t n)
{
	static uint8_t seq;
	uint8_t raw[WSN_BLOCK_MAX] = { (uint8_t)(type | epoch << 5), seq++ },
		coded[WSN_BLOCK_MAX + 1];
	uint16_t crc;

	memcpy(raw + 2, body, n);
	crc = wsn_crc(raw, n + 2);
	raw[n + 2] = (uint8_t)crc;
	raw[n + 3] = (uint8_t)(crc >> 8);
	fputc(0, f);
	fwrite(coded, 1, wsn_cobs_encode(coded, raw, n + 4), f);
	fputc(0, f);
}

static void hello_write(FILE *f, uint8_t epoch)
{
	/* 1000 ticks a second; TIMED, RECEIVE, RUNNING, SITES; 64 sites; no identity */
	uint8_t hello[49] = { 1, 0, 0x81, 0x05, 1, 0, 0xe8, 3, [18] = 64, [34] = epoch };

	frame_write(f, WSN_HELLO, epoch, hello, sizeof(hello));
}

/* skip, from 0x40, to 0x80, calls, 10 ticks */
static void row_write(FILE *f, uint8_t epoch, uint8_t calls)
{
	const uint8_t row[] = { 0, 0x40, 0x50, calls, 10 };

	frame_write(f, WSN_SITES, epoch, row, sizeof(row));
}

/* What batch says of this file of which nothing could be counted, and advises. */
static void batch_says(const char *name, const char *says, enum advice advice)
{
	struct node_options o = options_of(NULL);
	struct batch_options b = { 0 };
	struct err err = { 0 };

	o.source = path_of(name);
	assert_int_equal(batch_of(&o, &b, &err), 1);
	if (!strstr(err.text, says))
		fail_msg("%s: %s", name, err.text);
	assert_int_equal(err.advice, advice);
}

/* Each way to an empty profile has its own cure. */
static void batch_says_what_was_forgotten(void **state)
{
	/* hello_write()'s, without RUNNING */
	uint8_t stopped[49] = { 1, 0, 0x81, 0x04, 1, 0, 0xe8, 3, [18] = 64, [34] = 1 };
	FILE *f = fopen(path_of("stopped"), "wb");

	(void)state;
	frame_write(f, WSN_HELLO, 1, stopped, sizeof(stopped));
	fclose(f);
	batch_says("stopped", "wsnprof_start() was not called", ADVICE_DOCTOR);

	f = fopen(path_of("running"), "wb");
	hello_write(f, 1);
	fclose(f);
	batch_says("running", "has counted nothing", ADVICE_DOCTOR);

	write_file("silent", "");
	batch_says("silent", "no data came", ADVICE_NONE);
	write_file("text", "a line\nanother\n");
	batch_says("text", "wsnprof_poll()?", ADVICE_NONE);

	f = fopen(path_of("noise"), "wb");
	for (uint32_t i = 1; i < 2000; i++)
		fputc((int)(i * 2654435761u >> 24), f);
	fclose(f);
	batch_says("noise", "check the baud rate", ADVICE_FORMAT);
}

/* Who joins between two HELLOs hears a checksum first; this one fits no file. */
static void an_identity_judges_before_the_hello(void **state)
{
	static const uint8_t sum[] = { 1, 0x80, 0x20, 4, 0x85, 6 };
	static const struct {
		const uint8_t *body;
		size_t n;
		enum identity_verdict verdict;
	} rows[] = {
		{ sum, sizeof(sum), IDENTITY_OTHER },
		{ sum, 0, IDENTITY_UNKNOWN },
	};
	static char elf[128];
	struct node_options o = options_of(NULL);
	char command[512];

	(void)state;
	snprintf(elf, sizeof(elf), "%s", path_of("early.elf"));
	write_file("early.s", ".globl main\nmain: nop\n nop\n nop\n ret\n");
	snprintf(command, sizeof(command), "gcc -nostdlib -static -no-pie "
		 "-Wl,-e,main,--build-id=none,-Ttext=0x1000 -o %s %s", elf, path_of("early.s"));
	assert_int_equal(unit_shell(command), 0);
	for (size_t i = 0; i < COUNT(rows); i++) {
		FILE *f = fopen(path_of("early"), "wb");
		struct node *n;

		frame_write(f, WSN_IDENTITY, 1, rows[i].body, rows[i].n);
		fclose(f);
		o.source = path_of("early");
		o.format = "wsn";
		o.elf = elf;
		n = node_run(&o);
		node_service(n, clock_now(), 0);
		assert_null(node_hello(n));
		assert_int_equal(node_verdict(n), rows[i].verdict);
		assert_int_equal(node_image_refused(n) != NULL,
				 rows[i].verdict == IDENTITY_OTHER);
		node_free(n);
	}
}

static void a_new_epoch_forgets_and_says_so(void **state)
{
	struct node_options o = options_of(NULL);
	const uint8_t name[] = { 'm', '\x1b', '7' }, status[] = { 100, 0 };
	struct console_line line;
	struct err err = { 0 };
	struct node *n;
	FILE *f = fopen(path_of("epochs"), "wb");

	(void)state;
	hello_write(f, 1);
	frame_write(f, WSN_NAME, 1, name, sizeof(name));
	frame_write(f, WSN_STATUS, 1, status, sizeof(status));
	row_write(f, 1, 99);
	hello_write(f, 2);
	frame_write(f, WSN_STATUS, 2, status, sizeof(status));
	row_write(f, 2, 3);
	fclose(f);
	o.source = path_of("epochs");
	o.format = "wsn";
	n = node_run(&o);
	assert_int_equal(calls_of(n, "0x00050"), 3);
	assert_int_equal(node_epochs(n), 1);
	assert_true(console_get(node_console(n), 0, &line));
	assert_string_equal(line.text, "the node restarted: counters reset");
	assert_string_equal(node_title(n), "m\\x1b7");
	assert_string_equal(node_match(n), "unknown");
	/* A file cannot be told anything, whatever it says. */
	assert_false(node_listens(n));
	assert_true(node_command(n, WSN_RESET, 0, &err) < 0);
	assert_non_null(strstr(err.text, "does not listen"));
	node_free(n);
}

static void a_stream_without_a_hello_takes_no_commands(void **state)
{
	struct node_options o = options_of(NULL);
	struct err err = { 0 };
	struct node *n = node_run(&o);

	(void)state;
	assert_true(node_command(n, WSN_RESET, 0, &err) < 0);
	assert_non_null(strstr(err.text, "this stream has none"));
	assert_true(isnan(node_hooks(n)));
	node_free(n);
}

/* --- one connection, many nodes --------------------------------------------------------------- */

enum { CARRIED = 100 };		/* more than any table of ours ever had room for */

struct crowd {
	int announced, wanted;		/* nodes; more are wanted as time goes by */
	char name[64];
};

static const char *crowd_next(struct carrier *c, uint64_t now)
{
	struct crowd *k = c->own;

	(void)now;
	if (k->announced == k->wanted)
		return NULL;
	snprintf(k->name, sizeof(k->name), "site/%d", k->announced++);
	return k->name;
}

/* Node 77 cannot be opened; each other one is a recording of its own. */
static struct link *crowd_link(struct carrier *c, const char *name, const struct link_options *o,
			       struct err *err)
{
	(void)c;
	return link_new(strcmp(name, "site/77") ? path_of("carried") : "/nonexistent/77", o, err);
}

static const struct carrier_ops crowd_ops = {
	.scheme = "crowd:", .next = crowd_next, .link = crowd_link,
};

static void a_carrier_brings_nodes_without_a_limit(void **state)
{
	struct carrier *c = carrier_new_of(&crowd_ops, "crowd:", NULL);
	struct node_options o = options_of(NULL);
	struct crowd crowd = { .wanted = 2 };
	struct err err = { 0 };
	struct nodes nodes;
	const struct node *second;

	(void)state;
	write_file("carried", "PROF:x:1:8:1000:1000\r\n0x100:0x200:7:70:10:10\r\n");
	c->own = &crowd;
	nodes_init(&nodes);
	assert_int_equal(nodes_carry(&nodes, c, &o, &err), 0);
	assert_int_equal(nodes.count, 2);
	second = nodes.items[1];
	assert_int_equal(nodes_service(&nodes, 0, &err), 0);

	crowd.wanted = 77;
	assert_int_equal(nodes_service(&nodes, 0, &err), 75);
	crowd.wanted = CARRIED;
	assert_true(nodes_service(&nodes, 0, &err) < 0);	/* 77: said, and the others come */
	assert_non_null(strstr(err.text, "/nonexistent/77"));
	assert_int_equal(nodes_service(&nodes, 0, &err), CARRIED - 78);
	assert_int_equal(nodes.count, CARRIED - 1);

	assert_ptr_equal(nodes.items[1], second);	/* whoever looks at one keeps it */
	assert_string_equal(node_source(second), "site/1");
	for (size_t i = 0; i < nodes.count; i++) {
		while (!node_ended(nodes.items[i]))
			node_service(nodes.items[i], clock_now(), 1 << 20);
		assert_int_equal(calls_of(nodes.items[i], "0x00200"), 7);
	}
	nodes_release(&nodes);
}

static void late_say(void *ctx, enum advice advice, const char *line)
{
	(void)advice;
	*(unsigned *)ctx += strstr(line, "/nonexistent/77") != NULL;
}

/* Node 77 appears while the others are read, and cannot be opened: the others are exported. */
static void batch_goes_on_without_a_late_node(void **state)
{
	char path[64];
	const struct batch_export x = { exporter_find("csv"), path };
	struct carrier *c = carrier_new_of(&crowd_ops, "crowd:", NULL);
	struct node_options o = options_of(NULL);
	struct crowd crowd = { .wanted = 2 };
	struct err err = { 0 };
	struct nodes nodes;
	unsigned said = 0;
	struct batch_options b = { .exports = &x, .export_count = 1, .say = late_say,
				   .ctx = &said };

	(void)state;
	snprintf(path, sizeof(path), "%s/late.csv", dir);
	write_file("carried", "PROF:x:1:8:1000:1000\r\n0x100:0x200:7:70:10:10\r\n");
	c->own = &crowd;
	nodes_init(&nodes);
	assert_int_equal(nodes_carry(&nodes, c, &o, &err), 0);
	crowd.wanted = CARRIED;
	assert_int_equal(batch_run(&nodes, &b, &err), 1);
	assert_int_equal(said, 1);
	assert_string_equal(err.text, "");
	assert_int_equal(nodes.count, CARRIED - 1);
	assert_int_equal(access(path, R_OK), 0);
	assert_int_equal(access(path_of("late.csv.99"), R_OK), 0);
	nodes_release(&nodes);
}

/* --- a node that listens, over a real line ---------------------------------------------------- */

struct live {
	struct node *node;
	int server, peer;
	uint64_t skew;			/* our clock is this far ahead */
	uint8_t got[1 << 20];		/* what the node received */
	size_t count;
};

static uint64_t live_now(const struct live *l)
{
	return clock_now() + l->skew;
}

/* A turn of a poll loop; 0 ms: what is there now. */
static unsigned live_turn(struct live *l, int ms)
{
	struct pollfd fds[NODE_FDS];
	size_t count = node_poll_fds(l->node, fds);
	ssize_t n;

	poll(fds, (nfds_t)count, ms);
	n = l->peer < 0 ? 0 : recv(l->peer, l->got + l->count, sizeof(l->got) - l->count,
				   MSG_DONTWAIT);
	l->count += n > 0 ? (size_t)n : 0;
	return node_service(l->node, live_now(l), 1 << 16);
}

/* HELLO, and a STATUS that names the command before number `last` as the last one. */
static void live_greet(struct live *l, uint8_t last)
{
	const uint8_t status[] = { 100, 0, 0, 0, 0, 0, 0, 0, 0, last };
	char bytes[512];
	FILE *f = fmemopen(bytes, sizeof(bytes), "wb");
	long n;

	hello_write(f, 1);
	frame_write(f, WSN_STATUS, 1, status, sizeof(status));
	n = ftell(f);
	fclose(f);
	assert_int_equal(send(l->peer, bytes, (size_t)n, 0), n);
}

static int live_open(void **state)
{
	struct live *l = calloc(1, sizeof(*l));
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	char source[128];
	struct node_options o = { .source = source };
	struct err err = { 0 };

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path_of("line"));
	snprintf(source, sizeof(source), "unix:%s", path_of("line"));
	unlink(address.sun_path);
	l->server = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(l->server, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(listen(l->server, 1), 0);
	l->node = node_new(&o, &err);
	assert_string_equal(err.text, "");
	l->peer = accept(l->server, NULL, NULL);
	*state = l;
	return 0;
}

static int live_close(void **state)
{
	struct live *l = *state;

	node_free(l->node);
	close(l->peer);
	close(l->server);
	free(l);
	return 0;
}

/* Commands of a type among what the node received; *last: the number of the last one. */
static size_t live_commands(const struct live *l, enum wsn_type type, uint8_t *last)
{
	size_t count = 0, from = 0;

	for (size_t i = 0; i < l->count; i++) {
		uint8_t body[WSN_BLOCK_MAX];

		if (l->got[i])
			continue;
		if (i > from && wsn_unwrap(NULL, body, l->got + from, i - from) &&
		    body[0] == type) {
			count++;
			*last = body[1];
		}
		from = i + 1;
	}
	return count;
}

static void live_greeted(struct live *l)
{
	uint8_t last;

	live_greet(l, 7);
	for (int i = 0; i < 1000 && live_commands(l, WSN_ALL, &last) == 0; i++)
		live_turn(l, 10);
	assert_int_equal(live_commands(l, WSN_ALL, &last), 1);
	assert_int_equal(last, 7);
	assert_true(node_listens(l->node));
}

/* A line that drips is left alone for a while, unless an answer is waited for. */
static void a_line_rests_unless_an_answer_is_due(void **state)
{
	struct live *l = *state;
	struct pollfd fds[NODE_FDS];

	live_greeted(l);
	assert_int_equal(node_poll_fds(l->node, fds), 1);	/* ALL is not confirmed yet */
	l->skew = CLOCK_SECOND;		/* a rest lasts until the test moves its clock */
	live_greet(l, 8);
	node_service(l->node, live_now(l), 1 << 16);
	assert_int_equal(node_poll_fds(l->node, fds), 0);
	assert_int_equal(node_command(l->node, WSN_STOP, 0, NULL), 0);
	live_greet(l, 8);
	node_service(l->node, live_now(l), 1 << 16);
	assert_int_equal(node_poll_fds(l->node, fds), 1);
}

static void live_until_state(struct live *l, enum link_state state)
{
	for (int i = 0; i < 1000 && link_state(node_link(l->node)) != state; i++) {
		l->skew += CLOCK_SECOND / 10;
		live_turn(l, 0);
	}
	assert_int_equal(link_state(node_link(l->node)), state);
}

/* Due while earlier bytes wait: nothing blocks, nothing spins, and it goes out after them. */
static void a_command_waits_for_a_full_queue(void **state)
{
	struct live *l = *state;
	char junk[LINK_SEND_MAX];
	uint8_t last = 0;
	size_t sent = 0;

	live_greeted(l);
	memset(junk, 'x', sizeof(junk));
	while (node_send(l->node, junk, sizeof(junk)) == 0)
		sent += sizeof(junk);
	assert_true(link_unsent(node_link(l->node)) > 0);
	l->count = 0;
	assert_int_equal(node_command(l->node, WSN_STOP, 0, NULL), 0);
	for (int i = 0; i < 20; i++) {
		node_service(l->node, live_now(l), 1 << 16);
		assert_true(node_timeout(l->node, live_now(l)) != 0);
	}
	for (int i = 0; i < 10000 && live_commands(l, WSN_STOP, &last) == 0; i++)
		live_turn(l, 10);
	for (int i = 0; i < 3; i++)
		live_turn(l, 1);
	assert_int_equal(live_commands(l, WSN_STOP, &last), 1);
	assert_int_equal(last, 8);
	assert_true(l->count > sent);
	assert_string_equal(node_news(l->node)->text, "");
}

/* A line that takes nothing for seconds: one sentence, and the command never goes out. */
static void a_line_that_takes_nothing_is_said(void **state)
{
	struct live *l = *state;
	char junk[1000] = { 'x' };	/* the last of them leaves room for a command */
	uint8_t last;

	live_greeted(l);
	while (node_send(l->node, junk, sizeof(junk)) == 0)
		;
	assert_true(link_room(node_link(l->node)) > WSN_COMMAND_MAX);
	l->count = 0;
	assert_int_equal(node_command(l->node, WSN_STOP, 0, NULL), 0);
	for (int i = 0; i < 100 && !node_news(l->node)->text[0]; i++) {
		l->skew += CLOCK_SECOND / 10;
		node_service(l->node, live_now(l), 1 << 16);
	}
	assert_string_equal(node_news(l->node)->text,
			    "command not sent: stop: the line took no bytes for 6 seconds");
	assert_true(node_news(l->node)->bad);
	while (link_unsent(node_link(l->node)))
		live_turn(l, 10);
	for (int i = 0; i < 3; i++)
		live_turn(l, 1);
	assert_int_equal(live_commands(l, WSN_STOP, &last), 0);
}

static void a_command_needs_a_line_that_is_up(void **state)
{
	struct live *l = *state;
	struct err err = { 0 };
	uint8_t last;

	live_greeted(l);
	assert_int_equal(node_command(l->node, WSN_STOP, 0, NULL), 0);
	live_turn(l, 0);
	close(l->peer);
	l->peer = -1;
	live_until_state(l, LINK_WAITING);
	assert_string_equal(node_news(l->node)->text,
			    "the node disconnected before it confirmed: stop");
	assert_int_equal(node_command(l->node, WSN_START, 0, &err), ERR_ABSENT);
	assert_string_equal(err.text, "node disconnected; command not sent");
	assert_true(node_timeout(l->node, live_now(l)) != 0);

	/* The next node gets none of them, and is asked for everything after its STATUS. */
	live_until_state(l, LINK_UP);
	l->peer = accept(l->server, NULL, NULL);
	l->count = 0;
	for (int i = 0; i < 20; i++) {
		l->skew += CLOCK_SECOND / 2;
		live_turn(l, 0);
	}
	assert_int_equal(l->count, 0);
	live_greeted(l);
	assert_int_equal(live_commands(l, WSN_STOP, &last) + live_commands(l, WSN_START, &last), 0);
}

#define LIVE(f) cmocka_unit_test_setup_teardown(f, live_open, live_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_carrier_brings_nodes_without_a_limit),
		cmocka_unit_test(batch_goes_on_without_a_late_node),
		cmocka_unit_test(the_last_report_is_shown),
		cmocka_unit_test(a_report_is_chosen_by_name_or_number),
		cmocka_unit_test(text_between_reports_is_console),
		cmocka_unit_test(a_recording_replays_the_same),
		cmocka_unit_test(a_recording_goes_on_until_another_begins),
		cmocka_unit_test(sources_that_cannot_be_used_say_so),
		cmocka_unit_test(a_closed_node_leaves_nothing),
		cmocka_unit_test(batch_exports_and_says_what_is_missing),
		cmocka_unit_test(a_stack_trace_alone_is_something),
		cmocka_unit_test(the_newest_of_too_many_names_is_itself),
		cmocka_unit_test(a_stripped_image_is_not_called_wrong),
		cmocka_unit_test(a_rebuilt_image_renames_what_was_counted),
		cmocka_unit_test(a_search_for_the_rate_follows_the_image),
		cmocka_unit_test(thumb1s_lost_callers_are_no_wrong_image),
		cmocka_unit_test(an_identity_judges_before_the_hello),
		cmocka_unit_test(a_new_epoch_forgets_and_says_so),
		cmocka_unit_test(a_stream_without_a_hello_takes_no_commands),
		cmocka_unit_test(batch_says_what_was_forgotten),
		LIVE(a_line_rests_unless_an_answer_is_due),
		LIVE(a_command_waits_for_a_full_queue),
		LIVE(a_line_that_takes_nothing_is_said),
		LIVE(a_command_needs_a_line_that_is_up),
	};

	return cmocka_run_group_tests_name("node", tests, set_up, tear_down);
}
