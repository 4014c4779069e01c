#include "core/collect/overview.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base/clock.h"
#include "core/base/json_out.h"
#include "core/base/text.h"
#include "core/collect/worst.h"
#include "core/export/metric.h"

static void time_put(struct json_out *j)
{
	time_t t = (time_t)(clock_wall() / CLOCK_SECOND);
	char text[32];
	struct tm tm;

	if (gmtime_r(&t, &tm) && strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm))
		json_text(j, "time", text);
	else
		json_null(j, "time");
}

static void node_id_put(struct json_out *j, uint32_t id)
{
	char text[9];

	snprintf(text, sizeof(text), "%08" PRIx32, id);
	json_text(j, "node", text);
}

/* As Prometheus has it: NaN where the node did not measure it. */
static double function_seconds(const char *name, const struct profile *p,
			       const struct profile_function *f)
{
	for (const struct metric *m = metrics; m->title; m++)
		if (m->name && !strcmp(m->name, name))
			return m->value(p, f);
	return (double)NAN;
}

static void spread_put(struct json_out *j, const struct shares_function *s)
{
	struct sketch sketch;

	shares_sketch(s, &sketch);
	json_begin_object(j, "share");
	json_number(j, "mean", worst_mean(s));
	json_number(j, "p50", sketch_quantile(&sketch, 0.5));
	json_number(j, "p90", sketch_quantile(&sketch, 0.9));
	json_number(j, "p99", sketch_quantile(&sketch, 0.99));
	json_number(j, "max", s->worst_count ? worst_share(&s->worst[0]) : (double)NAN);
	json_end_object(j);
}

static void function_nodes_put(struct json_out *j, const struct shares_function *s)
{
	struct worst_spread spread;

	if (!s) {
		json_count(j, "nodes", true, 0);
		json_null(j, "share");
		json_begin_array(j, "worst");
		json_end_array(j);
		return;
	}
	json_count(j, "nodes", true, s->nodes);
	spread_put(j, s);
	worst_spread(s, &spread);
	json_begin_array(j, "worst");
	for (size_t i = 0; i < s->worst_count; i++) {
		json_begin_object(j, NULL);
		node_id_put(j, s->worst[i].id);
		json_number(j, "share", worst_share(&s->worst[i]));
		json_count(j, "calls", true, s->worst[i].calls);
		json_number(j, "z", worst_z(&spread, &s->worst[i]));
		json_end_object(j);
	}
	json_end_array(j);
}

static void overview_function(struct json_out *j, const struct output_part *p,
			 const struct profile_function *f)
{
	json_begin_object(j, NULL);
	json_text(j, "name", f->name);
	json_text(j, "file", f->path ? f->path : f->file);
	json_count(j, "line", f->line, f->line);
	json_count(j, "address", true, f->address);
	json_count(j, "calls", f->called, f->calls);
	json_number(j, "self_s", function_seconds("function_self_seconds_total", p->profile, f));
	json_number(j, "total_s", function_seconds("function_seconds_total", p->profile, f));
	function_nodes_put(j, shares_find(&p->part->shares, f->address));
	json_end_object(j);
}

static void worst_nodes_put(struct json_out *j, const struct output_part *p)
{
	struct worst_node worst[WORST_NODES];
	size_t count = worst_find(p, worst);

	json_begin_array(j, "worst");
	for (size_t i = 0; i < count; i++) {
		json_begin_object(j, NULL);
		node_id_put(j, worst[i].node->id);
		json_text(j, "function", worst[i].function->name);
		json_number(j, "share", worst_share(worst[i].node));
		json_number(j, "times", worst[i].times);
		json_number(j, "z", worst[i].z);
		json_end_object(j);
	}
	json_end_array(j);
}

static void build_put(struct json_out *j, const struct output_part *p)
{
	json_begin_object(j, NULL);
	json_text(j, "site", p->part->key.site);
	json_text(j, "build", p->build);
	json_text(j, "image", p->image ? text_basename(image_path(p->image)) : NULL);
	json_count(j, "nodes", true, p->part->nodes);
	json_count(j, "epochs_ended", true, p->part->ended);
	json_number(j, "profiled_s", profile_run_told(p->profile));
	worst_nodes_put(j, p);
	json_begin_array(j, "functions");
	for (size_t i = 0; i < p->profile->function_count; i++)
		overview_function(j, p, &p->profile->functions[i]);
	json_end_array(j);
	json_end_object(j);
}

void overview_write(const char *group, const struct sum *all, const struct output_part *parts,
		   size_t count, struct out *out)
{
	struct json_out j = { .out = out };

	json_begin_object(&j, NULL);
	json_count(&j, "wsntop_fleet", true, 1);
	json_text(&j, "group", group);
	time_put(&j);
	json_count(&j, "unknown_nodes", true, all->unknown);
	json_count(&j, "doubtful_nodes", true, all->doubtful);
	json_count(&j, "refused_payloads", true, all->refused);
	json_begin_array(&j, "builds");
	for (size_t i = 0; i < count; i++)
		build_put(&j, &parts[i]);
	json_end_array(&j);
	json_end_object(&j);
	out_addc(out, '\n');
}
