"""Find every URL in text, HTML, CSS, XML, Markdown, mail and web archives, and rewrite links without touching any other byte.

    >>> import rehref
    >>> [link.uri for link in rehref.extract("See <URL:http://a.example/\\n  b>.")]
    ['http://a.example/b']

A ``str`` is a text and never a path; offsets count its characters. Of ``bytes`` and files they count bytes.
"""

from ._errors import Error, ReadError
from ._extract import archive, extract, iter_files, links, mailbox, open
from ._linkify import Anchor, linkify
from ._rehref import (
    Broken,
    Document,
    Edit,
    Link,
    Message,
    MovePlan,
    Record,
    Table,
    UnpackReport,
    Warning,
)
from ._rehref import VERSION as __version__
from ._rewrite import rewrite
from ._table import table
from ._trees import check, plan_move, undo, unpack
from ._uri import Uri, normalize, parse, relativize, resolve

__all__ = [
    "Anchor",
    "Broken",
    "Document",
    "Edit",
    "Error",
    "Link",
    "Message",
    "MovePlan",
    "ReadError",
    "Record",
    "Table",
    "UnpackReport",
    "Uri",
    "Warning",
    "__version__",
    "archive",
    "check",
    "extract",
    "iter_files",
    "linkify",
    "links",
    "mailbox",
    "normalize",
    "open",
    "parse",
    "plan_move",
    "relativize",
    "resolve",
    "rewrite",
    "table",
    "undo",
    "unpack",
]
