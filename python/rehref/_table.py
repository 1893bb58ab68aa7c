"""Tables of links for Arrow."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol, cast

from . import _rehref
from ._files import BinaryFile, is_file
from ._options import value_list

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import ExtractOptions, Values
    from ._rehref import Table


class ArrowColumn(Protocol):
    """A column of Arrow, such as one of pyarrow or polars."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


class ArrowArray(Protocol):
    """An array of Arrow."""

    def __arrow_c_array__(self, requested_schema: object = None) -> object: ...


def table(
    data: os.PathLike[str]
    | BinaryFile
    | Iterable[os.PathLike[str] | BinaryFile]
    | Iterable[str | None]
    | Iterable[bytes | None]
    | ArrowColumn
    | ArrowArray,
    *,
    columns: Values | None = None,
    slice: tuple[int, int] | None = None,
    **options: Unpack[ExtractOptions],
) -> Table:
    """Find links as a stream of Arrow, which pyarrow, polars, DuckDB and others read without copying it.

        >>> import pyarrow, rehref
        >>> pyarrow.table(rehref.table(["See http://a.example/."], columns=["host"])).to_pylist()
        [{'row': 0, 'host': 'a.example'}]

    The links are found while the table is read, in the background, on all processors. They are found again each time that
    it is read. Memory is bounded for plain text, mailboxes and web archives; a single page is held with all its links and
    rows. Offsets count bytes, also of texts in UTF-8.

    Args:
        data: Files and directories as ``os.PathLike``, file objects, or a column of texts or of documents in bytes: a
            column of Arrow, pandas or polars, or a list. A column is copied. Its table has a further column, ``row``:
            the index of the value that a link is from. An empty list is a list of no files: its table has no rows and
            no ``row``. An empty column of Arrow, pandas or polars is a column.
        columns: The columns that are computed, in this order; ``row`` is the first unless it is named. Default: all
            fields of the JSON records and ``host``, but ``context`` and ``unwrapped`` only with the options of these
            names. ``["uri", "host"]`` is much faster.
        slice: The first byte and the length of a part of each file, a mailbox or a web archive. Messages or records that
            begin in it are read, so slices that together are the whole file have each link once.

    Raises:
        Error: An option or a column is invalid.
        ReadError: A path does not exist. What cannot be read later is in ``Table.warnings``; a warning about a value has
            its ``row``. An exception of a file object ends the reading of the table as an error.
    """
    names = None if columns is None else value_list(columns)
    given: dict[str, object] = {**options}
    if is_file(data):
        return _rehref.table_of_paths([data], names, {**given, "slice": slice})
    if isinstance(data, (str, bytes)):
        raise TypeError("expected a path or a column; a column of one text is [text]")
    column = _column(data)
    values = list(cast("Iterable[object]", data)) if column is None else column
    is_list_of_files = all(is_file(value) for value in values)
    if is_list_of_files and (values or column is None):
        return _rehref.table_of_paths(values, names, {**given, "slice": slice})
    if slice is not None:
        raise TypeError("slice: only files have slices")
    return _rehref.table_of_values(cast("list[str | bytes | None]", values), names, given)


def _column(column: object) -> list[object] | None:
    """Return the values of a column of Arrow, pandas or polars, or ``None`` for other iterables."""
    # pyarrow, then polars and pandas.
    for name in ("to_pylist", "to_list"):
        method = getattr(column, name, None)
        if method is not None:
            values = cast("list[object]", method())
            missing = getattr(column, "isna", None)
            if missing is None:
                return values
            # pandas has NaN for missing values.
            return [None if is_na else it for it, is_na in zip(values, missing(), strict=True)]
    for method, constructor in (
        ("__arrow_c_stream__", "chunked_array"),
        ("__arrow_c_array__", "array"),
    ):
        if hasattr(column, method):
            pyarrow: Any = importlib.import_module("pyarrow")
            return getattr(pyarrow, constructor)(column).to_pylist()
    return None
