/*
 * Any bytes as the file of remembered ports: what is taken from it can be written and read again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/find/pairs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct pairs p, again;

	pairs_parse(&p, (const char *)data, size);
	again.count = 0;
	for (size_t i = p.count; i-- > 0;)
		pairs_put(&again, &p.v[i]);
	if (again.count > p.count || (p.count && !pairs_find(&again, p.v[0].port, p.v[0].id)))
		abort();
	return 0;
}
