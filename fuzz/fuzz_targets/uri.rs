//! Resolves any reference against any base with every profile. Nothing panics, errors are within
//! the text, relative references resolve to their target, and normal forms are stable.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rehref::uri::{
    AboveRoot, Equivalence, Grammar, Profile, Reference, Resolved, Resolver, SameScheme,
    iri_to_uri, normalize,
};

fuzz_target!(|data: (u8, &str, &str)| {
    let (policies, base, reference) = data;
    for &grammar in Grammar::ALL {
        if let Some(error) = grammar.parse(reference).error {
            assert!(reference.get(error.range()).is_some(), "{error:?}");
        }
    }
    for &level in Equivalence::ALL {
        let once = normalize(reference, level);
        assert_eq!(normalize(&once, level), once);
    }
    assert!(iri_to_uri(reference).is_ascii());
    for &profile in Profile::ALL {
        let resolver = Resolver {
            profile,
            above_root: AboveRoot::ALL[usize::from(policies) % AboveRoot::ALL.len()],
            same_scheme: SameScheme::ALL[usize::from(policies >> 4) % SameScheme::ALL.len()],
        };
        let Ok(base) = resolver.base(base) else {
            continue;
        };
        let resolved = base.resolve(reference);
        if let Ok(parsed) = Reference::parse(reference) {
            assert_eq!(base.resolve(parsed), resolved);
        }
        let Ok(Resolved::Target(target)) = resolved else {
            continue;
        };
        for relative in [base.relative_reference(&target), base.relative_path_reference(&target)] {
            let back = relative.map(|relative| base.resolve(relative.as_str()));
            assert!(back.is_none_or(|back| back == Ok(Resolved::Target(target.clone()))));
        }
    }
});
