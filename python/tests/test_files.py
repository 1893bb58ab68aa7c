"""File objects in place of paths."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rehref


class Recorded(io.BytesIO):
    """A file that records how many bytes are read of it."""

    def __init__(self, data: bytes, name: str = "") -> None:
        super().__init__(data)
        self.total = 0
        self.most = 0
        if name:
            self.name = name

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        self.total += len(data)
        self.most = max(self.most, len(data))
        return data


class Refusing(Recorded):
    """A file whose reading fails from a byte on."""

    def __init__(self, data: bytes, fails_at: int, name: str = "") -> None:
        super().__init__(data, name)
        self.fails_at = fails_at

    def read(self, size: int | None = -1, /) -> bytes:
        if self.tell() >= self.fails_at and size != 0:
            raise ConnectionResetError("the store is gone")
        return super().read(size)


def archive_of(count: int) -> bytes:
    """A web archive in gzip with this number of pages, each a member of several kilobytes."""
    members: list[bytes] = []
    for number in range(count):
        noise = "".join(f"{(number * 7919 + i * 104729) % 99991:x} " for i in range(1500))
        page = f"<a href='/{number}'>x</a> {noise}"
        http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}".encode()
        head = (
            f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/{number}.html\r\n"
            f"Content-Length: {len(http)}\r\n\r\n"
        )
        members.append(gzip.compress(head.encode() + http + b"\r\n\r\n"))
    return b"".join(members)


def mailbox_of(count: int) -> bytes:
    body = "See http://a.example/%d there.\n" + "It is a long line of text without any link in it.\n" * 40
    return b"".join(
        f"From a@b Mon Jan  1 00:00:0{n % 10} 2024\nSubject: {n}\n\n{body % n}\n".encode()
        for n in range(count)
    )


def kinds(corpus: Path) -> list[Path]:
    return [
        corpus / "mail/bakery/in.mbox",
        corpus / "warc/bakery.warc.gz",
        corpus / "sites/bakery/bread.html",
        *sorted(corpus.glob("warc/*.wacz"))[:1],
    ]


def test_file_objects_have_the_links_of_their_paths(corpus: Path) -> None:
    for path in kinds(corpus):
        expected = rehref.extract(path)
        assert expected
        with path.open("rb") as file:
            assert rehref.extract(file) == expected
            assert list(rehref.iter_files(file)) == expected
            assert list(rehref.iter_files([path, file])) == 2 * expected
            documents = [doc.data for doc in rehref.open(path)]
            assert [doc.data for doc in rehref.open(file)] == documents


def test_a_file_object_without_a_name_is_named_like_standard_input(corpus: Path) -> None:
    data = (corpus / "warc/bakery.warc.gz").read_bytes()
    records = list(rehref.archive(io.BytesIO(data)))
    assert {str(record.archive) for record in records} == {"-"}
    named = list(rehref.archive(Recorded(data, "store/b.warc.gz")))
    assert {str(record.archive) for record in named} == {"store/b.warc.gz"}
    assert [record.block for record in named] == [record.block for record in records]
    descriptor = (corpus / "warc/bakery.warc.gz").open("rb", buffering=0)
    with open(descriptor.fileno(), "rb", closefd=False) as file:
        assert isinstance(file.name, int)
        assert next(rehref.archive(file)).archive == "-"
    descriptor.close()


def test_members_of_zip_files_are_read_forward(tmp_path: Path) -> None:
    data = mailbox_of(200)
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("list.mbox", data)
    with zipfile.ZipFile(path) as archive, archive.open("list.mbox") as file:
        messages = list(rehref.mailbox(file))
        assert b"".join(message.data for message in messages) == data
        assert str(messages[0].archive) == "list.mbox"
    backward: list[int] = []

    class Forward(io.BytesIO):
        def seek(self, offset: int, whence: int = 0, /) -> int:
            if whence or offset < self.tell():
                backward.append(offset)
            return super().seek(offset, whence)

    assert len(list(rehref.mailbox(Forward(data)))) == 200
    assert backward == []


def test_long_files_are_read_in_blocks() -> None:
    data = mailbox_of(3000)
    assert len(data) > 5 << 20
    file = Recorded(data)
    messages = rehref.mailbox(file)
    next(messages)
    assert file.most <= 1 << 20
    assert sum(1 for _ in messages) == 2999
    assert file.total < 1.1 * len(data)
    file = Recorded(data, "a.mbox")
    assert len(rehref.extract(file)) == 3000
    assert file.total < 1.1 * len(data)
    assert file.most <= 1 << 20


@pytest.mark.parametrize("size", [100_000, 1 << 20])
def test_slices_of_file_objects_have_each_message_and_record_once(size: int) -> None:
    mails = mailbox_of(1000)
    pages = archive_of(150)
    readers: list[tuple[bytes, Callable[..., Any], Callable[[Any], bytes]]] = [
        (mails, rehref.mailbox, lambda it: it.data),
        (pages, rehref.archive, lambda it: it.block),
    ]
    for data, reader, bytes_of in readers:
        whole = [bytes_of(it) for it in reader(io.BytesIO(data))]
        sliced: list[bytes] = []
        for start in range(0, len(data), size):
            file = Recorded(data)
            sliced += [bytes_of(it) for it in reader(file, slice=(start, size))]
            # The beginning of the file, which names its kind, and what is around the slice.
            assert file.total < size + (3 << 20)
        assert sliced == whole


def test_tables_read_file_objects_and_their_slices() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    data = archive_of(100)
    whole = pyarrow.table(rehref.table(io.BytesIO(data), columns=["uri"]))
    assert whole.num_rows == 100
    uris: list[str] = []
    for start in range(0, len(data), 150_000):
        table = rehref.table(io.BytesIO(data), columns=["uri"], slice=(start, 150_000))
        # A table can be read several times.
        first = pyarrow.table(table)["uri"].to_pylist()
        assert pyarrow.table(table)["uri"].to_pylist() == first
        uris += first
    assert uris == whole["uri"].to_pylist()
    files = [io.BytesIO(data), io.BytesIO(data)]
    assert pyarrow.table(rehref.table(files, columns=["uri"])).num_rows == 200


def test_exceptions_of_a_file_object_are_raised() -> None:
    for data, name in [(mailbox_of(2000), "a.mbox"), (archive_of(300), "a.warc.gz")]:
        for fails_at in [0, 1000, len(data) // 2]:
            file = Refusing(data, fails_at, name)
            with pytest.raises(ConnectionResetError, match="the store is gone"):
                rehref.extract(file)
            with pytest.raises(ConnectionResetError, match="the store is gone"):
                list(rehref.iter_files(file))
            reader = rehref.mailbox if name.endswith("mbox") else rehref.archive
            with pytest.raises(ConnectionResetError, match="the store is gone"):
                list(reader(file))
    text = gzip.compress(b"See http://a.example/ there. " * 10)
    with pytest.raises(ConnectionResetError):
        rehref.extract(Refusing(text, 0, "a.txt.gz"))


def test_an_exception_ends_the_reading_of_a_table() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    data = mailbox_of(2000)
    table = rehref.table(Refusing(data, len(data) // 2, "a.mbox"), columns=["uri"])
    with pytest.raises(Exception, match="the store is gone"):
        pyarrow.table(table)


def test_files_in_text_mode_are_refused(corpus: Path) -> None:
    for file in [io.StringIO("http://a.example/"), (corpus / "mail/bakery/in.mbox").open()]:
        with file:
            for function in [rehref.extract, rehref.mailbox, rehref.archive, rehref.open, rehref.table]:
                with pytest.raises(TypeError, match="binary mode: read returned str"):
                    function(file)  # pyright: ignore


def test_objects_that_are_no_files_are_refused() -> None:
    with pytest.raises(TypeError, match="os.PathLike or a file object, not int"):
        rehref.extract(1)  # pyright: ignore
    with pytest.raises(TypeError, match="a path or a file object, not int"):
        rehref.archive(1)  # pyright: ignore


def test_a_closed_file_raises() -> None:
    file = io.BytesIO(mailbox_of(3))
    file.close()
    with pytest.raises(ValueError, match="closed"):
        rehref.mailbox(file)


def test_the_position_of_a_file_object_has_no_effect() -> None:
    data = mailbox_of(3)
    file = io.BytesIO(data)
    file.seek(100)
    assert len(list(rehref.mailbox(file))) == 3


def test_readers_of_one_object_do_not_disturb_each_other() -> None:
    message = "From a@b Mon Jan  1 00:00:00 2024\nSubject: x\n\nhttp://h{}.example/ {}\n\n"
    data = "".join(message.format(number, "x" * 500) for number in range(2000)).encode()
    file = io.BytesIO(data)
    both = list(zip(rehref.mailbox(file), rehref.mailbox(file), strict=True))
    assert all(one.data == other.data for one, other in both)
    assert b"".join(one.data for one, _ in both) == data
    pyarrow: Any = pytest.importorskip("pyarrow", reason="needs pyarrow")
    assert pyarrow.table(rehref.table([file, file], columns=["host"])).num_rows == 4000


def test_an_exception_at_the_head_of_a_slice_is_raised_once() -> None:
    pytest.importorskip("pyarrow", reason="needs pyarrow")

    class Failing(io.BytesIO):
        reads = 0

        def read(self, size: int | None = -1, /) -> bytes:
            if size:
                self.reads += 1
                raise KeyboardInterrupt
            return b""

    file = Failing(b"From a@b")
    with pytest.raises(KeyboardInterrupt):
        rehref.table(file, slice=(0, 4))
    assert file.reads == 1
