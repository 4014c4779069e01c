#include "core/base/json_out.h"

#include <math.h>

static void entry_begin(struct json_out *j, const char *key)
{
	if (j->more)
		out_addc(j->out, ',');
	if (j->depth == 1 && j->more)
		out_adds(j->out, "\n ");
	else if (j->depth == 2 && !key)
		out_adds(j->out, "\n  ");
	j->more = true;
	if (key) {
		out_addc(j->out, '"');
		out_adds(j->out, key);
		out_bytes(j->out, "\":", 2);
	}
}

static void container_begin(struct json_out *j, const char *key, char bracket)
{
	entry_begin(j, key);
	out_addc(j->out, bracket);
	j->depth++;
	j->more = false;
}

static void container_end(struct json_out *j, char bracket)
{
	out_addc(j->out, bracket);
	j->depth--;
	j->more = true;
}

void json_begin_object(struct json_out *j, const char *key)
{
	container_begin(j, key, '{');
}

void json_end_object(struct json_out *j)
{
	container_end(j, '}');
}

void json_begin_array(struct json_out *j, const char *key)
{
	container_begin(j, key, '[');
}

void json_end_array(struct json_out *j)
{
	container_end(j, ']');
}

void json_null(struct json_out *j, const char *key)
{
	entry_begin(j, key);
	out_adds(j->out, "null");
}

void json_bool(struct json_out *j, const char *key, bool value)
{
	entry_begin(j, key);
	out_adds(j->out, value ? "true" : "false");
}

void json_text(struct json_out *j, const char *key, const char *text)
{
	static const char *const escapes[] = { "<\\u003c", "\"\\\"", "\\\\\\", NULL };

	if (!text) {
		json_null(j, key);
		return;
	}
	entry_begin(j, key);
	out_addc(j->out, '"');
	out_text(j->out, text, escapes + !j->script);	/* leaves no control characters */
	out_addc(j->out, '"');
}

void json_number(struct json_out *j, const char *key, double v)
{
	if (!isfinite(v)) {
		json_null(j, key);
		return;
	}
	entry_begin(j, key);
	out_double(j->out, v);
}

void json_count(struct json_out *j, const char *key, bool known, uint64_t n)
{
	if (!known) {
		json_null(j, key);
		return;
	}
	entry_begin(j, key);
	out_u64(j->out, n);
}

void json_signed(struct json_out *j, const char *key, bool known, int64_t n)
{
	if (!known || n >= 0) {
		json_count(j, key, known, (uint64_t)n);
		return;
	}
	entry_begin(j, key);
	out_addc(j->out, '-');
	out_u64(j->out, -(uint64_t)n);
}
