#include "core/profile/look/name.h"

#include <string.h>

#include "core/base/text.h"
#include "core/image/demangle.h"

enum { DEEPEST = 64, PATIENCE = 8 * NAME_BYTES };

static const char anonymous[] = "(anonymous namespace)";

/* --- taking apart ----------------------------------------------------------------------------- */

/* "operator<<" and "->" have brackets that are none. Bytes of it at s[i]; 0: none is there. */
static size_t operator_length(const char *s, size_t i)
{
	static const char *const signs[] = {
		"<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "()", "[]", "<", ">", "",
	};
	size_t n = strlen("operator"), k = 0;

	if (s[i] == '-' && s[i + 1] == '>')
		return 2;
	if (s[i] != 'o' || (i && name_is_word(s[i - 1])) || strncmp(s + i, "operator", n) ||
	    name_is_word(s[i + n]))
		return 0;
	while (!text_begins(s + i + n, signs[k]))
		k++;
	return n + strlen(signs[k]);
}

static char bracket_closing(char c)
{
	return c == '<' ? '>' : c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : '\0';
}

/* Behind the bracket that matches the one at i; 0: none does. `patience` bounds all calls. */
static size_t group_end(const struct name *n, size_t i, size_t end, size_t *patience)
{
	char open[DEEPEST];
	size_t depth = 0;

	while (i < end && *patience) {
		size_t op = operator_length(n->text, i);
		char c = n->text[i], closing = bracket_closing(c);

		--*patience;
		if (op) {
			i += op;
			continue;
		}
		i++;
		if (closing && depth == DEEPEST)
			return 0;
		if (closing)
			open[depth++] = closing;
		else if (c == open[depth - 1])
			depth--;
		else if (c == ')' || c == ']' || c == '}')
			return 0;
		if (!depth)
			return i;
	}
	return 0;
}

static void cut_add(struct name *n, size_t from, size_t to, enum name_step step, bool dots)
{
	if (n->cut_count < NAME_CUTS && from < to &&
	    (!n->cut_count || n->cuts[n->cut_count - 1].to <= from))
		n->cuts[n->cut_count++] = (struct name_cut){
			(uint16_t)from, (uint16_t)to, (uint8_t)step, dots,
		};
}

/* What may follow parameters and goes with them. */
static size_t qualifiers_end(const struct name *n, size_t i, size_t end)
{
	static const char *const words[] = { " const", " volatile", " noexcept", "&&", "&", " &" };
	size_t before;

	do {
		before = i;
		for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++) {
			size_t length = strlen(words[k]);

			if (i + length <= end && text_begins(n->text + i, words[k]))
				i += length;
		}
	} while (i != before);
	return i;
}

static bool follows_word(const struct name *n, size_t i, const char *word)
{
	size_t length = strlen(word);

	return i >= length && !strncmp(n->text + i - length, word, length) &&
	       (i == length || !name_is_word(n->text[i - length - 1]));
}

/* Each takes what begins at i, where `before` is what stands there, and returns where to go on. */
static size_t angle_take(struct name *n, size_t i, size_t end, bool joined, size_t *patience)
{
	size_t to = joined ? group_end(n, i, end, patience) : 0;

	if (!to)
		return i + 1;
	cut_add(n, i + 1, to - 1, NAME_COLLAPSED, true);
	return to;
}

static size_t paren_take(struct name *n, size_t i, size_t end, bool joined, size_t *patience)
{
	size_t to;

	if (text_begins(n->text + i, anonymous)) {	/* (anon) */
		cut_add(n, i + 5, i + sizeof(anonymous) - 2, NAME_COLLAPSED, false);
		return i + sizeof(anonymous) - 1;
	}
	to = joined ? group_end(n, i, end, patience) : 0;
	if (!to)
		return i + 1;
	if (follows_word(n, i, "decltype")) {
		cut_add(n, i + 1, to - 1, NAME_COLLAPSED, true);
		return to;
	}
	to = qualifiers_end(n, to, end);
	cut_add(n, i, to, NAME_BARE, false);
	return to;
}

static size_t square_take(struct name *n, size_t i, size_t end, size_t *patience)
{
	bool clone = text_begins(n->text + i, "[clone ") && i && n->text[i - 1] == ' ';
	size_t to = clone || text_begins(n->text + i, "[abi:") ? group_end(n, i, end, patience) : 0;

	if (!to)
		return i + 1;
	cut_add(n, i - clone, to, NAME_BARE, false);
	return to;
}

/* In <a::Vec as b::Drop>, Rust's, paths are left out: <Vec as Drop>. */
static void path_cut(struct name *n, size_t from, size_t to)
{
	struct name_cut *before = n->cut_count ? &n->cuts[n->cut_count - 1] : NULL;

	if (before && before->to > from && before->from == from && before->step == NAME_COLLAPSED)
		before->to = (uint16_t)to;
	else
		cut_add(n, from, to, NAME_COLLAPSED, false);
}

static void name_scan(struct name *n, size_t end)
{
	size_t patience = PATIENCE, path = 0, in = 0, i = 0, op;

	while (i < end) {
		char c = n->text[i], before = i ? n->text[i - 1] : ' ';
		bool joined = name_is_word(before) || strchr(":>})]", before);

		op = operator_length(n->text, i);
		if (op) {
			i += op;
			if (n->text[i] == '(')
				i = paren_take(n, i, end, true, &patience);
			else if (n->text[i] == ' ' && n->text[i + 1] == '<')
				i = angle_take(n, i + 1, end, true, &patience);
		} else if (c == '<') {
			i = angle_take(n, i, end, joined, &patience);
			in += !joined;
			path = i;
		} else if (c == '(') {
			i = paren_take(n, i, end, joined, &patience);
		} else if (c == '[') {
			i = square_take(n, i, end, &patience);
		} else if (c == ':' && n->text[i + 1] == ':' && i + 2 < end) {
			i += 2;
			if (in)
				path_cut(n, path, i);
			n->last = (uint16_t)i;
		} else {
			in -= c == '>' && in;
			path = name_is_word(c) ? path : i + 1;
			i++;
		}
	}
}

/* The hash behind the names of Rust's first mangling. */
static size_t hash_begin(const struct name *n, size_t end)
{
	enum { HASH = 19 };			/* ::h and 16 digits */
	const char *at = n->text + end - HASH;

	if (end > HASH && text_begins(at, "::h") && strspn(at + 3, "0123456789abcdef") >= 16)
		return end - HASH;
	return end;
}

void name_init(struct name *n, const char *text, const char *scope)
{
	size_t end, scoped = strlen(scope);

	n->length = (uint16_t)text_visible(n->text, sizeof(n->text), text,
					   strnlen(text, sizeof(n->text)));
	n->cut_count = 0;
	n->last = 0;
	if (scoped && scoped < n->length && text_begins(n->text, scope))
		cut_add(n, 0, scoped, NAME_UNSCOPED, false);
	end = hash_begin(n, demangle_base(n->text));
	name_scan(n, end);
	cut_add(n, end, n->length, NAME_BARE, false);
}
