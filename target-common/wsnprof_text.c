/*
 * wsnprof_text: the table as text in the format of INGA's profiler, a line a poll. A line is sent
 * whole, like a frame, and the application's text waits.
 */
#include "wsnprof_node.h"

#if WSNPROF_TEXT

enum step { IDLE, HEADER, ROWS, LOSSES };

/* What can get lost, in the order printed. */
static const struct {
	const volatile uint32_t *count;
	const char *text;
} losses[] = {
	{ &wsnprof_counts.stack_full, " calls lost, stack full" },
	{ &wsnprof_counts.table_full, " calls lost, table full" },
	{ &wsnprof_counts.cut, " calls cut off, longjmp" },
	{ &wsnprof_counts.text, " characters lost, console full" },
};
enum { LOSSES_COUNT = sizeof(losses) / sizeof(losses[0]) };

static struct {
	uint8_t step;			/* enum step */
	uint16_t rows;			/* announced */
	uint16_t next;			/* slot or loss */
	uint8_t *p;			/* where the line under way goes on */
} report;

void wsnprof_report(void)
{
	report.step = HEADER;
}

/* The line's last two bytes are kept for CR LF. */
static WSNPROF_QUIET void put(char c)
{
	if (report.p < wsnprof_ring.frame + WSNPROF_FRAME - 2)
		*report.p++ = (uint8_t)c;
}

static WSNPROF_QUIET void put_text(const char *s)
{
	while (*s)
		put(*s++);
}

/* By subtracting: AVR has no divide, and ten 32-bit divisions take 6,000 cycles, this about 900. */
static WSNPROF_QUIET void put_dec(uint32_t v)
{
	static const uint32_t power[] = {
		1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1,
	};
	uint8_t i = 0;

	while (i < 9 && v < power[i])
		i++;
	for (; i < 10; i++) {
		char digit = '0';

		for (; v >= power[i]; v -= power[i])
			digit++;
		put(digit);
	}
}

static WSNPROF_QUIET void put_hex(uint32_t v)
{
	uint8_t shift = 28;

	put_text("0x");
	while (shift && !(v >> shift))
		shift = (uint8_t)(shift - 4);
	for (;; shift = (uint8_t)(shift - 4)) {
		put("0123456789abcdef"[v >> shift & 15]);
		if (shift == 0)
			return;
	}
}

/* Columns of INGA's profiler are 16 bits wide: a larger value means "this long or longer". */
static WSNPROF_QUIET void put_short(uint32_t v)
{
	put(':');
	put_dec(v > UINT16_MAX ? UINT16_MAX : v);
}

static WSNPROF_QUIET void put_header(void)
{
	struct wsnprof_text_row row;
	uint16_t slot;

	report.rows = 0;
	for (slot = 0; slot < WSNPROF_SITES; slot++)
		report.rows += wsnprof_row_get(slot, &row);
	wsnprof_port_run(wsnprof_counts.run);
	put_text("PROF:" WSNPROF_NAME ":");
	put_dec(report.rows);
	put(':');
	put_dec(WSNPROF_SITES);
	put(':');
	put_dec(wsnprof_counts.run[0]);
	put(':');
	put_dec(WSNPROF_TICKS_PER_SECOND);
}

static WSNPROF_QUIET void put_row(const struct wsnprof_text_row *row)
{
	put_hex(row->from);
	put(':');
	put_hex(row->to);
	put(':');
	put_dec(row->calls);
	put(':');
	put_dec(row->total);
	put_short(row->min);
	put_short(row->max);
}

static WSNPROF_QUIET uint32_t lost(uint8_t i)
{
	wsnprof_mask mask = wsnprof_lock();
	uint32_t n = *losses[i].count;

	wsnprof_unlock(mask);
	return n;
}

/*
 * Write the next line. False: the report is complete. Rows that came after the header wait for the
 * next report.
 */
static WSNPROF_QUIET bool put_line(void)
{
	struct wsnprof_text_row row;

	switch (report.step) {
	case HEADER:
		put_header();
		report.next = 0;
		report.step = ROWS;
		return true;
	case ROWS:
		while (report.rows && report.next < WSNPROF_SITES) {
			if (wsnprof_row_get(report.next++, &row)) {
				report.rows--;
				put_row(&row);
				return true;
			}
		}
		report.next = 0;
		report.step = LOSSES;
		return true;		/* a blank line */
	case LOSSES:
		while (report.next < LOSSES_COUNT) {
			uint8_t i = (uint8_t)report.next++;

			if (lost(i)) {
				put_text("WSNPROF: ");
				put_dec(lost(i));
				put_text(losses[i].text);
				return true;
			}
		}
	}
	report.step = IDLE;
	return false;
}

/*
 * Send the line, now. When the character that went out last ended no line, the two bytes before
 * ours do. The ring still has that character, in the byte that stays free: a line feed takes its
 * place, as that is what went out last now.
 */
static WSNPROF_QUIET void line_send(void)
{
	struct wsnprof_ring *r = &wsnprof_ring;
	wsnprof_mask mask = wsnprof_lock();
	uint8_t last = (uint8_t)((r->tail ? r->tail : WSNPROF_RING) - 1);
	bool open = r->text[last] && r->text[last] != '\n';

	r->text[last] = '\n';
	r->at = open ? 0 : 2;
	r->stop = r->tail;
	r->end = (uint8_t)(report.p - r->frame);
	wsnprof_unlock(mask);
	wsnprof_kick();
}

bool wsnprof_text_idle(void)
{
	return report.step == IDLE;
}

bool wsnprof_text_step(void)
{
	uint8_t *p = wsnprof_ring.frame;

	*p++ = '\r';
	*p++ = '\n';
	report.p = p;
	if (report.step == IDLE || !put_line())
		return false;
	*report.p++ = '\r';
	*report.p++ = '\n';
	line_send();
	return true;
}

#endif
