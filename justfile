# Lists the recipes.
default:
    @just --list

# What CI runs.
ci:
    .ci/run

# The quick tier of the tests.
test:
    cargo test

# The deep tier: the same tests with more cases, larger inputs and more kills.
deep:
    REHREF_DEEP=1 CARGO_PROFILE_DEV_OPT_LEVEL=1 cargo test --test all

# Rewrites the expected files of corpus/ and the command lines. Read the diff.
bless:
    REHREF_BLESS=1 TRYCMD=overwrite cargo test

# Checks the packages without their features, and with those that no default build has.
features:
    .ci/features

# Formats the code.
fmt:
    cargo fmt

# Licenses and advisories of the dependencies (needs cargo-deny and cargo-audit). All of it is required for a release.
audit:
    .ci/audit --release

# The guide as a book, in target/book (needs mdBook).
book:
    .ci/book

# What a release holds for this system, in target/release-files.
release:
    scripts/release

# The documentation as docs.rs shows it.
doc:
    cargo doc --no-deps --all-features --open

# Runs everything beside its peers and writes BENCHMARKS.md: `just peers --pages DIR --tree DIR`, see there.
peers *ARGUMENTS:
    cargo bench -p rehref-benches --bench peers -- {{ARGUMENTS}}
