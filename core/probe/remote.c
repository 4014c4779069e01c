#include "core/probe/remote.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/link/link.h"
#include "core/wire/probe/rsp.h"

enum { PIECE = 32, SHOWN_MAX = 200, INTERRUPT = 3 };	/* words of one read */

#define ANSWER_NS (2 * CLOCK_SECOND)
#define AGAIN_NS (CLOCK_SECOND / 10)	/* without a stop: it is asked for once more (simavr) */

struct remote {
	struct link *link;
	struct rsp rsp;
	struct remote_abilities can;
	bool acks, stands;
	bool taken, ack_wanted;		/* the last command was acknowledged; that is waited for */
	bool lost;			/* an answer did not come: the next would be taken for it */
	uint64_t since_ns, stood_ns;
	char answer[RSP_MAX + 1];
	char console[2 * SHOWN_MAX];
	size_t console_n;
	char shown[SHOWN_MAX];
};

const struct remote_abilities *remote_abilities(const struct remote *r)
{
	return &r->can;
}

bool remote_stands(const struct remote *r)
{
	return r->stands;
}

uint64_t remote_stood(const struct remote *r)
{
	return r->stood_ns + (r->stands ? clock_now() - r->since_ns : 0);
}

/* --- packets ---------------------------------------------------------------------------------- */

static bool text_is_stop(const char *text)
{
	return (text[0] == 'T' || text[0] == 'S') && rsp_digit(text[1]) >= 0;
}

static void console_add(struct remote *r, const char *hex)
{
	uint32_t byte;

	for (; rsp_word(hex, 1, &byte) && r->console_n < sizeof(r->console) - 1; hex += 2)
		r->console[r->console_n++] = (char)byte;
}

/* True: it is the answer, or the stop, that is waited for. */
static bool remote_packet_take(struct remote *r, bool stop)
{
	const char *text = r->rsp.packet;

	if (r->acks && !r->can.many)
		link_send(r->link, "+", 1);
	if (text[0] == 'O' && text[1] && strcmp(text, "OK") != 0) {
		console_add(r, text + 1);
		return false;
	}
	if (text_is_stop(text) && !r->stands) {
		r->stands = true;
		r->since_ns = clock_now();
	}
	if (text_is_stop(text) != stop)
		return false;
	snprintf(r->answer, sizeof(r->answer), "%s", text);
	return true;
}

static bool bytes_take(struct remote *r, const uint8_t *p, size_t n, bool stop)
{
	bool taken = false;

	for (size_t i = 0; i < n; i++) {
		enum rsp_found found = rsp_take(&r->rsp, p[i]);

		r->taken |= found == RSP_ACK;
		if (found == RSP_PACKET)
			taken |= remote_packet_take(r, stop);
	}
	return taken || (r->ack_wanted && r->taken);
}

static int packet_wait(struct remote *r, bool stop, uint64_t wait_ns, struct err *err)
{
	uint64_t now = clock_now(), until = now + wait_ns, time;
	uint8_t bytes[4096];

	while (now < until && link_state(r->link) == LINK_UP) {
		struct pollfd p = { .fd = link_fd(r->link), .events = link_events(r->link) };
		int wait = clock_sooner(clock_ms_until(until, now), link_timeout(r->link, now));
		ssize_t n;

		poll(&p, 1, wait);
		now = clock_now();
		n = link_read(r->link, now, bytes, sizeof(bytes), &time);
		if (n > 0 && bytes_take(r, bytes, (size_t)n, stop))
			return 0;
	}
	if (link_state(r->link) != LINK_UP)
		return err_set(err, ERR_IO, "the server closed the connection");
	return err_set(err, ERR_IO, "the server did not answer in 2 seconds");
}

static int question_write(struct remote *r, const char *question, struct err *err)
{
	char packet[160];
	size_t n = rsp_write(packet, sizeof(packet), question);

	if (r->lost || link_state(r->link) != LINK_UP)
		return err_set(err, ERR_IO, "the server does not answer any more");
	if (!n || link_send(r->link, packet, n) < 0)
		return err_set(err, ERR_IO, "the server takes no command");
	return 0;
}

const char *remote_ask(struct remote *r, const char *question, struct err *err)
{
	if (question_write(r, question, err) < 0)
		return NULL;
	if (packet_wait(r, false, ANSWER_NS, err) == 0)
		return r->answer;
	r->lost = true;
	return NULL;
}

/* The first line that is no warning of something else. */
static void line_show(struct remote *r)
{
	const char *line = r->console;
	size_t n;

	r->console[r->console_n] = '\0';
	while (strncmp(line, "WARN", 4) == 0 && strchr(line, '\n'))
		line = strchr(line, '\n') + 1;
	n = strcspn(line, "\r\n");
	text_visible(r->shown, sizeof(r->shown), line, n);
}

const char *remote_monitor(struct remote *r, const char *command)
{
	char question[80] = "qRcmd,";
	const char *answer;
	size_t n = strlen(question);

	for (; *command && n + 3 < sizeof(question); command++, n += 2)
		snprintf(question + n, sizeof(question) - n, "%02x", (unsigned char)*command);
	r->console_n = 0;
	answer = remote_ask(r, question, NULL);
	if (answer && *answer != 'E' && strcmp(answer, "OK") != 0)
		console_add(r, answer);
	line_show(r);
	return r->shown;
}

/* --- memory ----------------------------------------------------------------------------------- */

static int refusal_set(const struct remote *r, uint32_t address, struct err *err)
{
	return err_set(err, ERR_FORMAT, "0x%08" PRIx32 ": %s", address,
		       *r->answer ? r->answer : "an empty answer");
}

static int piece_read(struct remote *r, uint32_t address, uint32_t *words, size_t count,
		      struct err *err)
{
	char question[40];

	snprintf(question, sizeof(question), "m%" PRIx32 ",%zx", address, 4 * count);
	if (!remote_ask(r, question, err))
		return ERR_IO;
	for (size_t i = 0; i < count; i++)
		if (strlen(r->answer) != 8 * count || !rsp_word(r->answer + 8 * i, 4, &words[i]))
			return refusal_set(r, address, err);
	return 0;
}

int remote_read(struct remote *r, uint32_t address, uint32_t *words, size_t count, struct err *err)
{
	int ret = 0;

	for (size_t at = 0; at < count && ret == 0; at += PIECE)
		ret = piece_read(r, address + 4 * (uint32_t)at, words + at,
				 count - at < PIECE ? count - at : PIECE, err);
	return ret;
}

int remote_write(struct remote *r, uint32_t address, uint32_t v, struct err *err)
{
	char question[40];

	snprintf(question, sizeof(question), "M%" PRIx32 ",4:%02x%02x%02x%02x", address, v & 0xff,
		 v >> 8 & 0xff, v >> 16 & 0xff, v >> 24);
	if (!remote_ask(r, question, err))
		return ERR_IO;
	return strcmp(r->answer, "OK") == 0 ? 0 : refusal_set(r, address, err);
}

/* --- stop and go ------------------------------------------------------------------------------ */

int remote_stop(struct remote *r, struct err *err)
{
	uint64_t until = clock_now() + ANSWER_NS;
	const char interrupt = INTERRUPT;

	while (!r->stands && clock_now() < until) {
		if (link_send(r->link, &interrupt, 1) < 0)
			return err_set(err, ERR_IO, "the server takes no command");
		packet_wait(r, true, r->acks ? AGAIN_NS : ANSWER_NS, NULL);
	}
	return r->stands ? 0 : err_set(err, ERR_IO, "the target did not stop in 2 seconds");
}

int remote_go(struct remote *r, struct err *err)
{
	int ret = r->stands ? question_write(r, "c", err) : 0;

	if (!r->stands || ret < 0)
		return ret;
	r->stood_ns += clock_now() - r->since_ns;
	r->stands = r->taken = false;
	r->ack_wanted = r->acks;	/* simavr loses what comes right behind */
	if (r->acks)
		packet_wait(r, true, AGAIN_NS / 4, NULL);
	r->ack_wanted = false;
	return 0;
}

/* --- greeting --------------------------------------------------------------------------------- */

static void features_read(struct remote *r)
{
	static const char open[] = "<architecture>";
	const char *xml = remote_ask(r, "qXfer:features:read:target.xml:0,300", NULL);
	const char *arch = xml ? strstr(xml, open) : NULL;

	if (arch)
		snprintf(r->can.arch, sizeof(r->can.arch), "%.*s",
			 (int)strcspn(arch + sizeof(open) - 1, "<"), arch + sizeof(open) - 1);
}

/* OpenOCD's configuration left it running: it tells a stop only to who let it go. */
static int target_left(struct remote *r, struct err *err)
{
	int ret = remote_go(r, err);

	r->stood_ns = 0;
	r->can.registers = true;
	return ret;
}

static int server_greet(struct remote *r, struct err *err)
{
	const char *answer = remote_ask(r, "qSupported:swbreak+;hwbreak+", err);
	bool no_acks;

	if (!answer)
		return ERR_IO;
	r->can.many = strstr(answer, "multiprocess+");
	r->can.features = strstr(answer, "qXfer:features:read+");
	r->can.simavr = strcmp(answer, "qXfer:memory-map:read+") == 0;
	no_acks = strstr(answer, "QStartNoAckMode+");
	if (r->can.features)
		features_read(r);
	answer = no_acks ? remote_ask(r, "QStartNoAckMode", err) : "";
	r->can.no_acks = answer && strcmp(answer, "OK") == 0;
	r->acks = !r->can.no_acks;
	if (!answer || question_write(r, "?", err) < 0 ||
	    packet_wait(r, true, ANSWER_NS, err) < 0)
		return ERR_IO;
	if (strncmp(r->answer + 1, "00", 2) == 0)
		return target_left(r, err);
	answer = remote_ask(r, "pf", err);
	r->can.registers = answer && *answer && *answer != 'E';
	return answer ? 0 : ERR_IO;
}

struct remote *remote_new(const char *source, struct err *err)
{
	struct remote *r = mem_zalloc(sizeof(*r));

	if (!r) {
		err_set(err, ERR_NOMEM, "out of memory");
		return NULL;
	}
	r->acks = true;
	r->link = link_new(source, NULL, err);
	if (r->link && server_greet(r, err) == 0)
		return r;
	remote_free(r);
	return NULL;
}

void remote_free(struct remote *r)
{
	if (!r)
		return;
	if (r->link && r->stands && !r->lost)
		remote_go(r, NULL);
	link_free(r->link);
	mem_free(r);
}
