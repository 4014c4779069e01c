/*
 * Any bytes as a snapshot: refused with a sentence, or a profile that can be compared with itself
 * and whose every index is one.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/profile/look/compare.h"
#include "core/profile/raw/copy.h"
#include "core/export/snapshot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(what) do { if (!(what)) abort(); } while (0)

static void check_functions(const struct profile *p)
{
	for (size_t i = 0; i < p->function_count; i++) {
		const struct profile_function *f = &p->functions[i];
		char shown[8192];

		REQUIRE(f->name && strlen(f->name) < 4096);
		REQUIRE(text_visible(shown, sizeof(shown), f->name, strlen(f->name)) ==
			strlen(f->name));
		REQUIRE(f->first_in == PROFILE_NONE || f->first_in < p->edge_count);
		REQUIRE(f->first_out == PROFILE_NONE || f->first_out < p->edge_count);
	}
}

static void check_edges(const struct profile *p)
{
	for (size_t i = 0; i < p->edge_count; i++) {
		const struct profile_edge *e = &p->edges[i];

		REQUIRE(e->to < p->function_count);
		REQUIRE(e->from == PROFILE_NONE || e->from < p->function_count);
		REQUIRE(e->first_site == PROFILE_NONE || e->first_site < p->site_count);
	}
	for (size_t i = 0; i < p->site_count; i++)
		REQUIRE(p->sites[i].edge < p->edge_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct compare c = { 0 };
	struct err err = { 0 };
	struct profile *p = snapshot_parse((const char *)data, size, &err);

	snapshot_is((const char *)data, size);
	REQUIRE((p == NULL) == err_is_set(&err));
	if (!p)
		return 0;
	check_functions(p);
	check_edges(p);
	REQUIRE(compare_build(&c, p, p, NULL) == 0);
	REQUIRE(c.edge_count == p->edge_count);
	compare_release(&c);
	profile_drop(p);
	return 0;
}
