/*
 * demangle: linker names as they are written in the source.
 */
#ifndef WSNTOP_IMAGE_DEMANGLE_H
#define WSNTOP_IMAGE_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"

/* Whether a linker name hides another: C++ (Itanium) or Rust (legacy and v0). */
bool demangle_is(const char *name);

/*
 * The readable name, short (no parameters, no Rust hash), with control bytes made visible; the name
 * itself where it is not mangled, broken or would take too long. Of `n` bytes of `name`. In the
 * arena; NULL: out of memory.
 */
const char *demangle(struct arena *a, const char *name, size_t n);

/*
 * Length of a name without the suffixes of clones and parts of a function (.part.0, .constprop.1,
 * .isra.2, .cold, .lto_priv.3, .llvm.123); strlen(name) when there is none of that.
 */
size_t demangle_base(const char *name);

#endif
