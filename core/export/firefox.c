/*
 * The processed profile format of the Firefox Profiler, version 55 (its docs-developer/
 * CHANGELOG-formats.md; newer ones upgrade it): call paths as samples, each weighed with its own
 * time, one behind the other on the time axis. Tables are columns; a stack is a frame and the stack
 * before it, which is what core/export/stacks has.
 */
#include "core/export/format.h"

#include "core/base/json_out.h"
#include "core/export/stacks.h"

enum { VERSION = 55, GECKO_VERSION = 31 };

struct firefox {
	const struct export_source *s;
	const struct profile *p;
	struct stacks stacks;
	struct json_out j;
};

/* --- columns ---------------------------------------------------------------------------------- */

/* The same in each row. */
static void column_same(struct firefox *x, const char *key, size_t n, bool null, uint64_t value)
{
	json_begin_array(&x->j, key);
	for (size_t i = 0; i < n && !out_failed(x->j.out); i++)
		json_count(&x->j, NULL, !null, value);
	json_end_array(&x->j);
}

/* 0, 1, 2: row i of one table is that of another; `step`, `from`: of every so many. */
static void column_counted(struct firefox *x, const char *key, size_t n, uint64_t from,
			   uint64_t step)
{
	json_begin_array(&x->j, key);
	for (size_t i = 0; i < n && !out_failed(x->j.out); i++)
		json_count(&x->j, NULL, true, from + i * step);
	json_end_array(&x->j);
}

static void column_empty(struct firefox *x, const char *const *keys)
{
	for (; *keys; keys++) {
		json_begin_array(&x->j, *keys);
		json_end_array(&x->j);
	}
	json_count(&x->j, "length", true, 0);
}

static void table_empty(struct firefox *x, const char *name, const char *const *keys)
{
	json_begin_object(&x->j, name);
	column_empty(x, keys);
	json_end_object(&x->j);
}

/* --- tables ----------------------------------------------------------------------------------- */

static uint64_t frame_own(const struct firefox *x, size_t i)
{
	return x->stacks.times ? x->stacks.frames[i].ns : x->stacks.frames[i].calls;
}

static void samples_write(struct firefox *x)
{
	struct json_out *j = &x->j;
	size_t n = 0;
	uint64_t at = 0;

	json_begin_object(j, "samples");
	json_text(j, "weightType", x->stacks.times ? "tracing-ms" : "samples");
	json_begin_array(j, "stack");
	for (size_t i = 0; i < x->stacks.count; i++) {
		if (!frame_own(x, i))
			continue;
		json_count(j, NULL, true, i);
		n++;
	}
	json_end_array(j);
	json_begin_array(j, "time");
	for (size_t i = 0; i < x->stacks.count; at += frame_own(x, i++))
		if (frame_own(x, i))
			json_number(j, NULL, (double)at / (x->stacks.times ? 1e6 : 1));
	json_end_array(j);
	json_begin_array(j, "weight");
	for (size_t i = 0; i < x->stacks.count; i++)
		if (frame_own(x, i))
			json_number(j, NULL, (double)frame_own(x, i) / (x->stacks.times ? 1e6 : 1));
	json_end_array(j);
	json_count(j, "length", true, n);
	json_end_object(j);
}

static void stacks_write(struct firefox *x)
{
	struct json_out *j = &x->j;

	json_begin_object(j, "stackTable");
	json_begin_array(j, "frame");
	for (size_t i = 0; i < x->stacks.count && !out_failed(j->out); i++)
		json_count(j, NULL, true, x->stacks.frames[i].function);
	json_end_array(j);
	json_begin_array(j, "prefix");
	for (size_t i = 0; i < x->stacks.count && !out_failed(j->out); i++)
		json_count(j, NULL, x->stacks.frames[i].parent != PROFILE_NONE,
			   x->stacks.frames[i].parent);
	json_end_array(j);
	json_count(j, "length", true, x->stacks.count);
	json_end_object(j);
}

static void lines_write(struct firefox *x, const char *key)
{
	json_begin_array(&x->j, key);
	for (size_t i = 0; i < x->p->function_count && !out_failed(x->j.out); i++)
		json_count(&x->j, NULL, x->p->functions[i].line > 0, x->p->functions[i].line);
	json_end_array(&x->j);
}

/* A frame is a function: paths know no more. */
static void frames_write(struct firefox *x)
{
	size_t n = x->p->function_count;
	struct json_out *j = &x->j;

	json_begin_object(j, "frameTable");
	json_begin_array(j, "address");
	for (size_t i = 0; i < n; i++)
		json_signed(j, NULL, true, profile_has_address(&x->p->functions[i]) ?
			    (int64_t)x->p->functions[i].address : -1);
	json_end_array(j);
	column_same(x, "inlineDepth", n, false, 0);
	column_same(x, "category", n, false, 0);
	column_same(x, "subcategory", n, false, 0);
	column_counted(x, "func", n, 0, 1);
	column_same(x, "nativeSymbol", n, true, 0);
	column_same(x, "innerWindowID", n, true, 0);
	lines_write(x, "line");
	column_same(x, "column", n, true, 0);
	json_count(j, "length", true, n);
	json_end_object(j);
}

static void functions_write(struct firefox *x)
{
	size_t n = x->p->function_count;
	struct json_out *j = &x->j;

	json_begin_object(j, "funcTable");
	json_begin_array(j, "isJS");
	for (size_t i = 0; i < n; i++)
		json_bool(j, NULL, false);
	json_end_array(j);
	json_begin_array(j, "relevantForJS");
	for (size_t i = 0; i < n; i++)
		json_bool(j, NULL, false);
	json_end_array(j);
	column_counted(x, "name", n, 0, 2);
	json_begin_array(j, "resource");
	for (size_t i = 0; i < n; i++)
		json_signed(j, NULL, true, -1);
	json_end_array(j);
	column_counted(x, "fileName", n, 1, 2);
	lines_write(x, "lineNumber");
	column_same(x, "columnNumber", n, true, 0);
	json_count(j, "length", true, n);
	json_end_object(j);
}

/* Name and file of each function in turn. */
static void strings_write(struct firefox *x)
{
	json_begin_array(&x->j, "stringArray");
	for (size_t i = 0; i < x->p->function_count && !out_failed(x->j.out); i++) {
		const struct profile_function *f = &x->p->functions[i];

		json_text(&x->j, NULL, f->name);
		json_text(&x->j, NULL, f->path ? f->path : f->file ? f->file : "");
	}
	json_end_array(&x->j);
}

/* --- the profile ------------------------------------------------------------------------------ */

static void thread_write(struct firefox *x)
{
	static const char *const markers[] = {
		"data", "name", "startTime", "endTime", "phase", "category", NULL,
	};
	static const char *const resources[] = { "lib", "name", "host", "type", NULL };
	static const char *const symbols[] = {
		"libIndex", "address", "name", "functionSize", NULL,
	};
	struct json_out *j = &x->j;

	json_begin_object(j, NULL);
	json_text(j, "name", x->s->node && *x->s->node ? x->s->node : "wsntop");
	json_text(j, "processType", "default");
	json_count(j, "processStartupTime", true, 0);
	json_null(j, "processShutdownTime");
	json_count(j, "registerTime", true, 0);
	json_null(j, "unregisterTime");
	json_begin_array(j, "pausedRanges");
	json_end_array(j);
	json_bool(j, "isMainThread", true);
	json_text(j, "pid", "0");
	json_count(j, "tid", true, 0);
	samples_write(x);
	table_empty(x, "markers", markers);
	stacks_write(x);
	frames_write(x);
	functions_write(x);
	table_empty(x, "resourceTable", resources);
	table_empty(x, "nativeSymbols", symbols);
	strings_write(x);
	json_end_object(j);
}

static void category_write(struct json_out *j)
{
	json_begin_array(j, "categories");
	json_begin_object(j, NULL);
	json_text(j, "name", "Firmware");
	json_text(j, "color", "grey");
	json_begin_array(j, "subcategories");
	json_text(j, NULL, "Other");
	json_end_array(j);
	json_end_object(j);
	json_end_array(j);
}

static void meta_write(struct firefox *x)
{
	static const char *const extensions[] = { "id", "name", "baseURL", NULL };
	struct json_out *j = &x->j;

	json_begin_object(j, "meta");
	json_count(j, "version", true, GECKO_VERSION);
	json_count(j, "preprocessedProfileVersion", true, VERSION);
	json_number(j, "interval", export_has_samples(x->p) && x->p->terms.hz > 0 ?
		    1e3 / x->p->terms.hz : 1);
	json_count(j, "startTime", true, 0);
	json_count(j, "processType", true, 0);
	json_text(j, "product", x->s->node && *x->s->node ? x->s->node : "firmware");
	json_text(j, "importedFrom", "wsntop");
	json_count(j, "stackwalk", true, 1);
	json_bool(j, "debug", false);
	json_bool(j, "symbolicated", true);
	json_text(j, "platform", x->s->image ? image_machine(x->s->image) : "");
	table_empty(x, "extensions", extensions);
	category_write(j);
	json_begin_array(j, "markerSchema");
	json_end_array(j);
	json_end_object(j);
}

int export_firefox(const struct export_source *s, struct out *out, struct err *err)
{
	struct firefox x = { .s = s, .p = s->profile, .j = { .out = out } };
	int ret = stacks_build(&x.stacks, s);

	(void)err;
	if (ret == 0) {
		json_begin_object(&x.j, NULL);
		meta_write(&x);
		json_begin_array(&x.j, "libs");
		json_end_array(&x.j);
		json_begin_array(&x.j, "threads");
		thread_write(&x);
		json_end_array(&x.j);
		json_end_object(&x.j);
		out_addc(out, '\n');
	}
	stacks_release(&x.stacks);
	return ret;
}
