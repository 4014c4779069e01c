#include "core/profile/look/pair.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"

/* Properties that two functions must share, strictest first. */
enum like { LIKE_ALL, LIKE_NAME, LIKE_STEM, LIKE_ADDRESS, LIKE_COUNT };

/* Length of the name without the compiler's suffix: "foo.constprop.0", "foo [clone .isra.1]". */
static size_t stem_of(const char *name)
{
	const char *clone = strstr(name, " [clone "), *dot = strchr(name + (*name != '\0'), '.');
	size_t length = strlen(name);

	if (clone)
		return (size_t)(clone - name);
	/* A dot within parentheses belongs to an argument. */
	return dot && !strchr(name, '(') ? (size_t)(dot - name) : length;
}

static int by_stem(const char *a, const char *b)
{
	size_t na = stem_of(a), nb = stem_of(b);
	int order = strncmp(a, b, na < nb ? na : nb);

	return order ? order : (na > nb) - (na < nb);
}

static int by_file(const char *a, const char *b)
{
	if (!a || !b)
		return !a - !b;
	return strcmp(a, b);
}

static int by_likeness(const struct profile_function *a, const struct profile_function *b,
		       enum like like)
{
	int order;

	switch (like) {
	case LIKE_ALL:
		order = strcmp(a->name, b->name);
		return order ? order : by_file(a->file, b->file);
	case LIKE_NAME:
		return strcmp(a->name, b->name);
	case LIKE_STEM:
		return by_stem(a->name, b->name);
	default:
		return (a->address > b->address) - (a->address < b->address);
	}
}

struct ordering {
	const struct profile *p;
	enum like like;
};

static int by_likeness_and_address(const void *a, const void *b, void *ctx)
{
	const struct ordering *o = ctx;
	const struct profile_function *fa = &o->p->functions[*(const uint32_t *)a];
	const struct profile_function *fb = &o->p->functions[*(const uint32_t *)b];
	int order = by_likeness(fa, fb, o->like);

	return order ? order : (fa->address > fb->address) - (fa->address < fb->address);
}

/* One profile's functions that have no partner yet, in order. */
struct alone {
	const struct profile *p;
	uint32_t *partner;		/* by function */
	uint32_t *items;
	size_t count;
};

/* Named by its address: no image has a name for it. */
static bool is_nameless(const struct profile_function *f)
{
	return f->name[0] == '0' && f->name[1] == 'x';
}

static void alone_gather(struct alone *a, enum like like)
{
	struct ordering o = { a->p, like };

	a->count = 0;
	for (uint32_t i = 0; i < a->p->function_count; i++) {
		if (a->partner[i] == PROFILE_NONE &&
		    (like != LIKE_ADDRESS || profile_has_address(&a->p->functions[i])))
			a->items[a->count++] = i;
	}
	if (a->count)
		qsort_r(a->items, a->count, sizeof(*a->items), by_likeness_and_address, &o);
}

/* An equal address means the same function only where one of the two has no name. */
static bool may_pair(const struct profile_function *a, const struct profile_function *b,
		     enum like like)
{
	return like != LIKE_ADDRESS || is_nameless(a) || is_nameless(b);
}

static void partners_merge(struct alone *a, struct alone *b, enum like like)
{
	size_t i = 0, k = 0;

	while (i < a->count && k < b->count) {
		const struct profile_function *fa = &a->p->functions[a->items[i]];
		const struct profile_function *fb = &b->p->functions[b->items[k]];
		int order = by_likeness(fa, fb, like);

		if (order == 0 && may_pair(fa, fb, like)) {
			a->partner[a->items[i]] = b->items[k];
			b->partner[b->items[k]] = a->items[i];
		}
		i += order <= 0;
		k += order >= 0;
	}
}

/* The pairs of the last time, as a rule: they need no sorting. */
static void guesses_take(struct alone *base, struct alone *now)
{
	for (uint32_t i = 0; i < now->p->function_count; i++) {
		uint32_t guess = now->partner[i];

		now->partner[i] = PROFILE_NONE;
		if (guess >= base->p->function_count || base->partner[guess] != PROFILE_NONE ||
		    by_likeness(&now->p->functions[i], &base->p->functions[guess], LIKE_ALL))
			continue;
		now->partner[i] = guess;
		base->partner[guess] = i;
	}
}

int pair_functions(const struct profile *base, const struct profile *now, uint32_t *then,
		   uint32_t *back)
{
	struct alone a = { .p = base, .partner = back }, b = { .p = now, .partner = then };
	int ret = ERR_NOMEM;

	memset(back, 0xff, base->function_count * sizeof(*back));	/* PROFILE_NONE */
	a.items = mem_alloc((base->function_count + 1) * sizeof(*a.items));
	b.items = mem_alloc((now->function_count + 1) * sizeof(*b.items));
	if (!a.items || !b.items)
		goto out;
	guesses_take(&a, &b);
	for (int like = LIKE_ALL; like < LIKE_COUNT; like++) {
		alone_gather(&a, (enum like)like);
		alone_gather(&b, (enum like)like);
		if (!a.count || !b.count)
			break;
		partners_merge(&a, &b, (enum like)like);
	}
	ret = 0;
out:
	mem_free(a.items);
	mem_free(b.items);
	return ret;
}
