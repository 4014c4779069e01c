/*
 * said: what a node says that says who it is (wsn): HELLO, STATUS, running totals, a new
 * epoch; and commands to it.
 */
#include "core/node/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/profile/raw/feed.h"
#include "core/wire/wsn/command.h"

/* --- what comes ------------------------------------------------------------------------------- */

static bool same_identity(const struct wire_identity *a, const struct wire_identity *b)
{
	return a->kind == b->kind && a->start == b->start && a->length == b->length &&
	       a->a == b->a && a->b == b->b && a->block_count == b->block_count &&
	       memcmp(a->build_id, b->build_id, sizeof(a->build_id)) == 0 &&
	       memcmp(a->blocks, b->blocks, a->block_count * sizeof(*a->blocks)) == 0;
}

/* Compared once the decoder is done: another image is another map of the code for it. */
static void identity_take(struct node *n, const struct wire_identity *id)
{
	if (same_identity(id, &n->talk.identity))
		return;
	n->talk.identity = *id;
	n->binding.identify = true;
}

static void on_identity(void *ctx, const struct wire_identity *id)
{
	identity_take(input_batch(ctx), id);
}

static void on_hello(void *ctx, const struct wire_hello *hello)
{
	struct node *n = input_batch(ctx);

	identity_take(n, &hello->identity);
	if (hello->name && hello->name[0])
		snprintf(n->talk.called, sizeof(n->talk.called), "%s", hello->name);
	n->talk.hello = *hello;
	n->talk.hello.name = n->talk.called;
	calls_hello(&n->talk.hello);
	n->talk.has_hello = true;
	if (hello->hz != node_stream_profile(n)->terms.hz && hello->hz)
		node_past_now(n);	/* samples are counted from here */
	profile_take_hello(node_stream_profile(n), &n->talk.hello);
	n->changes |= NODE_DATA | NODE_STATE;
}

/* Handlers' time is in the run where it was not taken out of it. */
static uint64_t run_whole(const struct node *n)
{
	uint64_t run = n->talk.status.run;

	if (n->talk.hello.features & WSN_F_ISR &&
	    __builtin_add_overflow(run, n->talk.status.isr, &run))
		return UINT64_MAX;
	return run;
}

/* Its first second: all that it counts, it counts before our eyes; before it there was nothing. */
static void start_see(const struct node *n, struct profile *p)
{
	uint64_t run_ns = run_whole(n) * CLOCK_SECOND / n->talk.hello.ticks_per_second;

	profile_seen_from_start(p);
	if (!p->told_ns && n->now_ns > run_ns)
		p->told_ns = p->began_ns = n->now_ns - run_ns;
}

static void on_status(void *ctx, const struct wire_status *status)
{
	struct node *n = input_batch(ctx);
	struct profile *p = node_stream_profile(n);

	n->talk.status = *status;
	calls_losses(n, &n->talk.status);
	node_losses_note(n, p);
	node_past_status(n);
	p->terms.table_full = status->table_full > 0;
	if (!n->talk.has_status && n->talk.has_hello &&
	    run_whole(n) < 2 * (uint64_t)n->talk.hello.ticks_per_second)
		start_see(n, p);
	n->talk.has_status = true;
	if (n->talk.has_hello)
		profile_take_run(p, run_whole(n));
	profile_take_age(p, status);
	p->run_ns = n->now_ns;
	n->changes |= NODE_DATA | NODE_STATE;
}

static void on_totals(void *ctx, const struct wire_total *totals, size_t count)
{
	struct node *n = input_batch(ctx);

	node_past_rows(n);
	if (profile_take_totals(node_stream_profile(n), totals, count) < 0)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: some call sites are not counted");
	n->changes |= NODE_DATA;
}

static void on_epoch(void *ctx)
{
	struct node *n = input_batch(ctx);
	struct profile *p = node_stream_profile(n);
	bool had = p->site_count || p->pc_count || n->talk.has_status;

	if (had)
		node_past_run_keep(n);
	node_past_now(n);
	calls_epoch(n);
	profile_reset(p);
	p->told_ns = p->began_ns = n->now_ns;
	worst_restart(&n->books[0].worst);
	n->talk.has_status = false;
	n->talk.status = (struct wire_status){ 0 };
	if (!had)
		return;			/* the first that was heard of it */
	profile_seen_from_start(p);
	n->talk.epochs++;
	console_say(&n->console, n->now_ns, "the node restarted: counters reset");
	n->changes |= NODE_DATA | NODE_TEXT | NODE_STATE;
}

/* The sentence on how a command ended. */
static void told_line(char *line, size_t size, const struct wire_told *told)
{
	const char *name = wsn_command_row(told->command.type)->name;

	switch (told->code) {
	case WIRE_TOLD_DONE:
		snprintf(line, size, "the node confirmed: %s", name);
		break;
	case WIRE_TOLD_SILENCE:
		snprintf(line, size, "the node did not answer within %u seconds: %s", told->seconds,
			 name);
		break;
	case WIRE_TOLD_BLOCKED:
		snprintf(line, size, "command not sent: %s: the link took no bytes for %u seconds",
			 name, told->seconds);
		break;
	case WIRE_TOLD_DOWN:
		snprintf(line, size, "the node disconnected before it confirmed: %s", name);
		break;
	}
}

/* A quiet command is not the user's: its success is not told, its failure in the console only. */
static void on_told(void *ctx, const struct wire_told *told)
{
	struct node *n = ((struct input *)ctx)->node;
	char line[200];

	told_line(line, sizeof(line), told);
	if (!told->command.quiet)
		node_say(n, told->code != WIRE_TOLD_DONE, ADVICE_NONE, line);
	else if (told->code == WIRE_TOLD_SILENCE || told->code == WIRE_TOLD_BLOCKED)
		console_say(&n->console, n->now_ns, line);
}

void said_sink(struct wire_sink *sink)
{
	sink->hello = on_hello;
	sink->identity = on_identity;
	sink->status = on_status;
	sink->totals = on_totals;
	sink->epoch = on_epoch;
	sink->told = on_told;
}

/* --- its hooks -------------------------------------------------------------------------------- */

/* Since the user's reset; and the part of all its time that this is. */
static double run_ticks(const struct profile *p)
{
	return p->ticks_run > p->run_base ? (double)(p->ticks_run - p->run_base) : 0;
}

static double part_since_reset(const struct profile *p)
{
	return p->ticks_run ? run_ticks(p) / (double)p->ticks_run : 1;
}

static double call_ticks(const struct node *n, const struct profile *p)
{
	return (double)p->totals.calls * (n->talk.hello.cost + n->talk.status.searched);
}

/* What is in no function's time and not in the run: the node took it back. */
static double taken_back(const struct node *n, const struct profile *p)
{
	double ticks = (double)n->talk.status.poll * part_since_reset(p);

	if (n->talk.hello.features & WSN_F_TAKEN_BACK)
		ticks += call_ticks(n, p) - p->left_told;
	return ticks;
}

/* The node takes back a mean of what the compiler put around hooks; the image tells the rest. */
double node_hooks_ticks(const struct node *n)
{
	const struct profile *p = node_profile(n);
	double ticks = taken_back(n, p);

	if (!n->talk.has_hello || n->talk.hello.cost <= 0)
		return NAN;
	if (n->talk.hello.features & WSN_F_TAKEN_BACK)
		return ticks + p->left;
	return ticks + call_ticks(n, p);
}

double node_hooks(const struct node *n)
{
	const struct profile *p = node_profile(n);
	double hooks = node_hooks_ticks(n), run = run_ticks(p);

	if (isnan(hooks) || p->dirty || !p->totals.calls)
		return NAN;
	run += taken_back(n, p);
	return run > 0 ? fmax(0, fmin(1, hooks / run)) : (double)NAN;
}

/* --- what it is told -------------------------------------------------------------------------- */

bool node_listens(const struct node *n)
{
	return n->talk.has_hello && n->talk.hello.features & WSN_F_RECEIVE &&
	       link_is_live(n->inputs[0].link);
}

int node_command(struct node *n, enum wsn_type type, uint16_t arg, struct err *err)
{
	const struct wire_command command = { .type = type, .arg = arg };
	int ret;

	if (!n->talk.has_hello)
		return err_set(err, ERR_USAGE, "the node accepts no commands: this stream has "
					       "none");
	if (!node_listens(n))
		return err_set(err, ERR_USAGE, "the node does not listen: build it with "
			       "WSNPROF_RECEIVE and a link that receives");
	if (link_state(n->inputs[0].link) != LINK_UP)
		return err_set(err, ERR_ABSENT, "node disconnected; command not sent");
	if (link_room(n->inputs[0].link) < 0)
		return err_set(err, ERR_USAGE,
			       "the link to the node can only be read; command not sent");
	ret = wire_command(n->inputs[0].wire, &command, err);
	if (ret == 0 && type == WSN_RESET)
		books_worst_forget(n);
	return ret;
}
