/*
 * cfi: what the unwinder's directives have told so far, so that a stub behind the function can tell
 * the state of the place that it stands for.
 */
#ifndef WSNTOP_FILTER_CFI_H
#define WSNTOP_FILTER_CFI_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/filter/statement.h"

#define CFI_REGISTERS 16		/* r0 to r15; others: the state is unknown from there on */
#define CFI_REMEMBERED 8		/* deeper: unknown */

enum cfi_rule { CFI_SAME, CFI_OFFSET, CFI_REGISTER };

struct cfi {
	bool open;			/* between .cfi_startproc and .cfi_endproc */
	bool unknown;			/* a directive was not understood */
	uint8_t base;			/* register of the frame's address */
	int32_t offset;
	uint8_t rule[CFI_REGISTERS];
	int32_t value[CFI_REGISTERS];
};

struct cfi_reader {
	struct cfi now;
	struct cfi kept[CFI_REMEMBERED];
	unsigned depth;
};

/* One directive; others than .cfi_* change nothing. `base`: the frame's register at the start. */
void cfi_read(struct cfi_reader *r, struct piece op, struct piece args, uint8_t base);
bool cfi_equal(const struct cfi *a, const struct cfi *b);

/* Directives that lead from one state to another; nothing unless both are known. */
void cfi_write(struct buf *out, const struct cfi *from, const struct cfi *to);

#endif
