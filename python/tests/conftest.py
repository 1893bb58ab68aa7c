"""Where the fixtures of the repository are."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[2]


settings.register_profile("rehref", deadline=None, derandomize=True)
settings.load_profile("rehref")


@pytest.fixture(scope="session")
def corpus() -> Path:
    return ROOT / "corpus"
