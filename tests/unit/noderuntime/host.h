/*
 * host: who listens, for test_node_runtime: the driver that takes the node's bytes, and wsntop's
 * decoder behind it.
 */
#ifndef WSNTOP_TESTS_NODERUNTIME_HOST_H
#define WSNTOP_TESTS_NODERUNTIME_HOST_H

#include "core/wire/wire.h"
#include "core/wire/wsn/wsn.h"

static struct host {
	struct wire *wire;
	/* by slot: addresses tell it */
	struct wire_total sites[WSNPROF_SITES], pcs[WSNPROF_PCS];
	struct wire_hello hello;
	struct wire_status status;
	unsigned hellos, statuses, epochs;
	char name[16];
	char text[1 << 16];
	size_t text_n;
	size_t bytes;
} host;

/* A row's addresses are its slot's own. */
#define SITE_FROM(slot) (0x8000u + 2 * (slot) + 0x100)
#define SITE_TO(slot) (0x9000u + 0x4000 * (slot))
#define PC(slot) (0x8000u + 6 * (slot) + 2)

static void on_totals(void *ctx, const struct wire_total *t, size_t n)
{
	(void)ctx;
	for (; n; n--, t++) {
		if (t->kind == TOTAL_SITE)
			host.sites[(t->from - SITE_FROM(0)) / 2] = *t;
		else
			host.pcs[(t->from - PC(0)) / 6] = *t;
	}
}

static void on_hello(void *ctx, const struct wire_hello *h)
{
	(void)ctx;
	host.hello = *h;
	host.hellos++;
	snprintf(host.name, sizeof(host.name), "%s", h->name);
}

static void on_status(void *ctx, const struct wire_status *s)
{
	(void)ctx;
	host.status = *s;
	host.statuses++;
}

static void on_epoch(void *ctx)
{
	(void)ctx;
	host.epochs++;
	memset(host.sites, 0, sizeof(host.sites));
	memset(host.pcs, 0, sizeof(host.pcs));
}

static void on_text(void *ctx, const char *text, size_t n)
{
	(void)ctx;
	assert_true(host.text_n + n < sizeof(host.text));
	memcpy(host.text + host.text_n, text, n);
	host.text_n += n;
}

static void host_listen(const char *format)
{
	static const struct wire_sink sink = {
		.totals = on_totals,
		.hello = on_hello,
		.status = on_status,
		.epoch = on_epoch,
		.text = on_text,
	};
	static const struct wire_options options;
	struct err err = { 0 };

	wire_free(host.wire);
	memset(&host, 0, sizeof(host));
	host.wire = wire_new(format, &options, &sink, &err);
	assert_non_null(host.wire);
}

/* The driver: at most n bytes. */
static void host_line(size_t n)
{
	for (; n; n--) {
		int16_t c = wsnprof_take();
		uint8_t byte = (uint8_t)c;

		if (c < 0)
			return;
		host.bytes++;
		wire_feed(host.wire, &byte, 1);
	}
}

static struct wire_stats host_stats(void)
{
	struct wire_stats s;

	wire_flush(host.wire, false);
	wire_stats(host.wire, &s);
	return s;
}

/* The host heard of the rows what the chip counted. */
static void assert_rows(void)
{
	wire_flush(host.wire, true);	/* rows that one frame told alone count at the end */
	for (unsigned i = 0; i < WSNPROF_SITES; i++) {
		assert_int_equal(host.sites[i].calls, chip.sites[i].calls);
		assert_int_equal(host.sites[i].total, chip.sites[i].total);
		if (chip.sites[i].calls) {
			assert_int_equal(host.sites[i].to, chip.sites[i].to);
			assert_int_equal(host.sites[i].min, chip.sites[i].min);
			assert_int_equal(host.sites[i].max, chip.sites[i].max);
		}
	}
	for (unsigned i = 0; i < WSNPROF_PCS; i++)
		assert_int_equal(host.pcs[i].calls, chip.pcs[i].calls);
}

static void assert_clean(void)
{
	struct wire_stats s = host_stats();

	assert_int_equal(s.damaged, 0);
	assert_int_equal(s.lost, 0);
	assert_int_equal(s.bad_bytes, 0);
}

#endif
