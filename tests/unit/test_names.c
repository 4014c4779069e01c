/* name, names: names in few columns: what is left out, and that rows stay apart. */
#include "tests/unit/unit.h"

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/profile/look/names.h"

/* --- what each step leaves out ---------------------------------------------------------------- */

static const struct step_case {
	const char *name, *bare, *collapsed;
} steps[] = {
	{ "main", "main", "main" },
	/* C: clones */
	{ "tick.constprop.0", "tick", "tick" },
	{ "tick.isra.0.part.1", "tick", "tick" },
	{ "state.lto_priv.12", "state", "state" },
	{ "file.c", "file.c", "file.c" },
	{ "io::f [clone .constprop.0]", "io::f", "io::f" },
	/* C++: parameters */
	{ "f(int)", "f", "f" },
	{ "io::f(int (*)(char)) const", "io::f", "io::f" },
	{ "io::f() const&", "io::f", "io::f" },
	{ "f[abi:cxx11](int)", "f", "f" },
	{ "f(int)::{lambda(int, char)#1}::operator()(int, char) const",
	  "f::{lambda#1}::operator()", "f::{lambda#1}::operator()" },
	{ "(anonymous namespace)::f(int)", "(anonymous namespace)::f", "(anon)::f" },
	/* C++: template arguments */
	{ "map<int, std::string>::insert", "map<int, std::string>::insert", "map<..>::insert" },
	{ "map<int, pair<a, b> >::insert<x<y>>(z<w>)", "map<int, pair<a, b> >::insert<x<y>>",
	  "map<..>::insert<..>" },
	{ "array<4>::at", "array<4>::at", "array<4>::at" },
	{ "f<(a>b)>::g", "f<(a>b)>::g", "f<..>::g" },
	{ "f<decltype(a->b)>::g", "f<decltype(a->b)>::g", "f<..>::g" },
	{ "decltype(a<b>()) f<int>(int)", "decltype(a<b>()) f<int>", "decltype(..) f<..>" },
	/* C++: operators */
	{ "io::operator<", "io::operator<", "io::operator<" },
	{ "io::operator>(a, b)", "io::operator>", "io::operator>" },
	{ "io::operator<<(a<b>, c)", "io::operator<<", "io::operator<<" },
	{ "io::operator>>", "io::operator>>", "io::operator>>" },
	{ "io::operator-><x>", "io::operator-><x>", "io::operator-><x>" },
	{ "ptr<int>::operator->() const", "ptr<int>::operator->", "ptr<..>::operator->" },
	{ "ptr<int>::operator->*", "ptr<int>::operator->*", "ptr<..>::operator->*" },
	{ "f<int>::operator<=>(f<int>)", "f<int>::operator<=>", "f<..>::operator<=>" },
	{ "io& operator<< <char, int>(io&, char)", "io& operator<< <char, int>",
	  "io& operator<< <..>" },
	{ "f::operator()(int)", "f::operator()", "f::operator()" },
	{ "f::operator[](int)", "f::operator[]", "f::operator[]" },
	{ "f::operator bool() const", "f::operator bool", "f::operator bool" },
	{ "f::operator std::vector<int>()", "f::operator std::vector<int>",
	  "f::operator std::vector<..>" },
	{ "operators<int>::f", "operators<int>::f", "operators<..>::f" },
	/* Rust */
	{ "<alloc::vec::Vec<T> as core::ops::Drop>::drop",
	  "<alloc::vec::Vec<T> as core::ops::Drop>::drop", "<Vec<T> as Drop>::drop" },
	{ "<alloc::vec::Vec<alloc::string::String> as core::ops::Drop>::drop",
	  "<alloc::vec::Vec<alloc::string::String> as core::ops::Drop>::drop",
	  "<Vec<..> as Drop>::drop" },
	{ "core::ptr::drop_in_place::<alloc::string::String>",
	  "core::ptr::drop_in_place::<alloc::string::String>", "core::ptr::drop_in_place::<..>" },
	{ "app::main::{{closure}}::h0123456789abcdef", "app::main::{{closure}}",
	  "app::main::{{closure}}" },
	/* brackets that do not match */
	{ "a<b", "a<b", "a<b" },
	{ "a<<<<<<", "a<<<<<<", "a<<<<<<" },
	{ "a>b)c]", "a>b)c]", "a>b)c]" },
	{ "f(int", "f(int", "f(int" },
	{ "f<a(b>c)", "f<a", "f<a" },
	{ "", "", "" },
	{ "::", "::", "::" },
	{ "<", "<", "<" },
	{ "operator", "operator", "operator" },
};

static void parts_are_left_out_step_by_step(void **state)
{
	struct name_text t;
	struct name n;

	(void)state;
	for (size_t i = 0; i < COUNT(steps); i++) {
		name_init(&n, steps[i].name, "");
		name_at_step(&n, NAME_WHOLE, &t);
		assert_string_equal(t.text, steps[i].name);
		name_at_step(&n, NAME_BARE, &t);
		assert_string_equal(t.text, steps[i].bare);
		name_at_step(&n, NAME_COLLAPSED, &t);
		assert_string_equal(t.text, steps[i].collapsed);
	}
}

/* --- one name --------------------------------------------------------------------------------- */

static const struct width_case {
	const char *scope, *name;
	int width;
	const char *shown;
} widths[] = {
	{ "", "main", 4, "main" },
	{ "", "process_thread_led_test", 20, "process_t…d_led_test" },
	{ "", "process_thread_led_test", 23, "process_thread_led_test" },
	{ "", "process_thread_led_test", 7, "proces…" },
	{ "", "process_thread_led_test", 3, "pro" },
	{ "", "process_thread_led_test", 0, "" },
	{ "", "process_thread_led_test", -5, "" },
	{ "", "very_long_namespace_of_things::Controller::step", 20, "ver…Controller::step" },
	{ "", "very_long_namespace_of_things::Controller::step", 18, "…Controller::step" },
	{ "", "a::a_method_that_is_longer_than_all", 20, "a::a_m…nger_than_all" },
	{ "", "map<int, string>::at", 20, "map<int, string>::at" },
	{ "", "map<int, string>::at", 19, "map<..>::at" },
	{ "", "f(unsigned int)", 14, "f" },
	{ "io::", "io::ring::push", 20, "ring::push" },
	{ "io::", "main", 20, "main" },
	{ "io::", "io::", 20, "io::" },
	/* columns, not bytes; a wide character is not cut in two */
	{ "", "été_été_été", 11, "été_été_été" },
	{ "", "漢字漢字漢字", 12, "漢字漢字漢字" },
	{ "", "漢字漢字漢字", 11, "漢字…漢字" },
	{ "", "漢字漢字漢字", 8, "漢…漢字" },
	{ "", "a\x1b[2Jb", 20, "a\\x1b[2Jb" },
};

static void a_name_is_shortened(void **state)
{
	struct name_text t;
	struct name n;

	(void)state;
	for (size_t i = 0; i < COUNT(widths); i++) {
		name_init(&n, widths[i].name, widths[i].scope);
		name_shorten(&n, widths[i].width, &t);
		assert_string_equal(t.text, widths[i].shown);
		assert_int_equal(t.columns, text_columns(t.text));
	}
}

static void a_name_is_scrolled(void **state)
{
	static const struct { int left, width; const char *shown; } cases[] = {
		{ 0, 10, "abcdefghi…" }, { 1, 10, "…bcdefghi…" }, { 8, 10, "…ijklmnop…" },
		{ 17, 10, "…rstuvwxyz" }, { 99, 10, "…rstuvwxyz" },
		{ 0, 26, "abcdefghijklmnopqrstuvwxyz" }, { 9, 26, "abcdefghijklmnopqrstuvwxyz" },
		{ 3, 1, "…" },
	};
	struct name_text t;
	struct name n;

	(void)state;
	name_init(&n, "abcdefghijklmnopqrstuvwxyz", "");
	for (size_t i = 0; i < COUNT(cases); i++) {
		name_scroll(&n, cases[i].left, cases[i].width, &t);
		assert_string_equal(t.text, cases[i].shown);
	}
}

/* --- rows ------------------------------------------------------------------------------------- */

static void names_of(struct names *n, const char *const *list, size_t count, int width)
{
	names_begin(n);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(names_add(n, list[i], width), 0);
	assert_int_equal(names_settle(n), 0);
}

static void rows_that_would_read_the_same_show_their_difference(void **state)
{
	static const char *const list[] = {
		"acme::f(double, unsigned long long)", "acme::f(double, unsigned long long, int)",
		"buf<unsigned int>::push_back_all", "buf<unsigned char>::push_back_all",
		"cfg_of_channel_0_as_read_from_flash", "cfg_of_channel_1_as_read_from_flash",
		"long_function_name_of_all.isra.0", "long_function_name_of_all.part.0",
		"main", "main",
	};
	static const char *const shown[] = {
		"acme::f(d…ng long)", "acme::f(d…ng, int)",
		"buf<… int>::p…_all", "buf<… char>::…_all",
		"cfg_…_0_as_re…lash", "cfg_…_1_as_re…lash",
		"long_func…l.isra.0", "long_func…l.part.0",
		"main", "main",
	};
	struct names n = { 0 };

	(void)state;
	names_of(&n, list, COUNT(list), 18);
	for (size_t i = 0; i < COUNT(list); i++)
		assert_string_equal(names_text(&n, i), shown[i]);
	names_release(&n);
}

/* With the scope left out, a function of C and one of the namespace would be one. */
static void a_scope_is_shown_where_it_tells_rows_apart(void **state)
{
	static const char *const list[] = { "acme::init", "init", "acme::step" };
	struct names n = { .scope = "acme::" };

	(void)state;
	names_of(&n, list, COUNT(list), 20);
	assert_string_equal(names_text(&n, 0), "acme::init");
	assert_string_equal(names_text(&n, 1), "init");
	assert_string_equal(names_text(&n, 2), "step");
	assert_false(n.rows[2].cut);
	names_release(&n);
}

static void a_match_is_found_in_what_is_shown(void **state)
{
	static const char *const list[] = { "acme::ring<unsigned>::push(int)",
					    "process_thread_led_test" };
	static const struct { size_t row, start, end; bool found; int from, to; } cases[] = {
		{ 0, 6, 10, true, 0, 4 },		/* ring */
		{ 0, 22, 26, true, 10, 14 },		/* push, with what is left out behind it */
		{ 0, 0, 4, false, 0, 0 },		/* acme is left out */
		{ 1, 15, 18, true, 10, 13 },		/* led */
		{ 1, 8, 14, true, 8, 9 },		/* thread: the mark of what is left out */
		{ 1, 0, 7, true, 0, 7 },
	};
	struct names n = { .scope = "acme::" };
	int from, to;

	(void)state;
	names_of(&n, list, COUNT(list), 18);
	for (size_t i = 0; i < COUNT(cases); i++) {
		bool found = names_find(&n, cases[i].row, cases[i].start, cases[i].end, &from, &to);

		assert_int_equal(found, cases[i].found);
		if (found) {
			assert_int_equal(from, cases[i].from);
			assert_int_equal(to, cases[i].to);
		}
	}
	names_release(&n);
}

/* --- the namespace in common ------------------------------------------------------------------ */

static const char *scope_of(const char *const *list, char *dst, size_t size)
{
	struct names_scope s;

	for (int round = 0; round < 2; round++) {
		names_scope_begin(&s, round);
		for (size_t i = 0; list[i]; i++)
			names_scope_add(&s, list[i]);
	}
	return names_scope_end(&s, dst, size);
}

static void the_scope_is_what_most_have_in_common(void **state)
{
	static const struct { const char *list[8], *scope; } cases[] = {
		{ { "main", "a::b", "a::c", "a::d", NULL }, "a::" },
		{ { "a::x::b", "a::x::c", "std::sort<a::b>", "a::x::d<int>", NULL }, "a::x::" },
		{ { "a::x::b", "a::xy::c", "a::x::d", NULL }, "a::" },
		{ { "a::b", "a::c", "main", NULL }, "" },		/* too few */
		{ { "a::b", "a::c", "a::d", "x::e", "y::e", "z::e", NULL }, "" },
		{ { "x::b", "y::c", "a::b", "a::c", "a::d", NULL }, "a::" },
		{ { "ab::b", "a::c", "ab::d", "ab::e", NULL }, "ab::" },
		{ { "<a::b>::c", "(anonymous namespace)::d", "f<a::b>", "a::", NULL }, "" },
		{ { NULL }, "" },
	};
	char scope[32];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_string_equal(scope_of(cases[i].list, scope, sizeof(scope)), cases[i].scope);
	assert_string_equal(scope_of(cases[0].list, scope, 3), "");
}

/* --- properties ------------------------------------------------------------------------------- */

static uint32_t seed = 1;

static unsigned random_below(unsigned n)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 8) % n;
}

/* Of a few words, so that many begin, go on and end alike. */
static void name_make(char *dst, size_t size)
{
	static const char *const words[] = {
		"process", "thread", "_", "::", "led", "<", ">", "unsigned int", "(", ")", ", ",
		"operator", "<<", "0", "1", "{lambda(int)#1}", "(anonymous namespace)", "é", "漢",
		" const", ".constprop.0", "very_long_namespace_of_all_things::", "->", "x", "xx",
	};
	unsigned parts = random_below(24);

	*dst = '\0';
	while (parts--)
		strncat(dst, words[random_below(COUNT(words))], size - strlen(dst) - 1);
}

static void shown_names_fit_and_differ(void **state)
{
	enum { ROWS = 40 };
	static char made[ROWS][400];
	const char *list[ROWS];
	struct names n = { .scope = "very_long_namespace_of_all_things::" };

	(void)state;
	for (int round = 0; round < 400; round++) {
		int width = (int)random_below(60);

		for (size_t i = 0; i < ROWS; i++) {
			name_make(made[i], sizeof(made[i]));
			list[i] = made[i];
		}
		names_of(&n, list, ROWS, width);
		for (size_t i = 0; i < ROWS; i++) {
			assert_true(text_columns(names_text(&n, i)) <= (width > 0 ? width : 0));
			assert_int_equal(text_columns(names_text(&n, i)), n.rows[i].columns);
			for (size_t k = 0; k < i && width >= 12; k++) {
				if (strcmp(list[i], list[k]) &&
				    !strcmp(names_text(&n, i), names_text(&n, k)))
					fail_msg("%d: %s, %s: %s", width, list[i], list[k],
						 names_text(&n, i));
			}
		}
	}
	names_release(&n);
}

/* Neighbours that differ in one byte anywhere, or in their length alone. */
static void neighbours_differ_at_eight_columns(void **state)
{
	char a[200], b[200];
	const char *const list[] = { a, b };
	struct names n = { 0 };

	(void)state;
	for (size_t length = 1; length < 120; length += 7) {
		for (size_t at = 0; at <= length; at++) {
			memset(a, 'x', length);
			memset(b, 'x', length + 1);
			a[length] = '\0';
			b[length + (at == length)] = '\0';
			if (at < length)
				b[at] = 'y';
			for (int width = 8; width < 30; width += 5) {
				names_of(&n, list, 2, width);
				assert_string_not_equal(names_text(&n, 0), names_text(&n, 1));
			}
		}
	}
	names_release(&n);
}

static void out_of_memory_there_are_no_rows(void **state)
{
	struct names n = { 0 };

	(void)state;
	mem_fail_after(0);
	assert_int_equal(names_add(&n, "main", 4), ERR_NOMEM);
	mem_fail_after(-1);
	assert_int_equal(names_add(&n, "main", 4), 0);
	mem_fail_after(0);
	assert_int_equal(names_settle(&n), ERR_NOMEM);
	mem_fail_after(-1);
	assert_int_equal(n.count, 0);
	names_release(&n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts_are_left_out_step_by_step),
		cmocka_unit_test(a_name_is_shortened),
		cmocka_unit_test(a_name_is_scrolled),
		cmocka_unit_test(rows_that_would_read_the_same_show_their_difference),
		cmocka_unit_test(a_scope_is_shown_where_it_tells_rows_apart),
		cmocka_unit_test(a_match_is_found_in_what_is_shown),
		cmocka_unit_test(the_scope_is_what_most_have_in_common),
		cmocka_unit_test(shown_names_fit_and_differ),
		cmocka_unit_test(neighbours_differ_at_eight_columns),
		cmocka_unit_test(out_of_memory_there_are_no_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
