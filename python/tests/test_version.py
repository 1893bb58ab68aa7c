"""The version of the package."""

from __future__ import annotations

import importlib.metadata
import re
from pathlib import Path

import pytest

import rehref

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("manifest", ["Cargo.toml", "python/Cargo.toml"])
def test_the_version_is_that_of_the_library(manifest: str) -> None:
    found = re.search(r'^version = "(.*)"$', (ROOT / manifest).read_text(), re.MULTILINE)
    assert found is not None and rehref.__version__ == found[1]


def test_the_version_is_that_of_the_wheel() -> None:
    try:
        version = importlib.metadata.version("rehref")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the package is not installed")
    assert version == rehref.__version__
