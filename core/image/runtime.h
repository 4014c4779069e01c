/*
 * runtime: which functions of an image are the node's profiler: wsnprof's, and the hooks, whose
 * names the compiler dictates (gcc's manual, "Instrumentation Options") or `wsntop as`.
 */
#ifndef WSNTOP_IMAGE_RUNTIME_H
#define WSNTOP_IMAGE_RUNTIME_H

#include <stdbool.h>

#define RUNTIME_PREFIX "wsnprof_"
#define RUNTIME_TRACE_PREFIX "wsntrace_"

/* NULL ends each; that of an image is the first that it has. */
extern const char *const runtime_enter_hooks[];
extern const char *const runtime_exit_hooks[];
extern const char *const runtime_arc_hooks[];
/* Those of `wsntop as` at other places: in AVR's handlers; before a jump to a function. */
#define RUNTIME_OTHER_ENTERS 2		/* the first are enter hooks, the others exit hooks */
#define RUNTIME_OTHER_HOOKS 6
extern const char *const runtime_other_hooks[RUNTIME_OTHER_HOOKS];

bool runtime_is_hook(const char *name);

/*
 * By its name or its file's, which may be NULL and have folders. Hooks that are in no such file
 * are not.
 */
bool runtime_is_own(const char *name, const char *file);

#endif
