"""The version of the package."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
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


def test_the_wheel_has_the_command() -> None:
    try:
        files = importlib.metadata.files("rehref") or []
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the package is not installed")
    commands = [it for it in files if it.stem == "rehref" and it.parent.name in ("bin", "Scripts")]
    if not commands and any(it.name.endswith(".pth") for it in files):
        pytest.skip("the package is installed for development")
    assert len(commands) == 1
    command = commands[0].locate()
    # The compiled program, and no Python entry point.
    assert b"python" not in Path(command).read_bytes()[:64]
    output = subprocess.run([command, "--version"], check=True, capture_output=True, text=True).stdout
    assert output == f"rehref {rehref.__version__}\n"
