/*
 * avr_cycles: holds the cycles of core/source/step_avr against simavr's, of each instruction that
 * a program runs.
 *
 *	avr_cycles CHIP CYCLES ELF
 *
 * CHIP runs the ELF for so many cycles at 8 MHz. Prints "ran N, same N, vary N, wrong N":
 * instructions that ran; of these, those that always took the table's cycles; those that the table
 * has none for; and the others, each on stderr with what it took.
 */
#include <poll.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>
#include <simavr/sim_elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/source/blocks.h"
#include "core/source/objdump.h"

enum { CODE_MOST = 1 << 18 };		/* bytes */

static struct {
	uint64_t least, most;
	bool ran;
} took[CODE_MOST / 2];

static void trial_fail(const char *what)
{
	fprintf(stderr, "avr_cycles: %s\n", what);
	exit(1);
}

static void log_nothing(avr_t *avr, const int level, const char *format, va_list ap)
{
	(void)avr;
	(void)level;
	(void)format;
	(void)ap;
}

static avr_t *chip_start(const char *chip, const char *elf)
{
	static elf_firmware_t firmware;
	avr_t *avr;

	avr_global_logger_set(log_nothing);
	if (elf_read_firmware(elf, &firmware) != 0)
		trial_fail("not an ELF for AVR");
	avr = avr_make_mcu_by_name(chip);
	if (!avr || avr_init(avr) != 0)
		trial_fail("no such chip");
	avr_load_firmware(avr, &firmware);
	avr->frequency = 8000000;
	return avr;
}

static void instruction_note(avr_flashaddr_t pc, uint64_t cycles)
{
	if (pc / 2 >= CODE_MOST / 2)
		trial_fail("code beyond 256 KB");
	if (!took[pc / 2].ran || cycles < took[pc / 2].least)
		took[pc / 2].least = cycles;
	if (!took[pc / 2].ran || cycles > took[pc / 2].most)
		took[pc / 2].most = cycles;
	took[pc / 2].ran = true;
}

/* As simavr's own loop, an instruction at a time. */
static void chip_step(avr_t *avr)
{
	avr_flashaddr_t before = avr->pc, behind = before;
	avr_cycle_count_t cycle = avr->cycle, sleep;

	avr->run_cycle_count = 1;
	if (avr->state == cpu_Running) {
		behind = avr_run_one(avr);
		instruction_note(before, avr->cycle - cycle);
	}
	sleep = avr_cycle_timer_process(avr);
	avr->pc = behind;
	if (avr->state == cpu_Sleeping && !avr->sreg[S_I])
		avr->state = cpu_Done;
	if (avr->state == cpu_Sleeping)
		avr->cycle += 1 + sleep;
	if (avr->state == cpu_Running || avr->state == cpu_Sleeping)
		avr_service_interrupts(avr);
}

static struct listing listing_open(struct image *image)
{
	struct objdump *o = objdump_start(image, OBJDUMP_WHOLE, NULL);

	while (o && !objdump_service(o, clock_now()))
		poll(&(struct pollfd){ .fd = objdump_fd(o), .events = POLLIN }, 1, 100);
	if (!o || objdump_trouble(o)[0])
		trial_fail("no listing");
	return *objdump_listing(o);
}

static int table_judge(const struct listing *l, enum step_core core)
{
	unsigned ran = 0, same = 0, vary = 0, wrong = 0, state = 0;

	for (size_t i = 0; i < l->count; i++) {
		struct step s = step_read(core, l, i, &state);
		uint64_t at = l->v[i].address / 2;

		if (at >= CODE_MOST / 2 || !took[at].ran)
			continue;
		ran++;
		if (s.cycles == took[at].least && s.cycles == took[at].most)
			same++;
		else if (!s.cycles)
			vary++;
		else
			wrong++;
		if (s.cycles && (took[at].least != s.cycles || took[at].most != s.cycles))
			fprintf(stderr, "%lx %s: %lu to %lu cycles, table %u\n",
				(unsigned long)l->v[i].address, listing_text(l, i),
				(unsigned long)took[at].least, (unsigned long)took[at].most,
				s.cycles);
	}
	printf("ran %u, same %u, vary %u, wrong %u\n", ran, same, vary, wrong);
	return !ran || wrong;
}

int main(int argc, char **argv)
{
	struct err err = { 0 };
	struct image *image;
	struct listing l;
	double doubt;
	avr_t *avr;

	if (argc != 4)
		trial_fail("CHIP CYCLES ELF");
	image = image_new(argv[3], &err);
	if (!image)
		trial_fail(err.text);
	image_wait(image);
	l = listing_open(image);
	avr = chip_start(argv[1], argv[3]);
	while (avr->cycle < strtoull(argv[2], NULL, 10) && avr->state != cpu_Done &&
	       avr->state != cpu_Crashed)
		chip_step(avr);
	return table_judge(&l, blocks_core(image, "", &doubt));
}
