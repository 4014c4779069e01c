"""energy: a current made of an exact call trace, and what wsntop made of it.

	energy.py make TRACE CURRENT TRUTH [--ahead=S]	TRACE: of -x trace:; CURRENT: lines "t,mA" of 50,000 a second
	energy.py check TRUTH JSON LEAST		mean current and charge of functions; LEAST of them told
	energy.py radio TRUTH JSON			those of sleep and of the radio's states
	energy.py model TRUTH JSON			the same, estimated
"""
import json
import sys

HZ = 50000
SLEEP_MA, LONG_S = 0.003, 200e-6


def amps_of(name, length):
    """mA: a function keeps its own; main sleeps where nothing else runs for long."""
    if name in ("main", "sleep_unless_due") and length > LONG_S:
        return SLEEP_MA
    return 3 + sum(map(ord, name)) % 37 / 10


def spans_read(path):
    """(begin, end, function, state) of who ran, from "time lane kind depth name" lines."""
    stacks, spans, last, state = {}, [], None, 0
    for line in open(path):
        at, lane, kind, _, name = line.split(None, 4)
        at, name = float(at), name.strip()
        if last is not None and at > last:
            top = stacks.get("handlers") or stacks.get("main") or [""]
            spans.append((last, at, top[-1], state))
        last = at
        if kind == "call":
            stacks.setdefault(lane, []).append(name)
        elif kind == "return":
            stacks[lane].pop()
        elif kind == "state":
            state = name.split(" = ")[1]
    return spans


def make(trace, current, truth, ahead):
    spans, sums, states = spans_read(trace), {}, {}
    begin, end = spans[0][0], spans[-1][1]
    drawn = [0.0] * (int((end + ahead) * HZ) + 2)
    for a, b, name, state in spans:
        ma = amps_of(name, b - a) + (17.4 if state in ("3", "S_TRANSMITTING") else 0)
        for s in sums.setdefault(name, [0.0, 0.0]), states.setdefault(state, [0.0, 0.0]):
            s[0] += b - a
            s[1] += ma * (b - a)
        first, last = (a + ahead) * HZ, (b + ahead) * HZ
        i = int(first)
        while i < last:
            drawn[i] += ma * (min(i + 1, last) - max(i, first))
            i += 1
    with open(current, "w") as f:
        for i, ma in enumerate(drawn):
            f.write("%.6f,%.4f\n" % (i / HZ, ma))
    json.dump({"functions": sums, "states": states, "charge": sum(s[1] for s in sums.values()), "seconds": end - begin},
              open(truth, "w"))


def check(truth, told, least):
    truth, told = json.load(open(truth)), json.load(open(told))
    power, errors = told["power"], []
    print("alignment:", power["alignment"], "charge: %.4f mC, attributed %.4f, true %.4f" %
          (1e3 * power["charge_c"], 1e3 * power["attributed_c"], truth["charge"]))
    for f in told["functions"]:
        true = truth["functions"].get(f["name"])
        if f["current_a"] is None or not true:
            continue
        ma = true[1] / true[0]
        errors.append((abs(1e3 * f["current_a"] / ma - 1), f["name"]))
        print("  %-24s %8.4f mA, true %8.4f, %6.2f %% of the energy, %s uJ a call" % (
            f["name"], 1e3 * f["current_a"], ma, 100 * f["energy_share"],
            None if f["energy_per_call_j"] is None else "%.3f" % (1e6 * f["energy_per_call_j"])))
    errors.sort()
    print("%d functions told, median error %.2f %%, worst %.2f %% (%s)" % (
        len(errors), 100 * errors[len(errors) // 2][0], 100 * errors[-1][0], errors[-1][1]))
    return len(errors) >= least and errors[len(errors) // 2][0] < 0.03 and \
        abs(1e3 * power["attributed_c"] / truth["charge"] - 1) < 0.01


def radio(truth, told):
    truth, power = json.load(open(truth)), json.load(open(told))["power"]
    states = {s["state"]: s for s in power["states"]}
    sending = truth["states"]["3"]
    print("sleep:", power["sleep"], "sending:", states["S_TRANSMITTING"], "true %.4f mA" % (sending[1] / sending[0]))
    return abs(1e3 * states["S_TRANSMITTING"]["current_a"] / (sending[1] / sending[0]) - 1) < 0.01 and \
        abs(states["S_TRANSMITTING"]["seconds"] / sending[0] - 1) < 0.01 and \
        states["S_STARTED"]["current_a"] is None and \
        power["sleep"]["current_a"] < 20e-6 and power["volts"] == 3.3 and power["volts_given"] and \
        abs(1e3 * power["attributed_c"] / truth["charge"] - 1) < 0.01 and \
        abs(power["energy_per_day_j"] / (power["mean_a"] * 3.3 * 86400) - 1) < 1e-6 and \
        abs(power["battery_life_s"] / (0.22 * 3600 / power["mean_a"]) - 1) < 1e-6


def model(truth, told):
    truth, told = json.load(open(truth)), json.load(open(told))
    power, sending = told["power"], truth["states"]["3"]
    states = {s["state"]: s for s in power["states"]}
    print("estimated while sending:", states["S_TRANSMITTING"], "seconds %.4f" % sending[0])
    functions = [f for f in told["functions"] if f["current_a"] is not None]
    return power["estimate"] and power["alignment"]["method"] is None and power["volts"] == 2.8 and \
        all(f["energy_estimate"] for f in functions) and len(functions) > 10 and \
        abs(states["S_TRANSMITTING"]["current_a"] - 21.8e-3) < 0.1e-3 and \
        abs(states["S_TRANSMITTING"]["seconds"] / sending[0] - 1) < 0.01 and \
        abs(sum(f["energy_share"] for f in functions) - 1) < 0.01


def main(args):
    if args[0] == "make":
        make(args[1], args[2], args[3], float(args[4][8:]) if len(args) > 4 else 0)
        return 0
    if args[0] == "check":
        return 0 if check(args[1], args[2], int(args[3])) else 1
    return 0 if {"radio": radio, "model": model}[args[0]](args[1], args[2]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
