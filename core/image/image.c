#include "core/image/image.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/os.h"
#include "core/base/thread.h"
#include "core/image/attributes.h"
#include "core/image/calibration.h"
#include "core/image/code.h"
#include "core/image/demangle.h"
#include "core/image/frames.h"
#include "core/image/lines.h"
#include "core/image/nest.h"
#include "core/image/ram.h"
#include "core/image/stabs.h"
#include "core/image/symbols.h"
#include "core/image/table.h"
#include "core/image/traced.h"
#include "core/image/marks.h"
#include "core/image/vectors.h"

#define QUIET (CLOCK_SECOND / 5)	/* a file that did not change for so long is written */

/* Distinguishes versions of a file. */
struct version {
	dev_t device;
	ino_t inode;
	off_t size;
	struct timespec modified;
};

/* The thread's results; the image takes them over at once. */
struct findings {
	struct debug_data dwarf;
	struct table table;
	struct lines lines;
	struct frames frames;
	bool failed;
};

struct image {
	char *path;
	struct version opened, seen;
	uint64_t seen_since;		/* 0: the file is as it was opened */
	struct elf elf;
	struct code code;
	struct symbols symbols;
	struct arena strings; /* of names made on demand; only the caller's side writes it */
	struct table table;
	/* The symbols' table that DWARF's replaced: its strings are still in use. */
	struct table before;
	struct findings debug;		/* the thread's, until `adopted` */
	struct calibration calibration;
	uint32_t vectors[VECTORS_MAX];
	uint32_t named[VECTORS_MAX];	/* AVR: by the names that avr-libc dictates */
	size_t vector_count;
	struct code_mark *marks;
	struct nest nest;
	struct once once;
	bool has_once;
	struct traced traced;
	const uint32_t *told;		/* addresses of ids from IMAGE_TOLD on; borrowed */
	size_t told_count;
	struct map labels;		/* a symbol, an inlined function -> its visible name */
	const char **label_names;
	size_t label_count, label_cap;
	struct buf note;
	size_t code_size;
	unsigned arm_arch;
	pthread_t thread;
	bool threaded, adopted, announced;
	atomic_bool stop, done;
	atomic_uint read;		/* per mille of its DWARF */
	struct os_event event;
};

/* --- opening ---------------------------------------------------------------------------------- */

static bool version_of(const char *path, struct version *v)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return false;
	*v = (struct version){ st.st_dev, st.st_ino, st.st_size, st.st_mtim };
	return true;
}

static bool same_version(const struct version *a, const struct version *b)
{
	return a->device == b->device && a->inode == b->inode && a->size == b->size &&
	       a->modified.tv_sec == b->modified.tv_sec &&
	       a->modified.tv_nsec == b->modified.tv_nsec;
}

static void add_note(struct image *im, const char *sentence)
{
	if (im->note.len)
		buf_adds(&im->note, "; ");
	buf_adds(&im->note, sentence);
}

static void make_note(struct image *im)
{
	const struct elf *e = &im->elf;

	if (e->relocatable)
		add_note(im, "an object file, not linked: addresses and lines will not match");
	if (!e->has_symbols)
		add_note(im, "no symbols: names are addresses; give the ELF as the linker made it, "
			     "not a stripped one");
	if (stabs_has_functions(e))
		add_note(im, "the debug information is STABS, as avr-gcc -g writes it, which is "
			     "not read: build with -gdwarf-2 or -ggdb");
	else if (!debug_present(e))
		add_note(im, "no debug information: build with -g for lines and files");
}

/* Entries are marked for every range, so that a clone's first bytes are plausible targets too. */
static void mark_entries(struct image *im)
{
	const struct spans *s = &im->symbols.spans;

	for (size_t i = 0; i < s->count; i++)
		code_mark_entry(&im->code, s->v[i].low);
	for (size_t i = 0; i < s->count; i++)
		code_mark_early(&im->code, s->v[i].low, s->v[i].high - s->v[i].low);
}

static int image_load(struct image *im, struct err *err)
{
	int ret = elf_open(&im->elf, im->path, err);

	if (ret < 0)
		return ret;
	if (code_init(&im->code, &im->elf) < 0 ||
	    symbols_init(&im->symbols, &im->elf, &im->code) < 0 ||
	    table_from_symbols(&im->table, &im->symbols, &im->strings) < 0)
		return err_set(err, ERR_NOMEM, "%s: out of memory", im->path);
	mark_entries(im);
	im->arm_arch = attributes_arm_arch(&im->elf);
	for (size_t i = 0; i < im->elf.code_count; i++)
		im->code_size += (size_t)im->elf.code[i].size;
	make_note(im);
	return 0;
}

/* --- the DWARF thread ------------------------------------------------------------------------- */

static void *read_debug(void *arg)
{
	struct image *im = arg;
	struct findings *d = &im->debug;

	debug_read(&d->dwarf, &im->elf, &im->stop, &im->read);
	if (atomic_load(&im->stop) ||
	    table_from_dwarf(&d->table, &im->symbols, &d->dwarf, &im->elf, &d->dwarf.strings) < 0 ||
	    lines_init(&d->lines, &d->dwarf, &im->elf) < 0 ||
	    frames_init(&d->frames, &im->elf, &d->table, &im->stop) < 0)
		d->failed = true;
	atomic_store(&im->done, true);
	if (!os_event_tell(&im->event))
		d->failed = true;		/* cannot happen */
	return NULL;
}

static int start_thread(struct image *im, struct err *err)
{
	int ret;

	if (os_event_open(&im->event) < 0)
		return err_errno(err, "%s: no descriptor to wait for its DWARF", im->path);
	ret = thread_start(&im->thread, read_debug, im);
	if (ret == ENOMEM)
		return err_set(err, ERR_NOMEM, "%s: out of memory", im->path);
	if (ret) {
		errno = ret;
		return err_errno(err, "%s: a thread to read its DWARF", im->path);
	}
	im->threaded = true;
	return 0;
}

/* What decoders may know of handlers. */
static void handlers_give(struct image *im)
{
	struct codemap *map = &im->code.map;
	unsigned number;
	char end;

	map->handlers = im->vector_count ? im->vectors : im->named;
	map->handler_count = (uint16_t)im->vector_count;
	map->faults = im->vector_count ? VECTORS_FIRST : 1;
	for (uint32_t f = 0; map->arch == CODE_AVR && f < im->table.count; f++) {
		const struct image_function *function = image_function(im, f);

		if (sscanf(function->name, "__vector_%u%c", &number, &end) != 1 ||
		    number >= VECTORS_MAX)
			continue;
		im->named[number] = (uint32_t)function->address;
		if (number >= map->handler_count)
			map->handler_count = (uint16_t)(number + 1);
	}
}

struct image *image_new(const char *path, struct err *err)
{
	struct image *im = mem_zalloc(sizeof(*im));
	uint64_t at;

	if (!im) {
		err_set(err, ERR_NOMEM, "%s: out of memory", path);
		return NULL;
	}
	im->event.fd = im->event.writer = im->elf.fd = -1;
	arena_init(&im->strings);
	map_init(&im->labels);
	calibration_init(&im->calibration, &im->elf, &im->code, &im->symbols);
	im->path = mem_strdup(path);
	if (!im->path) {
		err_set(err, ERR_NOMEM, "%s: out of memory", path);
		goto fail;
	}
	version_of(path, &im->opened);
	if (image_load(im, err) < 0)
		goto fail;
	im->vector_count = vectors_read(&im->elf, im->vectors, &at);
	im->marks = marks_read(&im->elf, &im->code.map.mark_count);
	im->code.map.marks = im->marks;
	handlers_give(im);
	traced_read(&im->traced, &im->elf);
	if (debug_present(&im->elf) && start_thread(im, err) < 0)
		goto fail;
	return im;
fail:
	image_free(im);
	return NULL;
}

void image_free(struct image *im)
{
	if (!im)
		return;
	atomic_store(&im->stop, true);
	if (im->threaded)
		pthread_join(im->thread, NULL);
	os_event_close(&im->event);
	mem_free(im->marks);
	nest_release(&im->nest);
	once_release(&im->once);
	table_release(&im->debug.table);
	lines_release(&im->debug.lines);
	frames_release(&im->debug.frames);
	debug_release(&im->debug.dwarf);
	table_release(&im->table);
	table_release(&im->before);
	calibration_release(&im->calibration);
	traced_release(&im->traced);
	symbols_release(&im->symbols);
	code_release(&im->code);
	elf_close(&im->elf);
	map_release(&im->labels);
	mem_free(im->label_names);
	arena_release(&im->strings);
	buf_release(&im->note);
	mem_free(im->path);
	mem_free(im);
}

/* The thread is done: its results become the image's. */
static void findings_adopt(struct image *im)
{
	uint32_t hook;

	pthread_join(im->thread, NULL);
	im->threaded = false;
	im->adopted = true;
	if (im->debug.failed) {
		add_note(im, "its debug information could not be read: out of memory");
		return;
	}
	if (im->debug.dwarf.incomplete)
		add_note(
			im,
			"parts of its debug information are broken or too large and were left out");
	im->before = im->table;
	im->table = im->debug.table;
	im->debug.table = (struct table){ NULL };
	hook = image_find_name(im, "__cyg_profile_func_enter");
	if (hook != IMAGE_NONE && nest_init(&im->nest, &im->debug.dwarf, &im->debug.lines,
					    &im->table, &im->code.map, hook) < 0)
		add_note(im, "callers of inlined functions are not known: out of memory");
}

void image_wait(struct image *im)
{
	if (im->threaded)
		findings_adopt(im);
}

double image_progress(const struct image *im)
{
	return im->adopted || !im->threaded ? 1 :
	       atomic_load_explicit(&im->read, memory_order_relaxed) / 1000.0;
}

bool image_poll(struct image *im)
{
	if (im->threaded && !atomic_load(&im->done))
		return false;
	image_wait(im);
	if (!im->adopted || im->announced)
		return false;
	im->announced = true;
	os_event_close(&im->event);
	return true;
}

int image_fd(const struct image *im)
{
	return im->event.fd;
}

enum image_state image_state(const struct image *im)
{
	if (im->threaded)
		return IMAGE_SYMBOLS;
	return im->adopted && !im->debug.failed ? IMAGE_COMPLETE : IMAGE_NO_DWARF;
}

/* --- a rebuild -------------------------------------------------------------------------------- */

/* Whether the file is a complete ELF: the header, and all that it refers to. */
static bool readable_elf(const char *path)
{
	struct elf e;
	bool ok = elf_open(&e, path, NULL) == 0;

	elf_close(&e);
	return ok;
}

bool image_changed(struct image *im)
{
	struct version now;

	if (!version_of(im->path, &now) || same_version(&now, &im->opened)) {
		im->seen_since = 0;
		return false;
	}
	if (!im->seen_since || !same_version(&now, &im->seen)) {
		im->seen = now;
		im->seen_since = clock_now();
		return false;
	}
	if (clock_now() - im->seen_since < QUIET)
		return false;
	if (readable_elf(im->path))
		return true;
	im->seen_since = clock_now();		/* not whole yet: look again after another while */
	return false;
}

/* --- properties ------------------------------------------------------------------------------- */

const char *image_path(const struct image *im)
{
	return im->path;
}

const char *image_machine(const struct image *im)
{
	return im->elf.machine->name;
}

void image_set_once(struct image *im, const struct once *once)
{
	once_release(&im->once);
	im->once = *once;
	im->has_once = true;
}

const struct once *image_once(const struct image *im)
{
	return im->has_once ? &im->once : NULL;
}

bool image_is_thumb1(const struct image *im)
{
	return arm_arch_is_thumb1(im->arm_arch);
}

unsigned image_avr_arch(const struct image *im)
{
	return im->elf.machine->isa == ELF_ISA_AVR ? im->elf.flags & 0x7f : 0;	/* EF_AVR_MACH */
}

unsigned image_arm_arch(const struct image *im)
{
	return im->arm_arch;
}

bool image_has_symbols(const struct image *im)
{
	return im->elf.has_symbols;
}

const char *image_note(const struct image *im)
{
	return buf_str(&im->note);
}

unsigned image_address_bits(const struct image *im)
{
	return im->elf.bits;
}

size_t image_code_size(const struct image *im)
{
	return im->code_size;
}

const struct codemap *image_codemap(const struct image *im)
{
	return &im->code.map;
}

void image_text(const struct image *im, uint64_t *low, uint64_t *high)
{
	const struct elf_code *last =
		im->elf.code_count ? &im->elf.code[im->elf.code_count - 1] : NULL;

	*low = last ? im->elf.code[0].address : 0;
	*high = last ? last->address + last->size : 0;
}

int64_t image_stack_room(const struct image *im, uint64_t low)
{
	return ram_room(&im->elf, low);
}

size_t image_memory(const struct image *im)
{
	size_t n = sizeof(*im) + elf_memory_size(&im->elf) + (size_t)im->code.map.size / 2 +
		   im->strings.bytes;

	n += calibration_memory(&im->calibration);
	n += im->symbols.count * sizeof(*im->symbols.functions);
	n += (im->symbols.spans.cap + im->table.spans.cap + im->before.spans.cap) *
	     sizeof(struct span);
	n += (im->table.cap + im->before.cap) * sizeof(struct table_entry);
	if (im->threaded)
		return n;			/* the rest is not ours yet */
	n += im->debug.dwarf.strings.bytes + im->debug.lines.count * sizeof(struct debug_row);
	n += (im->debug.lines.inlined.cap + im->debug.dwarf.inlined.cap) * sizeof(struct span);
	n += im->debug.frames.count * sizeof(*im->debug.frames.sizes);
	n += im->debug.dwarf.inlines.cap * sizeof(struct debug_inline);
	n += map_memory(&im->nest.around) + im->nest.count * sizeof(*im->nest.owner);
	return n + im->debug.dwarf.functions.cap * sizeof(struct debug_function);
}

/* --- functions -------------------------------------------------------------------------------- */

uint32_t image_function_count(const struct image *im)
{
	return (uint32_t)im->table.count;
}

/* Names are demangled when they are first asked for: behind `const` the image remembers them. */
const struct image_function *image_function(const struct image *im, uint32_t id)
{
	struct image *mutable = (struct image *)(uintptr_t)im;

	return table_function(&mutable->table, id, &mutable->strings);
}

uint64_t image_normal(const struct image *im, uint64_t address)
{
	return code_normal(&im->code, address);
}

static uint64_t address_strip(const struct image *im, uint64_t address)
{
	return im->elf.machine->isa == ELF_ISA_ARM ? address & ~UINT64_C(1) : address;
}

uint32_t image_find(const struct image *im, uint64_t address)
{
	return spans_find(&im->table.spans, address_strip(im, address));
}

void image_tell(struct image *im, const uint32_t *addresses, size_t count)
{
	im->told = addresses;
	im->told_count = count;
}

uint32_t image_traced(const struct image *im, uint32_t id)
{
	if (id >= IMAGE_TOLD)
		return (id - IMAGE_TOLD) / 2 >= im->told_count ? IMAGE_NONE :
		       image_find(im, image_normal(im, im->told[(id - IMAGE_TOLD) / 2]));
	if (id >= im->traced.count || im->traced.addresses[id] == TRACED_NONE)
		return IMAGE_NONE;
	return image_find(im, image_normal(im, im->traced.addresses[id]));
}

const struct traced *image_traced_all(const struct image *im)
{
	return &im->traced;
}

uint32_t image_find_name(const struct image *im, const char *name)
{
	for (uint32_t i = 0; i < im->table.count; i++) {
		if (strcmp(image_function(im, i)->name, name) == 0)
			return i;
	}
	return IMAGE_NONE;
}

size_t image_vectors(const struct image *im, const uint32_t **addresses)
{
	*addresses = im->vectors;
	return im->vector_count;
}

bool image_has_symbol(const struct image *im, const char *name)
{
	for (size_t i = 0; i < im->elf.symbol_count; i++) {
		if (strcmp(im->elf.symbols[i].name, name) == 0)
			return true;
	}
	return false;
}

int32_t image_frame_size(const struct image *im, uint32_t id)
{
	return im->adopted && !im->debug.failed ?
	       frames_size(&im->debug.frames, id) : FRAME_UNKNOWN;
}

size_t image_ranges(const struct image *im, uint32_t id, struct image_range *ranges, size_t max)
{
	const struct spans *s = &im->table.spans;
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++) {
		if (s->v[i].id != id)
			continue;
		if (n < max)
			ranges[n] = (struct image_range){ s->v[i].low, s->v[i].high };
		n++;
	}
	return n;
}

/* --- lines ------------------------------------------------------------------------------------ */

static struct image_line line_of(const struct image *im, uint32_t path, uint32_t line)
{
	const struct debug_path *p = path == DEBUG_NONE ? NULL : &im->debug.dwarf.paths.v[path];

	return (struct image_line){ .file = p ? p->file : NULL,
				    .path = p ? p->path : NULL,
				    .line = line };
}

bool image_line(const struct image *im, uint64_t address, struct image_line *line)
{
	const struct debug_row *row =
		im->threaded ? NULL : lines_find(&im->debug.lines, address_strip(im, address));

	*line = row ? line_of(im, row->path, row->line) : (struct image_line){ NULL };
	return row != NULL;
}

bool image_line_until(const struct image *im, uint64_t address, struct image_line *line,
		      uint64_t *until)
{
	*until = im->threaded ? UINT64_MAX :
		 lines_after(&im->debug.lines, address_strip(im, address));
	return image_line(im, address, line);
}

/* A raw name as it is shown, made when it is first asked for; NULL when memory is out. */
static const char *label_name(struct image *im, uint64_t key, const char *raw)
{
	uint32_t known = map_get(&im->labels, key);
	const char *name;

	if (known != MAP_NONE)
		return im->label_names[known];
	name = demangle(&im->strings, raw, strlen(raw));
	if (!name || mem_grow(&im->label_names, &im->label_cap, im->label_count + 1,
			      sizeof(*im->label_names)) < 0)
		return name;
	im->label_names[im->label_count] = name;
	if (map_put(&im->labels, key, (uint32_t)im->label_count) == 0)
		im->label_count++;
	return name;
}

const char *image_label(const struct image *im, uint64_t address)
{
	size_t i = spans_index(&im->table.spans, address_strip(im, address));
	const struct elf_symbol *s = symbols_before(&im->elf, address_strip(im, address));

	if (i == SIZE_MAX || !s || s->kind == ELF_KIND_DATA ||
	    s->address <= im->table.spans.v[i].low)
		return NULL;
	return label_name((struct image *)(uintptr_t)im, (uint64_t)(s - im->elf.symbols), s->name);
}

uint32_t image_caller(const struct image *im, uint64_t address)
{
	uint32_t i = im->nest.count ? lines_inline(&im->debug.lines, address_strip(im, address)) :
				      DEBUG_NONE;

	return i != DEBUG_NONE && im->nest.owner[i] != IMAGE_NONE ? im->nest.owner[i] :
								    image_find(im, address);
}

uint32_t image_inlined_in(const struct image *im, uint32_t body, uint32_t callee)
{
	return map_get(&im->nest.around, (uint64_t)body << 32 | callee);
}

static const char *inlined_name(struct image *im, uint32_t function)
{
	const struct debug_function *f = &im->debug.dwarf.functions.v[function];
	const char *raw = f->linkage && demangle_is(f->linkage) ? f->linkage : f->name;
	uint64_t key = UINT64_C(1) << 32 | function;	/* apart from the symbols' */
	const char *name = raw ? label_name(im, key, raw) : NULL;

	return name ? name : "?";
}

size_t image_inlines(const struct image *im, uint64_t address, struct image_frame *frames,
		     size_t max)
{
	const struct debug_data *d = &im->debug.dwarf;
	uint32_t id = image_find(im, address), at;
	struct image_line line;
	size_t n = 0;

	if (id == IMAGE_NONE || !max)
		return 0;
	image_line(im, address, &line);
	at = im->threaded ? DEBUG_NONE : lines_inline(&im->debug.lines, address_strip(im, address));
	for (; at != DEBUG_NONE && n + 1 < max; at = d->inlines.v[at].parent, n++) {
		const struct debug_inline *in = &d->inlines.v[at];

		frames[n].function = inlined_name((struct image *)(uintptr_t)im, in->function);
		frames[n].at = line;
		line = line_of(im, in->call_path, in->call_line);
	}
	frames[n].function = image_function(im, id)->name;
	frames[n].at = line;
	return n + 1;
}

bool image_calibration(const struct image *im, uint64_t from, uint64_t to,
		       struct image_calibration *c)
{
	struct image *mutable = (struct image *)(uintptr_t)im;

	return calibration_find(&mutable->calibration, from, to, c);
}

size_t image_sleepers(const struct image *im, uint64_t *entries, size_t max)
{
	const struct codemap *m = image_codemap(im);
	size_t n = 0;

	for (uint64_t off = 0; off < m->size; off += 2) {
		uint32_t id;

		if (!(m->flags[off >> 1] & CODE_SLEEP))
			continue;
		id = image_find(im, m->base + off);
		if (id == IMAGE_NONE)
			continue;
		if (n == 0 || n > max || entries[n - 1] != image_function(im, id)->address) {
			if (n < max)
				entries[n] = image_function(im, id)->address;
			n++;
		}
	}
	return n;
}
