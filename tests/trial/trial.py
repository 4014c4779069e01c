"""A trial: firmware that others wrote, with the runtime in it, held against what the simulator saw.

A script here describes one firmware and calls avr() or cortexm(). The image is built elsewhere, by what the
documents say (docs/TRIALS.md); its path is in a variable:

    TRIAL_GRBL=grbl.elf tests/trial/grbl

and TRIAL_GRBL_PLAIN is, if set, the same program without instrumentation. The trial runs the image in the
simulator, has wsntop read the stream, and prints the account: calls by call site, durations, what a call costs,
identity, what is lost. Status 1: a call is missing and not counted as lost, a time is negative, or the image is
not recognised; 77, loudly: there is no image.
"""

import bisect
import collections
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(TOP, "tests/sim")]
sys.dont_write_bytecode = True

import wsn	# noqa: E402

STOP = 17		# the command (docs/PROTOCOL.md)
LOST = ("stack_full", "table_full", "cut", "no_stack", "carries", "arcs_lost", "pcs_lost", "text")


def image_of(name):
    """The image's path and the plain twin's, or None: absolute, before we leave the caller's folder."""
    path, plain = (os.environ.get(f"TRIAL_{name.upper()}{s}") for s in ("", "_PLAIN"))
    if not path:
        print(f"SKIP: {name}: TRIAL_{name.upper()} names no image; docs/TRIALS.md tells how to build one")
        sys.exit(77)
    paths = [p and os.path.abspath(p) for p in (path, plain)]
    os.chdir(TOP)
    return paths


@contextlib.contextmanager
def workplace():
    """A folder for the run's files; TRIAL_KEEP names one that stays."""
    if os.environ.get("TRIAL_KEEP"):
        os.makedirs(os.environ["TRIAL_KEEP"], exist_ok=True)
        yield os.environ["TRIAL_KEEP"]
    else:
        with tempfile.TemporaryDirectory() as tmp:
            yield tmp


@contextlib.contextmanager
def trial(name):
    """The account, a folder, the image and its twin; at the end the program does with the account's status."""
    elf, plain = image_of(name)
    account = Account()
    with workplace() as tmp:
        yield account, tmp, elf, plain
    account.finish()


class Account:
    """What is printed, and whether it is in order."""

    def __init__(self):
        self.bad = []

    def line(self, what, text, ok=True):
        print(f"{what:<12}{text}")
        if not ok:
            self.bad.append(what)

    def finish(self):
        if self.bad:
            print("FAILED:", ", ".join(self.bad))
        sys.exit(bool(self.bad))


def host(tmp, elf, to="run"):
    """What wsntop makes of the stream with this image: its export."""
    wsntop = os.environ.get("WSNTOP", f"{os.environ.get('O', 'build')}/wsntop")
    said = subprocess.run([wsntop, "-B", "-f", "wsn", "-p", f"file:{tmp}/run.bin", "-e", elf, "-x",
                           f"json:{tmp}/{to}.json"], capture_output=True, text=True)
    if "is not the firmware that runs" in said.stderr:
        return {"node": {"image_match": "no"}}
    if said.returncode:
        print(f"FAILED: {said.stderr}")
        sys.exit(1)
    return json.load(open(f"{tmp}/{to}.json"))


def heard(account, tmp, elf):
    """What the node sent, as an independent decoder reads it, and as wsntop does."""
    node = wsn.Node(open(f"{tmp}/run.bin", "rb").read())
    if not node.hello:
        account.line("stream", f"no HELLO in {os.path.getsize(tmp + '/run.bin')} bytes", False)
        account.finish()
    return node, host(tmp, elf)


def judge_calls(account, what, told, true, name_of, lost, left=None):
    """
    Calls by call site or function. Those that are in no row must be counted as lost. If known, `left` calls had not
    returned when profiling stopped: so many more may be counted.
    """
    equal = sum(n for k, n in true.items() if told.get(k, 0) == n)
    calls, missing = sum(true.values()), sum(true.values()) - sum(told.values())
    off = sorted((abs(told.get(k, 0) - true.get(k, 0)), k) for k in set(told) | set(true)
                 if told.get(k, 0) != true.get(k, 0))
    account.line(what, f"{equal:,} of {calls:,} equal, {len(true) - len(off)} of {len(true)} rows; {missing:,} missing",
                 calls and (not off or 0 <= missing <= lost and (left is None or lost <= missing + left)))
    if off and left is not None:
        account.line("", f"{lost:,} are counted as lost, {lost - missing:,} of these had not returned at the stop")
    for _, k in off[:-6:-1]:
        account.line("", f"{name_of(k)}: {told.get(k, 0):,} calls, true {true.get(k, 0):,}")


def judge_sign(account, out):
    """No time and no count below zero."""
    below = [f["name"] for f in out["functions"] for key in ("calls", "total_s", "self_s", "min_s", "max_s")
             if (f.get(key) or 0) < 0]
    account.line("negative", ", ".join(sorted(set(below))) or "nothing", not below)


def judge_identity(account, tmp, out, elf, plain):
    verdict = {"yes": "matches", "no": "REFUSED", "unknown": "not known"}[out["node"]["image_match"]]
    if plain:
        other = host(tmp, plain, "other")["node"]["image_match"]
        verdict += {"no": "; another image is refused", "yes": "; ANOTHER IMAGE MATCHES"}.get(
            other, "; another image: not known")
    account.line("identity", verdict, verdict.startswith("matches") and "ANOTHER" not in verdict)


def judge_lost(account, node):
    said = {k: node.status[k] for k in LOST if node.status[k]}
    account.line("lost", ", ".join(f"{k} {n:,}" for k, n in said.items()) or "nothing")
    account.line("stream", f"{node.damaged} frames damaged, {node.lost_frames} lost",
                 not node.damaged and not node.lost_frames)
    return sum(said.get(k, 0) for k in ("stack_full", "table_full", "cut", "no_stack", "arcs_lost"))


def judge_times(account, of, pairs, unit):
    """
    pairs: a row's function, its (mean, longest) call as told and as it is. A mean should be right to 2 % or
    10 cycles.
    """
    for what, i in (("mean", 0), ("longest", 1)):
        off = sorted(((abs(told[i] - true[i]) / max(10, 0.02 * true[i]), name, told[i], true[i])
                      for name, told, true in pairs), reverse=True)
        account.line(what, f"{sum(o[0] > 1 for o in off)} of {len(off)} rows are off by more than 2 % and 10 {unit} "
                           f"{of}" + (f"; worst: {off[0][1]}, {off[0][2]:,.0f} told, {off[0][3]:,.0f} true" if off else ""))


def tell_slowdown(account, unit, took, plain):
    """What profiling makes of the time that the same work takes: of programs that end with it."""
    account.line("slow-down", f"{took / plain:.2f}: {took:,} {unit}, the plain one {plain:,}")


# --- AVR: sim/avrnode ---------------------------------------------------------------------------------------


def input_write(path, lines, stop_ms):
    """What the UART receives, and the command to stop. lines: (milliseconds, bytes)."""
    with open(path, "w") as f:
        for ms, data in lines:
            for at in range(0, len(data), 200):
                f.write(f"{ms} {data[at:at + 200].hex()}\n")
        if stop_ms:
            for n in range(3):
                f.write(f"{stop_ms + 100 * n} {wsn.frame(STOP, 7).hex()}\n")


def avr_run(tmp, elf, mcu, hz, seconds, lines=(), stop=0, like=None, to="run"):
    import truth
    truth.CPU_HZ = hz
    O = os.environ.get("O", "build")
    input_write(f"{tmp}/input", lines, int(1000 * stop))
    end = subprocess.run(["sim/watchdog", f"{O}/sim/avrnode", f"--mcu={mcu}", f"--frequency={hz}", "--fast",
                          f"--seconds={seconds}", f"--input={tmp}/input", f"--uart={tmp}/{to}.bin",
                          f"--truth={tmp}/{to}.truth", *([f"--like={like}"] if like else []), elf],
                         capture_output=True, text=True)
    if end.returncode:
        print(f"FAILED: the firmware crashed: {end.stdout}{end.stderr}")
        sys.exit(1)
    return truth.Truth(f"{tmp}/{to}.truth")


def comparable(key, row, site):
    """The same calls, timed; no handler, whose time begins at its hook and not at its vector."""
    return site and site.calls and row.calls and row.total is not None and key[0]


def avr(name, mcu, hz, seconds, lines=(), stop=0):
    """
    `stop`: when the node is told to, in seconds: what it sends after that is final. 0: it stops by itself.
    `lines`: (milliseconds, bytes) for its UART.
    """
    import truth as t
    with trial(name) as (account, tmp, elf, plain):
        truth = avr_run(tmp, elf, mcu, hz, seconds, lines, stop)
        node, out = heard(account, tmp, elf)
        account.line("firmware", f"{name}, {mcu}, {hz / 1e6:g} MHz, {len(truth.functions)} instrumented functions, "
                                 f"{truth.facts['run'] / hz:.2f} s profiled")
        lost = judge_lost(account, node)
        rows = t.rows_of_json(f"{tmp}/run.json", hz)[1]
        sites = t.narrow(truth.sites, 17) if node.hello.arch == 2 else truth.sites
        judge_calls(account, "calls", {k: s.calls for k, s in rows.items() if s.calls},
                    {k: s.calls for k, s in sites.items() if s.calls},
                    lambda k: f"{k[0]:#x} -> {truth.functions.get(k[1])}", lost)
        if plain:
            bare = avr_run(tmp, plain, mcu, hz, seconds, lines, stop, elf, "plain")
            twin = bare.by_place(plain)
            own = t.by_place_of({k: s for k, s in sites.items() if s.calls}, truth, elf)
            told = t.by_place_of({k: r for k, r in rows.items() if r.calls and k in truth.sites}, truth, elf)
            judge_times(account, "of the plain one", [
                (k[2], (r.total / r.calls, r.high), (twin[k].total / twin[k].calls, twin[k].high))
                for k, r in told.items() if comparable(k, r, twin.get(k)) and r.calls == twin[k].calls
                and own[k].inner == twin[k].inner], "cycles")
            if max(truth.facts["cycles"], bare.facts["cycles"]) < seconds * hz:
                tell_slowdown(account, "cycles", truth.facts["run"], bare.facts["run"])
        else:
            judge_times(account, "of this program", [
                (truth.functions[k[1]], (r.total / r.calls, r.high), (s.total / s.calls, s.high))
                for k, r in rows.items() for s in [sites.get(k)] if comparable(k, r, s)], "cycles")
        judge_sign(account, out)
        hooks = truth.hooks.values()
        cost = sum(h[1] for h in hooks) / max(truth.calls(), 1)
        account.line("cost", f"{cost:.0f} cycles a call in hooks, the longest {max(h[2] for h in hooks)}; "
                             f"{100 * sum(h[1] for h in hooks) / truth.facts['run']:.1f} % of the time")
        account.line("masked", f"interrupts off for at most {truth.facts['masked']} cycles")
        judge_identity(account, tmp, out, elf, plain)


# --- Cortex-M: sim/cortexm ----------------------------------------------------------------------------------

SHIFT = {"microbit": 7}		# an instruction takes 2^7 ns; others: 2^6


# Where a call is counted, by what instruments it: at the hook that ends it, or that begins it.
HOOKS = ("__cyg_profile_func_exit", "__gnu_mcount_nc")


class Places:
    """The image's code, and how often each instruction of it ran while profiling was on."""

    def __init__(self, truth, elf):
        self.truth, self.elf = truth, elf
        self.starts = sorted(truth.at)

    def start(self, address):
        return self.starts[max(bisect.bisect_right(self.starts, address) - 1, 0)]

    def name(self, address):
        return self.truth.at.get(self.start(address))

    def hooks(self):
        """
        Calls by function: how often each of its calls of a hook ran. An inlined function has its own. And those of
        them that did not end: tasks that were preempted in the hook when profiling stopped, which may be uncounted.

        The compiler joins ends that are alike, and the debug information names one of the functions. What comes to
        an end straight from the call of a hook that began is of that function.
        """
        text = subprocess.run(["arm-none-eabi-objdump", "-d", "--no-show-raw-insn", self.elf], capture_output=True,
                              text=True, check=True).stdout
        code = [Insn(int(m[1], 16), m[2], m[3]) for m in re.finditer(r"^ *([0-9a-f]+):\t(\S+)(.*)$", text, re.M)]
        begins, ends = ([i for i, c in enumerate(code) if re.match(r"bl?(\.|$)", c.kind) and re.search(h, c.rest)]
                        for h in (r"<\w*__cyg_profile_func_enter\w*>", rf"<\w*({'|'.join(HOOKS)})\w*>"))
        said = subprocess.run(["arm-none-eabi-addr2line", "-afi", "-e", self.elf], text=True, capture_output=True, check=True,
                              input="\n".join(f"{code[i].at:x}" for i in begins + ends)).stdout.split("\n")
        names = {int(line, 16): plain_name(name) for line, name in zip(said, said[1:]) if line.startswith("0x")}
        jumps, calls, unfinished = collections.defaultdict(list), collections.Counter(), collections.Counter()
        for i, c in enumerate(code):
            if re.match(r"b(\.|$)", c.kind):
                jumps[int(c.rest.split()[0], 16)].append(i)
        self.left = sum(self.ran(code[i]) for i in begins) - sum(self.ran(code[i]) for i in ends)
        begins = set(begins)
        for i in ends:
            way, ran = way_to(code, i), self.ran(code[i])
            for j in way[0], *(way_to(code, k)[0] for place in way[1:] for k in jumps[code[place].at]):
                if j in begins:
                    n = min(ran, self.ran(code[j]))
                    calls[names[code[j].at]] += n
                    ran -= n
            calls[names[code[i].at]] += ran
            if code[i].kind.startswith("bl"):
                unfinished[names[code[i].at]] += max(self.ran(code[i]) - self.ran(code[i + 1]), 0)
        return calls, unfinished

    def ran(self, insn):
        return self.truth.pcs.get(insn.at, (0, 0))[1]


Insn = collections.namedtuple("Insn", "at kind rest")


def way_to(code, i):
    """The instructions up to this one that always follow on the first, which may jump, call or return."""
    begin = max(i - 1, 0)
    while begin and not re.match(r"b(?!ic|f[ci])|cb|tb|pop.*pc|ldr.*\tpc,|\.", code[begin].kind + code[begin].rest):
        begin -= 1
    return range(begin, i + 1)


def plain_name(name):
    """Without what the compiler adds to the name of a clone."""
    return name.split(".")[0]


def cortexm_run(tmp, elf, board, millions, shift, settings, to="run"):
    import cortexm as c
    end = subprocess.run(["sim/cortexm/run", "-o", f"{tmp}/{to}", "-n", str(shift),
                          *(["-e", str(millions)] if millions else []), board, elf, *settings], capture_output=True, text=True)
    if end.returncode:
        print(f"FAILED: the firmware did not end: {end.stdout}{end.stderr}")
        sys.exit(1)
    os.rename(f"{tmp}/{to}.uart", f"{tmp}/{to}.bin")
    return c.Truth(f"{tmp}/{to}.truth")


def cortexm(name, board, millions=0, shift=None, settings=()):
    """
    The firmware ends the simulation, or `millions` of instructions do; wsnprof_stop() and a refresh before.
    `shift`: an instruction takes 2^shift ns. `settings`: QEMU's command line for the firmware.
    """
    shift = shift or SHIFT.get(board, 6)
    with trial(name) as (account, tmp, elf, plain):
        truth = cortexm_run(tmp, elf, board, millions, shift, settings)
        node, out = heard(account, tmp, elf)
        ns, places = 1 << shift, Places(truth, elf)
        timed = bool(node.hello.sites)
        account.line("firmware", f"{name}, {board}, {truth.ran * ns / 1e9:.2f} s profiled, {truth.ran:,} instructions, "
                                 f"{'timed call sites' if timed else 'arcs'}")
        lost = judge_lost(account, node)
        told, (true, unfinished) = collections.Counter(), places.hooks()
        for f in out["functions"]:
            told[plain_name(f["name"])] += f["calls"] or 0
        uncounted = unfinished & (true - told)
        judge_calls(account, "calls", +told, true - uncounted, str, lost, places.left if timed else None)
        if truth.strays:
            account.line("call sites", f"not compared: {truth.strays} switches of tasks that the observer does not know")
        else:
            sites, seen = sites_of(out, truth, timed)
            judge_calls(account, "call sites", sites, seen, hex, lost)
        compared = timed and not truth.strays
        bare = cortexm_run(tmp, plain, board, millions, shift, settings, "plain") if plain and (
            compared or not millions) else None
        if compared:
            cortexm_times(account, out, truth, places, ns, bare)
        judge_sign(account, out)
        spent = truth.self_insns("__gnu_mcount_nc|__cyg_.*|_?wsnprof_.*", ran=True)
        account.line("cost", f"{spent / max(sum(told.values()), 1):.1f} instructions a call, hooks and sending, "
                             f"{100 * spent / truth.ran:.1f} % of the time")
        if bare and not millions:
            tell_slowdown(account, "instructions", truth.ran, bare.ran)
        judge_identity(account, tmp, out, elf, plain)


def sites_of(out, truth, timed):
    """
    Calls by call site, told and true. The observer follows the machine's calls: where inlined functions are told
    with the call site that their caller has, it is left out, and the functions' own sums are all there is.
    """
    told, true, inlined = collections.Counter(), collections.Counter(), set()
    physical = {source: to for source, to in truth.sites}
    for s in out["sites"]:
        if s["calls"]:
            source = s["address"] or 0
            if timed and source in told and source:
                inlined.add(source)
            told[source] += s["calls"]
            if timed and source in physical and s["to_address"] not in {to for f, to in truth.sites if f == source}:
                inlined.add(source)
    for (source, _), n in ((k, s.calls) for k, s in truth.sites.items()) if timed else truth.arcs.items():
        true[source] += n
    return [collections.Counter({k: n for k, n in c.items() if n and k not in inlined}) for c in (told, true)]


def cortexm_times(account, out, truth, places, ns, plain):
    """Where no inlined function is told with the call site, its row is the observer's."""
    rows = {}
    for s in out["sites"]:
        if s["calls"] and s["total_s"] is not None:
            rows.setdefault(s["address"] or 0, []).append(s)
    pairs, sums = [], collections.defaultdict(lambda: [0, 0, 0])
    for (source, to), site in truth.sites.items():
        told = rows.get(source, [])
        if source and len(told) == 1 and told[0]["calls"] == site.calls and told[0]["to_address"] == to:
            total, most = (told[0][k] * 1e9 / ns for k in ("total_s", "max_s"))
            pairs.append((truth.at[to], (total / site.calls, most), (site.total / site.calls, site.max)))
            f = sums[truth.at[to]]
            f[:] = f[0] + site.calls, f[1] + total, max(f[2], most)
    if not plain:
        judge_times(account, "of this program", pairs, "instructions")
        return
    same = collections.defaultdict(lambda: [0, 0, 0])
    for (_, to), called in plain.called.items():
        f = same[plain.at.get(to)]
        f[:] = f[0] + called.done, f[1] + called.total, max(f[2], called.max)
    judge_times(account, "of the plain one", [
        (name, (f[1] / f[0], f[2]), (same[name][1] / f[0], same[name][2]))
        for name, f in sums.items() if same[name][0] == f[0]], "instructions")
