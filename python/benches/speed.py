"""Compare the package with other packages on the same input in the same run: speed.py [--pages DIR] [--rounds N] [--only TEXT]

Prints a table of Markdown. Rounds alternate; a result is the median of the ratios of times, with the least and the most.
`found` has the numbers of results, `shared` the share of the peer's results that rehref has too. Peers that are not
installed are left out, and named.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.metadata
import os
import random
import re
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urljoin

import rehref

WORDS = "the of rye and flour to in bread that is was for baked it on with as mill by oven from dough at its".split()
HOSTS = ["mill.example.com", "bakery.example.org", "flour.example.net", "oven.example.com"]


class Task(NamedTuple):
    """Something that several packages do."""

    name: str
    own: Callable[[], Any]
    results: Callable[[Any], Iterable[str]]
    peers: list[tuple[str, float, Callable[[], Any], Callable[[Any], Iterable[str]]]]
    """The name of a package, the factor that is the goal, what it does, and the results of that."""


def url(rng: random.Random) -> str:
    path = "/".join(rng.choice(WORDS) for _ in range(rng.randrange(4)))
    query = f"?{rng.choice(WORDS)}={rng.randrange(1000)}" if rng.random() < 0.3 else ""
    return f"http://{rng.choice(HOSTS)}/{path}{query}"


def prose(rng: random.Random, words: int, share: float) -> str:
    found: list[str] = []
    for number in range(words):
        word = url(rng) if rng.random() < share else rng.choice(WORDS)
        found.append(f"({word})" if rng.random() < 0.02 else word)
        found.append(".\n" if number % 14 == 13 else " ")
    return "".join(found)


def page(rng: random.Random) -> str:
    items = "".join(
        f'<li class="item"><a href="/{rng.choice(WORDS)}/{number}.html">{rng.choice(WORDS)}</a> '
        f'<img src="img/{number}.png" alt="">{prose(rng, 30, 0.01)}</li>\n'
        for number in range(40)
    )
    head = '<!DOCTYPE html><html><head><title>Bread</title><link rel="stylesheet" href="/style.css"></head>'
    return f"{head}<body><h1>Bread</h1><p>{prose(rng, 200, 0.01)}</p><ul>{items}</ul></body></html>"


def sentence(rng: random.Random) -> str:
    """A short text with up to two URLs."""
    words = [rng.choice(WORDS) for _ in range(rng.randrange(6, 20))]
    for _ in range(rng.randrange(3)):
        words.insert(rng.randrange(len(words)), url(rng))
    return " ".join(words) + "."


def web_archive(pages: list[str]) -> Path:
    """A file with the pages as a web archive in gzip."""
    descriptor, name = tempfile.mkstemp(suffix=".warc.gz")
    with os.fdopen(descriptor, "wb") as file:
        for number, html in enumerate(pages * 20):
            http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html.encode()
            head = (
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"
                f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n"
                f"WARC-Target-URI: http://a.example/{number}.html\r\n"
                f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
            )
            file.write(gzip.compress(head.encode() + http + b"\r\n\r\n", 6))
    return Path(name)


def anchors(html: str) -> list[str]:
    return re.findall(r'<a href="([^"]*)"', html)


def optional(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"left out: {name} is not installed", file=sys.stderr)
        return None


def tasks(pages: list[str]) -> Iterable[Task]:
    rng = random.Random(7)
    text = prose(rng, 40_000, 0.02)
    comments = [prose(rng, 40, 0.03) for _ in range(400)]
    fragments = [f"<p>{it.replace('&', '&amp;')}</p>\n<p>Fresh <b>bread</b></p>" for it in comments]
    base = "http://bakery.example.org/shop/"
    bleach, linkify_it, urlextract = (optional(it) for it in ("bleach", "linkify_it", "urlextract"))
    turbohtml, clean = optional("turbohtml"), optional("turbohtml.clean")
    lxml, lexbor, bs4 = optional("lxml.html"), optional("selectolax.lexbor"), optional("bs4")

    def uris(links: list[rehref.Link]) -> list[str]:
        return [link.uri or link.ref for link in links]

    peers: list[Any] = []
    if linkify_it:
        matcher = linkify_it.LinkifyIt()
        peers.append(("linkify-it-py", 20, lambda: matcher.match(text), lambda it: [m.url for m in it]))
    if urlextract:
        finder = urlextract.URLExtract()
        peers.append(("urlextract", 20, lambda: finder.find_urls(text), list))
    yield Task("`extract`, a text", lambda: rehref.extract(text), uris, peers)

    def linkify_task(name: str, inputs: list[str], options: dict[str, Any]) -> Task:
        def task_of(linkify: Callable[..., str], **given: Any) -> Callable[[], list[str]]:
            return lambda: [linkify(it, **given) for it in inputs]

        def results(found: list[str]) -> list[str]:
            return anchors("".join(found))

        peers: list[Any] = []
        if bleach:
            peers.append(("bleach", 20, task_of(bleach.linkify), results))
        if clean:
            peers.append(("turbohtml", 3, task_of(clean.linkify), results))
        return Task(f"`linkify`, {name}", task_of(rehref.linkify, **options), results, peers)

    yield linkify_task("400 comments of plain text", comments, {})
    nofollow = {"html": True, "attrs": {"rel": "nofollow"}}
    yield linkify_task("400 comments of HTML", fragments, nofollow)
    yield linkify_task("pages", pages, {"html": True})

    def flat(found: list[list[str]]) -> list[str]:
        return [it for links in found for it in links]

    peers = []
    if turbohtml:
        peers.append(
            (
                "turbohtml",
                3,
                lambda: [[urljoin(base, link.url) for link in turbohtml.parse(it).links()] for it in pages],
                flat,
            )
        )
        peers.append(("turbohtml, not resolved", 3, lambda: [turbohtml.parse(it).links() for it in pages], lambda it: []))
    if lexbor:

        def by_lexbor(html: str) -> list[str]:
            tree = lexbor.LexborHTMLParser(html)
            found = tree.css("[href],[src]")
            return [urljoin(base, it.attributes.get("href") or it.attributes.get("src") or "") for it in found]

        peers.append(("selectolax + urljoin", 0, lambda: [by_lexbor(it) for it in pages], flat))
    if lxml:

        def by_lxml(html: str) -> list[str]:
            return [urljoin(base, it[2]) for it in lxml.fromstring(html).iterlinks()]

        peers.append(("lxml + urljoin", 0, lambda: [by_lxml(it) for it in pages], flat))
    if bs4:

        def by_soup(html: str) -> list[str]:
            soup = bs4.BeautifulSoup(html, "html.parser")
            found = soup.find_all(lambda it: it.has_attr("href") or it.has_attr("src"))
            return [urljoin(base, it.get("href") or it.get("src") or "") for it in found]

        peers.append(("BeautifulSoup + urljoin", 0, lambda: [by_soup(it) for it in pages[:20]], flat))
    yield Task("`links`, pages", lambda: [rehref.links(it, base) for it in pages], flat, peers[:-1])
    yield Task("`links`, 20 pages", lambda: [rehref.links(it, base) for it in pages[:20]], flat, peers[-1:])
    whole = [peer for peer in peers if peer[0] == "turbohtml, not resolved"]
    yield Task(
        "`extract`, pages, with all fields",
        lambda: [rehref.extract(it, media="html", base=base) for it in pages],
        lambda it: [],
        [(name, 3, run, results) for name, _, run, results in whole],
    )
    yield Task(
        "`extract`, pages, and `uri` of each link",
        lambda: [[link.uri for link in rehref.extract(it, media="html", base=base)] for it in pages],
        lambda it: [],
        [(name, 0, run, results) for name, _, run, results in whole],
    )
    fastwarc = optional("fastwarc")
    if fastwarc:
        path = web_archive(pages)

        def by_fastwarc() -> list[str]:
            with path.open("rb") as file:
                records = fastwarc.ArchiveIterator(file)
                return [f"{it.headers['WARC-Target-URI']} {it.http_headers.status_code}" for it in records]

        yield Task(
            "`archive`, the target and status of each record",
            lambda: [f"{it.target} {it.status}" for it in rehref.archive(path)],
            list,
            [("fastwarc", 1.2, by_fastwarc, list)],
        )
        path.unlink()
    texts = [sentence(rng) for _ in range(100 if len(pages) < 10 else 20_000)]
    pattern = re.compile(r"https?://[^\s<>\"]+")

    # The results are not kept: the garbage collector would look at them again and again.
    def by_extract() -> None:
        for it in texts:
            rehref.extract(it)

    def by_pattern() -> None:
        for it in texts:
            pattern.findall(it)

    def links_of_texts(_: None) -> list[str]:
        return [link.ref for it in texts for link in rehref.extract(it)]

    def urls_of_texts(_: None) -> list[str]:
        return [found.rstrip(".") for it in texts for found in pattern.findall(it)]

    peers = [("re.findall", 1 / 3, by_pattern, urls_of_texts)]
    yield Task("`extract`, each of 20,000 short texts", by_extract, links_of_texts, peers)
    pyarrow = optional("pyarrow")
    if pyarrow:
        yield Task(
            "`table` of 20,000 short texts, column `uri`",
            lambda: pyarrow.table(rehref.table(texts, columns=["uri"])),
            lambda it: it["uri"].to_pylist(),
            [("re.findall", 1 / 1.5, by_pattern, urls_of_texts)],
        )
        columns = [it.encode() for it in pages]

        def as_dicts() -> list[dict[str, Any]]:
            found = [rehref.extract(it, media="html", base=base) for it in columns]
            return [{"uri": link.uri, "host": link.host} for links in found for link in links]

        def as_table() -> Any:
            table = rehref.table(columns, columns=["uri", "host"], media="html", base=base, jobs=1)
            return pyarrow.table(table)

        yield Task(
            "`table`, columns `uri` and `host`",
            as_table,
            lambda it: it["uri"].to_pylist(),
            [("`extract` and a list of dicts", 0, as_dicts, lambda it: [row["uri"] for row in it])],
        )


def seconds(run: Callable[[], Any]) -> float:
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the package with other packages.")
    parser.add_argument("--pages", type=Path, help="a directory of pages in place of generated ones")
    parser.add_argument("--only", default="", help="only tasks whose name has this text")
    parser.add_argument("--rounds", type=int, default=9, help="the number of rounds")
    parser.add_argument("--smoke", action="store_true", help="one round on few pages")
    arguments = parser.parse_args()
    rounds = 1 if arguments.smoke else arguments.rounds
    rng = random.Random(1)
    pages = [page(rng) for _ in range(3 if arguments.smoke else 200)]
    if arguments.pages:
        paths = sorted(arguments.pages.rglob("*.html"))[:300]
        pages = [path.read_text("utf-8", "replace") for path in paths]
    print("| task | peer | times as fast | goal | found | shared |\n|---|---|---|---|---|---|")
    for task in tasks(pages):
        if arguments.only not in task.name:
            continue
        own = Counter(task.results(task.own()))
        for name, goal, run, results in task.peers:
            ratios: list[float] = []
            for _ in range(rounds):
                # A fast one is repeated, so that the clock is exact.
                once = seconds(task.own)
                repeat = max(1, min(200, int(0.02 / max(once, 1e-6))))
                mine = min(seconds(task.own) for _ in range(repeat))
                ratios.append(seconds(run) / mine)
            theirs = Counter(results(run()))
            total = sum(theirs.values())
            shared = f"{100 * sum((own & theirs).values()) / total:.1f} %" if total else ""
            found = f"{sum(own.values())}, {total}" if total else ""
            version = ""
            package = name.split(" ")[0].split(",")[0]
            try:
                version = f" {importlib.metadata.version(package)}"
            except importlib.metadata.PackageNotFoundError:
                pass
            form = ".2f" if statistics.median(ratios) < 2 else ".1f"
            missed = ", missed" if goal and statistics.median(ratios) < goal else ""
            print(
                f"| {task.name} | {name}{version} | **{statistics.median(ratios):{form}}** "
                f"[{min(ratios):{form}}, {max(ratios):{form}}] | {f'≥ {goal:.3g}{missed}' if goal else ''} | {found} | {shared} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
