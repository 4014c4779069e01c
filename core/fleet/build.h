/*
 * build: one firmware that several nodes run: its call sites and functions, numbered once for all
 * of them, so that a node keeps a number a site instead of addresses (crowd.h).
 *
 * Functions are the image's where there is one. Without it they are the addresses that were called,
 * and a caller is the one that begins last before its return address: right where all code between
 * has hooks. Sites and functions keep their numbers until build_rename.
 *
 * Self times are as INGA's profiler has them (IV-D): the calls of a function less the calls out of
 * it. What the hooks leave in their callers (core/image/calibration.h) is not taken back: nodes of
 * a build have it alike.
 */
#ifndef WSNTOP_FLEET_BUILD_H
#define WSNTOP_FLEET_BUILD_H

#include "core/base/index.h"
#include "core/base/map.h"
#include "core/image/image.h"
#include "core/wire/wire.h"

#define BUILD_NONE UINT32_MAX

enum {
	BUILD_SITES = 1 << 16,		/* of all its nodes: they may send anything */
	BUILD_SITE_BYTES = 136,		/* of heap, that one takes at most: arrays that doubled */
};

struct build_site {
	uint64_t key;			/* from << 32 | to */
	enum wire_total_kind kind;
	bool twice;			/* an arc whose calls are a site's too */
	uint32_t caller, callee;	/* functions; BUILD_NONE: not known. PC: the callee */
};

struct build_function {
	uint64_t address;
	const char *name;		/* the image's; NULL: there is none */
};

struct build {
	struct wire_identity identity;	/* NONE: nodes that do not say theirs */
	const struct image *image;	/* NULL: no ELF; borrowed */
	size_t nodes;			/* that run it; the caller's */
	unsigned renames;
	struct build_site *sites;	size_t site_count, site_cap;
	struct build_function *functions;	size_t function_count, function_cap;

	/* private */
	size_t settled;			/* sites whose functions are known */
	struct index index[TOTAL_PC + 1];	/* of sites, by kind */
	struct map at;			/* address -> function */
};

bool build_same(const struct wire_identity *a, const struct wire_identity *b);

void build_init(struct build *b, const struct wire_identity *identity, const struct image *image);
void build_release(struct build *b);
size_t build_memory(const struct build *b);	/* bytes of heap */

bool build_knows(const struct build *b, enum wire_total_kind kind, uint32_t from, uint32_t to);

/* The number of a site, a new one if need be; BUILD_NONE: no memory, or BUILD_SITES. */
uint32_t build_site(struct build *b, enum wire_total_kind kind, uint32_t from, uint32_t to);

/*
 * The functions of all sites so far. 0 or ERR_NOMEM. Linear in the new sites; without an image in
 * all.
 */
int build_settle(struct build *b);

/* The image has other names (image_poll): numbers of functions are others, those of sites not. */
void build_rename(struct build *b);

#endif
