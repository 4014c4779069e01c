/*
 * node: reports chosen by name and number, several profiles, recording and replay, a stream with
 * text.
 */
#include "tests/unit/node_made.h"

#include <malloc.h>
#include <math.h>

#include "core/base/buf.h"
#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/run/batch.h"

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
	assert_true(node_record(n, "/dev/null/x", &err) < 0);
	assert_non_null(strstr(err.text, "/dev/null/x"));
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

/* One file has one stream: the first node's. Those that come later are there all the same. */
static void of_a_carrier_the_first_node_is_recorded(void **state)
{
	char path[64];
	struct carrier *c = carrier_new_of(&crowd_ops, "crowd:", NULL);
	struct node_options o = options_of(NULL);
	struct crowd crowd = { .wanted = 1 };
	struct record_tally t;
	struct err err = { 0 };
	struct nodes nodes;

	(void)state;
	snprintf(path, sizeof(path), "%s/first.wsn", dir);
	write_file("carried", "PROF:x:1:8:1000:1000\r\n0x100:0x200:7:70:10:10\r\n");
	c->own = &crowd;
	o.record = path;
	nodes_init(&nodes);
	assert_int_equal(nodes_carry(&nodes, c, &o, &err), 0);
	crowd.wanted = 4;
	assert_int_equal(nodes_service(&nodes, 0, &err), 3);
	assert_int_equal(nodes.count, 4);
	for (size_t i = 0; i < nodes.count; i++)
		assert_int_equal(node_tally(nodes.items[i], &t), i == 0);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_carrier_brings_nodes_without_a_limit),
		cmocka_unit_test(of_a_carrier_the_first_node_is_recorded),
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
		cmocka_unit_test(an_identity_judges_before_the_hello),
		cmocka_unit_test(a_new_epoch_forgets_and_says_so),
		cmocka_unit_test(a_stream_without_a_hello_takes_no_commands),
		cmocka_unit_test(batch_says_what_was_forgotten),
	};

	return cmocka_run_group_tests_name("node", tests, set_up, tear_down);
}
