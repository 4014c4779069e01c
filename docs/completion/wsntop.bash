# wsntop's completion for bash. From the program's tables by docs/renew: not to be edited.

_wsntop_words() { COMPREPLY+=($(compgen -W "$1" -- "$cur")); }

_wsntop_files() {
	local found
	compopt -o filenames 2>/dev/null
	mapfile -t found < <(compgen "$1" -- "$cur")
	COMPREPLY+=("${found[@]}")
}

# Behind a kind of source and its colon, too: those are words of their own here.
_wsntop_ports() {
	case $kind in
	file|unix) _wsntop_files -f ;;
	serial) COMPREPLY+=($(compgen -W "$(_wsntop_devices)" -- "$cur")) ;;
	tcp) COMPREPLY+=($(compgen -A hostname -- "$cur")) ;;
	*)	_wsntop_words "$(_wsntop_devices) serial: tcp: unix: file: -"
		[[ ${COMPREPLY[0]} == *: ]] && compopt -o nospace 2>/dev/null
		_wsntop_files -f ;;
	esac
}

_wsntop_devices() { compgen -G '/dev/tty[AU][CS][MB]*'; }

_wsntop_exports() {
	if [[ $kind ]]; then
		_wsntop_files -f
	else
		_wsntop_words "flat text gmon dot json csv changes callgrind pprof folded flamegraph html speedscope firefox prof prometheus trace perfetto ctf log log-csv log-json vcd"
	fi
}

_wsntop_themes() {
	local file folder
	for folder in "${XDG_CONFIG_HOME:-$HOME/.config}/wsntop/themes" \
		{/usr/local,/usr}/share/wsntop/themes themes; do
		for file in "$folder"/*.ini; do
			file=${file##*/}
			[[ $file == '*.ini' ]] || echo "${file%.ini}"
		done
	done
	echo default
}

# "--sort=ca" may come as one word or, as readline cuts it, as three; "json:f" likewise.
_wsntop() {
	local cur=${COMP_WORDS[COMP_CWORD]} at=$COMP_CWORD opt kind=
	COMPREPLY=()
	if [[ $cur == : ]]; then
		kind=${COMP_WORDS[at-1]} cur= at=$((at - 1))
	elif [[ ${COMP_WORDS[at-1]} == : ]]; then
		kind=${COMP_WORDS[at-2]} at=$((at - 2))
	fi
	opt=${COMP_WORDS[at-1]}
	if [[ $cur == = && ! $kind ]]; then
		cur=
	elif [[ $opt == = ]]; then
		opt=${COMP_WORDS[at-2]}
	elif [[ $cur == --*=* ]]; then
		opt=${cur%%=*} cur=${cur#*=}
	fi
	local command=
	[[ $COMP_CWORD -gt 1 ]] && case ${COMP_WORDS[1]} in
	check|diff|report|convert|record|relay|collect|init|doctor|as|help) command=${COMP_WORDS[1]} ;;
	esac
	case $command$opt in
	-p|--port) _wsntop_ports ;;
	-e|--elf) _wsntop_files -f ;;
	-b|--baud) _wsntop_words "9600 19200 38400 57600 115200 230400 250000 460800 500000 921600 1000000 1500000 2000000" ;;
	-f|--format) _wsntop_words "auto wsn prof gprof gprof-hex itm openocd gdb sim ppk2 lpm01a text" ;;
	--hz) ;;
	--trace-memory) ;;
	--nodes-memory) ;;
	--volts) ;;
	--battery) ;;
	--report) ;;
	--power) ;;
	--baseline) _wsntop_files -f ;;
	--compare-load) ;;
	--compare-call) ;;
	--speed) _wsntop_words max ;;
	--from) ;;
	--until) ;;
	-r|--record) _wsntop_files -f ;;
	-x|--export) _wsntop_exports ;;
	--filter) ;;
	--sort) _wsntop_words "self% self total calls per-call min p50 p90 p99 max samples ~calls ~calls/s ~self/call calls/s load% ma uj/call energy% stack stack-max stack-use frame context function file" ;;
	-w|--watch) ;;
	--limit) ;;
	--for) ;;
	--theme) _wsntop_words "$(_wsntop_themes)" ;;
	--config) _wsntop_words none; _wsntop_files -f ;;
	--source-dir) _wsntop_files -d ;;
	--source-map) ;;
	check--rules) _wsntop_files -f ;;
	check--junit) _wsntop_files -f ;;
	check--unsure) _wsntop_words "pass fail warn" ;;
	check--baseline-elf) _wsntop_files -f ;;
	check-p|check--port) _wsntop_ports ;;
	check-e|check--elf) _wsntop_files -f ;;
	check-b|check--baud) _wsntop_words "9600 19200 38400 57600 115200 230400 250000 460800 500000 921600 1000000 1500000 2000000" ;;
	check-f|check--format) _wsntop_words "auto wsn prof gprof gprof-hex itm openocd gdb sim ppk2 lpm01a text" ;;
	check--hz) ;;
	check--trace-memory) ;;
	check--volts) ;;
	check--report) ;;
	check--power) ;;
	check--baseline) _wsntop_files -f ;;
	check-r|check--record) _wsntop_files -f ;;
	check-x|check--export) _wsntop_exports ;;
	check-w|check--watch) ;;
	check--limit) ;;
	check--for) ;;
	diff-x|diff--export) _wsntop_words "text json markdown html" ;;
	diff-e|diff--elf) _wsntop_files -f ;;
	diff-f|diff--format) _wsntop_words "auto wsn prof gprof gprof-hex itm openocd gdb sim ppk2 lpm01a text" ;;
	diff--hz) ;;
	diff--report) ;;
	diff--compare-load) ;;
	diff--compare-call) ;;
	diff--filter) ;;
	diff--limit) ;;
	report-e|report--elf) _wsntop_files -f ;;
	report-f|report--format) _wsntop_words "auto wsn prof gprof gprof-hex itm openocd gdb sim ppk2 lpm01a text" ;;
	report--hz) ;;
	report--report) ;;
	report--filter) ;;
	report--sort) _wsntop_words "self% self total calls per-call min p50 p90 p99 max samples ~calls ~calls/s ~self/call calls/s load% ma uj/call energy% stack stack-max stack-use frame context function file" ;;
	report--limit) ;;
	convert-e|convert--elf) _wsntop_files -f ;;
	convert-f|convert--format) _wsntop_words "auto wsn prof gprof gprof-hex itm openocd gdb sim ppk2 lpm01a text" ;;
	convert--hz) ;;
	convert--trace-memory) ;;
	convert--volts) ;;
	convert--report) ;;
	convert--baseline) _wsntop_files -f ;;
	convert--compare-load) ;;
	convert--compare-call) ;;
	convert-x|convert--export) _wsntop_exports ;;
	convert--filter) ;;
	convert--sort) _wsntop_words "self% self total calls per-call min p50 p90 p99 max samples ~calls ~calls/s ~self/call calls/s load% ma uj/call energy% stack stack-max stack-use frame context function file" ;;
	convert--limit) ;;
	record-o|record--output) ;;
	record--every) ;;
	record--each) ;;
	record--keep) ;;
	record--for) ;;
	record--progress) ;;
	record-p|record--port) _wsntop_ports ;;
	record-e|record--elf) _wsntop_files -f ;;
	record-b|record--baud) _wsntop_words "9600 19200 38400 57600 115200 230400 250000 460800 500000 921600 1000000 1500000 2000000" ;;
	record-f|record--format) _wsntop_words "auto wsn prof gprof gprof-hex itm openocd gdb sim ppk2 lpm01a text" ;;
	record-w|record--watch) ;;
	relay--to) ;;
	relay--period) ;;
	relay--shards) ;;
	relay--spool) ;;
	relay--keep) ;;
	relay--age) ;;
	relay-p|relay--port) _wsntop_ports ;;
	relay-b|relay--baud) _wsntop_words "9600 19200 38400 57600 115200 230400 250000 460800 500000 921600 1000000 1500000 2000000" ;;
	relay--for) ;;
	collect--group) ;;
	collect--period) ;;
	collect--listen) ;;
	collect--summary) _wsntop_files -f ;;
	collect--push) ;;
	collect--push-period) ;;
	collect--rules) _wsntop_files -f ;;
	collect--memory) ;;
	collect--shards) ;;
	collect-e|collect--elf) _wsntop_files -f ;;
	collect--baseline) _wsntop_files -f ;;
	collect-x|collect--export) _wsntop_exports ;;
	collect--limit) ;;
	collect--for) ;;
	init--rtos) ;;
	init-e|init--elf) _wsntop_files -f ;;
	init--chip) ;;
	init--clock) ;;
	doctor-e|doctor--elf) _wsntop_files -f ;;
	doctor-p|doctor--port) _wsntop_ports ;;
	as--only) ;;
	as--except) ;;
	as--files) ;;
	as--huffman) _wsntop_files -f ;;
	as--chip) ;;
	as--install) _wsntop_files -d ;;
	*)	if [[ $cur == -* ]]; then
			case $command in
			check) _wsntop_words "--rules= --junit= --unsure= --baseline-elf= --help --port= --elf= --baud= --format= --hz= --trace-memory= --volts= --report= --power= --correct --baseline= --record= --export= --watch= --limit= --for=" ;;
			diff) _wsntop_words "--export= --all --help --elf= --format= --hz= --report= --correct --compare-load= --compare-call= --filter= --limit=" ;;
			report) _wsntop_words "--help --elf= --format= --hz= --report= --correct --filter= --sort= --limit=" ;;
			convert) _wsntop_words "--help --elf= --format= --hz= --trace-memory= --volts= --report= --correct --baseline= --compare-load= --compare-call= --export= --filter= --sort= --limit= --cluster --per-site --by-task --log-calls" ;;
			record) _wsntop_words "--output= --every= --each= --keep= --for= --progress= --help --port= --elf= --baud= --format= --watch=" ;;
			relay) _wsntop_words "--to= --period= --shards= --spool= --keep= --age= --allow-commands --help --port= --baud= --for=" ;;
			collect) _wsntop_words "--group= --period= --listen= --summary= --push= --push-period= --rules= --memory= --shards= --help --elf= --baseline= --export= --limit= --for=" ;;
			init) _wsntop_words "--rtos= --elf= --chip= --clock= --help" ;;
			doctor) _wsntop_words "--elf= --port= --json --help" ;;
			as) _wsntop_words "--trace --timed --count --only= --except= --files= --wide --local --huffman= --control-flow --no-handlers --off --chip= --install= --help" ;;
			help) _wsntop_words "" ;;
			*) _wsntop_words "--port= --elf= --baud= --format= --hz= --trace-memory= --nodes-memory= --volts= --battery= --report= --power= --correct --baseline= --compare-load= --compare-call= --speed= --from= --until= --record= --force --export= --filter= --sort= --watch= --limit= --cluster --per-site --by-task --log-calls --batch --for= --theme= --config= --source-dir= --source-map= --version --help" ;;
			esac
			[[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
		else
			case $command in
			record) ;;
			relay) ;;
			collect) ;;
			doctor) ;;
			as) _wsntop_words "avr- arm-none-eabi-" ;;
			help) _wsntop_words "check diff report convert record relay collect init doctor as help" ;;
			*)	[[ $COMP_CWORD == 1 ]] && _wsntop_words "check diff report convert record relay collect init doctor as help"
				_wsntop_files -f ;;
			esac
		fi ;;
	esac
}

complete -F _wsntop wsntop
