//! How many cases the laws try.

use proptest::prelude::ProptestConfig;

/// The configuration of a law that tries so many cases, or as many as the environment variable `PROPTEST_CASES` says.
pub(crate) fn config(cases: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok();
    let cases = asked.map_or(cases, |asked| asked.parse().expect("a number of cases"));
    ProptestConfig {
        cases,
        failure_persistence: None,
        max_global_rejects: cases.saturating_mul(20),
        ..ProptestConfig::default()
    }
}
