/*
 * ports: found in a tree made up here, as a kernel with these devices shows them; who holds them;
 * and what to do where one cannot be had.
 */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#include "core/link/cures.h"
#include "core/link/holders.h"
#include "core/link/link.h"

static char root[64];

/* --- a tree ----------------------------------------------------------------------------------- */

/* Everything below a file's or link's folder is made first. */
static void path_below(const char *path, char *full, size_t size)
{
	char command[512];

	snprintf(full, size, "%s/%s", root, path);
	snprintf(command, sizeof(command), "mkdir -p \"$(dirname '%s')\"", full);
	assert_int_equal(unit_shell(command), 0);
}

static void file_put(const char *path, const char *text)
{
	char full[256];
	FILE *f;

	path_below(path, full, sizeof(full));
	f = fopen(full, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static void link_put(const char *path, const char *target)
{
	char full[256];

	path_below(path, full, sizeof(full));
	unlink(full);
	assert_int_equal(symlink(target, full), 0);
}

#define USB "sys/devices/pci/usb1"

/*
 * A board with two ports, an adapter without a serial number, the board's own, two that are not
 * there.
 */
static int tree_make(void **state)
{
	(void)state;
	snprintf(root, sizeof(root), "/tmp/wsntop-ports.XXXXXX");
	if (!mkdtemp(root))
		return -1;
	file_put(USB "/1-1/idVendor", "2341\n");
	file_put(USB "/1-1/idProduct", "0043\n");
	file_put(USB "/1-1/manufacturer", "Arduino (www.arduino.cc)\n");
	file_put(USB "/1-1/product", "Uno \033[31m\n");
	file_put(USB "/1-1/serial", "7583\n");
	file_put(USB "/1-1/1-1:1.0/bInterfaceNumber", "00\n");
	file_put(USB "/1-1/1-1:1.2/bInterfaceNumber", "02\n");
	file_put(USB "/1-1/1-1:1.0/tty/ttyACM10/dev", "166:10\n");
	file_put(USB "/1-1/1-1:1.2/tty/ttyACM2/dev", "166:2\n");
	link_put(USB "/1-1/1-1:1.0/tty/ttyACM10/device", "../..");
	link_put(USB "/1-1/1-1:1.2/tty/ttyACM2/device", "../..");
	link_put("sys/class/tty/ttyACM10", "../../devices/pci/usb1/1-1/1-1:1.0/tty/ttyACM10");
	link_put("sys/class/tty/ttyACM2", "../../devices/pci/usb1/1-1/1-1:1.2/tty/ttyACM2");
	file_put(USB "/1-2/idVendor", "1a86\n");
	file_put(USB "/1-2/idProduct", "7523\n");
	file_put(USB "/1-2/1-2:1.0/ttyUSB0/tty/ttyUSB0/dev", "188:0\n");
	link_put(USB "/1-2/1-2:1.0/ttyUSB0/tty/ttyUSB0/device", "../..");
	link_put("sys/class/tty/ttyUSB0", "../../devices/pci/usb1/1-2/1-2:1.0/ttyUSB0/tty/ttyUSB0");
	file_put("sys/devices/platform/serial8250/tty/ttyS0/type", "4\n");
	file_put("sys/devices/platform/serial8250/tty/ttyS1/type", "0\n");
	file_put("sys/drivers/serial8250/bind", "");
	link_put("sys/devices/platform/serial8250/driver", "../../../drivers/serial8250");
	link_put("sys/devices/platform/serial8250/tty/ttyS0/device", "../..");
	link_put("sys/devices/platform/serial8250/tty/ttyS1/device", "../..");
	link_put("sys/class/tty/ttyS0", "../../devices/platform/serial8250/tty/ttyS0");
	link_put("sys/class/tty/ttyS1", "../../devices/platform/serial8250/tty/ttyS1");
	file_put("sys/class/tty/console/dev", "5:1\n");
	file_put("dev/ttyACM10", "");
	file_put("dev/ttyACM2", "");
	file_put("dev/ttyUSB0", "");
	file_put("dev/ttyS0", "");
	return 0;
}

static int tree_drop(void **state)
{
	(void)state;
	return unit_remove(root);
}

/* --- the list --------------------------------------------------------------------------------- */

static void ports_are_named_as_their_devices(void **state)
{
	static const struct {
		const char *path, *what, *id;
		unsigned vendor, product;
	} expected[] = {
		{ "/dev/ttyACM2", "Arduino (www.arduino.cc) Uno \\x1b[31m, 7583",
		  "usb:2341:0043:7583:02", 0x2341, 0x43 },
		{ "/dev/ttyACM10", "Arduino (www.arduino.cc) Uno \\x1b[31m, 7583",
		  "usb:2341:0043:7583:00", 0x2341, 0x43 },
		{ "/dev/ttyUSB0", "USB 1a86:7523", "", 0x1a86, 0x7523 },
		{ "/dev/ttyS0", "serial8250", "", 0, 0 },
	};
	struct link_port ports[8];
	size_t n = link_ports_below(root, NULL, ports, COUNT(ports));

	(void)state;
	assert_int_equal(n, COUNT(expected));
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(ports[i].path, expected[i].path);
		assert_string_equal(ports[i].what, expected[i].what);
		assert_string_equal(ports[i].id, expected[i].id);
		assert_int_equal(ports[i].vendor, expected[i].vendor);
		assert_int_equal(ports[i].product, expected[i].product);
		assert_string_equal(ports[i].held, "");
		assert_string_equal(ports[i].cure, "");
		assert_true(ports[i].usable);
	}
}

static void a_list_of_the_users_stands_instead(void **state)
{
	struct link_port ports[4];

	(void)state;
	assert_int_equal(link_ports_below(root, ":/dev/ttyUSB0::/dev/ttyX\n9:", ports,
					  COUNT(ports)), 2);
	assert_string_equal(ports[0].path, "/dev/ttyUSB0");
	assert_true(ports[0].usable);
	assert_string_equal(ports[1].path, "/dev/ttyX\\x0a9");
	assert_false(ports[1].usable);
	assert_true(ports[1].absent && !ports[0].absent);
	assert_string_equal(ports[1].cure, "no such port");
}

static void one_that_goes_is_gone_from_the_list(void **state)
{
	struct link_port ports[8];
	char path[128];

	(void)state;
	snprintf(path, sizeof(path), "%s/sys/class/tty/ttyACM2", root);
	unlink(path);
	assert_int_equal(link_ports_below(root, NULL, ports, COUNT(ports)), 3);
	assert_string_equal(ports[0].path, "/dev/ttyACM10");
	assert_int_equal(link_ports_below("/nowhere", NULL, ports, COUNT(ports)), 0);
}

/* --- who holds them --------------------------------------------------------------------------- */

static void open_files_and_locks_tell_the_holder(void **state)
{
	struct link_port ports[8];

	(void)state;
	file_put("proc/123/comm", "minicom\n");
	link_put("proc/123/fd/0", "/dev/pts/1");
	link_put("proc/123/fd/5", "/dev/ttyACM10");
	file_put("proc/77/comm", "kerm\033it\n");
	file_put("var/lock/LCK..ttyUSB0", "        77 kermit root\n");
	file_put("var/lock/LCK..ttyS0", "      4711\n");	/* no such process */
	assert_int_equal(link_ports_below(root, NULL, ports, COUNT(ports)), 4);
	assert_string_equal(ports[0].held, "");
	assert_string_equal(ports[1].held, "minicom (pid 123)");
	assert_string_equal(ports[2].held, "kerm\\x1bit (pid 77)");
	assert_string_equal(ports[3].held, "");
}

static void modem_manager_is_named_for_the_ports_it_talks_to(void **state)
{
	struct link_port ports[8];

	(void)state;
	assert_false(holders_runs(root, "ModemManager"));
	file_put("proc/9/comm", "ModemManager\n");
	assert_true(holders_runs(root, "ModemManager"));
	assert_int_equal(link_ports_below(root, NULL, ports, COUNT(ports)), 4);
	assert_non_null(strstr(ports[0].cure, "ATTRS{idVendor}==\"2341\", "
					      "ATTRS{idProduct}==\"0043\", "
			       "ENV{ID_MM_DEVICE_IGNORE}=\"1\""));
	assert_string_equal(ports[2].cure, "");
	assert_string_equal(ports[3].cure, "");
}

/* The real /proc: a child of ours that has a pty open. */
static void a_real_holder_is_found(void **state)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY), ready[2];
	char name[64], byte;
	struct holder h = { .device = name };
	pid_t child;

	(void)state;
	assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
	assert_int_equal(ptsname_r(master, name, sizeof(name)), 0);
	holders_find("", &h, 1);
	assert_string_equal(h.who, "");
	assert_int_equal(pipe(ready), 0);
	child = fork();
	if (child == 0) {
		close(ready[0]);
		if (open(name, O_RDWR | O_NOCTTY) >= 0 && write(ready[1], "x", 1) == 1)
			pause();
		_exit(1);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	holders_find("", &h, 1);
	snprintf(name, sizeof(name), "(pid %d)", (int)child);
	assert_non_null(strstr(h.who, name));
	kill(child, SIGKILL);
	close(ready[0]);
	close(ready[1]);
	close(master);
}

/* --- cures ------------------------------------------------------------------------------------ */

static void each_trouble_has_its_cure(void **state)
{
	static const struct {
		struct cure_facts facts;
		const char *says;
	} cases[] = {
		{ { .mode = S_IFCHR | 0660, .group = "dialout" },
		  "permission denied: add yourself to group dialout (sudo usermod -aG dialout "
		  "$USER) and log in again" },
		{ { .mode = S_IFCHR | 0660, .group = "uucp", .member = true },
		  "permission denied: you joined group uucp after this session started: log in "
		  "again" },
		{ { .mode = S_IFCHR | 0600, .group = "dialout", .session = true, .member = true },
		  "permission denied: only its owner may open it" },
		{ { .mode = S_IFCHR | 0600, .vendor = 0x2341, .product = 0x43 },
		  "permission denied: only root may open it; put SUBSYSTEM==\"tty\", "
		  "ATTRS{idVendor}==\"2341\", ATTRS{idProduct}==\"0043\", TAG+=\"uaccess\" in "
		  "/etc/udev/rules.d/60-wsntop.rules and plug it in again" },
		{ { .mode = S_IFREG | 0600 }, "permission denied: you need read access" },
	};
	char text[320];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		cures_denied(&cases[i].facts, text, sizeof(text));
		assert_string_equal(text, cases[i].says);
	}
	cures_manager(0, 0, text, sizeof(text));
	assert_non_null(strstr(text, "systemctl stop ModemManager"));
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, tree_make, tree_drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TREE(ports_are_named_as_their_devices),
		IN_TREE(a_list_of_the_users_stands_instead),
		IN_TREE(one_that_goes_is_gone_from_the_list),
		IN_TREE(open_files_and_locks_tell_the_holder),
		IN_TREE(modem_manager_is_named_for_the_ports_it_talks_to),
		cmocka_unit_test(a_real_holder_is_found),
		cmocka_unit_test(each_trouble_has_its_cure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
