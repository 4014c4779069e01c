/*
 * screen: run a program on a pseudo terminal, type at it, and see what it shows.
 *
 *	screen [-s COLSxROWS] [-e NAME=VALUE]... COMMAND [ARGUMENT]... <SCRIPT
 *
 * The screen is read back through a terminal emulator (libvterm) and compared as text. The script
 * has one step a line; '#' begins a comment. A step that fails prints the screen and ends the test.
 *
 * The screen is looked at between two frames: when the program has read all that was typed, sleeps,
 * and what it wrote is taken. What is waited for fails after 20 seconds in which the program slept:
 * a machine that gives it no time cannot make it fail. One that is never idle is killed after five
 * minutes ("watchdog").
 *
 *	keys TEXT           type; <Enter> <Esc> <Tab> <S-Tab> <Up> <Down> <Left> <Right> <Home>
 *	                    <End> <PgUp> <PgDn> <Del> <BS> <Space> <F1>..<F10> <C-a>..<C-z> <lt>
 *	wait TEXT           until TEXT is on the screen
 *	gone TEXT           until it is not
 *	expect [A[-B]]      the lines that follow, up to "end", are rows A to B (from 1; all rows),
 *	                    trailing blanks aside; waited for
 *	same FILE           the screen is as FILE has it; with RENEW=1 in the environment FILE is
 *	                    written
 *	looks FILE          likewise its looks: "4: 1-12 231 on 24 bold, 13-80 250 on 238", without
 *	                    plain cells
 *	look TEXT LOOK      the first cell of TEXT (quoted if it has spaces) looks so: "117",
 *	                    "231 on 24 bold",
 *	                    "#rrggbb on 24", "reverse", "plain"
 *	size COLSxROWS      resize the terminal
 *	click X Y [BUTTON]  press and release (1 left, 3 right, 4 wheel up, 5 wheel down), from 1
 *	drag X Y X Y        press the left button, move with it held, release it
 *	send BYTES          as they are; \e \r \n \xHH
 *	run COMMAND         a shell command beside it, waited for
 *	signal NAME         to the program: TERM, HUP, SEGV, ... (program.c has the names)
 *	pause MS            let time pass; the program's output is taken
 *	idle                until it has done all that was typed, and sleeps
 *	quiet MS            it must write nothing for so long
 *	answer X Y N KEY    N times: type KEY, and see how long it takes until the text from there
 *	                    to the end of that row is another one; prints median, 90 % and most
 *	reach KEYS | TEXT   type KEYS, and see how long it takes until TEXT is on the screen;
 *	                    prints it, and what of it the program ran on a processor
 *	bytes N             it wrote at most N bytes since the last `bytes`
 *	rate N              it wrote at most N bytes a second since then, however long that was
 *	copied TEXT         the clipboard (OSC 52) was last given TEXT
 *	passed TEXT         the same through tmux: inside its DCS, escapes doubled
 *	ascii               it never wrote a byte above 126
 *	colors N            it never set a colour above N; -1: none at all
 *	monkey SEED N       N random keys, clicks and sizes (monkey.h); it must live through them
 *	exit N              it ends with status N (128 + signal when killed)
 *	stopped             it is stopped by a signal (Ctrl-Z)
 *	hangup              the terminal goes away
 *	whole               the terminal is as it was: page, cursor, mouse, colours, modes
 *	show [FILE.svg]     print the screen, or make a picture of it
 *	cast FILE           from here on, what it writes is recorded as an asciicast
 *	mark TEXT           a marker in it: the picture's caption from here on
 *	end-cast            its end
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/tools/screen/script.h"
#include "tests/tools/screen/steps.h"
#include "tests/tools/screen/terminal.h"

static const struct { const char *name; void (*run)(const char *arguments); } steps[] = {
	{ "keys", step_keys },     { "wait", step_wait }, { "gone", step_gone },
	{ "expect", step_expect }, { "look", step_look },    { "size", step_size },
	{ "click", step_click },   { "send", step_send },       { "run", step_run },
	{ "signal", step_signal }, { "pause", step_pause },     { "idle", step_idle },
	{ "quiet", step_quiet },   { "copied", step_copied },   { "passed", step_passed },
	{ "bytes", step_bytes },   { "rate", step_rate },       { "ascii", step_ascii },
	{ "colors", step_colors }, { "exit", step_exit },       { "stopped", step_stopped },
	{ "hangup", step_hangup }, { "whole", step_whole },     { "same", step_same },
	{ "looks", step_looks },   { "show", step_show },       { "monkey", step_monkey },
	{ "drag", step_drag },     { "cast", step_cast },       { "mark", step_mark },
	{ "end-cast", step_cast_end }, { "answer", step_answer },
	{ "reach", step_reach },
};

static void run_step(char *line)
{
	char *arguments = strchr(line, ' ');
	const char *name = line;

	if (arguments)
		*arguments++ = 0;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (!strcmp(steps[i].name, name)) {
			steps[i].run(arguments ? arguments : "");
			return;
		}
	}
	script_fail("no step \"%s\"", name);
}

static void set_environment(void)
{
	static const char *const unset[] = {
		"NO_COLOR", "LINES", "COLUMNS", "ESCDELAY", "COLORTERM", "LC_ALL", "LC_CTYPE",
	};

	for (size_t i = 0; i < sizeof(unset) / sizeof(unset[0]); i++)
		unsetenv(unset[i]);
	/* libvterm takes xterm's REP wrongly beside the last column; this has none. */
	setenv("TERM", "screen-256color", 1);
	setenv("LANG", "C.UTF-8", 1);
}

static void usage_exit(void)
{
	fprintf(stderr, "usage: screen [-s COLSxROWS] [-e NAME=VALUE]... COMMAND... <SCRIPT\n");
	exit(2);
}

int main(int argc, char **argv)
{
	char line[SCRIPT_LINE];
	int c;

	terminal.cols = 80;
	terminal.rows = 24;
	set_environment();
	while ((c = getopt(argc, argv, "+s:e:")) != -1) {
		if (c == 'e')
			putenv(optarg);
		else if (c != 's' || sscanf(optarg, "%dx%d", &terminal.cols, &terminal.rows) != 2)
			usage_exit();
	}
	if (optind == argc)
		usage_exit();
	terminal_open();
	terminal_start(argv + optind);
	while (script_read(line)) {
		if (*line && *line != '#')
			run_step(line);
	}
	for (int i = 0; getenv("SCREEN_LEAVES") && !terminal.ended && i < 1000; i++) {
		kill(terminal.pid, SIGTERM);	/* that it writes which lines were reached */
		kill(terminal.pid, SIGCONT);
		terminal_pump(10);
	}
	if (!terminal.ended) {
		kill(terminal.pid, SIGKILL);
		kill(terminal.pid, SIGCONT);
		terminal_reap(0);
	}
	vterm_free(terminal.vt);
	buf_release(&terminal.tail);
	return 0;
}
