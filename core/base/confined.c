#include "core/base/confined.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/os.h"

#define LOOK_MS 10			/* how often `stop` is looked at */
#define WALL_SECONDS(seconds) (60 + 20 * (uint64_t)(seconds))

/*
 * A sanitizer has a thread's locks that fork(2) leaves held, and takes terabytes of addresses. What
 * is covered (`make coverage`) is written to files, which the process may not.
 */
#if defined(__SANITIZE_ADDRESS__) || defined(WSNTOP_COVERED)
#define CONFINED_POSSIBLE false
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CONFINED_POSSIBLE false
#endif
#endif
#ifndef CONFINED_POSSIBLE
#define CONFINED_POSSIBLE true
#endif

/* --- in the process of its own ---------------------------------------------------------------- */

static void limit_set(int resource, uint64_t most)
{
	struct rlimit l = { (rlim_t)most, (rlim_t)most };

	setrlimit(resource, &l);	/* above the hard limit: that one holds */
}

/*
 * Signals are the parent's: its handlers would restore the terminal from here. Blocked, they wait
 * for the end; those of a crash end it at once.
 */
static void signals_leave(void)
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGXCPU, SIGSYS };
	sigset_t blocked;

	sigfillset(&blocked);
	for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++) {
		signal(crashes[i], SIG_DFL);
		sigdelset(&blocked, crashes[i]);
	}
	sigprocmask(SIG_SETMASK, &blocked, NULL);
}

static _Noreturn void work_do(const struct confined_job *job, int out, atomic_uint *progress)
{
	uint64_t have = os_address_space();

	signals_leave();
	limit_set(RLIMIT_CORE, 0);
	limit_set(RLIMIT_CPU, job->seconds);
	if (have)
		limit_set(RLIMIT_AS, have + job->memory);
	os_confine(job->file, out);
	job->work(job->ctx, out, progress);
	_exit(0);
}

void confined_write(int out, const void *from, size_t n)
{
	const char *p = from;

	while (n) {
		ssize_t done = write(out, p, n);

		if (done <= 0)
			_exit(1);	/* nobody reads */
		p += done;
		n -= (size_t)done;
	}
}

/* --- here ------------------------------------------------------------------------------------- */

static atomic_uint *number_share(void)
{
	void *p = mmap(NULL, sizeof(atomic_uint), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

bool confined_start(struct confined *c, const struct confined_job *job)
{
	int ends[2];

	*c = (struct confined){ .fd = -1, .stop = job->stop, .progress = job->progress };
	if (!CONFINED_POSSIBLE || !(c->shared = number_share()))
		return false;
	if (os_pipe(ends, false) < 0)
		goto none;
	c->pid = fork();
	if (c->pid == 0)
		work_do(job, ends[1], c->shared);
	close(ends[1]);
	c->fd = ends[0];
	c->until = clock_now() + WALL_SECONDS(job->seconds) * CLOCK_SECOND;
	if (c->pid > 0)
		return true;
	close(c->fd);
none:
	munmap(c->shared, sizeof(*c->shared));
	return false;
}

static bool confined_stopped(const struct confined *c)
{
	return (c->stop && atomic_load_explicit(c->stop, memory_order_relaxed)) ||
	       clock_now() > c->until;
}

bool confined_read(struct confined *c, void *to, size_t n)
{
	struct pollfd p = { .fd = c->fd, .events = POLLIN };
	char *at = to;

	while (n) {
		ssize_t got;

		if (confined_stopped(c))
			return false;
		if (c->progress)
			atomic_store_explicit(c->progress, atomic_load(c->shared),
					      memory_order_relaxed);
		if (poll(&p, 1, LOOK_MS) <= 0)
			continue;
		got = read(c->fd, at, n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		n -= (size_t)got;
	}
	return true;
}

bool confined_end(struct confined *c)
{
	bool over = false;
	int status = 0;
	char more;

	/* Its end of the pipe closes with it. */
	while (!over && !confined_stopped(c)) {
		struct pollfd p = { .fd = c->fd, .events = POLLIN };

		over = poll(&p, 1, LOOK_MS) > 0;
	}
	over = over && read(c->fd, &more, 1) == 0;
	close(c->fd);
	munmap(c->shared, sizeof(*c->shared));
	if (!over)
		kill(c->pid, SIGKILL);
	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	return over && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
