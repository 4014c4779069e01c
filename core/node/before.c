/*
 * node_before: what ran before. A node that starts anew forgets its counts, and so do we; but a
 * picture of them is kept until the next time, and one of what the firmware before this one did.
 */
#include "core/node/parts.h"

#include "core/base/mem.h"
#include "core/profile/raw/copy.h"

void node_before_keep(struct node *n)
{
	struct profile *p = node_profile(n);

	/* A batch run has nobody to compare it. */
	if (n->options.batch || profile_compute(p) < 0 || !p->function_count)
		return;
	profile_drop(n->last_run);
	n->last_run = profile_copy(p);
}

bool node_before_take(struct node *n)
{
	if (!n->last_run)
		return false;
	profile_drop(n->before);
	n->before = n->last_run;
	n->last_run = NULL;
	return true;
}

void node_before_release(struct node *n)
{
	profile_drop(n->before);
	profile_drop(n->last_run);
}
