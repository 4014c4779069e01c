/* itm/framing: see framing.h. */
#include "core/wire/itm/framing.h"

#include "core/wire/itm/packet.h"
#include "core/wire/itm/tpiu.h"

enum {
	STREAMS = 4,			/* of a TPIU, looked at together */
	SCORE_SURE = 24,		/* so much, */
	SCORE_AHEAD = 8,		/* and so much more than the next best */
	POINTS_PC = 4, POINTS_NO_PC = -8, POINTS_NEAR = 2, POINTS_FAR = -2,
	POINTS_TEXT = 1,
	PAGE_SHIFT = 16,		/* PCs that no image has: a program's are near each other */
	EXCEPTIONS = 256,
};

/* How likely a packet is one that was sent; what hangs on its contents stands in packet_points. */
static const int8_t kind_points[ITM_KINDS] = {
	[ITM_SLEEP] = 1, [ITM_EXCEPTION] = 2, [ITM_LOCAL_TIME] = 1, [ITM_GLOBAL_TIME] = 1,
	[ITM_EXTENSION] = -1, [ITM_SYNC] = 16, [ITM_RESERVED] = -8,
};

/* One stream of a reading. */
struct reading {
	struct itm_parser parser;
	int score;
	unsigned pcs, in_code;
	uint32_t page;			/* of the last PC that no image has */
	uint8_t stream;
	int place;			/* in a frame, behind the last byte; FRAMING_RAW */
};

/* A vendor's ROM, a radio's stack and a boot loader are in no image; what is odd is nowhere. */
static int pc_points(struct reading *r, uint32_t pc, const struct codemap *code)
{
	uint32_t page = r->page;

	r->pcs++;
	if (pc & 1)
		return POINTS_NO_PC;
	if (code && code_flags(code, pc) & CODE_TEXT) {
		r->in_code++;
		return POINTS_PC;
	}
	r->page = pc >> PAGE_SHIFT;
	return r->page == page ? POINTS_NEAR : POINTS_FAR;
}

static int packet_points(struct reading *r, const struct itm_packet *k, const struct codemap *code)
{
	switch (k->kind) {
	case ITM_PC:
	case ITM_DATA_PC:
		return pc_points(r, (uint32_t)k->value, code);
	case ITM_STIMULUS:
		if (k->id > 1)
			return -1;
		return k->size == 1 && k->value >= ' ' && k->value < 0x7f ? POINTS_TEXT : 0;
	case ITM_EXCEPTION:
		return k->value < EXCEPTIONS ? kind_points[k->kind] : POINTS_NO_PC;
	default:
		return kind_points[k->kind];
	}
}

static void reading_take(struct reading *r, uint8_t byte, const struct codemap *code)
{
	struct itm_packet packet;

	if (itm_parse(&r->parser, byte, &packet))
		r->score += packet_points(r, &packet, code);
}

/* The best stream of one reading of these bytes. */
static struct reading reading_raw(const uint8_t *p, size_t n, const struct codemap *code)
{
	struct reading r = { .place = FRAMING_RAW };

	for (size_t i = 0; i < n; i++)
		reading_take(&r, p[i], code);
	r.score -= (int)r.parser.skipped;
	return r;
}

static struct reading reading_framed(const uint8_t *p, size_t n, const struct codemap *code)
{
	struct reading streams[STREAMS] = { { .stream = 0 } }, *best = &streams[0];
	struct tpiu tpiu = { .have = 0 };
	struct tpiu_piece pieces[TPIU_DATA];
	size_t used = 0;

	for (size_t i = 0; i < n; i++) {
		size_t count = tpiu_take(&tpiu, p[i], pieces);

		for (size_t k = 0; k < count; k++) {
			size_t s = 0;

			while (s < used && streams[s].stream != pieces[k].stream)
				s++;
			if (s == STREAMS || !pieces[k].stream)
				continue;
			used += s == used;
			streams[s].stream = pieces[k].stream;
			reading_take(&streams[s], pieces[k].byte, code);
		}
	}
	for (size_t s = 0; s < used; s++) {
		streams[s].score -= (int)streams[s].parser.skipped;
		if (streams[s].score > best->score)
			best = &streams[s];
	}
	best->place = tpiu.have;
	return *best;
}

/* Readings that synchronizations brought to the same place are one, and no rivals. */
bool itm_framing_find(struct itm_framing *f, const uint8_t *p, size_t n, const struct codemap *code)
{
	int place = FRAMING_RAW;

	*f = (struct itm_framing){ .score = INT32_MIN, .second = INT32_MIN };
	for (int phase = FRAMING_RAW; phase < TPIU_FRAME && phase < (int)n; phase++) {
		struct reading r;

		if (phase == FRAMING_RAW)
			r = reading_raw(p, n, code);
		else
			r = reading_framed(p + phase, n - (size_t)phase, code);
		if (r.score > f->score) {
			int second = r.place == place ? f->second : f->score;

			*f = (struct itm_framing){ phase, r.stream, r.score, second, r.pcs,
						   r.in_code };
			place = r.place;
		} else if (r.place != place && r.score > f->second) {
			f->second = r.score;
		}
	}
	return f->score >= SCORE_SURE && f->score >= f->second + SCORE_AHEAD;
}
