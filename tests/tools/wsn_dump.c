/*
 * wsn_dump FILE [-f FORMAT] [-e ELF] [-r]: what a stream of wsn frames says, as text.
 *
 * Running totals, HELLO, STATUS and epochs as the decoder gives them out; the console's text behind
 * "T". -r: the frames themselves instead, a line each: type, epoch bits, seq, body in hex.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/image/image.h"
#include "core/wire/wire.h"
#include "core/wire/wsn/wsn.h"

static const char *const type_names[] = {
	[WSN_HELLO] = "HELLO", [WSN_STATUS] = "STATUS", [WSN_SITES] = "SITES", [WSN_ARCS] = "ARCS",
	[WSN_PCS] = "PCS", [WSN_CLOSED_ARCS] = "CLOSED_ARCS", [WSN_CLOSED_PCS] = "CLOSED_PCS",
	[WSN_NAME] = "NAME", [WSN_LOST] = "LOST",
	[WSN_IDENTITY] = "IDENTITY", [WSN_TRACE] = "TRACE", [WSN_TRACING] = "TRACING",
};

static void dump_frame(const uint8_t *f, size_t n)
{
	unsigned type = f[0] & 0x1f;
	const char *name = type < sizeof(type_names) / sizeof(type_names[0]) ? type_names[type]
									     : NULL;

	if (name)
		printf("%s", name);
	else
		printf("type %u", type);
	printf(" epoch %u seq %u:", f[0] >> 5, f[1]);
	for (size_t i = 2; i < n; i++)
		printf(" %02x", f[i]);
	putchar('\n');
}

static void dump_segment(const uint8_t *s, size_t n)
{
	uint8_t frame[WSN_BLOCK_MAX + 1];
	char line[4096];
	size_t len = wsn_unwrap(NULL, frame, s, n);

	if (len) {
		dump_frame(frame, len);
	} else if (n) {
		text_visible(line, sizeof(line), (const char *)s, n);
		printf("no frame: %s\n", line);
	}
}

static void dump_raw(const uint8_t *data, size_t n)
{
	size_t start = 0;

	for (size_t i = 0; i <= n; i++) {
		if (i < n && data[i])
			continue;
		dump_segment(data + start, i - start);
		start = i + 1;
	}
}

/*
 * --- the decoder's events ------------------------------------------------------------------------
 */

static void on_hello(void *ctx, const struct wire_hello *h)
{
	(void)ctx;
	printf("HELLO '%s' version %u arch %u features %03x ticks %lu hz %u cost %.4g skew %.4g "
	       "spread %.4g"
	       " sites %u stack %u arcs %u pcs %u id %lu epoch %u identity %d\n",
	       h->name, h->version, h->arch, h->features, (unsigned long)h->ticks_per_second, h->hz,
	       h->cost, h->skew, h->spread, h->max_sites, h->max_stack, h->max_arcs, h->max_pcs,
	       (unsigned long)h->id, h->epoch, (int)h->identity.kind);
}

static void on_status(void *ctx, const struct wire_status *s)
{
	const struct { const char *name; uint64_t value; } fields[] = {
		{ "run", s->run }, { "isr", s->isr }, { "stack_full", s->stack_full },
		{ "table_full", s->table_full }, { "cut", s->cut }, { "text_lost", s->text_lost },
		{ "carries_lost", s->carries_lost }, { "arcs_lost", s->arcs_lost },
		{ "pcs_lost", s->pcs_lost }, { "no_stack", s->no_stack },
		{ "arcs_unheard", s->arcs_unheard },
		{ "pcs_unheard", s->pcs_unheard }, { "command", s->command },
	};

	(void)ctx;
	printf("STATUS");
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (fields[i].value)
			printf(" %s %llu", fields[i].name, (unsigned long long)fields[i].value);
	}
	putchar('\n');
}

static void print_total(const struct wire_total *t)
{
	static const char *const kinds[] = { "SITE", "ARC", "PC" };

	printf("%s %lx %lx calls %llu", kinds[t->kind], (unsigned long)t->from,
	       (unsigned long)t->to, (unsigned long long)t->calls);
	if (t->has & TOTAL_TIMED)
		printf(" total %llu", (unsigned long long)t->total);
	if (t->has & TOTAL_MINMAX)
		printf(" min %llu max %llu", (unsigned long long)t->min,
		       (unsigned long long)t->max);
	for (size_t i = 0; t->has & TOTAL_HISTOGRAM && i < WIRE_BUCKETS; i++)
		printf("%s%llu", i ? " " : " [", (unsigned long long)t->bucket[i]);
	printf("%s%s%s%s%s\n", t->has & TOTAL_HISTOGRAM ? "]" : "",
	       t->flags & ROW_HANDLER ? " handler" : "", t->flags & ROW_BIT16 ? " bit16" : "",
	       t->flags & ROW_AMBIGUOUS ? " ambiguous" : "", t->flags & ROW_GONE ? " gone" : "");
}

static void on_totals(void *ctx, const struct wire_total *totals, size_t n)
{
	(void)ctx;
	for (size_t i = 0; i < n; i++)
		print_total(&totals[i]);
}

static void on_epoch(void *ctx)
{
	(void)ctx;
	printf("EPOCH\n");
}

static void on_text(void *ctx, const char *text, size_t n)
{
	char line[4096];

	(void)ctx;
	text_visible(line, sizeof(line), text, n);
	printf("T %s\n", line);
}

static int dump_events(const char *format, const struct codemap *code, const uint8_t *data,
		       size_t n)
{
	struct wire_sink sink = { .text = on_text, .hello = on_hello, .status = on_status,
				  .totals = on_totals, .epoch = on_epoch };
	struct wire_options o = { .code = code };
	struct wire_stats s;
	struct err err = { 0 };
	struct wire *w = wire_new(format, &o, &sink, &err);

	if (!w) {
		fprintf(stderr, "wsn_dump: %s\n", err.text);
		return 2;
	}
	wire_feed(w, data, n);
	wire_flush(w, true);
	wire_stats(w, &s);
	printf("%s: %llu bytes, %llu frames, %llu lost, %llu damaged, %llu bytes bad, %llu text\n",
	       wire_note(w), (unsigned long long)s.bytes, (unsigned long long)s.events,
	       (unsigned long long)s.lost, (unsigned long long)s.damaged,
	       (unsigned long long)s.bad_bytes, (unsigned long long)s.text_bytes);
	wire_free(w);
	return 0;
}

int main(int argc, char **argv)
{
	const char *format = "wsn", *elf = NULL;
	struct image *image = NULL;
	struct err err = { 0 };
	bool raw = false;
	int c, status = 0;
	size_t n = 0;
	char *data;

	while ((c = getopt(argc, argv, "f:e:r")) != -1) {
		if (c == 'f')
			format = optarg;
		else if (c == 'e')
			elf = optarg;
		else
			raw = true;
	}
	data = optind < argc ? file_read(argv[optind], 1 << 28, &n, &err) : NULL;
	if (data && elf)
		image = image_new(elf, &err);
	if (!data || (elf && !image)) {
		fprintf(stderr, "wsn_dump: %s\n",
			err_is_set(&err) ? err.text : "FILE [-f FORMAT] [-e ELF] [-r]");
		return 2;
	}
	if (raw)
		dump_raw((const uint8_t *)data, n);
	else
		status = dump_events(format, image ? image_codemap(image) : NULL,
				     (const uint8_t *)data, n);
	image_free(image);
	mem_free(data);
	return status;
}
