/* fuzz_moment: any text as a time to go to; what is found is within the recording. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/moment.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(what) do { if (!(what)) abort(); } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct moment_span spans[] = {
		{ .begin = 5, .end = 5, .at = 5, .whole = true },
		{ .begin = 1ull << 40, .end = 1ull << 44, .at = 1ull << 43, .whole = true,
		  .wall_known = true, .wall = 1767355200000000000 },
		{ .begin = 1, .end = 1ull << 62, .at = 1ull << 61, .whole = true,
		  .wall_known = true, .wall = INT64_MIN },
	};
	char *text = malloc(size + 1);
	struct moment m;
	uint64_t ns;

	REQUIRE(text);
	memcpy(text, data, size);
	text[size] = '\0';
	for (size_t i = 0; moment_parse(text, &m) && i < sizeof(spans) / sizeof(spans[0]); i++) {
		moment_find(&m, &spans[i], &ns);
		REQUIRE(ns >= spans[i].begin && ns <= spans[i].end);
	}
	free(text);
	return 0;
}
