"""Calls that are estimated from PC samples, in two JSON exports."""

KEYS = "calls_estimate", "self_per_call_estimate_s"


def near(a, b, off):
    return (a is None) == (b is None) and (a is None or abs(a - b) <= off * abs(b))


def same_estimates(one, other):
    """The same functions have them, with the same intervals; those that are times, to the rate's error."""
    assert one["node"]["calls_estimate_by"] == other["node"]["calls_estimate_by"], (one["node"], other["node"])
    told = [{f["address"]: f for f in node["functions"] if "calls_estimate" in f} for node in (one, other)]
    assert told[0] and told[0].keys() == told[1].keys(), [len(t) for t in told]
    for address, f in told[0].items():
        low, value, high = f["calls_estimate"]
        assert low < value < high, f
        for key, off in zip(KEYS, (1e-9, 0.03)):
            again = told[1][address][key]
            assert all(near(a, b, off) for a, b in zip(f[key], again)), (f, again)
