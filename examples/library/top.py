#!/usr/bin/env python3
"""The ten functions that a node spends most time in, by libwsntop: python3 top.py SOURCE [ELF [SECONDS]]"""
import ctypes, json, sys
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_long, c_size_t, c_uint32, c_uint64, c_void_p

class Function(ctypes.Structure):   # struct wsntop_function as far as it is read here: the library writes no more
    _fields_ = [("name", c_char_p), ("file", c_char_p), ("address", c_uint64), ("line", c_uint32), ("cycle", c_uint32),
                ("calls", c_uint64), ("samples", c_uint64), ("self_s", c_double)]

lib = ctypes.CDLL("libwsntop.so.0")
for name, result, *arguments in (
        ("new", c_void_p), ("free", None, c_void_p), ("error", c_char_p, c_void_p),
        ("open", c_int, c_void_p, c_char_p, c_char_p), ("run", c_int, c_void_p, c_double),
        ("node", c_void_p, c_void_p, c_size_t), ("node_name", c_char_p, c_void_p),
        ("top", c_long, c_void_p, c_char_p, POINTER(Function), c_size_t, c_size_t), ("buffer_free", None, c_void_p),
        ("export_buffer", c_int, c_void_p, c_char_p, POINTER(c_void_p), POINTER(c_size_t))):
    function = getattr(lib, "wsntop_" + name)
    function.restype, function.argtypes = result, arguments

def main(source, elf=None, seconds="0"):
    session = lib.wsntop_new()
    checked = lambda good: good or sys.exit("top.py: " + lib.wsntop_error(session).decode())
    checked(lib.wsntop_open(session, source.encode(), elf and elf.encode()) == 0)
    checked(lib.wsntop_run(session, float(seconds)) == 0)
    node, top = checked(lib.wsntop_node(session, 0)), (Function * 10)()
    count = lib.wsntop_top(node, b"self", top, ctypes.sizeof(Function), len(top))
    checked(count >= 0)
    print("%s: %d functions" % (lib.wsntop_node_name(node).decode(), count))
    for f in top[:min(count, len(top))]:
        print("%-30s %12.6f s %10d calls" % (f.name.decode(), f.self_s, f.calls))

    data, size = c_void_p(), c_size_t()
    checked(lib.wsntop_export_buffer(node, b"json", byref(data), byref(size)) == 0)
    print("%d functions in JSON" % len(json.loads(ctypes.string_at(data, size.value))["functions"]))
    lib.wsntop_buffer_free(data)
    lib.wsntop_free(session)

main(*sys.argv[1:])
