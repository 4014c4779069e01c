/*
 * thread: a worker beside the main thread.
 *
 * It takes no signals: those are for the main thread, which has the screen to restore. Its own
 * faults (SIGSEGV and the like) are not held back, since the kernel would end the program without
 * its handler, with the screen as it stands. They have a stack of their own: the fault may be that
 * the thread's is used up.
 */
#ifndef WSNTOP_BASE_THREAD_H
#define WSNTOP_BASE_THREAD_H

#include <pthread.h>

/* As pthread_create: 0, or the error. */
int thread_start(pthread_t *id, void *(*run)(void *ctx), void *ctx);

#endif
