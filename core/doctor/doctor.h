/*
 * doctor: finds problems of a firmware image for profiling, from the ELF alone.
 *
 * doctor_new reads the image, its symbols, code and DWARF, and makes findings: an examination of a
 * few milliseconds for firmware. Nothing is kept of the file afterwards. Hostile ELF is examined
 * like any other.
 */
#ifndef WSNTOP_DOCTOR_DOCTOR_H
#define WSNTOP_DOCTOR_DOCTOR_H

#include <stddef.h>

#include "core/base/err.h"

enum doctor_severity {
	DOCTOR_OK,
	DOCTOR_NOTE,		/* good to know: a cost, a limit */
	DOCTOR_WARNING,		/* the profile shows less than it could */
	DOCTOR_FAULT,		/* the profile will be empty or wrong, or the firmware fail */
};

struct doctor_finding {
	enum doctor_severity severity;
	const char *about;	/* of a chip: which link of the chain, one word; else NULL */
	const char *text;	/* visible UTF-8, no newline */
	const char *cure;	/* what to do; NULL: none needed */
};

struct doctor;

/* NULL and the sentence when it is no ELF, or memory is out. */
struct doctor *doctor_new(const char *path, struct err *err);
void doctor_free(struct doctor *d);

/*
 * Nothing found yet: for who examines something else than an image. `machine` as doctor_machine()
 * gives it. NULL: out of memory, now or for a finding.
 */
struct doctor *doctor_blank(void);
struct doctor *doctor_finish(struct doctor *d, const char *machine, struct err *err);

/* A finding; `about` and `cure` may be NULL. Copied, save `about`. */
void doctor_note(struct doctor *d, const char *about, enum doctor_severity severity,
		 const char *cure, const char *text);

/* "avr, atmega1284p": the target of the image. */
const char *doctor_machine(const struct doctor *d);

/* Findings, in the order in which they are worth reading. */
size_t doctor_count(const struct doctor *d);
const struct doctor_finding *doctor_finding(const struct doctor *d, size_t i);
enum doctor_severity doctor_worst(const struct doctor *d);

const char *doctor_severity_name(enum doctor_severity severity);

#endif
