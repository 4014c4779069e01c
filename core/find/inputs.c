#include "core/find/inputs.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/text.h"

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
