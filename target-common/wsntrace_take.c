/* wsntrace_take: tokens of a call trace, on their way into a frame. */
#include "wsnprof_node.h"

#if WSNPROF_TRACE && WSNPROF_TRACE < 3

#include "wsntrace_sender.h"

static WSNPROF_QUIET uint8_t varint_bytes(const uint8_t *p)
{
	uint8_t n = 1;

	while (*p++ & 0x80)
		n++;
	return n;
}

static WSNPROF_QUIET uint8_t more_bytes(const uint8_t *p)
{
	uint8_t n;

	switch (p[1]) {
	case WSNTRACE_MORE_FORGET:
		return 2;
	case WSNTRACE_MORE_BOX:
		n = p[2] ? 3 : 5;
		return n + varint_bytes(p + n);
	case WSNTRACE_MORE_BOX_REF:
		return 2 + WSNTRACE_REF_BYTES;
	case WSNTRACE_MORE_VALUE:
	case WSNTRACE_MORE_STATE:
		n = 2 + varint_bytes(p + 2);
		return n + varint_bytes(p + n);
	}
	return 2 + varint_bytes(p + 2);
}

static WSNPROF_QUIET uint8_t token_bytes(const uint8_t *p)
{
	switch (*p) {
	case WSNTRACE_STAMP:
	case WSNTRACE_STAMP_OWN:
	case WSNTRACE_WIDE:
		return 3;
	case WSNTRACE_REF:
		return 1 + WSNTRACE_REF_BYTES;
	case WSNTRACE_STAMP_SHORT:
	case WSNTRACE_AWAY:
		return 2;
	case WSNTRACE_MORE:
		return more_bytes(p);
	}
	return 1;
}

static WSNPROF_QUIET bool token_is_stamp(const uint8_t *p)
{
	return *p == WSNTRACE_STAMP || *p == WSNTRACE_STAMP_SHORT || *p == WSNTRACE_STAMP_OWN;
}

/* The time that it tells. */
static WSNPROF_QUIET uint16_t stamp_of(const struct wsntrace_sender *s, const uint8_t *p)
{
	if (*p == WSNTRACE_STAMP_SHORT)
		return (uint16_t)(s->stamp + p[1]);
	return (uint16_t)(p[1] | p[2] << 8);
}

/* Another says the same: that behind the return before a call; that behind a return, at the top. */
static WSNPROF_QUIET bool stamp_is_idle(const struct wsntrace_sender *s, const uint8_t *p,
					const uint8_t *to)
{
#if WSNPROF_TRACE_LONG
	return *p == WSNTRACE_STAMP_OWN &&
	       ((s->at_stamp && (uint16_t)(stamp_of(s, p) - s->stamp) <= 1) ||
		(to - p > 4 && p[3] == WSNTRACE_CLOSE && p[4] == WSNTRACE_STAMP));
#else
	(void)s;
	(void)p;
	(void)to;
	return false;
#endif
}

/* What is open behind it. */
static WSNPROF_QUIET void token_follow(struct wsntrace_sender *s, const uint8_t *p)
{
	uint16_t id = *p;

	if (token_is_stamp(p))
		s->stamp = stamp_of(s, p);
#if WSNPROF_TRACE_LONG
	s->at_stamp = token_is_stamp(p);
#endif
	if (id == WSNTRACE_CLOSE)
		s->depth--;
	if (id == WSNTRACE_WIDE)
		id = (uint16_t)(p[1] | p[2] << 8);
	else if (id > WSNTRACE_NARROW)
		return;
	if (!id || id & 0x8000)
		return;
	s->ids[s->depth++] = id;
	if (s->depth > s->peak)
		s->peak = s->depth;
}

#if WSNPROF_TRACE_PACK
static WSNPROF_QUIET bool call_pack(struct wsntrace_pack *k, uint8_t kind, wsntrace_value value)
{
	return wsntrace_pack_put(k, kind, value, NULL, 0);
}

static WSNPROF_QUIET wsntrace_value ref_value(const uint8_t *p)
{
	wsntrace_value value = (uint16_t)(p[0] | p[1] << 8);

#if WSNTRACE_REF_BYTES > 2
	value |= (uint32_t)p[2] << 16;
#endif
	return value;
}

static WSNPROF_QUIET bool id_pack(struct wsntrace_pack *k, bool leaf, uint16_t id)
{
	return call_pack(k, leaf ? WSNTRACE_KIND_LEAF : WSNTRACE_KIND_OPEN, id);
}

/* One that is no stamp. */
static WSNPROF_QUIET bool token_pack(struct wsntrace_pack *k, const uint8_t *p, uint8_t n)
{
	switch (*p) {
	case WSNTRACE_CLOSE:
		return call_pack(k, WSNTRACE_KIND_CLOSE, 0);
	case WSNTRACE_REF:
		return call_pack(k, WSNTRACE_KIND_REF, ref_value(p + 1));
	case WSNTRACE_WIDE:
		return id_pack(k, p[2] & 0x80, (uint16_t)(p[1] | (p[2] & 0x7f) << 8));
	case WSNTRACE_MORE:
		if (p[1] == WSNTRACE_MORE_BOX && p[2] && n == 4)
			return call_pack(k, WSNTRACE_KIND_BOX, (uint16_t)(p[2] | p[3] << 8));
		/* fall through */
	case WSNTRACE_AWAY:
		return wsntrace_pack_put(k, WSNTRACE_KIND_OTHER, 0, p, n);
	}
	return id_pack(k, *p & 0x80, *p & 0x7f);
}

static WSNPROF_QUIET bool stamp_pack(struct wsntrace_sender *s, const uint8_t *p)
{
	uint8_t kind = *p == WSNTRACE_STAMP_OWN ? WSNTRACE_KIND_STAMP_OWN : WSNTRACE_KIND_STAMP;

	return call_pack(&s->pack, kind, stamp_of(s, p));
}

uint8_t wsntrace_pack_take(struct wsntrace_sender *s, uint8_t end)
{
	const uint8_t *from = s->lane->tokens + 1, *to = s->lane->tokens + end;
	bool old = s->packed - s->age_ends > WSNTRACE_STAMPS_REACH;

	for (uint8_t left = WSNPROF_TRACE_PACK; from != to && left && !s->pack.full; left--) {
		uint8_t n = token_bytes(from);

		if (stamp_is_idle(s, from, to)) {
			from += n;
			continue;
		}
		if (!token_is_stamp(from) ? !token_pack(&s->pack, from, n) :
		    !old && !stamp_pack(s, from))
			break;
		token_follow(s, from);
		from += n;
	}
	return (uint8_t)(from - s->lane->tokens);
}
#else
/* `since` the one before in this frame. */
static WSNPROF_QUIET uint8_t *stamp_put(uint8_t *p, bool own, uint16_t stamp, uint16_t since)
{
	if (since <= UINT8_MAX && !own) {
		*p++ = WSNTRACE_STAMP_SHORT;
		*p++ = (uint8_t)since;
		return p;
	}
	*p++ = own ? WSNTRACE_STAMP_OWN : WSNTRACE_STAMP;
	*p++ = (uint8_t)stamp;
	*p++ = (uint8_t)(stamp >> 8);
	return p;
}

uint8_t *wsntrace_take(struct wsntrace_sender *s, uint8_t *p, uint8_t end, uint8_t *taken)
{
	const uint8_t *from = s->lane->tokens + 1, *to = s->lane->tokens + end;
	const uint8_t *full = wsnprof_ring.frame + WSNPROF_BODY_END;
	/* those of gaps are older than their place by up to a quarter of 2^16 units */
	bool old = s->since - s->age_ends > 3 * WSNTRACE_STAMPS_REACH / 2;
	bool stamped = false;

	while (from != to) {
		uint8_t n = token_bytes(from);
		uint16_t was = s->stamp;

		if (stamp_is_idle(s, from, to)) {
			from += n;
			continue;
		}
		if (p + n + (n == 2) > full)	/* a short stamp may become longer */
			break;
		token_follow(s, from);
		if (!token_is_stamp(from)) {
			wsnprof_copy(p, from, n);
			p += n;
		} else if (!old) {
			p = stamp_put(p, *from == WSNTRACE_STAMP_OWN, s->stamp,
				      stamped ? s->stamp - was : UINT16_MAX);
		}
		stamped |= token_is_stamp(from);
		from += n;
	}
	*taken = (uint8_t)(from - s->lane->tokens);
	return p;
}
#endif

uint8_t wsntrace_pinned(const struct wsntrace_sender *s)
{
	wsnprof_mask mask;
	uint8_t end;

	if (!WSNPROF_TASKS || wsntrace_is_own(s))
		return s->lane->is.w_true;
	mask = wsnprof_lock();
	wsntrace_pin(s->lane, s->lane->is.sp);
	end = s->lane->is.w_true;
	wsnprof_unlock(mask);
	return end;
}

void wsntrace_shift(struct wsntrace_sender *s, uint8_t taken, uint8_t end)
{
	struct wsntrace_lane *l = s->lane;
	uint8_t *to = l->tokens + 1;
	const uint8_t *from = l->tokens + taken;
	wsnprof_mask mask;

	for (; from != l->tokens + end; from++)
		*to++ = *from;
	mask = wsnprof_lock();
	if (WSNPROF_TASKS && !wsntrace_is_own(s))
		wsntrace_pin(l, l->is.sp);	/* those behind `end` move, too */
	for (; from != l->tokens + l->is.w_true; from++)
		*to++ = *from;
	l->is.w_true = (uint8_t)(to - l->tokens);
	wsnprof_unlock(mask);
}

#endif
