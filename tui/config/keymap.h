/*
 * keymap: which key is bound to which action. As built in (action.c), changed by the config's
 * [keys] and by F2.
 *
 * A key has one action: binding it takes it from its action before. If no key is left that quits,
 * Ctrl-C does.
 */
#ifndef WSNTOP_TUI_CONFIG_KEYMAP_H
#define WSNTOP_TUI_CONFIG_KEYMAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "tui/config/action.h"

#define KEYMAP_KEYS 8			/* of one action, at most */

struct keymap {
	uint32_t keys[ACTION_COUNT][KEYMAP_KEYS];	/* 0-terminated unless full */
	bool own[ACTION_COUNT];		/* set by the user */
};

void keymap_init(struct keymap *k);

enum action keymap_of_key(const struct keymap *k, uint32_t key);	/* ACTION_NONE: not bound */

/*
 * An action's keys as text, a blank between them; or the first of them. "" none. A dst of
 * KEYMAP_TEXT holds all.
 */
#define KEYMAP_TEXT 128
const char *keymap_text(const struct keymap *k, enum action a, char *dst, size_t size);
const char *keymap_first(const struct keymap *k, enum action a, char *dst, size_t size);

/*
 * Texts name actions, not keys: "{view-compare} shows the changes" (names as in action.c). Each is
 * replaced by the first of the action's keys, or if it has none by its palette command:
 * ":view-compare". Braces around anything else stay. A dst of KEYMAP_SENTENCE holds every text of
 * the program's tables.
 */
#define KEYMAP_SENTENCE 2048
const char *keymap_expand(const struct keymap *k, const char *text, char *dst, size_t size);

/* Print with an expanded format. The arguments are not expanded: they may be names from outside. */
const char *keymap_print(const struct keymap *k, char *dst, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
const char *keymap_vprint(const struct keymap *k, char *dst, size_t size, const char *fmt,
			  va_list ap) __attribute__((format(printf, 4, 0)));

/*
 * Add a key to an action; returns the key's action before, ACTION_NONE if it had none. Nothing
 * happens if the action has KEYMAP_KEYS already.
 */
enum action keymap_bind(struct keymap *k, enum action a, uint32_t key);
void keymap_unbind(struct keymap *k, enum action a);		/* no key */
void keymap_restore(struct keymap *k, enum action a);		/* as built in */

/*
 * A line of [keys]: the action's keys become these, "none" for no key. An unknown action or key, or
 * a key that the user gave to another action before, is an error; the rest is used. 0 or
 * ERR_FORMAT.
 */
int keymap_set(struct keymap *k, const char *action, const char *keys, struct err *err);

bool keymap_changed(const struct keymap *k, enum action a);	/* not the keys as built in */

#endif
