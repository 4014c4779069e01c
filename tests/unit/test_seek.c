/*
 * seek: several ports at once, real ptys. That a node which says who it is is found among others is
 * shown with the whole program (tests/screen/test_start.sh).
 */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <poll.h>
#include <termios.h>

#include "core/base/clock.h"
#include "core/run/seek.h"

static char folder[64], elf[128];

static int make_elf(void **state)
{
	char command[512];

	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/wsntop-seek.XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(elf, sizeof(elf), "%s/app.elf", folder);
	snprintf(command, sizeof(command),
		 "as -I tests/screen -o %s/app.o tests/screen/app.s && "
		 "ld -Ttext=0 -e main -o %s %s/app.o", folder, elf, folder);
	return unit_shell(command);
}

static int drop_elf(void **state)
{
	(void)state;
	return unit_remove(folder);
}

/* A port, its far end in *master. */
static struct link_port port_make(int *master)
{
	struct link_port p = { .usable = true };
	struct termios t;

	*master = posix_openpt(O_RDWR | O_NOCTTY);
	assert_true(*master >= 0 && grantpt(*master) == 0 && unlockpt(*master) == 0);
	assert_int_equal(ptsname_r(*master, p.path, sizeof(p.path)), 0);
	assert_int_equal(tcgetattr(*master, &t), 0);
	cfmakeraw(&t);
	assert_int_equal(tcsetattr(*master, TCSANOW, &t), 0);
	return p;
}

/* Listen until it says this of port i. */
static void seek_until(struct seek *s, size_t i, const char *words)
{
	uint64_t end = clock_now() + 300 * CLOCK_SECOND;
	char says[400] = "";

	while (clock_now() < end) {
		struct pollfd fds[SEEK_PORTS * NODE_FDS];
		size_t n = seek_poll_fds(s, fds);
		int ms = seek_timeout(s, clock_now());

		if (strstr(seek_describe(s, i, says, sizeof(says)), words))
			return;
		poll(fds, n, ms < 0 || ms > 100 ? 100 : ms);
		assert_int_equal(seek_service(s, clock_now()), SEEK_PORTS);
	}
	fail_msg("\"%s\", not \"%s\"", says, words);
}

static void port_say(int master, const char *text)
{
	assert_int_equal(write(master, text, strlen(text)), strlen(text));
}

/* Calls of the small firmware, at its addresses (tests/screen/lib.sh). */
static const char report[] =
	"PROF:node:6:20:65536:32768\r\n120:200:100:16384:64:512\r\n130:400:50:32768:600:800\r\n"
	"220:300:100:8192:40:120\r\n420:500:50:8000:100:300\r\n430:500:50:4000:60:100\r\n"
	"440:600:50:2000:30:60\r\n\r\n";

static void each_port_is_told_apart(void **state)
{
	const struct node_options like = { .link = { .speed = 1 } };
	struct link_port ports[5];
	struct err err = { 0 };
	struct node *taken;
	int master[5];
	struct seek s;

	(void)state;
	for (size_t i = 0; i < 5; i++)
		ports[i] = port_make(&master[i]);
	strcpy(ports[3].held, "minicom (pid 7)");
	ports[4].usable = false;
	strcpy(ports[4].cure, "permission denied: so it is");
	seek_init(&s, elf);
	seek_add(&s, ports, 1, &like, NULL);
	seek_add(&s, ports, 5, &like, NULL);	/* four more were plugged in */
	assert_int_equal(s.count, 5);
	seek_until(&s, 0, "no data received");
	seek_until(&s, 3, "held by minicom (pid 7)");
	seek_until(&s, 4, "permission denied: so it is");
	port_say(master[1], "tick 1, as the firmware has it\r\n");
	seek_until(&s, 1, "text, no packets");
	for (int i = 0; i < 6; i++)
		port_say(master[2], report);
	seek_until(&s, 2, "100 % of their addresses make sense in app.elf");
	assert_int_equal(seek_fit(&s, 2), SEEK_FITS);
	assert_int_equal(seek_fit(&s, 1), SEEK_OPEN);
	assert_int_equal(seek_fit(&s, 3), SEEK_NO);
	assert_null(seek_take(&s, 3, NULL, &err));
	assert_non_null(strstr(err.text, "held by minicom"));

	/* What is let go of meanwhile is listened to. */
	ports[3].held[0] = '\0';
	seek_add(&s, ports, 5, &like, NULL);
	seek_until(&s, 3, "no data received");
	taken = seek_take(&s, 2, NULL, NULL);
	assert_non_null(taken);
	seek_release(&s);
	assert_non_null(node_image(taken));
	assert_true(node_agreement(taken) > 0.99);
	node_free(taken);
	for (size_t i = 0; i < 5; i++) {
		char byte;

		/* Nothing was ever written to any of them. */
		fcntl(master[i], F_SETFL, O_NONBLOCK);
		assert_true(read(master[i], &byte, 1) <= 0);
		close(master[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_port_is_told_apart, make_elf, drop_elf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
