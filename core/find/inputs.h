/*
 * inputs: whether a file is one that the run itself reads or writes: no export may replace it.
 * Files are compared by device and inode: another path to the same file is the same file.
 */
#ifndef WSNTOP_FIND_INPUTS_H
#define WSNTOP_FIND_INPUTS_H

#include <stdbool.h>

/* Both are there and are one file. Either may be NULL. */
bool inputs_same(const char *a, const char *b);

/* `path` is what a source (-p) reads: "file:PATH", a path, or "-", standard input. */
bool inputs_is_source(const char *source, const char *path);

/* The same of a power meter's source: "text:file:PATH?unit=mA". */
bool inputs_is_meter(const char *source, const char *path);

/* `path` is the recording of a meter beside the node's, `record`: its name and this: */
#define INPUTS_METER ".power"
bool inputs_is_meter_record(const char *record, const char *path);

#endif
