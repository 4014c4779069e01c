/*
 * program: what happens to the program and its terminal, and what it leaves behind.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/tools/screen/script.h"
#include "tests/tools/screen/settle.h"
#include "tests/tools/screen/steps.h"
#include "tests/tools/screen/terminal.h"

void step_size(const char *arguments)
{
	int cols, rows;

	if (sscanf(arguments, "%dx%d", &cols, &rows) != 2)
		script_fail("size COLSxROWS");
	terminal_resize(cols, rows);
}

void step_run(const char *command)
{
	char limit[16];
	int status = -1;
	pid_t pid;

	snprintf(limit, sizeof(limit), "%d", SETTLE_WATCHDOG_MS / 1000);
	pid = fork();
	if (pid == 0) {
		execlp("timeout", "timeout", limit, "sh", "-c", command, NULL);
		_exit(127);
	}
	/* A terminal reads on while something else happens. */
	while (waitpid(pid, &status, WNOHANG) == 0)
		terminal_pump(5);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 124)
		script_fail("watchdog: hung for 5 minutes: run %s", command);
	if (status != 0)
		script_fail("run %s", command);
}

void step_signal(const char *name)
{
	static const struct { const char *name; int number; } signals[] = {
		{ "TERM", SIGTERM }, { "HUP", SIGHUP }, { "INT", SIGINT }, { "SEGV", SIGSEGV },
		{ "TSTP", SIGTSTP }, { "CONT", SIGCONT }, { "STOP", SIGSTOP },
		{ "WINCH", SIGWINCH }, { "KILL", SIGKILL }, { "ABRT", SIGABRT },
		{ "BUS", SIGBUS }, { "FPE", SIGFPE }, { "ILL", SIGILL }, { "TRAP", SIGTRAP },
		{ "SYS", SIGSYS }, { "VTALRM", SIGVTALRM }, { "PROF", SIGPROF },
		{ "IO", SIGIO }, { "STKFLT", SIGSTKFLT }, { "USR2", SIGUSR2 },
		{ "USR1", SIGUSR1 }, { "ALRM", SIGALRM }, { "XCPU", SIGXCPU }, { "PWR", SIGPWR },
	};

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		if (!strcmp(signals[i].name, name)) {
			kill(terminal.pid, signals[i].number);
			return;
		}
	}
	script_fail("no signal %s", name);
}

/* --- what it writes --------------------------------------------------------------------------- */

void step_pause(const char *arguments)
{
	terminal_pump_for(atoi(arguments));
}

void step_idle(const char *arguments)
{
	(void)arguments;
	settle_idle();
}

void step_quiet(const char *arguments)
{
	uint64_t until = clock_now() + (uint64_t)atoi(arguments) * MS;
	unsigned long long before;

	settle_frame();
	before = terminal.bytes;
	while (clock_now() < until) {
		terminal_pump(10);
		if (terminal.bytes != before)
			script_fail("it wrote %llu bytes", terminal.bytes - before);
	}
}

void step_bytes(const char *arguments)
{
	unsigned long long most = strtoull(arguments, NULL, 10), wrote;

	settle_frame();
	wrote = terminal.bytes;
	terminal.bytes = 0;
	terminal.bytes_since = clock_now();
	if (wrote > most)
		script_fail("it wrote %llu bytes, more than %llu", wrote, most);
	printf("step %d: %llu bytes\n", script_line, wrote);
}

void step_rate(const char *arguments)
{
	double seconds, most = atof(arguments);

	settle_frame();
	seconds = (double)(clock_now() - terminal.bytes_since) / CLOCK_SECOND;
	if ((double)terminal.bytes > most * seconds)
		script_fail("it wrote %llu bytes in %.1f s, more than %g a second", terminal.bytes,
			    seconds, most);
	printf("step %d: %.0f bytes a second\n", script_line, (double)terminal.bytes / seconds);
}

void step_ascii(const char *arguments)
{
	(void)arguments;
	if (terminal.high_byte)
		script_fail("it wrote a byte above 126");
}

/* --- its end ---------------------------------------------------------------------------------- */

void step_exit(const char *arguments)
{
	struct settle p = { 0 };
	int status;

	while (!terminal.ended) {
		if (!settle_more(&p))
			script_fail("it does not end");
		terminal_reap(WNOHANG);
	}
	while (terminal_pump(20))
		;
	status = WIFEXITED(terminal.status) ? WEXITSTATUS(terminal.status) :
		 128 + WTERMSIG(terminal.status);
	if (status != atoi(arguments))
		script_fail("it ended with status %d", status);
}

void step_hangup(const char *arguments)
{
	(void)arguments;
	close(terminal.fd);
	terminal.fd = -1;		/* poll passes over it */
}

void step_stopped(const char *arguments)
{
	struct settle p = { 0 };

	(void)arguments;
	for (;;) {
		if (waitpid(terminal.pid, &terminal.status, WUNTRACED | WNOHANG) == terminal.pid)
			break;
		if (!settle_more(&p))
			script_fail("it is not stopped");
	}
	if (!WIFSTOPPED(terminal.status))
		script_fail("it ended with status 0x%x", (unsigned)terminal.status);
	while (terminal_pump(20))
		;
}

void step_whole(const char *arguments)
{
	struct termios now;
	VTermValue v;

	(void)arguments;
	if (terminal.altscreen)
		script_fail("the terminal is still on its other page");
	if (terminal.cursor_hidden)
		script_fail("the cursor is hidden");
	if (terminal.mouse)
		script_fail("mouse reports are on");
	vterm_state_get_penattr(vterm_obtain_state(terminal.vt), VTERM_ATTR_REVERSE, &v);
	if (v.boolean)
		script_fail("reverse video is on");
	vterm_state_get_penattr(vterm_obtain_state(terminal.vt), VTERM_ATTR_BACKGROUND, &v);
	if (!VTERM_COLOR_IS_DEFAULT_BG(&v.color))
		script_fail("a background colour is on");
	tcgetattr(terminal.fd, &now);
	if (now.c_lflag != terminal.modes.c_lflag || now.c_iflag != terminal.modes.c_iflag ||
	    now.c_oflag != terminal.modes.c_oflag)
		script_fail("the terminal's modes are changed: lflag %x, was %x; iflag %x, was %x; "
		     "oflag %x, was %x", now.c_lflag, terminal.modes.c_lflag, now.c_iflag,
		     terminal.modes.c_iflag, now.c_oflag, terminal.modes.c_oflag);
}
