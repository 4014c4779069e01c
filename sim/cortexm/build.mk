# The simulated Cortex-M nodes: firmware for QEMU's boards, and the plugin that sees what really
# happens. Included by the Makefile; by itself: make -f sim/cortexm/build.mk cortexm
#
# An image is put together from four objects, so that little is compiled twice:
#
#	BOARD.o				start-up, drivers, main		not instrumented, -Os
#	BOARD-VARIANT.o			the runtime			not instrumented, -Os
#	BOARD-VARIANT-OPT.o		the workloads			instrumented, -OPT
#	BOARD-VARIANT-OPT.elf

O ?= build
Q ?= $(if $(V),,@)
CM := $O/sim/cortexm
CM_CC ?= arm-none-eabi-gcc

# --- boards: processor, chip, memory --------------------------------------------------------

CM_BOARDS := an385 an385m0 an386 an500 an505 microbit
CM_CPU_an385 := -mcpu=cortex-m3
CM_CPU_an385m0 := -mcpu=cortex-m0
CM_CPU_an386 := -mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16
CM_CPU_an500 := -mcpu=cortex-m7 -mfloat-abi=hard -mfpu=fpv5-d16
CM_CPU_an505 := -mcpu=cortex-m33 -mfloat-abi=hard -mfpu=fpv5-sp-d16
CM_CPU_microbit := -mcpu=cortex-m0
CM_CHIP_an385 := mps2
CM_CHIP_an385m0 := mps2
CM_CHIP_an386 := mps2
CM_CHIP_an500 := mps2
CM_CHIP_an505 := an505
CM_CHIP_microbit := microbit
cm_memory = -DFLASH_ORIGIN=$1 -DFLASH_LENGTH=$2 -DRAM_ORIGIN=$3 -DRAM_LENGTH=$4
CM_MEMORY_mps2 := $(call cm_memory,0,4M,0x20000000,4M)
CM_MEMORY_an505 := $(call cm_memory,0x10000000,4M,0x38000000,4M)
CM_MEMORY_microbit := $(call cm_memory,0,256K,0x20000000,16K)

# --- variants: the compiler's flags, the runtime's settings ---------------------------------

# gcc saves r8 to r11 over LR before it calls mcount, in Thumb-1 (target-cortexm/README.md).
CM_PG_microbit := -ffixed-r8 -ffixed-r9 -ffixed-r10 -ffixed-r11
CM_HOOKS_arcs = -pg $(CM_PG_$1)
CM_HOOKS_few = $(CM_HOOKS_arcs)
CM_HOOKS_timed = -finstrument-functions
CM_HOOKS_rounds = $(CM_HOOKS_timed)
CM_HOOKS_traced = -B $(CM)/as
CM_HOOKS_lanes = $(CM_HOOKS_traced)
CM_HOOKS_hooked = -B $(CM)/as-timed
CM_HOOKS_hookedsame = $(CM_HOOKS_hooked)
CM_HOOKS_counted = -B $(CM)/as-count
CM_HOOKS_countedsame = $(CM_HOOKS_counted)
CM_HOOKS_bare =
CM_HOOKS_plain =

# The workloads' object of another variant, which is the same: only the runtime is built otherwise.
CM_LIKE_long := traced
CM_LIKE_sampled := traced
CM_LIKE_longtick := traced
CM_LIKE_longfound := traced
CM_LIKE_longlanes := lanes
CM_LIKE_small := arcs
CM_LIKE_raw := arcs
CM_LIKE_calls := few
CM_LIKE_least := few
CM_LIKE_beat := few
CM_LIKE_half := few
CM_LIKE_full := few
CM_LIKE_jitter := few
CM_LIKE_cramped := timed
CM_LIKE_level0 := timed
CM_LIKE_level1 := timed
CM_LIKE_level3 := timed
CM_LIKE_systick := timed
CM_LIKE_clock24 := timed
CM_LIKE_hooked1 := hooked
CM_LIKE_hooked3 := hooked
CM_LIKE_hookedtick := hooked
CM_LIKE_hookedfound := hooked
CM_LIKE_hookedfew := hooked
CM_LIKE_hookedmask := hooked

# few, calls: for the cost figures. least: as little flash as arcs need. small, cramped: tables too
# small. beat, jitter: samples in step with a tick, and not. raw: the stream of the gprof thesis.
# systick: a clock of 24 bits; clock24: a timer of 24 bits that is captured (bits=24); rounds: the
# clock is found by wsnprof_init(), and handlers are not instrumented. level3: with the text report.
# hooked: timed calls by the hooks of `wsntop as`; bare: the same program without them; hookedsame,
# countedsame: as timed is compiled; hookedtick, hookedfound: SysTick's clock; hookedfew: a table too small;
# hookedmask: interrupts off by PRIMASK.
# long, sampled, longlanes: traces with stamps below the top level; longtick, longfound: by SysTick's clock.
# The microbit has 16 KB of RAM.
CM_CONF_arcs = -DWSNPROF_SITES=0 -DWSNPROF_ARCS=$(CM_ROWS_$1) -DWSNPROF_PCS=$(CM_ROWS_$1) \
               -DWSNPROF_RECEIVE=1
$(foreach b,an385 an385m0 an386 an500 an505,$(eval CM_ROWS_$b := 1024))
$(foreach b,an385 an385m0 an386 an500 an505,$(eval CM_SITES_$b := 512))
CM_ROWS_microbit := 256
CM_SITES_microbit := 256
CM_CONF_few := -DWSNPROF_SITES=0 -DWSNPROF_ARCS=128 -DWSNPROF_PCS=256
CM_CONF_calls := -DWSNPROF_SITES=0 -DWSNPROF_ARCS=128
CM_CONF_least := -DWSNPROF_SITES=0 -DWSNPROF_ARCS=128 -DWSNPROF_RING=0 -DWSNPROF_LEAST=1 \
                 -DWSNPROF_IDENTITY=1 -DWSNPROF_FLASH_START=0u -DNODE_FLASH_END
CM_CONF_half := -DWSNPROF_SITES=0 -DWSNPROF_ARCS=128
CM_CONF_full := -DWSNPROF_SITES=0 -DWSNPROF_ARCS=64
CM_CONF_beat := $(CM_CONF_few) -DWSNPROF_HZ=1000
CM_CONF_jitter := $(CM_CONF_few) -DWSNPROF_HZ=1000 -DWSNPROF_JITTER=1
CM_CONF_small := -DWSNPROF_SITES=0 -DWSNPROF_ARCS=16 -DWSNPROF_PCS=16
CM_CONF_raw := -DWSNPROF_SITES=0 -DWSNPROF_ARCS=16 -DWSNPROF_PCS=16 -DWSNPROF_RAW=1 \
               -DWSNPROF_RING=255
CM_CONF_timed = -DWSNPROF_SITES=$(CM_SITES_$1) -DWSNPROF_STACK=48 -DWSNPROF_TASKS=1 \
                -DWSNPROF_RECEIVE=1
CM_CONF_level0 = $(CM_CONF_timed) -DWSNPROF_LEVEL=0
CM_CONF_level1 = $(CM_CONF_timed) -DWSNPROF_LEVEL=1
CM_CONF_level3 = -DWSNPROF_SITES=128 -DWSNPROF_STACK=48 -DWSNPROF_TASKS=1 -DWSNPROF_RECEIVE=1 \
                 -DWSNPROF_LEVEL=3 -DWSNPROF_FRAME=128 -DWSNPROF_TEXT=1 -DWSNPROF_PERIOD_MS=50
CM_CONF_systick = $(CM_CONF_timed) -DNODE_SYSTICK
CM_CONF_clock24 = $(CM_CONF_timed) -DNODE_CLOCK_BITS=24
CM_CONF_rounds = $(CM_CONF_timed) -DNODE_CLOCK_FOUND -DTICKER_QUIET
CM_CONF_cramped := -DWSNPROF_SITES=32 -DWSNPROF_STACK=16 -DWSNPROF_TASKS=1
CM_CONF_traced = -DWSNPROF_TRACE=1 -DWSNPROF_TRACE_JUMPS=4 -DWSNPROF_STACK=48 -DWSNPROF_RECEIVE=1 \
                 -DWORKLOAD_DEEP=60
CM_CONF_long = $(CM_CONF_traced) -DWSNPROF_TRACE_LONG=60
CM_CONF_longtick = $(CM_CONF_long) -DNODE_SYSTICK
CM_CONF_longfound = $(CM_CONF_long) -DNODE_CLOCK_FOUND
CM_CONF_sampled = $(CM_CONF_traced) -DWSNPROF_TRACE_SAMPLE=20
CM_CONF_lanes = $(CM_CONF_traced) -DWSNPROF_TASKS=4
CM_CONF_longlanes = $(CM_CONF_lanes) -DWSNPROF_TRACE_LONG=60
CM_CONF_hooked = $(CM_CONF_timed) -DWSNPROF_AS=1
CM_CONF_hookedsame = $(CM_CONF_hooked)
CM_CONF_bare = $(CM_CONF_hooked)
CM_CONF_hooked1 = $(CM_CONF_level1) -DWSNPROF_AS=1
CM_CONF_hooked3 = $(CM_CONF_level3) -DWSNPROF_AS=1
CM_CONF_hookedtick = $(CM_CONF_systick) -DWSNPROF_AS=1
CM_CONF_hookedfound = $(CM_CONF_hooked) -DNODE_CLOCK_FOUND
CM_CONF_hookedfew = $(CM_CONF_cramped) -DWSNPROF_AS=1
CM_CONF_hookedmask = $(CM_CONF_hooked) -DWSNPROF_FAULTMASK=0
CM_CONF_counted = $(CM_CONF_level0) -DWSNPROF_AS=1
CM_CONF_countedsame = $(CM_CONF_counted)
CM_CONF_plain := -DWSNPROF_SITES=0

# --- commands -------------------------------------------------------------------------------

CM_FLAGS := -fdebug-prefix-map=$(CURDIR)=. -std=c99 -mthumb -g -ffunction-sections -fdata-sections \
            -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
            -Wpointer-arith -Wwrite-strings -Wundef -Isim/cortexm -Isim/workload \
            -Itarget-common -Itarget-cortexm
CM_LINK := -nostartfiles --specs=nano.specs --specs=nosys.specs -Wl,--gc-sections \
           -Wl,--fatal-warnings -Wl,--no-warn-rwx-segments

CM_LINK_traced := -Wl,--wrap=setjmp,--wrap=longjmp
CM_LINK_lanes := $(CM_LINK_traced)
CM_LINK_long := $(CM_LINK_traced)
CM_LINK_longtick := $(CM_LINK_traced)
CM_LINK_longfound := $(CM_LINK_traced)
CM_LINK_sampled := $(CM_LINK_traced)
CM_LINK_longlanes := $(CM_LINK_traced)

# So that a program makes the same calls instrumented or not (sim/workload/workload.h).
CM_SAME := -fno-inline -fno-optimize-sibling-calls -fno-ipa-pure-const -fno-ipa-cp -fno-ipa-sra \
           -fno-ipa-ra -fno-ipa-icf

# Arcs are exact whatever the compiler makes of the calls. All optimizations are allowed there but
# one: functions of equal code must not be merged, because their names could not be told apart.
CM_FREE := -fno-ipa-icf
CM_CALLS_arcs := $(CM_FREE)
CM_CALLS_few := $(CM_SAME)
CM_CALLS_timed := $(CM_SAME)
CM_CALLS_rounds := $(CM_SAME)
CM_CALLS_traced := $(CM_FREE)
CM_CALLS_lanes := $(CM_FREE)
CM_CALLS_hooked := $(CM_FREE)
CM_CALLS_hookedsame := $(CM_SAME)
CM_CALLS_bare := $(CM_FREE)
CM_CALLS_counted := $(CM_FREE)
CM_CALLS_countedsame := $(CM_SAME)
CM_CALLS_plain := $(CM_SAME)

# jump.c recurses until longjmp ends it.
CM_WORK = $(CM_WRAP) -Wno-infinite-recursion

CM_BOARD_SRC := $(addprefix sim/cortexm/,start.c semihosting.c settings.c uart.c main.c \
                app/switch_asm.S)
# Ids of a call trace are in this order, and those above 124 are dearer: nested is not what costs are measured of.
CM_WORK_SRC := $(sort $(wildcard sim/workload/*.c) $(addprefix sim/cortexm/,app/wsn_aes.c \
               app/wsn_net.c app/wsn_sense.c app/wsn.c app/blink.c app/polls.c app/tasks.c \
               app/rounds.c app/dispatch.c app/notes.c \
               app/switch_told.c port.c)) sim/cortexm/app/nested.c
CM_RUNTIME := $(sort $(wildcard target-common/*.c target-cortexm/*.c target-cortexm/*.S))
# Other tasks, where they are traced.
cm_work = $(if $(filter lanes,$1),$(CM_WORK_SRC:%/tasks.c=%/lanes.c),$(CM_WORK_SRC))
cm_runtime = $(if $(filter plain,$1),sim/cortexm/plain.c,$(CM_RUNTIME))
CM_HEADERS := $(sort $(wildcard sim/cortexm/*.h sim/cortexm/*/*.h sim/cortexm/boards/*/* \
              sim/cortexm/boards/*.c sim/workload/*.h target-common/*.h target-cortexm/*.h \
              target-cortexm/*.inc)) \
              sim/cortexm/build.mk
# In the workloads' object alone: the runtime calls the library's own.
CM_WRAP := $(addprefix -Xlinker --wrap=,memcpy memset memmove)

# $1 flags, $2 sources: one object of them all
cm_object = $(CM_CC) $(CM_FLAGS) $1 -r -nostdlib -o $@ $2
cm_board = $(CM_CPU_$1) -Isim/cortexm/boards/$(CM_CHIP_$1)

CM_VARIANTS := arcs few calls least half full small beat jitter raw timed level0 level1 level3 systick clock24 rounds cramped \
               traced long longtick longfound sampled lanes longlanes hooked hookedsame hooked1 hooked3 hookedtick hookedfound \
               hookedfew hookedmask counted countedsame bare plain
CM_OPTS := O0 O1 Os O2 O3
# The functions that keep the profiler running have no hooks of a call trace.
CM_QUIET := ^(workload_\w+|switch_\w+)$$

# M3 and M0, the two families of code. LONG: those, too, that only `make check-long` runs: at every level, and every board.
CM_BUILT := O0 Os $(if $(LONG),O1 O2 O3)
CM_BUILT_M0 := Os $(if $(LONG),O0 O1 O2 O3)
CM_ONCE := few least raw systick rounds cramped plain $(if $(LONG),half)
CM_ONCE_M3 := small full calls level0 level1 level3
CM_TRACED := an385-traced-O0 $(foreach b,an385 an385m0,$(foreach v,traced lanes long,$b-$v-Os)) an385-longlanes-Os an385-longtick-Os \
             an385-sampled-Os
CM_TRACED_LONG := an385m0-traced-O0 $(foreach b,an385 an385m0,$b-lanes-O0 $b-traced-O2 $b-traced-O3 $b-lanes-O2) an385-longfound-Os \
                  an385m0-longlanes-Os an385m0-longtick-Os an385m0-sampled-Os microbit-long-Os microbit-traced-Os an505-traced-Os
CM_IMAGES := $(foreach v,arcs timed,an505-$v-Os $(if $(LONG),an386-$v-Os)) an500-timed-Os $(if $(LONG),an500-arcs-Os) \
             $(foreach v,arcs timed,$(CM_BUILT:%=an385-$v-%) $(CM_BUILT_M0:%=microbit-$v-%)) an385-arcs-O2 \
             $(foreach v,$(CM_ONCE),an385-$v-Os microbit-$v-Os) \
             $(foreach v,$(CM_ONCE_M3),an385-$v-Os $(if $(LONG),microbit-$v-Os)) \
             $(CM_TRACED) $(if $(LONG),$(CM_TRACED_LONG) an386-small-Os an505-small-Os an385m0-timed-Os) \
             an385m0-plain-Os an385-beat-Os an385-jitter-Os an385-id-Os microbit-clock24-Os
CM_ELF := $(CM_IMAGES:%=$(CM)/%.elf)

# tests/sim/test_timed_thumb.sh's
CM_AS_IMAGES := $(foreach b,an385 an385m0,$b-hooked-Os $b-bare-Os $b-hookedsame-Os $b-counted-O2) an385-hooked-O2 an505-hooked-Os \
                $(foreach v,hooked1 hooked3 hookedtick hookedfound hookedfew hookedmask,an385-$v-Os) \
                $(if $(LONG),$(foreach b,an385 an385m0,$(foreach l,O0 O1 O2 O3,$b-hooked-$l) $b-countedsame-Os) \
                $(foreach v,hooked1 hooked3 hookedtick hookedfew,an385m0-$v-Os) \
                $(foreach b,microbit an386,$b-hooked-Os) an505-counted-Os)

.PHONY: cortexm cortexm-as
cortexm-as: $(CM)/truth.so $(CM_AS_IMAGES:%=$(CM)/%.elf)
cortexm: $(CM)/truth.so $(CM_ELF) ## build the simulated Cortex-M nodes

$(CM_BOARDS:%=$(CM)/%.o): $(CM)/%.o: $(CM_BOARD_SRC) $(CM_HEADERS)
	@mkdir -p $(@D)
	@echo "  ARM	$@"
	$(Q)$(call cm_object,$(call cm_board,$*) -Os,\
		$(CM_BOARD_SRC) sim/cortexm/boards/$(CM_CHIP_$*)/chip.c)

$(CM)/as/as: sim/cortexm/build.mk $O/wsntop
	$(Q)$O/wsntop as --install $(@D) $(CM_CC:gcc=) '--except=$(CM_QUIET)' >/dev/null
	$(Q)touch $@
$(foreach b,$(CM_BOARDS),$(foreach l,$(CM_OPTS),$(CM)/$b-traced-$l.o $(CM)/$b-lanes-$l.o)): $(CM)/as/as

$(CM)/as-timed/as $(CM)/as-count/as: $(CM)/as-%/as: sim/cortexm/build.mk $O/wsntop
	$(Q)$O/wsntop as --install $(@D) $(CM_CC:gcc=) --$* '--except=$(CM_QUIET)' >/dev/null
	$(Q)touch $@
$(foreach b,$(CM_BOARDS),$(foreach l,$(CM_OPTS),$(CM)/$b-hooked-$l.o $(CM)/$b-hookedsame-$l.o)): $(CM)/as-timed/as
$(foreach b,$(CM_BOARDS),$(foreach l,$(CM_OPTS),$(CM)/$b-counted-$l.o $(CM)/$b-countedsame-$l.o)): $(CM)/as-count/as

# Declares the rules of a board and variant.
define cm_rules
$(CM)/$1-$2.o: $(call cm_runtime,$2) $(CM_HEADERS)
	@mkdir -p $$(@D)
	@echo "  ARM	$$@"
	$(Q)$$(call cm_object,$(call cm_board,$1) $(call CM_CONF_$2,$1) -Os -mgeneral-regs-only,\
		$(call cm_runtime,$2))

$(CM)/$1-$2-%.o: $(call cm_work,$2) $(CM_HEADERS)
	@mkdir -p $$(@D)
	@echo "  ARM	$$@"
	$(Q)$$(call cm_object,$(call cm_board,$1) -$$* $(CM_CALLS_$2) $(call CM_HOOKS_$2,$1) \
		$(call CM_CONF_$2,$1) $(CM_WORK),$(call cm_work,$2))

$(CM)/$1-$2-%.elf: $(CM)/$1.o $(CM)/$1-$2.o $(CM)/$1-$(or $(CM_LIKE_$2),$2)-%.o $(CM)/$1.ld
	@echo "  ARM	$$@"
	$(Q)$(CM_CC) -mthumb $(CM_CPU_$1) $(CM_LINK) $(CM_LINK_$2) -T $(CM)/$1.ld -Wl,-Map=$$(@:.elf=.map) \
		-o $$@ $$(filter %.o,$$^)
endef
$(foreach b,$(CM_BOARDS),$(foreach v,$(CM_VARIANTS),$(eval $(call cm_rules,$b,$v))))
.SECONDARY: $(CM_AS_IMAGES:%=$(CM)/%.o) $(CM_IMAGES:%=$(CM)/%.o) $(CM_BOARDS:%=$(CM)/%.ld)

$(CM_BOARDS:%=$(CM)/%.ld): $(CM)/%.ld: sim/cortexm/firmware.ld sim/cortexm/build.mk
	@mkdir -p $(@D)
	$(Q)$(CM_CC) -E -P -x c $(CM_MEMORY_$(CM_CHIP_$*)) -o $@ $<

# One that keeps the linker's build-id where the runtime finds it.
$(CM)/an385-id.ld: sim/cortexm/firmware.ld sim/cortexm/build.mk
	@mkdir -p $(@D)
	$(Q)$(CM_CC) -E -P -x c -DBUILD_ID $(CM_MEMORY_mps2) -o $@ $<

$(CM)/an385-id-Os.elf: $(CM)/an385.o $(CM)/an385-arcs.o $(CM)/an385-arcs-Os.o $(CM)/an385-id.ld
	@echo "  ARM	$@"
	$(Q)$(CM_CC) -mthumb $(CM_CPU_an385) $(CM_LINK) -Wl,--build-id -T $(CM)/an385-id.ld \
		-o $@ $(filter %.o,$^)

# --- the plugin -----------------------------------------------------------------------------

$(CM)/truth.so: $(wildcard sim/cortexm/truth/*.c sim/cortexm/truth/*.h)
	@mkdir -p $(@D)
	@echo "  LD	$@"
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes \
		-Wmissing-prototypes -fPIC -shared -fvisibility=hidden -o $@ $(filter %.c,$^)
