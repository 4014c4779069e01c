#!/bin/bash
# A USB adapter pulled out and put in again: wsntop in a small x86 guest under QEMU (no KVM) with Debian's kernel, an
# emulated FTDI adapter wired to the simulated node. The guest is made of Debian's packages, unpacked below build/ and
# never installed; wsntop brings its shared libraries.
. "$(dirname "$0")/../golden/lib.sh"
. "$(dirname "$0")/debian.sh"
need_tools apt-get dpkg-deb qemu-system-x86_64 setpriv
[ "$(dpkg --print-architecture)" = amd64 ] || skip "the guest's kernel is amd64's, wsntop this machine's"
[ -x "$root/build/sim/avrnode" ] || make -s -C "$root" sim firmware >/dev/null
parts=$root/build/debian/usb
modules="virtio_ring virtio virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci virtio_console usb-common usbcore uhci-hcd usbserial ftdi_sio"
demo=$root/build/sim/firmware/demo.elf

# --- the guest's kernel, its modules, busybox

if [ ! -f "$parts/complete" ]; then
	debian_begin "$root/build/debian/lists-usb" amd64 deb
	kernel=$(debian_apt -s install linux-image-amd64 2>/dev/null | sed -n 's/^Inst \(linux-image-[0-9][^ ]*\).*/\1/p' | head -n 1)
	[ -n "$kernel" ] || skip "no kernel's package is known to apt"
	(cd "$work" && debian_apt download "$kernel" busybox-static >log 2>&1) || skip "no packages: $(tail -n 1 "$work/log")"
	mkdir -p "$parts"
	dpkg-deb -x "$work"/busybox-static_*.deb "$work/busybox" || fail "busybox-static"
	mapfile -t wanted < <(printf '*/%s.ko\n' $modules)
	dpkg-deb --fsys-tarfile "$work/$kernel"_*.deb | tar -x -C "$work" --wildcards './boot/vmlinuz*' "${wanted[@]}" || fail "$kernel"
	cp "$work/busybox/bin/busybox" "$work"/boot/vmlinuz* "$parts" && find "$work/lib" -name '*.ko' -exec cp {} "$parts" \;
	# Unpacked: QEMU takes that, and to unpack it takes the guest as long as all the rest of its start.
	python3 - "$parts"/vmlinuz* "$parts/vmlinux" <<-'PYTHON' || fail "$kernel: no xz in its vmlinuz"
		import lzma, sys
		packed = open(sys.argv[1], "rb").read()
		open(sys.argv[2], "wb").write(lzma.LZMADecompressor().decompress(packed[packed.index(b"\xfd7zXZ\0"):]))
	PYTHON
	rm "$parts"/vmlinuz*
	touch "$parts/complete"
fi

# --- its files

guest=$work/guest
mkdir -p "$guest"/{bin,dev,proc,sys,tmp,run,modules,etc}
cp "$parts/busybox" "$guest/bin/" && cp "$parts"/*.ko "$guest/modules/" && echo "$modules" >"$guest/modules/order" && cp "$root/tests/long/usb/init" "$demo" "$guest/" || fail "the guest's files"
gcc -O1 -Wall -Werror -o "$guest/bin/noise" "$root/tests/long/usb/noise.c" || fail "noise.c"
strip -o "$guest/bin/wsntop" "$WSNTOP"
for f in $(ldd "$WSNTOP" | grep -o '/[^ ]*\.so[^ ]*'); do
	mkdir -p "$guest$(dirname "$f")" && cp -L "$f" "$guest$f" || fail "$f"
done
printf '%s:/tmp:/bin/sh\n' root:x:0:0: user:x:1000:1000: stranger:x:1001:1001: >"$guest/etc/passwd"
printf '%s\n' root:x:0: dialout:x:20:user user:x:1000: stranger:x:1001: >"$guest/etc/group"
printf 'ttyUSB[0-9]+ 0:20 660\n.* 0:0 666\n' >"$guest/etc/mdev.conf"
(cd "$guest" && find . | "$parts/busybox" cpio -o -H newc 2>/dev/null) | gzip -1 >"$work/initrd"

PYTHONPATH=$root/tests/long/usb:$root/tests/sim python3 -u "$root/tests/long/usb/replug.py" "$parts/vmlinux" "$work/initrd" \
	"$root/build/sim/avrnode" "$demo" "$work"
