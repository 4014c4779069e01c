"""wsntop in a guest, a node on a USB adapter that is pulled out and put in again: replug.py KERNEL INITRD NODE ELF FOLDER"""

import os
import signal
import subprocess
import sys

from guest import Guest, Wire, await_it
from truth import CPU_HZ, Truth, check, check_calls, rows_of_json
from wsn import STATUS, Node, frame

STOP, ALL = 17, 19			# docs/PROTOCOL.md, 6
TIMES = 20

kernel, initrd, node_program, elf, folder = sys.argv[1:]


class Run:
    """wsntop in the guest, as the user of group dialout."""

    def __init__(self, guest):
        self.guest, self.backs = guest, 0
        self.pid = int(guest.do(
            "su user -c 'exec wsntop -B --for=86400 -p /dev/ttyUSB0 -e /demo.elf -f wsn -r /tmp/rec -x json:/tmp/out.json'"
            " >/tmp/said 2>&1 & echo $!"))

    def holds(self, port):
        return f"ls -l /proc/{self.pid}/fd | grep -q '{port}$'"

    def expect_back(self, port):
        """A mark in the kernel's log once it reads from this port."""
        self.backs += 1
        self.guest.do(f"( until {self.holds(port)}; do usleep 4000; done; s=$(stat -c %s /tmp/rec);"
                      f" while [ $(stat -c %s /tmp/rec) = $s ]; do usleep 4000; done;"
                      f" echo wsntop is back {self.backs} >/dev/kmsg ) >/dev/null 2>&1 &")

    def await_back(self, since):
        """Guest's seconds from the last line of the kernel's log with these words until it was back."""
        mark = f"wsntop is back {self.backs}"
        self.guest.do(f"until dmesg | grep -q '{mark}$'; do usleep 50000; done")
        log = self.guest.kernel_log()
        back = next(t for t, text in log if text.endswith(mark))
        return back - max(t for t, text in log if since in text)

    def await_gone(self):
        self.guest.do(f"while ls -l /proc/{self.pid}/fd | grep -q ttyUSB; do usleep 20000; done")

    def signal(self, name):
        self.guest.do(f"kill -{name} {self.pid}")


def node_counts_on(wire):
    """While nobody hears it: for as many bytes as it takes for some rows to change."""
    before = wire.lost
    await_it("the node sends nothing", lambda: wire.lost > before + 600)


def line_of(guest, user, arguments):
    text, status = guest.run(f"su {user} -c 'wsntop -B --for=1 -p /dev/ttyUSB0 -x json:/dev/null {arguments}' 2>&1")
    lines = text.strip().split("\n")
    check(status != 0 and len(lines) == 1, f"one line: {text.strip()}")
    return lines[0]


def replug(run, guest, wire, port="ttyUSB0"):
    guest.unplug(wire)
    run.await_gone()
    node_counts_on(wire)
    run.expect_back(port)
    guest.plug(wire)
    return run.await_back(f"attached to {port}")


def held_still(run, guest, wire, port, meanwhile=()):
    """Its old name is in use still when it comes back."""
    run.signal("STOP")
    guest.unplug(wire)
    node_counts_on(wire)
    # Else what is plugged in may have its number before the kernel has seen that the others are gone.
    guest.do("while ls /sys/bus/usb-serial/devices | grep -q .; do usleep 20000; done")
    for other in meanwhile:
        guest.plug(other)
        guest.do("until dmesg | tail -n 3 | grep -q 'attached to'; do usleep 50000; done")
    run.expect_back(port)
    guest.plug(wire)
    guest.do(f"until [ -c /dev/{port} ]; do usleep 20000; done")


def refusals(guest):
    line = line_of(guest, "stranger", "")
    check("permission denied: add yourself to group dialout" in line, "no permission: the reason and the cure")
    run = Run(guest)
    run.expect_back("ttyUSB0")
    run.await_back("attached to ttyUSB0")
    line = line_of(guest, "user", "")
    check(f"busy: in use by wsntop (pid {run.pid}); close it first" in line, "held by another program: by which")
    return run


def pulled(run, guest, wire):
    took, lost = [], wire.lost
    for _ in range(TIMES):
        took.append(replug(run, guest, wire))
    check(max(took) < 1, f"{TIMES} times unplugged, {wire.lost - lost} bytes lost there; back after {sum(took) / TIMES:.2f} s"
                         f" of the guest's time, {max(took):.2f} at most")


def renumbered(run, guest, wire, other):
    held_still(run, guest, wire, "ttyUSB1")
    run.signal("CONT")
    check(run.await_back("attached to ttyUSB1") >= 0, "ttyUSB0 came back as ttyUSB1: found by its serial number")
    held_still(run, guest, wire, "ttyUSB2", [other])
    run.signal("CONT")
    run.await_back("attached to ttyUSB2")
    check(not guest.run(run.holds("ttyUSB0"))[1] == 0, "another adapter has the name ttyUSB0: left alone, ours is ttyUSB2")
    guest.unplug(other)


def taken_first(run, guest, wire):
    """A program that is faster, sets another rate, and types at the node."""
    speed = guest.do("stty -F /dev/ttyUSB2 speed")
    held_still(run, guest, wire, "ttyUSB0")
    guest.do("noise /dev/ttyUSB0 2000 >/tmp/noise 2>&1 &\nuntil grep -q held /tmp/noise; do usleep 10000; done")
    run.signal("CONT")
    guest.do("until grep -q taken /tmp/noise || ! pidof noise; do usleep 10000; done; echo noise ends >/dev/kmsg")
    check("bytes taken" in guest.do("cat /tmp/noise"), f"another program typed AT at the node: {guest.do('tail -n 1 /tmp/noise')}")
    late = run.await_back("noise ends")
    check(late < 1, f"held by another program: back {late:.2f} s after it went")
    check(guest.do("stty -F /dev/ttyUSB0 speed") == speed != "9600", f"at {speed} baud again")


def suspended(run, guest, wire):
    """As the kernel tests it (pm_test): processes frozen, the adapter suspended, five seconds, and back."""
    for how in "freezer", "devices":
        guest.do(f"echo {how} >/sys/power/pm_test")
        before = guest.do("stat -c %s /tmp/rec")
        guest.do("echo freeze >/sys/power/state; echo awake >/dev/kmsg")
        guest.do(f"until [ $(stat -c %s /tmp/rec) -gt {before} ]; do usleep 10000; done; echo wsntop reads on >/dev/kmsg")
        log = [(t, text) for t, text in guest.kernel_log() if t > 0]
        awake = max(t for t, text in log if text.endswith("awake"))
        check(any("suspend debug: Waiting for 5 second" in text for _, text in log), f"suspended ({how})")
        reads = max(t for t, text in log if "reads on" in text)
        check(reads - awake < 2, f"suspended for 5 s ({how}): it reads on {reads - awake:.2f} s after it woke")


def permitted_late(run, guest, wire):
    """udev gives a port its group some time after the port is there."""
    guest.do("kill $(pidof mdev)")
    guest.unplug(wire)
    run.await_gone()
    run.expect_back("ttyUSB0")
    guest.plug(wire)
    guest.do("until [ -c /dev/ttyUSB0 ]; do usleep 20000; done; sleep 2")
    check(guest.run(run.holds("ttyUSB0"))[1] != 0, "no permission yet: it waits")
    guest.do("chown 0:20 /dev/ttyUSB0 && chmod 660 /dev/ttyUSB0 && echo may be opened >/dev/kmsg")
    late = run.await_back("may be opened")
    check(late < 1, f"and is back {late:.2f} s after it was given")
    guest.do("mdev -d")			# a suspended adapter comes back as a new port


def stopped(wire):
    """The node counts no more and has sent all of it."""
    heard, so_far = Node(), 0

    def listen():
        nonlocal so_far
        whole = wire.heard.rfind(b"\0") + 1
        heard.feed(bytes(wire.heard[so_far:whole]))
        so_far = whole
        return heard
    for kind, seq in (STOP, 41), (ALL, 42):
        for _ in range(8):
            refreshes = listen().frames[STATUS]
            wire.say(frame(kind, seq))
            await_it("the node sends nothing", lambda: listen().frames[STATUS] > refreshes + 2)
            if heard.status["command"] == seq + 1:
                break
        check(heard.status["command"] == seq + 1, f"the node took command {kind}")
    refreshes = heard.frames[STATUS]
    await_it("the node sends nothing", lambda: listen().frames[STATUS] > refreshes + 8)


def ended(run, guest, wire):
    """All that the node sent is read; then it exports."""
    for _ in range(3):			# one of them is whole within a chunk; a line of its own, for busybox's grep
        wire.feed(b"\0\nall of it came\n\0")
    guest.do("until grep -q 'all of it came' /tmp/rec; do usleep 100000; done")
    run.signal("TERM")			# INT is ignored there: a shell started it in the background
    guest.do(f"while [ -d /proc/{run.pid} ] && ! grep -q Z /proc/{run.pid}/stat; do usleep 20000; done")
    print(guest.do("cat /tmp/said"))
    open(f"{folder}/out.json", "wb").write(guest.fetch("/tmp/out.json"))


def main():
    guest = Guest(folder, kernel, initrd)
    node = subprocess.Popen([node_program, "--leash", f"--link={folder}/node", f"--truth={folder}/truth", "--wait", elf],
                            stdout=subprocess.DEVNULL)
    await_it("no node", lambda: os.path.exists(f"{folder}/node"))
    wire, other = Wire("a", "NODE0001", f"{folder}/node", node), Wire("b", "OTHER002")
    guest.plug(wire)
    guest.do("until [ \"$(stat -c %G /dev/ttyUSB0 2>/dev/null)\" = dialout ]; do usleep 50000; done")
    run = refusals(guest)
    pulled(run, guest, wire)
    renumbered(run, guest, wire, other)
    taken_first(run, guest, wire)
    permitted_late(run, guest, wire)
    suspended(run, guest, wire)
    stopped(wire)
    ended(run, guest, wire)
    node.send_signal(signal.SIGTERM)
    node.wait()
    guest.end()
    out, rows = rows_of_json(f"{folder}/out.json", CPU_HZ)
    check_calls(rows, Truth(f"{folder}/truth").sites, "nothing lost")


main()
