/*
 * Why a source cannot be opened: the sentences on standard error.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/link/cures.h"
#include "core/link/holders.h"
#include "core/link/link_ops.h"

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
		err_set(err, ERR_ABSENT, "no such port; available: %s", buf_str(&list));
	else
		err_set(err, ERR_ABSENT, "no such port, and no other: is the node connected?");
	buf_release(&list);
	return ERR_ABSENT;
}

/* From the list of ports, or from the file itself. */
static int say_denied(const char *path, struct err *err)
{
	struct cure_facts f = { .vendor = 0 };
	struct link_port port;
	char cure[320];
	struct stat st;

	if (stat(path, &st) < 0)
		return err_set(err, ERR_IO, "permission denied: you need read access");
	if (link_port_at(path, &port)) {
		f.vendor = port.vendor;
		f.product = port.product;
	}
	cures_look(&f, &st);
	cures_denied(&f, cure, sizeof(cure));
	return err_set(err, ERR_IO, "%s", cure);
}

static int say_busy(const struct link *l, const char *path, struct err *err)
{
	char real[PATH_MAX];
	struct holder h = { .device = real };

	if (l->starting && realpath(path, real))
		holders_find("", &h, 1);
	if (h.who[0])
		return err_set(err, ERR_IO, "busy: in use by %s; close it first", h.who);
	if (l->starting && strstr(path, "ttyACM") && holders_runs("", "ModemManager")) {
		struct link_port port = { .vendor = 0 };
		char cure[256];

		link_port_at(path, &port);
		cures_manager(port.vendor, port.product, cure, sizeof(cure));
		return err_set(err, ERR_IO, "busy: %s", cure);
	}
	return err_set(err, ERR_IO, "busy: in use by another program; close it first");
}

int link_refused(const struct link *l, const char *path, struct err *err)
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
