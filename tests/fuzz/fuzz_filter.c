/*
 * Any bytes as a compiler's assembler text. Byte 0 names the chip and the options; the last one
 * patterns of functions. If no function is followed, nothing changes; else each has its id and its
 * record.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/filter/chip.h"
#include "core/filter/filter.h"
#include "core/filter/scope.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Of a profile. */
static void counts_add(struct scope_counts *c)
{
	map_init(&c->calls);
	if (scope_counts_add(c, "", "main", 3) < 0 ||
	    scope_counts_add(c, "main", "work", 900) < 0 ||
	    scope_counts_add(c, "work", "leaf", 80) < 0 ||
	    scope_counts_add(c, "caller", "leaf", 7) < 0)
		abort();
}

static void patterns_add(struct select *s, uint8_t ways)
{
	struct err err = { 0 };

	if ((ways & 1 && select_add(s, SELECT_ONLY, "^[a-m]", &err) < 0) ||
	    (ways & 2 && select_add(s, SELECT_EXCEPT, "e$", &err) < 0) ||
	    (ways & 4 && select_add(s, SELECT_FILES, "c$", &err) < 0))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct scope_counts counts;
	struct filter_options o = { .outline = { -1, -1 } };
	struct filter_result result;
	struct buf out = BUF_INIT;
	struct err err = { 0 };

	if (size == 0)
		return 0;
	o.chip = data[0] & 1 ? &chip_avr : &chip_thumb;
	o.wide = data[0] & 2;
	o.no_handlers = data[0] & 4;
	o.outline.thumb1 = data[0] & 8 ? 1 : -1;
	o.outline.long_calls = data[0] & 16 ? 1 : data[0] & 32 ? 0 : -1;
	o.use = data[0] & 64 ? FILTER_TIMED : data[0] & 128 ? FILTER_COUNT : FILTER_TRACE;
	if (o.use == FILTER_TRACE && o.chip == &chip_avr && data[0] & 8 && !o.wide)
		o.codes = FILTER_FLOW;
	else if (o.use == FILTER_TRACE && o.chip == &chip_avr && data[0] & 48 && !o.wide)
		o.codes = data[0] & 16 ? FILTER_LOCAL : FILTER_HUFFMAN;
	counts_add(&counts);
	o.counts = &counts;
	patterns_add(&o.select, data[size - 1]);
	o.outline.far_code = data[0] & 8 ? 1 : 0;
	data++;
	size--;
	if (filter_text(&o, (const char *)data, size, &out, &result, &err) == 0 &&
	    result.functions == 0 &&
	    (out.len != size || (size && memcmp(out.data, data, size) != 0)))
		abort();
	/* an id and its record, at least */
	if (o.use == FILTER_TRACE && result.functions && !out.failed &&
	    out.len < result.functions * 100)
		abort();
	buf_release(&out);
	select_release(&o.select);
	map_release(&counts.calls);
	return 0;
}
