"""The data source on an object store that fails now and then, and on a server of HTTP."""

from __future__ import annotations

import gzip
import http.client
import http.server
import os
import re
import shutil
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import rehref

if shutil.which("java") is None:
    pytest.skip("needs Java", allow_module_level=True)
pyarrow: Any = pytest.importorskip("pyarrow", reason="needs pyarrow")
pytest.importorskip("pyspark", reason="needs pyspark")
moto_server: Any = pytest.importorskip("moto.server", reason="needs moto[server]")
boto3: Any = pytest.importorskip("boto3", reason="needs boto3")

import rehref.spark
from rehref._storage import Storage, azure_options, gcs_options, s3_options
from test_spark import Spark, rows, rows_with_a_killed_executor, session

os.environ["NO_PROXY"] = "127.0.0.1"

SETTINGS = {
    "fs.s3a.access.key": "key",
    "fs.s3a.secret.key": "secret",
    "fs.s3a.endpoint.region": "us-east-1",
}


class Front(http.server.ThreadingHTTPServer):
    """A server in front of an object store, which counts the bytes of objects and fails where it is told to."""

    daemon_threads = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", 0), Forward)
        self.store_port = port
        self.lock = threading.Lock()
        self.requests, self.bytes_read, self.failures = 0, 0, 0
        self.fails_each = 0
        """Each request with this number fails: with 503, or with a part of its bytes. 0 for none."""
        self.broken = ""
        """The end of the name of an object that cannot be read."""
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def failure(self, path: str) -> str | None:
        with self.lock:
            self.requests += 1
            if self.broken and path.endswith(self.broken):
                self.failures += 1
                return "503"
            if self.fails_each and self.requests % self.fails_each == 0:
                self.failures += 1
                return "503" if self.failures % 2 else "cut"
            return None


class Forward(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self.forward()

    def do_GET(self) -> None:
        self.forward()

    def forward(self) -> None:
        front: Any = self.server
        is_object = self.headers.get("Range") is not None
        failure = front.failure(self.path) if is_object else None
        if failure == "503":
            self.send_response(503)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        store = http.client.HTTPConnection("127.0.0.1", front.store_port)
        store.request(self.command, self.path, headers=dict(self.headers))
        answer = store.getresponse()
        body = answer.read()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "connection", "server", "date"):
                self.send_header(name, value)
        self.end_headers()
        if failure == "cut":
            body = body[: len(body) // 2]
            self.close_connection = True
        if is_object:
            with front.lock:
                front.bytes_read += len(body)
        if self.command != "HEAD":
            self.wfile.write(body)


@pytest.fixture(scope="module")
def store() -> Iterator[tuple[Front, Any]]:
    server = moto_server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    front = Front(port)
    client = boto3.client(
        "s3",
        endpoint_url=f"http://127.0.0.1:{port}",
        aws_access_key_id="key",
        aws_secret_access_key="secret",
        region_name="us-east-1",
    )
    client.create_bucket(Bucket="crawl")
    yield front, client
    front.shutdown()
    server.stop()


@pytest.fixture
def front(store: tuple[Front, Any]) -> Front:
    found, _ = store
    found.fails_each, found.broken, found.bytes_read, found.failures = 0, "", 0, 0
    return found


def of_store(front: Front) -> dict[str, str]:
    """The options with which Spark reads the store."""
    return {**SETTINGS, "fs.s3a.endpoint": f"http://127.0.0.1:{front.server_port}"}


def read(spark: Any, front: Front, path: Any, **options: Any) -> Any:
    source = spark.read.format("rehref").options(**of_store(front)).options(**options)
    return source.load(path)


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    found = session("local[2]")
    yield found
    found.stop()


@pytest.fixture(scope="module")
def crawl(store: tuple[Front, Any], corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the same files as the store, in which an archive has more than a block."""
    _, client = store
    directory = tmp_path_factory.mktemp("crawl")
    records = gzip.decompress((corpus / "warc/bakery.warc.gz").read_bytes())
    members = [gzip.compress(b"WARC/1." + it, 0) for it in records.split(b"WARC/1.")[1:]]
    (directory / "a.warc.gz").write_bytes(b"".join(members) * 60)
    shutil.copy(corpus / "mail/bakery/in.mbox", directory / "in.mbox")
    (directory / "pages").mkdir()
    shutil.copy(corpus / "sites/bakery/bread.html", directory / "pages/br ead%41.html")
    shutil.copy(corpus / "sites/bakery/index.html", directory / "page.mbox")
    for file in directory.rglob("*"):
        if file.is_file():
            key = f"data/{file.relative_to(directory)}"
            client.upload_file(str(file), "crawl", key, ExtraArgs={"ACL": "public-read"})
    client.put_object(Bucket="crawl", Key="private.mbox", Body=b"secret")
    return directory


@pytest.fixture(scope="module")
def expected(crawl: Path) -> Counter[str]:
    """The rows of the directory, with the names of the store."""
    files = sorted(it for it in crawl.rglob("*") if it.is_file())
    found = (str(it) for file in files for it in pyarrow.table(rehref.table(file)).to_pylist())
    return Counter(it.replace(str(crawl), "s3a://crawl/data") for it in found)


@pytest.mark.parametrize(("slice_mib", "fails_each"), [(64, 0), (64, 3), (0.01, 3)])
def test_rows_of_a_store_are_those_of_a_directory(
    spark: Any, front: Front, expected: Counter[str], slice_mib: float, fails_each: int
) -> None:
    front.fails_each = fails_each
    frame = read(spark, front, "s3a://crawl/data", slice_mib=slice_mib)
    found = Counter(str(it.asDict(recursive=True)) for it in frame.collect())
    assert (front.failures > 0) == (fails_each > 0)
    assert found == expected


def test_names_of_a_store_are_directories_globs_and_lists(spark: Any, front: Front, crawl: Path) -> None:
    def names(path: Any) -> set[str]:
        frame = read(spark, front, path, columns="doc")
        return {re.split("[!#]", name)[0].removeprefix("s3a://crawl/data/") for (name,) in rows(frame)}

    assert names("s3a://crawl/data/*.{mbox,gz}") == {"in.mbox", "page.mbox", "a.warc.gz"}
    assert names("s3a://crawl/**/*.html") == {"pages/br ead%41.html"}
    assert names(["s3a://crawl/data/pages", "s3a://crawl/data/in.mbox"]) == {
        "pages/br ead%41.html",
        "in.mbox",
    }
    for path in ["s3a://crawl/no", "s3a://crawl/d*/no*"]:
        with pytest.raises(Exception, match="no such file"):
            read(spark, front, path).count()


def test_settings_of_hadoop_are_those_of_the_session(spark: Any, front: Front, crawl: Path) -> None:
    hadoop = spark.sparkContext._jsc.hadoopConfiguration()
    for name, value in of_store(front).items():
        hadoop.set(name.replace("fs.s3a.", "fs.s3a.bucket.crawl."), value)
    rehref.spark.register(spark)
    frame = spark.read.format("rehref").option("columns", "uri").load("s3://crawl/data/in.mbox")
    assert rows(frame) == Counter((it.uri,) for it in rehref.extract(crawl / "in.mbox"))


def test_a_file_that_fails_is_an_error_of_its_slices(
    spark: Any, front: Front, crawl: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rehref._storage.ATTEMPTS", 2)
    front.broken = "in.mbox"
    given = {**of_store(front), "path": "s3a://crawl/data", "slice_mib": "0.001"}

    def reader(rows: str) -> Any:
        source = rehref.spark.LinkSource({**given, "rows": rows})
        return source.reader(source.schema())

    slices = [it for it in reader("links").partitions() if it.paths == ("s3a://crawl/data/in.mbox",)]
    assert len(slices) == 2
    for part in slices:
        with pytest.raises(OSError, match="in.mbox: cannot read at 0"):
            list(reader("links").read(part))
        (batch,) = reader("warnings").read(part)
        (row,) = batch.to_pylist()
        assert (row["code"], row["path"], row["offset"]) == ("unreadable", part.paths[0], part.offset)
        assert "cannot read at 0" in row["text"]
        (batch,) = reader("summary").read(part)
        assert batch.to_pylist()[0]["warnings"] == 1
    # So is a store that cannot be opened.
    given["fs.s3a.access.key"] = "key"
    given["fs.s3a.secret.key"] = ""
    with pytest.raises(OSError, match="s3a://crawl: cannot open the file system"):
        list(reader("links").read(slices[0]))


def test_settings_are_not_shown(crawl: Path) -> None:
    given = {"path": str(crawl), "fs.s3a.secret.key": "SECRET"}
    source = rehref.spark.LinkSource(given)
    assert "SECRET" not in repr(source._given()) + repr(Storage({"fs.s3a.secret.key": "SECRET"}))
    assert s3_options("b", {"fs.s3a.bucket.b.secret.key": "s", "fs.s3a.endpoint": "http://h:1/"}) == {
        "secret_key": "s",
        "scheme": "http",
        "endpoint_override": "h:1",
    }
    provider = {"fs.s3a.aws.credentials.provider": "org.apache.AnonymousAWSCredentialsProvider"}
    assert s3_options("b", provider) == {"anonymous": True}
    host = "a.dfs.core.windows.net"
    assert azure_options(host, {f"fs.azure.account.key.{host}": "k"}) == {
        "account_name": "a",
        "account_key": "k",
    }
    assert gcs_options({"fs.gs.auth.type": "unauthenticated"}) == {"anonymous": True}


def test_a_key_with_an_empty_part_is_named(store: tuple[Front, Any], front: Front) -> None:
    _, client = store
    client.create_bucket(Bucket="odd")
    client.put_object(Bucket="odd", Key="e//x.html", Body=b"")
    for path in ["s3a://odd", "s3a://odd/**", "s3a://odd/e/*"]:
        with pytest.raises(rehref.Error, match="empty part between slashes"):
            list(Storage(of_store(front)).files(path))


def test_directories_of_fsspec_have_the_files_of_their_scheme(tmp_path: Path) -> None:
    fsspec: Any = pytest.importorskip("fsspec", reason="needs fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe({f"{tmp_path}/a.html": b"<a href=http://memory.example/>", f"{tmp_path}/b/c.txt": b"x"})
    (tmp_path / "a.html").write_text("<a href=http://local.example/>")
    files = list(Storage({}).files(f"memory:/{tmp_path}"))
    assert [it.name.split(tmp_path.name)[1] for it in files] == ["/a.html", "/b/c.txt"]
    opened = Storage({}).open(files[0], files[0].size)
    (row,) = pyarrow.table(rehref.table(opened, columns=["host"])).to_pylist()
    assert row == {"host": "memory.example"}


def test_files_of_globs_are_those_of_the_directory_and_once(tmp_path: Path) -> None:
    for name in ["1.html", "a/2.html", "a/d.html/3.html", "a/.git/4.html", "a/.h/5.html"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "link").symlink_to(tmp_path / "a")
    (tmp_path / "a/up").symlink_to(tmp_path)

    def found(pattern: str) -> list[str]:
        return [it.name.removeprefix(f"{tmp_path}/") for it in Storage({}).files(f"{tmp_path}/{pattern}")]

    assert found("") == ["1.html", "a/2.html", "a/.h/5.html", "a/d.html/3.html"]
    assert found("**/2.html") == ["a/2.html", "link/2.html"]
    inner = ["a/d.html/3.html", "link/d.html/3.html"]
    assert sorted(found("**/*.html")) == ["1.html", "a/2.html", inner[0], "link/2.html", inner[1]]
    assert set(found("*/")) == {"a/2.html", "a/.h/5.html", inner[0], "link/2.html", "link/.h/5.html", inner[1]}
    assert found("*.html") == ["1.html"]


def test_filters_are_pushed_down_and_slices_read_their_bytes(spark: Any, front: Front, crawl: Path) -> None:
    size = (crawl / "a.warc.gz").stat().st_size
    path = "s3a://crawl/data/a.warc.gz"
    whole = read(spark, front, path).collect()
    # The head is read once more.
    assert size <= front.bytes_read < size + (200 << 10)
    filters: dict[str, Callable[[Any], bool]] = {
        "host = 'mill.example'": lambda it: it.host == "mill.example",
        "host IN ('mill.example', 'x.example') AND scheme = 'http'": lambda it: it.host == "mill.example",
        "status = 301": lambda it: it.status == 301,
        "scheme = 'mailto' AND status = 200": lambda it: it.scheme == "mailto" and it.status == 200,
        "host = 'mill.example' AND host = 'bakery.example'": lambda it: False,
        "NOT host = 'mill.example'": lambda it: it.host not in (None, "mill.example"),
        "host IS NULL": lambda it: it.host is None,
        "host = '*.example'": lambda it: False,
        # Values that no option has.
        "status IN (200, 0)": lambda it: it.status == 200,
        "host IN ('mill.example', 'h:8', 'm\u00fcll.example')": lambda it: it.host == "mill.example",
        "scheme IN ('mailto', 'a_b')": lambda it: it.scheme == "mailto",
        "scheme = 'HTTP'": lambda it: False,
    }
    for condition, passes in filters.items():
        found = read(spark, front, path).where(condition).select("uri", "record_offset")
        assert rows(found) == Counter((it.uri, it.record_offset) for it in whole if passes(it)), condition
    reader: Any = rehref.spark.PushingReader(rehref.spark.LinkSource({"path": str(crawl)})._given())

    class EqualTo:
        attribute, value = ("status",), 301

    assert list(reader.pushFilters([EqualTo()])) != []
    batches = reader.read(rehref.spark.Slice((str(crawl / "a.warc.gz"),)))
    statuses = {it for batch in batches for it in batch.column("status").to_pylist()}
    assert statuses == {301}


def test_files_of_http_are_read_by_ranges(spark: Any, front: Front, crawl: Path) -> None:
    pytest.importorskip("aiohttp", reason="needs fsspec and aiohttp")
    # The store answers without a signature, too.
    root = f"http://127.0.0.1:{front.server_port}/crawl"
    source = spark.read.format("rehref").options(slice_mib=0.1, columns="uri,line")
    front.fails_each = 3
    frame = source.load(f"{root}/data/a.warc.gz")
    assert frame.rdd.getNumPartitions() > 1
    assert rows(frame) == Counter((it.uri, it.line) for it in rehref.extract(crawl / "a.warc.gz"))
    assert front.failures > 0
    for name, message in {"no.mbox": "404", "private.mbox": "403"}.items():
        with pytest.raises(Exception, match=f"{name}: cannot be read: {message}"):
            source.load(f"{root}/{name}").count()


def test_a_killed_executor_and_a_failing_store_lose_and_double_nothing(front: Front, crawl: Path) -> None:
    active = Spark.getActiveSession()
    if active is not None:
        active.stop()
    front.fails_each = 4
    links = Counter((link.uri, link.record_offset) for link in rehref.extract(crawl / "a.warc.gz"))
    spark = session("local-cluster[2,1,1024]")
    try:
        frame = read(spark, front, "s3a://crawl/data/*.warc.gz", slice_mib=0.01, columns="uri,record_offset")
        assert frame.rdd.getNumPartitions() > 10

        assert rows_with_a_killed_executor(spark, frame) == links
        assert front.failures > 0
    finally:
        spark.stop()
