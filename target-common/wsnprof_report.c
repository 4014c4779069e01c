/* wsnprof_report: the table as text, one line a call, never waiting. */
#include <string.h>

#include "wsnprof_ring.h"

#define PERIOD ((uint32_t)((uint64_t)WSNPROF_PERIOD_MS * WSNPROF_TICKS_PER_SECOND / 1000))

/* Text that fills the ring keeps a line waiting no longer than this: 50 ms. */
#define PATIENCE (WSNPROF_TICKS_PER_SECOND / 20)

enum step {
	STEP_IDLE,
	STEP_HEADER,
	STEP_ROWS,
	STEP_END,
	STEP_LOSSES,
};

/* What can get lost, in the order printed. */
enum loss {
	LOSS_STACK,
	LOSS_TABLE,
	LOSS_CUT,
	LOSS_CONSOLE,
	LOSS_COUNT,
};

static const char *const loss_text[LOSS_COUNT] = {
	[LOSS_STACK] = " calls lost, stack full",
	[LOSS_TABLE] = " calls lost, table full",
	[LOSS_CUT] = " calls cut off, longjmp",
	[LOSS_CONSOLE] = " characters lost, console full",
};

/* The report under way. Main program only. */
static struct {
	enum step step;
	bool asked;
	uint16_t rows;			/* announced; sites found later wait for the next report */
	uint16_t next;			/* row or loss */
	uint32_t due;
	uint32_t last;			/* when a line was last written */
	uint32_t told[LOSS_COUNT];	/* a loss is printed when it has grown */
} report;

static WSNPROF_QUIET char *put_text(char *p, const char *s)
{
	while (*s)
		*p++ = *s++;
	return p;
}

/* By subtracting: AVR has no divide, and ten 32-bit divisions take 6,000 cycles, this about 900. */
static WSNPROF_QUIET char *put_dec(char *p, uint32_t v)
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
		*p++ = digit;
	}
	return p;
}

static WSNPROF_QUIET char *put_hex(char *p, uint32_t v)
{
	char digit[8];
	uint8_t n = 0;

	do {
		uint8_t d = v & 15;

		digit[n++] = (char)(d < 10 ? '0' + d : 'a' + d - 10);
		v >>= 4;
	} while (v);
	p = put_text(p, "0x");
	while (n)
		*p++ = digit[--n];
	return p;
}

static WSNPROF_QUIET char *header(char *p)
{
	p = put_text(p, "PROF:" WSNPROF_NAME ":");
	p = put_dec(p, report.rows);
	*p++ = ':';
	p = put_dec(p, WSNPROF_SITES);
	*p++ = ':';
	p = put_dec(p, wsnprof_ran());
	*p++ = ':';
	return put_dec(p, WSNPROF_TICKS_PER_SECOND);
}

static WSNPROF_QUIET char *row(char *p, uint16_t i)
{
	struct wsnprof_site site;
	uint8_t lock = wsnprof_lock();

	site = wsnprof_table.sites[i];
	wsnprof_unlock(lock);
	p = put_hex(p, wsnprof_byte_address(site.from));
	*p++ = ':';
	p = put_hex(p, wsnprof_byte_address(site.to));
	*p++ = ':';
	p = put_dec(p, site.calls);
	*p++ = ':';
	p = put_dec(p, site.total);
	*p++ = ':';
	p = put_dec(p, site.min);
	*p++ = ':';
	return put_dec(p, site.max);
}

static WSNPROF_QUIET uint32_t lost(enum loss loss)
{
	uint8_t lock = wsnprof_lock();
	uint32_t n = 0;

	switch (loss) {
	case LOSS_STACK:
		n = wsnprof_table.lost_deep;
		break;
	case LOSS_TABLE:
		n = wsnprof_table.spill.calls;
		break;
	case LOSS_CUT:
		n = wsnprof_table.cut;
		break;
	case LOSS_CONSOLE:
		n = wsnprof_ring.dropped;
		break;
	case LOSS_COUNT:
		break;
	}
	wsnprof_unlock(lock);
	return n;
}

/* The step after this line's. */
static WSNPROF_QUIET void advance(void)
{
	if (report.step == STEP_LOSSES) {
		report.next++;
		return;
	}
	if (report.step == STEP_ROWS && ++report.next < report.rows)
		return;
	if (report.step == STEP_HEADER && report.rows == 0)
		report.step = STEP_ROWS;
	report.step++;
	report.next = 0;
}

/* Skip losses that have not grown; false: the report is complete. */
static WSNPROF_QUIET bool next_loss(void)
{
	for (; report.next < LOSS_COUNT; report.next++)
		if (lost((enum loss)report.next) != report.told[report.next])
			return true;
	report.step = STEP_IDLE;
	return false;
}

static WSNPROF_QUIET char *loss_line(char *p)
{
	uint32_t n = lost((enum loss)report.next);

	report.told[report.next] = n;
	p = put_text(p, "WSNPROF: ");
	p = put_dec(p, n);
	return put_text(p, loss_text[report.next]);
}

static WSNPROF_QUIET uint8_t format(char *line)
{
	char *p = line;

	if (report.step == STEP_HEADER)
		p = header(p);
	else if (report.step == STEP_ROWS)
		p = row(p, report.next);
	else if (report.step == STEP_LOSSES)
		p = loss_line(p);
	p = put_text(p, "\r\n");
	return (uint8_t)(p - line);
}

static WSNPROF_QUIET uint32_t now(void)
{
	uint8_t lock = wsnprof_lock();
	uint32_t ticks = wsnprof_now();

	wsnprof_unlock(lock);
	return ticks;
}

static WSNPROF_QUIET bool is_due(void)
{
	uint32_t at;

	if (report.asked)
		return true;
	if (PERIOD == 0 || !wsnprof_running)
		return false;
	at = now();
	if ((int32_t)(at - report.due) < 0)
		return false;
	report.due += PERIOD;
	if ((int32_t)(at - report.due) >= 0)
		report.due = at + PERIOD;
	return true;
}

static WSNPROF_QUIET bool has_room(void)
{
	uint8_t room = wsnprof_ring_room();

	if (room >= WSNPROF_LINE_SIZE + WSNPROF_RING / 4)
		return true;
	return room >= WSNPROF_LINE_SIZE && now() - report.last >= PATIENCE;
}

static WSNPROF_QUIET void begin(void)
{
	uint8_t lock = wsnprof_lock();

	report.rows = wsnprof_table.count;
	wsnprof_unlock(lock);
	if (report.asked)
		memset(report.told, 0, sizeof(report.told));
	report.asked = false;
	report.step = STEP_HEADER;
}

bool wsnprof_poll(void)
{
	char line[WSNPROF_LINE_SIZE];

	if (report.step == STEP_IDLE) {
		if (!is_due())
			return false;
		begin();
	}
	if (report.step == STEP_LOSSES && !next_loss())
		return false;
	if (!has_room() || !wsnprof_ring_put_line(line, format(line)))
		return false;
	report.last = now();
	advance();
	return true;
}

void wsnprof_report(void)
{
	report.asked = true;
}

bool wsnprof_idle(void)
{
	return report.step == STEP_IDLE && !report.asked &&
	       wsnprof_ring.tail == wsnprof_ring.head;
}
