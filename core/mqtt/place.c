#include "core/mqtt/place.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"

#define EXAMPLE "expected mqtt://HOST/SITE, such as mqtt://broker.local/plant1"

bool mqtt_is_place(const char *text)
{
	return text_begins(text, "mqtt://") || text_begins(text, "mqtts://");
}

static int port_read(struct mqtt_place *p, const char *text, struct err *err)
{
	char *end;
	unsigned long port = strtoul(text, &end, 10);

	if (end == text || *end || port == 0 || port > 65535)
		return err_set(err, ERR_USAGE, "%s is no port; " EXAMPLE, text);
	p->port = (unsigned)port;
	return 0;
}

/* HOST, HOST:PORT or [IPV6]:PORT. */
static int host_read(struct mqtt_place *p, const char *text, size_t n, struct err *err)
{
	char host[256], *port, *at = host;

	if (n == 0 || n >= sizeof(host))
		return err_set(err, ERR_USAGE, "no host; " EXAMPLE);
	memcpy(host, text, n);
	host[n] = '\0';
	port = strrchr(host, ':');
	if (*host == '[') {
		char *close = strchr(host, ']');

		if (!close || (close[1] && close[1] != ':'))
			return err_set(err, ERR_USAGE, "an address without its ]; " EXAMPLE);
		port = close[1] ? close + 1 : NULL;
		*close = '\0';
		at++;
	}
	if (port)
		*port++ = '\0';
	if (!*at)
		return err_set(err, ERR_USAGE, "no host; " EXAMPLE);
	snprintf(p->host, sizeof(p->host), "%s", at);
	return port ? port_read(p, port, err) : 0;
}

static int path_read(struct mqtt_place *p, const char *text, size_t n, struct err *err)
{
	while (n && text[n - 1] == '/')
		n--;
	if (n >= sizeof(p->path))
		return err_set(err, ERR_USAGE, "the path is too long: at most %zu letters",
			       sizeof(p->path) - 1);
	memcpy(p->path, text, n);
	p->path[n] = '\0';
	return 0;
}

int mqtt_place_read(struct mqtt_place *p, const char *text, struct err *err)
{
	const char *at = strstr(text, "://"), *path, *query;
	int ret;

	*p = (struct mqtt_place){ .tls = text_begins(text, "mqtts:") };
	if (!mqtt_is_place(text))
		return err_set(err, ERR_USAGE, "%s: " EXAMPLE, text);
	at += 3;
	p->port = p->tls ? 8883 : 1883;
	query = at + strcspn(at, "?");
	path = at + strcspn(at, "/?");
	ret = host_read(p, at, (size_t)(path - at), err);
	if (ret == 0 && *path == '/')
		ret = path_read(p, path + 1, (size_t)(query - path - 1), err);
	if (ret == 0)
		ret = login_read(&p->who, query + (*query == '?'), p->tls ? NULL : "mqtts://",
				    err);
	return ret;
}
