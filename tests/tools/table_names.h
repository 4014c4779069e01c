/* table_names: the names of the program's tables, for manual.c and completion.c. */
#ifndef TEST_TOOLS_TABLE_NAMES_H
#define TEST_TOOLS_TABLE_NAMES_H

#include <stdio.h>

#include "core/export/export.h"
#include "core/profile/look/rows.h"
#include "core/wire/wire.h"
#include "tui/command/command.h"
#include "tui/config/options.h"

static inline void names_formats(const char *between)
{
	for (const struct wire_format *f = wire_formats; f->name; f++)
		printf("%s%s", f == wire_formats ? "" : between, f->name);
}

static inline void names_exports(const char *between)
{
	for (const struct exporter *e = exporters; e->name; e++)
		printf("%s%s", e == exporters ? "" : between, e->name);
}

static inline void names_columns(const char *between)
{
	for (size_t i = 0; i < COLUMN_COUNT; i++)
		printf("%s%s", i ? between : "", columns[i].name);
}

static inline void names_of_rows(const struct option_table *t, const char *between)
{
	struct option_row r;

	for (size_t i = 0; option_table_row(t, i, &r); i++)
		printf("%s--%s%s", i ? between : "", r.name, r.argument ? "=" : "");
}

/* All rows of wsntop itself. */
static const struct option_table table_all = { 0 };

static inline void names_options(const char *between)
{
	names_of_rows(&table_all, between);
}

static inline void names_commands(const char *between)
{
	for (const struct command *const *c = commands; *c; c++)
		printf("%s%s", c == commands ? "" : between, (*c)->name);
}

#endif
