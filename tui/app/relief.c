#include "tui/app/relief.h"

#include <pthread.h>
#include <stdbool.h>

#include "core/base/os.h"
#include "core/base/thread.h"
#include "core/node/nodes.h"

enum { LOOK_MS = 50 };			/* a blocked write is relieved so often */

static struct {
	bool runs, ends;
	pthread_t thread;
	struct nodes *nodes;		/* NULL: nothing is written */
} relief;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t woken;		/* while the thread runs */

static void *relief_run(void *unused)
{
	pthread_mutex_lock(&lock);
	while (!relief.ends) {
		if (!relief.nodes) {
			pthread_cond_wait(&woken, &lock);
			continue;
		}
		if (!os_cond_wait(&woken, &lock, LOOK_MS) && relief.nodes)
			nodes_relieve(relief.nodes);
	}
	pthread_mutex_unlock(&lock);
	return unused;
}

void relief_begin(struct nodes *ns)
{
	if (!nodes_overflow(ns))
		return;
	if (!relief.runs && os_cond_init(&woken) == 0)
		relief.runs = thread_start(&relief.thread, relief_run, NULL) == 0;
	if (!relief.runs)
		return;
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
	pthread_cond_destroy(&woken);
	relief.runs = relief.ends = false;
}
