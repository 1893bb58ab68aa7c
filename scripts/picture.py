#!/usr/bin/env python3
"""Prints the picture of README.md: a terminal with some commands and their output, as SVG.

    cargo build
    scripts/picture.py target/debug/rehref > docs/tour.svg

The commands run in corpus/sites, with colors. The picture has a light and a dark style.
"""

import html
import os
import re
import subprocess
import sys
import unicodedata

COMMANDS = [
    ("Every URL of a text, also broken ones", "rehref extract -Hn bakery/notes.txt"),
    (
        "Rewrite links, and no other byte",
        "rehref rewrite --map mill.example=flour.example bakery/notes.txt",
    ),
    ("Broken links, with the nearest name", "rehref check --anchors -g guide.html -g style.css crossroads"),
]

COLUMNS = 99
CHARACTER_WIDTH = 8.4
LINE_HEIGHT = 19
MARGIN = 20
TITLE_BAR = 34

# The classes of the eight colors of terminals.
COLORS = ["k", "r", "g", "y", "b", "m", "c", "w"]

STYLE = """
.back { fill: #ffffff; stroke: #d0d7de; }
.bar { fill: #f6f8fa; }
.dot { fill: #d0d7de; }
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328; white-space: pre; }
.note { fill: #57606a; font-style: italic; }
.prompt { fill: #57606a; }
.bold { font-weight: 600; }
.dim { opacity: 0.7; }
.k { fill: #57606a; } .r { fill: #cf222e; } .g { fill: #116329; } .y { fill: #7d4e00; }
.b { fill: #0550ae; } .m { fill: #8250df; } .c { fill: #1b7c83; } .w { fill: #57606a; }
@media (prefers-color-scheme: dark) {
  .back { fill: #0d1117; stroke: #30363d; }
  .bar { fill: #161b22; }
  .dot { fill: #30363d; }
  text { fill: #e6edf3; }
  .note, .prompt { fill: #9198a1; }
  .k, .w { fill: #9198a1; } .r { fill: #ff7b72; } .g { fill: #7ee787; } .y { fill: #e3b341; }
  .b { fill: #79c0ff; } .m { fill: #d2a8ff; } .c { fill: #76e3ea; }
}
"""


def columns(text: str) -> int:
    """The width of a text on a terminal."""
    return sum(2 if unicodedata.east_asian_width(it) in "WF" else 1 for it in text)


def pieces(line: str) -> list[tuple[str, str]]:
    """Splits a line with color sequences into pairs of class and text."""
    line = re.sub(r"\x1b\]8;[^\x1b\x07]*(?:\x1b\\|\x07)", "", line)
    result, style, end = [], set(), 0
    for match in re.finditer(r"\x1b\[([0-9;]*)m", line):
        result.append((" ".join(sorted(style)), line[end : match.start()]))
        end = match.end()
        for code in (int(it or 0) for it in match[1].split(";")):
            if code == 0:
                style.clear()
            elif code == 1:
                style.add("bold")
            elif code == 2:
                style.add("dim")
            elif 30 <= code <= 37 or 90 <= code <= 97:
                style -= set(COLORS)
                style.add(COLORS[code % 10])
            elif code == 39:
                style -= set(COLORS)
            elif code == 22:
                style -= {"bold", "dim"}
    result.append((" ".join(sorted(style)), line[end:]))
    return [it for it in result if it[1]]


def wrapped(line: list[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """Breaks a line where a terminal of COLUMNS columns does."""
    lines, width = [[]], 0
    for style, text in line:
        for character in text:
            if width + columns(character) > COLUMNS:
                lines.append([])
                width = 0
            width += columns(character)
            if lines[-1] and lines[-1][-1][0] == style:
                lines[-1][-1] = (style, lines[-1][-1][1] + character)
            else:
                lines[-1].append((style, character))
    return lines


def main() -> None:
    binary = os.path.abspath(sys.argv[1])
    sites = os.path.join(os.path.dirname(__file__), "..", "corpus", "sites")
    lines = []
    for note, command in COMMANDS:
        if lines:
            lines.append([])
        lines.append([("note", f"# {note}")])
        lines.append([("prompt", "$ "), ("bold", command)])
        arguments = [binary, "--color", "always", *command.split()[1:]]
        environment = {"PATH": os.environ["PATH"], "TERM": "xterm-256color"}
        run = subprocess.run(
            arguments,
            cwd=sites,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        for line in run.stdout.splitlines():
            lines += wrapped(pieces(line))
    width = int(COLUMNS * CHARACTER_WIDTH + 2 * MARGIN)
    height = TITLE_BAR + len(lines) * LINE_HEIGHT + 2 * MARGIN - 8
    described = "A terminal with commands of rehref: " + "; ".join(it[0] for it in COMMANDS)
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="{html.escape(described)}">'
    )
    print(f"<style>{STYLE}</style>")
    print(f'<rect class="back" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="9"/>')
    print(f'<path class="bar" d="M1 {TITLE_BAR}V10a9 9 0 0 1 9-9h{width - 20}a9 9 0 0 1 9 9v{TITLE_BAR - 10}z"/>')
    for dot in range(3):
        print(f'<circle class="dot" cx="{20 + 20 * dot}" cy="17" r="6"/>')
    for number, line in enumerate(lines):
        spans = "".join(
            f'<tspan class="{style}">{html.escape(text)}</tspan>' if style else html.escape(text)
            for style, text in line
        )
        if spans:
            y = TITLE_BAR + MARGIN + 8 + number * LINE_HEIGHT
            print(f'<text x="{MARGIN}" y="{y}" xml:space="preserve">{spans}</text>')
    print("</svg>")


if __name__ == "__main__":
    main()
