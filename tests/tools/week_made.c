/*
 * week_made: a recording of days of a busy wsn node in compressed time, whose counters wrap
 * (wsn_made.h): an AVR's 24-bit calls and buckets and 32-bit totals, 32-bit arcs, PCs and sums of
 * closed counts, 8-bit sequence numbers; with -e, the 16-bit epoch too.
 *
 *	week_made [-d DAYS] [-s SITES] [-r BYTES_PER_S] [-c CALLS] [-n COUNT] [-m]
 *		  [-e RESETS] [-t TRUTH] [-o FILE] FILE
 *
 * FILE "-" is standard output. 7 days, 300 sites, 11,520 bytes a second (115,200 baud, 8N1: 7 GB),
 * up to CALLS (2,000) calls of the busiest site between two of its rows, and up to COUNT (2^29) of
 * an arc or a PC: such sums of closed counts pass 2^40, behind which there are no keys. -m: a
 * Cortex-M, whose calls have 32 bits. -e: the node resets so often; the epoch begins at 65,534.
 *
 * TRUTH gets what was counted in the last epoch, in 64 bits; before each reset TRUTH.N has the
 * Nth's, with its end in "at SECONDS". -o: a line for each day that was written, in FILE.
 */
#include <unistd.h>

#include "core/link/record.h"
#include "tests/tools/wsn_made.h"

enum {
	CHUNK = 1000, DAY = 86400, EPOCH = 65534, SLOW = 2000, REFRESHES_PER_HELLO = 4,
	PATH_SIZE = 4096,
};

static const uint64_t wall = UINT64_C(1767312000000000000);	/* 2026-01-02 00:00:00 UTC */

struct week {
	struct made_node node;
	FILE *out, *days;
	double rate;
	uint64_t bytes, all, refresh_at, reset_at, epoch_at;	/* of the stream */
	unsigned refreshes, day, resets;
	uint8_t chunk[WSN_FRAME_MAX + CHUNK];
	size_t chunk_n;
};

static double week_seconds(const struct week *w)
{
	return (double)w->bytes / w->rate;
}

static void chunk_end(struct week *w)
{
	uint8_t made[RECORD_CHUNK_MAX];
	size_t n = record_chunk(made, (uint64_t)(week_seconds(w) * 1e9), w->chunk, w->chunk_n);

	if (w->chunk_n && fwrite(made, 1, n, w->out) != n) {
		perror("week_made");
		exit(1);
	}
	w->chunk_n = 0;
}

/* Chunks end in the middle of frames, as on a line; where it is slow, no silence is there. */
static void frame_put(void *ctx, const uint8_t *bytes, size_t n)
{
	struct week *w = ctx;

	if (w->rate < SLOW && w->chunk_n + n > CHUNK)
		chunk_end(w);
	for (size_t i = 0; i < n; i++) {
		w->chunk[w->chunk_n++] = bytes[i];
		w->bytes++;
		if (w->chunk_n == CHUNK)
			chunk_end(w);
	}
}

static FILE *file_open(const char *path)
{
	FILE *f = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");

	if (!f) {
		perror(path);
		exit(2);
	}
	return f;
}

static void truth_write(const struct week *w, const char *path)
{
	FILE *f = file_open(path);

	fprintf(f, "at %.9f\n", week_seconds(w));
	made_truth(&w->node, f);
	fclose(f);
}

/* The node begins at 0; what it had counted is in TRUTH.N. */
static void node_reset(struct week *w, const char *truth)
{
	char path[PATH_SIZE];

	chunk_end(w);
	snprintf(path, sizeof(path), "%s.%u", truth ? truth : "", w->resets++);
	if (truth)
		truth_write(w, path);
	made_reset(&w->node);
	w->refreshes = 0;
	w->epoch_at = w->bytes;
}

static void refresh_begin(struct week *w)
{
	struct made_node *d = &w->node;

	if (w->refreshes++ % REFRESHES_PER_HELLO == 0)
		made_hello(d);
	d->run = (uint64_t)((double)(w->bytes - w->epoch_at) / w->rate * MADE_TICKS_PER_S);
	made_status(d);
	w->refresh_at = w->bytes + (uint64_t)(w->rate > SLOW ? w->rate : SLOW);
}

static void days_say(struct week *w)
{
	while (w->days && week_seconds(w) >= (double)DAY * (w->day + 1)) {
		fprintf(w->days, "day %u\n", ++w->day);
		fflush(w->days);
	}
}

static void week_run(struct week *w, unsigned resets, const char *truth)
{
	uint64_t each = w->all / (resets + 1) + 1;

	w->reset_at = each;
	while (w->bytes < w->all) {
		if (w->bytes >= w->reset_at && !w->node.next) {
			node_reset(w, truth);
			w->reset_at += each;
			w->refresh_at = 0;
		}
		if (w->bytes >= w->refresh_at)
			refresh_begin(w);
		made_next(&w->node);
		days_say(w);
	}
	/* To the end of a turn: what was counted last is sent. */
	while (w->node.next)
		made_next(&w->node);
	made_status(&w->node);
	chunk_end(w);
	days_say(w);
}

static void usage_exit(void)
{
	fprintf(stderr, "usage: week_made [-d DAYS] [-s SITES] [-r BYTES_PER_S] [-c CALLS] "
		"[-n COUNT] [-m] [-e RESETS] [-t TRUTH] [-o FILE] FILE\n");
	exit(2);
}

int main(int argc, char **argv)
{
	static struct week w = {
		.rate = 11520,
		.node = { .id = 7, .sites = 300, .epoch = EPOCH, .avr = true, .buckets = true,
			  .counted = true, .calls_most = 2000, .ticks_most = 900,
			  .counts_most = 1 << 29 },
	};
	uint8_t header[RECORD_HEADER];
	const char *truth = NULL;
	unsigned resets = 0;
	double days = 7;
	int c;

	while ((c = getopt(argc, argv, "d:s:r:c:n:me:t:o:")) != -1) {
		switch (c) {
		case 'd': days = atof(optarg); break;
		case 's': w.node.sites = (uint32_t)atol(optarg); break;
		case 'r': w.rate = atof(optarg); break;
		case 'c': w.node.calls_most = (uint32_t)atol(optarg); break;
		case 'n': w.node.counts_most = (uint32_t)atol(optarg); break;
		case 'm': w.node.avr = false; break;
		case 'e': resets = (unsigned)atol(optarg); break;
		case 't': truth = optarg; break;
		case 'o': w.days = file_open(optarg); break;
		default: usage_exit();
		}
	}
	if (optind != argc - 1 || days <= 0 || w.rate <= 0 || !w.node.sites ||
	    w.node.sites > 30000)
		usage_exit();
	w.out = file_open(argv[optind]);
	w.all = (uint64_t)(days * DAY * w.rate);
	w.node.put = frame_put;
	w.node.ctx = &w;
	record_header(header, wall);
	fwrite(header, 1, sizeof(header), w.out);
	made_begin(&w.node);
	week_run(&w, resets, truth);
	if (truth)
		truth_write(&w, truth);
	return fclose(w.out) != 0;
}
