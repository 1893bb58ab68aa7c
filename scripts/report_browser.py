#!/usr/bin/env python3
"""Open a report of rehref in headless Chromium and use it as people do.

    scripts/report_browser.py PAGE.html [--shots DIR] [--numbers]

Fails if the page makes a request, breaks its own content security policy, reports an error, does not react to keys, the
filter or clicks, overflows a narrow screen, or has text of too little contrast. --shots writes screenshots in light and
dark, wide and narrow. --numbers prints times, and fails if an interaction takes longer than 100 ms of scripting: only for
a machine that does nothing else.

Needs only Python's standard library and a `chromium` in PATH, or the one that CHROMIUM names.
"""

import argparse
import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--hide-scrollbars", "--remote-debugging-pipe",
]
MOST_SCRIPTING = 0.1


class Browser:
    """A Chromium that is driven over its debugging pipe: file descriptor 3 for commands, 4 for answers."""

    def __init__(self, profile):
        theirs_in, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()

        def connect():
            os.dup2(theirs_in, 10)
            os.dup2(theirs_out, 11)
            os.dup2(10, 3)
            os.dup2(11, 4)

        program = os.environ.get("CHROMIUM", "chromium")
        command = [program, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
        self.process = subprocess.Popen(
            command, preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self.out, self.into = os.fdopen(ours_out, "wb"), os.fdopen(ours_in, "rb")
        self.number, self.session, self.events, self.rest = 0, None, [], b""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Network", "Log", "Performance"]:
            self.call(f"{domain}.enable")

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        self.out.write(json.dumps(message).encode() + b"\0")
        self.out.flush()
        while True:
            answer = self.read()
            if answer.get("id") != self.number:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']}")
            else:
                return answer["result"]

    def read(self):
        while b"\0" not in self.rest:
            piece = os.read(self.into.fileno(), 1 << 20)
            if not piece:
                raise RuntimeError("the browser ended")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def wait_for(self, event):
        while not any(it.get("method") == event for it in self.events):
            self.events.append(self.read())

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def settle(self):
        """Wait for two frames, so that all handlers have run."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))")

    def key(self, key, text=None):
        text = key if text is None and len(key) == 1 else text
        down = {"type": "keyDown", "key": key}
        if text:
            down["text"] = text
        if key == "Enter":
            down |= {"text": "\r", "windowsVirtualKeyCode": 13}
        if key == "Escape":
            down |= {"windowsVirtualKeyCode": 27}
        self.call("Input.dispatchKeyEvent", **down)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)
        self.settle()

    def click(self, selector):
        self.evaluate(f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'center'}})")
        self.settle()
        box = self.evaluate(
            f"(() => {{ const box = document.querySelector({json.dumps(selector)}).getClientRects()[0];"
            " return [box.x + Math.min(box.width / 2, 20), box.y + box.height / 2]; })()"
        )
        for kind in ["mousePressed", "mouseReleased"]:
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)
        self.settle()

    def metric(self, name):
        metrics = self.call("Performance.getMetrics")["metrics"]
        return next(it["value"] for it in metrics if it["name"] == name)

    def screen(self, width, height, scheme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", features=features)
        self.settle()

    def shot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def close(self):
        self.session = None
        try:
            self.call("Browser.close")
        except (RuntimeError, BrokenPipeError):
            pass
        self.process.wait()


# The lowest contrast of visible text with what is behind it (WCAG 2.2, 1.4.3).
CONTRAST = """(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const rgba = (color) => {
    if (!known.has(color)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      known.set(color, [...canvas.getImageData(0, 0, 1, 1).data]);
    }
    return known.get(color);
  };
  const luminance = (color) => {
    const [r, g, b] = color.map((it) => it / 255).map((it) => it <= .04045 ? it / 12.92 : ((it + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = rgba(getComputedStyle(at).backgroundColor);
      if (color[3] === 255) return color;
    }
    return [255, 255, 255, 255];
  };
  let worst = [21, ""];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let count = 0; walk.nextNode() && count < 4000; count++) {
    const element = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || !element.checkVisibility() || ["SCRIPT", "STYLE"].includes(element.tagName)) continue;
    const style = getComputedStyle(element);
    const back = behind(element), front = rgba(style.color), alpha = Number(style.opacity) * front[3] / 255;
    const mixed = front.map((it, at) => it * alpha + back[at] * (1 - alpha)).slice(0, 3);
    const [low, high] = [luminance(mixed), luminance(back.slice(0, 3))].sort((a, b) => a - b);
    const ratio = (high + .05) / (low + .05);
    if (ratio < worst[0]) worst = [ratio, `${element.tagName}.${element.className}: ${walk.currentNode.data.trim().slice(0, 40)}`];
  }
  return worst;
})()"""


class Test:
    def __init__(self, browser, numbers):
        self.browser, self.numbers, self.failures = browser, numbers, []

    def check(self, condition, message):
        if not condition:
            self.failures.append(message)

    def equal(self, found, expected, message):
        self.check(found == expected, f"{message}: {found!r}, not {expected!r}")

    def timed(self, name, action, times=1):
        """Run an action of so many interactions, each of whose scripting must be short."""
        before, before_all = self.browser.metric("ScriptDuration"), self.browser.metric("TaskDuration")
        action()
        scripting = (self.browser.metric("ScriptDuration") - before) / times
        everything = (self.browser.metric("TaskDuration") - before_all) / times
        if self.numbers:
            print(f"{name}: {scripting * 1000:.0f} ms scripting, {everything * 1000:.0f} ms with layout and drawing")
            self.check(scripting < MOST_SCRIPTING, f"{name}: {scripting * 1000:.0f} ms scripting")

    def open(self, page):
        self.browser.screen(1280, 900, "light")
        before = self.browser.metric("ScriptDuration")
        self.browser.call("Page.navigate", url=page)
        self.browser.wait_for("Page.loadEventFired")
        self.browser.settle()
        scripting = self.browser.metric("ScriptDuration") - before
        if self.numbers:
            print(f"opening: {scripting * 1000:.0f} ms scripting")
            self.check(scripting < 5 * MOST_SCRIPTING, f"opening: {scripting * 1000:.0f} ms scripting")

    def use(self):
        browser = self.browser
        data = json.loads(browser.evaluate("document.getElementById('data').textContent"))
        links = data["links"]
        value = browser.evaluate
        if not links:
            self.equal(value("document.getElementById('panel').hidden"), True, "the panel of a page without links")
            return
        selected = "document.querySelector('.row[aria-selected=true]')?.id"
        self.timed("next link", lambda: browser.key("j"))
        self.equal(value(selected), "row-0", "j selects the first link")
        self.check(value("document.querySelector('mark.now')?.checkVisibility()"), "the selected link is not marked")
        inside = "(() => { const box = document.querySelector('mark.now').getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; })()"
        self.check(value(inside), "the selected link is not in view")
        reference = links[0].get("uri") or links[0]["ref"]
        self.check(reference in value("document.getElementById('record').textContent"), "the record has no URL")
        if len(links) > 1:
            browser.key("n")
            self.equal(value(selected), "row-1", "n selects the next link")
            self.check(value(inside), "the next link is not in view")
            self.timed("previous link", lambda: browser.key("k"))
            self.equal(value(selected), "row-0", "k selects the link before")
            browser.key("p")
            self.equal(value(selected), "row-0", "p stays at the first link")

        browser.key("/")
        self.equal(value("document.activeElement.id"), "filter", "/ focuses the filter")
        kind = links[-1]["kind"]
        of_kind = sum(link["kind"] == kind for link in links)
        text = f"kind:{kind}"
        self.timed("a key in the filter", lambda: [browser.key(key) for key in text], len(text))
        self.equal(value("document.getElementById('count').textContent"), f"{of_kind:,} of {len(links):,} links", "the filter by kind")
        self.equal(value("document.getElementById('filter').value"), text, "keys in the filter are text")
        self.timed("first match", lambda: browser.key("Enter"))
        first = next(at for at, link in enumerate(links) if link["kind"] == kind)
        self.equal(value(selected), f"row-{first}", "Enter selects the first match")
        self.check(value(inside), "the first match is not in view")
        if of_kind > 1:
            browser.key("j")
            second = [at for at, link in enumerate(links) if link["kind"] == kind][1]
            self.equal(value(selected), f"row-{second}", "j selects the next match")
        self.timed("clearing the filter", lambda: browser.key("Escape"))
        self.equal(value("document.getElementById('filter').value"), "", "Esc clears the filter")

        number = len(links) - 1
        browser.evaluate(f"document.querySelectorAll('details.doc').forEach((it) => it.open = true)")
        marks = value("document.querySelectorAll('mark:not(:empty)').length")
        self.check(marks > 0, "no link is marked")
        browser.evaluate("[...document.querySelectorAll('mark:not(:empty)')].at(-1).id = 'clicked'")
        self.timed("click", lambda: browser.click("#clicked"))
        self.equal(value("document.getElementById('clicked').classList.contains('now')"), True, "a click selects a link")
        browser.key("?")
        self.equal(value("document.getElementById('help').open"), True, "? opens the help")
        browser.key("Escape")
        self.equal(value("document.getElementById('help').open"), False, "Esc closes the help")
        self.equal(value("getComputedStyle(document.querySelector('mark.now')).backgroundColor === getComputedStyle(document.documentElement).backgroundColor"), False, "the selected link is not colored")
        unsafe = "[...document.querySelectorAll('a[href]')].map((it) => it.protocol).filter((it) => !['http:', 'https:', 'mailto:', 'file:'].includes(it))"
        self.equal(value(unsafe), [], "unsafe hyperlinks")

    def look(self, shots):
        for scheme in ["light", "dark"]:
            for width, height in [(1280, 900), (360, 740)]:
                self.browser.screen(width, height, scheme)
                wide = self.browser.evaluate("document.documentElement.scrollWidth")
                self.check(wide <= width, f"the page is {wide} wide on a screen of {width}")
                ratio, where = self.browser.evaluate(CONTRAST)
                if self.numbers:
                    print(f"lowest contrast, {scheme}, {width}: {ratio:.2f} ({where})")
                self.check(ratio >= 4.5, f"contrast {ratio:.2f} in {scheme}: {where}")
                if shots:
                    for at, place in enumerate(["scrollTo(0, 0)", "document.querySelector('mark.now')?.scrollIntoView({block: 'center', behavior: 'instant'})"]):
                        self.browser.evaluate(place)
                        self.browser.settle()
                        self.browser.shot(shots / f"{scheme}-{width}-{at}.png")

    def quiet(self, page):
        """No request but for the page itself, no error, no violation of the policy."""
        for event in self.browser.events:
            method, params = event.get("method"), event.get("params", {})
            if method == "Network.requestWillBeSent":
                url = params["request"]["url"]
                self.check(url in [page, "about:blank"], f"a request: {url}")
            if method in ["Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled"]:
                self.failures.append(f"{method}: {json.dumps(params)[:300]}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("page", type=pathlib.Path)
    arguments.add_argument("--shots", type=pathlib.Path)
    arguments.add_argument("--numbers", action="store_true")
    arguments = arguments.parse_args()
    if arguments.shots:
        arguments.shots.mkdir(parents=True, exist_ok=True)
    page = arguments.page.resolve().as_uri()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(profile)
        try:
            test = Test(browser, arguments.numbers)
            test.open(page)
            test.use()
            test.look(arguments.shots)
            test.quiet(page)
        finally:
            browser.close()
    for failure in test.failures:
        print(failure, file=sys.stderr)
    return 1 if test.failures else 0


if __name__ == "__main__":
    sys.exit(main())
