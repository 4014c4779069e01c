/*
 * monkey: what somebody presses who knows no key: the same with each run of one seed.
 *
 * It does not leave (q, Q, F10, Ctrl-C) nor stop (Ctrl-Z) the program, by no way there is, and
 * where a file's name is asked for it types letters only: the file is to be in the directory that
 * it runs in.
 */
#ifndef WSNTOP_TESTS_MONKEY_H
#define WSNTOP_TESTS_MONKEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct monkey {
	uint64_t state;			/* not 0 */
};

static inline unsigned monkey_random(struct monkey *m, unsigned below)
{
	m->state ^= m->state << 13;
	m->state ^= m->state >> 7;
	m->state ^= m->state << 17;
	return (unsigned)(m->state >> 33) % below;
}

static inline const char *monkey_pick(struct monkey *m, const char *const *of, size_t n)
{
	return of[monkey_random(m, (unsigned)n)];
}

#define MONKEY_PICK(m, of) monkey_pick(m, of, sizeof(of) / sizeof((of)[0]))

/* What is on the screen says what may be typed. */
enum monkey_mood {
	MONKEY_FREE,
	MONKEY_NAMING,			/* a file's name is asked for */
	MONKEY_CHOOSING,		/* all commands, by name: those that leave are among them */
	MONKEY_LEAVING,			/* keys could be bound to leaving */
	MONKEY_BLIND,			/* too small a screen: any of these may be behind it */
};

static inline enum monkey_mood monkey_mood(bool (*on_screen)(const char *text))
{
	static const struct { const char *text; enum monkey_mood mood; } rows[] = {
		{ "Write to:", MONKEY_NAMING }, { "Export", MONKEY_NAMING },
		{ "as a recording", MONKEY_NAMING }, { "Save", MONKEY_NAMING },
		{ "Commands", MONKEY_CHOOSING }, { " Keys ", MONKEY_LEAVING },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (on_screen(rows[i].text))
			return rows[i].mood;
	return MONKEY_FREE;
}

/* Behind these the screen is to be looked at before the next key. */
static inline bool monkey_must_look(const char *key)
{
	static const char *const keys[] = { "\r", "x", "W", ":", "o", "\033OQ", "b", " " };

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!strcmp(keys[i], key))
			return true;
	return false;
}

static inline bool monkey_could_leave(bool (*on_screen)(const char *text))
{
	return on_screen("quit") || on_screen("suspend") || on_screen(" back");
}

/* The next key's bytes. */
static inline const char *monkey_key(struct monkey *m, enum monkey_mood mood,
				     bool (*on_screen)(const char *text))
{
	static const char *const names[] = { "\r", "\r", "\033", "\177", "a", "b", ".", "~" };
	static const char *const choices[] = {
		"\033", "\177", "a", "b", "c", "v", "s", "t", "-", "\033OA", "\033OB", "\033[6~",
	};
	static const char *const known[] = {
		"\033OA",  "\033OB", "\033OC", "\033OD", "\033[5~",  "\033[6~", "\033[1~",
		"\033[4~", "1",      "2",      "3",      "4",        "5",       "6",
		"7",       "8",      "9",      "?",      "\t",       "\033[Z",  "\r",
		"\r",      "+",      "-",      "*",      "u",        "l",       "s",
		">",       "<",      "I",      "/",      "n",        "N",       "f",
		"\\",      "F",      " ",      "Z",      "R",        "x",       "p",
		")",       "[",      "]",      "{",      "}",        "w",       "L",
		"t",       "b",      "H",      "a",      "m",        "T",       "c",
		"i",       "y",      "O",      "W",      "C",        ":",       "\f",
		"\033",    "\177",   "k",      "j",      "g",        "G",       "h",
		"M",       "'",      "\033[3~",
		"\033OP",  "\033OQ", "\033OR", "\033OS", "\033[17~", "\x04",    "\x15",
	};
	/*
	 * Patterns, keys of other programs, sequences that are none, broken UTF-8. (vt100: F10 is
	 * Esc O x.)
	 */
	static const char *const odd[] = {
		"(", "[", ".*", "a|", "\xc3\xa9", "\xc3", "\xff", "\xe4\xb8\xad", "\033[999;999H",
		"\033[", "\033O~", "\033[200~paste\033[201~", "\033x", "\033[1;5C", "o", "a",
		"%s%n", "\x01", "\x17", "\x0b", "\033[<0;500;500M", "\033[M\xff\xff\xff", "crc",
		"\033[<0;30;23M\033[<32;9;9M\033[<32;40;1M", "\033[<0;40;22m",
		"send", "0123456789", "$", "^", "&",
	};
	static const char *const blind[] = {
		"\033", "\t", "1", "2", "3",      "4",      "5",       "6",
		"7",    "8",  "9", "?", "\033OA", "\033OB", "\033[6~",
	};
	switch (mood) {
	case MONKEY_NAMING:
		return MONKEY_PICK(m, names);
	case MONKEY_CHOOSING:
		return monkey_random(m, 3) == 0 && !monkey_could_leave(on_screen)
			       ? "\r"
			       : MONKEY_PICK(m, choices);
	case MONKEY_BLIND:
		return MONKEY_PICK(m, blind);
	case MONKEY_LEAVING:
		return "\033";
	default:
		return monkey_random(m, 5) ? MONKEY_PICK(m, known) : MONKEY_PICK(m, odd);
	}
}

#endif
