/*
 * gprof/state: what the pieces of the gprof decoder share. Private to core/wire/gprof.
 *
 *	feed -> sym[] --+-> fast.c   in step: packets whose successor is plausible too
 *	                +-> parse.c  out of step: the best reading of a window
 *	                +-> gap.c    what is in no packet: console text, or bad
 *	                    grade.c  how plausible one packet is
 *	                    probe.c  the width of the addresses
 *
 * A symbol is a byte, in gprof-hex a digit: all positions and lengths count symbols, so that a lost
 * digit shifts what follows by half a byte and is found like a lost byte.
 */
#ifndef WSNTOP_WIRE_GPROF_STATE_H
#define WSNTOP_WIRE_GPROF_STATE_H

#include "core/wire/decoder.h"
#include "core/wire/gprof/gprof.h"

enum {
	GPROF_BATCH = 256,			/* events handed on at a time */
	GPROF_BUFFER = 8192,			/* symbols kept at most */
	GPROF_SPAN = 2 * GPROF_PROBE_BYTES,	/* longest window in symbols */
	GPROF_WINDOW = 12,			/* window out of step, in arcs ... */
	GPROF_STRIDE = 6,			/* ... of which so much is settled at a time */
	GPROF_KNOWN = 2048,			/* slots of each table of packets seen before */
	GPROF_BARE_MIN = 12,			/* packets to say that the image is wrong */
	GPROF_GAP = 256,			/* symbols of a gap looked at together */
	GPROF_TEXT_MIN = 4,			/* fewer printable bytes in a row are chance */
	GPROF_TEXT_LINE = 12,			/* as many are no addresses either */
	GPROF_NOT_HEX = 0xff,			/* a symbol that is no hex digit */
	GPROF_SPACE = 0xfe,			/* white space: never a symbol */
};

/*
 * How plausible a packet is, and what the best reading of a window maximises the sum of. A gap
 * costs GPROF_COST_GAP however long it is: the bytes of a damaged packet say nothing, so that their
 * number must not speak for one reading or the other. Of two readings worth the same the one with
 * the gap first wins: that an intact packet follows is likelier than that its head fits a torn one
 * by chance.
 */
enum gprof_grade {
	GRADE_NONE = 0,				/* no packet */
	GRADE_WEAK = 1,				/* counts only in frame */
	GRADE_LIKELY = 2,			/* no image to ask: well-formed */
	GRADE_DOUBT = 3,			/* of the right kind, but the call goes elsewhere */
	GRADE_FAIR = 4,				/* the addresses are of the right kind */
	GRADE_GOOD = 5,				/* and exact */
	GRADE_KNOWN = 6,			/* and were seen before, or belong together */
	GPROF_COST_GAP = 3,
	GPROF_COST_TEXT = 1,			/* a gap that begins with console text */
	GPROF_COST_EDGE = 2,			/* more, for a gap right behind a weak packet */
};

/* Packets seen in step: direct-mapped tables, and the 256-byte pages that addresses came from. */
struct gprof_known {
	uint64_t arc[GPROF_KNOWN];		/* from << 32 | to */
	uint32_t pc[GPROF_KNOWN];
	uint32_t page[65536 / 32];		/* bitmap over a hash; used without an image */
};

/* How to look at symbols. */
struct gprof_lens {
	unsigned width;				/* bytes an address */
	unsigned unit;				/* symbols a byte: 1, hex 2 */
	const struct codemap *code;		/* NULL: none */
	const struct gprof_known *known;	/* NULL: nothing seen yet */
};

enum gprof_kind {
	KIND_NONE,
	KIND_ARC,
	KIND_PC,
	KIND_PART,				/* of either, cut off by the window's end */
};

struct gprof_packet {
	enum gprof_kind kind;			/* KIND_ARC or KIND_PC */
	uint32_t a;				/* from, or the PC; as on the wire */
	uint32_t to;
};

/*
 * The best reading of a window, as scores: a packet at i, or i in a gap, and the best of the rest.
 */
struct gprof_parse {
	size_t n;
	int16_t packet[GPROF_SPAN + 1];
	int16_t gap[GPROF_SPAN + 1];
	uint8_t kind[GPROF_SPAN + 1];
	uint8_t grade[GPROF_SPAN + 1];
	uint8_t text[GPROF_SPAN + 1];		/* a run of text begins here */
};

enum gprof_mode { MODE_MORE, MODE_SILENT, MODE_END };	/* what comes behind the buffer */

struct gprof_gap {
	bool open;				/* out of step at the buffer's start */
	bool in_text;				/* the run of text before hold[0] goes on */
	size_t len, bad;			/* symbols so far */
	size_t held;
	uint8_t hold[GPROF_GAP];		/* characters not yet sorted into text and bad */
	uint8_t space[GPROF_GAP];
};

struct gprof {
	struct wire wire;
	struct gprof_lens lens;
	bool forced;				/* the width was given */
	bool settled;				/* lens.width and lens.code are decided */
	size_t probed;				/* symbols at the last attempt to find it */
	size_t astray;				/* symbols of noise in a row */
	struct gprof_gap gap;
	struct gprof_known known;

	size_t have;
	uint8_t space_next;
	uint8_t sym[GPROF_BUFFER];
	uint8_t raw[GPROF_BUFFER];		/* hex: the character, ... */
	uint8_t space[GPROF_BUFFER];		/* ... and the white space before it, 0: none */

	size_t num_arcs, num_pcs;
	struct wire_arc arcs[GPROF_BATCH + 1];	/* one more: the fast loop's last is not certain */
	uint32_t pcs[GPROF_BATCH + 1];
};

static inline size_t gprof_arc_len(const struct gprof_lens *l)
{
	return l->unit * (1 + 2 * l->width);
}

static inline size_t gprof_pc_len(const struct gprof_lens *l)
{
	return l->unit * (1 + l->width);
}

/* 'A', 'P', or something else. */
static inline unsigned gprof_marker(const uint8_t *s, unsigned unit)
{
	return unit == 1 ? s[0] : (unsigned)s[0] << 4 | s[1];
}

/* An address; *bad gets bits above 0x0f when a symbol is no hex digit. */
static inline uint32_t gprof_address(const uint8_t *s, unsigned width, unsigned unit, unsigned *bad)
{
	uint32_t v = 0;

	if (unit == 1) {
		for (unsigned i = 0; i < width; i++)
			v = v << 8 | s[i];
		return v;
	}
	for (unsigned i = 0; i < 2 * width; i++) {
		*bad |= s[i];
		v = v << 4 | (s[i] & 15u);
	}
	return v;
}

/*
 * The bits of all code addresses above those that `width` bytes hold: nodes may leave them off (a
 * runtime like the gprof thesis' with 3-byte addresses on an STM32, with flash at 0x08000000).
 */
static inline uint32_t gprof_high(const struct codemap *code, unsigned width)
{
	uint64_t low = (UINT64_C(1) << 8 * width) - 1;

	if (!code || !code->size || ((code->base ^ (code->base + code->size - 1)) & ~low))
		return 0;
	return (uint32_t)(code->base & ~low);
}

static inline uint64_t gprof_arc_key(uint32_t from, uint32_t to)
{
	return (uint64_t)from << 32 | to;
}

/* Multiplicative hashes; the top bits are the good ones. */
static inline unsigned gprof_arc_slot(uint64_t key)
{
	return (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> 53);
}

static inline unsigned gprof_pc_slot(uint32_t pc)
{
	return pc * 0x9e3779b9u >> 21;
}

static inline unsigned gprof_page(uint32_t address)
{
	return (address >> 8) * 0x9e3779b9u >> 16;
}

static inline bool gprof_page_known(const struct gprof_known *k, uint32_t address)
{
	unsigned page = gprof_page(address);

	return k->page[page / 32] >> page % 32 & 1;
}

static inline void gprof_pc_learn(struct gprof_known *k, uint32_t pc)
{
	k->pc[gprof_pc_slot(pc)] = pc;
}

/* Events carry addresses without the Thumb bit, where there is one. */
static inline uint32_t gprof_address_mask(const struct codemap *code)
{
	return code && code->arch == CODE_ARM ? ~UINT32_C(1) : ~UINT32_C(0);
}

/* grade.c */
void gprof_known_init(struct gprof_known *k);
void gprof_learn(struct gprof_known *k, const struct gprof_packet *packet);
unsigned gprof_parity(const struct codemap *code);	/* 1: instructions are even addresses */
enum gprof_grade gprof_grade_arc(const struct gprof_lens *l, uint32_t from, uint32_t to);
enum gprof_grade gprof_grade_pc(const struct gprof_lens *l, uint32_t pc);

/* parse.c. False: a symbol is no hex digit. */
bool gprof_unpack(struct gprof_packet *packet, const struct gprof_lens *l, const uint8_t *s,
		  enum gprof_kind kind);

/* `more`: the window's end is not the stream's. */
void gprof_parse(struct gprof_parse *p, const struct gprof_lens *l, const uint8_t *s, size_t n,
		 bool more);

/* Where one is in reading a window. */
struct gprof_cursor {
	size_t at;
	bool in_gap;
	enum gprof_grade last;			/* of the packet before, unless in a gap */
};

/* What the best reading has at the cursor; KIND_NONE: a symbol of a gap. */
enum gprof_kind gprof_read(const struct gprof_parse *p, const struct gprof_cursor *c);
void gprof_advance(const struct gprof_parse *p, const struct gprof_lens *l, struct gprof_cursor *c,
		   enum gprof_kind kind);

/*
 * fast.c: packets in step from s on, while each is plausible and followed by another that is.
 * Returns how many symbols they take.
 */
size_t gprof_fast(struct gprof *g, const uint8_t *s, size_t n);

/* gap.c. `at` is a position in sym[]. */
void gprof_gap_add(struct gprof *g, size_t at);
void gprof_gap_close(struct gprof *g, size_t at);	/* a packet begins there, or nothing does */
void gprof_gap_show(struct gprof *g);			/* the line is silent: text need not wait */
static inline bool gprof_is_text(uint8_t c)
{
	return (c >= 0x20 && c <= 0x7e) || c == '\n' || c == '\r' || c == '\t' || c == '\033';
}

size_t gprof_text_len(const uint8_t *s, size_t n);	/* bytes of a gap in runs of text */

/*
 * probe.c: what reads a prefix of at most GPROF_SPAN symbols best: a width (of l->width
 * alone, unless that is 0), and the image, unless the stream reads well only without it: then it is
 * not the firmware that runs, and that must be shown, not hidden by taking every packet for damage.
 */
struct gprof_found {
	unsigned width;				/* 0: none */
	int score, second;			/* of the best reading by it; by the next width */
	size_t packets, fair, sure;		/* in step; GRADE_FAIR or better; not in text */
	size_t in_step, text, n;		/* symbols */
	const struct codemap *code;		/* NULL: no image, or it is another firmware's */
	unsigned in_code;			/* percentage of packets that fit the image */
};
void gprof_find(struct gprof_found *f, const struct gprof_lens *l, const uint8_t *s, size_t n);
void gprof_learn_prefix(struct gprof_known *k, const struct gprof_lens *l, const uint8_t *s,
			size_t n);

/* probe.c: a hex digit's value, or GPROF_SPACE, or GPROF_NOT_HEX. */
extern const uint8_t gprof_digit[256];

/* gprof.c: hand the first n events to the sink. */
void gprof_emit_arcs(struct gprof *g, size_t n);
void gprof_emit_pcs(struct gprof *g, size_t n);

#endif
