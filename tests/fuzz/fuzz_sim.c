/*
 * sim: any bytes behind the magic, any split, the same events. The first byte: the pieces. The same
 * bytes as a helper's standard input; and as what is to be watched, which the helper must take.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/wire/sim/sim.h"
#include "core/wire/wire.h"
#include "sim/source/commands.h"
#include "sim/source/watch.h"

enum { PIPE_MOST = 4096 };		/* a pipe holds it */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

struct heard {
	uint64_t sum;
	struct wire_stats stats;
};

static void hear_totals(void *ctx, const struct wire_total *t, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((struct heard *)ctx)->sum += t[i].calls * 3 + t[i].to;
}

static void hear_events(void *ctx, const struct wire_event *e, size_t n)
{
	struct heard *h = ctx;

	for (size_t i = 0; i < n; i++) {
		if (e[i].lane > 15 || (i && e[i].ticks < e[i - 1].ticks && e[i].ticks > 1 << 20))
			h->sum++;	/* the clock wrapped: it is 64 bits */
		h->sum = h->sum * 31 + e[i].ticks + e[i].kind;
	}
}

static void hear_naming(void *ctx, const struct wire_naming *naming)
{
	((struct heard *)ctx)->sum += naming->note + strlen(naming->name) + naming->is_real;
}

static void hear_watching(void *ctx, const struct wire_watching *watching)
{
	struct heard *h = ctx;

	if (watching->count > WIRE_WATCHES)
		abort();
	for (size_t i = 0; i < watching->count; i++)
		h->sum = h->sum * 31 + watching->of[i].note + watching->of[i].way;
}

static void hear_depths(void *ctx, const struct wire_depth *depths, size_t n)
{
	struct heard *h = ctx;

	for (size_t i = 0; i < n; i++) {
		if (depths[i].depth < -1)
			abort();
		h->sum = h->sum * 31 + depths[i].address + depths[i].frame + depths[i].use;
	}
}

static void hear_spent(void *ctx, const struct wire_spent *spent, size_t n)
{
	struct heard *h = ctx;

	for (size_t i = 0; i < n; i++)
		h->sum = h->sum * 31 + spent[i].address + (uint32_t)spent[i].ticks;
}

static void hear_watermark(void *ctx, const struct wire_watermark *mark)
{
	struct heard *h = ctx;

	if (mark->low > mark->base || mark->count > WIRE_PATH || mark->count > mark->open)
		abort();
	for (uint32_t i = 0; i < mark->count; i++)
		h->sum = h->sum * 31 + mark->path[i];
	h->sum += mark->stack;
}

static void stream_hear(struct heard *h, const uint8_t *p, size_t n, size_t piece)
{
	struct wire_sink sink = { .ctx = h, .totals = hear_totals, .events = hear_events,
				  .naming = hear_naming, .watching = hear_watching,
				  .depths = hear_depths, .watermark = hear_watermark,
				  .spent = hear_spent };
	struct wire *w = wire_new("sim", NULL, &sink, NULL);

	memset(h, 0, sizeof(*h));
	if (!w)
		abort();
	wire_feed(w, (const uint8_t *)SIM_MAGIC, sizeof(SIM_MAGIC) - 1);
	for (size_t at = 0; at < n; at += piece)
		wire_feed(w, p + at, piece < n - at ? piece : n - at);
	wire_flush(w, true);
	wire_stats(w, &h->stats);
	wire_free(w);
}

/* --- the helper's side ------------------------------------------------------------------------ */

static bool memory_read(void *ctx, uint32_t address, uint8_t *dst, unsigned n)
{
	(void)ctx;
	memset(dst, (int)address, n);
	return address < UINT32_MAX / 2;
}

/* Its memory is accessed everywhere that somebody watches, and next to that. */
static void helper_run(struct watches *w, uint64_t now)
{
	for (size_t i = 0; i < w->count; i++) {
		uint32_t at = w->of[i].is.address, size = w->of[i].is.size;

		watches_access(w, at, 1, true, now += 3);
		watches_access(w, at + size - 1, 4, i % 2, now += 3);
		watches_access(w, at - 1, 2, true, now += 3);
		watches_mark(w, (uint16_t)i, now);
		watches_handlers(w, i % 3 == 0, now);
		watches_settle(w, now += 20);
		watches_want(w, at, i % 2);
	}
	watches_flush(w);
	if (w->waiting)
		abort();
}

static void watches_open(struct watches *w, struct pack *pack)
{
	static int null = -1;

	if (null < 0 && (null = open("/dev/null", O_WRONLY)) < 0)
		abort();
	memset(w, 0, sizeof(*w));
	pack_begin(pack, null);
	w->read = memory_read;
	watches_init(w, pack);
}

static void helper_hear(const uint8_t *p, size_t n)
{
	static struct commands commands;
	static struct pack pack;
	struct watches watches;
	struct command c;
	int ends[2];

	n = n < PIPE_MOST ? n : PIPE_MOST;
	if (pipe(ends) < 0 || write(ends[1], p, n) != (ssize_t)n)
		abort();
	close(ends[1]);
	commands.fd = ends[0];
	commands.at = commands.count = 0;
	watches_open(&watches, &pack);
	while (commands_read(&commands))
		while (commands_next(&commands, &c))
			if (watches_take(&watches, c.body, c.n, 0))
				helper_run(&watches, 1);
	close(ends[0]);
}

/* What the decoder asks for is what the helper takes. */
static void points_pass(const uint8_t *p, size_t n)
{
	static struct pack pack;
	struct wire *w = wire_new("sim", NULL, &(struct wire_sink){ 0 }, NULL);
	struct wire_watchpoint points[WIRE_WATCHES];
	struct wire_out out = { .room = WIRE_OUT_MAX };
	struct watches watches;
	struct command c = { .body = NULL };
	static struct commands commands;
	size_t count = 0;

	for (; count < WIRE_WATCHES && n >= 16; count++, p += 16, n -= 16) {
		points[count] = (struct wire_watchpoint){
			.kind = p[0] % (WATCH_MARK + 1), .access = p[1] & 3, .name = "watched",
			.number = (uint16_t)(p[2] << 8 | p[3]), .reading.bytes = p[4] % 9,
			.reading.shift = p[5] % 64, .reading.bits = p[6] % 65,
		};
		memcpy(&points[count].address, p + 8, 4);
		memcpy(&points[count].size, p + 12, 4);
	}
	wire_watch(w, points, count);
	wire_ask(w, 0, &out);
	memcpy(commands.bytes, out.bytes, out.count);
	commands.at = 0;
	commands.count = out.count;
	watches_open(&watches, &pack);
	if (!commands_next(&commands, &c) || c.type != SIM_WATCH || commands.at != out.count ||
	    !watches_take(&watches, c.body, c.n, 0) || watches.count != count)
		abort();
	helper_run(&watches, 1);
	wire_free(w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct heard whole, parts;

	if (n < 2)
		return 0;
	stream_hear(&whole, data + 1, n - 1, n);
	stream_hear(&parts, data + 1, n - 1, data[0] + 1u);
	if (memcmp(&whole, &parts, sizeof(whole)) != 0)
		abort();
	helper_hear(data + 1, n - 1);
	points_pass(data + 1, n - 1);
	return 0;
}
