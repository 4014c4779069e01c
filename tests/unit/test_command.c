/* command: what a node is told, over a real socket; time is the test's own. */
#include "tests/unit/unit.h"

#include <sys/socket.h>
#include <sys/un.h>

#include "core/base/clock.h"
#include "core/node/command.h"

struct line {
	struct link *link;
	int server, peer;
	char path[64], source[80];
};

static int line_open(void **state)
{
	struct line *l = calloc(1, sizeof(*l));
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	struct err err = { 0 };

	snprintf(l->path, sizeof(l->path), "/tmp/wsntop-command-%d", getpid());
	snprintf(l->source, sizeof(l->source), "unix:%s", l->path);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", l->path);
	unlink(l->path);
	l->server = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(l->server, (struct sockaddr *)&address, sizeof(address)), 0);
	assert_int_equal(listen(l->server, 1), 0);
	l->link = link_new(l->source, NULL, &err);
	assert_string_equal(err.text, "");
	l->peer = accept(l->server, NULL, NULL);
	*state = l;
	return 0;
}

static int line_close(void **state)
{
	struct line *l = *state;

	link_free(l->link);
	close(l->peer);
	close(l->server);
	unlink(l->path);
	free(l);
	return 0;
}

/* The commands that arrived: type, seq and argument of each frame. */
static size_t told(const struct line *l, uint8_t frames[][8], size_t max)
{
	uint8_t bytes[512], body[WSN_BLOCK_MAX];
	ssize_t n = recv(l->peer, bytes, sizeof(bytes), MSG_DONTWAIT);
	size_t count = 0, from = 0;

	for (size_t i = 0; n > 0 && i < (size_t)n; i++) {
		size_t length;

		if (bytes[i])
			continue;
		length = i > from ? wsn_cobs_decode(body, bytes + from, i - from) : 0;
		if (length)
			assert_int_equal(wsn_crc(body, length - 2),
					 body[length - 2] | body[length - 1] << 8);
		from = i + 1;
		if (length && count < max) {
			memset(frames[count], 0, 8);
			memcpy(frames[count++], body, length < 8 ? length : 8);
		}
	}
	return count;
}

static enum command_news serve(struct commands *c, struct line *l, double seconds, char *line)
{
	line[0] = '\0';
	return commands_service(c, l->link, (uint64_t)((100 + seconds) * 1e9), line, 200);
}

static void a_command_is_told_and_confirmed(void **state)
{
	struct line *l = *state;
	struct commands c = { .seq = 0 };
	uint8_t frames[4][8];
	char line[200];

	commands_heard(&c, 41);		/* the node did number 40 last, whoever told it */
	assert_int_equal(command_give(&c, WSN_HZ, 500, false, NULL), 0);
	assert_int_equal(serve(&c, l, 0, line), COMMAND_NOTHING);
	assert_int_equal(told(l, frames, 4), 1);
	assert_int_equal(frames[0][0], WSN_HZ);
	assert_int_equal(frames[0][1], 41);
	assert_int_equal(frames[0][2] | frames[0][3] << 8, 500);
	commands_heard(&c, 41);		/* not yet */
	assert_int_equal(serve(&c, l, 0.5, line), COMMAND_NOTHING);
	assert_int_equal(told(l, frames, 4), 0);
	commands_heard(&c, 42);
	assert_int_equal(commands_timeout(&c, 0), 0);
	assert_int_equal(serve(&c, l, 0.6, line), COMMAND_DONE);
	assert_non_null(strstr(line, "did it"));
	assert_int_equal(commands_timeout(&c, 0), -1);
}

/* The number after 255 is 0, which STATUS confirms as 1. */
static void numbers_go_round(void **state)
{
	struct line *l = *state;
	struct commands c = { .seq = 0 };
	uint8_t frames[4][8];
	char line[200];

	commands_heard(&c, 255);
	for (unsigned i = 0; i < 3; i++) {
		command_give(&c, WSN_START, 0, true, NULL);
		serve(&c, l, i, line);
		assert_int_equal(told(l, frames, 4), 1);
		assert_int_equal(frames[0][1], (255 + i) & 255);
		commands_heard(&c, frames[0][1] + 1u);
		assert_int_equal(serve(&c, l, i, line), COMMAND_DONE);
		assert_string_equal(line, "");	/* quiet */
	}
}

static void silence_is_asked_again_then_given_up(void **state)
{
	struct line *l = *state;
	struct commands c = { .seq = 7 };
	uint8_t frames[16][8];
	char line[200];
	size_t times = 0;
	double s;

	command_give(&c, WSN_RESET, 0, false, NULL);
	for (s = 0; s < 20 && serve(&c, l, s, line) == COMMAND_NOTHING; s += 0.1) {
		size_t n = told(l, frames, 16);

		for (size_t i = 0; i < n; i++)
			assert_int_equal(frames[i][1], 7);	/* the same number: done once */
		times += n;
	}
	assert_in_range(times, 3, 5);
	assert_in_range((int)s, 5, 7);
	assert_non_null(strstr(line, "did not answer within 6 seconds: reset"));
	assert_null(strchr(line, '\n'));
	assert_int_equal(c.count, 0);
}

static void commands_wait_for_one_another(void **state)
{
	struct line *l = *state;
	struct commands c = { .seq = 0 };
	uint8_t frames[4][8];
	char line[200];

	command_give(&c, WSN_STOP, 0, false, NULL);
	command_give(&c, WSN_PERIOD, 250, false, NULL);
	serve(&c, l, 0, line);
	assert_int_equal(told(l, frames, 4), 1);
	assert_int_equal(frames[0][0], WSN_STOP);
	commands_heard(&c, 1);
	assert_int_equal(serve(&c, l, 1, line), COMMAND_DONE);
	serve(&c, l, 1, line);
	assert_int_equal(told(l, frames, 4), 1);
	assert_int_equal(frames[0][0], WSN_PERIOD);
}

static void what_cannot_be_told_says_why(void **state)
{
	struct line *l = *state;
	struct err err = { 0 };
	struct commands c = { .seq = 0 };
	struct link *file = link_new("/dev/null", NULL, &err);
	char line[200];

	assert_int_equal(command_give(&c, WSN_PERIOD, 3, false, &err), ERR_USAGE);
	assert_non_null(strstr(err.text, "from 10 to 65535"));
	assert_int_equal(command_give(&c, WSN_HELLO, 0, false, NULL), ERR_USAGE);
	for (int i = 0; i < COMMANDS_MAX; i++)
		assert_int_equal(command_give(&c, WSN_ALL, 0, false, NULL), 0);
	assert_int_equal(command_give(&c, WSN_ALL, 0, false, NULL), ERR_USAGE);
	commands_drop(&c);
	command_give(&c, WSN_ALL, 0, false, NULL);
	assert_int_equal(commands_service(&c, file, 1, line, sizeof(line)), COMMAND_FAILED);
	assert_non_null(strstr(line, "cannot be written"));
	link_free(file);
	/* The node hung up: said once, and nothing hangs. */
	close(l->peer);
	l->peer = -1;
	command_give(&c, WSN_ALL, 0, false, NULL);
	assert_int_equal(serve(&c, l, 0, line), COMMAND_FAILED);
}

/* A line that takes nothing more: no blocking, and a sentence in the end. */
static void a_full_line_is_given_up(void **state)
{
	struct line *l = *state;
	struct commands c = { .seq = 0 };
	uint8_t junk[LINK_SEND_MAX] = { 0 };
	char line[200];
	double s;

	while (link_send(l->link, junk, sizeof(junk)) == 0)
		;
	command_give(&c, WSN_ALL, 0, false, NULL);
	for (s = 0; s < 20 && serve(&c, l, s, line) == COMMAND_NOTHING; s += 0.5)
		;
	assert_in_range((int)s, 5, 7);
	assert_non_null(strstr(line, "takes nothing"));
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, line_open, line_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_command_is_told_and_confirmed),
		CASE(numbers_go_round),
		CASE(silence_is_asked_again_then_given_up),
		CASE(commands_wait_for_one_another),
		CASE(what_cannot_be_told_says_why),
		CASE(a_full_line_is_given_up),
	};

	return cmocka_run_group_tests_name("command", tests, NULL, NULL);
}
