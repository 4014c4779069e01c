/*
 * twin: simavr:CHIP?uart=both, qemu:MACHINE?uart=both: two nodes of one simulator. The first is
 * what it sees of the firmware; the second, uart:SOURCE, what the firmware itself sends by its
 * UART: text, and its own profile where it has the runtime. The helper has the UART as a socket.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/base/os.h"
#include "core/link/carrier_ops.h"
#include "core/link/link_ops.h"
#include "core/link/source.h"

struct twin {
	int ours, theirs;		/* of the UART; -1: given away */
	unsigned announced;
	char second[512];
};

bool twin_is(const char *source)
{
	char uart[8];

	return source_option(source, "uart", uart, sizeof(uart)) && strcmp(uart, "both") == 0 &&
	       (strncmp(source, "simavr:", 7) == 0 || strncmp(source, "qemu:", 5) == 0);
}

static int twin_open(struct carrier *c, struct err *err)
{
	struct twin *t = c->own = mem_zalloc(sizeof(*t));
	int pair[2];

	if (!t)
		return err_set(err, ERR_NOMEM, "out of memory");
	t->ours = t->theirs = -1;
	if (os_socket_pair(pair) < 0)
		return err_errno(err, "cannot start the simulator");
	t->ours = pair[0];
	t->theirs = pair[1];
	snprintf(t->second, sizeof(t->second), "uart:%s", c->source);
	return 0;
}

static void end_close(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void twin_close(struct carrier *c)
{
	struct twin *t = c->own;

	if (!t)
		return;
	end_close(&t->ours);
	end_close(&t->theirs);
	mem_free(t);
	c->own = NULL;
}

static const char *twin_next(struct carrier *c, uint64_t now)
{
	struct twin *t = c->own;
	const char *names[] = { c->source, t->second };

	(void)now;
	return t->announced < 2 ? names[t->announced++] : NULL;
}

/* The helper keeps its end alone: the second node ends with it. */
static struct link *twin_link(struct carrier *c, const char *name, const struct link_options *o,
			      struct err *err)
{
	struct twin *t = c->own;
	struct link_options with = *o;
	bool first = strcmp(name, c->source) == 0;
	struct link *l;

	with.uart = first ? &t->theirs : &t->ours;
	l = link_new(name, &with, err);
	if (first)
		end_close(&t->theirs);
	return l;
}

const struct carrier_ops carrier_twin = {
	.open = twin_open,
	.close = twin_close,
	.next = twin_next,
	.link = twin_link,
};

/* --- the second one's link -------------------------------------------------------------------- */

static int uart_open(struct link *l, struct err *err)
{
	if (!l->options.uart || *l->options.uart < 0)
		return err_set(err, ERR_USAGE, "a simulator's UART comes with ?uart=both behind "
			       "simavr: or qemu:");
	l->fd = *l->options.uart;
	*l->options.uart = -1;
	return 0;
}

static ssize_t uart_read(struct link *l, uint8_t *buf, size_t size, uint64_t *time_ns)
{
	ssize_t n = recv(l->fd, buf, size, MSG_DONTWAIT);

	(void)time_ns;
	if (n > 0)
		return n;
	return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : LINK_EOF;
}

static ssize_t uart_write(struct link *l, const uint8_t *data, size_t n)
{
	ssize_t done = send(l->fd, data, n, MSG_DONTWAIT | os_send_flags);

	if (done >= 0)
		return done;
	return errno == EAGAIN || errno == EINTR ? 0 : -1;
}

const struct link_ops link_uart = {
	.kind = "simulated UART",
	.gone = "the simulator ended",
	.live = true,
	.open = uart_open,
	.read = uart_read,
	.write = uart_write,
};
