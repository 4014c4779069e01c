/*
 * fuzz_record: any file as a recording. Its bytes are handed out or counted, once, and it ends.
 * A second pass repairs the checks, so that what hides behind them is met as well; a third puts the
 * bytes between two whole chunks: the second of them is found behind whatever they are.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "core/base/clock.h"
#include "core/link/link.h"
#include "core/link/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(what) do { if (!(what)) abort(); } while (0)

/* The host's clock stands: each run does the same. */
uint64_t __wrap_clock_now(void);

uint64_t __wrap_clock_now(void)
{
	return CLOCK_SECOND;
}

static uint8_t last[16];		/* bytes handed out */

static void last_add(const uint8_t *data, size_t n)
{
	size_t kept = n < sizeof(last) ? n : sizeof(last);

	memmove(last, last + kept, sizeof(last) - kept);
	memcpy(last + sizeof(last) - kept, data + n - kept, kept);
}

static void read_all(struct link *l, size_t size)
{
	uint64_t now = clock_now(), time, before = 0;
	size_t given = 0, turns = 0;
	uint8_t buf[512];
	ssize_t n;

	while ((n = link_read(l, now, buf, sizeof(buf), &time)) >= 0) {
		int ms = link_timeout(l, now);

		REQUIRE(ms >= 0);
		REQUIRE(n == 0 || time >= before);
		REQUIRE(++turns < 16 * (size + 64));
		now += (uint64_t)ms * 1000000;
		/* Hours may lie between two chunks: the clock need not crawl there. */
		if (ms > 1000)
			now += CLOCK_SECOND << 30;
		before = n ? time : before;
		last_add(buf, (size_t)n);
		given += (size_t)n;
	}
	REQUIRE(given + link_damaged(l) <= size);
	REQUIRE(strcmp(link_kind(l), "recording") == 0 || given == size);
	REQUIRE(link_progress(l) >= 0 && link_progress(l) <= 1);
}

static void try_file(const uint8_t *data, size_t size, double speed)
{
	const struct link_options o = { .speed = speed };
	int fd = memfd_create("recording", MFD_CLOEXEC);
	struct link *l;
	char path[64];

	REQUIRE(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "file:/proc/self/fd/%d", fd);
	l = link_new(path, &o, NULL);
	REQUIRE(l);
	read_all(l, size);
	link_free(l);
	close(fd);
}

static void crc_repair(uint8_t *data, size_t size)
{
	size_t at = RECORD_HEADER;

	while (at + 16 <= size) {
		size_t n = data[at + 8] | (size_t)data[at + 9] << 8 | (size_t)data[at + 10] << 16 |
			   (size_t)(data[at + 11] & 0x7f) << 24;
		uint32_t check;

		if (n > size - at - 16)
			return;
		check = (uint32_t)crc32(0, data + at, (uInt)(12 + n));
		for (int i = 0; i < 4; i++)
			data[at + 12 + n + (size_t)i] = (uint8_t)(check >> 8 * i);
		at += 16 + n;
	}
}

static void try_between(const uint8_t *data, size_t size)
{
	static const uint8_t end[sizeof(last)] = "the last chunk!";
	uint8_t *file = malloc(size + 3 * 64);
	size_t n = RECORD_HEADER;

	REQUIRE(file);
	record_header(file, 0);
	n += record_chunk(file + n, 1, end, 1);
	memcpy(file + n, data, size);
	n += size;
	n += record_chunk(file + n, 2, end, sizeof(end));
	memset(last, 0, sizeof(last));
	try_file(file, n, 0);
	REQUIRE(memcmp(last, end, sizeof(end)) == 0);
	free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);

	REQUIRE(copy);
	try_file(data, size, 0);
	memcpy(copy, data, size);
	if (size >= RECORD_MAGIC_SIZE)
		memcpy(copy, RECORD_MAGIC, RECORD_MAGIC_SIZE);
	crc_repair(copy, size);
	try_file(copy, size, 1);
	try_between(data, size);
	free(copy);
	return 0;
}
