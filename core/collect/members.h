/*
 * members: who of a group of collectors owns which shard. Each computes it by itself, from the
 * members that the broker names, and all come to the same: there is no leader. A shard belongs to
 * the member with the highest hash of (its id, the shard): D. Thaler, C. Ravishankar, "Using
 * Name-Based Mappings to Increase Hit Rates", IEEE/ACM Transactions on Networking 6, 1998
 * (rendezvous hashing). When a member goes, its shards move, and no others; when one comes, those
 * move that become its own.
 *
 * Who asks is always a member: a broker that stops sends all last wills first, so that nobody
 * seems to be left.
 */
#ifndef WSNTOP_COLLECT_MEMBERS_H
#define WSNTOP_COLLECT_MEMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MEMBERS_MOST = 256, MEMBER_ID = 64 };	/* a broker may name any number */

struct members {
	char ids[MEMBERS_MOST][MEMBER_ID];	/* ids[0]: who asks */
	size_t count;
	bool beyond;			/* there were more */
};

void members_init(struct members *m, const char *own);

/* One is there, or is not any more. True: that is news. An id that is too long or empty is none. */
bool members_set(struct members *m, const char *id, bool there);

/* All others are forgotten: who is there is told again. */
void members_forget(struct members *m);

const char *members_owner(const struct members *m, unsigned shard);
bool members_owns(const struct members *m, unsigned shard);	/* who asks does */

uint64_t members_score(const char *id, unsigned shard);

#endif
