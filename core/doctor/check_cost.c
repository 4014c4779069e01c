/*
 * The cost of profiling: RAM, flash, and the functions where it is highest.
 */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/doctor/check.h"
#include "core/image/runtime.h"

/* --- RAM -------------------------------------------------------------------------------------- */

/* The epoch outlives a reset, so that the host sees one. */
void check_noinit(struct doctor *d, struct survey *s)
{
	const struct object *o = objects_find(&s->objects, "wsnprof_epoch");
	const struct elf_section *in = o && o->ram ? &s->elf.sections[o->section] : NULL;
	const char *cure = "in the linker script: .noinit (NOLOAD) : { *(.noinit*) } >RAM, "
			   "beyond .bss";

	if (in && strncmp(in->name, ".noinit", 7) != 0)
		doctor_say(d, DOCTOR_WARNING, cure,
			   "the linker script puts .noinit into a section that is cleared or "
			   "loaded: wsntop may miss a reset");
	else if (in && in->type != SHT_NOBITS)
		doctor_say(d, DOCTOR_WARNING, cure,
			   ".noinit is to be loaded: objcopy -O binary will fill all from flash "
			   "to RAM");
}

enum { LARGEST = 4 };			/* tables that are named */

struct ram {
	uint64_t bytes, end;
	const struct object *largest[LARGEST];
};

static void add_object(struct ram *r, const struct object *o)
{
	r->bytes += o->address >= r->end ? o->size : o->address + o->size - r->end;
	r->end = o->address + o->size;
	for (int i = 0; i < LARGEST; i++) {
		const struct object *lesser = r->largest[i];

		if (lesser && lesser->size >= o->size)
			continue;
		r->largest[i] = o;
		if (!(o = lesser))
			return;
	}
}

static void measure_runtime(struct ram *r, const struct survey *s)
{
	for (size_t i = 0; i < s->objects.count; i++) {
		const struct object *o = &s->objects.v[i];

		if (o->ram && runtime_is_own(o->name, o->file) && o->size <= UINT32_MAX &&
		    o->address + o->size > r->end)	/* else an alias, or a part */
			add_object(r, o);
	}
}

static void say_runtime(struct doctor *d, const struct survey *s, const struct ram *r)
{
	struct buf tables = BUF_INIT;
	char name[64];

	for (int i = 0; i < LARGEST && r->largest[i]; i++) {
		text_visible(name, sizeof(name), r->largest[i]->name, strlen(r->largest[i]->name));
		buf_addf(&tables, "%s%s %s", i ? ", " : "", name,
			 TEXT_WHOLE(r->largest[i]->size));
	}
	doctor_say(d, DOCTOR_NOTE,
		   "set its sizes in wsnprof_config.h: WSNPROF_SITES, _STACK, _ARCS, _PCS, _RING",
		   "RAM: wsnprof takes %s of the %s bytes that are not stack: %s",
		   TEXT_WHOLE(r->bytes), TEXT_WHOLE(s->objects.ram_used), buf_str(&tables));
	buf_release(&tables);
}

void check_ram(struct doctor *d, struct survey *s)
{
	const struct objects *o = &s->objects;
	struct ram r = { .bytes = 0 };

	if (s->runtime)
		measure_runtime(&r, s);
	if (r.bytes)
		say_runtime(d, s, &r);
	if (o->ram_size && o->ram_used > o->ram_size)
		doctor_say(d, DOCTOR_FAULT, "smaller tables, or a larger chip",
			   "RAM: %s bytes of variables; the chip has %s",
			   TEXT_WHOLE(o->ram_used), TEXT_WHOLE(o->ram_size));
	else if (o->ram_size && o->ram_used > o->ram_size - o->ram_size / 8)
		doctor_say(d, DOCTOR_WARNING, "smaller tables; hooks need up to 80 bytes of stack",
			   "RAM: variables take %s of %s bytes; %s are left for the stack",
			   TEXT_WHOLE(o->ram_used), TEXT_WHOLE(o->ram_size),
			   TEXT_WHOLE(o->ram_size - o->ram_used));
}

/* --- flash ------------------------------------------------------------------------------------ */

void check_flash(struct doctor *d, struct survey *s)
{
	uint64_t own = 0, hooks = 0, code = 0;

	for (size_t i = 0; i < s->elf.code_count; i++)
		code += s->elf.code[i].size;
	for (uint32_t i = 0; i < s->count; i++) {
		const struct survey_function *f = &s->functions[i];

		if (f->traits & FUNCTION_RUNTIME)
			own += f->size;
		else
			hooks += f->hook_bytes;
	}
	if (own)
		doctor_say(d, DOCTOR_NOTE, NULL,
			   "flash: the runtime takes %s of %s bytes of code",
			   TEXT_WHOLE(own), TEXT_WHOLE(code));
	if (s->instrumented && hooks)
		doctor_say(d, DOCTOR_NOTE, NULL,
			   "flash: calls of the hooks take %s bytes, %s a function (as decoded; "
			   "saving registers for them is not counted)",
			   TEXT_WHOLE(hooks),
			   TEXT_WHOLE((hooks + s->instrumented / 2) / s->instrumented));
}

/* --- the short ones --------------------------------------------------------------------------- */

static uint64_t body_size(const struct survey_function *f)
{
	return f->size > f->hook_bytes ? f->size - f->hook_bytes : 0;
}

static int by_body(const void *a, const void *b)
{
	const struct survey_function *x = *(const struct survey_function *const *)a,
				     *y = *(const struct survey_function *const *)b;

	if (body_size(x) != body_size(y))
		return body_size(x) < body_size(y) ? -1 : 1;
	return x->address < y->address ? -1 : x->address > y->address;
}

/*
 * Instrumented functions whose own code is shorter than their calls of the hooks: shortest first.
 */
void check_short(struct doctor *d, struct survey *s)
{
	const struct survey_function **v = mem_alloc((s->count + (size_t)1) * sizeof(*v));
	struct check_list l = { .count = 0 };
	uint32_t n = 0;

	for (uint32_t i = 0; v && i < s->count; i++) {
		const struct survey_function *f = &s->functions[i];

		if (!(f->traits & FUNCTION_RUNTIME) && f->hook_bytes &&
		    body_size(f) < f->hook_bytes)
			v[n++] = f;
	}
	if (n)
		qsort(v, n, sizeof(*v), by_body);
	for (uint32_t i = 0; i < n; i++)
		check_list_add(&l, v[i]->name);
	if (n)
		doctor_say(d, DOCTOR_NOTE,
			   s->filtered ? "if they are called often, exclude them: " CHECK_EXCEPT :
			   "if they are called often, exclude them: "
			   "-finstrument-functions-exclude-function-list=NAME,...",
			   "%u function%s shorter than the calls of %s own hooks: %s", n,
			   n == 1 ? " is" : "s are", n == 1 ? "its" : "their",
			   check_list_names(&l));
	mem_free(v);
}
