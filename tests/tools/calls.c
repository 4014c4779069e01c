/*
 * calls: run wsntop and count what its loop asks of the kernel, with ptrace.
 *
 *	calls [-o FILE] [-s SECONDS] COMMAND [ARGUMENT]...
 *
 * Writes `name value` lines to FILE (standard error if not given) when the command has ended:
 *
 *	frames	pictures drawn: for each one the screen asks the terminal for its size
 *	longest	ms between two of them
 *	calls	system calls
 *	empty	polls that were asked not to wait and found nothing: a loop that spins makes them
 *	written	bytes to the terminal
 *	ms	from the first picture counted to the last
 *
 * All is counted from the first picture on that comes SECONDS after the start. Only the thread of
 * the loop is counted. Status 77: the kernel does not let us trace.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"

struct counts {
	uint64_t from;			/* clock_now() from which on is counted */
	uint64_t first, last, longest;	/* pictures' times */
	unsigned long frames, calls, empty, written;
};

#define INFO_SIZE ((void *)sizeof(struct __ptrace_syscall_info))

/* Whether it asks for the terminal's size. */
static bool is_frame(const struct __ptrace_syscall_info *in)
{
	return in->entry.nr == SYS_ioctl && in->entry.args[0] == STDOUT_FILENO &&
	       in->entry.args[1] == TIOCGWINSZ;
}

/* A poll of several descriptors with a timeout of 0. One alone is asked about by readers. */
static bool is_glance(pid_t pid, const struct __ptrace_syscall_info *in)
{
	struct timespec wait = { .tv_sec = 1 };
	struct iovec to = { &wait, sizeof(wait) };
	struct iovec from = { (void *)(uintptr_t)in->entry.args[2], sizeof(wait) };

	if (in->entry.args[1] < 2)
		return false;
#ifdef SYS_poll
	if (in->entry.nr == SYS_poll)
		return (int)in->entry.args[2] == 0;
#endif
	return in->entry.nr == SYS_ppoll && from.iov_base &&
	       process_vm_readv(pid, &to, 1, &from, 1, 0) == (ssize_t)sizeof(wait) &&
	       wait.tv_sec == 0 && wait.tv_nsec == 0;
}

static void frame_count(struct counts *c, uint64_t now)
{
	if (c->last && now - c->last > c->longest)
		c->longest = now - c->last;
	if (!c->first)
		c->first = now;
	c->last = now;
	c->frames++;
}

/* One call, entered with `in`, that has returned `value`. */
static void call_count(struct counts *c, pid_t pid, const struct __ptrace_syscall_info *in,
		       int64_t value)
{
	uint64_t now = clock_now();

	if (now < c->from)
		return;
	if (is_frame(in))
		frame_count(c, now);
	if (!c->first)
		return;
	c->calls++;
	if (value == 0 && is_glance(pid, in))
		c->empty++;
	if (value > 0 && in->entry.nr == SYS_write && in->entry.args[0] == STDOUT_FILENO)
		c->written += (unsigned long)value;
}

/* Until it ends; its status as of waitpid. */
static int child_follow(pid_t pid, struct counts *c)
{
	struct __ptrace_syscall_info in = { 0 }, out;
	int status, pass = 0;

	for (;;) {
		if (ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(uintptr_t)pass) < 0 ||
		    waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
			return status;
		pass = WSTOPSIG(status);
		if (pass == SIGTRAP)
			pass = 0;		/* exec */
		if (pass != (SIGTRAP | 0x80))
			continue;
		pass = 0;
		if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, INFO_SIZE, &out) <= 0)
			continue;
		if (out.op == PTRACE_SYSCALL_INFO_ENTRY)
			in = out;
		else if (out.op == PTRACE_SYSCALL_INFO_EXIT)
			call_count(c, pid, &in, out.exit.rval);
	}
}

static pid_t child_start(char **argv)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
			_exit(77);
		raise(SIGSTOP);
		execvp(argv[0], argv);
		perror(argv[0]);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_SETOPTIONS, pid, NULL,
		   (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL)) < 0) {
		fprintf(stderr, "calls: cannot trace\n");
		exit(77);
	}
	return pid;
}

static int counts_write(const struct counts *c, const char *path)
{
	FILE *f = path ? fopen(path, "w") : stderr;

	if (!f) {
		perror(path);
		return -1;
	}
	fprintf(f, "frames %lu\nlongest %llu\ncalls %lu\nempty %lu\nwritten %lu\nms %llu\n",
		c->frames, (unsigned long long)(c->longest / 1000000), c->calls, c->empty,
		c->written, (unsigned long long)((c->last - c->first) / 1000000));
	return f == stderr ? 0 : fclose(f);
}

int main(int argc, char **argv)
{
	struct counts c = { 0 };
	const char *path = NULL;
	double skip = 0;
	int option, status;

	while ((option = getopt(argc, argv, "+o:s:")) != -1) {
		if (option == 'o')
			path = optarg;
		else if (option == 's')
			skip = atof(optarg);
		else
			return 2;
	}
	if (optind == argc) {
		fprintf(stderr, "usage: calls [-o FILE] [-s SECONDS] COMMAND...\n");
		return 2;
	}
	c.from = clock_now() + (uint64_t)(skip * CLOCK_SECOND);
	status = child_follow(child_start(argv + optind), &c);
	if (counts_write(&c, path) < 0)
		return 2;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
