/*
 * Feed: byte 0 chooses an image and how the rest is cut; the rest is the stream. Reports must keep
 * their bounds, and text plus rows must account for what came in.
 */
#include <stdlib.h>
#include <string.h>

#include "core/wire/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
	uint64_t rows, text;
};

static void on_report(void *ctx, const struct wire_report *r)
{
	struct seen *s = ctx;

	if (r->count > 65536 || (r->complete && r->count < r->num_sites))
		abort();
	for (const char *c = r->name; *c; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			abort();
	}
	for (size_t i = 0; i < r->count; i++) {
		if (r->kind == REPORT_PROF && r->rows[i].flags & ROW_BIT16 &&
		    r->rows[i].from < 0x10000 && r->rows[i].to < 0x10000)
			abort();
	}
	s->rows += r->count;
}

static void on_stack(void *ctx, const struct wire_stack *stack)
{
	((struct seen *)ctx)->rows += stack->count;
}

static void on_boot(void *ctx)
{
	(void)ctx;
}

static void on_text(void *ctx, const char *text, size_t n)
{
	if (!text || !n)
		abort();
	((struct seen *)ctx)->text += n;
}

static uint64_t call_target(const void *ctx, uint64_t ret)
{
	(void)ctx;
	return ret & 4 ? CODE_NO_TARGET : ret / 2 & ~UINT64_C(1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t flags[0x14000 / 2];
	struct codemap code = { .size = sizeof(flags) * 2, .flags = flags, .target = call_target };
	struct seen seen = { 0, 0 };
	struct wire_options o = { .code = NULL };
	struct wire_sink sink = {
		.ctx = &seen, .report = on_report, .stack = on_stack, .text = on_text,
		.boot = on_boot,
	};
	struct wire_stats stats;
	struct wire *w;
	size_t step;

	if (size == 0)
		return 0;
	for (size_t i = 0; !flags[0] && i < sizeof(flags); i++)
		flags[i] = i % 64 == 63 ? 0 : CODE_TEXT | (i % 8 == 0 ? CODE_ENTRY : 0) |
					      (i % 3 == 0 ? CODE_RETURN : 0);
	code.arch = data[0] & 1 ? CODE_AVR : CODE_ARM;
	if (data[0] & 2)
		o.code = &code;
	step = data[0] >> 3 ? data[0] >> 3 : size;
	w = wire_new("prof", &o, &sink, NULL);
	if (!w)
		return 0;
	for (size_t i = 1; i < size; i += step) {
		wire_feed(w, data + i, size - i < step ? size - i : step);
		if (data[0] & 4)
			wire_flush(w, false);
	}
	wire_flush(w, true);
	wire_stats(w, &stats);
	if (stats.bytes != size - 1 || stats.events != seen.rows || stats.text_bytes != seen.text ||
	    seen.text > stats.bytes)
		abort();
	wire_free(w);
	return 0;
}
