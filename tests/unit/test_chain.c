/*
 * chain: chips and servers that tests/probe's Cortex-M3 is not, as the Tcl port shows them: other
 * cores and makers, registers that do not hold, servers that lie or leave.
 */
#include "tests/unit/unit.h"

#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>

#include "core/probe/chain.h"
#include "core/probe/target.h"

enum { REGISTERS = 32, END = 0x1a };

enum habit {
	SERVES, NO_OPENOCD, GARBAGE, SILENT, LEAVES, ENDLESS,
};

/* --- a server with a chip --------------------------------------------------------------------- */

struct word {
	uint32_t address, value;
};

struct chip {
	struct word words[REGISTERS];
	enum habit habit;
	bool constant;			/* writes change nothing */
	int fd;
	unsigned asked;
	uint32_t cycles;
	struct word written[64];
	unsigned writes;
	char source[64];
	pthread_t thread;
};

static uint32_t *chip_word(struct chip *c, uint32_t address)
{
	for (size_t i = 0; i < REGISTERS; i++)
		if (c->words[i].address == address || !c->words[i].address) {
			c->words[i].address = address;
			return &c->words[i].value;
		}
	abort();
}

static uint32_t chip_read(struct chip *c, uint32_t address)
{
	for (size_t i = 0; i < REGISTERS; i++)
		if (c->words[i].address == address)
			return c->words[i].value;
	return 0;
}

static void chip_write(struct chip *c, uint32_t address, uint32_t value)
{
	if (c->writes < COUNT(c->written))
		c->written[c->writes++] = (struct word){ address, value };
	if (!c->constant)
		*chip_word(c, address) = value;
}

static void chip_answer(struct chip *c, const char *command, char *text, size_t size)
{
	unsigned address, count, value;
	size_t n = 0;

	text[0] = '\0';
	if (!strcmp(command, "version"))
		snprintf(text, size, c->habit == NO_OPENOCD ? "Another Server 1.0\033[31m" :
						 "Open On-Chip Debugger 0.12.0");
	else if (c->habit == GARBAGE)
		snprintf(text, size, "%s", "0x1 0x2 \033[2J -5 0xfffffffff invalid");
	else if (sscanf(command, "write_memory 0x%x 32 0x%x", &address, &value) == 2)
		chip_write(c, address, value);
	else if (sscanf(command, "read_memory 0x%x 32 %u", &address, &count) == 2)
		for (unsigned i = 0; i < count && n < size - 16; i++) {
			uint32_t at = address + 4 * i;

			n += (size_t)snprintf(text + n, size - n, "0x%x ", at == 0xe0001004 ?
					      c->cycles += 72000 : chip_read(c, at));
		}
	else
		snprintf(text, size, "%s", "x");
}

/* False: no more. */
static bool chip_say(struct chip *c, int peer, const char *command)
{
	static const char noise[1000] = { 'y' };
	char text[8192];
	size_t n;

	if (++c->asked > 8 && c->habit == LEAVES)
		return false;
	if (c->asked > 8 && c->habit == SILENT)
		return true;
	for (int i = 0; i < 100 && c->asked > 8 && c->habit == ENDLESS; i++)
		if (send(peer, noise, sizeof(noise), MSG_NOSIGNAL) < 0)
			return false;
	chip_answer(c, command, text, sizeof(text));
	n = strlen(text);
	if (c->asked > 8 && c->habit == ENDLESS)
		return true;
	text[n] = END;
	return send(peer, text, n + 1, MSG_NOSIGNAL) == (ssize_t)n + 1;
}

static void *chip_serve(void *ctx)
{
	struct chip *c = ctx;
	int peer = accept(c->fd, NULL, NULL);
	char in[1024];
	size_t n = 0;

	while (n < sizeof(in) && recv(peer, in + n, 1, 0) == 1) {
		if (in[n++] != END)
			continue;
		in[n - 1] = '\0';
		n = 0;
		if (!chip_say(c, peer, in))
			break;
	}
	close(peer);
	return NULL;
}

static void chip_start(struct chip *c)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	socklen_t size = sizeof(a);

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(c->fd, (struct sockaddr *)&a, size), 0);
	assert_int_equal(listen(c->fd, 1), 0);
	assert_int_equal(getsockname(c->fd, (struct sockaddr *)&a, &size), 0);
	snprintf(c->source, sizeof(c->source), "openocd:127.0.0.1:%u", ntohs(a.sin_port));
	assert_int_equal(pthread_create(&c->thread, NULL, chip_serve, c), 0);
}

static struct chip chip_m4(void)
{
	return (struct chip){ .words = {
		{ 0xe000ed00, 0x410fc241 }, { 0xe000edfc, 0x01000000 },
		{ 0xe0001000, 0x40000001 }, { 0xe000101c, 0x08001234 },
		{ 0xe0002000, 0x00000261 }, { 0xe0040fc8, 0x00000ca1 },
		{ 0xe000edf0, 0x01010000 },
	} };
}

/* --- what is said ----------------------------------------------------------------------------- */

static struct doctor *chip_examine(struct chip *c, struct chain_facts *f)
{
	struct err err = { 0 };
	struct doctor *d;

	chip_start(c);
	d = chain_examine(c->source, NULL, f, &err);
	pthread_join(c->thread, NULL);
	close(c->fd);
	if (!d)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < doctor_count(d); i++)
		for (const char *s = doctor_finding(d, i)->text; *s; s++)
			assert_true((unsigned char)*s >= 0x20);
	return d;
}

static const char *finding_about(const struct doctor *d, const char *about, const char *part)
{
	for (size_t i = 0; i < doctor_count(d); i++) {
		const struct doctor_finding *f = doctor_finding(d, i);

		if (!strcmp(f->about, about) && strstr(f->text, part))
			return doctor_severity_name(f->severity);
	}
	return "not said";
}

static void test_another_core(void **state)
{
	struct chip c = chip_m4();
	struct chain_facts f;
	struct doctor *d;

	(void)state;
	*chip_word(&c, 0xe000ed00) = 0x410cc601;	/* M0+ r0p1: no ITM, no CYCCNT */
	*chip_word(&c, 0xe0001000) = 0x2b000000;
	d = chip_examine(&c, &f);
	assert_string_equal(f.core, "Cortex-M0+ r0p1");
	assert_string_equal(finding_about(d, "itm", "no ITM in a Cortex-M0+"), "note");
	assert_string_equal(finding_about(d, "cycles", "no cycle counter"), "note");
	assert_string_equal(finding_about(d, "pcsr", "PCs without a halt"), "ok");
	assert_string_equal(finding_about(d, "swo", ""), "not said");
	assert_int_equal(f.comparators, 2);
	assert_true(f.pcsr && !f.itm && !f.cycles);
	doctor_free(d);
}

/* Its maker by the ROM table; its pin; all that was tried is as before. */
static void test_makers(void **state)
{
	static const struct {
		struct word words[6];
		const char *maker, *severity;
	} rows[] = {
		{ { { 0xe00fffe0, 0x14 }, { 0xe00fffe4, 0x04 }, { 0xe00fffe8, 0x0a },
		    { 0xe0042000, 0x10036414 } }, "STMicroelectronics", "note" },
		{ { { 0xe00fffe0, 0x14 }, { 0xe00fffe4, 0x04 }, { 0xe00fffe8, 0x0a },
		    { 0xe0042000, 0x10036414 }, { 0xe0042004, 0x20 } },
		  "STMicroelectronics", "ok" },
		{ { { 0xe00fffe0, 0x14 }, { 0xe00fffe4, 0x04 }, { 0xe00fffe8, 0x0a } },
		  "STMicroelectronics", "not said" },	/* H7: another register */
		{ { { 0xe00fffd0, 2 }, { 0xe00fffe4, 0x40 }, { 0xe00fffe8, 0x0c },
		    { 0x4000055c, 0x10000 } }, "Nordic Semiconductor", "ok" },
		{ { { 0xe00fffd0, 15 } }, "", "not said" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct chip c = chip_m4();
		struct chain_facts f;
		struct doctor *d;

		for (size_t k = 0; k < 6 && rows[i].words[k].address; k++)
			*chip_word(&c, rows[i].words[k].address) = rows[i].words[k].value;
		d = chip_examine(&c, &f);
		assert_string_equal(f.maker, rows[i].maker);
		assert_string_equal(finding_about(d, "pin", "the SWO pin is"), rows[i].severity);
		assert_int_equal(doctor_worst(d), DOCTOR_NOTE);		/* no ELF was given */
		assert_int_equal(chip_read(&c, 0xe0001020), 0);
		assert_int_equal(chip_read(&c, 0xe0000e00), 0);
		assert_true(c.writes >= 4);
		doctor_free(d);
	}
}

static void test_a_chip_that_holds_nothing(void **state)
{
	struct chip c = chip_m4();
	struct chain_facts f;
	struct doctor *d;

	(void)state;
	c.constant = true;
	*chip_word(&c, 0xe000edf0) = 0x01090000;
	d = chip_examine(&c, &f);
	assert_string_equal(finding_about(d, "running", "locked up"), "fault");
	assert_string_equal(finding_about(d, "watch", "do not keep an address"), "warning");
	assert_string_equal(finding_about(d, "itm", "this chip has no ITM"), "note");
	doctor_free(d);
}

/* Nothing that can be read is there. */
static void test_servers_that_fail(void **state)
{
	static const struct {
		enum habit habit;
		const char *about, *part;
	} rows[] = {
		{ NO_OPENOCD, "server", "not answer as OpenOCD does: Another Server 1.0\\x1b" },
		{ GARBAGE, "core", "0xe000ed00: 0x1 0x2 \\x1b[2J" },
		{ SILENT, "trace", "did not answer in 2 seconds" },
		{ LEAVES, "trace", "closed the connection" },
		{ ENDLESS, "trace", "did not answer in 2 seconds" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct chip c = chip_m4();
		struct chain_facts f;
		struct doctor *d;

		c.habit = rows[i].habit;
		d = chip_examine(&c, &f);
		assert_int_equal(doctor_worst(d), DOCTOR_FAULT);
		assert_string_not_equal(finding_about(d, rows[i].about, rows[i].part), "not said");
		doctor_free(d);
	}
}

static void test_words(void **state)
{
	static const struct {
		const char *text;
		size_t count;
		bool right;
	} rows[] = {
		{ "0x1", 1, true }, { "0x1 2 0xffffffff\n", 3, true }, { "0x1", 2, false },
		{ "0x1 0x2", 1, false }, { "-1", 1, false }, { "0x100000000", 1, false },
		{ "", 1, false }, { "0x1 x", 1, false }, { "x", 1, false },
		{ "0xffffffffffffffffffffffff", 1, false }, { " -1", 1, false },
	};
	uint32_t words[4];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_int_equal(target_words(rows[i].text, words, rows[i].count), rows[i].right);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_another_core),
		cmocka_unit_test(test_makers),
		cmocka_unit_test(test_a_chip_that_holds_nothing),
		cmocka_unit_test(test_servers_that_fail),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
