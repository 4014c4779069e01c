#include "core/collect/sum.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/json_out.h"
#include "core/profile/raw/feed.h"
#include "core/wire/wsn/wsn.h"

/* Sums stop here: a hostile node may count anything. */
#define MOST ((uint64_t)INT64_MAX)

enum { BUILD_TEXT = 32 + SUM_BUILD };

static void ticks_sum(uint64_t *sum, uint64_t n)
{
	*sum = n > MOST - *sum ? MOST : *sum + n;
}

/* --- parts ------------------------------------------------------------------------------------ */

static uint64_t row_key(const void *items, uint32_t position)
{
	return ((const struct sum_row *)items)[position].key;
}

static void part_free(struct sum_part *p)
{
	for (size_t i = 0; i <= TOTAL_PC; i++)
		index_release(&p->index[i]);
	shares_release(&p->shares);
	mem_free(p->rows);
	mem_free(p);
}

void sum_release(struct sum *s)
{
	for (size_t i = 0; i < s->count; i++)
		part_free(s->parts[i]);
	*s = (struct sum){ .count = 0 };
}

static size_t part_memory(const struct sum_part *p)
{
	size_t sum = sizeof(*p) + p->cap * sizeof(*p->rows) + shares_memory(&p->shares);

	for (size_t i = 0; i <= TOTAL_PC; i++)
		sum += index_memory(&p->index[i]);
	return sum;
}

size_t sum_memory(const struct sum *s)
{
	size_t sum = 0;

	for (size_t i = 0; i < s->count; i++)
		sum += part_memory(s->parts[i]);
	return sum;
}

bool sum_build_same(const struct sum_build *a, const struct sum_build *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == WIRE_IDENTITY_BUILD_ID)
		return memcmp(a->build_id, b->build_id, sizeof(a->build_id)) == 0;
	return a->start == b->start && a->length == b->length && a->a == b->a && a->b == b->b;
}

static bool key_same(const struct sum_key *a, const struct sum_key *b)
{
	return strcmp(a->site, b->site) == 0 && sum_build_same(&a->build, &b->build) &&
	       a->ticks_per_second == b->ticks_per_second && a->hz == b->hz &&
	       a->features == b->features && a->arch == b->arch;
}

static struct sum_part *part_find(const struct sum *s, const struct sum_key *key)
{
	for (size_t i = 0; i < s->count; i++)
		if (key_same(&s->parts[i]->key, key))
			return s->parts[i];
	return NULL;
}

bool sum_has_part(const struct sum *s, const struct sum_key *key)
{
	return part_find(s, key);
}

struct sum_part *sum_part(struct sum *s, const struct sum_key *key)
{
	struct sum_part *p = part_find(s, key);

	if (p)
		return p;
	p = s->count < SUM_PARTS ? mem_zalloc(sizeof(*p)) : NULL;
	if (!p) {
		s->beyond++;
		return NULL;
	}
	p->key = *key;
	return s->parts[s->count++] = p;
}

static struct sum_row *part_row(const struct sum_part *p, enum wire_total_kind kind, uint64_t key)
{
	uint32_t at = index_get(&p->index[kind], p->rows, row_key, key);

	return at == INDEX_NONE ? NULL : &p->rows[at];
}

static struct sum_row *row_get(struct sum_part *p, enum wire_total_kind kind, uint64_t key)
{
	struct sum_row *r = part_row(p, kind, key);

	if (r)
		return r;
	if (p->count == SUM_ROWS ||
	    mem_grow(&p->rows, &p->cap, p->count + 1, sizeof(*p->rows)) < 0)
		return NULL;
	p->rows[p->count] = (struct sum_row){ .key = key, .kind = kind };
	if (index_put(&p->index[kind], p->rows, row_key, key, (uint32_t)p->count) < 0)
		return NULL;
	return &p->rows[p->count++];
}

void sum_add(struct sum_part *p, enum wire_total_kind kind, uint32_t from, uint32_t to,
	     uint64_t calls, uint64_t total)
{
	struct sum_row *r = row_get(p, kind, (uint64_t)from << 32 | to);

	if (!r) {
		p->beyond++;
		return;
	}
	ticks_sum(&r->calls, calls);
	ticks_sum(&r->total, total);
}

static void part_merge(struct sum_part *to, const struct sum_part *from)
{
	to->cost = fmax(to->cost, from->cost);
	to->skew = fmax(to->skew, from->skew);
	to->spread = fmax(to->spread, from->spread);
	ticks_sum(&to->nodes, from->nodes);
	ticks_sum(&to->ended, from->ended);
	ticks_sum(&to->run, from->run);
	ticks_sum(&to->beyond, from->beyond);
	shares_merge(&to->shares, &from->shares);
	for (size_t i = 0; i < from->count; i++) {
		const struct sum_row *r = &from->rows[i];

		sum_add(to, r->kind, (uint32_t)(r->key >> 32), (uint32_t)r->key, r->calls,
			r->total);
	}
}

void sum_merge(struct sum *to, const struct sum *from)
{
	ticks_sum(&to->unknown, from->unknown);
	ticks_sum(&to->doubtful, from->doubtful);
	ticks_sum(&to->refused, from->refused);
	ticks_sum(&to->beyond, from->beyond);
	for (size_t i = 0; i < from->count; i++) {
		struct sum_part *p = sum_part(to, &from->parts[i]->key);

		if (p)
			part_merge(p, from->parts[i]);
	}
}

void sum_shares_move(struct sum *to, struct sum *from)
{
	for (size_t i = 0; i < from->count; i++) {
		struct sum_part *p = part_find(to, &from->parts[i]->key);

		if (!p || p->shares.count)
			continue;
		p->shares = from->parts[i]->shares;
		from->parts[i]->shares = (struct shares){ NULL };
	}
}

static uint64_t count_since(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static void part_since(struct sum_part *out, const struct sum_part *now,
		       const struct sum_part *before)
{
	out->cost = now->cost;
	out->skew = now->skew;
	out->spread = now->spread;
	out->nodes = now->nodes;
	out->run = count_since(now->run, before ? before->run : 0);
	for (size_t i = 0; i < now->count; i++) {
		const struct sum_row *r = &now->rows[i];
		const struct sum_row *was = before ? part_row(before, r->kind, r->key) : NULL;

		sum_add(out, r->kind, (uint32_t)(r->key >> 32), (uint32_t)r->key,
			count_since(r->calls, was ? was->calls : 0),
			count_since(r->total, was ? was->total : 0));
	}
}

int sum_since(struct sum *out, const struct sum *now, const struct sum *before)
{
	for (size_t i = 0; i < now->count; i++) {
		struct sum_part *p = sum_part(out, &now->parts[i]->key);

		if (!p)
			return ERR_NOMEM;
		part_since(p, now->parts[i], part_find(before, &p->key));
	}
	return 0;
}

/* --- which firmware --------------------------------------------------------------------------- */

bool sum_build_of(struct sum_build *b, const struct wire_identity *identity)
{
	*b = (struct sum_build){ .kind = identity->kind };
	switch (identity->kind) {
	case WIRE_IDENTITY_SUM:
		b->start = identity->start;
		b->length = identity->length;
		b->a = identity->a;
		b->b = identity->b;
		return true;
	case WIRE_IDENTITY_BUILD_ID:
		memcpy(b->build_id, identity->build_id, sizeof(b->build_id));
		return true;
	default:
		return false;
	}
}

void sum_build_identity(const struct sum_build *b, struct wire_identity *identity)
{
	memset(identity, 0, sizeof(*identity));
	identity->kind = b->kind;
	identity->start = b->start;
	identity->length = b->length;
	identity->a = b->a;
	identity->b = b->b;
	memcpy(identity->build_id, b->build_id, sizeof(identity->build_id));
}

void sum_build_name(const struct sum_build *b, char *dst, size_t size)
{
	*dst = '\0';
	if (b->kind == WIRE_IDENTITY_SUM)
		snprintf(dst, size, "%04x%04x", b->a, b->b);
	for (size_t i = 0; b->kind == WIRE_IDENTITY_BUILD_ID && i < sizeof(b->build_id) &&
		2 * i + 3 <= size; i++)
		snprintf(dst + 2 * i, 3, "%02x", b->build_id[i]);
}

static void build_print(const struct sum_build *b, char *dst, size_t size)
{
	char name[SUM_BUILD];

	sum_build_name(b, name, sizeof(name));
	if (b->kind == WIRE_IDENTITY_SUM)
		snprintf(dst, size, "sum %" PRIx32 " %" PRIx32 " %s", b->start, b->length, name);
	else
		snprintf(dst, size, "id %s", name);
}

static bool hex_bytes(const char *text, uint8_t *to, size_t n)
{
	if (strlen(text) != 2 * n || strspn(text, "0123456789abcdef") != 2 * n)
		return false;
	for (size_t i = 0; i < n; i++) {
		const char digits[3] = { text[2 * i], text[2 * i + 1], '\0' };

		to[i] = (uint8_t)strtoul(digits, NULL, 16);
	}
	return true;
}

static bool build_scan(struct sum_build *b, const char *text)
{
	uint8_t sums[4];
	char *end;

	*b = (struct sum_build){ .kind = WIRE_IDENTITY_BUILD_ID };
	if (strncmp(text, "id ", 3) == 0)
		return hex_bytes(text + 3, b->build_id, sizeof(b->build_id));
	b->kind = WIRE_IDENTITY_SUM;
	if (strncmp(text, "sum ", 4) != 0)
		return false;
	b->start = (uint32_t)strtoul(text + 4, &end, 16);
	b->length = (uint32_t)strtoul(end, &end, 16);
	if (*end != ' ' || !hex_bytes(end + 1, sums, sizeof(sums)))
		return false;
	b->a = (uint16_t)(sums[0] << 8 | sums[1]);
	b->b = (uint16_t)(sums[2] << 8 | sums[3]);
	return true;
}

/* --- as text ---------------------------------------------------------------------------------- */

static const char kinds[TOTAL_PC + 1] = { [TOTAL_SITE] = 's', [TOTAL_ARC] = 'a', [TOTAL_PC] = 'p' };

static void number_text(struct json_out *j, const char *key, uint64_t n)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, n);
	json_text(j, key, text);
}

static void part_print(struct json_out *j, const struct sum_part *p)
{
	char build[BUILD_TEXT];

	build_print(&p->key.build, build, sizeof(build));
	json_begin_object(j, NULL);
	json_text(j, "site", p->key.site);
	json_text(j, "build", build);
	json_count(j, "arch", true, p->key.arch);
	json_count(j, "features", true, p->key.features);
	json_count(j, "ticks_per_second", true, p->key.ticks_per_second);
	json_count(j, "hz", true, p->key.hz);
	json_number(j, "cost", p->cost);
	json_number(j, "skew", p->skew);
	json_number(j, "spread", p->spread);
	json_count(j, "nodes", true, p->nodes);
	json_count(j, "ended", true, p->ended);
	number_text(j, "run", p->run);
	json_count(j, "beyond", true, p->beyond);
	json_begin_array(j, "rows");
	for (size_t i = 0; i < p->count; i++) {
		const struct sum_row *r = &p->rows[i];
		char row[80];

		snprintf(row, sizeof(row), "%c %" PRIx32 " %" PRIx32 " %" PRIu64 " %" PRIu64,
			 kinds[r->kind], (uint32_t)(r->key >> 32), (uint32_t)r->key, r->calls,
			 r->total);
		json_text(j, NULL, row);
	}
	json_end_array(j);
	if (p->shares.count)
		shares_write(&p->shares, j);
	json_end_object(j);
}

void sum_write(const struct sum *s, struct out *out)
{
	struct json_out j = { .out = out };

	json_begin_object(&j, NULL);
	json_text(&j, "by", s->by);
	json_count(&j, "epoch", true, s->epoch);
	json_count(&j, "unknown", true, s->unknown);
	json_count(&j, "doubtful", true, s->doubtful);
	json_count(&j, "refused", true, s->refused);
	json_count(&j, "beyond", true, s->beyond);
	json_begin_array(&j, "parts");
	for (size_t i = 0; i < s->count; i++)
		part_print(&j, s->parts[i]);
	json_end_array(&j);
	json_end_object(&j);
}

/* --- and back --------------------------------------------------------------------------------- */

/* A number from 0 to `most`; false: it is none. */
static bool number_get(const cJSON *o, const char *key, double most, double *v)
{
	const cJSON *m = cJSON_GetObjectItemCaseSensitive(o, key);

	if (!cJSON_IsNumber(m) || !(m->valuedouble >= 0) || !(m->valuedouble <= most))
		return false;
	*v = m->valuedouble;
	return true;
}

static bool count_get(const cJSON *o, const char *key, uint64_t most, uint64_t *n)
{
	double v;

	if (!number_get(o, key, (double)most, &v) || v != floor(v))
		return false;
	*n = (uint64_t)v;
	return true;
}

static const char *text_get(const cJSON *o, const char *key)
{
	const cJSON *m = cJSON_GetObjectItemCaseSensitive(o, key);

	return cJSON_IsString(m) && m->valuestring ? m->valuestring : "";
}

/* Digits up to `stop`, which *text is behind then. */
static bool digits_get(const char **text, int base, char stop, uint64_t most, uint64_t *n)
{
	char *end;
	const char *s = *text;

	if (!*s || !strchr("0123456789abcdef", *s))
		return false;
	*n = strtoull(s, &end, base);
	if (*end != stop || *n > most)
		return false;
	*text = end + (stop != '\0');
	return true;
}

static bool row_read(struct sum_part *p, const cJSON *m)
{
	const char *text = cJSON_IsString(m) && m->valuestring ? m->valuestring : "";
	const char *kind = *text ? memchr(kinds, *text, sizeof(kinds)) : NULL;
	uint64_t from, to, calls, total;
	size_t before = p->count;

	if (!kind || text[1] != ' ')
		return false;
	text += 2;
	if (!digits_get(&text, 16, ' ', UINT32_MAX, &from) ||
	    !digits_get(&text, 16, ' ', UINT32_MAX, &to) ||
	    !digits_get(&text, 10, ' ', MOST, &calls) || !digits_get(&text, 10, '\0', MOST, &total))
		return false;
	sum_add(p, (enum wire_total_kind)(kind - kinds), (uint32_t)from, (uint32_t)to, calls,
		total);
	return p->count == before + 1;	/* each once, and there is room */
}

static bool key_read(struct sum_key *k, const cJSON *m)
{
	uint64_t arch, features, ticks, hz;
	const char *site = text_get(m, "site");

	if (!*site || strlen(site) >= sizeof(k->site) ||
	    !build_scan(&k->build, text_get(m, "build")) ||
	    !count_get(m, "arch", UINT8_MAX, &arch) ||
	    !count_get(m, "features", UINT16_MAX, &features) ||
	    !count_get(m, "ticks_per_second", UINT32_MAX, &ticks) ||
	    !count_get(m, "hz", UINT16_MAX, &hz))
		return false;
	memcpy(k->site, site, strlen(site) + 1);
	k->arch = (uint8_t)arch;
	k->features = (uint16_t)features;
	k->ticks_per_second = (uint32_t)ticks;
	k->hz = (uint16_t)hz;
	return true;
}

/* Pasts have none, nor has what collectors before these told. */
static bool shares_take(struct sum_part *p, const cJSON *functions)
{
	if (functions && !cJSON_IsArray(functions))
		return false;
	for (const cJSON *f = functions ? functions->child : NULL; f; f = f->next)
		if (!cJSON_IsString(f) || !f->valuestring ||
		    !shares_read(&p->shares, f->valuestring))
			return false;
	return true;
}

static bool part_read(struct sum *s, const cJSON *m)
{
	struct sum_key key = { .arch = 0 };
	const cJSON *rows = cJSON_GetObjectItemCaseSensitive(m, "rows");
	const char *run = text_get(m, "run");
	struct sum_part *p;

	if (!key_read(&key, m) || part_find(s, &key) || !(p = sum_part(s, &key)) ||
	    !number_get(m, "cost", 1e9, &p->cost) || !number_get(m, "skew", 1e9, &p->skew) ||
	    !number_get(m, "spread", 1e9, &p->spread) ||
	    !count_get(m, "nodes", UINT32_MAX, &p->nodes) ||
	    !count_get(m, "ended", UINT32_MAX, &p->ended) ||
	    !count_get(m, "beyond", UINT32_MAX, &p->beyond) ||
	    !digits_get(&run, 10, '\0', MOST, &p->run) || !cJSON_IsArray(rows))
		return false;
	for (const cJSON *r = rows->child; r; r = r->next)
		if (!row_read(p, r))
			return false;
	return shares_take(p, cJSON_GetObjectItemCaseSensitive(m, "functions"));
}

static bool all_read(struct sum *s, const cJSON *root)
{
	const cJSON *parts = cJSON_GetObjectItemCaseSensitive(root, "parts");
	uint64_t epoch;

	if (!cJSON_IsArray(parts) || !count_get(root, "epoch", UINT16_MAX, &epoch) ||
	    !count_get(root, "unknown", UINT32_MAX, &s->unknown) ||
	    !count_get(root, "doubtful", UINT32_MAX, &s->doubtful) ||
	    !count_get(root, "refused", UINT32_MAX, &s->refused) ||
	    !count_get(root, "beyond", UINT32_MAX, &s->beyond))
		return false;
	s->epoch = (unsigned)epoch;
	snprintf(s->by, sizeof(s->by), "%s", text_get(root, "by"));
	for (const cJSON *m = parts->child; m; m = m->next)
		if (!part_read(s, m))
			return false;
	return true;
}

int sum_read(struct sum *s, const void *data, size_t n)
{
	cJSON *root = n <= SUM_BYTES ? cJSON_ParseWithLength(data, n) : NULL;
	bool good = root && all_read(s, root);

	cJSON_Delete(root);
	if (!good)
		sum_release(s);
	return good ? 0 : ERR_FORMAT;
}

/* --- as a profile ----------------------------------------------------------------------------- */

void sum_hello(const struct sum_part *p, struct wire_hello *hello)
{
	*hello = (struct wire_hello){
		.name = "", .version = 1, .arch = p->key.arch, .features = p->key.features,
		.ticks_per_second = p->key.ticks_per_second, .hz = p->key.hz, .cost = p->cost,
		.skew = p->skew, .spread = p->spread,
	};
	sum_build_identity(&p->key.build, &hello->identity);
}

static struct wire_total row_total(const struct sum_part *p, const struct sum_row *r)
{
	bool timed = r->kind == TOTAL_SITE && p->key.features & WSN_F_TIMED;

	return (struct wire_total){
		.kind = r->kind, .from = (uint32_t)(r->key >> 32), .to = (uint32_t)r->key,
		.calls = r->calls, .total = r->total, .has = timed ? TOTAL_TIMED : 0,
		.flags = r->kind == TOTAL_SITE && r->key >> 32 == 0 ? ROW_HANDLER : 0,
	};
}

static int rows_feed(struct profile *p, const struct sum_part *from)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct wire_total t = row_total(from, &from->rows[i]);

		if (profile_take_totals(p, &t, 1) < 0)
			return ERR_NOMEM;
	}
	return 0;
}

struct profile *sum_profile(const struct sum_part *from, const struct image *image)
{
	struct profile *p = mem_zalloc(sizeof(*p));
	struct wire_hello hello;

	if (!p)
		return NULL;
	sum_hello(from, &hello);
	if (profile_init(p, from->key.site) < 0) {
		mem_free(p);
		return NULL;
	}
	profile_set_image(p, image);
	profile_take_hello(p, &hello);
	profile_take_run(p, from->run);
	if (rows_feed(p, from) < 0 || profile_compute(p) < 0) {
		sum_profile_free(p);
		return NULL;
	}
	return p;
}

void sum_profile_free(struct profile *p)
{
	if (!p)
		return;
	profile_release(p);
	mem_free(p);
}
