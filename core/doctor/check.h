/*
 * check: one question about an image. A check reads the survey and reports its findings; it
 * changes only the survey's scratch. doctor.c has the table of them.
 */
#ifndef WSNTOP_DOCTOR_CHECK_H
#define WSNTOP_DOCTOR_CHECK_H

#include "core/base/buf.h"
#include "core/doctor/doctor.h"
#include "core/doctor/survey.h"

/* A finding; `cure` may be NULL. Copied. */
void doctor_say(struct doctor *d, enum doctor_severity severity, const char *cure, const char *fmt,
		...) __attribute__((format(printf, 4, 5)));

/* Functions that have all of these traits and none of those, and calls of a hook among `hooks`. */
struct check_pick {
	uint32_t with, without;
	uint32_t hooks;			/* bits 1 << enum survey_hook; 0: whether or not */
};

/* The cure where `wsntop as` put the hooks in. */
#define CHECK_EXCEPT "`wsntop as --install DIR CROSS --timed '--except=^(NAME|NAME)$'`"

#define CHECK_TIMED (1u << HOOK_ENTER | 1u << HOOK_EXIT)
#define CHECK_ARCS (1u << HOOK_ARC)
#define CHECK_ANY (CHECK_TIMED | CHECK_ARCS)

bool check_picks(const struct check_pick *p, const struct survey_function *f);

/* Functions for a finding; all zero: none. */
struct check_list {
	uint32_t count;
	size_t used;			/* bytes of text */
	char text[640];
};

void check_list_add(struct check_list *l, const char *name);
const char *check_list_names(struct check_list *l);	/* the first few: "a, b, c and 12 more" */

/*
 * Does the application call that function of the runtime's? Yes, too, if the image cannot show it.
 */
bool check_used(const struct survey *s, const char *name);

/* Places that create a task of an RTOS, the kernel's own included. */
uint64_t check_task_places(const struct survey *s);

/* A setting that the runtime tells by an absolute symbol, which takes no byte of the chip. */
bool check_setting(const struct survey *s, const char *name, uint64_t *value);

/* AVR: a timer of the chip's whose bit is not in `used`, of 16 bits, else of 8, else -1. */
int check_free_timer(const char *device, uint8_t used);

struct check_list check_list_of(const struct survey *s, const struct check_pick *p);
void check_symbols(struct doctor *d, struct survey *s);
void check_debug(struct doctor *d, struct survey *s);
void check_identity(struct doctor *d, struct survey *s);

void check_instrumented(struct doctor *d, struct survey *s);
void check_runtime(struct doctor *d, struct survey *s);
void check_recursion(struct doctor *d, struct survey *s);
void check_use(struct doctor *d, struct survey *s);
void check_handlers(struct doctor *d, struct survey *s);
void check_inlined(struct doctor *d, struct survey *s);
void check_wrapped(struct doctor *d, struct survey *s);

void check_avr(struct doctor *d, struct survey *s);
void check_arm(struct doctor *d, struct survey *s);

void check_table(struct doctor *d, struct survey *s);
void check_noinit(struct doctor *d, struct survey *s);
void check_ram(struct doctor *d, struct survey *s);
void check_flash(struct doctor *d, struct survey *s);
void check_short(struct doctor *d, struct survey *s);

#endif
