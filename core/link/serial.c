/*
 * Serial ports, through libserialport: any baud rate, raw 8N1, no flow control. Only its set-up is
 * used. Its blocking reads spin when an adapter is pulled out, so the descriptor is polled and read
 * here (link_tty_read).
 */
#include <errno.h>
#include <fcntl.h>
#include <libserialport.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/link/link_ops.h"

static int serial_baud(struct sp_port *port)
{
	struct sp_port_config *config;
	int baud = 0;

	if (sp_new_config(&config) != SP_OK)
		return 0;
	if (sp_get_config(port, config) != SP_OK ||
	    sp_get_config_baudrate(config, &baud) != SP_OK)
		baud = 0;
	sp_free_config(config);
	return baud > 0 ? baud : 0;
}

/* A UART samples within 2 % of its peer's rate or reads garbage. */
static bool is_near(long asked, long runs)
{
	return labs(asked - runs) <= asked / 50;
}

static int serial_rate(struct link *l, struct sp_port *port, struct err *err)
{
	int baud = (int)l->options.baud;

	errno = EINVAL;			/* libserialport may refuse unasked */
	if (sp_set_baudrate(port, baud) != SP_OK)
		return err_errno(err, "the driver refuses %d baud", baud);
	/* Some drivers accept a rate and run another. */
	l->baud = serial_baud(port);
	if (l->baud && !is_near(baud, l->baud))
		err_set(&l->why, ERR_IO, "%d baud requested, the driver uses %ld", baud, l->baud);
	return 0;
}

static int serial_set_baud(struct link *l, struct err *err)
{
	int ret = serial_rate(l, l->own, err);

	sp_flush(l->own, SP_BUF_INPUT);
	return ret;
}

static int serial_setup(struct link *l, struct sp_port *port, struct err *err)
{
	errno = EINVAL;
	if (sp_set_bits(port, 8) != SP_OK || sp_set_parity(port, SP_PARITY_NONE) != SP_OK ||
	    sp_set_stopbits(port, 1) != SP_OK ||
	    sp_set_flowcontrol(port, SP_FLOWCONTROL_NONE) != SP_OK)
		return err_errno(err, "cannot be set to 8N1");
	return serial_rate(l, port, err);
}

static int serial_claim(struct link *l, struct sp_port *port, const char *path, struct err *err)
{
	int ret;

	if (sp_get_port_handle(port, &l->fd) != SP_OK)
		return err_set(err, ERR_IO, "libserialport gives no descriptor");
	fcntl(l->fd, F_SETFD, FD_CLOEXEC);	/* which libserialport 0.1.1 leaves out */
	ret = tty_claim(l, l->fd, path, err);
	return ret < 0 ? ret : serial_setup(l, port, err);
}

/* A refusal that is about the port and not about libserialport's idea of it. */
static bool is_final(int error)
{
	return error == ENOENT || error == ENXIO || error == ENODEV || error == EACCES ||
	       error == EPERM || error == EBUSY || error == EIO;
}

/* --- which adapter it is ---------------------------------------------------------------------- */

/* Adapters behind one hub come back one after the other, and take each other's names. */
#define OTHERS_NS (3 * CLOCK_SECOND)

/*
 * The adapter that was open before has another name now, if it was pulled out and in while its old
 * one was in use still, or another adapter took that. `path`: what has its name; "" nothing.
 */
static int adapter_find(struct link *l, const char *path, struct err *err)
{
	char now[sizeof(l->moved)], id[sizeof(l->id)];

	l->moved[0] = '\0';
	if (!l->id[0])
		return 0;
	if (link_port_of(l->id, now, sizeof(now))) {
		if (strcmp(now, path))
			snprintf(l->moved, sizeof(l->moved), "%s", now);
		return 0;
	}
	link_port_id(path, id, sizeof(id));
	if (*path && strcmp(id, l->id) && l->now - l->since < OTHERS_NS)
		return err_set(err, ERR_ABSENT, "another adapter has its name");
	return 0;
}

/*
 * What is opened, to be found again: by a name that the kernel gave to whatever came first. A
 * symlink is somebody's rule of what it is. Of two with one serial number none can be found.
 */
static void adapter_note(struct link *l, const char *path)
{
	char only[sizeof(l->moved)];

	l->id[0] = '\0';
	if (l->moved[0] || strcmp(l->where, path) == 0)
		link_port_id(path, l->id, sizeof(l->id));
	if (!link_port_of(l->id, only, sizeof(only)))
		l->id[0] = '\0';
}

/*
 * libserialport knows a port by the name it has in /sys/class/tty, never by a symlink's.
 */
static int serial_locate(struct link *l, char path[PATH_MAX], struct err *err)
{
	int error = 0;

	if (!realpath(l->where, path)) {
		error = errno;
		path[0] = '\0';
	}
	if (adapter_find(l, path, err) < 0)
		return ERR_ABSENT;
	if (l->moved[0])
		snprintf(path, PATH_MAX, "%s", l->moved);
	errno = error;
	return *path ? 0 : link_refused(l, l->where, err);
}

static int serial_open(struct link *l, struct err *err)
{
	char path[PATH_MAX];
	struct sp_port *port = NULL;
	int ret;

	ret = serial_locate(l, path, err);
	if (ret < 0)
		return ret;
	if (sp_get_port_by_name(path, &port) != SP_OK) {
		if (l->moved[0])
			return err_set(err, ERR_ABSENT, "no such port");
		l->ops = &link_tty;
		return l->ops->open(l, err);
	}
	errno = 0;
	if (sp_open(port, SP_MODE_READ_WRITE) != SP_OK) {
		int error = errno;

		sp_free_port(port);
		errno = error;
		if (is_final(error) || l->moved[0])
			return link_refused(l, path, err);
		l->ops = &link_tty;
		return l->ops->open(l, err);
	}
	ret = serial_claim(l, port, path, err);
	if (ret < 0) {
		sp_close(port);
		sp_free_port(port);
		l->fd = -1;
		return ret;
	}
	l->own = port;
	adapter_note(l, path);
	return 0;
}

static void serial_close(struct link *l)
{
	sp_close(l->own);
	sp_free_port(l->own);
	l->own = NULL;
	l->fd = -1;			/* was the port's */
}

const struct link_ops link_serial = {
	.kind = "serial",
	.gone = "unplugged",
	.live = true,
	.open = serial_open,
	.close = serial_close,
	.read = link_tty_read,
	.write = link_tty_write,
	.set_baud = serial_set_baud,
};
