#include "core/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/mem.h"
#include "core/base/out.h"

const char *file_place(const char *variable, const char *home, const char *name, char *dst,
		       size_t size)
{
	const char *own = getenv(variable), *user = getenv("HOME");
	int n = 0;

	if (own && own[0] == '/')
		n = snprintf(dst, size, "%s/wsntop/%s", own, name);
	else if (user && user[0] == '/')
		n = snprintf(dst, size, "%s/%s/wsntop/%s", user, home, name);
	if (n <= 0 || (size_t)n >= size)
		dst[0] = '\0';
	return dst;
}

const char *file_expand(const char *path, char *dst, size_t size)
{
	const char *home = getenv("HOME");
	bool tilde = path[0] == '~' && (!path[1] || path[1] == '/') && home && *home;

	snprintf(dst, size, "%s%s", tilde ? home : "", tilde ? path + 1 : path);
	return dst;
}

int file_folders(const char *path, struct err *err)
{
	char part[PATH_MAX];

	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
		if (mkdir(part, 0700) < 0 && errno != EEXIST)
			return err_errno(err, "%s", part);
	}
	return 0;
}

bool file_is_regular(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

int file_write(const char *path, const void *data, size_t n, struct err *err)
{
	struct out out;
	int ret = out_open(&out, path, err);

	if (ret < 0)
		return ret;
	out_bytes(&out, data, n);
	return out_close(&out, err);
}

static char *fd_read(int fd, const char *path, size_t max, size_t *n, struct err *err)
{
	struct buf b = BUF_INIT;
	char chunk[65536];
	ssize_t got;

	while ((got = read(fd, chunk, sizeof(chunk))) != 0) {
		if (got < 0) {
			if (errno == EINTR)
				continue;
			err_errno(err, "%s: cannot read", path);
			goto fail;
		}
		if (b.len + (size_t)got > max) {
			err_set(err, ERR_FORMAT, "%s: larger than %zu bytes", path, max);
			goto fail;
		}
		buf_add(&b, chunk, (size_t)got);
	}
	*n = b.len;
	if (!b.failed)
		return buf_detach(&b);
	err_set(err, ERR_NOMEM, "%s: out of memory", path);
fail:
	buf_release(&b);
	return NULL;
}

char *file_read(const char *path, size_t max, size_t *n, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *data;

	if (fd < 0) {
		err_errno(err, "%s: cannot open", path);
		return NULL;
	}
	data = fd_read(fd, path, max, n, err);
	close(fd);
	return data;
}
