/*
 * wsn/epoch: sequence numbers, epochs, and frames that wait for a HELLO (docs/PROTOCOL.md, 1 and
 * 5).
 *
 * A new epoch begins with the second frame that bears its bits: a single frame, be it a HELLO, may
 * be noise that the CRC let pass. For some time after, frames of epochs before are late
 * datagrams and dropped. Between a new epoch and its HELLO frames are kept: it may be another
 * firmware, whose rows look otherwise.
 */
#include "core/wire/wsn/state.h"

#include <string.h>

#include "core/base/mem.h"

/* --- order ------------------------------------------------------------------------------------ */

static void order_next(struct wsn_order_state *o, uint64_t step)
{
	o->heard = step < 64 ? o->heard << step : 0;
	o->heard |= 1;
	o->newest += step;
}

/*
 * The first frame's number is such that none is below 0. 32 bits tell a frame from another of the
 * same seq: its CRC, which covers every byte, and its length.
 */
enum wsn_order wsn_order_take(struct wsn_order_state *o, const uint8_t *frame, size_t n,
			      uint64_t *seq, uint64_t *lost)
{
	uint32_t print = (uint32_t)frame[n] << 24 | (uint32_t)frame[n + 1] << 16 | (uint32_t)n;
	uint8_t back;

	if (!o->begun) {
		*o = (struct wsn_order_state){ .begun = true, .newest = 1024 + frame[1],
					       .heard = 1 };
		o->print[frame[1]] = print;
		*seq = o->newest;
		return ORDER_NEXT;
	}
	back = (uint8_t)(o->newest - frame[1]);
	if (back <= WSN_LATE && (o->heard >> back & 1) && o->print[frame[1]] == print)
		return ORDER_AGAIN;
	o->print[frame[1]] = print;
	if (back > 0 && back <= WSN_LATE && !(o->heard >> back & 1)) {
		o->heard |= UINT64_C(1) << back;
		*seq = o->newest - back;
		*lost -= *lost > 0;
		return ORDER_LATE;
	}
	order_next(o, 256 - back);
	*lost += 255 - back;
	*seq = o->newest;
	return ORDER_NEXT;
}

bool wsn_expects(const struct wsn *w, const uint8_t *block, size_t n)
{
	uint8_t seq, type;

	if (n < 2)
		return n > 0;
	type = block[1] & 0x1f;
	if (block[0] == 1 || type == 0 || type >= WSN_START)
		return false;
	if (w->epoch.bits < 0)
		return true;
	if (block[1] >> 5 != w->epoch.bits || n < 3)
		return block[1] >> 5 == w->epoch.bits;
	seq = block[0] == 2 ? 0 : block[2];
	return (uint8_t)(seq - w->order.newest + WSN_LATE) <= 2 * WSN_LATE;
}

/* --- waiting ---------------------------------------------------------------------------------- */

void wsn_queue_put(struct wsn *w, const uint8_t *frame, size_t n, enum wsn_order order,
		   uint64_t seq)
{
	struct wsn_queue *q = &w->queue;
	struct wsn_queued *e;

	if (!q->v)
		q->v = mem_alloc(WSN_QUEUE * sizeof(*q->v));
	if (!q->v) {
		w->wire.stats.lost++;
		return;
	}
	if (q->count == WSN_QUEUE) {
		q->first = (q->first + 1) % WSN_QUEUE;
		q->count--;
		w->wire.stats.lost++;
	}
	e = &q->v[(q->first + q->count++) % WSN_QUEUE];
	e->len = (uint16_t)n;
	e->order = order;
	e->seq = seq;
	memcpy(e->frame, frame, n);
}

bool wsn_queue_get(struct wsn *w, struct wsn_queued *out)
{
	struct wsn_queue *q = &w->queue;

	if (!q->count)
		return false;
	*out = q->v[q->first];
	q->first = (q->first + 1) % WSN_QUEUE;
	q->count--;
	return true;
}

bool wsn_queue_hello(struct wsn *w, struct wsn_queued *out)
{
	bool found = false;
	struct wsn_queued e;

	for (size_t n = w->queue.count; n > 0; n--) {
		if (!wsn_queue_get(w, &e))
			break;
		if ((e.frame[0] & 0x1f) == WSN_HELLO && e.frame[0] >> 5 == w->epoch.bits) {
			*out = e;
			found = true;
		} else {
			wsn_queue_put(w, e.frame, e.len, e.order, e.seq);
		}
	}
	return found;
}

/* Forget frames of other epochs than `bits`. */
static void queue_sift(struct wsn *w, int bits)
{
	struct wsn_queued e;

	for (size_t n = w->queue.count; n > 0; n--) {
		if (wsn_queue_get(w, &e) && e.frame[0] >> 5 == bits)
			wsn_queue_put(w, e.frame, e.len, e.order, e.seq);
	}
}

/* --- epochs ----------------------------------------------------------------------------------- */

/* While the counts and the HELLO that they are read by are still there. */
static void counts_end(struct wsn *w)
{
	wsn_closed_give(w);
	if (!w->said || !w->greeted || !w->wire.sink.ends)
		return;
	wsn_held_give(w);
	w->wire.sink.ends(w->wire.sink.ctx);
}

/* Forget all that was counted; the sink hears of it if it was told anything. */
static void counts_forget(struct wsn *w)
{
	for (size_t i = 0; i < WSN_TABLES; i++)
		wsn_table_clear(&w->table[i]);
	w->status = (struct wire_status){ 0 };
	w->age = (struct wsn_age){ .sent = w->age.sent };
	w->status_sure = false;
	w->epoch.run_known = false;
	w->epoch.backward = 0;
	if (w->said && w->wire.sink.epoch)
		w->wire.sink.epoch(w->wire.sink.ctx);
	w->said = false;
}

static void epoch_begin(struct wsn *w, int bits)
{
	struct wsn_epoch *e = &w->epoch;

	counts_end(w);
	e->past[e->bits] = (struct wsn_past){ .ended = w->frames, .known = e->known,
					       .number = e->number };
	e->past[bits].ended = 0;
	e->known = false;
	if (e->rival == bits)
		w->order = w->rival;
	else
		w->order.begun = false;
	e->bits = bits;
	e->rival = -1;
	w->greeted = w->refused = w->hello_shown = false;
	queue_sift(w, bits);
	counts_forget(w);
}

/* A frame of an epoch that ended not long ago, out of order. */
static bool is_stale(const struct wsn *w, int bits, const struct wsn_hello *hello)
{
	const struct wsn_past *past = &w->epoch.past[bits];

	if (!past->ended || w->frames - past->ended > WSN_STALE)
		return false;
	return !hello || !past->known || hello->wire.epoch == past->number;
}

/* The second frame with these bits begins an epoch. */
static void rival_take(struct wsn *w, const uint8_t *frame, size_t n)
{
	struct wsn_epoch *e = &w->epoch;
	int bits = frame[0] >> 5;
	enum wsn_order order;
	uint64_t seq = 0, lost = 0;

	if (e->rival != bits || e->rival_age > WSN_LATE) {
		queue_sift(w, e->bits);		/* the rival's before was noise */
		w->rival.begun = false;
		e->rival = bits;
		e->rival_age = 0;
	}
	order = wsn_order_take(&w->rival, frame, n, &seq, &lost);
	if (order == ORDER_AGAIN)
		return;
	wsn_queue_put(w, frame, n, order, seq);
	if (w->rival.heard & (w->rival.heard - 1)) {
		epoch_begin(w, bits);
		w->wire.stats.lost += lost;
	}
}

/* Another epoch with the same bits, eight later: its second HELLO begins it, too. */
static bool hello_is_doubtful(struct wsn_epoch *e, const struct wsn_hello *hello)
{
	if (!e->known || e->number == hello->wire.epoch)
		return false;
	if (e->doubted && e->doubt == hello->wire.epoch)
		return false;
	e->doubted = true;
	e->doubt = hello->wire.epoch;
	return true;
}

void wsn_epoch_known(struct wsn *w, const struct wsn_hello *hello)
{
	struct wsn_epoch *e = &w->epoch;

	if (e->known && e->number != hello->wire.epoch)
		epoch_begin(w, e->bits);
	e->known = true;
	e->doubted = false;
	e->number = hello->wire.epoch;
}

bool wsn_epoch_take(struct wsn *w, const uint8_t *frame, size_t n, const struct wsn_hello *hello)
{
	struct wsn_epoch *e = &w->epoch;
	int bits = frame[0] >> 5;
	uint64_t seq;

	if (e->bits < 0) {
		e->bits = bits;
	} else if (bits != e->bits && is_stale(w, bits, hello)) {
		return false;
	} else if (bits != e->bits) {
		rival_take(w, frame, n);
		return false;
	} else if (hello && hello_is_doubtful(e, hello)) {
		wsn_order_take(&w->order, frame, n, &seq, &w->wire.stats.lost);
		return false;
	}
	if (hello)
		wsn_epoch_known(w, hello);
	e->rival_age += e->rival_age <= WSN_LATE;
	return true;
}

/*
 * A node that cannot keep its epoch over a power cycle has the same one again: its run time tells.
 * Own cost is estimated before it is taken out, so that run may step back a little.
 */
bool wsn_epoch_status(struct wsn *w, uint64_t run)
{
	struct wsn_epoch *e = &w->epoch;

	if (e->run_known && run < e->run - e->run / 64 && run >= e->run_before) {
		e->run = e->run_before;		/* that one was far ahead: noise */
	} else if (e->run_known && run < e->run - e->run / 64) {
		if (++e->backward < 2)
			return false;
		counts_end(w);
		counts_forget(w);
	}
	e->backward = 0;
	e->run_before = e->run_known ? e->run : run;
	e->run = run;
	e->run_known = true;
	return true;
}
