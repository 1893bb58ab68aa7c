//! The records of files that were unpacked from web archives.

use std::borrow::Cow;
use std::path::Path;

use super::bytes::{Bytes, owned, owned_option};

/// A capture of a web archive that is a file.
#[derive(Clone, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema_names::tagged("file")))]
#[serde(tag = "type", rename = "file")]
#[non_exhaustive]
pub struct UnpackedFileRecord<'r> {
    /// The URL, as the URL Standard spells it.
    pub uri: Cow<'r, str>,
    /// The path below the directory, with `/` between names.
    pub path: Cow<'r, str>,
    /// The name of the archive of the capture; `X.wacz!archive/Y.warc.gz` in a WACZ.
    pub archive: Bytes<'r>,
    /// The offset in the archive of the member, frame or record in which the record of the capture
    /// begins, from 0. The body of a revisit is in another record.
    pub record_offset: u64,
    /// The offset of the record in the inflated member or frame, from 0.
    pub member_offset: u64,
    /// The id of the record, as written.
    pub record_id: Option<Cow<'r, str>>,
    /// The status of the response. `None` for records without one.
    pub status: Option<u16>,
    /// The date of the capture, as written.
    pub date: Option<Cow<'r, str>>,
    /// The media type, as written.
    pub content_type: Option<Cow<'r, str>>,
    /// The number of changed links and removed attributes.
    pub edits: usize,
    /// True if the archive has only a part of the body.
    pub truncated: bool,
}

impl<'r> UnpackedFileRecord<'r> {
    /// The record of the file at `path` for `uri`, whose capture is in the archive of this name.
    pub fn new(uri: &'r str, path: &'r str, archive: &'r Path) -> Self {
        Self {
            uri: Cow::Borrowed(uri),
            path: Cow::Borrowed(path),
            archive: Bytes::of_name(archive),
            record_offset: 0,
            member_offset: 0,
            record_id: None,
            status: None,
            date: None,
            content_type: None,
            edits: 0,
            truncated: false,
        }
    }

    /// Returns the record without a borrow.
    pub fn into_owned(self) -> UnpackedFileRecord<'static> {
        UnpackedFileRecord {
            uri: owned(self.uri),
            path: owned(self.path),
            archive: self.archive.into_owned(),
            record_offset: self.record_offset,
            member_offset: self.member_offset,
            record_id: owned_option(self.record_id),
            status: self.status,
            date: owned_option(self.date),
            content_type: owned_option(self.content_type),
            edits: self.edits,
            truncated: self.truncated,
        }
    }
}

/// A redirect of a web archive. Links to it become links to the file at its end.
#[derive(Clone, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema_names::tagged("redirect")))]
#[serde(tag = "type", rename = "redirect")]
pub struct RedirectRecord<'r> {
    /// Its URL, as the URL Standard spells it.
    pub uri: Cow<'r, str>,
    /// The URL that it names, with its fragment.
    pub to: Cow<'r, str>,
    /// The status of the response.
    pub status: Option<u16>,
    /// Why following it ends at no file. `None` if it ends at one.
    #[cfg_attr(feature = "schema", schemars(with = "Option<super::schema_names::LackName>"))]
    pub why: Option<&'static str>,
}

/// A URL that pages refer to and that has no whole file, on a host with files.
#[derive(Clone, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(transform = super::schema_names::tagged("missing")))]
#[serde(tag = "type", rename = "missing")]
pub struct MissingRecord<'r> {
    /// The URL, as the URL Standard spells it, after all redirects.
    pub uri: Cow<'r, str>,
    /// The number of links to it.
    pub count: usize,
    /// The URL of the first document with a link to it.
    pub from: Cow<'r, str>,
    /// Why there is no file, or only a part of one.
    #[cfg_attr(feature = "schema", schemars(with = "super::schema_names::LackName"))]
    pub why: &'static str,
}

/// The numbers of a run that unpacks web archives.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "unpack_summary", transform = super::schema_names::tagged("summary")))]
#[serde(tag = "type", rename = "summary")]
pub struct UnpackSummary {
    /// Files.
    pub files: usize,
    /// Redirects.
    pub redirects: usize,
    /// URLs that pages refer to and that have no whole file, on hosts with files.
    pub missing: usize,
    /// Links to images, style sheets, scripts and the like on hosts without files. A browser
    /// fetches them.
    pub remote: usize,
    /// Changed links and removed attributes.
    pub edits: usize,
    /// Pages with a content security policy in a `meta` element, which may keep local files from
    /// being loaded.
    pub policies: usize,
    /// Module scripts, which a browser does not load from files.
    pub modules: usize,
    /// Symbols in other files (`use`) and subtitles (`track`), which a browser does not load from
    /// files.
    pub refused: usize,
    /// Links to URLs that were captured only with the other one of `http` and `https`. They refer to
    /// its file.
    pub other_scheme: usize,
    /// The estimated number of links that scripts build. They are not changed.
    pub scripted: usize,
    /// Archives, and parts of them, that could not be read, and files that could not be written.
    pub errors: usize,
    /// Files whose body is only in part in the archives.
    pub truncated: usize,
    /// Pages, style sheets and XML whose links are not changed, since they are too long.
    pub unwritten: usize,
    /// The captures that have no file.
    pub left_out: LeftOut,
    /// The path of the file to open first, if it was written. `None` without pages.
    pub start: Option<String>,
}

/// The numbers of URLs that have captures and no file, by the reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeftOut {
    /// URLs with nothing but errors.
    pub status: usize,
    /// URLs with nothing but answers to other methods than GET.
    pub method: usize,
    /// URLs that were visited again, without the first capture.
    pub revisit: usize,
    /// Redirects that end at no file.
    pub redirect: usize,
    /// Records of other URLs than those of `http`, `https` and `ftp`.
    pub scheme: usize,
}
