#include "tui/app/pane/beside.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

void beside_release(struct beside *b)
{
	bookmarks_release(&b->list);
}

/* --- times ------------------------------------------------------------------------------------ */

/* What is to be added to the data's clock; 0 where the wall clock is not known. */
static uint64_t wall_of(const struct node *n, uint64_t time_ns)
{
	uint64_t wall;

	return node_wall(n, time_ns, &wall) ? wall : time_ns;
}

bool beside_time(const struct node *n, const struct bookmark *k, uint64_t *time_ns)
{
	/* The difference is the same at all times; times before the data's are negative. */
	*time_ns = k->wall_ns - wall_of(n, 0);
	return (int64_t)*time_ns >= 0;
}

const struct bookmark *beside_find(const struct beside *b, const struct node *n, uint64_t time_ns)
{
	return bookmarks_find(&b->list, wall_of(n, time_ns));
}

/* --- the file --------------------------------------------------------------------------------- */

static const char *marks_path(const char *recording, char dst[BESIDE_PATH])
{
	int n = snprintf(dst, BESIDE_PATH, "%s.marks", recording);

	if (n >= BESIDE_PATH)
		dst[0] = '\0';
	return dst;
}

static const char *node_marks_path(const struct node *n, char dst[BESIDE_PATH])
{
	const struct link *l = node_link(n);
	const char *name = link_name(l);
	uint64_t wall;

	dst[0] = '\0';
	if (!node_wall(n, 0, &wall))
		return dst;
	if (!strcmp(link_kind(l), "recording") && strcmp(name, "-"))
		return marks_path(text_begins(name, "file:") ? name + 5 : name, dst);
	return node_is_recording(n) ? marks_path(node_options(n)->record, dst) : dst;
}

/* As the file has it now, and what the session has besides. */
static int file_read_again(struct bookmarks *list, const char *path, struct err *err)
{
	struct bookmarks fresh = { 0 };
	int ret = bookmarks_load(&fresh, path, err);

	if (ret == 0)
		ret = bookmarks_join(&fresh, list) < 0 ?
		      err_set(err, ERR_NOMEM, "out of memory") : 0;
	if (ret < 0) {
		bookmarks_release(&fresh);
		return ret;
	}
	fresh.serial = list->serial + 1;
	bookmarks_release(list);
	*list = fresh;
	return 0;
}

void beside_sync(struct beside *b, const struct node *n)
{
	char path[BESIDE_PATH];

	if (!*node_marks_path(n, path) || !strcmp(path, b->path))
		return;
	snprintf(b->path, sizeof(b->path), "%s", path);
	file_read_again(&b->list, path, NULL);	/* why not is said when one is set */
}

/* `ret`: of reading. What cannot be read is not replaced either. */
static int file_change(const struct beside *b, int ret, struct err *err)
{
	return ret == 0 && *b->path ? bookmarks_save(&b->list, b->path, err) : ret;
}

int beside_set(struct beside *b, const struct node *n, uint64_t time_ns, const char *note,
	       struct err *err)
{
	int read, put;

	beside_sync(b, n);
	read = *b->path ? file_read_again(&b->list, b->path, err) : 0;
	put = bookmarks_put(&b->list, wall_of(n, time_ns), note);
	if (put < 0)
		return err_set(err, put, put == ERR_NOMEM ? "out of memory" :
			       "no room for another bookmark");
	return file_change(b, read, err);
}

int beside_drop(struct beside *b, const struct node *n, uint64_t time_ns, struct err *err)
{
	int read;

	beside_sync(b, n);
	read = *b->path ? file_read_again(&b->list, b->path, err) : 0;
	bookmarks_drop(&b->list, wall_of(n, time_ns));
	return file_change(b, read, err);
}

int beside_save(const struct beside *b, const char *recording, struct err *err)
{
	struct bookmarks list = { 0 };
	char path[BESIDE_PATH];
	int ret = 0;

	if (b->list.count && *marks_path(recording, path)) {
		ret = bookmarks_join(&list, &b->list);
		ret = ret < 0 ? err_set(err, ret, "out of memory") :
				file_read_again(&list, path, err);
		ret = ret < 0 ? ret : bookmarks_save(&list, path, err);
	}
	bookmarks_release(&list);
	return ret;
}
