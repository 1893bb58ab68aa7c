use super::*;

fn map(entries: &[&str]) -> PrefixMap {
    let mut map = PrefixMap::default();
    for entry in entries {
        map.insert_entry(entry).unwrap();
    }
    map
}

#[test]
fn prefixes_end_on_segments_and_the_longest_wins() {
    let map = map(&["http://h/a=http://n/x", "http://h/a/b=http://n/y", "http://o/=http://n/z"]);
    let get = |uri| map.get(uri);
    assert_eq!(get("http://h/a").as_deref(), Some("http://n/x"));
    assert_eq!(get("HTTP://H/a/c?q#f").as_deref(), Some("http://n/x/c?q#f"));
    assert_eq!(get("http://h/a?q").as_deref(), Some("http://n/x?q"));
    assert_eq!(get("http://h/a/b/c").as_deref(), Some("http://n/y/c"));
    assert_eq!(get("http://o/c").as_deref(), Some("http://n/z/c"));
    assert_eq!(get("http://o/?q").as_deref(), Some("http://n/z?q"));
    assert_eq!(get("http://h/ab"), None);
    assert_eq!(get("http://h/A"), None);
    assert_eq!(get("http://o").as_deref(), Some("http://n/z"));
    assert_eq!(get("http://oo"), None);
    assert_eq!(get("http://h/é"), None);
}

#[test]
fn new_prefixes_that_are_mapped_again_are_reported() {
    let again = |entries| map(entries).mapped_again().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(again(&["http://a/=http://a/b/"]), ["http://a/b/"]);
    assert_eq!(again(&["http://n/x=http://o/", "http://a=http://n/"]), ["http://n/"]);
    assert!(again(&["http://n.example/=http://m/", "http://a/=http://n"]).is_empty());
    assert!(again(&["http://a/=http://b/"]).is_empty());
}

#[test]
fn maps_of_schemes_remove_the_default_port_of_the_old_one() {
    for (entry, uri, new) in [
        ("http://=https://", "http://A.example:80/x:80", "https://A.example/x:80"),
        ("http://=https://", "http://a.example:80", "https://a.example"),
        ("http:=https:", "HTTP://u:80@a.example:80?q", "https://u:80@a.example?q"),
        ("http:=https:", "http://a.example:80/b/../c", "https://a.example/c"),
        ("https://=http://", "https://[::1]:443/", "http://[::1]/"),
        ("http://=https://", "http://a.example:443/", "https://a.example:443/"),
        ("http://=https://", "http://a.example:8080/", "https://a.example:8080/"),
        ("http://=https://", "http://[::80]/", "https://[::80]/"),
        ("http://=http://n/", "http://a.example:80/", "http://n/a.example:80/"),
    ] {
        assert_eq!(map(&[entry]).get(uri).as_deref(), Some(new), "{entry} {uri}");
    }
}

#[cfg(feature = "whatwg")]
#[test]
fn hosts_match_in_each_spelling() {
    for entry in ["b\u{fc}.example=//n", "http://B%C3%BC.example=http://n", "xn--b-eha.example=//n"]
    {
        let map = map(&[entry]);
        for host in
            ["b\u{fc}.example", "B%c3%bc.example", "u@b\u{dc}.example:80", "XN--B-EHA.example"]
        {
            let new = map.get(&format!("http://{host}/%61?\u{fc}#%C3%BC"));
            let expected = "http://n/%61?\u{fc}#%C3%BC";
            assert_eq!(
                new.as_deref(),
                Some(expected).filter(|_| !host.contains('@')),
                "{entry} {host}"
            );
        }
    }
}

#[test]
fn only_another_fragment_replaces_a_fragment() {
    let map = map(&[
        "http://o/=http://n/?q", "http://p=http://n/#z", "http://h/a=http://n/x",
        "http://h/a/b=http://n/?b#z", "http://h/a#c=http://n/#d",
    ]);
    for (uri, expected) in [
        ("http://o/", Some("http://n/?q")),
        ("HTTP://O:80#f", Some("http://n/?q#f")),
        ("http://o/x", Some("http://n/?q/x")),
        ("http://p", Some("http://n/#z")),
        ("http://p/#frag", Some("http://n/#frag")),
        ("http://p?q", None),
        ("http://h/a/%62", Some("http://n/?b#z")),
        ("http://h/a/b#%7e", Some("http://n/?b#%7e")),
        ("http://h/a/b#", Some("http://n/?b#")),
        ("http://h/a/b/", Some("http://n/x/b/")),
        ("http://h/a/b?q#f", Some("http://n/x/b?q#f")),
        ("http://h/a#c", Some("http://n/#d")),
        ("http://h/a#c/d", Some("http://n/x#c/d")),
    ] {
        assert_eq!(map.get(uri).as_deref(), expected, "{uri}");
    }
}

#[test]
fn trailing_slashes_are_neither_doubled_nor_lost() {
    assert_eq!(map(&["http://o=http://n/"]).get("http://o/x").as_deref(), Some("http://n/x"));
    assert_eq!(map(&["http://o/=http://n"]).get("http://o/x").as_deref(), Some("http://n/x"));
}

#[test]
fn invalid_entries_are_refused() {
    let refused = |entry| PrefixMap::default().insert_entry(entry).unwrap_err();
    assert_eq!(refused("http://h/"), PrefixMapError::NoSeparator);
    assert_eq!(refused("/a=http://h/"), PrefixMapError::OldNotAbsolute);
    assert_eq!(refused("docs/a=docs/b"), PrefixMapError::OldNotAbsolute);
    assert_eq!(refused("http://h/=/a"), PrefixMapError::NewNotAbsolute);
    assert_eq!(refused("mailto:a@b=c.example"), PrefixMapError::NewNotAbsolute);
    let file = PrefixMapError::FileName("index.html".into());
    assert_eq!(refused("index.html=start.html"), file);
}

#[test]
fn hosts_are_prefixes_of_http_and_https() {
    let map = map(&[
        "old.example=new.example",
        "old.example/docs=new.example/manual",
        "one.example=https://two.example:8/x",
        "three.example:80=four.example",
        "ftp://five.example=six.example",
        "http://old.example/docs/http=http://o/",
        "//intranet=//net",
    ]);
    for (uri, expected) in [
        ("http://old.example/a", Some("http://new.example/a")),
        ("HTTPS://OLD.example:443/docs?q", Some("https://new.example/manual?q")),
        ("https://old.example/docs/http/x", Some("https://new.example/manual/http/x")),
        ("http://old.example/docs/http/x", Some("http://o/x")),
        ("http://one.example", Some("https://two.example:8/x")),
        ("https://one.example/a", Some("https://two.example:8/x/a")),
        ("http://three.example", Some("http://four.example")),
        ("https://three.example", None),
        ("ftp://five.example/a", Some("ftp://six.example/a")),
        ("http://five.example/a", None),
        ("ftp://old.example/", None),
        ("https://intranet/a", Some("https://net/a")),
    ] {
        assert_eq!(map.get(uri).as_deref(), expected, "{uri}");
    }
    for (reference, expected) in [
        ("//old.example/a", Some("//new.example/a")),
        ("//old.example/docs/http/x", Some("//o/x")),
        ("//one.example/a", Some("https://two.example:8/x/a")),
        ("//five.example/", None),
    ] {
        assert_eq!(map.get_without_scheme(reference).as_deref(), expected, "{reference}");
    }
}

#[test]
fn entries_with_a_scheme_win_over_hosts() {
    for entries in [
        ["old.example=new.example", "http://old.example=ftp://o.example"],
        ["http://old.example=ftp://o.example", "old.example=new.example"],
    ] {
        let map = map(&entries);
        let get = |uri| map.get(uri);
        assert_eq!(get("http://old.example/a").as_deref(), Some("ftp://o.example/a"));
        assert_eq!(get("https://old.example/a").as_deref(), Some("https://new.example/a"));
        let without = map.get_without_scheme("//old.example/a");
        assert_eq!(without.as_deref(), Some("ftp://o.example/a"));
    }
    let mut map = map(&["old.example=new.example"]);
    let other = map.insert("old.example", "other.example");
    assert_eq!(other, Err(PrefixMapError::Duplicate));
    assert_eq!(map.insert("OLD.example/", "new.example"), Ok(()));
    assert!(map.mapped_again().next().is_none());
}

#[test]
fn exact_entries_match_only_their_uri_with_any_fragment() {
    let mut map = map(&["http://h/=http://n/"]);
    map.insert_exact("http://h/a", "http://x/b").unwrap();
    map.insert_exact("http://h/", "http://x/").unwrap();
    map.insert_exact("http://h/c#d", "http://x/d").unwrap();
    for (uri, expected) in [
        ("http://h/a", "http://x/b"),
        ("http://h/%61#f", "http://x/b#f"),
        ("http://h/a/b", "http://n/a/b"),
        ("http://h/a?q", "http://n/a?q"),
        ("http://H", "http://x/"),
        ("http://h/c#d", "http://x/d"),
        ("http://h/c#e", "http://n/c#e"),
    ] {
        assert_eq!(map.get(uri).as_deref(), Some(expected), "{uri}");
    }
    let other = map.insert_exact("http://h/a", "http://y/");
    assert_eq!(other, Err(PrefixMapError::Duplicate));
}

#[test]
fn uris_are_compared_normalized_and_keep_their_spelling() {
    let map = map(&[
        "HTTP://Host/a/../b%7e=http://n/1",
        "http://host/b~/c=http://n/2/",
        "http://q?x=http://n/3",
        "http://r=http://n/4",
        "file:///a=http://n/5",
        "http://s/%2f/=http://n/6/",
        "mailto:a@B=mailto:c@d",
        "foo://host:1=http://n/7",
        "gopher://localhost:70=http://n/8",
    ]);
    for (uri, expected) in [
        ("http://host/b~", "http://n/1"),
        ("http://HOST:80/b%7E/%7e?%7E#%7e", "http://n/1/%7e?%7E#%7e"),
        ("http://host/x/../b~/d", "http://n/1/d"),
        ("http://host/./b~/d?a/../b", "http://n/1/d?a/../b"),
        ("http://host/b~/%2E%2E/b~/%63?x", "http://n/2/?x"),
        ("http://host:/b~/%63/e", "http://n/2/e"),
        ("http://host/b~//c", "http://n/1//c"),
        ("http://s/%2f//", "http://n/6//"),
        ("http://host/b~/c/", "http://n/2/"),
        ("http://Q?x", "http://n/3"),
        ("http://q/?x#f", "http://n/3#f"),
        ("http://q:80?x#f/", "http://n/3#f/"),
        ("http://R", "http://n/4"),
        ("http://R/", "http://n/4/"),
        ("http://R?q", "http://n/4?q"),
        ("http://r:/a%7e", "http://n/4/a%7e"),
        ("http://r/x/../y", "http://n/4/y"),
        ("file://localhost/a/b", "http://n/5/b"),
        ("gopher://localhost", "http://n/8"),
        ("http://s/%2F/%2f", "http://n/6/%2f"),
        ("mailto:a@b?subject=x", "mailto:c@d?subject=x"),
        ("FOO://HOST:1/x", "http://n/7/x"),
        ("foo://host:1?x", "http://n/7?x"),
    ] {
        assert_eq!(map.get(uri).as_deref(), Some(expected), "{uri}");
    }
    for uri in [
        "http://host/B~", "http://host:8/b~", "http://host/b~c", "https://host/b~", "http://q",
        "http://q?xy", "http://q/x", "foo://host", "http://s//", "", "/b~", "host",
    ] {
        assert_eq!(map.get(uri), None, "{uri}");
    }
}

#[test]
fn a_scheme_is_a_prefix() {
    let map = map(&["http:=https:", "ftp://=http://ftp."]);
    let get = |uri| map.get(uri);
    assert_eq!(get("HTTP://h:8080/a?b").as_deref(), Some("https://h:8080/a?b"));
    assert_eq!(get("ftp://h/a").as_deref(), Some("http://ftp./h/a"));
    assert_eq!(get("https://h/a"), None);
    // A root without an authority is not a prefix of URIs with one.
    let map = self::map(&["http:/=http://n"]);
    assert_eq!(map.get("http://h/"), None);
    assert_eq!(map.get("http:/a").as_deref(), Some("http://n/a"));
}

#[test]
fn equivalent_prefixes_are_the_same() {
    let mut map = map(&["http://h/~a=http://n/"]);
    assert_eq!(map.insert("HTTP://h:80/%7ea", "http://n/"), Ok(()));
    assert_eq!(map.len(), 1);
    let twice = map.insert("http://h/%7Ea", "http://m/");
    assert_eq!(twice, Err(PrefixMapError::Duplicate));
}
