/* Feed: byte 0 says how the rest is cut; the rest is the stream. No byte is shown twice. */
#include <stdlib.h>

#include "core/wire/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void on_text(void *ctx, const char *text, size_t n)
{
	(void)text;
	*(uint64_t *)ctx += n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t text = 0;
	struct wire_options o = { .code = NULL };
	struct wire_sink sink = { .ctx = &text, .text = on_text };
	struct wire_stats stats;
	struct wire *w;
	size_t step;

	if (size == 0)
		return 0;
	step = data[0] >> 1 ? data[0] >> 1 : size;
	w = wire_new("auto", &o, &sink, NULL);
	if (!w)
		return 0;
	for (size_t i = 1; i < size; i += step) {
		wire_feed(w, data + i, size - i < step ? size - i : step);
		if (data[0] & 1)
			wire_flush(w, false);
	}
	wire_flush(w, true);
	wire_stats(w, &stats);
	if (stats.bytes != size - 1 || text > stats.bytes || !wire_note(w)[0])
		abort();
	wire_free(w);
	return 0;
}
