/* filter: the text goes through; at a followed function's places the chip's writers add theirs. */
#include "core/filter/filter.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/filter/chip.h"
#include "core/filter/job.h"
#include "core/filter/records.h"

/* --- the text on its way ---------------------------------------------------------------------- */

void job_line(struct filter_job *j, const char *fmt, ...)
{
	char line[512], *text = line;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (n >= (int)sizeof(line)) {
		text = mem_alloc((size_t)n + 1);
		va_start(ap, fmt);
		if (text)
			vsnprintf(text, (size_t)n + 1, fmt, ap);
		va_end(ap);
	}
	if (n < 0 || !text) {
		j->out->failed = true;
		return;
	}
	buf_addc(j->out, '\t');
	buf_add(j->out, text, (size_t)n);
	buf_addc(j->out, '\n');
	if (text != line)
		mem_free(text);
}

/* Up to `to`; calls on the way become calls of their stubs. */
void job_copy(struct filter_job *j, size_t to)
{
	while (j->calls_done < j->scope.call_count && j->scope.calls[j->calls_done].at < to) {
		const struct scope_call *c = &j->scope.calls[j->calls_done++];

		buf_add(j->out, j->s->all.text + j->done, c->at - j->done);
		buf_addf(j->out, ".Lwsntrace_c%zu", j->scope.v[c->callee].stub);
		j->done = c->at + c->size;
	}
	if (to > j->done) {
		buf_add(j->out, j->s->all.text + j->done, to - j->done);
		j->done = to;
	}
}

/* Up to where a line may be added before the statement. */
void job_copy_before(struct filter_job *j, size_t stmt)
{
	size_t at = stmt < j->s->all.count ? j->s->all.v[stmt].at : j->s->all.size, from = at;
	const char *text = j->s->all.text;

	/* a comment's place is behind its mark */
	if (stmt < j->s->all.count && j->s->all.v[stmt].kind == STATEMENT_COMMENT)
		while (from > j->done && text[from - 1] != '\n')
			from--;
	while (from > j->done && (text[from - 1] == ' ' || text[from - 1] == '\t'))
		from--;
	if (from > j->done && text[from - 1] != '\n') {
		job_copy(j, at);
		buf_addc(j->out, '\n');
	} else {
		job_copy(j, from);
	}
}

/* Up to the end of the statement's line. */
void job_copy_line(struct filter_job *j, size_t stmt)
{
	const struct statement *st = &j->s->all.v[stmt];
	size_t at = st->at + st->size;
	const char *end = at < j->s->all.size ?
			  memchr(j->s->all.text + at, '\n', j->s->all.size - at) : NULL;

	job_copy(j, end ? (size_t)(end - j->s->all.text) + 1 : j->s->all.size);
	if (!end)
		buf_addc(j->out, '\n');
}

/* --- a function ------------------------------------------------------------------------------- */

static bool directive_is_quiet(struct piece op)
{
	static const char *const quiet[] = {
		".loc", ".cfi_", ".fnstart", ".save", ".pad", ".setfp", ".vsave", ".stab", ".file",
		".type", ".cantunwind", ".L__stack_usage",
	};

	for (size_t i = 0; i < sizeof(quiet) / sizeof(quiet[0]); i++)
		if (piece_begins(op, quiet[i]))
			return true;
	return false;
}

/* The first statement that is code, or that code may jump to. */
static size_t entry_find(struct filter_job *j)
{
	const struct statements *all = &j->s->all;
	size_t i;

	j->unwound = false;
	for (i = j->f->label + 1; i < j->f->end; i++) {
		struct piece op = statement_op(all, i);

		if (all->v[i].kind == STATEMENT_INSN)
			break;
		if (all->v[i].kind == STATEMENT_LABEL &&
		    outline_is_code_label(statement_text(all, i)))
			break;
		if (all->v[i].kind == STATEMENT_DIRECTIVE && !directive_is_quiet(op))
			break;
		if (all->v[i].kind == STATEMENT_DIRECTIVE && piece_begins(op, ".cfi_"))
			j->unwound = !piece_is(op, ".cfi_endproc");
	}
	return i;
}

static void loc_write(struct filter_job *j, size_t stmt)
{
	struct piece p;
	size_t words = 0, n = 0;

	if (stmt == EXITS_NONE)
		return;
	p = statement_args(&j->s->all, stmt);
	/* FILE LINE COLUMN; a view's label must not be there twice, and is_stmt stays as it is */
	while (n < p.n && words < 3 && p.s[n] >= '0' && p.s[n] <= '9') {
		while (n < p.n && p.s[n] >= '0' && p.s[n] <= '9')
			n++;
		words++;
		while (n < p.n && p.s[n] == ' ')
			n++;
	}
	p.n = n;
	p = piece_trim(p);
	if (words >= 2 && p.n < 64)
		job_line(j, ".loc %.*s", PIECE(p));
}

static void stub_state_write(struct filter_job *j, const struct stub *s, struct cfi *now)
{
	loc_write(j, s->loc);
	cfi_write(j->out, now, &s->cfi);
	if (!now->unknown && now->open && !s->cfi.unknown && s->cfi.open)
		*now = s->cfi;
}

static void stub_write(struct filter_job *j, const struct stub *s, struct cfi *now)
{
	buf_addf(j->out, ".Lwsntrace_%zu:\n", s->number);
	stub_state_write(j, s, now);
	j->s->chip->stub(j, s);
}

/* That of the part's last exit. Is another branch to it? */
static bool fallen_is_shared(const struct exits *e)
{
	size_t stub = e->v[e->fallen].stub;

	for (size_t i = 0; i < e->count; i++)
		if (i != e->fallen && e->v[i].stub == stub)
			return true;
	return false;
}

static void fallen_write(struct filter_job *j, struct cfi *now)
{
	const struct exits *e = &j->exits;
	const struct stub *s = &e->stub[e->v[e->fallen].stub];

	if (j->s->chip->stub_fallen) {
		stub_state_write(j, s, now);
		if (j->s->chip->stub_fallen(j, s) && !fallen_is_shared(e))
			return;
	}
	stub_write(j, s, now);
}

static void stubs_write(struct filter_job *j)
{
	struct exits *e = &j->exits;
	struct cfi now = e->cfi;
	size_t first = e->fallen == EXITS_NONE ? SIZE_MAX : e->v[e->fallen].stub;

	if (first != SIZE_MAX)
		fallen_write(j, &now);
	for (size_t i = 0; i < e->stubs; i++)
		if (i != first)
			stub_write(j, &e->stub[i], &now);
	j->stubs += e->stubs;
}

static void exit_write(struct filter_job *j, size_t i)
{
	const struct exit *e = &j->exits.v[i];
	const struct statement *st = &j->s->all.v[e->stmt];
	char label[40];

	job_copy_before(j, e->stmt);
	if (e->target)
		buf_addf(j->out, ".Lwsntrace_x%zu:\n", e->stmt);
	if (i != j->exits.fallen) {
		if (e->chained)
			snprintf(label, sizeof(label), ".Lwsntrace_x%zu",
				 j->exits.v[e->next].stmt);
		else
			snprintf(label, sizeof(label), ".Lwsntrace_%zu",
				 j->exits.stub[e->stub].number);
		j->s->chip->branch(j, e, label);
	}
	/* the statement is left out, and its line where nothing else is in it */
	j->done = st->at + st->size;
	if (j->done < j->s->all.size && j->s->all.text[j->done] == '\n')
		j->done++;
}

/* The label of the next part of the function, or its end. */
static size_t part_find(const struct filter_job *j, size_t from)
{
	const struct statements *all = &j->s->all;

	for (; from < j->f->end; from++)
		if (all->v[from].kind == STATEMENT_LABEL &&
		    nameset_has(&j->s->functions, statement_text(all, from)))
			break;
	return from;
}

static void call_stubs_write(struct filter_job *j)
{
	for (size_t i = 0; i < j->scope.count; i++) {
		buf_addf(j->out, ".Lwsntrace_c%zu:\n", j->scope.v[i].stub);
		j->s->chip->call_stub(j, &j->scope.v[i]);
	}
	j->calls_stubs += j->scope.count;
}

static int parts_write(struct filter_job *j, size_t begin)
{
	size_t from = begin;
	bool first = true;

	while (from < j->f->end) {
		size_t end = part_find(j, from);
		int ret = exits_find(&j->exits, j->s, j->f, begin, end, j->stubs,
				     j->s->chip->falls(j));

		if (ret < 0)
			return ret;
		for (size_t i = 0; i < j->exits.count; i++)
			exit_write(j, i);
		if (j->exits.stubs || (first && j->scope.count)) {
			job_copy_before(j, j->exits.end);
			stubs_write(j);
			if (first)
				call_stubs_write(j);
		}
		first = false;
		begin = j->exits.end;	/* the next part's .cfi_startproc is before its label */
		from = end + 1;
	}
	return 0;
}

static int followed_write(struct filter_job *j)
{
	bool flows = j->o->codes == FILTER_FLOW;
	int ret = flows ? flow_make(&j->flow, j->o, j->s, &j->names, j->f) :
			  scope_find(&j->scope, j->o, j->s, j->f, j->calls_stubs);

	j->calls_done = 0;
	if (ret < 0)
		return ret;
	job_copy_before(j, j->f->label);
	j->s->chip->align(j);
	job_copy_before(j, entry_find(j));
	j->s->chip->entry(j);
	if (flows)
		flow_write(j, &j->flow);
	else if (j->o->use == FILTER_TIMED || (j->o->use == FILTER_TRACE && !j->f->leaf))
		ret = parts_write(j, j->f->label + 1);
	job_copy_line(j, j->f->end);
	if (ret < 0 || j->o->use != FILTER_TRACE)
		return ret;
	return records_write(j);
}

/* --- which functions -------------------------------------------------------------------------- */

/* The runtime's own, and what runs before memory has its contents. */
static bool function_is_ours(const struct outline *s, const struct function *f)
{
	static const char *const early[] = { "Reset_Handler", "SystemInit", "_start" };
	struct piece file = outline_file(s, f);
	const char *slash = file.n ? memrchr(file.s, '/', file.n) : NULL;

	if (slash) {
		file.n -= (size_t)(slash + 1 - file.s);
		file.s = slash + 1;
	}
	for (size_t i = 0; i < sizeof(early) / sizeof(early[0]); i++)
		if (piece_is(f->name, early[i]))
			return true;
	return piece_begins(f->name, "wsntrace_") || piece_begins(f->name, "wsnprof_") ||
	       piece_begins(file, "wsntrace") || piece_begins(file, "wsnprof");
}

bool filter_wants_name(const struct filter_options *o, struct piece name)
{
	return !piece_begins(name, "wsntrace_") && !piece_begins(name, "wsnprof_") &&
	       select_has_name(&o->select, name);
}

bool filter_wants(const struct filter_options *o, const struct outline *s,
		  const struct function *f)
{
	return f->compiled && !f->naked && !f->quiet && f->name.n <= FILTER_NAME_MAX &&
	       !(f->handler && o->no_handlers) && !function_is_ours(s, f) &&
	       select_has(&o->select, f->name, outline_file(s, f));
}

static void fault_say(const struct filter_options *o, const struct function *f)
{
	char name[256], line[512];

	if (!o->say)
		return;
	text_visible(name, sizeof(name), f->name.s, f->name.n);
	snprintf(line, sizeof(line), "%s: %s; left alone", name, f->fault);
	o->say(o->ctx, line);
}

static int outline_write(struct filter_job *j, struct filter_result *result)
{
	int ret = j->o->codes == FILTER_GLOBAL ? 0 : scope_names_find(&j->names, j->o, j->s);

	for (size_t i = 0; ret == 0 && i < j->s->count; i++) {
		j->f = &j->s->v[i];
		if (!filter_wants(j->o, j->s, j->f))
			continue;
		if (j->f->fault) {
			fault_say(j->o, j->f);
			result->refused++;
			continue;
		}
		ret = followed_write(j);
		result->functions++;
		result->leaves += j->f->leaf;
		result->handlers += j->f->handler;
	}
	j->scope.call_count = 0;
	job_copy(j, j->s->all.size);
	if (ret == 0)
		records_strange(j);
	exits_release(&j->exits);
	scope_release(&j->scope);
	flow_release(&j->flow);
	nameset_release(&j->strange);
	scope_names_release(&j->names);
	return ret < 0 || j->out->failed ? ERR_NOMEM : 0;
}

int filter_text(const struct filter_options *o, const char *text, size_t size, struct buf *out,
		struct filter_result *result, struct err *err)
{
	struct outline s;
	struct filter_job j = { .o = o, .s = &s, .out = out };
	struct piece file;
	int ret;

	memset(result, 0, sizeof(*result));
	if (size > STATEMENT_TEXT_MAX)
		return err_set(err, ERR_FORMAT, "larger than %zu bytes", STATEMENT_TEXT_MAX);
	if (outline_make(&s, o->chip, &o->outline, text, size) < 0)
		return err_set(err, ERR_NOMEM, "out of memory");
	file = outline_file(&s, NULL);
	text_visible(result->file, sizeof(result->file), file.s ? file.s : "", file.n);
	if (s.fault)
		ret = err_set(err, ERR_FORMAT, "%s", s.fault);
	else if (o->codes == FILTER_FLOW && flow_judge(o, &s) < 0)
		ret = ERR_NOMEM;
	else
		ret = outline_write(&j, result);
	outline_release(&s);
	return ret == ERR_NOMEM ? err_set(err, ERR_NOMEM, "out of memory") : ret;
}
