//! The kinds of text, by the extensions of file names.

use crate::source::TextSyntax;

/// The extensions that identify plain text: the content is not examined, except in texts of no
/// particular kind. Those of [`TextSyntax`] are further ones. Other extensions are ambiguous: a
/// `.out` or `.conf` file may be a page.
pub(in crate::format) const EXTENSIONS: &[&str] = &[
    "txt", "text", "log", "diff", "patch", "rst", "yaml", "yml", "sh", "js", "json", "c", "h",
    "rs", "py", "ics", "ifb", "vcf", "vcard",
];

/// The extensions of templates: text outside of their code is HTML, and a server may send a page
/// under a name with one.
const TEMPLATES: &[&str] = &[
    "asp", "aspx", "astro", "ejs", "erb", "haml", "hbs", "inc", "j2", "jinja", "jinja2", "jsp",
    "liquid", "mustache", "njk", "php", "pug", "slim", "svelte", "twig", "vue",
];

/// The kind of text that the extension of a name identifies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CalledText {
    /// None: the extension does not identify text.
    #[default]
    No,
    /// A template, which may begin as a page.
    Template,
    /// Text of no particular kind, which may be a mailbox, such as a log of LISTSERV, or a patch
    /// that git made for mail.
    Prose,
    /// Text.
    Certain,
}

impl CalledText {
    /// The kind of text of an extension in any case of letters.
    pub(crate) fn of_extension(extension: &str) -> Self {
        let is_in = |names: &[&str]| names.iter().any(|it| it.eq_ignore_ascii_case(extension));
        if is_in(&["txt", "text", "log", "diff", "patch"]) {
            Self::Prose
        } else if is_in(TEMPLATES) {
            Self::Template
        } else if is_in(EXTENSIONS) || TextSyntax::has_extension(extension) {
            Self::Certain
        } else {
            Self::No
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extension_is_in_one_list() {
        let names = || EXTENSIONS.iter().chain(TEMPLATES);
        for name in names() {
            assert_eq!(names().filter(|it| *it == name).count(), 1, "{name}");
        }
        assert_eq!(CalledText::of_extension("CSV"), CalledText::Certain);
        assert_eq!(CalledText::of_extension("php"), CalledText::Template);
        assert_eq!(CalledText::of_extension("Txt"), CalledText::Prose);
        assert_eq!(CalledText::of_extension("1"), CalledText::No);
    }
}
