/*
 * Any bytes as a file of rules: each line is a rule, or is said to be none in one line; a rule's
 * text, read again, is the same rule; its pattern is held against names in bounded time.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/gate/glob.h"
#include "core/gate/rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(what) do { if (!(what)) abort(); } while (0)

static void line_count(void *ctx, const char *line)
{
	char shown[1024];

	REQUIRE(!strncmp(line, "fuzz:", 5));
	REQUIRE(text_visible(shown, sizeof(shown), line, strlen(line)) == strlen(line));
	++*(size_t *)ctx;
}

static void rule_again(const struct rule *r)
{
	struct rules again;
	struct err err = { 0 };
	char value[RULE_VALUE];

	REQUIRE(rules_parse(&again, "again", r->text, strlen(r->text), NULL, NULL, &err) == 0);
	REQUIRE(again.count == 1);
	REQUIRE(!strcmp(again.items[0].pattern, r->pattern));
	REQUIRE(again.items[0].subject == r->subject && again.items[0].figure == r->figure);
	REQUIRE(again.items[0].column == r->column && again.items[0].op == r->op);
	REQUIRE(again.items[0].bound == r->bound && again.items[0].percent == r->percent);
	REQUIRE(again.items[0].relative == r->relative && isfinite(r->bound));
	REQUIRE(strlen(rule_value(r, r->bound, value)) < RULE_VALUE);
	rules_release(&again);
	glob_match(r->pattern, "crc16_byte");
	glob_match(r->pattern, r->text);
	glob_match(r->pattern, r->pattern);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rules r;
	struct err err = { 0 };
	size_t said = 0;
	int ret = rules_parse(&r, "fuzz", (const char *)data, size, line_count, &said, &err);

	REQUIRE(said == r.wrong && (ret == ERR_USAGE) == (said > 0));
	REQUIRE((ret == 0) == (r.count > 0 && !said));
	for (size_t i = 0; i < r.count; i++)
		rule_again(&r.items[i]);
	rules_release(&r);
	return 0;
}
