//! Laws of `rehref::uri`, on random input, and comparisons with other libraries.

use iri_string::format::ToDedicatedString;
use proptest::prelude::*;
use rehref::bytes::percent;
use rehref::uri::{
    AboveRoot, Authority, Grammar, HostKind, Outcome, Parts, Profile, Reference, Resolved,
    Resolver, SameScheme, Step,
};

use crate::linear;
use crate::tier;

/// Texts full of delimiters, dots, colons, empty segments and broken escapes.
fn reference() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "/", "/", "/", ".", "..", "/..", "/./", "../", "a", "b", "g", ":", "?", "#", "//", ";x=1",
        "http:", "foo:", "%2e", "%2F", "%", "[", "]", "@", "é", "\u{E000}", " ", "1", "~",
    ]);
    prop::collection::vec(piece, 0..10).prop_map(|pieces| pieces.concat())
}

/// Valid references without what libraries resolve in their own ways.
fn plain_reference() -> impl Strategy<Value = String> {
    reference().prop_filter("a reference without encoded dots", |text| {
        Reference::parse(text).is_ok() && !text.contains("%2e")
    })
}

/// Absolute bases with all forms of authority and path.
fn base() -> impl Strategy<Value = String> {
    let before = prop::sample::select(vec!["http://a", "foo:", "foo://", "file://", "urn:x:"]);
    let piece =
        prop::sample::select(vec!["/", "/b", "/c", "/..", "/.", "d", "//", "?q", ";p", "é"]);
    (before, prop::collection::vec(piece, 0..6))
        .prop_map(|(before, pieces)| format!("{before}{}", pieces.concat()))
        .prop_filter("a base by the grammar", |text| Reference::parse(text).is_ok())
}

fn resolver() -> impl Strategy<Value = Resolver> {
    (
        prop::sample::select(Profile::ALL),
        prop::sample::select(AboveRoot::ALL),
        prop::sample::select(SameScheme::ALL),
    )
        .prop_map(|(profile, above_root, same_scheme)| Resolver {
            profile,
            above_root,
            same_scheme,
        })
}

fn target(resolver: &Resolver, base: &str, reference: &str) -> Option<String> {
    match resolver.resolve(base, reference) {
        Ok(Resolved::Target(target)) => Some(target),
        _ => None,
    }
}

/// Returns true if the path of a target would be read as an authority. Libraries refuse or change
/// such targets.
fn is_hazard(base: &str, reference: &str, target: &str) -> bool {
    let wanted = Parts::split(reference);
    let wanted = if wanted.scheme.is_some() || wanted.authority.is_some() {
        wanted.authority
    } else {
        Parts::split(base).authority
    };
    Parts::split(target).authority != wanted
}

/// The algorithm of the specifications before RFC 3986, literally: remove patterns from a buffer,
/// the leftmost first, until none is left.
fn removed_by_patterns(buffer: &str) -> String {
    let mut buffer = buffer.to_owned();
    // Starts of complete segments, except for the empty one before a leading slash.
    let starts = |buffer: &str| -> Vec<usize> {
        let after = buffer.match_indices('/').map(|(i, _)| i + 1);
        let first = (!buffer.starts_with('/')).then_some(0);
        first.into_iter().chain(after).collect()
    };
    while let Some(at) = starts(&buffer).into_iter().find(|&at| buffer[at..].starts_with("./")) {
        buffer.replace_range(at..at + 2, "");
    }
    if buffer == "." || buffer.ends_with("/.") {
        buffer.pop();
    }
    loop {
        let found = starts(&buffer).into_iter().find_map(|at| {
            let end = at + buffer[at..].find('/')?;
            (buffer[at..end] != *".." && buffer[end..].starts_with("/../")).then_some((at, end))
        });
        let Some((at, end)) = found else { break };
        buffer.replace_range(at..end + "/../".len(), "");
    }
    let last = starts(&buffer).into_iter().rev().nth(1);
    if let Some(at) = last
        && buffer.ends_with("/..")
        && buffer[at..buffer.len() - 3] != *".."
    {
        buffer.truncate(at);
    }
    buffer
}

/// The kind of a host by fluent-uri.
fn kind_of(host: fluent_uri::component::Host<'_, impl fluent_uri::pct_enc::Encoder>) -> HostKind {
    use fluent_uri::component::Host;
    match host {
        Host::Ipv4 { .. } => HostKind::Ipv4,
        Host::Ipv6 { .. } => HostKind::Ipv6,
        Host::IpvFuture { .. } => HostKind::IpFuture,
        _ => HostKind::Name,
    }
}

proptest! {
    #![proptest_config(tier::cases(4000))]

    #[test]
    fn recomposing_undoes_splitting(text in prop_oneof![reference(), any::<String>()]) {
        let mut out = String::new();
        Parts::split(&text).write_to(&mut out);
        prop_assert_eq!(&out, &text);
        prop_assert_eq!(Parts::split(&text).to_string(), text);
    }

    #[test]
    fn arbitrary_text_does_not_panic(
        resolver in resolver(),
        base in prop_oneof![base(), reference(), any::<String>()],
        reference in prop_oneof![reference(), any::<String>()],
    ) {
        let _ = resolver.resolve(&base, &reference);
        let _ = resolver.relative_reference(&base, &reference);
        let _ = resolver.relative_path_reference(&base, &reference);
        let _ = resolver.is_same_document(Some(&base), &reference);
        let _ = Reference::parse(&reference);
        let _ = percent::decode(&reference);
    }

    /// Resolving parsed or split references, explained or not, gives the same result.
    #[test]
    fn all_resolving_functions_agree(
        resolver in resolver(),
        base in base(),
        reference in reference(),
    ) {
        let ready = resolver.base(&base).map_err(|error| error.kind());
        let (expected, step) = match &ready {
            Ok(ready) => match ready.explain(reference.as_str()) {
                Ok((resolved, step)) => (Ok(resolved), step),
                Err(error) => {
                    let step = error.step().expect("the base is one");
                    (Err(error), step)
                }
            },
            // The WHATWG parser refuses some hosts.
            Err(_) => return Ok(()),
        };
        let ready = ready.expect("it is one");
        prop_assert_eq!(&resolver.resolve(&base, &reference), &expected);
        let parsed = Reference::parse(&reference);
        if let Ok(parsed) = parsed {
            prop_assert_eq!(parsed, Reference::split(&reference));
        }
        let mut out = String::from("old");
        let outcome = ready.resolve_into(parsed.unwrap_or(reference.as_str().into()), &mut out);
        match (&expected, outcome) {
            (Ok(Resolved::Target(target)), Ok(Outcome::Target)) => prop_assert_eq!(target, &out),
            (Ok(Resolved::CurrentDocument { .. }), Ok(Outcome::CurrentDocument)) => {
                prop_assert_eq!(step, Step::CurrentDocument);
                prop_assert_eq!(&out, "");
            }
            (Err(error), Err(other)) => prop_assert_eq!(error, &other),
            (expected, outcome) => {
                return Err(TestCaseError::fail(format!("{expected:?}, {outcome:?}")));
            }
        }
        match &expected {
            Err(error) => {
                // The WHATWG parser gives no single rule.
                if step != Step::Whatwg {
                    prop_assert_eq!(error.rule(), step.rule(resolver.profile));
                }
                prop_assert_eq!(error.profile(), resolver.profile);
                prop_assert!(error.accepted_by().all(|it| it != resolver.profile));
            }
            Ok(Resolved::Target(target)) => match step {
                Step::Absolute if resolver.profile != Profile::Rfc3986 => {
                    prop_assert_eq!(target, &reference);
                }
                Step::Absolute => {
                    let ours = Reference::split(&reference).parts();
                    let theirs = Reference::split(target).parts();
                    prop_assert_eq!(ours.scheme, theirs.scheme);
                    prop_assert_eq!(ours.query, theirs.query);
                }
                Step::NetworkPath => prop_assert!(reference.starts_with("//")),
                Step::AbsolutePath => prop_assert!(reference.starts_with('/')),
                Step::EmptyPath => prop_assert_eq!(Parts::split(&reference).path, ""),
                Step::SchemeDropped => prop_assert_eq!(resolver.same_scheme, SameScheme::Compat),
                Step::AboveRootRetained => prop_assert!(target.contains("..")),
                Step::AboveRootRemoved => {
                    prop_assert!(reference.contains("..") || base.contains(".."));
                }
                Step::MergedPath => prop_assert!(!reference.starts_with('/')),
                Step::Whatwg => prop_assert_eq!(resolver.profile, Profile::Whatwg),
                other => return Err(TestCaseError::fail(format!("{other:?}"))),
            },
            Ok(_) => {}
        }
    }

    #[test]
    fn error_ranges_are_within_the_reference(base in base(), reference in reference()) {
        let resolver = Resolver {
            profile: Profile::Rfc2396,
            above_root: AboveRoot::Avoid,
            same_scheme: SameScheme::Compat,
        };
        if let Err(error) = resolver.resolve(&base, &reference)
            && let Some(range) = error.range()
        {
            prop_assert_eq!(&reference[range], "..");
        }
    }

    #[test]
    fn dot_segments_are_removed_as_by_the_patterns(
        base in prop::sample::select(vec!["x://a/b//c/d", "x:", "x:b/c", "x:/b/../../c"]),
        path in "(\\.|\\.\\.|a|)(/(\\.|\\.\\.|a||\\.\\.b)){0,8}",
    ) {
        prop_assume!(!path.is_empty() && !path.starts_with('/'));
        let resolver = Resolver { profile: Profile::Rfc2396, ..Resolver::default() };
        let parts = Parts::split(base);
        let directory = &parts.path[..parts.path.rfind('/').map_or(0, |i| i + 1)];
        let before = &base[..base.len() - parts.path.len()];
        let expected = removed_by_patterns(&format!("{directory}{path}"));
        prop_assert_eq!(target(&resolver, base, &path), Some(format!("{before}{expected}")));
    }

    /// The WHATWG grammar accepts exactly the references that resolve.
    #[test]
    fn whatwg_accepts_what_it_resolves(reference in prop_oneof![reference(), any::<String>()]) {
        let resolver = Resolver { profile: Profile::Whatwg, ..Resolver::default() };
        let resolved = resolver.resolve("http://base/", &reference);
        prop_assert_eq!(Grammar::Whatwg.check(&reference).is_ok(), resolved.is_ok());
    }

    #[test]
    fn targets_equal_those_of_oxiri(base in base(), reference in plain_reference()) {
        let ours = target(&Resolver::default(), &base, &reference).expect("no RFC 3986 failure");
        let theirs = oxiri::Iri::parse(base.as_str())
            .expect("the base is valid")
            .resolve_unchecked(&oxiri::IriRef::parse(reference.as_str()).expect("it is valid"));
        prop_assert_eq!(ours, theirs.as_str());
    }

    #[test]
    fn targets_equal_those_of_iri_string(base in base(), reference in plain_reference()) {
        let ours = target(&Resolver::default(), &base, &reference).expect("no RFC 3986 failure");
        prop_assume!(!is_hazard(&base, &reference, &ours));
        let base = iri_string::types::IriAbsoluteStr::new(&base).expect("the base is valid");
        let reference = iri_string::types::IriReferenceStr::new(&reference).expect("it is valid");
        let theirs = reference.resolve_against(base).to_dedicated_string();
        prop_assert_eq!(ours, theirs.as_str());
    }

    #[test]
    fn relative_references_resolve_to_their_target(
        resolver in resolver(),
        base in base(),
        reference in prop_oneof![reference(), base()],
    ) {
        let target = target(&resolver, &base, &reference).unwrap_or(reference);
        for path_only in [false, true] {
            let relative = if path_only {
                resolver.relative_path_reference(&base, &target)
            } else {
                resolver.relative_reference(&base, &target)
            };
            let Some(relative) = relative else { continue };
            prop_assert_eq!(
                resolver.resolve(&base, &relative),
                Ok(Resolved::Target(target.clone())),
                "{}", relative
            );
            prop_assert!(Reference::parse(&relative).is_ok() || Reference::parse(&target).is_err());
            if path_only {
                let parts = Parts::split(&relative);
                prop_assert_eq!((parts.scheme, parts.authority), (None, None));
                prop_assert!(!relative.starts_with('/'));
            }
        }
    }

    /// A relative reference is at most as long as any other reference to its target.
    #[test]
    fn relative_references_are_shortest(
        resolver in resolver(),
        base in base(),
        // "1:x" resolves, but is not valid.
        reference in reference().prop_filter("a reference", |text| Reference::parse(text).is_ok()),
    ) {
        let mut target = String::new();
        let ready = resolver.base(&base).expect("it is absolute");
        let outcome = ready.resolve_into(reference.as_str(), &mut target);
        prop_assume!(outcome == Ok(Outcome::Target));
        // Strictly, such a target is reached from an authority that it does not have.
        prop_assume!(!is_hazard(&base, &reference, &target));
        // Under WHATWG, spaces, tabs and backslashes are further spellings of the same reference.
        prop_assume!(resolver.profile != Profile::Whatwg);
        let Some(relative) = ready.relative_reference(&target) else {
            return Err(TestCaseError::fail(format!("no way back to {target}")));
        };
        prop_assert!(relative.len() <= reference.len(), "{relative} for {target}");
    }

    #[test]
    fn syntax_equals_that_of_fluent_uri(text in prop_oneof![
        reference(),
        any::<String>(),
        "[a-z%:/?#@.\u{80}-\u{A0}\u{E000}\u{FDD0}\u{FFFE}\u{E0000}\u{10FFFD}]{0,8}",
        "//([a:]{0,4}@)?\\[[0-9a-f:.vV]{0,12}\\]?(:[0-9a]{0,3})?/?",
        "//\\[((0|1a|fFfF|12345)?:){0,8}(:|1|::1|1\\.2\\.3\\.4|1\\.2\\.3|01\\.2\\.3\\.4|256\\.1\\.1\\.1)?\\]",
    ]) {
        let theirs = fluent_uri::IriRef::parse(text.as_str());
        match Reference::parse(&text) {
            Ok(_) => {
                prop_assert!(theirs.is_ok(), "{:?}", theirs);
                let theirs = theirs.expect("just asked");
                let ours = Grammar::Rfc3987.parse(&text);
                let authority = theirs.authority();
                prop_assert_eq!(ours.parts.scheme, theirs.scheme().map(|it| it.as_str()));
                prop_assert_eq!(ours.parts.authority, authority.map(|it| it.as_str()));
                prop_assert_eq!(ours.parts.path, theirs.path().as_str());
                prop_assert_eq!(ours.parts.query, theirs.query().map(|it| it.as_str()));
                prop_assert_eq!(ours.parts.fragment, theirs.fragment().map(|it| it.as_str()));
                let server = ours.server();
                let userinfo = authority.and_then(|it| it.userinfo());
                let port = authority.and_then(|it| it.port());
                prop_assert_eq!(server.map(|it| it.host), authority.map(|it| it.host()));
                prop_assert_eq!(
                    server.and_then(|it| it.userinfo),
                    userinfo.map(|it| it.as_str())
                );
                prop_assert_eq!(server.and_then(|it| it.port), port.map(|it| it.as_str()));
                let kind = match ours.authority {
                    Some(Authority::Server { host_kind, .. }) => Some(host_kind),
                    _ => None,
                };
                prop_assert_eq!(kind, authority.map(|it| kind_of(it.host_parsed())));
            }
            Err(error) => {
                prop_assert!(theirs.is_err(), "{:?}", error);
                prop_assert!(text.get(error.range()).is_some(), "{:?}", error);
            }
        }
    }

    #[test]
    fn file_names_survive_a_round_trip(bytes in prop::collection::vec(any::<u8>(), 0..20)) {
        let mut segment = String::new();
        percent::encode_path_segment(&bytes, &mut segment);
        prop_assert_eq!(Grammar::Rfc3987.check(&["/", &segment].concat()), Ok(()));
        prop_assert_eq!(&*percent::decode(&segment), &bytes[..]);
    }
}

#[test]
fn costs_are_linear() {
    for family in ["⟦../⟧", "⟦a/⟧", "⟦a/../⟧", "⟦/⟧", "⟦.//⟧", "a/⟦../a/⟧b"]
    {
        linear::assert_linear(family, |path| {
            for &profile in Profile::ALL {
                // The WHATWG parser is another crate.
                if profile != Profile::Whatwg {
                    resolve_all_ways(profile, path);
                }
            }
        });
    }
}

/// Many references that all climb to the root of one long base.
#[test]
fn costs_are_linear_in_the_number_of_references() {
    let mut base = None;
    linear::assert_linear("⟦a/⟧", |path| {
        let base = base.get_or_insert_with(|| {
            let base = format!("http://a/{}", "b/".repeat(1000));
            Resolver::default().base(&base).expect("it is absolute")
        });
        let mut out = String::new();
        for reference in path.as_bytes().chunks(500) {
            let reference = std::str::from_utf8(reference).expect("ASCII");
            let _ = base.resolve_into(reference, &mut out);
            let climbs = "../".repeat(reference.len() / 3);
            let _ = base.resolve_into(climbs.as_str(), &mut out);
        }
    });
}

fn resolve_all_ways(profile: Profile, path: &str) {
    let base = format!("http://a/{path}");
    for &above_root in AboveRoot::ALL {
        let resolver = Resolver { profile, above_root, ..Resolver::default() };
        let _ = resolver.resolve("http://a/b/c", path);
        let _ = resolver.resolve(&base, "g");
        let _ = resolver.relative_reference(&base, "http://a/g");
        let _ = resolver.relative_reference("http://a/b/c", &base);
    }
}
