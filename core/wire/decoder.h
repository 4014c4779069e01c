/*
 * decoder: what a packet format fills in. Private to core/wire.
 *
 * A decoder's state begins with struct wire; wire_new allocates `size` zeroed bytes, sets sink and
 * code, and calls init; release follows an init that failed, too. wire_feed counts stats.bytes,
 * feed does not.
 */
#ifndef WSNTOP_WIRE_DECODER_H
#define WSNTOP_WIRE_DECODER_H

#include "core/wire/wire.h"

struct wire_ops {
	size_t size;
	int (*init)(struct wire *w, const struct wire_options *o, struct err *err);
	void (*release)(struct wire *w);
	void (*feed)(struct wire *w, const uint8_t *data, size_t n);
	void (*flush)(struct wire *w, bool end);
	void (*set_code)(struct wire *w);		/* may be NULL: w->code changed */
	const char *(*name)(const struct wire *w);	/* may be NULL: the table's */
	void (*stats)(const struct wire *w, struct wire_stats *stats);	/* may be NULL: w->stats */
};

struct wire {
	const struct wire_ops *ops;
	const char *name;
	struct wire_sink sink;
	const struct codemap *code;	/* NULL: none */
	struct wire_stats stats;
	char note[160];
};

extern const struct wire_ops wire_auto_ops, wire_wsn_ops, wire_prof_ops, wire_gprof_ops, wire_gprof_hex_ops;

#endif
