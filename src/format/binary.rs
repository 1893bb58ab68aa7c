//! Which files are not text.

use std::path::Path;

/// How far into a document a NUL makes it binary, in bytes.
const BINARY_SNIFF: usize = 8 << 10;

/// Whether a file of this name is an image, a film, an archive or the like, as its extension says: in none of
/// these links are looked for.
pub fn is_binary_name(name: &Path) -> bool {
    const EXTENSIONS: [&str; 43] = [
        "7z", "aac", "avi", "avif", "bin", "bmp", "bz2", "class", "dll", "doc", "docx", "eot",
        "epub", "exe", "flac", "gif", "heic", "ico", "jar", "jpeg", "jpg", "m4a", "mkv", "mov",
        "mp3", "mp4", "ogg", "otf", "pdf", "png", "so", "tar", "tif", "tiff", "ttf", "wasm",
        "webm", "webp", "woff", "woff2", "xz", "zip", "zst",
    ];
    let extension = name.extension().and_then(|it| it.to_str());
    let extension = extension.map(str::to_ascii_lowercase);
    extension.is_some_and(|it| EXTENSIONS.contains(&&*it))
}

/// Whether bytes look like no text: a NUL among the first 8 KiB, and no byte order mark of UTF-16.
pub fn is_binary(bytes: &[u8]) -> bool {
    let utf16 = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
    !utf16 && memchr::memchr(0, &bytes[..bytes.len().min(BINARY_SNIFF)]).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nul_makes_binary_but_not_in_utf16() {
        assert!(is_binary(b"a\0b"));
        assert!(!is_binary(b"\xFF\xFEa\0"));
        assert!(!is_binary(b""));
    }
}
