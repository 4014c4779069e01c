"""Compare what a simulator as a source tells with the truth of another observer.

    source_truth.py avr TRUTH JSON HZ	  sim/truth.h's file: a call ends before its `ret`, 4 cycles earlier (5 with
                                    22 bits); a handler's response, jump and `reti` are not in it

Every function that the truth follows must be there, with the same calls, and min and max by that much more.
"""
import json
import sys

truth, export, hz, ret = sys.argv[2], sys.argv[3], float(sys.argv[4]), int(sys.argv[5])
names, sites = {}, {}
for line in open(truth):
    words = line.rstrip("\n").split("\t")
    if words[0] == "function":
        names[int(words[1], 16)] = words[2]
    elif words[0] == "site":
        calls, cut, total, least, most = (int(w) for w in words[3:8])
        site = sites.setdefault(int(words[2], 16), [0, 0, 1 << 62, 0])
        site[0] += calls
        site[1] += cut
        site[2] = min(site[2], least) if calls else site[2]
        site[3] = max(site[3], most)
functions = {f["address"]: f for f in json.load(open(export))["functions"]}
wrong = []
for address, (calls, cut, least, most) in sites.items():
    got = functions.get(address)
    if not got:
        wrong.append("%s is missing" % names[address])
        continue
    ticks = [round(got[key] * hz) for key in ("min_s", "max_s")]
    more = 2 * ret + 3 if got["handler"] else ret
    if got["calls"] != calls + cut:
        wrong.append("%s: %d calls of %d" % (names[address], got["calls"], calls + cut))
    if not cut and ticks != [least + more, most + more]:
        wrong.append("%s: %s cycles, not %s" % (names[address], ticks, [least + more, most + more]))
print("\n".join(wrong) if wrong else "%d functions as in the truth" % len(sites))
assert len(sites) > 5
sys.exit(bool(wrong))
