/*
 * avrnode: a sensor node without the hardware. Runs an AVR's firmware in real time with UART 0 on
 * a pty, which programs open like a serial port.
 */
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "sim/chip.h"
#include "sim/pty.h"
#include "sim/tape.h"

enum { SLICES_PER_SECOND = 1000 };

/* A host that falls further behind than this (suspended, overloaded) does not catch up. */
#define LATE_MAX (CLOCK_SECOND / 5)

struct node {
	const char *mcu;
	uint64_t hz;
	const char *elf;
	const char *link;
	const char *uart_path;
	const char *record_path;
	const char *truth_path;
	const char *events_path;
	const char *counts_path;
	uint64_t strike;		/* interrupt to raise everywhere; 0: none */
	uint64_t apart;			/* cycles between two of these */
	const char *struck_path;
	uint64_t cycles;		/* to run; 0: for ever */
	uint64_t seconds;		/* the same in seconds */
	bool fast;
	bool wait;
	bool leash;
	bool stop_uart;
	uint64_t reset;			/* cycle to reset the chip at; 0: none */
	const char *like;
	const char *input_path;

	FILE *input;
	char input_line[512];		/* the bytes that are due, in hex */
	const char *input_at;
	uint64_t input_ms;
	struct chip chip;
	struct pty pty;
	bool has_pty;
	FILE *uart;
	FILE *events;
	struct tape tape;
	struct symbols symbols;
	struct truth truth;
	struct strike striker;
};

static volatile sig_atomic_t quit;
static volatile sig_atomic_t write_truth;

enum option_value { OPT_NONE, OPT_TEXT, OPT_NUMBER, OPT_FLAG };

/* What can be said on the command line: one row an option, its help with it. */
static const struct option_row {
	const char *name;
	int key;
	enum option_value value;
	size_t offset;
	const char *arg;
	const char *help;
} option_rows[] = {
	{ .name = "mcu", .key = 'm', .value = OPT_TEXT, .offset = offsetof(struct node, mcu),
	  .arg = "NAME", .help = "chip (atmega1284p)" },
	{ .name = "frequency", .key = 'f', .value = OPT_NUMBER, .offset = offsetof(struct node, hz),
	  .arg = "HZ", .help = "its clock (8000000)" },
	{ .name = "link", .key = 'l', .value = OPT_TEXT, .offset = offsetof(struct node, link),
	  .arg = "PATH", .help = "make a symbolic link to the pty" },
	{ .name = "wait", .key = 'w', .value = OPT_FLAG, .offset = offsetof(struct node, wait),
	  .help = "hold the chip until somebody opens the pty" },
	{ .name = "leash", .key = 'p', .value = OPT_FLAG, .offset = offsetof(struct node, leash),
	  .help = "end when the process that started it does" },
	{ .name = "uart", .key = 'u', .value = OPT_TEXT,
	  .offset = offsetof(struct node, uart_path), .arg = "FILE",
	  .help = "write what UART 0 sends to FILE (-: standard output); no pty" },
	{ .name = "record", .key = 'R', .value = OPT_TEXT,
	  .offset = offsetof(struct node, record_path), .arg = "FILE",
	  .help = "the same as a recording, with the times of the chip's clock" },
	{ .name = "input", .key = 'I', .value = OPT_TEXT,
	  .offset = offsetof(struct node, input_path), .arg = "FILE",
	  .help = "bytes for UART 0; a line: milliseconds since the start, the bytes in hex" },
	{ .name = "fast", .key = 'F', .value = OPT_FLAG, .offset = offsetof(struct node, fast),
	  .help = "as fast as the host can, instead of in real time" },
	{ .name = "seconds", .key = 's', .value = OPT_NUMBER,
	  .offset = offsetof(struct node, seconds), .arg = "N",
	  .help = "end after N simulated seconds" },
	{ .name = "cycles", .key = 'c', .value = OPT_NUMBER,
	  .offset = offsetof(struct node, cycles), .arg = "N", .help = "end after N cycles" },
	{ .name = "truth", .key = 't', .value = OPT_TEXT,
	  .offset = offsetof(struct node, truth_path), .arg = "FILE",
	  .help = "count calls in the simulator; written at the end and on SIGUSR1" },
	{ .name = "events", .key = 'e', .value = OPT_TEXT,
	  .offset = offsetof(struct node, events_path), .arg = "FILE",
	  .help = "with --truth, of a traced program: every call and return" },
	{ .name = "counts", .key = 'n', .value = OPT_TEXT,
	  .offset = offsetof(struct node, counts_path), .arg = "FILE",
	  .help = "with --truth: how often each instruction ran (sim/truth.h)" },
	{ .name = "strike", .key = 'x', .value = OPT_NUMBER,
	  .offset = offsetof(struct node, strike), .arg = "VECTOR",
	  .help = "with --truth: this interrupt, behind each instruction" },
	{ .name = "apart", .key = 'a', .value = OPT_NUMBER, .offset = offsetof(struct node, apart),
	  .arg = "CYCLES", .help = "with --strike: so many between two" },
	{ .name = "struck", .key = 'k', .value = OPT_TEXT,
	  .offset = offsetof(struct node, struck_path), .arg = "FILE",
	  .help = "with --strike: where it struck (sim/strike.h)" },
	{ .name = "like", .key = 'i', .value = OPT_TEXT, .offset = offsetof(struct node, like),
	  .arg = "ELF", .help = "truth of a plain build: the functions of the instrumented ELF" },
	{ .name = "stop-uart", .key = 'S', .value = OPT_FLAG,
	  .offset = offsetof(struct node, stop_uart),
	  .help = "UART 0 never becomes ready to send" },
	{ .name = "reset", .key = 'r', .value = OPT_NUMBER, .offset = offsetof(struct node, reset),
	  .arg = "CYCLE", .help = "reset the chip once, at this cycle" },
	{ .name = "help", .key = 'h', .help = "this" },
};

#define OPTION_ROWS (sizeof(option_rows) / sizeof(option_rows[0]))

static void on_signal(int signal)
{
	if (signal == SIGUSR1)
		write_truth = 1;
	else
		quit = 1;
}

static void signals_catch(void)
{
	static const int caught[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1 };
	struct sigaction sa = { .sa_handler = on_signal };
	size_t i;

	for (i = 0; i < sizeof(caught) / sizeof(caught[0]); i++)
		sigaction(caught[i], &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* Whatever ends the parent, a kill included, ends us. */
static void parent_follow(void)
{
	pid_t parent = getppid();

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)	/* it was faster */
		quit = 1;
}

static void usage_print(FILE *to)
{
	size_t i;

	fprintf(to, "usage: avrnode [options] FIRMWARE.ELF\n\n");
	for (i = 0; i < OPTION_ROWS; i++) {
		const struct option_row *o = &option_rows[i];
		char left[40];

		snprintf(left, sizeof(left), "-%c, --%s%s%s", o->key, o->name, o->arg ? "=" : "",
			 o->arg ? o->arg : "");
		fprintf(to, "  %-24s %s\n", left, o->help);
	}
	fprintf(to, "\nThe run ends when the firmware sleeps with interrupts off.\n"
		    "Status: 0 the program ended, or --seconds are over; 1 it crashed or could "
		    "not start; 2 usage.\n");
}

static void options_of_getopt(struct option *longs, char *shorts)
{
	size_t i;

	for (i = 0; i < OPTION_ROWS; i++) {
		const struct option_row *o = &option_rows[i];

		longs[i] = (struct option){
			o->name, o->arg ? required_argument : no_argument, NULL, o->key,
		};
		*shorts++ = (char)o->key;
		if (o->arg)
			*shorts++ = ':';
	}
	*shorts = '\0';
}

static int option_set(struct node *n, int key, const char *arg, struct err *err)
{
	size_t i;

	for (i = 0; i < OPTION_ROWS; i++) {
		const struct option_row *o = &option_rows[i];
		char *field = (char *)n + o->offset;

		if (o->key != key)
			continue;
		if (o->value == OPT_TEXT)
			*(const char **)field = arg;
		else if (o->value == OPT_FLAG)
			*(bool *)field = true;
		else if (o->value == OPT_NUMBER && !text_u64(arg, (uint64_t *)field))
			return err_set(err, ERR_USAGE, "--%s=%s: not a number", o->name, arg);
	}
	return 0;
}

/* 0; 1: help was asked for; negative: usage. */
static int options_read(struct node *n, int argc, char **argv, struct err *err)
{
	struct option longs[OPTION_ROWS + 1] = { { NULL, 0, NULL, 0 } };
	char shorts[2 * OPTION_ROWS + 1];
	int key;

	options_of_getopt(longs, shorts);
	while ((key = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (key == 'h')
			return 1;
		if (key == '?')
			return err_set(err, ERR_USAGE, "see avrnode --help");
		if (option_set(n, key, optarg, err) < 0)
			return err->code;
	}
	if (optind + 1 != argc)
		return err_set(err, ERR_USAGE, "one firmware, please; see avrnode --help");
	if (n->hz < SLICES_PER_SECOND || n->hz > 100000000)
		return err_set(err, ERR_USAGE, "--frequency: 1000 to 100000000");
	n->elf = argv[optind];
	return 0;
}

/* ns of the chip's clock since its start */
static uint64_t node_time(const struct node *n)
{
	uint64_t cycle = n->chip.avr->cycle;

	return cycle / n->hz * CLOCK_SECOND + cycle % n->hz * CLOCK_SECOND / n->hz;
}

static void on_sent(void *ctx, uint8_t byte)
{
	struct node *n = ctx;

	if (n->uart)
		putc(byte, n->uart);
	if (n->tape.file)
		tape_put(&n->tape, node_time(n), byte);
	if (n->has_pty)
		pty_put(&n->pty, byte);
}

static int port_open(struct node *n, struct err *err)
{
	n->input_at = n->input_line;
	if (n->input_path) {
		n->input = fopen(n->input_path, "r");
		if (!n->input)
			return err_errno(err, "%s", n->input_path);
	}
	if (n->record_path)
		return tape_open(&n->tape, n->record_path, err);
	if (n->uart_path) {
		n->uart = strcmp(n->uart_path, "-") ? fopen(n->uart_path, "wb") : stdout;
		return n->uart ? 0 : err_errno(err, "%s", n->uart_path);
	}
	if (pty_open(&n->pty, n->link, err) < 0)
		return err->code;
	n->has_pty = true;
	printf("pty %s\n", n->pty.name);
	fflush(stdout);
	return 0;
}

static int node_start(struct node *n, struct err *err)
{
	int rc = chip_init(&n->chip, n->mcu, (uint32_t)n->hz, n->elf, on_sent, n, err);

	if (rc < 0)
		return rc;
	if (n->truth_path) {
		rc = firmware_symbols_load(&n->symbols, n->elf, n->like, err);
		if (!rc)
			rc = truth_init(&n->truth, n->chip.avr, &n->symbols, err);
		if (rc < 0)
			return rc;
		n->chip.truth = &n->truth;
	}
	if (n->truth_path && n->counts_path && truth_counts_begin(&n->truth, err) < 0)
		return err->code;
	if (n->events_path) {
		n->events = fopen(n->events_path, "wb");
		if (!n->events)
			return err_errno(err, "%s", n->events_path);
		truth_events(&n->truth, n->events);
	}
	if (n->truth_path && n->strike) {
		if (strike_init(&n->striker, n->chip.avr, n->strike, n->apart, err) < 0)
			return err->code;
		n->chip.strike = &n->striker;
	}
	if (n->stop_uart)
		chip_stop_uart(&n->chip);
	return port_open(n, err);
}

static void pace_nap(uint64_t until)
{
	struct timespec ts = {
		.tv_sec = (time_t)(until / CLOCK_SECOND),
		.tv_nsec = (long)(until % CLOCK_SECOND),
	};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
}

/* Sleep until the wall clock is where the chip's is. `base`: when the chip's cycle 0 was. */
static void pace_keep(const struct node *n, uint64_t *base)
{
	uint64_t chip_ns = node_time(n), now = clock_now();

	if (*base + chip_ns > now)
		pace_nap(*base + chip_ns);
	else if (*base + chip_ns + LATE_MAX < now)
		*base = now - chip_ns;
}

static void reader_wait(struct node *n)
{
	while (!quit && !pty_update(&n->pty))
		pace_nap(clock_now() + CLOCK_SECOND / 100);
}

/* The next byte of --input, or -1: none is due. */
static int input_get(struct node *n)
{
	unsigned int byte;

	if (!n->input)
		return -1;
	if (!*n->input_at) {
		if (fscanf(n->input, "%" SCNu64 " %511s", &n->input_ms, n->input_line) != 2)
			return -1;
		n->input_at = n->input_line;
	}
	if (n->chip.avr->cycle / (n->hz / 1000) < n->input_ms ||
	    sscanf(n->input_at, "%2x", &byte) != 1)
		return -1;
	n->input_at += strnlen(n->input_at, 2);
	return (int)byte;
}

/* A byte a slice comes in. */
static void port_serve(struct node *n)
{
	int byte = input_get(n);

	if (n->has_pty) {
		pty_update(&n->pty);
		pty_flush(&n->pty);
		if (byte < 0)
			byte = pty_get(&n->pty);
	}
	if (byte >= 0)
		chip_receive(&n->chip, (uint8_t)byte);
}

static void truth_serve(struct node *n)
{
	struct err err = { 0 };

	write_truth = 0;
	if (n->truth_path && truth_write(&n->truth, n->truth_path, &err) < 0)
		fprintf(stderr, "avrnode: %s\n", err.text);
}

static void reset_when_due(struct node *n)
{
	if (!n->reset || n->chip.avr->cycle < n->reset)
		return;
	chip_reset(&n->chip);
	n->reset = 0;
}

/* The next moment at which something else than the chip is due, at most a slice away. */
static uint64_t stop_next(const struct node *n, uint64_t limit)
{
	uint64_t next = n->chip.avr->cycle + n->hz / SLICES_PER_SECOND;

	if (n->reset && n->reset < next)
		next = n->reset;
	return next < limit ? next : limit;
}

/* The processor's state at the end. */
static int node_run(struct node *n)
{
	uint64_t limit = n->cycles ? n->cycles : n->seconds ? n->seconds * n->hz : UINT64_MAX;
	uint64_t base;
	int state = cpu_Running;

	if (n->wait && n->has_pty)
		reader_wait(n);
	base = clock_now();
	while (!quit && state != cpu_Done && state != cpu_Crashed) {
		if (n->chip.avr->cycle >= limit)
			break;
		state = chip_run(&n->chip, stop_next(n, limit));
		reset_when_due(n);
		port_serve(n);
		if (!n->fast)
			pace_keep(n, &base);
		if (write_truth)
			truth_serve(n);
	}
	return state;
}

static int node_finish(struct node *n, int state)
{
	struct err err = { 0 };
	int status = state == cpu_Crashed;

	fprintf(n->uart == stdout ? stderr : stdout, "cycles %llu, %s\n",
		(unsigned long long)n->chip.avr->cycle,
		state == cpu_Done ? "ended" : state == cpu_Crashed ? "crashed" : "stopped");
	if (n->uart && (fflush(n->uart) || ferror(n->uart))) {
		fprintf(stderr, "avrnode: %s: cannot be written\n", n->uart_path);
		status = 1;
	}
	if (n->events && fclose(n->events)) {
		fprintf(stderr, "avrnode: %s: cannot be written\n", n->events_path);
		status = 1;
	}
	if (tape_close(&n->tape) < 0) {
		fprintf(stderr, "avrnode: %s: cannot be written\n", n->record_path);
		status = 1;
	}
	if (n->truth_path && truth_write(&n->truth, n->truth_path, &err) < 0) {
		fprintf(stderr, "avrnode: %s\n", err.text);
		status = 1;
	}
	if (n->truth.counts && truth_counts_write(&n->truth, n->counts_path, &err) < 0) {
		fprintf(stderr, "avrnode: %s\n", err.text);
		status = 1;
	}
	if (n->chip.strike && n->struck_path &&
	    strike_write(&n->striker, n->struck_path, &err) < 0) {
		fprintf(stderr, "avrnode: %s\n", err.text);
		status = 1;
	}
	if (n->has_pty)
		pty_close(&n->pty);
	if (n->chip.strike)
		strike_release(&n->striker);
	if (n->truth_path) {
		truth_release(&n->truth);
		firmware_symbols_release(&n->symbols);
	}
	chip_release(&n->chip);
	return status;
}

int main(int argc, char **argv)
{
	static struct node n = { .mcu = "atmega1284p", .hz = 8000000 };
	struct err err = { 0 };
	int rc = options_read(&n, argc, argv, &err);

	if (rc == 1) {
		usage_print(stdout);
		return 0;
	}
	if (!rc) {
		signals_catch();
		if (n.leash)
			parent_follow();
		rc = node_start(&n, &err);
	}
	if (rc < 0) {
		fprintf(stderr, "avrnode: %s\n", err.text);
		return rc == ERR_USAGE ? 2 : 1;
	}
	return node_finish(&n, node_run(&n));
}
