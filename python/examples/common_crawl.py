"""Write the links of a crawl into Parquet files.

    spark-submit common_crawl.py warc.paths s3a://bucket/links

The first argument is a file with the path of a WARC file per line, as Common Crawl publishes it. Each task downloads one file
of about 1 GB into a temporary directory and reads it there. A file or record that could not be read is a row with a `warning`.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

import rehref

COLUMNS = ["retrieved", "uri", "host", "element", "role"]
SCHEMA = pa.schema([(name, pa.string()) for name in [*COLUMNS, "warning"]])


def links_of(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Return the links of the files that rows name, and a row for each warning."""
    for url in (row["url"] for batch in batches for row in batch.to_pylist()):
        warnings: list[str] = []
        try:
            with tempfile.TemporaryDirectory() as directory:
                path = Path(directory, os.path.basename(url))
                urllib.request.urlretrieve(url, path)
                links = rehref.table(path, columns=COLUMNS, status="200", mime="text/html", jobs=1)
                for batch in pa.RecordBatchReader.from_stream(links):
                    columns = [*batch.columns, pa.nulls(len(batch), pa.string())]
                    yield pa.RecordBatch.from_arrays(columns, schema=SCHEMA)
                warnings += [f"{it.doc}: {it.text}" for it in links.warnings]
        except (OSError, rehref.Error) as error:
            warnings.append(str(error))
        rows = [{"warning": f"{url}: {warning}"} for warning in warnings]
        yield from pa.Table.from_pylist(rows, SCHEMA).to_batches()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write the links of a crawl into Parquet files.")
    parser.add_argument("paths", help="a file with the path of a WARC file per line")
    parser.add_argument("out", help="the directory for the Parquet files")
    parser.add_argument("--base", default="https://data.commoncrawl.org/", help="the URL before each path")
    arguments = parser.parse_args()

    spark = SparkSession.builder.appName("links of a crawl").getOrCreate()
    urls = [(arguments.base + path,) for path in Path(arguments.paths).read_text().split()]
    tasks = spark.createDataFrame(urls, "url string").repartition(len(urls))
    links = tasks.mapInArrow(links_of, from_arrow_schema(SCHEMA))
    links.write.mode("overwrite").parquet(arguments.out)
