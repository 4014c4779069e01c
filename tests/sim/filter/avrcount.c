/*
 * avrcount MCU ELF ADDRESS...: runs firmware on a simulated AVR until it sleeps without
 * interrupts. What it writes to GPIOR0 goes to standard output; to standard error, in order, at
 * which of the addresses (in bytes, hex) an instruction was carried out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

static void byte_written(struct avr_t *avr, avr_io_addr_t addr, uint8_t v, void *param)
{
	(void)param;
	avr->data[addr] = v;
	putchar(v);
}

int main(int argc, char **argv)
{
	static char followed[1 << 17];
	elf_firmware_t f = { { 0 } };
	unsigned long long most = 20ull * 1000 * 1000;
	avr_t *avr;
	int state = 0;

	if (argc < 3 || elf_read_firmware(argv[2], &f) < 0)
		return 2;
	avr = avr_make_mcu_by_name(argv[1]);
	if (!avr)
		return 2;
	avr_init(avr);
	f.frequency = 8000000;
	avr_load_firmware(avr, &f);
	avr->log = LOG_NONE;
	avr_register_io_write(avr, 0x3e, byte_written, NULL);	/* GPIOR0 */
	avr->run_cycle_limit = 1;
	for (int i = 3; i < argc; i++)
		followed[strtoul(argv[i], NULL, 16) & 0x1ffff] = 1;
	while (state != cpu_Done && state != cpu_Crashed && avr->cycle < most) {
		if (avr->pc < sizeof(followed) && followed[avr->pc])
			fprintf(stderr, "%x\n", (unsigned)avr->pc);
		state = avr_run(avr);
	}
	return state == cpu_Done ? 0 : 1;
}
