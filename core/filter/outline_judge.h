/*
 * outline_judge: what a function's instructions tell of it.
 */
#ifndef WSNTOP_FILTER_OUTLINE_JUDGE_H
#define WSNTOP_FILTER_OUTLINE_JUDGE_H

#include "core/filter/outline.h"

/* Fills in leaf, taken, handler and fault, once the whole file is known. */
void outline_judge(const struct outline *s, struct function *f);

/* Whether a label begins a part of a function in another section: NAME.cold. */
bool outline_is_part(struct piece label);

#endif
