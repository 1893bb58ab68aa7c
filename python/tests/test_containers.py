"""Mailboxes and web archives."""

from __future__ import annotations

import email
import io
import os
import time
import zipfile
from pathlib import Path

import pytest

import rehref


def test_messages_are_as_stored(corpus: Path) -> None:
    path = corpus / "mail/bakery/in.mbox"
    messages = list(rehref.mailbox(path))
    assert b"".join(message.data for message in messages) == path.read_bytes()
    for message in messages:
        parsed = email.message_from_bytes(message.data)
        assert message.message_id == parsed["Message-ID"]
    found = [link for message in messages for link in message.links()]
    assert found == rehref.extract(path)
    assert [link.uri for part in messages[0].documents() for link in part.links()] == [
        link.uri for link in messages[0].links()
    ]


@pytest.mark.parametrize("size", [50, 333, 4096])
def test_slices_of_a_mailbox_have_each_message_once(corpus: Path, size: int) -> None:
    path = corpus / "mail/bakery/in.mbox"
    whole = [message.data for message in rehref.mailbox(path)]
    starts = range(0, path.stat().st_size, size)
    sliced = [m.data for start in starts for m in rehref.mailbox(path, slice=(start, size))]
    assert sliced == whole


def test_records_have_fields_headers_and_a_body(corpus: Path) -> None:
    records = list(rehref.archive(corpus / "warc/bakery.warc.gz"))
    assert records[0].record_type == "warcinfo"
    page = next(it for it in records if it.record_type == "response")
    assert page.target == "http://bakery.example/"
    assert (page.status, page.record_offset, page.member_offset) == (200, 162, 0)
    assert ("WARC-Type", "response") in page.fields
    assert ("Content-Type", "text/html") in page.headers
    assert page.block.endswith(page.body)
    (link, *_) = page.links()
    assert (link.retrieved, link.status, link.record_offset) == (page.target, 200, 162)
    found = [link for record in records for link in record.links()]
    assert found == rehref.extract(corpus / "warc/bakery.warc.gz")


def test_records_are_filtered(corpus: Path) -> None:
    path = corpus / "warc/bakery.warc.gz"
    records = list(rehref.archive(path))
    for record_type in ["response", ["response"]]:
        responses = list(rehref.archive(path, record_type=record_type))
        assert {it.record_type for it in responses} == {"response"}
    found = list(rehref.archive(path, status=200))
    assert found and all(it.status == 200 for it in found)
    assert [it.target for it in rehref.archive(path, mime="text/css")] == [
        it.target for it in records if ("Content-Type", "text/css") in it.headers
    ]
    assert list(rehref.archive(path, from_date="2999")) == []
    links = [link for it in rehref.archive(path, record_type="response") for link in it.links()]
    assert links == rehref.extract(path, record_type="response")


@pytest.mark.parametrize("size", [50, 333, 4096])
def test_slices_of_an_archive_have_each_record_once(corpus: Path, size: int) -> None:
    path = corpus / "warc/bakery.warc.gz"
    whole = [(it.record_offset, it.block) for it in rehref.archive(path)]
    starts = range(0, path.stat().st_size, size)
    sliced = [it for start in starts for it in rehref.archive(path, slice=(start, size))]
    assert [(it.record_offset, it.block) for it in sliced] == whole


def test_other_files_are_errors(corpus: Path) -> None:
    with pytest.raises(rehref.ReadError, match="not a web archive"):
        rehref.archive(corpus / "sites/bakery/notes.txt")
    with pytest.raises(rehref.ReadError, match="No such file"):
        rehref.mailbox("no/such/file")


def test_unpack_makes_a_tree(corpus: Path, tmp_path: Path) -> None:
    report = rehref.unpack(corpus / "warc/bakery.warc.gz", tmp_path / "out")
    assert report.files == report.new_files > 0
    assert report.start is not None
    assert (tmp_path / "out" / report.start).is_file()
    assert rehref.unpack(corpus / "warc/bakery.warc.gz", tmp_path / "out").new_files == 0


def test_runs_have_the_same_results_for_any_number_of_jobs(corpus: Path, tmp_path: Path) -> None:
    sites = [corpus / "sites/crossroads", corpus / "sites/bakery"]
    bread, rye = sites[1] / "bread.html", sites[1] / "rye.html"
    archives = sorted(corpus.glob("warc/*.warc.gz"))
    broken = rehref.check(sites, jobs=1)
    diff = rehref.plan_move(bread, rye, root=sites[1], jobs=1).diff
    unpacked = rehref.unpack(archives, tmp_path / "1", jobs=1)
    assert broken and diff and unpacked.files
    for jobs in [None, 3]:
        assert rehref.check(sites, jobs=jobs) == broken
        assert rehref.plan_move(bread, rye, root=sites[1], jobs=jobs).diff == diff
        assert rehref.unpack(archives, tmp_path / f"{jobs}", jobs=jobs) == unpacked
    with pytest.raises(rehref.Error, match="jobs: expected a positive number"):
        rehref.check(sites, jobs=0)
    with pytest.raises(rehref.Error, match="jobs: expected a positive number"):
        rehref.plan_move(bread, rye, root=sites[1], jobs=0)
    with pytest.raises(rehref.Error, match="jobs: expected a positive number"):
        rehref.unpack(archives, tmp_path / "0", jobs=0)


def test_unpack_takes_file_objects(corpus: Path, tmp_path: Path) -> None:
    archive = corpus / "warc/bakery.warc.gz"
    expected = rehref.unpack(archive, tmp_path / "path")
    assert expected.files
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.write(archive, "archive/bakery.warc.gz")
    for number, file_object in enumerate([archive.open("rb"), packed]):
        out = tmp_path / f"{number}"
        with file_object:
            assert rehref.unpack([archive, file_object], out) == expected
            assert rehref.unpack(file_object, out).new_files == 0
    with pytest.raises(rehref.ReadError, match="not a web archive"):
        rehref.unpack(io.BytesIO(b"text"), tmp_path / "none")
    with pytest.raises(TypeError, match="expected a path or a file object, not int"):
        rehref.unpack([3], tmp_path / "none")  # type: ignore[list-item]


def test_unpack_raises_what_a_file_object_raises(corpus: Path, tmp_path: Path) -> None:
    class Failing(io.BytesIO):
        """A file whose read fails from a call on."""

        left = 0

        def read(self, size: int | None = -1, /) -> bytes:
            if size and not self.left:
                raise KeyError("read")
            self.left -= bool(size)
            return super().read(size)

    failed = 0
    for calls in range(20):
        file = Failing((corpus / "warc/bakery.warc.gz").read_bytes())
        file.left = calls
        try:
            assert rehref.unpack(file, tmp_path / f"{calls}").files
        except KeyError:
            failed += 1
    assert 3 < failed < 20


def test_unpack_raises_for_archives_that_cannot_be_read(corpus: Path, tmp_path: Path) -> None:
    archive, out = corpus / "warc/bakery.warc.gz", tmp_path / "out"
    with pytest.raises(rehref.ReadError, match="No such file") as raised:
        rehref.unpack([archive, "no/such/file"], out)
    assert (raised.value.path, raised.value.errno) == ("no/such/file", 2)
    assert not out.exists()
    note = corpus / "sites/bakery/notes.txt"
    with pytest.raises(rehref.ReadError, match="not a web archive") as raised:
        rehref.unpack([note, archive], out)
    assert raised.value.path == os.fspath(note)
    assert (out / "http/bakery.example/index.html").is_file()
    cut = tmp_path / "cut.warc.gz"
    cut.write_bytes(archive.read_bytes()[:-40])
    with pytest.warns(UserWarning, match="cut.warc.gz"):
        assert rehref.unpack(cut, tmp_path / "part").files > 0


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_a_dropped_iterator_ends_its_thread_though_it_finds_nothing(
    corpus: Path, tmp_path: Path
) -> None:
    archive = tmp_path / "many.warc.gz"
    archive.write_bytes((corpus / "warc/bakery.warc.gz").read_bytes() * 60_000)

    def threads() -> int:
        return len(list(Path("/proc/self/task").iterdir()))

    before = threads()
    begin = time.monotonic()
    for _ in rehref.archive(archive, record_type="nothing"):
        pass
    whole = time.monotonic() - begin
    rehref.archive(archive, record_type="nothing")
    rehref.iter_files(archive, host="nothing.example")
    begin = time.monotonic()
    while threads() > before and time.monotonic() < begin + 60:
        time.sleep(0.01)
    assert time.monotonic() - begin < whole / 2
