"""Runs over trees of files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from . import _rehref
from ._files import BinaryFile, Path, file_list, path_list

if TYPE_CHECKING:
    from ._options import Values
    from ._rehref import Broken, MovePlan, UnpackReport


def check(
    paths: Path | Iterable[Path],
    *,
    root: Path | None = None,
    base: str | None = None,
    anchors: bool = True,
    case: bool = False,
    site: str | None = None,
    exclude_link: Values | None = None,
    jobs: int | None = None,
) -> list[Broken]:
    """Find broken links between local files, without the network.

    Args:
        paths: Files and directories.
        root: The directory whose files links may refer to. Default: each directory of ``paths``, and that of each file.
        base: The URL of the root, or ``URL=DIR``. Then absolute links to it are local.
        anchors: Check fragments, too.
        case: Links that work only where the case of names does not count are broken.
        site: The site generator of the tree, such as ``mdbook``. Default: detected.
        exclude_link: Skip links that match one of these regular expressions.
        jobs: The number of documents in work at a time. Default: one per processor.

    Raises:
        Error: An option is invalid.
        ReadError: One of ``paths`` cannot be read. Files below them that cannot be read are reported by ``warnings``.
    """
    given: dict[str, object] = {
        "root": None if root is None else os.fspath(root),
        "base": base,
        "anchors": anchors,
        "case": case,
        "site": site,
        "exclude_link": exclude_link,
        "jobs": jobs,
    }
    return _rehref.check(path_list(paths), given)


def plan_move(
    src: Path | Iterable[Path],
    dst: Path,
    *,
    root: Path = ".",
    base: str | None = None,
    site: str | None = None,
    jobs: int | None = None,
) -> MovePlan:
    """Plan the move of files or directories, as ``mv`` has it, with the edits of all links to and from them.

    Nothing is written before ``MovePlan.apply()``, which ``undo(root)`` undoes.

    Args:
        root: The directory whose documents are rewritten.
        base: The URL of the root, or ``URL=DIR``.
        site: The site generator of the tree. Default: detected.
        jobs: The number of documents in work at a time. Default: one per processor.

    Raises:
        Error: An option is invalid.
        ReadError: A path cannot be moved, or a file cannot be read.
    """
    given: dict[str, object] = {"base": base, "site": site, "jobs": jobs}
    return _rehref.plan_move(path_list(src), dst, root, given)


def undo(root: Path = ".") -> None:
    """Undo the last run in a directory, byte by byte.

    Raises:
        ReadError: There is no run, or files were changed since.
    """
    _rehref.undo(root)


def unpack(
    archives: Path | BinaryFile | Iterable[Path | BinaryFile],
    out: Path,
    *,
    date: str | None = None,
    errors: bool = False,
    missing: Literal["absolute", "local"] = "absolute",
    force: bool = False,
    jobs: int | None = None,
) -> UnpackReport:
    """Unpack web archives into a tree to browse offline.

    Args:
        archives: The archives: WARC, ARC or WACZ, compressed or not. Each is read twice.
        date: Choose the newest capture of each URL that is not later. Default: the newest.
        errors: Also write error pages of URLs without any other capture.
        missing: Make links to missing URLs of captured hosts absolute, or local paths that do not exist.
        force: Replace existing files with another content.
        jobs: The number of threads. Default: one per processor. With ``missing="local"``, one is used.

    Raises:
        Error: An option is invalid.
        ReadError: An archive does not exist: nothing is written. Or it cannot be read: the others are unpacked. Or a
            file cannot be written. Parts of archives that cannot be read are reported by ``warnings``.
    """
    given: dict[str, object] = {
        "date": date,
        "errors": errors,
        "missing": missing,
        "force": force,
        "jobs": jobs,
    }
    return _rehref.unpack(file_list(archives), out, given)
