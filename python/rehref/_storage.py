"""Files of local file systems and of object stores: names, sizes, and reading by ranges."""

# The types of pyarrow are unknown.
# pyright: basic

from __future__ import annotations

import fnmatch
import importlib
import os
import random
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from . import Error, ReadError

_URL = re.compile(r"([a-z][a-z0-9+.-]*)://([^/]*)(.*)", re.IGNORECASE | re.DOTALL)

_FILE_URL = re.compile(r"file:(?://(?:localhost)?)?(/.*)", re.IGNORECASE | re.DOTALL)

_CHOICE = re.compile(r"\{([^{}]*)\}")
"""The innermost choice of a glob: ``{a,b}``."""

_SKIPPED = {".git", ".hg", ".svn", "CVS", ".rehref"}
"""The directories that no command enters."""


class StoredFile(NamedTuple):
    """A file with its size in bytes."""

    name: str
    size: int


class _Entry(NamedTuple):
    """A file or directory."""

    name: str
    is_directory: bool
    size: int


class StoreError(ReadError):
    """A store that cannot be read. A later attempt may succeed."""


@dataclass
class Storage:
    """Finds and opens files by paths and URLs.

    ``settings`` are those of Hadoop, such as ``fs.s3a.endpoint``. They may be secret.
    """

    settings: Mapping[str, str] = field(repr=False)
    _systems: dict[tuple[str, str], _System] = field(default_factory=dict[tuple[str, str], "_System"], repr=False)

    def files(self, path: str) -> Iterator[StoredFile]:
        """Return the files that a path, directory or glob names, in order and once. Globs are those of Hadoop, and ``**``."""
        system, path = self._system(path)
        found = _named(system, path)
        if not found:
            raise Error("no such file", path)
        seen: set[str] = set()
        for entry in found:
            files = system.files(entry.name) if entry.is_directory else [StoredFile(entry.name, entry.size)]
            for file in files:
                if file.name not in seen:
                    seen.add(file.name)
                    yield file

    def open(self, file: StoredFile, end: int) -> Path | RangeFile:
        """Return a file object that reads a file by ranges, mostly up to ``end``. A local file is its path."""
        system, name = self._system(file.name)
        if system.open is None:
            return Path(name)
        return RangeFile(system.open, file, end)

    def _system(self, path: str) -> tuple[_System, str]:
        """Return the file system of a path or URL, and its name there."""
        local = _FILE_URL.fullmatch(path)
        if local is not None:
            return _LOCAL, unquote(local[1])
        url = _URL.fullmatch(path)
        if url is None or not is_remote(path):
            return _LOCAL, path
        scheme, authority = url[1].lower(), url[2]
        system = self._systems.get((scheme, authority))
        if system is None:
            system = self._systems[scheme, authority] = _remote(scheme, authority, self.settings)
        return system, path


def is_remote(name: str) -> bool:
    """Return true for a URL that is not of a local file."""
    return bool(_URL.fullmatch(name)) and not _FILE_URL.fullmatch(name) and not os.path.exists(name)


class _System(NamedTuple):
    """The operations of a file system. Names are paths or URLs."""

    info: Callable[[str], _Entry | None]
    children: Callable[[str], list[_Entry]]
    files: Callable[[str], Iterable[StoredFile]]
    """The files in a directory, in its directories too."""
    open: Callable[[str], Any] | None
    """Opens a file whose object has ``read_at``. ``None`` for local files."""
    has_globs: bool = True


def _named(system: _System, path: str) -> list[_Entry]:
    """Return the files and directories that a path or glob names, in order."""
    whole = system.info(path)
    if whole is not None:
        return [whole]
    choice = _CHOICE.search(path)
    if choice is not None and system.has_globs:
        before, after = path[: choice.start()], path[choice.end() :]
        found = {it for part in choice[1].split(",") for it in _named(system, before + part + after)}
        return sorted(found)
    if not system.has_globs or not re.search(r"[*?\[]", path):
        return []
    url = _URL.fullmatch(path)
    root, below = (f"{url[1]}://{url[2]}/", url[3]) if url else ("/" if path.startswith("/") else "", path)
    found = set(_matches(system, root, [it for it in below.split("/") if it]))
    return sorted(it for it in found if it.is_directory or not path.endswith("/"))


def _matches(system: _System, root: str, segments: list[str]) -> Iterator[_Entry]:
    """Return the entries below a directory that match the segments of a glob."""
    first, rest = segments[0], segments[1:]
    if first != "**" and not re.search(r"[*?\[]", first):
        name = _join(root, first)
        if rest:
            yield from _matches(system, name, rest)
        else:
            entry = system.info(name)
            if entry is not None:
                yield entry
        return
    if first == "**" and rest:
        yield from _matches(system, root, rest)
    pattern = re.compile(fnmatch.translate("*" if first == "**" else first.replace("[^", "[!")))
    for entry in system.children(root):
        name = _last(entry.name)
        if name.startswith(".") and not first.startswith(".") or not pattern.match(name):
            continue
        if first == "**":
            if not rest and not entry.is_directory:
                yield entry
            elif entry.is_directory and not _is_cycle(entry.name):
                yield from _matches(system, entry.name, segments)
        elif not rest:
            yield entry
        elif entry.is_directory:
            yield from _matches(system, entry.name, rest)


def _is_cycle(directory: str) -> bool:
    """Return true if a directory is a symbolic link to one that contains it."""
    if not os.path.islink(directory):
        return False
    real = os.path.realpath(directory)
    return os.path.commonpath([real, os.path.realpath(os.path.dirname(directory) or ".")]) == real


def _join(directory: str, name: str) -> str:
    return directory + name if not directory or directory.endswith("/") else f"{directory}/{name}"


def _last(name: str) -> str:
    return name.rstrip("/").rsplit("/", 1)[-1]


def _local_info(path: str) -> _Entry | None:
    if os.path.isdir(path):
        return _Entry(path, True, 0)
    return _Entry(path, False, os.path.getsize(path)) if os.path.exists(path) else None


def _local_children(path: str) -> list[_Entry]:
    try:
        names = os.listdir(path or ".")
    except OSError:
        return []
    found = [_local_info(_join(path, name)) for name in names]
    # Pipes and devices are not files of a directory.
    return [it for it in found if it is not None and (it.is_directory or os.path.isfile(it.name))]


def _local_files(path: str) -> Iterator[StoredFile]:
    for directory, below, files in os.walk(path):
        below[:] = sorted(it for it in below if it not in _SKIPPED)
        for file in sorted(files):
            name = os.path.join(directory, file)
            if os.path.isfile(name):
                yield StoredFile(name, os.path.getsize(name))


_LOCAL = _System(_local_info, _local_children, _local_files, None)


def _remote(scheme: str, authority: str, settings: Mapping[str, str]) -> _System:
    """Return the file system of URLs with this scheme and authority."""
    try:
        fs: Any = importlib.import_module("pyarrow.fs")
        if scheme in ("s3", "s3a", "s3n"):
            found, root = fs.S3FileSystem(**s3_options(authority, settings)), authority
        elif scheme in ("gs", "gcs"):
            found, root = fs.GcsFileSystem(**gcs_options(settings)), authority
        elif scheme in ("abfs", "abfss"):
            root, _, host = authority.partition("@")
            found = fs.AzureFileSystem(**azure_options(host, settings))
        elif scheme in ("hdfs", "viewfs"):
            found, root = fs.HadoopFileSystem.from_uri(f"{scheme}://{authority}"), ""
        else:
            return _of_fsspec(importlib.import_module("fsspec").filesystem(scheme))
    except (ImportError, OSError, ValueError) as error:
        raise StoreError(f"cannot open the file system: {error}", f"{scheme}://{authority}") from error
    prefix = f"{scheme}://{authority}"

    def inner(name: str) -> str:
        return root + _URL.sub(r"\3", name).rstrip("/")

    def entry(info: Any) -> _Entry:
        name = prefix + info.path.removeprefix(root)
        return _Entry(name, info.type == fs.FileType.Directory, info.size or 0)

    def info(name: str) -> _Entry | None:
        info = found.get_file_info(inner(name))
        return None if info.type == fs.FileType.NotFound else entry(info)

    def children(name: str) -> list[_Entry]:
        directory = inner(name)
        infos = found.get_file_info(fs.FileSelector(directory, allow_not_found=True))
        for it in infos:
            # A directory with an empty name has the path of the one around it.
            if it.path.rstrip("/") == directory or "//" in it.path:
                raise Error("a name with an empty part between slashes is not supported", f"{prefix}{it.path[len(root):]}/")
        return [entry(it) for it in infos]

    return _System(info, children, _below(children), lambda name: found.open_input_file(inner(name)))


def _below(children: Callable[[str], list[_Entry]]) -> Callable[[str], Iterator[StoredFile]]:
    """Return a function of a directory that walks it."""

    def files(name: str) -> Iterator[StoredFile]:
        for it in sorted(children(name), key=lambda it: (it.is_directory, it.name)):
            if not it.is_directory:
                yield StoredFile(it.name, it.size)
            elif _last(it.name) not in _SKIPPED:
                yield from files(it.name)

    return files


def _of_fsspec(system: Any) -> _System:
    """Return a file system of fsspec, whose names are URLs, such as that of HTTP. Its URLs may have a ``?``."""

    def info(name: str) -> _Entry | None:
        try:
            found = system.info(name)
        except FileNotFoundError as error:
            # A server that fails is reported like this, too.
            raise Error(f"cannot be read: {error.__cause__ or 'no such file'}", name) from error
        if found.get("size") is None:
            raise Error("cannot be read by ranges: its length is unknown", name)
        return _Entry(name, found["type"] == "directory", found["size"])

    def children(name: str) -> list[_Entry]:
        found = system.ls(name, detail=True)
        return [_Entry(system.unstrip_protocol(it["name"]), it["type"] == "directory", it["size"] or 0) for it in found]

    class Opened(NamedTuple):
        name: str

        def read_at(self, length: int, offset: int) -> bytes:
            try:
                return system.cat_file(self.name, start=offset, end=offset + length)
            except OSError:
                raise
            except Exception as error:
                # Clients have exceptions of their own.
                raise OSError(f"{type(error).__name__}: {error}") from error

    return _System(info, children, _below(children), Opened, has_globs=False)


def s3_options(bucket: str, settings: Mapping[str, str]) -> dict[str, Any]:
    """Return the options of ``pyarrow.fs.S3FileSystem`` for settings of Hadoop's S3A."""

    def setting(name: str) -> str | None:
        return settings.get(f"fs.s3a.bucket.{bucket}.{name}") or settings.get(f"fs.s3a.{name}") or None

    names = {
        "access_key": "access.key",
        "secret_key": "secret.key",
        "session_token": "session.token",
        "region": "endpoint.region",
        "role_arn": "assumed.role.arn",
    }
    found: dict[str, Any] = {option: setting(name) for option, name in names.items() if setting(name)}
    endpoint = setting("endpoint")
    if endpoint is not None:
        scheme, _, host = endpoint.rstrip("/").rpartition("://")
        found["endpoint_override"] = host
        if scheme:
            found["scheme"] = scheme
    if (setting("connection.ssl.enabled") or "").lower() == "false":
        found["scheme"] = "http"
    if "access_key" not in found and "Anonymous" in (setting("aws.credentials.provider") or ""):
        found["anonymous"] = True
    return found


def gcs_options(settings: Mapping[str, str]) -> dict[str, Any]:
    """Return the options of ``pyarrow.fs.GcsFileSystem`` for settings of Hadoop."""
    found: dict[str, Any] = {}
    if settings.get("fs.gs.auth.type", "").upper() == "UNAUTHENTICATED":
        found["anonymous"] = True
    root = settings.get("fs.gs.storage.root.url")
    if root is not None:
        found["scheme"], _, found["endpoint_override"] = root.rstrip("/").rpartition("://")
    return found


def azure_options(host: str, settings: Mapping[str, str]) -> dict[str, Any]:
    """Return the options of ``pyarrow.fs.AzureFileSystem`` for settings of Hadoop."""
    account = host.partition(".")[0]
    names = {"account_key": "fs.azure.account.key", "sas_token": "fs.azure.sas.fixed.token"}
    found: dict[str, Any] = {"account_name": account}
    for option, name in names.items():
        value = settings.get(f"{name}.{host}") or settings.get(name)
        if value is not None:
            found[option] = value
    return found


FIRST_BLOCK = 64 << 10
"""The length of the first block that is read at a place, in bytes. Following blocks are longer."""

LAST_BLOCK = 8 << 20
"""The greatest length of a block, in bytes."""

ATTEMPTS = 6
"""The most attempts to read a block. The time between them doubles, from a quarter of a second on."""


class RangeFile:
    """A file of an object store as a file object. While a block is used, the next one is read.

    Blocks before ``end`` do not reach beyond it; after it they are short. A block that cannot be read is read again.
    """

    def __init__(self, opener: Callable[[str], Any], file: StoredFile, end: int) -> None:
        self.name = file.name
        self._opener, self._file, self._end = opener, file, min(end, file.size)
        self._opened: Any = None
        self._position = 0
        self._block, self._start, self._length = b"", 0, FIRST_BLOCK
        self._next: tuple[int, Future[bytes]] | None = None
        self._thread: ThreadPoolExecutor | None = None

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        """Move to an offset, as those of ``io`` do."""
        before = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._file.size}[whence]
        self._position = before + offset
        return self._position

    def read(self, size: int, /) -> bytes:
        """Return at most this number of bytes; none only at the end of the file."""
        if size == 0:
            return b""
        if self._position >= self._file.size:
            self._release()
            return b""
        if not self._start <= self._position < self._start + len(self._block):
            self._block = self._take(self._position)
            self._start = self._position
        begin = self._position - self._start
        found = self._block[begin : begin + size]
        self._position += len(found)
        return found

    def _take(self, offset: int) -> bytes:
        """Return the block at an offset."""
        planned, self._next = self._next, None
        is_next = bool(self._block) and offset == self._start + len(self._block)
        self._length = min(self._length * 4, LAST_BLOCK) if is_next else FIRST_BLOCK
        if planned is not None and planned[0] == offset:
            block = planned[1].result()
        else:
            if planned is not None and not planned[1].cancel():
                # Some files cannot be read at two places at once.
                planned[1].exception()
            block = self._fetch(offset, self._len_at(offset))
        after = offset + len(block)
        # A reader that jumped may do so again.
        if is_next and after < self._end:
            length = min(self._length * 4, LAST_BLOCK, self._end - after)
            self._thread = self._thread or ThreadPoolExecutor(1)
            self._next = (after, self._thread.submit(self._fetch, after, length))
        return block

    def _release(self) -> None:
        """Release what the reader of a whole file no longer needs. A task may have many files."""
        self._block, self._next, self._opened = b"", None, None
        if self._thread is not None:
            self._thread.shutdown(wait=False)
            self._thread = None

    def _len_at(self, offset: int) -> int:
        if offset < self._end:
            return min(self._length, self._end - offset)
        return min(FIRST_BLOCK, self._file.size - offset)

    def _fetch(self, offset: int, length: int) -> bytes:
        """Read a block of exactly this length."""
        failure: OSError | None = None
        for attempt in range(ATTEMPTS):
            if attempt:
                time.sleep(2**attempt / 8 * random.uniform(0.5, 1.5))
            try:
                if self._opened is None:
                    self._opened = self._opener(self.name)
                found = self._opened.read_at(length, offset)
                if len(found) == length:
                    return found
                if len(found) > length:
                    break
                raise OSError(f"{len(found)} bytes instead of {length}")
            except (FileNotFoundError, PermissionError) as error:
                failure = error
                break
            except OSError as error:
                self._opened = None
                failure = error
        reason = failure or "the server ignores ranges"
        raise StoreError(f"cannot read at {offset}: {reason}", self.name) from failure
