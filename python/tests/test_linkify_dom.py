"""linkify changes nothing in the DOM but new links in text, according to lexbor, a parser that rehref does not use."""

from __future__ import annotations

import os
import random
from typing import Any

import pytest

from rehref import linkify

lexbor: Any = pytest.importorskip("selectolax.lexbor", reason="selectolax is not installed")

PAGES = 500_000 if os.environ.get("REHREF_DEEP", "0") not in ("", "0") else 15_000

MARK = "data-mark"
# What a page is parsed as: a document or a fragment, with scripts enabled or not.
MODES: list[dict[str, object]] = [
    {"scripting": False},
    {"scripting": True},
    {"scripting": False, "is_fragment": True, "fragment_tag": "div"},
    {"scripting": True, "is_fragment": True, "fragment_tag": "td"},
]
# The elements that no new link is in.
BLOCKED = set(
    "a button datalist iframe math noembed noframes noscript optgroup option plaintext script select style svg template"
    " textarea title xmp".split()
)
# In a fragment, `</p>` after `<p><table></table>` and `</noscript>` end less than in a document without a doctype.
LOOSE = {"datalist", "noscript", "optgroup", "option"}
SECTIONS = "address blockquote center dd div dl dt fieldset form h1 h2 li ol p pre search section ul".split()
PHRASES = "a applet b button code em font i label marquee nobr object ruby rb rt small span u x-y".split()
TABLES = "caption col colgroup table tbody td th thead tr".split()
FORMS = "datalist optgroup option search select selectedcontent textarea b i p".split()
OTHERS = "noembed noscript script style template title g mi desc body frameset head html br img input".split()
KINDS = [SECTIONS, PHRASES, PHRASES, PHRASES, TABLES, FORMS]
# Foreign elements, and one in each that contains HTML.
FOREIGN = ["svg desc", "svg foreignObject", "svg title", "math mi", "math mtext", "math annotation-xml"]
TEXTS = [
    "http://a.example/",
    " http://a.example/b ",
    "\nhttp://a.example/",
    '"http://a.example/?b&amp;c&d"',
    "&lt;http://a.example/&gt;",
    "&#104;ttp://a.example/b<wbr>c",
    "www.a.example",
    "ann@a.example",
    " ",
    "<",
    "</>",
    "<!doctype html>",
    "<!-- http://a.example/ -->",
    "<a href=http://a.example/>",
    "<annotation-xml encoding=text/html>",
    "<font color=x>",
    "<input type=hidden>",
    "<math/>",
    "<p/>",
    "<svg/>",
    "<TD CLASS='http://a.example/'>",
]
# The URL is in an attribute, or it is text if the element has raw text or its start tag is ignored.
HIDDEN = [
    *(f'<{name}><x title="</{name}>{{}}">' for name in "iframe noscript script style textarea title xmp".split()),
    '<![CDATA[><x title="]]>{}">',
    "<style><!--</style>{}-->",
    "<!-- {} -->",
    *["{}"] * 3,
]
URL = "http://a.example/onclick=alert(1)//"


def make_page(seed: int) -> list[str]:
    """Return the pieces of a page: texts, and tags of a few elements that are often nested wrongly."""
    rng = random.Random(seed)
    words = [[rng.choice(rng.choice(KINDS))] for _ in range(rng.randint(2, 6))]
    if rng.random() < 0.7:
        words += [rng.choice(FOREIGN).split()] * rng.randint(1, 2)
    if rng.random() < 0.2:
        words.append([rng.choice(OTHERS)])
    pieces: list[str] = []
    opened: list[str] = []
    for _ in range(rng.randint(4, 24)):
        choice = rng.random()
        if choice < 0.5:
            names = rng.choice(words)
            opened += names
            pieces += [f"<{name}>" for name in names]
        elif choice < 0.85 and opened:
            distance = min(int(rng.expovariate(0.4)), len(opened) - 1)
            pieces.append(f"</{opened.pop(-1 - distance)}>")
        elif choice < 0.9:
            pieces.append(f"</{rng.choice(rng.choice(words))}>")
        else:
            pieces.append(rng.choice(TEXTS))
    return [*pieces, rng.choice(HIDDEN).format(URL)]


def add_links(page: str) -> str:
    return linkify(page, html=True, attrs={MARK: ""}, skip=(), abbreviated=True, emails=True)


def read_tree(html: str, mode: dict[str, object]) -> tuple[str, list[str]]:
    """Return the tree without marked links, whose text stays, and what is wrong with these links."""
    parser = lexbor.LexborHTMLParser(html, **mode)
    faults: list[str] = []
    blocked = BLOCKED - LOOSE if "is_fragment" in mode else BLOCKED
    for link in parser.css(f"[{MARK}]"):
        node = link.first_child
        while node:
            if node.tag not in ("-text", "wbr"):
                faults.append(f"{node.tag} in a link")
            node = node.next
        node = link.parent
        while node:
            if node.tag in blocked:
                faults.append(f"a link in {node.tag}")
            node = node.parent
        if link.tag != "a" or set(link.attributes) != {"href", MARK}:
            faults.append(f"unexpected link: {link.html}")
    for link in parser.css(f"[{MARK}]"):
        link.unwrap()
    if parser.root:
        parser.root.merge_text_nodes()
    return parser.html_pretty(html5test=True), faults


def find_fault(page: str) -> str | None:
    linked = add_links(page)
    if linked == page:
        return None
    for mode in MODES:
        before, _ = read_tree(page, mode)
        after, faults = read_tree(linked, mode)
        if faults:
            return f"{mode}: {faults}"
        if before != after:
            return f"{mode}: the tree changes from\n{before}to\n{after}"
    return None


def shrink(pieces: list[str]) -> list[str]:
    """Remove pieces as long as the fault stays."""
    for at in reversed(range(len(pieces))):
        fewer = pieces[:at] + pieces[at + 1 :]
        if find_fault("".join(fewer)):
            return shrink(fewer)
    return pieces


def check(pieces: list[str]) -> None:
    if find_fault("".join(pieces)):
        page = "".join(shrink(pieces))
        pytest.fail(f"{page!r} becomes {add_links(page)!r}. {find_fault(page)}")


def test_links_are_the_only_change_of_the_tree() -> None:
    for seed in range(PAGES):
        check(make_page(seed))


@pytest.mark.parametrize(
    "page",
    [
        "<span><svg><desc><i></span></i></desc>",
        "<x-y><svg><desc><i></x-y></i></desc>",
        "<span><svg><foreignObject><i></span></i></foreignObject>",
        "<span><math><mtext><i></span></i></mtext>",
        "<li><svg><desc><i><li></li></i></desc>",
        "<dd><svg><desc><i><dd></dd></i></desc>",
        "<u><u><u><u></u></u></u><svg><desc><i></u></i></desc>",
    ],
)
def test_ends_of_elements_around_svg_hide_no_attribute(page: str) -> None:
    check([page + '<style><x title="</style>http://a.example/onclick=alert(1)//">'])


@pytest.mark.parametrize(
    "page",
    [
        "<option><search></option></search>",
        "<datalist><search></datalist></search>",
        "<option><svg><desc><i></option></i></desc></svg>",
        "<datalist><svg><desc><i></datalist></i></desc></svg>",
    ],
)
def test_options_stay_open_at_the_end_tag_of_an_option_in_another_element(page: str) -> None:
    page += "http://a.example/"
    assert add_links(page) == page
