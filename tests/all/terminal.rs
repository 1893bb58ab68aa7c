//! A terminal for the output of commands.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// Runs a command whose standard output is a terminal, and returns what it prints there.
pub(crate) fn printed_on_terminal(command: &mut Command) -> String {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
    let terminal = openpt(flags).expect("a terminal");
    grantpt(&terminal).expect("a terminal of this user");
    unlockpt(&terminal).expect("an unlocked terminal");
    let name = ptsname(&terminal, Vec::new()).expect("its name");
    let name = Path::new(std::ffi::OsStr::from_bytes(name.to_bytes()));
    let side = || OpenOptions::new().read(true).write(true).open(name);
    // Keeps the terminal open until the command has ended: what it printed would be lost otherwise on some systems.
    let open = side().expect("the other side");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(side().expect("the other side"))
        .spawn()
        .expect("rehref runs");
    // The command keeps its side of the terminal open.
    command.stdout(Stdio::null());
    let mut terminal = File::from(terminal);
    let reader = std::thread::spawn(move || -> io::Result<Vec<u8>> {
        let mut printed = Vec::new();
        // The end is an error on Linux.
        match terminal.read_to_end(&mut printed) {
            Err(error) if error.raw_os_error() != Some(rustix::io::Errno::IO.raw_os_error()) => {
                Err(error)
            }
            _ => Ok(printed),
        }
    });
    child.wait().expect("rehref ends");
    drop(open);
    let printed = reader.join().expect("a reader").expect("what is printed");
    String::from_utf8(printed)
        .expect("text")
        .replace("\r\n", "\n")
}
