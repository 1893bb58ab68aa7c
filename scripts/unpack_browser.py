#!/usr/bin/env python3
"""Open every page of an unpacked web archive in headless Chromium, from its file and without a network.

    rehref unpack ARCHIVE -o DIR --json > RECORDS.jsonl
    scripts/unpack_browser.py DIR RECORDS.jsonl

Fails if a page does not load, if a file that it needs does not, if a link refers to a missing file, or if a request or a link
goes to a URL of the network whose capture is in the tree. Requests that a policy of the page refuses are only counted.
Scripts do not run: their links cannot be converted.

Needs only Python's standard library and a `chromium` in PATH, or the one that CHROMIUM names.
"""

import argparse
import json
import pathlib
import select
import sys
import tempfile
import time
import urllib.parse

import report_browser

# Names of hosts have no addresses.
report_browser.FLAGS.append("--host-resolver-rules=MAP * ~NOTFOUND")

PAGES = ("text/html", "application/xhtml+xml", "image/svg+xml")
# Seconds for a page.
MOST = 30

# The URLs of all hyperlinks, as the browser resolves them.
LINKS = """[...document.querySelectorAll("a, area")].map((it) => {
  const href = it.href?.baseVal ?? it.href;
  try { return href ? new URL(href, document.baseURI).href : null; } catch { return null; }
}).filter((it) => it)"""


def without_fragment(url):
    return url.partition("#")[0]


class Visit:
    """The pages of a tree in a browser."""

    def __init__(self, browser, tree, captured):
        self.browser, self.tree, self.captured = browser, tree, captured
        self.failures, self.requests, self.links, self.excused = [], 0, 0, 0

    def wait_for_load(self, frame, loader):
        """Read events until a page is loaded with all that it needs, or until it opened another page by itself.
        Return false if that takes too long.
        """
        deadline = time.monotonic() + MOST
        read, has_begun = 0, False
        while True:
            for event in self.browser.events[read:]:
                params = event.get("params", {})
                if event.get("method") != "Page.lifecycleEvent" or params["frameId"] != frame:
                    continue
                if params["loaderId"] == loader:
                    is_loading = params["name"] != "load"
                    has_begun = True
                else:
                    # The event may be of the page before.
                    is_loading = not has_begun
                if not is_loading:
                    return True
            read = len(self.browser.events)
            left = deadline - time.monotonic()
            has_more = b"\0" in self.browser.rest
            if not has_more and not select.select([self.browser.into], [], [], max(left, 0))[0]:
                return False
            self.browser.events.append(self.browser.read())

    def open(self, path):
        url = (self.tree / path).as_uri()
        browser = self.browser
        browser.events.clear()
        answer = browser.call("Page.navigate", url=url)
        if "errorText" in answer:
            self.failures.append(f"{path}: {answer['errorText']}")
            return
        if not self.wait_for_load(answer["frameId"], answer["loaderId"]):
            self.failures.append(f"{path}: not loaded after {MOST} seconds")
            return
        events = list(browser.events)
        for link in browser.evaluate(LINKS):
            self.links += 1
            self.judge(path, without_fragment(link), "link")
        self.judge_requests(path, url, events)

    def judge_requests(self, path, page, events):
        requests = {}
        for event in events:
            params = event.get("params", {})
            if event.get("method") == "Network.requestWillBeSent":
                requests[params["requestId"]] = params
                requested = without_fragment(params["request"]["url"])
                if requested != page and not requested.startswith(("data:", "blob:", "about:")):
                    self.requests += 1
                    if not requested.startswith("file:"):
                        self.judge(path, requested, "request")
            if event.get("method") == "Network.loadingFailed":
                request = requests.get(params["requestId"])
                if not request or not request["request"]["url"].startswith("file:") or params.get("canceled"):
                    continue
                if params.get("blockedReason") or params.get("corsErrorStatus"):
                    self.excused += 1
                else:
                    self.failures.append(f"{path}: {params['errorText']}: {request['request']['url']}")

    def judge(self, path, url, kind):
        """Judge the URL of a link, or that of a request to the network."""
        if url.startswith("file:"):
            target = pathlib.Path(urllib.parse.unquote(urllib.parse.urlsplit(url).path))
            if not target.is_file():
                self.failures.append(f"{path}: {kind} to a missing file: {url}")
        elif url in self.captured:
            self.failures.append(f"{path}: {kind} to the network, but the tree has it: {url}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tree", type=pathlib.Path, metavar="DIR")
    parser.add_argument("records", type=pathlib.Path, metavar="RECORDS.jsonl")
    arguments = parser.parse_args()
    tree = arguments.tree.resolve()
    records = [json.loads(line) for line in arguments.records.read_text().splitlines()]
    files = [record for record in records if record["type"] == "file"]
    captured = {without_fragment(record["uri"]) for record in files}
    # A redirect without an end in the archive has no file.
    captured |= {record["uri"] for record in records if record["type"] == "redirect" and not record["why"]}
    pages = sorted({record["path"] for record in files if (record["content_type"] or "").lower().startswith(PAGES)})
    if not pages:
        print("no pages", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = report_browser.Browser(profile)
        try:
            browser.call("Page.setLifecycleEventsEnabled", enabled=True)
            browser.call("Emulation.setScriptExecutionDisabled", value=True)
            visit = Visit(browser, tree, captured)
            for page in pages:
                visit.open(page)
        finally:
            browser.close()
    for failure in visit.failures:
        print(failure, file=sys.stderr)
    print(f"{len(pages)} pages, {visit.requests} requests, {visit.links} links, {visit.excused} failed requests excused")
    return 1 if visit.failures else 0


if __name__ == "__main__":
    sys.exit(main())
