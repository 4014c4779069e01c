#include "core/collect/shares.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"

static uint64_t address_key(const void *items, uint32_t position)
{
	return ((const struct shares_function *)items)[position].address;
}

void shares_release(struct shares *s)
{
	for (size_t i = 0; i < s->count; i++) {
		mem_free(s->functions[i].open);
		mem_free(s->functions[i].packed);
	}
	mem_free(s->functions);
	index_release(&s->index);
	*s = (struct shares){ NULL };
}

size_t shares_memory(const struct shares *s)
{
	size_t sum = s->cap * sizeof(*s->functions) + index_memory(&s->index);

	for (size_t i = 0; i < s->count; i++)
		sum += s->functions[i].size + (s->functions[i].open ? sizeof(struct sketch) : 0);
	return sum;
}

static struct shares_function *shares_at(const struct shares *s, uint64_t address)
{
	uint32_t at = index_get(&s->index, s->functions, address_key, address);

	return at == INDEX_NONE ? NULL : &s->functions[at];
}

const struct shares_function *shares_find(const struct shares *s, uint64_t address)
{
	return shares_at(s, address);
}

/* NULL: no room; counted. */
static struct shares_function *shares_get(struct shares *s, uint64_t address)
{
	struct shares_function *f = shares_at(s, address);

	if (f)
		return f;
	if (s->count < SHARES_FUNCTIONS &&
	    mem_grow(&s->functions, &s->cap, s->count + 1, sizeof(*s->functions)) == 0) {
		f = &s->functions[s->count];
		*f = (struct shares_function){ .address = address };
		if (index_put(&s->index, s->functions, address_key, address,
			      (uint32_t)s->count) == 0) {
			s->count++;
			return f;
		}
	}
	s->beyond++;
	return NULL;
}

/* --- sketches --------------------------------------------------------------------------------- */

void shares_sketch(const struct shares_function *f, struct sketch *sketch)
{
	memset(sketch, 0, sizeof(*sketch));
	if (f->open)
		*sketch = *f->open;
	else if (f->size)
		sketch_read(sketch, f->packed, f->size);
}

/* To be added to. False: no memory. */
static bool sketch_open(struct shares_function *f)
{
	struct sketch *open = f->open ? f->open : mem_alloc(sizeof(*open));

	if (!open)
		return false;
	if (!f->open)
		shares_sketch(f, open);
	f->open = open;
	mem_free(f->packed);
	f->packed = NULL;
	f->size = 0;
	return true;
}

/* False: no memory, and all is as it was. */
static bool sketch_keep(struct shares_function *f, const struct sketch *sketch)
{
	struct buf bytes = BUF_INIT;

	sketch_write(sketch, &bytes);
	if (bytes.failed) {
		buf_release(&bytes);
		return false;
	}
	mem_free(f->packed);
	f->size = bytes.len;
	f->packed = (uint8_t *)buf_detach(&bytes);
	return true;
}

static void sketch_pack(struct shares_function *f)
{
	if (!f->open || !sketch_keep(f, f->open))
		return;
	mem_free(f->open);
	f->open = NULL;
}

void shares_pack(struct shares *s)
{
	for (size_t i = 0; i < s->count; i++)
		sketch_pack(&s->functions[i]);
}

/* --- nodes ------------------------------------------------------------------------------------ */

static bool is_worse(const struct shares_node *a, const struct shares_node *b)
{
	if (a->share != b->share)
		return a->share > b->share;
	return a->id != b->id ? a->id < b->id : a->calls > b->calls;
}

static void worst_add(struct shares_function *f, struct shares_node node)
{
	for (size_t i = 0; i < f->worst_count; i++)
		if (is_worse(&node, &f->worst[i])) {
			struct shares_node better = f->worst[i];

			f->worst[i] = node;
			node = better;
		}
	if (f->worst_count < SHARES_WORST)
		f->worst[f->worst_count++] = node;
}

static uint64_t calls_whole(double calls)
{
	return calls < 9e18 ? (uint64_t)(calls + 0.5) : UINT64_C(9000000000000000000);
}

static void cost_add(struct shares *s, uint64_t address, const struct crowd_cost *c, double sum,
		     uint32_t id)
{
	double share = c->self_s / sum;
	struct shares_node node = { .id = id, .calls = calls_whole(c->calls) };
	struct shares_function *f = shares_get(s, address);

	if (!f || f->nodes == UINT32_MAX || !sketch_open(f))
		return;
	node.share = (uint32_t)((share < 1 ? share : 1) * SHARES_ONE + 0.5);
	f->nodes++;
	f->sum += node.share;
	sketch_add(f->open, share);
	worst_add(f, node);
}

void shares_add(struct shares *s, const struct build *b, const struct crowd_cost *costs, double sum,
		uint32_t id)
{
	for (size_t i = 0; sum > 0 && i < b->function_count; i++)
		if (costs[i].self_s > 0)
			cost_add(s, b->functions[i].address, &costs[i], sum, id);
}

/* Not opened for that: a sum may have any number of functions. */
static void function_merge(struct shares_function *to, const struct shares_function *from)
{
	struct sketch both, other;

	shares_sketch(to, &both);
	shares_sketch(from, &other);
	sketch_merge(&both, &other);
	if (from->nodes > UINT32_MAX - to->nodes || (!to->open && !sketch_keep(to, &both)))
		return;
	if (to->open)
		*to->open = both;
	to->nodes += from->nodes;
	to->sum += from->sum;
	for (size_t i = 0; i < from->worst_count; i++)
		worst_add(to, from->worst[i]);
}

void shares_merge(struct shares *s, const struct shares *other)
{
	s->beyond += other->beyond;
	for (size_t i = 0; i < other->count; i++) {
		struct shares_function *f = shares_get(s, other->functions[i].address);

		if (f)
			function_merge(f, &other->functions[i]);
	}
}

/* --- as text ---------------------------------------------------------------------------------- */

static void shares_print(const struct shares_function *f, struct buf *text)
{
	struct sketch sketch;
	struct buf bytes = BUF_INIT;

	shares_sketch(f, &sketch);
	sketch_write(&sketch, &bytes);
	buf_addf(text, "%" PRIx64 " %" PRIu32 " %" PRIu64 " ", f->address, f->nodes, f->sum);
	for (size_t i = 0; i < bytes.len; i++)
		buf_addf(text, "%02x", (unsigned char)bytes.data[i]);
	for (size_t i = 0; i < f->worst_count; i++)
		buf_addf(text, " %" PRIx32 "/%" PRIu32 "/%" PRIu64, f->worst[i].id,
			 f->worst[i].share, f->worst[i].calls);
	buf_release(&bytes);
}

void shares_write(const struct shares *s, struct json_out *j)
{
	struct buf text = BUF_INIT;

	json_begin_array(j, "functions");
	for (size_t i = 0; i < s->count; i++) {
		buf_reset(&text);
		shares_print(&s->functions[i], &text);
		json_text(j, NULL, buf_str(&text));
	}
	json_end_array(j);
	buf_release(&text);
}

/* A number of lower-case digits, and what *text is behind then. */
static bool number_scan(const char **text, int base, uint64_t most, char *stop, uint64_t *n)
{
	const char *digits = base == 16 ? "0123456789abcdef" : "0123456789";
	size_t length = strspn(*text, digits);

	if (!length || length > 20)
		return false;
	*n = strtoull(*text, NULL, base);
	*stop = (*text)[length];
	*text += length + (*stop != '\0');
	return *n <= most;
}

static int digit_value(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

/* A sketch of `nodes` values; *text is behind it then. */
static bool sketch_scan(struct shares_function *f, const char **text)
{
	size_t length = strspn(*text, "0123456789abcdef");
	struct sketch sketch;

	f->size = length / 2;
	f->packed = length && length % 2 == 0 ? mem_alloc(f->size) : NULL;
	for (size_t i = 0; f->packed && i < f->size; i++)
		f->packed[i] = (uint8_t)(digit_value((*text)[2 * i]) << 4 |
					 digit_value((*text)[2 * i + 1]));
	*text += length;
	return f->packed && sketch_read(&sketch, f->packed, f->size) == f->size &&
	       sketch_count(&sketch) == f->nodes;
}

static bool worst_scan(struct shares_function *f, const char **text)
{
	uint64_t id, share, calls;
	char a, b, c;

	if (!number_scan(text, 16, UINT32_MAX, &a, &id) || a != '/' ||
	    !number_scan(text, 10, SHARES_ONE, &b, &share) || b != '/' ||
	    !number_scan(text, 10, INT64_MAX, &c, &calls) || (c != ' ' && c != '\0'))
		return false;
	if (f->worst_count == SHARES_WORST || f->worst_count == f->nodes)
		return false;
	worst_add(f, (struct shares_node){ (uint32_t)id, (uint32_t)share, calls });
	return true;
}

static bool function_scan(struct shares_function *f, const char *text)
{
	uint64_t nodes;
	char a, b, c;

	if (!number_scan(&text, 16, UINT64_MAX, &a, &f->address) || a != ' ' ||
	    !number_scan(&text, 10, UINT32_MAX, &b, &nodes) || b != ' ' || !nodes ||
	    !number_scan(&text, 10, nodes * SHARES_ONE, &c, &f->sum) || c != ' ')
		return false;
	f->nodes = (uint32_t)nodes;
	if (!sketch_scan(f, &text) || (*text && *text != ' '))
		return false;
	for (text += *text == ' '; *text;)
		if (!worst_scan(f, &text))
			return false;
	return f->worst_count > 0;
}

bool shares_read(struct shares *s, const char *text)
{
	struct shares_function read = { .address = 0 }, *f = NULL;

	if (function_scan(&read, text) && !shares_at(s, read.address))
		f = shares_get(s, read.address);
	if (f)
		*f = read;
	else
		mem_free(read.packed);
	return f != NULL;
}
