#include "core/image/debug.h"

#include <string.h>

#include "core/base/buf.h"
#include "core/base/mem.h"
#include "core/base/text.h"

#define MAX_PATH_SHOWN 1024

bool debug_present(const struct elf *e)
{
	const struct elf_section *info = elf_find_section(e, ".debug_info");

	/* An object's addresses are not relocated yet. */
	return info && info->size && elf_find_section(e, ".debug_abbrev") && !e->relocatable;
}

void debug_init(struct debug_data *d)
{
	*d = (struct debug_data){ .units = 0 };
	arena_init(&d->strings);
	map_init(&d->strings_by_hash);
	map_init(&d->paths_by_string);
}

void debug_release(struct debug_data *d)
{
	arena_release(&d->strings);
	map_release(&d->strings_by_hash);
	map_release(&d->paths_by_string);
	mem_free(d->interned.v);
	mem_free(d->paths.v);
	mem_free(d->functions.v);
	mem_free(d->instances.v);
	mem_free(d->inlines.v);
	mem_free(d->rows.v);
	mem_free(d->sequences.v);
	spans_release(&d->code);
	spans_release(&d->inlined);
	*d = (struct debug_data){ .units = 0 };
}

/*
 * Two strings of one hash: the second is stored again each time, which costs memory only.
 */
const char *debug_intern(struct debug_data *d, const char *s)
{
	uint64_t key = elf_name_hash(s, strlen(s));
	uint32_t known = map_get(&d->strings_by_hash, key);
	const char *copy;

	if (known != MAP_NONE && strcmp(d->interned.v[known], s) == 0)
		return d->interned.v[known];
	copy = arena_str(&d->strings, s);
	if (!copy || known != MAP_NONE)
		return copy;
	if (mem_grow(&d->interned.v, &d->interned.cap, d->interned.count + 1,
		     sizeof(*d->interned.v)) < 0)
		return copy;
	d->interned.v[d->interned.count] = copy;
	if (map_put(&d->strings_by_hash, key, (uint32_t)d->interned.count) == 0)
		d->interned.count++;
	return copy;
}

static uint32_t add_path(struct debug_data *d, const char *path)
{
	uint64_t key = (uint64_t)(uintptr_t)path;	/* interned: the pointer is the string */
	uint32_t known = map_get(&d->paths_by_string, key);

	if (known != MAP_NONE)
		return known;
	if (mem_grow(&d->paths.v, &d->paths.cap, d->paths.count + 1, sizeof(*d->paths.v)) < 0)
		return DEBUG_NONE;
	d->paths.v[d->paths.count] = (struct debug_path){ path, text_basename(path) };
	if (map_put(&d->paths_by_string, key, (uint32_t)d->paths.count) < 0)
		return DEBUG_NONE;
	return (uint32_t)d->paths.count++;
}

/* "a/./b" is "a/b": compilers differ in that, and one file should have one name. */
static void path_squeeze(char *path)
{
	char *to = path;

	for (const char *from = path; *from; ) {
		if (from[0] == '.' && from[1] == '/' && (from == path || from[-1] == '/'))
			from += 2;
		else
			*to++ = *from++;
	}
	*to = '\0';
}

uint32_t debug_path(struct debug_data *d, const char *directory, const char *name)
{
	char shown[MAX_PATH_SHOWN];
	struct buf path = BUF_INIT;
	const char *kept = NULL;

	if (name[0] != '/' && directory && directory[0])
		buf_addf(&path, "%s/", directory);
	buf_adds(&path, name);
	if (!path.failed && path.len) {
		path_squeeze(path.data);
		text_visible(shown, sizeof(shown), path.data, strlen(path.data));
		kept = debug_intern(d, shown);
	}
	buf_release(&path);
	return kept ? add_path(d, kept) : DEBUG_NONE;
}
