/*
 * image: the stand-in firmwares of real captures. What the reference tools made of each address is
 * what we make of it.
 */
#include "tests/unit/image_tools.h"

#include <cjson/cJSON.h>
#include <glob.h>

#include "core/base/file.h"
#include "core/base/mem.h"

#define DATA "../shared/data/"

static glob_t captures;

/* Unit tests run from the top of the tree; elsewhere WSNTOP_DATA says where the captures are. */
static int group_setup(void **state)
{
	const char *data = getenv("WSNTOP_DATA");
	char pattern[512];

	(void)state;
	snprintf(pattern, sizeof(pattern), "%s*/app.elf", data ? data : DATA);
	if (glob(pattern, 0, NULL, &captures) != 0)
		captures.gl_pathc = 0;
	return 0;
}

static void need_captures(void)
{
	if (captures.gl_pathc)
		return;
	print_message("         NO CAPTURES below " DATA " (WSNTOP_DATA): nothing compared\n");
	skip();
}

static char *read_beside(const char *elf, const char *name)
{
	char path[1024];
	size_t n;

	snprintf(path, sizeof(path), "%.*s%s", (int)(strrchr(elf, '/') + 1 - elf), elf, name);
	return file_read(path, 64u << 20, &n, NULL);
}

static cJSON *json_beside(const char *elf, const char *name)
{
	char *text = read_beside(elf, name);
	cJSON *json = text ? cJSON_Parse(text) : NULL;

	mem_free(text);
	return json;
}

static uint64_t json_number(const cJSON *object, const char *key)
{
	const cJSON *n = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsNumber(n) ? (uint64_t)n->valuedouble : UINT64_MAX;
}

static const char *json_text(const cJSON *object, const char *key)
{
	const cJSON *s = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsString(s) ? s->valuestring : NULL;
}

/* --- the map that the stand-in was made from -------------------------------------------------- */

/*
 * "send.part.0" is send. The names of data that stood in flash have numbers: "__c.5146", in DWARF
 * __c.
 */
static bool names_it(const char *mapped, const char *ours)
{
	size_t n = strlen(ours);

	return strncmp(mapped, ours, n) == 0 && (mapped[n] == '\0' || mapped[n] == '.');
}

static void check_function(const char *elf, const struct image *im, const cJSON *f)
{
	uint64_t address = json_number(f, "addr"), size = json_number(f, "size");
	const char *name = json_text(f, "name"), *file = json_text(f, "file");
	uint32_t id = image_find(im, address);
	const struct image_function *found;

	if (id == IMAGE_NONE)
		fail_msg("%s: no %s at %#llx", elf, name, (unsigned long long)address);
	found = image_function(im, id);
	if (!names_it(name, found->name))
		fail_msg("%s: %#llx is %s, not %s", elf, (unsigned long long)address, found->name,
			 name);
	assert_int_equal(image_find(im, address + size - 1), id);
	assert_int_equal(code_flags(image_codemap(im), address) &
				 (CODE_TEXT | CODE_ENTRY | CODE_EARLY),
			 CODE_TEXT | CODE_ENTRY | CODE_EARLY);
	assert_string_equal(found->file, strrchr(file, '/') ? strrchr(file, '/') + 1 : file);
}

static void check_calls(const char *elf, const struct image *im, const cJSON *f)
{
	const struct codemap *map = image_codemap(im);
	uint64_t address = json_number(f, "addr");
	const cJSON *call;

	cJSON_ArrayForEach(call, cJSON_GetObjectItemCaseSensitive(f, "calls")) {
		uint64_t at = address + (uint64_t)cJSON_GetArrayItem(call, 0)->valuedouble;
		uint64_t ret = at + (uint64_t)cJSON_GetArrayItem(call, 1)->valuedouble;
		const cJSON *target = cJSON_GetArrayItem(call, 2);
		uint64_t found = map->target(map->ctx, ret);
		struct image_line line;

		if (ret > address + json_number(f, "size"))
			continue;		/* the generator leaves out what would not fit */
		if (!(code_flags(map, ret) & CODE_RETURN))
			fail_msg("%s: the call at %#llx is not seen", elf, (unsigned long long)at);
		assert_true(image_line(im, ret - 1, &line));
		assert_int_equal(line.line, (uint32_t)cJSON_GetArrayItem(call, 3)->valuedouble);
		/*
		 * a target that is no function of the map was left as a call of nowhere in
		 * particular
		 */
		if (cJSON_IsNumber(target) &&
		    (code_flags(map, (uint64_t)target->valuedouble) & CODE_ENTRY))
			assert_int_equal(found, (uint64_t)target->valuedouble);
	}
}

static void test_functions_are_where_the_map_says(void **state)
{
	(void)state;
	need_captures();
	for (size_t i = 0; i < captures.gl_pathc; i++) {
		cJSON *map = json_beside(captures.gl_pathv[i], "image.json");
		struct image *im = tools_open(captures.gl_pathv[i]);
		const cJSON *f;
		unsigned n = 0;

		assert_non_null(map);
		cJSON_ArrayForEach(f, cJSON_GetObjectItemCaseSensitive(map, "functions")) {
			check_function(captures.gl_pathv[i], im, f);
			check_calls(captures.gl_pathv[i], im, f);
			n++;
		}
		assert_true(n > 50);
		image_free(im);
		cJSON_Delete(map);
	}
}

/* --- what the reference tools made of the reports --------------------------------------------- */

static void function_is(const char *elf, const struct image *im, uint64_t address, const char *name)
{
	const char *label = image_label(im, address);

	if (strcmp(tools_name(im, address), name) != 0 && (!label || strcmp(label, name) != 0))
		fail_msg("%s: %#llx is %s (label %s), not %s", elf, (unsigned long long)address,
			 tools_name(im, address), label ? label : "-", name);
}

static unsigned check_entries(const char *elf, const struct image *im, const cJSON *report)
{
	const cJSON *f, *entry;
	unsigned n = 0;

	cJSON_ArrayForEach(f, cJSON_GetObjectItemCaseSensitive(report, "functions")) {
		cJSON_ArrayForEach(entry, cJSON_GetObjectItemCaseSensitive(f, "entries")) {
			function_is(elf, im, (uint64_t)entry->valuedouble, json_text(f, "name"));
			n++;
		}
	}
	return n;
}

static unsigned check_rows(const char *elf, const struct image *im, const cJSON *report)
{
	const cJSON *row;
	unsigned n = 0;

	cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(report, "rows")) {
		if (json_text(row, "func"))
			function_is(elf, im, json_number(row, "addr"), json_text(row, "func"));
		if (json_text(row, "to_func"))
			function_is(elf, im, json_number(row, "to"), json_text(row, "to_func"));
		/*
		 * a torn row names an address in data, which only the original firmware has a
		 * symbol for
		 */
		if (json_text(row, "from_func") &&
		    (code_flags(image_codemap(im), json_number(row, "from")) & CODE_RETURN))
			function_is(elf, im, json_number(row, "from") - 1,
				    json_text(row, "from_func"));
		n++;
	}
	return n;
}

static void test_names_are_the_reference_tools(void **state)
{
	unsigned entries = 0, rows = 0;

	(void)state;
	need_captures();
	for (size_t i = 0; i < captures.gl_pathc; i++) {
		cJSON *expected = json_beside(captures.gl_pathv[i], "expected.json");
		const cJSON *report;
		struct image *im;

		if (!expected)
			continue;		/* a gprof capture */
		im = tools_open(captures.gl_pathv[i]);
		cJSON_ArrayForEach(report, cJSON_GetObjectItemCaseSensitive(expected, "reports")) {
			entries += check_entries(captures.gl_pathv[i], im, report);
			rows += check_rows(captures.gl_pathv[i], im, report);
		}
		image_free(im);
		cJSON_Delete(expected);
	}
	print_message("         %u entries, %u rows\n", entries, rows);
	assert_true(entries > 100 && rows > 300);
}

/* --- every packet of a gprof capture is plausible --------------------------------------------- */

static unsigned hex_number(const char *digits, unsigned n)
{
	char copy[9];

	snprintf(copy, sizeof(copy), "%.*s", (int)n, digits);
	return (unsigned)strtoul(copy, NULL, 16);
}

static void check_packets(const struct image *im, const char *s, unsigned *arcs, unsigned *pcs)
{
	const struct codemap *map = image_codemap(im);

	for (;;) {
		if (strncmp(s, "41", 2) == 0 && strlen(s) >= 14) {
			if (!(code_flags(map, hex_number(s + 2, 6)) & CODE_RETURN) ||
			    !(code_flags(map, hex_number(s + 8, 6)) & CODE_EARLY))
				fail_msg("an arc from %#x to %#x", hex_number(s + 2, 6),
					 hex_number(s + 8, 6));
			++*arcs;
			s += 14;
		} else if (strncmp(s, "50", 2) == 0 && strlen(s) >= 8) {
			assert_true(code_flags(map, hex_number(s + 2, 6)) & CODE_TEXT);
			++*pcs;
			s += 8;
		} else {
			return;
		}
	}
}

static void test_arcs_of_a_capture_are_plausible(void **state)
{
	(void)state;
	need_captures();
	for (size_t i = 0; i < captures.gl_pathc; i++) {
		char *stream = read_beside(captures.gl_pathv[i], "capture.hex");
		unsigned arcs = 0, pcs = 0;
		struct image *im;

		if (!stream)
			continue;
		im = tools_open(captures.gl_pathv[i]);
		check_packets(im, stream, &arcs, &pcs);
		print_message("         %u arcs, %u samples\n", arcs, pcs);
		assert_true(arcs > 26000 && pcs > 17000);
		image_free(im);
		mem_free(stream);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions_are_where_the_map_says),
		cmocka_unit_test(test_names_are_the_reference_tools),
		cmocka_unit_test(test_arcs_of_a_capture_are_plausible),
	};

	return cmocka_run_group_tests(tests, group_setup, NULL);
}
