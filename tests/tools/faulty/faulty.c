/*
 * faulty: a library for LD_PRELOAD that makes the host of wsntop fail, at a call that is counted.
 *
 *	FAULTY="CALL[@PATH]=WHAT[:N[+]] ..." LD_PRELOAD=faulty.so wsntop ...
 *
 * CALL is alloc (malloc, calloc, realloc, aligned ones), or open, read, write, sync, close, rename,
 * cut (ftruncate), fork, thread; with PATH only those on files that have it in their name count.
 * The Nth one (from 1) fails, with + all after it, too. WHAT is the error (EIO, ENOSPC, ENOMEM,
 * EMFILE, EROFS, EINTR), "short" (half of a write), "crash" (a fault in the place of the call),
 * "overflow" (of the stack) or "abort" (abort() in its place).
 *
 * real and mono are the clocks: real=+3600:N adds seconds from the Nth look on, real=-3600:N takes
 * them. mono=+N is a gap, as of a process that was stopped.
 *
 * FAULTY_AFTER=FILE: the call waits until there is such a file, and fails then.
 * FAULTY_COUNT=FILE: at the end how often each CALL of FAULTY was counted, a line each.
 * FAULTY_LOG=FILE: where each fault was, by the frames of the stack.
 *
 * Children that are started (exec) are whole: only the program itself is meant.
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { FAULTS_MOST = 8, SHORT = -1, CRASH = -2, ABORT = -3, OVERFLOW = -4 };

enum call {
	CALL_ALLOC, CALL_OPEN, CALL_READ, CALL_WRITE, CALL_SYNC, CALL_CLOSE, CALL_RENAME, CALL_CUT,
	CALL_FORK, CALL_THREAD, CALL_REAL, CALL_MONO, CALLS,
};

static const char *const call_names[CALLS] = {
	[CALL_ALLOC] = "alloc", [CALL_OPEN] = "open",     [CALL_READ] = "read",
	[CALL_WRITE] = "write", [CALL_SYNC] = "sync",     [CALL_CLOSE] = "close",
	[CALL_RENAME] = "rename", [CALL_CUT] = "cut",     [CALL_FORK] = "fork",
	[CALL_THREAD] = "thread", [CALL_REAL] = "real",   [CALL_MONO] = "mono",
};

static const struct { const char *name; int error; } whats[] = {
	{ "EIO", EIO }, { "ENOSPC", ENOSPC }, { "ENOMEM", ENOMEM }, { "EMFILE", EMFILE },
	{ "EROFS", EROFS }, { "EINTR", EINTR }, { "EAGAIN", EAGAIN }, { "short", SHORT },
	{ "crash", CRASH }, { "abort", ABORT }, { "overflow", OVERFLOW },
};

struct fault {
	enum call call;
	int error;
	long long seconds;		/* of a clock */
	char path[128];
	long at;
	bool and_after;
	atomic_long count;
};

static struct fault faults[FAULTS_MOST];
static size_t fault_count;
static atomic_bool armed;
static __thread bool busy;		/* what the log itself calls does not count */
static char log_path[256], count_path[256], after_path[256];

/* --- what is asked for ------------------------------------------------------------------------ */

static void spec_refuse(const char *word)
{
	fprintf(stderr, "faulty: \"%s\" is not CALL[@PATH]=WHAT[:N[+]]\n", word);
	_exit(99);
}

static void what_read(struct fault *f, const char *what, const char *word)
{
	if (f->call >= CALL_REAL) {
		f->seconds = atoll(what);
		f->and_after = true;
		return;
	}
	for (size_t i = 0; i < sizeof(whats) / sizeof(whats[0]); i++)
		if (!strcmp(whats[i].name, what))
			f->error = whats[i].error;
	if (!f->error)
		spec_refuse(word);
}

static void fault_read(char *word)
{
	struct fault *f = &faults[fault_count];
	char whole[256], *what, *path, *number;
	size_t call = 0;

	snprintf(whole, sizeof(whole), "%s", word);
	what = strchr(word, '=');
	if (!what || fault_count == FAULTS_MOST)
		spec_refuse(whole);
	*what++ = '\0';
	path = strchr(word, '@');
	if (path) {
		*path++ = '\0';
		snprintf(f->path, sizeof(f->path), "%s", path);
	}
	while (call < CALLS && strcmp(call_names[call], word))
		call++;
	if (call == CALLS)
		spec_refuse(whole);
	f->call = (enum call)call;
	number = strrchr(what, ':');
	if (number)
		*number++ = '\0';
	what_read(f, what, whole);
	f->at = number ? atol(number) : 1;
	f->and_after |= number && strchr(number, '+');
	fault_count++;
}

static void name_keep(char *to, size_t size, const char *variable)
{
	const char *path = getenv(variable);

	snprintf(to, size, "%s", path ? path : "");
}

__attribute__((constructor)) static void faults_arm(void)
{
	char words[1024], *save, *word;

	name_keep(words, sizeof(words), "FAULTY");
	name_keep(log_path, sizeof(log_path), "FAULTY_LOG");
	name_keep(count_path, sizeof(count_path), "FAULTY_COUNT");
	name_keep(after_path, sizeof(after_path), "FAULTY_AFTER");
	unsetenv("LD_PRELOAD");
	for (word = strtok_r(words, " ", &save); word; word = strtok_r(NULL, " ", &save))
		fault_read(word);
	if (*log_path) {
		void *frames[4];

		backtrace(frames, 4);		/* the first one allocates */
	}
	atomic_store(&armed, true);
}

__attribute__((destructor)) static void counts_write(void)
{
	FILE *f;

	atomic_store(&armed, false);
	if (!*count_path || !(f = fopen(count_path, "w")))
		return;
	for (size_t i = 0; i < fault_count; i++)
		fprintf(f, "%s %ld\n", call_names[faults[i].call], atomic_load(&faults[i].count));
	fclose(f);
}

/* --- whether it fails ------------------------------------------------------------------------- */

static void fault_log(const struct fault *f)
{
	void *frames[24];
	char line[64];
	int fd;

	if (!*log_path)
		return;
	busy = true;
	fd = open(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	snprintf(line, sizeof(line), "%s %ld\n", call_names[f->call], f->at);
	if (fd >= 0 && write(fd, line, strlen(line)) > 0)
		backtrace_symbols_fd(frames, backtrace(frames, 24), fd);
	close(fd);
	busy = false;
}

/* Not folded into the caller: a backtrace has it. */
static __attribute__((noinline)) void fault_crash(void)
{
	static int *volatile nowhere;

	*nowhere = 0;
}

static __attribute__((noinline)) unsigned fault_overflow(unsigned depth)
{
	volatile char room[256];

	room[depth % sizeof(room)] = (char)depth;
	return depth + 1 ? fault_overflow(depth + 1) + (unsigned char)room[0] : 0;
}

static void fault_happen(const struct fault *f)
{
	const struct timespec look = { .tv_nsec = 5000000 };

	while (*after_path && access(after_path, F_OK) < 0)
		nanosleep(&look, NULL);
	if (f->error == CRASH)
		fault_crash();
	if (f->error == ABORT)
		abort();
	if (f->error == OVERFLOW)
		fault_overflow(0);
}

/* 0: the call goes on. SHORT, or the error that it fails with. */
static int fault_of(enum call call, const char *path)
{
	for (size_t i = 0; i < fault_count && atomic_load(&armed) && !busy; i++) {
		struct fault *f = &faults[i];
		long n;

		if (f->call != call || (*f->path && (!path || !strstr(path, f->path))))
			continue;
		n = atomic_fetch_add(&f->count, 1) + 1;
		if (n != f->at && !(f->and_after && n > f->at))
			continue;
		fault_log(f);
		fault_happen(f);
		errno = f->error;
		return f->error;
	}
	return 0;
}

static bool call_is_meant(enum call call)
{
	for (size_t i = 0; i < fault_count; i++)
		if (faults[i].call == call)
			return true;
	return false;
}

static int fault_of_fd(enum call call, int fd)
{
	char link[40], path[512] = "";
	ssize_t n;

	if (!call_is_meant(call) || busy)
		return 0;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	if (n > 0)
		path[n] = '\0';
	return fault_of(call, path);
}

/* --- the calls -------------------------------------------------------------------------------- */

/* The C library's own. While it is looked up calloc serves from here. */
static char early[16384];
static size_t early_used;

#define REAL(name, type, ...) \
	static type (*real)(__VA_ARGS__); \
	if (!real) \
		*(void **)&real = dlsym(RTLD_NEXT, name)

static bool is_early(const void *p)
{
	return (const char *)p >= early && (const char *)p < early + sizeof(early);
}

void *malloc(size_t n)
{
	REAL("malloc", void *, size_t);

	return fault_of(CALL_ALLOC, NULL) ? NULL : real(n);
}

void *calloc(size_t n, size_t size)
{
	static bool looking;
	static void *(*real)(size_t, size_t);

	if (!real && looking) {
		char *p = early + early_used;

		early_used += (n * size + 15) & ~(size_t)15;
		return p;
	}
	looking = true;
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "calloc");
	return fault_of(CALL_ALLOC, NULL) ? NULL : real(n, size);
}

void *realloc(void *p, size_t n)
{
	REAL("realloc", void *, void *, size_t);

	return fault_of(CALL_ALLOC, NULL) ? NULL : real(p, n);
}

void *aligned_alloc(size_t align, size_t n)
{
	REAL("aligned_alloc", void *, size_t, size_t);

	return fault_of(CALL_ALLOC, NULL) ? NULL : real(align, n);
}

int posix_memalign(void **p, size_t align, size_t n)
{
	REAL("posix_memalign", int, void **, size_t, size_t);

	return fault_of(CALL_ALLOC, NULL) ? ENOMEM : real(p, align, n);
}

void free(void *p)
{
	REAL("free", void, void *);

	if (!is_early(p))
		real(p);
}

int open(const char *path, int flags, ...)
{
	REAL("open", int, const char *, int, ...);
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = va_arg(ap, mode_t);
	va_end(ap);
	return fault_of(CALL_OPEN, path) ? -1 : real(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = va_arg(ap, mode_t);
	va_end(ap);
	return open(path, flags, mode);
}

int mkstemp(char *pattern)
{
	REAL("mkstemp", int, char *);

	return fault_of(CALL_OPEN, pattern) ? -1 : real(pattern);
}

FILE *fopen(const char *path, const char *mode)
{
	REAL("fopen", FILE *, const char *, const char *);

	return fault_of(CALL_OPEN, path) ? NULL : real(path, mode);
}

ssize_t read(int fd, void *to, size_t n)
{
	REAL("read", ssize_t, int, void *, size_t);

	return fault_of_fd(CALL_READ, fd) ? -1 : real(fd, to, n);
}

ssize_t pread(int fd, void *to, size_t n, off_t at)
{
	REAL("pread", ssize_t, int, void *, size_t, off_t);

	return fault_of_fd(CALL_READ, fd) ? -1 : real(fd, to, n, at);
}

ssize_t write(int fd, const void *from, size_t n)
{
	REAL("write", ssize_t, int, const void *, size_t);
	int error = fault_of_fd(CALL_WRITE, fd);

	if (error == SHORT)
		return real(fd, from, n > 1 ? n / 2 : n);
	return error ? -1 : real(fd, from, n);
}

int fsync(int fd)
{
	REAL("fsync", int, int);

	return fault_of_fd(CALL_SYNC, fd) ? -1 : real(fd);
}

/* As on Linux: the descriptor is free also when close fails. */
int close(int fd)
{
	REAL("close", int, int);
	int error = fault_of_fd(CALL_CLOSE, fd), ret = real(fd);

	if (error)
		errno = error;
	return error ? -1 : ret;
}

int rename(const char *from, const char *to)
{
	REAL("rename", int, const char *, const char *);

	return fault_of(CALL_RENAME, to) ? -1 : real(from, to);
}

int ftruncate(int fd, off_t n)
{
	REAL("ftruncate", int, int, off_t);

	return fault_of_fd(CALL_CUT, fd) ? -1 : real(fd, n);
}

pid_t fork(void)
{
	REAL("fork", pid_t, void);

	return fault_of(CALL_FORK, NULL) ? -1 : real();
}

int pthread_create(pthread_t *id, const pthread_attr_t *attr, void *(*run)(void *), void *ctx)
{
	REAL("pthread_create", int, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
	int error = fault_of(CALL_THREAD, NULL);

	return error ? error : real(id, attr, run, ctx);
}

/* Clocks step once for all, at the Nth look. */
int clock_gettime(clockid_t id, struct timespec *t)
{
	REAL("clock_gettime", int, clockid_t, struct timespec *);
	enum call call = id == CLOCK_REALTIME ? CALL_REAL : CALL_MONO;
	int ret = real(id, t);

	if (id != CLOCK_REALTIME && id != CLOCK_MONOTONIC)
		return ret;
	for (size_t i = 0; i < fault_count && atomic_load(&armed); i++) {
		struct fault *f = &faults[i];

		if (f->call == call && atomic_fetch_add(&f->count, 1) + 1 >= f->at)
			t->tv_sec += f->seconds;
	}
	return ret;
}
