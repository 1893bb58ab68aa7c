//! The URL of trees of files without a URL.

/// The URL of trees without one (RFC 2606, section 2). References between their files are resolved
/// and compared by it, and it is never written.
pub const PRIVATE_URL: &str = "http://tree.invalid/";

/// Returns true if a URI is below [`PRIVATE_URL`].
pub fn is_private(uri: &str) -> bool {
    uri.starts_with(PRIVATE_URL)
}
