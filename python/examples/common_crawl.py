"""Write the links of a crawl into Parquet files.

    spark-submit common_crawl.py warc.paths.gz s3a://bucket/links

The first argument is the list of WARC files that Common Crawl publishes: a path per line, compressed or not. Each task downloads
one file of about 1 GB into a temporary directory and reads it there. An interrupted download continues where it ended.

A second run reads only the files that the output does not have. The output has a row for each link, a row for each `warning`, and
a row with nothing but the name of the file after its last link.

Exit code 0: all files were read. 1: a file could not be downloaded; run the program again. 2: a part of a file could not be read.
"""

from __future__ import annotations

import argparse
import gzip
import http.client
import itertools
import os
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

import rehref

COLUMNS = ["retrieved", "uri", "host", "element", "role"]
SCHEMA = pa.schema([(name, pa.string()) for name in [*COLUMNS, "warning", "file"]])
ATTEMPTS = 6


def download(url: str, path: Path) -> None:
    """Download a file. A request that fails is repeated for the bytes that are missing."""
    for attempt in range(ATTEMPTS):
        try:
            length = path.stat().st_size if path.exists() else 0
            request = urllib.request.Request(url, headers={"Range": f"bytes={length}-"} if length else {})
            with urllib.request.urlopen(request, timeout=60) as answer:
                continues = length > 0 and answer.status == 206
                with path.open("ab" if continues else "wb") as file:
                    while block := answer.read(1 << 20):
                        file.write(block)
                rest = answer.headers.get("Content-Length")
            if rest is None or path.stat().st_size == int(rest) + (length if continues else 0):
                return
            failure: Exception = OSError("the download ended early")
        except (OSError, http.client.HTTPException) as error:
            if isinstance(error, urllib.error.HTTPError) and error.code in (403, 404, 410):
                raise
            failure = error
        time.sleep(2**attempt / 4)
    raise OSError(f"{ATTEMPTS} attempts failed: {failure}")


def links_of(files: Iterator[tuple[str, str]], failed: Any, unread: Any) -> Iterator[pa.RecordBatch]:
    """Return the links of files, a row for each warning, and a row for the end of each file that was read."""
    for name, url in files:
        warnings: list[str] = []
        end: list[dict[str, str]] = []
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory, os.path.basename(name))
            try:
                download(url, path)
            except (OSError, http.client.HTTPException) as error:
                failed.add(1)
                warnings.append(f"cannot be downloaded: {error}")
            else:
                links = rehref.table(path, columns=COLUMNS, status="200", mime="text/html", jobs=1)
                for batch in pa.RecordBatchReader.from_stream(links):
                    others = [pa.nulls(len(batch), pa.string()), pa.array([name] * len(batch))]
                    yield pa.RecordBatch.from_arrays([*batch.columns, *others], schema=SCHEMA)
                warnings += [f"{it.doc.removeprefix(directory)}: {it.text}" for it in links.warnings]
                unread.add(len(warnings))
                end = [{"file": name}]
        rows = [{"warning": it, "file": name} for it in warnings] + end
        yield from pa.Table.from_pylist(rows, SCHEMA).to_batches()


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the links of a crawl into Parquet files.")
    parser.add_argument("paths", help="a file with the path of a WARC file per line, in gzip or not")
    parser.add_argument("out", help="the directory for the Parquet files")
    parser.add_argument("--base", default="https://data.commoncrawl.org/", help="the URL before each path")
    parser.add_argument("--group", type=int, default=1000, help="the number of files after which links are written")
    arguments = parser.parse_args()

    data = Path(arguments.paths).read_bytes()
    names = (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data).decode().split()
    spark = SparkSession.builder.appName("links of a crawl").getOrCreate()
    try:
        ends = spark.read.parquet(arguments.out).where("uri IS NULL AND warning IS NULL AND retrieved IS NULL")
        done = {row.file for row in ends.select("file").collect()}
    except AnalysisException as error:
        if error.getCondition() not in ("PATH_NOT_FOUND", "UNABLE_TO_INFER_SCHEMA"):
            raise
        done = set()
    left = [name for name in names if name not in done]
    failed, unread = spark.sparkContext.accumulator(0), spark.sparkContext.accumulator(0)

    def found(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        files = ((row["file"], row["url"]) for batch in batches for row in batch.to_pylist())
        yield from links_of(files, failed, unread)

    for begin in range(0, len(left), arguments.group):
        group = itertools.islice(left, begin, begin + arguments.group)
        files = [(name, arguments.base + name) for name in group]
        tasks = spark.createDataFrame(files, "file string, url string").repartition(len(files))
        tasks.mapInArrow(found, from_arrow_schema(SCHEMA)).write.mode("append").parquet(arguments.out)
    print(f"{len(left)} files read, {len(names) - len(left)} before; {failed.value} failed; {unread.value} warnings")
    return 1 if failed.value else 2 if unread.value else 0


if __name__ == "__main__":
    sys.exit(main())
