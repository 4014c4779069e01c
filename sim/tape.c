#include "sim/tape.h"

/* Bytes of so long are one chunk, as a serial adapter delivers them. */
#define TOGETHER_NS UINT64_C(10000000)

int tape_open(struct tape *t, const char *path, struct err *err)
{
	uint8_t header[RECORD_HEADER];

	t->file = fopen(path, "wb");
	if (!t->file)
		return err_errno(err, "%s", path);
	record_header(header, TAPE_WALL_NS);
	fwrite(header, 1, sizeof(header), t->file);
	return 0;
}

static void tape_flush(struct tape *t)
{
	if (t->count)
		fwrite(t->chunk, 1, record_chunk(t->chunk, t->at_ns, t->bytes, t->count), t->file);
	t->count = 0;
}

void tape_put(struct tape *t, uint64_t at_ns, uint8_t byte)
{
	if (t->count == sizeof(t->bytes) || (t->count && at_ns - t->at_ns > TOGETHER_NS))
		tape_flush(t);
	if (!t->count)
		t->at_ns = at_ns;
	t->bytes[t->count++] = byte;
}

int tape_close(struct tape *t)
{
	int failed;

	if (!t->file)
		return 0;
	tape_flush(t);
	failed = ferror(t->file);
	return fclose(t->file) || failed ? -1 : 0;
}
