/*
 * wsnprof_layout: the sender's structs and numbers, for C and for a chip's assembly (AVR:
 * target-avr/wsnprof_send.S). For the runtime's own files. The chip's WSNPROF_TABLES and
 * WSNPROF_ASSEMBLY (wsnprof_send.h), and WSNPROF_ASIDE, are defined before this file is included.
 */
#ifndef WSNPROF_LAYOUT_H
#define WSNPROF_LAYOUT_H

#include "wsnprof_defaults.h"
#include "wsnprof_struct.h"

/* Slots of all tables, and a type that counts them. */
#define WSNPROF_PLUS(type, slots) + (slots)
#define WSNPROF_SLOTS (0 WSNPROF_TABLES(WSNPROF_PLUS))
#ifndef __ASSEMBLER__
#if WSNPROF_SLOTS > 255
typedef uint16_t wsnprof_slot;
#else
typedef uint8_t wsnprof_slot;
#endif
#elif WSNPROF_SLOTS > 255
#define WSNPROF_SIZE_wsnprof_slot 2
#else
#define WSNPROF_SIZE_wsnprof_slot 1
#endif

/* A frame: delimiter, COBS's byte, head, seq; the body; CRC and delimiter. */
#define WSNPROF_HEAD 4
#define WSNPROF_BODY_END (WSNPROF_FRAME - 3)

/* What leaves the node: see wsnprof_ring.h. */
WSNPROF_STRUCT(ring)
	/* of the frame that is going out; 0: none, it may be written */
	WSNPROF_VOLATILE(ring, uint8_t, end)
	WSNPROF_MEMBER(ring, uint8_t, at)		/* its next byte */
	WSNPROF_MEMBER(ring, uint8_t, seq)		/* of the next frame */
#if WSNPROF_RING > 0
	WSNPROF_VOLATILE(ring, uint8_t, head)		/* of the text */
	WSNPROF_VOLATILE(ring, uint8_t, tail)
	WSNPROF_MEMBER(ring, uint8_t, stop)		/* the tail at which it is sent */
	WSNPROF_ARRAY(ring, uint8_t, text, WSNPROF_RING)
#endif
	WSNPROF_ARRAY(ring, uint8_t, frame, WSNPROF_FRAME)
WSNPROF_STRUCT_END(ring)

/*
 * The steps of a refresh. It begins with the identity, every fourth one with HELLO, which has it.
 * The last three are passes over the tables, less one their lower two bits enum wsnprof_want's;
 * each goes once around from where the pass before stopped. SPARE stops after
 * WSNPROF_SPARE_FRAMES: in turn it sends every row, changed or not, which bounds the age of every
 * row, however slow the line.
 */
#define WSNPROF_SEND_HELLO 0
#define WSNPROF_SEND_NAME 1
#define WSNPROF_SEND_IDENTITY 2
#define WSNPROF_SEND_STATUS 3
#define WSNPROF_SEND_SPARE 4
#define WSNPROF_SEND_HOT 5
#define WSNPROF_SEND_DIRTY 6
#if WSNPROF_TRACE
#define WSNPROF_SENT 4			/* there are no rows */
#else
#define WSNPROF_SENT 7
#endif

WSNPROF_STRUCT(node)
	WSNPROF_MEMBER(node, bool, running)
	WSNPROF_MEMBER(node, uint8_t, step)		/* the next: WSNPROF_SEND_... */
	WSNPROF_MEMBER(node, uint8_t, refreshes)	/* every fourth sends HELLO */
	WSNPROF_MEMBER(node, uint8_t, spare)		/* frames left of SPARE */
	/*
	 * The next slot to look at, of all tables'. SPARE has its own, the second: it sends in turn
	 * the rows that the other passes skip while they send hot ones.
	 */
	WSNPROF_ARRAY(node, wsnprof_slot, cursor, 2)
	WSNPROF_MEMBER(node, wsnprof_slot, left)	/* slots that this pass has not seen */
	WSNPROF_MEMBER(node, uint16_t, last)		/* wsnprof_pace() at the last refresh */
#if WSNPROF_RECEIVE
	WSNPROF_MEMBER(node, uint16_t, period)
	WSNPROF_MEMBER(node, uint8_t, select)		/* SELECT's bits */
#endif
#if WSNPROF_ARCS > 0 || WSNPROF_PCS > 0
	/* the refresh before was not finished in time: the line is slow */
	WSNPROF_MEMBER(node, bool, late)
	/* the last frame was the chip's: the sender's turn, if it has one */
	WSNPROF_MEMBER(node, bool, yield)
#endif
WSNPROF_STRUCT_END(node)

/*
 * Which program this is (PROTOCOL, section 4): a kind, and 12 bytes as HELLO has them. The checksum
 * is computed in slices, one per poll, and the kind is set when it is complete. A build-id
 * overwrites the 12 bytes.
 */
WSNPROF_STRUCT(identity)
	WSNPROF_MEMBER(identity, uint8_t, kind)
#ifndef WSNPROF_ASSEMBLY
	WSNPROF_MEMBER(identity, uint32_t, start)	/* else 0: it is sent, but not kept */
#endif
	/* bytes summed up so far: 4 bytes with the padding */
#ifdef __ASSEMBLER__
	WSNPROF_MEMBER(identity, uint32_t, length)
#else
	WSNPROF_MEMBER(identity, wsnprof_flash_address, length)
	WSNPROF_ARRAY(identity, uint8_t, pad, 4 - sizeof(wsnprof_flash_address))
#endif
	WSNPROF_MEMBER(identity, uint16_t, a)
	WSNPROF_MEMBER(identity, uint16_t, b)
WSNPROF_STRUCT_END(identity)

#define WSNPROF_IDENTITY_BYTES 12

/* HELLO (PROTOCOL, section 4), first part: constants, and fields that are 0 in flash. */
WSNPROF_STRUCT(hello_rom)
	WSNPROF_MEMBER(hello_rom, uint8_t, version)
	WSNPROF_MEMBER(hello_rom, uint8_t, arch)
	WSNPROF_MEMBER(hello_rom, uint8_t, features_low)
	WSNPROF_MEMBER(hello_rom, uint8_t, features_high)
	WSNPROF_MEMBER(hello_rom, uint8_t, unit)
	WSNPROF_MEMBER(hello_rom, uint8_t, histogram)
	WSNPROF_MEMBER(hello_rom, uint32_t, rate)
	WSNPROF_MEMBER(hello_rom, uint16_t, hz)
	WSNPROF_MEMBER(hello_rom, uint16_t, cost)
	WSNPROF_MEMBER(hello_rom, int16_t, skew)
	WSNPROF_MEMBER(hello_rom, uint16_t, spread)
	WSNPROF_MEMBER(hello_rom, uint16_t, sites)
	WSNPROF_MEMBER(hello_rom, uint16_t, levels)
	WSNPROF_MEMBER(hello_rom, uint16_t, arcs)
	WSNPROF_MEMBER(hello_rom, uint16_t, pcs)
	WSNPROF_MEMBER(hello_rom, uint32_t, base)
	WSNPROF_MEMBER(hello_rom, uint32_t, id)
WSNPROF_PACKED_END(hello_rom)

/* Tasks have shadow stacks. Poll's fields of STATUS, as 0 where no time is taken, before theirs. */
#define WSNPROF_TASK_STACKS (WSNPROF_TASKS && WSNPROF_SITES > 0 && WSNPROF_LEVEL > 0)
#define WSNPROF_COUNTS_POLL (WSNPROF_ASIDE || WSNPROF_TASK_STACKS)

/*
 * STATUS, field by field, without those that nothing can count here: they are sent as 0. The chip's
 * half increments its own under its lock; `run` is the last result of wsnprof_port_run().
 */
WSNPROF_STRUCT(counts)
	WSNPROF_ARRAY(counts, uint32_t, run, 2)
#if WSNPROF_SITES > 0
	WSNPROF_MEMBER(counts, uint32_t, isr_low)
	WSNPROF_MEMBER(counts, uint32_t, isr_high)
	WSNPROF_MEMBER(counts, uint32_t, stack_full)
	WSNPROF_MEMBER(counts, uint32_t, table_full)
	WSNPROF_MEMBER(counts, uint32_t, cut)
#endif
	WSNPROF_MEMBER(counts, uint32_t, text)		/* the ring's */
#if WSNPROF_SITES > 0
	WSNPROF_MEMBER(counts, uint32_t, carries)
#endif
#if WSNPROF_RECEIVE
	WSNPROF_MEMBER(counts, uint32_t, command)	/* the receiver's */
#endif
#if WSNPROF_ARCS > 0 || WSNPROF_PCS > 0
	WSNPROF_MEMBER(counts, uint32_t, arcs_lost)
	WSNPROF_MEMBER(counts, uint32_t, pcs_lost)
	WSNPROF_MEMBER(counts, uint32_t, arcs_closed)
	WSNPROF_MEMBER(counts, uint32_t, pcs_closed)
#endif
#if WSNPROF_COUNTS_POLL
	WSNPROF_MEMBER(counts, uint32_t, poll_low)	/* wsnprof_poll()'s */
	WSNPROF_MEMBER(counts, uint32_t, poll_high)
#endif
#if WSNPROF_TASK_STACKS
	WSNPROF_MEMBER(counts, uint32_t, no_stack)	/* wsnprof_switch()'s */
#endif
WSNPROF_STRUCT_END(counts)
#define WSNPROF_COUNTS_ABSENT ((WSNPROF_SITES > 0 ? 0 : 0x17c) | (WSNPROF_RECEIVE ? 0 : 0x200) | \
	(WSNPROF_ARCS > 0 || WSNPROF_PCS > 0 ? 0 : 0x3c00))

#endif
