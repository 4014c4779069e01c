/*
 * doctor: firmware with known faults, compiled here, and what is found in it. Broken ELFs: anything
 * but a crash.
 */
#include "tests/unit/unit.h"

#include "tests/unit/image_tools.h"

#include "core/base/file.h"
#include "core/base/mem.h"
#include "core/doctor/doctor.h"

/* --- the firmware ----------------------------------------------------------------------------- */

static const char app[] =
	"volatile int sink;\n"
	"__attribute__((noinline)) int leaf(int v) { sink += v; return sink; }\n"
	"__attribute__((noinline)) int wide(int a, int b, int c, int d) {\n"
	"	int x[4] = { a, b, c, d };\n"
	"	for (int i = 0; i < 4; i++) { x[i] ^= leaf(x[(i + 1) & 3]); x[i] += leaf(a * b + "
	"c * d + i); }\n"
	"	return x[a & 3] * leaf(x[b & 3]) + x[c & 3] + leaf(x[d & 3]) + a * b * c * d; }\n"
	"__attribute__((noinline)) int last(int v) { sink++; return leaf(v * 3); }\n"
	"__attribute__((noinline)) void tick(void) { sink = 1; }\n"
	"int main(void) { for (;;) { tick(); wide(leaf(1), last(2), 3, 4); } }\n";

/* A profiler that is not ours, in a file of its own. */
static const char hooks[] =
	"volatile unsigned calls;\n"
	"void __cyg_profile_func_enter(void *f, void *s) { calls += (unsigned long)f ^ (unsigned "
	"long)s; }\n"
	"void __cyg_profile_func_exit(void *f, void *s) { calls -= (unsigned long)f ^ (unsigned "
	"long)s; }\n";

static const char empty_hooks[] =
	"void __cyg_profile_func_enter(void *f, void *s) { }\n"
	"void __cyg_profile_func_exit(void *f, void *s) { }\n"
	"void __gnu_mcount_nc(void) { }\n";

/* Its clock is compiled with the application's flags. */
static const char slow_hooks[] =
	"unsigned clock_now(void);\n"
	"volatile unsigned calls;\n"
	"void wsnprof_init(void) { calls = 0; }\n"
	"__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *f, void *s) "
	"{\n"
	"	calls += clock_now(); }\n"
	"__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *f, void *s) {\n"
	"	calls -= clock_now(); }\n";
static const char clock_source[] =
	"volatile unsigned ticks;\n"
	"unsigned clock_now(void) { return ticks; }\n";

static const char avr_handlers[] =
	"#include <avr/interrupt.h>\n"
	"volatile unsigned char n;\n"
	"ISR(TIMER0_COMPA_vect) { n++; }\n"
	"ISR(TIMER0_COMPB_vect, ISR_NAKED) { __asm__ volatile(\"reti\"); }\n"
	"__attribute__((naked, section(\".init3\"), used)) void early(void) { n = 3; }\n";

/* The runtime's start-up code, and instrumented code around it. */
static const char start[] =
	".section .init2,\"ax\",@progbits\n.globl wsnprof_off\nwsnprof_off: nop\n";
static const char early[] =
	"volatile unsigned char n;\n"
	"__attribute__((naked, section(\".init1\"), used)) void first(void) { n = 1; }\n"
	"__attribute__((naked, section(\".init3\"), used)) void third(void) { n = 3; }\n"
	"__attribute__((naked, section(\".init7\"), used)) void seventh(void) { n = 7; }\n";

static const char naked[] =
	"__attribute__((naked)) void svc(void) { __asm__ volatile(\"bx lr\"); }\n"
	"void hang(void) __attribute__((noreturn));\n"
	"extern volatile int sink;\n"
	"void hang(void) { for (;;) sink++; }\n"
	"void (*const table[])(void) __attribute__((used, section(\".keep\"))) = { svc, hang };\n";

/* Two tables, one with its size; labels inside each. */
static const char tables[] =
	".globl wsnprof_init\n.type wsnprof_init,@function\nwsnprof_init: ret\n"
	".size wsnprof_init,.-wsnprof_init\n"
	".section .bss\n.globl wsnprof_sized, wsnprof_inner, wsnprof_open\n"
	"wsnprof_sized: .space 4\nwsnprof_inner: .space 60\n.size wsnprof_sized,64\n"
	"wsnprof_open: .space 32\n";

/* The runtime's clock by SysTick, the handlers of an nRF51, an application that ticks. */
static const char systick[] =
	"unsigned then;\n"
	"void wsnprof_init(void) { then = *(volatile unsigned *)0xe000e018; }\n"
	"__attribute__((noinline)) void wsnprof_clock_tick(void) { wsnprof_init(); }\n";
static const char nrf51[] = "__attribute__((used)) void isr_ccm_aar(void) { }\n";
static const char ticks[] =
	"void wsnprof_clock_tick(void);\n"
	"__attribute__((used)) void SysTick_Handler(void) { wsnprof_clock_tick(); }\n";

/* What the runtime's C tells where no CYCCNT may be the clock (target-cortexm/wsnprof_clock.c). */
static const char told[] =
	"void wsnprof_init(void) { }\n"
	"__asm__(\".globl wsnprof_clock_systick\\nwsnprof_clock_systick = 1\");\n"
	"__attribute__((noinline)) void wsnprof_clock_tick(void) { wsnprof_init(); }\n";

/* The vectors are where the chip reads them, unless ld puts something in front. */
static const char vectors[] =
	"void begin(void) { for (;;); }\n"
	"__attribute__((section(\".vectors\"), used)) const unsigned table[] = {\n"
	"	0x20001000, (unsigned)begin, (unsigned)begin };\n";
static const char vectors_first[] =
	"MEMORY { rom (rx) : ORIGIN = 0, LENGTH = 64K  ram (rwx) : ORIGIN = 0x20000000, "
	"LENGTH = 16K }\n"
	"SECTIONS { .text : { KEEP(*(.vectors)) NOTE *(.text*) *(.rodata*) } >rom\n"
	".bss : { *(.bss*) *(.data*) *(COMMON) } >ram }\n";

/* RAM begins with the handlers' stack. */
static const char stack_first[] =
	"MEMORY { rom (rx) : ORIGIN = 0, LENGTH = 64K  ram (rwx) : ORIGIN = 0x20000000, "
	"LENGTH = 16K }\n"
	"SECTIONS { .text : { *(.text*) *(.rodata*) } >rom\n"
	".stack (NOLOAD) : { . = . + 512; _estack = .; } >ram\n"
	".bss : { *(.bss*) *(.data*) *(COMMON) } >ram\n END }\n";
static const char large[] = "char buffer[3000]; void *keep = buffer;\n";

/* The runtime's timer is 1; what else is written, directly or through a pointer. */
static const char own_timer[] =
	"#include <avr/io.h>\n"
	"void wsnprof_init(void) { TCCR1A = 0; TCCR1B = 1; TCNT1 = 0; UDR0 = 1; }\n";
static const char timers[] =
	"#include <avr/io.h>\n"
	"#define QUIET __attribute__((used))\n"
	"#ifdef ONE\n"
	"QUIET void begin(void) { TIMSK1 |= 1 << OCIE1A; }\n"
	"QUIET void slower(void) { TCCR1B = (TCCR1B & ~7) | 2; }\n"
	"QUIET void other(void) { OCR1A = 5; }\n"
	"QUIET unsigned reader(void) { return TCNT1; }\n"
	"#endif\n"
	"static inline __attribute__((always_inline)) void wsnprof_release(void) {\n"
	"	TCNT1 = 3; }\n"
	"QUIET void driver(void) { wsnprof_release(); }\n"
	"#ifdef SEND\n"
	"QUIET void send(char c) { UDR0 = c; }\n"
	"#endif\n"
	"#ifdef THREE\n"
	"QUIET void three(void) { TCCR3B |= 1; }\n"
	"#endif\n"
	"#ifdef SHORT\n"
	"QUIET void brief(void) { TCCR0B |= 1; TCCR2B |= 1; }\n"
	"#endif\n"
	"QUIET void ports(void) { PORTB |= 1; UCSR0B |= 1 << TXEN0; ADCSRA |= 1; GPIOR0 = 3; }\n";

/* Twelve places that call, one that is called by pointer; the table's room is the build's. */
static const char places[] =
	"volatile int n;\n"
	"__attribute__((noinline)) void leaf(void) { n++; }\n"
	"__attribute__((noinline)) void six(void) { leaf(); leaf(); leaf(); leaf(); leaf(); "
	"leaf(); n++; }\n"
	"__attribute__((noinline)) void five(void) { leaf(); leaf(); leaf(); leaf(); leaf(); "
	"n++; }\n"
	"#define TEN leaf(); leaf(); leaf(); leaf(); leaf(); leaf(); leaf(); leaf(); leaf(); "
	"leaf();\n"
	"#define HUNDRED TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN\n"
	"#ifdef MANY\n"
	"__attribute__((used)) void many(void) { HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED HUNDRED "
	"n++; }\n"
	"#endif\n"
	"void (*volatile pointer)(void) = five;\n"
	"__attribute__((no_instrument_function)) int main(void) {\n"
	"	for (;;) { six(); pointer(); } }\n";
static const char room[] =
	".globl wsnprof_sites_max, wsnprof_arcs_max, wsnprof_tasks_max\n"
	"wsnprof_sites_max = ROOM\nwsnprof_arcs_max = ROOM\nwsnprof_tasks_max = 2\n";
static const char tasks[] =
	"volatile int made;\n"
	"__attribute__((noinline)) void xTaskCreate(int i) { made = i; }\n"
	"int main(void) { xTaskCreate(1); xTaskCreate(2);\n"
	"#ifdef THIRD\n"
	"	xTaskCreate(3);\n"
	"#endif\n"
	"	for (;;) made++; }\n";

static const char far_app[] =
	"#include <avr/pgmspace.h>\n"
	"const char fill[32000] __attribute__((used, section(\".text.fill1\"))) = { 1 };\n"
	"const char fill2[32000] __attribute__((used, section(\".text.fill2\"))) = { 1 };\n"
	"const char fill3[32000] __attribute__((used, section(\".text.fill3\"))) = { 1 };\n"
	"const char fill4[32000] __attribute__((used, section(\".text.fill4\"))) = { 1 };\n"
	"const char fill5[32000] __attribute__((used, section(\".text.fill5\"))) = { 1 };\n"
	"volatile int sink;\n"
	"__attribute__((noinline, section(\".fini1\"))) int far(int v) { return sink += v; }\n"
	"int (*volatile pointer)(int) = far;\n"
	"int main(void) { return pointer(3); }\n";

static int group_setup(void **state)
{
	if (tools_enter(state) < 0)
		return -1;
	tools_write("app.c", app);
	tools_write("hooks.c", hooks);
	tools_write("empty.c", empty_hooks);
	tools_write("slow.c", slow_hooks);
	tools_write("clock.c", clock_source);
	tools_write("handlers.c", avr_handlers);
	tools_write("start.s", start);
	tools_write("early.c", early);
	tools_write("naked.c", naked);
	tools_write("tables.s", tables);
	tools_write("far.c", far_app);
	tools_write("own_timer.c", own_timer);
	tools_write("timers.c", timers);
	tools_write("places.c", places);
	tools_write("room.S", room);
	tools_write("tasks.c", tasks);
	tools_write("systick.c", systick);
	tools_write("nrf51.c", nrf51);
	tools_write("ticks.c", ticks);
	tools_write("told.c", told);
	tools_write("vectors.c", vectors);
	tools_write("vectors.ld", vectors_first);
	tools_write("stack.ld", stack_first);
	tools_write("large.c", large);
	tools_write("keep.ld", "SECTIONS { .keep : { KEEP(*(.keep)) } } INSERT AFTER .text;\n");
	return 0;
}

/* --- findings --------------------------------------------------------------------------------- */

struct expected {
	enum doctor_severity severity;
	const char *text;		/* in the finding */
	bool absent;
	const char *cure;		/* in its cure; NULL: any */
};

#define FLAGS " -finstrument-functions"
#define AVR(flags) "avr-gcc -mmcu=atmega1284p -Os " flags
#define M3(flags) "arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -nostdlib -Wl,-e,main " flags
#define M0(flags) "arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -nostdlib -Wl,-e,main " flags
#define M4F(flags) "arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 " \
		   "-nostdlib -Wl,-e,main " flags

static const struct {
	const char *name, *build;
	struct expected expected[6];	/* the last has no text */
} cases[] = {
	{ .name = "AVR, STABS, nothing instrumented", .build = AVR("-g app.c -o x.elf"),
	  .expected = { { DOCTOR_FAULT, "nothing is instrumented" },
			{ DOCTOR_WARNING, "STABS" } } },
	{ .name = "AVR, no debug information", .build = AVR("app.c -o x.elf"),
	  .expected = { { DOCTOR_WARNING, "no debug information but the start-up code's" } } },
	{ .name = "AVR, DWARF", .build = AVR("-ggdb app.c -o x.elf"),
	  .expected = { { DOCTOR_OK, "DWARF describes" }, { DOCTOR_WARNING, "", true } } },
	{ .name = "AVR, stripped", .build = AVR("-s app.c -o x.elf"),
	  .expected = { { DOCTOR_FAULT, "no symbols" } } },
	{ .name = "an object file", .build = AVR("-c app.c -o x.elf"),
	  .expected = { { DOCTOR_FAULT, "an object file" } } },
	{ .name = "AVR, instrumented",
	  .build = AVR("-ggdb -c hooks.c -o h.o && ") AVR("-ggdb" FLAGS " app.c h.o -o x.elf"),
	  .expected = { { DOCTOR_OK, "5 of" }, { DOCTOR_WARNING, "another profiler's" },
			{ DOCTOR_OK, "5 that are instrumented" }, { DOCTOR_FAULT, "", true },
			{ DOCTOR_NOTE, "shorter than the calls of its own hooks: tick" } } },
	{ .name = "AVR, empty hooks",
	  .build = AVR("-c empty.c -o h.o && ") AVR("-ggdb" FLAGS " app.c h.o -o x.elf"),
	  .expected = { { DOCTOR_FAULT, "__cyg_profile_func_enter is empty: it records "
					"nothing" } } },
	{ .name = "AVR, instrumented hooks",
	  .build = AVR("-ggdb" FLAGS " app.c hooks.c -o x.elf"),
	  .expected = { { DOCTOR_WARNING, "endless recursion unless it guards itself: "
					  "__cyg_profile_func_enter" } } },
	{ .name = "AVR, instrumented clock",
	  .build = AVR("-c slow.c -o h.o && ") AVR("-ggdb" FLAGS " app.c clock.c h.o -o x.elf"),
	  .expected = { { DOCTOR_FAULT, "__cyg_profile_func_enter reaches instrumented functions: "
					"endless recursion: clock_now" },
			{ DOCTOR_FAULT, "main is instrumented" } } },
	{ .name = "AVR, handlers, naked ones, .init3",
	  .build = AVR("-c hooks.c -o h.o && ") AVR(FLAGS " app.c handlers.c h.o -o x.elf"),
	  .expected = { { DOCTOR_WARNING, "interrupt handlers are instrumented" },
			{ DOCTOR_FAULT, "(naked) are instrumented: the hooks destroy those of "
					"the interrupted code: __vector_17" },
			{ DOCTOR_FAULT, "interrupted: __vector_16", true },
			{ DOCTOR_FAULT, "before they are ready: early" },
			{ DOCTOR_FAULT, "beyond the RAM", true } } },
	{ .name = "AVR, before wsnprof_init()",
	  .build = AVR("-c hooks.c -o h.o && ")
		   AVR(FLAGS " -Wl,-u,wsnprof_init app.c early.c start.s tables.s h.o -o x.elf"),
	  .expected = { { DOCTOR_FAULT, "before they are ready (they are from .init3 on): first" },
			{ DOCTOR_FAULT, "on): first, ", true },
			{ DOCTOR_FAULT, "beyond the RAM, where a simulator stops: third, seventh" },
			{ DOCTOR_NOTE, "main is instrumented, but begins before wsnprof_init()" },
			{ DOCTOR_FAULT, "main is", true } } },
	{ .name = "AVR, tables in RAM",
	  .build = AVR("-c hooks.c -o h.o && ") AVR(FLAGS " -Wl,-u,wsnprof_init app.c tables.s "
							  "h.o -o x.elf"),
	  .expected = { { DOCTOR_NOTE, "wsnprof takes 96 of the 100 bytes that are not stack: "
				       "wsnprof_sized 64, wsnprof_open 32" },
			{ DOCTOR_NOTE, "wsnprof_inner", true } } },
	{ .name = "AVR, the clock's timer",
	  .build = AVR("-ggdb -Wl,-u,wsnprof_init -DONE app.c own_timer.c timers.c -o x.elf"),
	  .expected = { { DOCTOR_WARNING, "timer 1 is the profiler's clock, and written elsewhere "
			  "too: begin, slower, other", .cure = "WSNPROF_TIMER 3: nothing else" },
			{ DOCTOR_WARNING, "reader", true }, { DOCTOR_WARNING, "ports", true },
			{ DOCTOR_WARNING, "driver", true } } },
	{ .name = "AVR, the clock's timer, no other of 16 bits",
	  .build = AVR("-ggdb -Wl,-u,wsnprof_init -DONE -DTHREE app.c own_timer.c timers.c -o "
		       "x.elf"),
	  .expected = { { DOCTOR_WARNING, "timer 1 is", .cure = "WSNPROF_TIMER 2 (8 bits): nothing "
			  "else" } } },
	{ .name = "AVR, the clock's timer, no other",
	  .build = AVR("-ggdb -Wl,-u,wsnprof_init -DONE -DTHREE -DSHORT app.c own_timer.c timers.c "
		       "-o x.elf"),
	  .expected = { { DOCTOR_WARNING, "timer 1 is", .cure = "use another timer there" } } },
	{ .name = "AVR, two that send",
	  .build = AVR("-ggdb -Wl,-u,wsnprof_init -DSEND app.c own_timer.c timers.c -o x.elf"),
	  .expected = { { DOCTOR_WARNING, "inside a frame damages it: send",
			  .cure = "wsnprof_putchar()" }, { DOCTOR_WARNING, "timer", true } } },
	{ .name = "AVR, the clock's timer to itself",
	  .build = AVR("-ggdb -Wl,-u,wsnprof_init -DTHREE app.c own_timer.c timers.c -o x.elf"),
	  .expected = { { DOCTOR_WARNING, "timer", true }, { DOCTOR_WARNING, "USART", true } } },
	{ .name = "AVR, room for call sites",
	  .build = AVR("-c hooks.c -o h.o && ")
		   AVR(FLAGS " -DROOM=32 places.c room.S h.o -o x.elf"),
	  .expected = { { DOCTOR_OK, "13 places call instrumented functions: the table has room "
				     "for 32 call sites" } } },
	{ .name = "AVR, little room for call sites",
	  .build = AVR("-c hooks.c -o h.o && ")
		   AVR(FLAGS " -DROOM=16 places.c room.S h.o -o x.elf"),
	  .expected = { { DOCTOR_NOTE, "room for 16 call sites: when it is nearly full",
			  .cure = "#define WSNPROF_SITES 32," } } },
	{ .name = "AVR, no room for call sites",
	  .build = AVR("-c hooks.c -o h.o && ")
		   AVR(FLAGS " -DROOM=4 places.c room.S h.o -o x.elf"),
	  .expected = { { DOCTOR_WARNING, "room for 4 call sites: calls from further ones are "
			  "counted as lost", .cure = "#define WSNPROF_SITES 32," } } },
	{ .name = "AVR, no room in the largest table",
	  .build = AVR("-c hooks.c -o h.o && ")
		   AVR(FLAGS " -DMANY -DROOM=512 places.c room.S h.o -o x.elf"),
	  .expected = { { DOCTOR_WARNING, "room for 512 call sites: calls from further ones",
			  .cure = "fewer instrumented modules" } } },
	{ .name = "M3, room for arcs",
	  .build = M3("-Os -c empty.c -o h.o && ")
		   M3("-Os -pg -fno-optimize-sibling-calls -DROOM=16 places.c room.S h.o -o x.elf"),
	  .expected = { { DOCTOR_NOTE, "room for 16 arcs", .cure = "#define WSNPROF_ARCS 32," } } },
	{ .name = "M3, tasks that fit",
	  .build = M3("-Os -DROOM=16 tasks.c room.S -o x.elf"),
	  .expected = { { DOCTOR_WARNING, "create tasks", true } } },
	{ .name = "M3, tasks that do not",
	  .build = M3("-Os -DROOM=16 -DTHIRD tasks.c room.S -o x.elf"),
	  .expected = { { DOCTOR_WARNING, "3 places create tasks, and there are shadow stacks for "
			  "2", .cure = "WSNPROF_TASKS_MAX 3," } } },
	{ .name = "AVR, -mcall-prologues",
	  .build = AVR("-c hooks.c -o h.o && ") AVR(FLAGS " -mcall-prologues app.c h.o -o x.elf"),
	  .expected = { { DOCTOR_NOTE, "-mcall-prologues" } } },
	{ .name = "AVR, 22 bits and trampolines",
	  .build = "avr-gcc -mmcu=atmega2560 -Os -ggdb far.c -o x.elf",
	  .expected = { { DOCTOR_NOTE, "have 22 bits" }, { DOCTOR_OK, "trampolines" } } },
	{ .name = "M3, hooks dropped",
	  .build = M3("-g -Os -ffunction-sections -Wl,--gc-sections -c slow.c -o h.o && ")
		   M3("-g -Os -ffunction-sections -Wl,--gc-sections -Wl,-u,wsnprof_init app.c h.o "
		      "-o x.elf"),
	  .expected = { { DOCTOR_FAULT, "the linker left them out" } } },
	{ .name = "M3, instrumented, a naked function, one that never returns",
	  .build = M3("-Os -c hooks.c -o h.o && ")
		   M3("-g -Os" FLAGS " app.c naked.c h.o -T keep.ld -o x.elf"),
	  .expected = { { DOCTOR_FAULT, "(naked) are instrumented: the hooks destroy LR, r4 and "
					"r5: svc" },
			{ DOCTOR_FAULT, "hang", true }, { DOCTOR_OK, "7 of" } } },
	{ .name = "M3, -mlong-calls",
	  .build = M3("-Os -c hooks.c -o h.o && ")
		   M3("-g -Os -mlong-calls" FLAGS " app.c h.o -o x.elf"),
	  .expected = { { DOCTOR_OK, "5 of" }, { DOCTOR_NOTE, "-mlong-calls" } } },
	{ .name = "M3, -pg, empty hook, sibling call",
	  .build = M3("-Os -c empty.c -o h.o && ") M3("-g -O2 -pg app.c h.o -o x.elf"),
	  .expected = { { DOCTOR_FAULT, "__gnu_mcount_nc is empty: it leaves the word" },
			{ DOCTOR_NOTE, "(sibling call): that arc is shown from the caller's "
				       "caller: last" },
			{ DOCTOR_NOTE, "30 bytes, 6 a function" } } },
	{ .name = "M3, -pg, no sibling call",
	  .build = M3("-Os -c empty.c -o h.o && ")
		   M3("-g -O2 -pg -fno-optimize-sibling-calls app.c h.o -o x.elf"),
	  .expected = { { DOCTOR_NOTE, "sibling", true } } },
	{ .name = "M3, -pg, dropped by -flto",
	  .build = M3("-Os -c empty.c -o h.o && ")
		   M3("-g -O2 -pg -flto -c app.c && ") M3("-g -O2 -flto app.o h.o -o x.elf"),
	  .expected = { { DOCTOR_FAULT, "nothing is instrumented" },
			{ DOCTOR_FAULT, "-pg and -flto do not call the hook" } } },
	{ .name = "M3, -pg, its cure",
	  .build = M3("-Os -c empty.c -o h.o && ")
		   M3("-g -O2 -pg -fno-lto -c app.c && ") M3("-g -O2 -flto app.o h.o -o x.elf"),
	  .expected = { { DOCTOR_OK, "(-pg)" }, { DOCTOR_FAULT, "-flto", true } } },
	{ .name = "M0, RAM that begins with the handlers' stack",
	  .build = "sed 's/END//' stack.ld >s.ld && " M0("-Os app.c large.c -T s.ld -o x.elf"),
	  .expected = { { DOCTOR_FAULT, "nothing is instrumented" },
			{ DOCTOR_FAULT, "RAM", true }, { DOCTOR_WARNING, "RAM", true } } },
	{ .name = "M0, the same, with the end of RAM",
	  .build = "sed 's/END/_eram = 0x20000000 + 4K;/' stack.ld >s.ld && "
		   M0("-Os app.c large.c -T s.ld -o x.elf"),
	  .expected = { { DOCTOR_FAULT, "RAM", true },
			{ DOCTOR_NOTE, "RAM: ", true } } },
	{ .name = "M0, SysTick",
	  .build = M0("-Os -Wl,-u,wsnprof_init app.c systick.c -o x.elf"),
	  .expected = { { DOCTOR_WARNING, "nothing calls wsnprof_clock_tick()" },
			{ DOCTOR_FAULT, "nRF51", true } } },
	{ .name = "M0, SysTick, its handler",
	  .build = M0("-Os -Wl,-u,wsnprof_init app.c systick.c ticks.c -o x.elf"),
	  .expected = { { DOCTOR_WARNING, "wsnprof_clock_tick()", true } } },
	{ .name = "M3, SysTick by a setting",
	  .build = M3("-Os -Wl,-u,wsnprof_init app.c told.c -o x.elf"),
	  .expected = { { DOCTOR_WARNING, "nothing calls wsnprof_clock_tick()" } } },
	{ .name = "M3, SysTick by a setting, its handler",
	  .build = M3("-Os -Wl,-u,wsnprof_init app.c told.c ticks.c -o x.elf"),
	  .expected = { { DOCTOR_WARNING, "wsnprof_clock_tick()", true } } },
	{ .name = "M3, a build-id in front of the vectors",
	  .build = "sed 's/NOTE//' vectors.ld >v.ld && "
		   M3("-Os -Wl,--build-id app.c vectors.c -T v.ld -o x.elf"),
	  .expected = { { DOCTOR_FAULT, "the build-id is at 0x0, where the chip reads its vectors, "
			  "and they are at 0x24", .cure = "KEEP(*(.note.gnu.build-id))" } } },
	{ .name = "M3, a build-id behind the vectors",
	  .build = "sed 's/NOTE/KEEP(*(.note.gnu.build-id))/' vectors.ld >v.ld && "
		   M3("-Os -Wl,--build-id app.c vectors.c -T v.ld -o x.elf"),
	  .expected = { { DOCTOR_FAULT, "vectors", true } } },
	{ .name = "M0, nRF51",
	  .build = M0("-Os -Wl,-u,wsnprof_init app.c systick.c nrf51.c ticks.c -o x.elf"),
	  .expected = { { DOCTOR_FAULT, "the nRF51 has none" } } },
	{ .name = "M0, -pg, LR lost",
	  .build = M0("-Os -c empty.c -o h.o && ") M0("-g -O2 -pg app.c h.o -o x.elf -lgcc"),
	  .expected = { { DOCTOR_WARNING, "LR before __gnu_mcount_nc reads it: calls are "
					  "counted, callers lost: wide" } } },
	{ .name = "M0, -pg, its cure",
	  .build = M0("-Os -c empty.c -o h.o && ")
		   M0("-g -O2 -pg -ffixed-r8 -ffixed-r9 -ffixed-r10 -ffixed-r11 app.c h.o -o "
		      "x.elf -lgcc"),
	  .expected = { { DOCTOR_OK, "(-pg)" }, { DOCTOR_WARNING, "callers lost", true } } },
};

static bool doctor_found(const struct doctor *d, const struct expected *e)
{
	for (size_t i = 0; i < doctor_count(d); i++) {
		const struct doctor_finding *f = doctor_finding(d, i);

		if (f->severity == e->severity && strstr(f->text, e->text) &&
		    (!e->cure || (f->cure && strstr(f->cure, e->cure))))
			return true;
	}
	return false;
}

static void print_findings(const struct doctor *d)
{
	for (size_t i = 0; i < doctor_count(d); i++)
		print_message("         %s: %s\n",
			      doctor_severity_name(doctor_finding(d, i)->severity),
			      doctor_finding(d, i)->text);
}

static struct doctor *image_examine(const char *path)
{
	struct err err = { 0 };
	struct doctor *d = doctor_new(path, &err);

	if (!d)
		fail_msg("%s", err.text);
	return d;
}

static void test_findings(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct doctor *d;

		unlink("x.elf");
		if (!tools_run(cases[i].build))
			fail_msg("%s: does not build: %s", cases[i].name, cases[i].build);
		d = image_examine("x.elf");
		for (const struct expected *e = cases[i].expected; e->text; e++) {
			if (doctor_found(d, e) != e->absent)
				continue;
			print_findings(d);
			fail_msg("%s: %s: %s: %s", cases[i].name, doctor_severity_name(e->severity),
				 e->text, e->absent ? "found" : "not found");
		}
		doctor_free(d);
	}
}

/*
 * The sum of what is decoded before the hooks' calls is what objdump shows, by hand: see the
 * names.
 */
static void test_bytes_of_the_calls(void **state)
{
	static const struct {
		const char *build, *text;
	} rows[] = {
		/*
		 * leaf at -Os: in 2, subi 2, ld 2, eor 3, ldi 2, call; ld 2, eor 3, ldi 2, jmp or
		 * call
		 */
		{ "avr-gcc -mmcu=atmega1284p -Os -c hooks.c -o h.o && "
		  "printf 'volatile int x; void leaf(void) { x++; }' >l.c && "
		  "avr-gcc -mmcu=atmega1284p -Os -finstrument-functions -c l.c && "
		  "printf 'void leaf(void); int main(void) { leaf(); }' >m.c && "
		  "avr-gcc -mmcu=atmega1284p -Os m.c l.o h.o -o x.elf", "44 bytes, 44 a function" },
		/*
		 * ldr 2 and its literal 4, mov 2 and 2, bl 4; mov 2 and 2, b.w 4; r5's ldr is met
		 * once
		 */
		{ "arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -Os -c hooks.c -o h.o && "
		  "printf 'volatile int x; void leaf(void) { x++; }' >l.c && "
		  "arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -Os -finstrument-functions -c l.c && "
		  "printf 'void leaf(void); int main(void) { leaf(); }' >m.c && "
		  "arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -nostdlib -Wl,-e,main -Os m.c l.o h.o "
		  "-o x.elf", "22 bytes, 22 a function" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct expected e = { DOCTOR_NOTE, rows[i].text };
		struct doctor *d;

		assert_true(tools_run(rows[i].build));
		d = image_examine("x.elf");
		if (!doctor_found(d, &e)) {
			print_findings(d);
			fail_msg("not found: %s", rows[i].text);
		}
		doctor_free(d);
	}
}

/* --- hostile ELF ------------------------------------------------------------------------------ */

static void bytes_try(const char *bytes, size_t n)
{
	struct err err = { 0 };
	struct doctor *d;
	FILE *f = fopen("y.elf", "w");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
	d = doctor_new("y.elf", &err);
	assert_true(d || err_is_set(&err));
	doctor_free(d);
}

static void test_broken_files(void **state)
{
	uint32_t random = 1;
	size_t n;
	char *bytes;

	(void)state;
	assert_true(tools_run(AVR("-c hooks.c -o h.o && ") AVR("-ggdb" FLAGS " app.c h.o -o "
									     "x.elf")));
	bytes = file_read("x.elf", 1 << 20, &n, NULL);
	assert_non_null(bytes);
	for (size_t cut = 0; cut < n; cut += 97)
		bytes_try(bytes, cut);
	for (int round = 0; round < 400; round++) {
		char kept[8];
		size_t at[8];

		for (int i = 0; i < 8; i++) {
			random = random * 1664525 + 1013904223;
			at[i] = (random >> 8) % (round & 1 ? n : 4096 < n ? 4096 : n);
			kept[i] = bytes[at[i]];
			bytes[at[i]] = (char)random;
		}
		bytes_try(bytes, n);
		for (int i = 8; i-- > 0; )
			bytes[at[i]] = kept[i];
	}
	mem_free(bytes);
}

static void test_no_memory(void **state)
{
	(void)state;
	assert_true(tools_run(AVR("-c hooks.c -o h.o && ") AVR("-ggdb" FLAGS " app.c h.o -o "
									     "x.elf")));
	for (long n = 0; n < 3000; n++) {
		struct err err = { 0 };
		struct doctor *d;

		mem_fail_after(n);
		d = doctor_new("x.elf", &err);
		mem_fail_after(-1);
		assert_true(d || err_is_set(&err));
		if (d)
			n += 200;	/* what reading DWARF could do without */
		doctor_free(d);
	}
}

static void test_what_is_no_elf(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_null(doctor_new("nothing-here.elf", &err));
	assert_true(err_is_set(&err));
	err_clear(&err);
	assert_null(doctor_new("app.c", &err));
	assert_non_null(strstr(err.text, "not an ELF file"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_findings),
		cmocka_unit_test(test_bytes_of_the_calls),
		cmocka_unit_test(test_broken_files),
		cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_what_is_no_elf),
	};

	return cmocka_run_group_tests(tests, group_setup, tools_leave);
}
