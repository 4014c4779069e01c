/*
 * wsnprof_receive: the host's commands. Bytes are collected where they come in; wsnprof_poll() does
 * the rest.
 */
#include "wsnprof_node.h"
#if WSNPROF_TRACE
#include "wsntrace_send.h"
#endif

#if WSNPROF_RECEIVE

enum {
	OUTSIDE,
	INSIDE,			/* and one more for each byte */
	SHORTEST = 5,		/* COBS's byte, head, seq, CRC */
	LONGEST = 14,		/* 16 with the delimiters: longer ones are not ours */
};

static struct {
	uint8_t state;		/* OUTSIDE, or INSIDE + bytes of the frame under way */
	volatile uint8_t whole;	/* bytes in `frame` that wait to be carried out, or 0 */
	uint8_t frame[LONGEST];
} command;

bool wsnprof_receive(uint8_t byte)
{
	uint8_t n = (uint8_t)(command.state - INSIDE);

	if (command.state == OUTSIDE) {
		command.state = byte ? OUTSIDE : INSIDE;
		return !byte;
	}
	if (byte == 0) {		/* the end; or zeros in a row, which mean the last one */
		if (!command.whole && n >= SHORTEST)
			command.whole = n;
		command.state = n ? OUTSIDE : INSIDE;
		return true;
	}
	if (n == LONGEST) {
		command.state = OUTSIDE;
		return false;
	}
	if (!command.whole)
		command.frame[n] = byte;
	command.state++;
	return true;
}

/*
 * COBS, in place: the zeros back to where they were. False: it does not come out. The first byte is
 * 0 when it is the one before's, decoded: this one came in while that waited, and its beginning was
 * not kept.
 */
static WSNPROF_QUIET bool cobs_decode(uint8_t *frame, uint8_t n)
{
	uint8_t at = 0;

	while (at < n) {
		uint8_t distance = frame[at];

		frame[at] = 0;
		at = (uint8_t)(at + distance);	/* both are small: no wrap */
		if (distance == 0 || distance > n)
			return false;
	}
	return at == n;
}

static WSNPROF_QUIET bool crc_fits(const uint8_t *p, uint8_t n)
{
	uint16_t crc = WSNPROF_CRC_INIT;

	for (; n > 2; n--)
		crc = wsnprof_crc(crc, *p++);
	return p[0] == (uint8_t)crc && p[1] == crc >> 8;
}

/* Bytes of a command's body. */
static WSNPROF_QUIET uint8_t body_size(uint8_t type)
{
	if (type == WSNPROF_CMD_SELECT)
		return 1;
	return type == WSNPROF_CMD_HZ || type == WSNPROF_CMD_PERIOD ? 2 : 0;
}

/*
 * Milliseconds to counts of wsnprof_pace(), at most half its round. Pace is 1,000 a second at most:
 * no overflow.
 */
static WSNPROF_QUIET uint16_t pace_of_ms(uint16_t ms)
{
	uint32_t counts = (ms * (uint32_t)((uint64_t)WSNPROF_PACE_NUM * 65536 /
					   WSNPROF_PACE_DEN / 1000)) >> 16;

	return counts > 0x8000 ? 0x8000 : (uint16_t)counts;
}

/* False: unknown. */
static WSNPROF_QUIET bool command_run(uint8_t type, uint16_t arg)
{
	switch (type) {
	case WSNPROF_CMD_START:
		wsnprof_start();
		return true;
	case WSNPROF_CMD_STOP:
		wsnprof_stop();
		return true;
	case WSNPROF_CMD_RESET:
		wsnprof_reset();
		return true;
	case WSNPROF_CMD_ALL:		/* as behind every command */
#if WSNPROF_TRACE
		wsntrace_forget();
#endif
		return true;
#if WSNPROF_PCS > 0
	case WSNPROF_CMD_HZ:
		wsnprof_port_hz(arg);
		return true;
#endif
	case WSNPROF_CMD_SELECT:
		wsnprof_node.select = (uint8_t)arg;
		return true;
	case WSNPROF_CMD_PERIOD:
		wsnprof_node.period = pace_of_ms(arg);
		return true;
#if WSNPROF_TEXT
	case WSNPROF_CMD_REPORT:
		wsnprof_report();
		return true;
#endif
	default:
		return false;
	}
}

/*
 *	frame	n head seq [arg] crc crc
 *
 * The host repeats a command until STATUS names it: the command that was carried out last is
 * confirmed again, not carried out again.
 */
static WSNPROF_QUIET void command_handle(uint8_t *frame, uint8_t n)
{
	uint8_t size = (uint8_t)(n - SHORTEST);
	uint8_t type;

	if (!cobs_decode(frame, n) || !crc_fits(frame + 1, (uint8_t)(n - 1)))
		return;
	type = frame[1];
	if (size != body_size(type))
		return;
	if (wsnprof_counts.command != frame[2] + 1u) {
		uint16_t arg = frame[3];

		if (size == 2)
			arg |= (uint16_t)frame[4] << 8;
		if (!command_run(type, arg))
			return;
		wsnprof_counts.command = frame[2] + 1u;
	}
	wsnprof_refresh();
}

void wsnprof_receive_step(void)
{
	if (command.whole) {
		command_handle(command.frame, command.whole);
		command.whole = 0;
	}
}

#endif
