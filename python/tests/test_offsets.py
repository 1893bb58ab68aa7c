"""Offsets are those of what was given: characters of a str, bytes of everything else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import rehref

PIECES = st.sampled_from(
    [
        "http://a.example/",
        "<URL:http://b.example/\r\n  c>",
        "http://é.example/ü?😀",
        "&amp;",
        "<a href='d&#x1F600;?e'>",
        "x@f.example ",
        " ",
        "\n",
        "\r\n",
        "é",
        "😀",
        "\ufeff",
        "中文",
        "(",
        ")",
        '"',
    ]
)
TEXTS = st.lists(PIECES, max_size=60).map("".join)


@given(TEXTS, st.sampled_from(["text", "html"]))
def test_spans_slice_what_was_given(text: str, media: str) -> None:
    for link in rehref.extract(text, media=media, emails=True, html_text=True):
        assert link.unit == "code points"
        assert "".join(text[start:end] for start, end in link.spans) == link.raw
        line_start = text.rfind("\n", 0, link.spans[0][0]) + 1
        assert link.line == text.count("\n", 0, link.spans[0][0]) + 1
        assert link.col == link.spans[0][0] - line_start + 1


@given(TEXTS, st.sampled_from(["text", "html"]))
def test_bytes_have_the_same_links_in_bytes(text: str, media: str) -> None:
    data = text.encode()
    of_text = rehref.extract(text, media=media)
    of_bytes = rehref.extract(data, media=media, charset="utf-8")
    assert [link.ref for link in of_text] == [link.ref for link in of_bytes]
    for link in of_bytes:
        assert link.unit == "bytes"
        assert b"".join(data[start:end] for start, end in link.spans).decode() == link.raw


@given(TEXTS, st.lists(st.sampled_from(["\ud800", "\udfff", "é", "http://a.example/"]), max_size=8))
def test_surrogates_count_as_characters(text: str, others: list[str]) -> None:
    text = "".join(others) + text
    for link in rehref.extract(text, media="text"):
        found = "".join(text[start:end] for start, end in link.spans)
        seen = "".join("\ufffd" if "\ud800" <= it <= "\udfff" else it for it in found)
        assert seen == link.raw


def test_long_texts_have_the_same_offsets_as_short_ones() -> None:
    text = "é http://a.example/ü <URL:http://b.example/\n c> 😀" * 3000
    links = rehref.extract(text)
    assert len(links) == 6000
    for link in links:
        assert "".join(text[start:end] for start, end in link.spans) == link.raw


def test_offsets_in_mail_are_those_of_the_part() -> None:
    mail = "Subject: é\nContent-Type: text/plain; charset=utf-8\n\né http://a.example/b\n"
    (link,) = rehref.extract(mail, media="mail")
    assert (link.unit, link.part, link.uri) == ("bytes", "1", "http://a.example/b")
    ((start, end),) = link.file_spans
    assert mail.encode()[start:end] == b"http://a.example/b"
