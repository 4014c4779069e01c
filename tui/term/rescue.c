#include "tui/term/rescue.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include "tui/term/crash.h"

/* Filled in advance: the handler of a fatal signal may only call write and tcsetattr. */
static struct {
	volatile sig_atomic_t armed;
	int fd;
	struct termios modes;
	bool has_modes;
	bool begun;			/* curses may be called */
	char bytes[256];
	size_t len;
} rescue;

/* All that end a program by default, but for those that tui/term/signals.c has, and SIGKILL. */
static const int fatal_signals[] = {
	SIGSEGV, SIGBUS, SIGFPE, SIGILL,	/* faults: they come again by themselves */
	SIGTRAP, SIGABRT, SIGSYS, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ,
#ifdef SIGPOLL
	SIGPOLL,
#endif
#ifdef SIGPWR
	SIGPWR,
#endif
#ifdef SIGSTKFLT
	SIGSTKFLT,
#endif
};
enum { FAULTS = 4 };
enum { FATAL = sizeof(fatal_signals) / sizeof(fatal_signals[0]) };
static struct sigaction before[FATAL];

static void terminal_restore(void)
{
	if (!rescue.armed)
		return;
	rescue.armed = 0;
	if (write(rescue.fd, rescue.bytes, rescue.len) < 0)
		return;		/* the terminal is gone */
	if (rescue.has_modes)
		tcsetattr(rescue.fd, TCSANOW, &rescue.modes);
}

static void on_fatal(int sig, siginfo_t *info, void *context)
{
	int i = 0;

	(void)context;
	terminal_restore();
	while (i < FATAL - 1 && fatal_signals[i] != sig)
		i++;
	sigaction(sig, &before[i], NULL);
	/* On return a fault repeats, for the earlier handler: crash.c, a sanitizer. */
	if (i >= FAULTS || info->si_code <= 0)
		raise(sig);
}

/* Nobody else ends the program while there is a screen: curses does where it gets no memory. */
static void on_exit_early(void)
{
	static const char why[] =
		"wsntop: out of memory: the terminal library (curses) ended the program\n";

	if (!rescue.begun)
		return;
	terminal_restore();
	if (write(STDERR_FILENO, why, sizeof(why) - 1) > 0)
		crash_recordings_say();
}

void rescue_init(int fd)
{
	if (!rescue.begun)
		atexit(on_exit_early);
	rescue.begun = true;
	rescue.fd = fd;
	rescue.has_modes = tcgetattr(fd, &rescue.modes) == 0;
	rescue.len = 0;
}

int rescue_putc(int c)
{
	if (rescue.len < sizeof(rescue.bytes))
		rescue.bytes[rescue.len++] = (char)c;
	return c;
}

void rescue_arm(void)
{
	struct sigaction sa = { .sa_sigaction = on_fatal, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	rescue.armed = 1;
	sigemptyset(&sa.sa_mask);
	for (int i = 0; i < FATAL; i++) {
		sigaction(fatal_signals[i], &sa, &before[i]);
		if (before[i].sa_handler == SIG_IGN)	/* who started us wants it so */
			sigaction(fatal_signals[i], &before[i], NULL);
	}
}

void rescue_disarm(void)
{
	rescue.begun = false;
	rescue.armed = 0;
}
