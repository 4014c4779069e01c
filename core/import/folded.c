/*
 * Folded stacks: a line a path, "main;task;read 1234", innermost function last. Numbers are
 * samples: 1e9 a second where no rate is given, as they are the nanoseconds that we write.
 */
#include "core/import/parts.h"

#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"

struct folded {
	struct picture pic;
	size_t good, bad;		/* lines */
	uint32_t way[PICTURE_DEEP];
};

/* The number behind the last blank: where the names end. 0: there is none. */
static size_t line_number(const char *line, size_t n, uint64_t *number)
{
	size_t at = n;

	while (at > 0 && line[at - 1] >= '0' && line[at - 1] <= '9')
		at--;
	if (at == n || n - at > 18 || at < 2 || line[at - 1] != ' ')
		return 0;
	*number = 0;
	for (size_t i = at; i < n; i++)
		*number = 10 * *number + (uint64_t)(line[i] - '0');
	return at - 1;
}

static void path_read(struct folded *f, const char *line, size_t n)
{
	uint64_t number = 0;
	size_t names, end, depth = 0;
	struct picture_cost cost = { 0 };

	if (n && line[n - 1] == '\r')
		n--;
	names = line_number(line, n, &number);
	if (!names) {
		f->bad += n > 0;
		return;
	}
	for (end = names; end > 0 && depth < PICTURE_DEEP;) {
		size_t from = end;

		while (from > 0 && line[from - 1] != ';')
			from--;
		if (end > from)
			f->way[depth++] = picture_function(&f->pic, line + from, end - from,
							   NULL, 0);
		if (f->pic.failed)
			return;
		end = from ? from - 1 : 0;
	}
	cost.ticks = cost.samples = number;
	picture_path(&f->pic, f->way, depth, &cost);
	f->good++;
}

int folded_read(struct profile *p, const struct import_bytes *b, struct err *err)
{
	struct folded *f = mem_zalloc(sizeof(*f));
	const char *at = (const char *)b->data, *end = at + b->size;
	int ret;

	if (!f)
		return err_set(err, ERR_NOMEM, "out of memory");
	picture_begin(&f->pic, p, b->hz > 0 ? b->hz : 1e9, true);
	while (at < end && !f->pic.failed) {
		const char *line = at;

		at = memchr(at, '\n', (size_t)(end - at));
		at = at ? at : end;
		path_read(f, line, (size_t)(at - line));
		at++;
	}
	ret = picture_finish(&f->pic, false);
	if (ret < 0)
		err_set(err, ret, "out of memory");
	else if (!f->good || f->bad > f->good)
		ret = err_set(err, ERR_FORMAT, "no folded stacks: expected lines such as "
			      "\"main;read 1234\"");
	picture_release(&f->pic);
	mem_free(f);
	return ret;
}
