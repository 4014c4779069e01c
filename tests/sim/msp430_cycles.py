"""The cycles of an MSP430's instructions: mspdebug's simulator against wsntop's table.

msp430_cycles.py TABLE MSPDEBUG [LEAST]: TABLE of tests/tools/steps, MSPDEBUG what it said to "step" and
"simio info" in turn. Fails where an instruction took others than the table tells, or fewer than LEAST ran.

mspdebug 0.22 takes constants of the generator (#1, #2, #4, #8, #-1: no word behind the instruction) for what their mode's
bits mean elsewhere, indexed or by address, and adds 2 or 1 cycles. The manual has no such cycles (SLAU144, 3.2.4:
"no additional code word", "no code memory access required"), nor has the table.
"""
import re
import sys


# Of an emulated instruction, the constant that it hides.
HIDDEN = {"inc": "#1", "dec": "#1", "incd": "#2", "decd": "#2", "inv": "#-1", "setc": "#1", "clrc": "#1", "setz": "#2",
          "clrz": "#2", "setn": "#4", "clrn": "#4", "dint": "#8", "eint": "#8"}
GENERATED = {"#1": 2, "#2": 1, "#4": 1, "#8": 1, "#-1": 1}


def generated(text):
    """The cycles that the simulator adds."""
    words = text.replace(",", " ").split()
    name = words[0].split(".")[0]
    return GENERATED.get(HIDDEN.get(name, words[1] if len(words) > 1 else ""), 0)


def took_of(said):
    """{address: cycles}: each set of those that an instruction took."""
    took, at, clock = {}, None, None
    for line in said:
        if found := re.match(r"\s*\( PC: ([0-9a-f]+)\)", line):
            pc = int(found[1], 16)
        elif found := re.match(r"MCLK:\s+(\d+)", line):
            now = int(found[1])
            if at is not None:
                took.setdefault(at, set()).add(now - clock)
            at, clock = pc, now
    return took


def main():
    table = {}
    for line in open(sys.argv[1]):
        address, cycles, text = line.rstrip("\n").split(" ", 2)
        table[int(address, 16)] = int(cycles), text.replace("\t", " ")
    took = took_of(open(sys.argv[2]))
    ran = {at: cycles for at, cycles in took.items() if at in table}
    told = {at for at in ran if table[at][0]}
    wrong = {at for at in told if ran[at] != {table[at][0] + generated(table[at][1])}}
    for at in sorted(wrong):
        print("%x %s: %s cycles, table %d" % (at, table[at][1], sorted(ran[at]), table[at][0]))
    print("ran %d, same %d, not in the table %d, wrong %d" % (len(ran), len(told - wrong), len(ran) - len(told), len(wrong)))
    sys.exit(bool(wrong) or len(ran) < int(sys.argv[3]))


main()
