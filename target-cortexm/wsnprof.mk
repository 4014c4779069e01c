# wsnprof for make. Include it after CFLAGS; wsnprof_config.h is in the folder above this one, or on
# the include path.
#
#	$(WSNPROF_OBJECTS)	the runtime, to be linked
#	$(WSNPROF_PROFILE)	flags for the modules of interest
#	WSNPROF_BUILD		where objects are put; default: the current folder
WSNPROF_FOLDER  := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
WSNPROF_BUILD   ?= .
WSNPROF_INCLUDE := -I$(WSNPROF_FOLDER)/.. -I$(WSNPROF_FOLDER)/../target-common -I$(WSNPROF_FOLDER)
WSNPROF_OBJECTS := $(WSNPROF_BUILD)/wsnprof_all.o $(WSNPROF_BUILD)/wsnprof_hooks_all.o
WSNPROF_PROFILE := -finstrument-functions
CFLAGS          += $(WSNPROF_INCLUDE) -g

# The includer's first rule stays the one that make without arguments makes.
wsnprof_goal    := $(.DEFAULT_GOAL)
WSNPROF_SOURCES := $(wildcard $(WSNPROF_FOLDER)/../*.h $(WSNPROF_FOLDER)/* $(WSNPROF_FOLDER)/../target-common/*)

$(WSNPROF_BUILD)/wsnprof_all.o: $(WSNPROF_FOLDER)/all/wsnprof_all.c $(WSNPROF_SOURCES)
	$(CC) $(filter-out -finstrument-functions -pg,$(CFLAGS)) -c -o $@ $<
$(WSNPROF_BUILD)/wsnprof_hooks_all.o: $(WSNPROF_FOLDER)/all/wsnprof_hooks_all.S $(WSNPROF_SOURCES)
	$(CC) $(filter-out -finstrument-functions -pg,$(CFLAGS)) -c -o $@ $<
.DEFAULT_GOAL   := $(wsnprof_goal)
