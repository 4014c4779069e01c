#include "core/base/thread.h"

#include <errno.h>
#include <signal.h>

#include "core/base/mem.h"

enum { STACK_OF_FAULTS = 32768 };

struct thread_work {
	void *(*run)(void *ctx);
	void *ctx;
};

/* The faults' stack is at the far end of the thread's own. */
static void *thread_run(void *arg)
{
	struct thread_work work = *(struct thread_work *)arg;
	char room[STACK_OF_FAULTS];
	const stack_t faults = { .ss_sp = room, .ss_size = sizeof(room) };
	const stack_t none = { .ss_flags = SS_DISABLE };
	void *ret;

	mem_free(arg);
	sigaltstack(&faults, NULL);
	ret = work.run(work.ctx);
	sigaltstack(&none, NULL);
	return ret;
}

static void faults_leave(sigset_t *blocked)
{
	static const int faults[] = {
		SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS,
	};

	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigdelset(blocked, faults[i]);
}

int thread_start(pthread_t *id, void *(*run)(void *ctx), void *ctx)
{
	struct thread_work *work = mem_alloc(sizeof(*work));
	sigset_t all, before;
	int ret;

	if (!work)
		return ENOMEM;
	*work = (struct thread_work){ .run = run, .ctx = ctx };
	sigfillset(&all);
	faults_leave(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(id, NULL, thread_run, work);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (ret)
		mem_free(work);
	return ret;
}
