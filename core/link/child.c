#include "core/link/child.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/os.h"
#include "core/link/link_ops.h"

extern char **environ;

static int child_spawn(struct child *c, const struct child_start *s, int in, int said)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int error;

	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, in, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, said, STDERR_FILENO);
	if (s->extra)
		posix_spawn_file_actions_adddup2(&actions, *s->extra, s->extra_fd);
	if (s->apart)
		posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
	error = posix_spawnp(&c->pid, s->path, &actions, &attributes, s->argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

int child_start(struct child *c, const struct child_start *s, int *fd, struct err *err)
{
	int pair[2], said[2], error;

	c->pid = 0;
	if (os_socket_pair(pair) < 0)
		return err_errno(err, "cannot start %s", s->path);
	if (os_pipe(said, true) < 0) {
		close(pair[0]);
		close(pair[1]);
		return err_errno(err, "cannot start %s", s->path);
	}
	error = child_spawn(c, s, pair[1], said[1]);
	close(pair[1]);
	close(said[1]);
	if (error) {
		c->pid = 0;
		close(pair[0]);
		close(said[0]);
		return err_set(err, ERR_USAGE, "cannot start %s: %s", s->path, strerror(error));
	}
	c->said = said[0];
	*fd = pair[0];
	return 0;
}

int child_end(struct child *c, bool kills, char *said, size_t size)
{
	int status = 0;
	ssize_t n;

	if (!c->pid)
		return 0;
	if (kills)
		kill(c->pid, SIGKILL);
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (said) {
		n = read(c->said, said, size - 1);
		said[n > 0 ? n : 0] = '\0';
	}
	close(c->said);
	c->pid = 0;
	return status;
}

ssize_t child_read(int fd, uint8_t *buf, size_t size)
{
	ssize_t n = recv(fd, buf, size, MSG_DONTWAIT);

	if (n > 0)
		return n;
	return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : LINK_EOF;
}

ssize_t child_write(int fd, const uint8_t *data, size_t n)
{
	ssize_t done = send(fd, data, n, MSG_DONTWAIT | os_send_flags);

	if (done >= 0)
		return done;
	return errno == EAGAIN || errno == EINTR ? 0 : -1;
}
