/*
 * node_made: a folder with reports and recordings, and a node that reads one of them to its end.
 */
#ifndef WSNTOP_TESTS_NODE_MADE_H
#define WSNTOP_TESTS_NODE_MADE_H

#include "tests/unit/unit.h"

#include "core/base/clock.h"
#include "core/node/node.h"
#include "core/wire/wsn/wsn.h"

static char dir[] = "/tmp/wsntop-test-XXXXXX";

static const char reports[] =
	"boot text\r\n"
	"PROF:one:2:10:1000:1000\r\n0x100:0x200:1:10:10:10\r\n0x110:0x300:2:20:5:15\r\n\r\n"
	"between\r\n"
	"PROF:two:1:10:1000:1000\r\n0x100:0x200:7:70:10:10\r\n\r\n"
	"PROF:one:2:10:2000:1000\r\n0x100:0x200:3:30:10:10\r\n0x110:0x300:4:40:5:15\r\n\r\n";

static inline const char *path_of(const char *name)
{
	static char path[2][128];
	static int turn;

	turn = !turn;
	snprintf(path[turn], sizeof(path[turn]), "%s/%s", dir, name);
	return path[turn];
}

static inline void write_file(const char *name, const char *text)
{
	FILE *f = fopen(path_of(name), "wb");

	assert_non_null(f);
	fwrite(text, 1, strlen(text), f);
	fclose(f);
}

static inline struct node *node_run(const struct node_options *o)
{
	struct err err = { 0 };
	struct node *n = node_new(o, &err);

	assert_string_equal(err.text, "");
	for (int i = 0; i < 100000 && !node_ended(n); i++)
		node_service(n, clock_now(), 1 << 20);
	assert_true(node_ended(n));
	assert_int_equal(profile_compute(node_profile(n)), 0);
	return n;
}

static inline uint64_t calls_of(const struct node *n, const char *name)
{
	const struct profile *p = node_profile(n);
	uint32_t i = profile_find_name(p, name);

	return i == PROFILE_NONE ? 0 : p->functions[i].calls;
}

static inline struct node_options options_of(const char *report)
{
	static char source[128];

	snprintf(source, sizeof(source), "%s", path_of("reports"));
	return (struct node_options){ .source = source, .report = report, .batch = true };
}

static inline int set_up(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(dir));
	write_file("reports", reports);
	return 0;
}

static inline int tear_down(void **state)
{
	(void)state;
	return unit_remove(dir);
}

static inline void frame_write(FILE *f, uint8_t type, uint8_t epoch, const uint8_t *body, size_t n)
{
	static uint8_t seq;
	uint8_t raw[WSN_BLOCK_MAX] = { (uint8_t)(type | epoch << 5), seq++ },
		coded[WSN_BLOCK_MAX + 1];
	uint16_t crc;

	memcpy(raw + 2, body, n);
	crc = wsn_crc(raw, n + 2);
	raw[n + 2] = (uint8_t)crc;
	raw[n + 3] = (uint8_t)(crc >> 8);
	fputc(0, f);
	fwrite(coded, 1, wsn_cobs_encode(coded, raw, n + 4), f);
	fputc(0, f);
}

static inline void hello_write(FILE *f, uint8_t epoch)
{
	/* 1000 ticks a second; TIMED, RECEIVE, RUNNING, SITES; 64 sites; no identity */
	uint8_t hello[49] = { 1, 0, 0x81, 0x05, 1, 0, 0xe8, 3, [18] = 64, [34] = epoch };

	frame_write(f, WSN_HELLO, epoch, hello, sizeof(hello));
}

/* skip, from 0x40, to 0x80, calls, 10 ticks */
static inline void row_write(FILE *f, uint8_t epoch, uint8_t calls)
{
	const uint8_t row[] = { 0, 0x40, 0x50, calls, 10 };

	frame_write(f, WSN_SITES, epoch, row, sizeof(row));
}

#endif
