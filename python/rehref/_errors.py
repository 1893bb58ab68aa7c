"""The exceptions of the package."""

from __future__ import annotations

import os


class Error(ValueError):
    """An invalid reference, option or document.

    Attributes:
        message: What is wrong, without the place.
        path: The file, if the error is about one.
        start, end: The range of the input at fault, in characters of the ``str`` that was given, from 0. ``None`` if
            all of it is.
        rule: The section of the specification that the input breaks, such as ``RFC 3986, 3.2.2``.
    """

    __module__ = "rehref"

    def __init__(
        self,
        message: str,
        path: str | os.PathLike[str] | None = None,
        start: int | None = None,
        end: int | None = None,
        rule: str | None = None,
    ) -> None:
        super().__init__(message, path, start, end, rule)
        self.message = message
        self.path = None if path is None else os.fspath(path)
        self.start = start
        self.end = end
        self.rule = rule

    def __str__(self) -> str:
        text = self.message if self.path is None else f"{self.path}: {self.message}"
        if self.start is not None:
            text += f" (at {self.start})"
        return text if self.rule is None else f"{text} [{self.rule}]"


class ReadError(Error, OSError):
    """A file that could not be read or written. ``errno`` is that of the system, if it refused the file."""

    __module__ = "rehref"

    def __init__(
        self,
        message: str,
        path: str | os.PathLike[str] | None = None,
        errno: int | None = None,
    ) -> None:
        Error.__init__(self, message, path)
        self.args = (message, path, errno)
        self.errno = errno
        self.filename = self.path
        self.strerror = message
