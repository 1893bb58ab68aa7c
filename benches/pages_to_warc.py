#!/usr/bin/env python3
"""Write a web archive of the HTML pages in directories, as a crawler that fetched them would have written it.

    benches/pages_to_warc.py OUT.warc.gz DIR... [--inflated MB] [--largest KB] [--plain]

Each DIR is a site of its own. For each page there is a record of the request and one of the response, each in a gzip
member of its own. Pages are taken from all sites in turns, each once; --inflated stops when that much has been written.
Pages above --largest are left out. --plain writes the records without compression.

Needs only Python's standard library. The same pages make the same archive.
"""

import argparse
import base64
import hashlib
import os
import pathlib
import uuid
import zlib

SPACE = uuid.UUID("5a0f8a5e-7c60-5b52-9d59-6d1c4fd1a7a1")
SERVERS = ["nginx", "Apache", "cloudflare", "Apache/2.4.57 (Debian)", "nginx/1.22.1", "GitHub.com"]


def pages(directory):
    """The paths of the pages in a directory, in an order that mixes its subdirectories."""
    root = pathlib.Path(directory)
    found = []
    for parent, _, names in os.walk(root):
        for name in names:
            path = pathlib.Path(parent, name)
            if name.lower().endswith((".html", ".htm")) and path.is_file() and not path.is_symlink():
                found.append(path.relative_to(root))
    return sorted(found, key=lambda path: hashlib.md5(os.fsencode(path)).digest())


def in_turns(sites):
    """All pages of all sites: a site with twice as many pages has two turns for one of another."""
    order = []
    for site, (directory, found) in enumerate(sites):
        order += [((at + 0.5) / len(found), site, path) for at, path in enumerate(found)]
    return [(sites[site][0], site, path) for _, site, path in sorted(order, key=lambda it: it[:2])]


def digest(data):
    return "sha1:" + base64.b32encode(hashlib.sha1(data).digest()).decode()


class Archive:
    def __init__(self, path, is_plain):
        self.file = open(path, "wb")
        self.is_plain = is_plain
        self.members = self.inflated = 0

    def write(self, fields, block):
        head = "".join(f"{name}: {value}\r\n" for name, value in fields if value is not None)
        record = b"WARC/1.0\r\n" + head.encode() + b"Content-Length: %d\r\n\r\n" % len(block) + block + b"\r\n\r\n"
        self.members += 1
        self.inflated += len(record)
        if not self.is_plain:
            compress = zlib.compressobj(6, zlib.DEFLATED, 31)
            record = compress.compress(record) + compress.flush()
        self.file.write(record)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("directories", nargs="+", metavar="DIR")
    parser.add_argument("--inflated", type=float, default=float("inf"), metavar="MB")
    parser.add_argument("--largest", type=int, default=1000, metavar="KB")
    parser.add_argument("--plain", action="store_true")
    options = parser.parse_args()
    sites = [(directory, found) for directory in options.directories if (found := pages(directory))]
    archive = Archive(options.out, options.plain)
    info = uuid.uuid5(SPACE, "warcinfo")
    date = "2024-05-18T%02d:%02d:%02dZ"
    archive.write(
        [
            ("WARC-Type", "warcinfo"),
            ("WARC-Date", date % (0, 0, 0)),
            ("WARC-Record-ID", f"<urn:uuid:{info}>"),
            ("Content-Type", "application/warc-fields"),
        ],
        b"software: pages_to_warc\r\nformat: WARC File Format 1.0\r\n",
    )
    seen, written, skipped = set(), 0, 0
    for number, (directory, site, path) in enumerate(in_turns(sites)):
        if archive.inflated > options.inflated * 1e6:
            break
        body = pathlib.Path(directory, path).read_bytes()
        hashed = hashlib.sha1(body).digest()
        if hashed in seen or not body or len(body) > options.largest * 1000:
            skipped += 1
            continue
        seen.add(hashed)
        written += 1
        host = f"site{site}.example"
        # Bytes that are not UTF-8 in a name have no place in a URL here.
        name = "/" + os.fsencode(path.as_posix()).decode("utf-8", "replace").replace(" ", "%20")
        uri = f"https://{host}{name}"
        try:
            body.decode()
            content_type = "text/html; charset=utf-8" if number % 3 else "text/html; charset=UTF-8"
        except UnicodeDecodeError:
            content_type = "text/html"
        response, request = (uuid.uuid5(SPACE, f"{kind} {uri}") for kind in ("response", "request"))
        when = date % (number // 3600 % 24, number // 60 % 60, number % 60)
        server = SERVERS[hashed[0] % len(SERVERS)]
        head = (
            f"HTTP/1.1 200 OK\r\nDate: Sat, 18 May 2024 {when[11:19]} GMT\r\nContent-Type: {content_type}\r\n"
            f"Connection: keep-alive\r\nServer: {server}\r\nLast-Modified: Tue, 02 Apr 2024 10:{hashed[1] % 60:02}:17 GMT\r\n"
            f'ETag: W/"{hashed[:9].hex()}"\r\nVary: Accept-Encoding\r\nX-Frame-Options: SAMEORIGIN\r\n'
            "Strict-Transport-Security: max-age=31536000; includeSubDomains\r\nX-Content-Type-Options: nosniff\r\n"
            f"Cache-Control: public, max-age=600\r\nX-Crawler-Content-Encoding: gzip\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        asked = (
            f"GET {name} HTTP/1.1\r\nUser-Agent: ExampleBot/2.0 (https://bot.example/faq/)\r\n"
            "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nAccept-Language: en-US,en;q=0.5\r\n"
            f"Accept-Encoding: br,gzip\r\nHost: {host}\r\nConnection: Keep-Alive\r\n\r\n"
        )
        common = [("WARC-Date", when), ("WARC-Warcinfo-ID", f"<urn:uuid:{info}>")]
        place = [("WARC-IP-Address", f"203.0.113.{hashed[2]}"), ("WARC-Target-URI", uri)]
        asked = asked.encode()
        archive.write(
            [
                ("WARC-Type", "request"),
                *common[:1],
                ("WARC-Record-ID", f"<urn:uuid:{request}>"),
                *common[1:],
                ("WARC-Concurrent-To", f"<urn:uuid:{response}>"),
                *place,
                ("Content-Type", "application/http; msgtype=request"),
                ("WARC-Block-Digest", digest(asked)),
            ],
            asked,
        )
        block = head.encode() + body
        archive.write(
            [
                ("WARC-Type", "response"),
                *common[:1],
                ("WARC-Record-ID", f"<urn:uuid:{response}>"),
                *common[1:],
                ("WARC-Concurrent-To", f"<urn:uuid:{request}>"),
                *place,
                ("WARC-Payload-Digest", digest(body)),
                ("WARC-Block-Digest", digest(block)),
                ("Content-Type", "application/http; msgtype=response"),
                ("WARC-Identified-Payload-Type", "text/html"),
            ],
            block,
        )
    size = archive.file.tell()
    archive.file.close()
    print(
        f"{options.out}: {written} pages, {skipped} left out, {archive.members} records, "
        f"{archive.inflated / 1e6:.0f} MB, in the file {size / 1e6:.0f} MB"
    )


main()
