//! Edited files keep their extended attributes and access control lists.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::fs::{XattrFlags, getxattr, setxattr};

use crate::other_user::{assert_ends, site_of_other_user};

/// Returns true if the directory of temporary files has extended attributes and access control
/// lists.
pub(crate) fn are_supported() -> bool {
    let file = tempfile::NamedTempFile::new().expect("a file");
    set(file.path(), "user.note", b"") && set(file.path(), ACCESS, &access_list())
}

/// Sets an attribute. Returns false if the file system or the process cannot.
fn set(path: &Path, name: &str, value: &[u8]) -> bool {
    setxattr(path, name, value, XattrFlags::empty()).is_ok()
}

fn value(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut value = vec![0; 1 << 12];
    let len = getxattr(path, name, &mut *value).ok()?;
    value.truncate(len);
    Some(value)
}

/// An access control list: the user 1234 may read and write, the group has no access.
fn access_list() -> Vec<u8> {
    let entries: [(u16, u16, u32); 5] = [
        (0x01, 6, u32::MAX),
        (0x02, 6, 1234),
        (0x04, 0, u32::MAX),
        (0x10, 6, u32::MAX),
        (0x20, 0, u32::MAX),
    ];
    let mut bytes = 2_u32.to_le_bytes().to_vec();
    for (tag, may, id) in entries {
        bytes.extend(tag.to_le_bytes());
        bytes.extend(may.to_le_bytes());
        bytes.extend(id.to_le_bytes());
    }
    bytes
}

fn rewrite(site: &Path, arguments: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rehref"));
    command.arg("rewrite").args(arguments).stdin(Stdio::null());
    let output = command.current_dir(site).output().expect("rehref runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
    assert!(!said.contains("attributes"), "{said}");
}

const ABSOLUTE: [&str; 4] = ["-w", "--absolute", "--base=http://h/=.", "."];
const ACCESS: &str = "system.posix_acl_access";

pub(crate) fn files_keep_their_extended_attributes() {
    let site = tempfile::tempdir().expect("a directory");
    let (page, plain) = (site.path().join("a.html"), site.path().join("b.html"));
    for path in [&page, &plain] {
        fs::write(path, "<a href=x>x</a>").expect("written");
        fs::set_permissions(path, fs::Permissions::from_mode(0o640)).expect("a mode");
    }
    assert!(set(&page, "user.note", b"mine"));
    assert!(set(&page, "user.empty", b""));
    assert!(set(&page, ACCESS, &access_list()));
    // New files get this list. Edited files must not.
    let default = "system.posix_acl_default";
    assert!(set(site.path(), default, &access_list()));
    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o7777;
    let modes = [mode(&page), mode(&plain)];
    assert_eq!(modes, [0o660, 0o640]);
    let old = fs::read(&page).expect("readable");
    let keeps = || {
        assert_eq!(value(&page, "user.note").as_deref(), Some(&b"mine"[..]));
        assert_eq!(value(&page, "user.empty").as_deref(), Some(&b""[..]));
        assert_eq!(value(&page, ACCESS), Some(access_list()));
        assert_eq!(value(&plain, ACCESS), None);
        assert_eq!([mode(&page), mode(&plain)], modes);
    };
    rewrite(site.path(), &ABSOLUTE);
    assert_ne!(fs::read(&page).expect("readable"), old);
    keeps();
    rewrite(site.path(), &["--undo", "."]);
    assert_eq!(fs::read(&page).expect("readable"), old);
    keeps();
    rewrite(site.path(), &[&ABSOLUTE[..], &["--no-journal"]].concat());
    assert_ne!(fs::read(&page).expect("readable"), old);
    keeps();
}

pub(crate) fn unsettable_attributes_only_warn() {
    let (_directory, site) = site_of_other_user();
    let page = site.join("a/x.html");
    assert!(set(&page, "user.note", b"mine"));
    for more in [&[][..], &["--no-journal"]] {
        assert!(set(&page, "security.rehref", b"theirs"));
        fs::write(&page, "<a href=x>x</a>").expect("written");
        let said = assert_ends(0, &site, &[&["rewrite"], &ABSOLUTE[..], more].concat());
        let warning = "a/x.html: not all of its extended attributes could be kept";
        assert!(said.contains(warning), "{said}");
        assert_eq!(said.matches("attributes").count(), 1, "{said}");
        assert_eq!(value(&page, "user.note").as_deref(), Some(&b"mine"[..]));
        assert_eq!(value(&page, "security.rehref"), None);
    }
}
