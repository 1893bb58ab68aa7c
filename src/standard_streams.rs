//! Standard streams that are closed.
//!
//! The runtime of Rust opens `/dev/null` in place of a closed standard stream before `main`, and
//! its standard output succeeds even if the system answers "bad file descriptor". So a run with
//! `>&-` ends as if its results had been written. No function that runs later can detect this,
//! since users open `/dev/null` as well.

use std::io::{self, Write};

/// Standard output without a buffer. Unlike that of `std`, it fails if it is closed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StandardOutput;

impl Write for StandardOutput {
    #[cfg(unix)]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(rustix::io::write(io::stdout(), bytes)?)
    }

    #[cfg(not(unix))]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut stdout = io::stdout();
        stdout.write_all(bytes)?;
        stdout.flush().map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(unix)]
#[allow(unsafe_code)]
mod before_main {
    use std::os::fd::{AsRawFd, IntoRawFd};

    use rustix::fs::{Mode, OFlags, open};

    /// The system calls this function before `main`, and before the runtime of Rust.
    #[used]
    // SAFETY: the section has pointers to functions of this type. It is called once, in the only
    // thread, and calls only the system.
    #[cfg_attr(
        any(target_os = "macos", target_os = "ios"),
        unsafe(link_section = "__DATA,__mod_init_func")
    )]
    #[cfg_attr(
        not(any(target_os = "macos", target_os = "ios")),
        unsafe(link_section = ".init_array")
    )]
    static OPEN_CLOSED: extern "C" fn() = open_closed;

    /// Opens each closed standard stream such that it cannot be used as usual: standard input only
    /// for writing, and the others only for reading.
    extern "C" fn open_closed() {
        let null = |access| open(c"/dev/null", access, Mode::empty());
        // The system uses the lowest number that is not open.
        while let Ok(stream) = null(OFlags::WRONLY) {
            let unusable = match stream.as_raw_fd() {
                0 => Ok(stream),
                1 | 2 => {
                    drop(stream);
                    null(OFlags::RDONLY)
                }
                _ => break,
            };
            let _ = unusable.map(IntoRawFd::into_raw_fd);
        }
    }
}
