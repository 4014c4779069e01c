/*
 * Any bytes as a model of a node's current: what is taken has currents and a voltage that can be,
 * names that end, and says of each of its states what it adds.
 */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/power/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void model_check(const struct power_model *m)
{
	assert(m->active >= 0 && m->idle >= 0 && m->sleep >= 0);
	assert(isnan(m->volts) || (m->volts > 0 && m->volts < 1000));
	assert(m->count <= POWER_STATES);
	for (size_t i = 0; i < m->count; i++) {
		const struct power_state *s = &m->states[i];
		bool first = true;

		assert(memchr(s->what, 0, sizeof(s->what)));
		assert(memchr(s->state, 0, sizeof(s->state)));
		assert(s->amps >= 0);
		for (size_t k = 0; k < i; k++)
			first &= strcmp(m->states[k].what, s->what) != 0;
		if (first)
			assert(power_model_state(m, s->what, s->state, -12345) == s->amps);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct power_model m;
	struct err err = { 0 };
	char *text = mem_alloc(size + 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = 0;
	if (power_model_parse(&m, text, "model", &err) == 0)
		model_check(&m);
	else
		assert(err_is_set(&err));
	power_quantity(text, "Ah");
	mem_free(text);
	return 0;
}
