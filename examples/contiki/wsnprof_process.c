/*
 * wsnprof_process: the process that sends, for Contiki 3 on AVR and Contiki-NG on Cortex-M; the
 * first of AUTOSTART_PROCESSES(). docs/integration/contiki-avr.md, contiki-ng.md.
 *
 * On AVR the runtime's driver of USART 0 sends, and takes the text, too. On Cortex-M the console's
 * own dbg_putchar() does, in pauses that leave seven eighths of the time to the program;
 * WSNPROF_CONTIKI_SEND 0 in wsnprof_config.h: a transmit function of your own does
 * (target-cortexm/README.md, step 5).
 */
#include <stddef.h>

#include "contiki.h"

#include "wsnprof_defaults.h"

#include "wsnprof.h"

#ifndef WSNPROF_CONTIKI_SEND
#define WSNPROF_CONTIKI_SEND 1
#endif

#define PAUSE (CLOCK_SECOND / 64 ? CLOCK_SECOND / 64 : 1)

#ifdef __AVR__
#include <stdio.h>
#include "wsnprof_uart.h"

static WSNPROF_QUIET int byte_put(char c, FILE *stream)
{
  (void)stream;
  wsnprof_putchar(c);
  return 0;
}

static WSNPROF_QUIET void port_open(void)
{
  static FILE out = FDEV_SETUP_STREAM(byte_put, NULL, _FDEV_SETUP_WRITE);

  stdout = &out;                /* text goes between the frames */
  wsnprof_uart_init();          /* USART 0, WSNPROF_BAUD */
}
#else
static WSNPROF_QUIET void port_open(void)
{
}
#endif

#if !defined(__AVR__) && WSNPROF_CONTIKI_SEND
#include "lib/dbg-io/dbg.h"

#define SHARE 8

/* dbg_putchar() waits in the process: no interrupt takes bytes. */
void wsnprof_kick(void)
{
}

/* Whole frames: what other processes print comes between them. */
static WSNPROF_QUIET void frame_send(void)
{
  for(int16_t byte = wsnprof_take(); byte >= 0; byte = wsnprof_take()) {
    dbg_putchar(byte);
  }
}

/* The next pause: so that sending takes one part in SHARE of the time at most. */
static WSNPROF_QUIET clock_time_t frames_poll(void)
{
  rtimer_clock_t begin = RTIMER_NOW();
  uint64_t took;

  wsnprof_poll();
  frame_send();
  took = (rtimer_clock_t)(RTIMER_NOW() - begin);
  return PAUSE + (clock_time_t)(took * (SHARE - 1) * CLOCK_SECOND / RTIMER_SECOND);
}
#else
static WSNPROF_QUIET clock_time_t frames_poll(void)
{
  wsnprof_poll();
  return PAUSE;
}
#endif

PROCESS(wsnprof_process, "wsnprof");

PROCESS_THREAD(wsnprof_process, ev, data)
{
  static struct etimer timer;

  PROCESS_BEGIN();
  port_open();
  wsnprof_init();
  wsnprof_start();
  while(1) {
    etimer_set(&timer, frames_poll());
    PROCESS_WAIT_EVENT_UNTIL(ev == PROCESS_EVENT_TIMER && data == &timer);
  }
  PROCESS_END();
}
