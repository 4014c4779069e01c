/*
 * binding: which ELF is the node's. One is opened with the node; what a node says of its firmware
 * (wsn's HELLO) then confirms it, finds another among those given, or refuses it: names from a
 * wrong ELF are worse than none. An ELF that is rebuilt while the node runs the old firmware waits
 * until the node says that it runs the new one.
 */
#include "core/node/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/text.h"

#define IMAGE_NS (CLOCK_SECOND / 2)	/* how often the ELF is looked at for a rebuild */
#define SEARCH_NS (2 * CLOCK_SECOND)	/* how often all are, while the right one is not there */

/* All profiles get new names at once: nothing may still point into an image that is freed. */
static void books_rename(struct node *n)
{
	for (size_t i = 0; i < n->book_count; i++) {
		struct book *b = &n->books[i];

		node_past_image(n, b);
		profile_set_image(b->profile, n->binding.image);
		if (profile_compute(b->profile) < 0)
			err_set(&n->trouble, ERR_NOMEM, "out of memory: names are not up to date");
	}
	agreement_forget(n);
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

/* An ELF whose flash contents cannot be read still gives names: it is not compared. */
static int opened_read(struct opened *o, const char *path, struct err *err)
{
	*o = (struct opened){ .image = image_new(path, err) };
	if (!o->image)
		return ERR_FORMAT;
	identity_read(&o->identity, path, NULL);
	return 0;
}

static enum identity_verdict identity_judge(const struct node *n, const struct identity *id)
{
	return id->segment_count ? identity_compare(id, &n->talk.identity) : IDENTITY_UNKNOWN;
}

/* Names come from `image` from now on (NULL: from none); decoders and baud searches judge by it. */
static void image_use(struct node *n, struct image *image)
{
	n->binding.images += image != n->binding.image;
	if (image && !n->binding.images_first)
		n->binding.images_first = n->binding.images;
	n->binding.image = image;
	seen_image(n);
	n->binding.sleepers_of = NULL;
	n->binding.sleeper_count = 0;	/* until they are looked for in this one */
	for (size_t i = 0; i < n->input_count; i++) {
		wire_set_code(n->inputs[i].wire, node_codemap(n));
		listen_image(&n->inputs[i]);
	}
	books_rename(n);
	log_image(n);
}

/* It is used, or refused if the node runs another. The image before is freed, save `o` itself. */
static void opened_take(struct node *n, struct opened *o)
{
	struct image *before = n->binding.image ? n->binding.image : n->binding.refused;
	enum identity_verdict v = identity_judge(n, &o->identity);

	n->binding.refused = v == IDENTITY_OTHER ? o->image : NULL;
	image_use(n, n->binding.refused ? NULL : o->image);
	if (before != o->image) {
		image_free(before);
		identity_release(&n->binding.identity);
	}
	n->binding.identity = o->identity;
	n->binding.verdict = v;
}

static void rebuilt_drop(struct node *n)
{
	image_free(n->binding.rebuilt);
	identity_release(&n->binding.rebuilt_identity);
	n->binding.rebuilt = NULL;
}

int node_load_image(struct node *n, const char *path, struct err *err)
{
	struct opened fresh;

	if (opened_read(&fresh, path, err) < 0)
		return ERR_FORMAT;
	rebuilt_drop(n);
	opened_take(n, &fresh);
	return 0;
}

const char *binding_path(const struct node *n)
{
	const struct image *im = n->binding.image ? n->binding.image : n->binding.refused;

	return im ? image_path(im) : "";
}

int binding_open(struct node *n, struct err *err)
{
	return n->options.elf ? node_load_image(n, n->options.elf, err) : 0;
}

/* The ELF that was given is put back; one that was found stays if it was the only one. */
void binding_again(struct node *n)
{
	struct binding *b = &n->binding;
	struct opened at_hand = { b->image ? b->image : b->refused, b->identity };
	bool same = n->options.elf ? !strcmp(binding_path(n), n->options.elf) :
		    b->images == b->images_first;

	b->identify = false;
	b->search_ns = 0;
	if (same && at_hand.image) {
		opened_take(n, &at_hand);
		return;
	}
	rebuilt_drop(n);
	if (binding_open(n, NULL) < 0 || !n->options.elf)
		opened_take(n, &(struct opened){ .image = NULL });
	b->images_first = b->images;
}

void binding_close(struct node *n)
{
	rebuilt_drop(n);
	image_free(n->binding.image);
	image_free(n->binding.refused);
	identity_release(&n->binding.identity);
	for (size_t i = 0; i < n->binding.elf_count; i++)
		mem_free(n->binding.elfs[i]);
	mem_free(n->binding.elfs);
}

/* --- the right one ---------------------------------------------------------------------------- */

/* Its name first: of a long path the end would be cut off. */
static void found_say(struct node *n, const char *path, bool kept)
{
	const char *name = text_basename(path);
	char line[400];

	snprintf(line, sizeof(line), "%s: the firmware that runs is %s%s%.*s", node_title(n), name,
		 name > path ? " in " : "", (int)(name - path), path);
	node_say(n, false, kept ? ADVICE_COMPARE : ADVICE_NONE, line);
}

/* The first among all that were given of which that is the verdict. */
static bool elf_take(struct node *n, enum identity_verdict verdict)
{
	for (size_t i = 0; i < n->binding.elf_count; i++) {
		struct identity id;
		struct opened o;
		bool fits = identity_read(&id, n->binding.elfs[i], NULL) == 0 &&
			    identity_judge(n, &id) == verdict, kept;

		identity_release(&id);
		if (!fits || opened_read(&o, n->binding.elfs[i], NULL) < 0)
			continue;
		if (identity_judge(n, &o.identity) != verdict) {	/* replaced this moment */
			opened_release(&o);
			continue;
		}
		rebuilt_drop(n);
		kept = node_past_run_before(n);
		opened_take(n, &o);
		if (verdict == IDENTITY_SAME)
			found_say(n, n->binding.elfs[i], kept);
		return true;
	}
	return false;
}

/* The one at hand was compared already. One that may be the right one is better than none. */
static bool elf_find(struct node *n)
{
	return elf_take(n, IDENTITY_SAME) ||
	       (n->binding.verdict != IDENTITY_UNSURE && elf_take(n, IDENTITY_UNSURE));
}

const char *node_doubt(const struct node *n, char *dst, size_t size)
{
	identity_doubt(&n->binding.identity, &n->talk.identity, dst, size);
	return dst;
}

void binding_refusal(const struct node *n, char *dst, size_t size)
{
	char said[48], own[48];

	identity_text(&n->talk.identity, said, sizeof(said));
	identity_own_text(&n->binding.identity, &n->talk.identity, own, sizeof(own));
	snprintf(dst, size, "%s" NODE_REFUSAL ": %s%s%s", binding_path(n), own,
		 said[0] ? ", the node reports " : "", said);
}

static void refusal_say(struct node *n)
{
	char line[400];

	binding_refusal(n, line, sizeof(line));
	node_say(n, true, ADVICE_NONE, line);
}

/* The rebuild that waited: the node runs it now. */
static bool rebuilt_runs(struct node *n)
{
	struct opened o = { n->binding.rebuilt, n->binding.rebuilt_identity };
	enum identity_verdict v;
	bool kept;

	if (!n->binding.rebuilt)
		return false;
	v = identity_judge(n, &n->binding.rebuilt_identity);
	if (v != IDENTITY_SAME && v != IDENTITY_UNSURE)
		return false;
	n->binding.rebuilt = NULL;
	n->binding.rebuilt_identity = (struct identity){ 0 };
	kept = node_past_run_before(n);
	opened_take(n, &o);
	n->binding.reloads++;
	node_say(n, false, kept ? ADVICE_COMPARE : ADVICE_NONE,
		 "the node runs the rebuilt firmware now");
	return true;
}

/* The identity that the node sent is compared with that of the ELF in use, then with all others. */
static void node_identify(struct node *n, uint64_t now)
{
	bool was_refused = n->binding.refused != NULL;
	struct binding *b = &n->binding;
	struct opened at_hand = { b->image ? b->image : b->refused, b->identity };

	n->binding.identify = false;
	n->binding.search_ns = now;
	if (n->talk.identity.kind == WIRE_IDENTITY_NONE)
		return;
	if (!at_hand.image) {		/* more sources than ELFs: one may be its, too */
		elf_find(n);
		return;
	}
	n->binding.verdict = identity_judge(n, &n->binding.identity);
	if (n->binding.verdict != IDENTITY_OTHER) {
		if (was_refused)
			opened_take(n, &at_hand);
		if (n->binding.verdict == IDENTITY_UNSURE)
			elf_find(n);
		return;
	}
	if (rebuilt_runs(n) || elf_find(n))
		return;
	if (!was_refused) {
		node_past_run_before(n);
		opened_take(n, &at_hand);
		refusal_say(n);
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
	n->binding.rebuilt = o->image;
	n->binding.rebuilt_identity = o->identity;
	snprintf(line, sizeof(line), "%s was rebuilt; the node still runs the old one: flash it",
		 text_basename(binding_path(n)));
	node_say(n, false, ADVICE_NONE, line);
}

/* For a node without an identity: only the ELF's change tells that its firmware changed. */
static void changed_say(struct node *n, const char *path)
{
	char line[400];

	snprintf(line, sizeof(line), "%s changed: its counts are kept", text_basename(path));
	node_say(n, false, ADVICE_COMPARE, line);
}

/* An ELF that cannot be read may be half-written: the old one stays until the next change. */
static void image_reload(struct node *n, const char *path)
{
	enum identity_verdict before = n->binding.verdict;
	bool unknown = before == IDENTITY_UNKNOWN || before == IDENTITY_UNSURE;
	bool was_refused = n->binding.refused != NULL, kept;
	struct err err = { 0 };
	struct opened fresh;

	if (opened_read(&fresh, path, &err) < 0) {
		trouble_say(n, &err);
		return;
	}
	if (n->trouble.code == ERR_FORMAT)
		err_clear(&n->trouble);
	if (n->binding.image && before != IDENTITY_UNKNOWN &&
	    identity_judge(n, &fresh.identity) == IDENTITY_OTHER) {
		rebuilt_wait(n, &fresh);
		return;
	}
	rebuilt_drop(n);
	/* A node with an identity was reset by then, or its firmware is the same. */
	if (n->binding.image && unknown)
		node_past_run_keep(n);
	kept = unknown && node_past_run_before(n);
	opened_take(n, &fresh);
	n->binding.reloads++;
	console_say(&n->console, n->now_ns, "the firmware image was rebuilt: reloaded");
	n->changes |= NODE_TEXT;
	if (kept && !n->binding.refused)
		changed_say(n, path);
	if (n->binding.refused)
		refusal_say(n);
	else if (was_refused)
		node_say(n, false, ADVICE_NONE, "the rebuilt ELF is the firmware that runs");
}

static void image_watch(struct node *n)
{
	const struct binding *b = &n->binding;
	struct image *newest = b->rebuilt ? b->rebuilt : b->image ? b->image : b->refused;
	char path[4096];

	if (!image_changed(newest))
		return;
	snprintf(path, sizeof(path), "%s", image_path(newest));	/* reload frees the image */
	image_reload(n, path);
}

void binding_service(struct node *n, uint64_t now)
{
	if (n->binding.identify)
		node_identify(n, now);
	if (n->binding.image && image_poll(n->binding.image))
		books_rename(n);
	if ((!n->binding.image && !n->binding.refused) || now - n->binding.image_ns < IMAGE_NS)
		return;
	n->binding.image_ns = now;
	if (n->options.batch)
		return;
	image_watch(n);
	if (n->binding.refused && now - n->binding.search_ns >= SEARCH_NS) {
		n->binding.search_ns = now;
		elf_find(n);
	}
}

int binding_timeout(const struct node *n, uint64_t now)
{
	if (n->binding.identify)
		return 0;
	if ((!n->binding.image && !n->binding.refused) || n->options.batch)
		return -1;
	return clock_ms_until(n->binding.image_ns + IMAGE_NS, now);
}
