/*
 * dispatch: 48 handlers called by one instruction, as an RTOS or a state machine calls them: arcs
 * that share a `from`.
 */
#include "app.h"
#include "workload_port.h"

enum { HANDLERS = 48, CALLS = 4800 };

static volatile uint32_t state[HANDLERS];

#define HANDLER(n) static void handler_##n(void) { state[n] += n + 1; }
#define EIGHT(X, t) X(t##0) X(t##1) X(t##2) X(t##3) X(t##4) X(t##5) X(t##6) X(t##7)
#define ALL(X) EIGHT(X, 0) EIGHT(X, 01) EIGHT(X, 02) EIGHT(X, 03) EIGHT(X, 04) EIGHT(X, 05)
ALL(HANDLER)

static void (*const handlers[HANDLERS])(void) = {
#define NAME(n) handler_##n,
	ALL(NAME)
};

static void dispatch_event(uint32_t event)
{
	handlers[event % HANDLERS]();
}

WORKLOAD_QUIET uint32_t workload_dispatch(void)
{
	uint32_t i, sum = 0;

	for (i = 0; i < CALLS; i++) {
		dispatch_event(i * 7);
		if (i % 16 == 0)
			workload_breathe();
	}
	for (i = 0; i < HANDLERS; i++)
		sum += state[i];
	return sum;
}
