"""A simulator's time of each instruction, by lines, adds up to each function's self time.

    lines.py JSON HZ

Left out are functions with more lines than an export keeps, code that has none (the linker's, the library's),
handlers on an AVR (what the processor does before their first instruction is theirs, and no instruction's), and main:
what runs after its end, and is not called, is its own.
"""
import collections
import json
import sys

KEPT = 32
export, hz = json.load(open(sys.argv[1])), float(sys.argv[2])
avr = export["node"]["machine"] == "avr"
spent, lines = collections.Counter(), collections.Counter()
for line in export["lines"]:
    spent[line["function_address"]] += round((line["self_s"] or 0) * hz)
    lines[line["function_address"]] += line["self_s"] is not None
wrong, compared = [], 0
for f in export["functions"]:
    if not f["self_s"] or f["name"] == "main" or not 0 < lines[f["address"]] < KEPT or (avr and f["handler"]):
        continue
    compared += 1
    if abs(spent[f["address"]] - round(f["self_s"] * hz)) > 4 + 1e-6 * f["self_s"] * hz:	# the digits of an export
        wrong.append("%s: %d in its lines, %d itself" % (f["name"], spent[f["address"]], round(f["self_s"] * hz)))
print("\n".join(wrong) if wrong else "%d functions: their lines add up" % compared)
assert compared > 8
sys.exit(bool(wrong))
