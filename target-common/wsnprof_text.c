/*
 * wsnprof_text: the table in the text format of INGA's profiler, a line per poll. A line is sent as
 * a frame is: as a whole, while the application's text waits.
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
static WSNPROF_QUIET void char_put(char c)
{
	if (report.p < wsnprof_ring.frame + WSNPROF_FRAME - 2)
		*report.p++ = (uint8_t)c;
}

static WSNPROF_QUIET void text_put(const char *s)
{
	while (*s)
		char_put(*s++);
}

/* By subtracting: AVR has no divide, and ten 32-bit divisions take 6,000 cycles, this about 900. */
static WSNPROF_QUIET void dec_put(uint32_t v)
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
		char_put(digit);
	}
}

static WSNPROF_QUIET void hex_put(uint32_t v)
{
	uint8_t shift = 28;

	text_put("0x");
	while (shift && !(v >> shift))
		shift = (uint8_t)(shift - 4);
	for (;; shift = (uint8_t)(shift - 4)) {
		char_put("0123456789abcdef"[v >> shift & 15]);
		if (shift == 0)
			return;
	}
}

/* The format's columns are 16 bits wide: longer durations are printed as 65,535. */
static WSNPROF_QUIET void short_put(uint32_t v)
{
	char_put(':');
	dec_put(v > UINT16_MAX ? UINT16_MAX : v);
}

static WSNPROF_QUIET void header_put(void)
{
	struct wsnprof_text_row row;
	uint16_t slot;

	report.rows = 0;
	for (slot = 0; slot < WSNPROF_SITES; slot++)
		report.rows += wsnprof_row_get(slot, &row);
	wsnprof_port_run(wsnprof_counts.run);
	text_put("PROF:" WSNPROF_NAME ":");
	dec_put(report.rows);
	char_put(':');
	dec_put(WSNPROF_SITES);
	char_put(':');
	dec_put(wsnprof_counts.run[0]);
	char_put(':');
	dec_put(WSNPROF_TICKS_PER_SECOND);
}

static WSNPROF_QUIET void text_row_put(const struct wsnprof_text_row *row)
{
	hex_put(row->from);
	char_put(':');
	hex_put(row->to);
	char_put(':');
	dec_put(row->calls);
	char_put(':');
	dec_put(row->total);
	short_put(row->min);
	short_put(row->max);
}

static WSNPROF_QUIET uint32_t loss_count(uint8_t i)
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
static WSNPROF_QUIET bool line_put(void)
{
	struct wsnprof_text_row row;

	switch (report.step) {
	case HEADER:
		header_put();
		report.next = 0;
		report.step = ROWS;
		return true;
	case ROWS:
		while (report.rows && report.next < WSNPROF_SITES) {
			if (wsnprof_row_get(report.next++, &row)) {
				report.rows--;
				text_row_put(&row);
				return true;
			}
		}
		report.next = 0;
		report.step = LOSSES;
		return true;		/* a blank line */
	case LOSSES:
		while (report.next < LOSSES_COUNT) {
			uint8_t i = (uint8_t)report.next++;

			if (loss_count(i)) {
				text_put("WSNPROF: ");
				dec_put(loss_count(i));
				text_put(losses[i].text);
				return true;
			}
		}
	}
	report.step = IDLE;
	return false;
}

/*
 * Send the line now. If the last character that was sent did not end a line, the two bytes before
 * the line do. The ring still has that character, in the byte that stays free: a line feed replaces
 * it, because it is the last byte sent now.
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
	if (report.step == IDLE || !line_put())
		return false;
	*report.p++ = '\r';
	*report.p++ = '\n';
	line_send();
	return true;
}

#endif
