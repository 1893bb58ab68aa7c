//! Resolving against a prepared base allocates nothing.

use rehref::uri::{AboveRoot, Profile, Reference, Resolver, SameScheme};

/// References of all forms, each different from the last.
fn references() -> Vec<String> {
    let shapes = [
        "#", "?", "", "/", "//h/", "./", "../", "../../../../../", "a/../", "http:", "ftp://h/../",
        "a/b/c/d/", "\u{E9}/", "%41/", ".x/", "../..",
    ];
    (0..10_000).map(|number| format!("{}{number}", shapes[number % shapes.len()])).collect()
}

#[test]
fn resolving_allocates_nothing() {
    let references = references();
    let of_rfcs = Profile::ALL.iter().filter(|&&it| it != Profile::Whatwg);
    for &profile in of_rfcs {
        // Refusing to climb above the root makes an error, which keeps its base and reference.
        for above_root in [AboveRoot::Retain, AboveRoot::Remove] {
            for &same_scheme in SameScheme::ALL {
                let resolver = Resolver { profile, above_root, same_scheme };
                assert_eq!(allocations(resolver, &references), 0, "{resolver:?}");
            }
        }
    }
}

/// The number of allocations to parse, split and resolve each reference.
fn allocations(resolver: Resolver, references: &[String]) -> u64 {
    let base = resolver.base("http://a/b/../c/d;p?q").expect("it is absolute");
    let mut target = String::with_capacity(100);
    let measured = allocation_counter::measure(|| {
        for reference in references {
            let parsed = Reference::parse(reference).expect("it is a reference");
            for reference in [parsed, reference.as_str().into()] {
                base.resolve_into(reference, &mut target).expect("it has a target");
            }
        }
    });
    measured.count_total
}
