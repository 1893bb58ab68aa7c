"""Links for the URLs in text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import _rehref
from ._errors import Error

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import TextOptions, Values


@dataclass
class Anchor:
    """A link to be made or an existing one, which a callback may change."""

    ref: str
    """The URL or the mail address as the text spells it, without line breaks and with character references decoded.
    Of an existing link, what browsers read of the ``href``."""
    href: str
    """The target."""
    text: str
    """The visible text. That of an existing link cannot change, and is at most 4 KiB."""
    attrs: dict[str, str]
    """The attributes except ``href``, in the order in which they are written."""
    existing: bool = False
    """The HTML has this link already."""


def linkify(
    text: str,
    *,
    html: bool = False,
    attrs: Mapping[str, str] | None = None,
    callback: Callable[[Anchor], bool | None] | None = None,
    existing: bool = False,
    skip: Values | None = None,
    scheme: Values | None = None,
    **options: Unpack[TextOptions],
) -> str:
    """Turn a plain text into HTML with links, or add links to the text of HTML.

    In plain text, what has a meaning in HTML is escaped. In HTML, nothing changes but the new links and what ``callback``
    changes: HTML that was safe stays safe, and HTML that was not is not cleaned. No link is made in links, scripts, forms and
    the like.

    Args:
        html: The text is HTML.
        attrs: The attributes of each new link, such as ``{"rel": "nofollow"}``.
        callback: A function that is given each new link, an ``Anchor``, and may change its ``href``, ``text`` and ``attrs``.
            If it returns ``False``, this link is not made.
        existing: Give ``callback`` also the links ``<a href>`` that the HTML has, all in the order of the document. It may
            change their ``href`` and ``attrs``. If it returns ``False``, ``href`` is removed, and the text stays.
            A page can hide links from the function: remove what is unsafe in HTML of strangers first, with a sanitizer.
        skip: The names of elements of HTML in which no link is made. Default: ``code`` and ``pre``. An empty list skips none.
        scheme: The schemes of links. Default: ``ftp``, ``http``, ``https`` and ``mailto``. With an empty list, no link is
            made.
        options: How URLs are found: ``abbreviated=True`` finds ``www.a.example``, ``emails=True`` mail addresses.

    Raises:
        Error: A scheme, the name of an attribute or an option is invalid; or ``existing`` without ``html`` or ``callback``;
            or ``callback`` changed the text of an existing link.
    """
    given: dict[str, object] = {**options}
    if skip is not None:
        given["skip"] = skip
    if scheme is not None:
        given["scheme"] = scheme
    if existing and (callback is None or not html):
        raise Error("existing: needs html=True and a callback")
    call = None if callback is None else _call(callback)
    return _rehref.linkify(text, html, attrs, call, existing, given)


def _call(
    callback: Callable[[Anchor], bool | None],
) -> Callable[..., tuple[str, str, list[tuple[str, str]]] | None]:
    """Return a function of the parts of a link that calls a callback."""

    def call(
        ref: str, href: str, text: str, attrs: list[tuple[str, str]], existing: bool
    ) -> tuple[str, str, list[tuple[str, str]]] | None:
        anchor = Anchor(ref, href, text, dict(attrs), existing)
        if callback(anchor) is False:
            return None
        return anchor.href, anchor.text, list(anchor.attrs.items())

    return call
