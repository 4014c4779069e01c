/* pointer: calls whose callee the code does not name. */
#include "workload.h"
#include "workload_port.h"

static uint16_t pointer_add(uint16_t v) { return v + 3; }
static uint16_t pointer_double(uint16_t v) { return v * 2; }
static uint16_t pointer_invert(uint16_t v) { return v ^ 0xffff; }
static uint16_t pointer_turn(uint16_t v) { return (uint16_t)(v << 1) | v >> 15; }

static uint16_t (*const operations[])(uint16_t) = {
	pointer_add, pointer_double, pointer_invert, pointer_turn,
};

/* One call site, four callees. */
static uint16_t pointer_any(uint16_t v, uint8_t which)
{
	return operations[which](v);
}

static uint16_t (*pointer_choose(uint16_t v))(uint16_t)
{
	return v & 1 ? pointer_invert : pointer_turn;
}

/* A callback that calls back. */
static uint16_t pointer_times(uint8_t n, uint16_t (*f)(uint16_t), uint16_t v)
{
	while (n--)
		v = f(v);
	return v;
}

static uint16_t pointer_both(uint16_t v)
{
	return pointer_times(2, pointer_add, v);
}

WORKLOAD_QUIET uint32_t workload_pointer(void)
{
	uint32_t sum = 0;
	uint16_t v = 1;
	uint8_t i;

	for (i = 0; i < 200; i++) {
		v = pointer_any(v, i % 4);
		v = pointer_choose(v)(v);
		v = pointer_times(i % 3, pointer_both, v);
		sum = workload_mix(sum, v);
		if (i % 16 == 0)
			workload_breathe();
	}
	return sum;
}
