/*
 * load_made: many busy wsn nodes, live, without a node (wsn_made.h).
 *
 *	load_made [-s SITES] [-n NODES] [-b BYTES] [-r BYTES_PER_S] [-w] [-g] [-e ELF] [-t TRUTH]
 *		PLACE
 *
 * PLACE is "-", standard output, or a folder in which node0, node1... become names of ptys: then
 * bytes flow once all of them are open at their other end.
 *
 * Each node sends BYTES (100 million) at BYTES_PER_S (0, the default: as fast as they are taken).
 * At a rate a node does not wait for its reader: like a UART it goes on, and a driver's buffer of
 * 64 KB in front of the pty holds what the reader has not taken; what finds it full is lost.
 *
 * -e: nodes that say that they run this ELF. -w: frames of 254 bytes, not 64. -g: no frames but a
 * stream of gprof's arcs and samples (the gprof thesis, 5 bytes each).
 *
 * On standard error at the end, for all nodes: bytes, events, seconds, bytes lost, the most that a
 * buffer held. TRUTH.N gets what node N counted.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/clock.h"
#include "core/image/identity.h"
#include "tests/tools/wsn_made.h"

enum { DRIVER = 64 << 10, NODES_MOST = 1024, REFRESHES_PER_HELLO = 4, PATH_SIZE = 4096 };

struct line {
	struct made_node node;
	int fd;
	struct buf waits;		/* made, not sent yet: the driver's buffer */
	size_t at;
	uint64_t made, lost, most, refresh_at, events;
	unsigned refreshes;
};

static struct line line[NODES_MOST];
static uint64_t bytes_each = 100000000;
static uint32_t nodes = 1, sites = 300;
static double rate;
static bool is_wide, is_gprof;
static uint32_t identity[3];
static uint64_t began;

/* --- what is made ----------------------------------------------------------------------------- */

static void bytes_put(void *ctx, const uint8_t *bytes, size_t n)
{
	struct line *l = ctx;

	l->made += n;
	if (rate > 0 && l->waits.len - l->at + n > DRIVER)
		l->lost += n;
	else
		buf_add(&l->waits, bytes, n);
	if (l->waits.len - l->at > l->most)
		l->most = l->waits.len - l->at;
}

/* The bytes of a second are a refresh, as a line's that is always full. */
static void frames_make(struct line *l)
{
	struct made_node *d = &l->node;

	if (l->made >= l->refresh_at) {
		double rate_of = rate > 0 ? rate : 1e6;

		if (l->refreshes++ % REFRESHES_PER_HELLO == 0)
			made_hello(d);
		d->run = (uint64_t)((double)l->made / rate_of * MADE_TICKS_PER_S);
		made_status(d);
		l->refresh_at += (uint64_t)rate_of;
	}
	made_next(d);
}

static void number_put(uint8_t *to, uint32_t x)
{
	for (int i = 0; i < 4; i++)
		to[i] = (uint8_t)(x >> 8 * (3 - i));
}

/* An arc of one of `sites` calls, or a sample. */
static void event_make(struct line *l)
{
	uint32_t r = made_random(&l->node), site = r % sites;
	uint8_t packet[9] = { r >> 20 & 3 ? 'A' : 'P' };

	number_put(packet + 1, 2 * (packet[0] == 'A' ? made_from(site) : made_to(&l->node, site)));
	number_put(packet + 5, made_to(&l->node, site) * 2);
	bytes_put(l, packet, packet[0] == 'A' ? 9 : 5);
	l->events++;
}

static void line_fill(struct line *l, uint64_t until)
{
	while (l->made < until && (rate > 0 || l->waits.len - l->at < 16384)) {
		if (is_gprof)
			event_make(l);
		else
			frames_make(l);
	}
}

/* --- lines ------------------------------------------------------------------------------------ */

/* What the reader takes. False: it is gone. */
static bool line_send(struct line *l)
{
	ssize_t n;

	if (l->at == l->waits.len) {
		buf_reset(&l->waits);
		l->at = 0;
		return true;
	}
	n = write(l->fd, l->waits.data + l->at, l->waits.len - l->at);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	l->at += (size_t)n;
	if (l->at > 2 * DRIVER) {
		memmove(l->waits.data, l->waits.data + l->at, l->waits.len - l->at);
		l->waits.len -= l->at;
		l->at = 0;
	}
	return true;
}

/* A master tells by POLLHUP that nobody has the other end open, once somebody had. */
static bool line_is_open(const struct line *l)
{
	struct pollfd p = { .fd = l->fd };

	return poll(&p, 1, 0) == 0 || !(p.revents & POLLHUP);
}

static void line_open(struct line *l, const char *folder, uint32_t i)
{
	struct termios modes;
	char name[PATH_SIZE], path[PATH_SIZE];
	int peer;

	if (openpty(&l->fd, &peer, name, NULL, NULL) < 0) {
		perror("load_made: openpty");
		exit(2);
	}
	tcgetattr(peer, &modes);
	cfmakeraw(&modes);
	tcsetattr(peer, TCSANOW, &modes);
	close(peer);
	snprintf(path, sizeof(path), "%s/node%u", folder, i);
	unlink(path);
	if (symlink(name, path) < 0) {
		perror(path);
		exit(2);
	}
}

static void lines_open(const char *place)
{
	for (uint32_t i = 0; i < nodes; i++) {
		struct made_node *d = &line[i].node;

		/* Whose calls took longer than it ran is believed by no collector. */
		*d = (struct made_node){ .id = i + 1, .sites = sites, .epoch = 1, .calls_most = 50,
					 .ticks_most = identity[1] ? 90 : 900, .random = 4711 + i,
					 .body = is_wide ? 250 : 0,
					 .put = bytes_put, .ctx = &line[i] };
		memcpy(d->identity, identity, sizeof(identity));
		made_begin(d);
		if (strcmp(place, "-") == 0)
			line[i].fd = STDOUT_FILENO;
		else
			line_open(&line[i], place, i);
		if (rate > 0 || nodes > 1)
			fcntl(line[i].fd, F_SETFL, O_NONBLOCK);
	}
	for (uint32_t i = 0; i < nodes && strcmp(place, "-"); i++)
		while (!line_is_open(&line[i]))
			usleep(10000);
}

/* False: all is sent. */
static bool lines_turn(void)
{
	uint64_t now = clock_now(), due = bytes_each;
	bool any = false;

	if (rate > 0 && (double)(now - began) / 1e9 * rate < (double)bytes_each)
		due = (uint64_t)((double)(now - began) / 1e9 * rate);
	for (uint32_t i = 0; i < nodes; i++) {
		line_fill(&line[i], due);
		if (!line_send(&line[i])) {
			fprintf(stderr, "load_made: node %u: nobody reads it any more\n", i);
			exit(1);
		}
		any |= line[i].made < bytes_each || line[i].at < line[i].waits.len;
	}
	return any;
}

static void lines_wait(void)
{
	struct pollfd p[NODES_MOST];

	if (rate > 0) {
		usleep(1000);
		return;
	}
	for (uint32_t i = 0; i < nodes; i++)
		p[i] = (struct pollfd){ .fd = line[i].fd, .events = POLLOUT };
	poll(p, nodes, 1000);
}

static void identity_take(const char *path)
{
	struct identity_part *last;
	struct identity_sum sum;
	struct identity id;
	struct err err = { 0 };

	if (identity_read(&id, path, &err) < 0 || !id.segment_count) {
		fprintf(stderr, "load_made: %s: %s\n", path, err.text);
		exit(2);
	}
	last = &id.segments[id.segment_count - 1];
	identity[0] = (uint32_t)id.segments[0].address;
	identity[1] = (uint32_t)(last->address + last->size) - identity[0];
	sum = identity_sum(&id, id.segments, id.segment_count, identity[0], identity[1], 0xff);
	identity[2] = sum.a | (uint32_t)sum.b << 16;
	identity_release(&id);
}

/* --- what is told ----------------------------------------------------------------------------- */

static void totals_say(double seconds)
{
	uint64_t made = 0, lost = 0, most = 0, events = 0;

	for (uint32_t i = 0; i < nodes; i++) {
		made += line[i].made;
		lost += line[i].lost;
		events += is_gprof ? line[i].events : line[i].node.rows;
		most = line[i].most > most ? line[i].most : most;
	}
	fprintf(stderr, "bytes %" PRIu64 "\nevents %" PRIu64 "\nseconds %.3f\nlost %" PRIu64 "\n",
		made, events, seconds, lost);
	fprintf(stderr, "buffered %" PRIu64 "\n", most);
}

static void truth_write(const char *name)
{
	char path[PATH_SIZE];

	for (uint32_t i = 0; i < nodes; i++) {
		FILE *f;

		snprintf(path, sizeof(path), "%s.%u", name, i);
		f = fopen(path, "w");
		if (!f) {
			perror(path);
			exit(2);
		}
		made_truth(&line[i].node, f);
		fclose(f);
	}
}

static void usage_exit(void)
{
	fprintf(stderr, "usage: load_made [-s SITES] [-n NODES] [-b BYTES] [-r BYTES_PER_S] [-w] "
		"[-g] [-e ELF] [-t TRUTH] PLACE\n");
	exit(2);
}

int main(int argc, char **argv)
{
	const char *truth = NULL;
	int c;

	while ((c = getopt(argc, argv, "s:n:b:r:wge:t:")) != -1) {
		switch (c) {
		case 's': sites = (uint32_t)atol(optarg); break;
		case 'n': nodes = (uint32_t)atol(optarg); break;
		case 'b': bytes_each = strtoull(optarg, NULL, 10); break;
		case 'r': rate = atof(optarg); break;
		case 'w': is_wide = true; break;
		case 'g': is_gprof = true; break;
		case 'e': identity_take(optarg); break;
		case 't': truth = optarg; break;
		default: usage_exit();
		}
	}
	if (optind != argc - 1 || !sites || sites > 65535 || !nodes || nodes > NODES_MOST)
		usage_exit();
	signal(SIGPIPE, SIG_IGN);
	lines_open(argv[optind]);
	began = clock_now();
	while (lines_turn())
		lines_wait();
	totals_say((double)(clock_now() - began) / 1e9);
	if (truth)
		truth_write(truth);
	/* Until the reader has all: a pty forgets what it holds when its master closes. */
	for (uint32_t i = 0; i < nodes && line[i].fd != STDOUT_FILENO; i++)
		while (line_is_open(&line[i]))
			usleep(10000);
	return 0;
}
