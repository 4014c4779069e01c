/* executions: what calls from PC samples stand on, and how far they may be off. */
#include "tui/view/node/sections.h"

#include <math.h>

#include "core/base/text.h"

static void add_period(struct board *b, const struct profile_ran *ran)
{
	static const char *const words[] = {
		[CYCLES_UNKNOWN] = "not known", [CYCLES_COUNTER] = "by CYCCNT with each sample",
		[CYCLES_STAMPS] = "by the port's time stamps",
		[CYCLES_CLOCK] = "by the clock given",
		[CYCLES_COUNTED] = "by calls that were counted",
	};

	board_add(b, BOARD_FACT, "a sample", ROLE_VALUE, "%s cycles, %s",
		  TEXT_WHOLE((uint64_t)(ran->cycles + 0.5)), words[ran->by]);
	if (!isnan(ran->apart))
		board_add(b, BOARD_FACT, "", ran->by == CYCLES_COUNTED ? ROLE_VALUE : ROLE_WARNING,
			  "%+.1f %% by the counted calls against the clock%s",
			  100 * (ran->apart - 1), ran->by == CYCLES_COUNTED ? "" : ": not used");
}

static void add_error(struct board *b, const struct profile_ran *ran)
{
	if (isnan(ran->spread))
		board_add(b, BOARD_FACT, "error", ROLE_WARNING,
			  "not known: %u of the 5 callees needed have known callers; the "
			  "intervals are the samples' alone", ran->pairs);
	else
		board_add(b, BOARD_FACT, "error", ROLE_VALUE,
			  "%.1f %% between callers and callees (%u of them)", 100 * ran->spread,
			  ran->pairs);
	if (ran->doubt > 0)
		board_add(b, BOARD_FACT, "", ROLE_WARNING,
			  "no manual has this core's cycles: at least %.0f %% in each interval",
			  100 * ran->doubt);
}

void section_executions(struct board *b, const struct view_shared *s)
{
	const struct profile *p = node_profile(s->node);

	if (!p || !p->ran.count)
		return;
	board_heading(b, "Calls from samples");
	board_add(b, BOARD_FACT, "estimated", ROLE_VALUE, "calls of %u function%s: ~CALLS",
		  p->ran.count, p->ran.count == 1 ? "" : "s");
	add_period(b, &p->ran);
	add_error(b, &p->ran);
}
