/* post_missing: where there was no libcurl to build with. */
#include "core/collect/post.h"

#ifndef WSNTOP_CURL

struct post *post_new(const char *url, unsigned port, const char *path, struct err *err)
{
	(void)port;
	(void)path;
	err_set(err, ERR_USAGE, "%s: this wsntop was built without HTTP requests; install "
		"libcurl4-openssl-dev and build it again", url);
	return NULL;
}

void post_free(struct post *p)
{
	(void)p;
}

int post_begin(struct post *p, const void *body, size_t n)
{
	(void)p;
	(void)body;
	(void)n;
	return ERR_ABSENT;
}

bool post_service(struct post *p, uint64_t now, struct post_end *end)
{
	(void)p;
	(void)now;
	(void)end;
	return false;
}

size_t post_poll(const struct post *p, uint64_t now, struct pollfd *fds, int *ms)
{
	(void)p;
	(void)now;
	(void)fds;
	(void)ms;
	return 0;
}

#endif
