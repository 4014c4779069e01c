/*
 * program: programs of this machine, found as the shell finds them.
 */
#ifndef WSNTOP_SOURCE_PROGRAM_H
#define WSNTOP_SOURCE_PROGRAM_H

/*
 * Where a program is, for mem_free(): `name` itself if it holds a slash, else the first of that
 * name in PATH that may be run. NULL: nowhere. Parts of PATH that are no absolute path are left
 * out.
 */
char *program_find(const char *name);

#endif
