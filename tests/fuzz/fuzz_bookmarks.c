/*
 * Any bytes as a file of bookmarks: what was read is written, and read again as the same.
 */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "core/base/text.h"
#include "core/history/bookmarks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void list_is_good(const struct bookmarks *b)
{
	for (size_t i = 0; i < b->count; i++) {
		const struct bookmark *k = &b->items[i];
		char shown[BOOKMARK_NOTE];

		assert(!i || k[-1].wall_ns < k->wall_ns);
		assert(k->wall_ns % 1000000 == 0);
		assert(bookmarks_find(b, k->wall_ns + 999999) == k);
		text_visible(shown, sizeof(shown), k->note, strlen(k->note));
		assert(strcmp(shown, k->note) == 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bookmarks b = { 0 }, again = { 0 };
	struct buf text = BUF_INIT, same = BUF_INIT;

	if (bookmarks_parse(&b, (const char *)data, size) == 0) {
		list_is_good(&b);
		bookmarks_print(&b, &text);
		assert(bookmarks_parse(&again, buf_str(&text), text.len) == 0);
		list_is_good(&again);
		assert(again.count == b.count);
		bookmarks_print(&again, &same);
		assert(text.len == same.len && !memcmp(text.data, same.data, text.len));
		while (again.count)
			assert(bookmarks_drop(&again, again.items[0].wall_ns));
	}
	bookmarks_release(&b);
	bookmarks_release(&again);
	buf_release(&text);
	buf_release(&same);
	return 0;
}
