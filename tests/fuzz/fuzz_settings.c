/*
 * Any bytes as config.ini: what it says is within bounds, and what is written back says the same
 * when it is read again.
 */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/base/mem.h"
#include "tui/config/settings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void settings_check(const struct settings *s)
{
	assert(memchr(s->theme, 0, sizeof(s->theme)) && memchr(s->editor, 0, sizeof(s->editor)));
	assert(s->interval >= 0.1 && s->interval <= 3600);
	assert(s->column_count <= SETTINGS_COLUMNS);
	assert(s->sort < COLUMN_COUNT);
	for (size_t i = 0; i < s->column_count; i++)
		assert(s->columns[i].cell < SETTINGS_CELLS && s->columns[i].width >= 0);
	/* A key asks for one thing. */
	for (int a = 1; a < ACTION_COUNT; a++) {
		for (size_t i = 0; i < KEYMAP_KEYS && s->keys.keys[a][i]; i++) {
			uint32_t key = s->keys.keys[a][i];
			enum action of = keymap_of_key(&s->keys, key);

			assert(of == (enum action)a || (key == 3 && of == ACTION_QUIT));
		}
	}
}

/* A theme's name or a path may end in what an ini file cannot say: its blanks, its comments. */
static void check_same(const struct settings *a, const struct settings *b)
{
	assert(a->follow == b->follow && a->timebar == b->timebar && a->mouse == b->mouse);
	assert(fabs(a->interval - b->interval) < 1e-4 * a->interval);
	assert(a->sort == b->sort && a->column_count == b->column_count);
	assert(!memcmp(a->columns, b->columns, sizeof(a->columns[0]) * a->column_count));
	assert(!memcmp(a->keys.keys, b->keys.keys, sizeof(a->keys.keys)));
	assert(a->source.dir_count == b->source.dir_count);
	assert(a->source.map_count == b->source.map_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct settings first, again;
	struct buf merged = BUF_INIT;
	char *text = mem_strndup(size ? (const char *)data : "", size);
	struct err err = { 0 };
	int status;

	settings_init(&first);
	settings_init(&again);
	status = settings_parse(&first, text, size, &err);
	assert((status == 0) == (first.wrong == 0) && (status == 0 || err.text[0]));
	settings_check(&first);
	settings_merge(&first, strlen(text) == size ? text : "", &merged);
	settings_parse(&again, buf_str(&merged), merged.len, NULL);
	settings_check(&again);
	if (merged.len <= SETTINGS_SIZE)
		check_same(&first, &again);
	buf_release(&merged);
	mem_free(text);
	settings_release(&first);
	settings_release(&again);
	return 0;
}
