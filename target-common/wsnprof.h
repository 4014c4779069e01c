/*
 * wsnprof: a profiler that lives in the firmware.
 *
 * Timed call sites (AVR, Cortex-M): the compiler calls two hooks around every function
 * (-finstrument-functions). They keep a table of call sites: calls, total, shortest and longest
 * time of each. Counted arcs and PC samples (Cortex-M, -pg): who called whom how often, and where a
 * timer interrupt found the processor. wsnprof_poll() sends the tables in small frames
 * (docs/PROTOCOL.md) between the application's own text; wsntop shows them live.
 *
 * Nothing here allocates, blocks or waits. The memory is static, sized by wsnprof_config.h
 * (wsnprof_defaults.h: every setting).
 *
 * Life cycle, all from the main program, never from an interrupt:
 *
 *	wsnprof_init();			clock on, table empty, nothing counted yet
 *	wsnprof_start();
 *	for (;;) { work(); wsnprof_poll(); }
 *
 * and a transmit function: a UART's interrupt that takes bytes with wsnprof_take(), or the main
 * loop itself.
 *
 * Interrupts. Handlers may be instrumented. A handler has one row, whatever it interrupted; its
 * time is subtracted from the function that it interrupted, and its calls are counted under it.
 *
 * Limits. A function that never returns (main, a task's loop) stays on the call stack; so do the
 * frames that a longjmp skips. Both are dropped, and counted, when a function further out returns
 * or the stack fills.
 */
#ifndef WSNPROF_H
#define WSNPROF_H

#include <stdbool.h>
#include <stdint.h>

/* Keeps the runtime's own functions out of the profile, whatever flags it is built with. */
#define WSNPROF_QUIET __attribute__((no_instrument_function))

#ifdef __cplusplus
extern "C" {
#endif

/*
 * With WSNPROF_ID_VARIABLE: the node's number among others, WSNPROF_ID until it is set. Before
 * wsnprof_init(), from the chip's serial number or a word of its EEPROM.
 */
extern uint32_t wsnprof_id;

/* Clock on, table cleared, own cost measured. Profiling is off until wsnprof_start(). */
void wsnprof_init(void) WSNPROF_QUIET;

/*
 * Count from now on; what was counted before stays. Calls that are under way at this moment, and
 * those still under way at wsnprof_stop(), are not counted.
 */
void wsnprof_start(void) WSNPROF_QUIET;
void wsnprof_stop(void) WSNPROF_QUIET;

/* Forget everything counted; on or off stays as it is. */
void wsnprof_reset(void) WSNPROF_QUIET;

/*
 * Build the next frame (or line of a report), if the one before was sent and there is something to
 * send: on AVR at 8 MHz up to 1.4 ms. True: it made progress, call again when there is time. One
 * frame is sent at a time, so the line carries at most one per poll: 100 polls a second keep 57,600
 * baud busy.
 *
 * Where the hooks take their own time back it is in no function's time: the host shows it as what
 * profiling costs. From the main program only; with WSNPROF_TASKS, from one task.
 *
 * After wsnprof_init() the program's checksum is computed first, a slice per poll (AVR 1,024 bytes,
 * others 4,096): the host learns which program runs before it receives anything else.
 */
bool wsnprof_poll(void) WSNPROF_QUIET;

/*
 * Print the table once, in the text format of INGA's profiler, to be read without wsntop. With
 * WSNPROF_TEXT only. wsnprof_poll() writes it line by line; frames wait meanwhile.
 */
void wsnprof_report(void) WSNPROF_QUIET;

/* True: nothing is due now, and the driver has taken every byte. */
bool wsnprof_idle(void) WSNPROF_QUIET;

/*
 * The application's characters, on the same port: callable from anywhere, interrupts too. False:
 * no room, the character is dropped and counted. Frames are never torn by them.
 */
bool wsnprof_putchar(char c) WSNPROF_QUIET;

/*
 * Text of which nothing may be lost. Room: characters that fit now. Try: as wsnprof_putchar(), but
 * false is not counted as a loss: the caller tries again. Write: waits until all have fit, in
 * callers' time; only this one waits. It calls wsnprof_pump(), so it may be called before
 * interrupts are on, and in handlers. Without a wsnprof_pump() and with interrupts off nothing
 * would make room: then it gives the rest up, counts it, and returns false.
 */
uint8_t wsnprof_room(void) WSNPROF_QUIET;
bool wsnprof_try(char c) WSNPROF_QUIET;
bool wsnprof_write(const char *text, uint16_t n) WSNPROF_QUIET;

/*
 * The driver's, if wsnprof_write() is to work with interrupts off: if the transmitter takes a byte,
 * wsnprof_take() the next one and send it; do not wait. It is called again and again, with
 * interrupts off. AVR's wsnprof_uart.c has one.
 */
void wsnprof_pump(void) WSNPROF_QUIET __attribute__((weak));

/* For the driver, from anywhere: the next byte to send, or -1. */
int16_t wsnprof_take(void) WSNPROF_QUIET;

/*
 * The application's (or the chip's UART driver's): bytes wait in the ring, make the driver take
 * them (turn the transmit interrupt on). Called from wherever bytes are put, interrupts too. With
 * no driver to wake, an empty one.
 */
void wsnprof_kick(void) WSNPROF_QUIET;

/*
 * A received byte of the host's commands, from the receive interrupt or anywhere. wsnprof_poll()
 * carries the commands out. With WSNPROF_RECEIVE only. True: the byte is the profiler's (inside a
 * frame), not the application's.
 */
bool wsnprof_receive(uint8_t byte) WSNPROF_QUIET;

/*
 * With WSNPROF_TRACE, from anywhere: an event of one's own in the trace; a number that changes; a
 * state that lasts until the next one of this id. The name stays in the ELF's section
 * .wsntrace_mark, which is not loaded; its place there is the id:
 *
 *	wsnprof_mark(WSNPROF_MARK("radio on"));
 *	wsnprof_value(WSNPROF_MARK("queue"), length);
 *
 * What finds no room is counted (wsntrace_notes_lost); so are those in a handler that interrupts
 * another one, in a task that has no lane, and switches to another task that find no room.
 */
void (wsnprof_mark)(uint16_t id) WSNPROF_QUIET;	/* wsnprof_mark.h has a macro of that name */
void wsnprof_value(uint16_t id, int32_t value) WSNPROF_QUIET;
void wsnprof_state(uint16_t id, uint16_t state) WSNPROF_QUIET;
extern volatile uint16_t wsntrace_notes_lost;

#undef WSNPROF_MARK_SEND
#define WSNPROF_MARK_SEND(n) (wsnprof_mark)(n)

#ifdef __AVR__
#define WSNPROF_MARK(text) \
	__extension__ ({ \
		uint16_t wsnprof_mark_id; \
		__asm__(".pushsection .wsntrace_mark,\"MS\",@progbits,1\n8700:" \
			"\t.asciz \"" text "\"\n\t.popsection\n\t" \
			"ldi %A0, lo8(8700b)\n\tldi %B0, hi8(8700b)" \
			: "=d" (wsnprof_mark_id)); \
		wsnprof_mark_id; \
	})
#elif defined(__arm__)
#if defined(__cplusplus) || defined(__clang__)	/* there an attribute is not obeyed everywhere */
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
#define WSNPROF_MARK_LOAD "ldr %0, =8700b"
#else
#define WSNPROF_MARK_LOAD "movw %0, #:lower16:8700b"
#endif
#define WSNPROF_MARK(text) \
	__extension__ ({ \
		uint32_t wsnprof_mark_id; \
		__asm__(".pushsection .wsntrace_mark,\"MS\",%%progbits,1\n8700:" \
			"\t.asciz \"" text "\"\n\t.popsection\n\t" WSNPROF_MARK_LOAD \
			: "=l" (wsnprof_mark_id)); \
		(uint16_t)wsnprof_mark_id; \
	})
#else
/* The section's own flags; what the compiler adds becomes a comment. */
#define WSNPROF_MARK(text) \
	__extension__ ({ \
		static const char wsnprof_mark_name[] __attribute__(( \
			section(".wsntrace_mark,\"MS\",%progbits,1 @"))) = text; \
		(uint16_t)(uintptr_t)wsnprof_mark_name; \
	})
#endif
#endif

/*
 * Tasks of an RTOS, each with a shadow stack of its own; with WSNPROF_TASKS only. The memory is the
 * caller's, `bytes` of it: WSNPROF_TASK_BYTES(levels). wsnprof_switch() belongs where the RTOS
 * switches, with interrupts off: calls from here on belong to `task` (NULL: the main stack), and
 * its open calls do not include the time until now since it was switched out.
 *
 * WSNPROF_NO_STACK: a task without memory of its own. Its calls that are open when another task
 * goes on are lost, and counted; the others are counted as anywhere.
 *
 * With WSNPROF_TRACE a task has one of WSNPROF_TASKS lanes in place of a stack, by its memory, of
 * which no byte is used: the same memory again is a new task in its lane. Where there is no lane
 * left wsnprof_task_init() returns WSNPROF_NO_STACK: such a task's calls, and those of handlers
 * that interrupt it, are counted and not told.
 */
struct wsnprof_task;
extern struct wsnprof_task wsnprof_no_stack;
#define WSNPROF_NO_STACK (&wsnprof_no_stack)
struct wsnprof_task *wsnprof_task_init(void *memory, uint16_t bytes) WSNPROF_QUIET;
void wsnprof_switch(struct wsnprof_task *task) WSNPROF_QUIET;

#ifdef __cplusplus
}
#endif

#endif
