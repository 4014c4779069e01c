#include "core/base/os.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#elif defined(__APPLE__)
#include <mach-o/dyld.h>
#elif defined(__FreeBSD__)
#include <sys/param.h>
#include <sys/sysctl.h>
#endif

/* --- programs --------------------------------------------------------------------------------- */

#if defined(__APPLE__)
static bool program_read(char *dst, size_t size)
{
	uint32_t room = (uint32_t)size;

	return _NSGetExecutablePath(dst, &room) == 0;
}
#elif defined(__FreeBSD__)
static bool program_read(char *dst, size_t size)
{
	int name[] = { CTL_KERN, KERN_PROC, KERN_PROC_PATHNAME, -1 };

	return sysctl(name, 4, dst, &size, NULL, 0) == 0;
}
#else
static bool program_read(char *dst, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", dst, size - 1);

	dst[n > 0 ? n : 0] = '\0';
	return n > 0;
}
#endif

const char *os_program(char *dst, size_t size)
{
	if (!program_read(dst, size))
		dst[0] = '\0';
	return dst;
}

/* glibc has it from 2.34 on, FreeBSD from 13.1. */
#if (defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 34)) || \
	(defined(__FreeBSD__) && __FreeBSD_version >= 1301000)
void os_close_from(posix_spawn_file_actions_t *files, int first)
{
	posix_spawn_file_actions_addclosefrom_np(files, first);
}
#else
/* Ours are closed on exec; those are left that wsntop was started with. */
void os_close_from(posix_spawn_file_actions_t *files, int first)
{
	long most = sysconf(_SC_OPEN_MAX);

	for (int fd = first; fd < (most > 0 && most < 4096 ? most : 4096); fd++) {
		int flags = fcntl(fd, F_GETFD);

		if (flags >= 0 && !(flags & FD_CLOEXEC))
			posix_spawn_file_actions_addclose(files, fd);
	}
}
#endif

/* By its number: glibc has a function for it from 2.36 on, musl has none. */
int os_process_fd(pid_t pid)
{
#if defined(__linux__) && defined(SYS_pidfd_open)
	return (int)syscall(SYS_pidfd_open, pid, 0);
#else
	(void)pid;
	return -1;
#endif
}

/* --- descriptors ------------------------------------------------------------------------------ */

#if defined(__linux__) || defined(__FreeBSD__)
int os_pipe(int ends[2], bool nonblocking)
{
	return pipe2(ends, O_CLOEXEC | (nonblocking ? O_NONBLOCK : 0));
}

int os_socket_pair(int pair[2])
{
	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair);
}

int os_socket(int family)
{
	return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

const int os_send_flags = MSG_NOSIGNAL;
#else
static int descriptor_set(int fd, bool nonblocking, bool is_socket)
{
	if (fd < 0)
		return fd;
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	if (nonblocking)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
#ifdef SO_NOSIGPIPE
	if (is_socket)
		setsockopt(fd, SOL_SOCKET, SO_NOSIGPIPE, &(int){ 1 }, sizeof(int));
#else
	(void)is_socket;
#endif
	return fd;
}

int os_pipe(int ends[2], bool nonblocking)
{
	int ret = pipe(ends);

	for (int i = 0; ret == 0 && i < 2; i++)
		descriptor_set(ends[i], nonblocking, false);
	return ret;
}

int os_socket_pair(int pair[2])
{
	int ret = socketpair(AF_UNIX, SOCK_STREAM, 0, pair);

	for (int i = 0; ret == 0 && i < 2; i++)
		descriptor_set(pair[i], false, true);
	return ret;
}

int os_socket(int family)
{
	return descriptor_set(socket(family, SOCK_STREAM, 0), true, true);
}

#ifdef MSG_NOSIGNAL
const int os_send_flags = MSG_NOSIGNAL;
#else
const int os_send_flags = 0;
#endif
#endif

/* --- events ----------------------------------------------------------------------------------- */

int os_event_open(struct os_event *e)
{
#if defined(__linux__)
	e->fd = e->writer = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return e->fd < 0 ? -1 : 0;
#else
	int ends[2];

	if (os_pipe(ends, true) < 0) {
		e->fd = e->writer = -1;
		return -1;
	}
	e->fd = ends[0];
	e->writer = ends[1];
	return 0;
#endif
}

bool os_event_tell(const struct os_event *e)
{
	uint64_t one = 1;

	return write(e->writer, &one, sizeof(one)) == (ssize_t)sizeof(one);
}

void os_event_close(struct os_event *e)
{
	if (e->writer >= 0 && e->writer != e->fd)
		close(e->writer);
	if (e->fd >= 0)
		close(e->fd);
	e->fd = e->writer = -1;
}

/* --- files ------------------------------------------------------------------------------------ */

int os_nameless_file(void)
{
#if defined(__linux__)
	return memfd_create("wsntop", MFD_CLOEXEC);
#else
	char path[] = "/tmp/wsntop.XXXXXX";
	int fd = mkstemp(path);

	if (fd >= 0) {
		unlink(path);
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	}
	return fd;
#endif
}

#if defined(__APPLE__)
const char *const os_ports = "/dev/cu.*";
#elif defined(__FreeBSD__)
const char *const os_ports = "/dev/cua[uU]*";
#else
const char *const os_ports = NULL;
#endif
