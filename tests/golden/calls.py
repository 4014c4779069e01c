"""Every export of a call trace against its text, event by event: calls.py FOLDER."""
import json
import re
import subprocess
import sys
from collections import Counter, namedtuple

folder = sys.argv[1]
Event = namedtuple("Event", "at lane kind depth what")


def check(good, what):
    print("ok" if good else "FAILED:", what)
    if not good:
        sys.exit(1)


def text_events():
    for line in open(f"{folder}/trace.txt"):
        at, lane, kind, depth, what = re.match(
            r"[ ~?]\s*(\d+\.\d+)  (main|handlers|task \d+)\s+(\w+)\s+(\d+)  (.*)$", line).groups()
        yield Event(float(at), lane, kind, int(depth), what)


text = list(text_events())
lanes = sorted({e.lane for e in text})
kinds = Counter(e.kind for e in text)
check(len(text) > 10000 and len(lanes) == 3, f"the text has {len(text)} events of {lanes}: {dict(kinds)}")


def same(name, got, want, late=2e-6):
    """Pairs of (time, ...); the rest must be equal."""
    got, want = list(got), list(want)
    for i, (a, b) in enumerate(zip(got, want)):
        if a[1:] != b[1:] or not abs(a[0] - b[0]) <= late:
            check(False, f"{name}: event {i} is {a}, not {b}")
    check(len(got) == len(want), f"{name}: the same {len(want)} events")


def first_number(what):
    return int(re.search(r"(\d+)", what).group(1))


# --- Common Trace Format, as babeltrace2 reads it

KINDS = {"func_entry": "call", "func_exit": "return", "func_held": "open", "whole": "calls", "box": "box",
         "unknown": "unknown", "calls_not_told": "gap", "frames_lost": "lost", "mark": "mark", "value": "value",
         "state": "state"}


def ctf_events():
    run = subprocess.run(["babeltrace2", "--clock-seconds", "--no-delta", f"{folder}/ctf"], capture_output=True,
                         text=True, check=True)
    check(not run.stderr, f"babeltrace2 has nothing to say {run.stderr}")
    for line in run.stdout.splitlines():
        at, kind, fields = re.match(r"\[(\d+\.\d+)\] mote 7 (\w+): (.*)$", line).groups()
        named = {k: re.sub(r"\\(.)", r"\1", v) for k, v in re.findall(r'(\w+) = \( "((?:[^"\\]|\\.)*)"', fields)}
        plain = dict(re.findall(r"(\w+) = (-?\d+)", fields))
        kind, what = KINDS[kind], named.get("function")
        if kind in ("gap", "lost"):
            what = int(plain["count"])
        elif kind == "box":
            what = what, int(plain["count"])
        elif kind == "unknown":
            what = None
        elif kind == "mark":
            what = named["id"]
        elif kind in ("value", "state"):
            what = f"{named['id']} = {plain['value']}"
        yield float(at), named["lane"], kind, int(plain["depth"]), what


def text_what(e):
    if e.kind in ("gap", "lost"):
        return first_number(e.what)
    if e.kind == "box":
        return e.what.split("  ")[0], first_number(e.what.split("  ")[1])
    return None if e.kind == "unknown" else e.what


same("ctf", ctf_events(), [(e.at, e.lane, e.kind, e.depth, text_what(e)) for e in text])


# --- calls and returns, lane by lane; a box is both

def calls(events):
    """What a viewer of stacks shows of them."""
    open_calls = []
    for e in events:
        if e.kind in ("call", "open"):
            open_calls.append(e.what)
            yield e.at, "begin", e.what
        elif e.kind == "return" and open_calls:
            yield e.at, "end", open_calls.pop()
        elif e.kind == "lost":
            while open_calls:
                yield e.at, "end", open_calls.pop()
        elif e.kind in ("box", "unknown"):
            yield e.at, "box", e.what.split("  ")[0] if e.kind == "box" else "?"


of_lane = {lane: [e for e in text if e.lane == lane] for lane in lanes}

events = json.load(open(f"{folder}/trace.json"))["traceEvents"]
names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
check(sorted(names.values()) == lanes, "perfetto: a thread a lane")
for tid, lane in names.items():
    got, last = [], 0
    for e in (e for e in events if e["tid"] == tid and e["ph"] != "M"):
        check(e["ts"] >= last, "") if e["ts"] < last else None
        last = e["ts"]
        if e["ph"] in "BEX":
            name = "?" if e["name"] == "told in a lost frame" else e["name"]
            got.append((e["ts"] / 1e6, {"B": "begin", "E": "end", "X": "box"}[e["ph"]], name))
    same(f"perfetto: {lane}", got, calls(of_lane[lane]))

scope = json.load(open(f"{folder}/trace.speedscope.json"))
frames = [f["name"] for f in scope["shared"]["frames"]]
first = scope["profiles"][scope["activeProfileIndex"]]
check(first["name"] == "main" and first["events"], "speedscope: main is shown first")
for profile in scope["profiles"]:
    lane, want, depth, last, got = profile["name"], [], 0, 0, []
    for at, kind, name in calls(of_lane[lane]):
        want += [(at, "O", name), (at, "C", name)] if kind == "box" else [(at, "O" if kind == "begin" else "C", name)]
    boxes = {e.what.split("  ")[0] for e in of_lane[lane] if e.kind in ("box", "unknown")}
    for e in profile["events"]:
        depth += 1 if e["type"] == "O" else -1
        if e["at"] < last or depth < 0:
            check(False, f"speedscope: {lane}: {e}")
        last = e["at"]
        got.append((e["at"] / 1e6, e["type"], frames[e["frame"]]))
    check(depth == 0 and profile["unit"] == "microseconds" and profile["endValue"] >= last, f"speedscope: {lane}: balanced")
    got = got[:len(want)]			# what is open at the end is closed behind
    same(f"speedscope: {lane}", got, want, 1 if boxes else 2e-6)


# --- folded: times by path

def paths(lane, events):
    stack, last = [lane], 0
    for e in events:
        if len(stack) > 1 and last:
            yield ";".join(stack), e.at - last
        last = e.at
        if e.kind in ("call", "open"):
            stack.append(e.what)
        elif e.kind == "return" and len(stack) > 1:
            stack.pop()
        elif e.kind == "lost":
            del stack[1:]


folded = {path: int(ns) / 1e3 for path, ns in (line.rsplit(" ", 1) for line in open(f"{folder}/trace.folded"))}
for lane in lanes:
    if any(e.kind == "box" for e in of_lane[lane]):
        continue				# the text has no ends of boxes
    want = Counter()
    for path, seconds in paths(lane, of_lane[lane]):
        want[path] += seconds * 1e6
    worst = max(abs(folded.get(path, 0) - us) / len(text) for path, us in want.items())
    check(want and worst < 1, f"folded: {lane}: {len(want)} paths, each time as the text's")


# --- value change dump: depths

def vcd_changes():
    codes, now = {}, 0
    for line in open(f"{folder}/trace.vcd"):
        word = line.split()
        if word[0] == "$var":
            codes[word[3]] = word[4]
        elif line[0] == "#":
            check(int(line[1:]) > now or now == 0, "") if int(line[1:]) < now else None
            now = int(line[1:])
        elif line[0] == "b":
            yield now / 1e9, codes[word[1]], "x" if word[0] == "bx" else int(word[0][1:], 2)


def depths():
    for e in text:
        name = {"main": "main_depth", "handlers": "handlers_depth"}.get(e.lane) or e.lane.replace(" ", "") + "_depth"
        if e.kind in ("call", "open"):
            yield e.at, name, e.depth + 1
        elif e.kind == "return":
            yield e.at, name, e.depth
        elif e.kind == "lost":
            yield e.at, name, "x"


same("vcd", (c for c in vcd_changes() if c[1].endswith("depth")), depths())


def vcd_marks():
    now = 0
    for line in open(f"{folder}/trace.vcd"):
        if line[0] == "#":
            now = int(line[1:])
        elif line[0] == "1":
            yield now / 1e9, "mark"


same("vcd's marks", vcd_marks(), ((e.at, "mark") for e in text if e.kind == "mark"))


# --- the log: what is no call, as the text has it


def log_events():
    for line in open(f"{folder}/log.txt"):
        # "     0.000464   +0.000056  main      value    queue "a"             0"
        at, lane, kind, rest = re.match(r"\s*([\d.]+)  [ +\d.]{10}  (\S+(?: \d+)?)\s+(mark|value|state|lost)\s+(.*)$",
                                        line).groups()
        rest = re.sub(r"\s+in \S+$", "", rest)
        yield float(at), lane, kind, rest if kind == "mark" else rest.split()[-1] if kind != "lost" else ""


def text_notes():
    for e in text:
        if e.kind in ("mark", "value", "state", "lost"):
            what = e.what if e.kind == "mark" else re.sub(r"\)$", "", e.what.split()[-1]) if e.kind != "lost" else ""
            yield e.at, e.lane, e.kind, what


same("log", sorted(log_events()), sorted(text_notes()))
