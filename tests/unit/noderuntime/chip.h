/*
 * chip: what a chip's half does, for test_node_runtime: tables that the test fills, a clock that it
 * turns, an interrupt wherever interrupts come on again. Include once, behind the runtime's files.
 */
#ifndef WSNTOP_TESTS_NODERUNTIME_CHIP_H
#define WSNTOP_TESTS_NODERUNTIME_CHIP_H

struct site {
	uint32_t from, to, calls, total, min, max, fresh;
};

static struct chip {
	struct site sites[WSNPROF_SITES];
	struct site pcs[WSNPROF_PCS];	/* from: the pc */
	uint32_t run;
	uint16_t pace;
	bool on;
	unsigned locks;
	unsigned kicks;
	void (*interrupt)(void);
	uint8_t flash[WSNPROF_FLASH_END - WSNPROF_FLASH_START];
} chip;

uint16_t wsnprof_cost = 3000, wsnprof_hz = 997;
int16_t wsnprof_skew;

wsnprof_mask wsnprof_lock(void)
{
	return chip.locks++;
}

/* Interrupts come on again: one comes. It does not interrupt itself. */
void wsnprof_unlock(wsnprof_mask mask)
{
	void (*interrupt)(void) = chip.interrupt;

	assert_int_equal(--chip.locks, mask);
	if (chip.locks == 0 && interrupt) {
		chip.interrupt = NULL;
		interrupt();
		chip.interrupt = interrupt;
	}
}

uint16_t wsnprof_pace(void)
{
	return chip.pace;
}

void wsnprof_kick(void)
{
	chip.kicks++;
}

uint16_t wsnprof_flash_word(uint32_t address)
{
	const uint8_t *p = chip.flash + (address - WSNPROF_FLASH_START);

	return (uint16_t)(p[0] | p[1] << 8);
}

void wsnprof_port_init(void)
{
	chip.on = false;
}

void wsnprof_port_start(void)
{
	assert_false(chip.on);
	chip.on = true;
}

void wsnprof_port_stop(void)
{
	assert_true(chip.on);
	chip.on = false;
}

void wsnprof_port_hz(uint16_t hz)
{
	wsnprof_hz = hz;
}

void wsnprof_port_run(uint32_t run[2])
{
	run[0] = chip.run;
	run[1] = 7;
}

void wsnprof_rows_clear(void)
{
	assert_false(chip.on);
	memset(chip.sites, 0, sizeof(chip.sites));
	memset(chip.pcs, 0, sizeof(chip.pcs));
}

uint8_t *wsnprof_row_put(uint8_t type, uint16_t slot, uint8_t want, uint8_t *p)
{
	bool is_site = type == WSNPROF_TYPE_SITES;
	struct site *s = (is_site ? chip.sites : chip.pcs) + slot;
	uint8_t *begin = p;

	assert_true(slot < (is_site ? WSNPROF_SITES : WSNPROF_PCS));
	wsnprof_unlock(wsnprof_lock());
	if (s->from == 0 || (want == WSNPROF_WANT_HOT && s->fresh <= 32) ||
	    (want == WSNPROF_WANT_DIRTY && s->fresh == 0))
		return NULL;
	s->fresh = 0;
	p = wsnprof_varint(p, (s->from - WSNPROF_BASE) / 2);
	if (is_site)
		p = wsnprof_varint(p, (s->to - WSNPROF_BASE) / 2);
	p = wsnprof_varint(p, s->calls);
	if (is_site) {
		p = wsnprof_varint(p, s->total);
		p = wsnprof_varint(p, s->min);
		p = wsnprof_varint(p, s->max);
	}
	assert_true(p - begin <= WSNPROF_ROW_SIZE);
	return p;
}

bool wsnprof_row_get(uint16_t slot, struct wsnprof_text_row *row)
{
	const struct site *s = chip.sites + slot;

	*row = (struct wsnprof_text_row){ s->from, s->to, s->calls, s->total, s->min, s->max };
	return s->from != 0;
}

#endif
