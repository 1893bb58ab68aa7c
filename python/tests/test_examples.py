"""The programs in examples/ do what they say."""

from __future__ import annotations

import functools
import gzip
import http.server
import importlib
import os
import shutil
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import rehref

pytest.importorskip("pyarrow")

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(name: str, *arguments: str | Path, exits: int = 0) -> str:
    environment = {
        **os.environ,
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "NO_PROXY": "127.0.0.1",
    }
    command = [sys.executable, EXAMPLES / name, *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert ran.returncode == exits, ran.stderr
    return ran.stdout


def rows(path: Path) -> list[dict[str, Any]]:
    parquet: Any = importlib.import_module("pyarrow.parquet")
    return parquet.read_table(path).to_pylist()


def test_host_graph(corpus: Path) -> None:
    archive = corpus / "warc/bakery.warc.gz"
    expected = Counter(
        (rehref.parse(it.retrieved or "").host, it.host) for it in rehref.extract(archive) if it.host
    )
    printed = [line.split("\t") for line in run("host_graph.py", archive).splitlines()]
    assert {(page, host): int(count) for count, page, host in printed} == expected
    counts = [int(count) for count, _, _ in printed]
    assert counts == sorted(counts, reverse=True)


def test_mail_to_parquet(corpus: Path, tmp_path: Path) -> None:
    mailbox = corpus / "mail/bakery/in.mbox"
    run("mail_to_parquet.py", tmp_path / "out.parquet", mailbox)
    links = rehref.extract(mailbox)
    found = rows(tmp_path / "out.parquet")
    assert [(it["message_id"], it["part"], it["uri"]) for it in found] == [
        (it.message_id, it.part, it.uri) for it in links
    ]


class Interrupted(http.server.SimpleHTTPRequestHandler):
    """A server that ends every second answer early, and has ranges."""

    requests: Counter[str] = Counter()

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        self.requests[self.path] += 1
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        data = path.read_bytes()
        begin = int((self.headers.get("Range") or "bytes=0-")[len("bytes=") : -1])
        self.send_response(206 if begin else 200)
        self.send_header("Content-Length", str(len(data) - begin))
        self.end_headers()
        self.wfile.write(data[begin : begin + 1000 if self.requests[self.path] % 2 else None])


@pytest.mark.skipif(shutil.which("java") is None, reason="needs Java")
def test_common_crawl(corpus: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyspark")
    crawl, paths = tmp_path / "crawl", tmp_path / "warc.paths.gz"
    crawl.mkdir()
    archive = shutil.copy(corpus / "warc/bakery.warc.gz", crawl / "a.warc.gz")
    (crawl / "junk.warc.gz").write_bytes(bytes(range(256)) * 9)
    paths.write_bytes(gzip.compress(b"a.warc.gz\nlate.warc.gz\njunk.warc.gz\n"))
    handler = functools.partial(Interrupted, directory=str(crawl))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def crawl_again(exits: int) -> None:
        base = f"http://127.0.0.1:{server.server_port}/"
        run("common_crawl.py", paths, tmp_path / "out", "--base", base, "--group", "2", exits=exits)

    crawl_again(exits=1)
    expected = [it.uri for it in rehref.extract(archive, status="200", mime="text/html")]
    found = rows(tmp_path / "out")
    assert Counter(it["uri"] for it in found if it["uri"]) == Counter(expected)
    assert {it["file"] for it in found if it["warning"]} == {"late.warc.gz", "junk.warc.gz"}
    (failure,) = [it["warning"] for it in found if it["file"] == "late.warc.gz"]
    assert failure.startswith("cannot be downloaded: HTTP Error 404")
    # The second run reads what is missing, and nothing else.
    shutil.copy(archive, crawl / "late.warc.gz")
    Interrupted.requests.clear()
    crawl_again(exits=2)
    assert set(Interrupted.requests) == {"/late.warc.gz"}
    assert Interrupted.requests["/late.warc.gz"] > 1
    found = Counter(it["file"] for it in rows(tmp_path / "out") if it["uri"])
    assert found == {"a.warc.gz": len(expected), "late.warc.gz": len(expected)}
    # Without the damaged file, all is read.
    paths.write_bytes(b"a.warc.gz\nlate.warc.gz\n")
    shutil.rmtree(tmp_path / "out")
    crawl_again(exits=0)
    server.shutdown()
