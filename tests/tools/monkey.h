/*
 * monkey: what somebody presses who knows no key: the same with each run of one seed.
 *
 * It does not leave (q, Q, F10, Ctrl-C) nor stop (Ctrl-Z) the program, and where a file's name is
 * asked for it types letters only: the file is to be in the directory that it runs in.
 */
#ifndef WSNTOP_TESTS_MONKEY_H
#define WSNTOP_TESTS_MONKEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* The next key's bytes. `naming`: a file's name is being asked for. */
static inline const char *monkey_key(struct monkey *m, bool naming)
{
	static const char *const names[] = { "\r", "\r", "\033", "\177", "a", "b", ".", "~" };
	static const char *const known[] = {
		"\033OA", "\033OB", "\033OC", "\033OD", "\033[5~", "\033[6~", "\033[1~", "\033[4~",
		"1", "2", "3", "4", "5", "?", "\t", "\033[Z", "\r", "\r", "+", "-", "*", "u", "l",
		"s", ">", "<", "I", "/", "n", "N", "f", "\\", "F", " ", "Z", "R", "x", "p", "]",
		"\f", "\033", "\177", "k", "j", "g", "G", "h", "\033OP", "\033OR", "\033OS",
		"\033[17~",
	};
	/* Patterns, keys of other programs, sequences that are none, broken UTF-8. */
	static const char *const odd[] = {
		"(", "[", ".*", "a|", "\xc3\xa9", "\xc3", "\xff", "\xe4\xb8\xad", "\033[999;999H",
		"\033[", "\033O", "\033[200~paste\033[201~", "\033x", "\033[1;5C", "o", "a", "H",
		"O", "\033OQ", "%s%n", "\x01", "\x15", "\x17", "\x0b", "\033[<0;500;500M",
		"\033[M\xff\xff\xff", "crc", "send", "0123456789", ":", "$", "^", "&",
	};

	if (naming)
		return MONKEY_PICK(m, names);
	return monkey_random(m, 5) ? MONKEY_PICK(m, known) : MONKEY_PICK(m, odd);
}

#endif
