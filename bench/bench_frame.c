/*
 * From start to the first frame: the real binary on a pty, opening an ELF of 2 MB and one of 50 MB, until
 * the tab line is on the screen. DWARF comes behind: how long that takes is bench_image's.
 */
#include "bench/bench.h"
#include "bench/made.h"

#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Milliseconds until the tabs are drawn; negative when they never come. */
static double first_frame(const char *wsntop, const char *elf)
{
	struct winsize size = { .ws_row = 40, .ws_col = 120 };
	uint64_t start = clock_now();
	char seen[65536];
	size_t n = 0;
	int fd;
	pid_t pid = forkpty(&fd, NULL, NULL, &size);
	double ms = -1;

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
		if (strstr(seen, "histogram")) {
			ms = (double)(clock_now() - start) / 1e6;
			break;
		}
	}
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
	close(fd);
	return ms;
}

int main(void)
{
	static const unsigned sizes[] = { 2, 50 };
	const char *wsntop = getenv("WSNTOP") ? getenv("WSNTOP") : "build/wsntop";
	char dir[] = "/tmp/wsntop-bench-XXXXXX", elf[128], name[64];

	if (!mkdtemp(dir))
		return 1;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		double best = 1e9;

		if (made_elf(dir, sizes[i], elf, sizeof(elf)))
			return 1;
		for (int k = 0; k < bench_rounds(); k++) {
			double ms = first_frame(wsntop, elf);

			best = ms >= 0 && ms < best ? ms : best;
		}
		snprintf(name, sizeof(name), "first frame, ELF of %u MB", sizes[i]);
		bench_print(name, best, "ms");
		unlink(elf);
	}
	return rmdir(dir);
}
