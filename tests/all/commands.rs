//! The command lines of tests/cmd and of the README, with their output.

#[test]
fn command_lines_print_the_expected_output() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd").case("tests/cmd/*.toml").case("README.md");
}
