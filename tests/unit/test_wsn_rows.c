/*
 * wsn: what rows make of running totals where frames are late, damaged or lost (table.c, sites.c,
 * held.c). A stream is a script (wsn_stream.h); its answer is worked out by docs/PROTOCOL.md, 3.
 */
#include "tests/unit/wsn_script.h"

#include "core/wire/wsn/state.h"

#define AVR "hello  v1 a1 f5e3 e0\n"
#define CALLS_ARM "H a=4 f=0x400"
#define SUM(n) "T 9 0 0 0 0 0 0 0 0 0 0 0 " #n		/* STATUS: so many arcs were closed */
#define JOINED "H|T 1|T 2|T 3|T 4"			/* from now on a new row waits */
#define SAID_JOINED AVR "status 1\nstatus 2\nstatus 3\nstatus 4\n"

static void scripts_run(const struct script_case *cases, size_t n, const struct codemap *code)
{
	for (size_t i = 0; i < n; i++) {
		struct stream s = { .seq = 0 };

		stream_script(&s, cases[i].script);
		script_expect(&cases[i], &s, s.out.len, code);
		stream_release(&s);
	}
}

/* --- arcs, and their closings ----------------------------------------------------------------- */

static const struct script_case arcs[] = {
	{ "its closing came, taken for another's: it leaves and is not owed",
	  "H|A 0 1 2 50|a 0 1 2 7|" SUM(7) "|A 0 3 4 1",
	  AVR "arc 2 4 50\narc 2 4 57\nstatus 9\narc 2 4 7\narc 6 8 1\n" },
	{ "the closing says what the slot had", "H|A 0 1 2 7|a 0 1 2 7|" SUM(7),
	  AVR "arc 2 4 7\narc 2 4 7\nstatus 9\n" },
	{ "a row from behind its closing counts on", "H|a 0 1 2 7|A 0 1 2 5|" SUM(7),
	  AVR "arc 2 4 5\narc 2 4 12\nstatus 9\n" },
	{ "a leap that the next row bears out", "H|A 0 1 2 5|A 0 1 2 0x60000000|A 0 1 2 0x60000001|"
						"A 0 1 2 0x60000002",
	  AVR "arc 2 4 5\narc 2 4 1610612737\narc 2 4 1610612738\n" },
	{ "a count that stands still while its closing is waited for",
	  "H|A 0 1 2 5|A 0 3 4 1|A 1 1 2 2|A 1 1 2 2|a 0 1 2 7|" SUM(7),
	  AVR "arc 2 4 5\narc 2 4 5\narc 6 8 1\narc 2 4 7\narc 2 4 7\narc 2 4 9\n"
	  "status 9\n" },
	{ "left two slots: each closing settles its own",
	  "H|A 0 1 2 5|A 1 1 2 4|A 0 3 4 1 0 5 6 1|a 0 1 2 5|a 5 1 2 4|" SUM(9),
	  AVR "arc 2 4 5\narc 2 4 9\narc 6 8 1\narc a c 1\narc 2 4 9\narc 2 4 9\n"
	  "status 9\n" },
	{ "a closing that says less than its row had",
	  "H|A 0 1 2 5|A 0 3 4 1|a 0 1 2 3|" SUM(3),
	  AVR "arc 2 4 5\narc 2 4 5\narc 6 8 1\narc 2 4 3\nstatus 9\n" },
	{ "the third arc of all is the one that is owed",
	  "H|A 5 9 9 1 0 9 10 1|A 0 1 2 5|A 0 3 4 1|a 0 1 2 7|" SUM(7),
	  AVR "arc 12 12 1\narc 12 14 1\narc 2 4 5\narc 2 4 5\narc 6 8 1\narc 2 4 7\nstatus 9\n" },
	{ "two are owed: the second one's closing leaves the first one's to come",
	  "H|A 0 1 2 5 0 3 4 6|A 0 5 6 1 0 7 8 1|a 0 3 4 6|" SUM(6) "|a 6 1 2 5|" SUM(11),
	  AVR "arc 2 4 5\narc 6 8 6\narc 2 4 5\narc a c 1\narc 6 8 6\narc e 10 1\n"
	  "arc 6 8 6\nstatus 9\narc 2 4 5\nstatus 9\n" },
	{ "and when the first one's was lost, it is given up",
	  "H|A 0 1 2 5 0 3 4 6|A 0 5 6 1 0 7 8 1|a 0 3 4 6|" SUM(6) "|-a 6 1 2 5|" SUM(11),
	  AVR "arc 2 4 5\narc 6 8 6\narc 2 4 5\narc a c 1\narc 6 8 6\narc e 10 1\n"
	  "arc 6 8 6\nstatus 9\narc 2 4 0 gone\nstatus 9 unheard 5 0\n",
	  .lost = 1 },
};

/* --- sites ------------------------------------------------------------------------------------ */

static const struct script_case skews[] = {
	{ "a sixteenth of a tick a call", "H s=1|S 0 1 2 32 100 5 9",
	  AVR "site 2 4 32 98 5-9\n" },
	{ "to the nearest", "H s=9|S 0 1 2 1 10 10 10",
	  AVR "site 2 4 1 9 9-9\n" },
	{ "no less than nothing", "H s=40|S 0 1 2 1 1 1 1",
	  AVR "site 2 4 1 0 0-0\n" },
};

static const struct script_case sites[] = {
	{ "the total's extension comes before the calls'",
	  "H|S 0 1 2 0xfffff0 0x90000000 1 9|S 0 1 2 5 0xf0000000 1 9|S 3 0 0 0 1 0 0|"
	  "S 0 1 2 6 7 1 9|S 3 0 0 1 1 0 0",
	  AVR "site 2 4 16777200 2415919104 1-9\nsite 2 4 16777222 4294967303 1-9\n" },
	{ "an extension that is told again is not the one that is waited for",
	  "H|S 3 0 0 1 0 0 0|S 0 1 2 0xfffff0 9 1 9|S 0 1 2 5 9 1 9|S 3 0 0 1 0 0 0|"
	  "S 3 0 0 2 0 0 0",
	  AVR "site 2 4 33554416 9 1-9\nsite 2 4 33554437 9 1-9\n" },
	{ "nor does it change anything", "H|S 3 0 0 1 0 0 0|S 0 1 2 5 9 1 9|S 3 0 0 1 0 0 0|T 1",
	  AVR "site 2 4 16777221 9 1-9\nstatus 1\n" },
	{ "the calls passed their width, the total fell: one of both is noise",
	  "H|S 0 1 2 0xfffff0 500 1 9|S 0 1 2 5 7 1 9|S 0 1 2 6 8 1 9",
	  AVR "site 2 4 16777200 500 1-9\nsite 2 4 6 8 1-9\n" },
	{ "an extension's slot becomes a site's: its row has none any more",
	  "H|S 3 0 0 1 0 0 0|S 0 1 2 5 7 1 9|S 3 5 6 2 20 1 9|S 3 5 6 2 20 1 9|S 0 1 2 6 8 1 9",
	  AVR "site 2 4 16777221 7 1-9\nsite a c 2 20 1-9\nsite 2 4 6 8 1-9\n" },
	{ "an extension that moved keeps its row, whatever becomes of its first slot",
	  "H|S 3 0 0 1 0 0 0|S 0 1 2 5 7 1 9|S 4 0 0 1 0 0 0|S 3 5 6 2 20 1 9|S 3 5 6 2 20 1 9|"
	  "S 0 1 2 6 8 1 9",
	  AVR "site 2 4 16777221 7 1-9\nsite a c 2 20 1-9\nsite 2 4 16777222 8 1-9\n" },
	{ "an extension of more than 2^39 calls or 2^31 times 2^32 ticks is none",
	  "H|S 0 1 2 5 7 1 9|S 3 0 0 0x8000000000 0 0 0|S 4 0 0 0 0x80000000 0 0|S 0 1 2 6 8 1 9",
	  AVR "site 2 4 5 7 1-9\nsite 2 4 6 8 1-9\n" },
	{ "up to there it is one",
	  "H|S 3 0 0 0x7fffffffff 0x7fffffff 0 0|S 0 1 2 5 7 1 9",
	  AVR "site 2 4 9223372036837998597 9223372032559808519 1-9\n" },
	{ "an extension's slot says another's, once: noise",
	  "H|S 3 0 0 1 0 0 0|S 0 1 2 5 7 1 9 6 3 4 5 7 1 9|S 3 7 0 1 0 0 0|"
	  "S 0 1 2 6 8 1 9 6 3 4 6 8 1 9",
	  AVR "site 2 4 16777221 7 1-9\nsite 6 8 5 7 1-9\nsite 2 4 16777222 8 1-9\n"
	  "site 6 8 6 8 1-9\n" },
	{ "twice: it is", "H|S 3 0 0 1 0 0 0|S 0 1 2 5 7 1 9 6 3 4 5 7 1 9|S 3 7 0 1 0 0 0|"
			  "S 3 7 0 1 0 0 0|S 0 1 2 6 8 1 9 6 3 4 6 8 1 9",
	  AVR "site 2 4 16777221 7 1-9\nsite 6 8 5 7 1-9\nsite 2 4 6 8 1-9\n"
	  "site 6 8 16777222 8 1-9\n" },
	{ "an extension that says less, once and twice",
	  "H|S 3 0 0 5 0 0 0|S 0 1 2 5 7 1 9|S 3 0 0 2 0 0 0|S 0 1 2 6 8 1 9|S 3 0 0 2 0 0 0|"
	  "S 0 1 2 7 9 1 9",
	  AVR "site 2 4 83886085 7 1-9\nsite 2 4 83886086 8 1-9\n"
	  "site 2 4 33554439 9 1-9\n" },
	{ "less, and late, however often",
	  "H|S 3 0 0 5 0 0 0|S 0 1 2 5 7 1 9|+S 3 0 0 2 0 0 0|T 1|r|+S 3 0 0 3 0 0 0|T 2|r|"
	  "S 0 1 2 6 8 1 9",
	  AVR "site 2 4 83886085 7 1-9\nstatus 1\nstatus 2\nsite 2 4 83886086 8 1-9\n" },
	{ "an extension, late, that is older than its row", "H|+S 3 0 0 1 1 0 0|S 0 1 2 5 7 1 9|r",
	  AVR "site 2 4 5 7 1-9\nsite 2 4 16777221 4294967303 1-9\n" },
	{ "a row, late, that is older than its extension waits for the next",
	  "H|+S 0 1 2 5 7 1 9|S 3 0 0 1 1 0 0|r|T 1|S 0 1 2 6 8 1 9",
	  AVR "status 1\nsite 2 4 16777222 4294967304 1-9\n" },
	{ "an extension before its row, in one frame", "H|S 0 3 0 1 1 0 0 2 1 2 5 7 1 9|T 1",
	  AVR "site 2 4 16777221 4294967303 1-9\nstatus 1\n" },
	{ "a late row that leaps is none, and no doubt",
	  CALLS_ARM "|S 0 1 2 5|+S 0 1 2 0x60000000|T 1|r|S 0 1 2 0x60000001|T 2",
	  "hello  v1 a4 f400 e0\nsite 2 4 5\nstatus 1\nstatus 2\n" },
};

/* STATUS says that extensions found no slot: the host counts in their stead after four rows. */
#define LOST "H|T 1 0 0 0 0 0 0 0 1"

static const struct script_case carries[] = {
	{ "the calls passed their width, the total did not",
	  LOST "|S 0 1 2 0xfffff0 50 1 9|S 0 1 2 0xfffff8 51 1 9|S 0 1 2 5 52 1 9|S 0 1 2 6 53 1 9|"
	       "S 0 1 2 7 54 1 9|S 0 1 2 8 55 1 9",
	  AVR "status 1 carries 1\nsite 2 4 16777200 50 1-9\nsite 2 4 16777208 51 1-9\n"
	  "site 2 4 16777224 55 1-9\n" },
	{ "the total did, the calls did not",
	  LOST "|S 0 1 2 5 0xfffffff0 1 9|S 0 1 2 6 0xfffffff8 1 9|S 0 1 2 7 1 1 9|S 0 1 2 8 2 1 9|"
	       "S 0 1 2 9 3 1 9|S 0 1 2 10 4 1 9",
	  AVR "status 1 carries 1\nsite 2 4 5 4294967280 1-9\n"
	  "site 2 4 6 4294967288 1-9\nsite 2 4 10 4294967300 1-9\n" },
	{ "a quarter of the width is a small step",
	  LOST "|S 0 1 2 0xc00000 50 1 9|S 0 1 2 0xffffff 51 1 9|S 0 1 2 5 52 1 9|S 0 1 2 6 53 1 9|"
	       "S 0 1 2 7 54 1 9|S 0 1 2 8 55 1 9",
	  AVR "status 1 carries 1\nsite 2 4 12582912 50 1-9\nsite 2 4 16777215 51 1-9\n"
	  "site 2 4 16777224 55 1-9\n" },
	{ "more is none",
	  LOST "|S 0 1 2 0xbfffff 50 1 9|S 0 1 2 0xffffff 51 1 9|S 0 1 2 5 52 1 9|S 0 1 2 6 53 1 9|"
	       "S 0 1 2 7 54 1 9|S 0 1 2 8 55 1 9",
	  AVR "status 1 carries 1\nsite 2 4 12582911 50 1-9\nsite 2 4 16777215 51 1-9\n"
	  "site 2 4 8 55 1-9\n" },
	{ "the total leapt before: nothing is counted in anyone's stead",
	  LOST "|S 0 1 2 0xfffff0 50 1 9|S 0 1 2 0xfffff8 0x90000000 1 9|S 0 1 2 5 0x90000001 1 9|"
	       "S 0 1 2 6 0x90000002 1 9|S 0 1 2 7 0x90000003 1 9|S 0 1 2 8 0x90000004 1 9",
	  AVR "status 1 carries 1\nsite 2 4 16777200 50 1-9\n"
	  "site 2 4 16777208 2415919104 1-9\nsite 2 4 8 2415919108 1-9\n" },
	{ "a late row does not count among the four",
	  LOST "|S 0 1 2 0xfffff0 50 1 9|S 0 1 2 0xfffff8 51 1 9|+S 0 1 2 4 52 1 9|"
	       "T 2 0 0 0 0 0 0 0 1|r|"
	       "S 0 1 2 5 52 1 9|S 0 1 2 6 53 1 9|S 0 1 2 7 54 1 9|"
	       "T 3 0 0 0 0 0 0 0 1|S 0 1 2 8 55 1 9",
	  AVR "status 1 carries 1\nsite 2 4 16777200 50 1-9\nsite 2 4 16777208 51 1-9\n"
	  "status 2 carries 1\nstatus 3 carries 1\nsite 2 4 16777224 55 1-9\n" },
};

/* --- rows that wait --------------------------------------------------------------------------- */

static const struct script_case waiting[] = {
	{ "two wait; each is taken by its own second frame",
	  JOINED "|S 3 7 8 5 50 1 9|S 4 9 10 6 60 1 9|S 3 7 8 6 60 1 9|S 4 9 10 7 70 1 9|T 5",
	  SAID_JOINED "site e 10 6 60 1-9\nsite 12 14 7 70 1-9\nstatus 5\n" },
	{ "three wait; the last one's second frame comes behind the first one's",
	  JOINED "|S 3 7 8 5 50 1 9|S 4 9 10 6 60 1 9|S 5 11 12 7 70 1 9|S 3 7 8 6 60 1 9|"
	  "S 5 11 12 8 80 1 9|T 5",
	  SAID_JOINED "site e 10 6 60 1-9\nsite 16 18 8 80 1-9\nstatus 5\nsite 12 14 6 60 1-9\n" },
	{ "another arc in the slot of one that waits: it went through",
	  JOINED "|A 3 7 8 5|A 3 9 10 1|T 5",
	  SAID_JOINED "arc e 10 5\narc 12 14 1\nstatus 5\n" },
	{ "another site in the slot of one that waits: one of both is noise",
	  JOINED "|S 3 7 8 5 50 1 9|S 3 9 10 6 60 1 9|T 5|S 3 9 10 7 70 1 9",
	  SAID_JOINED "status 5\nsite 12 14 7 70 1-9\n" },
};

/*
 * A Cortex-M's code from 0x8000 on, of 16 KB: a function at its begin, its prologue behind it; a
 * return address; a byte of data.
 */
enum { ENTRY = 0x8000, EARLY = 0x8004, INNER = 0x8040, RETURN = 0x8100, DATA = 0x8200 };

static uint8_t arm_flags[0x2000];

static struct codemap arm_code(void)
{
	memset(arm_flags, CODE_TEXT, sizeof(arm_flags));
	arm_flags[(ENTRY - 0x8000) / 2] |= CODE_ENTRY;
	arm_flags[(EARLY - 0x8000) / 2] |= CODE_EARLY;
	arm_flags[(RETURN - 0x8000) / 2] |= CODE_RETURN;
	arm_flags[(DATA - 0x8000) / 2] = 0;
	return (struct codemap){ .arch = CODE_ARM, .base = 0x8000, .size = 0x4000,
				 .flags = arm_flags };
}

/* Units of 2: 0x4000 is ENTRY, 0x4080 RETURN. */
#define ARM "H a=4|T 1|T 2|T 3|T 4"
#define SAID_ARM "hello  v1 a4 f5e3 e0\nstatus 1\nstatus 2\nstatus 3\nstatus 4\n"

static const struct script_case vouched[] = {
	{ "a call to a function, from behind a call: at once", ARM "|A 3 0x4080 0x4000 5|T 5",
	  SAID_ARM "arc 8100 8000 5\nstatus 5\n" },
	{ "into its prologue, too", ARM "|A 3 0x4080 0x4002 5|T 5",
	  SAID_ARM "arc 8100 8004 5\nstatus 5\n" },
	{ "into its midst: later", ARM "|A 3 0x4080 0x4020 5|T 5",
	  SAID_ARM "status 5\narc 8100 8040 5\n" },
	{ "from no call: later", ARM "|A 3 0x4081 0x4000 5|T 5",
	  SAID_ARM "status 5\narc 8102 8000 5\n" },
	{ "from outside of the code: later", ARM "|A 3 0x9080 0x4000 5|T 5",
	  SAID_ARM "status 5\narc 12100 8000 5\n" },
	{ "a handler's row", ARM "|S 3 0 0x4000 5 50 1 9|T 5",
	  SAID_ARM "site 0 8000 5 50 1-9 handler\nstatus 5\n" },
	{ "one that is no function's", ARM "|S 3 0 0x4002 5 50 1 9|T 5",
	  SAID_ARM "status 5\nsite 0 8004 5 50 1-9 handler\n" },
	{ "samples in the code", ARM "|P 3 0x4020 255|T 5",
	  SAID_ARM "pc 8040 255\nstatus 5\n" },
	{ "too many at once: later", ARM "|P 3 0x4020 256|T 5",
	  SAID_ARM "status 5\npc 8040 256\n" },
	{ "samples in data: later", ARM "|P 3 0x4100 5|T 5",
	  SAID_ARM "status 5\npc 8200 5\n" },
	{ "a closing of an arc into a function's midst is none", ARM "|a 0 0x4080 0x4020 5|" SUM(5),
	  SAID_ARM "status 9 unheard 5 0\n" },
	{ "but where that arc is known", "H a=4|A 3 0x4080 0x4020 5|a 0 0x4080 0x4020 5|" SUM(5),
	  "hello  v1 a4 f5e3 e0\narc 8100 8040 5\narc 8100 8040 5\nstatus 9\n" },
	{ "a closing of an arc to data counts", ARM "|a 0 0x4080 0x4100 5|" SUM(5),
	  SAID_ARM "arc 8100 8200 5\nstatus 9\n" },
	{ "a closing to a function counts", ARM "|a 0 0x4080 0x4000 5|" SUM(5),
	  SAID_ARM "arc 8100 8000 5\nstatus 9\n" },
};

/*
 * An AVR of 256 KB. Pages are of 128 KB: an indirect call or a call to 0x400 at one of them, code
 * or none.
 */
static uint64_t avr_target(const void *ctx, uint64_t ret)
{
	(void)ctx;
	return ret == 0x21000 ? 0x400 : CODE_NO_TARGET;
}

static uint8_t avr_flags[0x20000];

static struct codemap avr_code(void)
{
	memset(avr_flags, CODE_TEXT, sizeof(avr_flags));
	avr_flags[0x400 / 2] |= CODE_ENTRY;
	avr_flags[0x1000 / 2] |= CODE_RETURN;		/* indirect */
	avr_flags[0x21000 / 2] |= CODE_RETURN;		/* to 0x400 */
	avr_flags[0x21100 / 2] |= CODE_RETURN;
	avr_flags[0x1200 / 2] = 0;
	return (struct codemap){ .arch = CODE_AVR, .size = 0x40000, .flags = avr_flags,
				 .target = avr_target };
}

static const struct script_case pages[] = {
	{ "a call to the callee is more than an indirect one", "H a=2 f=0x400|S 0 0x800 0x200 1",
	  "hello  v1 a2 f400 e0\nsite 21000 400 1 bit16\n" },
	{ "an indirect one is more than code", "H a=2 f=0x400|S 0 0x880 0x200 1",
	  "hello  v1 a2 f400 e0\nsite 21100 400 1 bit16\n" },
	{ "code on one page alone", "H a=2 f=0x400|S 0 0x900 0x200 1",
	  "hello  v1 a2 f400 e0\nsite 21200 400 1 bit16\n" },
	{ "arcs, too", "H a=2 f=0x420|A 0 0x800 0x200 1",
	  "hello  v1 a2 f420 e0\narc 21000 400 1 bit16\n" },
	{ "a call on the second page vouches for a row",
	  "H a=2 f=0x400|T 1|T 2|T 3|T 4|S 3 0x880 0x200 1|T 5",
	  "hello  v1 a2 f400 e0\nstatus 1\nstatus 2\nstatus 3\nstatus 4\n"
	  "site 21100 400 1 bit16\nstatus 5\n" },
};

static void arcs_and_their_closings_add_up(void **state)
{
	(void)state;
	scripts_run(arcs, COUNT(arcs), NULL);
}

static void skew_is_taken_off_to_the_nearest_tick(void **state)
{
	(void)state;
	scripts_run(skews, COUNT(skews), NULL);
}

static void rows_and_extensions_fit_in_any_order(void **state)
{
	(void)state;
	scripts_run(sites, COUNT(sites), NULL);
}

static void a_missing_extension_is_counted_where_it_is_sure(void **state)
{
	(void)state;
	scripts_run(carries, COUNT(carries), NULL);
}

static void a_new_row_waits_for_a_second_frame(void **state)
{
	(void)state;
	scripts_run(waiting, COUNT(waiting), NULL);
}

static void the_image_vouches_for_rows(void **state)
{
	struct codemap code = arm_code();

	(void)state;
	scripts_run(vouched, COUNT(vouched), &code);
}

static void the_page_that_fits_best_is_the_callers(void **state)
{
	struct codemap code = avr_code();

	(void)state;
	scripts_run(pages, COUNT(pages), &code);
}

/* --- many rows, and what a script cannot say --------------------------------------------- */

struct heard {
	size_t count;
	uint64_t calls;			/* of all */
	struct wire_total last;
	struct wire_total of[8192];	/* by caller */
};

static struct heard heard;

static void totals_hear(void *ctx, const struct wire_total *v, size_t n)
{
	(void)ctx;
	for (size_t i = 0; i < n; i++) {
		heard.count++;
		heard.calls += v[i].calls;
		heard.last = v[i];
		if (v[i].from < COUNT(heard.of))
			heard.of[v[i].from] = v[i];
	}
}

static struct wsn *decoder_new(void)
{
	struct wire_options o = { .code = NULL };
	struct wire_sink sink = { .totals = totals_hear };
	struct wire *w = wire_new("wsn", &o, &sink, NULL);

	assert_non_null(w);
	memset(&heard, 0, sizeof(heard));
	return (struct wsn *)w;
}

static void script_feed(struct wsn *w, const char *script)
{
	struct stream s = { .seq = 0 };

	stream_script(&s, script);
	wire_feed(&w->wire, (const uint8_t *)s.out.data, s.out.len);
	stream_release(&s);
}

/* 80 PCs in one frame: more than are given out at a time. */
static void all_rows_of_a_frame_are_given_out(void **state)
{
	struct wsn *w = decoder_new();
	struct buf script = BUF_INIT;
	uint64_t calls = 0;

	(void)state;
	buf_adds(&script, "H k=100|P");
	for (unsigned i = 1; i <= 80; i++) {
		buf_addf(&script, " 0 %u %u", i, i % 50 + 1);
		calls += i % 50 + 1;
	}
	script_feed(w, buf_str(&script));
	assert_int_equal(heard.count, 80);
	assert_int_equal(heard.calls, calls);
	wire_free(&w->wire);
	buf_release(&script);
}

/* Of arcs that leave their slots so many are owed a closing as there is room for. */
static void closings_without_room_are_not_owed(void **state)
{
	struct wsn *w = decoder_new();
	struct buf script = BUF_INIT;

	(void)state;
	buf_adds(&script, "H k=200 u=1");
	for (unsigned turn = 0; turn < 2; turn++) {
		for (unsigned i = 0; i < WSN_OWED + 3; i++) {
			if (i % 20 == 0)
				buf_addf(&script, "|A %u", i);
			buf_addf(&script, "%s %u 1 5", i % 20 ? " 0" : "", 1000 * turn + i + 1);
		}
	}
	script_feed(w, buf_str(&script));
	assert_int_equal(w->table[TOTAL_ARC].owed_count, WSN_OWED);
	for (unsigned i = 0; i < WSN_OWED + 3; i++) {
		assert_int_equal(heard.of[i + 1].calls, i < WSN_OWED ? 5 : 0);
		assert_int_equal(heard.of[i + 1].flags & ROW_GONE, i < WSN_OWED ? 0 : ROW_GONE);
		assert_int_equal(heard.of[1000 + i + 1].calls, 5);
	}
	wire_free(&w->wire);
	buf_release(&script);
}

/* An arc that leaves its slot without end, and no closing comes: it is owed 255 times, no more. */
static void an_arc_is_owed_so_often(void **state)
{
	struct wsn *w = decoder_new();
	struct buf script = BUF_INIT;

	(void)state;
	buf_adds(&script, "H u=1");
	for (unsigned i = 0; i < 260; i++)
		buf_addf(&script, "|A %u 1 1 5|A %u 2 1 1", i % 5, i % 5);
	script_feed(w, buf_str(&script));
	assert_int_equal(heard.of[1].calls, 255 * 5);
	assert_int_equal(w->table[TOTAL_ARC].owed_count, 1);
	wire_free(&w->wire);
	buf_release(&script);
}

static const struct wsn_row arc_row = { .slot = 3, .from = 2, .to = 4, .calls = 5 };

static void rows_give(struct wsn *w, const struct wsn_row *row, bool closed, uint32_t before,
		      uint64_t seq)
{
	static struct wsn_rows rows;

	rows = (struct wsn_rows){ .kind = TOTAL_ARC, .closed = closed, .before = before,
				  .sum = row->calls, .count = 1 };
	rows.row[0] = *row;
	wsn_table_rows(w, &rows, ORDER_NEXT, seq);
}

/* 32 frames after an arc left its slot its closing is one of a later stay. */
static void a_closing_is_waited_for_so_long(void **state)
{
	/* In time it settles the stay that is over; later it is the one's that goes on. */
	static const struct { uint64_t closing, calls; } rows[] = { { 132, 7 + 2 }, { 133, 7 } };
	struct wsn_row other = arc_row, closing = arc_row;

	(void)state;
	other.from = 6;
	closing.slot = WSN_NO_SLOT;
	closing.calls = 7;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wsn *w = decoder_new();
		struct wsn_row again = arc_row;

		again.slot = 9;
		again.calls = 2;
		rows_give(w, &arc_row, false, 0, 99);
		rows_give(w, &other, false, 0, 100);
		rows_give(w, &again, false, 0, 101);	/* back, in another slot */
		assert_int_equal(heard.of[2].calls, 5 + 2);
		rows_give(w, &closing, true, 0, rows[i].closing);
		assert_int_equal(heard.of[2].calls, rows[i].calls);
		wire_free(&w->wire);
	}
}

static void a_lost_closing_is_given_up_by_its_frame(void **state)
{
	struct wsn *w = decoder_new();
	struct wsn_row other = arc_row;

	(void)state;
	other.from = 6;
	rows_give(w, &arc_row, false, 0, 99);
	rows_give(w, &other, false, 0, 100);
	wsn_table_forget_owed(&w->table[TOTAL_ARC], 100);
	assert_int_equal(w->table[TOTAL_ARC].owed_count, 1);
	wsn_table_forget_owed(&w->table[TOTAL_ARC], 101);
	assert_int_equal(w->table[TOTAL_ARC].owed_count, 0);
	wsn_table_give(w, TOTAL_ARC);
	assert_int_equal(heard.of[2].calls, 0);
	wire_free(&w->wire);
}

/* A function that was entered and not left has no shortest and no longest call. */
static void no_call_has_no_bounds(void **state)
{
	struct wsn *w = decoder_new();

	(void)state;
	script_feed(w, "H|S 0 1 2 0 0 65535 7");
	assert_int_equal(heard.last.min, 0);
	assert_int_equal(heard.last.max, 0);
	script_feed(w, "q 2|S 0 1 2 1 9 9 9");
	assert_int_equal(heard.last.min, 9);
	assert_int_equal(heard.last.max, 9);
	wire_free(&w->wire);
}

/* What rows tell of their pace (age.c): the calls since the row before, by the node's clock. */
static void a_row_tells_its_pace(void **state)
{
	struct wsn *w = decoder_new();
	const struct wsn_slot *slot;

	(void)state;
	script_feed(w, "H f=0x4e3|T 1000|S 0 1 2 5 7 1 9");
	slot = &w->table[TOTAL_SITE].slots[0];
	assert_true(slot->pace == 0);
	script_feed(w, "q 3|T 2000|S 0 1 2 505 9 1 9");
	assert_true(slot->pace == 0.5f);
	script_feed(w, "q 5|T 3000|S 0 1 2 505 9 1 9");
	assert_true(slot->pace == 0);
	/* Another site's: it has none yet. */
	script_feed(w, "q 7|T 4000|S 0 1 2 1005 9 1 9|S 0 3 4 9 9 1 9|S 0 3 4 9 9 1 9");
	assert_true(slot->pace == 0);
	wire_free(&w->wire);
}

/* The image comes: what it settles is told again, arcs and what only is certain now, too. */
static void the_image_settles_what_was_ambiguous(void **state)
{
	struct codemap code = avr_code();
	struct wsn *w = decoder_new();

	(void)state;
	avr_flags[0x1100 / 2] |= CODE_RETURN;
	avr_flags[0x21100 / 2] &= (uint8_t)~CODE_RETURN;
	script_feed(w, "H a=2 f=0x420|S 0 0x880 0x200 3|A 0 0x800 0x200 7");
	assert_int_equal(heard.of[0x1100].flags, ROW_AMBIGUOUS);
	assert_int_equal(heard.of[0x1000].flags, ROW_AMBIGUOUS);
	wire_set_code(&w->wire, &code);
	assert_int_equal(heard.of[0x1100].flags, 0);
	assert_int_equal(heard.of[0x1100].calls, 3);
	assert_int_equal(heard.of[0x1000].flags & ROW_GONE, ROW_GONE);
	assert_int_equal(heard.last.from, 0x21000);
	assert_int_equal(heard.last.calls, 7);
	wire_free(&w->wire);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arcs_and_their_closings_add_up),
		cmocka_unit_test(skew_is_taken_off_to_the_nearest_tick),
		cmocka_unit_test(rows_and_extensions_fit_in_any_order),
		cmocka_unit_test(a_missing_extension_is_counted_where_it_is_sure),
		cmocka_unit_test(a_new_row_waits_for_a_second_frame),
		cmocka_unit_test(the_image_vouches_for_rows),
		cmocka_unit_test(the_page_that_fits_best_is_the_callers),
		cmocka_unit_test(all_rows_of_a_frame_are_given_out),
		cmocka_unit_test(closings_without_room_are_not_owed),
		cmocka_unit_test(an_arc_is_owed_so_often),
		cmocka_unit_test(a_closing_is_waited_for_so_long),
		cmocka_unit_test(a_lost_closing_is_given_up_by_its_frame),
		cmocka_unit_test(no_call_has_no_bounds),
		cmocka_unit_test(a_row_tells_its_pace),
		cmocka_unit_test(the_image_settles_what_was_ambiguous),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
