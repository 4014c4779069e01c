# The simulated node: the simulator (host), and firmware for the chip it simulates.
# Included by the Makefile.

SIM_SRC := $(sort $(wildcard sim/*.c))
SIM_OBJ := $(SIM_SRC:%.c=$O/%.o)
SIM_BASE := $(patsubst %.c,$O/%.o,$(sort $(wildcard core/base/*.c)))

sim: $O/sim/avrnode ## build the simulated node

$O/sim/avrnode: $(SIM_OBJ) $(SIM_BASE)
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS) -lsimavr -lutil

-include $(SIM_OBJ:.o=.d)

# --- firmware -----------------------------------------------------------------------------------

AVR_CC  ?= avr-gcc
AVR_MCU ?= atmega1284p

AVR_FLAGS := -fdebug-prefix-map=$(CURDIR)=. -mmcu=$(AVR_MCU) -DF_CPU=8000000UL -std=c99 -Os -ggdb -gdwarf-2 \
             -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
             -Wwrite-strings -Wvla -Wundef -fno-inline -fno-ipa-cp -Itarget-common -Itarget-avr
# Interrupt vectors stay out: an instrumented one would make a call site of every address it interrupts.
AVR_INSTRUMENT := -finstrument-functions -finstrument-functions-exclude-function-list=__vector_ \
                  -finstrument-functions-exclude-file-list=util/

RUNTIME := $(sort $(wildcard target-common/*.c target-avr/*.c))
RUNTIME_H := $(sort $(wildcard target-common/*.h target-avr/*.h))
DEMO_SRC := $(sort $(wildcard sim/firmware/*.c))
DEMO_H := $(sort $(wildcard sim/firmware/*.h))
DEMOS := $O/sim/firmware/demo.elf $O/sim/firmware/finite.elf

# tests/sim/firmware/NAME.c gives test-NAME.elf, or test-NAME-VARIANT.elf with flags of its own.
TEST_NAMES := full storm storm-fine ring high jump pace pace-mute pace-flood \
              cost-fib cost-fib-plain cost-sites cost-sites-plain
TEST_FW := $(TEST_NAMES:%=$O/sim/firmware/test-%.elf)
TEST_FW_SRC := $(sort $(wildcard tests/sim/firmware/*))
TEST_FLAGS_full := -DWSNPROF_SITES=8 -DWSNPROF_STACK=6
TEST_FLAGS_storm := -DWSNPROF_PERIOD_MS=40
TEST_FLAGS_storm-fine := $(TEST_FLAGS_storm) -DWSNPROF_PRESCALE=1
TEST_FLAGS_ring := -DSCENARIO_MUTE
TEST_FLAGS_pace := -DWSNPROF_PERIOD_MS=100
TEST_FLAGS_pace-mute := $(TEST_FLAGS_pace) -DSCENARIO_MUTE
TEST_FLAGS_pace-flood := $(TEST_FLAGS_pace) -DPACE_FLOOD
TEST_FLAGS_cost-fib := -DCOST_FIB -DSCENARIO_MUTE
TEST_FLAGS_cost-fib-plain := $(TEST_FLAGS_cost-fib)
TEST_FLAGS_cost-sites := -DWSNPROF_SITES=128 -DSCENARIO_MUTE
TEST_FLAGS_cost-sites-plain := $(TEST_FLAGS_cost-sites)
# So that the instrumented program and the plain one make the same calls.
TEST_SAME := -fno-optimize-sibling-calls -fno-ipa-pure-const -fno-ipa-sra -fno-ipa-ra

firmware: $(DEMOS) $(TEST_FW) ## build the demo firmware (and the tests') for the simulated node

# demo runs for ever; finite stops after some rounds, reports and ends the simulation.
$O/sim/firmware/finite.elf: AVR_EXTRA := -DDEMO_ROUNDS=400
$(DEMOS): $(DEMO_SRC) $(DEMO_H) $(RUNTIME) $(RUNTIME_H) sim/build.mk
	@mkdir -p $(@D)
	$(call say,AVR)
	$(Q)$(AVR_CC) $(AVR_FLAGS) $(AVR_INSTRUMENT) $(AVR_EXTRA) -Isim/firmware -o $@ $(DEMO_SRC) $(RUNTIME)

$(TEST_FW): $O/sim/firmware/test-%.elf: $(TEST_FW_SRC) $(RUNTIME) $(RUNTIME_H) sim/build.mk
	@mkdir -p $(@D)
	$(call say,AVR)
	$(Q)$(AVR_CC) $(AVR_FLAGS) $(TEST_SAME) $(if $(findstring plain,$*),,$(AVR_INSTRUMENT)) $(TEST_FLAGS_$*) \
		-Itests/sim/firmware -o $@ tests/sim/firmware/$(firstword $(subst -, ,$*)).c \
		tests/sim/firmware/scenario.c \
		$(if $(findstring SCENARIO_MUTE,$(TEST_FLAGS_$*)),$(filter-out %_uart.c,$(RUNTIME)),$(RUNTIME))
