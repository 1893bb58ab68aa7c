"""Tables of links for Arrow."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, cast

from . import _rehref
from ._files import BinaryFile, is_file
from ._options import value_list

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import TableOptions, Values
    from ._rehref import Table


class ArrowColumn(Protocol):
    """A column of Arrow, such as one of pyarrow or polars."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...


class ArrowArray(Protocol):
    """An array of Arrow."""

    def __arrow_c_array__(self, requested_schema: object = None) -> object: ...


Column: TypeAlias = ArrowColumn | ArrowArray | Iterable[str | None]
"""A column of texts: of Arrow, pandas, polars or DuckDB, or a list."""


def table(
    data: os.PathLike[str]
    | BinaryFile
    | Iterable[os.PathLike[str] | BinaryFile]
    | Iterable[bytes | None]
    | Column,
    *,
    columns: Values | None = None,
    slice: tuple[int, int] | None = None,
    base: str | Column | None = None,
    **options: Unpack[TableOptions],
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
            column of Arrow, pandas, polars or DuckDB, or a list. A column is copied. Its table has a further column, ``row``:
            the index of the value that a link is from. An empty list is a list of no files: its table has no rows and
            no ``row``. An empty column of Arrow, pandas or polars is a column.
        columns: The columns that are computed, in this order; ``row`` is the first unless it is named. Default: all
            fields of the JSON records, ``scheme`` and ``host``, but ``context`` and ``unwrapped`` only with the options of these
            names. ``["uri", "host"]`` is much faster.
        slice: The first byte and the length of a part of each file, a mailbox or a web archive. Messages or records that
            begin in it are read, so slices that together are the whole file have each link once.
        base: The URL that all documents were retrieved from, or ``URL=DIR`` for the files of a directory. Of a column of
            values: also a column with the URL of each value, or ``None``. ``internal`` and ``external`` then refer to
            the directory of this URL. A URL that is not absolute is ignored, with a warning.

    Raises:
        Error: An option or a column is invalid.
        ReadError: A path does not exist. What cannot be read later is in ``Table.warnings``; a warning about a value has
            its ``row``. An exception of a file object ends the reading of the table as an error.
    """
    names = None if columns is None else value_list(columns)
    given: dict[str, object] = {**options}
    bases: list[object] | None = None
    if base is None or isinstance(base, str):
        given["base"] = base
    else:
        bases = _values(base)
        for row, it in enumerate(bases):
            if it is not None and not isinstance(it, str):
                raise TypeError(f"base: expected str or None, not {type(it).__name__} (row {row})")
    if isinstance(data, (str, bytes)):
        raise TypeError("expected a path or a column; a column of one text is [text]")
    values: list[object] = [data] if is_file(data) else _values(cast("Column", data))
    # An empty list is one of no files, unless it has bases.
    is_empty_list = not values and bases is None and not any(hasattr(data, name) for name in _OF_COLUMNS)
    if is_empty_list or values and all(is_file(value) for value in values):
        if bases is not None:
            raise TypeError("base: only the values of a column have one each")
        return _rehref.table_of_paths(values, names, {**given, "slice": slice})
    if slice is not None:
        raise TypeError("slice: only files have slices")
    return _rehref.table_of_values(
        cast("list[str | bytes | None]", values), names, given, cast("list[str | None] | None", bases)
    )


_OF_COLUMNS = ("to_pylist", "to_list", "__arrow_c_stream__", "__arrow_c_array__")
"""The methods of columns: of pyarrow, of polars and pandas, and of others."""


def _values(column: Column | Iterable[object]) -> list[object]:
    """Return the values of a column of Arrow, pandas, polars or DuckDB, or of another iterable."""
    for name in _OF_COLUMNS[:2]:
        method = getattr(column, name, None)
        if method is not None:
            values = _of_one_column(method())
            missing = getattr(column, "isna", None)
            if missing is None:
                return values
            # pandas has NaN for missing values.
            return [None if is_na else it for it, is_na in zip(values, missing(), strict=True)]
    for method, constructor in zip(_OF_COLUMNS[2:], ("chunked_array", "array"), strict=True):
        if hasattr(column, method):
            pyarrow: Any = importlib.import_module("pyarrow")
            return _of_one_column(getattr(pyarrow, constructor)(column).to_pylist())
    return list(cast("Iterable[object]", column))


def _of_one_column(rows: list[object]) -> list[object]:
    """Return the values of a table or relation with one column. Other values are already those of a column."""
    if not any(isinstance(row, dict) for row in rows):
        return rows
    found = [list(cast("dict[str, object]", row).values()) for row in rows]
    if any(len(row) != 1 for row in found):
        raise TypeError(f"expected one column, not {len(found[0])}")
    return [value for (value,) in found]
