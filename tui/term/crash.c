#include "tui/term/crash.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

#include "core/base/file.h"
#include "core/base/os.h"
#include "core/link/record.h"

enum {
	STACK = 65536,			/* the fault may be that the thread's is used up */
	SECONDS_MOST = 10,		/* then it ends, even if the unwinder runs in a circle */
	FRAMES_MOST = 64,
	DESCRIPTORS = 1024,		/* that are looked at for recordings */
};

static const struct crash_signal {
	int number;
	const char *name;
	bool repeats;			/* by itself, when the handler returns */
} crash_signals[] = {
	{ SIGSEGV, "SIGSEGV", true },	{ SIGBUS, "SIGBUS", true },
	{ SIGFPE, "SIGFPE", true },	{ SIGILL, "SIGILL", true },
	{ SIGTRAP, "SIGTRAP", false },	{ SIGABRT, "SIGABRT", false },
	{ SIGSYS, "SIGSYS", false },
};

enum { SIGNALS = sizeof(crash_signals) / sizeof(crash_signals[0]) };

static struct {
	struct sigaction before[SIGNALS];
	atomic_flag begun;
	char path[4096];		/* of the report; "": standard error */
	char link[4096];		/* what the handler reads */
	char since[32];
	char stack[STACK];
} crash = { .begun = ATOMIC_FLAG_INIT };

struct crash_cause {
	const char *name;
	const siginfo_t *info;
	const void *context;
};

#ifdef __ELF__
/* Where the program begins in memory: the linker's name. A report has offsets from there. */
extern const char __executable_start[], etext[];
#endif

/* --- texts, without the C library ------------------------------------------------------------- */

/* Small: the stack that faults have is. */
struct crash_text {
	int fd;
	size_t n;
	char bytes[512];
};

static void text_flush(struct crash_text *t)
{
	size_t at = 0;

	while (at < t->n) {
		ssize_t done = write(t->fd, t->bytes + at, t->n - at);

		if (done < 0 && errno != EINTR)
			break;
		at += done > 0 ? (size_t)done : 0;
	}
	t->n = 0;
}

static void text_char(struct crash_text *t, char c)
{
	if (t->n == sizeof(t->bytes))
		text_flush(t);
	t->bytes[t->n++] = c;
}

static void text_add(struct crash_text *t, const char *s)
{
	while (*s)
		text_char(t, *s++);
}

static void text_number(struct crash_text *t, uint64_t v, unsigned base)
{
	char digits[24], *at = digits + sizeof(digits) - 1;

	*at = '\0';
	do
		*--at = "0123456789abcdef"[v % base];
	while ((v /= base));
	text_add(t, at);
}

static void text_hex(struct crash_text *t, uint64_t v)
{
	text_add(t, "0x");
	text_number(t, v, 16);
}

/* Names of files may hold anything: the terminal is not to obey them. */
static void text_path(struct crash_text *t, const char *path)
{
	for (; *path; path++)
		text_char(t, (unsigned char)*path < ' ' || *path == 0x7f ? '?' : *path);
}

static void cause_add(struct crash_text *t, const struct crash_cause *c)
{
	text_add(t, "crashed: ");
	text_add(t, c->name);
	if (c->info->si_code > 0) {
		text_add(t, " at ");
		text_hex(t, (uintptr_t)c->info->si_addr);
	} else if (c->info->si_pid && c->info->si_pid != getpid()) {
		text_add(t, " from process ");
		text_number(t, (uint64_t)c->info->si_pid, 10);
	}
}

/* --- the report ------------------------------------------------------------------------------- */

struct crash_walk {
	struct crash_text *text;
	unsigned frame;
};

static void address_add(struct crash_text *t, uintptr_t at)
{
#ifdef __ELF__
	if (at >= (uintptr_t)__executable_start && at < (uintptr_t)etext) {
		text_add(t, "wsntop+");
		text_hex(t, at - (uintptr_t)__executable_start);
		return;
	}
#endif
	text_hex(t, at);
}

/* Each goes out alone: the next one may not be found. A return address is behind the call. */
static _Unwind_Reason_Code frame_add(struct _Unwind_Context *at, void *ctx)
{
	struct crash_walk *w = ctx;
	int is_exact = 0;
	uintptr_t place = _Unwind_GetIPInfo(at, &is_exact);

	if (!place || w->frame == FRAMES_MOST)
		return _URC_END_OF_STACK;
	text_add(w->text, " #");
	text_number(w->text, w->frame++, 10);
	text_add(w->text, " ");
	address_add(w->text, place - !is_exact);
	text_add(w->text, "\n");
	text_flush(w->text);
	return _URC_NO_REASON;
}

static void file_copy(struct crash_text *t, const char *path)
{
	int from = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (from < 0)
		return;
	while ((n = read(from, t->bytes, sizeof(t->bytes))) > 0) {
		t->n = (size_t)n;
		text_flush(t);
	}
	close(from);
}

static void report_write(int fd, const struct crash_cause *c)
{
	struct crash_text t = { .fd = fd };
	struct crash_walk walk = { .text = &t };

	text_add(&t, "wsntop " WSNTOP_VERSION " ");
	cause_add(&t, c);
	text_add(&t, "\nprocess ");
	text_number(&t, (uint64_t)getpid(), 10);
	text_add(&t, ", since ");
	text_add(&t, crash.since);
	text_add(&t, "\nat ");
	address_add(&t, os_signal_place(c->context));
	text_add(&t, "\n\nbacktrace; its lines: addr2line -Cfipe wsntop OFFSET, with the same "
		     "wsntop\n");
	text_flush(&t);
	_Unwind_Backtrace(frame_add, &walk);
	text_add(&t, "\nmemory\n");
	text_flush(&t);
	file_copy(&t, "/proc/self/maps");
}

/* With the folders above it, as others that keep state make them. */
static int report_open(void)
{
	if (!crash.path[0])
		return -1;
	for (char *slash = crash.path + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = '\0';
		mkdir(crash.path, 0700);
	}
	return open(crash.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
}

/* --- recordings ------------------------------------------------------------------------------- */

static bool is_recording(int fd)
{
	char magic[RECORD_MAGIC_SIZE];
	int flags = fcntl(fd, F_GETFL);

	return flags >= 0 && (flags & O_ACCMODE) == O_RDWR &&
	       pread(fd, magic, sizeof(magic), 0) == (ssize_t)sizeof(magic) &&
	       !memcmp(magic, RECORD_MAGIC, sizeof(magic));
}

/* Known by its descriptor: nobody has to keep a list that a handler may read. */
static void recordings_add(struct crash_text *t)
{
	ssize_t n;

	for (int fd = STDERR_FILENO + 1; fd < DESCRIPTORS; fd++) {
		if (!is_recording(fd))
			continue;
		text_add(t, "/proc/self/fd/");
		text_number(t, (uint64_t)fd, 10);
		text_char(t, '\0');
		n = readlink(t->bytes, crash.link, sizeof(crash.link) - 1);
		crash.link[n > 0 ? n : 0] = '\0';
		t->n = 0;
		text_add(t, "wsntop: ");
		text_path(t, n > 0 ? crash.link : "a file");
		text_add(t, ": recording stopped (it is complete up to here)\n");
		text_flush(t);
	}
}

void crash_recordings_say(void)
{
	recordings_add(&(struct crash_text){ .fd = STDERR_FILENO });
}

/* --- the handler ------------------------------------------------------------------------------ */

static void crash_say(const struct crash_cause *c)
{
	struct crash_text t = { .fd = STDERR_FILENO };
	int fd = report_open();

	text_add(&t, "wsntop: ");
	cause_add(&t, c);
	text_add(&t, fd < 0 ? "; backtrace below" : "; backtrace in ");
	text_path(&t, fd < 0 ? "" : crash.path);
	text_add(&t, "\n");
	text_flush(&t);
	recordings_add(&t);
	report_write(fd < 0 ? STDERR_FILENO : fd, c);
}

/* The unwinder may meet a stack that has no end. */
static void alarm_set(void)
{
	sigset_t only;

	signal(SIGALRM, SIG_DFL);
	sigemptyset(&only);
	sigaddset(&only, SIGALRM);
	pthread_sigmask(SIG_UNBLOCK, &only, NULL);
	alarm(SECONDS_MOST);
}

static void on_crash(int sig, siginfo_t *info, void *context)
{
	int i = 0;

	while (i < SIGNALS - 1 && crash_signals[i].number != sig)
		i++;
	if (atomic_flag_test_and_set(&crash.begun))	/* another thread crashes already */
		for (;;)
			pause();
	alarm_set();
	crash_say(&(struct crash_cause){ crash_signals[i].name, info, context });
	sigaction(sig, &crash.before[i], NULL);
	/* On return a fault repeats, for a sanitizer or a core dump. */
	if (!crash_signals[i].repeats || info->si_code <= 0)
		raise(sig);
}

static void since_keep(void)
{
	time_t now = time(NULL);
	struct tm utc;

	if (gmtime_r(&now, &utc))
		strftime(crash.since, sizeof(crash.since), "%Y-%m-%d %H:%M:%S UTC", &utc);
}

void crash_init(void)
{
	const stack_t alternative = { .ss_sp = crash.stack, .ss_size = sizeof(crash.stack) };
	struct sigaction sa = { .sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	char name[40];

	snprintf(name, sizeof(name), "crash-%ld.txt", (long)getpid());
	file_place("XDG_STATE_HOME", ".local/state", name, crash.path, sizeof(crash.path));
	since_keep();
	sigaltstack(&alternative, NULL);
	sigfillset(&sa.sa_mask);
	sigdelset(&sa.sa_mask, SIGALRM);
	for (int i = 0; i < SIGNALS; i++)
		sigaction(crash_signals[i].number, &sa, &crash.before[i]);
}
