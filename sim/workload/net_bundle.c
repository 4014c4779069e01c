/*
 * net_bundle: | source | target | created | service | length | payload ... | CRC-16 |
 *               SDNV     SDNV     SDNV      1 byte    1 byte
 *
 * SDNV (RFC 5050, 4.1): 7 bits a byte, most significant first, bit 7 set in all but the last.
 */
#include <stddef.h>

#include "net.h"

#define ROUTES 4
#define FRESH 30

static struct route {
	uint16_t node;
	uint8_t hops;
	uint8_t left;		/* bundles until it is forgotten */
} routes[ROUTES];

static uint8_t out[NET_BUNDLE];
static void (*deliver_to)(const struct bundle *b);

struct cursor {
	uint8_t *at;
	const uint8_t *end;
};

/* --- numbers --- */

static uint8_t sdnv_length(uint32_t v)
{
	uint8_t n = 1;

	while (v >>= 7)
		n++;
	return n;
}

static void sdnv_put(struct cursor *c, uint32_t v)
{
	uint8_t n = sdnv_length(v);
	uint8_t i;

	for (i = n; i-- > 0; v >>= 7)
		c->at[i] = (uint8_t)(v & 0x7f) | (i == n - 1 ? 0 : 0x80);
	c->at += n;
}

static uint32_t sdnv_get(struct cursor *c)
{
	uint32_t v = 0;
	uint8_t byte = 0x80;

	while (byte & 0x80 && c->at < c->end) {
		byte = *c->at++;
		v = v << 7 | (byte & 0x7f);
	}
	return v;
}

/* --- routes --- */

static struct route *route_find(uint16_t node)
{
	uint8_t i;

	for (i = 0; i < ROUTES; i++)
		if (routes[i].node == node && routes[i].left)
			return &routes[i];
	return NULL;
}

static void route_learn(uint16_t node, uint8_t hops)
{
	struct route *r = route_find(node);

	if (!r)
		r = &routes[node % ROUTES];
	r->node = node;
	r->hops = hops;
	r->left = FRESH;
}

static void route_age(void)
{
	uint8_t i;

	for (i = 0; i < ROUTES; i++)
		if (routes[i].left)
			routes[i].left--;
}

/* --- bundles --- */

static void header_put(struct cursor *c, const struct bundle *b)
{
	sdnv_put(c, b->source);
	sdnv_put(c, b->target);
	sdnv_put(c, b->created);
	*c->at++ = b->service;
	*c->at++ = b->length;
}

static void header_get(struct cursor *c, struct bundle *b)
{
	b->source = (uint16_t)sdnv_get(c);
	b->target = (uint16_t)sdnv_get(c);
	b->created = sdnv_get(c);
	b->service = *c->at++;
	b->length = *c->at++;
}

static void bundle_receive(const uint8_t *data, uint8_t length)
{
	struct cursor c = { (uint8_t *)data, data + length - 2 };
	struct bundle b;

	if (get16(data + length - 2) != crc_of(data, length - 2))
		return;
	header_get(&c, &b);
	b.payload = c.at;
	route_learn(b.source, 1);
	deliver_to(&b);
}

bool bundle_send(const struct bundle *b)
{
	struct cursor c = { out, out + sizeof(out) };
	uint8_t n;

	if (!route_find(b->target))
		route_learn(b->target, 1);
	route_age();
	header_put(&c, b);
	bytes_copy(c.at, b->payload, b->length);
	n = (uint8_t)(c.at - out) + b->length;
	put16(out + n, crc_of(out, n));
	return link_send(out, n + 2);
}

void bundle_init(void (*deliver)(const struct bundle *b))
{
	uint8_t i;

	for (i = 0; i < ROUTES; i++)
		routes[i].left = 0;
	deliver_to = deliver;
	link_init(bundle_receive);
}
