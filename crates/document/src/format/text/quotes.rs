//! The quotes that may delimit a URL.

/// The quotes of many languages: the opening quote and those that may close it.
pub(super) const QUOTES: [(char, &str); 16] = [
    ('"', "\""),
    ('“', "”"),
    ('”', "”"),
    ('„', "“”"),
    ('‟', "”"),
    ('‘', "’"),
    ('‚', "‘’"),
    ('«', "»"),
    ('»', "«"),
    ('‹', "›"),
    ('›', "‹"),
    ('「', "」"),
    ('『', "』"),
    ('《', "》"),
    ('〈', "〉"),
    // groff sets the URLs of manual pages in these.
    ('\u{27E8}', "\u{27E9}"),
];

/// Returns true if `c` opens a quotation.
pub(super) fn opens_quote(c: char) -> bool {
    QUOTES.iter().any(|(open, _)| *open == c)
}
