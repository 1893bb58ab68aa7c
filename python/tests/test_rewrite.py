"""Rewriting, and runs that move files."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import rehref


def test_the_result_has_the_type_of_what_was_given() -> None:
    text = "Sée http://old.example/a."
    assert rehref.rewrite(text, map={"http://old.example": "https://new.example"}) == (
        "Sée https://new.example/a."
    )
    assert rehref.rewrite(text.encode(), map=[("old.example", "https://new.example")]) == (
        "Sée https://new.example/a.".encode()
    )


def test_rules_are_tried_in_the_order_given() -> None:
    page = "<a href=http://a.example/b><a href=c>"
    options = {"media": "html", "base": "http://a.example/"}
    assert rehref.rewrite(page, absolute=True, **options) == (  # type: ignore[call-overload]
        "<a href=http://a.example/b><a href=http://a.example/c>"
    )
    assert rehref.rewrite(page, relative=True, **options) == "<a href=b><a href=c>"  # type: ignore[call-overload]
    both = rehref.rewrite(page, map_re={"/b$": "/d"}, absolute=True, **options)  # type: ignore[call-overload]
    assert both == "<a href=http://a.example/d><a href=http://a.example/c>"


def test_some_rules_apply_in_addition_to_others() -> None:
    page = "<a href=/b.html?utm_a=1><a href=http://a.example/c/index.html><img src=/d.html>"
    rewritten = rehref.rewrite(
        page, media="html", base="http://a.example/", root_relative=True, drop_param=["utm_*"], clean_urls=True,
        path_prefix="/app",
    )
    assert rewritten == "<a href=/app/b><a href=/app/c/><img src=/app/d.html>"
    assert rehref.rewrite("See http://a.example/?x=1&y=2", drop_param="x,z") == "See http://a.example/?y=2"
    with pytest.raises(rehref.Error, match="drop_param"):
        rehref.rewrite(page, drop_param="a=b")
    with pytest.raises(rehref.Error, match="path_prefix"):
        rehref.rewrite(page, path_prefix="app")


def test_a_callback_decides_about_each_link() -> None:
    page = "<p>é<a href='a&amp;b'>x</a><img src=c>"
    seen: list[rehref.Link] = []

    def callback(link: rehref.Link) -> str | None:
        seen.append(link)
        return "d?e&f" if link.element == "a" else None

    rewritten = rehref.rewrite(page, callback, media="html")
    assert rewritten == "<p>é<a href='d?e&amp;f'>x</a><img src=c>"
    assert [(link.ref, link.spans) for link in seen] == [("a&b", [(13, 20)]), ("c", [(36, 37)])]
    assert rehref.rewrite(page, lambda link: None, media="html") == page


def test_errors_of_callbacks_are_raised() -> None:
    def fail(link: rehref.Link) -> str | None:
        raise KeyError(link.ref)

    with pytest.raises(KeyError, match="b"):
        rehref.rewrite("<a href=b>", fail, media="html")
    with pytest.raises(TypeError):
        rehref.rewrite("<a href=b>", lambda link: 7, media="html")  # type: ignore[arg-type,return-value]
    with pytest.raises(rehref.Error, match="cannot be combined"):
        rehref.rewrite("<a href=b>", lambda link: None, absolute=True)


def test_mail_and_compressed_bytes_are_refused() -> None:
    with pytest.raises(rehref.Error, match="mail"):
        rehref.rewrite("Subject: a\n\nhttp://a.example/", map={"a.example": "http://b"}, media="mail")
    with pytest.raises(rehref.Error, match="gzip"):
        rehref.rewrite(b"\x1f\x8b\x08\0\0\0\0\0\0\0", absolute=True)


def test_moves_are_planned_applied_and_undone(corpus: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    shutil.copytree(corpus / "sites/bakery", site)
    before = {path: path.read_bytes() for path in site.rglob("*") if path.is_file()}
    (site / "rye").mkdir()
    plan = rehref.plan_move(site / "bread.html", site / "rye", root=site)
    assert [(Path(old).name, Path(new).parent.name) for old, new in plan.moves] == [
        ("bread.html", "rye")
    ]
    assert {edit.rule for edit in plan.edits} == {"move"}
    assert "rye/bread.html" in plan.diff
    assert (site / "bread.html").exists()
    plan.apply()
    assert (site / "rye/bread.html").exists() and not (site / "bread.html").exists()
    rehref.undo(site)
    assert all(path.read_bytes() == data for path, data in before.items())
    with pytest.raises(rehref.ReadError):
        rehref.undo(tmp_path)


def test_broken_links_are_found(corpus: Path) -> None:
    site = corpus / "sites/crossroads"
    broken = rehref.check(site)
    assert ("giude.html", "missing", "guide.html") in [(it.ref, it.why, it.near) for it in broken]
    skipped = rehref.check(site, exclude_link="giude")
    assert len(skipped) == len(broken) - 1
    with pytest.raises(rehref.ReadError):
        rehref.check("no/such/directory")
    with pytest.raises(rehref.Error, match="exclude_link"):
        rehref.check(site, exclude_link="(")


def test_rules_that_are_not_pairs_of_texts_are_refused_by_name() -> None:
    cases: list[tuple[Any, str]] = [
        (3, r"map: expected dict\[str, str\] or pairs, not int"),
        ([("a",)], r"map: expected tuple\[str, str\], not \('a',\)"),
        ("ab", r"map: expected tuple\[str, str\], not 'a'"),
        ([("a", 3)], "map: expected str, not int"),
        ({"a": None}, "map: expected str, not NoneType"),
    ]
    for value, message in cases:
        with pytest.raises(TypeError, match=message):
            rehref.rewrite("a", map=value)
