/*
 * node_image: which ELF is the node's. One is opened with the node; what a node says of its firmware
 * (wsn's HELLO) then confirms it, finds another among those given, or refuses it: names from a wrong
 * ELF are worse than none. An ELF that is rebuilt while the node runs the old firmware waits until
 * the node says that it runs the new one.
 */
#include "core/node/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/text.h"

#define IMAGE_NS (CLOCK_SECOND / 2)	/* how often the ELF is looked at for a rebuild */
#define SEARCH_NS (2 * CLOCK_SECOND)	/* how often all are, while the right one is not there */

/* Every profile is named anew at once: nothing may still point into an image that goes. */
static void profiles_rename(struct node *n)
{
	for (size_t i = 0; i < n->profile_count; i++) {
		node_past_image(n, i);
		profile_set_image(n->profiles[i], n->image);
		if (profile_compute(n->profiles[i]) < 0)
			err_set(&n->trouble, ERR_NOMEM, "out of memory: names are not up to date");
	}
	n->agreed_profile = NULL;
	n->agreement = NAN;
	n->changes |= NODE_DATA | NODE_STATE;
}

/* --- one opened ELF --------------------------------------------------------------------------- */

struct opened {
	struct image *image;
	struct identity identity;
};

static void opened_release(struct opened *o)
{
	image_free(o->image);
	identity_release(&o->identity);
}

/* That what lies in flash cannot be read costs the comparison, not the names. */
static int opened_read(struct opened *o, const char *path, struct err *err)
{
	*o = (struct opened){ .image = image_new(path, err) };
	if (!o->image)
		return ERR_FORMAT;
	identity_read(&o->identity, path, NULL);
	return 0;
}

static enum identity_verdict judge(const struct node *n, const struct identity *id)
{
	if (!n->has_hello || !id->segment_count)
		return IDENTITY_UNKNOWN;
	return identity_compare(id, &n->hello.identity);
}

/* Names come from `image` from here on (NULL: from none), decoders' plausibility, too. */
static void use(struct node *n, struct image *image)
{
	n->images += image != n->image;
	n->image = image;
	n->sleepers_of = NULL;
	if (n->wire)
		wire_set_code(n->wire, image ? image_codemap(image) : NULL);
	profiles_rename(n);
}

/* Used, or refused if it is not what runs. What stood there before goes, save `o` itself. */
static void take(struct node *n, struct opened *o)
{
	struct image *before = n->image ? n->image : n->refused;
	enum identity_verdict v = judge(n, &o->identity);

	n->refused = v == IDENTITY_OTHER ? o->image : NULL;
	use(n, n->refused ? NULL : o->image);
	if (before != o->image) {
		image_free(before);
		identity_release(&n->identity);
	}
	n->identity = o->identity;
	n->verdict = v;
}

static void rebuilt_drop(struct node *n)
{
	image_free(n->rebuilt);
	identity_release(&n->rebuilt_identity);
	n->rebuilt = NULL;
}

int node_load_image(struct node *n, const char *path, struct err *err)
{
	struct opened fresh;

	if (opened_read(&fresh, path, err) < 0)
		return ERR_FORMAT;
	rebuilt_drop(n);
	take(n, &fresh);
	return 0;
}

int node_images_open(struct node *n, struct err *err)
{
	return n->options.elf ? node_load_image(n, n->options.elf, err) : 0;
}

void node_images_close(struct node *n)
{
	rebuilt_drop(n);
	image_free(n->image);
	image_free(n->refused);
	identity_release(&n->identity);
}

/* --- the right one ---------------------------------------------------------------------------- */

static const char *path_of(const struct node *n)
{
	return n->image ? image_path(n->image) : n->refused ? image_path(n->refused) : "";
}

/* Its name first: of a long path the end would be cut off. */
static void found_say(struct node *n, const char *path, bool kept)
{
	const char *name = text_basename(path);
	char line[400];

	snprintf(line, sizeof(line), "%s: the firmware that runs is %s%s%.*s%s", node_title(n),
		 name, name > path ? " in " : "", (int)(name - path), path,
		 kept ? "; b compares with what ran before" : "");
	node_say(n, false, line);
}

/* Among all that were given. The one at hand was compared already. */
static bool found_among(struct node *n)
{
	for (size_t i = 0; i < n->elf_count; i++) {
		struct identity id;
		struct opened o;
		bool same = identity_read(&id, n->elfs[i], NULL) == 0 &&
			    judge(n, &id) == IDENTITY_SAME, kept;

		identity_release(&id);
		if (!same || opened_read(&o, n->elfs[i], NULL) < 0)
			continue;
		if (judge(n, &o.identity) != IDENTITY_SAME) {	/* replaced this moment */
			opened_release(&o);
			continue;
		}
		rebuilt_drop(n);
		kept = node_before_take(n);
		take(n, &o);
		found_say(n, n->elfs[i], kept);
		return true;
	}
	return false;
}

/* What and cure fit in 80 columns; why stands behind. */
#define REFUSAL " is not the firmware that runs; give the ELF that was flashed"

static void refusal(const struct node *n, char *dst, size_t size)
{
	char said[48], own[48];

	identity_text(&n->hello.identity, said, sizeof(said));
	identity_own_text(&n->identity, &n->hello.identity, own, sizeof(own));
	snprintf(dst, size, "%s" REFUSAL ": %s, the node says %s", path_of(n), own, said);
}

static void refuse(struct node *n)
{
	char line[400];

	refusal(n, line, sizeof(line));
	node_say(n, true, line);
}

/* The rebuild that waited: the node runs it now. */
static bool rebuilt_runs(struct node *n)
{
	struct opened o = { n->rebuilt, n->rebuilt_identity };
	bool kept;

	if (!n->rebuilt || judge(n, &n->rebuilt_identity) != IDENTITY_SAME)
		return false;
	n->rebuilt = NULL;
	n->rebuilt_identity = (struct identity){ 0 };
	kept = node_before_take(n);
	take(n, &o);
	n->reloads++;
	node_say(n, false, kept ?
		 "the node runs the rebuilt firmware now; b compares with what ran before" :
		 "the node runs the rebuilt firmware now: names are its");
	return true;
}

/* What a HELLO says of the firmware, against what there is. */
static void identify(struct node *n, uint64_t now)
{
	bool was_refused = n->refused != NULL;
	struct opened at_hand = { n->image ? n->image : n->refused, n->identity };

	n->identify = false;
	n->search_ns = now;
	if (n->hello.identity.kind == IDENTITY_NONE)
		return;
	if (!at_hand.image) {		/* more sources than ELFs: one may be its, too */
		found_among(n);
		return;
	}
	n->verdict = judge(n, &n->identity);
	if (n->verdict != IDENTITY_OTHER) {
		if (was_refused)
			take(n, &at_hand);
		return;
	}
	if (rebuilt_runs(n) || found_among(n))
		return;
	if (!was_refused) {
		node_before_take(n);
		take(n, &at_hand);
		refuse(n);
	}
}

/* --- rebuilds --------------------------------------------------------------------------------- */

static void trouble_say(struct node *n, const struct err *err)
{
	err_clear(&n->trouble);
	err_set(&n->trouble, err->code, "%s", err->text);
}

static void rebuilt_wait(struct node *n, struct opened *o)
{
	char line[400];

	rebuilt_drop(n);
	n->rebuilt = o->image;
	n->rebuilt_identity = o->identity;
	snprintf(line, sizeof(line), "%s was rebuilt; the node still runs the old one: flash it",
		 text_basename(path_of(n)));
	node_say(n, false, line);
}

/* Of a node that does not say what it runs: that the ELF is another is all there is to go by. */
static void changed_say(struct node *n, const char *path)
{
	char line[400];

	snprintf(line, sizeof(line), "%s changed: what ran before is kept; b compares with it",
		 text_basename(path));
	node_say(n, false, line);
}

/* Half-written, perhaps: the old one stays, and the next change is another chance. */
static void reload(struct node *n, const char *path)
{
	bool fitted = n->image && n->verdict == IDENTITY_SAME;
	bool was_refused = n->refused != NULL, kept;
	struct err err = { 0 };
	struct opened fresh;

	if (opened_read(&fresh, path, &err) < 0) {
		trouble_say(n, &err);
		return;
	}
	if (n->trouble.code == ERR_FORMAT)
		err_clear(&n->trouble);
	if (fitted && judge(n, &fresh.identity) == IDENTITY_OTHER) {
		rebuilt_wait(n, &fresh);
		return;
	}
	rebuilt_drop(n);
	/* A node that says what it runs has started anew by then, or is the same. */
	if (n->image && n->verdict == IDENTITY_UNKNOWN)
		node_before_keep(n);
	kept = n->verdict == IDENTITY_UNKNOWN && node_before_take(n);
	take(n, &fresh);
	n->reloads++;
	console_say(&n->console, n->now_ns, "the firmware image was rebuilt: reloaded");
	n->changes |= NODE_TEXT;
	if (kept && !n->refused)
		changed_say(n, path);
	if (n->refused)
		refuse(n);
	else if (was_refused)
		node_say(n, false, "the rebuilt ELF is the firmware that runs");
}

static void watch(struct node *n)
{
	struct image *newest = n->rebuilt ? n->rebuilt : n->image ? n->image : n->refused;
	char path[4096];

	if (!image_changed(newest))
		return;
	snprintf(path, sizeof(path), "%s", image_path(newest));	/* reload frees the image */
	reload(n, path);
}

void node_image_service(struct node *n, uint64_t now)
{
	if (n->identify)
		identify(n, now);
	if (n->image && image_poll(n->image))
		profiles_rename(n);
	if ((!n->image && !n->refused) || now - n->image_ns < IMAGE_NS)
		return;
	n->image_ns = now;
	if (n->options.batch)
		return;
	watch(n);
	if (n->refused && now - n->search_ns >= SEARCH_NS) {
		n->search_ns = now;
		found_among(n);
	}
}

int node_image_timeout(const struct node *n, uint64_t now)
{
	if (n->identify)
		return 0;
	if ((!n->image && !n->refused) || n->options.batch)
		return -1;
	return clock_ms_until(n->image_ns + IMAGE_NS, now);
}

/* --- agreement of image and stream ------------------------------------------------------------ */

/*
 * Distinct addresses, not events: one hot loop at a lucky address must not outvote the rest. Calls and
 * samples are judged apart: a wrong image of the right size has code at almost every PC, but hardly
 * a call where calls were made. An image without symbols does not know where functions begin: only
 * the callers speak. And Thumb-1 code that saves r8 to r11 clobbers LR before the hook is called, so
 * that the callers of such functions are garbage while the callees are right: there only the callees
 * speak, and the callers' share is kept for a warning of its own.
 */
static double callers_agree(const struct node *n, const struct profile *p)
{
	const struct codemap *code = image_codemap(n->image);
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
	const struct codemap *code = image_codemap(n->image);
	size_t good = 0;

	if (!image_has_symbols(n->image))
		return NAN;
	for (size_t i = 0; i < p->site_count; i++) {
		uint64_t to = image_normal(n->image, p->sites[i].to);

		good += (code_flags(code, to) & (CODE_ENTRY | CODE_EARLY)) != 0;
	}
	return p->site_count ? (double)good / (double)p->site_count : (double)NAN;
}

/* fmin and the comparisons: NaN, which is not known, yields. */
static double calls_agree(struct node *n, const struct profile *p)
{
	double from = callers_agree(n, p), to = callees_agree(n, p);

	n->callers_lost = image_is_thumb1(n->image) && to >= NODE_AGREES && from < NODE_AGREES && from > 0.5 && !p->generation;
	if (n->callers_lost || isnan(from))
		return to;
	return isnan(to) ? from : (from + to) / 2;
}

static double samples_agree(const struct node *n, const struct profile *p)
{
	const struct codemap *code = image_codemap(n->image);
	size_t good = 0;

	for (size_t i = 0; i < p->pc_count; i++)
		good += (code_flags(code, p->pcs[i].pc) & CODE_TEXT) != 0;
	return p->pc_count ? (double)good / (double)p->pc_count : NAN;
}

void node_agreement_update(struct node *n)
{
	const struct profile *p = node_profile(n);

	if (!n->image || (n->agreed_sites == p->site_count && n->agreed_pcs == p->pc_count &&
			  n->agreed_profile == p))
		return;
	n->agreement = fmin(calls_agree(n, p), samples_agree(n, p));	/* fmin: NaN yields */
	n->agreed_sites = p->site_count;
	n->agreed_pcs = p->pc_count;
	n->agreed_profile = p;
}

double node_agreement(const struct node *n)
{
	return n->image ? n->agreement : (double)NAN;
}

bool node_refused(const struct node *n)
{
	return n->refused != NULL;
}

const char *node_match(const struct node *n)
{
	double share = node_agreement(n);

	if (n->verdict != IDENTITY_UNKNOWN)
		return n->verdict == IDENTITY_SAME ? "yes" : "no";
	/* A node that has yet to say what it runs: that the addresses fit is not the last word. */
	if (isnan(share) || (share >= NODE_AGREES && n->has_hello))
		return "unknown";
	return share >= NODE_AGREES ? "yes" : "no";
}

/* --- what to warn with ------------------------------------------------------------------------ */

/*
 * The gravest of what the node says it lost, and how many others there are; a longjmp here and there is
 * nothing to be loud about.
 */
static bool loss_warning(const struct node *n, char *dst, size_t size)
{
	unsigned kinds = 0;
	size_t used;

	for (const struct loss *l = losses; n->has_status && l->name; l++) {
		if (loss_count(l, &n->status) && kinds++ == 0)
			loss_say(l, &n->status, dst, size);
	}
	used = kinds > 1 ? strlen(dst) : 0;
	if (used)
		snprintf(dst + used, size - used, " (%u more in the help)", kinds - 1);
	return kinds > 0;
}

const char *node_warning(const struct node *n, char *dst, size_t size)
{
	double agreement = node_agreement(n);

	if (err_is_set(&n->trouble))
		snprintf(dst, size, "%s", n->trouble.text);
	else if (n->refused)
		refusal(n, dst, size);
	else if (n->rebuilt)
		snprintf(dst, size, "%s was rebuilt; the node still runs the old one: flash it",
			 path_of(n));
	else if (agreement < NODE_AGREES && n->verdict != IDENTITY_SAME)
		snprintf(dst, size, "%s" REFUSAL ": only %.0f %% of the addresses make sense in it",
			 image_path(n->image), 100 * agreement);
	else if (n->callers_lost)
		snprintf(dst, size, "callers lost (Thumb-1); build with -ffixed-r8 -ffixed-r9 -ffixed-r10 "
			 "-ffixed-r11: code that saves r8-r11 clobbers its caller's address");
	else if (n->options.batch || !loss_warning(n, dst, size)) {
		if (!n->image || !image_note(n->image)[0])
			return NULL;
		snprintf(dst, size, "%s", image_note(n->image));
	}
	return dst;
}
