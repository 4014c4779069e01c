/*
 * walk: the survey's pass over the code.
 */
#ifndef WSNTOP_DOCTOR_WALK_H
#define WSNTOP_DOCTOR_WALK_H

#include "core/doctor/survey.h"

/* Calls of hooks, and traits from the code around them, for every function. 0 or ERR_NOMEM. */
int walk_functions(struct survey *s);

#endif
