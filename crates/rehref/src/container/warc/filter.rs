//! The filter of the records of an archive.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::head::RecordHead;
use crate::source::CaptureDate;

/// The types of records that are documents, unless others are named.
const DOCUMENTS: [&str; 3] = ["response", "resource", "conversion"];

/// The schemes of targets that are not documents.
const OTHER_TARGETS: [&str; 6] = ["metadata", "urn", "dns", "whois", "ntp", "filedesc"];

/// A filter of records. A record passes if it meets every condition that is set.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RecordFilter {
    statuses: Vec<[u16; 2]>,
    record_types: Vec<String>,
    media_types: Option<GlobSet>,
    from_date: Option<CaptureDate>,
}

/// A value that a filter refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordFilterError {
    /// The text is not a status code, a class or a range of them.
    Status(String),
    /// The text is not a date.
    Date(String),
    /// The text is not a glob of media types.
    MediaType(String),
}

impl std::fmt::Display for RecordFilterError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Status(text) => {
                write!(f, "{text:?} is not a status such as 200, 3xx or 400-499")
            }
            Self::Date(text) => write!(f, "{text:?} is not a date such as 2024-05-01"),
            Self::MediaType(text) => write!(f, "{text:?} is not a media type such as text/html"),
        }
    }
}

impl std::error::Error for RecordFilterError {}

/// The parts of a record that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// None.
    Skip,
    /// Only the head of the HTTP response: its body is that of another record.
    HttpHead,
    /// An HTTP response.
    Http,
    /// The block is a document.
    Block,
}

impl RecordFilter {
    /// Sets the status codes: a code, a class such as `4xx`, or a range such as `400-499`. Records
    /// without a status do not pass.
    ///
    /// # Errors
    /// If a text is neither a code, a class nor a range.
    pub fn set_statuses(
        &mut self,
        statuses: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<(), RecordFilterError> {
        let range = |text: &str| {
            let code = |text: &str| {
                let is_code = text.len() == 3 && text.bytes().all(|it| it.is_ascii_digit());
                text.parse::<u16>().ok().filter(|_| is_code)
            };
            let class = |text: &str| {
                let class = text.strip_suffix("xx").or_else(|| text.strip_suffix("XX"))?;
                let first = code(&format!("{class}00"))?;
                Some([first, first + 99])
            };
            let between = |text: &str| {
                let (first, last) = text.split_once('-')?;
                Some([code(first)?, code(last)?]).filter(|[first, last]| first <= last)
            };
            let one = code(text).map(|code| [code, code]);
            one.or_else(|| class(text))
                .or_else(|| between(text))
                .ok_or_else(|| RecordFilterError::Status(text.to_owned()))
        };
        let statuses = statuses.into_iter().map(|it| range(it.as_ref()));
        self.statuses = statuses.collect::<Result<_, _>>()?;
        Ok(())
    }

    /// Sets the types of records, in any case. Records of these types are documents, also those of
    /// `request` and `metadata`, which otherwise are not read.
    pub fn set_record_types(&mut self, types: impl IntoIterator<Item = impl AsRef<str>>) {
        let types = types.into_iter().map(|it| it.as_ref().to_ascii_lowercase());
        self.record_types = types.collect();
    }

    /// Sets globs of media types, such as `text/html` or `image/*`, in any case: those of the
    /// content that is archived.
    ///
    /// # Errors
    /// If a glob is invalid or has no `/`.
    pub fn set_media_types(
        &mut self,
        globs: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> Result<(), RecordFilterError> {
        let mut set = GlobSetBuilder::new();
        for glob in globs {
            let text = glob.as_ref();
            let error = || RecordFilterError::MediaType(text.to_owned());
            let glob = GlobBuilder::new(text).case_insensitive(true).build();
            set.add(glob.ok().filter(|_| text.contains('/')).ok_or_else(error)?);
        }
        let set = set.build().ok().filter(|set| !set.is_empty());
        self.media_types = set;
        Ok(())
    }

    /// Sets the first date, such as `2024-05` or `2024-05-01T12:00:00Z`. A record with a part of a
    /// date has the first moment of that period. Records without a date do not pass.
    ///
    /// # Errors
    /// If the text is not a year with a month, day, hour, minute and second or the first of these.
    pub fn set_from_date(&mut self, date: &str) -> Result<(), RecordFilterError> {
        let invalid = |_| RecordFilterError::Date(date.to_owned());
        self.from_date = Some(CaptureDate::first_of(date).map_err(invalid)?);
        Ok(())
    }

    /// The parts of a record with this head that are read.
    pub(crate) fn reading(&self, head: &RecordHead<'_>) -> Reading {
        let is_named = self.record_types.iter().any(|it| head.is(it));
        let is_revisit = head.is("revisit");
        let is_document = match self.record_types.is_empty() {
            true => is_revisit || DOCUMENTS.iter().any(|it| head.is(it)),
            false => is_named,
        };
        let target = head.target_uri.as_deref().unwrap_or_default();
        let target = target.strip_prefix(b"<").unwrap_or(target);
        let is_other = OTHER_TARGETS.iter().any(|scheme| has_scheme(target, scheme));
        if !is_document || is_other && self.record_types.is_empty() || !self.has_date(head) {
            return Reading::Skip;
        }
        let content_type = head.content_type.as_deref().unwrap_or_default();
        let says_http = content_type
            .get(.."application/http".len())
            .is_some_and(|it| it.eq_ignore_ascii_case(b"application/http"));
        let is_web = ["http", "https"].iter().any(|scheme| has_scheme(target, scheme));
        match says_http || is_web && (is_revisit || head.is("response")) {
            true if is_revisit => Reading::HttpHead,
            true => Reading::Http,
            false if is_revisit => Reading::Skip,
            false => Reading::Block,
        }
    }

    fn has_date(&self, head: &RecordHead<'_>) -> bool {
        self.from_date.is_none_or(|first| {
            let date = head.date.as_deref().unwrap_or_default();
            let date = CaptureDate::of_record(&String::from_utf8_lossy(date));
            !date.is_unknown() && date >= first
        })
    }

    /// Returns true if the type and the date of a record are among those that are set.
    pub(crate) fn has_type_and_date(&self, head: &RecordHead<'_>) -> bool {
        let has_type =
            self.record_types.is_empty() || self.record_types.iter().any(|it| head.is(it));
        has_type && self.has_date(head)
    }

    /// Returns true if the status or the media type of a response counts.
    pub(crate) fn needs_response(&self) -> bool {
        !self.statuses.is_empty() || self.media_types.is_some()
    }

    /// Returns true if a document with this status and media type passes.
    pub(crate) fn passes(&self, status: Option<u16>, content_type: Option<&str>) -> bool {
        let has_status = |status: u16| {
            let is_in = |[first, last]: &[u16; 2]| (first..=last).contains(&&status);
            self.statuses.iter().any(is_in)
        };
        let has_type = |types: &GlobSet| {
            let essence = content_type.and_then(|it| it.split(';').next());
            essence.is_some_and(|it| types.is_match(it.trim()))
        };
        (self.statuses.is_empty() || status.is_some_and(has_status))
            && self.media_types.as_ref().is_none_or(has_type)
    }
}

fn has_scheme(target: &[u8], scheme: &str) -> bool {
    let Some((start, rest)) = target.split_at_checked(scheme.len()) else {
        return false;
    };
    start.eq_ignore_ascii_case(scheme.as_bytes()) && rest.first() == Some(&b':')
}
