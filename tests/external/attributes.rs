//! Edited files keep their extended attributes and access control lists.

use std::path::Path;

use rustix::fs::{XattrFlags, getxattr, setxattr};

use crate::other_user::{assert_ends, site_of_other_user};
use crate::support::tree::{Has, Tree};

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

const ABSOLUTE: &str = "rewrite -w --absolute --base=http://h/=. .";
const ACCESS: &str = "system.posix_acl_access";

pub(crate) fn files_keep_their_extended_attributes() {
    let site = Tree::empty();
    let (page, plain) = (site.at("a.html"), site.at("b.html"));
    for path in [&page, &plain] {
        site.write(path, "<a href=x>x</a>");
        site.set_mode(path, 0o640);
    }
    assert!(set(&page, "user.note", b"mine"));
    assert!(set(&page, "user.empty", b""));
    assert!(set(&page, ACCESS, &access_list()));
    // New files get this list. Edited files must not.
    let default = "system.posix_acl_default";
    assert!(set(site.path(), default, &access_list()));
    let modes = || [site.mode(&page), site.mode(&plain)];
    assert_eq!(modes(), [0o660, 0o640]);
    let old = site.read(&page);
    let keeps = || {
        assert_eq!(value(&page, "user.note").as_deref(), Some(&b"mine"[..]));
        assert_eq!(value(&page, "user.empty").as_deref(), Some(&b""[..]));
        assert_eq!(value(&page, ACCESS), Some(access_list()));
        assert_eq!(value(&plain, ACCESS), None);
        assert_eq!(modes(), [0o660, 0o640]);
    };
    let rewrite = |arguments: &str| _ = site.ends(0, arguments).lacks("attributes");
    rewrite(ABSOLUTE);
    assert_ne!(site.read(&page), old);
    keeps();
    rewrite("rewrite --undo .");
    assert_eq!(site.read(&page), old);
    keeps();
    rewrite(&format!("{ABSOLUTE} --no-journal"));
    assert_ne!(site.read(&page), old);
    keeps();
}

pub(crate) fn unsettable_attributes_only_warn() {
    let site = site_of_other_user();
    let page = site.at("a/x.html");
    assert!(set(&page, "user.note", b"mine"));
    for more in ["", " --no-journal"] {
        assert!(set(&page, "security.rehref", b"theirs"));
        site.write(&page, "<a href=x>x</a>");
        let said = assert_ends(0, &site, format!("{ABSOLUTE}{more}"));
        said.has("a/x.html: not all of its extended attributes could be kept");
        assert_eq!(said.matches("attributes").count(), 1, "{said}");
        assert_eq!(value(&page, "user.note").as_deref(), Some(&b"mine"[..]));
        assert_eq!(value(&page, "security.rehref"), None);
    }
}
