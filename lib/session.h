/*
 * session: what include/wsntop.h's handles are, for the files of this folder.
 */
#ifndef WSNTOP_LIB_SESSION_H
#define WSNTOP_LIB_SESSION_H

#include <signal.h>

#include "core/base/arena.h"
#include "core/export/export.h"
#include "core/node/nodes.h"
#include "core/profile/look/context.h"
#include "core/profile/look/rows.h"
#include "include/wsntop.h"

enum { SESSION_LIST = 64 };		/* ELFs, or what is watched */

/* The values of wsntop_set. Strings are the arena's. */
struct session_settings {
	struct node_options node;
	const char *elfs[SESSION_LIST], *watches[SESSION_LIST];
	struct export_values values;
	struct rows_order order;
	struct regex *filter;			/* owned */
};

struct wsntop {
	struct nodes nodes;
	struct wsntop_node **handles;		/* as many as nodes.count that are known so far */
	size_t handle_count, handle_cap;
	struct session_settings settings;
	struct profile *baseline;		/* owned; NULL: none */
	struct arena arena;
	struct err err;
	volatile sig_atomic_t stop;
};

struct wsntop_node {
	struct wsntop *session;
	struct node *node;
	struct contexts contexts;		/* of the last wsntop_compute */
	struct rows rows;
	char warning[400];
};

/* Forgets the error of an earlier call; its err, to be filled in by the call that begins. */
struct err *session_err(struct wsntop *w);

/* What an export of it says, by the session's settings. Computes. */
int session_source(struct wsntop_node *n, struct export_source *s);

/* 0 or ERR_USAGE with the sentence. */
int settings_set(struct wsntop *w, const char *name, const char *value);

#endif
