"""Paths and file objects."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Protocol, cast


class BinaryFile(Protocol):
    """A file object in binary mode, such as those of ``open(path, "rb")``, ``io``, ``zipfile``, fsspec and ``pyarrow``."""

    def read(self, size: int, /) -> bytes: ...

    def seek(self, offset: int, whence: int = 0, /) -> object: ...


Path = str | os.PathLike[str]


def is_file(value: object) -> bool:
    """Return true for paths except ``str``, and for file objects."""
    return isinstance(value, os.PathLike) or (hasattr(value, "read") and hasattr(value, "seek"))


def path_list(paths: Path | Iterable[Path]) -> list[Path]:
    """Return one path as a list."""
    if isinstance(paths, (str, os.PathLike)):
        return [paths]
    return list(paths)


def file_list(files: Path | BinaryFile | Iterable[Path | BinaryFile]) -> list[object]:
    """Return one file as a list."""
    if isinstance(files, str) or is_file(files):
        return [files]
    return list(cast("Iterable[object]", files))
