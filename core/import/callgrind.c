/*
 * Callgrind's format (Valgrind manual, "Callgrind Format Specification"): costs by line, calls with
 * inclusive costs, names and positions shortened. Costs of inlined code (fi=, fe=) are the
 * function's, at the line of the file where that stands. Instructions' addresses are not kept.
 *
 * The first event that is a time is it; else the first event of all, of which --hz says how many
 * are a second (1e9): cycles, instructions.
 */
#include "core/import/parts.h"

#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"

enum { EVENTS = 64, POSITIONS = 2 };

struct text {
	const char *s;
	size_t n;
};

/* Names by their number: "(3) main" defines, "(3)" repeats. */
struct names {
	struct map by_id;
	struct text *items;
	size_t count, cap;
};

struct callgrind {
	struct picture pic;
	struct names files, functions;
	struct text file, here;		/* of the function; of the lines that follow */
	struct text called_file;	/* of the call that follows */
	uint32_t function, called;	/* PROFILE_NONE: none */
	uint64_t calls;			/* of the cost line that follows */
	bool call_follows;
	size_t positions;
	size_t line_position;		/* which of these is the line; POSITIONS: none is */
	uint64_t position[POSITIONS];	/* of the cost line before: "+3" is from there */
	int time, calls_event, samples;	/* which of the events; negative: none */
	double hz;			/* of the time's event */
	bool has_events;
	size_t good, bad;		/* lines */
};

/* --- words ------------------------------------------------------------------------------------ */

static void blanks_skip(struct text *t)
{
	while (t->n && (*t->s == ' ' || *t->s == '\t')) {
		t->s++;
		t->n--;
	}
}

static struct text word_take(struct text *t)
{
	struct text word;

	blanks_skip(t);
	word.s = t->s;
	while (t->n && *t->s != ' ' && *t->s != '\t') {
		t->s++;
		t->n--;
	}
	word.n = (size_t)(t->s - word.s);
	return word;
}

/* Decimal, or hexadecimal behind 0x; false: it is none. */
static bool digits_read(struct text word, uint64_t *value)
{
	bool hex = word.n > 2 && word.s[0] == '0' && (word.s[1] | 0x20) == 'x';

	*value = 0;
	for (size_t i = hex ? 2 : 0; i < word.n; i++) {
		char low = word.s[i] | 0x20;
		int digit = word.s[i] >= '0' && word.s[i] <= '9' ? word.s[i] - '0' :
			    hex && low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;

		if (digit < 0 || *value > UINT64_MAX / 32)
			return false;
		*value = (hex ? 16 : 10) * *value + (uint64_t)digit;
	}
	return word.n > 0;
}

static bool count_take(struct text *t, uint64_t *value)
{
	return digits_read(word_take(t), value);
}

/* "25", "+3", "-2", "*": where a cost is, from where the one before it was. */
static bool position_take(struct text *t, uint64_t *position)
{
	struct text word = word_take(t);
	char sign = word.n ? *word.s : '\0';
	uint64_t value;

	if (sign == '*' && word.n == 1)
		return true;
	if (sign == '+' || sign == '-') {
		word.s++;
		word.n--;
	}
	if (!digits_read(word, &value))
		return false;
	*position = sign == '+' ? *position + value : sign == '-' ? *position - value : value;
	return true;
}

static bool text_begins(const struct text *t, const char *with)
{
	size_t n = strlen(with);

	return t->n >= n && !memcmp(t->s, with, n);
}

static bool text_same(const struct text *t, const char *s)
{
	return t->n == strlen(s) && text_begins(t, s);
}

/* --- names ------------------------------------------------------------------------------------ */

/* What "(3) name", "(3)" or "name" is. */
static struct text name_of(struct callgrind *c, struct names *names, struct text t)
{
	uint64_t id = 0;
	uint32_t at;
	size_t i = 1;

	if (!t.n || *t.s != '(')
		return t;
	while (i < t.n && t.s[i] >= '0' && t.s[i] <= '9' && id < UINT32_MAX)
		id = 10 * id + (uint64_t)(t.s[i++] - '0');
	if (i == 1 || i == t.n || t.s[i] != ')')
		return t;		/* "(below main)" */
	t.s += i + 1;
	t.n -= i + 1;
	blanks_skip(&t);
	at = map_get(&names->by_id, id);
	if (!t.n)
		return at == MAP_NONE ? (struct text){ "?", 1 } : names->items[at];
	if (mem_grow(&names->items, &names->cap, names->count + 1, sizeof(t)) < 0 ||
	    map_put(&names->by_id, id, (uint32_t)names->count) < 0) {
		c->pic.failed = true;
		return t;
	}
	names->items[names->count++] = t;
	return t;
}

static uint32_t function_named(struct callgrind *c, struct text name, struct text file)
{
	if (text_same(&file, "???"))
		file.n = 0;
	return picture_function(&c->pic, name.s, name.n, file.s, file.n);
}

/* --- lines ------------------------------------------------------------------------------------ */

static const struct { const char *name; double hz; } times[] = {
	{ "ns", 1e9 }, { "us", 1e6 }, { "ms", 1e3 }, { "s", 1 },
};

static void events_take(struct callgrind *c, struct text t)
{
	bool first = true;

	for (int i = 0; i < EVENTS; i++) {
		struct text word = word_take(&t);

		if (!word.n)
			break;
		for (size_t k = 0; first && k < sizeof(times) / sizeof(times[0]); k++) {
			if (!text_same(&word, times[k].name))
				continue;
			c->time = i;
			c->hz = times[k].hz;
			first = false;
		}
		if (text_same(&word, "calls"))
			c->calls_event = i;
		if (text_same(&word, "samples"))
			c->samples = i;
		c->has_events = true;
	}
	c->pic.p->terms.ticks_per_second = c->hz;
}

static void positions_take(struct callgrind *c, struct text t)
{
	struct text word;
	size_t n = 0;

	c->line_position = POSITIONS;
	for (word = word_take(&t); word.n; word = word_take(&t), n++)
		if (text_same(&word, "line") && n < POSITIONS)
			c->line_position = n;
	c->positions = n >= 1 && n <= POSITIONS ? n : 1;
}

/* Costs that are left out at the end are 0. */
static bool costs_read(struct callgrind *c, struct text t, struct picture_cost *cost)
{
	uint64_t value;

	*cost = (struct picture_cost){ 0 };
	for (size_t i = 0; i < c->positions; i++)
		if (!position_take(&t, &c->position[i]))
			return false;
	for (int i = 0; i < EVENTS && count_take(&t, &value); i++) {
		if (i == c->time)
			cost->ticks = value;
		if (i == c->calls_event)
			cost->calls = value;
		if (i == c->samples)
			cost->samples = value;
	}
	return true;
}

static void place_put(struct callgrind *c, uint32_t edge, const struct picture_cost *cost)
{
	uint64_t line = c->line_position < POSITIONS ? c->position[c->line_position] : 0;
	struct text file = text_same(&c->here, "???") ? (struct text){ "", 0 } : c->here;

	if (line && line < UINT32_MAX)
		picture_place(&c->pic, c->function, edge, file.s, file.n, (uint32_t)line, cost);
}

static bool cost_take(struct callgrind *c, struct text t)
{
	struct picture_cost cost;
	uint32_t edge;

	if (!costs_read(c, t, &cost) || c->function == PROFILE_NONE)
		return false;
	if (!c->call_follows) {
		picture_self(&c->pic, c->function, &cost);
		place_put(c, PROFILE_NONE, &cost);
		return true;
	}
	c->call_follows = false;
	cost.calls = c->calls;
	if (c->called == PROFILE_NONE)
		return false;
	edge = picture_call(&c->pic, c->function, c->called, &cost);
	if (edge != PROFILE_NONE)
		place_put(c, edge, &cost);
	if (c->calls_event < 0)
		picture_self(&c->pic, c->called, &(struct picture_cost){ .calls = c->calls });
	return true;
}

/* --- keys: "fn=main" -------------------------------------------------------------------------- */

static void file_take(struct callgrind *c, struct text t)
{
	c->file = c->here = c->called_file = name_of(c, &c->files, t);
}

static void inlined_take(struct callgrind *c, struct text t)
{
	c->here = c->called_file = name_of(c, &c->files, t);
}

static void named_take(struct callgrind *c, struct text t)
{
	c->function = function_named(c, name_of(c, &c->functions, t), c->file);
	c->here = c->called_file = c->file;
}

static void called_file_take(struct callgrind *c, struct text t)
{
	c->called_file = name_of(c, &c->files, t);
}

static void called_take(struct callgrind *c, struct text t)
{
	c->called = function_named(c, name_of(c, &c->functions, t), c->called_file);
	c->called_file = c->here;
}

/* Where the callee stands, which follows, is known by its own lines. */
static void calls_take(struct callgrind *c, struct text t)
{
	c->call_follows = count_take(&t, &c->calls);
}

/* Ours: "desc: Node: mote". */
static void desc_take(struct callgrind *c, struct text t)
{
	static const char node[] = "Node:";

	blanks_skip(&t);
	if (!text_begins(&t, node))
		return;
	t.s += strlen(node);
	t.n -= strlen(node);
	blanks_skip(&t);
	if (t.n)
		picture_node(&c->pic, t.s, t.n);
}

static const struct key {
	const char *name;
	void (*take)(struct callgrind *c, struct text value);
} keys[] = {
	{ "fl=", file_take }, { "fn=", named_take }, { "fi=", inlined_take },
	{ "fe=", inlined_take }, { "cfi=", called_file_take }, { "cfl=", called_file_take },
	{ "cfn=", called_take }, { "calls=", calls_take }, { "events:", events_take },
	{ "positions:", positions_take }, { "desc:", desc_take },
};

static const struct key *key_find(const struct text *t)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (text_begins(t, keys[i].name))
			return &keys[i];
	return NULL;
}

static void line_follow(struct callgrind *c, struct text t)
{
	const struct key *key;

	if (t.n && t.s[t.n - 1] == '\r')
		t.n--;
	if (!t.n || *t.s == '#')
		return;
	key = key_find(&t);
	if (key) {
		t.s += strlen(key->name);
		t.n -= strlen(key->name);
		key->take(c, t);
		c->good++;
	} else if (strchr("0123456789+-*", *t.s)) {
		*(cost_take(c, t) ? &c->good : &c->bad) += 1;
	}
}

static int callgrind_end(struct callgrind *c, struct err *err)
{
	int ret = picture_finish(&c->pic, true);

	if (ret < 0)
		return err_set(err, ret, "out of memory");
	if (!c->has_events)
		return err_set(err, ERR_FORMAT, "callgrind: no line \"events:\"");
	if (!c->pic.p->function_count || c->bad > c->good)
		return err_set(err, ERR_FORMAT, "callgrind: damaged: no costs of functions");
	return 0;
}

int callgrind_read(struct profile *p, const struct import_bytes *b, struct err *err)
{
	struct callgrind c = {
		.function = PROFILE_NONE, .called = PROFILE_NONE, .positions = 1,
		.calls_event = -1, .samples = -1, .hz = b->hz > 0 ? b->hz : 1e9,
		.file = { "", 0 }, .here = { "", 0 }, .called_file = { "", 0 },
	};
	const char *at = (const char *)b->data, *end = at + b->size;
	int ret;

	map_init(&c.files.by_id);
	map_init(&c.functions.by_id);
	picture_begin(&c.pic, p, c.hz, false);
	while (at < end && !c.pic.failed) {
		const char *line = at;

		at = memchr(at, '\n', (size_t)(end - at));
		at = at ? at : end;
		line_follow(&c, (struct text){ line, (size_t)(at - line) });
		at++;
	}
	ret = callgrind_end(&c, err);
	picture_release(&c.pic);
	map_release(&c.files.by_id);
	map_release(&c.functions.by_id);
	mem_free(c.files.items);
	mem_free(c.functions.items);
	return ret;
}
