/*
 * The serial ports in /sys/class/tty, with the descriptions of their USB devices, the programs
 * that hold them, and why one cannot be opened.
 */
#include <dirent.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/os.h"
#include "core/base/text.h"
#include "core/link/cures.h"
#include "core/link/holders.h"
#include "core/link/link.h"

enum { PATH = 512, USB_UP = 6, PORTS = 64 };

/* --- /sys ------------------------------------------------------------------------------------- */

/* An attribute's first line, made visible. "" when there is none. */
static void attribute_read(const char *dir, const char *name, char *dst, size_t size)
{
	char path[PATH + 64], raw[128];
	ssize_t n = -1;
	int fd;

	dst[0] = '\0';
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0) {
		n = read(fd, raw, sizeof(raw) - 1);
		close(fd);
	}
	if (n <= 0)
		return;
	raw[n] = '\0';
	raw[strcspn(raw, "\n")] = '\0';
	text_visible(dst, size, raw, strlen(raw));
}

static unsigned attribute_hex(const char *dir, const char *name)
{
	char text[16];

	attribute_read(dir, name, text, sizeof(text));
	return (unsigned)strtoul(text, NULL, 16);
}

/*
 * "FTDI FT232R USB UART, A50285BI", from the USB device whose folder this is; and the id by which
 * it is recognized: its numbers, serial number and, where it has several ports, the interface.
 */
static void describe_usb(struct link_port *p, const char *device, const char *interface)
{
	char maker[48], product[64], serial[48];

	attribute_read(device, "manufacturer", maker, sizeof(maker));
	attribute_read(device, "product", product, sizeof(product));
	attribute_read(device, "serial", serial, sizeof(serial));
	p->vendor = attribute_hex(device, "idVendor");
	p->product = attribute_hex(device, "idProduct");
	snprintf(p->what, sizeof(p->what), "%s%s%s%s%s", maker, *maker && *product ? " " : "",
		 product, *serial && (*maker || *product) ? ", " : "", serial);
	if (!*p->what)
		snprintf(p->what, sizeof(p->what), "USB %04x:%04x", p->vendor, p->product);
	if (*serial)
		snprintf(p->id, sizeof(p->id), "usb:%04x:%04x:%s:%s", p->vendor, p->product, serial,
			 interface);
}

/* Up from the port's device to the USB device, if there is one. */
static bool find_usb(struct link_port *p, const char *device)
{
	char dir[PATH_MAX], interface[8] = "";

	if (!realpath(device, dir))
		return false;
	for (int up = 0; up < USB_UP; up++) {
		char numbers[16], *slash = strrchr(dir, '/');

		attribute_read(dir, "idVendor", numbers, sizeof(numbers));
		if (*numbers) {
			describe_usb(p, dir, interface);
			return true;
		}
		if (!*interface)
			attribute_read(dir, "bInterfaceNumber", interface, sizeof(interface));
		if (!slash || slash == dir)
			return false;
		*slash = '\0';
	}
	return false;
}

/*
 * A port of the board itself: its driver's name. PC kernels always list four; most do not exist.
 */
static bool describe_other(struct link_port *p, const char *dir)
{
	char type[8], link[PATH + 64], driver[PATH];
	ssize_t n;

	attribute_read(dir, "type", type, sizeof(type));
	if (strcmp(type, "0") == 0)
		return false;
	snprintf(link, sizeof(link), "%s/device/driver", dir);
	n = readlink(link, driver, sizeof(driver) - 1);
	driver[n > 0 ? n : 0] = '\0';
	/* Linux 6.6 has a layer in between, without information. */
	if (strcmp(text_basename(driver), "port"))
		text_visible(p->what, sizeof(p->what), text_basename(driver),
			     strlen(text_basename(driver)));
	return true;
}

/* A terminal is a port when a device is behind it: consoles and ptys have none. */
static bool port_describe(const char *root, const char *name, struct link_port *p)
{
	char dir[PATH], device[PATH + 16];

	*p = (struct link_port){ .usable = false };
	if (snprintf(p->path, sizeof(p->path), "/dev/%s", name) >= (int)sizeof(p->path))
		return false;
	if (snprintf(dir, sizeof(dir), "%s/sys/class/tty/%s", root, name) >= (int)sizeof(dir))
		return false;
	snprintf(device, sizeof(device), "%s/device", dir);
	if (access(device, F_OK) < 0)
		return false;
	return find_usb(p, device) || describe_other(p, dir);
}

/* --- the list --------------------------------------------------------------------------------- */

static int compare_ports(const void *a, const void *b)
{
	const struct link_port *x = a, *y = b;

	if (!x->vendor != !y->vendor)
		return !x->vendor - !y->vendor;
	return strverscmp(x->path, y->path);
}

/* Where there is no /sys (core/base/os.h): by their names alone. */
static size_t list_matching(const char *pattern, struct link_port *ports, size_t max)
{
	glob_t found;
	size_t n = 0;

	if (glob(pattern, 0, NULL, &found) != 0)
		return 0;
	for (size_t i = 0; i < found.gl_pathc && n < max; i++) {
		ports[n] = (struct link_port){ .usable = false };
		if (snprintf(ports[n].path, sizeof(ports[n].path), "%s", found.gl_pathv[i]) <
		    (int)sizeof(ports[n].path))
			n++;
	}
	globfree(&found);
	return n;
}

static size_t list_devices(const char *root, struct link_port *ports, size_t max)
{
	char path[PATH];
	struct dirent *e;
	size_t n = 0;
	DIR *dir;

	if (os_ports)
		return list_matching(os_ports, ports, max);
	snprintf(path, sizeof(path), "%s/sys/class/tty", root);
	dir = opendir(path);
	while (dir && n < max && (e = readdir(dir)))
		if (e->d_name[0] != '.' && port_describe(root, e->d_name, &ports[n]))
			n++;
	if (dir)
		closedir(dir);
	qsort(ports, n, sizeof(*ports), compare_ports);
	return n;
}

/* WSNTOP_PORTS: "/dev/pts/3:/dev/pts/4", as the user wants it. */
static size_t list_named(const char *names, struct link_port *ports, size_t max)
{
	size_t n = 0;

	while (*names && n < max) {
		size_t len = strcspn(names, ":");

		if (len && len < sizeof(ports[n].path)) {
			ports[n] = (struct link_port){ .usable = false };
			text_visible(ports[n].path, sizeof(ports[n].path), names, len);
			n++;
		}
		names += len + (names[len] == ':');
	}
	return n;
}

static void find_cure(const char *root, struct link_port *p)
{
	struct cure_facts f = { .vendor = p->vendor, .product = p->product };
	char path[PATH];
	struct stat st;

	snprintf(path, sizeof(path), "%s%s", root, p->path);
	p->usable = access(path, R_OK | W_OK) == 0;
	p->absent = stat(path, &st) < 0;
	if (p->absent) {
		snprintf(p->cure, sizeof(p->cure), "no such port");
	} else if (!p->usable) {
		cures_look(&f, &st);
		cures_denied(&f, p->cure, sizeof(p->cure));
	}
}

static void find_holders(const char *root, struct link_port *ports, size_t n)
{
	struct holder holders[PORTS];
	char real[PORTS][64];
	bool manager = n && holders_runs(root, "ModemManager");

	for (size_t i = 0; i < n; i++) {
		char path[PATH_MAX];
		bool is = !*root && realpath(ports[i].path, path) && strlen(path) < sizeof(real[i]);

		snprintf(real[i], sizeof(real[i]), "%.63s", is ? path : ports[i].path);
		holders[i].device = real[i];
	}
	holders_find(root, holders, n);
	for (size_t i = 0; i < n; i++) {
		struct link_port *p = &ports[i];

		snprintf(p->held, sizeof(p->held), "%s", holders[i].who);
		if (manager && !*p->cure && strncmp(p->path, "/dev/ttyACM", 11) == 0)
			cures_manager(p->vendor, p->product, p->cure, sizeof(p->cure));
	}
}

size_t link_ports_below(const char *root, const char *named, struct link_port *ports, size_t max)
{
	struct link_port all[PORTS];
	size_t n = named && *named ? list_named(named, all, PORTS) : list_devices(root, all, PORTS);
	size_t kept = n < max ? n : max;

	for (size_t i = 0; i < kept; i++)
		find_cure(root, &all[i]);
	find_holders(root, all, kept);
	if (kept)
		memcpy(ports, all, kept * sizeof(*ports));
	return n;
}

size_t link_ports(struct link_port *ports, size_t max)
{
	return link_ports_below("", getenv("WSNTOP_PORTS"), ports, max);
}

/* Who holds them is not asked: that takes a walk through all processes. */
bool link_port_of(const char *id, char *path, size_t size)
{
	struct link_port ports[PORTS];
	size_t n = list_devices("", ports, PORTS), found = 0;

	for (size_t i = 0; i < n; i++) {
		if (!*id || strcmp(ports[i].id, id))
			continue;
		found++;
		snprintf(path, size, "%s", ports[i].path);
	}
	return found == 1;
}

void link_port_id(const char *path, char *id, size_t size)
{
	struct link_port port;

	*id = '\0';
	if (!os_ports && !strncmp(path, "/dev/", 5) && port_describe("", path + 5, &port))
		snprintf(id, size, "%s", port.id);
}

bool link_port_at(const char *path, struct link_port *port)
{
	struct link_port ports[PORTS];
	char real[PATH_MAX], other[PATH_MAX];
	size_t n = link_ports(ports, PORTS);

	if (!realpath(path, real))
		return false;
	for (size_t i = 0; i < n && i < PORTS; i++) {
		if (realpath(ports[i].path, other) && strcmp(real, other) == 0) {
			*port = ports[i];
			return true;
		}
	}
	return false;
}
