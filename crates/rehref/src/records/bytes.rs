//! Strings that need not be UTF-8.

use std::borrow::Cow;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A string that need not be UTF-8, such as a file name. In JSON a string, or `{"bytes":"BASE64"}`
/// if it is not UTF-8. [`path_of_bytes`](crate::fs::path_of_bytes) makes a path of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bytes<'r>(pub Cow<'r, [u8]>);

impl<'r> Bytes<'r> {
    /// These bytes.
    pub const fn new(bytes: &'r [u8]) -> Self {
        Self(Cow::Borrowed(bytes))
    }

    /// The name of a document.
    pub fn of_name(name: &'r Path) -> Self {
        Self::new(name.as_os_str().as_encoded_bytes())
    }

    /// Returns the string without a borrow.
    pub fn into_owned(self) -> Bytes<'static> {
        Bytes(Cow::Owned(self.0.into_owned()))
    }
}

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Ok(text) = str::from_utf8(&self.0) {
            return serializer.serialize_str(text);
        }
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("bytes", &STANDARD.encode(&self.0))?;
        map.end()
    }
}

/// Returns the text without a borrow.
pub(super) fn owned(text: Cow<'_, str>) -> Cow<'static, str> {
    Cow::Owned(text.into_owned())
}

/// Returns the optional text without a borrow.
pub(super) fn owned_option(text: Option<Cow<'_, str>>) -> Option<Cow<'static, str>> {
    text.map(owned)
}
