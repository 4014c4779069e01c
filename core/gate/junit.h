/*
 * junit: what gates found as JUnit XML, which Jenkins, GitLab and GitHub's actions read: a suite
 * for each node, a case for each rule and function. tests/golden/junit.xsd describes it. What is
 * not sure is a failure or skipped, as the policy has it.
 */
#ifndef WSNTOP_GATE_JUNIT_H
#define WSNTOP_GATE_JUNIT_H

#include "core/base/out.h"
#include "core/gate/gate.h"

enum gate_policy { GATE_WARN, GATE_PASS, GATE_FAIL };	/* of what is not sure */

void junit_begin(struct out *out);
void junit_suite(struct out *out, const struct gate *g, const char *name, enum gate_policy policy);
void junit_end(struct out *out);

/* That this counts as a failure. */
bool gate_counts(const struct gate_result *r, enum gate_policy policy);

#endif
