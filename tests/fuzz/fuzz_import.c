/*
 * Any bytes as a file of another tool, the first one choosing which: refused with a sentence, or a
 * profile whose every index is one, that is exported and compared with itself.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/export/export.h"
#include "core/import/parts.h"
#include "core/profile/look/compare.h"
#include "core/profile/raw/copy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(what) do { if (!(what)) abort(); } while (0)

static void elements_check(const struct profile *p)
{
	for (size_t i = 0; i < p->function_count; i++) {
		const struct profile_function *f = &p->functions[i];

		REQUIRE(f->name);
		REQUIRE(f->first_in == PROFILE_NONE || f->first_in < p->edge_count);
		REQUIRE(f->first_out == PROFILE_NONE || f->first_out < p->edge_count);
		REQUIRE(f->self_ticks >= 0 && f->total_ticks >= 0);
	}
	for (size_t i = 0; i < p->edge_count; i++) {
		REQUIRE(p->edges[i].to < p->function_count);
		REQUIRE(p->edges[i].from == PROFILE_NONE ||
			p->edges[i].from < p->function_count);
	}
	for (size_t i = 0; i < p->place_count; i++) {
		const struct profile_place *place = &p->places[i];

		REQUIRE(place->function < p->function_count);
		REQUIRE(!i || place[-1].function <= place->function);
		REQUIRE(place->edge == PROFILE_NONE ||
			(place->edge < p->edge_count &&
			 p->edges[place->edge].from == place->function));
		REQUIRE(profile_places(p, place->function) <= i);
	}
}

static void profile_write(const struct profile *p, const char *format)
{
	struct export_source s = { .profile = p, .format = "auto", .agreement = 1 };
	struct buf text = BUF_INIT;
	struct out out;

	out_open_buf(&out, &text);
	REQUIRE(export_write(exporter_find(format), &s, &out, NULL) == 0);
	REQUIRE(out_close(&out, NULL) == 0);
	buf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int (*const readers[])(struct profile *p, const struct import_bytes *b,
				      struct err *err) = {
		gmon_read, callgrind_read, pprof_read, folded_read,
	};
	static const char *const formats[] = { "json", "callgrind", "pprof", "folded", "gmon",
		"html", "firefox" };
	struct import_bytes b = { .data = data + 1, .size = size - 1 };
	struct profile *p = malloc(sizeof(*p)), *copy;
	struct compare c = { 0 };
	struct err err = { 0 };
	int ret;

	if (!size || !p || profile_init(p, "") < 0) {
		free(p);
		return 0;
	}
	ret = readers[data[0] % 4](p, &b, &err);
	REQUIRE((ret < 0) == err_is_set(&err));
	if (ret == 0 && profile_compute(p) == 0) {
		elements_check(p);
		for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
			profile_write(p, formats[i]);
		REQUIRE(compare_build(&c, p, p, NULL) == 0);
		compare_release(&c);
		copy = profile_copy(p);
		REQUIRE(copy);
		elements_check(copy);
		profile_write(copy, "callgrind");
		profile_drop(copy);
	}
	profile_drop(p);
	return 0;
}
