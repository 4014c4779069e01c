/*
 * text: strings made fit to show, and numbers as people read them.
 *
 * No text of a node, an ELF or a file reaches a terminal, a log line or an export unless it went
 * through text_visible (or an exporter's own quoting).
 */
#ifndef WSNTOP_BASE_TEXT_H
#define WSNTOP_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Copy src (n bytes) to dst as printable UTF-8, NUL-terminated, cut at a
 * character to fit size. C0, DEL and C1 control bytes, bidirectional overrides
 * and bytes that are no UTF-8 become \xNN (tab: one space). Returns strlen(dst).
 */
size_t text_visible(char *dst, size_t size, const char *src, size_t n);

/*
 * One UTF-8 character: its code point in *cp, its length in bytes returned; 0 when it is not valid.
 */
size_t text_utf8(const char *s, size_t n, uint32_t *cp);

/* And back: 1 to 4 bytes into dst, which are returned. No NUL. cp is at most 0x10ffff. */
size_t text_encode(uint32_t cp, char *dst);

/* Columns that a code point takes on a terminal: 0 combining, 2 wide, else 1. */
int text_width(uint32_t cp);

/* Columns of a UTF-8 string. */
int text_columns(const char *s);

/* "1.23 s", "12.3 ms", "4.56 us", "0 s": three significant digits. dst of 16 bytes is enough. */
const char *text_seconds(char *dst, size_t size, double s);

/* "999", "12.3k", "4.56M": at most 5 columns for anything below 1e15. */
const char *text_count(char *dst, size_t size, double n);

/*
 * All digits, in groups of three: "999", "1,024", "705,395". The one place that decides how counts
 * look, in views, messages and notes; columns that other programs read have plain digits. dst of
 * 32 bytes is enough.
 */
const char *text_whole(char *dst, size_t size, uint64_t n);

/* The same as an argument of a printf: TEXT_WHOLE(n) lives until the end of its statement. */
struct text_number {
	char text[32];
};
struct text_number text_number(uint64_t n);
#define TEXT_WHOLE(n) (text_number((uint64_t)(n)).text)

/* "512 B", "1.58 kB", "6.17 MB": bytes, as text_count. dst of 24 bytes is enough. */
const char *text_bytes(char *dst, size_t size, double n);

/*
 * A time that passed, whole seconds cut off: "0:07", "1:02:10", "2 d 3 h". dst of 24 bytes is
 * enough.
 */
const char *text_span(char *dst, size_t size, uint64_t ns);

/* The time of day here of a clock_wall(): "12:03:41"; "" where there is none. */
const char *text_wall(char *dst, size_t size, uint64_t wall_ns);

/*
 * The number of letters to insert, delete, change or swap with the next to make b, of less than 32
 * bytes, from a (optimal string alignment): of the names that there are, which was meant.
 */
unsigned text_distance(const char *a, const char *b);

bool text_begins(const char *s, const char *with);
bool text_ends(const char *s, const char *with);

/* Last component of a path, borrowed from it. */
const char *text_basename(const char *path);

/* Strict numbers: the whole string must be one. Decimal, or hex with 0x. */
bool text_u64(const char *s, uint64_t *value);
bool text_double(const char *s, double *value);

#endif
