/*
 * link_serial: a serial port in a made-up /sys: set up, unplugged, taken up again. What it does to
 * /sys stays until it exits.
 */
#include "tests/unit/link_made.h"

#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>

/*
 * libserialport takes for a port what /sys/class/tty names and what has modem lines. In a mount
 * namespace of our own the one names a pty, and this answers for the other, so that its code and
 * ours run on something that can be unplugged. All else goes to the kernel.
 */
static unsigned driver_limit;		/* bits per second that the "driver" runs at most; 0: any */

/* <asm/termbits.h> has it, but excludes <termios.h>. */
struct termios2 {
	tcflag_t c_iflag, c_oflag, c_cflag, c_lflag;
	cc_t c_line, c_cc[19];
	speed_t c_ispeed, c_ospeed;
};

int ioctl(int fd, unsigned long request, ...)
{
	va_list ap;
	void *arg;

	va_start(ap, request);
	arg = va_arg(ap, void *);
	va_end(ap);
	if (request == TIOCMGET)
		*(int *)arg = TIOCM_DTR | TIOCM_RTS;
	if (request == TIOCMGET || request == TIOCMBIS || request == TIOCMBIC)
		return 0;
	if (request == TCSETS2 && driver_limit) {
		/* As the 8250's driver does: no error, another rate. */
		struct termios2 *t = arg;

		if (t->c_ospeed > driver_limit)
			t->c_ispeed = t->c_ospeed = driver_limit;
	}
	return (int)syscall(SYS_ioctl, fd, request, arg);
}

static bool hide_sysfs(void)
{
	static bool hidden;

	if (hidden)
		return true;
	hidden = unshare(CLONE_NEWNS) == 0 &&
	       mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount("tmpfs", "/sys/class/tty", "tmpfs", 0, NULL) == 0 &&
	       mkdir("/sys/class/tty/pts", 0755) == 0;
	return hidden;
}

static struct pty port_plug(void)
{
	struct pty p = pty_open();
	char entry[128];

	snprintf(entry, sizeof(entry), "/sys/class/tty/%s", p.path + strlen("/dev/"));
	unlink(entry);
	assert_int_equal(symlink("../../devices/a-usb-adapter", entry), 0);
	return p;
}

static speed_t speed_of(const struct pty *p)
{
	struct termios t;

	assert_int_equal(tcgetattr(p->master, &t), 0);
	return cfgetospeed(&t);
}

static void a_serial_port_is_set_up_unplugged_and_taken_up_again(void **state)
{
	const struct link_options slow = { .baud = 57600 };
	const char *name = in_scratch("by-id");
	struct pty port;
	struct loop p = { 0 };
	struct err err = { 0 };
	char source[256], byte;

	(void)state;
	if (!hide_sysfs())
		skip();			/* only root may mount */
	port = port_plug();
	assert_int_equal(symlink(port.path, name), 0);
	snprintf(source, sizeof(source), "serial:%s?baud=250000", name);
	p.link = link_new(source, &slow, &err);
	if (!p.link)
		fail_msg("%s", err.text);
	assert_string_equal(link_kind(p.link), "serial");
	assert_int_equal(link_baud(p.link), 250000);
	assert_string_equal(link_why(p.link), "");
	assert_int_equal(write(port.master, "\x03\x11\x13\r\n\xff", 6), 6);
	assert_got(&p, "\x03\x11\x13\r\n\xff");
	assert_int_equal(link_send(p.link, "\n", 1), 0);
	assert_int_equal(read(port.master, &byte, 1), 1);
	assert_int_equal(fcntl(link_fd(p.link), F_GETFD), FD_CLOEXEC);
	assert_null(link_new(name, NULL, &err));
	assert_non_null(strstr(err.text, "busy"));

	close(port.master);
	until_state(&p, LINK_WAITING);
	assert_string_equal(link_why(p.link), "unplugged");
	port = port_plug();
	unlink(name);
	assert_int_equal(symlink(port.path, name), 0);
	until_state(&p, LINK_UP);
	assert_int_equal(link_baud(p.link), 250000);
	assert_int_equal(write(port.master, "again", 5), 5);
	assert_got(&p, "again");
	link_free(p.link);

	p.link = link_new(name, &slow, NULL);
	assert_int_equal(link_baud(p.link), 57600);
	assert_int_equal(speed_of(&port), B57600);
	link_free(p.link);
	link_free(must_open(name));
	assert_int_equal(speed_of(&port), B115200);

	driver_limit = 115200;
	p.link = must_open(source);
	assert_int_equal(link_state(p.link), LINK_UP);
	assert_int_equal(link_baud(p.link), 115200);
	assert_string_equal(link_why(p.link), "250000 baud requested, the driver uses 115200");
	link_free(p.link);
	driver_limit = 0;
	close(port.master);
	unlink(name);
}

/* --- adapters with serial numbers ------------------------------------------------------------- */

struct adapter {
	const char *name;		/* in /dev and /sys/class/tty; a pty is bound to it */
	struct pty pty;
};

static void adapter_paths(const struct adapter *a, char dev[64], char sys[64], char device[160])
{
	snprintf(dev, 64, "/dev/%s", a->name);
	snprintf(sys, 64, "/sys/class/tty/%s", a->name);
	snprintf(device, 160, "%s", in_scratch(a->name));
}

static struct adapter adapter_plug(const char *name, const char *serial)
{
	struct adapter a = { .name = name, .pty = pty_open() };
	char dev[64], sys[64], device[160], path[256];

	adapter_paths(&a, dev, sys, device);
	put_file(dev, "", 0);
	assert_int_equal(mount(a.pty.path, dev, NULL, MS_BIND, NULL), 0);
	snprintf(path, sizeof(path), "mkdir -p %s/device", device);
	assert_int_equal(unit_shell(path), 0);
	snprintf(path, sizeof(path), "%s/idVendor", device);
	put_file(path, "0403\n", 5);
	snprintf(path, sizeof(path), "%s/serial", device);
	put_file(path, serial, strlen(serial));
	assert_int_equal(symlink(device, sys), 0);
	return a;
}

static void adapter_unplug(struct adapter *a)
{
	char dev[64], sys[64], device[160];

	adapter_paths(a, dev, sys, device);
	close(a->pty.master);
	assert_int_equal(umount2(dev, MNT_DETACH), 0);
	unlink(dev);
	unlink(sys);
}

static void assert_reads(struct loop *p, const struct adapter *a)
{
	assert_int_equal(write(a->pty.master, a->name, strlen(a->name)), strlen(a->name));
	assert_got(p, a->name);
}

static void assert_waits(struct loop *p, int retries)
{
	while (retries--)
		link_turn(p);
	assert_int_equal(link_state(p->link), LINK_WAITING);
}

static void an_adapter_is_found_again_under_another_name(void **state)
{
	struct loop p = { 0 };
	struct adapter a, b;

	(void)state;
	if (!hide_sysfs())
		skip();
	a = adapter_plug("ttyWSN0", "A");
	p.link = must_open("/dev/ttyWSN0");
	assert_reads(&p, &a);
	assert_string_equal(link_moved(p.link), "");
	adapter_unplug(&a);
	until_state(&p, LINK_WAITING);
	a = adapter_plug("ttyWSN1", "A");
	until_state(&p, LINK_UP);
	assert_string_equal(link_moved(p.link), "/dev/ttyWSN1");
	assert_reads(&p, &a);

	/* Another has its first name: not taken, while ours may be on its way. */
	adapter_unplug(&a);
	b = adapter_plug("ttyWSN0", "B");
	until_state(&p, LINK_WAITING);
	assert_waits(&p, 4);
	a = adapter_plug("ttyWSN2", "A");
	until_state(&p, LINK_UP);
	assert_string_equal(link_moved(p.link), "/dev/ttyWSN2");
	assert_reads(&p, &a);

	/* Ours does not come: it was exchanged. */
	adapter_unplug(&a);
	until_state(&p, LINK_WAITING);
	until_state(&p, LINK_UP);
	assert_true(loop_now(&p) - link_since(p.link) < CLOCK_SECOND);
	assert_string_equal(link_moved(p.link), "");
	assert_reads(&p, &b);
	adapter_unplug(&b);
	link_free(p.link);
}

static void of_two_with_one_serial_number_none_is_followed(void **state)
{
	struct loop p = { 0 };
	struct adapter a, b;

	(void)state;
	if (!hide_sysfs())
		skip();
	a = adapter_plug("ttyWSN0", "0001");
	b = adapter_plug("ttyWSN1", "0001");
	p.link = must_open("/dev/ttyWSN0");
	adapter_unplug(&a);
	until_state(&p, LINK_WAITING);
	assert_waits(&p, 20);
	a = adapter_plug("ttyWSN0", "0001");
	until_state(&p, LINK_UP);
	assert_reads(&p, &a);
	link_free(p.link);
	adapter_unplug(&a);
	adapter_unplug(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_adapter_is_found_again_under_another_name),
		cmocka_unit_test(of_two_with_one_serial_number_none_is_followed),
		cmocka_unit_test(a_serial_port_is_set_up_unplugged_and_taken_up_again),
	};

	alarm(PATIENCE);
	return cmocka_run_group_tests_name("link_serial", tests, make_scratch, remove_scratch);
}
