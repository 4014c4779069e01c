/* scheme: see scheme.h. */
#include "core/link/scheme.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/link/link_ops.h"
#include "core/link/source.h"

#define DEFAULT_BAUD 115200

static const struct link_ops *look_path(const struct link *l, struct err *err)
{
	struct stat st;

	if (stat(l->where, &st) < 0) {
		if (l->id[0] && errno == ENOENT)
			return &link_serial;	/* its adapter may have another name now */
		link_refused(l, l->where, err);
		return NULL;
	}
	switch (st.st_mode & S_IFMT) {
	case S_IFCHR:
		return &link_serial;
	case S_IFREG:
	case S_IFDIR:			/* of parts */
	case S_IFIFO:
		return &link_file;
	case S_IFSOCK:
		return &link_unix;
	default:
		err_set(err, ERR_USAGE, "not a port, file or socket");
		return NULL;
	}
}

static const struct link_ops *look_device(const struct link *l, struct err *err)
{
	const struct link_ops *ops = look_path(l, err);

	if (!ops || ops == &link_serial)
		return ops;
	err_set(err, ERR_USAGE, "not a serial port: remove serial: from its name");
	return NULL;
}

static const struct link_ops *look_file(const struct link *l, struct err *err)
{
	const struct link_ops *ops = look_path(l, err);

	if (!ops || ops == &link_file)
		return ops;
	err_set(err, ERR_USAGE, "not a file: remove file: from its name");
	return NULL;
}

/* A port of a probe that speaks the protocol itself (Black Magic Probe), or a server's. */
static const struct link_ops *look_gdb(const struct link *l, struct err *err)
{
	return l->where[0] == '/' ? look_path(l, err) : &link_tcp;
}

static const struct link_scheme schemes[] = {
	{ .prefix = "-", .whole = true, .ops = &link_stdin },
	{ .prefix = "serial:", .known = "baud", .ops = &link_serial, .look = look_device,
	  .example = "serial:/dev/ttyUSB0" },
	{ .prefix = "tcp:", .ops = &link_tcp, .example = "tcp:localhost:4000" },
	{ .prefix = "openocd:", .known = "hz clock stops", .ops = &link_tcp, .format = "openocd",
	  .port = "6666" },
	{ .prefix = "gdb:", .known = "hz stop watch attach baud clock", .ops = &link_tcp,
	  .format = "gdb", .port = "3333", .look = look_gdb },
	{ .prefix = "simavr:", .known = "pace for trace uart", .ops = &link_process,
	  .format = "sim", .example = "simavr:atmega1284p@8M" },
	{ .prefix = "qemu:", .known = "pace for trace semihosting uart", .ops = &link_process,
	  .format = "sim", .example = "qemu:mps2-an385" },
	{ .prefix = "ssh:", .known = "baud", .ops = &link_ssh,
	  .example = "ssh:gateway:/dev/ttyACM0" },
	{ .prefix = "mqtt://", .ops = &link_broker, .format = "wsn" },
	{ .prefix = "mqtts://", .ops = &link_broker, .format = "wsn" },
	{ .prefix = "udp:", .ops = &link_udp, .format = "wsn", .example = "udp:5683" },
	{ .prefix = "uart:", .ops = &link_uart },
	{ .prefix = "unix:", .ops = &link_unix },
	{ .prefix = "file:", .ops = &link_file, .look = look_file },
	{ .prefix = "", .ops = &link_serial, .look = look_path },
};

/* What stands behind the prefix is a source of its own: only what it speaks is known. */
struct link_speech {
	const char *prefix;
	const char *known;		/* options, at the end of all */
	const char *format;
	long baud;			/* where none is named; 0: as always */
	bool listens;			/* the rate is looked for, beginning with that */
};

static const struct link_speech speeches[] = {
	{ "swo:", "baud clock setup chip trace stops", "itm", 2000000, true },
	{ "ppk2:", "mode mv", "ppk2", 0 },
	{ "lpm01a:", "baud hz mv", "lpm01a", 3686400 },
	{ "text:", "baud unit column time time_unit separator hz", "text", 0 },
};

static const struct link_speech *find_speech(const char *source)
{
	for (size_t i = 0; i < sizeof(speeches) / sizeof(*speeches); i++) {
		if (text_begins(source, speeches[i].prefix))
			return &speeches[i];
	}
	return NULL;
}

static const struct link_scheme *find_scheme(const char *source)
{
	const struct link_scheme *s = schemes;

	for (;; s++) {			/* the last row takes anything */
		size_t n = strlen(s->prefix);

		if (strncmp(source, s->prefix, n) == 0 &&
		    (!s->whole || !source[n] || source[n] == '?'))
			return s;
	}
}

const char *link_inner(const char *source)
{
	const struct link_speech *s = find_speech(source);

	return s ? source + strlen(s->prefix) : source;
}

/* Its options are cut off `where`. */
static int query_take(struct link *l, char *where, struct err *err)
{
	const struct link_speech *speech = find_speech(l->name);
	const char *known = speech ? speech->known : l->scheme->known;
	const char *prefix = speech ? speech->prefix : l->scheme->prefix;
	char *query = known ? strrchr(where, '?') : NULL;
	double baud;

	if (!query)
		return 0;
	if (source_check(query, prefix, known, err) < 0)
		return ERR_USAGE;
	baud = source_number(query, "baud");
	if (strstr(query, "baud=") && (baud < 1 || baud > INT_MAX || baud != floor(baud)))
		return err_set(err, ERR_USAGE, "expected %sDEVICE?baud=NUMBER, not %s",
			       prefix, query);
	*query = '\0';
	l->rated = baud > 0;
	if (baud > 0)
		l->options.baud = (long)baud;
	return 0;
}

const char *link_format(const char *source)
{
	const struct link_scheme *s = find_scheme(source);
	const struct link_speech *speech = find_speech(source);
	char uart[8];

	if (speech)
		return speech->format;
	return s->ops == &link_process && source_option(source, "uart", uart, sizeof(uart)) &&
		       strcmp(uart, "both") != 0 ? "wsn" : s->format;
}

/* HOST:PORT of what may lack either; NULL: out of memory. */
static char *host_fill(const char *where, const char *port)
{
	struct buf b = BUF_INIT;
	bool bracketed = *where == '[' && where[strlen(where) - 1] == ']';

	if (!*where || *where == ':')
		buf_adds(&b, "localhost");
	buf_adds(&b, where);
	if (bracketed || !strchr(where, ':'))
		buf_addf(&b, ":%s", port);
	return buf_detach(&b);
}

/* Nobody gave a rate. A chip that is set up by us sends at ours: it need not be found. */
static void baud_choose(struct link *l)
{
	const struct link_speech *speech = find_speech(l->name);
	char setup[8];

	l->rated |= speech && speech->listens;
	l->unsaid = l->options.baud <= 0 && !(speech && speech->baud && !speech->listens) &&
		    !(speech && source_option(l->name, "setup", setup, sizeof(setup)));
	if (l->options.baud <= 0)
		l->options.baud = l->options.likely > 0 && l->unsaid ? l->options.likely :
				  speech && speech->baud ? speech->baud : DEFAULT_BAUD;
}

int scheme_parse(struct link *l, struct err *err)
{
	const char *source = link_inner(l->name);
	char *where;
	int ret;

	l->scheme = find_scheme(source);
	l->ops = l->scheme->ops;
	where = mem_strdup(source + strlen(l->scheme->prefix));
	if (!where)
		return err_set(err, ERR_NOMEM, "out of memory");
	ret = query_take(l, where, err);
	l->where = l->scheme->port && *where != '/' ? host_fill(where, l->scheme->port) :
						      mem_strdup(where);
	mem_free(where);
	if (ret < 0)
		return ret;
	if (!l->where)
		return err_set(err, ERR_NOMEM, "out of memory");
	if (!*l->where && !l->scheme->whole)
		return err_set(err, ERR_USAGE, "a name is missing%s%s",
			       l->scheme->example ? ": expected for example " : "",
			       l->scheme->example ? l->scheme->example : "");
	if (*l->where && l->scheme->whole)
		return err_set(err, ERR_USAGE, "%s takes no options", l->scheme->prefix);
	l->rated |= l->scheme->ops == &link_serial && *l->scheme->prefix;
	baud_choose(l);
	return 0;
}
