#include "core/link/holders.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/text.h"

enum { PATH = 512 };

/* --- /proc ------------------------------------------------------------------------------------ */

struct process {
	const char *root, *pid;
};

/* Call with each process until one call returns true. */
static bool each_process(const char *root, bool (*call)(const struct process *p, void *arg),
			 void *arg)
{
	char path[PATH];
	struct dirent *e;
	bool found = false;
	DIR *proc;

	snprintf(path, sizeof(path), "%s/proc", root);
	proc = opendir(path);
	while (proc && !found && (e = readdir(proc))) {
		struct process p = { root, e->d_name };

		found = isdigit((unsigned char)e->d_name[0]) && call(&p, arg);
	}
	if (proc)
		closedir(proc);
	return found;
}

/* The beginning of a small file, NUL-terminated. */
static bool read_start(const char *path, char *dst, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n;

	dst[0] = '\0';
	if (fd < 0)
		return false;
	n = read(fd, dst, size - 1);
	close(fd);
	dst[n > 0 ? n : 0] = '\0';
	return n > 0;
}

static bool read_proc(const struct process *p, const char *name, char *dst, size_t size)
{
	char path[PATH];

	snprintf(path, sizeof(path), "%s/proc/%.16s/%s", p->root, p->pid, name);
	return read_start(path, dst, size);
}

/* "minicom (pid 123)": a program chooses its own name, so it is made visible. */
static bool name_process(const struct process *p, char *dst, size_t size)
{
	char comm[32] = "", shown[40];

	read_proc(p, "comm", comm, sizeof(comm));
	comm[strcspn(comm, "\n")] = '\0';
	text_visible(shown, sizeof(shown), comm, strlen(comm));
	snprintf(dst, size, "%s (pid %.16s)", *shown ? shown : "a program", p->pid);
	return true;
}

struct session {
	dev_t tty;
	char *who;
	size_t size;
};

/* proc(5), stat: pid (comm) state ppid pgrp session tty_nr; comm may hold anything. */
static bool has_session(const struct process *p, void *arg)
{
	struct session *s = arg;
	char stat[256], *behind;
	int tty;

	if (!read_proc(p, "stat", stat, sizeof(stat)) || !(behind = strrchr(stat, ')')) ||
	    sscanf(behind, ") %*c %*d %*d %*d %d", &tty) != 1)
		return false;
	/* The kernel's new_encode_dev() lays 32 bits out as glibc's dev_t begins. */
	return tty && (unsigned)tty == ((unsigned)s->tty & 0xffffffffu) &&
	       name_process(p, s->who, s->size);
}

bool holders_session(const char *root, dev_t tty, char *who, size_t size)
{
	struct session s = { tty, who, size };

	return each_process(root, has_session, &s);
}

static bool has_name(const struct process *p, void *arg)
{
	char comm[32];

	if (!read_proc(p, "comm", comm, sizeof(comm)))
		return false;
	comm[strcspn(comm, "\n")] = '\0';
	return strncmp(comm, arg, 15) == 0;
}

bool holders_runs(const char *root, const char *name)
{
	return each_process(root, has_name, (void *)(uintptr_t)name);
}

/* --- open files ------------------------------------------------------------------------------- */

struct wanted {
	struct holder *holders;
	size_t count, open;		/* open: devices whose holder is not known yet */
};

static void has_target(const struct process *p, struct wanted *w, const char *target)
{
	for (size_t i = 0; i < w->count; i++) {
		struct holder *h = &w->holders[i];

		if (!h->who[0] && strcmp(h->device, target) == 0) {
			name_process(p, h->who, sizeof(h->who));
			w->open--;
		}
	}
}

static bool look_at_files(const struct process *p, void *arg)
{
	struct wanted *w = arg;
	char dir[PATH], target[PATH_MAX];
	struct dirent *e;
	DIR *fds;

	if (atol(p->pid) == (long)getpid())
		return false;
	snprintf(dir, sizeof(dir), "%s/proc/%.16s/fd", p->root, p->pid);
	fds = opendir(dir);		/* other users' are closed to us */
	while (fds && w->open && (e = readdir(fds))) {
		ssize_t n = readlinkat(dirfd(fds), e->d_name, target, sizeof(target) - 1);

		if (n <= 0)
			continue;
		target[n] = '\0';
		has_target(p, w, target);
	}
	if (fds)
		closedir(fds);
	return w->open == 0;
}

/* --- lock files ------------------------------------------------------------------------------- */

/* Its process's number in ten columns (FHS 3.0, 5.9.1); one that no longer runs left it behind. */
static void look_at_lock(const char *root, struct holder *h)
{
	char path[PATH], text[32], pid[24], dir[PATH];
	struct process p = { root, pid };
	long number;

	snprintf(path, sizeof(path), "%s/var/lock/LCK..%s", root, text_basename(h->device));
	if (!read_start(path, text, sizeof(text)))
		return;
	number = strtol(text, NULL, 10);
	if (number <= 0 || number == (long)getpid())
		return;
	snprintf(pid, sizeof(pid), "%ld", number);
	snprintf(dir, sizeof(dir), "%s/proc/%s", root, pid);
	if (access(dir, F_OK) == 0)
		name_process(&p, h->who, sizeof(h->who));
}

void holders_find(const char *root, struct holder *holders, size_t n)
{
	struct wanted w = { holders, n, n };

	for (size_t i = 0; i < n; i++)
		holders[i].who[0] = '\0';
	if (n)
		each_process(root, look_at_files, &w);
	for (size_t i = 0; i < n; i++)
		if (!holders[i].who[0])
			look_at_lock(root, &holders[i]);
}
