/*
 * identity: is this ELF the firmware that runs? The flash contents that it makes, and its
 * build-id, compared with the node's identity (docs/PROTOCOL.md, 4).
 *
 * Read whole when the image is opened: a rebuild may overwrite the file under us. Segments lie at
 * their load addresses, so that AVR's .data counts where it is kept in flash.
 */
#ifndef WSNTOP_IMAGE_IDENTITY_H
#define WSNTOP_IMAGE_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/wire/wire.h"

/* Bytes of the file at a load address. */
struct identity_part {
	uint64_t address, size;
	uint64_t offset;		/* in `bytes` */
	bool code;
	bool ram;			/* the program changes it: never in flash */
};

enum { IDENTITY_BUILD_ID_MAX = 64 };

struct identity {
	uint8_t *bytes;			/* of all segments, one after the other */
	struct identity_part *segments;	/* by address, without overlaps */
	size_t segment_count;
	struct identity_part *sections;	/* likewise: segments without the linker's filling */
	size_t section_count;
	uint8_t build_id[IDENTITY_BUILD_ID_MAX];
	size_t build_id_size;		/* 0: it has none */
};

enum identity_verdict {
	IDENTITY_UNKNOWN,		/* the node has not sent its identity */
	IDENTITY_SAME,
	IDENTITY_UNSURE,		/* it fits, or may, but its checksum covers too little */
	IDENTITY_OTHER,
};

/* Read an ELF's. 0, or negative with the sentence; release in both cases. */
int identity_read(struct identity *id, const char *path, struct err *err);
void identity_release(struct identity *id);	/* one that is all zero holds nothing */

/*
 * A checksum that fits is not enough: another build may differ behind its end. Below 90 % of the
 * bytes that identity_coverage() counts, the verdict is UNSURE; so is it for a checksum that does
 * not fit and begins before the ELF's first byte, as where a bootloader lies. Of blocks, half must
 * be the ELF's, and all of these equal.
 */
enum identity_verdict identity_compare(const struct identity *id, const struct wire_identity *said);

/*
 * What the ELF has in flash, and how much of that the node's checksum covers. Counted are the flash
 * (a block of 16 MB) where the checksum starts, and code in other memories; not data in an external
 * flash, whose change moves no name, nor what is loaded into RAM.
 */
struct identity_coverage {
	uint64_t loaded, covered;	/* bytes */
	uint64_t before;		/* that the checksum starts before the first of them */
};
struct identity_coverage identity_coverage(const struct identity *id,
					   const struct wire_identity *said);

/*
 * The checksum over flash [start, start + length). `fill`: the bytes between the parts: 0xff as in
 * flash erased before, 0 as objcopy -O binary puts there. Its cost is that of the parts, however
 * long the range.
 */
struct identity_sum {
	uint16_t a, b;
};
struct identity_sum identity_sum(const struct identity *id, const struct identity_part *parts,
				 size_t count, uint32_t start, uint32_t length, uint8_t fill);

/*
 * "1234abcd" as the node sent it, "" of blocks; "checksum 1234abcd", "build-id 0011...", "no
 * build-id", "3 of 64 blocks of its code differ" as the ELF has it.
 */
void identity_text(const struct wire_identity *said, char *dst, size_t size);
/* Why the verdict is UNSURE: "its checksum covers 7608 of 73700 bytes". */
void identity_doubt(const struct identity *id, const struct wire_identity *said, char *dst,
		    size_t size);
void identity_own_text(const struct identity *id, const struct wire_identity *said, char *dst,
		       size_t size);

#endif
