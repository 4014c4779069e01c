/*
 * Any bytes as the tables that the process which reads DWARF sends: they are refused, or every
 * number in them is one of a table's, and they can be asked as those of a file are.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/os.h"
#include "core/image/debug_pack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(what) do { if (!(what)) abort(); } while (0)

enum { MOST = 1 << 20 };

static bool path_ok(const struct debug_data *d, uint32_t path)
{
	return path == DEBUG_NONE || path < d->paths.count;
}

static void tables_ask(const struct debug_data *d)
{
	size_t letters = 0;

	for (size_t i = 0; i < d->paths.count; i++)
		letters += strlen(d->paths.v[i].path) + strlen(d->paths.v[i].file);
	for (size_t i = 0; i < d->functions.count; i++) {
		letters += d->functions.v[i].name ? strlen(d->functions.v[i].name) : 0;
		REQUIRE(path_ok(d, d->functions.v[i].path));
	}
	for (size_t i = 0; i < d->instances.count; i++)
		REQUIRE(d->instances.v[i].function < d->functions.count &&
			d->instances.v[i].unit < d->units);
	for (size_t i = 0; i < d->inlines.count; i++)
		REQUIRE(d->inlines.v[i].parent == DEBUG_NONE || d->inlines.v[i].parent < i);
	for (size_t i = 0; i < d->sequences.count; i++)
		REQUIRE(d->sequences.v[i].first + d->sequences.v[i].count <= d->rows.count);
	REQUIRE(letters <= (size_t)MOST * MOST);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct confined from = { .fd = os_nameless_file(), .until = UINT64_MAX };
	struct debug_data d;

	REQUIRE(from.fd >= 0 && write(from.fd, data, size) == (ssize_t)size);
	REQUIRE(lseek(from.fd, 0, SEEK_SET) == 0);
	debug_init(&d);
	if (debug_unpack(&d, &from, MOST))
		tables_ask(&d);
	debug_release(&d);
	close(from.fd);
	return 0;
}
