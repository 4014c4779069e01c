#include "core/find/inputs.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/text.h"
#include "core/link/link.h"

static bool is_one(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

bool inputs_same(const char *a, const char *b)
{
	struct stat sa, sb;

	return a && b && stat(a, &sa) == 0 && stat(b, &sb) == 0 && is_one(&sa, &sb);
}

bool inputs_is_source(const char *source, const char *path)
{
	struct stat in, st;

	if (!source)
		return false;
	if (!strcmp(source, "-"))
		return fstat(STDIN_FILENO, &in) == 0 && S_ISREG(in.st_mode) &&
		       stat(path, &st) == 0 && is_one(&in, &st);
	return inputs_same(text_begins(source, "file:") ? source + strlen("file:") : source, path);
}

bool inputs_is_meter(const char *source, const char *path)
{
	const char *query = source ? strrchr(source, '?') : NULL;
	char plain[4096];

	if (!source)
		return false;
	source = link_inner(source);
	if (!query || query < source)
		query = source + strlen(source);
	if ((size_t)(query - source) >= sizeof(plain))
		return false;
	memcpy(plain, source, (size_t)(query - source));
	plain[query - source] = '\0';
	return inputs_is_source(source, path) || inputs_is_source(plain, path);
}

bool inputs_is_meter_record(const char *record, const char *path)
{
	size_t n = strlen(path), end = strlen(INPUTS_METER);
	char node[4096];

	if (n < end || n - end >= sizeof(node) || strcmp(path + n - end, INPUTS_METER) != 0)
		return false;
	memcpy(node, path, n - end);
	node[n - end] = '\0';
	return inputs_same(record, node);
}
