#include "core/gate/junit.h"

#include "core/base/text.h"

/* Visible, and fit for an attribute or a text. */
static void xml_write(struct out *out, const char *text)
{
	static const char *const escapes[] = {
		"&&amp;", "<&lt;", ">&gt;", "\"&quot;", "'&apos;", NULL,
	};

	out_text(out, text, escapes);
}

static void attribute_write(struct out *out, const char *name, const char *value)
{
	out_addf(out, " %s=\"", name);
	xml_write(out, value);
	out_addc(out, '"');
}

bool gate_counts(const struct gate_result *r, enum gate_policy policy)
{
	return r->verdict == GATE_FAILED || (r->verdict == GATE_UNSURE && policy == GATE_FAIL);
}

static bool is_skipped(const struct gate_result *r, enum gate_policy policy)
{
	return r->verdict == GATE_UNSURE && policy == GATE_WARN;
}

void junit_begin(struct out *out)
{
	out_adds(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"wsntop\">\n");
}

void junit_end(struct out *out)
{
	out_adds(out, "</testsuites>\n");
}

static void verdict_write(struct out *out, const struct gate *g, const struct gate_result *r,
			  const char *element)
{
	struct buf text = BUF_INIT;

	gate_describe(g, r, &text);
	out_addf(out, ">\n      <%s", element);
	attribute_write(out, "message", buf_str(&text));
	buf_reset(&text);
	gate_where(g, r, &text);
	buf_addf(&text, "%s%s:%u", text.len ? "; " : "", g->rules->file, r->rule->line);
	if (r->verdict == GATE_FAILED || *element == 'f')
		attribute_write(out, "type", gate_verdict_names[r->verdict]);
	out_adds(out, ">");
	xml_write(out, buf_str(&text));
	out_addf(out, "</%s>\n    </testcase>\n", element);
	buf_release(&text);
}

static void case_write(struct out *out, const struct gate *g, const struct gate_result *r,
		       enum gate_policy policy)
{
	struct buf name = BUF_INIT;

	buf_addf(&name, "%s: %s", gate_subject(g, r), r->rule->text);
	out_adds(out, "    <testcase");
	attribute_write(out, "classname", text_basename(g->rules->file));
	attribute_write(out, "name", buf_str(&name));
	attribute_write(out, "time", "0");
	buf_release(&name);
	if (gate_counts(r, policy))
		verdict_write(out, g, r, "failure");
	else if (is_skipped(r, policy))
		verdict_write(out, g, r, "skipped");
	else
		out_adds(out, "/>\n");
}

void junit_suite(struct out *out, const struct gate *g, const char *name, enum gate_policy policy)
{
	size_t failed = 0, skipped = 0;

	for (size_t i = 0; i < g->count; i++) {
		failed += gate_counts(&g->results[i], policy);
		skipped += is_skipped(&g->results[i], policy);
	}
	out_adds(out, "  <testsuite");
	attribute_write(out, "name", name);
	out_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" time=\"0\">\n",
		 g->count, failed, skipped);
	for (size_t i = 0; i < g->count && !out_failed(out); i++)
		case_write(out, g, &g->results[i], policy);
	out_adds(out, "  </testsuite>\n");
}
