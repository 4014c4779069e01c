/*
 * as: the command `wsntop as`, which stands between gcc and the assembler and puts in the hooks for
 * call traces (core/filter/).
 */
#ifndef WSNTOP_TUI_AS_H
#define WSNTOP_TUI_AS_H

/* argv[0] is "as". Status: the assembler's; 1 it cannot be run; 2 bad usage. */
int as_main(int argc, char **argv);

#endif
