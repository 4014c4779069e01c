# The simulated node: the simulator (host), and firmware for the chips it simulates.
# Included by the Makefile.

SIM_SRC := $(sort $(wildcard sim/*.c))
SIM_OBJ := $(SIM_SRC:%.c=$O/%.o)

sim: $O/sim/avrnode ## build the simulated node

$O/sim/avrnode: $(SIM_OBJ) $O/libcore.a
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS) -lsimavr -lutil

-include $(SIM_OBJ:.o=.d)

# The helper processes of simavr: and qemu:, beside wsntop.
SOURCE_SRC := $(sort $(wildcard sim/source/*.c))
SOURCE_OBJ := $(SOURCE_SRC:%.c=$O/%.o)

sim: $O/wsntop-simavr

$O/wsntop-simavr: $(SOURCE_OBJ) $(filter-out $O/sim/avrnode.o,$(SIM_OBJ)) $O/libcore.a
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS) -lsimavr -lutil

-include $(SOURCE_OBJ:.o=.d)

QEMU_HOST := $O/sim/source/qemu/host.o $O/sim/source/commands.o
QEMU_PLUGIN_SRC := $(addprefix sim/source/,qemu/plugin.c qemu/sp.c shadow.c depth.c pack.c watch.c commands.c) \
                   core/wire/probe/value.c \
                   $(addprefix sim/cortexm/truth/,observer.c image.c insn.c tally.c) \
                   $(addprefix core/base/,mem.c map.c)

sim: $O/wsntop-qemu $O/wsntop-qemu.so

$O/wsntop-qemu: $(QEMU_HOST) $O/libcore.a
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$O/wsntop-qemu.so: $(QEMU_PLUGIN_SRC) $(wildcard sim/source/*.h sim/source/qemu/*.h \
		sim/cortexm/truth/*.h core/wire/*.h core/wire/sim/*.h)
	$(call say,LD)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -fPIC -shared -fvisibility=hidden -o $@ $(filter %.c,$^) -lm

-include $(QEMU_HOST:.o=.d)

# --- firmware -----------------------------------------------------------------------------------

AVR_CC  ?= avr-gcc

AVR_FLAGS := -fdebug-prefix-map=$(CURDIR)=. -DF_CPU=8000000UL -std=c99 -ggdb -gdwarf-2 \
             -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
             -Wwrite-strings -Wvla -Wundef -Itarget-common -Itarget-avr
AVR_INSTRUMENT := -finstrument-functions -finstrument-functions-exclude-file-list=util/
# Where program counters have 22 bits gcc warns at every call site that it passes only 16 of them;
# no option turns that off.
AVR_ERROR = $(if $(findstring atmega2560,$@),-w,-Werror)

RUNTIME := $(sort $(wildcard target-common/*.c target-avr/*.c target-avr/*.S))
# The same in two files: most of an image's time goes into starting a compiler for each of small ones. The demo is built
# of the single files, these are the rest's.
RUNTIME_TWO := $(sort $(wildcard target-avr/all/*))
RUNTIME_H := $(sort $(wildcard target-common/*.h target-avr/*.h target-avr/*.inc))

# --- the demo -----------------------------------------------------------------------------------

# demo runs for ever; finite stops after some rounds and ends the simulation; changed differs from
# demo in one constant.

DEMO_SRC := $(sort $(wildcard sim/firmware/*.c))
DEMO_H := $(sort $(wildcard sim/firmware/*.h))
DEMOS := $(patsubst %,$O/sim/firmware/%.elf,demo finite changed)

$O/sim/firmware/finite.elf: AVR_EXTRA := -DDEMO_ROUNDS=400
$O/sim/firmware/changed.elf: AVR_EXTRA := -DDEMO_QUIET_SECONDS=3
$(DEMOS): $(DEMO_SRC) $(DEMO_H) $(RUNTIME) $(RUNTIME_H) sim/build.mk
	@mkdir -p $(@D)
	$(call say,AVR)
	$(Q)$(AVR_CC) -mmcu=atmega1284p $(AVR_FLAGS) $(AVR_ERROR) -Os -fno-inline -fno-ipa-cp \
		$(AVR_INSTRUMENT) -DWSNPROF_LEVEL=3 $(AVR_EXTRA) -Isim/firmware -o $@ \
		$(DEMO_SRC) $(RUNTIME)

# The demo with the hooks of `wsntop as`: every call is sent, so its line is faster. What keeps the
# runtime running is not followed, and the runtime itself is not filtered.
TRACED_DEMO := $O/sim/firmware/traced
TRACED_DEMO_QUIET := ^(main|finish|wait_for_round|sleep_unless_due)$$

$(TRACED_DEMO).elf: $(DEMO_SRC) $(DEMO_H) $(RUNTIME) $(RUNTIME_H) sim/build.mk $O/wsntop
	@mkdir -p $(TRACED_DEMO)
	$(call say,AVR)
	$(Q)$O/wsntop as --install $(TRACED_DEMO)/as avr- '--except=$(TRACED_DEMO_QUIET)' \
		>$(TRACED_DEMO)/said
	$(Q)compile() { $(AVR_CC) -mmcu=atmega1284p $(AVR_FLAGS) -Werror -Os -fno-inline -fno-ipa-cp \
			-fno-ipa-ra -DWSNPROF_TRACE=1 -DWSNPROF_BAUD=250000UL \
			'-DWSNPROF_NAME="traced"' -Isim/firmware "$$@"; }; \
	for f in $(DEMO_SRC); do \
		compile -B $(TRACED_DEMO)/as -c -o $(TRACED_DEMO)/$$(basename $$f).o $$f || exit 1; done; \
	for f in $(RUNTIME); do \
		compile -c -o $(TRACED_DEMO)/$$(basename $$f).o $$f || exit 1; done; \
	compile -o $@ $(TRACED_DEMO)/*.o

# --- a firmware without any of wsntop's runtime: with its fault, and mended --------------------------

RADIOS := $O/sim/firmware/radio.elf $O/sim/firmware/radio-fixed.elf

$O/sim/firmware/radio-fixed.elf: AVR_EXTRA := -DRADIO_FIXED
$(RADIOS): sim/radio/radio.c sim/build.mk
	@mkdir -p $(@D)
	$(call say,AVR)
	$(Q)$(AVR_CC) -mmcu=atmega1284p $(AVR_FLAGS) -Werror -Os -fno-inline $(AVR_EXTRA) -o $@ $<

# --- the workloads: sim/workload/CHIP/NAME-LEVEL.elf, and NAME-LEVEL-plain.elf without hooks ------

# With these the instrumented program and the plain one make the same calls
# (sim/workload/workload.h).
WORKLOAD_SAME := -fno-inline -fno-optimize-sibling-calls -fno-ipa-pure-const -fno-ipa-cp \
                 -fno-ipa-sra -fno-ipa-ra -fno-ipa-icf -fno-tree-ter
WORKLOAD_LINK := -ffunction-sections -fdata-sections -Wl,--gc-sections \
                 -Wl,--wrap=memcpy,--wrap=memset,--wrap=memmove
WORKLOAD_SRC := $(sort $(wildcard sim/workload/*.c sim/workload/avr/*.c tests/sim/firmware/*.c))
WORKLOAD_H := $(sort $(wildcard sim/workload/*.h sim/workload/avr/*.h))

# NAME's settings, and what it runs.
QUICK := -DWORKLOAD_FIB=12 -DWORKLOAD_CRC_KB=2 -DWORKLOAD_STORM=200 -DWORKLOAD_JUMPS=6
SET_suite := $(QUICK) -DWSNPROF_SITES=256 -DWSNPROF_STACK=96
RUN_suite := crc fib net storm deep jump pointer tail copy mutual
SET_small := $(QUICK) -DWSNPROF_SITES=64 -DWORKLOAD_DEEP=24
RUN_small := crc fib storm deep jump pointer
SET_rest := $(QUICK) -DWSNPROF_SITES=64
RUN_rest := tail copy mutual
SET_calls := $(QUICK) -DWSNPROF_SITES=128 -DWSNPROF_LEVEL=0
RUN_calls := fib net
SET_high := $(SET_suite) -DWORKLOAD_PAD=131072
RUN_high := $(RUN_suite)
SET_across := $(SET_suite) -DWORKLOAD_PAD=126000
RUN_across := $(RUN_suite)
SET_high17 := $(QUICK) -DWSNPROF_SITES=128 -DWORKLOAD_PAD=61000
RUN_high17 := crc fib storm jump pointer mutual
SET_inga := -DWSNPROF_SITES=16
RUN_inga := crc fib
SET_sample := -DWSNPROF_SITES=128
RUN_sample := sample
SET_full := -DWSNPROF_SITES=32 -DWSNPROF_STACK=12
RUN_full := deep full
SET_jump := -DWSNPROF_SITES=32
RUN_jump := jump
SET_slow := $(QUICK) -DWSNPROF_SITES=256 -DWSNPROF_BAUD=9600UL
RUN_slow := net storm
SET_tight := $(QUICK) -DWSNPROF_SITES=64 -DWSNPROF_BAUD=9600UL
RUN_tight := crc fib storm pointer
SET_stream := $(subst STORM=200,STORM=2000,$(QUICK)) -DWSNPROF_SITES=256 -DWSNPROF_SPARE_FRAMES=4 \
              -DWORKLOAD_TAIL_MS=4000
RUN_stream := net storm oneway pingpong storm
SET_other := $(subst =2000,=2001,$(SET_stream))
RUN_other := $(RUN_stream)
SET_pace := -DWSNPROF_SITES=16
RUN_pace := pace
SET_flood := -DWSNPROF_SITES=16
RUN_flood := flood
SET_ring := -DWSNPROF_SITES=16
RUN_ring := ring
SET_era := -DWSNPROF_SITES=16
RUN_era := era
SET_text := $(SET_suite) -DWSNPROF_TEXT=1 -DWORKLOAD_REPORT
RUN_text := $(RUN_suite)
# Measured, not sent meanwhile: the bench's.
SET_bench := -DWSNPROF_SITES=128 -DWORKLOAD_MUTE
RUN_bench := net
SET_benchfib := -DWSNPROF_SITES=128 -DWORKLOAD_MUTE -DWORKLOAD_FIB=20
RUN_benchfib := fib
SET_bench0 := $(SET_bench) -DWSNPROF_LEVEL=0
RUN_bench0 := net
SET_bench3 := $(SET_bench) -DWSNPROF_LEVEL=3
RUN_bench3 := net
SET_bench8bit := $(SET_bench) -DWSNPROF_TIMER=2
RUN_bench8bit := net
SET_benchflag := $(SET_bench) -DWSNPROF_TIMER_READ=1
RUN_benchflag := net
SET_benchtick := $(SET_bench) -DWSNPROF_TIMER_READ=2
RUN_benchtick := net
SET_benchfull := -DWSNPROF_SITES=64 -DWORKLOAD_MUTE
RUN_benchfull := net
# Nothing is taken back: the hooks' own time is in the run.
SET_costcalls := $(SET_benchfull) -DWSNPROF_LEVEL=0
RUN_costcalls := net
SET_costslow := $(SET_benchfull) -DWSNPROF_PRESCALE=64
RUN_costslow := net
# The tasks of INGA's evaluation (bench/paper1), as large as there; brief: a test's.
PAPER_TASKS := crc fib oneway pingpong sample
PAPER_SET := -DWSNPROF_SITES=128 -DWORKLOAD_MUTE
$(foreach t,$(PAPER_TASKS),$(eval SET_paper$t := $(PAPER_SET) -DWORKLOAD_CRC_KB=128 \
	-DWORKLOAD_ROUNDS=$(if $(filter sample,$t),60,1000)))
$(foreach t,$(PAPER_TASKS),$(eval SET_brief$t := $(PAPER_SET) $(QUICK) -DWORKLOAD_ROUNDS=8))
$(foreach t,$(PAPER_TASKS),$(eval RUN_paper$t := $t)$(eval RUN_brief$t := $t))
PAPERS := $(foreach k,paper brief,$(foreach t,$(PAPER_TASKS),\
	$(foreach p,Os Os-plain,$O/sim/workload/atmega1284p/$k$t-$p.elf)))

# bench/node's, where it is not --brief.
BENCHES := $(foreach n,bench8bit benchflag benchtick,$(foreach p,Os Os-plain,$O/sim/workload/atmega1284p/$n-$p.elf))

# LONG: those, too, that only `make check-long` runs (tests/long.sh).
BIG_CHIPS := atmega1284p atmega2560 atmega128rfa1
LEVELS := O0 Os $(if $(LONG),O1 O2 O3)
WORKLOAD_NAMES := \
	$(foreach l,$(LEVELS),$(foreach f,$(addsuffix /suite,$(BIG_CHIPS)) atmega328p/small,\
	$f-$l $f-$l-plain)) \
	atmega328p/calls-Os atmega328p/rest-Os atmega2560/high-Os atmega2560/across-O2 \
	atmega1284p/high17-Os \
	$(foreach c,atmega2560 $(if $(LONG),atmega128rfa1),$(foreach n,full slow pace,$c/$n-Os)) \
	$(if $(LONG),$(foreach n,full tight pace,atmega328p/$n-Os) atmega1284p/inga-Os) \
	$(foreach n,sample full jump slow stream other pace flood ring era text costcalls costslow,\
	atmega1284p/$n-Os) \
	$(foreach n,bench benchfib bench0 bench3 benchfull,atmega1284p/$n-Os atmega1284p/$n-Os-plain)
WORKLOADS := $(WORKLOAD_NAMES:%=$O/sim/workload/%.elf)

demo-firmware: $(DEMOS) $(RADIOS) $(TRACED_DEMO).elf
firmware: demo-firmware $(WORKLOADS) $(if $(LONG),$(BENCHES)) ## build the firmware of the demo and of the tests

# atmega1284p/suite-Os-plain: chip, name, level, plain or not
stem = $(word $2,$(subst -, ,$(subst /, ,$1)))

$(WORKLOADS) $(PAPERS) $(BENCHES): $O/sim/workload/%.elf: $(WORKLOAD_SRC) $(WORKLOAD_H) $(RUNTIME) $(RUNTIME_TWO) $(RUNTIME_H) \
		sim/build.mk
	@mkdir -p $(@D)
	$(call say,AVR)
	$(Q)$(AVR_CC) -mmcu=$(call stem,$*,1) $(AVR_FLAGS) $(AVR_ERROR) -$(call stem,$*,3) \
		$(WORKLOAD_SAME) $(if $(call stem,$*,4),,$(AVR_INSTRUMENT)) \
		$(SET_$(call stem,$*,2)) \
		'-DWORKLOAD_RUN=$(foreach r,$(RUN_$(call stem,$*,2)),RUN($r))' \
		-Isim/workload -Isim/workload/avr $(WORKLOAD_LINK) -o $@ $(WORKLOAD_SRC) $(RUNTIME_TWO)

# --- traced: sim/traced/CHIP/NAME-LEVEL.elf: the workloads with the hooks of `wsntop as` ----------

TRACED_SET := $(QUICK) -DWORKLOAD_TRACED -DWSNPROF_TRACE_JUMPS=4
TRACED_WRAP := -Wl,--wrap=setjmp,--wrap=longjmp
TRACED_RUN := crc fib net storm deep jump pointer tail copy mutual sample
SET_all := -DWORKLOAD_PAUSE_MS=20 -DWSNPROF_BAUD=250000UL -DWORKLOAD_ROUNDS=8
RUN_all := $(TRACED_RUN)
SET_wide := $(SET_all) -DWORKLOAD_IDS=300
RUN_wide := $(TRACED_RUN)
SET_sure := $(SET_all) -DWSNPROF_TRACE_HASH=40
RUN_sure := $(TRACED_RUN)
SET_surer := $(SET_wide) -DWSNPROF_TRACE_HASH=40 -DWSNPROF_TRACE_PACK=0
RUN_surer := $(TRACED_RUN)
AS_surer := --wide
SET_few := -DWSNPROF_IDENTITY=0 -DWORKLOAD_PAUSE_MS=4 -DWSNPROF_BAUD=9600UL -DWSNPROF_PRESCALE=256
RUN_few := net storm
SET_steady := -DWSNPROF_IDENTITY=0 -DWORKLOAD_PAUSE_MS=40 -DWORKLOAD_ROUNDS=60
RUN_steady := net
SET_surely := $(SET_steady) -DWSNPROF_TRACE_HASH=40
RUN_surely := net
SET_raw := $(SET_all) -DWSNPROF_TRACE_PACK=0
RUN_raw := $(TRACED_RUN)
SET_long := $(SET_all) -DWSNPROF_TRACE_LONG=60
RUN_long := $(TRACED_RUN)
SET_longwide := $(SET_wide) -DWSNPROF_TRACE_LONG=60 -DWSNPROF_TRACE_PACK=0
RUN_longwide := $(TRACED_RUN)
SET_sampled := $(SET_all) -DWSNPROF_TRACE_SAMPLE=20
RUN_sampled := $(TRACED_RUN)
SET_every := $(SET_all) -DWSNPROF_TRACE_EVERY=3
RUN_every := $(TRACED_RUN)
SET_alike := $(SET_all) -DWSNPROF_TRACE_ALIKE=8
RUN_alike := $(TRACED_RUN)
SET_alikewide := $(SET_wide) -DWSNPROF_TRACE_ALIKE=16 -DWSNPROF_TRACE_EVERY=2 -DWSNPROF_TRACE_PACK=0
RUN_alikewide := $(TRACED_RUN)
SET_least := -DWSNPROF_IDENTITY=0 -DWORKLOAD_PAUSE_MS=20 -DWSNPROF_TRACE_HANDLERS=0 -DWORKLOAD_DEEP=24
RUN_least := crc fib storm deep jump pointer tail copy mutual
# The encodings without a table; AS_: options of `wsntop as`.
TRACE_global := 3
SET_global := $(SET_all)
RUN_global := $(TRACED_RUN)
TRACE_local := 4
AS_local := --local
SET_local := $(SET_all)
RUN_local := $(TRACED_RUN)
TRACE_drowned := 4
AS_drowned := --local
SET_drowned := -DWSNPROF_IDENTITY=0 -DWORKLOAD_PAUSE_MS=4 -DWSNPROF_BAUD=9600UL
RUN_drowned := net storm jump
TRACE_huffman := 5
AS_huffman := --huffman=$O/sim/traced/profile.json
SET_huffman := $(SET_all)
RUN_huffman := $(TRACED_RUN)
TRACE_short := 3
SET_short := -DWSNPROF_IDENTITY=0 -DWORKLOAD_PAUSE_MS=40 -DWORKLOAD_ROUNDS=8 -DWSNPROF_TRACE_BITS=7 -DWSNPROF_TRACE_HANDLERS=0
RUN_short := net storm
TRACE_flow := 6
AS_flow := --control-flow
SET_flow := $(SET_all)
RUN_flow := $(TRACED_RUN)
# wsnprof_poll() is called by followed functions: frames tell where.
TRACE_places := 6
AS_places := --control-flow
SET_places := -DWSNPROF_IDENTITY=0 -DWORKLOAD_PAUSE_MS=4 -DWSNPROF_BAUD=19200UL
RUN_places := net storm jump pointer
QUIET_places := ^(main|say_sum|drain|finish|timer_begin)$$
# A region of interest: what is not in it calls what is, and is called by it.
TRACE_region := 6
AS_region := --control-flow
SET_region := $(SET_all)
RUN_region := $(TRACED_RUN)
QUIET_region = $(TRACED_QUIET)|^(app_\w+|link_\w+|storm_tick|crc_of|pointer_add|pointer_choose)$$
# longjmp() goes unseen: calls out that it skips must not be returned to.
TRACE_unwrapped := 6
AS_unwrapped := --control-flow
SET_unwrapped := $(SET_places) -UWSNPROF_TRACE_JUMPS
RUN_unwrapped := jump net pointer
QUIET_unwrapped := $(QUIET_places)
WRAP_unwrapped := -Wl,--gc-sections
AS_wide := --wide
AS_longwide := --wide
AS_alikewide := --wide
# Those of main.c and port.c that keep the profiler running, and workload_NAME().
TRACED_QUIET := ^(workload_\w+|main|say_sum|poll_for|drain|finish|timer_begin)$$

TRACED_1284P := $(foreach n,all wide long sampled alike few steady global short local drowned huffman flow places unwrapped region,$n-Os) \
	$(if $(LONG),all-O0 all-O2 all-O3 global-O2 local-O0 local-O2 local-O3 huffman-O3 flow-O0 flow-O2 flow-O3 region-O0 region-O2 \
	$(foreach n,raw sure surely surer longwide every alikewide,$n-Os))
TRACED_2560 := $(foreach n,all local flow,$n-Os) $(if $(LONG),global-Os huffman-Os flow-O2 flow-O3 places-Os)
TRACED := $(patsubst %,$O/sim/traced/%.elf,$(TRACED_1284P:%=atmega1284p/%) $(TRACED_2560:%=atmega2560/%) atmega328p/least-Os)

traced: $(TRACED)

# The runtime is not filtered.
$(TRACED): $O/sim/traced/%.elf: $(WORKLOAD_SRC) $(WORKLOAD_H) $(RUNTIME) $(RUNTIME_TWO) $(RUNTIME_H) sim/build.mk $O/wsntop
	@mkdir -p $(@D)/$(*F) && rm -f $(@D)/$(*F)/*.o
	$(call say,AVR)
	$(Q)$O/wsntop as --install $(@D)/$(*F)/as avr- '--except=$(or $(QUIET_$(call stem,$*,2)),$(TRACED_QUIET))' \
		$(AS_$(call stem,$*,2)) >$(@D)/$(*F)/said
	$(Q)compile() { $(AVR_CC) -mmcu=$(call stem,$*,1) $(AVR_FLAGS) -Werror -$(call stem,$*,3) \
			-fno-inline -fno-ipa-ra -ffunction-sections -fdata-sections \
			-DWSNPROF_TRACE=$(or $(TRACE_$(call stem,$*,2)),1) $(TRACED_SET) \
			$(SET_$(call stem,$*,2)) '-DWORKLOAD_RUN=$(foreach r,$(RUN_$(call stem,$*,2)),RUN($r))' \
			-Isim/workload -Isim/workload/avr "$$@"; }; \
	for f in $(filter sim/%,$(WORKLOAD_SRC)); do \
		compile -B $(@D)/$(*F)/as -c -o $(@D)/$(*F)/$$(basename $$f).o $$f || exit 1; done; \
	for f in $(RUNTIME_TWO); do compile -c -o $(@D)/$(*F)/$$(basename $$f).o $$f || exit 1; done; \
	compile $(WORKLOAD_LINK) $(or $(WRAP_$(call stem,$*,2)),$(TRACED_WRAP)) -o $@ $(@D)/$(*F)/*.o

# What Huffman codes are made by: a run of the same program.
$O/sim/traced/profile.json: $O/sim/traced/atmega1284p/local-Os.elf $O/sim/avrnode
	$(call say,RUN)
	$(Q)$O/sim/avrnode --mcu=atmega1284p --fast --seconds=200 --uart=$@.bin $< >/dev/null
	$(Q)$O/wsntop -B -p file:$@.bin -e $< -x json:$@ >/dev/null 2>&1
$(filter %/huffman-Os.elf %/huffman-O3.elf,$(TRACED)): $O/sim/traced/profile.json
