/*
 * rtt: one up-channel in RAM, as SEGGER's Real Time Transfer has it (the control block's layout is
 * public: id, channel counts, then name, buffer, size, write and read offset, flags). What does not
 * fit waits (SEGGER_RTT_MODE_BLOCK_IF_FIFO_FULL): a byte that is missing was lost by the debugger,
 * however late it reads.
 */
#include "tests/probe/m3.h"

#include <string.h>

enum { CONTROL = 0x400, RING = 0x1000, RING_SIZE = 4096, UP = CONTROL + 24 };
enum { UP_BUFFER = 4, UP_SIZE = 8, UP_WRITE = 12, UP_READ = 16, UP_FLAGS = 20, BLOCK_IF_FULL = 2 };

static void word_put(struct m3 *m, uint32_t at, uint32_t value)
{
	memcpy(m->ram + at, &value, 4);
}

static uint32_t word_get(const struct m3 *m, uint32_t at)
{
	uint32_t value;

	memcpy(&value, m->ram + at, 4);
	return value;
}

void m3_rtt_setup(struct m3 *m)
{
	memcpy(m->ram + CONTROL, "SEGGER RTT", 10);
	word_put(m, CONTROL + 16, 1);
	word_put(m, CONTROL + 20, 0);
	word_put(m, UP + UP_BUFFER, M3_RAM_AT + RING);
	word_put(m, UP + UP_SIZE, RING_SIZE);
	word_put(m, UP + UP_FLAGS, BLOCK_IF_FULL);
}

/* Lines of digits, so many bytes a second where the debugger keeps up. */
void m3_rtt(struct m3 *m)
{
	static const char line[] = "0123456789\n";
	double due = m3_own(m) * m->rtt_hz;
	uint32_t at = word_get(m, UP + UP_WRITE), read = word_get(m, UP + UP_READ);

	for (; m->rtt_told < due; m->rtt_told++) {
		if ((at + 1) % RING_SIZE == read || at >= RING_SIZE)
			break;
		m->ram[RING + at] = (uint8_t)line[(uint64_t)m->rtt_told % (sizeof(line) - 1)];
		at = (at + 1) % RING_SIZE;
	}
	if (m->rtt_hz > 0)
		word_put(m, UP + UP_WRITE, at);
}
