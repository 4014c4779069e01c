#include "core/image/apart.h"

#include "core/image/debug_pack.h"
#include "core/image/dwarf_reader.h"

/*
 * What both processes have beside it, and what the reader packs: all together stay within 200 MB
 * and five times the file.
 */
#define REST (UINT64_C(24) << 20)

/* Bytes of a file a second; honest ones are read faster. */
#define READ_RATE (UINT64_C(8) << 20)

struct confined_job apart_job(const struct elf *e)
{
	return (struct confined_job){
		.file = e->fd,
		.memory = 3 * elf_budget(e) - REST,
		.seconds = 2 + (unsigned)(e->file_size / READ_RATE),
	};
}

struct reading {
	struct debug_data *d;
	const struct elf *elf;
	const atomic_bool *stop;
};

static void tables_read(void *ctx, int out, atomic_uint *progress)
{
	struct reading *r = ctx;

	debug_read_here(r->d, r->elf, r->stop, progress);
	debug_pack(r->d, out);
}

void debug_read(struct debug_data *d, const struct elf *e, const atomic_bool *stop,
		atomic_uint *read)
{
	struct confined_job job = apart_job(e);
	struct confined c;
	bool whole;

	job.work = tables_read;
	job.ctx = &(struct reading){ d, e, stop };
	job.stop = stop;
	job.progress = read;
	if (!confined_start(&c, &job)) {
		debug_read_here(d, e, stop, read);
		return;
	}
	debug_init(d);
	whole = debug_unpack(d, &c, elf_budget(e));
	if (!confined_end(&c) || !whole)
		d->incomplete = true;
}
