//! Extended attributes, including access control lists.

use std::fs::File;

/// Copies extended attributes to a file, except those that describe the content or are removed when
/// it changes. Returns true if all were copied.
#[cfg(target_os = "linux")]
pub(in crate::fs) fn keep(of: &File, file: &File) -> bool {
    use rustix::fs::{flistxattr, flistxattr_query, fremovexattr};
    // A file system without attributes has none to copy.
    let mut names = vec![0; flistxattr_query(of).unwrap_or(0)];
    let len = match names.is_empty() {
        true => 0,
        false => match flistxattr(of, &mut *names) {
            Ok(len) => len,
            Err(_) => return false,
        },
    };
    // There may be more attributes by now.
    let names = names.get(..len).unwrap_or_default();
    let names = names.split(|&byte| byte == 0);
    let names: Vec<_> = names.filter(|name| is_kept(name)).collect();
    if !names.contains(&ACCESS) {
        // A list inherited from the directory could allow more than the old file did. Most files
        // have none.
        let _: rustix::io::Result<()> = fremovexattr(file, ACCESS);
    }
    let copied = names.iter().map(|name| copy(of, file, name).is_ok());
    copied.fold(true, |all, one| all & one)
}

#[cfg(not(target_os = "linux"))]
pub(in crate::fs) fn keep(_: &File, _: &File) -> bool {
    true
}

/// The access control list of a file.
#[cfg(target_os = "linux")]
const ACCESS: &[u8] = b"system.posix_acl_access";

#[cfg(target_os = "linux")]
fn is_kept(name: &[u8]) -> bool {
    const OF_CONTENT: [&[u8]; 3] = [b"security.capability", b"security.evm", b"security.ima"];
    let is_common = name.starts_with(b"user.") || name.starts_with(b"security.");
    name == ACCESS || is_common && !OF_CONTENT.contains(&name)
}

#[cfg(target_os = "linux")]
fn copy(of: &File, file: &File, name: &[u8]) -> rustix::io::Result<()> {
    use rustix::fs::{XattrFlags, fgetxattr, fgetxattr_query, fsetxattr};
    let mut value = vec![0; fgetxattr_query(of, name)?];
    let len = fgetxattr(of, name, &mut *value)?;
    value.truncate(len);
    // A security label may already be set, and be read-only.
    let mut there = vec![0; len + 1];
    if fgetxattr(file, name, &mut *there).is_ok_and(|len| there[..len] == *value) {
        return Ok(());
    }
    match fsetxattr(file, name, &value, XattrFlags::empty()) {
        Err(rustix::io::Errno::NOTSUP) => Ok(()),
        other => other,
    }
}
