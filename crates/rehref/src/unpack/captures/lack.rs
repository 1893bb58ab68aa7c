//! The reasons why an archive has no file for a URL.

/// The reason why an archive has no file for a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Lack {
    /// The archives have no capture of it.
    NotCaptured,
    /// All captures are errors, or redirects without a target.
    Status,
    /// All captures are answers to requests with another method than GET.
    Method,
    /// It was visited again, and the first capture is in no archive of the run.
    Revisit,
    /// The capture lacks a part of its body. The file has the rest.
    Truncated,
    /// Redirects form a ring.
    Ring,
}

impl Lack {
    /// All reasons.
    pub const ALL: &'static [Self] = &[
        Self::NotCaptured,
        Self::Status,
        Self::Method,
        Self::Revisit,
        Self::Truncated,
        Self::Ring,
    ];

    /// The name in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotCaptured => "not-captured",
            Self::Status => "status",
            Self::Method => "method",
            Self::Revisit => "revisit",
            Self::Truncated => "truncated",
            Self::Ring => "ring",
        }
    }
}
