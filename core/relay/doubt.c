#include "core/relay/relay_own.h"

#include <inttypes.h>

#include "core/base/clock.h"

#define ORDER_NS (CLOCK_SECOND / 4)	/* between two commands, in the mean */

bool doubt_takes(struct relay_node *n, uint64_t now, size_t size)
{
	struct relay *r = n->relay;
	bool barred = now < n->barred_ns;

	if (!link_is_live(n->link) || (!barred && guard_takes(&n->guard, now, 0, size)))
		return true;
	r->tally->refused += size;
	if (!barred && !n->flood_told)
		say_line(&r->o->say, "%s: more than %d MB a second: what is beyond is refused",
			 n->source, GUARD_BYTES >> 20);
	n->flood_told |= !barred;
	return false;
}

bool doubt_changes(struct relay_node *n, uint64_t now)
{
	struct relay *r = n->relay;

	if (guard_changes_take(&n->changes, now))
		return true;
	r->tally->changes_refused++;
	if (!n->haste_told)
		say_line(&r->o->say, "%s: node %08" PRIx32 " changes its epoch or its id more "
			 "often than each %d s: refused", n->source, n->id, GUARD_CHANGE_S);
	n->haste_told = true;
	return false;
}

bool doubt_commands(struct relay_node *n, uint64_t now)
{
	double more = n->orders_ns ? (double)(now - n->orders_ns) / (double)ORDER_NS :
				     RELAY_COMMANDS;

	n->orders_ns = now;
	n->orders = n->orders + more < RELAY_COMMANDS ? n->orders + more : RELAY_COMMANDS;
	if (n->orders < 1)
		return false;
	n->orders -= 1;
	return true;
}

void doubt_time(struct relay_node *n, uint64_t now)
{
	double own, ours = (double)(now - n->then_ns) / (double)CLOCK_SECOND;
	bool begins = !n->then_ns || n->run < n->run_then;

	own = begins || !n->ticks_per_second ? 0 :
	      (double)(n->run - n->run_then) / n->ticks_per_second;
	if (guard_is_ahead(own, ours) && n->link && link_is_live(n->link) && !n->time_told) {
		say_line(&n->relay->o->say, "%s: node %08" PRIx32 " ran for %.0f s in %.0f s, by "
			 "its own clock: its times are not to be believed", n->source, n->id, own,
			 ours);
		n->relay->tally->fast++;
		n->time_told = true;
	}
	n->run_then = n->run;
	n->then_ns = now;
}
