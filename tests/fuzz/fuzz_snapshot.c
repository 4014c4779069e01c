/*
 * Any bytes as a snapshot: refused with a sentence, or a profile that can be compared with itself
 * and whose every index is one. Rules are held against it, and the comparison is written.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/profile/look/compare.h"
#include "core/profile/raw/copy.h"
#include "core/export/snapshot.h"
#include "core/gate/gate.h"
#include "core/report/diff.h"

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
	for (size_t i = 0; i < p->place_count; i++) {
		const struct profile_place *place = &p->places[i];

		REQUIRE(place->function < p->function_count);
		REQUIRE(!i || place[-1].function <= place->function);
		REQUIRE(place->edge == PROFILE_NONE || place->edge < p->edge_count);
	}
}

static void check_rules(const struct profile *p)
{
	static const char text[] = "* self <= +5 %\n* total < 1 us\n* max <= +1 us\n* p99 < 1 s\n"
				   "* calls == 1\ntotal calls <= +1 %\nstack max < 10\n";
	const struct gate_input in = { .profile = p, .hooks = NAN };
	struct buf said = BUF_INIT;
	struct rules rules;
	struct gate g;

	REQUIRE(rules_parse(&rules, "r", text, sizeof(text) - 1, NULL, NULL, NULL) == 0);
	REQUIRE(gate_run(&g, &rules, &in, &in) == 0);
	REQUIRE(g.count >= rules.count && g.verdicts[GATE_PASSED] + g.verdicts[GATE_UNSURE] +
		g.verdicts[GATE_FAILED] == g.count);
	for (size_t i = 0; i < g.count; i++) {
		REQUIRE((g.results[i].why != NULL) == (g.results[i].verdict == GATE_UNSURE));
		gate_describe(&g, &g.results[i], &said);
		gate_where(&g, &g.results[i], &said);
		buf_reset(&said);
	}
	buf_release(&said);
	gate_release(&g);
	rules_release(&rules);
}

static void check_forms(const struct profile *p)
{
	const struct diff_options o = { .least = COMPARE_LEAST_DEFAULT, .all = true };
	struct buf text = BUF_INIT;
	struct out out;
	struct diff d;

	REQUIRE(diff_init(&d, p, p, "a", "b", &o) == 0);
	for (const struct diff_format *f = diff_formats; f->name; f++) {
		out_open_buf(&out, &text);
		f->write(&d, &out);
		REQUIRE(out_close(&out, NULL) == 0 && text.len);
		buf_reset(&text);
	}
	buf_release(&text);
	diff_release(&d);
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
	check_rules(p);
	check_forms(p);
	profile_drop(p);
	return 0;
}
