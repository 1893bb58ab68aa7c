"""The options of functions. Their names and values are those of the command line, with ``_`` for ``-``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias, TypedDict

Profile: TypeAlias = Literal["url-1997", "rfc2396", "rfc2396bis-00", "rfc3986", "whatwg"]

Values: TypeAlias = str | Iterable[str]
"""Several values: a list, or one text with commas between them."""


def value_list(values: Values) -> list[str]:
    """Return several values as a list."""
    return values.split(",") if isinstance(values, str) else list(values)


class ResolveOptions(TypedDict, total=False):
    """How references are resolved."""

    profile: Profile
    """The specification. Default: ``rfc3986``."""
    above_root: Literal["retain", "remove", "avoid"]
    """What is done with ``..`` above the root, where the profile leaves the choice."""
    same_scheme: Literal["strict", "compat"]
    """How a reference with the scheme of the base is read, where the profile leaves the choice."""


class TextOptions(TypedDict, total=False):
    """How URLs are found in text."""

    abbreviated: bool
    """Also find URLs without a scheme: ``www.a.example/b``."""
    emails: bool
    """Also find bare mail addresses."""
    iri: Literal["auto", "ascii", "full"]
    """The non-ASCII characters that a bare URL may have."""
    hyphen: Literal["keep", "drop"]
    """What is done with a hyphen at a line break within a URL."""
    join: Literal["none", "angle", "guess"]
    """The line breaks over which URLs are rejoined."""
    delsp: bool
    """Read text as ``format=flowed`` with ``delsp=yes`` (RFC 3676)."""
    strict: bool
    """Follow RFC 3986, Appendix C, to the letter."""


class LinkOptions(ResolveOptions, TextOptions, total=False):
    """How links are found and resolved."""

    html_text: bool
    """Also find URLs in the text of HTML and XML."""
    scripting: bool
    """Parse HTML as browsers with scripts do."""
    also: Values
    """Also find what browsers do not follow: ``meta``, ``data``, ``json``, ``comments``, ``front-matter``,
    ``references``, ``all``."""
    wiki: bool
    """Read ``[[target]]`` in Markdown as a link."""


class ReadOptions(TypedDict, total=False):
    """How documents are read."""

    media: str
    """The kind of document: ``auto``, ``text``, ``html``, ``xml``, ``css``, ``markdown``, ``mail``, ``mbox``, ``mhtml``,
    ``warc`` and others."""
    syntax: str
    """The syntax of texts, such as ``json``, ``csv``, ``roff``, ``tex``, ``python`` or ``diff``, or an extension."""
    charset: str
    """The character encoding, by a label of the Encoding Standard. Of a ``str``, it is ignored."""
    mbox: str
    """The format of mailboxes."""


class BaseOption(TypedDict, total=False):
    """Where documents are from."""

    base: str
    """The URL that the document was retrieved from; or ``URL=DIR`` for the files of a directory."""


class DocumentOptions(LinkOptions, ReadOptions, BaseOption, total=False):
    """How a document is read, and how its links are found and resolved."""


class TableOptions(LinkOptions, ReadOptions, total=False):
    """How documents are read, how their links are found, and which links are reported."""

    context: bool
    """Also read the context: in HTML anchor text, ``rel``, ``title`` and preceding heading, in plain text
    the line with the link, in mail date, sender and subject."""
    unwrap: bool
    """Also decode URLs that a mail gateway replaced."""
    refang: bool
    """Report the URI of a defanged URL as it was before: ``http://a.example`` for ``hxxp://a[.]example``."""
    no_headers: bool
    """Skip links in headers of mail."""
    alternatives: Literal["all", "first"]
    """In mail with text and HTML versions, report a link for each version or only for the first."""
    site: str
    """Also find the constructs of this site generator, such as ``mdbook``."""
    scheme: Values
    """Only report links with one of these schemes."""
    exclude_scheme: Values
    """Skip links with one of these schemes."""
    internal: bool
    """Only report relative links, and those below ``base``."""
    external: bool
    """Only report links with http, https or ``//`` that are not below ``base``."""
    host: Values
    """Only report links to hosts that match one of these globs."""
    exclude_host: Values
    """Skip links to hosts that match one of these globs."""
    match: str
    """Only report links whose URL matches this regular expression (of Rust)."""
    exclude_match: str
    """Skip links whose URL matches this regular expression."""
    role: Values
    """Only report links with one of these roles."""
    exclude_role: Values
    """Skip links with one of these roles."""
    rel: Values
    """Only report links with one of these words in ``rel``, such as ``nofollow``."""
    exclude_rel: Values
    """Skip links with one of these words in ``rel``."""
    place: Values
    """Only report links in one of these places."""
    exclude_place: Values
    """Skip links in one of these places."""
    glob: Values
    """Only read files of directories that match these globs."""
    exclude: Values
    """Skip files and subdirectories that match these globs."""
    type: Values
    """Only read files of these types: ``html``, ``markdown``, ``mail`` and others."""
    type_not: Values
    """Skip files of these types."""
    no_ignore: bool
    """Also read files of directories that git ignores."""
    max_depth: int
    """Descend at most this number of directories."""
    follow: bool
    """Follow symbolic links in directories."""
    status: int | Values | Iterable[int]
    """In web archives, only read responses with one of these statuses: ``200``, ``3xx``, ``400-499``."""
    record_type: Values
    """In web archives, only read records of these types."""
    mime: Values
    """In web archives, only read content of these types: ``text/*``."""
    from_date: str
    """In web archives, skip records before this date."""
    dedup: Literal["digest"]
    """In web archives, skip records with the content of an earlier one."""
    jobs: int
    """The number of documents in work at a time. Default: one per processor."""


class ExtractOptions(TableOptions, BaseOption, total=False):
    """How documents are read and where they are from, how their links are found, and which links are reported."""
