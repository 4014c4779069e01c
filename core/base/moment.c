#include "core/base/moment.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "core/base/clock.h"

#define DAY (86400 * CLOCK_SECOND)
#define FAR (INT64_MAX / 4)		/* ns: longer than any recording; twice that is a time */

/* --- as it is typed --------------------------------------------------------------------------- */

static const char *blanks_skip(const char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	return s;
}

/* "90", "1.5"; false: no number. */
static bool number_take(const char **text, double *number)
{
	const char *s = *text;
	double scale = 1, n = 0;

	if (!isdigit((unsigned char)*s))
		return false;
	while (isdigit((unsigned char)*s))
		n = 10 * n + (*s++ - '0');
	if (*s == '.' && isdigit((unsigned char)s[1])) {
		for (s++; isdigit((unsigned char)*s); s++)
			n += (*s - '0') * (scale /= 10);
	}
	*text = s;
	*number = n;
	return true;
}

static uint64_t ns_of(double seconds)
{
	double ns = seconds * 1e9 + 0.5;

	return ns < (double)FAR ? (uint64_t)ns : (uint64_t)FAR;
}

/* A unit, or none; false: something else stands there. */
static bool unit_take(const char **text, double *seconds)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {
		{ "ms", 1e-3 }, { "s", 1 }, { "sec", 1 }, { "m", 60 }, { "min", 60 },
		{ "h", 3600 }, { "d", 86400 },
	};
	const char *s = blanks_skip(*text);
	size_t n = 0;

	while (isalpha((unsigned char)s[n]))
		n++;
	*seconds = 1;
	if (!n)
		return true;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strlen(units[i].name) == n && !strncasecmp(units[i].name, s, n)) {
			*seconds = units[i].seconds;
			*text = s + n;
			return true;
		}
	}
	return false;
}

/* "12:03:41", "3:20", "90 s": how many numbers; 0: none of these. */
static int length_take(const char **text, double *seconds)
{
	const char *s = *text;
	double n, unit;
	int count = 1;

	if (!number_take(&s, seconds))
		return 0;
	for (; *s == ':' && count < 3; count++) {
		s++;
		if (!number_take(&s, &n) || n >= 60)
			return 0;
		*seconds = 60 * *seconds + n;
	}
	if (count == 1) {
		if (!unit_take(&s, &unit))
			return 0;
		*seconds *= unit;
	}
	*text = s;
	return count;
}

static bool word_is(const char *s, const char *word)
{
	size_t n = strlen(s);

	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	return n && n <= strlen(word) && !strncasecmp(s, word, n);
}

static bool share_parse(const char *s, struct moment *m)
{
	double percent;

	if (!number_take(&s, &percent))
		return false;
	s = blanks_skip(s);
	if (*s != '%' || *blanks_skip(s + 1))
		return false;
	m->kind = MOMENT_SHARE;
	m->share = percent < 100 ? percent / 100 : 1;
	return true;
}

bool moment_parse(const char *text, struct moment *m)
{
	const char *s = blanks_skip(text);
	double seconds;
	int numbers;

	*m = (struct moment){ .kind = MOMENT_INTO };
	if (word_is(s, "start") || word_is(s, "end")) {
		m->kind = word_is(s, "end") ? MOMENT_END : MOMENT_START;
		return true;
	}
	if (share_parse(s, m))
		return true;
	if (*s == '+' || *s == '-') {
		m->kind = *s == '+' ? MOMENT_BY : MOMENT_BACK;
		s = blanks_skip(s + 1);
	}
	numbers = length_take(&s, &seconds);
	if (!numbers || *blanks_skip(s))
		return false;
	if (numbers == 3 && m->kind == MOMENT_INTO)
		m->kind = MOMENT_CLOCK;
	m->minutes = numbers == 2;
	m->ns = ns_of(seconds);
	return true;
}

/* --- in a recording --------------------------------------------------------------------------- */

/* The first time of the day's clock at or after the begin that is not behind the end. */
static bool clock_find(const struct moment_span *s, uint64_t of_day, uint64_t *ns)
{
	uint64_t wall = s->begin + (uint64_t)s->wall, since;
	time_t seconds = (time_t)(wall / CLOCK_SECOND);
	struct tm tm;

	if (!s->wall_known || of_day >= DAY || !localtime_r(&seconds, &tm))
		return false;
	since = (uint64_t)(tm.tm_hour * 3600 + tm.tm_min * 60 + tm.tm_sec) * CLOCK_SECOND;
	since += wall % CLOCK_SECOND;
	*ns = s->begin;
	/* unless it is the second that it began in */
	if (of_day > since || since - of_day >= CLOCK_SECOND)
		*ns += of_day >= since ? of_day - since : of_day + DAY - since;
	return *ns <= s->end;
}

static enum moment_found time_within(const struct moment_span *s, uint64_t *ns)
{
	if (*ns < s->begin) {
		*ns = s->begin;
		return MOMENT_BEFORE;
	}
	if (*ns <= s->end)
		return MOMENT_FOUND;
	if (s->whole)
		*ns = s->end;
	return s->whole ? MOMENT_BEHIND : MOMENT_FOUND;
}

enum moment_found moment_find(const struct moment *m, const struct moment_span *s, uint64_t *ns)
{
	uint64_t length = s->end - s->begin, clock;

	switch (m->kind) {
	case MOMENT_START:
		*ns = s->begin;
		return MOMENT_FOUND;
	case MOMENT_END:
		*ns = s->whole ? s->end : s->begin + FAR;
		return MOMENT_FOUND;
	case MOMENT_SHARE:
		*ns = s->begin + (uint64_t)((double)length * m->share);
		if (*ns > s->end)	/* of a length that no double has, 100 % may be more */
			*ns = s->end;
		return s->whole ? MOMENT_FOUND : MOMENT_UNKNOWN;
	case MOMENT_BY:
		*ns = s->at + m->ns;
		return time_within(s, ns);
	case MOMENT_BACK:
		*ns = s->at > m->ns ? s->at - m->ns : 0;
		return time_within(s, ns);
	case MOMENT_CLOCK:
		if (clock_find(s, m->ns, &clock)) {
			*ns = clock;
			return MOMENT_FOUND;
		}
		break;
	case MOMENT_INTO:
		if (m->minutes && m->ns > length && m->ns < DAY / 60 &&
		    clock_find(s, 60 * m->ns, &clock)) {
			*ns = clock;
			return MOMENT_FOUND;
		}
		break;
	}
	*ns = s->begin + m->ns;
	return time_within(s, ns);
}
