"""The build backend of the package: maturin, with the command `rehref` in the wheel.

maturin copies `rehref._rehref.data/scripts` to the scripts directory of the wheel. So `pip install` puts the compiled
command on the PATH, without a Python program around it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import maturin
from maturin import (
    build_editable,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

PACKAGE = Path(__file__).parent
ROOT = PACKAGE.parent
DATA = PACKAGE / "rehref._rehref.data"


def get_requires_for_build_wheel(settings: dict[str, Any] | None = None) -> list[str]:
    need_rust()
    return maturin.get_requires_for_build_wheel(settings)


def get_requires_for_build_editable(settings: dict[str, Any] | None = None) -> list[str]:
    need_rust()
    return maturin.get_requires_for_build_editable(settings)


def need_rust() -> None:
    # pip asks for the requirements first. Later, it would print a traceback in which the reason is hard to find.
    if shutil.which("cargo") is None:
        raise SystemExit(
            "error: the package is compiled by Rust, but `cargo` is not on the PATH\n"
            "help: install Rust with rustup: https://rustup.rs"
        )


def build_wheel(directory: str, settings: dict[str, Any] | None = None, metadata: str | None = None) -> str:
    cargo = ["cargo", "build", "--locked", "--release", "--bin", "rehref", "--message-format=json-render-diagnostics"]
    messages = subprocess.run(cargo, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    # Its place depends on the environment and on the settings of cargo.
    command = next(path for line in messages.splitlines() if (path := json.loads(line).get("executable")))
    scripts = DATA / "scripts"
    scripts.mkdir(parents=True, exist_ok=True)
    try:
        shutil.copy2(command, scripts)
        return maturin.build_wheel(directory, settings, metadata)
    finally:
        shutil.rmtree(DATA)


def build_sdist(directory: str, settings: dict[str, Any] | None = None) -> str:
    raise RuntimeError("the command is not part of a source distribution: build a wheel in a copy of the repository")
