/* book: a profile of the node, with its history and its longest calls. */
#include "core/node/parts.h"

#include <string.h>

#include "core/base/mem.h"

/*
 * A node that makes up names could fill any memory: past this, the newest name has the last
 * profile.
 */
#define BOOKS_MAX 64

struct book *book_new(struct node *n, const char *name)
{
	struct profile *p = mem_alloc(sizeof(*p));
	struct book *b;

	if (!p || profile_init(p, name) < 0)
		goto out;
	if (mem_grow(&n->books, &n->book_cap, n->book_count + 1, sizeof(*n->books)) < 0)
		goto out;
	b = &n->books[n->book_count];
	*b = (struct book){ .profile = p };
	worst_init(&b->worst);
	if (node_past_open(n, b) < 0)
		goto out;
	p->terms.hz = n->options.hz;
	p->terms.correct = n->options.correct;
	profile_set_image(p, n->binding.image);
	n->book_count++;
	node_past_image(n, b);
	return b;
out:
	if (p)
		profile_release(p);
	mem_free(p);
	err_set(&n->trouble, ERR_NOMEM, "out of memory: the report '%s' is not kept", name);
	return NULL;
}

void book_release(struct book *b)
{
	history_free(b->history);
	profile_release(b->profile);
	mem_free(b->profile);
	worst_release(&b->worst);
}

void books_release(struct node *n)
{
	for (size_t i = 0; i < n->book_count; i++)
		book_release(&n->books[i]);
	mem_free(n->books);
}

static void book_rename(struct book *b, const char *name)
{
	char *copy = mem_strdup(name);

	if (!copy)
		return;
	mem_free((char *)b->profile->name);
	b->profile->name = copy;
}

struct book *book_named(struct node *n, const char *name)
{
	const struct profile *first = n->books[0].profile;
	struct book *b;

	for (size_t i = 0; i < n->book_count; i++) {
		if (strcmp(n->books[i].profile->name, name) == 0)
			return &n->books[i];
	}
	/* The first one stands from the start without a name: the first report takes it. */
	if (n->book_count == 1 && !first->generation && !first->site_count && !first->pc_count) {
		book_rename(&n->books[0], name);
		return &n->books[0];
	}
	if (n->book_count < BOOKS_MAX && (b = book_new(n, name)))
		return b;
	b = &n->books[n->book_count - 1];
	profile_reset(b->profile);
	worst_clear(&b->worst);
	book_rename(b, name);
	return b;
}

/* Without memory it is looked for again with the next look. */
static void worst_update(struct node *n, struct book *b)
{
	for (size_t i = 0; i < n->book_count && n->worst_reloads != n->binding.reloads; i++)
		worst_clear(&n->books[i].worst);
	n->worst_reloads = n->binding.reloads;
	worst_look(&b->worst, b->profile, n->now_ns);
}

const struct worst *node_worst(struct node *n)
{
	struct book *b = &n->books[n->selected];

	worst_update(n, b);
	return &b->worst;
}

void book_mark(struct node *n, struct book *b)
{
	profile_mark(b->profile, n->now_ns);
	worst_update(n, b);
}

void books_settle(struct node *n)
{
	for (size_t i = 0; i < n->book_count; i++) {
		if (profile_compute(n->books[i].profile) == 0)
			worst_update(n, &n->books[i]);
	}
}

void books_worst_forget(struct node *n)
{
	for (size_t i = 0; i < n->book_count; i++) {
		if (profile_compute(n->books[i].profile) == 0)
			worst_forget(&n->books[i].worst, n->books[i].profile);
	}
}

void node_reset(struct node *n)
{
	books_worst_forget(n);
	node_past_run_keep(n);
	node_past_now(n);
	for (size_t i = 0; i < n->book_count; i++) {
		if (profile_rebase(n->books[i].profile) < 0)
			err_set(&n->trouble, ERR_NOMEM, "out of memory: the counts are not reset");
	}
	energy_reset(n);
	n->changes |= NODE_DATA;
}
