/* symbols: libelf's symbol table, and just enough AVR decoding to find calls of the hooks. */
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "sim/symbols.h"

static const char *const mark_name[SYMBOLS_MARKS] = {
	[SYMBOLS_ENTER] = "__cyg_profile_func_enter",
	[SYMBOLS_EXIT] = "__cyg_profile_func_exit",
	[SYMBOLS_TIMED_ENTER] = "wsnprof_timed_enter",
	[SYMBOLS_TIMED_HANDLER] = "wsnprof_timed_handler",
	[SYMBOLS_COUNT_ENTER] = "wsnprof_count_enter",
	[SYMBOLS_COUNT_HANDLER] = "wsnprof_count_handler",
	[SYMBOLS_TIMED_EXIT] = "wsnprof_timed_exit",
	[SYMBOLS_TIMED_EXIT_MID] = "wsnprof_timed_exit_mid",
	[SYMBOLS_TIMED_TAIL] = "wsnprof_timed_tail",
	[SYMBOLS_TIMED_TAIL_SAVED] = "wsnprof_timed_tail_saved",
	[SYMBOLS_TIMED_HANDLER_EXIT] = "wsnprof_timed_handler_exit",
	[SYMBOLS_START] = "wsnprof_start",
	[SYMBOLS_STOP] = "wsnprof_stop",
	[SYMBOLS_SWITCH] = "wsnprof_switch",
	[SYMBOLS_RESET] = "wsnprof_reset",
	[SYMBOLS_TRACE_ENTER] = "wsntrace_enter",
	[SYMBOLS_TRACE_LEAF] = "wsntrace_leaf",
	[SYMBOLS_TRACE_EXIT] = "wsntrace_exit",
	[SYMBOLS_TRACE_CALL] = "wsntrace_call",
	[SYMBOLS_TRACE_CALL_LEAF] = "wsntrace_call_leaf",
	[SYMBOLS_TRACE_EXIT_CODE] = "wsntrace_exit_code",
	[SYMBOLS_TRACE_ENTER_WIDE] = "wsntrace_enter_wide",
	[SYMBOLS_TRACE_LEAF_WIDE] = "wsntrace_leaf_wide",
	[SYMBOLS_TRACE_HANDLER_ENTER] = "wsntrace_handler_enter",
	[SYMBOLS_TRACE_HANDLER_ENTER_WIDE] = "wsntrace_handler_enter_wide",
	[SYMBOLS_TRACE_OUT] = "wsntrace_out",
	[SYMBOLS_TRACE_HANDLER_EXIT] = "wsntrace_handler_exit",
};

struct reader {
	Elf *elf;
	GElf_Shdr table;	/* the symbol table */
	Elf_Data *symbols;
	size_t count;		/* of symbols */
	uint32_t text_base;
	const uint8_t *text;
	size_t text_size;
	size_t text_index;
	const uint8_t *map;	/* .wsntrace_map, 8 bytes each: u32 address, u16 id, u8 flags */
	size_t map_size;
};

static uint16_t word_at(const struct reader *r, uint32_t address)
{
	const uint8_t *p = r->text + (address - r->text_base);

	return (uint16_t)(p[0] | p[1] << 8);
}

/*
 * Where the instruction at `address` calls or jumps to, SYMBOLS_NONE if it does neither.
 *	call/jmp  1001 010k kkkk 11ck  kkkk kkkk kkkk kkkk	word address, 22 bits
 *	rcall/rjmp  110c kkkk kkkk kkkk				words from the next instruction
 */
static uint32_t target_of(const struct reader *r, uint32_t address)
{
	uint16_t op = word_at(r, address);

	if ((op & 0xfe0c) == 0x940c) {
		uint32_t high = (uint32_t)(op >> 3 & 0x3e) | (op & 1);

		return (high << 16 | word_at(r, address + 2)) * 2;
	}
	if ((op & 0xe000) == 0xc000) {
		int32_t words = op & 0x800 ? (op & 0xfff) - 0x1000 : op & 0xfff;

		return (uint32_t)((int32_t)address + 2 + words * 2);
	}
	return SYMBOLS_NONE;
}

static bool is_two_words(uint16_t op)
{
	return (op & 0xfe0c) == 0x940c || (op & 0xfc0f) == 0x9000;	/* call, jmp; lds, sts */
}

static bool is_enter(const struct symbols *s, uint32_t callee)
{
	return callee != SYMBOLS_NONE &&
	       (callee == s->mark[SYMBOLS_ENTER] || callee == s->mark[SYMBOLS_TIMED_ENTER] ||
		callee == s->mark[SYMBOLS_TIMED_HANDLER] ||
		callee == s->mark[SYMBOLS_COUNT_ENTER] ||
		callee == s->mark[SYMBOLS_COUNT_HANDLER]);
}

static bool is_hook_call(const struct reader *r, const GElf_Sym *sym, const struct symbols *s)
{
	uint32_t at = (uint32_t)sym->st_value;
	uint32_t end = at + (uint32_t)sym->st_size;

	if (at < r->text_base || end > r->text_base + r->text_size || (at & 1))
		return false;
	while (at + 4 <= end) {
		if (is_enter(s, target_of(r, at)))
			return true;
		at += is_two_words(word_at(r, at)) ? 4 : 2;
	}
	return false;
}

static int sections_open(struct reader *r, struct err *err)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(r->elf, &names) < 0)
		return err_set(err, ERR_FORMAT, "%s", elf_errmsg(-1));
	while ((scn = elf_nextscn(r->elf, scn)) != NULL) {
		GElf_Shdr header;
		const char *name;
		Elf_Data *data;

		if (!gelf_getshdr(scn, &header))
			continue;
		name = elf_strptr(r->elf, names, header.sh_name);
		data = elf_getdata(scn, NULL);
		if (header.sh_type == SHT_SYMTAB) {
			r->table = header;
			r->symbols = data;
		} else if (name && !strcmp(name, ".text") && data && data->d_buf) {
			r->text_base = (uint32_t)header.sh_addr;
			r->text = data->d_buf;
			r->text_size = data->d_size;
			r->text_index = elf_ndxscn(scn);
		} else if (name && !strcmp(name, ".wsntrace_map") && data && data->d_buf) {
			r->map = data->d_buf;
			r->map_size = data->d_size;
		}
	}
	if (!r->symbols || !r->text || !r->table.sh_entsize)
		return err_set(err, ERR_FORMAT, "no code or no symbols");
	return 0;
}

static const char *symbol_at(const struct reader *r, size_t i, GElf_Sym *sym)
{
	const char *name = NULL;

	if (gelf_getsym(r->symbols, (int)i, sym))
		name = elf_strptr(r->elf, r->table.sh_link, sym->st_name);
	return name ? name : "";
}

static void marks_find(const struct reader *r, struct symbols *s)
{
	GElf_Sym sym;
	size_t i;
	int m;

	for (m = 0; m < SYMBOLS_MARKS; m++)
		s->mark[m] = SYMBOLS_NONE;
	for (i = 0; i < r->count; i++) {
		const char *name = symbol_at(r, i, &sym);

		for (m = 0; m < SYMBOLS_MARKS; m++)
			if (!strcmp(name, mark_name[m]))
				s->mark[m] = (uint32_t)sym.st_value;
	}
}

static bool is_known(const struct symbols *s, const char *name)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		if (!strcmp(s->function[i].name, name))
			return true;
	return false;
}

static int function_add(struct symbols *s, const char *name, const GElf_Sym *sym, struct err *err)
{
	struct symbols_function *f;

	if (mem_grow(&s->function, &s->cap, s->count + 1, sizeof(*f)) < 0)
		return err_set(err, ERR_NOMEM, "out of memory");
	f = &s->function[s->count];
	f->address = (uint32_t)sym->st_value;
	f->handler = !strncmp(name, "__vector_", 9);
	f->name = mem_strdup(name);
	if (!f->name)
		return err_set(err, ERR_NOMEM, "out of memory");
	s->count++;
	return 0;
}

/* Those that call the enter hook; with `like`, those that it has. */
static int functions_find(const struct reader *r, struct symbols *s, const struct symbols *like,
			  struct err *err)
{
	GElf_Sym sym;
	size_t i;

	for (i = 0; i < r->count; i++) {
		const char *name = symbol_at(r, i, &sym);

		if (GELF_ST_TYPE(sym.st_info) != STT_FUNC || sym.st_shndx != r->text_index)
			continue;
		if (like ? !is_known(like, name) : !is_hook_call(r, &sym, s))
			continue;
		if (function_add(s, name, &sym, err) < 0)
			return err->code;
	}
	return 0;
}

/* A second entry has no symbol of its own kind: it is called as the function is. */
static int entries_name(struct symbols *s, struct err *err)
{
	for (size_t i = 0; i < s->count; i++) {
		struct symbols_function *f = &s->function[i];
		const struct symbols_function *of = s->function;

		while (of < s->function + s->count && (of == f || of->id != f->id))
			of++;
		if (f->name[0] != '?' || of == s->function + s->count)
			continue;
		mem_free(f->name);
		f->name = mem_strdup(of->name);
		if (!f->name)
			return err_set(err, ERR_NOMEM, "out of memory");
	}
	return 0;
}

/* Those that `wsntop as` gave hooks. */
static int traced_find(const struct reader *r, struct symbols *s, struct err *err)
{
	const uint8_t *p = r->map;

	s->traced = true;
	for (; (size_t)(p - r->map) + 8 <= r->map_size; p += 8) {
		GElf_Sym sym = { .st_value = (uint32_t)(p[0] | p[1] << 8 | p[2] << 16) };
		const char *name = "?";
		size_t i;

		for (i = 0; i < r->count; i++) {
			GElf_Sym at;
			const char *symbol = symbol_at(r, i, &at);

			if (GELF_ST_TYPE(at.st_info) == STT_FUNC && at.st_value == sym.st_value)
				name = symbol;
		}
		if (function_add(s, name, &sym, err) < 0)
			return err->code;
		s->function[s->count - 1].id = (uint16_t)(p[4] | p[5] << 8);
		s->function[s->count - 1].handler = p[6] & 2;
	}
	return entries_name(s, err);
}

static int file_load(struct symbols *s, const char *path, const struct symbols *like,
		     struct err *err)
{
	struct reader r = { .elf = NULL };
	int rc;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	*s = (struct symbols){ .plain = like != NULL };
	if (fd < 0)
		return err_errno(err, "%s", path);
	elf_version(EV_CURRENT);
	r.elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!r.elf) {
		rc = err_set(err, ERR_FORMAT, "%s: %s", path, elf_errmsg(-1));
		goto out;
	}
	rc = sections_open(&r, err);
	if (rc < 0)
		goto out;
	r.count = r.table.sh_entsize ? r.table.sh_size / r.table.sh_entsize : 0;
	marks_find(&r, s);
	s->counted = s->mark[SYMBOLS_COUNT_ENTER] != SYMBOLS_NONE;
	if (!like && r.map)
		rc = traced_find(&r, s, err);
	else if (like || s->mark[SYMBOLS_ENTER] != SYMBOLS_NONE ||
		 s->mark[SYMBOLS_TIMED_ENTER] != SYMBOLS_NONE || s->counted)
		rc = functions_find(&r, s, like, err);
out:
	elf_end(r.elf);
	close(fd);
	return rc;
}

int firmware_symbols_load(struct symbols *s, const char *path, const char *like, struct err *err)
{
	struct symbols model;
	int rc;

	if (!like)
		return file_load(s, path, NULL, err);
	*s = (struct symbols){ .count = 0 };
	rc = file_load(&model, like, NULL, err);
	if (!rc)
		rc = file_load(s, path, &model, err);
	firmware_symbols_release(&model);
	return rc;
}

void firmware_symbols_release(struct symbols *s)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		mem_free(s->function[i].name);
	mem_free(s->function);
}
