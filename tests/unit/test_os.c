/* os: what systems name differently. tests/golden/test_portable.sh runs it without Linux, too. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "core/base/os.h"

extern char **environ;

static bool fd_readable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1;
}

static void fd_check(int fd, bool nonblocking)
{
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(!!(fcntl(fd, F_GETFL) & O_NONBLOCK), nonblocking);
}

static void test_program(void **state)
{
	char path[PATH_MAX], small[4];

	(void)state;
	os_program(path, sizeof(path));
	assert_int_equal(path[0], '/');
	assert_int_equal(access(path, X_OK), 0);
	assert_true(strlen(os_program(small, sizeof(small))) < sizeof(small));
}

static void test_pipes(void **state)
{
	int ends[2];

	(void)state;
	for (int nonblocking = 0; nonblocking < 2; nonblocking++) {
		assert_int_equal(os_pipe(ends, nonblocking), 0);
		fd_check(ends[0], nonblocking);
		fd_check(ends[1], nonblocking);
		close(ends[0]);
		close(ends[1]);
	}
}

/* A peer that left is an error, not a signal that ends the program. */
static void test_sockets(void **state)
{
	int pair[2], fd = os_socket(AF_UNIX);

	(void)state;
	fd_check(fd, true);
	close(fd);
	assert_int_equal(os_socket_pair(pair), 0);
	fd_check(pair[0], false);
	fd_check(pair[1], false);
	close(pair[1]);
	assert_int_equal(send(pair[0], "x", 1, os_send_flags), -1);
	assert_int_equal(errno, EPIPE);
	close(pair[0]);
}

static void test_events(void **state)
{
	struct os_event e;

	(void)state;
	assert_int_equal(os_event_open(&e), 0);
	fd_check(e.fd, true);
	assert_false(fd_readable(e.fd));
	assert_true(os_event_tell(&e));
	assert_true(fd_readable(e.fd));
	os_event_close(&e);
	assert_int_equal(e.fd, -1);
	os_event_close(&e);
}

static void test_nameless_file(void **state)
{
	char back[3] = "";
	int fd = os_nameless_file();

	(void)state;
	fd_check(fd, false);
	assert_int_equal(write(fd, "ab", 2), 2);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_int_equal(read(fd, back, 2), 2);
	assert_string_equal(back, "ab");
	close(fd);
}

/* A descriptor that is not closed on exec is closed in the new process, those below stay. */
static void test_close_from(void **state)
{
	static const struct {
		int first, status;
	} rows[] = { { 5, 0 }, { 8, 1 } };
	char script[] = "if { true >&7; } 2>/dev/null; then exit 1; fi";
	char *argv[] = { (char *)"sh", (char *)"-c", script, NULL };

	(void)state;
	assert_int_equal(dup2(STDERR_FILENO, 7), 7);
	for (size_t i = 0; i < COUNT(rows); i++) {
		posix_spawn_file_actions_t files;
		pid_t pid;
		int status, fd;

		posix_spawn_file_actions_init(&files);
		os_close_from(&files, rows[i].first);
		assert_int_equal(posix_spawn(&pid, "/bin/sh", &files, NULL, argv, environ), 0);
		posix_spawn_file_actions_destroy(&files);
		fd = os_process_fd(pid);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(fd < 0 || fd_readable(fd));
		if (fd >= 0)
			close(fd);
		assert_int_equal(WEXITSTATUS(status), rows[i].status);
	}
	close(7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_program), cmocka_unit_test(test_pipes),
		cmocka_unit_test(test_sockets), cmocka_unit_test(test_events),
		cmocka_unit_test(test_nameless_file), cmocka_unit_test(test_close_from),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
