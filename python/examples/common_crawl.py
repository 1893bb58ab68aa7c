"""Write the links of a crawl into Parquet files.

    spark-submit common_crawl.py warc.paths.gz s3a://bucket/links

The first argument is the list of WARC files that Common Crawl publishes: a path per line, compressed or not. Each task downloads
one file of about 1 GB into a temporary directory and reads it there. An interrupted download continues where it ended.

A second run reads only the files that the output does not have. The output has a row for each link, a row for each `warning`, and
a row with nothing but the name of the file after its last link.

Exit code 0: the output has all files. 1: a file could not be downloaded; run the program again. 2: the output has warnings about
parts of files that could not be read.
"""

from __future__ import annotations

import argparse
import gzip
import http.client
import os
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

import rehref

COLUMNS = ["retrieved", "uri", "host", "element", "role"]
SCHEMA = pa.schema([(name, pa.string()) for name in [*COLUMNS, "warning", "file"]])
NOT_DOWNLOADED = "cannot be downloaded"
ATTEMPTS = 6
"""The most attempts of which none has further bytes."""


def download(url: str, path: Path) -> None:
    """Download a file. A request that fails is repeated for the bytes that are missing."""
    attempts = 0
    while True:
        length = path.stat().st_size if path.exists() else 0
        try:
            if is_downloaded(url, path, length):
                return
            failure: Exception = OSError("it ended early")
        except (OSError, http.client.HTTPException) as error:
            if isinstance(error, urllib.error.HTTPError) and error.code in (403, 404, 410):
                raise
            failure = error
        has_more = path.exists() and path.stat().st_size > length
        attempts = 1 if has_more else attempts + 1
        if attempts == ATTEMPTS:
            raise OSError(f"{ATTEMPTS} attempts failed: {failure}")
        time.sleep(2**attempts / 8)


def is_downloaded(url: str, path: Path, length: int) -> bool:
    """Download the bytes of a file from this length on. Return true if all came."""
    request = urllib.request.Request(url, headers={"Range": f"bytes={length}-"} if length else {})
    with urllib.request.urlopen(request, timeout=60) as answer:
        continues = length > 0 and answer.status == 206
        with path.open("ab" if continues else "wb") as file:
            while block := answer.read(1 << 20):
                file.write(block)
        rest = answer.headers.get("Content-Length")
    return rest is None or path.stat().st_size == int(rest) + (length if continues else 0)


def links_of(files: Iterator[tuple[str, str]]) -> Iterator[pa.RecordBatch]:
    """Return the links of files, a row for each warning, and a row for the end of each file that was read."""
    for name, url in files:
        warnings: list[str] = []
        end: list[dict[str, str]] = []
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory, os.path.basename(name))
            try:
                download(url, path)
            except (OSError, http.client.HTTPException) as error:
                warnings.append(f"{NOT_DOWNLOADED}: {error}")
            else:
                links = rehref.table(path, columns=COLUMNS, status="200", mime="text/html", jobs=1)
                for batch in pa.RecordBatchReader.from_stream(links):
                    others = [pa.nulls(len(batch), pa.string()), pa.array([name] * len(batch))]
                    yield pa.RecordBatch.from_arrays([*batch.columns, *others], schema=SCHEMA)
                warnings += [f"{it.doc.removeprefix(directory)}: {it.text}" for it in links.warnings]
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
    if arguments.group < 1:
        parser.error("--group: expected a positive number")

    data = Path(arguments.paths).read_bytes()
    names = (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data).decode().split()
    spark = SparkSession.builder.appName("links of a crawl").getOrCreate()
    done, _ = written(spark, arguments.out)
    left = [name for name in names if name not in done]

    def found(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield from links_of((row["file"], row["url"]) for batch in batches for row in batch.to_pylist())

    for begin in range(0, len(left), arguments.group):
        files = [(name, arguments.base + name) for name in left[begin : begin + arguments.group]]
        tasks = spark.createDataFrame(files, "file string, url string").repartition(len(files))
        tasks.mapInArrow(found, from_arrow_schema(SCHEMA)).write.mode("append").parquet(arguments.out)
    done, warnings = written(spark, arguments.out)
    failed = [name for name in names if name not in done]
    print(f"files: {len(names)}, read now: {len(left) - len(failed)}, not downloaded: {len(failed)}; warnings: {warnings}")
    return 1 if failed else 2 if warnings else 0


def written(spark: SparkSession, out: str) -> tuple[set[str], int]:
    """Return the files that were read, and the number of warnings about parts of them."""
    try:
        rows = spark.read.parquet(out)
    except AnalysisException as error:
        if error.getCondition() not in ("PATH_NOT_FOUND", "UNABLE_TO_INFER_SCHEMA"):
            raise
        return set(), 0
    ends = rows.where("uri IS NULL AND warning IS NULL AND retrieved IS NULL")
    warnings = rows.where(f"warning NOT LIKE '{NOT_DOWNLOADED}%'")
    return {row.file for row in ends.select("file").collect()}, warnings.count()


if __name__ == "__main__":
    sys.exit(main())
