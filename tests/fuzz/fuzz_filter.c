/*
 * Any bytes as a compiler's assembler text. Byte 0 names the chip and the options. If no function
 * is followed, nothing changes; else each has its id and its record.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/filter/chip.h"
#include "core/filter/filter.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
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
	if (o.use != FILTER_TRACE)
		o.chip = &chip_avr;
	else if (o.chip == &chip_avr && data[0] & 8 && !o.wide)
		o.codes = FILTER_FLOW;
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
	return 0;
}
