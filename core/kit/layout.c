#include "core/kit/layout.h"

#include <string.h>

const char *layout_chip_name(unsigned chip)
{
	return chip == LAYOUT_AVR ? "avr" : "cortexm";
}

/* --- folders, as the READMEs of target-... describe them -------------------------------------- */

/* The two folders that all but the flat Arduino library have, below one of its own. */
#define RUNTIME_RULES(below)						\
	{ LAYOUT_ANY, "target-common", below "/target-common" },	\
	{ LAYOUT_ANY, "target-common/wrap", below "/target-common/wrap" }, \
	{ LAYOUT_AVR, "target-avr", below "/target-avr" },		\
	{ LAYOUT_AVR, "target-avr/all", below "/target-avr/all" },	\
	{ LAYOUT_CORTEXM, "target-cortexm", below "/target-cortexm" },	\
	{ LAYOUT_CORTEXM, "target-cortexm/all", below "/target-cortexm/all" }

static const struct layout_rule bare_rules[] = { RUNTIME_RULES("wsnprof"), { 0 } };

static const struct layout_rule freertos_rules[] = {
	RUNTIME_RULES("wsnprof"),
	{ LAYOUT_ANY, "examples/tasks/freertos_trace.c", "wsnprof" },
	{ LAYOUT_ANY, "examples/tasks/freertos_trace.h", "wsnprof" },
	{ LAYOUT_ANY, "examples/tasks/wsnprof_freertos.c", "wsnprof" },
	{ LAYOUT_ANY, "examples/tasks/wsnprof_freertos.h", "wsnprof" },
	{ 0 },
};

static const struct layout_rule zephyr_rules[] = {
	RUNTIME_RULES("wsnprof"),
	{ LAYOUT_CORTEXM, "examples/zephyr", "wsnprof/zephyr" },
	{ 0 },
};

static const struct layout_rule contiki_rules[] = {
	RUNTIME_RULES("wsnprof"),
	{ LAYOUT_ANY, "examples/contiki/wsnprof_process.c", "" },
	{ 0 },
};

/* Of a module's own folder RIOT compiles all, each to an object of its name without .c or .S. */
static const struct layout_rule riot_rules[] = {
	RUNTIME_RULES("modules/wsnprof"),
	{ LAYOUT_ANY, "examples/riot", "modules/wsnprof" },
	{ 0 },
};

/* As examples/arduino/pack makes it; USART 0 is Serial's. */
static const char *const arduino_except[] = {
	"wsnprof_uart.c", "wsnprof_uart.h", "wsnprof_udre.S", NULL,
};

static const struct layout_rule arduino_rules[] = {
	{ LAYOUT_AVR, "target-common", "libraries/wsnprof/src", .begins = "wsnprof" },
	{ LAYOUT_AVR, "target-avr", "libraries/wsnprof/src", .begins = "wsnprof",
	  .except = arduino_except },
	{ LAYOUT_AVR, "examples/arduino/wsnprof_arduino.c", "libraries/wsnprof/src" },
	{ LAYOUT_AVR, "examples/arduino/wsnprof_arduino.h", "libraries/wsnprof/src" },
	{ LAYOUT_AVR, "examples/arduino/library.properties", "libraries/wsnprof" },
	{ LAYOUT_AVR, "examples/arduino/Profile/Profile.ino",
	  "libraries/wsnprof/examples/Profile" },
	{ 0 },
};

/* --- settings --------------------------------------------------------------------------------- */

static const struct layout_setting freertos_settings[] = {
	{ LAYOUT_ANY, "WSNPROF_TASKS", "1", "tasks have shadow stacks" },
	{ LAYOUT_ANY, "WSNPROF_TASKS_MAX", "8", "tasks at a time, those of the kernel too" },
	{ LAYOUT_ANY, "WSNPROF_RING", "128", "room for a printf" },
	{ 0 },
};

static const struct layout_setting riot_settings[] = {
	{ LAYOUT_ANY, "WSNPROF_TASKS", "1", "threads have shadow stacks" },
	{ LAYOUT_ANY, "WSNPROF_RING", "128", "room for a printf" },
	{ LAYOUT_AVR, "WSNPROF_UART", "0", "RIOT's driver sends" },
	{ LAYOUT_AVR, "WSNPROF_TIMER", "3", "ztimer has timer 1" },
	{ 0 },
};

static const struct layout_setting zephyr_settings[] = {
	{ LAYOUT_ANY, "WSNPROF_TASKS", "1", "threads have shadow stacks" },
	{ LAYOUT_ANY, "WSNPROF_RING", "128", "room for a printf" },
	{ LAYOUT_CORTEXM, "WSNPROF_CLOCK_HZ", "CONFIG_SYS_CLOCK_HW_CYCLES_PER_SEC",
	  "the system's clock, if that is SysTick" },
	{ 0 },
};

static const struct layout_setting contiki_settings[] = {
	{ LAYOUT_ANY, "WSNPROF_RING", "128", "room for a printf" },
	{ 0 },
};

static const struct layout_setting arduino_settings[] = {
	{ LAYOUT_AVR, "WSNPROF_SITES", "32", "an Uno has 2 KB of RAM" },
	{ LAYOUT_AVR, "WSNPROF_STACK", "12", "calls that may be open, 8 bytes each" },
	{ LAYOUT_AVR, "WSNPROF_FRAME", "60", "fits into the buffer of Serial, 63 bytes" },
	{ LAYOUT_AVR, "WSNPROF_RING", "2", "Serial sends the text" },
	{ LAYOUT_AVR, "WSNPROF_NAME", "\"arduino\"", "shown by wsntop" },
	{ 0 },
};

/* --- steps ------------------------------------------------------------------------------------ */

#define ALL(...) { LAYOUT_ANY, __VA_ARGS__ }
#define AVR(...) { LAYOUT_AVR, __VA_ARGS__ }
#define ARM(...) { LAYOUT_CORTEXM, __VA_ARGS__ }

/* `more`, `more_list`: further flags of the modules of interest: a line for make, for CMake. */
#define MAKE_STEPS(more, more_list)					\
	AVR("Makefile, after CFLAGS (which has -mmcu and -DF_CPU):\n"),	\
	ARM("Makefile, after CFLAGS (which has -mcpu and -mthumb):\n"),	\
	AVR("    include wsnprof/target-avr/wsnprof.mk\n"),		\
	ARM("    include wsnprof/target-cortexm/wsnprof.mk\n"),		\
	ALL("    main.o: CFLAGS += $(WSNPROF_PROFILE)    # each module of interest\n" more \
	    "    app.elf: $(WSNPROF_OBJECTS)             # and link them, as $^ does\n"), \
	ALL("or CMakeLists.txt, after add_executable(app.elf ...):\n"),	\
	AVR("    enable_language(ASM)                    # -mmcu and -DF_CPU in its flags, too\n" \
	    "    target_sources(app.elf PRIVATE wsnprof/target-avr/all/wsnprof_all.c\n" \
	    "        wsnprof/target-avr/all/wsnprof_hooks_all.S)\n"	\
	    "    target_include_directories(app.elf PRIVATE wsnprof wsnprof/target-common " \
	    "wsnprof/target-avr)\n"					\
	    "    set_source_files_properties(main.c PROPERTIES COMPILE_OPTIONS\n" \
	    "        \"-finstrument-functions;-finstrument-functions-exclude-file-list=" \
	    "avr/include" more_list "\")\n"),				\
	ARM("    enable_language(ASM)\n"				\
	    "    add_subdirectory(wsnprof/target-cortexm)\n"		\
	    "    target_include_directories(app.elf PRIVATE wsnprof)\n"	\
	    "    target_link_libraries(app.elf PRIVATE wsnprof)\n"	\
	    "    set_source_files_properties(main.c PROPERTIES COMPILE_OPTIONS\n" \
	    "        \"-finstrument-functions" more_list "\")\n")

#define TRANSMIT_STEP							\
	ARM("a transmit function, in a file that is not instrumented; registers as the chip's " \
	    "manual names them\n(wsnprof/target-cortexm/README.md, step 5):\n" \
	    "    #include \"wsnprof.h\"\n"				\
	    "    void wsnprof_kick(void) { UART->CTRL |= TX_INTERRUPT; }\n" \
	    "    void uart_irq(void)                     // in the UART's vector; one that comes " \
	    "only after a byte:\n"					\
	    "    {                                       // wsnprof_kick() pends it, " \
	    "NVIC_SetPendingIRQ()\n"					\
	    "        int16_t byte = wsnprof_take();\n"			\
	    "        if (byte >= 0)\n"					\
	    "            UART->DATA = byte;\n"				\
	    "        else\n"						\
	    "            UART->CTRL &= ~TX_INTERRUPT;\n"		\
	    "    }\n")

static const struct layout_step bare_steps[] = {
	MAKE_STEPS("", ""),
	AVR("main():\n"
	    "    #include \"wsnprof.h\"\n"
	    "    #include \"wsnprof_uart.h\"\n"
	    "    wsnprof_uart_init(); wsnprof_init(); wsnprof_start(); sei();\n"),
	ARM("main():\n"
	    "    #include \"wsnprof.h\"\n"
	    "    wsnprof_init(); wsnprof_start();\n"),
	ALL("main loop:\n    wsnprof_poll();\n"),
	TRANSMIT_STEP,
	{ 0 },
};

/* Inline functions of the ports are one instruction, or change the interrupts' mask. */
#define FREERTOS_EXCLUDE "-finstrument-functions-exclude-file-list=portable/,CMSIS"

static const struct layout_step freertos_steps[] = {
	MAKE_STEPS("    main.o: CFLAGS += " FREERTOS_EXCLUDE "\n", ";" FREERTOS_EXCLUDE),
	AVR("    target_sources(app.elf PRIVATE wsnprof/freertos_trace.c "
	    "wsnprof/wsnprof_freertos.c)\n"),
	ALL("    # the kernel, where it is a library: its freertos_config, or the library itself\n"
	    "    target_include_directories(freertos_config INTERFACE wsnprof "
	    "wsnprof/target-common)\n"
	    "modules of interest are the application's, and queue.c, timers.c; never port.c and "
	    "tasks.c\n"
	    "end of FreeRTOSConfig.h:\n    #include \"freertos_trace.h\"\n"
	    "main(), before the first task is created:\n"
	    "    #include \"wsnprof_freertos.h\"\n"
	    "    wsnprof_freertos_start();               // creates the task that sends\n"),
	ARM("linker script, at the end of SECTIONS (FLASH: as MEMORY names it):\n"
	    "    .wsnprof_end : { wsnprof_flash_end = .; } >FLASH\n"),
	TRANSMIT_STEP,
	{ 0 },
};

static const struct layout_step zephyr_steps[] = {
	ARM("CMakeLists.txt, before find_package(Zephyr ...):\n"
	    "    list(APPEND ZEPHYR_EXTRA_MODULES ${CMAKE_CURRENT_SOURCE_DIR}/wsnprof)\n"
	    "and after project(), each module of interest:\n"
	    "    set_source_files_properties(src/main.c PROPERTIES COMPILE_OPTIONS "
	    "-finstrument-functions)\n"
	    "prj.conf:\n"
	    "    CONFIG_DEBUG_INFO=y\n"
	    "    CONFIG_TRACING=y\n"
	    "    CONFIG_TRACING_USER=y\n"
	    "    CONFIG_THREAD_CUSTOM_DATA=y\n"
	    "    CONFIG_SERIAL=y\n"
	    "    CONFIG_UART_INTERRUPT_DRIVEN=y\n"
	    "the module's thread sends by the console's UART and takes the text of printk() there, "
	    "or by\nanother of the board's overlay:\n"
	    "    / { chosen { wsnprof,uart = &uart1; }; };\n"),
	{ 0 },
};

static const struct layout_step contiki_steps[] = {
	AVR("Makefile, before include $(CONTIKI)/Makefile.include:\n"
	    "    PROJECTDIRS += wsnprof/target-common wsnprof/target-avr wsnprof/target-avr/all\n"),
	ARM("Makefile, before include $(CONTIKI)/Makefile.include:\n"
	    "    PROJECTDIRS += wsnprof/target-common wsnprof/target-cortexm "
	    "wsnprof/target-cortexm/all\n"),
	ALL("    PROJECT_SOURCEFILES += wsnprof_process.c wsnprof_all.c wsnprof_hooks_all.S\n"),
	AVR("    CFLAGS += -finstrument-functions -finstrument-functions-exclude-function-list="
	    "__vector_\n"
	    "    CFLAGS += -finstrument-functions-exclude-file-list=avr/include,wsnprof,"
	    "watchdog.c\n"
	    "and after it:\n"
	    "    $(OBJECTDIR)/wsnprof_%.o: wsnprof_%.S | $(OBJECTDIR)\n"
	    "    \t$(CC) $(CFLAGS) -c $< -o $@\n"),
	ARM("    CFLAGS += -g -finstrument-functions     # all modules but those of the next "
	    "line\n"
	    "    CFLAGS += -finstrument-functions-exclude-file-list=/arch/,wsnprof\n"
	    "or, to instrument single modules, -g alone there, and after it:\n"
	    "    $(OBJECTDIR)/NAME.o: CFLAGS += -finstrument-functions\n"
	    "start-up code is in /arch/: exclude it, too, where it is elsewhere\n"),
	ALL("the application:\n"
	    "    PROCESS_NAME(wsnprof_process);\n"
	    "    AUTOSTART_PROCESSES(&wsnprof_process, ...);\n"),
	ARM("the process sends by the console's dbg_putchar(); to send by an interrupt: "
	    "WSNPROF_CONTIKI_SEND 0\nin wsnprof_config.h, and a transmit function "
	    "(wsnprof/target-cortexm/README.md, step 5)\n"),
	{ 0 },
};

static const struct layout_step riot_steps[] = {
	ALL("the application's Makefile, before include $(RIOTBASE)/Makefile.include:\n"
	    "    EXTERNAL_MODULE_DIRS += $(CURDIR)/modules\n"
	    "    USEMODULE += wsnprof\n"
	    "    CFLAGS += -finstrument-functions\n"),
	AVR("    CFLAGS += -finstrument-functions-exclude-file-list=/cpu/,/core/,/boards/,wsnprof,"
	    "avr/include\n"
	    "    CFLAGS += -DF_CPU=8000000UL             # the board's clock\n"
	    "    CFLAGS_DBG = -gdwarf-2\n"),
	ARM("    CFLAGS += -finstrument-functions-exclude-file-list=/cpu/,/core/,/boards/,wsnprof,"
	    "newlib,cmsis\n"),
	ALL("main(), first:\n"
	    "    #include \"wsnprof_riot.h\"\n"
	    "    wsnprof_riot_start();\n"),
	{ 0 },
};

static const struct layout_step arduino_steps[] = {
	AVR("the library is libraries/wsnprof: DIR is the sketchbook\n"
	    "the sketch:\n"
	    "    #include <wsnprof_arduino.h>\n"
	    "    WSNPROF_QUIET void setup() { Serial.begin(115200); wsnprof_arduino_begin(); }\n"
	    "    void loop() { ...; wsnprof_arduino_send(); }\n"
	    "flags, for example in platform.local.txt:\n"
	    "    compiler.cpp.extra_flags=-ggdb -finstrument-functions "
	    "-finstrument-functions-exclude-file-list=/cores/,/wsnprof/,avr/include\n"),
	{ 0 },
};

/* --- the table -------------------------------------------------------------------------------- */

const struct layout layouts[] = {
	{ "none", "a main loop", LAYOUT_ANY, "wsnprof/wsnprof_config.h",
	  .rules = bare_rules, .steps = bare_steps },
	{ "freertos", "FreeRTOS", LAYOUT_ANY, "wsnprof/wsnprof_config.h",
	  .tasks_max = "WSNPROF_TASKS_MAX", .clock = "the core's clock in Hz, configCPU_CLOCK_HZ",
	  .rules = freertos_rules, .settings = freertos_settings, .steps = freertos_steps },
	{ "zephyr", "Zephyr, a module", LAYOUT_CORTEXM, "wsnprof/wsnprof_config.h",
	  .rules = zephyr_rules, .settings = zephyr_settings, .steps = zephyr_steps,
	  .no_uart = true },
	{ "contiki", "Contiki 3 (AVR), Contiki-NG (Cortex-M)", LAYOUT_ANY, "wsnprof_config.h",
	  .rules = contiki_rules, .settings = contiki_settings, .steps = contiki_steps,
	  .sites_max = 256 },
	{ "riot", "RIOT, a module", LAYOUT_ANY, "modules/wsnprof/wsnprof_config.h",
	  .no_uart = true, .timers = 1u << 1,
	  .rules = riot_rules, .settings = riot_settings, .steps = riot_steps },
	{ "arduino", "Arduino, a library", LAYOUT_AVR, "libraries/wsnprof/src/wsnprof_config.h",
	  .guarded = true, .no_uart = true, .keeps_timer = true,
	  .rules = arduino_rules, .settings = arduino_settings, .steps = arduino_steps },
	{ .name = NULL },
};

const struct layout *layout_find(const char *name)
{
	for (const struct layout *l = layouts; l->name; l++)
		if (strcmp(l->name, name) == 0)
			return l;
	return NULL;
}
