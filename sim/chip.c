/* chip: libsimavr and its habits, measured against the datasheet. */
#include <simavr/avr_timer.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_interrupts.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/chip.h"

#define UART '0'
#define VECTORS 64		/* more than any AVR has */

/* Interrupt response, which simavr 1.6 does not count: 4 cycles, 5 where the PC has 22 bits. */
static void on_vector(avr_irq_t *irq, uint32_t running, void *param)
{
	struct chip *c = param;
	uint64_t cycles = c->avr->address_size == 3 ? 5 : 4;

	(void)irq;
	if (!running)
		return;
	c->avr->cycle += cycles;
	c->avr->run_cycle_count = 1;	/* a timer may be due by now */
	if (c->truth)
		truth_interrupt(c->truth, cycles);
	if (c->struck)
		c->struck(c->struck_ctx, cycles);
}

static void on_byte(avr_irq_t *irq, uint32_t value, void *param)
{
	struct chip *c = param;

	(void)irq;
	c->sent(c->ctx, (uint8_t)value);
}

/* Time passes in avrnode's pace, asleep or not. */
static void sleep_ignore(avr_t *avr, avr_cycle_count_t cycles)
{
	(void)avr;
	(void)cycles;
}

static void errors_log(avr_t *avr, const int level, const char *fmt, va_list ap)
{
	(void)avr;
	if (level <= LOG_ERROR)
		vfprintf(stderr, fmt, ap);
}

static void lead_out_uart(struct chip *c)
{
	uint32_t flags = 0;
	avr_irq_t *out = avr_io_getirq(c->avr, AVR_IOCTL_UART_GETIRQ(UART), UART_IRQ_OUTPUT);

	avr_ioctl(c->avr, AVR_IOCTL_UART_GET_FLAGS(UART), &flags);
	flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
	avr_ioctl(c->avr, AVR_IOCTL_UART_SET_FLAGS(UART), &flags);
	if (out)
		avr_irq_register_notify(out, on_byte, c);
	c->input = avr_io_getirq(c->avr, AVR_IOCTL_UART_GETIRQ(UART), UART_IRQ_INPUT);
}

static void watch_vectors(struct chip *c)
{
	int v;

	for (v = 1; v < VECTORS; v++) {
		avr_irq_t *irq = avr_get_interrupt_irq(c->avr, (uint8_t)v);

		if (irq)
			avr_irq_register_notify(irq + AVR_INT_IRQ_RUNNING, on_vector, c);
	}
}

/* What avr_load_firmware has copied, or (symbols) has no use for. */
static void firmware_release(elf_firmware_t *f)
{
	uint32_t i;

	for (i = 0; i < f->symbolcount; i++)
		free(f->symbol[i]);
	free(f->symbol);
	free(f->flash);
	free(f->eeprom);
	free(f->fuse);
	free(f->lockbits);
}

/*
 * A compare register that is 0, as after a reset, never matches in simavr 1.6; the chip's does, and
 * firmware may leave it to the first interrupt to set one. 1 is the nearest that matches.
 */
static void compares_begin(avr_t *avr)
{
	avr_io_t *io;
	int i;

	for (io = avr->io_port; io; io = io->next) {
		avr_timer_t *timer = (avr_timer_t *)io;

		for (i = 0; i < AVR_TIMER_COMP_COUNT && !strcmp(io->kind, "timer"); i++) {
			if (timer->comp[i].r_ocr)
				avr->data[timer->comp[i].r_ocr] = 1;
		}
	}
}

int chip_init(struct chip *c, const char *mcu, uint32_t hz, const char *elf,
	      void (*sent)(void *ctx, uint8_t byte), void *ctx, struct err *err)
{
	elf_firmware_t firmware;

	memset(c, 0, sizeof(*c));
	memset(&firmware, 0, sizeof(firmware));
	c->sent = sent;
	c->ctx = ctx;
	avr_global_logger_set(errors_log);
	if (elf_read_firmware(elf, &firmware))
		return err_set(err, ERR_FORMAT, "%s: not an AVR firmware", elf);
	c->avr = avr_make_mcu_by_name(mcu);
	if (!c->avr) {
		firmware_release(&firmware);
		return err_set(err, ERR_USAGE, "%s: simavr has no such chip", mcu);
	}
	avr_init(c->avr);
	c->avr->log = LOG_ERROR;
	snprintf(firmware.mmcu, sizeof(firmware.mmcu), "%s", mcu);
	firmware.frequency = hz;
	avr_load_firmware(c->avr, &firmware);
	compares_begin(c->avr);
	firmware_release(&firmware);
	c->avr->sleep = sleep_ignore;
	c->avr->gdb_port = 0;		/* a crash ends the run instead of waiting for a debugger */
	c->avr->run_cycle_limit = hz / 1000;
	lead_out_uart(c);
	watch_vectors(c);
	return 0;
}

void chip_release(struct chip *c)
{
	avr_terminate(c->avr);
}

int chip_run(struct chip *c, uint64_t cycle)
{
	int state = cpu_Running;

	if (c->truth)
		c->avr->run_cycle_limit = c->avr->run_cycle_count = 1;
	while (c->avr->cycle < cycle && state != cpu_Done && state != cpu_Crashed) {
		if (c->strike)
			strike_step(c->strike);
		state = c->truth ? truth_step(c->truth) : avr_run(c->avr);
	}
	return state;
}

static avr_uart_t *uart_of(const struct chip *c)
{
	avr_io_t *io;

	for (io = c->avr->io_port; io; io = io->next)
		if (io->kind && !strcmp(io->kind, "uart") && ((avr_uart_t *)io)->name == UART)
			return (avr_uart_t *)io;
	return NULL;
}

/* A byte is written that will never leave: no flag, no interrupt, nothing sent. */
static void write_blocked(struct avr_t *avr, avr_io_addr_t addr, uint8_t v, void *param)
{
	avr_uart_t *uart = param;

	avr->data[addr] = v;
	avr_regbit_clear(avr, uart->udrc.raised);
	avr_clear_interrupt(avr, &uart->udrc);
	avr_regbit_clear(avr, uart->udrc.raised);
}

void chip_stop_uart(struct chip *c)
{
	avr_uart_t *uart = uart_of(c);
	int i;

	if (!uart)
		return;
	i = AVR_DATA_TO_IO(uart->r_udr);
	c->avr->io[i].w.c = write_blocked;
	c->avr->io[i].w.param = uart;
}

void chip_reset(struct chip *c)
{
	avr_reset(c->avr);
	compares_begin(c->avr);
	if (c->truth)
		truth_restart(c->truth);
}

void chip_receive(struct chip *c, uint8_t byte)
{
	if (c->input)
		avr_raise_irq(c->input, byte);
}
