/*
 * roles: which functions are the runtime's, interrupt handlers, start-up code.
 */
#ifndef WSNTOP_DOCTOR_ROLES_H
#define WSNTOP_DOCTOR_ROLES_H

#include "core/doctor/survey.h"

/* Set their traits. 0 or ERR_NOMEM. */
int roles_find(struct survey *s);

/* Does this name, or the source file that it stands in, belong to wsnprof? */
bool roles_is_runtime(const char *name, const char *file);

#endif
