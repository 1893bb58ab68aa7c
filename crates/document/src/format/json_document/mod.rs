//! JSON with links: web app manifests and feeds.
//!
//! A manifest is a file `.webmanifest`, or one named `manifest.json` with members of one. Its
//! references are relative to the file (Web Application Manifest, section 1). A feed names its
//! version (JSON Feed 1.1), and its URLs should be absolute, as in other feeds. Relative ones in
//! the HTML of its items are not read.
//!
//! The members in [`MANIFEST`] and [`FEED`] are links. Elsewhere, URLs are found as in any text, and
//! only maps change them.

mod write;

use memchr::memmem;
use smallvec::smallvec;

use super::json::strings;
use super::language::{Language, Rewriting, Sniff};
use super::text::read_text;
use super::value::{notes_of, strip};
use super::{Options, ParsedLinks};
use crate::link::{Absoluteness, FieldPlace, ParsedLink, Place, Role};
use crate::source::Source;

/// Web app manifests and JSON Feed.
pub(super) const LANGUAGE: Language = Language {
    extensions: &["webmanifest"],
    media_types: &["application/manifest+json", "application/feed+json"],
    begins: |beginning| is_feed(beginning),
    overrides: |beginning| {
        let is_json = beginning.name.extension().is_some_and(|it| it.eq_ignore_ascii_case("json"));
        is_json && (is_manifest(beginning) || is_feed(beginning))
    },
    rewriting: Rewriting::All(write::write),
    ..Language::new(NAME, find)
};

const NAME: &str = "json";

/// The URL of the format in feeds, without the number of the version.
const VERSION: &[u8] = b"jsonfeed.org/version/";

/// A member that is a link: the name of the member around its object or list, if only that counts;
/// its own name; and its role. Without a role it is a name, and no link.
type Member = (Option<&'static str>, &'static str, Option<Role>);

/// The members of a manifest (Web Application Manifest, its Application Information, and the
/// extensions for shortcuts, sharing, files and protocols).
const MANIFEST: [Member; 10] = [
    // The name of a parameter.
    (Some("params"), "url", None),
    (None, "start_url", Some(Role::Navigate)),
    (None, "scope", Some(Role::Metadata)),
    (Some("serviceworker"), "src", Some(Role::Script)),
    (None, "src", Some(Role::Embed)),
    (None, "url", Some(Role::Navigate)),
    (Some("share_target"), "action", Some(Role::Submit)),
    (Some("file_handlers"), "action", Some(Role::Navigate)),
    (None, "new_note_url", Some(Role::Navigate)),
    (None, "ms_ac_template", Some(Role::Embed)),
];

/// The members of a feed. The `id` of an item never changes (JSON Feed 1.1, "Items").
const FEED: [Member; 13] = [
    (Some("items"), "id", None),
    (None, "home_page_url", Some(Role::Navigate)),
    (None, "feed_url", Some(Role::Metadata)),
    (None, "next_url", Some(Role::Navigate)),
    (None, "icon", Some(Role::Embed)),
    (None, "favicon", Some(Role::Embed)),
    (Some("attachments"), "url", Some(Role::Embed)),
    (Some("hubs"), "url", Some(Role::Metadata)),
    (None, "url", Some(Role::Navigate)),
    (None, "external_url", Some(Role::Navigate)),
    (None, "image", Some(Role::Embed)),
    (None, "banner_image", Some(Role::Embed)),
    (None, "avatar", Some(Role::Embed)),
];

/// Returns true for a manifest under its other usual name, also if the content is unknown. The
/// manifest of a browser's extension has none of these members.
fn is_manifest(beginning: &Sniff<'_>) -> bool {
    let has = |key: &[u8]| memmem::find(beginning.bytes, key).is_some();
    let name = beginning.name.file_name().and_then(|it| it.to_str());
    name.is_some_and(|it| it.to_ascii_lowercase().ends_with("manifest.json"))
        && (beginning.bytes.is_empty()
            || has(b"\"start_url\"")
            || has(b"\"icons\"") && has(b"\"src\""))
}

fn is_feed(beginning: &Sniff<'_>) -> bool {
    beginning.ascii.starts_with(b"{") && memmem::find(beginning.bytes, VERSION).is_some()
}

/// Finds the links of a manifest or a feed.
fn find<'d>(document: &'d Source, options: &Options) -> ParsedLinks<'d> {
    let mut found = read_text(document, options);
    let decoded = document.text();
    let is_feed = memmem::find(decoded.text.as_bytes(), VERSION).is_some();
    let (members, absoluteness): (&[Member], _) = match is_feed {
        true => (&FEED, Absoluteness::Required),
        false => (&MANIFEST, Absoluteness::Optional),
    };
    let mut links: Vec<ParsedLink<'d>> = Vec::new();
    let mut spans = Vec::new();
    strings(&decoded.text, |string, path, _| {
        let Some((key, outer)) = path.split_last().filter(|_| !string.is_name) else {
            return;
        };
        let around = |it: &str| outer.last().is_some_and(|outer| outer == it);
        let member =
            members.iter().find(|(outer, name, _)| key == name && outer.is_none_or(around));
        let reference = strip(string.value);
        let Some((_, name, role)) = member.filter(|_| !reference.is_empty()) else {
            return;
        };
        let span = decoded.to_source(string.span);
        spans.push(span);
        let place = Place::Field(FieldPlace { language: NAME, key: (*name).into() });
        let reference = reference.into_owned().into();
        links.extend(role.map(|role| ParsedLink {
            absoluteness,
            notes: notes_of(&decoded, string.span),
            ..ParsedLink::new(smallvec![span], reference, place, role)
        }));
    });
    // URLs in the text of a member are parts of the link or name.
    found.links.retain(|link| {
        let extent = link.extent();
        let after = spans.partition_point(|it| it.end <= extent.start);
        spans.get(after).is_none_or(|it| it.start >= extent.end)
    });
    found.links.append(&mut links);
    found.links.sort_by_key(ParsedLink::id);
    found
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::format::Format;

    #[test]
    fn manifests_and_feeds_are_recognized() {
        let feed = "{\"version\": \"https://jsonfeed.org/version/1.1\", \"items\": []}";
        let icons = "{\"icons\": [{\"src\": \"a.png\"}]}";
        for (name, content) in [
            ("site.webmanifest", ""),
            ("manifest.json", icons),
            ("App-Manifest.json", "{\"start_url\": \"/\"}"),
            ("feed.json", feed),
            ("feed", feed),
        ] {
            assert_eq!(Format::detect(Path::new(name), content.as_bytes()), Format::Json, "{name}");
        }
        for (name, content) in [
            ("data.json", icons),
            ("manifest.json", "{\"manifest_version\": 3, \"icons\": {\"16\": \"a.png\"}}"),
            ("manifest.yaml", icons),
            ("notes.txt", feed),
            ("feeds.json", "[\"https://jsonfeed.org/version/1.1\"]"),
        ] {
            assert_eq!(Format::detect(Path::new(name), content.as_bytes()), Format::Text, "{name}");
        }
    }
}
