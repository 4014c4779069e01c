/*
 * listing: a disassembler's output, read.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/sorted.h"
#include "core/source/objdump.h"

void listing_release(struct listing *l)
{
	mem_free(l->v);
	buf_release(&l->text);
	*l = (struct listing){ NULL };
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* "   100:": returns the text after it; NULL: no address. */
static const char *address_parse(const char *s, uint64_t *address)
{
	int digits = 0;

	*address = 0;
	while (*s == ' ')
		s++;
	for (; hex_digit(*s) >= 0 && digits < 16; s++, digits++)
		*address = *address << 4 | (uint64_t)hex_digit(*s);
	return digits && *s == ':' && (s[1] == '\t' || s[1] == ' ') ? s + 2 : NULL;
}

/* "e8 fb 00 " up to the tab: how many bytes; 0: that is something else. */
static size_t bytes_count(const char *s, const char *end)
{
	size_t digits = 0;

	for (; s < end; s++) {
		if (hex_digit(*s) >= 0)
			digits++;
		else if (*s != ' ')
			return 0;
	}
	return digits % 2 ? 0 : digits / 2;
}

static void line_parse(struct listing *l)
{
	struct instruction in = { .text = (uint32_t)l->text.len };
	const char *bytes, *tab;
	size_t size, n;

	l->line[l->length] = '\0';
	bytes = strlen(l->line) == l->length ? address_parse(l->line, &in.address) : NULL;
	tab = bytes ? strchr(bytes, '\t') : NULL;
	size = tab ? bytes_count(bytes, tab) : 0;
	if (!size || size > 16 || !tab[1] || l->count == OBJDUMP_MAX)
		return;
	in.size = (uint8_t)size;
	n = strlen(tab + 1);
	while (n && (tab[n] == '\r' || tab[n] == ' ' || tab[n] == '\t'))
		n--;
	if (mem_grow(&l->v, &l->cap, l->count + 1, sizeof(*l->v)) < 0)
		return;
	buf_add(&l->text, tab + 1, n);
	buf_add(&l->text, "", 1);
	if (l->text.failed)
		return;
	in.branch = (uint8_t)branch_read(l->text.data + in.text, in.address, in.size, &in.target);
	l->v[l->count++] = in;
}

void listing_feed(struct listing *l, const char *data, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (data[i] == '\n') {
			line_parse(l);
			l->length = 0;
		} else if (l->length < sizeof(l->line) - 1) {
			l->line[l->length++] = data[i];
		}
	}
}

static int by_instruction(const void *a, const void *b)
{
	const struct instruction *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->text < y->text ? -1 : x->text > y->text;
}

/* Parts of a function may come in any order; of two at one address the first counts. */
void listing_end(struct listing *l)
{
	size_t kept = 0;

	line_parse(l);
	l->length = 0;
	l->sorted = true;
	if (!l->count)
		return;
	qsort(l->v, l->count, sizeof(*l->v), by_instruction);
	for (size_t i = 1; i < l->count; i++) {
		if (l->v[i].address != l->v[kept].address)
			l->v[++kept] = l->v[i];
	}
	l->count = kept + 1;
}

const char *listing_text(const struct listing *l, size_t i)
{
	return i < l->count ? l->text.data + l->v[i].text : "";
}

size_t listing_find(const struct listing *l, uint64_t address)
{
	size_t next = SORTED_ABOVE(l->v, l->count, address, address);

	return next && address - l->v[next - 1].address < l->v[next - 1].size ? next - 1 : SIZE_MAX;
}

size_t listing_jump(const struct listing *l, size_t i)
{
	size_t to;

	if (i >= l->count || l->v[i].branch != BRANCH_JUMP)
		return SIZE_MAX;
	to = listing_find(l, l->v[i].target);
	return to != SIZE_MAX && l->v[to].address == l->v[i].target ? to : SIZE_MAX;
}
