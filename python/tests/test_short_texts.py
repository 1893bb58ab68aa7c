"""Short texts, which are read without the preparations of other documents."""

from __future__ import annotations

import gc
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rehref

PIECES = [
    "See", "the", "http://a.example/b", "https://b.example/?q=é", "<http://c.example>", "From", "To:", "Subject: x",
    "commit", "é", "Zürich", " ", "  ", "\n", "\t", ".", ",", "-", ":", "www.a.example", "BZh9", "{\\rtf", "%PDF-",
    "<html>", "<a href=x>", "WARC/1.0", "diff -", "\0", "\ufeff", "#", "0123456789abcdef" * 3, "a@b.example",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=9).map("".join)
# No URL of a text is relative, so a base changes nothing but the way in which the text is read.
ANY = {"base": "http://base.example/"}


@given(TEXTS, st.sampled_from([None, "text"]))
def test_short_texts_have_the_links_of_other_documents(text: str, media: str | None) -> None:
    options = {} if media is None else {"media": media}
    expected = [link.asdict() for link in rehref.extract(text, **options, **ANY)]  # pyright: ignore
    found = [link.asdict() for link in rehref.extract(text, **options)]  # pyright: ignore
    if not any(link["base"] for link in expected):
        assert found == expected


@given(st.lists(TEXTS, max_size=20))
def test_a_table_of_short_texts_has_their_links_in_order(texts: list[str]) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(rehref.table([*texts, None], columns=["row", "uri", "spans"]))
    expected = [(row, link.uri) for row, text in enumerate(texts) for link in rehref.extract(text)]
    assert list(zip(table["row"].to_pylist(), table["uri"].to_pylist(), strict=True)) == expected


def test_many_texts_and_documents_keep_their_rows() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    mail = b"From a@b Mon Jan  1 00:00:00 2024\nSubject: c\n\nhttp://a.example/%d\n\n"
    values: list[bytes | None] = []
    expected: list[int] = []
    for number in range(3000):
        kinds = [b"See http://a.example/%d." % number, None, mail % number, b"a" * 40_000 + b" http://a.example/"]
        value = kinds[(number * number) % 4 if number % 97 == 0 else number % 3]
        values.append(value)
        expected += [number] if value else []
    for jobs in [1, 4]:
        table = rehref.table(values, columns=["row"], jobs=jobs)
        assert pyarrow.table(table)["row"].to_pylist() == expected


def test_warnings_have_the_row_of_their_value() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    values = [b"See http://a.example/." if n % 50 else b"\xff\0\xfe" for n in range(1000)]
    table = rehref.table(values, columns=["uri"], jobs=2)
    assert pyarrow.table(table).num_rows == 980
    assert [warning.row for warning in table.warnings] == list(range(0, 1000, 50))
    assert table.documents == 980


def test_the_options_of_a_call_are_not_those_of_the_one_before() -> None:
    text = "See www.a.example, http://b.example/ and ftp://c.example/."
    schemes = ["http"]
    for _ in range(2):
        assert len(rehref.extract(text)) == 2
        assert len(rehref.extract(text, abbreviated=True)) == 3
        assert len(rehref.extract(text, abbreviated=False)) == 2
        assert len(rehref.extract(text.encode(), abbreviated=True)) == 3
        assert [link.unit for link in rehref.extract(text, scheme="ftp")] == ["code points"]
        assert [link.unit for link in rehref.extract(text.encode(), scheme="ftp")] == ["bytes"]
        assert len(rehref.extract(text, scheme=schemes)) == len(schemes)
        schemes.append("ftp")
        with pytest.raises(TypeError, match="expected bool, not int"):
            rehref.extract(text, abbreviated=1)  # pyright: ignore
        with pytest.raises(TypeError, match="no option"):
            rehref.extract(text, abbreviate=True)  # pyright: ignore


def test_links_are_alike_before_and_after_their_fields_are_read() -> None:
    page = "<base href=/c/><a href=é title=x>b</a> <img src=a.png> <a href='//d.example/ '>".encode()
    for data, media in [(page, "html"), ("Zürich http://a.example/é, http://a.example/\nb", "text")]:
        one = rehref.extract(data, media=media, base="http://a.example/")
        other = rehref.extract(data, media=media, base="http://a.example/")
        assert len({*one, *other}) == len(one) > 1
        assert one == other
        copies = [rehref.Link(**link.asdict()) for link in one]
        assert copies == one
        fresh = rehref.extract(data, media=media, base="http://a.example/")
        assert pickle.loads(pickle.dumps(fresh)) == one
        assert [repr(link) for link in copies] == [repr(link) for link in one]
        fields = [str(name) for name in one[0].asdict()]
        for link, copy in zip(rehref.extract(data, media=media, base="http://a.example/"), copies, strict=True):
            assert [getattr(link, name) for name in fields] == [getattr(copy, name) for name in fields]


def test_the_garbage_collector_looks_at_no_link() -> None:
    links = rehref.extract("http://a.example/ http://b.example/")
    assert not any(map(gc.is_tracked, links))
    copy = rehref.Link(**links[0].asdict())
    gc.collect()
    assert copy == links[0] and gc.is_tracked(links)


def test_threads_may_read_the_fields_of_a_link_together() -> None:
    def uri_of(link: rehref.Link) -> str | None:
        return link.uri

    text = "See http://a.example/. " * 200
    with ThreadPoolExecutor(8) as pool:
        for link in rehref.extract(text)[:20]:
            assert set(pool.map(uri_of, [link] * 8)) == {"http://a.example/"}
