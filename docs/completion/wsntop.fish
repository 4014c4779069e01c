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
complete -c wsntop -s p -l port -r -a '(__wsntop_ports)' -d 'where bytes come from: /dev/ttyACM0, serial:/dev/ttyUSB0?baud=115200, tcp:HOST:PORT, unix:PATH, file:PATH, or - for standard input; repeat it for several nodes'
complete -c wsntop -s e -l elf -r -F -d 'the firmware image; a rebuild is reloaded; several: a node gets the one that it says it runs, else they pair with -p in order'
complete -c wsntop -s b -l baud -x -a '9600 19200 38400 57600 115200 230400 250000 460800 500000 921600 1000000 1500000 2000000' -d 'bits a second of serial sources (found by listening, from 115200 on)'
complete -c wsntop -s f -l format -x -a 'auto wsn prof gprof gprof-hex' -d 'packet format (auto)'
complete -c wsntop -l hz -x -d 'PC sampling rate of streams that do not say it (1000)'
complete -c wsntop -l report -x -d 'which report of a prof stream, by name or counted from 1 (the last)'
complete -c wsntop -l correct -d 'take the profiler\'s own cost back from prof reports: an estimate'
complete -c wsntop -l baseline -r -F -d 'compare with this from the start: a snapshot (-x json) or a recording (-r)'
complete -c wsntop -l speed -x -a max -d 'pace of a recording replayed: 2 is twice as fast, max as fast as it decodes (1)'
complete -c wsntop -s r -l record -r -F -d 'keep every byte with its time, for -p file:FILE; several pair with -p in order'
complete -c wsntop -s x -l export -x -a 'flat text gmon dot json csv changes' -d 'write this at the end; FILE - or none is standard output; may be repeated'
complete -c wsntop -l filter -x -d 'only functions whose name or file matches (PCRE2)'
complete -c wsntop -l sort -x -a 'percent self total calls percall min p50 p99 max samples rate load stack context function file' -d 'order of the rows (self)'
complete -c wsntop -l limit -x -d 'rows to print at most (all)'
complete -c wsntop -l cluster -d 'dot: group functions by file'
complete -c wsntop -l per-site -d 'dot: an edge for each call site, with its line'
complete -c wsntop -s B -l batch -d 'no screen: read to the end, print the flat profile'
complete -c wsntop -l for -x -d 'stop after so long'
complete -c wsntop -l theme -x -a '(__wsntop_themes)' -d 'colours: a theme\'s name (a wrong one lists them), or the path of a theme file'
complete -c wsntop -l config -r -F -a none -d 'what is set up is in this file, or in none ($XDG_CONFIG_HOME/wsntop/config.ini)'
complete -c wsntop -l source-dir -x -a '(__fish_complete_directories)' -d 'where source files may be; may be repeated'
complete -c wsntop -l source-map -x -d 'sources whose path begins with FROM are below TO; may be repeated'
complete -c wsntop -l version -d 'print the version'
complete -c wsntop -s h -l help -d 'print this'
