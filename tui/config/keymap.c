#include "tui/config/keymap.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

#define CTRL(c) ((c) & 0x1f)

static size_t key_count(const struct keymap *k, enum action a)
{
	size_t n = 0;

	while (n < KEYMAP_KEYS && k->keys[a][n])
		n++;
	return n;
}

void keymap_init(struct keymap *k)
{
	memset(k, 0, sizeof(*k));
	for (const struct action_row *r = actions; r->action != ACTION_COUNT; r++)
		memcpy(k->keys[r->action], r->keys, sizeof(r->keys));
}

/* The action that has the key in its list: Ctrl-C as the last way to quit is not in one. */
static enum action key_action(const struct keymap *k, uint32_t key)
{
	for (int a = ACTION_NONE + 1; key && a < ACTION_COUNT; a++)
		for (size_t i = 0; i < KEYMAP_KEYS && k->keys[a][i]; i++)
			if (k->keys[a][i] == key)
				return (enum action)a;
	return ACTION_NONE;
}

enum action keymap_of_key(const struct keymap *k, uint32_t key)
{
	enum action a = key_action(k, key);
	bool no_other_way = !k->keys[ACTION_QUIT][0] && !k->keys[ACTION_BACK][0];

	return key == CTRL('C') && (a == ACTION_NONE || no_other_way) ? ACTION_QUIT : a;
}

const char *keymap_text(const struct keymap *k, enum action a, char *dst, size_t size)
{
	size_t used = 0;

	dst[0] = 0;
	for (size_t i = 0; i < KEYMAP_KEYS && k->keys[a][i] && used + 1 < size; i++) {
		char name[16];

		used += (size_t)snprintf(dst + used, size - used, "%s%s", i ? " " : "",
					 key_text(k->keys[a][i], name, sizeof(name)));
	}
	return dst;
}

const char *keymap_first(const struct keymap *k, enum action a, char *dst, size_t size)
{
	dst[0] = 0;
	return k->keys[a][0] ? key_text(k->keys[a][0], dst, (unsigned)size) : dst;
}

/* --- texts ------------------------------------------------------------------------------------ */

/* The action that "{name}..." begins with, and the length of that; NULL: none. */
static const struct action_row *braced_action(const char *text, size_t *length)
{
	char name[32];
	size_t n = *text == '{' ? strcspn(text + 1, "}") : 0;

	if (!n || n >= sizeof(name) || text[1 + n] != '}')
		return NULL;
	memcpy(name, text + 1, n);
	name[n] = '\0';
	*length = n + 2;
	return action_find(name);
}

/* The keys to press for an action: its first key, or its palette command. */
static const char *action_way(const struct keymap *k, const struct action_row *row, char *dst,
			  size_t size)
{
	char palette[16];

	if (*keymap_first(k, row->action, dst, size))
		return dst;
	keymap_first(k, ACTION_PALETTE, palette, sizeof(palette));
	snprintf(dst, size, "%s%s%s", palette, text_columns(palette) > 1 ? " " : "", row->name);
	return dst;
}

/* `percent`: how the result has a key "%": "%%" if it is a format. */
static const char *text_expand(const struct keymap *k, const char *text, char *dst, size_t size,
			       const char *percent)
{
	size_t used = 0, n;

	dst[0] = '\0';
	for (; *text && used + 1 < size; text += n) {
		const struct action_row *row = braced_action(text, &n);
		char way[64];

		if (!row) {
			n = 1 + strcspn(text + 1, "{");
			used += (size_t)snprintf(dst + used, size - used, "%.*s", (int)n, text);
		} else {
			action_way(k, row, way, sizeof(way));
			/* The palette's key may be "%", with a name behind it. */
			used += (size_t)snprintf(dst + used, size - used, "%s%s",
						 *way == '%' ? percent : "", way + (*way == '%'));
		}
	}
	return dst;
}

const char *keymap_expand(const struct keymap *k, const char *text, char *dst, size_t size)
{
	return text_expand(k, text, dst, size, "%");
}

const char *keymap_vprint(const struct keymap *k, char *dst, size_t size, const char *fmt,
			  va_list ap)
{
	char format[KEYMAP_SENTENCE];

	vsnprintf(dst, size, text_expand(k, fmt, format, sizeof(format), "%%"), ap);
	return dst;
}

const char *keymap_print(const struct keymap *k, char *dst, size_t size, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	keymap_vprint(k, dst, size, fmt, ap);
	va_end(ap);
	return dst;
}

/* --- binding ---------------------------------------------------------------------------------- */

static void key_remove(struct keymap *k, enum action a, uint32_t key)
{
	uint32_t *keys = k->keys[a];
	size_t n = key_count(k, a), kept = 0;

	for (size_t i = 0; i < n; i++)
		if (keys[i] != key)
			keys[kept++] = keys[i];
	if (kept < n)
		keys[kept] = 0;
}

enum action keymap_bind(struct keymap *k, enum action a, uint32_t key)
{
	enum action before = key_action(k, key);
	size_t n = key_count(k, a);

	if (!key || before == a || n == KEYMAP_KEYS)
		return ACTION_NONE;
	if (before != ACTION_NONE)
		key_remove(k, before, key);
	k->keys[a][n] = key;
	return before;
}

void keymap_unbind(struct keymap *k, enum action a)
{
	memset(k->keys[a], 0, sizeof(k->keys[a]));
}

void keymap_restore(struct keymap *k, enum action a)
{
	const struct action_row *r = action_row(a);

	keymap_unbind(k, a);
	k->own[a] = false;
	for (int i = 0; r && i < ACTION_KEYS && r->keys[i]; i++)
		keymap_bind(k, a, r->keys[i]);
}

/* One word of a line of [keys]. */
static int word_bind(struct keymap *k, const struct action_row *row, const char *word,
		   struct err *err)
{
	uint32_t key = key_of_text(word);
	enum action before = key_action(k, key);

	if (!key)
		return err_set(err, ERR_FORMAT, "%s: unknown key \"%.40s\"", row->name, word);
	if (key_count(k, row->action) == KEYMAP_KEYS)
		return err_set(err, ERR_FORMAT, "%s: more than %d keys", row->name, KEYMAP_KEYS);
	keymap_bind(k, row->action, key);
	if (before != ACTION_NONE && before != row->action && k->own[before])
		return err_set(err, ERR_FORMAT, "%s is bound twice: to %s, no longer to %s", word,
			       row->name, action_row(before)->name);
	return 0;
}

int keymap_set(struct keymap *k, const char *action, const char *keys, struct err *err)
{
	const struct action_row *row = action_find(action);
	char copy[256], *save = NULL;
	int status = 0;

	if (!row)	/* the nearest is looked for when somebody is told: it takes time */
		return !err ? ERR_FORMAT :
		       err_set(err, ERR_FORMAT, "unknown action \"%.40s\"; did you mean %s?",
			       action, action_nearest(action)->name);
	if (strlen(keys) >= sizeof(copy))
		return err_set(err, ERR_FORMAT, "%s: too long", row->name);
	strcpy(copy, keys);
	keymap_unbind(k, row->action);
	k->own[row->action] = true;
	for (char *w = strtok_r(copy, " \t", &save); w; w = strtok_r(NULL, " \t", &save))
		if (strcmp(w, "none") != 0 && word_bind(k, row, w, err) < 0)
			status = ERR_FORMAT;
	return status;
}

bool keymap_changed(const struct keymap *k, enum action a)
{
	const struct action_row *r = action_row(a);

	for (size_t i = 0; r && i < KEYMAP_KEYS; i++)
		if (k->keys[a][i] != (i < ACTION_KEYS ? r->keys[i] : 0))
			return true;
	return false;
}
