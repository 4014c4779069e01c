/*
 * os: what Linux, macOS and FreeBSD have under different names. It, core/link/line.c (baud rates)
 * and core/base/os_missing.h (functions of glibc) are the only files that tell systems apart.
 *
 * Linux is what wsntop is built and tested on, with glibc and, compiled only, with musl. The other
 * two are written by their manuals and untried. All descriptors are closed on exec.
 */
#ifndef WSNTOP_BASE_OS_H
#define WSNTOP_BASE_OS_H

#include <pthread.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The path of the running program, "" where it is not known. Returns dst. */
const char *os_program(char *dst, size_t size);

/* 0, or -1 with errno. nonblocking: both ends. */
int os_pipe(int ends[2], bool nonblocking);

/* A pair of stream sockets, and one that does not block. Writing to one never raises SIGPIPE. */
int os_socket_pair(int pair[2]);
int os_socket(int family);
int os_accept(int fd);
int os_datagrams(int family);		/* the same for datagrams */

/* For send(2), where the above need it. */
extern const int os_send_flags;

/* What one thread tells another, once: `fd` becomes readable. */
struct os_event {
	int fd;
	int writer;			/* may be the same */
};

int os_event_open(struct os_event *e);		/* 0, or -1 with errno */
/* False cannot happen: an eventfd at 0 takes a 1, an empty pipe 8 bytes. */
bool os_event_tell(const struct os_event *e);
void os_event_close(struct os_event *e);	/* one that is closed already is fine */

/*
 * A condition and a wait for it, by the monotonic clock: a step of the wall clock makes no wait of
 * 50 ms one of an hour. 0 or the error. True: it was woken; false: the time is over.
 */
int os_cond_init(pthread_cond_t *c);
bool os_cond_wait(pthread_cond_t *c, pthread_mutex_t *lock, unsigned ms);

/* An empty file without a name, for reading and writing; -1 with errno. */
int os_nameless_file(void);

/* Bytes that nobody can guess, 256 at most. 0 or -1. */
int os_random(void *dst, size_t n);

/* Readable once the process has ended; -1: such a thing does not exist here. */
int os_process_fd(pid_t pid);

/* A process that starts has no descriptor from `first` on. */
void os_close_from(posix_spawn_file_actions_t *files, int first);

/* Where the program stood when a signal came: of its handler's third argument. 0: not known. */
uintptr_t os_signal_place(const void *context);

/* The addresses that the process has taken, in bytes; 0: not known. */
uint64_t os_address_space(void);

/*
 * From here on this process (of one thread) has only these two descriptors (-1: not that one),
 * writes to `out` alone, and can open nothing and call nobody, as far as the system has means.
 */
void os_confine(int in, int out);

/* Names of serial devices, for glob(3); NULL: they are found in /sys/class/tty. */
extern const char *const os_ports;

#endif
