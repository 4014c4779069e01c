#include "core/base/login.h"

#include <stddef.h>
#include <string.h>

static int option_read(struct login *who, const char *text, size_t n, struct err *err)
{
	const struct { const char *name; char *value; size_t size; } rows[] = {
		{ "user=", who->user, sizeof(who->user) }, { "ca=", who->ca, sizeof(who->ca) },
		{ "cert=", who->cert, sizeof(who->cert) }, { "key=", who->key, sizeof(who->key) },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t named = strlen(rows[i].name);

		if (n <= named || strncmp(text, rows[i].name, named))
			continue;
		if (n - named >= rows[i].size)
			return err_set(err, ERR_USAGE, "%s is too long", rows[i].name);
		memcpy(rows[i].value, text + named, n - named);
		rows[i].value[n - named] = '\0';
		return 0;
	}
	/* Its name alone: password=... may be there. */
	return err_set(err, ERR_USAGE, "%.*s: expected user=, ca=, cert= or key= with a value",
		       (int)strcspn(text, "=&"), text);
}

int login_read(struct login *who, const char *options, const char *tls, struct err *err)
{
	int ret = 0;

	while (ret == 0 && *options) {
		size_t n = strcspn(options, "&");

		ret = option_read(who, options, n, err);
		options += n + (options[n] == '&');
	}
	if (ret == 0 && !who->cert[0] != !who->key[0])
		ret = err_set(err, ERR_USAGE, "cert= and key= belong together");
	if (ret == 0 && (who->ca[0] || who->cert[0]) && tls)
		ret = err_set(err, ERR_USAGE, "certificates are for TLS: %s", tls);
	return ret;
}
