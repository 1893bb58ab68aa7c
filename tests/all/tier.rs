//! The two tiers of the tests. `cargo test` runs the quick tier. With `REHREF_DEEP=1` it runs the
//! deep tier: the same tests with more cases, larger inputs and more kills.

use proptest::prelude::ProptestConfig;

/// The maximum number of cases of a property in the quick tier.
const QUICK_CASES: u32 = 64;

/// The value for the current tier.
pub(crate) fn pick<T>(quick: T, deep: T) -> T {
    let is_deep = std::env::var_os("REHREF_DEEP").is_some_and(|it| !it.is_empty() && it != "0");
    if is_deep { deep } else { quick }
}

/// The configuration of a property with this number of cases in the deep tier, or the number in the
/// environment variable `PROPTEST_CASES`.
pub(crate) fn cases(deep: u32) -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok();
    let cases = asked.map_or(pick(deep.min(QUICK_CASES), deep), |asked| {
        asked.parse().expect("a number of cases")
    });
    ProptestConfig {
        cases,
        failure_persistence: None,
        max_global_rejects: cases.saturating_mul(20),
        ..ProptestConfig::default()
    }
}
