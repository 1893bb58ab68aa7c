"""Links of texts, bytes and files."""

from __future__ import annotations

import gzip
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rehref


def uris(data: str | bytes | Path, **options: object) -> list[str | None]:
    return [link.uri for link in rehref.extract(data, **options)]  # type: ignore[arg-type]


def test_text_has_its_urls_without_delimiters() -> None:
    text = "See <URL:http://a.example/\n  b> and (http://c.example/d), http://e.example."
    assert uris(text) == ["http://a.example/b", "http://c.example/d", "http://e.example"]


def test_a_str_is_never_a_path(corpus: Path) -> None:
    assert uris(str(corpus / "sites/bakery/notes.txt")) == []
    assert len(uris(corpus / "sites/bakery/notes.txt")) > 0


def test_pages_are_detected_and_fragments_are_named() -> None:
    assert uris("<!doctype html><a href=b>c</a>", base="http://a.example/") == ["http://a.example/b"]
    fragment = "Some <a href=b>c</a>"
    assert uris(fragment, base="http://a.example/") == []
    assert uris(fragment, media="html", base="http://a.example/") == ["http://a.example/b"]


def test_a_str_is_decoded_whatever_it_declares() -> None:
    page = '<meta charset="windows-1251"><a href="http://a.example/é">'
    assert uris(page, media="html") == ["http://a.example/é"]
    # Bytes are read as a browser reads them.
    assert uris(page.encode(), media="html") == ["http://a.example/Г©"]


def test_bytes_may_be_compressed_mail_or_archives(corpus: Path) -> None:
    note = b"See http://a.example/b there."
    assert uris(gzip.compress(note)) == uris(note) == ["http://a.example/b"]
    for name in ["mail/bakery/in.mbox", "warc/bakery.warc.gz"]:
        path = corpus / name
        of_bytes = rehref.extract(path.read_bytes())
        of_file = rehref.extract(path)
        assert [link.uri for link in of_bytes] == [link.uri for link in of_file]
        assert [link.spans for link in of_bytes] == [link.spans for link in of_file]
        assert of_bytes[0].archive == "-"
        assert of_file[0].archive == os.fspath(path)


def test_other_types_of_bytes_are_accepted() -> None:
    note = b"See http://a.example/b there."
    assert uris(bytearray(note)) == uris(memoryview(note)) == uris(note)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected str, bytes, os.PathLike or a file object, not int"):
        rehref.extract(7)  # type: ignore[arg-type]


def test_options_have_the_names_of_the_command_line() -> None:
    text = "www.a.example, x@b.example, http://c.example/, ftp://d.example/"
    assert len(uris(text)) == 2
    assert uris(text, abbreviated=True, emails=True)[:2] == ["http://www.a.example", "mailto:x@b.example"]
    assert uris(text, scheme="ftp") == uris(text, host=["d.*"]) == ["ftp://d.example/"]
    assert uris(text, match="^http") == ["http://c.example/"]
    assert uris(text, exclude_match="^http") == ["ftp://d.example/"]
    with pytest.raises(TypeError, match="there is no option \"shceme\""):
        rehref.extract(text, shceme="ftp")  # type: ignore[call-arg]
    for option, value in [
        ("profile", "rfc9999"),
        ("charset", "klingon"),
        ("media", "word"),
        ("base", "relative"),
        ("host", "http://a/"),
        ("match", "("),
        ("role", "none"),
        ("place", "none"),
        ("status", "2000"),
        ("jobs", 0),
    ]:
        with pytest.raises(rehref.Error, match=f"^{option}: "):
            rehref.extract(text, **{option: value})  # type: ignore[arg-type]


def test_context_has_the_fields_of_the_message(corpus: Path) -> None:
    link = rehref.extract(corpus / "mail/bakery/in.mbox", context=True, match="prices$")[0]
    assert (link.date, link.sender, link.subject) == (
        "Mon, 21 Jul 1997 10:42:07 +0200",
        "Mia <mia@bakery.example>",
        "Flour",
    )
    assert link.text == "http://mill.example/prices."
    assert rehref.extract("a http://b.example/ c", context=True)[0].text == "a http://b.example/ c"


def test_a_missing_file_is_a_value_error_and_an_os_error() -> None:
    with pytest.raises(rehref.ReadError) as raised:
        rehref.extract(Path("no/such/file"))
    assert isinstance(raised.value, ValueError)
    assert isinstance(raised.value, OSError)
    assert (raised.value.path, raised.value.errno) == ("no/such/file", 2)


def test_a_part_that_cannot_be_read_is_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "cut.warc.gz"
    whole = (Path(__file__).parents[2] / "corpus/warc/bakery.warc.gz").read_bytes()
    path.write_bytes(whole[: len(whole) - 40])
    with pytest.warns(UserWarning, match="cut.warc.gz"):
        links = rehref.extract(path)
    assert links
    found = list(rehref.iter_files(path))
    assert [it for it in found if isinstance(it, rehref.Link)] == links
    (warning,) = [it for it in found if isinstance(it, rehref.Warning)]
    assert warning.code == "unreadable"
    assert "cut.warc.gz" in warning.doc


def test_links_are_the_urls_of_a_page() -> None:
    page = "<base href=/c/><a href=d>d</a><img src=//e.example/f><a href='http://g.example/?h&amp;i'>"
    assert rehref.links(page, "http://a.example/b/") == [
        "http://a.example/c/",
        "http://a.example/c/d",
        "http://e.example/f",
        "http://g.example/?h&i",
    ]
    assert rehref.links(page.encode()) == [
        "/c/",
        "d",
        "//e.example/f",
        "http://g.example/?h&i",
    ]


def test_files_are_searched_in_order_and_in_the_background(corpus: Path) -> None:
    found = list(rehref.iter_files([corpus / "sites", corpus / "text"]))
    links = [it for it in found if isinstance(it, rehref.Link)]
    docs = [link.doc for link in links]
    assert docs == sorted(docs) and len(set(docs)) > 5
    one = list(rehref.iter_files(corpus / "sites/bakery/notes.txt"))
    assert one == rehref.extract(corpus / "sites/bakery/notes.txt")
    unread = list(rehref.iter_files("no/such/file"))
    assert [(it.code, it.doc) for it in unread if isinstance(it, rehref.Warning)] == [
        ("unreadable", "no/such/file")
    ]


def test_an_iterator_may_be_dropped_early(corpus: Path) -> None:
    for _ in range(20):
        next(rehref.iter_files(corpus))


def test_documents_of_a_file(corpus: Path) -> None:
    (note,) = rehref.open(corpus / "sites/bakery/notes.txt")
    assert (note.media, note.charset) == ("text", "utf-8")
    assert note.links() == rehref.extract(corpus / "sites/bakery/notes.txt")
    assert note.text.encode() == note.data
    parts = list(rehref.open(corpus / "mail/bakery/in.mbox"))
    assert len({part.message for part in parts}) > 1
    found = [link for part in parts for link in part.links()]
    assert [link.uri for link in found] == uris(corpus / "mail/bakery/in.mbox")
    with pytest.raises(rehref.ReadError):
        rehref.open("no/such/file")


def test_a_path_is_a_file_and_not_an_argument(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for path in (Path("-"), Path("a.txt#0,10")):
        (tmp_path / "a.txt").write_text("http://a.example/b")
        for function in (rehref.extract, rehref.open, rehref.mailbox, rehref.archive, rehref.table):
            with pytest.raises(rehref.ReadError):
                function(path)
        (warning,) = rehref.iter_files(path)
        assert isinstance(warning, rehref.Warning)
        assert (warning.doc, warning.code) == (str(path), "unreadable")
    (link,) = rehref.iter_files("a.txt#0,17")
    assert isinstance(link, rehref.Link)
    assert (link.doc, link.uri) == ("a.txt#0,17", "http://a.example/")
    (tmp_path / "-").write_text("http://b.example/")
    assert [it.uri for it in rehref.extract(Path("-"))] == ["http://b.example/"]
    (document,) = rehref.open("-")
    assert document.name == "-"


def test_no_warning_of_python_for_whole_files(corpus: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rehref.extract(corpus / "sites/bakery/notes.txt")


def test_a_str_with_nul_is_not_binary() -> None:
    text = "\0é http://a.example/\0"
    (link,) = rehref.extract(text)
    assert [text[start:end] for start, end in link.spans] == ["http://a.example/"]
    page = "<!doctype html>\0<title>é</title><a href=b>"
    assert [link.ref for link in rehref.extract(page)] == ["b"]
    assert rehref.extract(text.encode()) == []


def test_values_of_other_types_are_refused_with_the_name_of_the_option() -> None:
    wrong: list[dict[str, Any]] = [{"media": 3}, {"emails": "no"}, {"jobs": "2"}, {"scheme": [None]}]
    for options in wrong:
        (name,) = options
        with pytest.raises(TypeError, match=f"^{name}: expected "):
            rehref.extract("", **options)

@pytest.mark.parametrize("number", [-1, -(2**70), 2**70])
def test_numbers_out_of_range_are_refused_with_the_name_of_the_option(
    corpus: Path, number: int
) -> None:
    for option in ("jobs", "max_depth"):
        with pytest.raises(rehref.Error, match=f"^{option}: expected a number from 0 to "):
            rehref.extract("", **{option: number})  # type: ignore[arg-type]
    functions: list[Callable[..., object]] = [rehref.mailbox, rehref.archive, rehref.table]
    for function in functions:
        for part in [(number, 5), (0, number)]:
            with pytest.raises(rehref.Error, match="^slice: expected the first byte and the length"):
                function(corpus / "warc/bakery.warc.gz", slice=part)


def test_slices_of_other_types_are_refused(corpus: Path) -> None:
    path = corpus / "mail/bakery/in.mbox"
    values: list[Any] = [[0, 5], (0.5, 5), "0,5"]
    for value in values:
        with pytest.raises(TypeError, match="^slice: expected "):
            rehref.mailbox(path, slice=value)
    triple: Any = (0, 5, 6)
    with pytest.raises(rehref.Error, match="^slice: expected the first byte and the length"):
        rehref.mailbox(path, slice=triple)


def test_statuses_are_numbers_or_texts(corpus: Path) -> None:
    path = corpus / "warc/bakery.warc.gz"
    assert rehref.extract(path, status=200) == rehref.extract(path, status="200")
    some = list(rehref.archive(path, status=[200, 404]))
    assert len(some) == len(list(rehref.archive(path, status="200,404")))
