#include "core/collect/members.h"

#include <stdio.h>
#include <string.h>

#include "core/base/map.h"

void members_init(struct members *m, const char *own)
{
	*m = (struct members){ .count = 1 };
	snprintf(m->ids[0], sizeof(m->ids[0]), "%s", own);
}

bool members_set(struct members *m, const char *id, bool there)
{
	size_t i = 0;

	if (!*id || strlen(id) >= MEMBER_ID || strcmp(id, m->ids[0]) == 0)
		return false;
	while (i < m->count && strcmp(m->ids[i], id) != 0)
		i++;
	if (there == (i < m->count))
		return false;
	if (!there) {
		m->count--;
		memmove(m->ids[i], m->ids[m->count], MEMBER_ID);
		return true;
	}
	if (m->count == MEMBERS_MOST) {
		m->beyond = true;
		return false;
	}
	memcpy(m->ids[m->count++], id, strlen(id) + 1);
	return true;
}

void members_forget(struct members *m)
{
	m->count = 1;
}

/* FNV-1a over the id, then the finalizer of splitmix64 (Steele et al., OOPSLA 2014): without it
 * ids that differ in their last letter have scores that differ in a few bits. */
uint64_t members_score(const char *id, unsigned shard)
{
	uint64_t h = map_hash_bytes(MAP_HASH, id, strlen(id));

	h += (shard + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
	h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
	return h ^ h >> 31;
}

const char *members_owner(const struct members *m, unsigned shard)
{
	const char *owner = m->ids[0];
	uint64_t best = members_score(owner, shard);

	for (size_t i = 1; i < m->count; i++) {
		uint64_t score = members_score(m->ids[i], shard);

		if (score < best || (score == best && strcmp(m->ids[i], owner) > 0))
			continue;
		best = score;
		owner = m->ids[i];
	}
	return owner;
}

bool members_owns(const struct members *m, unsigned shard)
{
	return members_owner(m, shard) == m->ids[0];
}
