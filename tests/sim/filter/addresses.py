#!/usr/bin/env python3
"""addresses.py ELF: the addresses (bytes, hex) of the functions in .wsntrace_map."""
import re, struct, subprocess, sys
m = re.search(r"\.wsntrace_map\s+\S+\s+\w+ (\w+) (\w+)", subprocess.run(["readelf", "-SW", sys.argv[1]], capture_output=True, text=True).stdout)
raw = open(sys.argv[1], "rb").read()[int(m.group(1), 16):][:int(m.group(2), 16)]
print("\n".join("%x" % (struct.unpack_from("<I", raw, i)[0] & ~1) for i in range(0, len(raw), 8)))
