//! The values in lines of a journal: bytes, times and fingerprints.

use std::ffi::OsString;
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use xxhash_rust::xxh3::Xxh3;

use crate::fs::pieces::pieces;

/// The length and hash of a content. Contents with equal fingerprints are considered equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Fingerprint {
    pub(super) len: u64,
    hash: u128,
}

impl Fingerprint {
    pub(super) fn of<'b>(pieces: impl IntoIterator<Item = &'b [u8]>) -> Self {
        let (mut len, mut hash) = (0, Xxh3::new());
        for piece in pieces {
            len += piece.len() as u64;
            hash.update(piece);
        }
        let hash = hash.digest128();
        Self { len, hash }
    }

    /// The fingerprint of `old` after these changes.
    pub(super) fn of_changed<'b, 'n: 'b>(
        old: &'b [u8],
        changes: impl IntoIterator<Item = (Range<usize>, &'n [u8])>,
    ) -> Self {
        Self::of(pieces(old, changes))
    }
}

impl Serialize for Fingerprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.len, format!("{:032x}", self.hash)).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Fingerprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (len, hash) = <(u64, String)>::deserialize(deserializer)?;
        let hash = u128::from_str_radix(&hash, 16).map_err(D::Error::custom)?;
        Ok(Self { len, hash })
    }
}

/// A time: seconds since 1970, possibly negative, and nanoseconds after that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Time(i64, u32);

impl Time {
    pub(super) fn new(time: SystemTime) -> Option<Self> {
        match time.duration_since(UNIX_EPOCH) {
            Ok(after) => Some(Self(after.as_secs().try_into().ok()?, after.subsec_nanos())),
            Err(before) => {
                let before = before.duration();
                let seconds = i64::try_from(before.as_secs()).ok()?;
                Some(match before.subsec_nanos() {
                    0 => Self(-seconds, 0),
                    nanos => Self(-seconds - 1, 1_000_000_000 - nanos),
                })
            }
        }
    }

    pub(super) fn system(self) -> Option<SystemTime> {
        let seconds = Duration::from_secs(self.0.unsigned_abs());
        let whole = match self.0 < 0 {
            true => UNIX_EPOCH.checked_sub(seconds)?,
            false => UNIX_EPOCH.checked_add(seconds)?,
        };
        whole.checked_add(Duration::from_nanos(self.1.into()))
    }
}

/// Bytes: a string, or `{"bytes":"BASE64"}` if they are not UTF-8, as in records.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Text(pub(super) Vec<u8>);

impl Text {
    pub(super) fn of_path(path: &Path) -> Self {
        Self(path.as_os_str().as_encoded_bytes().to_vec())
    }

    /// The path, if it is valid on this system.
    #[cfg(unix)]
    pub(super) fn path(&self) -> Option<PathBuf> {
        use std::os::unix::ffi::OsStringExt;
        Some(OsString::from_vec(self.0.clone()).into())
    }

    #[cfg(not(unix))]
    pub(super) fn path(&self) -> Option<PathBuf> {
        let text = String::from_utf8(self.0.clone()).ok()?;
        Some(OsString::from(text).into())
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Borrowed(&self.0).serialize(serializer)
    }
}

/// Borrowed bytes, written like [`Text`].
pub(super) struct Borrowed<'b>(pub(super) &'b [u8]);

impl Serialize for Borrowed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Ok(text) = str::from_utf8(self.0) {
            return serializer.serialize_str(text);
        }
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("bytes", &STANDARD.encode(self.0))?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;

        impl<'de> Visitor<'de> for Form {
            type Value = Text;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string, or bytes in base64")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Text, E> {
                Ok(Text(text.as_bytes().to_vec()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Text, A::Error> {
                #[derive(serde::Deserialize)]
                struct Bytes {
                    bytes: String,
                }
                let Bytes { bytes } = Bytes::deserialize(MapAccessDeserializer::new(map))?;
                STANDARD.decode(bytes).map(Text).map_err(A::Error::custom)
            }
        }

        deserializer.deserialize_any(Form)
    }
}
