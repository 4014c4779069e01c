/*
 * wsntop-simavr: an AVR's firmware runs in the simulator, as it is, and its calls are told
 * (core/wire/sim/sim.h). wsntop starts it for simavr:CHIP@HZ; it is no program for people.
 *
 *	wsntop-simavr -m CHIP -f HZ [-p PACE] [-s SECONDS] [-t TRACE] [-w VARIABLE]... [-u] ELF
 *
 * PACE: times real time, 0 as fast as it goes. SECONDS: of the chip's time, after which it ends.
 * TRACE 0: no single calls. -u: the UART's bytes as they are, and nothing else. Standard input:
 * bytes for UART 0. What is wrong is one line on standard error.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/image/image.h"
#include "core/image/variables.h"
#include "core/wire/wsn/wsn.h"
#include "sim/chip.h"
#include "sim/source/shadow.h"

enum { SLICES = 1000, TELLS = 5 };	/* a second of the chip's */
enum { WATCHES = 16 };

#define LATE_MAX (CLOCK_SECOND / 5)	/* a host further behind than this does not catch up */

enum avr_op { OP_OTHER, OP_CALL, OP_JUMP, OP_RET, OP_RETI };

/* A variable that is watched: what it was last. */
struct watch {
	const char *name;
	struct variable variable;
	int64_t value;
	bool known;
};

struct source {
	struct watch watches[WATCHES];
	size_t watch_count;
	const char *mcu, *elf;
	uint64_t hz;
	double pace, seconds;
	bool trace, raw;

	struct chip chip;
	struct image *image;
	struct pack pack;
	struct shadow shadow;
	uint64_t struck;		/* cycles of the response of an interrupt in this step */
	uint64_t wall_begin;
};

static void source_fail(const char *what)
{
	fprintf(stderr, "%s\n", what);
	exit(1);
}

/* --- one instruction -------------------------------------------------------------------------- */

static uint32_t stack_pointer(const avr_t *avr)
{
	return (uint32_t)(avr->data[R_SPL] | avr->data[R_SPH] << 8);
}

/* The return address that is on top of the stack, in bytes. */
static uint32_t return_address(const avr_t *avr, uint32_t sp)
{
	uint32_t words = 0;

	for (int i = 1; i <= avr->address_size; i++)
		words = words << 8 | avr->data[(uint16_t)(sp + (uint32_t)i)];
	return words << 1;
}

static enum avr_op op_of(uint16_t op)
{
	if (op == 0x9508)
		return OP_RET;
	if (op == 0x9518)
		return OP_RETI;
	if ((op & 0xfe0e) == 0x940e || (op & 0xf000) == 0xd000 || op == 0x9509 || op == 0x9519)
		return OP_CALL;
	if ((op & 0xfe0e) == 0x940c || (op & 0xf000) == 0xc000 || op == 0x9409 || op == 0x9419)
		return OP_JUMP;
	return OP_OTHER;
}

static uint32_t op_bytes(uint16_t op)
{
	return (op & 0xfe0c) == 0x940c || (op & 0xfc0f) == 0x9000 ? 4 : 2;
}

/* `rcall .+0` makes room on the stack. */
static void call_see(struct source *s, uint32_t pc, uint32_t next, uint32_t sp, uint64_t now)
{
	const avr_t *avr = s->chip.avr;
	uint16_t op = (uint16_t)(avr->flash[pc] | avr->flash[pc + 1] << 8);

	if (next != pc + op_bytes(op))
		shadow_call(&s->shadow, next, pc + op_bytes(op), sp, now);
}

/* --- variables -------------------------------------------------------------------------------- */

static int64_t value_read(const avr_t *avr, const struct variable *v)
{
	uint64_t value = 0;

	for (unsigned i = v->size; i-- > 0; )
		value = value << 8 | avr->data[(uint16_t)(v->address + i)];
	if (v->is_signed && v->size < 8 && value >> (8 * v->size - 1))
		value |= ~UINT64_C(0) << 8 * v->size;
	return (int64_t)value;
}

/* Behind an instruction: whatever changed it, that was it. */
static void watches_look(struct source *s)
{
	for (struct watch *w = s->watches; w < s->watches + s->watch_count; w++) {
		int64_t value = value_read(s->chip.avr, &w->variable);

		if (w->known && value == w->value)
			continue;
		w->known = true;
		w->value = value;
		pack_note(&s->pack, w->variable.is_state ? SIM_STATE : SIM_VALUE,
			  s->chip.avr->cycle - s->struck, (uint32_t)(w - s->watches) + 1, value);
	}
}

static void watches_begin(struct source *s)
{
	struct err err = { 0 };

	for (struct watch *w = s->watches; w < s->watches + s->watch_count; w++) {
		uint32_t note = (uint32_t)(w - s->watches) + 1;

		if (variable_find(s->elf, w->name, &w->variable, &err) < 0)
			source_fail(err.text);
		pack_name(&s->pack, note, NULL, w->name);
		for (size_t i = 0; i < w->variable.enumerator_count; i++)
			pack_name(&s->pack, note, &w->variable.enumerators[i].value,
				  w->variable.enumerators[i].name);
	}
}

/* --- one step --------------------------------------------------------------------------------- */

static void chip_sleep(struct source *s)
{
	avr_t *avr = s->chip.avr;
	uint64_t before = avr->cycle;

	avr_run(avr);
	shadow_sleep(&s->shadow, avr->cycle - before - s->struck);
}

static void chip_step(struct source *s)
{
	avr_t *avr = s->chip.avr;
	uint32_t pc = avr->pc, sp = stack_pointer(avr), next, sp_next;
	enum avr_op op = op_of((uint16_t)(avr->flash[pc] | avr->flash[pc + 1] << 8));
	uint64_t now;

	s->struck = 0;
	if (avr->state != cpu_Running) {
		chip_sleep(s);
		op = OP_OTHER;
		pc = avr->pc;
		sp = stack_pointer(avr);
	} else {
		if (op != OP_JUMP && shadow_waits(&s->shadow))
			shadow_settle(&s->shadow, pc, avr->cycle);
		avr_run(avr);
	}
	next = avr->pc;
	sp_next = stack_pointer(avr);
	now = avr->cycle - s->struck;
	if (s->struck) {
		next = return_address(avr, sp_next);
		sp_next += avr->address_size;
	}
	if (op == OP_CALL)
		call_see(s, pc, next, sp_next, now);
	else if (op == OP_JUMP)
		shadow_jump(&s->shadow, pc, next, sp, now);
	else if (op != OP_OTHER)
		shadow_return(&s->shadow, next, sp, now);
	if (s->watch_count)
		watches_look(s);
	if (s->struck)
		shadow_interrupt(&s->shadow, next, stack_pointer(avr), now);
}

/* --- time ------------------------------------------------------------------------------------- */

static double source_pace(const struct source *s)
{
	double host = (double)(clock_now() - s->wall_begin) / (double)CLOCK_SECOND;

	return host > 0 ? (double)s->chip.avr->cycle / (double)s->hz / host : 0;
}

static void pace_keep(struct source *s)
{
	uint64_t chip_ns, due, now = clock_now();
	struct timespec ts;

	if (!(s->pace > 0))
		return;
	chip_ns = (uint64_t)((double)s->chip.avr->cycle / (double)s->hz / s->pace *
			     (double)CLOCK_SECOND);
	due = s->wall_begin + chip_ns;
	if (due + LATE_MAX < now)
		s->wall_begin = now - chip_ns;
	if (due <= now)
		return;
	ts = (struct timespec){ .tv_sec = (time_t)(due / CLOCK_SECOND),
				.tv_nsec = (long)(due % CLOCK_SECOND) };
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

/* A byte a slice comes in. False: nobody is there any more. */
static bool input_serve(struct source *s)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	uint8_t byte;

	if (poll(&in, 1, 0) <= 0)
		return true;
	if (read(STDIN_FILENO, &byte, 1) != 1)
		return false;
	chip_receive(&s->chip, byte);
	return true;
}

static bool source_goes_on(const struct source *s)
{
	int state = s->chip.avr->state;

	return state != cpu_Done && state != cpu_Crashed && !s->pack.failed && !s->shadow.failed &&
	       (!(s->seconds > 0) || (double)s->chip.avr->cycle < s->seconds * (double)s->hz);
}

static void source_run(struct source *s)
{
	avr_t *avr = s->chip.avr;
	uint64_t slice = s->hz / SLICES, tell = s->hz / TELLS, told = 0;
	bool heard = true;

	avr->run_cycle_limit = avr->run_cycle_count = 1;
	while (heard && source_goes_on(s)) {
		uint64_t until = avr->cycle + slice;

		while (avr->cycle < until && source_goes_on(s))
			chip_step(s);
		if (avr->cycle - told >= tell && !s->raw) {
			shadow_tell(&s->shadow, avr->cycle, source_pace(s));
			told = avr->cycle;
		} else if (!s->raw) {
			pack_flush(&s->pack);
		}
		pace_keep(s);
		heard = input_serve(s);
	}
	if (!s->raw)
		shadow_tell(&s->shadow, avr->cycle, source_pace(s));
	if (s->shadow.failed)
		source_fail("calls too deep to be followed, or out of memory");
	if (avr->state == cpu_Crashed)
		source_fail("the firmware crashed: it runs what is no code");
}

/* --- begin ------------------------------------------------------------------------------------ */

static void on_sent(void *ctx, uint8_t byte)
{
	struct source *s = ctx;

	if (!s->raw)
		pack_text(&s->pack, byte);
	else if (write(STDOUT_FILENO, &byte, 1) != 1)
		s->pack.failed = true;
}

static void on_struck(void *ctx, uint64_t cycles)
{
	((struct source *)ctx)->struck = cycles;
}

static void source_options(struct source *s, int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "m:f:p:s:t:uw:")) >= 0) {
		switch (option) {
		case 'm': s->mcu = optarg; break;
		case 'f': s->hz = strtoull(optarg, NULL, 10); break;
		case 'p': s->pace = strtod(optarg, NULL); break;
		case 's': s->seconds = strtod(optarg, NULL); break;
		case 't': s->trace = strtol(optarg, NULL, 10) != 0; break;
		case 'u': s->raw = true; break;
		case 'w':
			if (s->watch_count == WATCHES)
				source_fail("more than 16 variables");
			s->watches[s->watch_count++].name = optarg;
			break;
		default: source_fail("wsntop starts this program (simavr:CHIP@HZ)");
		}
	}
	if (optind + 1 != argc || !s->mcu)
		source_fail("wsntop starts this program (simavr:CHIP@HZ)");
	if (s->hz < SLICES || s->hz > 100000000)
		source_fail("the clock is 1k to 100M");
	s->elf = argv[optind];
}

static uint32_t function_find(const void *ctx, uint32_t address)
{
	return image_find(ctx, address);
}

static uint32_t function_entry(const void *ctx, uint32_t function)
{
	return (uint32_t)image_function(ctx, function)->address;
}

_Static_assert(IMAGE_NONE == SHADOW_NONE, "no function");

static void source_begin(struct source *s)
{
	struct err err = { 0 };

	s->image = image_new(s->elf, &err);
	if (!s->image)
		source_fail(err.text);
	if (strcmp(image_machine(s->image), "avr") != 0) {
		fprintf(stderr, "%s is for %s, not for an AVR\n", text_basename(s->elf),
			image_machine(s->image));
		exit(1);
	}
	if (chip_init(&s->chip, s->mcu, (uint32_t)s->hz, s->elf, on_sent, s, &err) < 0)
		source_fail(err.text);
	s->chip.struck = on_struck;
	s->chip.struck_ctx = s;
	if (!s->raw) {
		pack_begin(&s->pack, STDOUT_FILENO);
		pack_hello(&s->pack, s->hz, s->chip.avr->address_size == 3 ? WSN_ARCH_AVR22 :
			   WSN_ARCH_AVR, s->mcu, "cycles");
	}
	shadow_init(&s->shadow, &(struct shadow_code){ s->image, function_find, function_entry },
		    &s->pack, s->hz);
	s->shadow.trace = s->trace && !s->raw;
	if (!s->raw)
		watches_begin(s);
	else
		s->watch_count = 0;
	s->wall_begin = clock_now();
}

int main(int argc, char **argv)
{
	static struct source s = { .hz = 8000000, .pace = 1, .trace = true };

	signal(SIGPIPE, SIG_IGN);
	signal(SIGINT, SIG_IGN);		/* it is wsntop's */
	source_options(&s, argc, argv);
	source_begin(&s);
	source_run(&s);
	shadow_release(&s.shadow);
	chip_release(&s.chip);
	image_free(s.image);
	return 0;
}
