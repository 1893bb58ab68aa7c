"""
The extension module. It needs no global interpreter lock.
"""

from _typeshed import Incomplete, SupportsGetItem
from os import PathLike
from typing import Any, Final, SupportsIndex, final

__all__ = ["VERSION", "Broken", "Document", "Edit", "Items", "Link", "Message", "MovePlan", "Record", "Table", "UnpackReport", "Warning", "archive", "check", "extract", "iter_files", "linkify", "links", "mailbox", "normalize", "open", "parse", "plan_move", "relativize", "resolve", "rewrite", "table_of_paths", "table_of_values", "undo", "unpack"]

VERSION: Final[str]
"""
The version of the package.
"""

@final
class Broken:
    """
    A broken link.
    """
    def __eq__(self, value: object, /) -> bool: ...
    def __getnewargs_ex__(self, /) -> "tuple[tuple[()], dict[str, Any]]": ...
    def __hash__(self, /) -> int: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __new__(cls, /, *, doc: str = ..., line: SupportsIndex = ..., col: SupportsIndex = ..., spans: SupportsGetItem[int, tuple[SupportsIndex, SupportsIndex]] = ..., ref: str = ..., uri: str | None = ..., why: str = ..., near: str | None = ...) -> Broken: ...
    def __repr__(self, /) -> str: ...
    def asdict(self, /) -> "dict[str, Any]":
        """
        Returns the fields as a dictionary.
        """
    @property
    def col(self, /) -> int:
        """
        The column of the first byte, from 1.
        """
    @property
    def doc(self, /) -> str:
        """
        The name of the document.
        """
    @property
    def line(self, /) -> int:
        """
        The line of the first byte, from 1.
        """
    @property
    def near(self, /) -> str | None:
        """
        A suggested reference to a similar file or anchor that exists.
        """
    @property
    def ref(self, /) -> str:
        """
        The reference.
        """
    @property
    def spans(self, /) -> list[tuple[int, int]]:
        """
        The byte ranges `(start, end)` of the link in the document, from 0.
        """
    @property
    def uri(self, /) -> str | None:
        """
        The URL. `None` in a tree without a URL.
        """
    @property
    def why(self, /) -> str:
        """
        The reason.
        """

@final
class Document:
    """
    A document: a file, a part of a message, or a page of a web archive.
    """
    def __repr__(self, /) -> str: ...
    @property
    def base(self, /) -> str | None:
        """
        The URL that the document was retrieved from, if it is known.
        """
    @property
    def charset(self, /) -> str:
        """
        The character encoding.
        """
    @property
    def data(self, /) -> bytes:
        """
        The bytes, decompressed and without a transfer encoding. Offsets count them.
        """
    def links(self, /) -> list[Link]:
        """
        Finds the links. Offsets are in bytes.
        """
    @property
    def media(self, /) -> str:
        """
        The language that the links are read in: `html`, `text` and others.
        """
    @property
    def message(self, /) -> int | None:
        """
        The number of the message in its mailbox, from 1, if the document is a part of one.
        """
    @property
    def name(self, /) -> str:
        """
        The name: a path, or that of a part of a message (`list.mbox!3!1.2`).
        """
    @property
    def part(self, /) -> str | None:
        """
        The number of the MIME part, if the document is a part of a message.
        """
    @property
    def text(self, /) -> str:
        """
        The decoded text. Bytes that are invalid in the character encoding are U+FFFD.
        """

@final
class Edit:
    """
    A planned edit of a link.
    """
    def __eq__(self, value: object, /) -> bool: ...
    def __getnewargs_ex__(self, /) -> "tuple[tuple[()], dict[str, Any]]": ...
    def __hash__(self, /) -> int: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __new__(cls, /, *, doc: str = ..., line: SupportsIndex = ..., col: SupportsIndex = ..., span: tuple[SupportsIndex, SupportsIndex] = ..., old: str = ..., new: str | None = ..., old_uri: str | None = ..., new_uri: str | None = ..., rule: str = ...) -> Edit: ...
    def __repr__(self, /) -> str: ...
    def asdict(self, /) -> "dict[str, Any]":
        """
        Returns the fields as a dictionary.
        """
    @property
    def col(self, /) -> int:
        """
        The column of the first byte, from 1.
        """
    @property
    def doc(self, /) -> str:
        """
        The name of the document.
        """
    @property
    def line(self, /) -> int:
        """
        The line of the first byte, from 1.
        """
    @property
    def new(self, /) -> str | None:
        """
        The new reference. `None` if its attribute is removed.
        """
    @property
    def new_uri(self, /) -> str | None:
        """
        The new URL.
        """
    @property
    def old(self, /) -> str:
        """
        The old reference.
        """
    @property
    def old_uri(self, /) -> str | None:
        """
        The old URL.
        """
    @property
    def rule(self, /) -> str:
        """
        The name of the rule.
        """
    @property
    def span(self, /) -> tuple[int, int]:
        """
        The byte range `(start, end)` that is replaced, from 0.
        """

@final
class Items:
    """
    An iterator. A thread is a few items ahead of it, and ends when the iterator is dropped.
    """
    def __iter__(self, /) -> Items: ...
    def __next__(self, /) -> Link | Warning | Document | Message | Record: ...

@final
class Link:
    """
    A link: where it is, how it is written, and its URL. It is immutable, hashable, and can be
    pickled.

    The fields are those of the JSON records of the command, and `host` and `unit`.
    """
    def __eq__(self, value: object, /) -> bool: ...
    def __getnewargs_ex__(self, /) -> "tuple[tuple[()], dict[str, Any]]": ...
    def __hash__(self, /) -> int: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __new__(cls, /, *, doc: str = ..., line: SupportsIndex = ..., col: SupportsIndex = ..., spans: SupportsGetItem[int, tuple[SupportsIndex, SupportsIndex]] = ..., unit: str = ..., raw: str = ..., ref: str = ..., uri: str | None = ..., host: str | None = ..., alternatives: SupportsGetItem[int, str] = ..., base: str | None = ..., base_from: str | None = ..., place: str = ..., cue: str | None = ..., element: str | None = ..., attr: str | None = ..., role: str = ..., charset: str = ..., same_document: bool = ..., notes: SupportsGetItem[int, str] = ..., text: str | None = ..., rel: str | None = ..., title: str | None = ..., heading: str | None = ..., sender: str | None = ..., subject: str | None = ..., unwrapped: str | None = ..., archive: str | None = ..., message: SupportsIndex | None = ..., message_offset: SupportsIndex | None = ..., message_id: str | None = ..., part: str | None = ..., fragment: str | None = ..., header: str | None = ..., file_spans: SupportsGetItem[int, tuple[SupportsIndex, SupportsIndex]] = ..., target_part: str | None = ..., record_offset: SupportsIndex | None = ..., member_offset: SupportsIndex | None = ..., record_id: str | None = ..., retrieved: str | None = ..., status: SupportsIndex | None = ..., date: str | None = ..., record_type: str | None = ..., content_type: str | None = ...) -> Link: ...
    def __repr__(self, /) -> str: ...
    @property
    def alternatives(self, /) -> list[str]:
        """
        Other readings of the reference.
        """
    @property
    def archive(self, /) -> str | None:
        """
        The name of the mailbox or web archive.
        """
    def asdict(self, /) -> "dict[str, Any]":
        """
        Returns the fields as a dictionary.
        """
    @property
    def attr(self, /) -> str | None:
        """
        The attribute in HTML and XML, or the key in a language of keys and values.
        """
    @property
    def base(self, /) -> str | None:
        """
        The base URL, if the reference is relative.
        """
    @property
    def base_from(self, /) -> str | None:
        """
        The origin of the base URL.
        """
    @property
    def charset(self, /) -> str:
        """
        The character encoding of the document.
        """
    @property
    def col(self, /) -> int:
        """
        The column of the first character, from 1, in `unit`.
        """
    @property
    def content_type(self, /) -> str | None:
        """
        The `Content-Type` of the HTTP response, or of the record.
        """
    @property
    def cue(self, /) -> str | None:
        """
        The delimiter in text.
        """
    @property
    def date(self, /) -> str | None:
        """
        The date of the record; with the option `context`, the `Date` of the message.
        """
    @property
    def doc(self, /) -> str:
        """
        The name of the document: a path, that of a part (`list.mbox!3!1.2`), or `-`.
        """
    @property
    def element(self, /) -> str | None:
        """
        The element in HTML and XML.
        """
    @property
    def file_spans(self, /) -> list[tuple[int, int]]:
        """
        The byte ranges of the link in the mailbox.
        """
    @property
    def fragment(self, /) -> str | None:
        """
        The fragment of the target, if a document of an office has it elsewhere.
        """
    @property
    def header(self, /) -> str | None:
        """
        The name of the header field.
        """
    @property
    def heading(self, /) -> str | None:
        """
        With the option `context`: the preceding heading.
        """
    @property
    def host(self, /) -> str | None:
        """
        The host of the URL, as written.
        """
    @property
    def line(self, /) -> int:
        """
        The line of the first character, from 1.
        """
    @property
    def member_offset(self, /) -> int | None:
        """
        The first byte of the record in the inflated member or frame, from 0.
        """
    @property
    def message(self, /) -> int | None:
        """
        The number of the message in the file, from 1. In a slice, the offset.
        """
    @property
    def message_id(self, /) -> str | None:
        """
        The Message-ID.
        """
    @property
    def message_offset(self, /) -> int | None:
        """
        The first byte of the message in the mailbox, from 0.
        """
    @property
    def notes(self, /) -> list[str]:
        """
        Notes on the link.
        """
    @property
    def part(self, /) -> str | None:
        """
        The number of the MIME part, or the name of the part of a document of an office or a book.
        """
    @property
    def place(self, /) -> str:
        """
        The syntax around the link: `text`, or the name of a language.
        """
    @property
    def raw(self, /) -> str:
        """
        The characters under the spans.
        """
    @property
    def record_id(self, /) -> str | None:
        """
        The ID of the record.
        """
    @property
    def record_offset(self, /) -> int | None:
        """
        The first byte in the archive of the gzip member, zstd frame or uncompressed record,
        from 0.
        """
    @property
    def record_type(self, /) -> str | None:
        """
        The type of the record.
        """
    @property
    def ref(self, /) -> str:
        """
        The reference, decoded: without character references, escapes and white space.
        """
    @property
    def rel(self, /) -> str | None:
        """
        With the option `context`: the `rel` attribute.
        """
    @property
    def retrieved(self, /) -> str | None:
        """
        The URL that the document was retrieved from.
        """
    @property
    def role(self, /) -> str:
        """
        The role of the link.
        """
    @property
    def same_document(self, /) -> bool:
        """
        True if the link refers to its own document.
        """
    @property
    def sender(self, /) -> str | None:
        """
        With the option `context`: the sender of the message (`From`).
        """
    @property
    def spans(self, /) -> list[tuple[int, int]]:
        """
        The ranges `(start, end)` of the document that spell the link, from 0, in `unit`. More
        than one if it was rejoined, none in a compressed object of a PDF file.
        """
    @property
    def status(self, /) -> int | None:
        """
        The status code of the HTTP response.
        """
    @property
    def subject(self, /) -> str | None:
        """
        With the option `context`: the `Subject` of the message.
        """
    @property
    def target_part(self, /) -> str | None:
        """
        The part of the same message that the link refers to.
        """
    @property
    def text(self, /) -> str | None:
        """
        With the option `context`: the anchor text; in plain text, the line with the link.
        """
    @property
    def title(self, /) -> str | None:
        """
        With the option `context`: the `title` attribute.
        """
    @property
    def unit(self, /) -> str:
        """
        The unit of `spans` and `col`: `bytes` of the document, or `code points` of the `str`
        that was given.
        """
    @property
    def unwrapped(self, /) -> str | None:
        """
        With the option `unwrap`: the URL that a mail gateway replaced.
        """
    @property
    def uri(self, /) -> str | None:
        """
        The absolute URL. `None` if the base is unknown.
        """

@final
class Message:
    """
    A message of a mailbox, as stored.
    """
    def __repr__(self, /) -> str: ...
    @property
    def archive(self, /) -> str:
        """
        The name of the file.
        """
    @property
    def data(self, /) -> bytes:
        """
        The bytes, with the separator line before the message if there is one.
        """
    def documents(self, /) -> list[Document]:
        """
        Reads the documents of the message: headers and parts with text.
        """
    def links(self, /) -> list[Link]:
        """
        Finds the links of all documents of the message. Offsets are in bytes of the decoded part.
        """
    @property
    def message(self, /) -> int:
        """
        The number in the file, from 1. In a slice, the offset.
        """
    @property
    def message_id(self, /) -> str | None:
        """
        The `Message-ID` as written, with its angle brackets.
        """
    @property
    def message_offset(self, /) -> int:
        """
        The first byte in the file, from 0.
        """

@final
class MovePlan:
    """
    A planned move of files, with the edits of all links to and from them.
    """
    def apply(self, /) -> None:
        """
        Moves and edits the files. `undo` undoes it.
        """
    @property
    def diff(self, /) -> str:
        """
        The moves and edits as a unified diff, as `git apply` reads it.
        """
    @property
    def edits(self, /) -> list[Edit]:
        """
        The edits.
        """
    @property
    def moves(self, /) -> list[tuple[str, str]]:
        """
        The files that move, as old and new paths.
        """

@final
class Record:
    """
    A record of a web archive, as stored.
    """
    def __repr__(self, /) -> str: ...
    @property
    def archive(self, /) -> str:
        """
        The name of the archive: `X.wacz!archive/Y.warc.gz` in a WACZ.
        """
    @property
    def block(self, /) -> bytes:
        """
        The block as stored.
        """
    @property
    def body(self, /) -> bytes:
        """
        The body of the HTTP response, without chunks and codings. The whole block of records
        without a response.
        """
    @property
    def date(self, /) -> str | None:
        """
        The date, as written.
        """
    def documents(self, /) -> list[Document]:
        """
        Reads the documents of the record: the head of the response if it has links, and the body.
        """
    @property
    def fields(self, /) -> list[tuple[str, str]]:
        """
        The fields of the record in order, as names and values.
        """
    @property
    def headers(self, /) -> list[tuple[str, str]]:
        """
        The fields of the HTTP response in order, as names and values.
        """
    @property
    def is_cut(self, /) -> bool:
        """
        True if the block is incomplete: the archive is truncated or damaged there.
        """
    def links(self, /) -> list[Link]:
        """
        Finds the links of the record: those of the head of the response, then those of the body.
        """
    @property
    def member_offset(self, /) -> int:
        """
        The first byte of the record in the inflated member or frame, from 0.
        """
    @property
    def record_id(self, /) -> str | None:
        """
        The ID of the record.
        """
    @property
    def record_offset(self, /) -> int:
        """
        The first byte in the archive of the gzip member, zstd frame or uncompressed record in which
        it begins, from 0.
        """
    @property
    def record_type(self, /) -> str | None:
        """
        The type: `response`, `request` and others.
        """
    @property
    def status(self, /) -> int | None:
        """
        The status code of the HTTP response.
        """
    @property
    def target(self, /) -> str | None:
        """
        The URL that the record is about.
        """

@final
class Table:
    """
    Links as a stream of Arrow, which can be read several times. Each reading finds the links anew.
    """
    def __arrow_c_schema__(self, /) -> "object":
        """
        The schema, by the PyCapsule interface of Arrow.
        """
    def __arrow_c_stream__(self, /, requested_schema: "object" = None) -> "object":
        """
        A stream of batches, by the PyCapsule interface of Arrow. The schema is the same whatever is
        requested.
        """
    def __repr__(self, /) -> str: ...
    @property
    def columns(self, /) -> list[str]:
        """
        The names of the columns.
        """
    @property
    def documents(self, /) -> int:
        """
        The number of documents that were read in the last reading: files, parts of messages, pages
        of web archives.
        """
    @property
    def warnings(self, /) -> list[Warning]:
        """
        The warnings about data that could not be read in the last reading. A reading begins with
        the first batch. At most 10,000 warnings are kept.
        """

@final
class UnpackReport:
    """
    The result of unpacking web archives.
    """
    def __eq__(self, value: object, /) -> bool: ...
    def __getnewargs_ex__(self, /) -> "tuple[tuple[()], dict[str, Any]]": ...
    def __hash__(self, /) -> int: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __new__(cls, /, *, files: SupportsIndex = ..., new_files: SupportsIndex = ..., redirects: SupportsIndex = ..., missing: SupportsGetItem[int, str] = ..., edits: SupportsIndex = ..., start: str | None = ...) -> UnpackReport: ...
    def __repr__(self, /) -> str: ...
    def asdict(self, /) -> "dict[str, Any]":
        """
        Returns the fields as a dictionary.
        """
    @property
    def edits(self, /) -> int:
        """
        Changed links and removed attributes.
        """
    @property
    def files(self, /) -> int:
        """
        Files.
        """
    @property
    def missing(self, /) -> list[str]:
        """
        URLs that pages refer to and that have no whole file, on hosts with files.
        """
    @property
    def new_files(self, /) -> int:
        """
        Files that were created.
        """
    @property
    def redirects(self, /) -> int:
        """
        Redirects.
        """
    @property
    def start(self, /) -> str | None:
        """
        The path of the file to open first. `None` without pages.
        """

@final
class Warning:
    """
    A warning about a document, or an error that concerns only a part of the input.
    """
    def __eq__(self, value: object, /) -> bool: ...
    def __getnewargs_ex__(self, /) -> "tuple[tuple[()], dict[str, Any]]": ...
    def __hash__(self, /) -> int: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __new__(cls, /, *, doc: str = ..., code: str = ..., text: str = ..., line: SupportsIndex | None = ..., col: SupportsIndex | None = ..., row: SupportsIndex | None = ...) -> Warning: ...
    def __repr__(self, /) -> str: ...
    def asdict(self, /) -> "dict[str, Any]":
        """
        Returns the fields as a dictionary.
        """
    @property
    def code(self, /) -> str:
        """
        The code, as in the records of the command: `charset`, `unreadable` and others.
        """
    @property
    def col(self, /) -> int | None:
        """
        The column in bytes, from 1, if it is known.
        """
    @property
    def doc(self, /) -> str:
        """
        The name of the document.
        """
    @property
    def line(self, /) -> int | None:
        """
        The line, from 1, if it is known.
        """
    @property
    def row(self, /) -> int | None:
        """
        The index of the value, from 0, in the warnings of a table of values.
        """
    @property
    def text(self, /) -> str:
        """
        The sentence.
        """

def archive(path: "object", options: "dict[str, object] | None" = None) -> Items:
    """
    The records of a web archive.
    """

def check(paths: SupportsGetItem[int, str | PathLike[str]], options: "dict[str, object] | None" = None) -> list[Broken]:
    """
    Finds broken local links.
    """

def extract(data: "object", **options: "object") -> list[Link]:
    """
    Find the links of a text, of bytes, or of a file.

    A ``str`` is a text and never a path; give files as ``pathlib.Path`` or as file objects. Bytes
    and files may be compressed, and may be mailboxes or web archives. The kind of document is
    detected by name and content; a fragment of HTML needs ``media="html"``.

    Offsets count the characters of a ``str`` and the bytes of everything else: see ``Link.unit``.

    Parts that cannot be read, such as a damaged record, are reported by ``warnings``.

    Raises:
        Error: An option is invalid.
        ReadError: The file cannot be read. An exception of a file object is raised as it is.
    """

def iter_files(paths: "list[object]", options: "dict[str, object] | None" = None) -> Items:
    """
    Finds the links of files and directories in the background. A `str` is an argument of the
    command.
    """

def linkify(data: str, html: bool, attrs: Any | None, callback: Any | None, existing: bool, options: "dict[str, object]") -> str:
    """
    Makes links of the URLs in a text, or in the text of HTML.
    """

def links(html: "str | bytes", base: str | None = None) -> list[str]:
    """
    The URLs of a page in order, resolved where the base is known.
    """

def mailbox(path: "object", options: "dict[str, object] | None" = None) -> Items:
    """
    The messages of a file.
    """

def normalize(uri: str, level: str) -> str:
    """
    A normal form of a URI.
    """

def open(path: "object", options: "dict[str, object] | None" = None) -> Items:
    """
    Opens a file as the documents in it.
    """

def parse(uri: str, profile: str) -> tuple[str, Any | None]:
    """
    The record of `rehref parse` as JSON, and its error if there is one.
    """

def plan_move(sources: SupportsGetItem[int, str | PathLike[str]], destination: str | PathLike[str], root: str | PathLike[str], options: "dict[str, object] | None" = None) -> MovePlan:
    """
    Plans the move of files or directories.
    """

def relativize(base: str, uri: str, options: "dict[str, object] | None" = None) -> str | None:
    """
    The shortest reference that resolves to a URI. `None` if there is none.
    """

def resolve(base: str, ref: str, options: "dict[str, object] | None" = None) -> str | None:
    """
    Resolves a reference. `None` under the old profiles for a reference to the current document.
    """

def rewrite(data: "str | bytes", callback: Any | None = None, options: "dict[str, object] | None" = None) -> "Any":
    """
    Rewrites the links of a text or of bytes.
    """

def table_of_paths(paths: "list[object]", columns: SupportsGetItem[int, str] | None = None, options: "dict[str, object] | None" = None) -> Table:
    """
    A table of the links of files, directories and file objects.
    """

def table_of_values(values: "list[str | bytes | None]", columns: SupportsGetItem[int, str] | None = None, options: "dict[str, object] | None" = None, bases: SupportsGetItem[int, str | None] | None = None) -> Table:
    """
    A table of the links of texts, or of documents in bytes.
    """

def undo(root: str | PathLike[str]) -> None:
    """
    Undoes the last run in a directory.
    """

def unpack(archives: SupportsGetItem[int, Incomplete], out: str | PathLike[str], options: "dict[str, object] | None" = None) -> UnpackReport:
    """
    Unpacks web archives.
    """
