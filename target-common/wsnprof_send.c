/* wsnprof_send: the refreshes, and the life cycle. */
#include <stddef.h>

#include "wsnprof_node.h"
#if WSNPROF_TRACE
#include "wsntrace_send.h"
#endif

#ifndef WSNPROF_LEVELS
#define WSNPROF_LEVELS WSNPROF_STACK
#endif

#ifndef WSNPROF_IDENTITY_FRAMES	/* a port's 0: HELLO alone has it, every fourth refresh */
#define WSNPROF_IDENTITY_FRAMES 1
#endif

/* HELLO, as docs/PROTOCOL.md section 4 lists it. */
struct hello {
	struct wsnprof_hello_rom rom;
	uint16_t epoch;
	uint8_t kind;
	uint8_t identity[12];
} __attribute__((packed));

#define FEATURES (WSNPROF_FEATURES | (WSNPROF_RECEIVE ? WSNPROF_F_RECEIVE : 0))

/* Fields that are zero here are filled in when it is sent. */
extern const struct wsnprof_hello_rom wsnprof_hello_rom;
extern const char wsnprof_name_rom[];
const struct wsnprof_hello_rom wsnprof_hello_rom WSNPROF_ROM = {
	.version = WSNPROF_VERSION,
	.arch = WSNPROF_ARCH,
	.features_low = FEATURES & 0xff,
	.features_high = FEATURES >> 8,
	.unit = WSNPROF_UNIT,
	.histogram = WSNPROF_BUCKET_BYTE,
	.rate = WSNPROF_TICKS_PER_SECOND,
	.spread = WSNPROF_SPREAD,
	.sites = WSNPROF_SITES,
	.levels = WSNPROF_LEVELS,
	.arcs = WSNPROF_ARCS,
	.pcs = WSNPROF_PCS,
	.base = WSNPROF_BASE,
	.id = WSNPROF_ID,
};

const char wsnprof_name_rom[] WSNPROF_ROM = WSNPROF_NAME;
_Static_assert(sizeof(struct hello) == 49, "docs/PROTOCOL.md");
_Static_assert(WSNPROF_HEAD + 2 + WSNPROF_ROW_SIZE <= WSNPROF_BODY_END,
	       "WSNPROF_FRAME holds a row");
_Static_assert(sizeof(wsnprof_name_rom) - 1 <= WSNPROF_BODY_END - WSNPROF_HEAD,
	       "WSNPROF_NAME fits a frame");

#if WSNPROF_ID_VARIABLE
uint32_t wsnprof_id = WSNPROF_ID;
#endif
struct wsnprof_node wsnprof_node
#if WSNPROF_RECEIVE
	= { .period = WSNPROF_PACE(WSNPROF_PERIOD_MS), .select = 0xff }
#endif
	;
#if WSNPROF_IDENTITY
struct wsnprof_identity wsnprof_identity;
#endif
uint16_t wsnprof_epoch __attribute__((section(".noinit")));

#ifndef WSNPROF_ASSEMBLY

uint8_t *wsnprof_varint(uint8_t *p, uint32_t v)
{
	while (v > 0x7f) {
		*p++ = (uint8_t)v | 0x80;
		v >>= 7;
	}
	*p++ = (uint8_t)v;
	return p;
}

static WSNPROF_QUIET uint8_t *hello_put(uint8_t *p)
{
	struct hello *h = (struct hello *)p;

	WSNPROF_NEAR(h);
	wsnprof_rom_copy(&h->rom, &wsnprof_hello_rom, sizeof(h->rom));
	if (wsnprof_node.running)
		h->rom.features_high = (FEATURES | WSNPROF_F_RUNNING) >> 8;
#if WSNPROF_PCS > 0
	h->rom.hz = wsnprof_hz;
#endif
	h->rom.cost = wsnprof_cost;
	h->rom.skew = wsnprof_skew;
#if WSNPROF_ID_VARIABLE
	h->rom.id = wsnprof_id;
#endif
#ifdef WSNPROF_SPREAD_MEASURED
	h->rom.spread = wsnprof_spread;
#endif
	h->epoch = wsnprof_epoch;
#if WSNPROF_IDENTITY
	h->kind = wsnprof_identity.kind;
	wsnprof_copy(h->identity, &wsnprof_identity.start, WSNPROF_IDENTITY_BYTES);
#else
	for (uint8_t *at = &h->kind; at != p + sizeof(*h); at++) {
		*at = 0;
		__asm__ volatile("");	/* not memset(), see wsnprof_copy() */
	}
#endif
	return p + sizeof(*h);
}

#if WSNPROF_IDENTITY
/* Nothing, if it is not known or this refresh's HELLO has it: then no frame is sent. */
static WSNPROF_QUIET uint8_t *identity_put(uint8_t *p)
{
	const struct wsnprof_identity *id = &wsnprof_identity;

	if (!WSNPROF_IDENTITY_FRAMES || (wsnprof_node.refreshes & 3) == 1 ||
	    id->kind == WSNPROF_IDENTITY_NONE)
		return p;
	p = wsnprof_varint(p, id->kind);
	for (const uint32_t *v = &id->start; v != &id->start + 3; v++)
		p = wsnprof_varint(p, *v);
	return p;
}
#else
#define identity_put(p) (p)
#endif

/* Whole: interrupts count these up. */
WSNPROF_INLINE uint32_t counter_read(const uint32_t *counter)
{
	uint32_t value;
#if UINTPTR_MAX >= UINT32_MAX
	value = *(const volatile uint32_t *)counter;
#else
	wsnprof_mask mask = wsnprof_lock();

	value = *counter;
	wsnprof_unlock(mask);
#endif
	return value;
}

/* As many fields as fit if all have their largest value. */
static WSNPROF_QUIET uint8_t *status_put(uint8_t *p)
{
	enum {
		FIELDS = sizeof(wsnprof_counts) / sizeof(uint32_t),
		FIT = (WSNPROF_BODY_END - WSNPROF_HEAD) / 5
	};
	const uint32_t *v = wsnprof_counts.run;
	uint8_t field = 0;
	const uint8_t *full = p + WSNPROF_BODY_END - WSNPROF_HEAD - 5;

	wsnprof_port_run(wsnprof_counts.run);
	do
		p = wsnprof_varint(p, WSNPROF_COUNTS_ABSENT >> field++ & 1 ? 0 : counter_read(v++));
	while (v != (const uint32_t *)(&wsnprof_counts + 1) && (FIELDS <= FIT || p <= full));
	return p;
}

#if WSNPROF_SLOTS > 0
/*
 * The table that slot `*at` of all lies in; *at becomes its number there, *slots how many there
 * are.
 */
WSNPROF_INLINE uint8_t table_at(wsnprof_slot *at, wsnprof_slot *slots)
{
#define TABLE(type, n)			\
	if (*at < (n)) {		\
		*slots = (n);		\
		return (type);		\
	}				\
	*at -= (wsnprof_slot)(n);
	WSNPROF_TABLES(TABLE)
#undef TABLE
	__builtin_unreachable();
}

/* A skip's bytes: few enough slots make it one. */
#define SKIP_SIZE(skip) (WSNPROF_SLOTS > 128 && (skip) > 127 ? 2 : 1)

/* SELECT's bits are in the types' order. */
#if WSNPROF_RECEIVE
#define IS_SELECTED(type) (wsnprof_node.select >> ((type) - WSNPROF_TYPE_SITES) & 1)
#else
#define IS_SELECTED(type) true
#endif

/*
 * Rows that are wanted, from the cursor to the frame's or the table's end. Most slots are not: few
 * instructions each.
 */
static WSNPROF_QUIET uint8_t *rows_put(uint8_t *p, uint8_t *type)
{
	struct wsnprof_node *n = &wsnprof_node;
	const uint8_t *full = wsnprof_ring.frame + WSNPROF_BODY_END - WSNPROF_ROW_SIZE -
			      SKIP_SIZE(255);
	uint8_t want = (n->step - 1) & 3;
	wsnprof_slot *cursor = n->cursor + (want >> 1);
	wsnprof_slot slot = *cursor;
	wsnprof_slot slots;
	unsigned at, skip, last;

	*type = table_at(&slot, &slots);
	at = skip = slot;
	last = n->left < slots - at ? at + n->left : slots;
	do {
		unsigned next = IS_SELECTED(*type) ? wsnprof_row_seek(*type, at, last, want) : last;
		uint8_t *end;

		skip += next - at;
		at = next;
		if (at == last)
			break;
		end = wsnprof_row_put(*type, (uint16_t)at, want, p + SKIP_SIZE(skip));
		if (end) {
			if (SKIP_SIZE(skip) == 2) {
				p[1] = (uint8_t)(skip >> 7);
				skip |= 0x80;
			}
			*p = (uint8_t)skip;
			p = end;
			skip = -1u;
		}
		skip++;
		at++;
	} while (at != last && p <= full);
	at -= slot;
	n->left -= (wsnprof_slot)at;
	at += *cursor;
	if (at == WSNPROF_SLOTS)
		at = 0;
	*cursor = (wsnprof_slot)at;
	return p;
}

#else
#define rows_put(p, type) (*(type) = 0, (p))
#endif

/*
 * The next frame of a refresh; false: none is left. A pass that finds nothing sends nothing: the
 * next pass is the next call's, so that none takes long.
 */
bool wsnprof_send(void)
{
	struct wsnprof_node *n = &wsnprof_node;
	uint8_t *const body = wsnprof_ring.frame + WSNPROF_HEAD;
	uint8_t *p;
	uint8_t type;
	bool is_done = true;

	if (n->step == WSNPROF_SENT)
		return false;
#if WSNPROF_ARCS > 0 || WSNPROF_PCS > 0
	n->yield = false;
#endif
	switch (n->step) {
	case WSNPROF_SEND_HELLO:
		type = WSNPROF_HELLO;
		p = hello_put(body);
		break;
	case WSNPROF_SEND_NAME:
		type = WSNPROF_NODE_NAME;
		wsnprof_rom_copy(body, wsnprof_name_rom, sizeof(wsnprof_name_rom) - 1);
		p = body + sizeof(wsnprof_name_rom) - 1;
		break;
	case WSNPROF_SEND_IDENTITY:
		type = WSNPROF_NODE_IDENTITY;
		p = identity_put(body);
		break;
	case WSNPROF_SEND_STATUS:
		type = WSNPROF_STATUS;
		p = status_put(body);
		break;
	default:
		p = rows_put(body, &type);
		is_done = n->left == 0 ||
			  (n->step == WSNPROF_SEND_SPARE && p != body && --n->spare == 0);
	}
	if (is_done) {
		n->step++;
		n->left = WSNPROF_SLOTS;
#if WSNPROF_ARCS > 0 || WSNPROF_PCS > 0
		if (n->step == WSNPROF_SEND_HOT && !n->late)
			n->step++;	/* the next pass has time for all */
#endif
	}
	if (p != body)
		wsnprof_frame_end(type, p);
	return true;
}

#endif

#if WSNPROF_ARCS > 0 || WSNPROF_PCS > 0
/* The chip and the sender take turns while both have frames to send. */
uint8_t *wsnprof_frame_begin(void)
{
	struct wsnprof_node *n = &wsnprof_node;

	if (wsnprof_ring.end || (n->yield && n->step != WSNPROF_SENT))
		return NULL;
	n->yield = true;
	return wsnprof_ring.frame + WSNPROF_HEAD;
}
#endif

#if WSNPROF_RECEIVE
#define PERIOD wsnprof_node.period
#else
#define PERIOD WSNPROF_PACE(WSNPROF_PERIOD_MS)
#endif

/* So many refreshes were before it; so many frames of SPARE at most. */
static WSNPROF_QUIET __attribute__((noinline)) void refresh_begin(uint8_t refreshes, uint8_t spare)
{
	struct wsnprof_node *n = &wsnprof_node;

	WSNPROF_NEAR(n);
#if WSNPROF_ARCS > 0 || WSNPROF_PCS > 0
	n->late = n->step != WSNPROF_SENT;
#endif
	n->last = wsnprof_pace();
	n->left = WSNPROF_SLOTS;
	n->spare = spare;
	n->refreshes = (uint8_t)(refreshes + 1);
	n->step = refreshes & 3 ? WSNPROF_SEND_IDENTITY : WSNPROF_SEND_HELLO;
#if WSNPROF_TRACE
	if (n->step == WSNPROF_SEND_HELLO)
		wsntrace_announce();
#endif
}

void wsnprof_refresh(void)
{
	refresh_begin(0, UINT8_MAX);
}

/* SPARE may take longer than a period: it is finished first; when stopped, all passes. */
#if WSNPROF_TRACE
#define IS_SENT_ENOUGH (wsnprof_node.step == WSNPROF_SENT)
#else
#define IS_SENT_ENOUGH \
	((uint8_t)(wsnprof_node.step + 2 * wsnprof_node.running) > WSNPROF_SEND_DIRTY)
#endif

#if !WSNPROF_ASIDE
#define wsnprof_poll_step wsnprof_poll	/* no jump */
#endif
bool wsnprof_poll_step(void)
{
#if WSNPROF_TRACE
	wsntrace_top();
#if WSNPROF_TRACE_SAMPLE
	wsntrace_sample();
#endif
#if WSNPROF_TRACE_PACK
	wsntrace_pack();
#endif
#endif
#if WSNPROF_RECEIVE
	wsnprof_receive_step();
#endif
	if ((uint16_t)(wsnprof_pace() - wsnprof_node.last) >= PERIOD && IS_SENT_ENOUGH)
		refresh_begin(wsnprof_node.refreshes, WSNPROF_SPARE_FRAMES);
#if WSNPROF_IDENTITY
	if (wsnprof_identity.kind == WSNPROF_IDENTITY_NONE && wsnprof_identity_step())
		return true;
#endif
	if (wsnprof_ring.end)
		return false;
#if WSNPROF_TEXT
	if (wsnprof_text_step())
		return true;
#endif
#if WSNPROF_TRACE
	return wsnprof_send() || wsntrace_send();
#else
	return wsnprof_send();
#endif
}

#if WSNPROF_ASIDE && !defined(WSNPROF_ASSEMBLY)
bool wsnprof_poll(void)
{
	uint32_t since = wsnprof_poll_begin();
	bool more = wsnprof_poll_step();

	wsnprof_poll_end(since);
	return more;
}
#endif

bool wsnprof_idle(void)
{
#if WSNPROF_TEXT
	if (!wsnprof_text_idle())
		return false;
#endif
#if WSNPROF_RING > 0
	if (wsnprof_ring.head != wsnprof_ring.tail)
		return false;
#endif
#if WSNPROF_TRACE
	if (!wsntrace_idle())
		return false;
#endif
	return wsnprof_node.step == WSNPROF_SENT && wsnprof_ring.end == 0;
}

void wsnprof_start(void)
{
	if (wsnprof_node.running)
		return;
	wsnprof_node.running = true;
	wsnprof_refresh();
	wsnprof_port_start();
}

void wsnprof_stop(void)
{
	if (!wsnprof_node.running)
		return;
	wsnprof_port_stop();
	wsnprof_node.running = false;
	wsnprof_refresh();
}

#ifndef WSNPROF_ASSEMBLY
/* Not memset(), see wsnprof_copy(). */
WSNPROF_INLINE void counts_clear(void)
{
	uint8_t *p = (uint8_t *)&wsnprof_counts;

	do {
		*p++ = 0;
		__asm__ volatile("");
	} while (p != (uint8_t *)(&wsnprof_counts + 1));
}
#else
#define counts_clear() ((void)0)	/* wsnprof_rows_clear() has done it */
#endif

static WSNPROF_QUIET void all_clear(void)
{
	wsnprof_rows_clear();
	counts_clear();
	wsnprof_epoch++;
}

void wsnprof_reset(void)
{
	bool running = wsnprof_node.running;

	wsnprof_stop();
	all_clear();
	if (running)
		wsnprof_start();
}

void wsnprof_init(void)
{
	wsnprof_node.running = false;
	wsnprof_port_init();
	all_clear();
}
