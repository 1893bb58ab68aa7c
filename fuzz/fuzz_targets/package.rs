//! Reads any bytes as a package of an office or a book. Reading never panics. Where a part gets new
//! content, the file is a package with this content, and all other parts are the same.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rehref::container::package::{Package, PackageKind, Parts};

/// The bytes after edits, which must be sorted and disjoint.
fn edited(old: &[u8], edits: &[(std::ops::Range<usize>, Vec<u8>)]) -> Vec<u8> {
    let (mut new, mut at) = (Vec::new(), 0);
    for (range, bytes) in edits {
        new.extend_from_slice(&old[at..range.start]);
        new.extend_from_slice(bytes);
        at = range.end;
    }
    new.extend_from_slice(&old[at..]);
    new
}

fuzz_target!(|input: (u16, Vec<u8>, Vec<u8>)| {
    let (part, content, bytes) = input;
    let Ok(package) = Package::read(bytes) else {
        return;
    };
    if let Some(kind) = PackageKind::of(&package) {
        let parts = Parts::of(&package, kind);
        for part in 0..package.count() {
            let _ = parts.kind_of(&package, part);
        }
    }
    let contents = |package: &Package| -> Vec<_> {
        let parts = 0..package.count();
        parts.map(|it| package.content(it).map(|it| it.into_owned())).collect()
    };
    let mut old = contents(&package);
    if old.is_empty() {
        return;
    }
    let part = usize::from(part) % old.len();
    if old[part].is_err() {
        return;
    }
    let Ok(edits) = package.edits(&[(part, content.clone())]) else {
        return;
    };
    let new = edited(package.bytes(), &edits);
    let new = Package::read(new).expect("a package");
    old[part] = Ok(content);
    assert_eq!(contents(&new), old);
});
