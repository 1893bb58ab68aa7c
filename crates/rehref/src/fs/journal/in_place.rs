//! Writing a file in place: under its inode, since its owner cannot own a new file.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

/// Overwrites a file with new content, and syncs it to disk. `old` is its content. The part of the
/// new content beyond the old length is written first, so that a full disk is detected before
/// anything is lost.
///
/// # Errors
/// If writing fails. The file then has its old content again, if that could be written.
pub(super) fn overwrite(file: &File, old: &[u8], new: &[u8]) -> io::Result<()> {
    let grown = new.get(old.len()..).unwrap_or_default();
    let written = write_at(file, old.len(), grown)
        .and_then(|()| file.sync_all())
        .and_then(|()| put(file, new));
    written.inspect_err(|_| _ = put(file, old))
}

/// Writes the content of a file that has at most the length of the content, or more.
fn put(file: &File, content: &[u8]) -> io::Result<()> {
    write_at(file, 0, content)?;
    file.set_len(content.len() as u64)?;
    file.sync_all()
}

fn write_at(mut file: &File, at: usize, bytes: &[u8]) -> io::Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    file.seek(SeekFrom::Start(at as u64))?;
    file.write_all(bytes)
}

/// Returns true if a content may be that of a file whose overwriting was interrupted. Each byte is
/// that of the old or the new content, in any order, as the system writes blocks. In the part that
/// was added, it may be 0.
pub(super) fn is_half_written(content: &[u8], old: &[u8], new: &[u8]) -> bool {
    let is_between =
        |len: usize| len >= old.len().min(new.len()) && len <= old.len().max(new.len());
    let is_possible = |(at, &byte): (usize, &u8)| {
        let (old, new) = (old.get(at), new.get(at));
        old == Some(&byte) || new == Some(&byte) || old.is_none() && byte == 0
    };
    is_between(content.len()) && content.iter().enumerate().all(is_possible)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_overwritten_under_their_inode() {
        let tree = crate::files::Tree::empty();
        for (old, new) in [("long content", "short"), ("a", "longer"), ("", "x"), ("x", "")] {
            tree.write("a", old);
            let file = File::options().read(true).write(true).open(tree.at("a")).unwrap();
            overwrite(&file, old.as_bytes(), new.as_bytes()).unwrap();
            assert_eq!(tree.read("a"), new);
        }
    }

    #[test]
    fn half_written_contents_are_recognized() {
        let (old, new) = (b"abcdef".as_slice(), b"aXYdefgh".as_slice());
        for content in
            ["abcdef", "aXYdefgh", "aXcdef", "abYdef", "aXYdefg", "aXYdef\0\0", "abcdef\0h"]
        {
            assert!(is_half_written(content.as_bytes(), old, new), "{content}");
            assert_eq!(is_half_written(content.as_bytes(), new, old), !content.contains('\0'));
        }
        for content in ["abcde", "aXYdefghi", "aZcdef", "", "\0bcdef"] {
            assert!(!is_half_written(content.as_bytes(), old, new), "{content}");
        }
    }
}
