"""The data source, the functions for columns and the pipe, on a local Spark; and on executors of which one is killed."""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rehref

if shutil.which("java") is None:
    pytest.skip("needs Java", allow_module_level=True)
pyarrow: Any = pytest.importorskip("pyarrow", reason="needs pyarrow")
pytest.importorskip("pyspark", reason="needs pyspark")

import rehref.spark
from pyspark.sql import SparkSession

# Untyped, as its stubs are not strict.
Spark: Any = SparkSession

BUILT = Path(__file__).parents[2] / "target/debug/rehref"
COMMAND = Path(os.environ.get("REHREF", BUILT))


def session(master: str) -> Any:
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = Spark.builder.master(master)
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.execution.pyspark.udf.faulthandler.enabled": "true",
    }.items():
        builder = builder.config(name, value)
    found = builder.getOrCreate()
    rehref.spark.register(found)
    return found


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    found = session("local[2]")
    yield found
    found.stop()


def read(spark: Any, path: Any, **options: Any) -> Any:
    return spark.read.format("rehref").options(**options).load(path)


def rows(frame: Any) -> Counter[tuple[Any, ...]]:
    return Counter(tuple(row) for row in frame.collect())


def expected(path: Path) -> Counter[tuple[Any, ...]]:
    return Counter((link.uri, link.host, link.line) for link in rehref.extract(path))


@pytest.mark.parametrize("name", ["mail/bakery/in.mbox", "warc/bakery.warc.gz"])
@pytest.mark.parametrize("slice_mib", [64, 0.001, 0.0002])
def test_rows_are_the_same_whatever_the_slices(
    spark: Any, corpus: Path, name: str, slice_mib: float
) -> None:
    path = corpus / name
    frame = read(spark, str(path), slice_mib=slice_mib)
    size = path.stat().st_size
    assert frame.rdd.getNumPartitions() == -(-size // int(slice_mib * (1 << 20)))
    assert rows(frame.select("uri", "host", "line")) == expected(path)
    whole = Counter(str(row) for row in pyarrow.table(rehref.table(path)).to_pylist())
    assert Counter(str(row.asDict(recursive=True)) for row in frame.collect()) == whole


def test_directories_globs_and_lists_are_read(spark: Any, corpus: Path) -> None:
    sites = corpus / "sites"
    everything = Counter(
        (it.doc, it.ref) for it in rehref.iter_files(sites) if isinstance(it, rehref.Link)
    )
    assert rows(read(spark, str(sites), columns="doc,ref")) == everything
    pages = read(spark, str(sites / "*/*.html"), columns="ref")
    both = read(spark, [str(corpus / "mail/bakery/in.mbox"), str(sites / "bakery")], columns="doc")
    assert 0 < pages.count() < sum(everything.values())
    assert {name.split("corpus/")[1].split("/")[0] for (name,) in rows(both)} == {"mail", "sites"}
    some = read(spark, str(corpus / "{mail/bakery,sites/{bakery,no}}/{i[mn],bre}*"), columns="doc")
    names = {name.split("corpus/")[1].split("!")[0] for (name,) in rows(some)}
    assert names == {"mail/bakery/in.mbox", "sites/bakery/index.html", "sites/bakery/bread.html"}


def test_globs_are_those_of_hadoop(tmp_path: Path) -> None:
    names = ["a1.txt", "a2.txt", "b1.txt", "c?#.txt", "{a,b}3.txt", "d/e/a1.txt"]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()

    def found(pattern: str) -> list[str]:
        return [it.removeprefix(f"{tmp_path}/") for it in rehref.spark.slices(pattern)]

    for pattern, expected in {
        "{a,b}1.txt": ["a1.txt", "b1.txt"],
        "{b,a{2,1}}*.txt": ["a1.txt", "a2.txt", "b1.txt"],
        "{a,no}1.txt": ["a1.txt"],
        "{a1,a*}.txt": ["a1.txt", "a2.txt"],
        "{d/e/,}a1.txt": ["a1.txt", "d/e/a1.txt"],
        "{a,b}3.txt": ["{a,b}3.txt"],
        "[ab]?.txt": ["a1.txt", "a2.txt", "b1.txt"],
        "[^a]1.txt": ["b1.txt"],
        "**/a1.txt": ["a1.txt", "d/e/a1.txt"],
    }.items():
        assert found(f"{tmp_path}/{pattern}") == expected, pattern
        for scheme in ["file:", "file://", "file://localhost"]:
            assert found(f"{scheme}{tmp_path}/{pattern}") == expected, pattern
    assert found((tmp_path / "c?#.txt").as_uri()) == ["c?#.txt"]
    for pattern in ["{no,none}.txt", "{a1.txt", "a}1.txt"]:
        with pytest.raises(rehref.Error, match="no such file"):
            found(f"{tmp_path}/{pattern}")
    with pytest.raises(rehref.Error, match="the command only reads files of a local"):
        found("s3://[ab]/{a,b}.warc.gz")


@pytest.mark.parametrize("slice_mib", [0, -1, float("nan"), float("inf")])
def test_lengths_of_slices_are_positive(corpus: Path, slice_mib: float) -> None:
    with pytest.raises(rehref.Error, match="^slice_mib: expected a number of MiB"):
        rehref.spark.slices(str(corpus / "warc"), slice_mib)


def test_the_schema_is_that_of_tables(spark: Any, corpus: Path) -> None:
    frame = read(spark, str(corpus / "warc/bakery.warc.gz"))
    assert frame.columns == rehref.table(Path()).columns
    first = frame.where("status = 200").orderBy("record_offset", "line").first()
    assert first.retrieved == "http://bakery.example/"
    selected = spark.read.format("rehref").schema("host string, line long")
    assert selected.load(str(corpus / "warc/bakery.warc.gz")).columns == ["host", "line"]


def test_all_kinds_of_rows_have_the_columns_that_are_named(spark: Any, tmp_path: Path) -> None:
    junk = tmp_path / "junk.warc.gz"
    junk.write_bytes(bytes(range(256)) * 9)
    expected = {"warnings": (str(junk), "archive-junk"), "summary": (1, str(junk))}
    columns = {"warnings": ["path", "code"], "summary": ["warnings", "path"]}
    schemas = {"warnings": "path string, code string", "summary": "warnings long, path string"}
    for kind, row in expected.items():
        source = spark.read.format("rehref").option("rows", kind)
        given = source.schema(schemas[kind]).load(str(junk))
        named = read(spark, str(junk), rows=kind, columns=",".join(columns[kind]))
        for frame in (given, named):
            assert frame.columns == columns[kind]
            assert rows(frame) == Counter([row])


@pytest.mark.parametrize(
    ("kind", "schema", "message"),
    [
        ("links", "host string, line int", "schema: line: expected bigint, not int"),
        ("links", "uri string not null", "schema: uri: expected string, not string not null"),
        ("warnings", "uri string", "'uri' is not a column of rows=warnings"),
        ("summary", "links int", "schema: links: expected bigint, not int"),
    ],
)
def test_schemas_of_other_columns_are_refused(
    spark: Any, corpus: Path, kind: str, schema: str, message: str
) -> None:
    source = spark.read.format("rehref").option("rows", kind).schema(schema)
    with pytest.raises(Exception, match=message):
        source.load(str(corpus / "warc/bakery.warc.gz")).count()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sliceMiB": 1}, "there is no option 'slicemib'"),
        ({"rows": "edits"}, "rows: expected links, warnings or summary, not 'edits'"),
        ({"columns": "uri,urn"}, "columns: .*urn.* is not a column"),
        ({"slice_mib": "big"}, "slice_mib: expected a number of MiB, not 'big'"),
        ({"slice_mib": 0}, "slice_mib: expected a number of MiB, not '0'"),
        ({"html_text": "maybe"}, "html_text: expected true or false, not 'maybe'"),
        ({"status": "9999"}, "status: .*9999"),
        ({"jobs": 2}, "jobs: not an option in Spark"),
        ({"dedup": "digest"}, "dedup: not an option in Spark: .*dropDuplicates"),
        ({"glob": "*.html"}, "glob: not an option in Spark"),
    ],
)
def test_wrong_options_are_refused(
    spark: Any, corpus: Path, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(Exception, match=message):
        read(spark, str(corpus / "warc/bakery.warc.gz"), **options).count()


def test_filters_and_flags_are_those_of_extract(spark: Any, corpus: Path) -> None:
    path = corpus / "warc/bakery.warc.gz"
    links = rehref.extract(path, status="200", mime="text/html", host="*.example", html_text=True)
    frame = read(spark, str(path), status="200", mime="text/html", host="*.example", html_text="true")
    assert frame.count() == len(links)


def test_what_cannot_be_read_is_a_row(spark: Any, corpus: Path, tmp_path: Path) -> None:
    whole = (corpus / "warc/bakery.warc.gz").read_bytes()
    damaged = tmp_path / "damaged.warc.gz"
    damaged.write_bytes(whole[:400] + b"\0" * 20 + whole[420:])
    junk = tmp_path / "junk.warc.gz"
    junk.write_bytes(bytes(range(256)) * 9)
    paths = [str(damaged), str(junk)]
    frames = {kind: read(spark, paths, rows=kind) for kind in ["links", "warnings", "summary"]}
    links = frames["links"].count()
    warnings = frames["warnings"].collect()
    assert 0 < links < 2 * len(rehref.extract(corpus / "warc/bakery.warc.gz"))
    assert {Path(it.path).name for it in warnings} == {"damaged.warc.gz", "junk.warc.gz"}
    assert all(it.code and it.text and it.offset == 0 for it in warnings)
    summary = {Path(it.path).name: it for it in frames["summary"].collect()}
    assert summary["junk.warc.gz"].links == 0 and summary["junk.warc.gz"].warnings == 1
    assert summary["damaged.warc.gz"].links == links
    assert summary["damaged.warc.gz"].documents > 0
    assert sum(it.warnings for it in summary.values()) == len(warnings)


def test_a_file_that_is_gone_is_a_row(corpus: Path) -> None:
    def found(rows: str) -> list[dict[str, Any]]:
        source = rehref.spark.LinkSource({"path": str(corpus), "rows": rows})
        reader: Any = source.reader(source.schema())
        batches = reader.read(rehref.spark.Slice(("no/such/file",), 7, 9))
        return [row for batch in batches for row in batch.to_pylist()]

    assert found("links") == []
    (warning,) = found("warnings")
    assert (warning["doc"], warning["code"]) == ("no/such/file", "unreadable")
    assert "No such file" in warning["text"]
    assert (warning["path"], warning["offset"], warning["length"]) == ("no/such/file", 7, 9)
    (summary,) = found("summary")
    assert (summary["links"], summary["warnings"]) == (0, 1)


def test_names_of_files_that_are_not_utf8_are_replaced(corpus: Path) -> None:
    for kind in ["warnings", "summary"]:
        source = rehref.spark.LinkSource({"path": str(corpus), "rows": kind})
        reader: Any = source.reader(source.schema())
        (batch,) = reader.read(rehref.spark.Slice(("no/\udcff",)))
        assert batch.column("path").to_pylist() == ["no/\ufffd"]


def test_a_column_has_lists_of_links(spark: Any) -> None:
    values = ["<a href=b>", None, "no link", "<a href=//c.example/><img src=d>"]
    frame = spark.createDataFrame(list(enumerate(values)), "id long, page string")
    found = frame.select("id", rehref.spark.links("page", media="html", base="http://a.example/"))
    assert found.columns == ["id", "links(page)"]
    assert [it[1] for it in sorted(found.collect())] == [
        ["http://a.example/b"],
        [],
        [],
        ["http://c.example/", "http://a.example/d"],
    ]


def test_each_page_of_a_column_has_a_base(spark: Any) -> None:
    pages = [(number, "<a href=b>", f"http://a{number}.example/") for number in range(20)]
    frame = spark.createDataFrame(pages, "id long, html string, url string").repartition(3)
    expected = {number: [f"{url}b"] for number, _, url in pages}
    for base in ["url", frame["url"]]:
        found = frame.select("id", rehref.spark.links("html", base=base, media="html"))
        assert found.columns == ["id", "links(html, url)"]
        assert dict(tuple(it) for it in found.collect()) == expected
    by_row = rehref.spark.link_rows(frame, "html", base="url", columns="uri", keep="id", media="html")
    assert rows(by_row) == Counter((number, uri) for number, (uri,) in expected.items())
    nested = frame.selectExpr("id", "struct(html, url AS `src:url`) AS page")
    by_row = rehref.spark.link_rows(nested, "page.html", base="page.src:url", columns="uri", media="html")
    assert rows(by_row) == Counter((uri,) for (uri,) in expected.values())


def test_a_column_has_a_row_for_each_link(spark: Any) -> None:
    frame = spark.createDataFrame(
        [(number, f"http://h{number}.example/ and http://x.example/".encode()) for number in range(100)],
        "id long, text binary",
    ).repartition(3)
    found = rehref.spark.link_rows(frame, "text", columns=["host", "spans"], keep=["id"])
    assert found.columns == ["id", "host", "spans"]
    assert rehref.spark.link_rows(frame, "text", columns="uri", keep="id").columns == ["id", "uri"]
    with pytest.raises(rehref.Error, match="keep"):
        rehref.spark.link_rows(frame.withColumnRenamed("id", "uri"), "text", keep=["uri"])
    hosts = rows(found.select("id", "host"))
    assert hosts == Counter(
        (number, host) for number in range(100) for host in (f"h{number}.example", "x.example")
    )


@pytest.mark.skipif(not COMMAND.is_file(), reason="needs the command: `cargo build`, or its path in REHREF")
def test_the_command_reads_slices_from_a_pipe(spark: Any, corpus: Path) -> None:
    path = corpus / "mail/bakery/in.mbox"
    slices = rehref.spark.slices(str(path), slice_mib=0.0003)
    assert len(slices) > 2 and slices[1].startswith(f"{path}#")
    environment = {"PATH": f"{COMMAND.parent}:{os.environ['PATH']}"}
    rdd = spark.sparkContext.parallelize([*slices, "no/such/file"], 3)
    command = f"sh -c '{rehref.spark.COMMAND}'"
    lines = rdd.pipe(command, env=environment, checkCode=True)
    records = spark.read.json(lines)
    found = Counter(it.uri for it in records.where("type = 'link'").collect())
    assert found == Counter(link.uri for link in rehref.extract(path))
    assert records.where("type = 'warning'").count() == 1


def executors() -> list[int]:
    """The processes of executors."""
    found: list[int] = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if b"CoarseGrainedExecutorBackend\0--driver-url" in entry.read_bytes():
                found.append(int(entry.parent.name))
        except OSError:
            continue
    return found


def rows_with_a_killed_executor(spark: Any, frame: Any) -> Counter[tuple[Any, ...]]:
    """The rows of a job of which an executor is killed when a few tasks have ended."""

    def slowly(batches: Iterator[Any]) -> Iterator[Any]:
        time.sleep(0.5)
        yield from batches

    slow = frame.mapInArrow(slowly, frame.schema)
    found: list[Counter[tuple[Any, ...]]] = []
    job = threading.Thread(target=lambda: found.append(rows(slow)))
    job.start()
    tracker = spark.sparkContext.statusTracker()
    killed = False
    while job.is_alive() and not killed:
        for stage in tracker.getActiveStageIds():
            info = tracker.getStageInfo(stage)
            if info is not None and info.numCompletedTasks >= 4:
                os.kill(executors()[0], signal.SIGKILL)
                killed = True
                break
        time.sleep(0.05)
    job.join(120)
    assert killed
    (only,) = found
    return only


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="needs /proc")
def test_a_killed_executor_loses_and_doubles_nothing(corpus: Path, tmp_path: Path) -> None:
    active = Spark.getActiveSession()
    if active is not None:
        active.stop()
    whole = gzip.decompress((corpus / "warc/bakery.warc.gz").read_bytes())
    archive = tmp_path / "crawl.warc"
    archive.write_bytes(whole * 40)
    links = Counter((link.uri, link.record_offset) for link in rehref.extract(archive))
    spark = session("local-cluster[2,1,1024]")
    try:
        size = archive.stat().st_size
        frame = read(spark, str(archive), slice_mib=size / 24 / (1 << 20), columns="uri,record_offset")

        assert rows_with_a_killed_executor(spark, frame) == links
    finally:
        spark.stop()
