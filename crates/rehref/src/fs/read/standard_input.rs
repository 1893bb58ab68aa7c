//! Standard input.

use std::io::{self, Stdin};

/// Standard input, to be read.
///
/// # Errors
/// If it was not opened for reading. The standard library reads it as empty then.
pub fn standard_input() -> io::Result<Stdin> {
    let stdin = io::stdin();
    #[cfg(unix)]
    {
        use rustix::fs::{OFlags, fcntl_getfl};
        if fcntl_getfl(&stdin)? & OFlags::ACCMODE == OFlags::WRONLY {
            return Err(rustix::io::Errno::BADF.into());
        }
    }
    Ok(stdin)
}
