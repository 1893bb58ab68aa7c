"""Lists the absolute links of the HTML pages of a web archive: `count`, or `urls` in JSON.

The arguments are the reader (fastwarc or warcio), the parser (lxml, selectolax or turbohtml), the file, and the result.
"""

import json
import sys
from urllib.parse import urljoin

reader, parser, file, result = sys.argv[1:]


def pages_of_fastwarc():
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    for record in ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=True):
        if record.http_content_type == "text/html":
            yield record.headers["WARC-Target-URI"], record.reader.read(), record.http_charset


def pages_of_warcio():
    from warcio.archiveiterator import ArchiveIterator

    with open(file, "rb") as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type != "response":
                continue
            kind, _, parameters = (record.http_headers.get_header("Content-Type") or "").partition(";")
            if kind.strip() == "text/html":
                charset = parameters.partition("charset=")[2].strip() or None
                yield record.rec_headers.get_header("WARC-Target-URI"), record.content_stream().read(), charset


def links_of_lxml(body, charset):
    from lxml import etree, html

    try:
        tree = html.document_fromstring(body, parser=html.HTMLParser(encoding=charset))
    except etree.ParserError:
        return [], None
    base = tree.find("head/base[@href]")
    return [link for _, _, link, _ in tree.iterlinks()], None if base is None else base.get("href")


def links_of_selectolax(body, charset):
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(body)
    links = [node.attributes.get("href") or node.attributes.get("src") for node in tree.css("[href], [src]")]
    base = tree.css_first("base[href]")
    return [link for link in links if link], None if base is None else base.attributes["href"]


def links_of_turbohtml(body, charset):
    import turbohtml

    tree = turbohtml.parse(body)
    base = tree.select_one("base[href]")
    return [link.url for link in tree.links()], None if base is None else base.attrs["href"]


pages = {"fastwarc": pages_of_fastwarc, "warcio": pages_of_warcio}[reader]
links_of = {"lxml": links_of_lxml, "selectolax": links_of_selectolax, "turbohtml": links_of_turbohtml}[parser]
count, urls = 0, []
for url, body, charset in pages():
    links, base = links_of(body, charset)
    base = urljoin(url, base) if base else url
    for link in links:
        try:
            absolute = urljoin(base, link.strip())
        except ValueError:
            continue
        count += 1
        if result == "urls":
            urls.append(absolute)
print(json.dumps(urls) if result == "urls" else count)
