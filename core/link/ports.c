/*
 * What ports there are, and why one cannot be had: the sentences that a newcomer reads first.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <libserialport.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/text.h"
#include "core/link/link_ops.h"

/* --- the list --------------------------------------------------------------------------------- */

static int compare_ports(const void *a, const void *b)
{
	struct sp_port *const *x = a, *const *y = b;
	int usb_x = sp_get_port_transport(*x) == SP_TRANSPORT_USB;
	int usb_y = sp_get_port_transport(*y) == SP_TRANSPORT_USB;

	if (usb_x != usb_y)
		return usb_y - usb_x;
	return strverscmp(sp_get_port_name(*x), sp_get_port_name(*y));
}

/* "FTDI FT232R USB UART, A50285BI", or what the driver calls it. The words are the device's own. */
static void describe(struct sp_port *port, char *dst, size_t size)
{
	const char *maker = sp_get_port_usb_manufacturer(port);
	const char *product = sp_get_port_usb_product(port);
	const char *serial = sp_get_port_usb_serial(port);
	const char *words = sp_get_port_description(port);
	char raw[256];

	if (product)
		snprintf(raw, sizeof(raw), "%s%s%s%s%s", maker ? maker : "", maker ? " " : "",
			 product, serial ? ", " : "", serial ? serial : "");
	else
		snprintf(raw, sizeof(raw), "%s", words ? words : "");
	text_visible(dst, size, raw, strlen(raw));
}

size_t link_ports(struct link_port *ports, size_t max)
{
	struct sp_port **list;
	size_t n = 0, i;

	if (sp_list_ports(&list) != SP_OK)
		return 0;
	while (list[n])
		n++;
	qsort(list, n, sizeof(*list), compare_ports);
	for (i = 0; i < n && i < max; i++) {
		const char *path = sp_get_port_name(list[i]);

		text_visible(ports[i].path, sizeof(ports[i].path), path, strlen(path));
		describe(list[i], ports[i].what, sizeof(ports[i].what));
		ports[i].usable = access(path, R_OK | W_OK) == 0;
	}
	sp_free_port_list(list);
	return n;
}

/* --- who has it ------------------------------------------------------------------------------- */

/* Call with each process's number until one call returns true. */
static bool each_process(bool (*call)(const char *pid, void *arg), void *arg)
{
	DIR *proc = opendir("/proc");
	struct dirent *e;
	bool found = false;

	while (proc && !found && (e = readdir(proc)))
		found = isdigit((unsigned char)e->d_name[0]) && call(e->d_name, arg);
	if (proc)
		closedir(proc);
	return found;
}

/* The beginning of a small file below /proc/PID/, NUL-terminated. */
static bool read_proc(const char *pid, const char *name, char *dst, size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%.16s/%s", pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, dst, size - 1);
	close(fd);
	dst[n > 0 ? n : 0] = '\0';
	return n > 0;
}

struct who {
	char *dst;
	size_t size;
	dev_t tty;			/* wanted: its session */
	const char *path;		/* wanted: whoever has it open */
};

static bool name_process(const char *pid, struct who *w)
{
	char comm[32] = "";

	read_proc(pid, "comm", comm, sizeof(comm));
	comm[strcspn(comm, "\n")] = '\0';
	snprintf(w->dst, w->size, "%s (pid %.16s)", *comm ? comm : "a program", pid);
	return true;
}

/* proc(5), stat: pid (comm) state ppid pgrp session tty_nr; comm may hold anything. */
static bool has_session(const char *pid, void *arg)
{
	struct who *w = arg;
	char stat[256], *behind;
	int tty;

	if (!read_proc(pid, "stat", stat, sizeof(stat)) || !(behind = strrchr(stat, ')')) ||
	    sscanf(behind, ") %*c %*d %*d %*d %d", &tty) != 1)
		return false;
	/* The kernel's new_encode_dev() lays 32 bits out as glibc's dev_t begins. */
	return tty && (unsigned)tty == ((unsigned)w->tty & 0xffffffffu) && name_process(pid, w);
}

bool port_session(dev_t tty, char *who, size_t size)
{
	return each_process(has_session, &(struct who){ .dst = who, .size = size, .tty = tty });
}

static bool has_open(const char *pid, void *arg)
{
	struct who *w = arg;
	char dir[64], target[PATH_MAX];
	struct dirent *e;
	bool found = false;
	DIR *fds;

	snprintf(dir, sizeof(dir), "/proc/%.16s/fd", pid);
	fds = opendir(dir);		/* other users' are closed to us */
	while (fds && !found && (e = readdir(fds))) {
		ssize_t n = readlinkat(dirfd(fds), e->d_name, target, sizeof(target) - 1);

		if (n <= 0)
			continue;
		target[n] = '\0';
		found = strcmp(target, w->path) == 0;
	}
	if (fds)
		closedir(fds);
	return found && atol(pid) != (long)getpid() && name_process(pid, w);
}

/* --- why it cannot be had --------------------------------------------------------------------- */

static int say_absent(const struct link *l, const char *path, struct err *err)
{
	struct link_port ports[4];
	struct buf list = BUF_INIT;
	size_t n, i;

	if (strncmp(path, "/dev/", 5) != 0)
		return err_set(err, ERR_ABSENT, "no such file or port");
	if (!l->starting)
		return err_set(err, ERR_ABSENT, "no such port");
	n = link_ports(ports, 4);
	for (i = 0; i < n && i < 4; i++)
		buf_addf(&list, "%s%s", i ? ", " : "", ports[i].path);
	if (n > 4)
		buf_adds(&list, ", ...");
	if (n)
		err_set(err, ERR_ABSENT, "no such port: there is %s", buf_str(&list));
	else
		err_set(err, ERR_ABSENT, "no such port, nor any other: is the node plugged in?");
	buf_release(&list);
	return ERR_ABSENT;
}

static int say_denied(const char *path, struct err *err)
{
	const struct group *g;
	struct stat st;

	if (stat(path, &st) < 0 || !S_ISCHR(st.st_mode))
		return err_set(err, ERR_IO, "permission denied: it must be readable for you");
	g = st.st_mode & S_IRGRP && st.st_gid ? getgrgid(st.st_gid) : NULL;
	if (!g)
		return err_set(err, ERR_IO, "permission denied: it is open to its owner alone");
	return err_set(err, ERR_IO, "permission denied: add yourself to group %s "
		       "(sudo usermod -aG %s $USER) and log in again", g->gr_name, g->gr_name);
}

static int say_busy(const struct link *l, const char *path, struct err *err)
{
	char real[PATH_MAX], who[64];
	struct who w = { .dst = who, .size = sizeof(who), .path = real };

	if (l->starting && realpath(path, real) && each_process(has_open, &w))
		return err_set(err, ERR_IO, "busy: %s holds it, close that first", who);
	return err_set(err, ERR_IO, "busy: another program holds it, close that first");
}

int port_refused(const struct link *l, const char *path, struct err *err)
{
	switch (errno) {
	case ENOENT:
	case ENOTDIR:
	case ENXIO:
	case ENODEV:
		return say_absent(l, path, err);
	case EACCES:
	case EPERM:
		return say_denied(path, err);
	case EBUSY:
		return say_busy(l, path, err);
	default:
		return err_set(err, ERR_IO, "%s", strerror(errno));
	}
}
