/*
 * welcome: help and commands come first on the bottom line until the first key is pressed on this
 * machine. That it was is kept as an empty file beside the remembered pairs.
 */
#include <unistd.h>

#include "core/base/file.h"
#include "tui/app/ui/ui.h"

static const char *welcome_file(char *dst, size_t size)
{
	return file_place("XDG_STATE_HOME", ".local/state", "welcomed", dst, size);
}

void ui_welcome(struct ui *u)
{
	char path[1024];

	u->welcome = *welcome_file(path, sizeof(path)) && access(path, F_OK) < 0;
}

/* A file that cannot be made is no more than a hint that comes again. */
void ui_welcomed(struct ui *u)
{
	char path[1024];

	if (!u->welcome)
		return;
	u->welcome = false;
	u->draw_now = true;
	if (*welcome_file(path, sizeof(path)) && file_folders(path, NULL) == 0)
		file_write(path, "", 0, NULL);
}
