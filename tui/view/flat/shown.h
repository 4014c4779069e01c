/*
 * shown: what the flat view shows at the moment, for the dialog that chooses its columns.
 */
#ifndef WSNTOP_TUI_VIEW_FLAT_SHOWN_H
#define WSNTOP_TUI_VIEW_FLAT_SHOWN_H

#include "tui/config/settings.h"
#include "tui/view/view.h"

/* All its cells in the order that is built in. */
size_t flat_built_in(struct settings_column *out, size_t max);

/* `v` is the flat view. Has room at present; holds something in this profile; columns it takes. */
bool flat_shows(const struct view *v, unsigned cell);
bool flat_holds(const struct view *v, unsigned cell);
int flat_width(const struct view *v, unsigned cell);

const char *flat_help(unsigned cell);

#endif
