#include "core/image/runtime.h"

#include <string.h>

#include "core/base/text.h"

const char *const runtime_enter_hooks[] = {
	"__cyg_profile_func_enter", "wsnprof_timed_enter", "wsnprof_count_enter", NULL,
};
const char *const runtime_exit_hooks[] = {
	"__cyg_profile_func_exit", "wsnprof_timed_exit", NULL,
};
const char *const runtime_other_hooks[RUNTIME_OTHER_HOOKS] = {
	"wsnprof_timed_handler", "wsnprof_count_handler",
	"wsnprof_timed_exit_mid", "wsnprof_timed_handler_exit", "wsnprof_timed_tail",
	"wsnprof_timed_tail_saved",
};
const char *const runtime_arc_hooks[] = {
	"__gnu_mcount_nc", "mcount", "_mcount", "__mcount", "__fentry__", NULL,
};

static bool is_in(const char *const *names, const char *name)
{
	for (; *names; names++) {
		if (strcmp(*names, name) == 0)
			return true;
	}
	return false;
}

bool runtime_is_hook(const char *name)
{
	return is_in(runtime_enter_hooks, name) || is_in(runtime_exit_hooks, name) ||
	       is_in(runtime_arc_hooks, name);
}

bool runtime_is_own(const char *name, const char *file)
{
	return text_begins(name, RUNTIME_PREFIX) || text_begins(name, RUNTIME_TRACE_PREFIX) ||
	       (file && (text_begins(text_basename(file), RUNTIME_PREFIX) ||
			 text_begins(text_basename(file), RUNTIME_TRACE_PREFIX)));
}
