/*
 * rsp: packets of gdb's remote serial protocol ("Debugging with GDB", appendix E): "$", contents,
 * "#", two hex digits of their sum. "}" escapes a byte, "*" repeats the one before.
 * Acknowledgements are "+" and "-".
 */
#ifndef WSNTOP_WIRE_PROBE_RSP_H
#define WSNTOP_WIRE_PROBE_RSP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RSP_MAX = 1024 };		/* of a packet; longer ones are cut, and are no packets */

enum rsp_found { RSP_NOTHING, RSP_PACKET, RSP_BAD, RSP_ACK, RSP_NAK };

/* Starts zeroed. */
struct rsp {
	enum { RSP_OUT, RSP_IN, RSP_ESCAPED, RSP_REPEAT, RSP_SUM, RSP_SUM_LOW } state;
	uint8_t sum, told;
	bool too_long;
	size_t n;
	char packet[RSP_MAX + 1];	/* with PACKET, its contents and a 0 behind them */
	uint64_t stray;			/* bytes that are in no packet */
};

enum rsp_found rsp_take(struct rsp *r, uint8_t byte);

/* "$contents#sum" at dst, with a 0 behind it; how long it is. */
size_t rsp_write(char *dst, size_t size, const char *contents);

/* -1: it is none. */
int rsp_digit(char c);

/* So many bytes in hex, the low one first, as targets tell words. False: they are not there. */
bool rsp_word(const char *s, unsigned bytes, uint32_t *value);

#endif
