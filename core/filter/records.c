/* records: ids, functions and codes, in sections without address (filter.h). */
#include "core/filter/records.h"

#include "core/base/err.h"
#include "core/filter/chip.h"

/* "G",%progbits,GROUP of the function's own group of sections; else one by its id's name. */
void records_section(struct filter_job *j, const char *section)
{
	struct piece args, flags = { "", 0 }, group = { "", 0 }, rest = { "", 0 };
	struct piece name = j->f->name;
	char mark = j->s->chip->mark;

	if (j->f->section != OUTLINE_NONE) {
		args = statement_args(&j->s->all, j->f->section);
		piece_first(args, &rest);
		flags = piece_first(rest, &rest);
		piece_first(rest, &rest);
		group = piece_first(rest, &rest);
	}
	if (piece_has(flags, "G") && piece_is_name(group) && group.n <= FILTER_NAME_MAX &&
	    piece_is(rest, "comdat"))
		job_line(j, ".pushsection %s,\"G\",%cprogbits,%.*s,comdat", section, mark,
			 PIECE(group));
	else
		job_line(j, ".pushsection %s,\"G\",%cprogbits,wsntrace_id.%.*s", section, mark,
			 PIECE(name));
}

/* `of`: before the function's name in its symbol. */
static void map_write(struct filter_job *j, const char *of, unsigned flags)
{
	struct piece name = j->f->name;

	records_section(j, ".wsntrace_map");
	job_line(j, ".long %s%.*s", of, PIECE(name));
	job_line(j, ".short wsntrace_id.%.*s+1", PIECE(name));
	job_line(j, ".byte %u", flags);
	job_line(j, ".byte 0");
	job_line(j, ".popsection");
}

/* From id 125 on this is no byte: the linker says so, and where, which is what the user reads. */
static void narrow_write(struct filter_job *j)
{
	records_section(j, "\"" FILTER_NARROW "\"");
	job_line(j, ".byte wsntrace_id.%.*s+132", PIECE(j->f->name));
	job_line(j, ".popsection");
}

static void code_write(struct filter_job *j, struct piece to, struct scope_code code)
{
	records_section(j, ".wsntrace_code");
	job_line(j, ".long %.*s,%.*s", PIECE(j->f->name), PIECE(to));
	job_line(j, ".short %u", code.bits);
	job_line(j, ".byte %u,0", code.length);
	job_line(j, ".popsection");
}

static int scope_write(struct filter_job *j)
{
	struct piece leave = { "0xffffffff", 10 };

	if (j->scope.leave.length)
		code_write(j, leave, j->scope.leave);
	for (size_t i = 0; i < j->scope.count; i++) {
		const struct scope_callee *c = &j->scope.v[i];

		code_write(j, c->name, c->code);
		if (!nameset_has(&j->s->functions, c->name) &&
		    nameset_put(&j->strange, c->name, 0) < 0)
			return ERR_NOMEM;
	}
	return 0;
}

int records_write(struct filter_job *j)
{
	struct piece name = j->f->name;
	unsigned flags = (j->f->leaf ? FILTER_LEAF : 0) | (j->f->handler ? FILTER_HANDLER : 0);

	if (j->o->codes != FILTER_GLOBAL && !j->f->handler) {
		if (!scope_is_private(&j->names, j->f))
			map_write(j, "wsntrace_body.", flags | FILTER_ENTRY);
		if (nameset_has(&j->names.weak, name))
			job_line(j, ".weak wsntrace_body.%.*s", PIECE(name));
		else if (nameset_has(&j->names.global, name))
			job_line(j, ".global wsntrace_body.%.*s", PIECE(name));
	}
	records_section(j, ".wsntrace_id");
	buf_addf(j->out, "wsntrace_id.%.*s:\n", PIECE(name));
	job_line(j, ".byte 0");
	job_line(j, ".popsection");
	map_write(j, "", flags);
	if (j->s->chip == &chip_avr && !j->o->wide)
		narrow_write(j);
	if (j->o->codes != FILTER_FLOW)
		return scope_write(j);
	flow_records(j, &j->flow);
	for (size_t i = 0; i < j->flow.count; i++)
		if (j->flow.v[i].kind == FLOW_CALL &&
		    !nameset_has(&j->s->functions, j->flow.v[i].name) &&
		    nameset_put(&j->strange, j->flow.v[i].name, 0) < 0)
			return ERR_NOMEM;
	return 0;
}

void records_strange(struct filter_job *j)
{
	for (size_t i = 0; i < j->strange.count; i++) {
		struct piece name = j->strange.v[i].name;

		job_line(j, ".section .text.wsntrace_body.%.*s,\"axG\",%cprogbits,"
			 "wsntrace_body.%.*s,comdat", PIECE(name), j->s->chip->mark, PIECE(name));
		job_line(j, ".weak wsntrace_body.%.*s", PIECE(name));
		buf_addf(j->out, "wsntrace_body.%.*s:\n", PIECE(name));
		j->s->chip->call_weak(j, name);
	}
}
