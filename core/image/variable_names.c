/* variable_names: the names of an ELF's variables, for who completes what the user types. */
#include "core/image/variables.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/image/apart.h"
#include "core/image/variable_die.h"

enum { NAME_MOST = 128, DIE_NAME = 256, MEMBERS_DEEP = 4, TYPES_DEEP = 16 };

/* The walk is variable_die's; it is first, so that its callbacks find this. */
struct names_search {
	struct variable_search walk;
	bool (*each)(void *ctx, const char *name);
	void *ctx;
	char told[NAME_MOST];		/* scopes, variable, members: so far */
	unsigned members;		/* structures around it */
	bool ends;
};

/* What typedefs and qualifiers stand for; the caller deallocates it. NULL: none. */
static Dwarf_Die type_meant(struct debug_reader *r, Dwarf_Die die)
{
	Dwarf_Die type = variable_referred(r, die, DW_AT_type);

	for (int i = 0; type && i < TYPES_DEEP; i++) {
		Dwarf_Half tag = variable_tag(r, type);
		Dwarf_Die inner;

		if (tag != DW_TAG_typedef && tag != DW_TAG_const_type &&
		    tag != DW_TAG_volatile_type && tag != DW_TAG_atomic_type)
			break;
		inner = variable_referred(r, type, DW_AT_type);
		dwarf_dealloc(r->dbg, type, DW_DLA_DIE);
		type = inner;
	}
	return type;
}

static bool member_tell(struct variable_search *s, Dwarf_Die die);

/* A variable or a member; if it is a structure, what is in it. */
static void name_tell(struct names_search *n, Dwarf_Die die, const char *between)
{
	struct debug_reader *r = &n->walk.reader;
	Dwarf_Die type = type_meant(r, die);
	Dwarf_Half tag = type ? variable_tag(r, type) : 0;
	size_t length = strlen(n->told);
	char name[DIE_NAME];

	variable_name(r, die, name, sizeof(name));
	if (name[0])
		snprintf(n->told + length, sizeof(n->told) - length, "%s%s", between, name);
	if (name[0] && (tag == DW_TAG_base_type || tag == DW_TAG_enumeration_type ||
			tag == DW_TAG_pointer_type)) {
		n->ends = !n->each(n->ctx, n->told);
	} else if ((tag == DW_TAG_structure_type || tag == DW_TAG_union_type ||
		    tag == DW_TAG_class_type) && n->members < MEMBERS_DEEP) {
		n->members++;
		variable_children(&n->walk, type, member_tell);
		n->members--;
	}
	n->told[length] = '\0';
	if (type)
		dwarf_dealloc(r->dbg, type, DW_DLA_DIE);
}

static bool member_tell(struct variable_search *s, Dwarf_Die die)
{
	struct names_search *n = (struct names_search *)s;

	if (variable_tag(&s->reader, die) == DW_TAG_member)
		name_tell(n, die, ".");
	return !n->ends;
}

/* One that has a place; those of functions are left out. */
static bool scope_tell(struct variable_search *s, Dwarf_Die die)
{
	struct names_search *n = (struct names_search *)s;
	Dwarf_Half tag = variable_tag(&s->reader, die);
	size_t length = strlen(n->told);
	char name[DIE_NAME];
	uint8_t place[32];

	if (tag == DW_TAG_variable &&
	    variable_expression(&s->reader, die, DW_AT_location, place, sizeof(place)))
		name_tell(n, die, "");
	if (tag != DW_TAG_namespace || s->deep == VARIABLE_DEEP)
		return !n->ends;
	variable_name(&s->reader, die, name, sizeof(name));
	snprintf(n->told + length, sizeof(n->told) - length, "%s%s", name, name[0] ? "::" : "");
	s->deep++;
	variable_children(s, die, scope_tell);
	s->deep--;
	n->told[length] = '\0';
	return !n->ends;
}

static void units_tell(struct debug_reader *r)
{
	struct names_search *n = (struct names_search *)r;
	Dwarf_Unsigned length, types, next = 0, before = 0;
	Dwarf_Half address_size, length_size, extension, kind;
	Dwarf_Off abbreviations;
	Dwarf_Sig8 signature;

	while (!n->ends && !debug_stopped(r) &&
	       debug_ok(r, dwarf_next_cu_header_d(r->dbg, 1, &length, &r->version, &abbreviations,
						  &address_size, &length_size, &extension,
						  &signature, &types, &next, &kind, &r->error))) {
		Dwarf_Die unit = NULL;

		if (next <= before)
			break;
		before = next;
		if (!debug_ok(r, dwarf_siblingof_b(r->dbg, NULL, 1, &unit, &r->error)))
			continue;
		variable_children(&n->walk, unit, scope_tell);
		dwarf_dealloc(r->dbg, unit, DW_DLA_DIE);
	}
}

static void names_search(struct names_search *n)
{
	const atomic_bool stop = false;
	struct debug_data none;

	debug_init(&none);
	n->walk.reader.out = &none;
	n->walk.reader.stop = &stop;
	debug_load(&n->walk.reader);
	debug_run(&n->walk.reader, units_tell);
	debug_unload(&n->walk.reader);
	debug_release(&none);
}

/* --- in a process of its own ------------------------------------------------------------------ */

/* A name is its length, one byte, and so many bytes. */

static bool name_send(void *ctx, const char *name)
{
	uint8_t packed[1 + UINT8_MAX];
	size_t n = strlen(name);

	if (n > UINT8_MAX)
		return true;
	packed[0] = (uint8_t)n;
	memcpy(packed + 1, name, n);
	confined_write(*(const int *)ctx, packed, 1 + n);
	return true;
}

static void names_apart(void *ctx, int out, atomic_uint *progress)
{
	struct names_search *n = ctx;

	(void)progress;
	n->each = name_send;
	n->ctx = &out;
	names_search(n);
}

static void names_take(struct confined *c, bool (*each)(void *ctx, const char *name), void *ctx)
{
	char name[UINT8_MAX + 1];
	uint8_t n;

	while (confined_read(c, &n, 1) && confined_read(c, name, n)) {
		name[n] = '\0';
		if (!each(ctx, name))
			break;
	}
	confined_end(c);
}

int variables_each(const char *path, bool (*each)(void *ctx, const char *name), void *ctx,
		   struct err *err)
{
	struct names_search *n = mem_zalloc(sizeof(*n));
	struct confined_job job;
	struct confined c;
	struct elf elf;
	int ret;

	if (!n)
		return err_set(err, ERR_NOMEM, "out of memory");
	ret = elf_open(&elf, path, err);
	if (ret == 0) {
		n->each = each;
		n->ctx = ctx;
		n->walk.reader.elf = &elf;
		job = apart_job(&elf);
		job.work = names_apart;
		job.ctx = n;
		if (confined_start(&c, &job))
			names_take(&c, each, ctx);
		else
			names_search(n);
	}
	elf_close(&elf);
	mem_free(n);
	return ret;
}
