# What the wsnprof.mk of target-avr/ and target-cortexm/ have in common: how the runtime is built. They include it, with
# WSNPROF_FOLDER set to their own folder.
WSNPROF_BUILD   ?= .
WSNPROF_INCLUDE := -I$(WSNPROF_FOLDER)/.. -I$(WSNPROF_FOLDER)/../target-common -I$(WSNPROF_FOLDER)
WSNPROF_OBJECTS := $(WSNPROF_BUILD)/wsnprof_all.o $(WSNPROF_BUILD)/wsnprof_hooks_all.o
ifneq ($(wildcard $(WSNPROF_FOLDER)/../wsnprof_freertos.c),)
WSNPROF_OBJECTS += $(WSNPROF_BUILD)/freertos_trace.o $(WSNPROF_BUILD)/wsnprof_freertos.o
endif
CFLAGS          += $(WSNPROF_INCLUDE)

# The includer's first rule stays the one that make without arguments makes.
wsnprof_goal    := $(.DEFAULT_GOAL)
WSNPROF_SOURCES := $(wildcard $(WSNPROF_FOLDER)/../*.h $(WSNPROF_FOLDER)/* $(WSNPROF_FOLDER)/../target-common/*)
WSNPROF_COMPILE  = $(CC) $(filter-out -finstrument-functions -pg,$(CFLAGS)) -c

$(WSNPROF_BUILD)/wsnprof_all.o: $(WSNPROF_FOLDER)/all/wsnprof_all.c $(WSNPROF_SOURCES)
	$(WSNPROF_COMPILE) -o $@ $<
$(WSNPROF_BUILD)/wsnprof_hooks_all.o: $(WSNPROF_FOLDER)/all/wsnprof_hooks_all.S $(WSNPROF_SOURCES)
	$(WSNPROF_COMPILE) -o $@ $<
$(WSNPROF_BUILD)/freertos_trace.o: $(WSNPROF_FOLDER)/../freertos_trace.c $(WSNPROF_SOURCES)
	$(WSNPROF_COMPILE) -o $@ $<
$(WSNPROF_BUILD)/wsnprof_freertos.o: $(WSNPROF_FOLDER)/../wsnprof_freertos.c $(WSNPROF_SOURCES)
	$(WSNPROF_COMPILE) -o $@ $<
.DEFAULT_GOAL   := $(wsnprof_goal)
