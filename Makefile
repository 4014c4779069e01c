# wsntop: `make help` lists what there is to make.
#
#   CC=clang O=build/clang    another compiler, another build directory; a cross compiler: CONTRIBUTING.md
#   SAN=1                     address and undefined-behaviour sanitizers

#   V=1                       show the commands

CC      ?= cc
ifeq ($(origin CC),default)
CC      := gcc
endif
O       ?= build
PREFIX  ?= /usr/local
DESTDIR ?=
LIBDIR  ?= $(PREFIX)/lib
OBJCOPY ?= $(shell $(CC) -print-prog-name=objcopy)
# A cross compiler knows its machine's tools, and where that machine's libraries are.
ifeq ($(origin AR),default)
AR      := $(shell $(CC) -print-prog-name=ar)
endif
SYSROOT := $(patsubst %/,%,$(shell $(CC) -print-sysroot 2>/dev/null))
MACHINE := $(shell $(CC) -print-multiarch 2>/dev/null)
ifneq ($(MACHINE),$(shell gcc -print-multiarch 2>/dev/null))
ifneq ($(wildcard $(SYSROOT)/usr/lib/$(MACHINE)/pkgconfig),)
PKG_CONFIG ?= PKG_CONFIG_SYSROOT_DIR=$(SYSROOT) \
              PKG_CONFIG_LIBDIR=$(SYSROOT)/usr/lib/$(MACHINE)/pkgconfig:$(SYSROOT)/usr/share/pkgconfig pkg-config
endif
endif
PKG_CONFIG ?= pkg-config
JOBS    := $(shell nproc 2>/dev/null || echo 1)
VERSION := $(file <VERSION)

Q       := $(if $(V),,@)
say      = $(if $(V),,@echo "  $(1)	$@")

CORE_LIBS := libserialport libelf libpcre2-8 inih libcjson zlib libprotobuf-c
LIBS     := ncursesw $(CORE_LIBS)
# Without libmosquitto there is no broker: all else is the same.
ifeq ($(shell $(PKG_CONFIG) --exists libmosquitto 2>/dev/null && echo 1),1)
CORE_LIBS += libmosquitto
LIBS     += libmosquitto
CPPFLAGS += -DWSNTOP_MQTT
endif
# Without libcurl's headers nothing is pushed: all else is the same. It is not linked (core/collect/post.c).
ifeq ($(shell $(PKG_CONFIG) --exists 'libcurl >= 7.87' 2>/dev/null && echo 1),1)
CPPFLAGS += -DWSNTOP_CURL $(shell $(PKG_CONFIG) --cflags libcurl)
endif
# Asked once, not again for each file that is compiled.
LIBS_INCLUDED := $(shell $(PKG_CONFIG) --cflags $(LIBS) 2>/dev/null)
LIBS_LINKED   := $(shell $(PKG_CONFIG) --libs $(LIBS) 2>/dev/null)
# Debian 12's libdwarf has no file for pkg-config, later ones have.
LIBDWARF_INCLUDED := $(or $(shell $(PKG_CONFIG) --cflags libdwarf 2>/dev/null),-I$(SYSROOT)/usr/include/libdwarf)
WARN     := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith \
            -Wwrite-strings -Wvla -Wundef -Wno-missing-field-initializers
# A sanitizer's report needs lines, not variables: a tenth of its compiler's time.
OPT      ?= -O2 $(if $(SAN),-g1,-g)
# What the compiler has against an attacker's bytes; the sanitizers have their own (tests/golden/test_hardened.sh).
ifeq ($(SAN)$(findstring -fsanitize,$(OPT)),)
HARDEN   := -fPIE -fstack-protector-strong -fstack-clash-protection \
            $(if $(filter x86_64%,$(shell $(CC) -dumpmachine)),-fcf-protection) \
            $(if $(filter aarch64%,$(shell $(CC) -dumpmachine)),-mbranch-protection=standard) \
            $(if $(filter -O0,$(OPT)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
ifeq ($(shell uname -s),Linux)
LDFLAGS  += -pie -Wl,-z,relro,-z,now,-z,noexecstack
endif
endif
CFLAGS   += -std=c11 $(OPT) $(WARN) $(HARDEN)
CPPFLAGS += -D_GNU_SOURCE -I. -I$O -DWSNTOP_VERSION='"$(VERSION)"' -DWSNTOP_DATADIR='"$(PREFIX)/share/wsntop"' \
            $(LIBS_INCLUDED) $(LIBDWARF_INCLUDED)
# Functions that glibc and musl have, for systems that are not Linux (untried).
ifneq ($(shell uname -s),Linux)
CPPFLAGS += -include core/base/os_missing.h
endif
# Those of libwsntop that pkg-config does not know.
CORE_LDLIBS := $(or $(shell $(PKG_CONFIG) --libs libdwarf 2>/dev/null),-ldwarf) -liberty -lm -pthread
# Static libraries in the order in which they need each other.
LDLIBS   += $(CORE_LDLIBS) $(LIBS_LINKED) -lm
ifdef SAN
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# By clang for the fuzz targets, too: they count what is reached. How deep the stack was teaches nothing here, and differs
# by where the kernel put the stack. A call at each comparison of numbers takes 1/3 to 3/4 of a processor's time, and
# nothing is learnt by it where use_cmp=0; what strcmp() and memcmp() compare is heard without it. To mark what is behind
# its scope takes half of a decoder's time, and three of UBSan's checks, of which ASan finds most, a fifth of the compiler's:
# `make check-long` has the unit tests with all of these (SAN=scope).
ifeq ($(SAN)$(findstring clang,$(CC)),1clang)
SANITIZE += -fno-sanitize-address-use-after-scope -fno-sanitize=null,object-size,pointer-overflow -fsanitize=fuzzer-no-link -fno-sanitize-coverage=stack-depth,trace-cmp
endif
CFLAGS   += $(SANITIZE)
LDFLAGS  += -fsanitize=address,undefined
endif

CORE_SRC := $(sort $(wildcard core/*/*.c core/*/*/*.c))
LIB_SRC  := $(sort $(wildcard lib/*.c))
TUI_SRC  := $(sort $(wildcard tui/*.c tui/*/*.c tui/*/*/*.c))
HEADERS  := $(sort $(wildcard core/*/*.h core/*/*/*.h tui/*.h tui/*/*.h tui/*/*/*.h lib/*.h include/*.h))
CORE_OBJ := $(CORE_SRC:%.c=$O/%.o) $O/export/profile.pb-c.o
LIB_OBJ  := $(LIB_SRC:%.c=$O/%.o)
TUI_OBJ  := $(TUI_SRC:%.c=$O/%.o)
UNIT_BIN := $(patsubst tests/unit/%.c,$O/tests/unit/%,$(sort $(wildcard tests/unit/test_*.c)))
TOOL_BIN := $(patsubst tests/tools/%.c,$O/tests/tools/%,$(sort $(wildcard tests/tools/*.c)))
PPK2_OBJ := $(patsubst %.c,$O/%.o,$(sort $(wildcard tests/power/*.c)))
M3_OBJ   := $(patsubst %.c,$O/%.o,$(sort $(wildcard tests/probe/*.c)))
SCREEN_OBJ := $(patsubst tests/tools/screen/%.c,$O/tests/tools/screen.parts/%.o,$(sort $(wildcard tests/tools/screen/*.c)))
BENCH_BIN := $(patsubst bench/%.c,$O/bench/%,$(sort $(wildcard bench/bench_*.c)))
FUZZ     := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))

.PHONY: help flags all lib demo check check-long packages install install-lib dist clean unit lint tools bench bench-node \
        bench-paper1 bench-trace bench-trace-size headers firmware sim fuzz fuzz-bin manual pictures demo-firmware check-build \
        check-san coverage fuzz-libdwarf fuzz-cover fuzz-cover-bin FORCE
.DELETE_ON_ERROR:

all: $O/wsntop ## build wsntop (build/wsntop, and a link to it here)

help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

demo: packages ## build all, start a simulated node and watch it live
	@$(MAKE) --no-print-directory -j$(JOBS) all sim demo-firmware
	@TRACED=1 sim/demo

check: packages ## build with gcc and clang and pass every test, sanitizers and fuzzers included
	@$(MAKE) --no-print-directory -j$(JOBS) check-build check-san
	@tests/run all

check-long: ## hours of fuzzing, a million keys, the pictures, trials (SECONDS_EACH, MONKEY_KEYS: shorter)
	@tests/packages long
	@$(MAKE) --no-print-directory -j$(JOBS) LONG=1 check-build unit check-san
	@$(MAKE) --no-print-directory -j$(JOBS) CC=clang SAN=scope O=build/scope unit
	@tests/run long

packages: ## install the Debian packages that are missing (packages.txt), as root or with sudo
	@tests/packages

# --- the program --------------------------------------------------------------------------------

$O/wsntop: $(TUI_OBJ) $O/libcore.a
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(TUI_OBJ) $O/libcore.a $(LDLIBS)
	@test $O != build || ln -sf build/wsntop wsntop

$O/libcore.a: $(CORE_OBJ)
	@rm -f $@
	$(call say,AR)
	$(Q)$(AR) rcs $@ $(CORE_OBJ)

# --- the library: core/ behind include/wsntop.h ---------------------------------------------------

# The same objects make wsntop. What is hidden can be called directly, so that it costs no time there.
SHARED   := -fPIC -fvisibility=hidden
$(CORE_OBJ) $(LIB_OBJ): private CFLAGS += $(SHARED)

# Objects of a checkout from before these flags are compiled again.
$(CORE_OBJ) $(LIB_OBJ) $(TUI_OBJ): $O/compiled-with
$O/compiled-with: FORCE
	@mkdir -p $(@D)
	@echo '$(SHARED) $(HARDEN) $(SANITIZE)' | cmp -s - $@ || echo '$(SHARED) $(HARDEN) $(SANITIZE)' >$@

SONAME   := libwsntop.so.0
LIBRARY  := $O/$(SONAME) $O/libwsntop.so $(if $(SAN),,$O/libwsntop.a)

lib: $(LIBRARY) ## build libwsntop, shared and static (docs/LIBRARY.md)

# A sanitizer's functions are in the program that is linked with the library.
$O/$(SONAME): $(LIB_OBJ) $O/libcore.a lib/wsntop.map
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(filter-out -pie,$(LDFLAGS)) -shared -Wl,-soname,$(SONAME) -Wl,--version-script=lib/wsntop.map \
		$(if $(SAN),,-Wl,-z,defs) -Wl,--as-needed -o $@ $(LIB_OBJ) $O/libcore.a \
		$(filter-out -lncursesw -ltinfo,$(LIBS_LINKED)) $(CORE_LDLIBS)

$O/libwsntop.so: $O/$(SONAME)
	@ln -sf $(SONAME) $@

# One object, in which only the functions of wsntop.h keep their names.
$O/libwsntop.a: $(LIB_OBJ) $(CORE_OBJ)
	@rm -f $@
	$(call say,AR)
	$(Q)$(CC) -r -nostdlib -o $O/lib/wsntop-all.o $^
	$(Q)$(OBJCOPY) --localize-hidden $O/lib/wsntop-all.o
	$(Q)$(AR) rcs $@ $O/lib/wsntop-all.o
	@rm -f $O/lib/wsntop-all.o

install-lib: lib ## install libwsntop alone
	install -D -m 644 include/wsntop.h $(DESTDIR)$(PREFIX)/include/wsntop.h
	install -D -m 644 $O/$(SONAME) $(DESTDIR)$(LIBDIR)/$(SONAME).$(VERSION)
	ln -sf $(SONAME).$(VERSION) $(DESTDIR)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libwsntop.so
	[ ! -e $O/libwsntop.a ] || install -m 644 $O/libwsntop.a $(DESTDIR)$(LIBDIR)
	install -d $(DESTDIR)$(LIBDIR)/pkgconfig
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(patsubst $(PREFIX)/%,$${prefix}/%,$(LIBDIR))|; s|@VERSION@|$(VERSION)|; s|@REQUIRES@|$(CORE_LIBS)|; s|@LIBS@|$(CORE_LDLIBS)|' \
		lib/wsntop.pc.in >$(DESTDIR)$(LIBDIR)/pkgconfig/wsntop.pc

# Scripts and styles of exported pages, as strings that their exporters include.
$O/embedded/%.inc: core/export/page/%
	@mkdir -p $(@D)
	$(Q)sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' $< >$@

$O/core/export/flamegraph.o: $O/embedded/flame.js.inc $O/embedded/flame.css.inc
$O/core/export/html.o: $O/embedded/report.js.inc $O/embedded/report.css.inc

# pprof's messages: what protobuf-c makes of their description.
$O/export/%.pb-c.c $O/export/%.pb-c.h &: core/export/%.proto
	@mkdir -p $(@D)
	$(Q)protoc-c --proto_path=$(<D) --c_out=$O/export $<
$O/export/%.o: $O/export/%.c
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<
$O/core/export/pprof.o $O/core/import/pprof.o: $O/export/profile.pb-c.h

$O/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# What is compiled in may change between two builds: `make` and then `make install PREFIX=/usr`.
$O/tui/term/theme.o $O/tui/main.o $O/tui/term/crash.o $O/tui/command/init.o $O/tui/start/picker.o $O/lib/session.o $O/core/link/process.o: $O/compiled-in
$O/core/link/process.o: private CPPFLAGS += -DWSNTOP_LIBEXECDIR='"$(PREFIX)/libexec/wsntop"'
$O/compiled-in: FORCE
	@mkdir -p $(@D)
	@echo '$(VERSION) $(PREFIX)' | cmp -s - $@ || echo '$(VERSION) $(PREFIX)' >$@

-include $(CORE_OBJ:.o=.d) $(LIB_OBJ:.o=.d) $(TUI_OBJ:.o=.d) $(UNIT_BIN:=.d) $(TOOL_BIN:=.d) $(SCREEN_OBJ:.o=.d) $(M3_OBJ:.o=.d) $(BENCH_BIN:=.d)

# What `wsntop init` copies, and the examples; not what was built in them.
SHARE_FILES = $(shell find target-common target-avr target-cortexm examples -name build -prune -o -type f -print | sort)
UDEVDIR ?= $(PREFIX)/lib/udev
DOCDIR  ?= $(PREFIX)/share/doc/wsntop

install: all install-lib ## install below DESTDIR/PREFIX
	install -D -m 755 $O/wsntop $(DESTDIR)$(PREFIX)/bin/wsntop
	for f in wsntop-simavr wsntop-qemu wsntop-qemu.so; do [ ! -e $O/$$f ] || \
		install -D -m 755 $O/$$f $(DESTDIR)$(PREFIX)/libexec/wsntop/$$f || exit 1; done
	install -d $(DESTDIR)$(PREFIX)/share/wsntop/themes
	install -m 644 themes/*.ini $(DESTDIR)$(PREFIX)/share/wsntop/themes
	install -D -m 644 docs/wsntop.1 $(DESTDIR)$(PREFIX)/share/man/man1/wsntop.1
	install -D -m 644 docs/completion/wsntop.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/wsntop
	install -D -m 644 docs/completion/wsntop.zsh $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_wsntop
	install -D -m 644 docs/completion/wsntop.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/wsntop.fish
	install -D -m 644 udev/70-wsntop.rules $(DESTDIR)$(UDEVDIR)/rules.d/70-wsntop.rules
	install -D -m 644 udev/wsntop.metainfo.xml $(DESTDIR)$(PREFIX)/share/metainfo/wsntop.metainfo.xml
	install -d $(DESTDIR)$(DOCDIR)/docs/integration
	install -m 644 README.md NEWS.md LICENSE $(DESTDIR)$(DOCDIR)
	install -m 644 docs/*.md docs/*.svg $(DESTDIR)$(DOCDIR)/docs
	install -m 644 docs/integration/*.md $(DESTDIR)$(DOCDIR)/docs/integration
	@for f in $(SHARE_FILES); do case $$f in */pack) mode=755 ;; *) mode=644 ;; esac; \
		install -D -m $$mode $$f $(DESTDIR)$(PREFIX)/share/wsntop/$$f || exit 1; done
	@[ -n "$(DESTDIR)" ] || echo "for debug probes: udevadm control --reload && udevadm trigger"

DIST := wsntop-$(VERSION)
dist: ## build/wsntop-VERSION.tar.gz: the commit that is checked out
	@mkdir -p $O
	git archive --prefix=$(DIST)/ -o $O/$(DIST).tar.gz HEAD

clean: ## remove what was built
	rm -rf build wsntop

# --- the simulated node -------------------------------------------------------------------------

include sim/build.mk
-include sim/cortexm/build.mk

# --- tests --------------------------------------------------------------------------------------

unit: $(UNIT_BIN) ## build the unit tests
lint: ## gcc -fanalyzer, clang-tidy and cppcheck over what changed since they found nothing (tests/lint)
	@tests/lint

tools: $(TOOL_BIN) $(if $(SAN),,$O/tests/tools/faulty.so) $O/tests/tools/screen $O/tests/probe/m3 $O/tests/power/ppk2 ## build the programs that the other tests use

# The only units above the core.
$O/tests/unit/test_pane $O/tests/unit/test_view $O/tests/unit/test_timebar $O/tests/unit/test_timeline $O/tests/unit/test_timeline_panels $O/tests/unit/test_timeline_draw: $(filter-out $O/tui/main.o,$(TUI_OBJ))
$O/tests/unit/test_line: $O/tui/term/line.o
$O/tests/unit/test_library: $(LIB_OBJ)

# To optimize what a test itself does takes longer than to run it as it is. Not so where it computes for a second: there it
# is compiled like the rest.
UNIT_LONG := chain doctor energy frames gprof_damage image image_file ports probe timeline trace trace_account trace_hash \
             trace_log trace_long trace_node trace_told variables wsn_model
UNIT_OPT  := -O0 -U_FORTIFY_SOURCE
$(UNIT_LONG:%=$O/tests/unit/test_%): UNIT_OPT :=
# Sanitized programs are large, and lld links them in two thirds of the time.
UNIT_LINK := $(if $(SAN),$(if $(shell command -v ld.lld),-fuse-ld=lld))

# Files of the runtimes, and the headers that they include.
$O/tests/unit/test_trace_node $O/tests/unit/test_trace_long $O/tests/unit/test_trace_alike $O/tests/unit/test_unpack: private CPPFLAGS += -Itarget-common -Itarget-avr

$O/tests/unit/%: tests/unit/%.c $O/libcore.a
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(UNIT_OPT) $(LDFLAGS) $(UNIT_LINK) -MMD -MP -o $@ $< $(filter %.o,$^) $O/libcore.a \
		$(LDLIBS) -lcmocka

# It reads variables of its own.
$O/tests/unit/test_variables: private UNIT_OPT += -g

# The writing end of a simulator's stream.
$O/tests/unit/test_sim: $O/sim/source/pack.o

# What they print stands in the program's tables.
$O/tests/tools/manual $O/tests/tools/completion $O/tests/tools/texts $O/tests/tools/timeline_cost: $(filter-out $O/tui/main.o,$(TUI_OBJ))

# Draws as the reader of the screen does.
$O/tests/tools/cast_svg: $O/tests/tools/screen.parts/svg.o

# Beside the real simulator.
$O/tests/tools/avr_cycles $O/tests/tools/single_calls: private LDLIBS += -lsimavr

$O/tests/tools/%: tests/tools/%.c $O/libcore.a
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -MMD -MP -o $@ $< $(filter %.o,$^) $O/libcore.a $(LDLIBS) -lvterm -lutil

# One of them is a folder; its objects stand beside the program that has its name.
$O/tests/tools/screen: $(SCREEN_OBJ) $O/libcore.a
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS) -lvterm -lutil

# Makes the host fail, preloaded.
$O/tests/tools/faulty.so: tests/tools/faulty/faulty.c
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) -D_GNU_SOURCE -std=c11 $(OPT) $(WARN) -fPIC -shared -o $@ $<

# The simulated Cortex-M3 behind a debug probe.
$O/tests/probe/m3: $(M3_OBJ)
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lelf -lm

# The simulated power meter.
$O/tests/power/ppk2: $(PPK2_OBJ)
	$(call say,LD)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm

$O/tests/tools/screen.parts/%.o: tests/tools/screen/%.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

headers: $(HEADERS:%.h=$O/headers/%.ok) ## every header compiles alone
$O/headers/%.ok: %.h
	@mkdir -p $(@D)
	@echo '#include "$<"' | $(CC) $(CPPFLAGS) $(CFLAGS) -x c -fsyntax-only - && touch $@

# What tests/lint compiles with.
flags:
	@echo '-std=c11 $(subst ','"'"',$(CPPFLAGS) -DWSNTOP_LIBEXECDIR='"$(PREFIX)/libexec/wsntop"')'

check-build:
	@$(MAKE) --no-print-directory all lib tools headers sim firmware traced cortexm cortexm-as

# clang's warnings are errors here, so that a plain build by clang proves nothing more.
check-san:
	@$(MAKE) --no-print-directory CC=clang SAN=1 O=build/asan all unit $(FUZZ:%=build/fuzz/fuzz_%)

coverage: ## run the host's tests, print which share of lines and branches they reach (tests/coverage)
	@$(MAKE) --no-print-directory -j$(JOBS) check-build
	@$(MAKE) --no-print-directory -j$(JOBS) O=build/covered all unit tools \
		OPT='-O0 -g --coverage -fprofile-update=atomic -DWSNTOP_COVERED -Wno-error=maybe-uninitialized -Wno-error=format-truncation'
	@find build/covered -name '*.gcda' -delete
	@mkdir -p build/covered/sim && cp -rsn $(CURDIR)/build/sim/. build/covered/sim && ln -sf $(CURDIR)/build/wsntop-* build/covered/
	@O=build/covered WSNTOP=$(CURDIR)/build/covered/wsntop SCREEN_LEAVES=1 tests/run unit golden screen $(wildcard tests/sim/test_broker*.sh \
		tests/sim/test_collect*.sh tests/sim/test_fleet*.sh tests/sim/test_ssh.sh tests/sim/test_udp.sh tests/sim/test_hostile.sh tests/long/test_spool.sh) | grep -v '^ok '
	@tests/coverage

# --- fuzzing: libFuzzer, one target a parser -----------------------------------------------------

# Of the sanitized tests' objects.
FUZZ_MAKE = $(MAKE) --no-print-directory CC=clang SAN=1 O=build/asan
fuzz-bin:
	+@$(FUZZ_MAKE) $(FUZZ:%=build/fuzz/fuzz_%)

# fuzz_image with LIBDWARF=libdwarf.a, built with the fuzzer's coverage (tests/long/test_fuzz_libdwarf.sh).
fuzz-libdwarf:
	+@$(FUZZ_MAKE) LDLIBS='$(LIBDWARF) $(filter-out -ldwarf,$(LDLIBS))' build/fuzz/libdwarf/fuzz_image

# With llvm-cov's counters alone. DWARF is read in our process: counters of another one are lost.
fuzz-cover-bin:
	+@$(MAKE) --no-print-directory CC=clang O=build/cover FUZZ_BUDGET= \
		OPT='-O1 -g -fprofile-instr-generate -fcoverage-mapping -DCONFINED_POSSIBLE=false' \
		LDFLAGS=-fprofile-instr-generate $(FUZZ:%=build/cover/fuzz_%)

# The parsers that are above the core.
FUZZ_TUI := $O/tui/term/theme.o $O/tui/config/settings.o $O/tui/config/settings_read.o $O/tui/config/settings_watch.o $O/tui/config/settings_write.o $O/tui/config/keymap.o $O/tui/config/action.o

# What an execution may allocate (tests/fuzz/budget.c), by the target's row.
FUZZ_BUDGET = $(shell awk -F'\t' '$$1 == "$*" { print "-DBUDGET_FIXED_KB=" $$4 " -DBUDGET_EACH=" $$5 }' \
	tests/fuzz/targets) -Wl,--wrap=LLVMFuzzerTestOneInput tests/fuzz/budget.c

# The others of the screen count nothing of what is reached.
ifeq ($(SAN)$(findstring clang,$(CC)),1clang)
$(filter-out $(FUZZ_TUI),$(TUI_OBJ)): private CFLAGS += -fno-sanitize=fuzzer-no-link
endif

FUZZ_TO    := $(if $(SAN),build/fuzz,$O)
FUZZ_PARTS := tests/fuzz/budget.c tests/fuzz/targets $O/libcore.a $(FUZZ_TUI)
define FUZZ_LINK
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(UNIT_LINK) -fsanitize=fuzzer $(FUZZ_BUDGET) $(FUZZ_WRAPS) -o $@ $< $(filter %.o,$^) $O/libcore.a $(LDLIBS)
endef
$(FUZZ_TO)/fuzz_%: tests/fuzz/fuzz_%.c $(FUZZ_PARTS)
	$(FUZZ_LINK)
$(FUZZ_TO)/libdwarf/fuzz_%: tests/fuzz/fuzz_%.c $(FUZZ_PARTS)
	$(FUZZ_LINK)

$(FUZZ_TO)/fuzz_record $(FUZZ_TO)/fuzz_pipeline: FUZZ_WRAPS := -Wl,--wrap=clock_now
$(FUZZ_TO)/fuzz_sim: $(addprefix $O/sim/source/,pack.o watch.o commands.o)

fuzz: fuzz-bin ## fuzz every parser as `make check` does (SECONDS_EACH=N: from random seeds, so long)
	@tests/run fuzz

fuzz-cover: ## the fuzz targets' table: speed, lines and branches covered, what was executed (TARGETS: of these)
	@tests/fuzz/report $(TARGETS)

manual: tools ## bring the manual page and the shells' completion up to date with the tables
	@docs/renew

pictures: all tools sim firmware ## draw the README's pictures from the real screen
	@docs/pictures

# --- benches ------------------------------------------------------------------------------------

$O/bench/%: bench/%.c $O/libcore.a
	@mkdir -p $(@D)
	$(call say,LD)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -MMD -MP -o $@ $< $O/libcore.a $(LDLIBS)

bench: all $(BENCH_BIN) ## measure: speed, instructions per event, memory (docs/DESIGN.md)
	@bench/run

bench-node: ## measure the node's side: cycles, instructions, bytes, against their limits
	@bench/node

bench-trace: all sim ## measure call traces: each encoding's bits, flash, cycles; bits against microseconds
	@bench/trace
	@bench/trace-times

BENCH_LONG := $(addprefix $O/,bench/bench_trace sim/avrnode sim/firmware/traced.elf \
	sim/traced/atmega1284p/steady-Os.elf)
bench-trace-size: all $(BENCH_LONG) ## measure long call traces: bytes, instructions, memory, 1 Mbaud
	@bench/trace-size

bench-paper1: ## measure the evaluation of INGA's profiler again: its figures and ours side by side
	@bench/paper1
