//! The peak memory of a command.
//!
//! The kernel also counts the memory that a process shares with its parent before it runs its
//! program. So its parent has to be a small process: this program again, with [`WRAP`] as its first
//! argument.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// True if this system reports the peak memory of a process.
pub(crate) const IS_KNOWN: bool = cfg!(unix);

/// The argument that makes this program run the command that follows, and print its peak memory to
/// standard error.
const WRAP: &str = "--print-peak-memory-of";

/// The most memory that `program` has at once, in bytes.
///
/// # Panics
/// If the program fails.
pub(crate) fn of(
    directory: &Path,
    program: &Path,
    arguments: &[&str],
    input: Stdio,
    output: Stdio,
) -> u64 {
    let own = env::current_exe().expect("a benchmark is a file");
    let mut wrapper = Command::new(own);
    wrapper.current_dir(directory).arg(WRAP).arg(program).args(arguments);
    let wrapped = wrapper.stdin(input).stdout(output).stderr(Stdio::piped()).spawn();
    let ended = wrapped.and_then(|it| it.wait_with_output()).expect("a benchmark starts");
    let text = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{program:?} {arguments:?}: {text}");
    text.trim().parse().expect("the peak memory in bytes")
}

/// Runs the command of a process that [`of`] started.
pub(crate) fn as_wrapper() -> Option<ExitCode> {
    let mut arguments = env::args_os().skip(1);
    if arguments.next().is_none_or(|it| it != WRAP) {
        return None;
    }
    let program = arguments.next()?;
    Some(wrap(Command::new(program).args(arguments.collect::<Vec<OsString>>())))
}

#[cfg(unix)]
#[expect(clippy::print_stderr, reason = "the result")]
fn wrap(command: &mut Command) -> ExitCode {
    use wait4::Wait4;

    let started = command.stderr(Stdio::null()).spawn();
    match started.and_then(|mut it| it.wait4()) {
        Ok(ended) if ended.status.success() => {
            eprintln!("{}", ended.rusage.maxrss);
            ExitCode::SUCCESS
        }
        ended => {
            eprintln!("{command:?}: {ended:?}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(not(unix))]
fn wrap(_: &mut Command) -> ExitCode {
    ExitCode::FAILURE
}
