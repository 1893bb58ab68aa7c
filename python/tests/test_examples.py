"""The programs in examples/ do what they say."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import rehref

pytest.importorskip("pyarrow")

EXAMPLES = Path(__file__).parents[1] / "examples"


def run(name: str, *arguments: str | Path) -> str:
    environment = {
        **os.environ,
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    command = [sys.executable, EXAMPLES / name, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout


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


@pytest.mark.skipif(shutil.which("java") is None, reason="needs Java")
def test_common_crawl(corpus: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyspark")
    (tmp_path / "warc.paths").write_text("warc/bakery.warc.gz\nwarc/missing.warc.gz\n")
    run("common_crawl.py", tmp_path / "warc.paths", tmp_path / "out", "--base", corpus.as_uri() + "/")
    found = rows(tmp_path / "out")
    links = rehref.extract(corpus / "warc/bakery.warc.gz", status="200", mime="text/html")
    assert Counter(it["uri"] for it in found if it["warning"] is None) == Counter(
        it.uri for it in links
    )
    (warning,) = [it["warning"] for it in found if it["warning"] is not None]
    assert "missing.warc.gz" in warning
