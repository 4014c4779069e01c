/*
 * Any bytes as what /sys and /proc say of a port and of the programs that run, and as lock files: a
 * line each of the input. What is said of it is short, whole and nothing but visible characters.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/link/holders.h"
#include "core/link/link.h"
#include "tests/fuzz/folder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(what) do { if (!(what)) abort(); } while (0)
#define USB "/sys/devices/usb1/1-1"
#define TTY USB "/1-1:1.0/tty/ttyACM0"

static char root[64];
static bool made;

static const char *const folders[] = {
	"/proc",        "/proc/77",          "/proc/77/fd",
	"/var",         "/var/lock",         "/dev",
	"/sys",         "/sys/class",        "/sys/class/tty",
	"/sys/devices", "/sys/devices/usb1", USB,
	USB "/1-1:1.0", USB "/1-1:1.0/tty",  TTY,
};

static const char *const files[] = {
	"/proc/77/comm", "/proc/77/stat",  "/var/lock/LCK..ttyACM0",
	USB "/idVendor", USB "/idProduct", USB "/manufacturer",
	USB "/product",  USB "/serial",    USB "/1-1:1.0/bInterfaceNumber",
	"/dev/ttyACM0",
};

static void remove_all(void)
{
	char command[80];

	snprintf(command, sizeof(command), "rm -rf %s", root);
	if (system(command))
		perror(command);
}

static const char *path_below(const char *path)
{
	static char whole[256];

	snprintf(whole, sizeof(whole), "%s%s", root, path);
	return whole;
}

static void make_folders(void)
{
	snprintf(root, sizeof(root), "%s/fuzz_ports.XXXXXX", folder_find());
	REQUIRE(mkdtemp(root));
	made = true;
	atexit(remove_all);
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		REQUIRE(mkdir(path_below(folders[i]), 0777) == 0);
	REQUIRE(symlink("../../devices/usb1/1-1/1-1:1.0/tty/ttyACM0",
			path_below("/sys/class/tty/ttyACM0")) == 0);
	REQUIRE(symlink("../../../1-1:1.0", path_below(TTY "/device")) == 0);
}

static void put_files(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		const uint8_t *end = memchr(data, '\n', size);
		size_t n = end ? (size_t)(end - data) : size;
		int fd = open(path_below(files[i]), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

		REQUIRE(fd >= 0 && write(fd, data, n) == (ssize_t)n);
		close(fd);
		data += n + (end != NULL);
		size -= n + (end != NULL);
	}
}

static void check_text(const char *text, size_t size)
{
	REQUIRE(memchr(text, 0, size));
	for (; *text; text++)
		REQUIRE((unsigned char)*text >= 0x20 && *text != 0x7f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct link_port port;
	char who[64] = "";

	if (!made)
		make_folders();
	put_files(data, size);
	REQUIRE(link_ports_below(root, NULL, &port, 1) == 1);
	check_text(port.what, sizeof(port.what));
	check_text(port.id, sizeof(port.id));
	check_text(port.held, sizeof(port.held));
	check_text(port.cure, sizeof(port.cure));
	holders_session(root, 1026, who, sizeof(who));
	check_text(who, sizeof(who));
	holders_runs(root, "ModemManager");
	return 0;
}
