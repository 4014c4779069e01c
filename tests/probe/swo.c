/*
 * swo: what comes out of the pin (DDI 0403E.e: ITM C1.7, DWT C1.8, TPIU C1.10, packets D4): nothing
 * unless every register on the way is right; noise at another baud rate than the listener's.
 */
#include "tests/probe/m3.h"

#include <math.h>
#include <string.h>

enum { ITM_TCR = 0xe80 / 4, TPIU_ACPR = 0x10 / 4, TPIU_SPPR = 0xf0 / 4, TPIU_FFCR = 0x304 / 4 };
enum { TCR_ITMENA = 1, TCR_TSENA = 2, TCR_SYNCENA = 4, TCR_TXENA = 8 };
enum { CTRL_CYCTAP = 1 << 9, CTRL_PCSAMPLENA = 1 << 12, CTRL_EXCTRCENA = 1 << 16 };
enum { SPPR_NRZ = 2, FFCR_FORMAT = 2, TRACE_IOEN = 0x20, SYSTICK = 15 };
enum { PACKETS_MAX = 48, ROOM_MAX = 64, COMPARATORS = 4, STREAM = 1, EMITRANGE = 1 << 5 };

#define BAUD_OFF 0.03			/* that a UART does not bear */
#define BITS_BYTE 10.0

struct trace_event {
	double at;			/* seconds */
	enum { NOTHING, PC, TICK, TICK_EXIT, WRITE } what;
	unsigned which;			/* of the writes */
};

/* What is sent of one event. */
struct packets {
	uint8_t bytes[PACKETS_MAX];
	size_t n;
};

static void packet_add(struct packets *p, uint8_t head, uint32_t value, unsigned size)
{
	p->bytes[p->n++] = head;
	for (unsigned i = 0; i < size; i++)
		p->bytes[p->n++] = (uint8_t)(value >> 8 * i);
}

static double baud_of(const struct m3 *m)
{
	return M3_CLOCK / ((m->tpiu[TPIU_ACPR] & 0x1fff) + 1.0);
}

static bool pin_is_on(const struct m3 *m)
{
	if (m->faults & M3_NEEDS_PIN && !(m->dbgmcu & TRACE_IOEN))
		return false;
	return m->swo_baud && m->demcr >> 24 & 1 && m->itm[ITM_TCR] & TCR_ITMENA &&
	       m->tpiu[TPIU_SPPR] == SPPR_NRZ;
}

/* --- what happens, in order ------------------------------------------------------------------- */

static double sample_period(const struct m3 *m)
{
	double tap = m->dwt_ctrl & CTRL_CYCTAP ? 1024 : 64;

	return tap * ((m->dwt_ctrl >> 1 & 15) + 1) / M3_CLOCK;
}

static void event_sooner(struct trace_event *e, double at, int what)
{
	if (e->what == NOTHING || at < e->at)
		*e = (struct trace_event){ at, what, 0 };
}

/* Counts go on where nothing is sent, too. */
static struct trace_event event_next(const struct m3 *m)
{
	struct trace_event e = { .what = NOTHING };
	double ticked = (double)(m->swo.ticks / 2) * M3_TICK_US / 1e6;

	event_sooner(&e, m->swo.sampled + sample_period(m), PC);
	if (m->swo.ticks % 2)
		event_sooner(&e, ticked + M3_TICK_TAKES_US / 1e6, TICK_EXIT);
	else
		event_sooner(&e, ticked, TICK);
	for (unsigned i = 0; i < m->write_count; i++) {
		double at = (double)m->swo.written[i] * m->writes[i].period;

		if (at < e.at)
			e = (struct trace_event){ at, WRITE, i };
	}
	return e;
}

/* What a comparator sends of a write (DDI 0403E.e, table C1-21), by its function. */
enum { SENDS_PC = 1, SENDS_VALUE = 2, SENDS_ADDRESS = 4 };

static unsigned function_sends(uint32_t function)
{
	static const uint8_t sends[2][16] = {
		{ [1] = SENDS_PC, [2] = SENDS_VALUE, [3] = SENDS_PC | SENDS_VALUE,
		  [13] = SENDS_VALUE, [15] = SENDS_PC | SENDS_VALUE },
		{ [1] = SENDS_ADDRESS, [2] = SENDS_ADDRESS | SENDS_VALUE,
		  [3] = SENDS_ADDRESS | SENDS_VALUE, [13] = SENDS_ADDRESS,
		  [15] = SENDS_ADDRESS | SENDS_VALUE },
	};

	return sends[function & EMITRANGE ? 1 : 0][function & 15];
}

static void access_packets(const struct m3 *m, struct packets *p, uint32_t address, unsigned size,
			   uint32_t value, uint32_t pc)
{
	for (unsigned i = 0; i < COMPARATORS; i++) {
		const uint32_t *c = &m->dwt[(0x20 + 16 * i) / 4];
		uint32_t mask = (1u << (c[1] & 31)) - 1;
		unsigned sends = function_sends(c[2]);

		if ((address & ~mask) != (c[0] & ~mask))
			continue;
		if (sends & SENDS_PC)
			packet_add(p, (uint8_t)((8 | i << 1) << 3 | 4 | 3), pc, 4);
		if (sends & SENDS_ADDRESS)
			packet_add(p, (uint8_t)((9 | i << 1) << 3 | 4 | 2), address & 0xffff, 2);
		if (sends & SENDS_VALUE)
			packet_add(p, (uint8_t)((0x11 | i << 1) << 3 | 4 | (size == 4 ? 3 : size)),
				   value, size);
	}
}

static void write_packets(const struct m3 *m, struct packets *p, const struct trace_event *e)
{
	const struct m3_write *w = &m->writes[e->which];
	uint64_t value = m3_value(w, e->at);
	uint32_t pc = w->pc ? w->pc : m3_pc(m, e->at);
	unsigned size = w->size > 4 ? 4 : w->size;

	access_packets(m, p, w->address, size, (uint32_t)value, pc);
	if (w->size > 4)
		access_packets(m, p, w->address + 4, size, (uint32_t)(value >> 32), pc);
}

static void event_packets(struct m3 *m, const struct trace_event *e, struct packets *p)
{
	bool exceptions = m->dwt_ctrl & CTRL_EXCTRCENA;

	switch (e->what) {
	case PC:
		m->swo.sampled = e->at;
		if (m->dwt_ctrl & CTRL_PCSAMPLENA && m3_sleeps(m, e->at))
			packet_add(p, 0x15, 0, 1);
		else if (m->dwt_ctrl & CTRL_PCSAMPLENA)
			packet_add(p, 0x17, m3_pc(m, e->at), 4);
		return;
	case TICK:
		m->swo.ticks++;
		if (exceptions)
			packet_add(p, 0x0e, 1 << 12 | SYSTICK, 2);
		return;
	case TICK_EXIT:
		m->swo.ticks++;
		if (exceptions) {
			packet_add(p, 0x0e, 2 << 12 | SYSTICK, 2);
			packet_add(p, 0x0e, 3 << 12, 2);
		}
		return;
	case WRITE:
		m->swo.written[e->which]++;
		write_packets(m, p, e);
		return;
	case NOTHING:
		return;
	}
}

static void stamp_add(struct m3 *m, struct packets *p, double at)
{
	double stood = m->faults & M3_STAMPS_RUN ? m->stood : 0;
	uint64_t now = (uint64_t)((at + stood) * M3_CLOCK);
	uint64_t ticks = now - m->swo.stamp;
	unsigned shift = 2 * (m->itm[ITM_TCR] >> 8 & 3);

	if (!(m->itm[ITM_TCR] & TCR_TSENA))
		return;
	ticks >>= shift;
	m->swo.stamp = now;
	if (ticks >= 1 && ticks <= 6) {
		p->bytes[p->n++] = (uint8_t)(ticks << 4);
		return;
	}
	p->bytes[p->n++] = 0xc0;
	for (; ticks >= 0x80; ticks >>= 7)
		p->bytes[p->n++] = (uint8_t)(0x80 | (ticks & 0x7f));
	p->bytes[p->n++] = (uint8_t)ticks;
}

/* --- what the pin carries --------------------------------------------------------------------- */

/* The formatter's frames (D4.2 of the ARM CoreSight architecture, IHI 0029). */
static size_t frame_add(struct m3_swo *s, uint8_t byte, uint8_t *dst)
{
	if (s->frame_n == 0) {
		memset(s->frame, 0, sizeof(s->frame));
		s->frame[s->frame_n++] = STREAM << 1 | 1;
	}
	if (s->frame_n % 2 == 0) {
		s->frame[15] |= (uint8_t)((byte & 1) << s->frame_n / 2);
		byte &= 0xfe;
	}
	s->frame[s->frame_n++] = byte;
	if (s->frame_n < 15)
		return 0;
	memcpy(dst, s->frame, sizeof(s->frame));
	s->frame_n = 0;
	return sizeof(s->frame);
}

static size_t bytes_send(struct m3 *m, const uint8_t *bytes, size_t n, uint8_t *dst)
{
	bool noise = fabs(baud_of(m) / m->swo_baud - 1) > BAUD_OFF;
	size_t sent = 0;

	for (size_t i = 0; i < n; i++) {
		uint8_t byte = noise ? (uint8_t)(bytes[i] * 37 + 11 * i + 91) : bytes[i];

		if (m->tpiu[TPIU_FFCR] & FFCR_FORMAT)
			sent += frame_add(&m->swo, byte, dst + sent);
		else
			dst[sent++] = byte;
	}
	return sent;
}

/* All of an event's packets or none: then an overflow packet stands before the next ones. */
static size_t packets_send(struct m3 *m, struct packets *p, double at, uint8_t *dst)
{
	struct m3_swo *s = &m->swo;
	uint8_t overflow = 0x70;
	size_t n = 0;

	s->room = fmin(ROOM_MAX, s->room + (at - s->sent) * baud_of(m) / BITS_BYTE);
	s->sent = at;
	if (!p->n || !pin_is_on(m) || !(m->itm[ITM_TCR] & TCR_TXENA))
		return 0;
	if (s->room < (double)p->n) {
		s->overflow = true;
		return 0;
	}
	if (s->overflow)
		n = bytes_send(m, &overflow, 1, dst);
	s->overflow = false;
	stamp_add(m, p, at);
	s->room -= (double)p->n;
	return n + bytes_send(m, p->bytes, p->n, dst + n);
}

size_t m3_swo(struct m3 *m, uint8_t *dst, size_t size)
{
	double own;
	size_t n = 0;

	m3_run(m);
	own = m3_own(m);

	while (n + 2 * PACKETS_MAX <= size) {
		struct trace_event e = event_next(m);
		struct packets p = { .n = 0 };

		if (e.at > own)
			break;
		event_packets(m, &e, &p);
		n += packets_send(m, &p, e.at, dst + n);
	}
	return n;
}
