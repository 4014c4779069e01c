/* export: the formats of -x, to files and to memory. */
#include "core/export/export.h"

#include "core/base/buf.h"
#include "core/base/mem.h"
#include "lib/session.h"

static const struct exporter *format_at(size_t i)
{
	for (const struct exporter *e = exporters; e->name; e++)
		if (i-- == 0)
			return e;
	return NULL;
}

const char *wsntop_format_name(size_t i)
{
	const struct exporter *e = format_at(i);

	return e ? e->name : NULL;
}

const char *wsntop_format_help(size_t i)
{
	const struct exporter *e = format_at(i);

	return e ? e->help : NULL;
}

const char *wsntop_format_file(size_t i)
{
	const struct exporter *e = format_at(i);

	return e ? e->file : NULL;
}

static const struct exporter *format_find(const char *name, struct err *err)
{
	const struct exporter *e = exporter_find(name);

	if (!e)
		err_set(err, ERR_USAGE, "%s: unknown export format", name);
	return e;
}

int wsntop_export(struct wsntop_node *n, const char *format, const char *path)
{
	struct err *err = session_err(n->session);
	const struct exporter *e = format_find(format, err);
	struct export_source s;

	if (!e || session_source(n, &s) < 0)
		return err->code;
	return export_file(e, &s, path, err) < 0 ? (int)err->code : 0;
}

static int buffer_write(const struct exporter *e, const struct export_source *s, struct buf *b,
			struct err *err)
{
	struct out out;
	int ret;

	out_open_buf(&out, b);
	ret = export_write(e, s, &out, err);
	if (ret < 0)
		out_discard(&out);
	else
		ret = out_close(&out, err);
	if (ret == 0)
		buf_addc(b, '\0');
	if (ret == 0 && b->failed)
		ret = err_set(err, ERR_NOMEM, "out of memory");
	return ret;
}

int wsntop_export_buffer(struct wsntop_node *n, const char *format, char **data, size_t *size)
{
	struct err *err = session_err(n->session);
	const struct exporter *e = format_find(format, err);
	struct buf b = BUF_INIT;
	struct export_source s;

	*data = NULL;
	*size = 0;
	if (!e || session_source(n, &s) < 0)
		return err->code;
	if (e->parts)
		return err_set(err, ERR_USAGE, "%s: it is several files; export it to a directory",
			       format);
	if (buffer_write(e, &s, &b, err) < 0) {
		buf_release(&b);
		return err->code;
	}
	*size = b.len - 1;
	*data = buf_detach(&b);
	return 0;
}

void wsntop_buffer_free(char *data)
{
	mem_free(data);
}
