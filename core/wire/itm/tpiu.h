/*
 * itm/tpiu: frames of ARM's Trace Port Interface Unit, which mix the bytes of up to 111 streams.
 *
 * Source: ARM CoreSight Architecture Specification (IHI 0029), "Trace formatter". A frame has 16
 * bytes: of the first 15, those at even places hold data, or with bit 0 set the id of the stream
 * from there on; the last one has bit 0 of each of them, or for an id: whether it holds from the
 * next byte but one. FF FF FF 7F stands between frames and tells where they begin, FF 7F fills up;
 * a pin that one program alone uses may have neither.
 */
#ifndef WSNTOP_WIRE_ITM_TPIU_H
#define WSNTOP_WIRE_ITM_TPIU_H

#include <stddef.h>
#include <stdint.h>

enum { TPIU_FRAME = 16, TPIU_DATA = 15 };

struct tpiu_piece {
	uint8_t stream;			/* 0: of none */
	uint8_t byte;
};

/* Zeroed at the first byte of a frame. */
struct tpiu {
	uint8_t frame[TPIU_FRAME];
	uint8_t have;
	uint8_t stream;
	uint32_t last;			/* four bytes */
	uint64_t frames, syncs;
	uint64_t dropped;		/* bytes of frames that a synchronization cut short */
};

/* A byte; returns how many bytes of streams came with it: 0, or those of a frame. */
size_t tpiu_take(struct tpiu *t, uint8_t byte, struct tpiu_piece out[TPIU_DATA]);

#endif
