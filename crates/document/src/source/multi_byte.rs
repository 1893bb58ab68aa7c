//! Tables for the multi-byte encodings of the Encoding standard that have ASCII characters as ASCII
//! bytes.

use std::sync::OnceLock;

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS};

/// A table for each of these encodings, built on first use. GBK and GB18030 share one: both have
/// one decoder.
pub(crate) struct MultiByteTables<T>([OnceLock<T>; 5]);

impl<T> MultiByteTables<T> {
    pub(crate) const fn new() -> Self {
        Self([const { OnceLock::new() }; 5])
    }

    /// The table of a multi-byte encoding.
    pub(crate) fn get(
        &self,
        encoding: &'static Encoding,
        make: impl FnOnce(&'static Encoding) -> T,
    ) -> &T {
        let at = match encoding {
            it if it == SHIFT_JIS => 0,
            it if it == GBK || it == GB18030 => 1,
            it if it == BIG5 => 2,
            it if it == EUC_JP => 3,
            it => {
                debug_assert_eq!(it, EUC_KR);
                4
            }
        };
        self.0[at].get_or_init(|| make(encoding))
    }
}
