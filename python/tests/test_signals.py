"""Signals, such as that of Ctrl-C."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rehref

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs signals and named pipes of POSIX")


def interrupt(run: Callable[[Path], object], pipe: Path) -> BaseException:
    """Run with a long file, send SIGINT while it is read, and return the error. The run must close the file."""
    os.mkfifo(pipe)
    closed = threading.Event()

    def write() -> None:
        try:
            with pipe.open("wb") as out:
                # Ends, so that a run that is not interrupted does.
                for number in range(500):
                    if number == 20:
                        os.kill(os.getpid(), signal.SIGINT)
                    out.write(b"http://a.example/ \n" * 10_000)
                    time.sleep(0.01)
        except BrokenPipeError:
            closed.set()

    writer = threading.Thread(target=write, daemon=True)
    old = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        writer.start()
        with pytest.raises(BaseException) as raised:
            run(pipe)
        assert closed.wait(10)
        return raised.value
    finally:
        signal.signal(signal.SIGINT, old)


def test_a_signal_ends_a_run(tmp_path: Path) -> None:
    assert isinstance(interrupt(rehref.extract, tmp_path / "long.txt"), KeyboardInterrupt)


@pytest.mark.parametrize("library", ["pyarrow", "polars"])
def test_a_signal_ends_the_reading_of_a_table(tmp_path: Path, library: str) -> None:
    module: Any = pytest.importorskip(library)
    read = module.table if library == "pyarrow" else module.DataFrame
    error = interrupt(lambda pipe: read(rehref.table(pipe)), tmp_path / "long.txt")
    assert str(error).endswith("stopped by a signal: KeyboardInterrupt")


def test_a_signal_ends_the_search_of_a_long_text() -> None:
    text = "See http://a.example/ there.\n" * 3_000_000
    begin = time.monotonic()
    assert rehref.extract(text, host="b.example") == []
    whole = time.monotonic() - begin
    if whole < 0.5:
        pytest.skip("the search is too fast")
    old = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        begin = time.monotonic()
        threading.Timer(whole / 8, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            rehref.extract(text, host="b.example")
        assert time.monotonic() - begin < whole / 2
    finally:
        signal.signal(signal.SIGINT, old)
