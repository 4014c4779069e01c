#include "core/probe/target.h"

#include <assert.h>
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/link/link.h"
#include "core/probe/remote.h"

enum {
	END = 0x1a,			/* of a command and of its answer */
	ANSWER_MAX = 8192,		/* 256 words are 2,816 bytes */
	SHOWN_MAX = 200,
};

#define ANSWER_NS (2 * CLOCK_SECOND)

struct target {
	struct remote *remote;		/* NULL: OpenOCD's Tcl port, by the link */
	struct link *link;
	char answer[ANSWER_MAX];
	size_t answer_n;
	bool lost;			/* an answer did not come: the next would be taken for it */
	char shown[SHOWN_MAX];
};

struct target *target_new(const char *source, struct err *err)
{
	const char *format = link_format(source);
	bool gdb = format && strcmp(format, "gdb") == 0;
	struct target *t;

	if (!format || (strcmp(format, "openocd") != 0 && !gdb)) {
		err_set(err, ERR_USAGE, "%s: expected openocd:[HOST:PORT] or gdb:[HOST:PORT]",
			source);
		return NULL;
	}
	t = mem_zalloc(sizeof(*t));
	if (!t) {
		err_set(err, ERR_NOMEM, "out of memory");
		return NULL;
	}
	if (gdb)
		t->remote = remote_new(source, err);
	else
		t->link = link_new(source, NULL, err);
	if (t->link || t->remote)
		return t;
	mem_free(t);
	return NULL;
}

void target_free(struct target *t)
{
	if (!t)
		return;
	remote_free(t->remote);
	link_free(t->link);
	mem_free(t);
}

struct remote *target_remote(const struct target *t)
{
	return t->remote;
}

/* --- one question ----------------------------------------------------------------------------- */

/* True: the answer is whole. Bytes behind its end are nobody's: one question is under way. */
static bool answer_add(struct target *t, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (bytes[i] == END)
			return true;
		if (t->answer_n < ANSWER_MAX - 1)
			t->answer[t->answer_n++] = bytes[i] ? (char)bytes[i] : ' ';
	}
	return false;
}

static int answer_wait(struct target *t, struct err *err)
{
	uint64_t now = clock_now(), until = now + ANSWER_NS, time;
	uint8_t bytes[4096];

	t->answer_n = 0;
	while (now < until && link_state(t->link) == LINK_UP) {
		struct pollfd p = { .fd = link_fd(t->link), .events = link_events(t->link) };
		int wait = clock_sooner(clock_ms_until(until, now), link_timeout(t->link, now));
		ssize_t n;

		poll(&p, 1, wait);
		now = clock_now();
		n = link_read(t->link, now, bytes, sizeof(bytes), &time);
		if (n > 0 && answer_add(t, bytes, (size_t)n)) {
			t->answer[t->answer_n] = '\0';
			return 0;
		}
	}
	t->lost = true;
	if (link_state(t->link) != LINK_UP)
		return err_set(err, ERR_IO, "the server closed the connection");
	return err_set(err, ERR_IO, "the server did not answer in 2 seconds");
}

static int question_ask(struct target *t, const char *command, struct err *err)
{
	char line[512];
	int n = snprintf(line, sizeof(line), "%s%c", command, END);

	assert(n > 0 && (size_t)n < sizeof(line));
	if (t->lost || link_state(t->link) != LINK_UP)
		return err_set(err, ERR_IO, "the server does not answer any more");
	if (link_send(t->link, line, (size_t)n) < 0)
		return err_set(err, ERR_IO, "the server takes no command");
	return answer_wait(t, err);
}

const char *target_ask(struct target *t, const char *command, struct err *err)
{
	if (question_ask(t, command, err) < 0)
		return NULL;
	text_visible(t->shown, sizeof(t->shown), t->answer, t->answer_n);
	return t->shown;
}

/* --- memory ----------------------------------------------------------------------------------- */

bool target_words(const char *s, uint32_t *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *end;
		unsigned long long value = strtoull(s, &end, 0);

		if (end == s || value > UINT32_MAX || *s == '-')
			return false;
		words[i] = (uint32_t)value;
		for (s = end; *s == ' ' || *s == '\n'; s++)
			;
	}
	return !*s;
}

/* What the server says in the place of numbers is its reason. */
static int answer_refuse(struct target *t, uint32_t address, struct err *err)
{
	text_visible(t->shown, sizeof(t->shown), t->answer, t->answer_n);
	return err_set(err, ERR_FORMAT, "0x%08" PRIx32 ": %s", address,
		       *t->shown ? t->shown : "an empty answer");
}

int target_read(struct target *t, uint32_t address, uint32_t *words, size_t count, struct err *err)
{
	char command[64];
	int ret;

	assert(count && count <= TARGET_WORDS_MAX);
	if (t->remote)
		return remote_read(t->remote, address, words, count, err);
	snprintf(command, sizeof(command), "read_memory 0x%08" PRIx32 " 32 %zu", address, count);
	ret = question_ask(t, command, err);
	if (ret < 0)
		return ret;
	return target_words(t->answer, words, count) ? 0 : answer_refuse(t, address, err);
}

int target_write(struct target *t, uint32_t address, uint32_t word, struct err *err)
{
	char command[64];
	int ret;

	if (t->remote)
		return remote_write(t->remote, address, word, err);
	snprintf(command, sizeof(command), "write_memory 0x%08" PRIx32 " 32 0x%08" PRIx32, address,
		 word);
	ret = question_ask(t, command, err);
	if (ret < 0)
		return ret;
	return t->answer_n ? answer_refuse(t, address, err) : 0;
}
