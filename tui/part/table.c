#include "tui/part/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

/* --- tables ----------------------------------------------------------------------------------- */

static int gap_of(int width)
{
	return width < 100 ? 1 : 2;
}

/* Of the columns that are there, the width of all up to this rank. */
static int width_to(const struct table_column *c, size_t n, int rank, int gap)
{
	int sum = -gap;

	for (size_t i = 0; i < n; i++)
		sum += c[i].width && c[i].rank <= rank ? c[i].width + gap : 0;
	return sum;
}

/* The highest rank that still fits; skipping none, so that the order of leaving is plain. */
static int last_rank(const struct table_column *c, size_t n, int width, int gap)
{
	int last = 0, next;

	for (;;) {
		next = -1;
		for (size_t i = 0; i < n; i++) {
			if (c[i].width && c[i].rank > last && (next < 0 || c[i].rank < next))
				next = c[i].rank;
		}
		if (next < 0 || width_to(c, n, next, gap) > width)
			return last;
		last = next;
	}
}

/* Give the spare width to the columns that can use it, the important ones first. */
static void spans_widen(const struct table_column *c, size_t n, int last, int spare,
			struct table_span *spans)
{
	for (int rank = 0; rank <= last && spare > 0; rank++) {
		for (size_t i = 0; i < n; i++) {
			int more = c[i].wants - spans[i].width;

			if (!spans[i].width || c[i].rank != rank || more <= 0)
				continue;
			more = more < spare ? more : spare;
			spans[i].width += more;
			spare -= more;
		}
	}
}

void table_layout(const struct table_column *c, size_t n, int width, struct table_span *spans)
{
	int gap = gap_of(width), last = last_rank(c, n, width, gap), x = 0;

	for (size_t i = 0; i < n; i++)
		spans[i] = (struct table_span){ 0, c[i].rank <= last ? c[i].width : 0 };
	spans_widen(c, n, last, width - width_to(c, n, last, gap), spans);
	for (size_t i = 0; i < n; i++) {
		spans[i].x = x;
		x += spans[i].width ? spans[i].width + gap : 0;
	}
}

size_t table_at(const struct table_span *spans, size_t n, int x)
{
	for (size_t i = 0; i < n; i++) {
		if (spans[i].width && x < spans[i].x + spans[i].width)
			return i;
	}
	return n;
}

struct table_column table_name(int width, int longest, int rank)
{
	int least = width < 60 ? width / 3 : width < 100 ? 20 : width / 4;

	if (longest < 8)
		longest = 8;
	if (least > longest)
		least = longest;
	return (struct table_column){ least, longest, rank };
}

/* --- cells ------------------------------------------------------------------------------------ */

void part_title(struct grid *g, struct table_span at, int y, const char *title, bool left,
		int sorted)
{
	enum role role = sorted ? ROLE_TITLE_SORTED : ROLE_TITLE;
	char text[320], named[180];

	if (!at.width)
		return;
	if (!strcmp(title, columns[COLUMN_FUNCTION].header))
		title = naming_title(g, title, at.width - (sorted != 0), named, sizeof(named));
	snprintf(text, sizeof(text), "%s%s", title,
		 sorted == 0 ? "" : sorted > 0 ? (g->utf8 ? "▼" : "v") : (g->utf8 ? "▲" : "^"));
	if (left) {
		grid_text(g, at.x, y, at.width, role, text);
	} else {
		/* The mark of a title that fills its column goes into the gap before it. */
		int over = text_columns(text) > at.width && at.x > 0 ? 1 : 0;

		grid_right(g, at.x - over, y, at.width + over, role, text);
	}
}

void part_cell(struct grid *g, struct table_span at, int y, enum role role, const char *text)
{
	if (!at.width)
		return;
	if (*text)
		grid_right(g, at.x, y, at.width, role, text);
	else
		grid_right(g, at.x, y, at.width, ROLE_DIM, "-");
}

void part_seconds(struct grid *g, struct table_span at, int y, double s)
{
	char text[16] = "";

	if (!isnan(s))
		text_seconds(text, sizeof(text), s);
	part_cell(g, at, y, ROLE_NUMBER, text);
}

void part_at_least(struct grid *g, struct table_span at, int y, double s, bool at_least)
{
	char text[24];

	column_at_least(s, at_least, text, sizeof(text));
	part_cell(g, at, y, ROLE_NUMBER, text);
}

void part_call_time(struct grid *g, struct table_span at, int y, const struct profile *p, double s,
		    bool at_least)
{
	char text[24];

	column_call_time(p, s, at_least, text, sizeof(text));
	part_cell(g, at, y, ROLE_NUMBER, text);
}

void part_percentile(struct grid *g, struct table_span at, int y, const struct profile *p,
		     double s)
{
	char text[24];

	column_percentile(p, s, text, sizeof(text));
	part_cell(g, at, y, ROLE_NUMBER, text);
}

void part_count(struct grid *g, struct table_span at, int y, double n)
{
	part_calls(g, at, y, ROLE_NUMBER, n, false);
}

void part_calls(struct grid *g, struct table_span at, int y, enum role role, double n,
		bool at_least)
{
	char text[32] = ">=", *number = text + 2 * at_least;

	*number = '\0';
	if (n >= 0 && n < 1e15)
		text_whole(number, sizeof(text) - 2, (uint64_t)(n + 0.5));
	if (!isnan(n) && (n >= 1e15 || (int)strlen(text) > at.width))
		text_count(number, sizeof(text) - 2, n);
	part_cell(g, at, y, role, isnan(n) ? "" : text);
}

void part_percent(struct grid *g, struct table_span at, int y, double share)
{
	char text[32] = "";

	if (!isnan(share))
		snprintf(text, sizeof(text), "%.1f", 100 * share);
	part_cell(g, at, y, ROLE_NUMBER, text);
}

void part_bar(struct grid *g, struct table_span at, int y, double share, double heat)
{
	if (!at.width || isnan(share) || share <= 0)
		return;
	heat = isnan(heat) || heat < 0 ? 0 : heat > 1 ? 1 : heat;
	grid_bar(g, at.x, y, at.width, role_heat(heat), share > 1 ? 1 : share);
}

/* Columns of the first n bytes. */
static int columns_of(const char *s, size_t n)
{
	char part[512];

	if (n >= sizeof(part))
		n = sizeof(part) - 1;
	memcpy(part, s, n);
	part[n] = '\0';
	return text_columns(part);
}

int part_name(struct grid *g, int x, int y, int width, enum role role, const char *s,
	      const struct regex *search)
{
	size_t start, end;
	int used = grid_text(g, x, y, width, role, s), from, to;

	if (!search || !regex_find(search, s, &start, &end) || start == end)
		return used;
	from = columns_of(s, start);
	to = columns_of(s, end);
	if (to > used)
		to = used;
	if (from < to)
		grid_role(g, x + from, y, to - from, ROLE_MATCH);
	return used;
}

void part_file(struct grid *g, struct table_span at, int y, const char *file, uint32_t line)
{
	char number[16] = "";
	int digits, used;

	if (!at.width || !file)
		return;
	if (line)
		snprintf(number, sizeof(number), ":%" PRIu32, line);
	digits = (int)strlen(number);
	/* The line number stays whole: it is the part that one looks for. */
	used = grid_text(g, at.x, y, at.width > digits ? at.width - digits : 0, ROLE_DIM, file);
	grid_text(g, at.x + used, y, at.width - used, ROLE_DIM, number);
}

bool part_has_files(const struct profile *p)
{
	for (size_t i = 0; i < p->function_count; i++) {
		if (p->functions[i].file)
			return true;
	}
	return false;
}

enum role part_role(const struct profile_function *f)
{
	return !f->called && f->time == PROFILE_TIME_NONE ? ROLE_DIM : ROLE_NAME;
}

const char *part_nobody(const struct profile_edge *e)
{
	return e->flags & ROW_HANDLER ? "(interrupt)" : "(no function)";
}

void part_footer(struct grid *g, int y, const char *plain, const char *warning)
{
	int room = *warning ? g->width - 2 - text_columns(warning) : g->width, x;

	if (room < g->width / 4)
		room = g->width / 4;
	x = grid_text(g, 0, y, room, ROLE_LABEL, plain);
	if (*warning && x + 4 < g->width)
		grid_text(g, x + 2, y, g->width - x - 2, ROLE_WARNING, warning);
}

/* --- nothing to show -------------------------------------------------------------------------- */

/* Bytes of `s` for a line of `width`: up to the last space that fits; all where none does. */
static size_t bytes_fitting(const char *s, int width)
{
	size_t fits = 0, n = 0;
	char part[512];

	if (text_columns(s) <= width)
		return strlen(s);
	for (; n < sizeof(part) && s[n]; n++) {
		if (s[n] != ' ')
			continue;
		snprintf(part, sizeof(part), "%.*s", (int)n, s);
		if (text_columns(part) > width)
			break;
		fits = n;
	}
	return fits ? fits : strlen(s);
}

/* One of the lines, on as many of the screen's as it takes: the next one's y. */
static int draw_sentence(struct grid *g, int x, int y, int width, enum role role, const char *s)
{
	do {
		size_t n = bytes_fitting(s, width);
		char part[512];

		snprintf(part, sizeof(part), "%.*s", (int)n, s);
		grid_text(g, x, y++, width, role, part);
		for (s += n; *s == ' '; s++)
			;
	} while (*s);
	return y;
}

void part_say(struct grid *g, const struct view_shared *s, const char *const *lines)
{
	const struct keymap *keys = &s->settings->keys;
	char line[KEYMAP_SENTENCE];
	int count = 0, y, widest = 0, x;

	for (; lines[count]; count++) {
		int length = text_columns(keymap_expand(keys, lines[count], line, sizeof(line)));

		widest = length > widest ? length : widest;
	}
	y = g->height > count ? (g->height - count) / 3 : 0;
	x = g->width > widest ? (g->width - widest) / 2 : 0;
	for (int i = 0; i < count; i++)
		y = draw_sentence(g, x, y, g->width - x, i ? ROLE_LABEL : ROLE_VALUE,
				  keymap_expand(keys, lines[i], line, sizeof(line)));
}

static const char starved[] =
	"The node may have no time left: it has instrumented handlers (doctor names them).";

/* What is in the way of a probe or SWO, whole: a narrow header cuts it off. */
static bool say_probe_trouble(struct grid *g, const struct view_shared *s, const char *news)
{
	char wrong[320];

	if (!node_probe_warning(s->node, wrong, sizeof(wrong)))
		return false;
	part_say(g, s, (const char *const[]){ news, wrong, NULL });
	return true;
}

/* What to do about a link that is open and silent. */
static void silence_cure(const struct node *n, char *cure, size_t size)
{
	struct node_port port;

	if (node_port(n, &port))
		snprintf(cure, size, "%s", port.sets_up ? "SWO is being set up." :
			 "Is SWO set up, and its pin wired? ?setup=openocd: behind the source "
			 "sets it up.");
	else if (node_link(n) && link_baud(node_link(n)))
		snprintf(cure, size, "The node is silent, or does not send at %ld baud (-b).",
			 link_baud(node_link(n)));
	else
		snprintf(cure, size, "Is it this node's? Does its main loop call wsnprof_poll()?");
}

/* Not a byte yet: the state of the link. */
static void say_silent(struct grid *g, const struct view_shared *s)
{
	const struct node *n = s->node;
	const char *name = node_link(n) ? link_name(node_link(n)) : node_source(n);
	enum link_state state = node_link(n) ? link_state(node_link(n)) : LINK_UP;
	char news[200], cure[200] = "", names[16];

	if (state == LINK_UP) {
		snprintf(news, sizeof(news), "%s is open: nothing received yet", name);
		if (say_probe_trouble(g, s, news))
			return;
		silence_cure(n, cure, sizeof(cure));
	} else if (state == LINK_ENDED) {
		snprintf(news, sizeof(news), "%s ended without a byte", name);
	} else {
		snprintf(news, sizeof(news), "waiting for %s", name);
		snprintf(cure, sizeof(cure), "%s", node_link(n) ? link_why(node_link(n)) : "");
	}
	part_say(g, s, (const char *const[]){ news, cure,
		state == LINK_UP && node_handlers(n, true, names, sizeof(names)) ?
		starved : NULL, NULL });
}

/* A debug server answers, and no PC came: what is wrong, in full, which the header cuts. */
static void say_unsampled(struct grid *g, const struct view_shared *s)
{
	char why[200] = "";

	if (!node_probe_warning(s->node, why, sizeof(why)))
		snprintf(why, sizeof(why), "%s", node_format_note(s->node));
	part_say(g, s, (const char *const[]){ "no PC samples yet", why,
		node_probe(s->node)->trouble == PROBE_MUST_STOP ?
		"{command} asks whether it may be halted, and how often." :
		"wsntop doctor -p SOURCE -e APP.ELF checks the server and the chip.", NULL });
}

/* It ended before the firmware ran: its own words. */
static void say_unsimulated(struct grid *g, const struct view_shared *s)
{
	const struct link *l = node_link(s->node);
	bool ended = node_ended(s->node);

	part_say(g, s, (const char *const[]){
		ended ? "the simulator ended before the firmware ran" : "the simulator starts",
		ended && l ? link_why(l) : node_format_note(s->node),
		ended && !strncmp(node_source(s->node), "qemu:", 5) ?
		"Firmware that uses semihosting needs ?semihosting= behind the machine." : NULL,
		NULL });
}

/* Bytes, but no events in them. */
static void say_undecoded(struct grid *g, const struct view_shared *s)
{
	const struct node *n = s->node;
	const struct wire_stats *stats = node_stats(n);
	char news[120], number[32];

	if (stats->text_bytes && stats->text_bytes >= stats->bad_bytes) {
		snprintf(news, sizeof(news),
			 "waiting for the first report: %s bytes of text so far",
			 text_whole(number, sizeof(number), stats->text_bytes));
		part_say(g, s, (const char *const[]){ news,
			"The console ({view-console}) shows it. A report comes when the firmware "
			"prints one.", NULL });
		return;
	}
	snprintf(news, sizeof(news), "no packets decoded in %s bytes",
		 text_whole(number, sizeof(number), stats->bytes));
	if (say_probe_trouble(g, s, news))
		return;
	part_say(g, s, (const char *const[]){ news, node_format_note(n),
		"Is the baud rate the node's (-b)? Is the image the firmware that runs (-e)?",
		"-f sets the packet format (SWO: -f itm).", NULL });
}

/* The node's HELLO comes every fourth refresh; rows have no meaning before the first one. */
static void say_ungreeted(struct grid *g, const struct view_shared *s)
{
	const struct node *n = s->node;
	char news[80], number[32];

	snprintf(news, sizeof(news), "%s the node's HELLO (wsn frames seen: %s)",
		 node_ended(n) ? "read to its end without" : "waiting for",
		 text_whole(number, sizeof(number), node_stats(n)->events));
	part_say(g, s, (const char *const[]){ news, node_ended(n) ?
		"Record a few seconds more: the node sends it every fourth refresh." :
		"The node sends it every fourth refresh; it describes the rows.", NULL });
}

/* The node sends, but has counted nothing. */
static void say_uncounted(struct grid *g, const struct view_shared *s)
{
	const struct node *n = s->node;
	if (node_hello(n)->features & WSN_F_RUNNING)
		part_say(g, s, (const char *const[]){ "nothing counted yet",
			"If this does not change, check the image: wsntop doctor -e APP.ELF.",
			NULL });
	else
		part_say(g, s, (const char *const[]){ "nothing counted: the node is stopped",
			"{command} starts it if it listens; otherwise its firmware calls "
			"wsnprof_start().", NULL });
}

/* The baud rate is being searched: nothing is decoded meanwhile. */
static void say_listening(struct grid *g, const struct view_shared *s)
{
	const struct node *n = s->node;
	char news[80];

	snprintf(news, sizeof(news), "listening at %ld baud", node_search(n)->baud);
	part_say(g, s, (const char *const[]){ news, node_search(n)->tried ?
		"No readable data at other baud rates; -b sets the rate." :
		"-b sets another rate.", NULL });
}

void part_unheard(struct grid *g, const struct view_shared *s)
{
	const struct node *n = s->node;

	if (n && node_search(n) && (node_search(n)->count || node_search(n)->tried))
		say_listening(g, s);
	else if (n && node_stats(n)->bytes == 0)
		say_silent(g, s);
	else if (n && node_probe(n) && (node_stats(n)->events == 0 ||
					node_probe(n)->trouble != PROBE_FINE))
		say_unsampled(g, s);
	else if (n && node_stats(n)->events == 0 && !strcmp(node_format(n), "sim"))
		say_unsimulated(g, s);
	else if (n && node_stats(n)->events == 0)
		say_undecoded(g, s);
	else if (n && !node_hello(n) && !strcmp(node_format(n), "wsn"))
		say_ungreeted(g, s);
	else if (n && node_hello(n))
		say_uncounted(g, s);
	else
		part_say(g, s, (const char *const[]){ "nothing counted yet",
			"Data that the node sends from now on is shown.", NULL });
}

bool part_lacks(struct grid *g, const struct view_shared *s, enum view_need need)
{
	const struct view_model *m = &s->model;

	if (!m->profile || !m->profile->function_count) {
		part_unheard(g, s);
		return true;
	}
	if (need == VIEW_NEEDS_COMPARE && !m->compare) {
		part_say(g, s, (const char *const[]){
			"no baseline set: press {baseline} or use --baseline",
			"A baseline can be the time before this moment, what is shown, the state",
			"before the firmware changed, a snapshot ({export}, json) or a recording "
			"({save}).", NULL });
		return true;
	}
	return false;
}
