/*
 * fuzz_keys: any file as the index of a recording. Its keys ascend and lie in it, a leap to any
 * time ends there or at the beginning, and all behind it is handed out. A second pass repairs the
 * checks and what says whose index it is, so that what hides behind them is met as well.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "core/base/clock.h"
#include "core/link/keys.h"
#include "core/link/link.h"
#include "core/link/parts.h"
#include "core/link/record.h"
#include "tests/fuzz/folder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(what) do { if (!(what)) abort(); } while (0)

enum { CHUNKS = 24, CHUNK = 40, HEADER = 16, KEY_HEAD = 24 };

#define WALL UINT64_C(1767312000000000000)

static char recording[64], index_path[80];
static uint8_t file[RECORD_HEADER + CHUNKS * (CHUNK + 16)];
static size_t file_size;

static void recording_make(void)
{
	uint8_t chunk[CHUNK];
	FILE *f;

	snprintf(recording, sizeof(recording), "%s/fuzz_keys.%d.wsnrec", folder_find(),
		 (int)getpid());
	snprintf(index_path, sizeof(index_path), "%s" PARTS_INDEX, recording);
	record_header(file, WALL);
	file_size = RECORD_HEADER;
	for (unsigned i = 0; i < CHUNKS; i++) {
		memset(chunk, (int)('a' + i), sizeof(chunk));
		file_size += record_chunk(file + file_size, i * CLOCK_SECOND, chunk, CHUNK);
	}
	f = fopen(recording, "wb");
	REQUIRE(f && fwrite(file, 1, file_size, f) == file_size && fclose(f) == 0);
}

static void files_remove(void)
{
	unlink(recording);
	unlink(index_path);
}

static void index_write(const uint8_t *data, size_t size)
{
	int fd = open(index_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	REQUIRE(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	close(fd);
}

static void keys_try(size_t size)
{
	int fd = open(recording, O_RDONLY | O_CLOEXEC);
	struct keys k;

	REQUIRE(fd >= 0);
	keys_open(&k, recording, WALL);
	REQUIRE(k.end >= HEADER && (k.fd < 0 || k.end <= size || !k.count));
	for (size_t i = 0; i < k.count; i++) {
		struct buf bytes = BUF_INIT;

		REQUIRE(!i || k.of[i].place > k.of[i - 1].place);
		REQUIRE(keys_find(&k, k.of[i].offset_ns)->offset_ns == k.of[i].offset_ns);
		if (keys_read(&k, &k.of[i], fd, &bytes))
			REQUIRE(bytes.len == k.of[i].length);
		buf_release(&bytes);
	}
	keys_close(&k);
	close(fd);
}

static bool nothing_again(void *ctx, struct buf *bytes)
{
	(void)ctx, (void)bytes;
	return false;
}

static void leap_try(uint64_t second)
{
	const struct link_options o = { .speed = 0, .zero_ns = CLOCK_SECOND };
	struct link *l = link_new(recording, &o, NULL);
	uint64_t to = (second + 1) * CLOCK_SECOND, at = 0, turns = 0;
	uint8_t buf[4096], last = 0;
	ssize_t n;

	REQUIRE(l);
	link_resumes(l, nothing_again, NULL);
	link_leaps(l, to);
	link_leap(l, 1, to);
	while ((n = link_read(l, 1, buf, sizeof(buf), &at)) >= 0) {
		REQUIRE(++turns < 100000);
		last = n ? buf[n - 1] : last;
	}
	(void)last;
	link_free(l);
}

static void index_repair(uint8_t *data, size_t size)
{
	size_t at = HEADER;

	if (size < HEADER)
		return;
	memcpy(data, "wsnidx1\n", 8);
	for (int i = 0; i < 8; i++)
		data[8 + i] = (uint8_t)(WALL >> 8 * i);
	while (at + KEY_HEAD + 4 <= size) {
		uint64_t place = data[at] | (uint64_t)data[at + 1] << 8;
		size_t n = data[at + 16];
		uint32_t check;

		/* Small enough to lie within both. */
		memset(data + at + 2, 0, 6);
		memset(data + at + 14, 0, 2);
		memset(data + at + 17, 0, 3);
		if (place >= RECORD_HEADER + 4 && place <= file_size)
			memcpy(data + at + 20, file + place - 4, 4);
		if (n > size - at - KEY_HEAD - 4)
			return;
		check = (uint32_t)crc32(0, data + at, (uInt)(KEY_HEAD + n));
		for (int i = 0; i < 4; i++)
			data[at + KEY_HEAD + n + (size_t)i] = (uint8_t)(check >> 8 * i);
		at += KEY_HEAD + n + 4;
	}
}

static void index_try(const uint8_t *data, size_t size)
{
	index_write(data, size);
	keys_try(size);
	for (uint64_t second = 0; second < CHUNKS + 2; second += 13)
		leap_try(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);

	REQUIRE(copy);
	if (!file_size) {
		recording_make();
		atexit(files_remove);
	}
	index_try(data, size);
	memcpy(copy, data, size);
	index_repair(copy, size);
	index_try(copy, size);
	free(copy);
	return 0;
}
