#include "core/image/demangle.h"

#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"

#define MAX_MANGLED 4096
#define MAX_SHOWN 1024

/*
 * Limit of back references in a mangled name. Each one can at best repeat all before it, so that k
 * of them make 1.44^k characters of one (the maximum of r^(k/r)): 40 are some 2 MB, while a
 * hostile 200 would never end.
 */
#define MAX_REFERENCES 40

bool demangle_is(const char *name)
{
	return name[0] == '_' && (name[1] == 'Z' || name[1] == 'R');
}

/* Upper bound of the back references: S_, S0_ .. and template parameters in C++, B.. in Rust v0. */
static unsigned reference_count(const char *name, size_t n)
{
	unsigned count = 0;

	for (size_t i = 1; i + 1 < n; i++) {
		char c = name[i], next = name[i + 1];
		bool digit = next == '_' || (next >= '0' && next <= '9');

		if (name[1] == 'R' ? c == 'B'
				   : (c == 'S' && (digit || (next >= 'A' && next <= 'Z'))) ||
					     (c == 'T' && digit))
			count++;
	}
	return count;
}

static char *name_demangled(const char *name, size_t n)
{
	char mangled[MAX_MANGLED];

	if (n < 3 || n >= sizeof(mangled) || !demangle_is(name) ||
	    reference_count(name, n) > MAX_REFERENCES)
		return NULL;
	memcpy(mangled, name, n);
	mangled[n] = '\0';
	return cplus_demangle(mangled, DMGL_AUTO);
}

static bool is_ascii(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] < 0x20 || s[i] > 0x7e)
			return false;
	}
	return n < MAX_SHOWN;
}

static const char *name_visible(struct arena *a, const char *s, size_t n)
{
	char shown[MAX_SHOWN];

	if (is_ascii(s, n))
		return arena_strn(a, s, n);
	return arena_strn(a, shown, text_visible(shown, sizeof(shown), s, n));
}

const char *demangle(struct arena *a, const char *name, size_t n)
{
	char *found = name_demangled(name, n);
	const char *result = name_visible(a, found ? found : name, found ? strlen(found) : n);

	free(found);
	return result;
}

/* Length of ".word" and the ".N" behind it, when s starts so; 0 when it does not. */
static size_t clone_part(const char *s)
{
	static const char *const words[] = {
		".part",       ".constprop", ".isra", ".cold", ".unlikely", ".lto_priv", ".llvm",
		".localalias", ".clone",     ".ipa",  ".warm", ".hot",	    ".split",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t n = strlen(words[i]);

		if (strncmp(s, words[i], n) != 0 || (s[n] != '.' && s[n] != '\0'))
			continue;
		if (s[n] == '.' && s[n + 1] >= '0' && s[n + 1] <= '9') {
			n++;
			n += strspn(s + n, "0123456789");
		}
		return n;
	}
	return 0;
}

size_t demangle_base(const char *name)
{
	size_t whole = strlen(name), at;
	const char *dot = name[0] ? strchr(name + 1, '.') : NULL;

	for (; dot; dot = strchr(dot + 1, '.')) {
		at = (size_t)(dot - name);
		while (name[at]) {
			size_t n = clone_part(name + at);

			if (!n)
				break;
			at += n;
		}
		if (!name[at])
			return (size_t)(dot - name);
	}
	return whole;
}
