//! The command `rehref` as a release build, and the programs of peers.

use std::env;
use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::machine;
use crate::rounds::Pass;

/// The directory of the project.
pub(crate) fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate is in the project")
}

/// The path of the command `rehref`: that of the environment variable `REHREF`, or one that is
/// built first, in the profile of this program.
///
/// # Panics
/// If it does not build.
pub(crate) fn rehref() -> PathBuf {
    if let Some(path) = env::var_os("REHREF") {
        return path.into();
    }
    let own = env::current_exe().expect("a benchmark is a file");
    // A benchmark is target/PROFILE/deps/NAME-HASH.
    let directory = own.ancestors().nth(2).expect("a benchmark is in two directories");
    let profile = directory.file_name().expect("a directory with a name");
    let profile = if profile == "debug" { "dev" } else { "bench" };
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .current_dir(project())
        .args(["build", "--quiet", "--package=rehref-cli", "--bin=rehref", "--profile"])
        .arg(profile)
        .status();
    assert!(built.is_ok_and(|status| status.success()), "the command has to build");
    let name = Path::new("rehref").with_extension(env::consts::EXE_EXTENSION);
    directory.join(name)
}

/// A program of a peer.
pub(crate) struct Program {
    pub(crate) path: OsString,
    /// Its name with its version.
    pub(crate) name: String,
}

impl Program {
    /// The program that an environment variable names, or of its usual name in PATH. An error says
    /// how to name it.
    pub(crate) fn find(usual: &str, variable: &str) -> Result<Self, String> {
        let path = env::var_os(variable).unwrap_or_else(|| usual.into());
        match machine::first_line(Command::new(&path).arg("--version")) {
            Some(version) => {
                let number = version
                    .split_whitespace()
                    .find(|it| it.starts_with(|it: char| it.is_ascii_digit()));
                let name = format!("{usual} {}", number.unwrap_or(&version));
                Ok(Self { path, name })
            }
            None => Err(format!("{usual}: missing; set {variable} to the path of the program")),
        }
    }
}

/// Runs a command without output and returns its time. `found` is what an earlier run found. Any
/// exit code will do: programs that check links have several for broken ones.
///
/// # Panics
/// If the command does not start, or if it is ended by a signal.
pub(crate) fn pass(command: &mut Command, found: usize) -> Pass {
    command.stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let status = command.status();
    let time = start.elapsed();
    assert!(status.as_ref().is_ok_and(|it| it.code().is_some()), "{command:?}: {status:?}");
    Pass { time, found }
}

/// Like [`pass`], with the processor time of the command, of all its threads: by the clock where
/// that is not known.
///
/// # Panics
/// If the command does not start, or if it is ended by a signal.
#[cfg(unix)]
pub(crate) fn processor_pass(command: &mut Command, found: usize) -> Pass {
    use wait4::Wait4;

    command.stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let ended = command.spawn().and_then(|mut it| it.wait4());
    let ended = ended.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(ended.status.code().is_some(), "{command:?}: {ended:?}");
    Pass { time: ended.rusage.utime + ended.rusage.stime, found }
}

#[cfg(not(unix))]
pub(crate) fn processor_pass(command: &mut Command, found: usize) -> Pass {
    pass(command, found)
}

/// The processor time of this thread, or the time since the first call where that is not known.
#[cfg(unix)]
pub(crate) fn thread_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};

    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(unix))]
pub(crate) fn thread_time() -> Duration {
    use std::sync::LazyLock;

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// The standard output of a command.
///
/// # Panics
/// If the command does not start.
pub(crate) fn output(command: &mut Command) -> Vec<u8> {
    match command.stdin(Stdio::null()).output() {
        Ok(output) => output.stdout,
        Err(error) => panic!("{command:?}: {error}"),
    }
}

/// A directory for large files and new trees, removed in the end. The environment variable
/// `SCRATCH` names another parent, such as a directory in memory.
///
/// # Panics
/// If it cannot be made.
pub(crate) fn scratch() -> tempfile::TempDir {
    // In the build directory, because the directory for temporary files may be in memory.
    let parent = env::var_os("SCRATCH").map_or_else(|| project().join("target/tmp"), PathBuf::from);
    fs::create_dir_all(&parent).expect("a directory for scratch files");
    tempfile::tempdir_in(parent).expect("a directory for scratch files")
}

/// A directory for small files, in memory if the system has a place for that. Otherwise, and where
/// the environment variable `SCRATCH` is set, like [`scratch`].
///
/// # Panics
/// If it cannot be made.
pub(crate) fn scratch_in_memory() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    match env::var_os("SCRATCH").is_none() && memory.is_dir() {
        true => tempfile::tempdir_in(memory).expect("a directory for scratch files"),
        false => scratch(),
    }
}

/// Writes a file of about `size` bytes that repeats a text.
///
/// # Panics
/// If it cannot be written.
pub(crate) fn write_repeated(path: &Path, text: &[u8], size: usize) -> u64 {
    use std::io::Write;
    let mut file = File::create(path).expect("a scratch file");
    let times = (size / text.len().max(1)).max(1);
    for _ in 0..times {
        file.write_all(text).expect("space for scratch files");
    }
    // Not while others are measured.
    file.sync_all().expect("space for scratch files");
    (times * text.len()) as u64
}
