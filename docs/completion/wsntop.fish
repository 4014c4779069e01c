# wsntop's completion for fish. From the program's tables by docs/renew: not to be edited.

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

complete -c wsntop -n __fish_is_first_token -a doctor -d 'is this image fit to profile?'
complete -c wsntop -n __fish_is_first_token -a as -d 'hooks for call traces, by gcc -B DIR'
complete -c wsntop -s p -l port -r -a '(__wsntop_ports)' -d 'data source: /dev/ttyACM0, serial:/dev/ttyUSB0?baud=115200, tcp:HOST:PORT, unix:PATH, file:PATH, - for standard input, openocd:HOST:PORT, gdb:HOST:PORT, swo:SOURCE, simavr:CHIP@HZ, qemu:MACHINE; repeatable: one node each'
complete -c wsntop -s e -l elf -r -F -d 'the firmware image; reloaded after a rebuild; repeatable: a node gets the image whose identity it reports, else they pair with -p in order'
complete -c wsntop -s b -l baud -x -a '9600 19200 38400 57600 115200 230400 250000 460800 500000 921600 1000000 1500000 2000000' -d 'baud rate of serial sources (detected, starting at 115200)'
complete -c wsntop -s f -l format -x -a 'auto wsn prof gprof gprof-hex itm openocd gdb sim ppk2 lpm01a text' -d 'packet format (auto)'
complete -c wsntop -l hz -x -d 'PC sampling rate of streams that do not state it (1000)'
complete -c wsntop -l trace-memory -x -d 'memory for a node\'s call trace: older calls are dropped, counts stay (1024; with -B no limit)'
complete -c wsntop -l volts -x -d 'voltage of the node\'s supply, for energy (3.0, or the meter\'s ?mv=)'
complete -c wsntop -l battery -x -d 'the battery\'s capacity, for its life: 220mAh, 2Ah'
complete -c wsntop -l report -x -d 'which report of a prof stream, by name or counted from 1 (the last)'
complete -c wsntop -l power -x -d 'power meter beside the node: ppk2:/dev/ttyACM1 (?mode=source&mv=3300: it supplies the node), lpm01a:PORT, or lines of numbers, "s,mA" or "mA": text:SOURCE?unit=uA&column=2&time=1&hz=1000, a file, - for standard input; repeatable: meters pair with -p in order'
complete -c wsntop -l correct -d 'subtract the profiler\'s own cost from prof reports (an estimate)'
complete -c wsntop -l baseline -r -F -d 'baseline to compare with: a snapshot (-x json), a recording (-r), gmon.out, callgrind, pprof, folded'
complete -c wsntop -l compare-load -x -d 'smallest relevant change of a load since the baseline, in percent of a core (1 %)'
complete -c wsntop -l compare-call -x -d 'smallest relevant change of the time per call (5 %)'
complete -c wsntop -l speed -x -a max -d 'replay speed of a recording, which is followed while it is still written: 2 is twice as fast, max is as fast as possible (1)'
complete -c wsntop -s r -l record -r -F -d 'record every byte with its time, and what was watched, for -p FILE, which needs no -f; repeatable: recordings pair with -p in order'
complete -c wsntop -s x -l export -x -a 'flat text gmon callgrind pprof dot json csv changes trace perfetto speedscope firefox folded flamegraph prof prometheus html ctf log log-csv log-json vcd' -d 'export at the end; FILE - or none is standard output; repeatable'
complete -c wsntop -l filter -x -d 'only functions whose name or file matches (PCRE2)'
complete -c wsntop -l sort -x -a 'self% self total calls per-call min p50 p90 p99 max samples ~calls ~calls/s ~self/call calls/s load% ma uj/call energy% stack stack-max stack-use frame context function file' -d 'order of the rows (self)'
complete -c wsntop -s w -l watch -x -d 'bound on a figure, such as "clock_tick: max > 300 us"; repeatable; with -B the status is 3 if one is passed. Or to be logged, from outside: a variable (radio.state), call:f, reg:ADDRESS/SIZE, mem:ADDRESS+LENGTH, irq, mark'
complete -c wsntop -l limit -x -d 'rows to print at most (all)'
complete -c wsntop -l cluster -d 'dot: group functions by file'
complete -c wsntop -l per-site -d 'dot: an edge for each call site, with its line'
complete -c wsntop -l by-task -d 'folded: from the call trace, each task apart'
complete -c wsntop -l log-calls -d 'log: with all calls of the trace (those watched)'
complete -c wsntop -s B -l batch -d 'no screen: read to the end, print the flat profile'
complete -c wsntop -l for -x -d 'stop after this time'
complete -c wsntop -l theme -x -a '(__wsntop_themes)' -d 'colour theme: a name (an unknown name lists all) or the path of a theme file'
complete -c wsntop -l config -r -F -a none -d 'settings file, or none ($XDG_CONFIG_HOME/wsntop/config.ini)'
complete -c wsntop -l source-dir -x -a '(__fish_complete_directories)' -d 'folder with source files; repeatable'
complete -c wsntop -l source-map -x -d 'sources whose path begins with FROM are below TO; repeatable'
complete -c wsntop -l version -d 'print the version'
complete -c wsntop -s h -l help -d 'print this'
