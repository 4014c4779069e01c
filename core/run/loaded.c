#include "core/run/loaded.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/base/text.h"
#include "core/find/finds.h"
#include "core/import/import.h"
#include "core/profile/raw/copy.h"
#include "core/run/baseline.h"

bool loaded_is_stream(const char *path, const char *format)
{
	enum find_kind kind = finds_kind_of(path);

	return kind == FIND_RECORDING ||
	       (kind == FIND_NEITHER && format && strcmp(format, "auto") != 0 &&
		access(path, R_OK) == 0);
}

static int stream_open(struct loaded *in, const char *path, const struct node_options *like,
		       struct err *err)
{
	in->node = baseline_node(path, like, err);
	if (!in->node)
		return err->code;
	node_export_source(in->node, &in->source);
	if (in->source.profile->function_count || in->source.trace || in->source.stack_count)
		return 0;
	return err_advise(err, ERR_FORMAT, ADVICE_FORMAT, "%s: no counts decoded (%s)", path,
			  node_format_note(in->node));
}

static int profile_open(struct loaded *in, const char *path, const struct node_options *like,
			struct err *err)
{
	const struct profile *p = in->profile = baseline_read(path, like, err);
	const struct importer *importer = import_of_file(path);

	if (!p)
		return err->code;
	in->source = (struct export_source){
		.profile = p, .node = p->name && *p->name ? p->name : text_basename(path),
		.source = path, .format = importer ? importer->name : "", .image_match = "unknown",
		.agreement = NAN, .hooks_share = NAN,
	};
	return 0;
}

int loaded_open(struct loaded *in, const char *path, const struct node_options *like,
	       struct err *err)
{
	int ret;

	*in = (struct loaded){ .node = NULL };
	ret = loaded_is_stream(path, like->format) ? stream_open(in, path, like, err) :
						    profile_open(in, path, like, err);
	if (ret < 0)
		loaded_release(in);
	return ret;
}

void loaded_release(struct loaded *in)
{
	node_free(in->node);
	profile_drop(in->profile);
	*in = (struct loaded){ .node = NULL };
}
