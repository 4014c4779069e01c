#!/usr/bin/env python3
"""The ten most expensive functions of a node, as libwsntop tells them: python3 top.py SOURCE [ELF [SECONDS]]"""
import ctypes, json, sys
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_long, c_size_t, c_void_p

lib = ctypes.CDLL("libwsntop.so.0")
for name, result, *arguments in (
        ("new", c_void_p), ("free", None, c_void_p), ("error", c_char_p, c_void_p),
        ("open", c_int, c_void_p, c_char_p, c_char_p), ("run", c_int, c_void_p, c_double),
        ("node", c_void_p, c_void_p, c_size_t), ("node_name", c_char_p, c_void_p), ("compute", c_int, c_void_p),
        ("column", c_int, c_char_p), ("value", c_double, c_void_p, c_size_t, c_size_t),
        ("cell", c_char_p, c_void_p, c_size_t, c_size_t, c_char_p, c_size_t),
        ("order", c_long, c_void_p, c_size_t, POINTER(c_size_t), c_size_t), ("buffer_free", None, c_void_p),
        ("export_buffer", c_int, c_void_p, c_char_p, POINTER(c_void_p), POINTER(c_size_t))):
    function = getattr(lib, "wsntop_" + name)
    function.restype, function.argtypes = result, arguments

def main(source, elf=None, seconds="0"):
    session = lib.wsntop_new()
    checked = lambda result: result if result >= 0 else sys.exit("top.py: " + lib.wsntop_error(session).decode())
    checked(lib.wsntop_open(session, source.encode(), elf and elf.encode()))
    checked(lib.wsntop_run(session, float(seconds)))
    node = lib.wsntop_node(session, 0)
    checked(lib.wsntop_compute(node))

    top, text = (c_size_t * 10)(), ctypes.create_string_buffer(128)
    name, own, calls = (lib.wsntop_column(column) for column in (b"function", b"self", b"calls"))
    count = checked(lib.wsntop_order(node, own, top, 10))
    print("%s: %d functions" % (lib.wsntop_node_name(node).decode(), count))
    for i in top[:min(count, 10)]:
        function = lib.wsntop_cell(node, i, name, text, len(text)).decode()
        self_s, called = lib.wsntop_value(node, i, own), lib.wsntop_value(node, i, calls)
        print("%-30s %12.6f s %10d calls" % (function, self_s, called if called == called else 0))  # NaN: not known

    data, size = c_void_p(), c_size_t()
    checked(lib.wsntop_export_buffer(node, b"json", byref(data), byref(size)))
    print("%d functions in JSON" % len(json.loads(ctypes.string_at(data, size.value))["functions"]))
    lib.wsntop_buffer_free(data)
    lib.wsntop_free(session)

main(*sys.argv[1:])
