/*
 * watched_parse: what the user wrote behind --watch, to be logged: a variable (`radio.state`),
 * memory (reg:0x40011010/4, mem:0x20000100+64), a function (call:net_send), handlers (irq, irq:37),
 * marks. Behind memory and variables :r, :w or :rw tells which accesses; else writes are meant.
 */
#include "core/node/watched.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define EXPECTED "expected a variable, reg:ADDRESS/SIZE, mem:ADDRESS+LENGTH, call:FUNCTION, irq, " \
		 "irq:NUMBER or mark"

enum { RANGE_MOST = 1 << 20, HANDLER_MOST = 511 };

/* A number, and what stands behind it. */
static const char *integer_take(const char *s, uint64_t *value)
{
	char *end;

	if (*s < '0' || *s > '9')
		return NULL;
	errno = 0;
	*value = strtoull(s, &end, 0);
	return errno || *value > UINT32_MAX ? NULL : end;
}

static bool reg_take(struct watch_words *w, const char *s)
{
	uint64_t address, size = 4;
	const char *end = integer_take(s, &address);

	if (end && *end == '/')
		end = integer_take(end + 1, &size);
	if (!end || *end || (size != 1 && size != 2 && size != 4))
		return false;
	w->kind = WATCH_VALUE;
	w->has_address = true;
	w->address = (uint32_t)address;
	w->size = (uint32_t)size;
	w->bytes = (uint8_t)size;
	return true;
}

static bool mem_take(struct watch_words *w, const char *s)
{
	uint64_t address, size = 0;
	const char *end = integer_take(s, &address);

	if (end && *end == '+')
		end = integer_take(end + 1, &size);
	if (!end || *end || size < 1 || size > RANGE_MOST || address + size - 1 > UINT32_MAX)
		return false;
	w->kind = WATCH_VALUE;
	w->has_address = true;
	w->address = (uint32_t)address;
	w->size = (uint32_t)size;
	return true;
}

static bool named_take(struct watch_words *w, const char *s)
{
	w->kind = WATCH_CALL;
	return *s != '\0';
}

static bool irq_take(struct watch_words *w, const char *s)
{
	uint64_t number;
	const char *end = integer_take(s, &number);

	w->kind = WATCH_HANDLER;
	w->number = end ? (uint16_t)number : 0;
	return end && !*end && number <= HANDLER_MOST;
}

static bool all_take(struct watch_words *w, const char *s)
{
	w->kind = WATCH_HANDLER;
	w->number = WATCH_ALL_HANDLERS;
	return !*s;
}

static bool mark_take(struct watch_words *w, const char *s)
{
	w->kind = WATCH_MARK;
	return !*s;
}

static const struct watch_form {
	const char *prefix;
	bool (*take)(struct watch_words *w, const char *rest);
	bool whole;
} forms[] = {
	{ "reg:", reg_take }, { "mem:", mem_take }, { "call:", named_take },
	{ "irq:", irq_take }, { "irq", all_take, true }, { "mark", mark_take, true },
};

static const struct watch_form *form_of(const char *text)
{
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		const struct watch_form *f = &forms[i];

		if (f->whole ? !strcmp(text, f->prefix)
			     : !strncmp(text, f->prefix, strlen(f->prefix)))
			return f;
	}
	return NULL;
}

bool watch_is_logged(const char *text)
{
	return *text && !strpbrk(text, "<>") &&
	       (form_of(text) || !text[strcspn(text, " ")]) && !strstr(text, ": ");
}

/* :r, :w, :rw at the end, cut off. */
static uint8_t access_cut(char *text)
{
	static const struct {
		const char *end;
		uint8_t access;
	} ends[] = { { ":rw", WATCH_READS | WATCH_WRITES }, { ":r", WATCH_READS },
		     { ":w", WATCH_WRITES } };
	size_t length = strlen(text);

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		size_t n = strlen(ends[i].end);

		if (length > n && strcmp(text + length - n, ends[i].end) == 0) {
			text[length - n] = '\0';
			return ends[i].access;
		}
	}
	return 0;
}

int watch_parse_words(const char *text, struct watch_words *w, struct err *err)
{
	const struct watch_form *f;
	uint8_t access;

	*w = (struct watch_words){ .access = WATCH_WRITES };
	if (strlen(text) >= sizeof(w->text))
		return err_set(err, ERR_USAGE, "%.40s...: too long; " EXPECTED, text);
	strcpy(w->text, text);
	access = access_cut(w->text);
	if (access)
		w->access = access;
	f = form_of(w->text);
	w->name = f ? w->text + strlen(f->prefix) : w->text;
	if (!*w->text || (f && !f->take(w, w->name)) ||
	    (access && f && w->kind != WATCH_VALUE))
		return err_set(err, ERR_USAGE, "%s: " EXPECTED, text);
	return 0;
}
