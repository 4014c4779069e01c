/*
 * command: a decoder is given commands, asked what it has to say, and fed what a node answers.
 * Every case runs for wsn and for auto, which forwards. Time is the test's own.
 */
#include "tests/unit/unit.h"

#include "core/base/clock.h"
#include "core/wire/wsn/command.h"
#include "tests/unit/wsn_stream.h"

enum { FRAMES = 16 };

struct host {
	struct wire *wire;
	struct stream node;
	uint64_t now;
	unsigned run;			/* of its STATUS */
	size_t room;			/* of the line */
	uint8_t frame[FRAMES][8];	/* of the last ask: type, seq, argument of each */
	struct wire_told told[FRAMES];
	size_t told_count;
};

static void hear_told(void *ctx, const struct wire_told *told)
{
	struct host *h = ctx;

	assert_true(h->told_count < FRAMES);
	h->told[h->told_count++] = *told;
}

static void node_says(struct host *h, const char *script)
{
	h->node.out.len = 0;
	stream_script(&h->node, script);
	wire_feed(h->wire, (const uint8_t *)h->node.out.data, h->node.out.len);
}

/* STATUS: the node did the command before number `last` last. */
static void node_did(struct host *h, unsigned last)
{
	char script[80];

	snprintf(script, sizeof(script), "T %u 0 0 0 0 0 0 0 0 %u", h->run += 1000, last);
	node_says(h, script);
}

static int host_open(void **state)
{
	struct host *h = calloc(1, sizeof(*h));
	struct wire_sink sink = { .ctx = h, .told = hear_told };

	h->wire = wire_new(*state, NULL, &sink, NULL);
	h->now = 100 * CLOCK_SECOND;
	h->room = WIRE_OUT_MAX;
	node_says(h, "H f=0x563");	/* without RECEIVE: nothing is asked when it is joined */
	*state = h;
	return 0;
}

static int host_close(void **state)
{
	struct host *h = *state;

	wire_free(h->wire);
	stream_release(&h->node);
	free(h);
	return 0;
}

/* Frames in what is said: each whole, its CRC right. */
static size_t frames_of(struct host *h, const struct wire_out *out)
{
	size_t count = 0, from = 0;

	for (size_t i = 0; i < out->count; i++) {
		uint8_t body[WSN_BLOCK_MAX];
		size_t n;

		if (out->bytes[i])
			continue;
		n = i > from ? wsn_unwrap(NULL, body, out->bytes + from, i - from) : 0;
		assert_true(n > 0 || i == from);
		from = i + 1;
		if (!n)
			continue;
		assert_true(count < FRAMES);
		memset(h->frame[count], 0, sizeof(h->frame[0]));
		memcpy(h->frame[count++], body, n);
	}
	assert_int_equal(from, out->count);
	return count;
}

static size_t frames_asked(struct host *h, double later)
{
	struct wire_out out = { .room = h->room };

	h->now += (uint64_t)(later * 1e9);
	wire_ask(h->wire, h->now, &out);
	assert_in_range(out.count, 0, out.room);
	return frames_of(h, &out);
}

static int command_give(struct host *h, enum wsn_type type, unsigned arg, bool quiet,
			struct err *err)
{
	return wire_command(h->wire, &(struct wire_command){ type, arg, quiet }, err);
}

static void assert_told(struct host *h, enum wire_told_code code, enum wsn_type type)
{
	assert_int_equal(h->told_count, 1);
	assert_int_equal(h->told[0].code, code);
	assert_int_equal(h->told[0].command.type, type);
	h->told_count = 0;
}

static void a_command_is_told_and_confirmed(void **state)
{
	struct host *h = *state;

	node_did(h, 41);		/* number 40, whoever told it */
	assert_int_equal(wire_timeout(h->wire, h->now), -1);
	assert_int_equal(command_give(h, WSN_HZ, 500, false, NULL), 0);
	assert_int_equal(wire_timeout(h->wire, h->now), 0);
	assert_int_equal(frames_asked(h, 0), 1);
	assert_int_equal(h->frame[0][0], WSN_HZ);
	assert_int_equal(h->frame[0][1], 41);
	assert_int_equal(h->frame[0][2] | h->frame[0][3] << 8, 500);
	assert_int_equal(wire_timeout(h->wire, h->now), 1500);
	node_did(h, 41);		/* not yet */
	assert_int_equal(frames_asked(h, 0.5), 0);
	assert_int_equal(h->told_count, 0);
	node_did(h, 42);
	assert_told(h, WIRE_TOLD_DONE, WSN_HZ);
	assert_int_equal(wire_timeout(h->wire, h->now), -1);
	assert_int_equal(frames_asked(h, 3), 0);
}

/* The number after 255 is 0, which STATUS confirms as 1. */
static void numbers_go_round(void **state)
{
	struct host *h = *state;

	node_did(h, 255);
	for (unsigned i = 0; i < 3; i++) {
		command_give(h, WSN_START, 0, true, NULL);
		assert_int_equal(frames_asked(h, 1), 1);
		assert_int_equal(h->frame[0][1], (255 + i) & 255);
		node_did(h, h->frame[0][1] + 1u);
		assert_told(h, WIRE_TOLD_DONE, WSN_START);
	}
}

static void silence_is_asked_again_then_given_up(void **state)
{
	struct host *h = *state;
	size_t times = 0;
	int turns;

	node_did(h, 7);
	command_give(h, WSN_RESET, 0, false, NULL);
	for (turns = 0; turns < 200 && !h->told_count; turns++) {
		size_t n = frames_asked(h, 0.1);

		for (size_t i = 0; i < n; i++)
			assert_int_equal(h->frame[i][1], 7);	/* the same number: done once */
		times += n;
	}
	assert_in_range(times, 3, 5);
	assert_in_range(turns, 60, 63);
	assert_int_equal(h->told[0].seconds, 6);
	assert_told(h, WIRE_TOLD_SILENCE, WSN_RESET);
	assert_int_equal(wire_timeout(h->wire, h->now), -1);
}

/* Asked when its timeout is over and at no other time, a decoder does all that it has to do. */
static void the_timeout_is_all_that_is_needed(void **state)
{
	struct host *h = *state;
	size_t times = 0;

	command_give(h, WSN_STOP, 0, false, NULL);
	for (int i = 0; i < 6 && !h->told_count; i++)
		times += frames_asked(h, wire_timeout(h->wire, h->now) / 1e3);
	assert_told(h, WIRE_TOLD_SILENCE, WSN_STOP);
	assert_int_equal(times, 4);
}

static void commands_wait_for_one_another(void **state)
{
	struct host *h = *state;

	command_give(h, WSN_STOP, 0, false, NULL);
	command_give(h, WSN_PERIOD, 250, false, NULL);
	assert_int_equal(frames_asked(h, 0), 1);
	assert_int_equal(h->frame[0][0], WSN_STOP);
	node_did(h, 1);
	assert_told(h, WIRE_TOLD_DONE, WSN_STOP);
	assert_int_equal(frames_asked(h, 0), 1);
	assert_int_equal(h->frame[0][0], WSN_PERIOD);
}

static void what_cannot_be_told_says_why(void **state)
{
	struct host *h = *state;
	struct err err = { 0 };

	assert_int_equal(command_give(h, WSN_PERIOD, 3, false, &err), ERR_USAGE);
	assert_non_null(strstr(err.text, "from 10 to 65535"));
	assert_int_equal(command_give(h, WSN_PERIOD, 65536, false, NULL), ERR_USAGE);
	assert_int_equal(command_give(h, WSN_HELLO, 0, false, NULL), ERR_USAGE);
	for (int i = 0; i < WSN_COMMANDS; i++)
		assert_int_equal(command_give(h, WSN_ALL, 0, false, NULL), 0);
	assert_int_equal(command_give(h, WSN_ALL, 0, false, NULL), ERR_USAGE);
}

/* A quiet command gives way. */
static void a_users_command_goes_before_a_quiet_one(void **state)
{
	struct host *h = *state;

	command_give(h, WSN_ALL, 0, true, NULL);
	assert_int_equal(frames_asked(h, 0), 1);
	command_give(h, WSN_STOP, 0, false, NULL);
	assert_int_equal(frames_asked(h, 0), 1);
	assert_int_equal(h->frame[0][0], WSN_STOP);
	assert_int_equal(h->told_count, 0);
}

/* Whole or not at all; and no busy wait for room. */
static void a_command_waits_for_room(void **state)
{
	struct host *h = *state;

	h->room = 3;
	command_give(h, WSN_STOP, 0, false, NULL);
	assert_int_equal(frames_asked(h, 0), 0);
	assert_int_equal(wire_timeout(h->wire, h->now), 6000);
	h->room = WSN_COMMAND_MAX;
	assert_int_equal(frames_asked(h, 4), 1);
	assert_int_equal(frames_asked(h, 0), 0);
	assert_int_equal(wire_timeout(h->wire, h->now), 1500);
	node_did(h, 1);
	assert_told(h, WIRE_TOLD_DONE, WSN_STOP);

	h->room = 0;
	command_give(h, WSN_START, 0, false, NULL);
	assert_int_equal(frames_asked(h, 0), 0);
	assert_int_equal(frames_asked(h, 5.9), 0);
	assert_int_equal(h->told_count, 0);
	assert_int_equal(frames_asked(h, 0.1), 0);
	assert_told(h, WIRE_TOLD_BLOCKED, WSN_START);
}

/* The line goes down: each command ends, and none is sent to the node that comes next. */
static void a_line_that_goes_ends_all(void **state)
{
	struct host *h = *state;

	node_did(h, 9);
	command_give(h, WSN_STOP, 0, false, NULL);
	command_give(h, WSN_HZ, 5, false, NULL);
	assert_int_equal(frames_asked(h, 0), 1);
	wire_down(h->wire);
	assert_int_equal(h->told_count, 2);
	assert_int_equal(h->told[0].code, WIRE_TOLD_DOWN);
	assert_int_equal(h->told[0].command.type, WSN_STOP);
	assert_int_equal(h->told[1].command.type, WSN_HZ);
	h->told_count = 0;
	assert_int_equal(wire_timeout(h->wire, h->now), -1);
	assert_int_equal(frames_asked(h, 9), 0);
	node_did(h, 30);		/* another host was there meanwhile */
	command_give(h, WSN_START, 0, false, NULL);
	assert_int_equal(frames_asked(h, 0), 1);
	assert_int_equal(h->frame[0][1], 30);
	assert_int_equal(h->told_count, 0);
}

/* A host that joins asks for everything, once for each time that the line comes up. */
static void a_node_that_is_joined_is_asked_for_all(void **state)
{
	struct host *h = *state;

	node_says(h, "H f=0x5e3|H f=0x5e3");	/* the epoch had another: its second one counts */
	assert_int_equal(frames_asked(h, 0), 0);
	for (unsigned last = 20; last < 22; last++) {
		node_did(h, last);
		assert_int_equal(frames_asked(h, 0), 1);
		assert_int_equal(h->frame[0][0], WSN_ALL);
		assert_int_equal(h->frame[0][1], last);
		node_did(h, last + 1);
		assert_int_equal(h->told_count, 1);
		assert_true(h->told[0].command.quiet);
		h->told_count = 0;
		assert_int_equal(frames_asked(h, 2), 0);
		wire_down(h->wire);
	}
}

/* --- auto alone ------------------------------------------------------------------------------- */

/* Before a format is found there is nobody to take a command, and nothing is said. */
static void auto_says_nothing_before_it_knows(void **state)
{
	struct host h = { .now = CLOCK_SECOND, .room = WIRE_OUT_MAX };
	struct wire_sink sink = { .ctx = &h, .told = hear_told };
	struct err err = { 0 };

	(void)state;
	h.wire = wire_new("auto", NULL, &sink, NULL);
	assert_int_equal(frames_asked(&h, 0), 0);
	assert_int_equal(wire_timeout(h.wire, h.now), -1);
	assert_int_equal(command_give(&h, WSN_STOP, 0, false, &err), ERR_USAGE);
	assert_non_null(strstr(err.text, "no commands"));
	wire_down(h.wire);
	wire_free(h.wire);
}

/* Another firmware speaks another format: commands of the decoder before it end. */
static void auto_tells_what_a_change_of_format_ends(void **state)
{
	static const char report[] = "\nPROF:a:1:10:1000:1000\n0x100:0x200:1:10:10:10\n\n";
	struct host *h = *state;

	command_give(h, WSN_STOP, 0, false, NULL);
	assert_int_equal(frames_asked(h, 0), 1);
	for (int i = 0; i < 2; i++)
		wire_feed(h->wire, (const uint8_t *)report, sizeof(report) - 1);
	assert_string_equal(wire_name(h->wire), "prof");
	assert_told(h, WIRE_TOLD_DOWN, WSN_STOP);
	assert_int_equal(frames_asked(h, 9), 0);
}

static char wsn[] = "wsn", any[] = "auto";	/* what host_open opens */

#define CASE(f, format) { #f, f, host_open, host_close, format }
#define BOTH(f) CASE(f, wsn), CASE(f, any)

/* A frame of a command and nothing else: no other bit may differ. */
static void test_length(void **state)
{
	uint8_t frame[WSN_COMMAND_MAX], damaged[WSN_COMMAND_MAX];
	static uint8_t longer[9000];		/* than any of a command */

	(void)state;
	memset(longer + 1, 2, sizeof(longer) - 2);
	assert_int_equal(wsn_command_length(longer, sizeof(longer)), 0);
	for (unsigned type = WSN_START; type <= WSN_REPORT; type++) {
		size_t n = wsn_command(frame, type, (uint8_t)(7 * type), 1000);

		assert_true(n);
		assert_int_equal(wsn_command_length(frame, n), n);
		for (size_t cut = 0; cut < n; cut++)
			assert_int_equal(wsn_command_length(frame, cut), 0);
		for (size_t bit = 0; bit < 8 * n; bit++) {
			memcpy(damaged, frame, n);
			damaged[bit / 8] ^= (uint8_t)(1 << bit % 8);
			assert_int_equal(wsn_command_length(damaged, n), 0);
		}
	}
	assert_int_equal(wsn_command_length((const uint8_t *)"\0\0", 2), 0);
	assert_int_equal(wsn_command_length((const uint8_t *)"RESET", 6), 0);
}

static const struct wire_sink no_ears = { .ctx = NULL };

static size_t direct_ask(struct wsn_commands *c, uint64_t now)
{
	struct wire_out out = { .room = WIRE_OUT_MAX };

	wsn_commands_ask(c, now, &out, &no_ears);
	return out.count;
}

/* A quiet command was answered: nothing of it is left that a user's could push aside. */
static void a_command_behind_a_quiet_one_that_ended(void **state)
{
	const struct wire_command quiet = { .type = WSN_ALL, .quiet = true };
	const struct wire_command user = { .type = WSN_STOP };
	struct wsn_commands c = { .count = 0 };

	(void)state;
	wsn_commands_heard(&c, 4, &no_ears);
	assert_int_equal(wsn_commands_give(&c, &quiet, NULL), 0);
	assert_true(direct_ask(&c, 7) > 0);
	wsn_commands_heard(&c, 5, &no_ears);
	assert_int_equal(c.count, 0);
	assert_int_equal(wsn_commands_give(&c, &user, NULL), 0);
	assert_int_equal(c.count, 1);
	/* Numbers go on from ours, whoever else told the node something meanwhile. */
	wsn_commands_heard(&c, 90, &no_ears);
	direct_ask(&c, 8);
	assert_int_equal(c.under_way, 5);
}

/* One that is under way before any STATUS came has its number, and the next one the next. */
static void a_first_status_moves_no_number_under_way(void **state)
{
	const struct wire_command user = { .type = WSN_STOP };
	struct wsn_commands c = { .count = 0 };

	(void)state;
	wsn_commands_give(&c, &user, NULL);
	wsn_commands_give(&c, &user, NULL);
	assert_true(direct_ask(&c, 7) > 0);	/* sent at once, however early it is */
	assert_int_equal(direct_ask(&c, 8), 0);
	wsn_commands_heard(&c, 200, &no_ears);
	wsn_commands_heard(&c, 1, &no_ears);
	assert_true(direct_ask(&c, 9) > 0);
	assert_int_equal(c.under_way, 1);
}

/* Sent last shortly before it is given up: that comes first. */
static void giving_up_comes_before_sending_again(void **state)
{
	const uint64_t s = CLOCK_SECOND;
	struct wsn_commands c = { .count = 1, .since_ns = 100 * s, .sent_ns = 100 * s };

	(void)state;
	assert_int_equal(wsn_commands_timeout(&c, 100 * s), 1500);
	c.sent_ns = 105 * s;
	assert_int_equal(wsn_commands_timeout(&c, 105 * s), 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		BOTH(a_command_is_told_and_confirmed),
		BOTH(numbers_go_round),
		BOTH(silence_is_asked_again_then_given_up),
		BOTH(the_timeout_is_all_that_is_needed),
		BOTH(commands_wait_for_one_another),
		BOTH(what_cannot_be_told_says_why),
		BOTH(a_users_command_goes_before_a_quiet_one),
		BOTH(a_command_waits_for_room),
		BOTH(a_line_that_goes_ends_all),
		BOTH(a_node_that_is_joined_is_asked_for_all),
		cmocka_unit_test(test_length),
		cmocka_unit_test(a_command_behind_a_quiet_one_that_ended),
		cmocka_unit_test(a_first_status_moves_no_number_under_way),
		cmocka_unit_test(giving_up_comes_before_sending_again),
		cmocka_unit_test(auto_says_nothing_before_it_knows),
		CASE(auto_tells_what_a_change_of_format_ends, any),
	};

	return cmocka_run_group_tests_name("command", tests, NULL, NULL);
}
