"""Rewriting links."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, AnyStr, cast

from . import _rehref

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import DocumentOptions, Values
    from ._rehref import Link

    class RewriteOptions(DocumentOptions, total=False):
        """The rules, in the order in which they are tried, and how the document is read."""

        map: Mapping[str, str] | Iterable[tuple[str, str]]
        """Replace URL prefixes: old, new. The longest old one counts."""
        map_re: Mapping[str, str] | Iterable[tuple[str, str]]
        """Replace what matches within the URL: regular expression (of Rust), template."""
        absolute: bool
        """Make references absolute."""
        relative: bool
        """Make references to the own site relative."""
        root_relative: bool
        """Make references to the own site paths from its root."""
        drop_param: Values
        """Remove query parameters whose names match a glob, such as ``utm_*``. Applies in addition to other rules."""
        clean_urls: bool
        """Link to ``x.html`` as ``x``, and to ``x/index.html`` as ``x/``. For hyperlinks that are relative or below
        ``base``, in addition to other rules."""
        path_prefix: str
        """Add this path to references from the root: with ``/app/``, ``/x`` becomes ``/app/x``. Applies in addition to
        other rules."""


def rewrite(
    data: AnyStr,
    callback: Callable[[Link], str | None] | None = None,
    **options: Unpack[RewriteOptions],
) -> AnyStr:
    """Rewrite the links of a document, and change nothing else. Returns what was given: ``str`` or ``bytes``.

    Rules are tried in the order in which they are given; the first that applies to a link decides. ``drop_param``,
    ``clean_urls`` and ``path_prefix`` apply in addition. URLs in plain text are changed by ``map``, ``map_re`` and
    ``drop_param`` only. An edit that would not be read back as planned is not made.

    Args:
        callback: Instead of rules, a function that is given each link and returns its new reference, or ``None`` to
            keep it. It is called for all links before anything is rewritten.

    Raises:
        Error: An option is invalid, or the document is mail or compressed.
    """
    return _rehref.rewrite(data, callback, cast("dict[str, object]", options))
