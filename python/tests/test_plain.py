"""Links and other results are plain objects."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import rehref


def test_links_can_be_pickled_copied_compared_and_hashed(corpus: Path) -> None:
    links = rehref.extract(corpus / "mail/bakery/in.mbox") + rehref.extract(
        corpus / "warc/bakery.warc.gz"
    )
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(links, protocol)) == links
    assert copy.deepcopy(links) == links
    assert len(set(links)) == len({repr(link) for link in links})
    assert rehref.Link(**links[0].asdict()) == links[0]
    assert links[0] != links[1]


def test_links_cannot_be_changed() -> None:
    (link,) = rehref.extract("http://a.example/")
    with pytest.raises(AttributeError):
        link.uri = "http://b.example/"  # type: ignore[misc]


def test_errors_can_be_pickled() -> None:
    for error in [
        rehref.Error("message", "path", 1, 2, "RFC 3986, 3"),
        rehref.ReadError("message", "path", 2),
    ]:
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


def test_a_repr_has_what_is_known() -> None:
    (link,) = rehref.extract("http://a.example/")
    assert repr(link) == (
        "Link(doc='-', line=1, col=1, spans=[(0, 17)], unit='code points', raw='http://a.example/', "
        "ref='http://a.example/', uri='http://a.example/', host='a.example', place='text', cue='bare', "
        "role='navigate', charset='utf-8')"
    )


def test_threads_share_everything(corpus: Path) -> None:
    iterator = rehref.iter_files(corpus / "sites")
    records = list(rehref.archive(corpus / "warc/bakery.warc.gz"))
    expected = [record.links() for record in records]

    def work(number: int) -> tuple[int, bool]:
        count = sum(1 for _ in iterator)
        return count, [record.links() for record in records] == expected

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(work, range(8)))
    assert all(same for _, same in results)
    assert sum(count for count, _ in results) == sum(1 for _ in rehref.iter_files(corpus / "sites"))
