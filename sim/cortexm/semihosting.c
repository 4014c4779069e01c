/*
 * semihosting: ask QEMU (ARM's semihosting, ARM IHI 0123; -semihosting-config
 * enable=on,target=native).
 */
#include <stddef.h>

#include "board.h"

enum {
	SYS_WRITE0 = 0x04,
	SYS_GET_CMDLINE = 0x15,
	SYS_EXIT = 0x18,
	ADP_STOPPED_APPLICATION_EXIT = 0x20026,
};

static uint32_t host_call(uint32_t what, uint32_t with)
{
	register uint32_t r0 __asm__("r0") = what;
	register uint32_t r1 __asm__("r1") = with;

	__asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
	return r0;
}

void board_exit(void)
{
	for (;;)
		host_call(SYS_EXIT, ADP_STOPPED_APPLICATION_EXIT);
}

void board_say(const char *text)
{
	host_call(SYS_WRITE0, (uint32_t)text);
}

const char *board_command_line(void)
{
	static char text[320];
	uint32_t block[2] = { (uint32_t)text, sizeof(text) };

	return host_call(SYS_GET_CMDLINE, (uint32_t)block) ? NULL : text;
}
