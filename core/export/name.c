#include "core/export/name.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base/clock.h"
#include "core/base/text.h"

enum { LONGEST_NODE = 40 };

/* ASCII alone: other letters may look like one another, or be no UTF-8 at all. */
static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '.' || c == '_' || c == '-';
}

static size_t node_plain(char *dst, const char *node)
{
	size_t n = 0;

	for (; *node && n < LONGEST_NODE; node++) {
		char c = is_plain(*node) ? *node : '-';

		if (c == '-' || c == '.' ? n > 0 && dst[n - 1] != '-' && dst[n - 1] != '.' : true)
			dst[n++] = c;
	}
	while (n && (dst[n - 1] == '-' || dst[n - 1] == '.'))
		n--;
	dst[n] = '\0';
	return n;
}

const char *export_file_name(char *dst, size_t size, const char *node, uint64_t wall_ns,
			     const char *file)
{
	char plain[LONGEST_NODE + 1], when[32] = "";
	time_t t = (time_t)(wall_ns / CLOCK_SECOND);
	const char *end = strrchr(file, '.');
	size_t stem = end ? (size_t)(end - file) : strlen(file);
	bool named = strncmp(file, "profile.", strlen("profile.")) != 0;
	struct tm tm;

	if (!node_plain(plain, node))
		snprintf(plain, sizeof(plain), "node");
	if (!localtime_r(&t, &tm) || !strftime(when, sizeof(when), "-%Y-%m-%d-%H%M", &tm))
		when[0] = '\0';
	snprintf(dst, size, "%s%s%.*s%s%s", plain, named ? "-" : "", named ? (int)stem : 0, file,
		 when, end ? end : "");
	return dst;
}
