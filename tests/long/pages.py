"""Exported pages in a real browser: headless Chromium by its debugging pipe, clicked and typed into as a user does.

    pages.py PROFILE.json REPORT.html FLAMES.svg
    pages.py diff COMPARISON.html       wsntop diff's page
    pages.py speedscope INDEX.html PROFILE.json FILE    speedscope's page, as its own program opens it
"""
import base64, json, os, re, subprocess, sys, tempfile, time

def fail(what):
    sys.exit("FAILED: " + what)

class Browser:
    def __init__(self):
        there, self.write = os.pipe()
        self.read, here = os.pipe()
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            ["sh", "-c", 'exec chromium --headless=new --no-sandbox --disable-gpu --remote-debugging-pipe '
             '"--user-data-dir=$1" about:blank 3<&"$2" 4>&"$3"', "sh", self.folder.name, str(there), str(here)],
            pass_fds=(there, here), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(there), os.close(here)
        self.last, self.rest, self.session = 0, b"", None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.ask("Page.enable")

    def next(self):
        while b"\0" not in self.rest:
            more = os.read(self.read, 1 << 16)
            if not more:
                fail("the browser went away")
            self.rest += more
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def ask(self, method, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.next()
            if answer.get("id") == self.last:
                if "error" in answer:
                    fail("%s: %s" % (method, answer["error"]))
                return answer["result"]

    def open(self, path):
        self.ask("Page.navigate", url="file://" + os.path.abspath(path))
        while self.next().get("method") != "Page.loadEventFired":
            pass

    def value(self, script):
        answer = self.ask("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in answer:
            fail("%s: %s" % (script, answer["exceptionDetails"]))
        return answer["result"].get("value")

    def click(self, element):
        x, y = self.value("(function () { var e = %s; e.scrollIntoView({ block: 'center' }); var r = "
                          "e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()" % element)
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def type(self, text):
        for letter in text:
            self.ask("Input.dispatchKeyEvent", type="keyDown", text=letter, key=letter)
            self.ask("Input.dispatchKeyEvent", type="keyUp", key=letter)

def check(what, got, wanted):
    if got != wanted:
        fail("%s: %r, not %r" % (what, got, wanted))
    print("ok %s: %s" % (what, got if len(str(got)) < 60 else "as in the profile"))

def report(b, page, profile):
    functions = [f for f in profile["functions"]]
    names = lambda: b.value("Array.from(document.querySelectorAll('#functions tbody tr'), r => r.cells[0].textContent)")
    b.open(page)
    check("rows", len(names()), len(functions))
    check("the first is the most expensive", names()[0], max(functions, key=lambda f: f["self_s"] or 0)["name"])
    b.click("document.querySelectorAll('#functions th')[4]")
    calls = b.value("Array.from(document.querySelectorAll('#functions tbody tr'), r => +r.cells[4].dataset.v || 0)")
    check("sorted by calls", calls, sorted(calls, reverse=True))
    most = max(f["calls"] or 0 for f in functions)	# perhaps of several
    check("the most called", names()[0] in [f["name"] for f in functions if f["calls"] == most], True)
    b.click("document.querySelector('#find')")
    b.type("task_")
    shown = b.value("document.querySelectorAll('#functions tbody tr:not([hidden])').length")
    check("filter", shown, sum("task_" in (f["name"] + " " + (f["file"] or "")).lower() for f in functions))
    b.click("Array.from(document.querySelectorAll('#functions tbody tr')).find(r => r.cells[0].textContent === 'task_post').cells[0]")
    check("chosen", b.value("document.querySelector('#name').textContent").split(" ")[0], "task_post")
    callers = sorted(e["from"] or "(no function)" for e in profile["edges"] if e["to"] == "task_post")
    check("callers", sorted(b.value("Array.from(document.querySelectorAll('#callers tbody tr'), r => r.cells[0].textContent)")), callers)
    flames(b, None, profile)

def flames(b, page, profile):
    if page:
        b.open(page)
    frames = "Array.from(document.querySelectorAll('g.f'))"
    box = frames + ".find(g => g.dataset.n === '%s').querySelector('rect')"
    before = float(b.value((box % "task_post") + ".getAttribute('width')"))
    b.click(box % "task_post")
    check("a click zooms", float(b.value((box % "task_post") + ".getAttribute('width')")) > max(before, 1100), True)
    title = b.value(frames + ".find(g => g.dataset.n === 'task_post').querySelector('title').textContent")
    check("what it says", "task_post: " in title and "%" in title and "calls" in title, True)
    b.click("document.querySelector('#reset')")
    check("back", float(b.value((box % "task_post") + ".getAttribute('width')")), before)
    if page:
        b.type("/")
        b.type("task_n")
        check("search", b.value("document.querySelectorAll('g.f.found').length") > 0, True)
        check("found", set(b.value("Array.from(document.querySelectorAll('g.f.found'), g => g.dataset.n)")), {"task_next"})

def speedscope(b, index, profile, path):
    """Its table of functions, a self time each, as it is shown."""
    units = {"s": 1, "ms": 1e-3, "\u00b5s": 1e-6, "ns": 1e-9}
    script = os.path.abspath("load.js")
    with open(script, "w") as f:
        f.write("speedscope.loadFileFromBase64(%s, %s)" % (
            json.dumps(os.path.basename(path)), json.dumps(base64.b64encode(open(path, "rb").read()).decode())))
    b.ask("Page.navigate", url="file://%s#localProfilePath=%s" % (os.path.abspath(index), script))
    while not re.search(".+ - speedscope", b.value("document.title") or ""):
        time.sleep(0.1)
    b.type("3")
    while "Symbol Name" not in b.value("document.body.innerText"):
        time.sleep(0.1)
    rows = re.findall(r"\t([\d.]+)(ns|\u00b5s|ms|s) \([^)]*\)\s+(\S+)", b.value("document.body.innerText"))
    told = {name: float(number) * units[unit] for number, unit, name in rows}
    for f in sorted(profile["functions"], key=lambda f: -(f["self_s"] or 0))[:8]:
        if abs(told.get(f["name"], -1) - (f["self_s"] or 0)) > 0.006 * (f["self_s"] or 0) + 1e-9:
            fail("speedscope: %s took %s, not %s" % (f["name"], told.get(f["name"]), f["self_s"]))
    print("ok speedscope: %d functions in its table" % len(told))

# A table, on a phone a block for each function; on paper, too, nothing is beyond the page's edge.
def diff(b, page):
    wide = "document.documentElement.scrollWidth - innerWidth"
    shown = "getComputedStyle(document.querySelector('%s')).%s"
    for medium, theme, width, row in (("screen", "light", 1200, "table-row"), ("screen", "dark", 1200, "table-row"),
                                      ("screen", "dark", 390, "grid"), ("print", "light", 700, "table-row")):
        b.ask("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=width < 500)
        b.ask("Emulation.setEmulatedMedia", media=medium, features=[{"name": "prefers-color-scheme", "value": theme}])
        b.open(page)
        what = "diff's page, %s, %s, %d px" % (medium, theme, width)
        check(what + ": beyond the edge", max(0, b.value(wide)), 0)
        check(what + ": a row", b.value(shown % ("tbody tr", "display")), row)
        check(what + ": a regression", b.value(shown % ("td.worse", "color")),
              "rgb(255, 119, 119)" if theme == "dark" else "rgb(204, 34, 34)")

def main():
    b = Browser()
    if sys.argv[1] == "speedscope":
        speedscope(b, sys.argv[2], json.load(open(sys.argv[3])), sys.argv[4])
    elif sys.argv[1] == "diff":
        diff(b, sys.argv[2])
    else:
        profile = json.load(open(sys.argv[1]))
        report(b, sys.argv[2], profile)
        flames(b, sys.argv[3], profile)
    b.process.kill()
    b.process.wait()

main()
