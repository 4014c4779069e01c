#include "core/node/console.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"

/* Every byte may become \xNN. */
#define VISIBLE_WIDTH (4 * CONSOLE_WIDTH + 1)

void console_init(struct console *c)
{
	*c = (struct console){ 0 };
}

void console_release(struct console *c)
{
	for (size_t i = 0; c->lines && i < CONSOLE_LINES; i++)
		mem_free(c->lines[i].text);
	mem_free(c->lines);
	console_init(c);
}

/* The slot for a new line; the oldest gives way when the ring is full. */
static struct console_line *slot_new(struct console *c)
{
	if (!c->lines)
		c->lines = mem_zalloc(CONSOLE_LINES * sizeof(*c->lines));
	if (!c->lines)
		return NULL;
	if (c->count == CONSOLE_LINES) {
		struct console_line *oldest = &c->lines[c->first];

		mem_free(oldest->text);
		oldest->text = NULL;
		c->first = (c->first + 1) % CONSOLE_LINES;
		c->count--;
		c->dropped++;
	}
	return &c->lines[(c->first + c->count) % CONSOLE_LINES];
}

static void line_put(struct console *c, uint64_t time_ns, const char *text, size_t n, bool ours)
{
	char visible[VISIBLE_WIDTH];
	struct console_line *slot = slot_new(c);
	char *copy;

	text_visible(visible, sizeof(visible), text, n);
	copy = slot ? mem_strdup(visible) : NULL;
	if (!copy) {
		c->dropped++;
		return;
	}
	*slot = (struct console_line){ time_ns, copy, ours };
	c->count++;
}

static void line_end(struct console *c)
{
	line_put(c, c->partial_time, c->partial, c->partial_len, false);
	c->partial_len = 0;
}

static void plain_add(struct console *c, uint64_t time_ns, char byte);

/* What has begun is no sequence that is left out: it is text like any other. */
static void sequence_show(struct console *c, uint64_t time_ns)
{
	size_t n = c->sequence_len;

	c->sequence_len = 0;
	for (size_t i = 0; i < n; i++)
		plain_add(c, time_ns, c->sequence[i]);
}

/* ESC [ numbers final: colours, "the rest of the line" or "of the screen", some columns back. */
static bool is_idle(const char *s, size_t n)
{
	size_t numbers = strspn(s + 2, "0123456789;:");
	char final = s[n - 1];

	if (numbers != n - 3)
		return false;
	if (final == 'J' || final == 'K')
		return numbers == 0 || (numbers == 1 && s[2] == '0');
	return final == 'm' || final == 'D';
}

/* True: the byte belongs to a sequence, and is kept until that is whole. */
static bool sequence_take(struct console *c, uint64_t time_ns, char byte)
{
	size_t n = c->sequence_len;

	if (n == 0 && byte != '\x1b')
		return false;
	if (n == 1 && byte != '[') {
		sequence_show(c, time_ns);
		return sequence_take(c, time_ns, byte);
	}
	c->sequence[c->sequence_len++] = byte;
	if (n < 2)
		return true;
	if ((byte < 0x20 || byte > 0x3f) && n >= 2) {
		if (is_idle(c->sequence, n + 1))
			c->sequence_len = 0;
		else
			sequence_show(c, time_ns);
	} else if (c->sequence_len == CONSOLE_SEQUENCE) {
		sequence_show(c, time_ns);
	}
	return true;
}

/* CR LF, LF CR, lone CR and lone LF each end one line; a CR before LF adds none. */
static void plain_add(struct console *c, uint64_t time_ns, char byte)
{
	if (byte == '\n' && c->after_cr) {
		c->after_cr = false;
		return;
	}
	c->after_cr = byte == '\r';
	if (byte == '\n' || byte == '\r') {
		if (c->partial_len == 0)
			c->partial_time = time_ns;
		line_end(c);
		return;
	}
	if (c->partial_len == 0)
		c->partial_time = time_ns;
	c->partial[c->partial_len++] = byte;
	if (c->partial_len == CONSOLE_WIDTH)
		line_end(c);
}

void console_add(struct console *c, uint64_t time_ns, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!sequence_take(c, time_ns, text[i]))
			plain_add(c, time_ns, text[i]);
	if (c->partial_len)
		text_visible(c->partial_text, sizeof(c->partial_text), c->partial, c->partial_len);
}

void console_say(struct console *c, uint64_t time_ns, const char *line)
{
	sequence_show(c, time_ns);
	if (c->partial_len)
		line_end(c);
	line_put(c, time_ns, line, strlen(line), true);
}

size_t console_count(const struct console *c)
{
	return c->count + (c->partial_len ? 1 : 0);
}

bool console_get(const struct console *c, size_t i, struct console_line *line)
{
	if (i < c->count) {
		*line = c->lines[(c->first + i) % CONSOLE_LINES];
		return true;
	}
	if (i > c->count || c->partial_len == 0)
		return false;
	*line = (struct console_line){ c->partial_time, (char *)c->partial_text, false };
	return true;
}
