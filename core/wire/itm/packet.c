/* itm/packet: see packet.h. */
#include "core/wire/itm/packet.h"

enum {
	SYNC_ZEROS = 5,			/* whole zero bytes of 47 zero bits */
	SYNC_END = 0x80,
	HEAD_OVERFLOW = 0x70,
	HEAD_GLOBAL_LOW = 0x94,
	HEAD_GLOBAL_HIGH = 0xb4,
	DWT_COUNTERS = 0, DWT_EXCEPTION = 1, DWT_PC = 2,
};

/* Of the headers whose two low bits are 0, by their kind: the first that fits. */
static const struct {
	uint8_t mask, bits;
	enum itm_kind kind;
	uint8_t id;
	uint8_t need;			/* bytes at most; 0: the header is all */
} protocols[] = {
	{ 0xff, HEAD_OVERFLOW, ITM_OVERFLOW, 0, 0 },
	{ 0x8f, 0x00, ITM_LOCAL_TIME, 0, 0 },	/* 0 and 7 are taken: synchronization, overflow */
	{ 0xcf, 0xc0, ITM_LOCAL_TIME, 0, 4 },
	{ 0xff, HEAD_GLOBAL_LOW, ITM_GLOBAL_TIME, 0, 4 },
	{ 0xff, HEAD_GLOBAL_HIGH, ITM_GLOBAL_TIME, 1, 6 },
	{ 0x8b, 0x08, ITM_EXTENSION, 0, 0 },
	{ 0x8b, 0x88, ITM_EXTENSION, 0, 4 },
};

enum { PROTOCOLS = sizeof(protocols) / sizeof(protocols[0]) };

static size_t protocol_of(uint8_t head)
{
	size_t i = 0;

	while (i < PROTOCOLS && (head & protocols[i].mask) != protocols[i].bits)
		i++;
	return i;
}

static enum itm_kind dwt_kind(struct itm_packet *k, uint8_t code)
{
	switch (code) {
	case DWT_COUNTERS:
		return k->size == 1 ? ITM_COUNTERS : ITM_RESERVED;
	case DWT_EXCEPTION:
		k->id = (uint8_t)(k->value >> 12 & 3);
		k->value &= 0x1ff;
		return k->size == 2 && k->id ? ITM_EXCEPTION : ITM_RESERVED;
	case DWT_PC:
		return k->size == 4 ? ITM_PC : k->size == 1 ? ITM_SLEEP : ITM_RESERVED;
	}
	k->id = code >> 1 & 3;
	switch (code & 0x19) {
	case 0x08:
		return k->size == 4 ? ITM_DATA_PC : k->size == 1 ? ITM_DATA_MATCH : ITM_RESERVED;
	case 0x09:
		return k->size == 2 ? ITM_DATA_ADDRESS : ITM_RESERVED;
	case 0x10:
		return ITM_DATA_READ;
	case 0x11:
		return ITM_DATA_WRITE;
	}
	return ITM_RESERVED;
}

/* All bytes of a packet with a payload are there. */
static void packet_whole(const struct itm_parser *p, struct itm_packet *k)
{
	size_t protocol = protocol_of(p->head);

	*k = (struct itm_packet){ .size = p->have, .bytes = (uint8_t)(1 + p->have),
				  .value = p->value };
	if (!p->groups) {
		k->id = p->head >> 3;
		k->kind = p->head & 4 ? dwt_kind(k, p->head >> 3) : ITM_STIMULUS;
		return;
	}
	k->kind = protocols[protocol].kind;
	k->id = k->kind == ITM_LOCAL_TIME ? p->head >> 4 & 3 : protocols[protocol].id;
}

static bool head_take(struct itm_parser *p, uint8_t head, struct itm_packet *k)
{
	size_t protocol;

	p->head = head;
	p->value = 0;
	p->have = 0;
	p->groups = !(head & 3);
	if (!p->groups) {
		p->need = (head & 3) == 3 ? 4 : head & 3;
		return false;
	}
	protocol = protocol_of(head);
	p->need = protocol < PROTOCOLS ? protocols[protocol].need : 0;
	if (p->need)
		return false;
	*k = (struct itm_packet){ .kind = ITM_RESERVED, .size = 1, .bytes = 1 };
	if (protocol < PROTOCOLS)
		*k = (struct itm_packet){ .kind = protocols[protocol].kind, .bytes = 1,
					  .value = head >> 4 & 7 };
	return true;
}

/*
 * No header is a zero: so many of them before SYNC_END are a synchronization, also where a packet
 * that lost bytes has the first ones for its own.
 */
static bool sync_take(struct itm_parser *p, struct itm_packet *k)
{
	p->skipped += p->zeros > SYNC_ZEROS ? p->zeros - SYNC_ZEROS : SYNC_ZEROS - p->zeros;
	p->zeros = 0;
	*k = (struct itm_packet){ .kind = ITM_SYNC, .bytes = SYNC_ZEROS + 1 };
	return true;
}

/* A byte where a header may be. */
static bool between_take(struct itm_parser *p, uint8_t byte, struct itm_packet *k)
{
	if (!byte) {
		p->zeros++;
		return false;
	}
	p->skipped += p->zeros;
	p->zeros = 0;
	return head_take(p, byte, k);
}

bool itm_parse(struct itm_parser *p, uint8_t byte, struct itm_packet *packet)
{
	uint64_t run = p->run;

	p->run = byte ? 0 : run + 1;
	if (byte == SYNC_END && run >= SYNC_ZEROS)
		return sync_take(p, packet);
	if (!p->need)
		return between_take(p, byte, packet);
	p->value |= (uint64_t)(p->groups ? byte & 0x7f : byte) << (p->groups ? 7 : 8) * p->have;
	p->have++;
	if (p->have < p->need && (!p->groups || byte & 0x80))
		return false;
	packet_whole(p, packet);
	p->need = 0;
	return true;
}
