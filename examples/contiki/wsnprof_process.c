/*
 * wsnprof_process: the process that sends, for Contiki 3 on AVR and Contiki-NG on Cortex-M; the
 * first of AUTOSTART_PROCESSES(). docs/integration/contiki-avr.md, contiki-ng.md.
 */
#include "contiki.h"
#include "wsnprof.h"

#ifdef __AVR__
#include <stdio.h>
#include "wsnprof_uart.h"

static int byte_put(char c, FILE *stream)
{
  (void)stream;
  wsnprof_putchar(c);
  return 0;
}
#endif

PROCESS(wsnprof_process, "wsnprof");

PROCESS_THREAD(wsnprof_process, ev, data)
{
#ifdef __AVR__
  static FILE out = FDEV_SETUP_STREAM(byte_put, NULL, _FDEV_SETUP_WRITE);
#endif
  static struct etimer timer;

  PROCESS_BEGIN();
#ifdef __AVR__
  stdout = &out;                /* text goes between the frames */
  wsnprof_uart_init();          /* USART 0, WSNPROF_BAUD */
#endif
  wsnprof_init();
  wsnprof_start();
  while(1) {
    etimer_set(&timer, CLOCK_SECOND / 64 ? CLOCK_SECOND / 64 : 1);
    PROCESS_WAIT_EVENT_UNTIL(etimer_expired(&timer));
    wsnprof_poll();
  }
  PROCESS_END();
}
