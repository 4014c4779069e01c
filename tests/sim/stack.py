"""The stack that wsntop measured against -fstack-usage, known shapes and a painted stack.

    stack.py CHIP JSON SU TRACE [tasks] [handlers [tail]]

CHIP: avr or arm; SU: gcc's figures; TRACE: wsntop -x trace of the variables `lowest*` and `end_*`.
"""
import json
import re
import sys

chip, profile, usage, trace = sys.argv[1:5]
tasks, handlers, tail = (word in sys.argv[5:] for word in ("tasks", "handlers", "tail"))
told = json.load(open(profile))
functions = {f["name"]: f for f in told["functions"]}
stacks = {s["number"]: s for s in told["stack"]}
values = {}
for line in open(trace):
    m = re.search(r"value .* (\w+) = (\d+)$", line)
    if m:
        values[m[1]] = int(m[2])


def frame(name):
    return functions[name]["stack_frame_bytes"]


def use(name):
    return functions[name]["stack_use_bytes"]


# --- each frame is gcc's; what gcc leaves out is known: the 8 words that a Cortex-M pushes for a handler (and a word to
# align them), what alloca takes (200 bytes, aligned) ---
compared = 0
for line in open(usage):
    name, size, kind = line.split(":")[-1].split("\t")
    f = functions.get(name)
    if not f or f["stack_frame_bytes"] is None:
        continue
    more = frame(name) - int(size)
    if name == "tick_handler" or (tail and name == "handler_part"):
        assert more in (32, 36), (name, more)
    elif name in ("task_first", "task_second"):     # nobody called it: no return address
        assert more == -2, (name, more)
    elif kind.startswith("dynamic"):
        assert 200 <= more <= 216, (name, more)
    else:
        assert more == 0, (name, more, line)
    compared += 1
assert compared >= 9, compared

# --- inclusive figures, and depths: from where the context begins ---
assert use("descend") == 21 * frame("descend") + frame("leaf"), (use("descend"), frame("descend"))
assert use("vary") == frame("vary") + frame("leaf")
assert functions["fill_large"]["stack_max_bytes"] >= 600 + frame("round_do")
for f in functions.values():
    if f["stack_frame_bytes"] is not None:
        assert f["stack_frame_bytes"] <= f["stack_use_bytes"], f["name"]
        assert f["stack_frame_bytes"] <= f["stack_max_bytes"], f["name"]
if handlers:
    handler = "__vector_18" if chip == "avr" else "tick_handler"
    assert functions[handler]["calls"] > 10
    if tail:                                        # handler_part is what remains of the handler
        handler = "handler_part"
    else:
        assert use(handler) == frame(handler) + frame("handler_part")
    assert functions["handler_part"]["stack_max_bytes"] == use(handler)

# --- the deepest point of the whole stack: where the paint is gone; with handlers further down ---
main = stacks[0]
deepest = main["begin_address"] - values["lowest"]
print(chip, "frames:", compared, "most:", main["most_bytes"], "painted:", deepest, "path:", main["path"])
assert main["most_bytes"] == main["begin_address"] - main["lowest_address"]
assert main["free_bytes"] > 0
if handlers:
    assert deepest <= main["most_bytes"] <= deepest + use(handler) + 8, deepest
else:
    # A Cortex-M's frame is aligned; what is below the last variable of the innermost is never written.
    left = values["lowest"] - main["lowest_address"]
    assert left == 0 or (chip == "arm" and 0 < left < frame(main["path"][-1])), (main, values)
    assert main["path"][:2] == ["main", "round_do"], main["path"]

# --- tasks: their stacks are whole arrays ---
assert len(stacks) == (3 if tasks else 1), stacks
assert not tasks or frame("task_switch") == 2 + 18, frame("task_switch")
for number, name in ((1, "first"), (2, "second")) if tasks else ():
    s = stacks[number]
    print("task", number, s)
    assert s["begin_address"] == values["end_" + name], (s, values)
    assert s["lowest_address"] == values["lowest_" + name], (s, values)
    assert s["free_bytes"] is None and s["path"][0] == "task_" + name
