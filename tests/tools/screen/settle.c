#include "tests/tools/screen/settle.h"

#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "tests/tools/screen/script.h"
#include "tests/tools/screen/terminal.h"

enum {
	PATIENCE_MS = 20000, /* of the program's sleep, then nothing comes any more */
	BUSY_MS = 300, /* one that is busy for so long is looked at, too */
	ESCAPE_MS = 100, /* of its sleep: four times what it waits for a key's rest */
	ESCAPE_BUSY_MS = 1000,
	STOPPED_MS = 10000, /* one that sleeps and does not read is stopped */
};

/* --- whether it is done ----------------------------------------------------------------------- */

/* "1 (name) S ...": running, or about to; on a disk's account, too. */
static bool thread_is_busy(const char *path)
{
	char line[512] = "";
	FILE *f = fopen(path, "r");
	const char *state;

	if (!f)
		return false;		/* it has ended */
	state = fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
	fclose(f);
	return state && (state[2] == 'R' || state[2] == 'D');
}

/* A process and what it started: a shell, valgrind, an editor may stand between. */
static bool process_is_busy(long pid)
{
	char path[512];
	struct dirent *thread;
	bool busy = false;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%ld/task", pid);
	dir = opendir(path);
	while (dir && !busy && (thread = readdir(dir))) {
		FILE *children;
		long child;

		if (thread->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/%ld/task/%s/stat", pid, thread->d_name);
		busy = thread_is_busy(path);
		snprintf(path, sizeof(path), "/proc/%ld/task/%s/children", pid, thread->d_name);
		children = fopen(path, "r");
		while (children && !busy && fscanf(children, "%ld", &child) == 1)
			busy = process_is_busy(child);
		if (children)
			fclose(children);
	}
	if (dir)
		closedir(dir);
	return busy;
}

/* Asked by poll(): it brings what is on its way to this end of a pseudo terminal. */
static bool typed_is_unread(void)
{
	struct pollfd p = { .fd = terminal.peer, .events = POLLIN };

	return poll(&p, 1, 0) > 0 && (p.revents & POLLIN);
}

/*
 * All typed is read, all that came of it is on the screen. In this order: a sleeper writes nothing.
 */
static bool is_idle(void)
{
	return !typed_is_unread() && !process_is_busy(terminal.pid) && !terminal_pump(0);
}

static void watchdog_check(uint64_t began)
{
	if (clock_now() - began > (uint64_t)SETTLE_WATCHDOG_MS * MS)
		script_fail("watchdog: hung for 5 minutes");
}

bool settle_frame(void)
{
	uint64_t until = clock_now() + BUSY_MS * MS;

	while (!is_idle()) {
		if (clock_now() > until)
			return false;
		terminal_pump(2);
	}
	return true;
}

/* --- waiting ---------------------------------------------------------------------------------- */

bool settle_more(struct settle *p)
{
	uint64_t now;

	if (!p->began)
		p->began = p->last = clock_now();
	terminal_pump(20);
	terminal_reap(WNOHANG);
	/* A look that comes late counts as one: the program may have had no time, too. */
	if (settle_frame())
		p->slept += clock_now() - p->last < 50 * MS ? clock_now() - p->last : 50 * MS;
	now = clock_now();
	p->last = now;
	watchdog_check(p->began);
	return p->slept < (uint64_t)PATIENCE_MS * MS;
}

void settle_idle(void)
{
	uint64_t began = clock_now();

	while (!is_idle()) {
		watchdog_check(began);
		terminal_pump(5);
	}
}

void settle_output(int ms)
{
	while (terminal_pump(ms) && !terminal.ended)
		;
	terminal_reap(WNOHANG);
}

void settle_keys(void)
{
	uint64_t began = clock_now();

	while (typed_is_unread() && !terminal.ended &&
	       (process_is_busy(terminal.pid) || clock_now() - began < STOPPED_MS * MS)) {
		watchdog_check(began);
		terminal_pump(2);
		terminal_reap(WNOHANG);
	}
	settle_frame();
	terminal_reap(WNOHANG);
}

/*
 * An escape alone is told from a sequence by what does not follow: nothing is typed until the
 * program has slept for longer than it waits for more. One that never sleeps has at least read it.
 */
void settle_escape(void)
{
	uint64_t began = clock_now();
	int looks = 0;

	while (looks < ESCAPE_MS / 5 &&
	       (typed_is_unread() || clock_now() - began < ESCAPE_BUSY_MS * MS)) {
		watchdog_check(began);
		looks += is_idle();
		terminal_pump_for(5);
	}
}
