#include "core/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/mem.h"

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

static int write_all(int fd, const char *data, size_t n)
{
	while (n) {
		ssize_t done = write(fd, data, n);

		if (done < 0) {
			if (errno == EINTR)
				continue;
			return -1;
		}
		data += done;
		n -= (size_t)done;
	}
	return 0;
}

/* Standard output, a FIFO, a device: there is nothing to rename over. */
static int write_in_place(int fd, const char *path, const void *data, size_t n, struct err *err)
{
	if (write_all(fd, data, n) < 0)
		return err_errno(err, "%s: cannot write", path);
	return 0;
}

/* The mode that a newly made file would have had. */
static mode_t fresh_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

static int write_beside(const char *path, mode_t mode, const void *data, size_t n, struct err *err)
{
	struct buf temporary = BUF_INIT;
	int fd, ret = 0;

	buf_addf(&temporary, "%s.XXXXXX", path);
	if (temporary.failed)
		return err_set(err, ERR_NOMEM, "%s: out of memory", path);
	fd = mkstemp(temporary.data);
	if (fd < 0) {
		ret = err_errno(err, "%s: cannot write beside it", path);
		goto out;
	}
	if (write_all(fd, data, n) < 0 || fchmod(fd, mode) < 0 || fsync(fd) < 0)
		ret = err_errno(err, "%s: cannot write", path);
	if (close(fd) < 0 && ret == 0)
		ret = err_errno(err, "%s: cannot write", path);
	if (ret == 0 && rename(temporary.data, path) < 0)
		ret = err_errno(err, "%s: cannot replace", path);
	if (ret < 0)
		unlink(temporary.data);
out:
	buf_release(&temporary);
	return ret;
}

/* Through a symbolic link: what it points to is replaced, the link stays. */
static int write_regular(const char *path, mode_t mode, const void *data, size_t n,
			 struct err *err)
{
	char *real = realpath(path, NULL);
	int ret = write_beside(real ? real : path, mode, data, n, err);

	free(real);
	return ret;
}

int file_write(const char *path, const void *data, size_t n, struct err *err)
{
	struct stat st;
	int fd, ret;

	if (strcmp(path, "-") == 0)
		return write_in_place(STDOUT_FILENO, "standard output", data, n, err);
	if (stat(path, &st) < 0)
		return write_regular(path, fresh_mode(), data, n, err);
	if (S_ISREG(st.st_mode))
		return write_regular(path, st.st_mode & 0777, data, n, err);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return err_errno(err, "%s: cannot open", path);
	ret = write_in_place(fd, path, data, n, err);
	close(fd);
	return ret;
}

static char *read_all(int fd, const char *path, size_t max, size_t *n, struct err *err)
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
	data = read_all(fd, path, max, n, err);
	close(fd);
	return data;
}
