//! Command lines as a user types them, with what they print: those of tests/cmd, and those of the
//! README.

#[test]
fn command_lines() {
    trycmd::TestCases::new()
        .case("tests/cmd/*.trycmd")
        .case("tests/cmd/*.toml")
        .case("README.md");
}
