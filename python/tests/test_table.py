"""Tables of links as streams of Arrow."""

from __future__ import annotations

import gzip
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import rehref

pyarrow: Any = pytest.importorskip("pyarrow", reason="pyarrow is not installed")


def rows(table: object) -> list[dict[str, Any]]:
    return pyarrow.table(table).to_pylist()


def test_rows_are_the_links_of_iter_files(corpus: Path) -> None:
    paths = [corpus / "html", corpus / "mail", corpus / "warc"]
    table = rehref.table(paths, columns=["doc", "uri", "ref", "line", "spans", "notes"])
    links = [it for it in rehref.iter_files(paths) if isinstance(it, rehref.Link)]
    assert len(links) > 500
    expected = [
        {
            # Messages have their offsets as numbers.
            "doc": link.doc.replace(f"!{link.message}!", f"!@{link.message_offset}!"),
            "uri": link.uri,
            "ref": link.ref,
            "line": link.line,
            "spans": [{"start": start, "end": end} for start, end in link.spans],
            "notes": list(link.notes),
        }
        for link in links
    ]
    assert rows(table) == expected


@pytest.mark.parametrize("size", [1 << 20, 1000, 200])
@pytest.mark.parametrize(
    "name", ["mail/bakery/in.mbox", "warc/bakery.warc.gz", "sites/bakery/index.html", "compressed"]
)
def test_rows_do_not_depend_on_slices(corpus: Path, name: str, size: int) -> None:
    path = corpus / name
    for path in sorted(path.iterdir()) if path.is_dir() else [path]:
        if not path.is_file():
            continue
        starts = range(0, path.stat().st_size, size)
        sliced = [row for start in starts for row in rows(rehref.table(path, slice=(start, size)))]
        assert sliced == rows(rehref.table(path)), path


def test_the_names_of_messages_are_their_offsets(corpus: Path) -> None:
    path = corpus / "mail/bakery/in.mbox"
    for part in [None, (300, 400)]:
        found = rows(rehref.table(path, slice=part, columns=["archive", "doc", "message", "message_offset"]))
        assert found[-1]["message"] == found[-1]["message_offset"] == 367
        assert (found[-1]["archive"], found[-1]["doc"]) == (str(path), f"{path}!@367!2")
    (message,) = rehref.mailbox(path, slice=(300, 400))
    assert (message.message, message.archive) == (367, str(path))
    assert message.links()[-1].doc == f"{path}!@367!2"
    assert [it.message for it in rehref.mailbox(path)] == [1, 2]


PAGES = ["<a href=b>", None, "<a href=//c.example/x>", "<a href=d>", "<base href=/e/><a href=f>"]
BASES = ["http://a.example/", "http://b.example/", "https://c.example/", None, "http://d.example/x"]
RESOLVED = ["http://a.example/b", "https://c.example/x", None, "http://d.example/e/f"]


def test_each_value_of_a_column_has_a_base() -> None:
    table = rehref.table(PAGES, base=BASES, media="html", columns=["uri", "base", "base_from"])
    found = rows(table)
    assert [row["uri"] for row in found if row["uri"] != "http://d.example/e/"] == RESOLVED
    assert [row["row"] for row in found] == [0, 2, 3, 4, 4]
    assert found[0]["base"] == "http://a.example/" and found[0]["base_from"] == "option"
    assert found[-1]["base_from"] == "element"
    assert table.warnings == []


@pytest.mark.parametrize("kind", ["pandas", "polars", "duckdb", "pyarrow", "pyarrow.table"])
def test_bases_are_columns_of_any_library(kind: str) -> None:
    library: Any = pytest.importorskip(kind.split(".")[0], reason=f"{kind} is not installed")
    arrow = pyarrow.table({"page": PAGES, "url": BASES})
    if kind == "duckdb":
        assert arrow is not None
        page, url = library.sql("SELECT page FROM arrow"), library.sql("SELECT url FROM arrow")
    elif kind == "pyarrow.table":
        page, url = arrow.select(["page"]), arrow.select(["url"])
    elif kind == "pandas":
        page, url = arrow.to_pandas()["page"], arrow.to_pandas()["url"]
    else:
        frame = library.from_arrow(arrow) if kind == "polars" else arrow
        page, url = frame["page"], frame["url"]
    found = rows(rehref.table(page, base=url, media="html", columns=["uri"], place="html", role="navigate"))
    assert [row["uri"] for row in found] == RESOLVED
    with pytest.raises(TypeError, match="expected one column, not 2"):
        rehref.table(arrow)


def test_sites_of_a_column_are_those_of_its_bases() -> None:
    page = "<a href=b><a href=http://a.example/c><a href=http://b.example/>"
    bases = ["http://a.example/", "http://b.example/", None]
    for is_internal, expected in {True: [2, 2, 1], False: [1, 1, 2]}.items():
        table = rehref.table(
            [page] * 3, base=bases, media="html", internal=is_internal, external=not is_internal
        )
        counts = [0, 0, 0]
        for row in rows(table):
            counts[row["row"]] += 1
        assert counts == expected, is_internal


def test_wrong_bases_are_warnings_or_errors(corpus: Path) -> None:
    table = rehref.table(["<a href=b>"] * 3, base=["a/b", "", "http://a.example/"], media="html", columns=["uri"])
    for _ in range(2):
        assert [row["uri"] for row in rows(table)] == [None, None, "http://a.example/b"]
        found = [(it.row, it.code, it.text) for it in table.warnings]
        assert found == [
            (0, "base", '"a/b" is not an absolute URI'),
            (1, "base", '"" is not an absolute URI'),
        ]
    with pytest.raises(rehref.Error, match="base: expected 1 values, one per row, not 2"):
        rehref.table(["<a href=b>"], base=["http://a.example/"] * 2)
    wrong: list[Any] = ["http://a.example/", 1.5]
    with pytest.raises(TypeError, match=r"base: expected str or None, not float \(row 1\)"):
        rehref.table(["<a href=b>"] * 2, base=wrong)
    with pytest.raises(TypeError, match="base: only the values of a column have one each"):
        rehref.table(corpus / "sites", base=["http://a.example/"])
    assert rehref.table([], base=[]).columns[0] == "row"


def test_a_table_is_read_several_times_at_once(corpus: Path) -> None:
    table = rehref.table(corpus / "sites", columns=["uri", "host"])
    expected = rows(table)
    found: list[list[dict[str, Any]]] = []
    threads = [threading.Thread(target=lambda: found.append(rows(table))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8
    assert pyarrow.schema(table) == pyarrow.table(table).schema
    assert table.columns == ["uri", "host"]


def test_schema_has_plain_types_and_nullable_fields(corpus: Path) -> None:
    schema = pyarrow.schema(rehref.table(corpus / "html", context=True, unwrap=True))
    text, span = pyarrow.utf8(), pyarrow.struct({"start": pyarrow.int64(), "end": pyarrow.int64()})
    assert schema.field("uri") == pyarrow.field("uri", text)
    assert schema.field("status") == pyarrow.field("status", pyarrow.int16())
    assert schema.field("spans").type == pyarrow.list_(span)
    assert schema.field("notes").type == pyarrow.list_(text)
    assert "context" in schema.names and "unwrapped" in schema.names
    default = rehref.table(corpus / "html").columns
    assert [name for name in schema.names if name not in ("context", "unwrapped")] == default


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_a_reading_that_is_given_up_ends_its_thread(tmp_path: Path) -> None:
    long = tmp_path / "long.txt"
    long.write_text("See http://a.example/ there.\n" * 2_000_000)
    table = rehref.table(long, columns=["uri"], jobs=1)

    def threads() -> int:
        return len(list(Path("/proc/self/task").iterdir()))

    before = threads()
    reader = pyarrow.RecordBatchReader.from_stream(table)
    assert reader.read_next_batch().num_rows > 0
    assert threads() > before
    del reader
    end = time.monotonic() + 30
    while threads() > before and time.monotonic() < end:
        time.sleep(0.01)
    assert threads() == before
    # Only the schema is asked for, so nothing is read.
    assert pyarrow.schema(table).names == ["uri"]


def test_slices_have_each_link_once(corpus: Path) -> None:
    archive = corpus / "warc" / "bakery.warc.gz"
    columns = ["record_offset", "uri"]
    whole = rows(rehref.table(archive, columns=columns))
    half = archive.stat().st_size // 2
    slices = [(0, half), (half, half + 1)]
    parts = [rows(rehref.table(archive, columns=columns, slice=it)) for it in slices]
    assert all(parts)
    assert parts[0] + parts[1] == whole


def test_columns_of_texts_have_the_row_of_each_link() -> None:
    texts = ["http://a.example/ http://b.example/", None, "no link", "é http://c.example/"]
    expected = [
        {"row": 0, "uri": "http://a.example/", "spans": [{"start": 0, "end": 17}]},
        {"row": 0, "uri": "http://b.example/", "spans": [{"start": 18, "end": 35}]},
        {"row": 3, "uri": "http://c.example/", "spans": [{"start": 3, "end": 20}]},
    ]
    for column in (
        texts,
        pyarrow.array(texts),
        pyarrow.array(texts, pyarrow.large_utf8()),
        pyarrow.chunked_array([texts[:2], texts[2:]]),
    ):
        assert rows(rehref.table(column, columns=["uri", "spans"])) == expected


def test_row_is_first_or_where_columns_name_it() -> None:
    texts = ["", "http://a.example/"]
    expected = {"row": 1, "uri": "http://a.example/", "host": "a.example"}
    for columns, names in (
        (["uri"], ["row", "uri"]),
        (["row", "uri"], ["row", "uri"]),
        (["uri", "row"], ["uri", "row"]),
        ("uri,row,host", ["uri", "row", "host"]),
        (["row"], ["row"]),
    ):
        table = rehref.table(texts, columns=columns)
        assert table.columns == pyarrow.schema(table).names == names
        assert rows(table) == [{name: expected[name] for name in names}]


class Stream:
    """A column with nothing but a stream of Arrow."""

    def __init__(self, column: Any) -> None:
        self.column = column

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.column.__arrow_c_stream__(requested_schema)


class Array:
    """A column with nothing but an array of Arrow."""

    def __init__(self, column: Any) -> None:
        self.column = column

    def __arrow_c_array__(self, requested_schema: object = None) -> object:
        return self.column.__arrow_c_array__(requested_schema)


def test_columns_may_be_of_any_library_with_the_interface_of_arrow() -> None:
    pages = pyarrow.array([b"<a href=//a.example>", None, b"<a href=//b.example>"])
    for column in (Array(pages), Stream(pyarrow.chunked_array([pages]))):
        found = rows(rehref.table(column, media="html", columns=["host"]))
        assert [(it["row"], it["host"]) for it in found] == [(0, "a.example"), (2, "b.example")]


def test_columns_of_pandas_may_lack_values() -> None:
    pandas: Any = pytest.importorskip("pandas", reason="pandas is not installed")
    column = pandas.Series(["http://a.example/", None, float("nan"), "http://b.example/"])
    found = rows(rehref.table(column, columns=["uri"]))
    assert [(it["row"], it["uri"]) for it in found] == [(0, "http://a.example/"), (3, "http://b.example/")]


def test_columns_of_pages_are_read_by_media_and_base() -> None:
    pages = [b"<a href=b>", b"<meta charset=windows-1252><a href='\xe9?\xe9'>"] * 3000
    table = rehref.table(pages, media="html", base="http://a.example/", columns=["uri", "charset"])
    found = rows(table)
    assert [it["row"] for it in found] == list(range(6000))
    assert found[0]["uri"] == "http://a.example/b"
    assert found[1]["charset"] == "windows-1252"
    # A text is decoded, whatever it declares.
    text = "<meta charset=windows-1252><a href='/é'>"
    found = rows(rehref.table([text], media="html", base="http://a.example/", columns=["uri"]))
    assert found == [{"row": 0, "uri": "http://a.example/é"}]


def test_many_rows_of_values_have_their_numbers_over_several_batches() -> None:
    texts = [f"http://a.example/{number}/{'b' * 1000} " * 3 for number in range(6000)]
    batches = pyarrow.table(rehref.table(texts, columns=["uri"])).to_batches()
    assert len(batches) > 1
    found = [row for batch in batches for row in batch.column("row").to_pylist()]
    assert found == [number for number in range(6000) for _ in range(3)]


def test_values_of_all_kinds_keep_their_row(corpus: Path) -> None:
    archive = (corpus / "warc" / "bakery.warc.gz").read_bytes()
    mailbox = (corpus / "mail" / "bakery" / "in.mbox").read_bytes()
    values = [
        archive,
        b"\0\1\2\3 http://binary.example/",
        None,
        mailbox,
        archive[:-20],
        gzip.compress(b"http://compressed.example/")[:-4],
        b"http://long.example/ " * 200_000,
        b"",
        b"http://last.example/",
    ]
    alone = [len(rows(rehref.table([value], columns=["uri"]))) for value in values]
    assert alone[6:] == [200_000, 0, 1] and all(alone[row] for row in (0, 3, 4))
    for jobs in (1, 2):
        table = rehref.table(values, columns=["uri"], jobs=jobs)
        found = pyarrow.table(table)["row"].to_pylist()
        assert found == [row for row, links in enumerate(alone) for _ in range(links)]


def test_values_that_are_no_column_are_refused(tmp_path: Path) -> None:
    for data in ("http://a.example/", b"http://a.example/", ["a", b"b"], [1], 1):
        with pytest.raises(TypeError):
            rehref.table(data)  # type: ignore
    with pytest.raises(TypeError):
        rehref.table(["a"], slice=(0, 1))
    with pytest.raises(rehref.Error, match="columns: .*url.* is not a column"):
        rehref.table(["a"], columns=["url"])
    with pytest.raises(rehref.Error, match="repeated"):
        rehref.table(["a"], columns=["uri", "uri"])
    with pytest.raises(rehref.Error, match='columns: the column "row" is repeated'):
        rehref.table(["a"], columns=["row", "uri", "row"])
    with pytest.raises(rehref.Error, match='"row" is not a column'):
        rehref.table(tmp_path, columns=["row"])
    with pytest.raises(rehref.ReadError):
        rehref.table(tmp_path / "none.txt")
    with pytest.raises(TypeError):
        rehref.table(["a"], colums=["uri"])  # type: ignore


def test_an_empty_list_is_a_list_of_no_files(tmp_path: Path) -> None:
    empty: list[Any] = [[], (), tmp_path.glob("*.html")]
    for data in empty:
        table = rehref.table(data, slice=(0, 9))
        assert table.columns == rehref.table(tmp_path).columns
        assert rows(table) == []
    columns: list[Any] = [
        pyarrow.array([], pyarrow.utf8()),
        pyarrow.chunked_array([], pyarrow.binary()),
        Stream(pyarrow.chunked_array([], pyarrow.utf8())),
        [None],
    ]
    for data in columns:
        table = rehref.table(data, columns=["uri"])
        assert table.columns == ["row", "uri"]
        assert rows(table) == []


def test_what_cannot_be_read_is_a_warning(tmp_path: Path, corpus: Path) -> None:
    whole = (corpus / "warc" / "bakery.warc.gz").read_bytes()
    (tmp_path / "cut.warc.gz").write_bytes(whole[:-20])
    table = rehref.table(tmp_path, columns=["uri"])
    assert table.warnings == []
    assert rows(table)
    assert [it.code for it in table.warnings] == ["unreadable"]
    rows(table)
    assert len(table.warnings) == 1, "those of the last reading"
    pyarrow.RecordBatchReader.from_stream(table)
    assert len(table.warnings) == 1, "a reading begins with the first batch"
    assert table.documents > 0


def test_a_warning_about_a_value_has_its_row(corpus: Path) -> None:
    archive = (corpus / "warc" / "bakery.warc.gz").read_bytes()
    values = [b"http://a.example/", archive[:-20], None, archive, archive[:-30], b"", gzip.compress(b"a")[:-4]]
    for jobs in (1, 2):
        table = rehref.table(values, columns=["uri"], jobs=jobs)
        assert table.warnings == []
        rows(table)
        assert [it.row for it in table.warnings] == [1, 4, 6]
        assert table.warnings[0].asdict()["row"] == 1


def test_polars_reads_a_table_and_has_columns(corpus: Path) -> None:
    polars: Any = pytest.importorskip("polars", reason="polars is not installed")
    table = rehref.table(corpus / "sites", columns=["uri", "notes", "spans"])
    assert polars.DataFrame(table).to_dicts() == rows(table)
    column = polars.Series(["http://a.example/", "http://b.example/"])
    found = polars.DataFrame(rehref.table(column, columns=["host"]))
    assert found.to_dicts() == [{"row": 0, "host": "a.example"}, {"row": 1, "host": "b.example"}]


def test_duckdb_queries_a_table(corpus: Path) -> None:
    duckdb: Any = pytest.importorskip("duckdb", reason="duckdb is not installed")
    links = rehref.table(corpus / "sites", columns=["uri", "host"])
    query = "select host, count(*) from links where host is not null group by host"
    found = dict(duckdb.sql(query).fetchall())
    hosts = [row["host"] for row in rows(links) if row["host"] is not None]
    assert found == {host: hosts.count(host) for host in set(hosts)}


def test_texts_with_nul_are_not_binary() -> None:
    texts = ["\0é http://a.example/", "http://b.example/"]
    rows = pyarrow.table(rehref.table(texts, columns="uri,spans")).to_pylist()
    assert rows == [
        {"row": 0, "uri": "http://a.example/", "spans": [{"start": 4, "end": 21}]},
        {"row": 1, "uri": "http://b.example/", "spans": [{"start": 0, "end": 17}]},
    ]
