"""The links are the records of the command, on all fixtures."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

import rehref

BUILT = Path(__file__).parents[2] / "target/debug/rehref"
COMMAND = Path(os.environ.get("REHREF", BUILT))

pytestmark = pytest.mark.skipif(
    not COMMAND.is_file(), reason="needs the command: `cargo build`, or its path in REHREF"
)


def of_record(record: dict[str, Any]) -> dict[str, Any]:
    """The fields of a link, from a record."""
    fields: dict[str, Any] = {**rehref.Link().asdict()}
    for name, value in record.items():
        if name == "type":
            continue
        if name in ("spans", "file_spans"):
            value = [tuple(span) for span in value]
        fields[name] = value
    return fields


@pytest.mark.parametrize("directory", ["compressed", "html", "mail", "sites", "text", "warc", "xml"])
def test_links_are_the_records(corpus: Path, directory: str) -> None:
    command = [COMMAND, "extract", "--json", corpus / directory]
    output = subprocess.run(command, check=False, capture_output=True).stdout
    records = [json.loads(line) for line in output.splitlines()]
    expected = [of_record(it) for it in records if it["type"] == "link"]
    found = [
        it.asdict()
        for it in rehref.iter_files(corpus / directory)
        if isinstance(it, rehref.Link)
    ]
    assert len(found) == len(expected)
    for one, other in zip(found, expected):
        other["host"] = one["host"]
        for name, value in other.items():
            # A text that is not UTF-8 is a dictionary in records.
            if not isinstance(value, dict):
                assert one[name] == value, (name, one)
    warnings = [it for it in rehref.iter_files(corpus / directory) if isinstance(it, rehref.Warning)]
    assert [it.code for it in warnings] == [it["code"] for it in records if it["type"] == "warning"]
