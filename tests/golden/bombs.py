#!/usr/bin/env python3
"""ELFs that take more than they are, each read by wsntop within its bounds.

    bombs.py WSNTOP DIR

Each is a small ARM image with a symbol "work" at 0x100 and something that grows: what a table claims, what a compressed
section becomes, sections that share their bytes. wsntop must name the function of a report all the same, or refuse the
file in one line, within 2 s of a processor (twice that here: a sanitizer's or a busy machine's are slower), and 200 MB
and 5 times the file's size.
"""
import os
import resource
import struct
import subprocess
import sys
import zlib

TEXT, STRTAB, NOBITS, SYMTAB = 1, 3, 8, 2
ALLOC_EXEC, COMPRESSED = 6, 0x800
MB = 1 << 20
SHARED = 52 + 0x400			# where the second section's bytes begin


def deflated(size, of=b"\0", align=1):
    """A compressed section's bytes: `size` bytes, made of one piece again and again."""
    z = zlib.compressobj(1)
    piece = of * (65536 // len(of))
    out = [struct.pack("<III", 1, size, align)]
    while size:
        out.append(z.compress(piece[:size]))
        size -= min(size, len(piece))
    return b"".join(out) + z.flush()


class Elf:
    """Sections (name, type, flags, address, bytes or (offset, size) of another's, link)."""

    def __init__(self, names=b"work\0"):
        self.strings = b"\0" + names
        self.symbols = [struct.pack("<IIIBBH", 1, 0x100, 0x40, 0x12, 0, 1)]
        self.sections = [(".text", TEXT, ALLOC_EXEC, 0x100, b"\x70\x47" * 0x200)]

    def add(self, name, content, flags=0, address=0, kind=TEXT):
        self.sections.append((name, kind, flags, address, content))

    def write(self, path):
        table = [(".symtab", SYMTAB, 0, 0, b"\0" * 16 + b"".join(self.symbols)),
                 (".strtab", STRTAB, 0, 0, self.strings)]
        sections = self.sections + table
        names = b"\0" + b"".join(s[0].encode() + b"\0" for s in sections) + b".shstrtab\0"
        sections.append((".shstrtab", STRTAB, 0, 0, names))
        body, headers, at, name = [], [b"\0" * 40], 52, 1
        for title, kind, flags, address, content in sections:
            offset, size = content if isinstance(content, tuple) else (at, len(content))
            if not isinstance(content, tuple):
                body.append(content)
                at += len(content)
            link = len(sections) - 1 if kind == SYMTAB else 0
            headers.append(struct.pack("<10I", name, kind, flags, address, offset, size, link, 1, 1,
                                       16 if kind == SYMTAB else 0))
            name += len(title) + 1
        head = b"\x7fELF\x01\x01\x01" + b"\0" * 9 + struct.pack(
            "<HHIIIIIHHHHHH", 2, 40, 1, 0x101, 0, at, 0x05000000, 52, 0, 0, 40, len(headers), len(headers) - 1)
        with open(path, "wb") as f:
            f.write(head + b"".join(body) + b"".join(headers))


ABBREV = b"\1\x11\1\x10\x17\0\0" + b"\2\x2e\0\x03\x08\0\0" + b"\0"	# a unit with lines, a subprogram with a name


def unit(dies=b"", version=4):
    body = struct.pack("<HIB", version, 0, 4) + b"\1" + struct.pack("<I", 0) + dies + b"\0"
    return struct.pack("<I", len(body)) + body


def line_header():
    """Version 2, one file; its lengths are the caller's."""
    return b"\1\1\xfb\x0e\x0d\0\1\1\1\1\0\0\0\1\0\0\1" + b"\0" + b"a.c\0\0\0\0" + b"\0"


def line_program(size):
    head = line_header()
    rest = struct.pack("<HI", 2, len(head)) + head
    return struct.pack("<I", len(rest) + size) + rest


def rows_many(elf, size=100 * MB):
    """Rows by special opcodes: a byte each, and compressed a thousandth of that."""
    z = zlib.compressobj(1)
    out = [struct.pack("<III", 1, size + len(line_program(0)), 1), z.compress(line_program(size))]
    piece = b"\x14" * 65536
    while size > 0:
        out.append(z.compress(piece[:size]))
        size -= len(piece)
    elf.add(".debug_line", b"".join(out) + z.flush(), COMPRESSED)
    elf.add(".debug_info", unit())
    elf.add(".debug_abbrev", ABBREV)


def rows_plain(elf):
    size = 3 * MB
    elf.add(".debug_line", line_program(size) + b"\x14" * size)
    elf.add(".debug_info", unit())
    elf.add(".debug_abbrev", ABBREV)


def sections_large(elf):
    for name in ("info", "abbrev", "line", "line_str", "str", "str_offsets", "addr", "ranges", "rnglists"):
        elf.add(".debug_" + name, deflated(100 * MB), COMPRESSED)


def strings_large(elf):
    elf.add(".debug_str", deflated(300 * MB, b"x"), COMPRESSED)
    elf.add(".debug_info", unit())
    elf.add(".debug_abbrev", ABBREV)


def code_shared(elf):
    elf.add(".more", b"\x70\x47" * MB, ALLOC_EXEC, 0x1000)
    for i in range(1, 2000):
        elf.add(".m%d" % i, (SHARED, 2 * MB), ALLOC_EXEC, 0x1000 + i * 2 * MB)


def code_same(elf):
    elf.add(".more", b"\x70\x47" * MB, ALLOC_EXEC, 0x1000)
    for i in range(1, 2000):
        elf.add(".m%d" % i, (SHARED, 2 * MB), ALLOC_EXEC, 0x1000)


def names_long(elf):
    elf.strings += b"_ZN" + b"3abc" * (MB // 2) + b"Ev\0"
    for i in range(10000):
        elf.symbols.append(struct.pack("<IIIBBH", 6 + 4 * i, 0x104 + 4 * (i % 200), 2, 0x12, 0, 1))


def attributes_empty(elf):
    """DW_FORM_flag_present has no bytes: a byte of .debug_info makes as many attributes as the abbreviation has."""
    elf.add(".debug_abbrev", b"\1\x11\1\0\0" + b"\2\x2e\0" + b"\x3f\x19" * 100000 + b"\0\0\0")
    dies = b"\2" * MB
    body = struct.pack("<HIB", 4, 0, 4) + b"\1" + dies + b"\0"
    elf.add(".debug_info", struct.pack("<I", len(body)) + body)


def ranges_many(elf):
    """Each function has the same million of ranges."""
    elf.add(".debug_abbrev", b"\1\x11\1\0\0" + b"\2\x2e\0\x03\x08\x55\x17\0\0" + b"\0")
    dies = b"\2f\0\0\0\0\0" * 20000
    body = struct.pack("<HIB", 4, 0, 4) + b"\1" + dies + b"\0"
    elf.add(".debug_info", struct.pack("<I", len(body)) + body)
    elf.add(".debug_ranges", struct.pack("<II", 0x100, 0x110) * (MB // 8) + b"\0" * 8)


def tree_deep(elf):
    elf.add(".debug_abbrev", b"\1\x11\1\0\0" + b"\2\x2e\1\x03\x08\0\0" + b"\3\x0b\1\0\0" + b"\0")
    body = struct.pack("<HIB", 4, 0, 4) + b"\1\2f\0" + b"\3" * (8 * MB)
    elf.add(".debug_info", struct.pack("<I", len(body)) + body)


def units_many(elf):
    elf.add(".debug_abbrev", ABBREV)
    elf.add(".debug_info", deflated(40 * MB, unit()), COMPRESSED)
    elf.add(".debug_line", line_program(2) + b"\x14\x14")


def tables_huge(elf):
    """DWARF 5: 2^60 directories whose entries have no fields."""
    head = b"\1\1\1\xfb\x0e\x0d\0\1\1\1\1\0\0\0\1\0\0\1" + b"\0" + b"\xff" * 8 + b"\x0f" + b"\0\0"
    rest = struct.pack("<HBBI", 5, 4, 0, len(head)) + head
    elf.add(".debug_line", struct.pack("<I", len(rest)) + rest)
    elf.add(".debug_info", unit())
    elf.add(".debug_abbrev", ABBREV)


BOMBS = (rows_many, rows_plain, sections_large, strings_large, code_shared, code_same, names_long, attributes_empty,
         ranges_many, tree_deep, units_many, tables_huge)


def run(wsntop, elf, report):
    """Status, output, seconds of a processor, megabytes: of wsntop and its children, each the largest."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
        p = subprocess.run([wsntop, "-B", "-p", "file:" + report, "-e", elf], capture_output=True, check=False)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        text = b"%d %f %d\n" % (p.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss) + p.stdout + p.stderr
        os.write(write, text[:60000])
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as f:
        first, _, rest = f.read().partition(b"\n")
    os.waitpid(pid, 0)
    status, seconds, kilobytes = first.split()
    return int(status), rest.decode(errors="replace"), float(seconds), int(kilobytes) / 1024


def main():
    wsntop, directory = sys.argv[1:]
    only = os.environ.get("BOMBS", "").split()
    report = os.path.join(directory, "report")
    with open(report, "w", encoding="ascii") as f:
        f.write("PROF:r:1:9:1000:1000\n0x110:0x100:3:24:8:8\n")
    bad = 0
    for bomb in BOMBS:
        if only and bomb.__name__ not in only:
            continue
        path = os.path.join(directory, bomb.__name__ + ".elf")
        elf = Elf()
        bomb(elf)
        elf.write(path)
        size = os.path.getsize(path) / MB
        status, text, seconds, megabytes = run(wsntop, path, report)
        named = status == 0 and "work" in text
        refused = status > 0 and len(text.strip().splitlines()) == 1 and ": " in text
        within = seconds <= 4 and megabytes <= 200 + 5 * size
        bad += not within or not (named or refused)
        print("%-18s %6.2f MB: status %d, %5.2f s, %4.0f MB: %s" % (
            bomb.__name__, size, status, seconds, megabytes,
            "named" if named else text.strip()[:200] if refused else "NEITHER: " + text.strip()[-200:]))
        os.remove(path)
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
