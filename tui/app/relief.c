#include "tui/app/relief.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>

#include "core/node/nodes.h"

enum { LOOK_MS = 50 };			/* a blocked write is relieved so often */

static struct {
	bool runs, ends;
	pthread_t thread;
	struct nodes *nodes;		/* NULL: nothing is written */
} relief;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken = PTHREAD_COND_INITIALIZER;

static void *relief_run(void *unused)
{
	struct timespec until;

	pthread_mutex_lock(&lock);
	while (!relief.ends) {
		if (!relief.nodes) {
			pthread_cond_wait(&woken, &lock);
			continue;
		}
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += LOOK_MS * 1000000L;
		until.tv_sec += until.tv_nsec / 1000000000L;
		until.tv_nsec %= 1000000000L;
		if (pthread_cond_timedwait(&woken, &lock, &until) && relief.nodes)
			nodes_relieve(relief.nodes);
	}
	pthread_mutex_unlock(&lock);
	return unused;
}

static void thread_start(void)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	relief.runs = pthread_create(&relief.thread, NULL, relief_run, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void relief_begin(struct nodes *ns)
{
	if (!nodes_overflow(ns))
		return;
	if (!relief.runs)
		thread_start();
	pthread_mutex_lock(&lock);
	relief.nodes = ns;
	pthread_cond_signal(&woken);
	pthread_mutex_unlock(&lock);
}

void relief_end(void)
{
	if (!relief.runs)
		return;
	pthread_mutex_lock(&lock);
	relief.nodes = NULL;
	pthread_cond_signal(&woken);
	pthread_mutex_unlock(&lock);
}

void relief_stop(void)
{
	if (!relief.runs)
		return;
	pthread_mutex_lock(&lock);
	relief.ends = true;
	pthread_cond_signal(&woken);
	pthread_mutex_unlock(&lock);
	pthread_join(relief.thread, NULL);
	relief.runs = relief.ends = false;
}
