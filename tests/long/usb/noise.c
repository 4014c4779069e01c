/*
 * noise PORT MS: what ModemManager does to a new port: opens it for itself alone, sets another
 * rate, types AT commands at whatever is behind it, reads, and goes.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static const char *const said[] = { "AT\r", "ATI\r", "AT+CGMI\r", "\xf0\x80\x00~x\xf0~" };
	struct termios t;
	char buf[256];
	size_t i, taken = 0;
	int fd = argc == 3 ? open(argv[1], O_RDWR | O_NOCTTY | O_NONBLOCK) : -1;

	if (fd < 0 || ioctl(fd, TIOCEXCL) < 0 || tcgetattr(fd, &t) < 0) {
		perror("noise");
		return 1;
	}
	cfmakeraw(&t);
	cfsetspeed(&t, B9600);
	tcsetattr(fd, TCSANOW, &t);
	puts("held");
	fflush(stdout);
	for (i = 0; i < sizeof(said) / sizeof(*said); i++) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		ssize_t n = write(fd, said[i], strlen(said[i]));

		usleep((useconds_t)atoi(argv[2]) * 250);
		while (n >= 0 && poll(&p, 1, 0) > 0 && (n = read(fd, buf, sizeof(buf))) > 0)
			taken += (size_t)n;
	}
	printf("%zu bytes taken\n", taken);
	return 0;
}
