# For the tests of `wsntop as` that compile a program without it and with it. Sourced, with $TMP.

# text_compiled COMPILER OBJECT SOURCE OPTION...: by the assembler of -B DIR, where that is among the options. gcc's own text is
# made once for the same source and options; not where it runs the assembler later (-flto), or reads no file (-pipe).
text_compiled() {
	local compiler=$1 object=$2 source=$3 text b=() options=()
	shift 3
	while [ $# -gt 0 ]; do
		case $1 in
		-B) b=(-B "$2"); shift ;;
		*) options+=("$1") ;;
		esac
		shift
	done
	case " ${options[*]} " in
	*" -flto "* | *" -pipe "*) $compiler "${options[@]}" "${b[@]}" -c -o "$object" "$source"; return ;;
	esac
	text=$TMP/text.$(echo "$compiler ${options[*]}" | cat - "$source" | cksum | cut -d ' ' -f 1).s
	[ -e "$text" ] || $compiler "${options[@]}" -S -o "$text" "$source"
	# shellcheck disable=SC2046
	$compiler $(printf '%s\n' "${options[@]}" | grep '^-m') "${b[@]}" -c -o "$object" "$text"
}
