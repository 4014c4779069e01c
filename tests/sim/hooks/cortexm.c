/* cortexm: main of a case on a simulated Cortex-M board; for tests/sim/test_cortexm_calib.sh. */
#include "board.h"
#include "chip_clock.h"
#include "hooks.h"
#include "settings.h"
#include "uart.h"
#include "wsnprof.h"
#include "wsnprof_cortexm.h"

struct settings settings = { .baud = 115200 };
volatile uint8_t hooks_sink;

QUIET void board_ticker_irq(void)
{
	board_ticker_ack();
}

/* What is sent after the stop is final: twice all rows. */
QUIET int main(void)
{
	uint32_t begun;

	board_init();
	wsnprof_init();
	wsnprof_start();
	hooks_run();
	wsnprof_stop();
	begun = board_clock();
	while (board_clock() - begun < 3 * (uint32_t)BOARD_HZ)
		wsnprof_poll();
	while (!uart_is_quiet())
		;
	board_exit();
}
