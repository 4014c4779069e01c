"""A small x86 guest under QEMU, USB serial adapters that are plugged and unplugged by QMP, and the wire from such an
adapter to a node's pty."""

import base64
import gzip
import json
import os
import re
import select
import signal
import socket
import subprocess
import threading
import time
import tty

HUNG = 600		# seconds: a watchdog's, no limit of the test's


def await_it(what, is_so, nap=0.05):
    """Until it is so; what it then is."""
    hung = time.monotonic() + HUNG
    while not (value := is_so()):
        if time.monotonic() > hung:
            raise SystemExit(f"FAILED: watchdog: hung for {HUNG // 60} minutes: {what}")
        time.sleep(nap)
    return value


def connect(path):
    def try_it():
        s = socket.socket(socket.AF_UNIX)
        try:
            s.connect(path)
            return s
        except OSError:
            s.close()
            return None
    return await_it(f"{path} is not there", try_it)


class Qmp:
    """QEMU's monitor protocol: a command, its answer; events in between are kept."""

    def __init__(self, path):
        self.file = connect(path).makefile("rw")
        self.events = []
        self.file.readline()
        self.do("qmp_capabilities")

    def _read(self):
        line = self.file.readline()
        if not line:
            raise SystemExit("FAILED: QEMU is gone")
        return json.loads(line)

    def do(self, command, **arguments):
        self.file.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.file.flush()
        while True:
            answer = self._read()
            if "event" in answer:
                self.events.append(answer)
            elif "error" in answer:
                raise SystemExit(f"FAILED: {command}: {answer['error']['desc']}")
            else:
                return answer["return"]

    def await_deleted(self, device):
        while True:
            for event in self.events:
                if event["event"] == "DEVICE_DELETED" and event["data"].get("device") == device:
                    self.events.remove(event)
                    return
            self.events.append(self._read())


class Guest:
    def __init__(self, folder, kernel, initrd):
        # By instructions: the guest's second is no other on a busy host. 4 ns each.
        self.qemu = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "qemu-system-x86_64", "-accel", "tcg", "-icount", "shift=2", "-M", "pc", "-m", "256", "-nodefaults",
             "-display", "none", "-no-reboot", "-kernel", kernel, "-initrd", initrd,
             "-append", "console=ttyS0 quiet panic=-1 nokaslr mitigations=off",
             "-device", "piix3-usb-uhci,id=uhci",
             "-chardev", f"socket,id=shell,path={folder}/shell,server=on,wait=off",
             "-device", "virtio-serial-pci", "-device", "virtserialport,chardev=shell,name=shell",
             "-serial", f"file:{folder}/console",
             "-qmp", f"unix:{folder}/qmp,server=on,wait=off"], stdin=subprocess.DEVNULL)
        self.folder = folder
        self.qmp = Qmp(f"{folder}/qmp")
        self.shell = connect(f"{folder}/shell")
        self.shell.settimeout(HUNG)
        self.said = b""
        self.marks = self.chardevs = 0
        self._until(b"up\n")

    def _until(self, mark):
        while mark not in self.said:
            piece = self.shell.recv(65536)
            if not piece:
                raise SystemExit(f"FAILED: the guest is gone: {open(self.folder + '/console', errors='replace').read()[-2000:]}")
            self.said += piece
        text, self.said = self.said.split(mark, 1)
        return text

    def run(self, command):
        """Its output and its status."""
        self.marks += 1
        mark = f"@@{self.marks}@@"
        # The mark is in two parts there: what is typed is not what is printed.
        self.shell.sendall(f"{{ {command}\n}} </dev/null; echo @@'{self.marks}@@'$?\n".encode())
        text = self._until(mark.encode()).decode(errors="replace")
        return text.replace("\r\n", "\n"), int(self._until(b"\n"))

    def do(self, command):
        text, status = self.run(command)
        if status:
            raise SystemExit(f"FAILED: in the guest: {command}: {status}: {text}")
        return text.strip()

    def fetch(self, path):
        return gzip.decompress(base64.b64decode(self.do(f"gzip -c {path} | base64")))

    def plug(self, adapter):
        """`adapter` is a Wire. The far end of its port is ours."""
        self.chardevs += 1
        name, path = f"c{self.chardevs}", f"{self.folder}/c{self.chardevs}"
        self.qmp.do("chardev-add", id=name, backend={"type": "socket", "data": {
            "addr": {"type": "unix", "data": {"path": path}}, "server": True, "wait": False}})
        adapter.attach(connect(path), name)
        self.qmp.do("device_add", driver="usb-serial", id=adapter.name, chardev=name, bus="uhci.0",
                    serial=adapter.serial)

    def unplug(self, adapter):
        """In mid-stream: QEMU pulls the device when its far end closes. Only then is it deleted: QEMU 7.2 gives bytes
        that come while it is to the deleted device, and crashes."""
        chardev = adapter.detach()
        await_it("the port stays connected", lambda: any(
            c["label"] == chardev and c["filename"].startswith("disconnected") for c in self.qmp.do("query-chardev")))
        self.qmp.do("device_del", id=adapter.name)
        self.qmp.await_deleted(adapter.name)
        self.qmp.do("chardev-remove", id=chardev)

    def kernel_log(self):
        """Lines of the kernel's log with their times, seconds."""
        return [(float(t), text) for t, text in re.findall(r"^\[ *([0-9.]+)\] (.*)$", self.do("dmesg"), re.M)]

    def end(self):
        self.shell.sendall(b"poweroff -f\n")
        self.qemu.wait(HUNG)


class Wire:
    """An adapter's serial side: to a node's pty, or to nothing. What comes while it is unplugged is lost, as there. On
    a busy host the guest is slower than the node, which then stands still until the guest has taken what it sent."""

    BEHIND = 2048			# bytes

    def __init__(self, name, serial, pty=None, node=None):
        self.name, self.serial = name, serial
        self.lock = threading.Lock()
        self.socket = self.chardev = None
        self.waits = b""
        self.sent = self.lost = self.back = 0		# bytes: to the guest, into nothing, to the node
        self.heard = bytearray()			# all that the node sent
        self.node, self.stands = node, False	# its process
        self.pty = None
        if pty:
            self.pty = os.open(pty, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            tty.setraw(self.pty)
        threading.Thread(target=self._carry, daemon=True).start()

    def attach(self, s, chardev):
        s.setblocking(False)
        s.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        with self.lock:
            self.socket, self.chardev = s, chardev

    def detach(self):
        with self.lock:
            self.lost += len(self.waits)
            self.waits = b""
            self.socket.close()
            self.socket = None
            return self.chardev

    def say(self, data):
        """To the node, past the adapter."""
        os.write(self.pty, data)

    def feed(self, data):
        """As if the node had sent it."""
        with self.lock:
            self.heard += data
            if self.socket:
                self.waits += data
            else:
                self.lost += len(data)

    def _node_read(self):
        try:
            return os.read(self.pty, 4096)
        except OSError:			# nothing now; or the node is gone
            return b""

    def _guest_serve(self):
        try:
            if self.waits:
                n = self.socket.send(self.waits)
                self.sent += n
                self.waits = self.waits[n:]
            typed = self.socket.recv(4096)
        except OSError:
            return
        self.back += len(typed)
        if self.pty is not None and typed:
            os.write(self.pty, typed)

    def _pace(self):
        behind = len(self.waits) > self.BEHIND
        if self.node and behind != self.stands:
            self.stands = behind
            self.node.send_signal(signal.SIGSTOP if behind else signal.SIGCONT)

    def _carry(self):
        while True:
            if self.pty is not None:
                select.select([self.pty], [], [], 0.01)
                self.feed(self._node_read())
            else:
                time.sleep(0.01)
            with self.lock:
                if self.socket:
                    self._guest_serve()
                self._pace()
