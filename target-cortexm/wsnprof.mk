# wsnprof for make. Include it after CFLAGS; wsnprof_config.h is in the folder above this one, or on
# the include path.
#
#	$(WSNPROF_OBJECTS)	the runtime, to be linked
#	$(WSNPROF_PROFILE)	flags for the modules of interest
#	WSNPROF_BUILD		where objects are put; default: the current folder
WSNPROF_FOLDER  := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
WSNPROF_PROFILE := -finstrument-functions
CFLAGS          += -g
include $(WSNPROF_FOLDER)/../target-common/rules.mk
