/*
 * From start to the first paint (the opening page, or the first picture itself) and to
 * the first picture: the real binary on a pty, opening an ELF of 2 MB and one of 50 MB. DWARF comes
 * behind: how long that takes is bench_image's.
 */
#include "bench/bench.h"
#include "bench/made.h"

#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

struct first {
	double paint, picture;		/* milliseconds; negative: it never came */
};

static double ms_since(uint64_t start)
{
	return (double)(clock_now() - start) / 1e6;
}

static struct first first_frame(const char *wsntop, const char *elf)
{
	struct winsize size = { .ws_row = 40, .ws_col = 120 };
	uint64_t start = clock_now();
	char seen[65536];
	size_t n = 0;
	int fd;
	pid_t pid = forkpty(&fd, NULL, NULL, &size);
	struct first first = { -1, -1 };

	if (pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		execl(wsntop, wsntop, "-p", "/dev/null", "-e", elf, (char *)NULL);
		_exit(127);
	}
	while (n < sizeof(seen) - 1) {
		ssize_t got = read(fd, seen + n, sizeof(seen) - 1 - n);

		if (got <= 0)
			break;
		n += (size_t)got;
		seen[n] = '\0';
		if (first.paint < 0 && (strstr(seen, "opening") || strstr(seen, "histogram")))
			first.paint = ms_since(start);
		if (strstr(seen, "histogram")) {
			first.picture = ms_since(start);
			break;
		}
	}
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
	close(fd);
	return first;
}

static void best_keep(double *best, double ms)
{
	if (ms >= 0 && ms < *best)
		*best = ms;
}

int main(void)
{
	static const unsigned sizes[] = { 2, 50 };
	const char *wsntop = getenv("WSNTOP") ? getenv("WSNTOP") : "build/wsntop";
	char dir[] = "/tmp/wsntop-bench-XXXXXX", elf[128], name[64];

	setenv("XDG_CONFIG_HOME", "/dev/null", 1);
	setenv("XDG_STATE_HOME", "/dev/null", 1);
	if (!mkdtemp(dir))
		return 1;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct first best = { 1e9, 1e9 };

		if (made_elf(dir, sizes[i], elf, sizeof(elf)))
			return 1;
		for (int k = 0; k < bench_rounds(); k++) {
			struct first f = first_frame(wsntop, elf);

			best_keep(&best.paint, f.paint);
			best_keep(&best.picture, f.picture);
		}
		snprintf(name, sizeof(name), "first paint, ELF of %u MB", sizes[i]);
		bench_print(name, best.paint, "ms");
		snprintf(name, sizeof(name), "first picture, ELF of %u MB", sizes[i]);
		bench_print(name, best.picture, "ms");
		unlink(elf);
	}
	return rmdir(dir);
}
