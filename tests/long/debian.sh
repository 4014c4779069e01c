# Debian's packages without installing them: by apt, from the sources that this machine is configured with, with lists
# and a state of its own, so that nothing of the machine changes. To be sourced after golden/lib.sh.

# debian_begin FOLDER ARCHITECTURE deb|deb-src: the lists, in FOLDER.
debian_begin() {
	debian_folder=$1 debian_architecture=$2
	mkdir -p "$1"/{sources,lists/partial,cache/archives/partial}
	: >"$1/status"
	local f name
	for f in /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources}; do
		[ -f "$f" ] || continue
		name=$(basename "$f")
		[ "$name" != sources.list ] || name=main.list
		sed -E "s/^Types:.*/Types: $3/; s/^deb(-src)? /$3 /" "$f" >"$1/sources/$name"
	done
	debian_apt update >"$1/log" 2>&1 || skip "apt-get update: no network? $(tail -n 1 "$1/log")"
}

debian_apt() {	# arguments of apt-get
	apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$debian_folder/sources" \
		-o Dir::State::lists="$debian_folder/lists" -o Dir::State::status="$debian_folder/status" \
		-o Dir::Cache="$debian_folder/cache" -o APT::Architecture="$debian_architecture" \
		-o APT::Architectures::="$debian_architecture" -o APT::Install-Recommends=0 -o Debug::NoLocking=1 "$@"
}

# debian_unpack FOLDER PACKAGE...: these packages, and all that they depend on, unpacked into FOLDER.
debian_unpack() {
	local to=$1 deb
	shift
	debian_apt install -y --download-only "$@" >"$debian_folder/log" 2>&1 || skip "no packages: $(tail -n 1 "$debian_folder/log")"
	for deb in "$debian_folder"/cache/archives/*.deb; do
		dpkg-deb -x "$deb" "$to" || fail "dpkg-deb -x $deb"
	done
}
