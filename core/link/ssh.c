/*
 * A serial port of another machine: ssh:HOST:/dev/ttyACM0, by that machine's sh, stty and cat; HOST
 * is what ssh(1) takes. Nothing is installed there, no password is asked for here (keys, an agent,
 * ~/.ssh/config).
 *
 * Whatever the login shell says first ends with our mark; the port's bytes follow. When our ssh
 * goes, however it does, the far side's input ends, and with it all that was started there.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/link/child.h"
#include "core/link/link_ops.h"

#define SSH_MARK "\036wsntop up\n"	/* it sends this when it has the port */
#define GREETING_MAX 65536		/* bytes before it; what says more is no shell */
#define CONNECT_NS (20 * CLOCK_SECOND)
#define RETRY_NS (5 * CLOCK_SECOND)	/* each is a login there */

struct ssh_own {
	struct child child;
	size_t matched, greeted;	/* bytes of the mark; bytes before it */
};

/*
 * In a subshell: the login shell leads its session, and would make the port the terminal that
 * controls it. stty of whatever system: `raw` sets the rest.
 */
static const char far_script[] =
	"d=$1; b=$2; ("
	"[ -e \"$d\" ] || { echo \"$d is not there\" >&2; exit 1; }; "
	"[ -c \"$d\" ] || { echo \"$d is no serial port\" >&2; exit 1; }; "
	"[ -r \"$d\" ] && [ -w \"$d\" ] || "
	"{ echo \"$d: permission denied there: ls -l $d names its group\" >&2; exit 1; }; "
	"exec 3<>\"$d\" 4<&0 || exit; "
	"stty \"$b\" raw -echo clocal <&3 || exit; "
	"printf '\\036wsntop up\\n'; "
	"{ cat <&4 >&3; kill 0; } & "
	"cat <&3; echo \"$d went away\" >&2; kill 0); exit";

/* As one word of a shell's, whatever is in it. */
static void word_add(struct buf *b, const char *text)
{
	buf_adds(b, "'");
	for (; *text; text++) {
		if (*text == '\'')
			buf_adds(b, "'\\''");
		else
			buf_addc(b, *text);
	}
	buf_adds(b, "'");
}

/* HOST and DEVICE of l->where, which is cut in two; NULL with the sentence. */
static const char *device_split(char *host, struct err *err)
{
	char *colon = strstr(host, ":/");

	if (!colon || colon == host || *host == '-') {
		err_set(err, ERR_USAGE, "expected a host and a port of it, such as "
			"ssh:gateway:/dev/ttyACM0");
		return NULL;
	}
	*colon = '\0';
	return colon + 1;
}

static int far_start(struct link *l, char *host, const char *device, struct err *err)
{
	struct buf far = BUF_INIT;
	char rate[16];
	const char *argv[] = {
		"ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=15",
		"-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3",
		"-o", "LogLevel=ERROR", "--", host, NULL, NULL,
	};
	struct child_start start = { .path = "ssh", .argv = (char *const *)argv, .apart = true };
	struct ssh_own *o = l->own;
	int ret;

	snprintf(rate, sizeof(rate), "%ld", l->options.baud);
	buf_adds(&far, "exec sh -c ");
	word_add(&far, far_script);
	buf_adds(&far, " sh ");
	word_add(&far, device);
	buf_addf(&far, " %s", rate);
	argv[sizeof(argv) / sizeof(*argv) - 2] = far.failed ? NULL : far.data;
	o->matched = o->greeted = 0;
	ret = far.failed ? err_set(err, ERR_NOMEM, "out of memory") :
			   child_start(&o->child, &start, &l->fd, err);
	buf_release(&far);
	return ret;
}

static int ssh_open(struct link *l, struct err *err)
{
	char *host = mem_strdup(l->where);
	const char *device;
	int ret;

	if (!l->own)
		l->own = mem_zalloc(sizeof(struct ssh_own));
	if (!host || !l->own) {
		mem_free(host);
		return err_set(err, ERR_NOMEM, "out of memory");
	}
	device = device_split(host, err);
	ret = device ? far_start(l, host, device, err) : ERR_USAGE;
	l->connecting = ret == 0;
	l->baud = l->options.baud;
	mem_free(host);
	return ret;
}

/* Why it ended: its last line, ssh's own or the far side's. */
static void ssh_why(struct link *l, struct err *why)
{
	struct ssh_own *o = l->own;
	char said[512], *line;
	size_t n;

	child_end(&o->child, false, said, sizeof(said));
	for (n = strlen(said); n && strchr("\r\n ", said[n - 1]); n--)
		said[n - 1] = '\0';
	line = strrchr(said, '\n');
	line = line ? line + 1 : said;
	err_clear(why);
	err_set(why, ERR_ABSENT, "%s", *line ? line : "ssh ended");
}

/* Byte by byte: what follows the mark is the port's. */
static int ssh_finish(struct link *l, struct err *err)
{
	static const char mark[] = SSH_MARK;
	struct ssh_own *o = l->own;
	uint8_t byte;
	ssize_t n;

	while ((n = child_read(l->fd, &byte, 1)) > 0) {
		o->matched = byte == (uint8_t)mark[o->matched] ? o->matched + 1 :
			     byte == (uint8_t)mark[0];
		if (!mark[o->matched])
			return 0;
		if (++o->greeted > GREETING_MAX)
			return err_set(err, ERR_ABSENT, "it sends other things than a port's "
				       "bytes: is there a shell?");
	}
	if (n == 0)
		return 1;
	ssh_why(l, err);
	return ERR_ABSENT;
}

static ssize_t ssh_read(struct link *l, uint8_t *buf, size_t size, uint64_t *time_ns)
{
	ssize_t n = child_read(l->fd, buf, size);

	(void)time_ns;
	if (n != LINK_EOF)
		return n;
	ssh_why(l, &l->why);
	return LINK_GONE;
}

static ssize_t ssh_write(struct link *l, const uint8_t *data, size_t n)
{
	return child_write(l->fd, data, n);
}

static void ssh_close(struct link *l)
{
	child_end(&((struct ssh_own *)l->own)->child, true, NULL, 0);
}

static void ssh_release(struct link *l)
{
	mem_free(l->own);
	l->own = NULL;
}

const struct link_ops link_ssh = {
	.kind = "ssh",
	.gone = "ssh ended",
	.live = true,
	.patience = { .connect_ns = CONNECT_NS, .retry_ns = RETRY_NS },
	.greets = true,
	.open = ssh_open,
	.finish = ssh_finish,
	.read = ssh_read,
	.write = ssh_write,
	.close = ssh_close,
	.release = ssh_release,
};
