#!/usr/bin/env python3
"""Writes crates/document/src/format/text/link_detection.rs from the data files of UTS #58.

    scripts/link_detection.py DIR > crates/document/src/format/text/link_detection.rs

DIR holds LinkTerm.txt, LinkBracket.txt and LinkEmail.txt, as published with
https://www.unicode.org/reports/tr58/. Only what lies beyond ASCII is written: the meaning of the ASCII
characters is decided in chars.rs, where Appendix E goes before UTS #58.
"""

import sys
from pathlib import Path

WIDTH = 110


def rows(path):
    """The fields of each line of data."""
    for line in path.read_text(encoding="utf-8").splitlines():
        data = line.split("#")[0].strip()
        if data:
            yield [field.strip() for field in data.split(";")]


def ends(text):
    """The first and the last code point of a range."""
    first, _, last = text.partition("..")
    return int(first, 16), int(last or first, 16)


def wrapped(items):
    line = "   "
    for item in items:
        if len(line) + len(item) + 2 > WIDTH:
            yield line
            line = "   "
        line += " " + item + ","
    yield line


def terms(path):
    """Where the value of Link_Term changes, from U+0080 on; what is not listed is Hard."""
    listed = sorted((*ends(code), value) for code, value in rows(path))
    changes = []

    def put(at, value):
        if not changes or changes[-1][1] != value:
            changes.append((at, value))

    after = 0x80
    for first, last, value in listed:
        if last < 0x80:
            continue
        if max(first, 0x80) > after:
            put(after, "Hard")
        put(max(first, 0x80), value)
        after = last + 1
    put(after, "Hard")
    return [f"(0x{at:04X}, {value})" for at, value in changes]


def brackets(path):
    pairs = [(int(opens, 16), int(closes, 16)) for closes, opens in rows(path)]
    return [f"('\\u{{{o:04X}}}', '\\u{{{c:04X}}}')" for o, c in sorted(pairs) if o >= 0x80]


def emails(path):
    """Ranges that hold all characters beyond ASCII with Link_Email."""
    merged = []
    for first, last in sorted(ends(row[0]) for row in rows(path)):
        first = max(first, 0x80)
        if last < first:
            continue
        if merged and merged[-1][1] + 1 == first:
            merged[-1][1] = last
        else:
            merged.append([first, last])
    return [f"(0x{first:04X}, 0x{last:04X})" for first, last in merged]


def table(doc, name, kind, items):
    print()
    for line in doc:
        print(f"/// {line}")
    print("#[rustfmt::skip]")
    print(f"pub(super) static {name}: [{kind}; {len(items)}] = [")
    print("\n".join(wrapped(items)))
    print("];")


def main():
    data = Path(sys.argv[1])
    print("//! Characters beyond ASCII in links, by Unicode Technical Standard 58, data of version 17.0.")
    print("//!")
    print("//! Written by scripts/link_detection.py from LinkTerm.txt, LinkBracket.txt and LinkEmail.txt, which")
    print("//! are © 2025 Unicode, Inc., and used under the terms of")
    print("//! <https://www.unicode.org/terms_of_use.html>.")
    print()
    print("use super::term::Term::{self, Close, Hard, Include, Open, Soft};")
    table(
        ["The changes of the property Link_Term: the first character with a new value, and the value."],
        "LINK_TERM", "(u32, Term)", terms(data / "LinkTerm.txt"),
    )
    table(
        ["The property Link_Bracket: brackets that open and those that close them, in their order."],
        "LINK_BRACKET", "(char, char)", brackets(data / "LinkBracket.txt"),
    )
    table(
        ["The property Link_Email: the first and the last character of each range."],
        "LINK_EMAIL", "(u32, u32)", emails(data / "LinkEmail.txt"),
    )


if __name__ == "__main__":
    main()
