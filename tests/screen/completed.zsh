#!/usr/bin/zsh -f
# completed.zsh COMPLETION LINE: what zsh offers at the end of a command line, one a line. An interactive zsh on a
# pseudo-terminal completes; what it would add to the list is printed between two NUL bytes instead.
zmodload zsh/zpty || exit 77
zpty z zsh -f -i
zpty -w z "source ${(q)0:A:h}/completed.init; source ${(q)1}; compdef _wsntop wsntop; print ready:0 | tr 0 1"
zpty -r z got '*ready:1*'
zpty -w -n z "$2"$'\t'
zpty -r z got $'*\0*\0'
print -r -- "${${got#*$'\0'}%$'\0'*}" | tr -d '\r' | sed '/^$/d' | sort -u
zpty -d z
