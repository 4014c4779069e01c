/* agreement: how well the ELF agrees with the addresses that come, and what to warn with. */
#include "core/node/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * Distinct addresses, not events: one hot loop at a lucky address must not outvote the rest. Calls
 * and samples are judged apart: a wrong image of the right size has code at almost every PC, but
 * hardly a call where calls were made. An image without symbols does not know where functions
 * begin: only the callers speak. And Thumb-1 code that saves r8 to r11 clobbers LR before the hook
 * is called, so that the callers of such functions are garbage while the callees are right: there
 * only the callees speak, and the callers' share is kept for a warning of its own.
 */
static double callers_agree(const struct node *n, const struct profile *p)
{
	const struct codemap *code = image_codemap(n->binding.image);
	size_t good = 0, all = 0;

	for (size_t i = 0; i < p->site_count; i++) {
		if (p->sites[i].flags & ROW_HANDLER)
			continue;	/* called from no place */
		all++;
		good += (code_flags(code, p->sites[i].from) & CODE_RETURN) != 0;
	}
	return all ? (double)good / (double)all : (double)NAN;
}

static double callees_agree(const struct node *n, const struct profile *p)
{
	const struct codemap *code = image_codemap(n->binding.image);
	size_t good = 0, all = 0;

	if (!image_has_symbols(n->binding.image))
		return NAN;
	for (size_t i = 0; i < p->site_count; i++) {
		uint64_t to = image_normal(n->binding.image, p->sites[i].to);

		if (vectors_is_place(to))
			continue;	/* a handler told by its number */
		all++;
		good += (code_flags(code, to) & (CODE_ENTRY | CODE_EARLY)) != 0;
	}
	return all ? (double)good / (double)all : (double)NAN;
}

/* fmin and the comparisons: NaN, which is not known, yields. */
static double calls_agree(struct node *n, const struct profile *p)
{
	double from = callers_agree(n, p), to = callees_agree(n, p);

	n->binding.agreement.callers_lost = image_is_thumb1(n->binding.image) && !p->generation &&
					    to >= NODE_AGREES && from < NODE_AGREES && from > 0.5;
	if (n->binding.agreement.callers_lost || isnan(from))
		return to;
	return isnan(to) ? from : (from + to) / 2;
}

static double samples_agree(const struct node *n, const struct profile *p)
{
	const struct codemap *code = image_codemap(n->binding.image);
	size_t good = 0;

	for (size_t i = 0; i < p->pc_count; i++)
		good += (code_flags(code, p->pcs[i].pc) & CODE_TEXT) != 0;
	return p->pc_count ? (double)good / (double)p->pc_count : NAN;
}

void agreement_forget(struct node *n)
{
	n->binding.agreement.profile = NULL;
	n->binding.agreement.share = NAN;
}

void agreement_update(struct node *n)
{
	const struct profile *p = node_profile(n);
	struct agreement *a = &n->binding.agreement;

	if (!n->binding.image ||
	    (a->sites == p->site_count && a->pcs == p->pc_count && a->profile == p))
		return;
	a->share = fmin(calls_agree(n, p), samples_agree(n, p));	/* fmin: NaN yields */
	a->sites = p->site_count;
	a->pcs = p->pc_count;
	a->profile = p;
}

double node_agreement(const struct node *n)
{
	return n->binding.image ? n->binding.agreement.share : (double)NAN;
}

const char *node_match(const struct node *n)
{
	double share = node_agreement(n);

	if (n->binding.verdict == IDENTITY_SAME)
		return "yes";
	if (n->binding.verdict == IDENTITY_OTHER)
		return "no";
	/* A node that has yet to say what it runs: that the addresses fit is not the last word. */
	if (isnan(share) || (share >= NODE_AGREES && n->talk.has_hello))
		return "unknown";
	return share >= NODE_AGREES ? "yes" : "no";
}

/* --- what to warn with ------------------------------------------------------------------------ */

/* The first in losses[] of those that the node reports, and the number of the others. */
static bool loss_warning(const struct node *n, char *dst, size_t size)
{
	unsigned kinds = 0;
	size_t used;

	for (const struct loss *l = losses; n->talk.has_status && l->name; l++) {
		if (loss_count(l, &n->talk.status) && kinds++ == 0)
			loss_say(l, &n->talk.status, dst, size);
	}
	used = kinds > 1 ? strlen(dst) : 0;
	if (used)
		snprintf(dst + used, size - used, " (%u more in the help)", kinds - 1);
	return kinds > 0;
}

const char *node_warning(const struct node *n, char *dst, size_t size)
{
	double agreement = node_agreement(n);
	char why[80], names[120];

	if (err_is_set(&n->trouble))
		snprintf(dst, size, "%s", n->trouble.text);
	else if (n->binding.refused)
		binding_refusal(n, dst, size);
	else if (seen_warning(n, dst, size) || metered_warning(n, dst, size))
		;
	else if (n->binding.rebuilt)
		snprintf(dst, size, "%s was rebuilt; the node still runs the old one: flash it",
			 binding_path(n));
	else if (agreement < NODE_AGREES && n->binding.verdict != IDENTITY_SAME)
		snprintf(dst, size, "%s" NODE_REFUSAL
			 ": only %.0f %% of the addresses make sense in it",
			 image_path(n->binding.image), 100 * agreement);
	else if (n->binding.verdict == IDENTITY_UNSURE && n->binding.image)
		snprintf(dst, size, "%s" NODE_DOUBT ": %s", binding_path(n),
			 node_doubt(n, why, sizeof(why)));
	else if (n->binding.agreement.callers_lost)
		snprintf(dst, size,
			 "callers lost (Thumb-1); build with -ffixed-r8 -ffixed-r9 "
			 "-ffixed-r10 -ffixed-r11: code that saves r8-r11 clobbers its caller's "
			 "address");
	else if (node_is_starved(n, names, sizeof(names)))
		snprintf(dst, size, "the node may have no time left: instrumented handlers (%s)",
			 names);
	else if (n->options.batch || !loss_warning(n, dst, size)) {
		if (!n->binding.image || !image_note(n->binding.image)[0])
			return NULL;
		snprintf(dst, size, "%s", image_note(n->binding.image));
	}
	return dst;
}
