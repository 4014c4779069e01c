/*
 * Any bytes as names and a scope, a line each, in columns of any width: what is shown fits, comes
 * from the name in order, and can be told apart where there is room.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "core/base/text.h"
#include "core/profile/look/names.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_text(const struct name *n, const struct name_text *t, int width)
{
	assert(t->length == strlen(t->text) && t->columns == text_columns(t->text));
	assert(width < 0 || t->columns <= width);
	for (size_t i = 0; i < t->length; i++)
		assert(t->at[i] <= t->at[i + 1] && t->at[i + 1] <= n->length);
}

static void check_name(const char *name, const char *scope, int width)
{
	struct name_text t;
	struct name n;

	name_init(&n, name, scope);
	for (int step = 0; step < NAME_STEPS; step++) {
		name_at_step(&n, (enum name_step)step, &t);
		check_text(&n, &t, -1);
	}
	for (int w = 0; w <= width; w += 1 + w / 4) {
		name_shorten(&n, w, &t);
		check_text(&n, &t, w);
		name_scroll(&n, w / 2, w, &t);
		check_text(&n, &t, w > 2 ? w : 2);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[4096], *lines[100], *save = NULL;
	struct names n = { 0 };
	int width = size ? data[0] % 100 : 0;
	struct names_scope s;
	size_t count = 0;

	if (size < 2 || size >= sizeof(text))
		return 0;
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	for (char *l = strtok_r(text, "\n", &save); l && count < 100;
	     l = strtok_r(NULL, "\n", &save))
		lines[count++] = l;
	for (int round = 0; round < 2; round++) {
		names_scope_begin(&s, round);
		for (size_t i = 0; i < count; i++)
			names_scope_add(&s, lines[i]);
	}
	names_scope_end(&s, n.scope, sizeof(n.scope));
	for (size_t i = 0; i < count; i++) {
		check_name(lines[i], n.scope, width);
		names_add(&n, lines[i], width);
	}
	assert(names_settle(&n) == 0);
	for (size_t i = 0; i < count; i++) {
		assert(n.rows[i].columns <= width);
		/* A width for all the ways there are: hostile rows in hundreds may read alike. */
		for (size_t k = 0; k < i && width >= 12 && count <= 8; k++)
			assert(!strcmp(lines[i], lines[k]) || text_ends(lines[i], "\\") ||
			       n.rows[i].hash != n.rows[k].hash || strlen(lines[i]) > 300 ||
			       strcmp(names_text(&n, i), names_text(&n, k)));
	}
	names_release(&n);
	return 0;
}
