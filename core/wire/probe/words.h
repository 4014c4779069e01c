/*
 * words: single words of a target's memory, read and written while it runs, by a debug server: its
 * protocol is one of the two below. One question is under way at a time.
 *
 *	Tcl	OpenOCD's Tcl server ("Tcl RPC server" of its manual). The target is never halted.
 *		Each answer begins with the number of its question: one that comes late is dropped.
 *	gdb	gdb's remote protocol, M and m packets. A server halts its target when a client
 *		connects; it is set going at once. Servers that answer nothing while it runs are of
 *		no use here.
 *
 * Time is the caller's: an answer that does not come in time is forgotten with words_forget().
 */
#ifndef WSNTOP_WIRE_PROBE_WORDS_H
#define WSNTOP_WIRE_PROBE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/wire/probe/rsp.h"
#include "core/wire/wire.h"

enum { WORDS_ANSWER = 256, WORDS_NUMBERS = 10000 };

enum words_protocol { WORDS_TCL, WORDS_GDB };

enum words_found {
	WORDS_NOTHING,
	WORDS_READ,			/* *word: it was asked for */
	WORDS_WRITTEN,
	WORDS_REFUSED,			/* the server's own sentence is in `answer` */
	WORDS_AGAIN,			/* something else came first: ask again */
};

struct words_question {
	uint32_t address;
	bool write;
	uint32_t value;
};

/* Starts zeroed but for the protocol. */
struct words {
	enum words_protocol protocol;
	bool asked;			/* its answer is awaited */
	bool write;			/* of a write */
	unsigned number;		/* Tcl: of the question */
	enum words_greeting {		/* gdb: what is sent next */
		WORDS_SUPPORTED, WORDS_WHY, WORDS_GO, WORDS_READY
	} greeting;
	unsigned owed;			/* gdb: acknowledgements to send, */
	bool nak_owed;
	struct rsp rsp;
	char answer[WORDS_ANSWER];
	size_t answer_n;		/* Tcl */
	uint64_t bad_bytes;
};

/* False: there was no room, or what was sent has no answer: ask again. */
bool words_ask(struct words *w, const struct words_question *q, struct wire_out *out);

/* The answer does not come. */
void words_forget(struct words *w);

enum words_found words_take(struct words *w, uint8_t byte, uint32_t *word);

/* The line went down, or ended: what was under way is over. */
void words_down(struct words *w);

/* Something is to be sent though nothing is asked: call words_ack(). */
bool words_owes(const struct words *w);
void words_ack(struct words *w, struct wire_out *out);

/* Leaves the target running. False: an answer is awaited first. As wire_leave(). */
bool words_leave(struct words *w, bool last, struct wire_out *out);

/* "OpenOCD", "the gdb server" */
const char *words_server(const struct words *w);

#endif
