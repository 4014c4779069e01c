#include "core/kit/kit.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/arena.h"
#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/kit/choice.h"

enum { FILE_MAX = 1 << 20 };		/* bytes of a file of the share; theirs differs if longer */

struct file {
	const char *path;		/* in the tree */
	const char *data;
	size_t size;
	enum kit_state state;
};

struct kit {
	const char *dir;		/* the caller's */
	const struct layout *layout;
	struct choices choices;
	struct arena strings;
	struct file *files;
	size_t count, cap;
};

/* --- one file --------------------------------------------------------------------------------- */

/* "dir/name" in the arena; NULL: out of memory. */
static const char *path_join(struct arena *a, const char *dir, const char *name)
{
	struct buf path = BUF_INIT;
	const char *copy;

	buf_addf(&path, "%s%s%s", dir, *dir ? "/" : "", name);
	copy = path.failed ? NULL : arena_str(a, buf_str(&path));
	buf_release(&path);
	return copy;
}

/* What stands at the file's place; a folder, a dangling link or one that cannot be read differs. */
static enum kit_state state_find(const char *place, const char *data, size_t size)
{
	struct stat st;
	enum kit_state state = KIT_DIFFERENT;
	char *there;
	size_t n = 0;

	if (lstat(place, &st) < 0)
		return errno == ENOENT ? KIT_NEW : KIT_DIFFERENT;
	there = file_is_regular(place) ? file_read(place, FILE_MAX, &n, NULL) : NULL;
	if (there && n == size && memcmp(there, data, n) == 0)
		state = KIT_SAME;
	mem_free(there);
	return state;
}

static int file_plan(struct kit *k, const char *path, const char *data, size_t size)
{
	struct file f = { .size = size };
	const char *place = path_join(&k->strings, k->dir, path);
	char *copy = arena_alloc(&k->strings, size + 1);

	f.path = arena_str(&k->strings, path);
	if (!place || !copy || !f.path ||
	    mem_grow(&k->files, &k->cap, k->count + 1, sizeof(f)) < 0)
		return ERR_NOMEM;
	memcpy(copy, data, size);
	f.data = copy;
	f.state = state_find(place, copy, size);
	k->files[k->count++] = f;
	return 0;
}

static int file_copy(struct kit *k, const char *from, const char *to, struct err *err)
{
	const char *slash = strrchr(from, '/');
	const char *path = path_join(&k->strings, to, slash ? slash + 1 : from);
	size_t n = 0;
	char *data = path ? file_read(from, FILE_MAX, &n, err) : NULL;
	int ret = data ? file_plan(k, path, data, n) : err_is_set(err) ? (int)err->code : ERR_NOMEM;

	mem_free(data);
	return ret;
}

/* --- rules ------------------------------------------------------------------------------------ */

static bool rule_takes(const struct layout_rule *r, const char *name)
{
	if (name[0] == '.' || (r->begins && !text_begins(name, r->begins)))
		return false;
	for (const char *const *e = r->except; e && *e; e++)
		if (strcmp(name, *e) == 0)
			return false;
	return true;
}

/* By name, so that the plan is the same on each machine. */
static int folder_copy(struct kit *k, const struct layout_rule *r, const char *from,
		       struct err *err)
{
	struct dirent **entries;
	int n = scandir(from, &entries, NULL, alphasort), ret = 0;

	if (n < 0)
		return err_errno(err, "%s", from);
	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name, *path;

		if (ret == 0 && rule_takes(r, name)) {
			path = path_join(&k->strings, from, name);
			if (!path)
				ret = ERR_NOMEM;
			else if (file_is_regular(path))
				ret = file_copy(k, path, r->to, err);
		}
		free(entries[i]);
	}
	free(entries);
	return ret;
}

static int rules_plan(struct kit *k, const char *share, struct err *err)
{
	int ret = 0;

	for (const struct layout_rule *r = k->layout->rules; ret == 0 && r->from; r++) {
		const char *from;

		if (!(r->chips & k->choices.chip))
			continue;
		from = path_join(&k->strings, share, r->from);
		if (!from)
			ret = ERR_NOMEM;
		else if (file_is_regular(from))
			ret = file_copy(k, from, r->to, err);
		else
			ret = folder_copy(k, r, from, err);
	}
	return ret;
}

static int config_plan(struct kit *k)
{
	struct buf text = BUF_INIT;
	int ret;

	choices_write(&k->choices, k->layout, &text);
	ret = text.failed ? ERR_NOMEM : file_plan(k, k->layout->config, buf_str(&text), text.len);
	buf_release(&text);
	return ret;
}

/* --- life ------------------------------------------------------------------------------------- */

struct kit *kit_new(const struct kit_order *order, struct err *err)
{
	struct kit *k = mem_zalloc(sizeof(*k));
	int ret;

	if (!k) {
		err_set(err, ERR_NOMEM, "out of memory");
		return NULL;
	}
	k->dir = order->dir;
	k->layout = order->layout;
	arena_init(&k->strings);
	ret = choices_make(&k->choices, order->layout, order->chip, order->elf,
			      order->clock_hz, err);
	if (ret == 0)
		ret = rules_plan(k, order->share, err);
	if (ret == 0)
		ret = config_plan(k);
	if (ret == 0)
		return k;
	err_set(err, ERR_NOMEM, "out of memory");
	kit_free(k);
	return NULL;
}

void kit_free(struct kit *k)
{
	if (!k)
		return;
	choices_release(&k->choices);
	arena_release(&k->strings);
	mem_free(k->files);
	mem_free(k);
}

/* --- what it holds ---------------------------------------------------------------------------- */

size_t kit_count(const struct kit *k, enum kit_state state)
{
	size_t n = 0;

	for (size_t i = 0; i < k->count; i++)
		n += k->files[i].state == state;
	return n;
}

const char *kit_path(const struct kit *k, enum kit_state state, size_t i)
{
	for (size_t at = 0; at < k->count; at++)
		if (k->files[at].state == state && i-- == 0)
			return k->files[at].path;
	return NULL;
}

int kit_write(const struct kit *k, struct err *err)
{
	struct buf place = BUF_INIT;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < k->count; i++) {
		const struct file *f = &k->files[i];

		if (f->state != KIT_NEW)
			continue;
		buf_reset(&place);
		buf_addf(&place, "%s/%s", k->dir, f->path);
		ret = place.failed ? err_set(err, ERR_NOMEM, "out of memory") :
				     file_folders(buf_str(&place), err);
		if (ret == 0)
			ret = file_write(buf_str(&place), f->data, f->size, err);
	}
	buf_release(&place);
	return ret;
}

void kit_choices(const struct kit *k, struct buf *out)
{
	const struct choices *s = &k->choices;

	for (size_t i = 0; i < s->count; i++)
		buf_addf(out, "%s %s: %s\n", s->v[i].name,
			 s->v[i].value[0] ? s->v[i].value : "(not known)", s->v[i].why);
	buf_adds(out, buf_str(&s->notes));
}

void kit_steps(const struct kit *k, struct buf *out)
{
	for (const struct layout_step *t = k->layout->steps; t->text; t++)
		if (t->chips & k->choices.chip)
			buf_adds(out, t->text);
}
