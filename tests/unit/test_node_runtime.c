/*
 * The portable half of the node runtime (target-common), compiled here with a port of the test's
 * own, heard by the host's decoder: what was put must come out, whatever interrupts and the line
 * do.
 */
#include "tests/unit/unit.h"

#define WSNPROF_CONFIG "tests/unit/noderuntime/wsnprof_config.h"
#define WSNPROF_PORT "tests/unit/noderuntime/wsnprof_port.h"
#include "target-common/wsnprof_datagram.h"
#include "target-common/wsnprof_identity.c"
#include "target-common/wsnprof_receive.c"
#include "target-common/wsnprof_ring.c"
#include "target-common/wsnprof_send.c"
#include "target-common/wsnprof_text.c"

#include "tests/unit/noderuntime/chip.h"
#include "tests/unit/noderuntime/host.h"

/* --- life ---------------------------------------------------------------------------------- */

static uint32_t seed;

static uint32_t dice_roll(uint32_t n)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % n;
}

static void site_call(unsigned slot, uint32_t took)
{
	struct site *s = chip.sites + slot;

	s->from = SITE_FROM(slot);
	s->to = SITE_TO(slot);
	s->min = s->calls == 0 || took < s->min ? took : s->min;
	s->max = took > s->max ? took : s->max;
	s->calls++;
	s->fresh++;
	s->total += took;
}

static void pc_sample(unsigned slot)
{
	struct site *s = chip.pcs + slot;

	s->from = PC(slot);
	s->calls++;
	s->fresh++;
}

/* Some slots are hotter than others, some are never used. */
static void load_work(unsigned n)
{
	while (n--) {
		unsigned slot = dice_roll(4) ? dice_roll(16) * 16 : dice_roll(WSNPROF_SITES - 40);

		site_call(slot, dice_roll(3) ? dice_roll(100) : dice_roll(100000));
		pc_sample(dice_roll(WSNPROF_PCS - 3));
		chip.run += 100;
	}
}

static int node_boot(void **state)
{
	(void)state;
	memset(&chip, 0, sizeof(chip));
	memset(&wsnprof_ring, 0, sizeof(wsnprof_ring));
	memset(&command, 0, sizeof(command));
	wsnprof_identity = (struct wsnprof_identity){ .start = WSNPROF_FLASH_START };
	wsnprof_node.period = WSNPROF_PACE(WSNPROF_PERIOD_MS);
	wsnprof_node.select = 0xff;
	wsnprof_node.running = false;
	report.step = IDLE;
	wsnprof_hz = 997;
	seed = 1;
	for (size_t i = 0; i < sizeof(chip.flash); i++)
		chip.flash[i] = (uint8_t)dice_roll(256);
	host_listen("wsn");
	wsnprof_id = 0x01020304;
	wsnprof_init();
	wsnprof_start();
	return 0;
}

static int node_off(void **state)
{
	(void)state;
	wire_free(host.wire);
	host.wire = NULL;
	return 0;
}

/* Until all has been said and heard. */
static void line_settle(void)
{
	unsigned polls = 0;

	wsnprof_refresh();
	while (!wsnprof_idle()) {
		wsnprof_poll();
		host_line(1000);
		assert_true(++polls < 2000);
	}
}

/* --- tests --------------------------------------------------------------------------------- */

static void test_all_comes_out(void **state)
{
	(void)state;
	for (unsigned round = 0; round < 50; round++) {
		load_work(200);
		chip.pace += 30;
		wsnprof_poll();
		host_line(dice_roll(200));
	}
	line_settle();
	assert_rows();
	assert_clean();
	assert_int_equal(host.text_n, 0);
	assert_int_equal(host.status.run, chip.run + (7ULL << 32));
}

static void test_hello(void **state)
{
	const struct wire_hello *h = &host.hello;
	uint16_t a = 0, b = 0;

	(void)state;
	line_settle();
	assert_string_equal(host.name, "bench");
	assert_int_equal(h->arch, WSN_ARCH_ARMV7M);
	assert_int_equal(h->features, WSNPROF_FEATURES | WSN_F_RECEIVE | WSN_F_RUNNING);
	assert_int_equal(h->ticks_per_second, 8000000);
	assert_int_equal(h->hz, 997);
	assert_true(h->cost == 3000 / 16.0 && h->spread == 2);
	assert_int_equal(h->max_sites, WSNPROF_SITES);
	assert_int_equal(h->max_stack, WSNPROF_STACK);
	assert_int_equal(h->max_pcs, WSNPROF_PCS);
	assert_int_equal(h->id, 0x01020304);
	assert_int_equal(h->epoch, wsnprof_epoch);
	for (size_t i = 0; i < sizeof(chip.flash); i += 2)
		b += a += (uint16_t)(chip.flash[i] | chip.flash[i + 1] << 8);
	assert_int_equal(h->identity.kind, WIRE_IDENTITY_SUM);
	assert_int_equal(h->identity.start, WSNPROF_FLASH_START);
	assert_int_equal(h->identity.length, sizeof(chip.flash));
	assert_int_equal(h->identity.a, a);
	assert_int_equal(h->identity.b, b);
}

/* Each counter in its own field, at its largest too. */
static void test_status(void **state)
{
	const struct wire_status *s = &host.status;

	(void)state;
	wsnprof_counts = (struct wsnprof_counts){
		.isr_low = 1,
		.isr_high = 2,
		.stack_full = 3,
		.table_full = 4,
		.cut = 5,
		.text = 6,
		.carries = 7,
		.command = 8,
		.arcs_lost = 9,
		.pcs_lost = UINT32_MAX,
		.arcs_closed = 0,
		.pcs_closed = 128,
	};
	line_settle();
	assert_int_equal(s->run, chip.run + (7ULL << 32));
	assert_int_equal(s->isr, 1 + (2ULL << 32));
	assert_int_equal(s->stack_full, 3);
	assert_int_equal(s->table_full, 4);
	assert_int_equal(s->cut, 5);
	assert_int_equal(s->text_lost, 6);
	assert_int_equal(s->carries_lost, 7);
	assert_int_equal(s->command, 8);
	assert_int_equal(s->arcs_lost, 9);
	assert_int_equal(s->pcs_lost, UINT32_MAX);
	assert_int_equal(s->arcs_unheard, 0);
	assert_int_equal(s->pcs_unheard, 128);
	memset(&wsnprof_counts, 0xff, sizeof(wsnprof_counts));
	line_settle();			/* more than a frame holds: it ends early */
	assert_int_equal(s->pcs_unheard, 0);
	assert_clean();
}

/* Every length and pattern of zeros: the host's own COBS and CRC agree. */
static void test_frames(void **state)
{
	uint8_t sent[WSNPROF_FRAME], frame[WSN_BLOCK_MAX], body[WSNPROF_BODY_END];

	(void)state;
	for (unsigned i = 0; i < 3000; i++) {
		uint8_t n = (uint8_t)(i % (WSNPROF_BODY_END - WSNPROF_HEAD + 1));
		uint8_t seq = wsnprof_ring.seq;
		uint16_t crc;
		int16_t c;
		size_t k = 0;

		for (uint8_t j = 0; j < n; j++)
			body[j] = i % 3 == 0 ? (uint8_t)dice_roll(256) : (uint8_t)dice_roll(i % 3);
		memcpy(wsnprof_ring.frame + WSNPROF_HEAD, body, n);
		wsnprof_frame_end(9, wsnprof_ring.frame + WSNPROF_HEAD + n);
		while ((c = wsnprof_take()) >= 0)
			sent[k++] = (uint8_t)c;
		assert_int_equal(k, n + 7);
		assert_true(sent[0] == 0 && sent[k - 1] == 0);
		assert_int_equal(wsn_cobs_decode(frame, sent + 1, k - 2), n + 4);
		crc = wsn_crc(frame, n + 2u);
		assert_true(frame[n + 2] == (crc & 0xff) && frame[n + 3] == crc >> 8);
		assert_int_equal(frame[0], 9 | (uint8_t)(wsnprof_epoch << 5));
		assert_int_equal(frame[1], seq);
		assert_memory_equal(frame + 2, body, n);
	}
}

/* What the application printed and was not refused, in order. */
static char printed[1 << 16];
static size_t printed_n;
static unsigned refused;

static void text_print(char c)
{
	if (wsnprof_putchar(c))
		printed[printed_n++] = c;
	else
		refused++;
}

static void print_somewhere(void)
{
	if (dice_roll(20) == 0 && printed_n < sizeof(printed) - 10)
		text_print((char)(' ' + printed_n % 64));
}

/* Interrupts print wherever they can; nobody's bytes are torn, and no frame is. */
static void test_text_from_interrupts(void **state)
{
	(void)state;
	printed_n = refused = 0;
	chip.interrupt = print_somewhere;
	for (unsigned round = 0; round < 400; round++) {
		load_work(50);
		chip.pace += 20;
		wsnprof_poll();
		host_line(dice_roll(100));
	}
	chip.interrupt = NULL;
	line_settle();
	assert_rows();
	assert_clean();
	assert_true(printed_n > 100);
	assert_int_equal(host.text_n, printed_n);
	assert_memory_equal(host.text, printed, printed_n);
}

static void test_ring_full(void **state)
{
	(void)state;
	printed_n = refused = 0;
	for (unsigned i = 0; i < 100; i++)
		text_print('x');
	assert_int_equal(printed_n, WSNPROF_RING - 1);
	assert_int_equal(refused, 100 - printed_n);
	line_settle();
	assert_int_equal(host.status.text_lost, refused);
	assert_int_equal(host.text_n, printed_n);
	assert_clean();
}

/*
 * Text without end, rows without end, a line for neither: both get through, and what was lost is
 * counted.
 */
static void test_fairness(void **state)
{
	size_t text;

	(void)state;
	printed_n = refused = 0;
	for (unsigned round = 0; round < 4000; round++) {
		load_work(20);
		chip.pace += 2;
		for (unsigned i = 0; i < 10; i++)
			text_print('.');
		wsnprof_poll();
		host_line(8);
	}
	text = host_stats().text_bytes;
	assert_true(text > host.bytes / 8);
	assert_true(text < host.bytes / 2);
	assert_true(refused > 0);
	line_settle();
	assert_rows();
	assert_clean();
	assert_int_equal(host.status.text_lost, refused);
}

/* A line for a tenth of the rows: still every row is heard of, over and over. */
static void test_slow_line(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 200; i++)
		site_call(i, 5);
	for (unsigned round = 0; round < 60 * 128; round++) {
		if (round == 20 * 128) {
			for (unsigned i = 0; i < 200; i++)
				assert_true(host.sites[i].calls > 0);
			memset(host.sites, 0, sizeof(host.sites));
		}
		for (unsigned i = 0; i < 200; i++)
			site_call(i, 5);
		chip.pace++;
		wsnprof_poll();
		host_line(4);		/* 500 bytes a period */
	}
	for (unsigned i = 0; i < 200; i++)
		assert_true(host.sites[i].calls > 0);
	assert_clean();
}

/*
 * More hot rows than the line has room for, at the table's beginning, and others that change once:
 * they are told in their turn all the same.
 */
static void test_hot_rows(void **state)
{
	enum { HOT = 40, USED = 200, PERIODS = USED / (WSNPROF_SPARE_FRAMES * 2) + 2 };

	(void)state;
	for (unsigned i = HOT; i < USED; i++)
		site_call(i, 5);
	line_settle();
	for (unsigned i = HOT; i < USED; i++)
		site_call(i, 5);
	for (unsigned round = 0; round < PERIODS * 123; round++) {
		for (unsigned i = 0; i < HOT; i++)
			for (unsigned n = 0; n < 20; n++)
				site_call(i, 5);
		chip.pace++;
		wsnprof_poll();
		host_line(4);
	}
	for (unsigned i = 0; i < USED; i++)
		assert_true(host.sites[i].calls > 1);
	assert_clean();
}

/*
 * A period that the line is too slow for, as long as HELLO alone: what was asked for comes whole,
 * and when nothing more happens, it is quiet some time.
 */
static void test_short_period(void **state)
{
	unsigned rounds = 0;

	(void)state;
	for (unsigned i = 0; i < 200; i++)
		site_call(i, 5);
	wsnprof_node.period = WSNPROF_PACE(50);
	wsnprof_refresh();
	for (; rounds < 1000; rounds++) {
		chip.pace++;
		wsnprof_poll();
		host_line(8);		/* 9,600 baud */
	}
	assert_rows();
	for (unsigned i = 0; i < 200; i++)
		site_call(i, 5);
	wsnprof_stop();
	for (rounds = 0; !wsnprof_idle(); rounds++) {
		assert_true(rounds < 1000);
		chip.pace++;
		wsnprof_poll();
		host_line(8);
	}
	assert_rows();
	assert_clean();
}

/* Rows that do not change cost what SPARE says; a host that joins late hears them all the same. */
static void test_join(void **state)
{
	(void)state;
	load_work(3000);
	line_settle();
	host_listen("wsn");
	for (unsigned period = 0; period < 80; period++) {
		size_t before = host.bytes;

		chip.pace += 123;
		for (unsigned polls = 0; polls < 20; polls++) {
			wsnprof_poll();
			host_line(1000);
		}
		assert_true(host.bytes - before <= (WSNPROF_SPARE_FRAMES + 3) * WSNPROF_FRAME);
	}
	assert_rows();
	assert_clean();
}

static void test_lost_frame(void **state)
{
	(void)state;
	load_work(300);
	line_settle();
	load_work(300);
	chip.pace += 123;
	for (unsigned frames = 0; frames < 6; host_line(1000)) {
		if (wsnprof_poll() && wsnprof_ring.end && ++frames == 4)	/* is not heard */
			while (wsnprof_take() >= 0)
				;
	}
	for (unsigned i = 0; i < 100; i++) {
		chip.pace += 123;
		line_settle();
	}
	assert_int_equal(host_stats().lost, 1);
	assert_int_equal(host_stats().damaged, 0);
	assert_rows();
}

/* Datagrams of frames: of any size, each stands alone; what is lost of them is whole frames. */
static void test_datagrams(void **state)
{
	uint8_t packet[600];
	unsigned lost = 0, packets = 0, full = 0, spoken = 0;

	(void)state;
	for (unsigned round = 0; round < 400; round++) {
		uint16_t size = (uint16_t)(WSNPROF_FRAME + dice_roll(500)), n = 0, got;

		load_work(20);
		chip.pace += 30;
		if (dice_roll(3) == 0)
			spoken += wsnprof_putchar('x');
		wsnprof_poll();
		while ((got = wsnprof_take_frame(packet + n, (uint16_t)(size - n))) > 0) {
			n = (uint16_t)(n + got);
			wsnprof_poll();
		}
		assert_true(n <= size);
		full += n + WSNPROF_FRAME > size;
		if (!n)
			continue;
		packets++;
		if (packets > 20 && dice_roll(30) == 0) {
			lost++;
			continue;
		}
		wire_feed(host.wire, packet, n);
	}
	assert_true(packets > 100 && full > 20 && lost > 2);
	line_settle();
	for (unsigned i = 0; i < 100; i++) {
		chip.pace += 123;
		line_settle();
	}
	assert_int_equal(host_stats().damaged, 0);
	assert_true(host_stats().lost >= lost);
	assert_rows();
	assert_true(host.text_n > spoken / 2 && host.text_n <= spoken);
}

static void test_reset(void **state)
{
	uint16_t epoch = wsnprof_epoch;

	(void)state;
	load_work(500);
	line_settle();
	wsnprof_counts.cut = 9;
	wsnprof_reset();
	assert_true(chip.on);
	assert_int_equal(wsnprof_epoch, epoch + 1);
	load_work(20);
	line_settle();
	assert_int_equal(host.epochs, 1);
	assert_int_equal(host.hello.epoch, epoch + 1);
	assert_int_equal(host.status.cut, 0);
	assert_rows();
	assert_clean();
}

/* Closed rows: the chip's frames and the sender's take turns; the sums tell what is missing. */
static void test_closed(void **state)
{
	uint32_t closed = 0;
	unsigned frames = 0;

	(void)state;
	line_settle();
	for (unsigned round = 0; round < 2000; round++) {
		uint8_t *p = wsnprof_frame_begin();

		chip.pace += 3;
		if (p) {
			p = wsnprof_varint(p, wsnprof_counts.pcs_closed);
			p = wsnprof_varint(p, (PC(63) - WSNPROF_BASE) / 2);
			p = wsnprof_varint(p, 1 + round);
			wsnprof_counts.pcs_closed += 1 + round;
			closed += 1 + round;
			wsnprof_frame_end(WSNPROF_CLOSED_PCS, p);
			frames++;
		}
		load_work(3);
		wsnprof_poll();
		host_line(64);
	}
	assert_true(frames > 500);
	line_settle();
	assert_int_equal(host.pcs[63].calls, closed);
	assert_int_equal(host.status.pcs_unheard, 0);
	chip.pcs[63].calls = closed;
	assert_rows();
	assert_clean();
}

/* --- commands ------------------------------------------------------------------------------ */

static size_t type_in(const uint8_t *bytes, size_t n)
{
	size_t ours = 0;

	for (size_t i = 0; i < n; i++)
		ours += wsnprof_receive(bytes[i]);
	return ours;
}

static void host_tell(enum wsn_type type, uint8_t seq, uint16_t arg)
{
	uint8_t bytes[WSN_COMMAND_MAX];
	size_t n = wsn_command(bytes, type, seq, arg);

	assert_int_equal(type_in(bytes, n), n);
	wsnprof_poll();
	host_line(1000);
}

static void test_commands(void **state)
{
	uint16_t epoch = wsnprof_epoch;

	(void)state;
	host_tell(WSN_STOP, 0, 0);
	assert_false(chip.on);
	line_settle();
	assert_int_equal(host.status.command, 1);
	assert_false(host.hello.features & WSN_F_RUNNING);
	host_tell(WSN_START, 1, 0);
	assert_true(chip.on);
	host_tell(WSN_RESET, 0, 0);
	assert_int_equal(wsnprof_epoch, epoch + 1);
	host_tell(WSN_RESET, 0, 0);		/* repeated: done once */
	assert_int_equal(wsnprof_epoch, epoch + 1);
	host_tell(WSN_HZ, 255, 1009);
	host_tell(WSN_PERIOD, 0x42, 2000);
	assert_int_equal(wsnprof_node.period, 244);
	host_tell(WSN_PERIOD, 0x43, 65535);
	assert_in_range(wsnprof_node.period, 7990, 8000);
	line_settle();
	assert_int_equal(host.status.command, 0x44);
	assert_int_equal(host.hello.hz, 1009);
	assert_clean();
}

static void test_select(void **state)
{
	(void)state;
	host_tell(WSN_SELECT, 1, 4);
	load_work(300);
	line_settle();
	for (unsigned i = 0; i < WSNPROF_SITES; i++)
		assert_int_equal(host.sites[i].calls, 0);
	assert_int_equal(host.pcs[1].calls, chip.pcs[1].calls);
	host_tell(WSN_SELECT, 2, 7);
	line_settle();
	assert_rows();
}

/*
 * A command waits for its poll. Of another that comes meanwhile nothing is done, wherever in it the
 * poll falls.
 */
static void test_command_behind_another(void **state)
{
	uint8_t first[WSN_COMMAND_MAX], second[WSN_COMMAND_MAX];
	size_t n = wsn_command(second, WSN_PERIOD, 4, 1000);

	(void)state;
	for (size_t cut = 0; cut <= n; cut++) {
		size_t first_n = wsn_command(first, WSN_STOP, 3, 0);

		wsnprof_counts.command = 0;
		assert_int_equal(type_in(first, first_n), first_n);
		assert_int_equal(type_in(second, cut), cut);
		wsnprof_poll();
		assert_int_equal(wsnprof_counts.command, 4);
		assert_int_equal(type_in(second + cut, n - cut), n - cut);
		wsnprof_poll();
		assert_int_equal(wsnprof_counts.command, cut < 2 ? 5 : 4);
		host_tell(WSN_PERIOD, 4, 1000);
		assert_int_equal(wsnprof_counts.command, 5);
	}
}

/* ALL says every row at once, changed or not. */
static void test_all(void **state)
{
	(void)state;
	load_work(3000);
	line_settle();
	host_listen("wsn");
	host_tell(WSN_ALL, 1, 0);
	while (!wsnprof_idle()) {
		wsnprof_poll();
		host_line(1000);
	}
	assert_rows();
	assert_clean();
}

/*
 * What is no command: the application's text, other types, damage in every bit, cut short, too
 * long.
 */
static void test_no_commands(void **state)
{
	uint8_t good[WSN_COMMAND_MAX], bad[WSN_COMMAND_MAX];
	size_t n = wsn_command(good, WSN_PERIOD, 3, 4660);
	uint16_t period_before = wsnprof_node.period;

	(void)state;
	assert_int_equal(type_in((const uint8_t *)"hello", 5), 0);
	for (size_t bit = 8; bit < 8 * (n - 1); bit++) {
		memcpy(bad, good, n);
		bad[bit / 8] ^= (uint8_t)(1 << bit % 8);
		type_in(bad, n);
		type_in((const uint8_t *)"\0\0a\0", 4);
		wsnprof_poll();
	}
	for (size_t cut = 1; cut < n - 1; cut++) {
		type_in(good, cut);
		type_in((const uint8_t *)"\0", 1);
		wsnprof_poll();
		type_in((const uint8_t *)"0123456789abcdefghij", 20);
	}
	for (unsigned i = 0; i < 20000; i++) {
		uint8_t byte = (uint8_t)(dice_roll(3) ? dice_roll(20) : dice_roll(256));

		type_in(&byte, 1);
		wsnprof_poll();
	}
	assert_int_equal(wsnprof_counts.command, 0);
	assert_int_equal(wsnprof_node.period, period_before);
	type_in((const uint8_t *)"0123456789abcdefghij", 20);
	assert_false(wsnprof_receive('x'));
	host_tell(WSN_PERIOD, 3, 1000);
	assert_int_equal(wsnprof_counts.command, 4);
}

/* --- the text report ----------------------------------------------------------------------- */

static size_t reported;

static void on_report(void *ctx, const struct wire_report *r)
{
	(void)ctx;
	assert_string_equal(r->name, "bench");
	assert_true(r->complete);
	assert_int_equal(r->torn, 0);
	assert_int_equal(r->ticks_per_second, 8000000);
	for (size_t i = 0; i < r->count; i++) {
		const struct site *s = chip.sites + (r->rows[i].from - SITE_FROM(0)) / 2;

		assert_int_equal(r->rows[i].calls, s->calls);
		assert_int_equal(r->rows[i].total, s->total);
		assert_int_equal(r->rows[i].min, s->min < 65535 ? s->min : 65535);
		assert_int_equal(r->rows[i].max, s->max < 65535 ? s->max : 65535);
	}
	reported = r->count;
}

/* An application that prints half lines all the time does not tear the report. */
static void test_report(void **state)
{
	static const struct wire_sink sink = { .report = on_report };
	static const struct wire_options options;
	struct wire *prof;
	struct err err = { 0 };
	size_t rows = 0;

	(void)state;
	line_settle();
	load_work(1000);
	prof = wire_new("prof", &options, &sink, &err);
	for (unsigned i = 0; i < WSNPROF_SITES; i++)
		rows += chip.sites[i].from != 0;
	wsnprof_counts.cut = 3;
	wsnprof_report();
	reported = 0;
	while (!wsnprof_text_idle()) {
		wsnprof_poll();
		if (dice_roll(3) == 0)
			wsnprof_putchar("ab\n"[dice_roll(3)]);
		for (unsigned n = dice_roll(80); n; n--) {
			int16_t c = wsnprof_take();
			uint8_t byte = (uint8_t)c;

			if (c >= 0)
				wire_feed(prof, &byte, 1);
			if (dice_roll(30) == 0)
				wsnprof_putchar('!');
		}
	}
	wire_flush(prof, true);
	wire_free(prof);
	assert_int_equal(reported, rows);
}

/* An idle poll says nothing; idle() tells. */
static void test_idle(void **state)
{
	(void)state;
	assert_false(wsnprof_idle());
	line_settle();
	assert_false(wsnprof_poll());
	assert_int_equal(wsnprof_take(), -1);
	wsnprof_stop();
	assert_false(wsnprof_idle());
	line_settle();
	assert_rows();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, node_boot, node_off)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_all_comes_out),
		TEST(test_datagrams),
		TEST(test_hello),
		TEST(test_status),
		TEST(test_frames),
		TEST(test_text_from_interrupts),
		TEST(test_ring_full),
		TEST(test_fairness),
		TEST(test_slow_line),
		TEST(test_hot_rows),
		TEST(test_short_period),
		TEST(test_join),
		TEST(test_lost_frame),
		TEST(test_reset),
		TEST(test_closed),
		TEST(test_commands),
		TEST(test_command_behind_another),
		TEST(test_select),
		TEST(test_all),
		TEST(test_no_commands),
		TEST(test_report),
		TEST(test_idle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
