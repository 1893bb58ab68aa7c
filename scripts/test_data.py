#!/usr/bin/env python3
"""Prints where the data of tests/external is from, and checks it.

    scripts/test_data.py [DIR]

DIR is the directory of the data: by default $REHREF_SHARED, or ../shared beside the repository. Exits with 1 if public
data is missing or is another version. Tests without their data are ignored.
"""

import hashlib
import json
import os
import sys
from pathlib import Path


def digest_of_files(directory):
    """SHA-256 of the names and contents of all files, but for the README."""
    digest = hashlib.sha256()
    files = (path for path in directory.rglob("*") if path.is_file() and path.name != "README.md")
    for name, path in sorted((path.relative_to(directory).as_posix(), path) for path in files):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{name}\0{content}\n".encode())
    return digest.hexdigest()


def digest_of_rows(table):
    """SHA-256 of the fields that the test reads, whatever other fields the rows have."""
    digest = hashlib.sha256()
    for line in table.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        row = [row.get(field) for field in ("base", "input", "href", "failure")]
        digest.update(json.dumps(row).encode() + b"\n")
    return digest.hexdigest()


# Path, origin, function that makes a digest, digest.
PUBLIC = [
    (
        "data/html5lib/tree-construction",
        "https://github.com/html5lib/html5lib-tests, commit 9329e64694e7835d0dcff9811e22856ef6ad16f9,\n"
        "  directory tree-construction/",
        digest_of_files,
        "4adbe357cc5dc5c3680d4eb2eb5bf01b519eb87951b416402292019d3cbadbe3",
    ),
    (
        "data/uts58",
        "data files of UTS #58 for Unicode 17.0: LinkBracket.txt, LinkDetectionTest.txt, LinkEmail.txt,\n"
        "  LinkFormattingTest.txt, LinkTerm.txt; https://www.unicode.org/reports/tr58/ links them",
        digest_of_files,
        "66ba36539bc12554ccb40078d2dfb0caa6be3113f0ee7731ed12885857aa2046",
    ),
    (
        "cases/whatwg.jsonl",
        "https://github.com/web-platform-tests/wpt, file url/resources/urltestdata.json,\n"
        "  as one object per line: jq -c '.[] | objects' urltestdata.json > whatwg.jsonl",
        digest_of_rows,
        "68028fa02bcd320e06fdc51861bf716afb8c699b9a445c01589b301927baccc0",
    ),
]

# Data without a license to publish it.
UNPUBLISHED = [
    "cases/equiv.jsonl",
    "cases/html.jsonl",
    "cases/mail.jsonl",
    "cases/parse.jsonl",
    "cases/relativize.jsonl",
    "cases/resolve.jsonl",
    "cases/text.jsonl",
    "corpora/mail",
    "corpora/sites/mhonarc",
]


def main():
    default = os.environ.get("REHREF_SHARED") or Path(__file__).parents[2] / "shared"
    shared = Path(sys.argv[1] if len(sys.argv) > 1 else default)
    complete = True
    for name, origin, digest, expected in PUBLIC:
        path = shared / name
        state = "missing" if not path.exists() else "ok" if digest(path) == expected else "another version"
        complete &= state == "ok"
        print(f"{name}: {state}\n  {origin}")
    for name in UNPUBLISHED:
        state = "present" if (shared / name).exists() else "missing"
        print(f"{name}: {state} (not published)")
    sys.exit(not complete)


main()
