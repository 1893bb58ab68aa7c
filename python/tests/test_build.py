"""The build backend."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]

pytest.importorskip("maturin", reason="needs maturin")


def requirements(path: str, kind: str) -> subprocess.CompletedProcess[str]:
    """Asks for the requirements of a build, as pip does first."""
    ask = f"import build_backend; print(build_backend.get_requires_for_build_{kind}())"
    environment = {**os.environ, "PATH": path}
    return subprocess.run(
        [sys.executable, "-B", "-c", ask], cwd=PACKAGE, env=environment, capture_output=True, text=True
    )


@pytest.mark.parametrize("kind", ["wheel", "editable"])
def test_a_missing_rust_is_named(tmp_path: Path, kind: str) -> None:
    run = requirements(str(tmp_path), kind)
    assert run.returncode == 1
    assert run.stderr.startswith("error: the package is compiled by Rust, but `cargo` is not on the PATH\nhelp: ")
    assert "Traceback" not in run.stderr


@pytest.mark.skipif(shutil.which("cargo") is None, reason="needs cargo")
def test_a_wheel_is_built_where_rust_is() -> None:
    assert requirements(os.environ["PATH"], "wheel").returncode == 0
