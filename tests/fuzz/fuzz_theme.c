/*
 * Any bytes as a theme file: refused with a sentence, or a theme whose every style can be shown.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/term/theme.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_style(const struct style *s, int colors)
{
	assert(s->fg >= -1 && s->fg < colors);
	assert(s->bg >= -1 && s->bg < colors);
	assert(s->attributes < 16);
}

static void check_theme(const struct theme *t)
{
	char shown[sizeof(t->name) * 4];
	size_t n = strnlen(t->name, sizeof(t->name));

	assert(n < sizeof(t->name));
	assert(text_visible(shown, sizeof(shown), t->name, n) == n);
	for (int r = 0; r < ROLE_COUNT; r++) {
		check_style(&t->styles[THEME_256][r], 256);
		check_style(&t->styles[THEME_8][r], 8);
		check_style(&t->styles[THEME_MONO][r], 1);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct theme t, before;
	struct err err = { 0 };

	memset(&t, 0x55, sizeof(t));
	before = t;
	if (theme_parse(&t, (const char *)data, size, &err) == 0) {
		assert(!err_is_set(&err));
		check_theme(&t);
	} else {
		/* refused: it says why, and the theme is as it was */
		assert(err.text[0]);
		assert(memcmp(&t, &before, sizeof(t)) == 0);
	}
	return 0;
}
