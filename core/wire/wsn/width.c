/*
 * wsn_width: counters that go on from 0 behind their width (docs/PROTOCOL.md, 3 and 5).
 *
 * A counter that is less than it was has passed its width, or one of the two figures is wrong:
 * noise that the CRC let pass, or a node that began anew and has not said so yet. It has passed its
 * width only when it got there in small steps, and the step over it is a small one, too: between
 * two of its rows a counter moves by far less than a quarter of its width. (2^22 calls take an AVR
 * a minute or more, 2^30 a Cortex-M longer.) All else is noise, and is not to make a total jump.
 */
#include "core/wire/wsn/state.h"

static uint64_t below(unsigned bits)
{
	return (UINT64_C(1) << bits) - 1;
}

bool wsn_is_near(uint64_t old, uint64_t now, unsigned bits)
{
	return ((now - old) & below(bits)) <= below(bits) / 4;
}

bool wsn_follow(uint64_t old, uint64_t *now, unsigned bits, bool may_wrap)
{
	uint64_t ahead = (*now - old) & below(bits);

	*now |= old & ~below(bits);
	if (ahead > below(bits) / 4 || (*now < old && !may_wrap))
		return false;
	*now = old + ahead;
	return true;
}

bool wsn_may_wrap(const struct wsn *w, const struct wsn_slot *s)
{
	return s->sure && w->epoch.backward == 0;
}
