/* wsnprof_send: what is sent when, and the life cycle. */
#include <stddef.h>
#include <string.h>

#include "wsnprof_node.h"

#ifndef WSNPROF_LEVELS
#define WSNPROF_LEVELS WSNPROF_STACK
#endif

/* HELLO, as docs/PROTOCOL.md section 4 lists it. */
struct hello {
	uint8_t version;
	uint8_t arch;
	uint16_t features;
	uint8_t unit;
	uint8_t histogram;
	uint32_t rate;
	uint16_t hz;
	uint16_t cost;
	int16_t skew;
	uint16_t spread;
	uint16_t sites, levels, arcs, pcs;
	uint32_t base;
	uint32_t id;
	uint16_t epoch;
	uint8_t kind;
	uint32_t start;
	struct wsnprof_identity sum;
} __attribute__((packed));

#define FEATURES (WSNPROF_FEATURES | (WSNPROF_RECEIVE ? WSNPROF_F_RECEIVE : 0))

/* Zeros are filled in when it is sent. */
static const struct hello hello_rom WSNPROF_ROM = {
	.version = WSNPROF_VERSION,
	.arch = WSNPROF_ARCH,
	.features = FEATURES,
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
	.start = WSNPROF_FLASH_START,
};

static const char name_rom[] WSNPROF_ROM = WSNPROF_NAME;

struct wsnprof_node wsnprof_node;
uint16_t wsnprof_epoch __attribute__((section(".noinit")));

static WSNPROF_QUIET uint8_t *put_hello(uint8_t *p)
{
	struct hello *h = (struct hello *)p;

	wsnprof_rom_copy(h, &hello_rom, sizeof(*h));
	if (wsnprof_node.running)
		p[offsetof(struct hello, features) + 1] |= WSNPROF_F_RUNNING >> 8;
#if WSNPROF_PCS > 0
	h->hz = wsnprof_hz;
#endif
	h->cost = wsnprof_cost;
	h->skew = wsnprof_skew;
	h->epoch = wsnprof_epoch;
	h->kind = wsnprof_identity.kind;
	memcpy(&h->sum, &wsnprof_identity, sizeof(h->sum));
	return p + sizeof(*h);
}

uint8_t *wsnprof_varint(uint8_t *p, uint32_t v)
{
	while (v > 0x7f) {
		*p++ = (uint8_t)v | 0x80;
		v >>= 7;
	}
	*p++ = (uint8_t)v;
	return p;
}

static WSNPROF_QUIET uint8_t *put_counts(uint8_t *p, const uint32_t *v, uint8_t n)
{
	do {
		wsnprof_mask mask = wsnprof_lock();
		uint32_t count = *(const volatile uint32_t *)v++;

		wsnprof_unlock(mask);
		p = wsnprof_varint(p, count);
	} while (--n);
	return p;
}

static WSNPROF_QUIET uint8_t *put_status(uint8_t *p)
{
	uint32_t run[2];

	wsnprof_port_run(run);
	p = put_counts(p, run, 2);
	return put_counts(p, (const uint32_t *)&wsnprof_counts, sizeof(wsnprof_counts) / sizeof(uint32_t));
}

/* The table that slot `*at` of all lies in; *at becomes its number there, *slots how many there are. */
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

/* A skip's bytes: few enough slots make it one, and this a constant. */
#if WSNPROF_SLOTS > 128
WSNPROF_INLINE uint8_t skip_size(wsnprof_slot skip) { return skip > 127 ? 2 : 1; }
enum { SKIP_SIZE = 2 };
#else
#define skip_size(skip) 1
enum { SKIP_SIZE = 1 };
#endif

/*
 * Rows that are wanted, from the pass's cursor to the frame's or the table's end; the pass is over when
 * it has been everywhere.
 */
static WSNPROF_QUIET uint8_t *put_rows(uint8_t want, uint8_t *p, uint8_t *type)
{
	struct wsnprof_node *n = &wsnprof_node;
	const uint8_t *full = p + WSNPROF_BODY_END - WSNPROF_HEAD - WSNPROF_ROW_SIZE - SKIP_SIZE;
	wsnprof_slot slot = n->cursor[want];
	wsnprof_slot slots;
	wsnprof_slot skip;

	*type = table_at(&slot, &slots);
	skip = slot;
	do {
		uint8_t *end = wsnprof_row_put(*type, slot, want, p + skip_size(skip));

		if (end) {
#if WSNPROF_SLOTS > 128
			if (skip > 127) {
				p[1] = skip >> 7;
				skip |= 0x80;
			}
#endif
			*p = (uint8_t)skip;
			p = end;
			skip = (wsnprof_slot)-1;
		}
		skip++;
		slot++;
		if (++n->cursor[want] == WSNPROF_SLOTS)
			n->cursor[want] = 0;
		if (--n->left == 0)
			break;
	} while (slot != slots && p <= full);
	return p;
}

/* The bit of `pending` just served is done with. */
static WSNPROF_QUIET void next_pass(void)
{
	wsnprof_node.pending &= wsnprof_node.pending - 1;
	wsnprof_node.left = WSNPROF_SLOTS;
}

/* One frame of what is pending, if there is room; false: nothing was sent. */
static WSNPROF_QUIET bool send_frame(void)
{
	struct wsnprof_node *n = &wsnprof_node;
	uint8_t frame[WSNPROF_BUFFER];
	uint8_t *p = frame + WSNPROF_HEAD;
	uint8_t type;
	bool sent = false;

	while (n->pending && wsnprof_ring_claim()) {
		if (n->pending & WSNPROF_SEND_HELLO) {
			type = WSNPROF_HELLO;
			p = put_hello(p);
			next_pass();
		} else if (n->pending & WSNPROF_SEND_NAME) {
			type = WSNPROF_NODE_NAME;
			wsnprof_rom_copy(p, name_rom, sizeof(name_rom) - 1);
			p += sizeof(name_rom) - 1;
			next_pass();
		} else if (n->pending & WSNPROF_SEND_STATUS) {
			type = WSNPROF_STATUS;
			p = put_status(p);
			next_pass();
		} else {
			uint8_t want = WSNPROF_WANT_DIRTY;

			if (n->pending & WSNPROF_SEND_SPARE)
				want = WSNPROF_WANT_ANY;
			else if (n->pending & WSNPROF_SEND_HOT)
				want = WSNPROF_WANT_HOT;
			p = put_rows(want, p, &type);
			if (n->left == 0 || (want == WSNPROF_WANT_ANY && p != frame + WSNPROF_HEAD && --n->spare == 0))
				next_pass();
		}
		if (p != frame + WSNPROF_HEAD) {
			sent = wsnprof_frame_put(type, frame, p, 0);
			break;
		}
	}
	if (sent || !n->pending)
		wsnprof_ring_yield();
	return sent;
}

#if WSNPROF_RECEIVE
#define PERIOD wsnprof_node.period
#else
#define PERIOD WSNPROF_PACE(WSNPROF_PERIOD_MS)
#endif

static WSNPROF_QUIET bool is_due(void)
{
	return (uint16_t)(wsnprof_pace() - wsnprof_node.last) >= PERIOD;
}

static WSNPROF_QUIET void refresh(void)
{
	struct wsnprof_node *n = &wsnprof_node;

	n->last = wsnprof_pace();
	n->pending |= WSNPROF_SEND_ALL & ~(WSNPROF_SEND_HELLO | WSNPROF_SEND_NAME);
	if ((n->refreshes++ & 3) == 0)
		n->pending |= WSNPROF_SEND_ALL;
	n->spare = WSNPROF_SPARE_FRAMES;
	n->left = WSNPROF_SLOTS;
}

bool wsnprof_poll(void)
{
	if (wsnprof_identity.kind == WSNPROF_IDENTITY_NONE)
		wsnprof_identity_step();
	if (is_due())
		refresh();
	return send_frame();
}

bool wsnprof_idle(void)
{
	return wsnprof_identity.kind != WSNPROF_IDENTITY_NONE && !wsnprof_node.pending && !is_due() &&
	       wsnprof_ring.head == wsnprof_ring.tail;
}

void wsnprof_send_all(void)
{
	wsnprof_node.refreshes = 0;
	refresh();
	wsnprof_node.spare = UINT8_MAX;
}

void wsnprof_start(void)
{
	if (wsnprof_node.running)
		return;
	wsnprof_node.running = true;
	wsnprof_node.pending |= WSNPROF_SEND_HELLO;
	wsnprof_port_start();
}

void wsnprof_stop(void)
{
	if (!wsnprof_node.running)
		return;
	wsnprof_port_stop();
	wsnprof_node.running = false;
	wsnprof_node.refreshes = 0;
	refresh();
}

void wsnprof_reset(void)
{
	bool running = wsnprof_node.running;

	if (running)
		wsnprof_port_stop();
	wsnprof_rows_clear();
	memset(&wsnprof_counts, 0, sizeof(wsnprof_counts));
	wsnprof_epoch++;
	wsnprof_node.refreshes = 0;
	refresh();
	if (running)
		wsnprof_port_start();
}

void wsnprof_init(void)
{
	wsnprof_port_init();
	wsnprof_reset();
}
