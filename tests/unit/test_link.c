/*
 * link: every kind of source, with the real thing at its other end: ptys, FIFOs, files; what is
 * refused.
 */
#include "tests/unit/link_made.h"

#include <grp.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "core/base/mem.h"

static void a_pty_carries_every_byte_both_ways(void **state)
{
	struct pty pty = pty_open();
	struct loop p = { .link = must_open(pty.path) };
	uint8_t all[256], back[256];

	(void)state;
	for (int i = 0; i < 256; i++)
		all[i] = (uint8_t)i;
	assert_string_equal(link_kind(p.link), "tty");
	assert_string_equal(link_name(p.link), pty.path);
	assert_string_equal(link_why(p.link), "");
	assert_int_equal(link_state(p.link), LINK_UP);
	assert_int_equal(link_baud(p.link), 0);
	assert_int_equal(link_timeout(p.link, clock_now()), -1);
	assert_true(link_is_live(p.link));
	assert_true(link_progress(p.link) < 0);
	assert_int_equal(write(pty.master, all, 256), 256);
	until_bytes(&p, 256);
	assert_memory_equal(p.got, all, 256);
	assert_int_equal(link_send(p.link, all, 256), 0);
	assert_int_equal(link_unsent(p.link), 0);
	assert_int_equal(read(pty.master, back, 256), 256);
	assert_memory_equal(back, all, 256);
	link_free(p.link);
	close(pty.master);
}

static void an_idle_pty_is_not_gone(void **state)
{
	struct pty pty = pty_open();
	struct link *l = must_open(pty.path);
	uint64_t time;
	uint8_t byte;

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_int_equal(link_read(l, 77, &byte, 1, &time), 0);
	assert_int_equal(time, 77);
	assert_int_equal(link_state(l), LINK_UP);
	link_free(l);
	close(pty.master);
}

static void a_pty_that_goes_is_taken_up_again_behind_its_symlink(void **state)
{
	struct pty first = pty_open(), second;
	const char *name = in_scratch("node.pty");
	struct loop p = { 0 };
	uint64_t since;

	(void)state;
	assert_int_equal(symlink(first.path, name), 0);
	p.link = must_open(name);
	assert_int_equal(write(first.master, "one", 3), 3);
	assert_got(&p, "one");
	since = link_since(p.link);

	close(first.master);
	until_state(&p, LINK_WAITING);
	assert_string_equal(link_why(p.link), "the peer disconnected");
	assert_true(link_since(p.link) > since);
	assert_int_equal(link_fd(p.link), -1);
	assert_in_range(link_timeout(p.link, link_since(p.link)), 499, 500);
	assert_int_equal(link_send(p.link, "x", 1), LINK_DEAF);
	since = link_since(p.link);
	for (int i = 0; i < 10; i++)
		link_turn(&p);
	assert_int_equal(link_since(p.link), since);
	assert_string_equal(link_why(p.link), "the peer disconnected");

	second = pty_open();
	unlink(name);
	assert_int_equal(symlink(second.path, name), 0);
	until_state(&p, LINK_UP);
	assert_string_equal(link_why(p.link), "");
	assert_int_equal(link_reconnects(p.link), 1);
	assert_int_equal(write(second.master, "two", 3), 3);
	assert_got(&p, "two");
	link_free(p.link);
	close(second.master);
	unlink(name);
}

static void a_pty_in_use_is_refused_by_name(void **state)
{
	struct pty pty = pty_open();
	struct err err = { 0 };
	int ready[2];
	char byte, who[32];
	pid_t child;

	(void)state;
	assert_int_equal(pipe(ready), 0);
	child = fork();
	if (child == 0) {
		int fd = open(pty.path, O_RDWR | O_NOCTTY);

		if (fd < 0 || flock(fd, LOCK_EX) < 0 || write(ready[1], "x", 1) != 1)
			_exit(1);
		alarm(PATIENCE);
		for (;;)
			pause();
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_null(link_new(pty.path, NULL, &err));
	assert_non_null(strstr(err.text, "busy: "));
	snprintf(who, sizeof(who), "(pid %d); close it first", (int)child);
	assert_non_null(strstr(err.text, who));
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	link_free(must_open(pty.path));
	close(pty.master);
	close(ready[0]);
	close(ready[1]);
}

/* Once a simulator is gone, its /dev/pts/N may be the next terminal window's. */
static void a_terminal_that_somebody_sits_at_is_refused(void **state)
{
	struct err err = { 0 };
	char path[64], ready;
	int master;
	pid_t child = forkpty(&master, path, NULL, NULL);

	(void)state;
	if (child == 0) {
		if (write(STDOUT_FILENO, "$", 1) != 1)
			_exit(1);
		alarm(PATIENCE);
		for (;;)
			pause();
	}
	assert_true(child > 0);
	assert_int_equal(read(master, &ready, 1), 1);
	assert_null(link_new(path, NULL, &err));
	assert_int_equal(err.code, ERR_USAGE);
	assert_non_null(strstr(err.text, "this is the terminal of "));
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(master);
}

static void an_absent_port_is_waited_for_on_request(void **state)
{
	const struct link_options patient = { .wait = true };
	const char *name = in_scratch("later.pty");
	struct err err = { 0 };
	struct loop p = { .link = link_new(name, &patient, &err) };
	struct pty pty = pty_open();

	(void)state;
	assert_non_null(p.link);
	assert_int_equal(link_state(p.link), LINK_WAITING);
	assert_string_equal(link_why(p.link), "no such file or port");
	assert_true(link_is_live(p.link));
	assert_int_equal(symlink(pty.path, name), 0);
	until_state(&p, LINK_UP);
	assert_int_equal(link_reconnects(p.link), 0);
	assert_int_equal(write(pty.master, "hello", 5), 5);
	assert_got(&p, "hello");
	link_free(p.link);
	close(pty.master);
	unlink(name);
}

/* --- files, FIFOs, standard input --- */

static void a_file_is_read_to_its_end(void **state)
{
	const char *sources[] = { "%s", "file:%s" };
	const char *path = in_scratch("capture");

	(void)state;
	put_file(path, "0123456789", 10);
	for (size_t i = 0; i < COUNT(sources); i++) {
		struct loop p = { 0 };
		char source[256];
		uint64_t time;

		snprintf(source, sizeof(source), sources[i], path);
		p.link = must_open(source);
		assert_string_equal(link_kind(p.link), "file");
		assert_false(link_is_live(p.link));
		assert_int_equal(link_fd(p.link), -1);
		assert_int_equal(link_timeout(p.link, clock_now()), 0);
		assert_int_equal(link_read(p.link, 5, (uint8_t *)p.got, 5, &time), 5);
		assert_int_equal(time, 5);
		assert_true(link_progress(p.link) == 0.5);
		p.n = 5;
		assert_got(&p, "0123456789");
		until_ended(&p);
		assert_true(link_progress(p.link) == 1);
		assert_string_equal(link_why(p.link), "");
		assert_int_equal(link_send(p.link, "x", 1), LINK_DEAF);
		assert_int_equal(link_timeout(p.link, clock_now()), -1);
		link_free(p.link);
	}
}

static void an_empty_file_ends(void **state)
{
	struct loop p = { 0 };

	(void)state;
	put_file(in_scratch("empty"), "", 0);
	p.link = must_open(in_scratch("empty"));
	until_ended(&p);
	assert_int_equal(p.n, 0);
	link_free(p.link);
}

/* The beginning of a recording's first bytes is no recording. */
static void a_file_that_begins_like_a_recording_is_read_whole(void **state)
{
	static const char *texts[] = {
		"w", "wsnrec", "wsnrec1", "wsnrec2\nwhatever", "wsnrec1 and more",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct loop p = { 0 };

		put_file(in_scratch("like"), texts[i], strlen(texts[i]));
		p.link = must_open(in_scratch("like"));
		assert_got(&p, texts[i]);
		until_ended(&p);
		assert_string_equal(link_kind(p.link), "file");
		link_free(p.link);
	}
}

static void a_fifo_waits_for_its_writer_and_ends_with_it(void **state)
{
	const char *path = in_scratch("fifo");
	struct loop p = { 0 };
	int fd;

	(void)state;
	assert_int_equal(mkfifo(path, 0600), 0);
	p.link = must_open(path);
	assert_true(link_fd(p.link) >= 0);
	link_turn(&p);
	link_turn(&p);
	assert_int_equal(link_state(p.link), LINK_UP);
	fd = open(path, O_WRONLY);
	assert_int_equal(write(fd, "abc", 3), 3);
	assert_got(&p, "abc");
	link_turn(&p);
	assert_false(p.ended);
	close(fd);
	until_ended(&p);
	link_free(p.link);
	unlink(path);
}

static void standard_input_ends(void **state)
{
	int saved = dup(STDIN_FILENO), ends[2];
	struct loop p = { 0 };

	(void)state;
	assert_int_equal(pipe(ends), 0);
	dup2(ends[0], STDIN_FILENO);
	p.link = must_open("-");
	assert_string_equal(link_kind(p.link), "stdin");
	assert_string_equal(link_name(p.link), "-");
	link_turn(&p);
	assert_int_equal(p.n, 0);
	assert_int_equal(link_timeout(p.link, clock_now()), -1);
	assert_int_equal(write(ends[1], "wsn", 3), 3);	/* could be a recording's beginning */
	link_turn(&p);
	assert_int_equal(p.n, 0);
	assert_int_equal(link_timeout(p.link, clock_now()), -1);
	assert_int_equal(write(ends[1], "top", 3), 3);
	assert_got(&p, "wsntop");
	assert_int_equal(fcntl(STDIN_FILENO, F_GETFL) & O_NONBLOCK, 0);
	close(ends[1]);
	until_ended(&p);
	link_free(p.link);
	dup2(saved, STDIN_FILENO);
	close(saved);
	close(ends[0]);
}

static void a_device_that_is_no_terminal_is_read_as_it_comes(void **state)
{
	struct loop p = { .link = must_open("/dev/null") };

	(void)state;
	assert_string_equal(link_kind(p.link), "file");
	until_ended(&p);
	link_free(p.link);
	p = (struct loop){ .link = must_open("/dev/zero") };
	until_bytes(&p, sizeof(p.got));
	link_free(p.link);
}

/* --- refusals --- */

static void refusals_say_what_to_do(void **state)
{
	static const struct {
		const char *source;
		enum err_code code;
		const char *says;
	} rows[] = {
		{ "/dev/no-such-port", ERR_ABSENT, "/dev/no-such-port: no such port" },
		{ "serial:/dev/no-such-port?baud=250000", ERR_ABSENT, "no such port" },
		{ "no/such/file", ERR_ABSENT, "no such file or port" },
		{ "file:no/such/file", ERR_ABSENT, "no such file or port" },
		{ "file:/dev/null", ERR_USAGE, "not a file" },
		{ "serial:Makefile", ERR_USAGE, "not a serial port" },
		{ "serial:", ERR_USAGE, "missing: expected for example serial:/dev/ttyUSB0" },
		{ "", ERR_USAGE, "a name is missing" },
		{ "serial:/dev/null?speed=1", ERR_USAGE, "serial: takes these options" },
		{ "serial:/dev/null?baud=", ERR_USAGE, "serial: takes these options" },
		{ "serial:/dev/null?baud=0", ERR_USAGE, "serial:DEVICE?baud=NUMBER" },
		{ "serial:/dev/null?baud=4294967296", ERR_USAGE, "serial:DEVICE?baud=NUMBER" },
		{ "serial:/dev/null?baud=9600x", ERR_USAGE, "serial:DEVICE?baud=NUMBER" },
		{ ".", ERR_USAGE, "a folder without recordings" },
		{ "tcp:", ERR_USAGE, "a name is missing: expected for example tcp:localhost:4000" },
		{ "tcp:localhost", ERR_USAGE, "tcp:HOST:PORT" },
		{ "tcp:localhost:", ERR_USAGE, "tcp:HOST:PORT" },
		{ "tcp::80", ERR_USAGE, "tcp:HOST:PORT" },
		{ "tcp:::1:80", ERR_USAGE, "tcp:[HOST]:PORT" },
		{ "tcp:[::1:80", ERR_USAGE, "tcp:[HOST]:PORT" },
		{ "tcp:[]:80", ERR_USAGE, "tcp:[HOST]:PORT" },
		{ "tcp:127.0.0.1:no-such-service", ERR_USAGE, "not a port number" },
		{ "tcp:127.0.0.1:0", ERR_USAGE, "from 1 to 65535" },
		{ "tcp:127.0.0.1:99999", ERR_USAGE, "from 1 to 65535" },	/* not 34463 */
		{ "unix:no/such/socket", ERR_ABSENT, "no such socket" },
		{ "tcp:evil\033[31m", ERR_USAGE, "evil\\x1b[31m" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct err err = { 0 };

		assert_null(link_new(rows[i].source, NULL, &err));
		if (err.code != rows[i].code || !strstr(err.text, rows[i].says))
			fail_msg("%s: %d, %s", rows[i].source, err.code, err.text);
		assert_null(strchr(err.text, '\n'));
	}
}

static void a_path_too_long_for_a_socket_is_refused(void **state)
{
	char source[256] = "unix:";
	struct err err = { 0 };

	(void)state;
	memset(source + 5, 'x', 200);
	assert_null(link_new(source, NULL, &err));
	assert_non_null(strstr(err.text, "use a symlink"));
}

static void a_forbidden_port_names_the_group_to_join(void **state)
{
	const struct group *group = getgrnam("dialout");
	struct pty pty = pty_open();
	int status;
	pid_t child;

	(void)state;
	if (geteuid() != 0 || !group || chown(pty.path, 0, group->gr_gid) < 0 ||
	    chmod(pty.path, 0660) < 0)
		skip();			/* only root can make a device that is not ours */
	child = fork();
	if (child == 0) {
		struct err err = { 0 };

		if (setgroups(0, NULL) < 0 || setgid(65534) < 0 || setuid(65534) < 0)
			_exit(2);
		if (link_new(pty.path, NULL, &err))
			_exit(3);
		_exit(strstr(err.text, "add yourself to group dialout") ? 0 : 4);
	}
	waitpid(child, &status, 0);
	assert_int_equal(status, 0);
	close(pty.master);
}

/* Opened for reading alone, it is known beforehand that nothing can be sent. */
static void a_port_that_may_only_be_read_takes_nothing(void **state)
{
	struct pty pty = pty_open();
	int status;
	pid_t child;

	(void)state;
	if (geteuid() != 0 || chown(pty.path, 0, 0) < 0 || chmod(pty.path, 0444) < 0)
		skip();			/* only root can make a device that is not ours */
	child = fork();
	if (child == 0) {
		struct link *l;

		if (setgroups(0, NULL) < 0 || setgid(65534) < 0 || setuid(65534) < 0)
			_exit(2);
		l = link_new(pty.path, NULL, NULL);
		if (!l || link_state(l) != LINK_UP)
			_exit(3);
		if (link_room(l) != LINK_DEAF || link_send(l, "x", 1) != LINK_DEAF)
			_exit(4);
		_exit(link_events(l) == POLLIN ? 0 : 5);
	}
	waitpid(child, &status, 0);
	assert_int_equal(status, 0);
	close(pty.master);
}

static void ports_are_listed_whole_and_in_part(void **state)
{
	static struct link_port ports[256];
	size_t n = link_ports(NULL, 0);

	(void)state;
	memset(ports, 0x7f, sizeof(ports));
	assert_int_equal(link_ports(ports, n ? 1 : 0), n);
	assert_int_equal(ports[n ? 1 : 0].path[0], 0x7f);
	assert_int_equal(link_ports(ports, COUNT(ports)), n);
	for (size_t i = 0; i < n && i < COUNT(ports); i++) {
		assert_memory_equal(ports[i].path, "/dev/", 5);
		assert_non_null(memchr(ports[i].path, 0, sizeof(ports[i].path)));
		assert_non_null(memchr(ports[i].what, 0, sizeof(ports[i].what)));
		assert_int_equal(ports[i].usable, access(ports[i].path, R_OK | W_OK) == 0);
	}
}

/* --- memory --- */

static void without_memory_nothing_opens_and_nothing_leaks(void **state)
{
	struct server s = { 0 }, u = { 0 };
	struct pty pty = pty_open();
	const char *sources[] = { pty.path, s.source, u.source, "Makefile", "-" };

	(void)state;
	tcp_listen(&s);
	unix_listen(&u);
	for (size_t i = 0; i < COUNT(sources); i++) {
		struct link *l = NULL;
		long n;

		for (n = 0; !l && n < 20; n++) {
			struct err err = { 0 };

			mem_fail_after(n);
			l = link_new(sources[i], NULL, &err);
			mem_fail_after(-1);
			if (!l)
				assert_int_equal(err.code, ERR_NOMEM);
		}
		assert_non_null(l);
		assert_true(n > 2);
		link_free(l);
	}
	link_free(NULL);
	close(s.fd);
	close(u.fd);
	close(pty.master);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pty_carries_every_byte_both_ways),
		cmocka_unit_test(an_idle_pty_is_not_gone),
		cmocka_unit_test(a_pty_that_goes_is_taken_up_again_behind_its_symlink),
		cmocka_unit_test(a_pty_in_use_is_refused_by_name),
		cmocka_unit_test(a_terminal_that_somebody_sits_at_is_refused),
		cmocka_unit_test(an_absent_port_is_waited_for_on_request),
		cmocka_unit_test(a_file_is_read_to_its_end),
		cmocka_unit_test(an_empty_file_ends),
		cmocka_unit_test(a_file_that_begins_like_a_recording_is_read_whole),
		cmocka_unit_test(a_fifo_waits_for_its_writer_and_ends_with_it),
		cmocka_unit_test(standard_input_ends),
		cmocka_unit_test(a_device_that_is_no_terminal_is_read_as_it_comes),
		cmocka_unit_test(refusals_say_what_to_do),
		cmocka_unit_test(a_path_too_long_for_a_socket_is_refused),
		cmocka_unit_test(a_forbidden_port_names_the_group_to_join),
		cmocka_unit_test(a_port_that_may_only_be_read_takes_nothing),
		cmocka_unit_test(ports_are_listed_whole_and_in_part),
		cmocka_unit_test(without_memory_nothing_opens_and_nothing_leaks),
	};

	alarm(PATIENCE);
	return cmocka_run_group_tests_name("link", tests, make_scratch, remove_scratch);
}
