"""Finding links."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, cast

from . import _rehref
from ._files import BinaryFile, Path, file_list

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import DocumentOptions, ExtractOptions, LinkOptions, Values
    from ._rehref import Document, Link, Message, Record, Warning


if TYPE_CHECKING:

    def extract(
        data: str | bytes | os.PathLike[str] | BinaryFile, **options: Unpack[ExtractOptions]
    ) -> list[Link]:
        """Find the links of a text, of bytes, or of a file.

        A ``str`` is a text and never a path; give files as ``pathlib.Path`` or as file objects. Offsets count the
        characters of a ``str`` and the bytes of everything else.
        """
        ...

else:
    # A function of Python would take a fifth of the time of a short text.
    extract = _rehref.extract


def links(html: str | bytes, base: str | None = None) -> list[str]:
    """Return the URLs of a page in order, resolved where the base is known. This is the fastest way."""
    return _rehref.links(html, base)


def iter_files(
    paths: Path | BinaryFile | Iterable[Path | BinaryFile], **options: Unpack[ExtractOptions]
) -> Iterator[Link | Warning]:
    """Find the links of files and directories in the background, on all processors, in the order of the paths.

    Everything that could not be read is a ``Warning`` in its place. A ``str`` is as on the command line:
    ``FILE#OFFSET,LENGTH`` is a slice of a file, and ``-`` is standard input. A ``pathlib.Path`` is a file or directory.
    """
    items = _rehref.iter_files(file_list(paths), cast("dict[str, object]", options))
    return cast("Iterator[Link | Warning]", items)


def open(path: Path | BinaryFile, **options: Unpack[DocumentOptions]) -> Iterator[Document]:
    """Open a file as the documents in it: one page or text, the parts of each message, the pages of a web archive.

    Raises:
        ReadError: The file cannot be read. Parts that cannot be read are reported by ``warnings``.
    """
    items = _rehref.open(path, cast("dict[str, object]", options))
    return cast("Iterator[Document]", items)


def mailbox(
    path: Path | BinaryFile,
    *,
    slice: tuple[int, int] | None = None,
    **options: Unpack[DocumentOptions],
) -> Iterator[Message]:
    """Read the messages of a mailbox, or of a file with one message.

    Args:
        slice: The first byte and the length of a part of the file. Messages that begin in it are read, so slices that
            together are the whole file have each message once.

    Raises:
        ReadError: The file cannot be read. Parts that cannot be read are reported by ``warnings``.
    """
    items = _rehref.mailbox(path, {**options, "slice": slice})
    return cast("Iterator[Message]", items)


def archive(
    path: Path | BinaryFile,
    *,
    slice: tuple[int, int] | None = None,
    record_type: Values | None = None,
    status: int | Values | Iterable[int] | None = None,
    mime: Values | None = None,
    from_date: str | None = None,
    **options: Unpack[LinkOptions],
) -> Iterator[Record]:
    """Read the records of a web archive: WARC, ARC or WACZ, compressed or not.

    Args:
        slice: The first byte and the length of a part of the file. Records whose member begins in it are read, so
            slices that together are the whole file have each record once.
        record_type: Only records of these types, such as ``response``. Default: all.
        status: Only responses with one of these statuses, such as ``200`` or ``"3xx"``.
        mime: Only content of these types, such as ``text/*``.
        from_date: Only records from this date on.

    Raises:
        ReadError: The file cannot be read, or is not a web archive. Parts that cannot be read are reported by
            ``warnings``.
    """
    given: dict[str, object] = {
        **options,
        "slice": slice,
        "record_type": record_type,
        "status": status,
        "mime": mime,
        "from_date": from_date,
    }
    return cast("Iterator[Record]", _rehref.archive(path, given))
