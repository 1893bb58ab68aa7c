//! The contents of files.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::LazyLock;

use encoding_rs::{Encoding, UTF_8};
use regex::bytes::Regex;

use super::capture::RESOLVER;
use super::options::MissingLinks;
use crate::container::http::document_kind;
use crate::document::Document;
use crate::document::content_type::charset_parameter;
use crate::format::{Extra, Options, byte_order_mark};
use crate::jobs::Stop;
use crate::link::{Form, LinkData, Markup, Role};
use crate::records::UnpackSummary;
use crate::rewrite::OfflineContent;
use crate::site::captures::{
    Chosen, ChosenFile, FileType, Found, Lack, LocalPath, UrlId, is_of_web,
};
use crate::source::{Base, BaseFrom, Source};

/// A URL without a whole file, and the links to it.
pub(super) struct Missing {
    /// The number of links that pages need.
    pub(super) count: usize,
    /// The first document with such a link.
    pub(super) from: UrlId,
    pub(super) why: Lack,
    /// The path that links have. `None` if they are absolute.
    path: Option<LocalPath>,
}

/// The content of a file.
pub(super) struct FileContent {
    /// The bytes. `None` if they are those of the body.
    pub(super) bytes: Option<Vec<u8>>,
    pub(super) edits: usize,
}

/// The bytes of a URL whose path is kept: many links may be to it.
const LONG_URL: usize = 256;

/// Makes the contents of files, and collects what the archives lack.
pub(super) struct Pages<'c> {
    chosen: &'c Chosen,
    missing_links: MissingLinks,
    stop: &'c Stop,
    options: Options,
    /// The paths of long URLs.
    paths: HashMap<UrlId, LocalPath>,
    /// By URL.
    missing: BTreeMap<Box<str>, Missing>,
    /// The counts of what a browser still fetches, what may not work in files, and what is not rewritten.
    pub(super) counts: UnpackSummary,
}

impl<'c> Pages<'c> {
    pub(super) fn new(chosen: &'c Chosen, missing_links: MissingLinks, stop: &'c Stop) -> Self {
        Self {
            chosen,
            missing_links,
            stop,
            options: Options {
                resolver: RESOLVER,
                // Scripts load images from `data-src`. Previews of links have the public URLs in `meta`.
                extra: Extra {
                    data: true,
                    meta: true,
                    ..Extra::default()
                },
                scripted: true,
                cors: true,
                ..Options::default()
            },
            paths: HashMap::new(),
            missing: BTreeMap::new(),
            counts: UnpackSummary::default(),
        }
    }

    /// The URLs without a whole file that documents refer to, in the order of their bytes.
    pub(super) fn missing(&self) -> impl Iterator<Item = (&str, &Missing)> {
        let missing = self.missing.iter().filter(|(_, it)| it.count > 0);
        missing.map(|(url, missing)| (&**url, missing))
    }

    /// The path of the file of a URL.
    pub(super) fn path(&mut self, url: UrlId) -> LocalPath {
        let chosen = self.chosen;
        match chosen.url(url).len() {
            0..=LONG_URL => chosen.path(url),
            _ => {
                let path = self.paths.entry(url);
                path.or_insert_with(|| chosen.path(url)).clone()
            }
        }
    }

    /// The content of the file at `path` for the body of a URL. `None` if the run was stopped.
    pub(super) fn content(
        &mut self,
        (url, file): (UrlId, &ChosenFile<'_>),
        path: &LocalPath,
        content_type: Option<&str>,
        body: &[u8],
    ) -> Option<FileContent> {
        let kind = document_kind(content_type, file.url, body);
        let Some((format, charset)) = kind.filter(|(format, _)| format.is_shown_by_browsers())
        else {
            return Some(FileContent {
                bytes: with_mark(content_type, body),
                edits: 0,
            });
        };
        if format.is_page() {
            self.counts.policies += usize::from(POLICY.is_match(body));
            self.counts.modules += MODULE.find_iter(body).count();
        }
        let source = Source {
            name: PathBuf::new(),
            bytes: body.to_vec(),
            syntax: None,
            charset,
            base: Some(Base {
                uri: file.url.to_owned(),
                from: BaseFrom::Retrieval,
            }),
            mail_part: None,
            record: None,
        };
        let document = Document::from_source(source, format);
        let options = self.options.clone();
        let stop = self.stop;
        let is_stopped = || stop.is_stopped();
        let content = OfflineContent::new(&document, path, &options, &is_stopped, |uri, link| {
            self.target(url, uri, link)
        })?;
        self.counts.scripted += content.scripted;
        Some(FileContent {
            bytes: content.bytes,
            edits: content.edits,
        })
    }

    /// The path and the fragment of the file for the URL of a link.
    fn target(
        &mut self,
        from: UrlId,
        uri: &str,
        link: &LinkData<'_>,
    ) -> Option<(LocalPath, Option<String>)> {
        let chosen = self.chosen;
        match chosen.find(uri) {
            Found::File { url, fragment } => {
                if chosen.file(url).is_some_and(|it| it.is_truncated) {
                    self.count_missing(chosen.url(url), from, Lack::Truncated, link);
                }
                Some((self.path(url), fragment.map(str::to_owned)))
            }
            Found::Lacks(url, why) if is_of_web(url) && chosen.has_host_of(url) => {
                let is_local = self.missing_links == MissingLinks::Local;
                let missing = self.count_missing(url, from, why, link);
                if !is_local {
                    return None;
                }
                let path = missing.path.get_or_insert_with(|| {
                    let other = match link.role {
                        Role::Style => FileType::CSS,
                        Role::Navigate | Role::Submit | Role::Other => FileType::HTML,
                        _ => FileType::OTHER,
                    };
                    LocalPath::guessed(url, other)
                });
                let path = path.clone();
                let fragment = uri.split_once('#');
                let fragment = fragment.map(|(_, fragment)| fragment.to_owned());
                Some((path, fragment))
            }
            Found::Lacks(url, _) => {
                let is_loaded = matches!(link.role, Role::Embed | Role::Style | Role::Script);
                self.counts.remote += usize::from(is_loaded && is_of_web(url));
                None
            }
        }
    }

    /// Counts a link to a URL without a whole file.
    fn count_missing(
        &mut self,
        url: &str,
        from: UrlId,
        why: Lack,
        link: &LinkData<'_>,
    ) -> &mut Missing {
        let missing = self.missing.entry(url.into()).or_insert(Missing {
            count: 0,
            from,
            why,
            path: None,
        });
        // Pages need neither these nor what is in previews of links. A hint to connect to a host is no link to a page.
        let is_preview =
            |it: &Markup| it.element == "meta" && !matches!(it.form, Form::Refresh { .. });
        let is_unneeded = matches!(link.role, Role::Submit | Role::Ping | Role::Other)
            || link.place.markup().is_some_and(is_preview);
        if !is_unneeded {
            if missing.count == 0 {
                missing.from = from;
            }
            missing.count += 1;
        }
        missing
    }
}

/// A script or a text with a byte order mark, if only its media type says that it is Unicode. A browser reads a script without
/// one in the encoding of the page.
fn with_mark(content_type: Option<&str>, body: &[u8]) -> Option<Vec<u8>> {
    let media_type = content_type?;
    let (_, parameters) = media_type.split_once(';')?;
    let encoding = Encoding::for_label(charset_parameter(parameters)?.as_bytes())?;
    let mark = byte_order_mark(encoding)?;
    let is_read_alike = encoding == UTF_8 && body.is_ascii() || Encoding::for_bom(body).is_some();
    // Servers give this type to binary files too. A mark before `#!` would keep a script from being run.
    let is_text = match encoding == UTF_8 {
        true => str::from_utf8(body).is_ok_and(|text| !text.contains('\0')),
        false => body.len().is_multiple_of(2),
    } && !body.starts_with(b"#!");
    let is_undeclared = FileType::of_media_type(media_type).is_undeclared();
    let is_marked = is_undeclared && is_text && !is_read_alike;
    is_marked.then(|| [mark, body].concat())
}

/// A content security policy, which may forbid to load files.
static POLICY: LazyLock<Regex> =
    LazyLock::new(|| regex(r#"(?i-u)<meta\s[^>]*http-equiv\s*=\s*["']?content-security-policy\b"#));

/// A module script, which a browser does not load from files.
static MODULE: LazyLock<Regex> =
    LazyLock::new(|| regex(r#"(?i-u)<script\s[^>]*type\s*=\s*["']?module\b"#));

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a regular expression")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::captures::{Capture, CaptureChoice, Captures};

    #[test]
    fn a_run_that_is_stopped_within_a_page_has_no_content_of_it() {
        let mut captures = Captures::default();
        captures.add(&Capture {
            url: "http://h/",
            has_body: true,
            ..Capture::default()
        });
        let chosen = Chosen::new(captures, &CaptureChoice::default());
        let url = chosen.files().next().expect("a file");
        let file = chosen.file(url).expect("a file");
        let stop = Stop::default();
        let mut pages = Pages::new(&chosen, MissingLinks::Absolute, &stop);
        let path = pages.path(url);
        let mut content = || {
            let body = b"<a href=/x>x</a> <a href=/y>y</a>";
            let content = pages.content((url, &file), &path, Some("text/html"), body);
            (content.map(|it| it.edits), pages.missing().count())
        };
        assert_eq!(content(), (Some(2), 2));
        stop.stop();
        assert_eq!(content(), (None, 2));
    }
}
