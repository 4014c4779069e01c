/*
 * records: what the host reads of a followed function, in sections that are not loaded (filter.h).
 */
#ifndef WSNTOP_FILTER_RECORDS_H
#define WSNTOP_FILTER_RECORDS_H

#include "core/filter/job.h"

/* Behind the function. 0 or ERR_NOMEM. */
int records_write(struct filter_job *j);

/* Begins a section for the function's records; .popsection ends it. */
void records_section(struct filter_job *j, const char *section);

/* At the file's end: what stands for the second entries of functions of files without hooks. */
void records_strange(struct filter_job *j);

#endif
