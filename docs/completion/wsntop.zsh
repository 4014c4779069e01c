#compdef wsntop
# wsntop's completion for zsh. From the program's tables by docs/renew: not to be edited.

_wsntop_ports() {
	local -a devices=(/dev/tty(ACM|USB)*(N))
	if compset -P '(file|unix):'; then
		_files
	elif compset -P 'serial:'; then
		compadd -a devices
	elif compset -P 'tcp:'; then
		_hosts
	else
		compadd -a devices
		compadd -S '' serial: tcp: unix: file:
		compadd -- -
		_files
	fi
}

_wsntop_exports() {
	if compset -P '*:'; then
		_files
	else
		compadd flat text gmon dot json csv changes callgrind pprof folded flamegraph html speedscope firefox prof prometheus trace perfetto ctf log log-csv log-json vcd
	fi
}

_wsntop_themes() {
	local -a files=(${XDG_CONFIG_HOME:-$HOME/.config}/wsntop/themes/*.ini(N:t:r)
		/usr/local/share/wsntop/themes/*.ini(N:t:r) /usr/share/wsntop/themes/*.ini(N:t:r)
		themes/*.ini(N:t:r) default)
	compadd -a files
}

_wsntop_config() {
	compadd none
	_files
}

_wsntop_check() {
	_arguments -s -S \
	'*'--rules='[the rules]:FILE:_files' \
	'*'--junit='[write the results as JUnit XML; -: to standard output, and the lines to standard error]:FILE:_files' \
	'*'--unsure='[what a result that is not sure counts as (warn: it is shown, and skipped in the XML)]:pass:(pass fail warn)' \
	'*'--baseline-elf='[the baseline'\''s image, for rules of image and stack]:FILE:_files' \
	{-h,--help}'[print this]' \
	'*'{-p+,--port=}'[data source: /dev/ttyACM0, serial:/dev/ttyUSB0?baud=115200, tcp:HOST:PORT, unix:PATH, file:PATH, - for standard input, openocd:HOST:PORT, gdb:HOST:PORT, swo:SOURCE, simavr:CHIP@HZ, qemu:MACHINE, ssh:HOST:DEVICE, mqtt://BROKER/SITE/+, udp:PORT; repeatable: one node each]:SOURCE:_wsntop_ports' \
	'*'{-e+,--elf=}'[the firmware image; reloaded after a rebuild; repeatable: a node gets the image whose identity it reports, else they pair with -p in order]:FILE:_files' \
	'*'{-b+,--baud=}'[baud rate of serial sources (detected, starting at 115200)]:N:(9600 19200 38400 57600 115200 230400 250000 460800 500000 921600 1000000 1500000 2000000)' \
	'*'{-f+,--format=}'[packet format (auto)]:NAME:(auto wsn prof gprof gprof-hex itm openocd gdb sim ppk2 lpm01a text)' \
	'*'--hz='[PC sampling rate of streams that do not state it (1000)]:N: ' \
	'*'--trace-memory='[memory for a node'\''s call trace: older calls are dropped, counts stay (1024; with -B no limit)]:MB: ' \
	'*'--volts='[voltage of the node'\''s supply, for energy (3.0, or the meter'\''s ?mv=)]:V: ' \
	'*'--report='[which report of a prof stream, by name or counted from 1 (the last)]:NAME: ' \
	'*'--power='[power meter beside the node: ppk2:/dev/ttyACM1 (?mode=source&mv=3300: it supplies the node), lpm01a:PORT, or lines of numbers, "s,mA" or "mA": text:SOURCE?unit=uA&column=2&time=1&hz=1000, a file, - for standard input; repeatable: meters pair with -p in order]:SOURCE: ' \
	--correct'[subtract the profiler'\''s own cost from prof reports (an estimate)]' \
	'*'--baseline='[baseline to compare with: a snapshot (-x json), a recording (-r), gmon.out, callgrind, pprof, folded]:FILE:_files' \
	'*'{-r+,--record=}'[record every byte with its time, and what was watched, for -p FILE, which needs no -f; repeatable: recordings pair with -p in order]:FILE:_files' \
	'*'{-x+,--export=}'[export at the end; FILE - or none is standard output; repeatable]:FORMAT:_wsntop_exports' \
	'*'{-w+,--watch=}'[bound on a figure, such as "clock_tick: max > 300 us"; repeatable; with -B the status is 3 if one is passed. Or to be logged, from outside: a variable (radio.state), call:f, reg:ADDRESS/SIZE, mem:ADDRESS+LENGTH, irq, mark]:BOUND: ' \
	'*'--limit='[rows to print at most (all)]:N: ' \
	'*'--for='[stop after this time]:SECONDS: ' \
	'*:file:_files'
}

_wsntop_diff() {
	_arguments -s -S \
	'*'{-x+,--export=}'[the form of the comparison (text); FILE - or none: standard output; repeatable]:text:(text json markdown html)' \
	--all'[functions that did not change, too]' \
	{-h,--help}'[print this]' \
	'*'{-e+,--elf=}'[the firmware image; reloaded after a rebuild; repeatable: a node gets the image whose identity it reports, else they pair with -p in order]:FILE:_files' \
	'*'{-f+,--format=}'[packet format (auto)]:NAME:(auto wsn prof gprof gprof-hex itm openocd gdb sim ppk2 lpm01a text)' \
	'*'--hz='[PC sampling rate of streams that do not state it (1000)]:N: ' \
	'*'--report='[which report of a prof stream, by name or counted from 1 (the last)]:NAME: ' \
	--correct'[subtract the profiler'\''s own cost from prof reports (an estimate)]' \
	'*'--compare-load='[smallest relevant change of a load since the baseline, in percent of a core (1 %)]:PERCENT: ' \
	'*'--compare-call='[smallest relevant change of the time per call (5 %)]:PERCENT: ' \
	'*'--filter='[only functions whose name or file matches (PCRE2)]:REGEX: ' \
	'*'--limit='[rows to print at most (all)]:N: ' \
	'*:file:_files'
}

_wsntop_report() {
	_arguments -s -S \
	{-h,--help}'[print this]' \
	'*'{-e+,--elf=}'[the firmware image; reloaded after a rebuild; repeatable: a node gets the image whose identity it reports, else they pair with -p in order]:FILE:_files' \
	'*'{-f+,--format=}'[packet format (auto)]:NAME:(auto wsn prof gprof gprof-hex itm openocd gdb sim ppk2 lpm01a text)' \
	'*'--hz='[PC sampling rate of streams that do not state it (1000)]:N: ' \
	'*'--report='[which report of a prof stream, by name or counted from 1 (the last)]:NAME: ' \
	--correct'[subtract the profiler'\''s own cost from prof reports (an estimate)]' \
	'*'--filter='[only functions whose name or file matches (PCRE2)]:REGEX: ' \
	'*'--sort='[order of the rows (self)]:COLUMN:(self% self total calls per-call min p50 p90 p99 max samples \~calls \~calls/s \~self/call calls/s load% ma uj/call energy% stack stack-max stack-use frame context function file)' \
	'*'--limit='[rows to print at most (all)]:N: ' \
	'*:file:_files'
}

_wsntop_convert() {
	_arguments -s -S \
	{-h,--help}'[print this]' \
	'*'{-e+,--elf=}'[the firmware image; reloaded after a rebuild; repeatable: a node gets the image whose identity it reports, else they pair with -p in order]:FILE:_files' \
	'*'{-f+,--format=}'[packet format (auto)]:NAME:(auto wsn prof gprof gprof-hex itm openocd gdb sim ppk2 lpm01a text)' \
	'*'--hz='[PC sampling rate of streams that do not state it (1000)]:N: ' \
	'*'--trace-memory='[memory for a node'\''s call trace: older calls are dropped, counts stay (1024; with -B no limit)]:MB: ' \
	'*'--volts='[voltage of the node'\''s supply, for energy (3.0, or the meter'\''s ?mv=)]:V: ' \
	'*'--report='[which report of a prof stream, by name or counted from 1 (the last)]:NAME: ' \
	--correct'[subtract the profiler'\''s own cost from prof reports (an estimate)]' \
	'*'--baseline='[baseline to compare with: a snapshot (-x json), a recording (-r), gmon.out, callgrind, pprof, folded]:FILE:_files' \
	'*'--compare-load='[smallest relevant change of a load since the baseline, in percent of a core (1 %)]:PERCENT: ' \
	'*'--compare-call='[smallest relevant change of the time per call (5 %)]:PERCENT: ' \
	'*'{-x+,--export=}'[export at the end; FILE - or none is standard output; repeatable]:FORMAT:_wsntop_exports' \
	'*'--filter='[only functions whose name or file matches (PCRE2)]:REGEX: ' \
	'*'--sort='[order of the rows (self)]:COLUMN:(self% self total calls per-call min p50 p90 p99 max samples \~calls \~calls/s \~self/call calls/s load% ma uj/call energy% stack stack-max stack-use frame context function file)' \
	'*'--limit='[rows to print at most (all)]:N: ' \
	--cluster'[dot: group functions by file]' \
	--per-site'[dot: an edge for each call site, with its line]' \
	--by-task'[folded: from the call trace, each task apart]' \
	--log-calls'[log: with all calls of the trace (those watched)]' \
	'*:file:_files'
}

_wsntop_record() {
	_arguments -s -S \
	'*'{-o+,--output=}'[where the parts are kept; made if it is not there; repeatable: folders pair with -p in order]:FOLDER: ' \
	'*'--every='[a part'\''s time at most: 10min, 1h, 1d (1h)]:TIME: ' \
	'*'--each='[a part'\''s size at most: 500K, 64M, 1G (64M)]:SIZE: ' \
	'*'--keep='[size of all parts in the folder at most: the oldest is removed for a new one (no bound: none is)]:SIZE: ' \
	'*'--for='[stop after this time: 90, 10min, 8h]:TIME: ' \
	'*'--progress='[a line on how it goes, each so often (1min where standard error is a terminal, else none)]:TIME: ' \
	{-h,--help}'[print this]' \
	'*'{-p+,--port=}'[data source: /dev/ttyACM0, serial:/dev/ttyUSB0?baud=115200, tcp:HOST:PORT, unix:PATH, file:PATH, - for standard input, openocd:HOST:PORT, gdb:HOST:PORT, swo:SOURCE, simavr:CHIP@HZ, qemu:MACHINE, ssh:HOST:DEVICE, mqtt://BROKER/SITE/+, udp:PORT; repeatable: one node each]:SOURCE:_wsntop_ports' \
	'*'{-e+,--elf=}'[the firmware image; reloaded after a rebuild; repeatable: a node gets the image whose identity it reports, else they pair with -p in order]:FILE:_files' \
	'*'{-b+,--baud=}'[baud rate of serial sources (detected, starting at 115200)]:N:(9600 19200 38400 57600 115200 230400 250000 460800 500000 921600 1000000 1500000 2000000)' \
	'*'{-f+,--format=}'[packet format (auto)]:NAME:(auto wsn prof gprof gprof-hex itm openocd gdb sim ppk2 lpm01a text)' \
	'*'{-w+,--watch=}'[bound on a figure, such as "clock_tick: max > 300 us"; repeatable; with -B the status is 3 if one is passed. Or to be logged, from outside: a variable (radio.state), call:f, reg:ADDRESS/SIZE, mem:ADDRESS+LENGTH, irq, mark]:BOUND: ' \
	&& return
}

_wsntop_relay() {
	_arguments -s -S \
	'*'--to='[the broker and a name for this place: mqtt://HOST:PORT/SITE; mqtts:// is TLS, with ?ca=FILE&cert=FILE&key=FILE; ?user=NAME takes its password from WSNTOP_MQTT_PASSWORD]:URL: ' \
	'*'--period='[time between two keyframes (60)]:SECONDS: ' \
	'*'--shards='[how many parts collectors share (as the broker has it in wsn/config, else 64)]:N: ' \
	'*'--spool='[where nodes are kept while the broker is away, each a recording in parts; made if it is not there]:FOLDER: ' \
	'*'--keep='[its size at most (64M): then oldest tables are let go, whose counts newer ones have]:SIZE: ' \
	'*'--age='[their age at most (1d)]:TIME: ' \
	--allow-commands'[pass commands from the broker (reset, stop, ...) on to the nodes; all who may write there can send them]' \
	{-h,--help}'[print this]' \
	'*'{-p+,--port=}'[data source: /dev/ttyACM0, serial:/dev/ttyUSB0?baud=115200, tcp:HOST:PORT, unix:PATH, file:PATH, - for standard input, openocd:HOST:PORT, gdb:HOST:PORT, swo:SOURCE, simavr:CHIP@HZ, qemu:MACHINE, ssh:HOST:DEVICE, mqtt://BROKER/SITE/+, udp:PORT; repeatable: one node each]:SOURCE:_wsntop_ports' \
	'*'{-b+,--baud=}'[baud rate of serial sources (detected, starting at 115200)]:N:(9600 19200 38400 57600 115200 230400 250000 460800 500000 921600 1000000 1500000 2000000)' \
	'*'--for='[stop after this time]:SECONDS: ' \
	&& return
}

_wsntop_collect() {
	_arguments -s -S \
	'*'--group='[collectors of one name share the nodes (default)]:NAME: ' \
	'*'--period='[time between two sums, and between outputs (10)]:SECONDS: ' \
	'*'--listen='[answer Prometheus there, at /metrics; without HOST this machine alone may ask]:: ' \
	'*'--summary='[all builds and functions as one JSON file, written again each period: sums, spread over the nodes, and the nodes that are unlike the others]:FILE:_files' \
	'*'--push='[push a profile of each build and site to Pyroscope, http://HOST:4040 or https://HOST, with ?ca=FILE and ?user=NAME, whose password is WSNTOP_PUSH_PASSWORD; a token without a name is WSNTOP_PUSH_TOKEN]:URL: ' \
	'*'--push-period='[the time that such a profile is of (60)]:SECONDS: ' \
	'*'--rules='[rules as of wsntop check: say which fail, and end with status 3 if some do then]:FILE:_files' \
	'*'--memory='[what all nodes here and sums may take (1G): what is beyond is refused and counted]:SIZE: ' \
	'*'--shards='[how many parts collectors share (as the broker has it in wsn/config, else 64)]:N: ' \
	{-h,--help}'[print this]' \
	'*'{-e+,--elf=}'[the firmware image; reloaded after a rebuild; repeatable: a node gets the image whose identity it reports, else they pair with -p in order]:FILE:_files' \
	'*'--baseline='[baseline to compare with: a snapshot (-x json), a recording (-r), gmon.out, callgrind, pprof, folded]:FILE:_files' \
	'*'{-x+,--export=}'[export at the end; FILE - or none is standard output; repeatable]:FORMAT:_wsntop_exports' \
	'*'--limit='[rows to print at most (all)]:N: ' \
	'*'--for='[stop after this time]:SECONDS: ' \
	&& return
}

_wsntop_init() {
	_arguments -s -S \
	'*'--rtos='[none (default), freertos, zephyr, contiki, riot, arduino]:NAME: ' \
	'*'{-e+,--elf=}'[the firmware as it is: machine, RAM, calls, timers]:FILE:_files' \
	'*'--chip='[avr or cortexm, where no image tells]:NAME: ' \
	'*'--clock='[Cortex-M: the core'\''s clock]:HZ: ' \
	{-h,--help}'[print this]' \
	'*:file:_files'
}

_wsntop_doctor() {
	_arguments -s -S \
	'*'{-e+,--elf=}'[the firmware image; repeatable]:FILE:_files' \
	'*'{-p+,--port=}'[the debug server]:SOURCE:_wsntop_ports' \
	--json'[findings and figures as JSON, one object each]' \
	{-h,--help}'[print this]' \
	&& return
}

_wsntop_as() {
	_arguments -s -S -A '-*' \
	--trace'[hooks for call traces (default with --install)]' \
	--timed'[hooks for timed calls, in place of -finstrument-functions]' \
	--count'[hooks that count calls]' \
	'*'--only='[only functions that match (PCRE2); @FILE: those that it lists]:PATTERN: ' \
	'*'--except='[all but these; @FILE likewise]:PATTERN: ' \
	'*'--files='[only functions of source files that match; @FILE likewise]:PATTERN: ' \
	--wide'[AVR, --trace: ids of 16 bits, for more than 124 functions]' \
	--local'[AVR: calls by numbers of the caller'\''s own (WSNPROF_TRACE 4)]' \
	'*'--huffman='[the same, in codes by an export of a run (-x json)]:FILE:_files' \
	--control-flow'[AVR: branches instead of calls, a bit each (WSNPROF_TRACE 6)]' \
	--no-handlers'[AVR: leave interrupt handlers alone]' \
	--off'[run the assembler without any change]' \
	'*'--chip='[avr or thumb, where CROSS does not tell]:NAME: ' \
	'*'--install='[write DIR/as, which runs this command with the other options]:DIR:_directories' \
	{-h,--help}'[print this]' \
	'1:cross:(avr- arm-none-eabi-)' '*:argument:_files'
}

_wsntop_help() {
	_arguments -s -S \
	'1:command:(check diff report convert record relay collect init doctor as help)'
}

_wsntop() {
	local -a all=(check diff report convert record relay collect init doctor as help)
	if (( CURRENT > 2 && $all[(Ie)$words[2]] )); then
		local command=$words[2]
		shift words
		(( CURRENT-- ))
		_wsntop_$command
		return
	fi
	_arguments -s -S \
	'*'{-p+,--port=}'[data source: /dev/ttyACM0, serial:/dev/ttyUSB0?baud=115200, tcp:HOST:PORT, unix:PATH, file:PATH, - for standard input, openocd:HOST:PORT, gdb:HOST:PORT, swo:SOURCE, simavr:CHIP@HZ, qemu:MACHINE, ssh:HOST:DEVICE, mqtt://BROKER/SITE/+, udp:PORT; repeatable: one node each]:SOURCE:_wsntop_ports' \
	'*'{-e+,--elf=}'[the firmware image; reloaded after a rebuild; repeatable: a node gets the image whose identity it reports, else they pair with -p in order]:FILE:_files' \
	'*'{-b+,--baud=}'[baud rate of serial sources (detected, starting at 115200)]:N:(9600 19200 38400 57600 115200 230400 250000 460800 500000 921600 1000000 1500000 2000000)' \
	'*'{-f+,--format=}'[packet format (auto)]:NAME:(auto wsn prof gprof gprof-hex itm openocd gdb sim ppk2 lpm01a text)' \
	'*'--hz='[PC sampling rate of streams that do not state it (1000)]:N: ' \
	'*'--trace-memory='[memory for a node'\''s call trace: older calls are dropped, counts stay (1024; with -B no limit)]:MB: ' \
	'*'--nodes-memory='[memory for all nodes on a broker, and for the past of those that are open; nodes beyond are counted (512)]:MB: ' \
	'*'--volts='[voltage of the node'\''s supply, for energy (3.0, or the meter'\''s ?mv=)]:V: ' \
	'*'--battery='[the battery'\''s capacity, for its life: 220mAh, 2Ah]:CAPACITY: ' \
	'*'--report='[which report of a prof stream, by name or counted from 1 (the last)]:NAME: ' \
	'*'--power='[power meter beside the node: ppk2:/dev/ttyACM1 (?mode=source&mv=3300: it supplies the node), lpm01a:PORT, or lines of numbers, "s,mA" or "mA": text:SOURCE?unit=uA&column=2&time=1&hz=1000, a file, - for standard input; repeatable: meters pair with -p in order]:SOURCE: ' \
	--correct'[subtract the profiler'\''s own cost from prof reports (an estimate)]' \
	'*'--baseline='[baseline to compare with: a snapshot (-x json), a recording (-r), gmon.out, callgrind, pprof, folded]:FILE:_files' \
	'*'--compare-load='[smallest relevant change of a load since the baseline, in percent of a core (1 %)]:PERCENT: ' \
	'*'--compare-call='[smallest relevant change of the time per call (5 %)]:PERCENT: ' \
	'*'--speed='[replay speed of a recording, which is followed while it is still written: 2 is twice as fast, max is as fast as possible (1)]:N:(max)' \
	'*'--from='[of a recording, with -B: what was counted from this time on: 12:03:41 of the day, 3:20 into it, 90s, 2h]:TIME: ' \
	'*'--until='[up to this time; +1h: so long from --from on]:TIME: ' \
	'*'{-r+,--record=}'[record every byte with its time, and what was watched, for -p FILE, which needs no -f; repeatable: recordings pair with -p in order]:FILE:_files' \
	--force'[-r may replace a recording]' \
	'*'{-x+,--export=}'[export at the end; FILE - or none is standard output; repeatable]:FORMAT:_wsntop_exports' \
	'*'--filter='[only functions whose name or file matches (PCRE2)]:REGEX: ' \
	'*'--sort='[order of the rows (self)]:COLUMN:(self% self total calls per-call min p50 p90 p99 max samples \~calls \~calls/s \~self/call calls/s load% ma uj/call energy% stack stack-max stack-use frame context function file)' \
	'*'{-w+,--watch=}'[bound on a figure, such as "clock_tick: max > 300 us"; repeatable; with -B the status is 3 if one is passed. Or to be logged, from outside: a variable (radio.state), call:f, reg:ADDRESS/SIZE, mem:ADDRESS+LENGTH, irq, mark]:BOUND: ' \
	'*'--limit='[rows to print at most (all)]:N: ' \
	--cluster'[dot: group functions by file]' \
	--per-site'[dot: an edge for each call site, with its line]' \
	--by-task'[folded: from the call trace, each task apart]' \
	--log-calls'[log: with all calls of the trace (those watched)]' \
	{-B,--batch}'[no screen: read to the end, print the flat profile]' \
	'*'--for='[stop after this time]:SECONDS: ' \
	'*'--theme='[colour theme: a name (an unknown name lists all) or the path of a theme file]:NAME:_wsntop_themes' \
	'*'--config='[settings file, or none ($XDG_CONFIG_HOME/wsntop/config.ini)]:FILE:_wsntop_config' \
	'*'--source-dir='[folder with source files; repeatable]:DIR:_directories' \
	'*'--source-map='[sources whose path begins with FROM are below TO; repeatable]:FROM=TO: ' \
	--version'[print the version]' \
	{-h,--help}'[print this]' \
	'1:source or image:{ compadd -a all; _files }' \
	'*:source or image:_files'
}

_wsntop "$@"
