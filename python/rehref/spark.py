"""Links in Spark: a data source, functions for columns, and the command for a pipe.

    >>> import rehref.spark
    >>> rehref.spark.register(spark)
    >>> links = spark.read.format("rehref").option("columns", "uri,host").load("crawl/*.warc.gz")

Needs ``pyspark`` 4.0 or newer and ``pyarrow``. Executors need the package too: ``PYSPARK_PYTHON`` names their Python.
"""

# The types of pyarrow are unknown, and those of pyspark incomplete.
# pyright: basic

from __future__ import annotations

import importlib
import json
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast, get_type_hints

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructField, StructType

from . import Error, ReadError, _rehref, table
from ._options import ExtractOptions, Values, value_list
from ._storage import Storage, StoredFile, StoreError, is_remote

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

__all__ = ["COMMAND", "LinkSource", "link_rows", "links", "register", "slices"]

SLICE_MIB = 128
"""The default length of a slice, in MiB: that of Spark's other sources of files."""

SLICED = (".mbox", ".mbx", ".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz")
"""The ends of names of files that are read in slices. A file that is not what its name says is read as a whole."""

WARNING_SCHEMA = pa.schema(
    [
        ("doc", pa.string()),
        ("code", pa.string()),
        ("text", pa.string()),
        ("line", pa.int64()),
        ("col", pa.int64()),
        ("path", pa.string()),
        ("offset", pa.int64()),
        ("length", pa.int64()),
    ]
)
"""The rows of ``rows=warnings``: the warning, and the slice that it is from."""

SUMMARY_SCHEMA = pa.schema(
    [
        ("path", pa.string()),
        ("offset", pa.int64()),
        ("length", pa.int64()),
        ("documents", pa.int64()),
        ("links", pa.int64()),
        ("warnings", pa.int64()),
        ("seconds", pa.float64()),
    ]
)
"""The rows of ``rows=summary``: the numbers of a slice. ``length`` is null for a whole file."""

COMMAND = "rehref extract --json --files-from -; code=$?; test $code = 2 || exit $code"
"""The command for ``RDD.pipe``, with the binary ``rehref`` on the executors.

Each line of the input is a path or ``PATH#OFFSET,LENGTH``. Exit code 2 says that a part could not be read, which is a
record of the output; every other failure fails the task with ``checkCode=True``.
"""


def register(spark: SparkSession) -> None:
    """Register the data source ``rehref`` in a session.

    It reads object stores with the settings of Hadoop that the session has now, such as ``spark.hadoop.fs.s3a.endpoint``.
    Filters by ``host``, ``scheme`` and ``status`` are pushed down: this sets ``spark.sql.python.filterPushdown.enabled``.
    """
    found = _hadoop_settings(spark)

    class Registered(LinkSource):
        # Spark sends a class of its own to its processes, with its values.
        settings = found
        pushes_filters = True

    spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    spark.dataSource.register(Registered)


def _hadoop_settings(spark: SparkSession) -> dict[str, str]:
    """Return the settings of a session for file systems of Hadoop."""
    found: dict[str, str] = {}
    session: Any = spark
    try:
        # Those of core-site.xml, and those set in the program.
        entries = session.sparkContext._jsc.hadoopConfiguration().getPropsWithPrefix("fs.").entrySet()
        found.update((f"fs.{it.getKey()}", it.getValue()) for it in entries)
    except AttributeError:
        # A client of Spark Connect has no context.
        settings: dict[str, str] = session.conf.getAll
        prefix = "spark.hadoop."
        found.update((it.removeprefix(prefix), value) for it, value in settings.items() if it.startswith(f"{prefix}fs."))
    return found


@dataclass(frozen=True)
class Slice(InputPartition):
    """A part of a file, or files that are read as a whole."""

    paths: tuple[str, ...]
    offset: int = 0
    length: int | None = None
    sizes: tuple[int, ...] = ()
    """The lengths of the files, if they are known."""


def slices(paths: str | Iterable[str], slice_mib: float = SLICE_MIB) -> list[str]:
    """Return the arguments of the command for files and directories: ``PATH`` or ``PATH#OFFSET,LENGTH``.

    Together they have each link once. Only the sizes of files are looked at.
    """
    given = [paths] if isinstance(paths, str) else list(paths)
    for path in given:
        if is_remote(path):
            raise Error("the command only reads files of a local or mounted file system", path)
    storage = Storage({})
    found = _slices((it for path in given for it in storage.files(path)), _slice_size(slice_mib), None)
    arguments: list[str] = []
    for part in found:
        if part.length is None:
            arguments += part.paths
        else:
            arguments.append(f"{part.paths[0]}#{part.offset},{part.length}")
    return arguments


class LinkSource(DataSource):
    """The data source ``rehref``: the links of files, read in parallel, one partition for each slice of a file.

    Options, beside those of ``rehref.extract``:

    ``columns``
        The columns, with commas between them. Only their values are computed. Default: all. A schema that the user gives
        names columns, too.
    ``rows``
        ``links``; ``warnings``: what could not be read, with its slice; ``summary``: the numbers of each slice.
    ``slice_mib``
        The length of a slice in MiB. Default: 128.
    """

    settings: Mapping[str, str] = {}
    """Settings of Hadoop for object stores. Options that begin with ``fs.`` are further ones."""

    pushes_filters = False
    """True if the session pushes filters down. Spark refuses readers that could, if it does not."""

    @classmethod
    def name(cls) -> str:
        """Return the name of the format."""
        return "rehref"

    def schema(self) -> StructType:
        """Return the schema of the rows."""
        return cast("StructType", from_arrow_schema(self._given().schema()))

    def reader(self, schema: StructType) -> DataSourceReader:
        """Return a reader of the rows. A schema that the user gives selects columns."""
        given = self._given()
        if schema != from_arrow_schema(given.schema()):
            given = given.with_columns(schema.names)
            for field, of_ours in zip(schema, from_arrow_schema(given.schema()), strict=True):
                if field != of_ours:
                    raise Error(f"schema: {field.name}: expected {_declared(of_ours)}, not {_declared(field)}")
        return PushingReader(given) if self.pushes_filters else LinkReader(given)

    def _given(self) -> _Given:
        return _Given.of({str(key): str(value) for key, value in self.options.items()}, self.settings)


@dataclass(frozen=True)
class _Given:
    """The options of a data source. Only plain values, since readers are pickled."""

    paths: tuple[str, ...]
    rows: str
    columns: tuple[str, ...] | None
    slice_size: int
    options: tuple[tuple[str, str | bool], ...]
    # They may be secret.
    settings: Mapping[str, str] = field(repr=False)

    @classmethod
    def of(cls, options: Mapping[str, str], settings: Mapping[str, str]) -> _Given:
        left = dict(options)
        of_stores = {name: left.pop(name) for name in list(left) if name.startswith("fs.")}
        paths: list[str] = []
        if "path" in left:
            paths.append(left.pop("path"))
        if "paths" in left:
            paths += json.loads(left.pop("paths"))
        rows = left.pop("rows", "links")
        if rows not in ("links", "warnings", "summary"):
            raise Error(f"rows: expected links, warnings or summary, not {rows!r}")
        columns = left.pop("columns", None)
        slice_size = _slice_size(left.pop("slice_mib", SLICE_MIB))
        known = get_type_hints(ExtractOptions)
        given: list[tuple[str, str | bool]] = []
        for name, value in sorted(left.items()):
            if name in _NOT_HERE:
                raise Error(f"{name}: not an option in Spark: {_NOT_HERE[name]}")
            if name not in known:
                raise Error(f"there is no option {name!r}")
            given.append((name, _value(name, value, known[name])))
        found = cls(
            tuple(paths),
            rows,
            None if columns is None else tuple(it.strip() for it in value_list(columns)),
            slice_size,
            tuple(given),
            {**settings, **of_stores},
        )
        found.schema()
        return found

    def with_columns(self, columns: Sequence[str]) -> _Given:
        return replace(self, columns=tuple(columns))

    def schema(self) -> pa.Schema:
        if self.rows == "links":
            return pa.schema(self.table([]))
        whole = WARNING_SCHEMA if self.rows == "warnings" else SUMMARY_SCHEMA
        names = whole.names if self.columns is None else self.columns
        for name in names:
            if name not in whole.names:
                raise Error(f"columns: {name!r} is not a column of rows={self.rows}")
        if len(set(names)) < len(names):
            raise Error("columns: a column is repeated")
        return pa.schema([whole.field(name) for name in names])

    def table(self, files: Sequence[object], part: tuple[int, int] | None = None) -> _rehref.Table:
        columns = self.columns if self.rows == "links" else ()
        names = None if columns is None else list(columns)
        # Without files, it is the table of no files.
        given = {**dict(self.options), "slice": part, "jobs": 1}
        return _rehref.table_of_paths(list(files), names, given)


class LinkReader(DataSourceReader):
    """Reads the slices of files."""

    def __init__(self, given: _Given) -> None:
        self._given = given

    def partitions(self) -> Sequence[InputPartition]:
        """Divide the files. Reads nothing of them but their sizes."""
        given = self._given
        if not given.paths:
            raise Error("name files or directories: load(path)")
        media = dict(given.options).get("media")
        storage = Storage(given.settings)
        files = (it for path in given.paths for it in storage.files(path))
        return _slices(files, given.slice_size, cast("str | None", media)) or [Slice(())]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Read a slice. What cannot be read is a row of ``rows=warnings``, and not a failed task.

        If an object store fails, links are missing that a later attempt may find. So the task fails, unless its rows are
        warnings or numbers.
        """
        part = cast("Slice", partition)
        given = self._given
        begin = time.monotonic()
        links = 0
        warnings: list[dict[str, Any]] = []
        documents = 0
        try:
            if part.paths:
                length = part.length
                slice = None if length is None else (part.offset, length)
                found = given.table(_opened(part, given.settings), slice)
                for batch in pa.RecordBatchReader.from_stream(found):
                    links += batch.num_rows
                    if given.rows == "links":
                        yield batch
                warnings += [it.asdict() for it in found.warnings]
                documents = found.documents
        except (ReadError, MemoryError, pa.ArrowException, OSError) as error:
            is_of_file = isinstance(error, (ReadError, MemoryError)) and not isinstance(error, StoreError)
            if given.rows == "links" and not is_of_file:
                raise
            warnings.append({"doc": part.paths[0], "code": "unreadable", "text": str(error)})
        place = {"path": _utf8("\n".join(part.paths)), "offset": part.offset, "length": part.length}
        if given.rows == "warnings":
            rows = [{**it, "doc": _utf8(it["doc"]), "text": _utf8(it["text"]), **place} for it in warnings]
            yield from pa.Table.from_pylist(rows, schema=given.schema()).to_batches()
        elif given.rows == "summary":
            row = {
                **place,
                "documents": documents,
                "links": links,
                "warnings": len(warnings),
                "seconds": time.monotonic() - begin,
            }
            yield from pa.Table.from_pylist([row], schema=given.schema()).to_batches()


class PushingReader(LinkReader):
    """A reader that leaves out links and records by the filters of a query."""

    def pushFilters(self, filters: list[Any]) -> Iterable[Any]:
        """Use the filters by ``host``, ``scheme`` and ``status``. Spark applies all filters to the rows that are left."""
        options = dict(self._given.options)
        for name in _VALUES:
            wanted: set[str] | None = None
            of_column = [it for it in filters if getattr(it, "attribute", None) == (name,)]
            for values in (_values_of(it, _VALUES[name]) for it in of_column):
                if values is not None:
                    wanted = values if wanted is None else wanted & values
            # What the user gives is not widened.
            if wanted and name not in options:
                options[name] = ",".join(sorted(wanted))
        self._given = replace(self._given, options=tuple(options.items()))
        return filters


_VALUES = {"host": r"[A-Za-z0-9._-]+", "scheme": r"[A-Za-z][A-Za-z0-9+.-]*", "status": r"[1-9][0-9]{2}"}
"""The values of columns that are also options with the same meaning: no globs, no other spelling of a host."""


def _values_of(filter: Any, pattern: str) -> set[str] | None:
    """Return the values that a filter lets pass. ``None`` if they cannot be options."""
    kind = type(filter).__name__
    if kind not in ("EqualTo", "EqualNullSafe", "In"):
        return None
    values = filter.value if kind == "In" else [filter.value]
    found = {str(it) for it in values if it is not None}
    return found if found and all(re.fullmatch(pattern, it) for it in found) else None


def _opened(part: Slice, settings: Mapping[str, str]) -> list[object]:
    """Return the files of a slice: paths, and file objects of stores."""
    storage = Storage(settings)
    sizes = part.sizes or (0,) * len(part.paths)
    files = map(StoredFile, part.paths, sizes)
    return [storage.open(it, it.size if part.length is None else part.offset + part.length) for it in files]


def _utf8(text: str) -> str:
    """Return a text with U+FFFD for the bytes of file names that are not UTF-8."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


_WALKING = "name the files by a glob: load(\"crawl/**/*.html\")"

_NOT_HERE = {
    **dict.fromkeys(("glob", "exclude", "type", "type_not", "no_ignore", "max_depth", "follow"), _WALKING),
    "jobs": "each slice is read by one task",
    "dedup": "slices are read apart: use dropDuplicates",
}
"""The options of ``rehref.extract`` that a data source does not have, and what to do instead."""


def _declared(field: StructField) -> str:
    """Return the type of a column as a schema declares it."""
    return field.dataType.simpleString() + ("" if field.nullable else " not null")


def _slice_size(slice_mib: str | float) -> int:
    """Return the length of a slice in bytes."""
    try:
        size = int(float(slice_mib) * (1 << 20))
    except (ValueError, OverflowError):
        size = 0
    if size <= 0:
        raise Error(f"slice_mib: expected a number of MiB, not {slice_mib!r}")
    return size


def _value(name: str, text: str, kind: object) -> str | bool:
    """Read the value of an option, which Spark gives as a text."""
    if kind is bool:
        if text.lower() not in ("true", "false"):
            raise Error(f"{name}: expected true or false, not {text!r}")
        return text.lower() == "true"
    return text


def _slices(files: Iterable[StoredFile], size: int, media: str | None) -> list[Slice]:
    """Divide files into slices of a size in bytes. Other files are read as a whole, small ones together."""
    found: list[Slice] = []
    group: list[StoredFile] = []
    group_size = 0
    for file in files:
        path, length = file
        if _is_sliced(path, media) and not (is_remote(path) and _is_read_from_its_beginning(path)):
            parts = range(0, max(length, 1), size)
            found += [Slice((path,), offset, min(size, length - offset), (length,)) for offset in parts]
            continue
        if group and group_size + length > size:
            found.append(_whole(group))
            group, group_size = [], 0
        group.append(file)
        group_size += length
    if group:
        found.append(_whole(group))
    return found


def _is_read_from_its_beginning(path: str) -> bool:
    """Return true for an uncompressed archive: each slice would request all bytes before it."""
    return path.lower().endswith((".warc", ".arc"))


def _whole(files: Sequence[StoredFile]) -> Slice:
    """Return files that are read as a whole."""
    return Slice(tuple(it.name for it in files), sizes=tuple(it.size for it in files))


def _is_sliced(path: str, media: str | None) -> bool:
    name = path.lower()
    if media in (None, "auto"):
        return name.endswith(SLICED)
    if media == "warc":
        return not name.endswith(".wacz")
    return media == "mbox" and not name.endswith((".gz", ".bz2", ".xz", ".zst"))


def links(column: Column | str, *, base: Column | str | None = None, **options: Any) -> Column:
    """Return a column of lists: the URLs of each text or document of a column, resolved where the base is known.

    Args:
        column: A column of strings or of binary values.
        base: The URL that all documents were retrieved from, or a column with the URL of each. A text with ``://`` is
            a URL, any other the name of a column. A URL that is not absolute is ignored.
        options: Those of ``rehref.extract``, such as ``media="html"``.
    """
    from pyspark.sql.functions import arrow_udf
    from pyspark.sql.types import ArrayType, StringType

    def found(values: pa.Array, bases: pa.Array | str | None = None) -> pa.Array:
        rows = pa.table(table(values, columns=["uri", "ref"], base=bases, jobs=1, **options))
        compute: Any = importlib.import_module("pyarrow.compute")
        urls = compute.coalesce(rows["uri"], rows["ref"]).combine_chunks()
        counts = [0] * len(values)
        for row in rows["row"].to_pylist():
            counts[row] += 1
        offsets = [0]
        for count in counts:
            offsets.append(offsets[-1] + count)
        return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), urls)

    def of_one(values: pa.Array) -> pa.Array:
        return found(values, cast("str | None", base))

    def of_each(values: pa.Array, bases: pa.Array) -> pa.Array:
        return found(values, bases)

    function: Any = arrow_udf
    if _is_column(base):
        # The name of the column is that of the function.
        of_each.__name__ = "links"
        return function(of_each, ArrayType(StringType()))(column, base)
    of_one.__name__ = "links"
    return function(of_one, ArrayType(StringType()))(column)


def _is_column(base: Column | str | None) -> bool:
    """Return true if a base is a column, and not one URL for all."""
    return base is not None and not (isinstance(base, str) and _WITH_SCHEME.match(base))


_WITH_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


def link_rows(
    frame: DataFrame,
    column: str,
    *,
    columns: Values = ("uri", "host"),
    keep: Values = (),
    base: str | None = None,
    **options: Any,
) -> DataFrame:
    """Return a row for each link of the texts or documents of a column, by ``mapInArrow``.

    Args:
        column: A column of strings or of binary values.
        columns: The columns of the links: see ``rehref.table``.
        keep: The columns of ``frame`` that each row has too.
        base: The URL that all documents were retrieved from, or the name of a column with the URL of each. See ``links``.
        options: Those of ``rehref.extract``, such as ``media="html"``.
    """
    from pyspark.sql import functions

    given = [it for it in value_list(columns) if it != "row"]
    kept_names = value_list(keep)
    for name in kept_names:
        if name in given:
            raise Error(f"keep: {name!r} is also a column of the links: rename it first")
    schema = pa.schema(
        [*to_arrow_schema(frame.select(*kept_names).schema), *pa.schema(_rehref.table_of_paths([], given))]
    )
    has_bases = _is_column(base)

    def found(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            bases = batch.column("rehref_base") if has_bases else base
            rows = table(batch.column("rehref_value"), columns=given, base=bases, jobs=1, **options)
            for links in pa.RecordBatchReader.from_stream(rows):
                kept = [batch.column(name).take(links.column("row")) for name in kept_names]
                found = [links.column(name) for name in given]
                yield pa.RecordBatch.from_arrays([*kept, *found], schema=schema)

    # A field of a struct has a name with a dot, and loses it.
    needed = {"rehref_value": column, **({"rehref_base": cast("str", base)} if has_bases else {})}
    renamed = [functions.col(name).alias(alias) for alias, name in needed.items()]
    return frame.select(*kept_names, *renamed).mapInArrow(found, from_arrow_schema(schema))
