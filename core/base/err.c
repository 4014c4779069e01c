#include "core/base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

void err_clear(struct err *err)
{
	if (!err)
		return;
	err->code = ERR_NONE;
	err->advice = ADVICE_NONE;
	err->text[0] = '\0';
}

static int text_set(struct err *err, enum err_code code, const char *fmt, va_list ap,
		    const char *why)
{
	char raw[sizeof(err->text)];
	size_t n;

	if (!err || err->code != ERR_NONE)
		return code;
	vsnprintf(raw, sizeof(raw), fmt, ap);
	n = strlen(raw);
	if (why && n < sizeof(raw) - 1)
		snprintf(raw + n, sizeof(raw) - n, ": %s", why);
	err->code = code;
	/* Names of files and of functions end up in here: they may hold anything. */
	text_visible(err->text, sizeof(err->text), raw, strlen(raw));
	return code;
}

int err_set(struct err *err, enum err_code code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	text_set(err, code, fmt, ap, NULL);
	va_end(ap);
	return code;
}

int err_advise(struct err *err, enum err_code code, enum advice advice, const char *fmt, ...)
{
	bool first = err && err->code == ERR_NONE;
	va_list ap;

	va_start(ap, fmt);
	text_set(err, code, fmt, ap, NULL);
	va_end(ap);
	if (first)
		err->advice = advice;
	return code;
}

int err_errno(struct err *err, const char *fmt, ...)
{
	int saved = errno;
	va_list ap;

	va_start(ap, fmt);
	text_set(err, ERR_IO, fmt, ap, strerror(saved));
	va_end(ap);
	errno = saved;
	return ERR_IO;
}
