"""Parses pages with turbohtml and lists their links: for each line "pass" prints nanoseconds and the number of links."""

import gc
import json
import sys
import time

import turbohtml

pages = []
while length := int(sys.stdin.buffer.readline()):
    page = sys.stdin.buffer.read(length)
    pages.append(page.decode() if sys.argv[1] == "str" else page)
# The collection of garbage takes up to half of the time.
gc.disable()
parse = turbohtml.parse
for line in iter(sys.stdin.buffer.readline, b""):
    if line == b"links\n":
        urls = [link.url for page in pages for link in parse(page).links()]
        print(json.dumps(urls), flush=True)
    else:
        gc.collect()
        start = time.perf_counter_ns()
        found = 0
        for page in pages:
            found += len(parse(page).links())
        print(time.perf_counter_ns() - start, found, flush=True)
