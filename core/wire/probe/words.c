/* words: see words.h. */
#include "core/wire/probe/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/wire/decoder.h"

enum { TCL_END = 0x1a };

/* --- OpenOCD's Tcl ---------------------------------------------------------------------------- */

static bool tcl_ask(struct words *w, const struct words_question *q, struct wire_out *out)
{
	unsigned number = (w->number + 1) % WORDS_NUMBERS;
	char text[120];
	int n;

	if (q->write)
		n = snprintf(text, sizeof(text), "write_memory 0x%08" PRIx32 " 32 0x%08" PRIx32
			     "; concat %u:%c", q->address, q->value, number, TCL_END);
	else
		n = snprintf(text, sizeof(text), "concat %u: [read_memory 0x%08" PRIx32 " 32 1]%c",
			     number, q->address, TCL_END);
	if (!wire_out_add(out, text, (size_t)n))
		return false;
	w->number = number;
	return true;
}

/* Behind its number; NULL: no answer to what was asked. */
static const char *tcl_text(const struct words *w)
{
	char *end;
	unsigned long number = strtoul(w->answer, &end, 10);

	if (end == w->answer || *end != ':' || number != w->number)
		return NULL;
	return end + 1 + strspn(end + 1, " ");
}

static enum words_found tcl_answer(struct words *w, uint32_t *word)
{
	const char *text = tcl_text(w);
	unsigned long value;
	char *end = NULL;

	if (!w->asked || (!text && strchr(w->answer, ':') && w->answer[0] >= '0' &&
			  w->answer[0] <= '9'))
		return WORDS_NOTHING;		/* it comes late: another was asked */
	w->asked = false;
	if (text && w->write)
		return WORDS_WRITTEN;
	value = text ? strtoul(text, &end, 0) : 0;
	if (!text || end == text || value > UINT32_MAX) {
		w->bad_bytes += w->answer_n;
		return WORDS_REFUSED;
	}
	*word = (uint32_t)value;
	return WORDS_READ;
}

static enum words_found tcl_take(struct words *w, uint8_t byte, uint32_t *word)
{
	enum words_found found;

	if (byte != TCL_END) {
		if (w->answer_n < sizeof(w->answer) - 1)
			w->answer[w->answer_n++] = wire_is_plain(byte) ? (char)byte : ' ';
		return WORDS_NOTHING;
	}
	w->answer[w->answer_n] = '\0';
	found = tcl_answer(w, word);
	w->answer_n = 0;
	return found;
}

/* --- gdb's remote protocol -------------------------------------------------------------------- */

static void gdb_question(const struct words_question *q, char *dst, size_t size)
{
	uint32_t v = q->value;

	if (q->write)
		snprintf(dst, size, "M%" PRIx32 ",4:%02x%02x%02x%02x", q->address, v & 0xff,
			 v >> 8 & 0xff, v >> 16 & 0xff, v >> 24);
	else
		snprintf(dst, size, "m%" PRIx32 ",4", q->address);
}

/* What lets the target go on has no answer. */
static bool gdb_ask(struct words *w, const struct words_question *q, struct wire_out *out)
{
	static const char *const greetings[] = {
		[WORDS_SUPPORTED] = "qSupported:swbreak+;hwbreak+", [WORDS_WHY] = "?",
		[WORDS_GO] = "c",
	};
	char text[64], packet[80];

	if (w->greeting == WORDS_READY)
		gdb_question(q, text, sizeof(text));
	else
		snprintf(text, sizeof(text), "%s", greetings[w->greeting]);
	if (!wire_out_add(out, packet, rsp_write(packet, sizeof(packet), text)))
		return false;
	if (w->greeting != WORDS_GO)
		return true;
	w->greeting = WORDS_READY;
	return false;
}

/* "OK", a word, or how a greeting ended. */
static enum words_found gdb_answer(struct words *w, const char *text, uint32_t *word)
{
	w->asked = false;
	if (w->greeting != WORDS_READY) {
		w->greeting++;
		return WORDS_AGAIN;
	}
	if (w->write && strcmp(text, "OK") == 0)
		return WORDS_WRITTEN;
	if (!w->write && strlen(text) == 8 && rsp_word(text, 4, word))
		return WORDS_READ;
	snprintf(w->answer, sizeof(w->answer), "%.40s", *text ? text : "(nothing)");
	w->bad_bytes += strlen(text);
	return WORDS_REFUSED;
}

/* The target's console; a server's sign of life while it waits. */
static bool gdb_is_aside(const char *text)
{
	return text[0] == 'O' && strcmp(text, "OK") != 0;
}

static enum words_found gdb_packet(struct words *w, uint32_t *word)
{
	const char *text = w->rsp.packet;
	bool stops = text[0] == 'T' || text[0] == 'S';

	w->owed++;
	if (!w->asked || gdb_is_aside(text) || (stops && w->greeting == WORDS_READY))
		return WORDS_NOTHING;
	return gdb_answer(w, text, word);
}

static enum words_found gdb_take(struct words *w, uint8_t byte, uint32_t *word)
{
	switch (rsp_take(&w->rsp, byte)) {
	case RSP_PACKET:
		return gdb_packet(w, word);
	case RSP_BAD:
		w->bad_bytes += w->rsp.n;
		w->nak_owed = true;
		return WORDS_NOTHING;
	case RSP_NAK:
		if (!w->asked)
			return WORDS_NOTHING;
		w->asked = false;
		return WORDS_AGAIN;		/* once more */
	default:
		return WORDS_NOTHING;
	}
}

/* --- both ------------------------------------------------------------------------------------- */

static const struct words_ops {
	const char *server;
	bool (*ask)(struct words *w, const struct words_question *q, struct wire_out *out);
	enum words_found (*take)(struct words *w, uint8_t byte, uint32_t *word);
} protocols[] = {
	[WORDS_TCL] = { "OpenOCD", tcl_ask, tcl_take },
	[WORDS_GDB] = { "the gdb server", gdb_ask, gdb_take },
};

bool words_ask(struct words *w, const struct words_question *q, struct wire_out *out)
{
	words_ack(w, out);
	if (words_owes(w) || !protocols[w->protocol].ask(w, q, out))
		return false;
	w->asked = true;
	w->write = q->write;
	return true;
}

void words_forget(struct words *w)
{
	w->asked = false;
}

enum words_found words_take(struct words *w, uint8_t byte, uint32_t *word)
{
	return protocols[w->protocol].take(w, byte, word);
}

void words_down(struct words *w)
{
	*w = (struct words){ .protocol = w->protocol, .number = w->number,
			     .bad_bytes = w->bad_bytes + w->rsp.stray };
}

bool words_owes(const struct words *w)
{
	return w->owed || w->nak_owed;
}

void words_ack(struct words *w, struct wire_out *out)
{
	for (; w->owed && wire_out_add(out, "+", 1); w->owed--)
		;
	if (w->nak_owed && wire_out_add(out, "-", 1))
		w->nak_owed = false;
}

bool words_leave(struct words *w, bool last, struct wire_out *out)
{
	bool begins = w->protocol == WORDS_GDB && w->greeting < WORDS_READY;
	char packet[8];

	words_ack(w, out);
	if (begins && w->asked && !last)
		return false;
	if (begins && wire_out_add(out, packet, rsp_write(packet, sizeof(packet), "c")))
		w->greeting = WORDS_READY;
	return true;
}

const char *words_server(const struct words *w)
{
	return protocols[w->protocol].server;
}
