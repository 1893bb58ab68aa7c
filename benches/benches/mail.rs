//! The links of mail beside other libraries. A PATH has mail.

fn main() -> std::process::ExitCode {
    rehref_benches::run("mail")
}
