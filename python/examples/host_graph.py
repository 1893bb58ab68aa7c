"""Print which hosts of a web archive link to which, most links first: host_graph.py ARCHIVE..."""

import sys
from collections import Counter
from pathlib import Path

import pyarrow as pa

import rehref

links = rehref.table(map(Path, sys.argv[1:]), columns=["retrieved", "host"])
pages = pa.table(links).group_by(["retrieved", "host"]).aggregate([([], "count_all")])
edges: Counter[tuple[str, str]] = Counter()
for row in pages.to_pylist():
    if row["retrieved"] and row["host"]:
        edges[rehref.parse(row["retrieved"]).host or "", row["host"]] += row["count_all"]
for (page, host), count in edges.most_common():
    print(count, page, host, sep="\t")
