/* node_live: a node that listens, over a real line. */
#include "tests/unit/node_made.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

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
			    "command not sent: stop: the link took no bytes for 6 seconds");
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
		LIVE(a_line_rests_unless_an_answer_is_due),
		LIVE(a_command_waits_for_a_full_queue),
		LIVE(a_line_that_takes_nothing_is_said),
		LIVE(a_command_needs_a_line_that_is_up),
	};

	return cmocka_run_group_tests_name("node_live", tests, set_up, tear_down);
}
