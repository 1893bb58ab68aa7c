//! Detection of binary files.

use std::path::Path;

/// The number of leading bytes in which a NUL makes a document binary.
const BINARY_SNIFF: usize = 8 << 10;

/// Returns true if the extension of `name` is that of an image, a film, an archive or the like. Such files are not
/// searched.
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

/// Returns true if the first 8 KiB contain a NUL and there is no byte order mark of UTF-16.
pub fn is_binary(bytes: &[u8]) -> bool {
    let utf16 = bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]);
    !utf16 && memchr::memchr(0, &bytes[..bytes.len().min(BINARY_SNIFF)]).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nul_makes_a_file_binary_except_in_utf_16() {
        assert!(is_binary(b"a\0b"));
        assert!(!is_binary(b"\xFF\xFEa\0"));
        assert!(!is_binary(b""));
    }
}
