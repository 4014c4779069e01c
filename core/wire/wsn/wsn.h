/*
 * wsn: this project's own frames (docs/PROTOCOL.md), the host's side. tests/unit/test_protocol
 * holds these numbers, the document's tables and the node's header against one another.
 *
 * The decoder keeps what a slot holds, so that it can hand out running totals by address: rows of
 * an epoch, extended and closed ones added up, skew taken off. COBS, CRC and commands' frames are
 * core/wire/frame/coding.c: links use them, too.
 *
 *	command.c	commands until they are confirmed
 *	split.c		bytes -> frames and console text
 *	body.c		frames -> fields and rows, each checked
 *	epoch.c		sequence numbers, epochs, frames that wait for a HELLO
 *	table.c		slots -> running totals by address
 *	sites.c		rows of call sites, their extensions, counters that wrap
 *	search.c	what looking for rows took the node
 *	age.c		at which run of the node a row was read
 *	closed.c	counts told once, and what of them was not heard
 *	resume.c	the tables -> frames, for who has not read them
 *	wsn.c		the decoder
 *	spot.c		is it a stream of frames? For auto
 */
#ifndef WSNTOP_WIRE_WSN_WSN_H
#define WSNTOP_WIRE_WSN_WSN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	WSN_VERSION = 1, WSN_STATUS_FIELDS = 17, WSN_FRAME_MAX = 257, WSN_BLOCK_MAX = 254,
	WSN_COMMAND_MAX = 16,
};

enum wsn_type {
	WSN_HELLO = 1, WSN_STATUS, WSN_SITES, WSN_ARCS, WSN_PCS, WSN_CLOSED_ARCS, WSN_CLOSED_PCS,
	WSN_NAME, WSN_LOST, WSN_IDENTITY, WSN_TRACE, WSN_TRACING,
	WSN_START = 16, WSN_STOP, WSN_RESET, WSN_ALL, WSN_HZ, WSN_SELECT, WSN_PERIOD, WSN_REPORT,
};

enum wsn_feature {
	WSN_F_TIMED = 0x001, WSN_F_MINMAX = 0x002, WSN_F_HISTOGRAM = 0x004, WSN_F_CODED = 0x008,
	WSN_F_TAKEN_BACK = 0x010, WSN_F_ARCS = 0x020, WSN_F_PCS = 0x040, WSN_F_RECEIVE = 0x080,
	WSN_F_RUNNING = 0x100, WSN_F_ISR = 0x200, WSN_F_SITES = 0x400,
	WSN_F_OWN_ISR = 0x800, WSN_F_MISSED = 0x1000, WSN_F_TRACE = 0x2000,
};

enum wsn_arch { WSN_ARCH_AVR = 1, WSN_ARCH_AVR22, WSN_ARCH_ARMV6M, WSN_ARCH_ARMV7M };

uint16_t wsn_crc(const uint8_t *data, size_t n);

/*
 * The same four bytes at a time, for who does much of it. step[k]: a byte's effect k bytes later.
 */
struct wsn_crc_steps {
	uint16_t step[4][256];
};
void wsn_crc_init(struct wsn_crc_steps *t);
uint16_t wsn_crc_fast(const struct wsn_crc_steps *t, const uint8_t *data, size_t n);

/*
 * COBS. Encode: bytes written, n + 1, n at most WSN_BLOCK_MAX. Decode: bytes, or 0 when it does not
 * come out.
 */
size_t wsn_cobs_encode(uint8_t *dst, const uint8_t *src, size_t n);
size_t wsn_cobs_decode(uint8_t *dst, const uint8_t *src, size_t n);

/*
 * What lies between two zeros: head, seq and body at dst (WSN_BLOCK_MAX bytes), the CRC behind
 * them, when COBS comes out and the CRC fits; the length without the CRC, or 0: it is no frame.
 * `steps` may be NULL.
 */
size_t wsn_unwrap(const struct wsn_crc_steps *steps, uint8_t *dst, const uint8_t *src, size_t n);

/*
 * The way back: the CRC is put behind the block's n bytes (head, seq, body), where two more have
 * room, and a whole frame at dst, its zeros included (WSN_FRAME_MAX bytes). Its length.
 */
size_t wsn_wrap(uint8_t *dst, uint8_t *block, size_t n);

/* "AVR", "ARMv6-M": enum wsn_arch in words. */
const char *wsn_arch_name(uint8_t arch);

struct wire_hello;

/* Is this frame (head, seq, body) a HELLO that makes sense? */
bool wsn_is_hello(const uint8_t *frame, size_t n);

/* May what lies between two zeros be a HELLO? By its first bytes, without decoding it. */
static inline bool wsn_may_be_hello(const uint8_t *coded, size_t n)
{
	return n > 2 && coded[0] > 1 && (coded[1] & 0x1f) == WSN_HELLO;
}

/* The first HELLO of `data`, whole frames. False: there is none of this version. */
bool wsn_first_hello(struct wire_hello *hello, const uint8_t *data, size_t n);

/*
 * Finds frames in a stream of any kind: the first HELLO, or two frames that may follow one another.
 * Starts zeroed.
 */
struct wsn_spotter {
	uint8_t segment[WSN_BLOCK_MAX + 1];	/* since the last zero; when found, the frame that
						 * settled it */
	size_t len;
	bool over;				/* too long for a frame */
	uint8_t first[WSN_BLOCK_MAX + 1];	/* the first frame, coded; with `frames` */
	size_t first_len;
	uint8_t head[2];			/* its head and seq */
	unsigned frames;			/* 1: one frame was seen, another is waited for */
	bool hello;				/* found by a HELLO */
};

/* Bytes looked at: all, or up to and with the zero that settles it, *found then. */
size_t wsn_spot(struct wsn_spotter *s, const uint8_t *data, size_t n, bool *found);

/*
 * A command's frame, delimiters included: its length. dst has WSN_COMMAND_MAX bytes. `arg`: as the
 * type has one. 0: the type is no command.
 */
size_t wsn_command(uint8_t *dst, enum wsn_type type, uint8_t seq, uint16_t arg);

/* Bytes of the command's frame that `data` begins with, delimiters included; 0: it is none. */
size_t wsn_command_length(const uint8_t *data, size_t n);

#endif
