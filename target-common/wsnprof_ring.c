/* wsnprof_ring: reserve, fill, release. */
#include "wsnprof_ring.h"

struct wsnprof_ring wsnprof_ring;

uint8_t wsnprof_ring_room(void)
{
	return (wsnprof_ring.tail - wsnprof_ring.head - 1) & (WSNPROF_RING - 1);
}

/* Interrupts are off. `at`: where the bytes go. False: not even `spare` more would stay free. */
static WSNPROF_QUIET bool reserve(uint8_t n, uint8_t spare, uint8_t *at)
{
	struct wsnprof_ring *r = &wsnprof_ring;

	if (wsnprof_ring_room() < n + spare)
		return false;
	*at = r->head;
	r->head = (r->head + n) & (WSNPROF_RING - 1);
	r->writers++;
	return true;
}

static WSNPROF_QUIET void fill(uint8_t *at, const char *bytes, uint8_t n)
{
	for (; n; n--) {
		wsnprof_ring.data[*at] = (uint8_t)*bytes++;
		*at = (*at + 1) & (WSNPROF_RING - 1);
	}
}

static WSNPROF_QUIET void release(void)
{
	struct wsnprof_ring *r = &wsnprof_ring;
	uint8_t lock = wsnprof_lock();

	if (--r->writers == 0)
		r->ready = r->head;
	wsnprof_unlock(lock);
	wsnprof_port_kick();
}

bool wsnprof_ring_put_line(const char *line, uint8_t length)
{
	struct wsnprof_ring *r = &wsnprof_ring;
	uint8_t lock = wsnprof_lock();
	uint8_t end = r->line_open ? 2 : 0;
	uint8_t at;
	bool fits = reserve(length + end, 0, &at);

	if (fits)
		r->line_open = false;
	wsnprof_unlock(lock);
	if (!fits)
		return false;
	fill(&at, "\r\n", end);
	fill(&at, line, length);
	release();
	return true;
}

bool wsnprof_putchar(char c)
{
	struct wsnprof_ring *r = &wsnprof_ring;
	uint8_t lock = wsnprof_lock();
	uint8_t at;
	bool fits = reserve(1, WSNPROF_LINE_SIZE, &at);

	if (fits)
		r->line_open = c != '\n';
	else
		r->dropped++;
	wsnprof_unlock(lock);
	if (!fits)
		return false;
	fill(&at, &c, 1);
	release();
	return true;
}
