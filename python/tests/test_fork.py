"""A forked process has no threads of its parent: iterators that wait for one raise an error, and do not hang."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rehref

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")

RAISED = 7


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for number in range(1000):
        (tmp_path / f"{number}.html").write_text("<a href=x><a href=y>" * 20)
    return tmp_path


def run_in_child(work: Callable[[], Any]) -> int:
    """Return the exit status of a forked process that does the work, which a signal ends after 20 seconds."""
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        status = 0
        try:
            work()
        except Exception as error:
            status = RAISED if "forked" in str(error) else 1
        finally:
            os._exit(status)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def test_an_iterator_of_the_parent_raises_in_a_child(tree: Path) -> None:
    links = rehref.iter_files(str(tree))
    next(links)
    assert run_in_child(lambda: next(links)) == RAISED
    assert run_in_child(lambda: list(links)) == RAISED
    assert len(list(links)) == 40_000 - 1


def test_an_iterator_of_the_parent_is_dropped_in_a_child(tree: Path) -> None:
    links = [rehref.iter_files(str(tree))]
    next(links[0])
    assert run_in_child(links.clear) == 0


def test_a_reading_of_a_table_raises_in_a_child(tree: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    reader = pyarrow.RecordBatchReader.from_stream(rehref.table(tree))
    reader.read_next_batch()
    assert run_in_child(reader.read_all) == RAISED


def test_a_child_has_iterators_of_its_own(tree: Path) -> None:
    assert run_in_child(lambda: list(rehref.iter_files(str(tree)))) == 0
