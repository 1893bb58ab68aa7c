//! A terminal for the output of commands.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::support::tree::{Has, Tree};

/// Runs a command whose standard output is a terminal, and returns what it prints there.
pub(crate) fn printed_on_terminal(command: &mut Command) -> String {
    let out = Terminal::new();
    run(command.stdout(out.side()));
    out.printed()
}

/// Runs a command whose standard output and standard error are terminals of their own, and returns
/// what it prints on each.
pub(crate) fn printed_on_terminals(command: &mut Command) -> (String, String) {
    let (out, err) = (Terminal::new(), Terminal::new());
    run(command.stdout(out.side()).stderr(err.side()));
    (out.printed(), err.printed())
}

/// Runs a command whose standard error is a terminal, and whose standard input ends after this
/// time. Returns what it prints there, and how long it ran.
fn errors_on_terminal(command: &mut Command, input: Duration) -> (String, Duration) {
    let (err, start) = (Terminal::new(), Instant::now());
    command.stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.stderr(err.side()).spawn().expect("rehref runs");
    thread::sleep(input);
    drop(child.stdin.take());
    child.wait().expect("rehref ends");
    let elapsed = start.elapsed();
    command.stderr(Stdio::null());
    (err.printed(), elapsed)
}

#[test]
fn progress_is_painted_at_most_15_times_a_second() {
    let tree = Tree::new(&[("a.html", "<a href=x>")]);
    // Each file prints a link. Those after standard input are printed at once when it ends.
    let mut command = tree.command(format!("extract -H -{}", " a.html".repeat(3000)));
    // A bar is shown after half a second.
    let (printed, elapsed) = errors_on_terminal(&mut command, Duration::from_millis(700));
    let paintings = printed.matches(" of 3001 files").count() as f64;
    assert!(paintings > 0.0, "{printed}");
    let most = elapsed.as_secs_f64() * 15.0 + 1.0;
    assert!(paintings <= most, "{paintings} in {elapsed:?}");
}

#[test]
fn progress_of_one_long_text_shows_its_bytes_and_that_of_a_directory_a_number() {
    let tree = Tree::new(&[("d/a.html", "<a href=x>")]);
    let mut lines = 100_000;
    // A run of less than half a second has no progress, and a short text is read at once. Each run
    // may take less time than the one before.
    loop {
        tree.write("d/long.txt", "See http://a.example/ there.\n".repeat(lines));
        let (_, text) = printed_on_terminals(&mut tree.command("extract -c d/long.txt"));
        let (_, directory) = printed_on_terminals(&mut tree.command("extract -c d"));
        if text.contains("MiB of ") && directory.contains(" files") {
            text.lacks("of this one");
            directory.has("of this one").lacks("of 2 files");
            return;
        }
        assert!(lines < 20_000_000, "no progress is shown: {text:?}, {directory:?}");
        lines *= 2;
    }
}

/// Runs a command, which has its sides of terminals no longer when it has ended.
fn run(command: &mut Command) {
    let mut child = command.stdin(Stdio::null()).spawn().expect("rehref runs");
    child.wait().expect("rehref ends");
    command.stdout(Stdio::null()).stderr(Stdio::null());
}

/// A terminal of unknown size.
struct Terminal {
    /// Keeps the terminal open until the command has ended: what it printed would be lost otherwise
    /// on some systems.
    open: File,
    reader: JoinHandle<io::Result<Vec<u8>>>,
}

impl Terminal {
    fn new() -> Self {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
        let terminal = openpt(flags).expect("a terminal");
        grantpt(&terminal).expect("a terminal of this user");
        unlockpt(&terminal).expect("an unlocked terminal");
        let name = ptsname(&terminal, Vec::new()).expect("its name");
        let name = Path::new(OsStr::from_bytes(name.to_bytes()));
        let open = OpenOptions::new().read(true).write(true).open(name);
        let mut terminal = File::from(terminal);
        let reader = thread::spawn(move || {
            let mut printed = Vec::new();
            // The end is an error on Linux.
            match terminal.read_to_end(&mut printed) {
                Err(error)
                    if error.raw_os_error() != Some(rustix::io::Errno::IO.raw_os_error()) =>
                {
                    Err(error)
                }
                _ => Ok(printed),
            }
        });
        Self { open: open.expect("the other side"), reader }
    }

    /// The side of a command.
    fn side(&self) -> File {
        self.open.try_clone().expect("the other side")
    }

    /// The output of the command, with line feeds at the ends of lines.
    fn printed(self) -> String {
        drop(self.open);
        let printed = self.reader.join().expect("a reader");
        let printed = String::from_utf8(printed.expect("what is printed"));
        printed.expect("text").replace("\r\n", "\n")
    }
}
