"""Compare the data source with the command and with the usual job: spark.py BINARY FILE... [--rounds N] [--store URL]

Each file is a web archive (.warc.gz) or a mailbox (.mbox). In each round run, on local[2]: the command with two threads, the data
source with the columns `uri` and `host` (counted by Spark), and the same grouped by host. The usual job reads two pieces of the
file, one on each processor, because it takes so long: warcio or email, a regular expression and urljoin. It runs twice: with the URLs
counted in Python, and with a data frame of the same two columns. With `--store s3a://bucket/directory`, where the same files are, the data
source also reads these; `--setting fs.s3a.endpoint=URL` and others say how. Prints a table of Markdown; MB are those of the file.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
os.environ["PYSPARK_PYTHON"] = sys.executable

from pyspark.sql import SparkSession

import rehref.spark

BATCHES = 40
"""The part of a file that the usual job reads, since it takes so long: one of this number."""


def seconds(run: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.perf_counter()
    found = run()
    return time.perf_counter() - begin, found


def usual_archive(paths: Iterator[str]) -> Iterator[str]:
    import io
    import re
    from urllib.parse import urljoin

    from warcio.archiveiterator import ArchiveIterator

    pattern = re.compile(rb"""(?:href|src)\s*=\s*["']?([^"'\s>]+)""", re.I)
    for path in paths:
        name, offset, length = path.rsplit("\t", 2)
        with open(name, "rb") as file:
            file.seek(int(offset))
            data = io.BytesIO(file.read(int(length)))
        for record in ArchiveIterator(data):
            if record.rec_type == "response":
                base = record.rec_headers.get_header("WARC-Target-URI")
                for found in pattern.findall(record.content_stream().read()):
                    try:
                        yield urljoin(base, found.decode("utf-8", "replace"))
                    except ValueError:
                        continue


def usual_mailbox(paths: Iterator[str]) -> Iterator[str]:
    import email
    import re

    pattern = re.compile(r"(?:https?|ftp)://[^\s<>\"']+")
    for path in paths:
        name, offset, length = path.rsplit("\t", 2)
        with open(name, "rb") as file:
            file.seek(int(offset))
            data = file.read(int(length))
        for message in data.split(b"\nFrom "):
            for part in email.message_from_bytes(message).walk():
                if part.get_content_maintype() == "text":
                    payload: Any = part.get_payload(decode=True)
                    yield from pattern.findall((payload or b"").decode("utf-8", "replace"))


def with_host(urls: Iterator[str]) -> Iterator[tuple[str, str | None]]:
    for url in urls:
        try:
            yield url, urlsplit(url).hostname
        except ValueError:
            yield url, None


def pieces(path: str) -> list[str]:
    """Two pieces of a file, which begin with a member or a message."""
    size = os.path.getsize(path)
    length = size // BATCHES
    found: list[str] = []
    with open(path, "rb") as file:
        for start in (0, size // 2):
            file.seek(start)
            data = file.read(length + (4 << 20))
            begin = 0 if start == 0 else next_part(data, 1, path.endswith(".mbox"))
            end = next_part(data, begin + length, path.endswith(".mbox"))
            found.append(f"{path}\t{start + begin}\t{end - begin}")
    return found


def next_part(data: bytes, at: int, is_mailbox: bool) -> int:
    """The next place at which a message or a member with a record begins."""
    if is_mailbox:
        return data.index(b"\n\nFrom ", at) + 1
    while True:
        at = data.index(b"\x1f\x8b\x08", at)
        try:
            if zlib.decompressobj(31).decompress(data[at : at + 4096]).startswith(b"WARC/"):
                return at
        except zlib.error:
            pass
        at += 1


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the data source with the command.")
    parser.add_argument("binary")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--slice-mib", default=str(rehref.spark.SLICE_MIB))
    parser.add_argument("--store")
    parser.add_argument("--setting", action="append", default=[])
    arguments = parser.parse_args()
    builder: Any = SparkSession.builder
    for name, value in {
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "2g",
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.showConsoleProgress": "false",
    }.items():
        builder = builder.config(name, value)
    spark: Any = builder.master("local[2]").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    rehref.spark.register(spark)
    print("| file | run | MB/s | beside the command | rows |\n|---|---|---|---|---|")
    for path in arguments.files:
        size = os.path.getsize(path) / 1e6
        command = [arguments.binary, "extract", "-j2", path]
        settings = dict(it.split("=", 1) for it in arguments.setting)
        source = spark.read.format("rehref").option("columns", "uri,host").options(**settings)
        source = source.option("slice_mib", arguments.slice_mib)
        frame = source.load(path)
        stored = source.load(f"{arguments.store}/{os.path.basename(path)}") if arguments.store else None
        hosts = frame.where("host is not null").groupBy("host").count()
        usual = usual_mailbox if path.endswith(".mbox") else usual_archive
        parts = pieces(path)
        found_by_usual_job = spark.sparkContext.parallelize(parts, 2).mapPartitions(usual)
        as_frame = spark.createDataFrame(found_by_usual_job.mapPartitions(with_host), "uri string, host string", verifySchema=False)
        read = sum(int(part.rsplit("\t", 1)[1]) for part in parts) / 1e6

        def run_command() -> None:
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)

        runs: dict[str, tuple[float, Callable[[], Any]]] = {
            "the command, -j2": (size, run_command),
            "data source, `uri` and `host`": (size, frame.count),
            "the same, grouped by host": (size, lambda: hosts.agg({"count": "sum"}).first()[0]),
            **({} if stored is None else {"data source, from the store": (size, stored.count)}),
            "the usual job, counted in Python": (read, found_by_usual_job.count),
            "the usual job, `uri` and `host`": (read, as_frame.count),
        }
        speeds: dict[str, list[float]] = {name: [] for name in runs}
        rows: dict[str, Any] = {}
        # The first round starts the workers.
        for number in range(arguments.rounds + 1):
            for name, (megabytes, run) in runs.items():
                taken, rows[name] = seconds(run)
                if number:
                    speeds[name].append(megabytes / taken)
        for name, found in speeds.items():
            ratios = [mine / own for mine, own in zip(found, speeds["the command, -j2"])]
            print(
                f"| {os.path.basename(path)}, {size:.0f} MB | {name} | {statistics.median(found):.1f} | "
                f"{statistics.median(ratios):.3f} [{min(ratios):.3f}, {max(ratios):.3f}] | {rows[name] or ''} |",
                flush=True,
            )
    spark.stop()


if __name__ == "__main__":
    main()
