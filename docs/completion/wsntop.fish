# wsntop's completion for fish. From the program's tables by docs/renew: not to be edited.

set -g __wsntop_commands check diff report convert init doctor as help

function __wsntop_ports
	for device in /dev/ttyACM* /dev/ttyUSB*
		echo $device
	end
	printf '%s\n' serial: tcp: unix: file: -
end

function __wsntop_themes
	set -l config $XDG_CONFIG_HOME
	test -n "$config"; or set config $HOME/.config
	for file in $config/wsntop/themes/*.ini /usr/local/share/wsntop/themes/*.ini /usr/share/wsntop/themes/*.ini themes/*.ini
		string replace -r '.*/(.*)\.ini$' '$1' -- $file
	end
	echo default
end


complete -c wsntop -n __fish_is_first_token -a check -d 'hold a run against rules, for CI'
complete -c wsntop -n '__fish_seen_subcommand_from check' -l rules -r -F -d 'the rules'
complete -c wsntop -n '__fish_seen_subcommand_from check' -l junit -r -F -d 'write the results as JUnit XML; -: to standard output, and the lines to standard error'
complete -c wsntop -n '__fish_seen_subcommand_from check' -l unsure -x -a 'pass fail warn' -d 'what a result that is not sure counts as (warn: it is shown, and skipped in the XML)'
complete -c wsntop -n '__fish_seen_subcommand_from check' -l baseline-elf -r -F -d 'the baseline\'s image, for rules of image and stack'
complete -c wsntop -n '__fish_seen_subcommand_from check' -s h -l help -d 'print this'
complete -c wsntop -n '__fish_seen_subcommand_from check' -s p -l port -r -a '(__wsntop_ports)' -d 'data source: /dev/ttyACM0, serial:/dev/ttyUSB0?baud=115200, tcp:HOST:PORT, unix:PATH, file:PATH, - for standard input, openocd:HOST:PORT, gdb:HOST:PORT, swo:SOURCE, simavr:CHIP@HZ, qemu:MACHINE; repeatable: one node each'
complete -c wsntop -n '__fish_seen_subcommand_from check' -s e -l elf -r -F -d 'the firmware image; reloaded after a rebuild; repeatable: a node gets the image whose identity it reports, else they pair with -p in order'
complete -c wsntop -n '__fish_seen_subcommand_from check' -s b -l baud -x -a '9600 19200 38400 57600 115200 230400 250000 460800 500000 921600 1000000 1500000 2000000' -d 'baud rate of serial sources (detected, starting at 115200)'
complete -c wsntop -n '__fish_seen_subcommand_from check' -s f -l format -x -a 'auto wsn prof gprof gprof-hex itm openocd gdb sim ppk2 lpm01a text' -d 'packet format (auto)'
complete -c wsntop -n '__fish_seen_subcommand_from check' -l hz -x -d 'PC sampling rate of streams that do not state it (1000)'
complete -c wsntop -n '__fish_seen_subcommand_from check' -l trace-memory -x -d 'memory for a node\'s call trace: older calls are dropped, counts stay (1024; with -B no limit)'
complete -c wsntop -n '__fish_seen_subcommand_from check' -l volts -x -d 'voltage of the node\'s supply, for energy (3.0, or the meter\'s ?mv=)'
complete -c wsntop -n '__fish_seen_subcommand_from check' -l report -x -d 'which report of a prof stream, by name or counted from 1 (the last)'
complete -c wsntop -n '__fish_seen_subcommand_from check' -l power -x -d 'power meter beside the node: ppk2:/dev/ttyACM1 (?mode=source&mv=3300: it supplies the node), lpm01a:PORT, or lines of numbers, "s,mA" or "mA": text:SOURCE?unit=uA&column=2&time=1&hz=1000, a file, - for standard input; repeatable: meters pair with -p in order'
complete -c wsntop -n '__fish_seen_subcommand_from check' -l correct -d 'subtract the profiler\'s own cost from prof reports (an estimate)'
complete -c wsntop -n '__fish_seen_subcommand_from check' -l baseline -r -F -d 'baseline to compare with: a snapshot (-x json), a recording (-r), gmon.out, callgrind, pprof, folded'
complete -c wsntop -n '__fish_seen_subcommand_from check' -s r -l record -r -F -d 'record every byte with its time, and what was watched, for -p FILE, which needs no -f; repeatable: recordings pair with -p in order'
complete -c wsntop -n '__fish_seen_subcommand_from check' -s x -l export -x -a 'flat text gmon dot json csv changes callgrind pprof folded flamegraph html speedscope firefox prof prometheus trace perfetto ctf log log-csv log-json vcd' -d 'export at the end; FILE - or none is standard output; repeatable'
complete -c wsntop -n '__fish_seen_subcommand_from check' -s w -l watch -x -d 'bound on a figure, such as "clock_tick: max > 300 us"; repeatable; with -B the status is 3 if one is passed. Or to be logged, from outside: a variable (radio.state), call:f, reg:ADDRESS/SIZE, mem:ADDRESS+LENGTH, irq, mark'
complete -c wsntop -n '__fish_seen_subcommand_from check' -l limit -x -d 'rows to print at most (all)'
complete -c wsntop -n '__fish_seen_subcommand_from check' -l for -x -d 'stop after this time'

complete -c wsntop -n __fish_is_first_token -a diff -d 'what changed between two files'
complete -c wsntop -n '__fish_seen_subcommand_from diff' -s x -l export -x -a 'text json markdown html' -d 'the form of the comparison (text); FILE - or none: standard output; repeatable'
complete -c wsntop -n '__fish_seen_subcommand_from diff' -l all -d 'functions that did not change, too'
complete -c wsntop -n '__fish_seen_subcommand_from diff' -s h -l help -d 'print this'
complete -c wsntop -n '__fish_seen_subcommand_from diff' -s e -l elf -r -F -d 'the firmware image; reloaded after a rebuild; repeatable: a node gets the image whose identity it reports, else they pair with -p in order'
complete -c wsntop -n '__fish_seen_subcommand_from diff' -s f -l format -x -a 'auto wsn prof gprof gprof-hex itm openocd gdb sim ppk2 lpm01a text' -d 'packet format (auto)'
complete -c wsntop -n '__fish_seen_subcommand_from diff' -l hz -x -d 'PC sampling rate of streams that do not state it (1000)'
complete -c wsntop -n '__fish_seen_subcommand_from diff' -l report -x -d 'which report of a prof stream, by name or counted from 1 (the last)'
complete -c wsntop -n '__fish_seen_subcommand_from diff' -l correct -d 'subtract the profiler\'s own cost from prof reports (an estimate)'
complete -c wsntop -n '__fish_seen_subcommand_from diff' -l compare-load -x -d 'smallest relevant change of a load since the baseline, in percent of a core (1 %)'
complete -c wsntop -n '__fish_seen_subcommand_from diff' -l compare-call -x -d 'smallest relevant change of the time per call (5 %)'
complete -c wsntop -n '__fish_seen_subcommand_from diff' -l filter -x -d 'only functions whose name or file matches (PCRE2)'
complete -c wsntop -n '__fish_seen_subcommand_from diff' -l limit -x -d 'rows to print at most (all)'

complete -c wsntop -n __fish_is_first_token -a report -d 'what a recording or a snapshot holds'
complete -c wsntop -n '__fish_seen_subcommand_from report' -s h -l help -d 'print this'
complete -c wsntop -n '__fish_seen_subcommand_from report' -s e -l elf -r -F -d 'the firmware image; reloaded after a rebuild; repeatable: a node gets the image whose identity it reports, else they pair with -p in order'
complete -c wsntop -n '__fish_seen_subcommand_from report' -s f -l format -x -a 'auto wsn prof gprof gprof-hex itm openocd gdb sim ppk2 lpm01a text' -d 'packet format (auto)'
complete -c wsntop -n '__fish_seen_subcommand_from report' -l hz -x -d 'PC sampling rate of streams that do not state it (1000)'
complete -c wsntop -n '__fish_seen_subcommand_from report' -l report -x -d 'which report of a prof stream, by name or counted from 1 (the last)'
complete -c wsntop -n '__fish_seen_subcommand_from report' -l correct -d 'subtract the profiler\'s own cost from prof reports (an estimate)'
complete -c wsntop -n '__fish_seen_subcommand_from report' -l filter -x -d 'only functions whose name or file matches (PCRE2)'
complete -c wsntop -n '__fish_seen_subcommand_from report' -l sort -x -a 'self% self total calls per-call min p50 p90 p99 max samples ~calls ~calls/s ~self/call calls/s load% ma uj/call energy% stack stack-max stack-use frame context function file' -d 'order of the rows (self)'
complete -c wsntop -n '__fish_seen_subcommand_from report' -l limit -x -d 'rows to print at most (all)'

complete -c wsntop -n __fish_is_first_token -a convert -d 'a recording or a snapshot as another format'
complete -c wsntop -n '__fish_seen_subcommand_from convert' -s h -l help -d 'print this'
complete -c wsntop -n '__fish_seen_subcommand_from convert' -s e -l elf -r -F -d 'the firmware image; reloaded after a rebuild; repeatable: a node gets the image whose identity it reports, else they pair with -p in order'
complete -c wsntop -n '__fish_seen_subcommand_from convert' -s f -l format -x -a 'auto wsn prof gprof gprof-hex itm openocd gdb sim ppk2 lpm01a text' -d 'packet format (auto)'
complete -c wsntop -n '__fish_seen_subcommand_from convert' -l hz -x -d 'PC sampling rate of streams that do not state it (1000)'
complete -c wsntop -n '__fish_seen_subcommand_from convert' -l trace-memory -x -d 'memory for a node\'s call trace: older calls are dropped, counts stay (1024; with -B no limit)'
complete -c wsntop -n '__fish_seen_subcommand_from convert' -l volts -x -d 'voltage of the node\'s supply, for energy (3.0, or the meter\'s ?mv=)'
complete -c wsntop -n '__fish_seen_subcommand_from convert' -l report -x -d 'which report of a prof stream, by name or counted from 1 (the last)'
complete -c wsntop -n '__fish_seen_subcommand_from convert' -l correct -d 'subtract the profiler\'s own cost from prof reports (an estimate)'
complete -c wsntop -n '__fish_seen_subcommand_from convert' -l baseline -r -F -d 'baseline to compare with: a snapshot (-x json), a recording (-r), gmon.out, callgrind, pprof, folded'
complete -c wsntop -n '__fish_seen_subcommand_from convert' -l compare-load -x -d 'smallest relevant change of a load since the baseline, in percent of a core (1 %)'
complete -c wsntop -n '__fish_seen_subcommand_from convert' -l compare-call -x -d 'smallest relevant change of the time per call (5 %)'
complete -c wsntop -n '__fish_seen_subcommand_from convert' -s x -l export -x -a 'flat text gmon dot json csv changes callgrind pprof folded flamegraph html speedscope firefox prof prometheus trace perfetto ctf log log-csv log-json vcd' -d 'export at the end; FILE - or none is standard output; repeatable'
complete -c wsntop -n '__fish_seen_subcommand_from convert' -l filter -x -d 'only functions whose name or file matches (PCRE2)'
complete -c wsntop -n '__fish_seen_subcommand_from convert' -l sort -x -a 'self% self total calls per-call min p50 p90 p99 max samples ~calls ~calls/s ~self/call calls/s load% ma uj/call energy% stack stack-max stack-use frame context function file' -d 'order of the rows (self)'
complete -c wsntop -n '__fish_seen_subcommand_from convert' -l limit -x -d 'rows to print at most (all)'
complete -c wsntop -n '__fish_seen_subcommand_from convert' -l cluster -d 'dot: group functions by file'
complete -c wsntop -n '__fish_seen_subcommand_from convert' -l per-site -d 'dot: an edge for each call site, with its line'
complete -c wsntop -n '__fish_seen_subcommand_from convert' -l by-task -d 'folded: from the call trace, each task apart'
complete -c wsntop -n '__fish_seen_subcommand_from convert' -l log-calls -d 'log: with all calls of the trace (those watched)'

complete -c wsntop -n __fish_is_first_token -a init -d 'put the profiler\'s runtime into a firmware tree'
complete -c wsntop -n '__fish_seen_subcommand_from init' -l rtos -x -d 'none (default), freertos, zephyr, contiki, riot, arduino'
complete -c wsntop -n '__fish_seen_subcommand_from init' -s e -l elf -r -F -d 'the firmware as it is: machine, RAM, calls, timers'
complete -c wsntop -n '__fish_seen_subcommand_from init' -l chip -x -d 'avr or cortexm, where no image tells'
complete -c wsntop -n '__fish_seen_subcommand_from init' -l clock -x -d 'Cortex-M: the core\'s clock'
complete -c wsntop -n '__fish_seen_subcommand_from init' -s h -l help -d 'print this'

complete -c wsntop -n __fish_is_first_token -a doctor -d 'check an image, or a debug probe and its chip'
complete -c wsntop -n '__fish_seen_subcommand_from doctor' -f
complete -c wsntop -n '__fish_seen_subcommand_from doctor' -s e -l elf -r -F -d 'the firmware image; repeatable'
complete -c wsntop -n '__fish_seen_subcommand_from doctor' -s p -l port -r -a '(__wsntop_ports)' -d 'the debug server'
complete -c wsntop -n '__fish_seen_subcommand_from doctor' -l json -d 'findings and figures as JSON, one object each'
complete -c wsntop -n '__fish_seen_subcommand_from doctor' -s h -l help -d 'print this'

complete -c wsntop -n __fish_is_first_token -a as -d 'put hooks for call traces into firmware, for gcc -B'
complete -c wsntop -n '__fish_seen_subcommand_from as' -a 'avr- arm-none-eabi-'
complete -c wsntop -n '__fish_seen_subcommand_from as' -l trace -d 'hooks for call traces (default with --install)'
complete -c wsntop -n '__fish_seen_subcommand_from as' -l timed -d 'hooks for timed calls, in place of -finstrument-functions'
complete -c wsntop -n '__fish_seen_subcommand_from as' -l count -d 'hooks that count calls'
complete -c wsntop -n '__fish_seen_subcommand_from as' -l only -x -d 'only functions that match (PCRE2); @FILE: those that it lists'
complete -c wsntop -n '__fish_seen_subcommand_from as' -l except -x -d 'all but these; @FILE likewise'
complete -c wsntop -n '__fish_seen_subcommand_from as' -l files -x -d 'only functions of source files that match; @FILE likewise'
complete -c wsntop -n '__fish_seen_subcommand_from as' -l wide -d 'AVR, --trace: ids of 16 bits, for more than 124 functions'
complete -c wsntop -n '__fish_seen_subcommand_from as' -l local -d 'AVR: calls by numbers of the caller\'s own (WSNPROF_TRACE 4)'
complete -c wsntop -n '__fish_seen_subcommand_from as' -l huffman -r -F -d 'the same, in codes by an export of a run (-x json)'
complete -c wsntop -n '__fish_seen_subcommand_from as' -l control-flow -d 'AVR: branches instead of calls, a bit each (WSNPROF_TRACE 6)'
complete -c wsntop -n '__fish_seen_subcommand_from as' -l no-handlers -d 'AVR: leave interrupt handlers alone'
complete -c wsntop -n '__fish_seen_subcommand_from as' -l off -d 'run the assembler without any change'
complete -c wsntop -n '__fish_seen_subcommand_from as' -l chip -x -d 'avr or thumb, where CROSS does not tell'
complete -c wsntop -n '__fish_seen_subcommand_from as' -l install -x -a '(__fish_complete_directories)' -d 'write DIR/as, which runs this command with the other options'
complete -c wsntop -n '__fish_seen_subcommand_from as' -s h -l help -d 'print this'

complete -c wsntop -n __fish_is_first_token -a help -d 'help: of wsntop, or of a command'
complete -c wsntop -n '__fish_seen_subcommand_from help' -f -a "$__wsntop_commands"

complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -s p -l port -r -a '(__wsntop_ports)' -d 'data source: /dev/ttyACM0, serial:/dev/ttyUSB0?baud=115200, tcp:HOST:PORT, unix:PATH, file:PATH, - for standard input, openocd:HOST:PORT, gdb:HOST:PORT, swo:SOURCE, simavr:CHIP@HZ, qemu:MACHINE; repeatable: one node each'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -s e -l elf -r -F -d 'the firmware image; reloaded after a rebuild; repeatable: a node gets the image whose identity it reports, else they pair with -p in order'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -s b -l baud -x -a '9600 19200 38400 57600 115200 230400 250000 460800 500000 921600 1000000 1500000 2000000' -d 'baud rate of serial sources (detected, starting at 115200)'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -s f -l format -x -a 'auto wsn prof gprof gprof-hex itm openocd gdb sim ppk2 lpm01a text' -d 'packet format (auto)'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l hz -x -d 'PC sampling rate of streams that do not state it (1000)'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l trace-memory -x -d 'memory for a node\'s call trace: older calls are dropped, counts stay (1024; with -B no limit)'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l volts -x -d 'voltage of the node\'s supply, for energy (3.0, or the meter\'s ?mv=)'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l battery -x -d 'the battery\'s capacity, for its life: 220mAh, 2Ah'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l report -x -d 'which report of a prof stream, by name or counted from 1 (the last)'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l power -x -d 'power meter beside the node: ppk2:/dev/ttyACM1 (?mode=source&mv=3300: it supplies the node), lpm01a:PORT, or lines of numbers, "s,mA" or "mA": text:SOURCE?unit=uA&column=2&time=1&hz=1000, a file, - for standard input; repeatable: meters pair with -p in order'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l correct -d 'subtract the profiler\'s own cost from prof reports (an estimate)'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l baseline -r -F -d 'baseline to compare with: a snapshot (-x json), a recording (-r), gmon.out, callgrind, pprof, folded'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l compare-load -x -d 'smallest relevant change of a load since the baseline, in percent of a core (1 %)'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l compare-call -x -d 'smallest relevant change of the time per call (5 %)'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l speed -x -a max -d 'replay speed of a recording, which is followed while it is still written: 2 is twice as fast, max is as fast as possible (1)'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -s r -l record -r -F -d 'record every byte with its time, and what was watched, for -p FILE, which needs no -f; repeatable: recordings pair with -p in order'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -s x -l export -x -a 'flat text gmon dot json csv changes callgrind pprof folded flamegraph html speedscope firefox prof prometheus trace perfetto ctf log log-csv log-json vcd' -d 'export at the end; FILE - or none is standard output; repeatable'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l filter -x -d 'only functions whose name or file matches (PCRE2)'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l sort -x -a 'self% self total calls per-call min p50 p90 p99 max samples ~calls ~calls/s ~self/call calls/s load% ma uj/call energy% stack stack-max stack-use frame context function file' -d 'order of the rows (self)'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -s w -l watch -x -d 'bound on a figure, such as "clock_tick: max > 300 us"; repeatable; with -B the status is 3 if one is passed. Or to be logged, from outside: a variable (radio.state), call:f, reg:ADDRESS/SIZE, mem:ADDRESS+LENGTH, irq, mark'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l limit -x -d 'rows to print at most (all)'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l cluster -d 'dot: group functions by file'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l per-site -d 'dot: an edge for each call site, with its line'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l by-task -d 'folded: from the call trace, each task apart'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l log-calls -d 'log: with all calls of the trace (those watched)'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -s B -l batch -d 'no screen: read to the end, print the flat profile'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l for -x -d 'stop after this time'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l theme -x -a '(__wsntop_themes)' -d 'colour theme: a name (an unknown name lists all) or the path of a theme file'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l config -r -F -a none -d 'settings file, or none ($XDG_CONFIG_HOME/wsntop/config.ini)'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l source-dir -x -a '(__fish_complete_directories)' -d 'folder with source files; repeatable'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l source-map -x -d 'sources whose path begins with FROM are below TO; repeatable'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -l version -d 'print the version'
complete -c wsntop -n 'not __fish_seen_subcommand_from $__wsntop_commands' -s h -l help -d 'print this'
