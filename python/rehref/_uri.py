"""References: parsing, resolving, relativizing, normal forms."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal, cast

from . import _rehref
from ._errors import Error

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Profile, ResolveOptions


@dataclass(frozen=True)
class Uri:
    """A text parsed as a URI reference. Undefined components are ``None``, empty ones ``""``; all are as written."""

    input: str
    profile: str
    valid: bool
    """Whether the text is valid. Components are split also if it is not (RFC 3986, Appendix B)."""
    scheme: str | None
    authority: str | None
    userinfo: str | None
    user: str | None
    password: str | None
    host: str | None
    port: str | None
    path: str
    query: str | None
    fragment: str | None
    normalized: dict[str, str] = field(hash=False)
    """Normal forms: ``common``, ``case``, ``syntax``, ``scheme`` (RFC 3986, 6.2)."""
    scheme_specific: dict[str, Any] | None = field(hash=False)
    """With the profile ``rfc1738``: the parts by the grammar of the scheme."""
    error: Error | None = field(compare=False)
    """Why the text is invalid, with its place."""


def parse(uri: str, *, profile: Profile | Literal["rfc1738"] = "rfc3986") -> Uri:
    """Parse a text as a URI reference. Invalid texts are no exception: see ``Uri.valid`` and ``Uri.error``."""
    record, error = _rehref.parse(uri, profile)
    values = cast("dict[str, Any]", json.loads(record))
    values["error"] = error
    return Uri(**{it.name: values[it.name] for it in fields(Uri)})


def resolve(base: str, ref: str, **options: Unpack[ResolveOptions]) -> str:
    """Resolve a reference against a base URL (RFC 3986, 5).

    Under the profiles before RFC 3986, a reference to the current document has no URL: the result is then its fragment
    (``#a``), or empty.

    Raises:
        Error: The base or the reference cannot be resolved.
    """
    found = _rehref.resolve(base, ref, cast("dict[str, object]", options))
    if found is not None:
        return found
    return ref[ref.index("#") :] if "#" in ref else ""


def relativize(base: str, uri: str, **options: Unpack[ResolveOptions]) -> str | None:
    """Return the shortest reference that resolves to a URI. ``None`` if there is none.

    Raises:
        Error: The base is invalid.
    """
    return _rehref.relativize(base, uri, cast("dict[str, object]", options))


def normalize(uri: str, level: Literal["common", "case", "syntax", "scheme"] = "scheme") -> str:
    """Return the normal form of a URI (RFC 3986, 6.2). Each level includes the one before it."""
    return _rehref.normalize(uri, level)
