"""Parsing, resolving, relativizing and normal forms."""

from __future__ import annotations

import pytest

import rehref


def test_references_are_resolved_as_rfc_3986_says() -> None:
    base = "http://a/b/c/d;p?q"
    for ref, expected in [
        ("g", "http://a/b/c/g"),
        ("../../../g", "http://a/g"),
        ("?y", "http://a/b/c/d;p?y"),
        ("#s", "http://a/b/c/d;p?q#s"),
        ("//g", "http://g"),
        ("g;x=1/../y", "http://a/b/c/y"),
    ]:
        assert rehref.resolve(base, ref) == expected
        assert rehref.resolve(base, rehref.relativize(base, expected) or "") == expected
    assert rehref.relativize(base, "http://a/b/c/g") == "g"
    assert rehref.relativize(base, "mailto:x@y") == "mailto:x@y"
    assert rehref.relativize(base, "http://a/b/../g") is None


def test_older_profiles_know_references_to_the_current_document() -> None:
    assert rehref.resolve("http://a/b", "#c", profile="rfc2396") == "#c"
    assert rehref.resolve("http://a/b", "", profile="rfc2396") == ""


def test_errors_have_their_place_and_rule() -> None:
    with pytest.raises(rehref.Error) as raised:
        rehref.resolve("no-base", "x")
    assert isinstance(raised.value, ValueError)
    assert raised.value.rule == "RFC 3986, 5.2.1"
    uri = rehref.parse("http://é.example/a b")
    assert not uri.valid and uri.error is not None
    assert (uri.error.start, uri.error.end, uri.error.rule) == (7, 8, "RFC 3986, 2")
    assert (uri.authority, uri.host) == ("é.example", None)
    error = rehref.parse("http://a.example/é b", profile="rfc2396").error
    assert error is not None and error.start == 17


def test_components_are_as_written() -> None:
    uri = rehref.parse("HTTP://u@A.example:80/%7e?#f")
    assert (uri.scheme, uri.userinfo, uri.host, uri.port) == ("HTTP", "u", "A.example", "80")
    assert (uri.path, uri.query, uri.fragment, uri.valid) == ("/%7e", "", "f", True)
    assert uri.normalized["scheme"] == "http://u@a.example/~?#f"
    assert rehref.normalize("HTTP://u@A.example:80/%7e") == "http://u@a.example/~"
    assert rehref.normalize("HTTP://A/%7e", "case") == "http://a/%7E"
    ftp = rehref.parse("ftp://h/a/b;type=i", profile="rfc1738")
    assert ftp.scheme_specific is not None and ftp.scheme_specific["cwd"] == ["a"]
    with pytest.raises(rehref.Error, match="level"):
        rehref.normalize("a", "all")  # type: ignore[arg-type]


def test_parsed_texts_are_compared_and_hashed() -> None:
    for text in ["http://a.example/b", "a b", ""]:
        assert len({rehref.parse(text), rehref.parse(text)}) == 1
    specific = rehref.parse("ftp://a.example/b", profile="rfc1738")
    assert hash(specific) == hash(rehref.parse("ftp://a.example/b", profile="rfc1738"))
    assert rehref.parse("a") != rehref.parse("b")
