"""Links for the URLs in text."""

from __future__ import annotations

import dataclasses
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rehref
from rehref import linkify


def test_plain_text_is_escaped() -> None:
    assert linkify('5 < 6 & "http://a.example/?b&c"') == (
        "5 &lt; 6 &amp; &quot;"
        '<a href="http://a.example/?b&amp;c">http://a.example/?b&amp;c</a>&quot;'
    )
    assert linkify("See <URL:http://a.example/\n  b>.") == (
        'See &lt;URL:<a href="http://a.example/b">http://a.example/\n  b</a>&gt;.'
    )


def test_html_changes_in_text_only() -> None:
    page = "<p title='http://a.example'>http://a.example, <a href=b>http://b.example</a>"
    assert linkify(page, html=True, attrs={"rel": "nofollow"}) == (
        "<p title='http://a.example'>"
        '<a href="http://a.example" rel="nofollow">http://a.example</a>, '
        "<a href=b>http://b.example</a>"
    )
    assert linkify(linkify(page, html=True), html=True) == linkify(page, html=True)


def test_code_is_skipped_by_default() -> None:
    page = "<pre>http://a.example</pre>"
    assert linkify(page, html=True) == page
    assert "<a " in linkify(page, html=True, skip=())


def test_options_are_those_of_text() -> None:
    text = "ann@a.example www.a.example tel:123"
    assert linkify(text) == text
    assert linkify(text, emails=True, abbreviated=True).count("<a ") == 2
    assert linkify(text, scheme=["tel"]) == (
        'ann@a.example www.a.example <a href="tel:123">tel:123</a>'
    )
    for scheme in ["javascript", "not a scheme"]:
        with pytest.raises(rehref.Error):
            linkify(text, scheme=scheme)
    with pytest.raises(rehref.Error):
        linkify(text, attrs={"on click": "x"})
    with pytest.raises(TypeError):
        linkify(text, nofollow=True)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"attrs: expected dict\[str, str\] or pairs, not int"):
        linkify(text, attrs=3)  # type: ignore[arg-type]


def test_a_callback_changes_or_skips_links() -> None:
    def callback(anchor: rehref.Anchor) -> bool | None:
        if "spam" in anchor.href:
            return False
        anchor.text = anchor.ref.removeprefix("http://")
        anchor.attrs["class"] = "external"
        anchor.attrs.pop("rel")
        anchor.href = "/go?" + anchor.href
        return None

    text = "http://a.example/<b> http://spam.example/"
    assert linkify(text, attrs={"rel": "x", "target": "_blank"}, callback=callback) == (
        '<a href="/go?http://a.example/" target="_blank" class="external">a.example/</a>'
        "&lt;b&gt; http://spam.example/"
    )


def test_a_callback_sees_existing_links() -> None:
    page = "<a @x=1 class=c href='/b'>a <i>b</i></a> http://a.example/ <a href=spam>c</a>"
    seen: list[rehref.Anchor] = []

    def callback(anchor: rehref.Anchor) -> bool | None:
        seen.append(dataclasses.replace(anchor, attrs=dict(anchor.attrs)))
        anchor.attrs["rel"] = "nofollow"
        anchor.attrs.pop("class", None)
        return anchor.href != "spam"

    linked = linkify(page, html=True, callback=callback, existing=True)
    assert linked == (
        "<a @x=1 href='/b' rel=\"nofollow\">a <i>b</i></a> "
        '<a href="http://a.example/" rel="nofollow">http://a.example/</a> <a>c</a>'
    )
    assert seen == [
        rehref.Anchor("/b", "/b", "a b", {"@x": "1", "class": "c"}, True),
        rehref.Anchor("http://a.example/", "http://a.example/", "http://a.example/", {}),
        rehref.Anchor("spam", "spam", "c", {}, True),
    ]
    assert linkify(page, html=True, callback=lambda _: None, existing=True).startswith(page[:40])

    def change_attribute(anchor: rehref.Anchor) -> bool | None:
        if "@x" not in anchor.attrs:
            return False
        anchor.attrs["@x"] = "2"
        return None

    assert linkify(page, html=True, callback=change_attribute, existing=True) == (
        "<a @x=\"2\" class=c href='/b'>a <i>b</i></a> http://a.example/ <a>c</a>"
    )
    for options in [{"html": True}, {"callback": callback}]:
        with pytest.raises(rehref.Error, match="existing: needs html=True and a callback"):
            linkify(page, existing=True, **options)  # type: ignore[arg-type]

    def change_text(anchor: rehref.Anchor) -> None:
        anchor.text = "d"

    with pytest.raises(rehref.Error, match="the text of an existing link cannot change"):
        linkify(page, html=True, callback=change_text, existing=True)


def test_a_callback_cannot_make_unsafe_links() -> None:
    def callback(anchor: rehref.Anchor) -> None:
        anchor.href = "java\nscript:alert(1)"

    assert linkify("http://a.example/", callback=callback) == "http://a.example/"

    def fail(anchor: rehref.Anchor) -> None:
        raise KeyError(anchor.href)

    with pytest.raises(KeyError):
        linkify("http://a.example/ http://b.example/", callback=fail)

    def named(anchor: rehref.Anchor) -> None:
        anchor.attrs['x" onclick="'] = "1"

    with pytest.raises(rehref.Error):
        linkify("http://a.example/", callback=named)


class Text(HTMLParser):
    """The text and the tags of a fragment."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text = ""
        self.tags: set[str] = set()

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)


@given(
    st.lists(
        st.sampled_from(
            ["http://a.example/", "<", ">", "&", "&amp;", '"', "'", "script>", "x@y.example", " ", "\n", "é"]
        )
        | st.text(max_size=3),
        max_size=30,
    ).map("".join)
)
def test_the_text_stays_the_same(text: str) -> None:
    parser = Text()
    text = text.replace("\r", "").replace("\0", "")
    text = "".join("\ufffd" if "\ud800" <= it <= "\udfff" else it for it in text)
    parser.feed(linkify(text, emails=True, abbreviated=True))
    parser.close()
    assert parser.text == text
    assert parser.tags <= {"a"}


def test_several_values_may_be_one_text() -> None:
    page = "<p>http://a.example</p><code>http://a.example</code>"
    assert linkify(page, html=True, skip="pre,code") == linkify(page, html=True)
    assert linkify(page, html=True, skip="p,code") == page


def test_an_empty_list_of_schemes_allows_none() -> None:
    text = "http://a.example www.a.example a@b.example"
    assert linkify(text, scheme=[], abbreviated=True, emails=True) == text
