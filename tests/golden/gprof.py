"""The numbers of a GNU gprof report: what it printed, without its prose."""
import re
import sys

NUMBER = r"-?\d+(?:\.\d+)?"


def flat(text):
    """[(columns before the name, name)] of the flat profile, as printed."""
    rows = []
    for line in text.split("\n"):
        if line.startswith(" %         the percentage") or "Call graph" in line:
            break
        m = re.match(r"\s*(\d+\.\d\d +\d+\.\d\d +-?\d+\.\d\d(?: .*)?)  (\S.*)$", line)
        if m:
            rows.append((m.group(1).split(), m.group(2)))
    return rows


def graph(text):
    """Lines of the call graph from its granularity on, blanks squeezed."""
    rows, on = [], False
    for line in text.split("\n"):
        if line.startswith("granularity:"):
            on = True
        if on and (line.startswith(" This table") or line.startswith("Index by")):
            break
        if on and line.strip():
            rows.append(" ".join(line.split()))
    return rows


def arcs(text):
    """{(caller, callee): calls} from the call graph; {callee: calls} for functions."""
    found, calls, above, primary = {}, {}, [], None
    for line in text.split("\n"):
        if line.startswith("-----"):
            above, primary = [], None
            continue
        m = re.match(r"\[\d+\] +[\d.]+ +[\d.]+ +[\d.]+ +(?:(\d+)(?:\+(\d+))? +)?(\S+)", line)
        if m:
            primary = m.group(3)
            calls[primary] = int(m.group(1) or 0) + int(m.group(2) or 0)
            for caller, n in above:
                if caller != primary:
                    found[caller, primary] = n
            continue
        m = re.match(r" +(?:[\d.]+ +[\d.]+ +)?(\d+)(?:/\d+)? +(\S+)(?: <cycle \d+>)? \[\d+\]$", line)
        if m and primary is None:
            above.append((m.group(2), int(m.group(1))))
        elif m:
            found[primary, m.group(2)] = int(m.group(1))
    return found, calls


def same(got, want):
    """Print what differs; True when nothing does."""
    ok = True
    for what, take in (("flat profile", flat), ("call graph", graph)):
        a, b = take(got), take(want)
        if not b:
            print("the expected", what, "is empty")
            ok = False
        for i in range(max(len(a), len(b))):
            x = a[i] if i < len(a) else None
            y = b[i] if i < len(b) else None
            if x != y:
                print(f"{what}, row {i + 1}:\n  got      {x}\n  expected {y}")
                ok = False
    return ok


if __name__ == "__main__":
    sys.exit(0 if same(open(sys.argv[1]).read(), open(sys.argv[2]).read()) else 1)
