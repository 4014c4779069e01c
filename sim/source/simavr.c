/*
 * wsntop-simavr: an AVR's firmware runs in the simulator, as it is, and its calls are told
 * (core/wire/sim/sim.h). wsntop starts it for simavr:CHIP@HZ; it is no program for people.
 *
 *	wsntop-simavr -m CHIP -f HZ [-p PACE] [-s SECONDS] [-t TRACE] [-u | -U FD] ELF
 *
 * PACE: times real time, 0 as fast as it goes. SECONDS: of the chip's time, after which it ends.
 * TRACE 0: no single calls but those that are watched. -u: the UART's bytes as they are, and
 * nothing else. FD: a socket for the UART, which is not told as text then. Standard input: sim.h's
 * records; with -u bytes for UART 0. What is wrong is one line on standard error.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/image/image.h"
#include "core/wire/wsn/wsn.h"
#include "sim/chip.h"
#include "sim/source/avr_access.h"
#include "sim/source/commands.h"
#include "sim/source/shadow.h"
#include "sim/source/watch.h"

enum { SLICES = 1000, TELLS = 5 };	/* a second of the chip's */
enum { HALF_WAIT = 4 };			/* instructions */
enum { INPUT_MOST = 4096, SENT_MOST = 1024 };	/* bytes that wait for the UART */

#define LATE_MAX (CLOCK_SECOND / 5)	/* a host further behind than this does not catch up */

enum avr_op { OP_OTHER, OP_CALL, OP_JUMP, OP_RET, OP_RETI };

struct source {
	const char *mcu, *elf;
	uint64_t hz;
	double pace, seconds;
	bool trace, raw;
	int uart;			/* a socket; -1: none */
	uint8_t sent[SENT_MOST];	/* for it */
	size_t sent_count;

	struct chip chip;
	struct image *image;
	struct pack pack;
	struct shadow shadow;
	struct watches watches;
	struct commands commands;
	bool ordered;			/* what to watch was said */
	uint8_t *mark_bits;
	uint8_t input[INPUT_MOST];
	size_t input_count;
	struct {			/* a stack pointer that is being written by halves: */
		uint8_t halves;		/* those that were, a bit each */
		uint8_t wait;		/* instructions that the other one is waited for */
	} sp;
	uint64_t struck;		/* cycles of the response of an interrupt in this step */
	uint64_t *spent, *spent_told;	/* cycles by the words of the flash; NULL: no memory */
	size_t words;
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

/*
 * The stack pointer is written by halves, and means nothing in between (`out SPH`, `out SREG`,
 * `out SPL`; FreeRTOS writes the low one first). One half alone is believed after HALF_WAIT
 * instructions.
 */
static void stack_pointer_see(struct source *s, uint16_t op, uint32_t sp)
{
	unsigned half = (op & 0xfe0fu) - 0xbe0du;	/* 0: out SPL, 1: out SPH */
	bool written = s->sp.wait == 1;

	s->sp.wait -= s->sp.wait > 0;
	if (half <= 1) {
		s->sp.halves |= (uint8_t)(1u << half);
		written = s->sp.halves == 3;
		s->sp.wait = written ? 0 : HALF_WAIT;
	}
	if (s->sp.wait)
		return;
	s->sp.halves = 0;
	if (sp < s->shadow.depths.low)
		shadow_depth(&s->shadow, sp, written);
}

static bool stack_pointer_changes(const struct source *s, uint16_t op, uint32_t sp)
{
	return sp < s->shadow.depths.low || s->sp.wait || (op & 0xfe0fu) - 0xbe0du <= 1;
}

/* --- what is watched -------------------------------------------------------------------------- */

static bool memory_read(void *ctx, uint32_t address, uint8_t *dst, unsigned n)
{
	const avr_t *avr = ((struct source *)ctx)->chip.avr;

	if (address > avr->ramend || n > avr->ramend + 1u - address)
		return false;
	memcpy(dst, avr->data + address, n);
	return true;
}

static enum wire_watch_refusal point_refuse(void *ctx, const struct wire_watchpoint *p)
{
	const avr_t *avr = ((struct source *)ctx)->chip.avr;

	return p->kind == WATCH_VALUE &&
	       (p->address > avr->ramend || p->size > avr->ramend + 1u - p->address) ?
	       REFUSED_SIZE : REFUSED_NOT;
}

/* Marks by the words of the flash, a bit each: most instructions are none. */
static void marks_begin(struct source *s)
{
	const struct codemap *map = image_codemap(s->image);

	s->mark_bits = mem_zalloc(s->chip.avr->flashend / 16 + 1);
	for (size_t i = 0; s->mark_bits && i < map->mark_count; i++)
		if (map->marks[i].address <= s->chip.avr->flashend)
			s->mark_bits[map->marks[i].address / 16] |=
				(uint8_t)(1u << (map->marks[i].address / 2 & 7));
}

/* What each instruction takes: of source lines. */
static void spent_begin(struct source *s)
{
	s->words = s->chip.avr->flashend / 2 + 1;
	s->spent = mem_zalloc(2 * s->words * sizeof(*s->spent));
	if (s->spent)
		s->spent_told = s->spent + s->words;
}

static void mark_see(struct source *s, uint32_t pc)
{
	const struct codemap *map = image_codemap(s->image);

	if (!s->mark_bits || !(s->mark_bits[pc / 16] >> (pc / 2 & 7) & 1))
		return;
	for (size_t i = 0; i < map->mark_count; i++)
		if (map->marks[i].address == pc)
			watches_mark(&s->watches, map->marks[i].number, s->chip.avr->cycle);
}

/* Behind an instruction that accessed memory, and the interrupt that may have followed it. */
static void access_see(struct source *s, const struct avr_access *a, uint32_t sp, uint64_t now)
{
	uint8_t words = s->chip.avr->address_size;

	if (a->size && a->loads && (s->watches.loads || s->watches.waiting))
		watches_access(&s->watches, a->address, a->size, false, now);
	if (a->size && a->stores && s->watches.stores)
		watches_access(&s->watches, a->address, a->size, true, now);
	if (s->struck && s->watches.stores)
		watches_access(&s->watches, (uint32_t)(sp + 1), words, true, now);
	if (s->watches.waiting)
		watches_settle(&s->watches, now);
}

static void input_put(struct source *s, const uint8_t *bytes, size_t n)
{
	n = n < sizeof(s->input) - s->input_count ? n : sizeof(s->input) - s->input_count;
	memcpy(s->input + s->input_count, bytes, n);
	s->input_count += n;
}

static void commands_take(struct source *s)
{
	struct command c;

	while (commands_next(&s->commands, &c)) {
		if (c.type == SIM_WATCH) {
			s->ordered = true;
			watches_take(&s->watches, c.body, c.n, s->chip.avr->cycle);
		} else if (c.type == SIM_INPUT) {
			input_put(s, c.body, c.n);
		}
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
	uint16_t code = (uint16_t)(avr->flash[pc] | avr->flash[pc + 1] << 8);
	enum avr_op op = op_of(code);
	uint64_t before = avr->cycle;
	bool accesses = s->watches.loads || s->watches.stores;
	struct avr_access access = { .size = 0 };
	uint64_t now;

	s->struck = 0;
	if (avr->state != cpu_Running) {
		chip_sleep(s);
		op = OP_OTHER;
		code = 0;
		pc = avr->pc;
		sp = stack_pointer(avr);
	} else {
		if (op != OP_JUMP && shadow_waits(&s->shadow))
			shadow_settle(&s->shadow, pc, avr->cycle);
		if (s->watches.marks)
			mark_see(s, pc);
		if (accesses)
			access = avr_access_of(avr);
		avr_run(avr);
		if (s->spent)
			s->spent[pc / 2] += avr->cycle - before - s->struck;
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
	if (stack_pointer_changes(s, code, sp_next))
		stack_pointer_see(s, code, sp_next);
	if (accesses)
		access_see(s, &access, stack_pointer(avr), now);
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

static void uart_flush(struct source *s)
{
	size_t n = s->sent_count;

	s->sent_count = 0;
	for (size_t at = 0; at < n; ) {
		ssize_t done = write(s->uart, s->sent + at, n - at);

		if (done <= 0) {
			s->uart = -1;	/* nobody listens any more */
			return;
		}
		at += (size_t)done;
	}
}

static void uart_serve(struct source *s)
{
	struct pollfd in = { .fd = s->uart, .events = POLLIN };
	ssize_t got;

	if (s->uart < 0)
		return;
	uart_flush(s);
	if (s->input_count >= sizeof(s->input) / 2 || poll(&in, 1, 0) <= 0)
		return;
	got = read(s->uart, s->input + s->input_count, sizeof(s->input) - s->input_count);
	s->input_count += got > 0 ? (size_t)got : 0;
}

/* A byte a slice comes in. False: nobody is there any more. */
static bool input_serve(struct source *s)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	bool comes = s->input_count < sizeof(s->input) / 2 && poll(&in, 1, 0) > 0;
	ssize_t got;

	if (comes && s->raw) {
		got = read(STDIN_FILENO, s->input + s->input_count,
			   sizeof(s->input) - s->input_count);
		if (got <= 0)
			return false;
		s->input_count += (size_t)got;
	} else if (comes) {
		if (!commands_read(&s->commands))
			return false;
		commands_take(s);
	}
	uart_serve(s);
	if (s->input_count) {
		chip_receive(&s->chip, s->input[0]);
		memmove(s->input, s->input + 1, --s->input_count);
	}
	return true;
}

static bool source_goes_on(const struct source *s)
{
	int state = s->chip.avr->state;

	return state != cpu_Done && state != cpu_Crashed && !s->pack.failed && !s->shadow.failed &&
	       (!(s->seconds > 0) || (double)s->chip.avr->cycle < s->seconds * (double)s->hz);
}

static void source_tell(struct source *s)
{
	shadow_tell(&s->shadow, s->chip.avr->cycle, source_pace(s));
	for (size_t i = 0; i < s->words && s->spent; i++) {
		if (s->spent[i] == s->spent_told[i])
			continue;
		pack_spent(&s->pack, (uint32_t)i * 2, s->spent[i]);
		s->spent_told[i] = s->spent[i];
	}
	pack_flush(&s->pack);
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
			source_tell(s);
			told = avr->cycle;
		} else if (!s->raw) {
			pack_flush(&s->pack);
		}
		pace_keep(s);
		heard = input_serve(s);
	}
	watches_flush(&s->watches);
	uart_serve(s);
	if (!s->raw)
		source_tell(s);
	if (s->shadow.failed)
		source_fail("calls too deep to be followed, or out of memory");
	if (avr->state == cpu_Crashed)
		source_fail("the firmware crashed: it runs what is no code");
}

/* --- begin ------------------------------------------------------------------------------------ */

static void on_sent(void *ctx, uint8_t byte)
{
	struct source *s = ctx;

	if (s->uart >= 0) {
		s->sent[s->sent_count++] = byte;
		if (s->sent_count == sizeof(s->sent))
			uart_flush(s);
	} else if (!s->raw)
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

	while ((option = getopt(argc, argv, "m:f:p:s:t:uU:")) >= 0) {
		switch (option) {
		case 'm': s->mcu = optarg; break;
		case 'f': s->hz = strtoull(optarg, NULL, 10); break;
		case 'p': s->pace = strtod(optarg, NULL); break;
		case 's': s->seconds = strtod(optarg, NULL); break;
		case 't': s->trace = strtol(optarg, NULL, 10) != 0; break;
		case 'u': s->raw = true; break;
		case 'U': s->uart = atoi(optarg); break;
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
	s->shadow.depths.known = !s->raw;
	s->shadow.depths.empty = 1;
	s->shadow.depths.word = s->chip.avr->address_size;
	s->shadow.watches = &s->watches;
	s->watches.read = memory_read;
	s->watches.refuse = point_refuse;
	s->watches.ctx = s;
	watches_init(&s->watches, &s->pack);
	marks_begin(s);
	if (!s->raw)
		spent_begin(s);
	/* Nothing runs before it is known what to watch. */
	while (!s->raw && !s->ordered) {
		if (!commands_read(&s->commands))
			exit(0);
		commands_take(s);
	}
	s->wall_begin = clock_now();
}

int main(int argc, char **argv)
{
	static struct source s = { .hz = 8000000, .pace = 1, .trace = true, .uart = -1,
				   .commands.fd = STDIN_FILENO };

	signal(SIGPIPE, SIG_IGN);
	signal(SIGINT, SIG_IGN);		/* it is wsntop's */
	source_options(&s, argc, argv);
	source_begin(&s);
	source_run(&s);
	shadow_release(&s.shadow);
	chip_release(&s.chip);
	image_free(s.image);
	mem_free(s.mark_bits);
	mem_free(s.spent);
	return 0;
}
