#include "core/base/os.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#elif defined(__APPLE__)
#include <mach-o/dyld.h>
#include <sys/random.h>
#elif defined(__FreeBSD__)
#include <sys/param.h>
#include <sys/sysctl.h>
#endif

/* musl's compiler is given no headers of the kernel. */
#if defined(__linux__) && defined(__has_include)
#if __has_include(<linux/seccomp.h>)
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#if defined(__x86_64__)			/* not its 32-bit addresses: the numbers differ */
#define SYSTEM_CALLS_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define SYSTEM_CALLS_ARCH AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define SYSTEM_CALLS_ARCH AUDIT_ARCH_RISCV64
#endif
#endif
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

int os_random(void *dst, size_t n)
{
	return getentropy(dst, n);
}

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

int os_accept(int fd)
{
	return accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int os_datagrams(int family)
{
	return socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
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

int os_accept(int fd)
{
	return descriptor_set(accept(fd, NULL, NULL), true, true);
}

int os_datagrams(int family)
{
	return descriptor_set(socket(family, SOCK_DGRAM, 0), true, true);
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

int os_cond_init(pthread_cond_t *c)
{
#if defined(__APPLE__)
	return pthread_cond_init(c, NULL);
#else
	pthread_condattr_t attr;
	int ret;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	ret = pthread_cond_init(c, &attr);
	pthread_condattr_destroy(&attr);
	return ret;
#endif
}

bool os_cond_wait(pthread_cond_t *c, pthread_mutex_t *lock, unsigned ms)
{
	struct timespec t = { 0 };

#if !defined(__APPLE__)
	clock_gettime(CLOCK_MONOTONIC, &t);
#endif
	t.tv_sec += ms / 1000;
	t.tv_nsec += (long)(ms % 1000) * 1000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
#if defined(__APPLE__)
	return pthread_cond_timedwait_relative_np(c, lock, &t) == 0;
#else
	return pthread_cond_timedwait(c, lock, &t) == 0;
#endif
}

/* --- signals ---------------------------------------------------------------------------------- */

uintptr_t os_signal_place(const void *context)
{
#if defined(__linux__) && defined(__x86_64__)
	return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__linux__) && defined(__aarch64__)
	return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.pc;
#else
	(void)context;
	return 0;
#endif
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

/* --- confinement ------------------------------------------------------------------------------ */

uint64_t os_address_space(void)
{
#if defined(__linux__)
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	if (f && fscanf(f, "%lu", &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
#else
	return 0;
#endif
}

static void descriptors_close(int first, int last)
{
#if defined(__linux__) && defined(SYS_close_range)
	if (first > last || syscall(SYS_close_range, first, last, 0) == 0)
		return;
#endif
	for (int fd = first; fd <= last && fd < 65536; fd++)
		close(fd);
}

#if defined(SYSTEM_CALLS_ARCH)
#define ALLOW(number) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), \
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/*
 * What reading a file, allocating and ending need, and what libraries ask in passing. All else
 * fails as if it were not permitted.
 */
static void system_calls_limit(int out)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYSTEM_CALLS_ARCH, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(SYS_pread64), ALLOW(SYS_lseek), ALLOW(SYS_fstat), ALLOW(SYS_close),
		ALLOW(SYS_brk), ALLOW(SYS_mmap), ALLOW(SYS_mremap), ALLOW(SYS_munmap),
		ALLOW(SYS_mprotect), ALLOW(SYS_madvise), ALLOW(SYS_futex), ALLOW(SYS_getrandom),
		ALLOW(SYS_clock_gettime), ALLOW(SYS_rt_sigprocmask), ALLOW(SYS_rt_sigreturn),
		ALLOW(SYS_getpid), ALLOW(SYS_gettid), ALLOW(SYS_tgkill), ALLOW(SYS_exit),
		ALLOW(SYS_exit_group),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		ALLOW((uint32_t)out),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
	};
	const struct sock_fprog program = { sizeof(rules) / sizeof(rules[0]), rules };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#endif

void os_confine(int in, int out)
{
	int low = in < out ? in : out, high = in < out ? out : in;

	descriptors_close(0, low - 1);
	descriptors_close(low < 0 ? 0 : low + 1, high - 1);
	descriptors_close(high + 1, INT_MAX);
#if defined(SYSTEM_CALLS_ARCH)
	system_calls_limit(out);
#endif
}

/* --- ports ------------------------------------------------------------------------------------ */

#if defined(__APPLE__)
const char *const os_ports = "/dev/cu.*";
#elif defined(__FreeBSD__)
const char *const os_ports = "/dev/cua[uU]*";
#else
const char *const os_ports = NULL;
#endif
