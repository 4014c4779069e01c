/* wsnprof_freertos: the task that sends. */
#include <stddef.h>

#include "FreeRTOS.h"
#include "task.h"

#include "wsnprof_defaults.h"

#include "wsnprof_freertos.h"

#if defined(__AVR__) && WSNPROF_UART
#include "wsnprof_uart.h"
#endif

#ifndef WSNPROF_FREERTOS_PRIORITY
#define WSNPROF_FREERTOS_PRIORITY (tskIDLE_PRIORITY + 1)
#endif
#ifndef WSNPROF_FREERTOS_STACK
#define WSNPROF_FREERTOS_STACK (configMINIMAL_STACK_SIZE + 64)
#endif

#define PAUSE_MS 10

static WSNPROF_QUIET void sender_run(void *unused)
{
	TickType_t pause = pdMS_TO_TICKS(PAUSE_MS);

	(void)unused;
	for (;;) {
		while (wsnprof_poll())
			;
		vTaskDelay(pause ? pause : 1);	/* ATmega: a tick may be 16 ms */
	}
}

static WSNPROF_QUIET void sender_create(void)
{
#if configSUPPORT_DYNAMIC_ALLOCATION
	BaseType_t created = xTaskCreate(sender_run, "wsnprof", WSNPROF_FREERTOS_STACK, NULL,
					 WSNPROF_FREERTOS_PRIORITY, NULL);

	configASSERT(created == pdPASS);
	(void)created;
#else
	static StackType_t stack[WSNPROF_FREERTOS_STACK];
	static StaticTask_t task;

	xTaskCreateStatic(sender_run, "wsnprof", WSNPROF_FREERTOS_STACK, NULL,
			  WSNPROF_FREERTOS_PRIORITY, stack, &task);
#endif
}

void wsnprof_freertos_start(void)
{
#if defined(__AVR__) && WSNPROF_UART
	wsnprof_uart_init();
#endif
	wsnprof_init();
	wsnprof_start();
	sender_create();
}
