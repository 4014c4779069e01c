#include "core/image/debug_pack.h"

#include <string.h>

#include "core/base/buf.h"
#include "core/base/mem.h"
#include "core/base/text.h"

/* Tables, in their order. */
enum pack_table {
	PACK_STRINGS, PACK_PATHS, PACK_FUNCTIONS, PACK_INSTANCES, PACK_CODE, PACK_INLINES,
	PACK_INLINED, PACK_ROWS, PACK_SEQUENCES, PACK_TABLES,
};

struct pack_head {
	uint64_t counts[PACK_TABLES];	/* of strings: bytes */
	uint32_t units;
	uint32_t incomplete;
};

/* A string by its offset. */
struct pack_function {
	uint32_t name, linkage, path, line;
};

static const size_t item_sizes[PACK_TABLES] = {
	[PACK_STRINGS] = 1,
	[PACK_PATHS] = sizeof(uint32_t),
	[PACK_FUNCTIONS] = sizeof(struct pack_function),
	[PACK_INSTANCES] = sizeof(struct debug_instance),
	[PACK_CODE] = sizeof(struct span),
	[PACK_INLINES] = sizeof(struct debug_inline),
	[PACK_INLINED] = sizeof(struct span),
	[PACK_ROWS] = sizeof(struct debug_row),
	[PACK_SEQUENCES] = sizeof(struct debug_sequence),
};

/* --- writing ---------------------------------------------------------------------------------- */

/* Strings are interned: the pointer is the string. Offset 0 has none. */
struct string_book {
	struct buf bytes;
	struct map offsets;
};

static uint32_t string_put(struct string_book *b, const char *s)
{
	uint64_t key = (uint64_t)(uintptr_t)s;
	uint32_t offset = s ? map_get(&b->offsets, key) : 0;

	if (offset != MAP_NONE)
		return offset;
	offset = (uint32_t)b->bytes.len;
	if (b->bytes.len > UINT32_MAX / 2 || map_put(&b->offsets, key, offset) < 0)
		return 0;
	buf_add(&b->bytes, s, strlen(s) + 1);
	return offset;
}

static struct pack_function function_packed(struct string_book *b, const struct debug_function *f)
{
	return (struct pack_function){ string_put(b, f->name), string_put(b, f->linkage), f->path,
				       f->line };
}

void debug_pack(const struct debug_data *d, int out)
{
	struct pack_function *functions = mem_alloc(d->functions.count * sizeof(*functions) + 1);
	uint32_t *paths = mem_alloc(d->paths.count * sizeof(*paths) + 1);
	struct string_book book = { .bytes = BUF_INIT };
	const void *const tables[PACK_TABLES] = {
		NULL, paths, functions, d->instances.v, d->code.v, d->inlines.v, d->inlined.v,
		d->rows.v, d->sequences.v,
	};
	struct pack_head head = {
		.counts = { 0, d->paths.count, d->functions.count, d->instances.count,
			    d->code.count, d->inlines.count, d->inlined.count, d->rows.count,
			    d->sequences.count },
		.units = d->units,
		.incomplete = d->incomplete,
	};

	map_init(&book.offsets);
	buf_addc(&book.bytes, '\0');
	for (size_t i = 0; paths && i < d->paths.count; i++)
		paths[i] = string_put(&book, d->paths.v[i].path);
	for (size_t i = 0; functions && i < d->functions.count; i++)
		functions[i] = function_packed(&book, &d->functions.v[i]);
	head.counts[PACK_STRINGS] = book.bytes.len;
	if (paths && functions && !book.bytes.failed) {
		confined_write(out, &head, sizeof(head));
		confined_write(out, book.bytes.data, book.bytes.len);
		for (int t = PACK_PATHS; t < PACK_TABLES; t++)
			confined_write(out, tables[t], head.counts[t] * item_sizes[t]);
	}
	map_release(&book.offsets);
	buf_release(&book.bytes);
	mem_free(functions);
	mem_free(paths);
}

/* --- reading ---------------------------------------------------------------------------------- */

static bool head_check(const struct pack_head *h, uint64_t most)
{
	uint64_t bytes = 0;

	for (int t = 0; t < PACK_TABLES; t++) {
		if (h->counts[t] >= DEBUG_NONE || h->counts[t] > most / item_sizes[t])
			return false;
		bytes += h->counts[t] * item_sizes[t];
	}
	return bytes <= most && h->units <= most && h->counts[PACK_STRINGS] > 0;
}

/* A table's items; NULL: they did not come. One byte more, so that none is not NULL. */
static void *table_take(struct confined *from, const struct pack_head *h, enum pack_table table)
{
	size_t size = h->counts[table] * item_sizes[table];
	char *items = mem_alloc(size + 1);

	if (items && !confined_read(from, items, size)) {
		mem_free(items);
		return NULL;
	}
	return items;
}

struct unpacked {
	struct debug_data *d;
	const struct pack_head *head;
	const char *strings;
};

/* Whether an index is one of the table's, or none. */
static bool index_ok(const struct unpacked *u, enum pack_table table, uint32_t i)
{
	return i == DEBUG_NONE || i < u->head->counts[table];
}

static const char *string_at(const struct unpacked *u, uint32_t offset)
{
	return offset && offset < u->head->counts[PACK_STRINGS] ? u->strings + offset : NULL;
}

static bool paths_take(struct unpacked *u, const uint32_t *packed)
{
	size_t n = u->head->counts[PACK_PATHS];

	if (mem_grow(&u->d->paths.v, &u->d->paths.cap, n, sizeof(*u->d->paths.v)) < 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		const char *path = string_at(u, packed[i]);

		if (!path)
			return false;
		u->d->paths.v[u->d->paths.count++] =
			(struct debug_path){ path, text_basename(path) };
	}
	return true;
}

static bool functions_take(struct unpacked *u, const struct pack_function *packed)
{
	size_t n = u->head->counts[PACK_FUNCTIONS];

	if (mem_grow(&u->d->functions.v, &u->d->functions.cap, n, sizeof(*u->d->functions.v)) < 0)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!index_ok(u, PACK_PATHS, packed[i].path))
			return false;
		u->d->functions.v[u->d->functions.count++] = (struct debug_function){
			.name = string_at(u, packed[i].name),
			.linkage = string_at(u, packed[i].linkage),
			.path = packed[i].path,
			.line = packed[i].line,
		};
	}
	return true;
}

static bool instances_sound(const struct unpacked *u)
{
	const struct debug_data *d = u->d;

	for (size_t i = 0; i < d->instances.count; i++) {
		const struct debug_instance *in = &d->instances.v[i];

		if (in->function >= d->functions.count || in->unit >= u->head->units)
			return false;
	}
	for (size_t i = 0; i < d->code.count; i++)
		if (d->code.v[i].id >= d->instances.count)
			return false;
	return true;
}

/* A body stands behind the one around it, so that no chain of them is a ring. */
static bool inlines_sound(const struct unpacked *u)
{
	const struct debug_data *d = u->d;

	for (size_t i = 0; i < d->inlines.count; i++) {
		const struct debug_inline *in = &d->inlines.v[i];

		if (in->function >= d->functions.count || in->instance >= d->instances.count ||
		    (in->parent != DEBUG_NONE && in->parent >= i) ||
		    !index_ok(u, PACK_PATHS, in->call_path))
			return false;
	}
	for (size_t i = 0; i < d->inlined.count; i++)
		if (d->inlined.v[i].id >= d->inlines.count)
			return false;
	return true;
}

static bool rows_sound(const struct unpacked *u)
{
	const struct debug_data *d = u->d;

	for (size_t i = 0; i < d->rows.count; i++)
		if (!index_ok(u, PACK_PATHS, d->rows.v[i].path))
			return false;
	for (size_t i = 0; i < d->sequences.count; i++) {
		const struct debug_sequence *s = &d->sequences.v[i];

		if (s->low >= s->high || s->first > d->rows.count || !s->count ||
		    s->count > d->rows.count - s->first || s->unit >= u->head->units)
			return false;
	}
	return true;
}

/* The tables that are as they stand in memory. */
static bool plain_take(struct debug_data *d, struct confined *from, const struct pack_head *h)
{
	const struct {
		void *v;
		size_t *count, *cap;
		enum pack_table table;
	} plain[] = {
		{ &d->instances.v, &d->instances.count, &d->instances.cap, PACK_INSTANCES },
		{ &d->code.v, &d->code.count, &d->code.cap, PACK_CODE },
		{ &d->inlines.v, &d->inlines.count, &d->inlines.cap, PACK_INLINES },
		{ &d->inlined.v, &d->inlined.count, &d->inlined.cap, PACK_INLINED },
		{ &d->rows.v, &d->rows.count, &d->rows.cap, PACK_ROWS },
		{ &d->sequences.v, &d->sequences.count, &d->sequences.cap, PACK_SEQUENCES },
	};

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		void *items = table_take(from, h, plain[i].table);

		if (!items)
			return false;
		memcpy(plain[i].v, &items, sizeof(items));
		*plain[i].count = *plain[i].cap = h->counts[plain[i].table];
	}
	return true;
}

static bool strings_take(struct unpacked *u, struct confined *from)
{
	size_t size = u->head->counts[PACK_STRINGS];
	char *bytes = arena_alloc(&u->d->strings, size);

	u->strings = bytes;
	return bytes && confined_read(from, bytes, size) && !bytes[size - 1];
}

bool debug_unpack(struct debug_data *d, struct confined *from, uint64_t most)
{
	struct pack_function *functions = NULL;
	struct unpacked u = { .d = d };
	uint32_t *paths = NULL;
	struct pack_head head;
	bool sound;

	u.head = &head;
	sound = confined_read(from, &head, sizeof(head)) && head_check(&head, most) &&
		strings_take(&u, from) && (paths = table_take(from, &head, PACK_PATHS)) &&
		paths_take(&u, paths) && (functions = table_take(from, &head, PACK_FUNCTIONS)) &&
		functions_take(&u, functions) && plain_take(d, from, &head) &&
		instances_sound(&u) && inlines_sound(&u) && rows_sound(&u);
	mem_free(functions);
	mem_free(paths);
	if (!sound) {
		debug_release(d);
		debug_init(d);
		return false;
	}
	d->units = head.units;
	d->incomplete = head.incomplete;
	return true;
}
