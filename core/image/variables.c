/* variables: DW_TAG_variable (DWARF 5, 4.1), and the scopes that it is in. */
#include "core/image/variables.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/varint.h"
#include "core/image/apart.h"
#include "core/image/variable_die.h"

enum { DIE_NAME = 256 };

#define AVR_DATA 0x800000u		/* what avr-ld adds to addresses of data */

/* --- the name that is looked for -------------------------------------------------------------- */

/* The last ":" that is no half of a "::" ends what says where. */
static void name_split(struct variable_search *s, const char *name)
{
	s->name = name;
	for (size_t i = 0; name[i]; i++) {
		if (name[i] == ':' && name[i + 1] == ':')
			i++;
		else if (name[i] == ':')
			s->qualifiers = i + 1;
	}
	s->own = s->qualifiers + strcspn(name + s->qualifiers, ".[");
}

/* The file's name, or the last part of its path. */
static bool unit_is(const char *unit, const char *name, size_t n)
{
	size_t length = strlen(unit);

	return length >= n && strncmp(unit + length - n, name, n) == 0 &&
	       (length == n || unit[length - n - 1] == '/');
}

static bool qualifiers_fit(const struct variable_search *s)
{
	const char *function = s->function ? s->function : "";

	for (const char *p = s->name, *end; p < s->name + s->qualifiers; p = end + 1) {
		size_t n;

		end = strchr(p, ':');
		while (end[1] == ':')
			end = strchr(end + 2, ':');
		n = (size_t)(end - p);
		if (!unit_is(s->unit, p, n) && !unit_is(function, p, n))
			return false;
	}
	return true;
}

/* The whole name with its scopes, or its end: "state" and "ns::state" are "a::ns::state". */
static bool name_fits(const struct variable_search *s, const char *name)
{
	char whole[VARIABLE_SCOPES + DIE_NAME];
	size_t n = s->own - s->qualifiers, length;

	snprintf(whole, sizeof(whole), "%s%s", s->scopes, name);
	length = strlen(whole);
	return n && length >= n && strncmp(whole + length - n, s->name + s->qualifiers, n) == 0 &&
	       (length == n || whole[length - n - 1] == ':') && qualifiers_fit(s);
}

/* --- a variable ------------------------------------------------------------------------------- */

/* The number of little or big endian bytes. */
static uint64_t bytes_number(const uint8_t *p, size_t n, bool big)
{
	uint64_t x = 0;

	for (size_t i = 0; i < n; i++)
		x = x << 8 | p[big ? i : n - 1 - i];
	return x;
}

/* The address of a location that begins with one; how many bytes that takes, 0: it does not. */
static size_t address_begin(struct debug_reader *r, Dwarf_Die die, const uint8_t *p, size_t n,
			    unsigned bytes, uint64_t *address)
{
	Dwarf_Addr at = 0;
	uint64_t index;
	size_t used;

	if (n > 1 && p[0] == DW_OP_addrx && (used = varint_get(p + 1, n - 1, &index))) {
		if (!debug_ok(r, dwarf_debug_addr_index_to_addr(die, index, &at, &r->error)))
			return 0;
		*address = at;
		return 1 + used;
	}
	if (n < 1 + bytes || p[0] != DW_OP_addr)
		return 0;
	*address = bytes_number(p + 1, bytes, r->elf->big_data);
	return 1 + bytes;
}

/* DW_OP_addr, or its number in .debug_addr; a compiler that merged several adds an offset. */
static bool address_of(struct variable_search *s, Dwarf_Die die, uint64_t *address)
{
	uint8_t p[2 + 2 * VARINT_MAX];
	size_t n = variable_expression(&s->reader, die, DW_AT_location, p, sizeof(p)), used;
	uint64_t more = 0;

	used = address_begin(&s->reader, die, p, n, s->address_bytes, address);
	if (!used || used == n)
		return used;
	if (p[used] != DW_OP_plus_uconst ||
	    varint_get(p + used + 1, n - used - 1, &more) != n - used - 1)
		return false;
	*address += more;
	return true;
}

static void variable_keep(struct variable_search *s, const struct variable *v, bool global)
{
	if (s->has && s->found->address == v->address)
		return;
	if (s->has) {
		s->others++;
		return;
	}
	*s->found = *v;
	s->has = true;
	s->is_global = global;
}

/* `die` has the address, `typed` the type. */
static void variable_take(struct variable_search *s, Dwarf_Die die, Dwarf_Die typed)
{
	struct variable v = { .big_endian = s->reader.elf->big_data };

	if (!address_of(s, die, &v.address)) {
		s->placeless |= !variable_flag(&s->reader, die, DW_AT_declaration);
		return;
	}
	s->taken = &v;
	s->rest = s->name + s->own;
	if (variable_type_take(s, typed))
		variable_keep(s, &v, variable_flag(&s->reader, typed, DW_AT_external));
	if (s->found->enumerators != v.enumerators)
		variable_release(&v);
}

static void declared_add(struct variable_search *s, Dwarf_Die die)
{
	Dwarf_Off offset;

	if (s->declared_count < VARIABLE_DECLARED &&
	    debug_ok(&s->reader, dwarf_dieoffset(die, &offset, &s->reader.error)))
		s->declared[s->declared_count++] = offset;
}

static bool is_declared(struct variable_search *s, Dwarf_Die die)
{
	Dwarf_Off offset;

	if (!debug_ok(&s->reader, dwarf_dieoffset(die, &offset, &s->reader.error)))
		return false;
	for (size_t i = 0; i < s->declared_count; i++)
		if (s->declared[i] == offset)
			return true;
	return false;
}

/* A definition of what a class or a namespace declares: the name and the type are there. */
static void definition_see(struct variable_search *s, Dwarf_Die die)
{
	static const Dwarf_Half ways[] = { DW_AT_specification, DW_AT_abstract_origin };

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		Dwarf_Die of = variable_referred(&s->reader, die, ways[i]);

		if (of && is_declared(s, of) && qualifiers_fit(s))
			variable_take(s, die, of);
		if (of)
			dwarf_dealloc(s->reader.dbg, of, DW_DLA_DIE);
	}
}

static void variable_see(struct variable_search *s, Dwarf_Die die)
{
	char name[DIE_NAME];

	if (s->in_functions != (s->function != NULL))
		return;
	variable_name(&s->reader, die, name, sizeof(name));
	if (!name[0]) {
		definition_see(s, die);
	} else if (name_fits(s, name)) {
		declared_add(s, die);
		variable_take(s, die, die);
	}
}

/* --- scopes ----------------------------------------------------------------------------------- */

static bool scope_visit(struct variable_search *s, Dwarf_Die die);

static void scope_enter(struct variable_search *s, Dwarf_Die die, const char *name)
{
	size_t before = strlen(s->scopes);

	if (s->deep == VARIABLE_DEEP)
		return;
	s->deep++;
	if (name[0])
		snprintf(s->scopes + before, sizeof(s->scopes) - before, "%s::", name);
	variable_children(s, die, scope_visit);
	s->scopes[before] = '\0';
	s->deep--;
}

/* One that was inlined somewhere, or a method, has its name where it was declared. */
static void function_name(struct debug_reader *r, Dwarf_Die die, char *dst, size_t size)
{
	static const Dwarf_Half ways[] = { DW_AT_abstract_origin, DW_AT_specification };

	variable_name(r, die, dst, size);
	for (size_t i = 0; !dst[0] && i < sizeof(ways) / sizeof(ways[0]); i++) {
		Dwarf_Die of = variable_referred(r, die, ways[i]);

		if (!of)
			continue;
		variable_name(r, of, dst, size);
		dwarf_dealloc(r->dbg, of, DW_DLA_DIE);
	}
}

static void body_enter(struct variable_search *s, Dwarf_Die die)
{
	const char *before = s->function;
	char name[DIE_NAME];

	if (!s->in_functions)
		return;
	function_name(&s->reader, die, name, sizeof(name));
	s->function = name;
	scope_enter(s, die, "");
	s->function = before;
}

/* False once a global one is there: there is but one of it. */
static bool scope_visit(struct variable_search *s, Dwarf_Die die)
{
	char name[DIE_NAME];

	switch (variable_tag(&s->reader, die)) {
	case DW_TAG_variable:
	case DW_TAG_member:
		variable_see(s, die);
		break;
	case DW_TAG_namespace:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
		variable_name(&s->reader, die, name, sizeof(name));
		scope_enter(s, die, name);
		break;
	case DW_TAG_subprogram:
		body_enter(s, die);
		break;
	case DW_TAG_lexical_block:
		if (s->function)
			scope_enter(s, die, "");
		break;
	default:
		break;
	}
	return !(s->has && s->is_global);
}

/* --- units ------------------------------------------------------------------------------------ */

static void unit_search(struct variable_search *s)
{
	struct debug_reader *r = &s->reader;
	char name[DIE_NAME];
	Dwarf_Die unit = NULL;

	if (!debug_ok(r, dwarf_siblingof_b(r->dbg, NULL, 1, &unit, &r->error)))
		return;
	variable_name(r, unit, name, sizeof(name));
	s->unit = name;
	s->declared_count = 0;
	variable_children(s, unit, scope_visit);
	if (s->declared_count && !s->has)	/* clang: definitions before their classes */
		variable_children(s, unit, scope_visit);
	dwarf_dealloc(r->dbg, unit, DW_DLA_DIE);
}

static void pass_search(struct variable_search *s)
{
	struct debug_reader *r = &s->reader;
	Dwarf_Unsigned length, types, next = 0, before = 0;
	Dwarf_Half address_size, length_size, extension, kind;
	Dwarf_Off abbreviations;
	Dwarf_Sig8 signature;

	while (!debug_stopped(r) &&
	       debug_ok(r, dwarf_next_cu_header_d(r->dbg, 1, &length, &r->version, &abbreviations,
						  &address_size, &length_size, &extension,
						  &signature, &types, &next, &kind, &r->error))) {
		if (next <= before)
			break;
		before = next;
		s->address_bytes = address_size <= 8 ? address_size : 8;
		if (!(s->has && s->is_global))
			unit_search(s);
	}
}

static void units_search(struct debug_reader *r)
{
	struct variable_search *s = (struct variable_search *)r;

	pass_search(s);
	s->in_functions = !s->has && !err_is_set(&s->why);
	if (s->in_functions)
		pass_search(s);
}

/* --- outcome ---------------------------------------------------------------------------------- */

static int outcome_tell(const struct variable_search *s, struct err *err)
{
	const char *name = s->name;

	if (s->has && !s->others)
		return 0;
	if (s->has)
		return err_set(err, ERR_USAGE, "%s: there are %u of that name; name one with its "
			       "file or function, such as main.c:%s", name, s->others + 1,
			       name + s->qualifiers);
	if (err_is_set(&s->why))
		return err_set(err, ERR_USAGE, "%s", s->why.text);
	if (s->placeless)
		return err_set(err, ERR_USAGE, "%s has no place in memory: the compiler keeps it "
			       "in registers, or needs it nowhere", name);
	if (elf_find_section(s->reader.elf, ".stab"))
		return err_set(err, ERR_USAGE, "no variable %s: the ELF has stabs, which are not "
			       "read for variables; build it with -gdwarf-2", name);
	return err_set(err, ERR_USAGE, "no variable %s in the debug information of the ELF", name);
}

/* 0, or negative with the sentence; the rest of *s is the search's. */
static int search_run(struct variable_search *s, struct err *err)
{
	const atomic_bool stop = false;
	struct debug_data none;
	int ret;

	debug_init(&none);
	s->reader.out = &none;
	s->reader.stop = &stop;
	debug_load(&s->reader);
	debug_run(&s->reader, units_search);
	debug_unload(&s->reader);
	debug_release(&none);
	if (s->reader.elf->machine->isa == ELF_ISA_AVR && s->found->address >= AVR_DATA)
		s->found->address -= AVR_DATA;
	ret = outcome_tell(s, err);
	if (ret < 0)
		variable_release(s->found);
	return ret;
}

/* What the search tells, from a process of its own. */
struct search_result {
	int ret;
	struct variable found;
	struct err err;
};

static void search_apart(void *ctx, int out, atomic_uint *progress)
{
	struct variable_search *s = ctx;
	struct search_result r = { .ret = 0 };

	(void)progress;
	r.ret = search_run(s, &r.err);
	r.found = *s->found;
	confined_write(out, &r, sizeof(r));
	confined_write(out, r.found.enumerators,
		       r.found.enumerator_count * sizeof(*r.found.enumerators));
}

/* Whether it is sound: the process may have been anybody's. */
static bool result_take(struct confined *c, struct search_result *r)
{
	struct variable *v = &r->found;
	size_t size;

	if (!confined_read(c, r, sizeof(*r)))
		return false;
	r->err.text[sizeof(r->err.text) - 1] = '\0';
	v->enumerators = NULL;
	if (r->ret > 0 || v->size > VARIABLE_BYTES || v->shift > 63 || v->bits > 64 ||
	    v->enumerator_count > VARIABLE_ENUMERATORS)
		return false;
	size = v->enumerator_count * sizeof(*v->enumerators);
	v->enumerators = size ? mem_alloc(size) : NULL;
	if (size && (!v->enumerators || !confined_read(c, v->enumerators, size)))
		return false;
	for (size_t i = 0; i < v->enumerator_count; i++)
		v->enumerators[i].name[VARIABLE_NAME - 1] = '\0';
	return true;
}

static int search_start(struct variable_search *s, const char *path, struct err *err)
{
	struct confined_job job = apart_job(s->reader.elf);
	struct search_result r = { .ret = 0 };
	struct confined c;
	bool sound;

	job.work = search_apart;
	job.ctx = s;
	if (!confined_start(&c, &job))
		return search_run(s, err);
	sound = result_take(&c, &r);
	if (!confined_end(&c) || !sound) {
		variable_release(&r.found);
		return err_set(err, ERR_FORMAT, "%s: its debug information cannot be read: it is "
			       "damaged, or takes more than it should; build it again", path);
	}
	*s->found = r.found;
	if (r.ret < 0 && err)
		*err = r.err;
	return r.ret;
}

int variable_find(const char *path, const char *name, struct variable *v, struct err *err)
{
	struct variable_search *s = mem_zalloc(sizeof(*s));
	struct elf elf;
	int ret;

	*v = (struct variable){ .size = 0 };
	if (!s)
		return err_set(err, ERR_NOMEM, "out of memory");
	ret = elf_open(&elf, path, err);
	if (ret == 0) {
		s->found = v;
		name_split(s, name);
		s->reader.elf = &elf;
		ret = search_start(s, path, err);
	}
	elf_close(&elf);
	mem_free(s);
	return ret;
}

void variable_release(struct variable *v)
{
	mem_free(v->enumerators);
	*v = (struct variable){ .size = 0 };
}
