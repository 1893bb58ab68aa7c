"""The examples of the documentation are executed."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "python/README.md", *sorted((ROOT / "docs").glob("python*.md"))]

NEEDED = {
    "python-arrow.md": ["duckdb", "pyarrow"],
    "python-migration.md": ["bleach", "bs4", "linkify_it", "urlextract"],
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_print_what_the_page_says(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in NEEDED.get(page.name, []):
        pytest.importorskip(module)
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0
