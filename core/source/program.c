#include "core/source/program.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/mem.h"

static char *runnable(struct buf *path)
{
	struct stat st;

	if (!path->failed && stat(buf_str(path), &st) == 0 && S_ISREG(st.st_mode) &&
	    access(buf_str(path), X_OK) == 0)
		return buf_detach(path);
	buf_release(path);
	return NULL;
}

char *program_find(const char *name)
{
	const char *path = getenv("PATH"), *end;
	struct buf b = BUF_INIT;
	char *found = NULL;

	if (strchr(name, '/')) {
		buf_adds(&b, name);
		return runnable(&b);
	}
	for (path = path ? path : "/usr/bin:/bin"; *name && !found; path = end + 1) {
		end = strchrnul(path, ':');
		if (*path == '/') {
			buf_add(&b, path, (size_t)(end - path));
			buf_addf(&b, "/%s", name);
			found = runnable(&b);
			buf_init(&b);
		}
		if (!*end)
			break;
	}
	return found;
}
