/*
 * paths: where sources may be.
 */
#include <string.h>

#include "core/base/mem.h"
#include "core/source/source.h"

int source_paths_add_dir(struct source_paths *p, const char *dir)
{
	if (p->dir_count == SOURCE_DIRS)
		return ERR_USAGE;
	p->dirs[p->dir_count] = mem_strdup(dir);
	if (!p->dirs[p->dir_count])
		return ERR_NOMEM;
	p->dir_count++;
	return 0;
}

int source_paths_add_map(struct source_paths *p, const char *from, const char *to)
{
	char *a, *b;

	if (p->map_count == SOURCE_MAPS)
		return ERR_USAGE;
	a = mem_strdup(from);
	b = mem_strdup(to);
	if (!a || !b) {
		mem_free(a);
		mem_free(b);
		return ERR_NOMEM;
	}
	p->maps[p->map_count].from = a;
	p->maps[p->map_count++].to = b;
	return 0;
}

int source_paths_add_equation(struct source_paths *p, const char *equation)
{
	const char *equals = strchr(equation, '=');
	char *from;
	int ret;

	if (!equals || equals == equation || !equals[1])
		return ERR_USAGE;
	from = mem_strndup(equation, (size_t)(equals - equation));
	ret = from ? source_paths_add_map(p, from, equals + 1) : ERR_NOMEM;
	mem_free(from);
	return ret;
}

/* Append the entries of `rest` to p, as far as there is room. 0 or ERR_NOMEM. */
static int paths_append(struct source_paths *p, const struct source_paths *rest)
{
	int ret = 0;

	for (size_t i = 0; i < rest->dir_count && ret == 0 && p->dir_count < SOURCE_DIRS; i++)
		ret = source_paths_add_dir(p, rest->dirs[i]);
	for (size_t i = 0; i < rest->map_count && ret == 0 && p->map_count < SOURCE_MAPS; i++)
		ret = source_paths_add_map(p, rest->maps[i].from, rest->maps[i].to);
	return ret;
}

void source_paths_drop_dir(struct source_paths *p, size_t i)
{
	mem_free(p->dirs[i]);
	p->dir_count--;
	p->given_dirs -= i < p->given_dirs;
	memmove(&p->dirs[i], &p->dirs[i + 1], (p->dir_count - i) * sizeof(p->dirs[0]));
}

void source_paths_drop_map(struct source_paths *p, size_t i)
{
	mem_free(p->maps[i].from);
	mem_free(p->maps[i].to);
	p->map_count--;
	p->given_maps -= i < p->given_maps;
	memmove(&p->maps[i], &p->maps[i + 1], (p->map_count - i) * sizeof(p->maps[0]));
}

int source_paths_give(struct source_paths *p, const struct source_paths *given)
{
	struct source_paths all = { 0 };

	if (paths_append(&all, given) < 0 || paths_append(&all, p) < 0) {
		source_paths_release(&all);
		return ERR_NOMEM;
	}
	all.given_dirs = given->dir_count;
	all.given_maps = given->map_count;
	source_paths_release(p);
	*p = all;
	return 0;
}

void source_paths_release(struct source_paths *p)
{
	for (size_t i = 0; i < p->dir_count; i++)
		mem_free(p->dirs[i]);
	for (size_t i = 0; i < p->map_count; i++) {
		mem_free(p->maps[i].from);
		mem_free(p->maps[i].to);
	}
	*p = (struct source_paths){ 0 };
}

/* Length of a prefix without the slashes at its end; "/" is "". */
static size_t prefix_length(const char *s)
{
	size_t n = strlen(s);

	while (n && s[n - 1] == '/')
		n--;
	return n;
}

/* "/a" is a prefix of "/a" and "/a/b", not of "/ab". An empty one is none. */
static bool has_prefix(const char *path, const char *prefix, size_t n)
{
	return prefix[0] && !strncmp(path, prefix, n) && (path[n] == '/' || !path[n]);
}

char *source_paths_map(const struct source_paths *p, const char *path)
{
	struct buf b = BUF_INIT;
	size_t best = 0, length = 0;
	bool found = false;

	for (size_t i = 0; i < p->map_count; i++) {
		size_t n = prefix_length(p->maps[i].from);

		if (!has_prefix(path, p->maps[i].from, n) || (found && n <= length))
			continue;
		found = true;
		best = i;
		length = n;
	}
	if (!found)
		return NULL;
	buf_add(&b, p->maps[best].to, prefix_length(p->maps[best].to));
	buf_adds(&b, path + length);
	return buf_detach(&b);
}
