#include "core/mqtt/topic.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const leaves[TOPIC_LEAVES] = {
	[TOPIC_HELLO] = "hello", [TOPIC_KEY] = "k", [TOPIC_WIRE] = "w", [TOPIC_UP] = "up",
	[TOPIC_COMMAND] = "cmd", [TOPIC_ORDER] = "order",
};

uint32_t topic_hash(uint32_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (uint8_t)*text) * UINT32_C(16777619);
	return hash;
}

/* Over the 8 digits: what another program can do in one line. */
unsigned topic_shard(uint32_t node, unsigned shards)
{
	char digits[9];

	snprintf(digits, sizeof(digits), "%08" PRIx32, node);
	return shards ? topic_hash(TOPIC_HASH, digits) % shards : 0;
}

static void whole_or_nothing(char *dst, size_t size, int n)
{
	if (n < 0 || (size_t)n >= size)
		*dst = '\0';
}

void topic_print(char *dst, size_t size, const struct topic *t)
{
	whole_or_nothing(dst, size, snprintf(dst, size, "%s/%02x/%08" PRIx32 "/%s", t->site,
					     t->shard, t->node, leaves[t->leaf]));
}

void topic_write(char *dst, size_t size, const char *site, unsigned shards, uint32_t node,
		 enum topic_leaf leaf)
{
	struct topic t = { .shard = topic_shard(node, shards), .node = node, .leaf = leaf };

	*dst = '\0';
	if (strlen(site) >= sizeof(t.site))
		return;
	memcpy(t.site, site, strlen(site) + 1);
	topic_print(dst, size, &t);
}

void topic_filter(char *dst, size_t size, const char *site, const char *node,
		  enum topic_leaf leaf)
{
	whole_or_nothing(dst, size, snprintf(dst, size, "%s/+/%s/%s", site, node ? node : "+",
					     leaves[leaf]));
}

/* Of `most` hex digits at most, all of `n` letters. */
static bool digits_read(const char *s, size_t n, size_t most, uint32_t *x)
{
	*x = 0;
	if (n == 0 || n > most)
		return false;
	for (; n; n--, s++) {
		if (!isxdigit((unsigned char)*s) || isupper((unsigned char)*s))
			return false;
		*x = *x << 4 | (uint32_t)(*s <= '9' ? *s - '0' : *s - 'a' + 10);
	}
	return true;
}

bool topic_read(struct topic *t, const char *text)
{
	const char *part[3], *end = text + strlen(text);
	uint32_t shard;
	size_t i;

	for (i = 3; i-- > 0;) {		/* its last three levels */
		const char *s = end;

		while (s > text && s[-1] != '/')
			s--;
		if (s == text)
			return false;
		part[i] = s;
		end = s - 1;
	}
	if (end == text || (size_t)(end - text) >= sizeof(t->site))
		return false;
	memcpy(t->site, text, (size_t)(end - text));
	t->site[end - text] = '\0';
	for (i = 0; i < TOPIC_LEAVES && strcmp(part[2], leaves[i]) != 0;)
		i++;
	t->leaf = (enum topic_leaf)i;
	if (i == TOPIC_LEAVES || part[2] - part[1] != 9 ||
	    !digits_read(part[0], (size_t)(part[1] - part[0] - 1), 3, &shard) ||
	    !digits_read(part[1], 8, 8, &t->node))
		return false;
	t->shard = shard;
	return true;
}

/* A number up to `most` behind `name`, all of the text; 0: it is not that. */
static unsigned said_number(const void *data, size_t n, const char *name, unsigned most)
{
	size_t named = strlen(name);
	char text[32], *end;
	unsigned long x;

	if (n <= named || n >= sizeof(text) || memcmp(data, name, named) != 0)
		return 0;
	memcpy(text, data, n);
	text[n] = '\0';
	x = isdigit((unsigned char)text[named]) ? strtoul(text + named, &end, 10) : 0;
	return x == 0 || *end || x > most ? 0 : (unsigned)x;
}

void topic_host(char *dst, size_t size)
{
	*dst = '\0';
	gethostname(dst, size - 1);
	dst[size - 1] = '\0';
	for (char *s = dst; *s; s++)
		*s = isalnum((unsigned char)*s) || *s == '-' ? *s : '_';
}

void topic_shards_print(char *dst, size_t size, unsigned shards)
{
	snprintf(dst, size, "shards=%u", shards);
}

int topic_shards_refuse(struct err *err, const char *broker, unsigned theirs, unsigned ours)
{
	return err_set(err, ERR_USAGE, "%s has %u shards (" TOPIC_CONFIG "), not %u; who counts "
		       "otherwise misses nodes: use the broker's, or change it for all", broker,
		       theirs, ours);
}

unsigned topic_shards_read(const void *data, size_t n)
{
	return said_number(data, n, "shards=", TOPIC_SHARDS_MOST);
}

unsigned topic_lease_read(const void *data, size_t n)
{
	return said_number(data, n, "lease ", TOPIC_LEASE_MOST_S);
}

bool topic_takes_commands(const void *data, size_t n)
{
	const size_t size = sizeof(TOPIC_COMMANDS) - 1;

	return n > size && memcmp((const char *)data + n - size, TOPIC_COMMANDS, size) == 0;
}
