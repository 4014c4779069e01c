#define PCRE2_CODE_UNIT_WIDTH 8
#include "core/base/regex.h"

#include <ctype.h>
#include <pcre2.h>
#include <string.h>

#include "core/base/mem.h"

/* A name is short: a pattern that needs more steps than this on one is an accident or an attack. */
#define MATCH_LIMIT 20000
#define DEPTH_LIMIT 500

struct regex {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
	char *pattern;
};

/* Smart case, as in less and fzf: \W and \S are no capitals. */
static bool has_capital(const char *s)
{
	for (; *s; s++) {
		if (*s == '\\' && s[1])
			s++;
		else if (isupper((unsigned char)*s))
			return true;
	}
	return false;
}

static pcre2_code *pattern_compile(const char *pattern, struct err *err)
{
	uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF |
			   (has_capital(pattern) ? 0 : PCRE2_CASELESS);
	PCRE2_SIZE at = 0;
	int code = 0;
	pcre2_code *re = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, options, &code,
				       &at, NULL);

	if (!re) {
		PCRE2_UCHAR why[128] = "";

		pcre2_get_error_message(code, why, sizeof(why));
		err_set(err, ERR_USAGE, "%s (at character %zu)", (const char *)why, (size_t)at + 1);
	}
	return re;
}

struct regex *regex_new(const char *pattern, struct err *err)
{
	pcre2_code *code = pattern_compile(pattern, err);
	struct regex *r;

	if (!code)
		return NULL;
	r = mem_zalloc(sizeof(*r));
	if (!r) {
		pcre2_code_free(code);
		err_set(err, ERR_NOMEM, "out of memory");
		return NULL;
	}
	r->code = code;
	r->pattern = mem_strdup(pattern);
	r->data = pcre2_match_data_create(1, NULL);
	r->context = pcre2_match_context_create(NULL);
	if (!r->pattern || !r->data || !r->context) {
		regex_free(r);
		err_set(err, ERR_NOMEM, "out of memory");
		return NULL;
	}
	pcre2_set_match_limit(r->context, MATCH_LIMIT);
	pcre2_set_depth_limit(r->context, DEPTH_LIMIT);
	return r;
}

void regex_free(struct regex *r)
{
	if (!r)
		return;
	pcre2_code_free(r->code);
	pcre2_match_data_free(r->data);
	pcre2_match_context_free(r->context);
	mem_free(r->pattern);
	mem_free(r);
}

bool regex_find(const struct regex *r, const char *s, size_t *start, size_t *end)
{
	const PCRE2_SIZE *at;

	if (pcre2_match(r->code, (PCRE2_SPTR)s, strlen(s), 0, 0, r->data, r->context) < 0)
		return false;
	at = pcre2_get_ovector_pointer(r->data);
	*start = at[0];
	*end = at[1];
	return true;
}

bool regex_match(const struct regex *r, const char *s)
{
	size_t start, end;

	return regex_find(r, s, &start, &end);
}

const char *regex_pattern(const struct regex *r)
{
	return r->pattern;
}
