#include "core/source/program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/mem.h"
#include "core/base/os.h"

extern char **environ;

static char *path_if_runnable(struct buf *path)
{
	struct stat st;

	if (!path->failed && stat(buf_str(path), &st) == 0 && S_ISREG(st.st_mode) &&
	    access(buf_str(path), X_OK) == 0)
		return buf_detach(path);
	buf_release(path);
	return NULL;
}

char *program_find(const char *name)
{
	const char *path = getenv("PATH"), *end;
	struct buf b = BUF_INIT;
	char *found = NULL;

	if (strchr(name, '/')) {
		buf_adds(&b, name);
		return path_if_runnable(&b);
	}
	for (path = path ? path : "/usr/bin:/bin"; *name && !found; path = end + 1) {
		end = strchrnul(path, ':');
		if (*path == '/') {
			buf_add(&b, path, (size_t)(end - path));
			buf_addf(&b, "/%s", name);
			found = path_if_runnable(&b);
			buf_init(&b);
		}
		if (!*end)
			break;
	}
	return found;
}

static void descriptor_give(posix_spawn_file_actions_t *files, int fd, int as)
{
	if (fd < 0)
		posix_spawn_file_actions_addopen(files, as, "/dev/null",
						 as == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
	else
		posix_spawn_file_actions_adddup2(files, fd, as);
}

int program_start(const struct program *p, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, all;
	int ret;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attr);
	descriptor_give(&files, p->in, STDIN_FILENO);
	descriptor_give(&files, p->out, STDOUT_FILENO);
	descriptor_give(&files, p->errors, STDERR_FILENO);
	os_close_from(&files, STDERR_FILENO + 1);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setflags(&attr, (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
						(p->group ? POSIX_SPAWN_SETPGROUP : 0)));
	ret = posix_spawn(pid, p->path, &files, &attr, p->argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return ret;
}
