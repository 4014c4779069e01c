#include "tui/app.h"

int app_run(struct options *o, struct err *err)
{
	(void)o;
	err_set(err, ERR_USAGE, "the screen is not in this build; use -B");
	return 2;
}
