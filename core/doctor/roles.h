/*
 * roles: which functions are the runtime's, interrupt handlers, start-up code.
 */
#ifndef WSNTOP_DOCTOR_ROLES_H
#define WSNTOP_DOCTOR_ROLES_H

#include "core/doctor/survey.h"

/* Set their traits. 0 or ERR_NOMEM. */
int roles_find(struct survey *s);

#endif
