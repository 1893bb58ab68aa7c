//! The contents of files.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::sync::LazyLock;

use encoding_rs::{Encoding, UTF_8};
use regex::bytes::Regex;

use super::capture::RESOLVER;
use super::missing::MissingUrls;
use super::options::MissingLinks;
use crate::container::http::{ResponseReader, document_kind};
use crate::document::Document;
use crate::document::content_type::charset_parameter;
use crate::error::Error;
use crate::format::{Extra, Options, byte_order_mark};
use crate::fs::Put;
use crate::jobs::Stop;
use crate::link::{Absoluteness, Form, Markup, ParsedLink, Role};
use crate::records::UnpackSummary;
use crate::source::Source;
use crate::unpack::captures::{
    Chosen, ChosenFile, FileType, Found, Lack, LocalPath, UrlId, is_of_web,
};
use crate::unpack::{OfflineBytes, OfflineContent};

/// The content of a file.
pub(super) enum FileContent<'f> {
    /// That of the body.
    Same,
    New(&'f [u8]),
    /// That which the function writes.
    Long(&'f mut dyn FnMut(&mut dyn Write) -> io::Result<()>),
}

/// The document of a file whose links are not rewritten, because it is too long or has too many.
pub(super) struct Unwritten {
    pub(super) why: String,
}

/// The result of writing a file.
pub(super) struct Written {
    pub(super) put: Result<Put, Error>,
    pub(super) edits: usize,
    pub(super) unwritten: Option<Unwritten>,
}

/// The bytes of a URL whose path is kept: many links may be to it.
const LONG_URL: usize = 256;

/// The most paths that are kept.
const MAX_PATHS: usize = 4096;

/// Makes the contents of files, and collects what the archives lack.
pub(super) struct Pages<'c> {
    chosen: &'c Chosen,
    missing_links: MissingLinks,
    stop: &'c Stop,
    options: Options,
    /// The paths of long URLs.
    paths: HashMap<UrlId, LocalPath>,
    pub(super) missing: MissingUrls,
    /// The URLs that pages have as scripts, of those that may be one.
    scripts: HashSet<UrlId>,
    /// The counts of what a browser still fetches, what may not work in files, and what is not
    /// rewritten.
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
                // Scripts load images from `data-src`. Previews of links have the public URLs in
                // `meta`.
                extra: Extra { data: true, meta: true, ..Extra::default() },
                scripted: true,
                cors: true,
                ..Options::default()
            },
            paths: HashMap::new(),
            missing: MissingUrls::default(),
            scripts: HashSet::new(),
            counts: UnpackSummary::default(),
        }
    }

    /// Pages with nothing so far.
    pub(super) fn new_like(&self) -> Self {
        let missing = self.missing.new_like();
        Self { missing, ..Self::new(self.chosen, self.missing_links, self.stop) }
    }

    /// Takes what was collected so far.
    pub(super) fn take(&mut self) -> Self {
        let new = self.new_like();
        std::mem::replace(self, new)
    }

    /// Adds what later pages lack.
    pub(super) fn add(&mut self, later: Self) {
        self.missing.add(later.missing);
        self.scripts.extend(later.scripts);
        let (counts, later) = (&mut self.counts, later.counts);
        counts.remote += later.remote;
        counts.policies += later.policies;
        counts.modules += later.modules;
        counts.scripted += later.scripted;
        counts.other_scheme += later.other_scheme;
        counts.refused += later.refused;
    }

    /// Adds the URLs that other pages have as scripts.
    pub(super) fn add_scripts_of(&mut self, pages: Self) {
        self.scripts.extend(pages.scripts);
    }

    /// Returns true if the pages so far have a URL as a script.
    pub(super) fn is_script(&self, url: UrlId) -> bool {
        self.scripts.contains(&url)
    }

    /// The path of the file of a URL.
    pub(super) fn path(&mut self, url: UrlId) -> LocalPath {
        let chosen = self.chosen;
        match chosen.url(url).len() {
            0..=LONG_URL => chosen.path(url),
            _ => {
                if self.paths.len() >= MAX_PATHS {
                    self.paths.clear();
                }
                let path = self.paths.entry(url);
                path.or_insert_with(|| chosen.path(url)).clone()
            }
        }
    }

    /// The content of the file at `path` for the body of a URL, which `put` writes. `None` if the
    /// run was stopped.
    pub(super) fn content(
        &mut self,
        (url, file): (UrlId, &ChosenFile<'_>),
        path: &LocalPath,
        content_type: Option<&str>,
        (body, is_long): (&[u8], bool),
        put: &mut dyn FnMut(FileContent<'_>) -> Result<Put, Error>,
    ) -> Option<Written> {
        let kind = document_kind(content_type, file.url, body);
        let Some((format, charset)) = kind.filter(|(format, _)| format.is_shown_by_browsers())
        else {
            let marked = with_mark(content_type, body).filter(|_| !is_long);
            return Some(Written {
                put: put(marked.as_deref().map_or(FileContent::Same, FileContent::New)),
                edits: 0,
                unwritten: None,
            });
        };
        if is_long {
            return Some(Written {
                put: put(FileContent::Same),
                edits: 0,
                unwritten: Some(Unwritten {
                    why: format!("longer than {} MiB", ResponseReader::MAX_BODY >> 20),
                }),
            });
        }
        if format.is_page() {
            self.counts.policies += usize::from(POLICY.is_match(body));
            self.counts.modules += MODULE.find_iter(body).count();
        }
        let source = Source::new(body.to_vec(), charset).retrieved_from(file.url);
        let document = Document::from_source(source, format);
        let options = self.options.clone();
        let stop = self.stop;
        let is_stopped = || stop.is_stopped();
        let mut find =
            |uri: &str, link: &ParsedLink<'_>, counts: bool| self.target(url, uri, link, counts);
        let content = OfflineContent::new(&document, path, &options, &is_stopped, &mut find)?;
        let (mut unwritten, mut is_whole) = (None, true);
        let put = match content.bytes {
            OfflineBytes::Same => put(FileContent::Same),
            OfflineBytes::New(bytes) => {
                drop(document);
                put(FileContent::New(&bytes))
            }
            OfflineBytes::Unwritten => {
                let why = "its links are too many to prove their edits".to_owned();
                unwritten = Some(Unwritten { why });
                put(FileContent::Same)
            }
            OfflineBytes::Long => put(FileContent::Long(&mut |out| {
                let stop = &is_stopped;
                let written =
                    OfflineContent::write_long(&document, path, &options, stop, &mut find, out);
                is_whole = written?;
                match is_whole {
                    true => Ok(()),
                    false => Err(io::ErrorKind::Interrupted.into()),
                }
            })),
        };
        if !is_whole {
            return None;
        }
        self.counts.scripted += content.scripted;
        Some(Written { put, edits: content.edits, unwritten })
    }

    /// The path and the fragment of the file for the URL of a link.
    fn target(
        &mut self,
        from: UrlId,
        uri: &str,
        link: &ParsedLink<'_>,
        counts: bool,
    ) -> Option<(LocalPath, Option<String>)> {
        let chosen = self.chosen;
        match chosen.find(uri) {
            Found::File { url, fragment, has_other_scheme } => {
                let is_counted = counts && has_other_scheme && is_needed(link);
                self.counts.other_scheme += usize::from(is_counted);
                let is_refused = url != from && link.place.markup().is_some_and(is_refused);
                self.counts.refused += usize::from(counts && is_refused);
                let names_script = counts && link.role == Role::Script;
                if names_script && chosen.file(url).is_some_and(|it| it.may_be_script) {
                    self.scripts.insert(url);
                }
                if counts && chosen.file(url).is_some_and(|it| it.is_truncated) {
                    self.count_missing(
                        chosen.url(url),
                        from,
                        Lack::Truncated,
                        link,
                        FileType::OTHER,
                    );
                }
                Some((self.path(url), fragment.map(str::to_owned)))
            }
            Found::Lacks(url, why) if is_of_web(url) && chosen.has_host_of(url) => {
                let is_local = self.missing_links == MissingLinks::Local;
                let other = match link.role {
                    Role::Style => FileType::CSS,
                    Role::Navigate | Role::Submit | Role::Other => FileType::HTML,
                    _ => FileType::OTHER,
                };
                let other = match counts {
                    true => self.count_missing(url, from, why, link, other),
                    false => self.missing.file_type(url),
                };
                if !is_local {
                    return None;
                }
                let path = LocalPath::guessed(url, other);
                let fragment = uri.split_once('#');
                let fragment = fragment.map(|(_, fragment)| fragment.to_owned());
                Some((path, fragment))
            }
            Found::Lacks(url, _) => {
                let is_loaded = matches!(link.role, Role::Embed | Role::Style | Role::Script);
                self.counts.remote += usize::from(counts && is_loaded && is_of_web(url));
                None
            }
        }
    }

    /// Counts a link to a URL without a whole file. Returns the type of the file that would be
    /// there if its URL does not say it: that for the first link.
    fn count_missing(
        &mut self,
        url: &str,
        from: UrlId,
        why: Lack,
        link: &ParsedLink<'_>,
        other: FileType,
    ) -> FileType {
        self.missing.count(url, from, why, other, is_needed(link))
    }
}

/// Returns true for a link that a page needs. It does not need canonical URLs, previews of links, and
/// targets of forms. A hint to connect to a host is no link to a page.
fn is_needed(link: &ParsedLink<'_>) -> bool {
    let is_preview = |it: &Markup| it.element == "meta" && !matches!(it.form, Form::Refresh { .. });
    !matches!(link.role, Role::Submit | Role::Ping | Role::Other)
        && link.absoluteness != Absoluteness::Recommended
        && !link.place.markup().is_some_and(is_preview)
}

/// Returns true for an element whose target a browser does not load from files: a symbol in another
/// file, and subtitles.
fn is_refused(markup: &Markup) -> bool {
    let name = markup.element.rsplit(':').next();
    matches!(name, Some("use" | "track"))
}

/// A script or a text with a byte order mark, if only its media type says that it is Unicode. A
/// browser reads a script without one in the encoding of the page.
fn with_mark(content_type: Option<&str>, body: &[u8]) -> Option<Vec<u8>> {
    let media_type = content_type?;
    let (_, parameters) = media_type.split_once(';')?;
    let encoding = Encoding::for_label(charset_parameter(parameters)?.as_bytes())?;
    let mark = byte_order_mark(encoding)?;
    let is_read_alike = encoding == UTF_8 && body.is_ascii() || Encoding::for_bom(body).is_some();
    // Servers give this type to binary files too. A mark before `#!` would keep a script from being
    // run.
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
    use crate::unpack::captures::{Capture, CaptureChoice, Captures};

    #[test]
    fn a_run_that_is_stopped_within_a_page_has_no_content_of_it() {
        let mut captures = Captures::default();
        captures.add(&Capture { url: "http://h/", has_body: true, ..Capture::default() });
        let chosen = Chosen::new(captures, &CaptureChoice::default());
        let url = chosen.files().next().expect("a file");
        let file = chosen.file(url).expect("a file");
        let stop = Stop::default();
        let mut pages = Pages::new(&chosen, MissingLinks::Absolute, &stop);
        let path = pages.path(url);
        let mut content = || {
            let body = b"<a href=/x>x</a> <a href=/y>y</a>";
            let put = &mut |_: FileContent<'_>| Ok(Put::New);
            let html = Some("text/html");
            let content = pages.content((url, &file), &path, html, (body, false), put);
            (content.map(|it| it.edits), pages.missing.iter().count())
        };
        assert_eq!(content(), (Some(2), 2));
        stop.stop();
        assert_eq!(content(), (None, 2));
    }
}
