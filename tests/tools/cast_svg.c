/*
 * cast_svg: an asciicast as an animated picture.
 *
 *	cast_svg <FILE.cast >FILE.svg
 *
 * A terminal emulator (libvterm) reads the recording; what it shows whenever nothing follows for a
 * moment is a frame, and one in a while where output never ends. The picture is made of pieces
 * (svg.h: a word, a bar), each written once however many frames have it: those that are in the same
 * frames stand in one group, and the group is seen at the times of these. Styles do that, no
 * script: code hosts show the picture in a page. Who plays no animations sees the first frame.
 * Below the screen is the last marker's text.
 */
#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tools/screen/svg.h"

enum {
	FRAMES = 512, WORDS_OF_FRAMES = FRAMES / 64,
	CAPTION = 30,			/* pixels below the screen */
	STILL_MS = 250,			/* what stands for so long is a frame */
	LONGEST_MS = 600, DRAWN_MS = 20,	/* or, where it never stands, one so often */
	GAP = 8,			/* cells between words that are written as one text */
	SIDE = 500,			/* cells */
	LINE = 1 << 20,
};

struct part {
	struct svg_piece piece;		/* text: owned */
	uint64_t in[WORDS_OF_FRAMES];	/* the frames that have it */
};

static struct {
	VTerm *vt;
	VTermScreen *screen;
	int cols, rows;
	char caption[128];
	double at[FRAMES];		/* seconds, when the frame begins */
	int frames;
	double end;
	struct part *parts;
	size_t n, cap;
} film;

static void fail_exit(const char *why)
{
	fprintf(stderr, "cast_svg: %s\n", why);
	exit(1);
}

/* --- pieces ----------------------------------------------------------------------------------- */

static void piece_keep(struct svg_painter *painter, const struct svg_piece *p)
{
	struct part *part;

	(void)painter;
	if (film.n == film.cap) {
		film.cap = film.cap ? 2 * film.cap : 1024;
		film.parts = realloc(film.parts, film.cap * sizeof(*film.parts));
		if (!film.parts)
			fail_exit("out of memory");
	}
	part = &film.parts[film.n++];
	*part = (struct part){ .piece = *p };
	part->piece.text = strdup(p->text ? p->text : "");
	part->in[(film.frames - 1) / 64] |= 1ull << (film.frames - 1) % 64;
}

static int number_compare(double a, double b)
{
	return (a > b) - (a < b);
}

/* What is the same in every frame stands together. */
static int look_compare(const struct svg_piece *a, const struct svg_piece *b)
{
	int c = a->layer != b->layer ? (int)a->layer - (int)b->layer : 0;

	c = c ? c : number_compare(a->color, b->color);
	c = c ? c : a->bold - b->bold;
	return c;
}

static int piece_compare(const struct svg_piece *a, const struct svg_piece *b)
{
	int c = look_compare(a, b);

	c = c ? c : number_compare(a->y, b->y);
	c = c ? c : number_compare(a->x, b->x);
	c = c ? c : number_compare(a->width, b->width);
	c = c ? c : number_compare(a->height, b->height);
	c = c ? c : number_compare(a->opacity, b->opacity);
	return c ? c : strcmp(a->text, b->text);
}

static int part_compare(const void *a, const void *b)
{
	return piece_compare(&((const struct part *)a)->piece, &((const struct part *)b)->piece);
}

static int group_compare(const void *va, const void *vb)
{
	const struct part *a = va, *b = vb;
	int c = (int)a->piece.layer - (int)b->piece.layer;

	c = c ? c : memcmp(a->in, b->in, sizeof(a->in));
	return c ? c : part_compare(a, b);
}

/* Pieces that are the same become one, which is in the frames of all of them. */
static void pieces_merge(void)
{
	size_t n = 0;

	qsort(film.parts, film.n, sizeof(*film.parts), part_compare);
	for (size_t i = 0; i < film.n; i++) {
		if (n && part_compare(&film.parts[n - 1], &film.parts[i]) == 0) {
			for (int w = 0; w < WORDS_OF_FRAMES; w++)
				film.parts[n - 1].in[w] |= film.parts[i].in[w];
			free((char *)film.parts[i].piece.text);
		} else {
			film.parts[n++] = film.parts[i];
		}
	}
	film.n = n;
	qsort(film.parts, film.n, sizeof(*film.parts), group_compare);
}

/* --- the recording ---------------------------------------------------------------------------- */

static void caption_paint(struct svg_painter *to)
{
	struct buf text = BUF_INIT;

	for (const char *c = film.caption; *c; c++)
		svg_char_add(&text, (unsigned char)*c);
	to->paint(to, &(struct svg_piece){
		.layer = SVG_WORDS, .color = 0xffffff, .bold = true,
		.x = SVG_MARGIN + SVG_CELL_W, .y = 2 * SVG_MARGIN + film.rows * SVG_CELL_H + 10,
		.width = (double)strlen(film.caption) * SVG_CELL_W, .text = buf_str(&text),
	});
	buf_release(&text);
}

static void frame_take(double at)
{
	struct svg_painter painter = { piece_keep };

	if (film.frames == FRAMES)
		fail_exit("more than 512 frames");
	film.at[film.frames++] = at;
	svg_paint(film.screen, film.cols, film.rows, &painter);
	if (*film.caption)
		caption_paint(&painter);
}

static void screen_open(const char *line)
{
	cJSON *head = cJSON_Parse(line);
	cJSON *cols = cJSON_GetObjectItem(head, "width");
	cJSON *rows = cJSON_GetObjectItem(head, "height");

	if (!cJSON_IsNumber(cols) || !cJSON_IsNumber(rows))
		fail_exit("no asciicast: its first line has no width and height");
	if (cols->valueint < 1 || cols->valueint > SIDE || rows->valueint < 1 ||
	    rows->valueint > SIDE)
		fail_exit("a screen of more than 500 cells");
	film.cols = cols->valueint;
	film.rows = rows->valueint;
	film.vt = vterm_new(film.rows, film.cols);
	vterm_set_utf8(film.vt, 1);
	film.screen = vterm_obtain_screen(film.vt);
	vterm_screen_enable_altscreen(film.screen, 1);
	vterm_screen_reset(film.screen, 1);
	cJSON_Delete(head);
}

/* Whether what stood from `since` to `until` is a frame. */
static bool frame_stood(double since, double until)
{
	double shown = film.frames ? film.at[film.frames - 1] : 0;

	return until - since > STILL_MS / 1000. ||
	       (until - since > DRAWN_MS / 1000. && since - shown > LONGEST_MS / 1000.);
}

static void event_take(const char *line, double *last)
{
	cJSON *event = cJSON_Parse(line);
	cJSON *at = cJSON_GetArrayItem(event, 0), *kind = cJSON_GetArrayItem(event, 1),
	      *data = cJSON_GetArrayItem(event, 2);

	if (!cJSON_IsNumber(at) || !cJSON_IsString(kind) || !cJSON_IsString(data))
		fail_exit("an event that is none");
	if (*last >= 0 && frame_stood(*last, at->valuedouble))
		frame_take(film.frames ? *last : 0);
	if (*kind->valuestring == 'o')
		vterm_input_write(film.vt, data->valuestring, strlen(data->valuestring));
	else if (*kind->valuestring == 'm')
		snprintf(film.caption, sizeof(film.caption), "%s", data->valuestring);
	*last = film.end = at->valuedouble;
	cJSON_Delete(event);
}

static void cast_read(FILE *f)
{
	char *line = malloc(LINE);
	double last = -1;

	if (!line || !fgets(line, LINE, f))
		fail_exit("nothing to read");
	screen_open(line);
	while (fgets(line, LINE, f))
		event_take(line, &last);
	free(line);
	if (!film.frames)
		fail_exit("no frame in it");
}

/* --- the picture ------------------------------------------------------------------------------ */

static bool frame_has(const struct part *p, int frame)
{
	return p->in[frame / 64] >> frame % 64 & 1;
}

static bool part_stays(const struct part *p)
{
	for (int i = 0; i < film.frames; i++)
		if (!frame_has(p, i))
			return false;
	return true;
}

/* The first part that is in the same frames. */
static size_t group_of(size_t part)
{
	size_t i = 0;

	while (memcmp(film.parts[i].in, film.parts[part].in, sizeof(film.parts[i].in)) != 0)
		i++;
	return i;
}

/* Seen from the begin of a frame that has it to the begin of one that has not. */
static void group_style(FILE *f, const struct part *p, size_t number)
{
	fprintf(f, "<style>.g%zu{animation-name:k%zu%s}@keyframes k%zu{", number, number,
		frame_has(p, 0) ? "" : ";visibility:hidden", number);
	for (int i = 0; i < film.frames; i++) {
		if (i == 0 || frame_has(p, i) != frame_has(p, i - 1))
			fprintf(f, "%.2f%%{visibility:%s}", 100 * film.at[i] / film.end,
				frame_has(p, i) ? "visible" : "hidden");
	}
	fprintf(f, "}</style>\n");
}

/* How many blanks are between two words of a row; -1: these are not to become one. */
static int words_gap(const struct svg_piece *a, const struct svg_piece *b)
{
	double gap = (b->x - a->x - a->width) / SVG_CELL_W;

	return a->layer == SVG_WORDS && !look_compare(a, b) && number_compare(a->y, b->y) == 0 &&
	       gap >= 0 && gap <= GAP ? (int)gap : -1;
}

/*
 * A part and those that follow it in its row near by: one text is smaller than several. Returns
 * behind the last.
 */
static size_t words_write(FILE *f, size_t first, size_t end)
{
	struct svg_piece p = film.parts[first].piece;
	struct buf text = BUF_INIT;
	size_t i = first + 1;

	buf_adds(&text, p.text);
	for (int gap; i < end && (gap = words_gap(&p, &film.parts[i].piece)) >= 0; i++) {
		buf_adds(&text, gap == 1 ? " " : "");
		for (int k = 0; gap > 1 && k < gap; k++)
			buf_adds(&text, "\u00a0");
		buf_adds(&text, film.parts[i].piece.text);
		p.width += gap * SVG_CELL_W + film.parts[i].piece.width;
	}
	p.text = buf_str(&text);
	svg_piece_write(f, &p, false);
	buf_release(&text);
	return i;
}

/* From `first` on those of one look; returns behind the last. */
static size_t look_write(FILE *f, size_t first, size_t end)
{
	const struct svg_piece *p = &film.parts[first].piece;
	size_t i = first;

	fprintf(f, "<g fill=\"#%06x\"%s>\n", p->color, p->bold ? " font-weight=\"bold\"" : "");
	while (i < end && look_compare(p, &film.parts[i].piece) == 0)
		i = words_write(f, i, end);
	fprintf(f, "</g>\n");
	return i;
}

static size_t group_write(FILE *f, size_t first)
{
	const struct part *p = &film.parts[first];
	size_t end = first, number = group_of(first);

	while (end < film.n && p->piece.layer == film.parts[end].piece.layer &&
	       !memcmp(p->in, film.parts[end].in, sizeof(p->in)))
		end++;
	if (number == first && !part_stays(p))
		group_style(f, p, number);
	if (part_stays(p))
		fprintf(f, "<g>\n");
	else
		fprintf(f, "<g class=\"g g%zu\">\n", number);
	for (size_t i = first; i < end;)
		i = look_write(f, i, end);
	fprintf(f, "</g>\n");
	return end;
}

int main(void)
{
	cast_read(stdin);
	pieces_merge();
	svg_begin(stdout, film.cols, film.rows, CAPTION);
	printf("<style>.g{animation-duration:%.2fs;animation-iteration-count:infinite;"
	       "animation-timing-function:step-end}"
	       "@media(prefers-reduced-motion:reduce){.g{animation:none}}</style>\n", film.end);
	for (size_t i = 0; i < film.n;)
		i = group_write(stdout, i);
	printf("</svg>\n");
	for (size_t i = 0; i < film.n; i++)
		free((char *)film.parts[i].piece.text);
	free(film.parts);
	vterm_free(film.vt);
	return ferror(stdout) || fflush(stdout);
}
