/* columns: core's table of columns, with their units in SI. */
#include <math.h>

#include "lib/session.h"

/* A cell's value times `scale` is in `unit`. "": words. */
static const struct {
	const char *unit;
	double scale;
} units[COLUMN_COUNT] = {
	[COLUMN_SELF_PERCENT] = { "1", 1 }, [COLUMN_SELF] = { "s", 1 },
	[COLUMN_TOTAL] = { "s", 1 }, [COLUMN_CALLS] = { "1", 1 }, [COLUMN_PER_CALL] = { "s", 1 },
	[COLUMN_MIN] = { "s", 1 }, [COLUMN_P50] = { "s", 1 }, [COLUMN_P90] = { "s", 1 },
	[COLUMN_P99] = { "s", 1 }, [COLUMN_MAX] = { "s", 1 }, [COLUMN_SAMPLES] = { "1", 1 },
	[COLUMN_RAN] = { "1", 1 }, [COLUMN_RAN_RATE] = { "1/s", 1 },
	[COLUMN_RAN_SELF] = { "s", 1 }, [COLUMN_RATE] = { "1/s", 1 }, [COLUMN_LOAD] = { "1", 1 },
	[COLUMN_CURRENT] = { "A", 1e-3 }, [COLUMN_ENERGY_CALL] = { "J", 1e-6 },
	[COLUMN_ENERGY] = { "1", 1 }, [COLUMN_STACK] = { "bytes", 1 },
	[COLUMN_STACK_MAX] = { "bytes", 1 }, [COLUMN_STACK_USE] = { "bytes", 1 },
	[COLUMN_FRAME] = { "bytes", 1 }, [COLUMN_CONTEXT] = { "", 1 },
	[COLUMN_FUNCTION] = { "", 1 }, [COLUMN_FILE] = { "", 1 },
};

size_t wsntop_column_count(void)
{
	return COLUMN_COUNT;
}

int wsntop_column(const char *name)
{
	const struct column *c = column_find(name);

	return c ? (int)c->id : WSNTOP_ERROR_ABSENT;
}

const char *wsntop_column_name(size_t column)
{
	return column < COLUMN_COUNT ? columns[column].name : NULL;
}

const char *wsntop_column_help(size_t column)
{
	return column < COLUMN_COUNT ? columns[column].help : NULL;
}

const char *wsntop_column_unit(size_t column)
{
	return column < COLUMN_COUNT ? units[column].unit : NULL;
}

/* NULL: no such function. */
static const struct profile_function *function_numbered(const struct wsntop_node *n, size_t i,
							struct column_data *d)
{
	*d = (struct column_data){ node_profile(n->node), &n->contexts };
	return i < d->profile->function_count ? &d->profile->functions[i] : NULL;
}

double wsntop_value(struct wsntop_node *n, size_t function, size_t column)
{
	struct column_data d;
	const struct profile_function *f = function_numbered(n, function, &d);

	if (!f || column >= COLUMN_COUNT || !columns[column].value)
		return NAN;
	return units[column].scale * columns[column].value(&d, f);
}

const char *wsntop_cell(struct wsntop_node *n, size_t function, size_t column, char *dst,
			size_t size)
{
	struct column_data d;
	const struct profile_function *f = function_numbered(n, function, &d);

	if (!size)
		return dst;
	dst[0] = '\0';
	if (f && column < COLUMN_COUNT)
		columns[column].format(&d, f, dst, size);
	return dst;
}

long wsntop_order(struct wsntop_node *n, size_t column, size_t *functions, size_t room)
{
	struct rows_order order = { .column = (enum column_id)column,
				    .filter = n->session->settings.filter,
				    .contexts = &n->contexts };
	struct err *err = session_err(n->session);

	if (column >= COLUMN_COUNT)
		return err_set(err, ERR_ABSENT, "column %zu: there are not so many", column);
	if (rows_sort(&n->rows, node_profile(n->node), &order) < 0)
		return err_set(err, ERR_NOMEM, "out of memory");
	for (size_t i = 0; i < n->rows.count && i < room; i++)
		functions[i] = n->rows.items[i];
	return (long)n->rows.count;
}

long wsntop_top(struct wsntop_node *n, const char *column, struct wsntop_function *top, size_t size,
		size_t room)
{
	const struct column *c = column_find(column);
	char *to = (char *)top;
	long count;
	int failed;

	if (!c)
		return err_set(session_err(n->session), ERR_ABSENT,
			       "column %s: there is none of this name; see wsntop_column_name",
			       column);
	failed = wsntop_compute(n);
	if (failed)
		return failed;
	count = wsntop_order(n, c->id, NULL, 0);
	for (size_t i = 0; count >= 0 && i < n->rows.count && i < room; i++, to += size)
		wsntop_function(n, n->rows.items[i], (struct wsntop_function *)(void *)to, size);
	return count;
}
