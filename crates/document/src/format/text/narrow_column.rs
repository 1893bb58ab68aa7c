//! URLs that a typesetting program broke in a narrow column, as the text of a PDF has them: within
//! the host, or after a slash. The lines of words near the URL show the column.

use super::tail::Tail;

/// The widths of narrow columns, in characters. Mail has wider ones.
const WIDTHS: std::ops::Range<usize> = 28..60;

/// The number of characters that a line may be shorter than the longest line of words near it.
const SLACK: usize = 12;

/// Generic top-level domains. A host that ends with one is complete.
const COMPLETE: [&str; 8] = ["com", "org", "net", "edu", "gov", "info", "int", "mil"];

/// Returns true if the URL whose last line has `piece` of it and is `width` characters wide
/// continues with `tail`. `column` is the longest line of words near it.
pub(super) fn breaks(piece: &str, width: usize, column: usize, tail: &Tail<'_>) -> bool {
    let word = tail.word.trim_end_matches(['.', ',', ';', ':', ')', ']', '!', '?']);
    let fits = width + word.chars().count() <= column;
    if !WIDTHS.contains(&column)
        || width + SLACK < column
        || fits
        || !word.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
    {
        return false;
    }
    match piece.split_once("://") {
        Some((_, host)) if !host.contains('/') => !is_complete(host) && continues_host(word),
        _ => piece.ends_with('/') && continues_path(word),
    }
}

/// Returns true if `host` may be a whole host.
fn is_complete(host: &str) -> bool {
    let label = host.rsplit_once('.').map(|(_, label)| label);
    label.is_some_and(|label| {
        let is_country = label.len() == 2 && label.bytes().all(|it| it.is_ascii_lowercase());
        is_country || COMPLETE.contains(&label)
    })
}

/// Returns true if `word` begins with the rest of a host.
fn continues_host(word: &str) -> bool {
    let host = word.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let is_label = |label: &str| {
        !label.is_empty() && label.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-')
    };
    let last = host.rsplit_once('.').map(|(_, last)| last);
    last.is_some_and(|last| last.len() > 1 && last.bytes().all(|it| it.is_ascii_alphabetic()))
        && host.split('.').all(is_label)
}

/// Returns true if `word` is a part of a path and no word of prose.
fn continues_path(word: &str) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '/' | '_' | '=' | '%' | '~');
    let has_name = word.split('.').filter(|part| part.len() > 1).count() > 1;
    let is_number = word.bytes().all(|it| it.is_ascii_digit());
    (word.contains(is_part) || has_name) && !is_number
}

#[cfg(test)]
mod tests {
    use crate::format::options::{Join, TextOptions};
    use crate::format::text::scan;

    fn found(text: &str) -> Vec<String> {
        let options = TextOptions { join: Some(Join::Guess), ..TextOptions::default() };
        let mut urls = Vec::new();
        scan(text, &options, |url| urls.push(url.reference(text).into_owned()));
        urls
    }

    const WORDS: &str =
        "The results of the study, which the next\nsection has, are what was expected after\n";

    #[test]
    fn url_continues_in_the_column() {
        for (lines, url) in [
            (
                "that. They are at http://www.exam\nple.org/reports/1997.html and more\n",
                "http://www.exam\nple.org/reports/1997.html",
            ),
            (
                "the tools (https://a.example/tools/\nsrc/convert, with the options of the\n",
                "https://a.example/tools/\nsrc/convert",
            ),
            (
                "no. 12, 2019. https://doi.example.org/\n10.1000/182.2019.17\n",
                "https://doi.example.org/\n10.1000/182.2019.17",
            ),
            (
                "see it in http://www.library.example/\narchive/of/studies/p17.pdf\n",
                "http://www.library.example/\narchive/of/studies/p17.pdf",
            ),
        ] {
            let text = format!("{WORDS}{lines}{WORDS}");
            assert_eq!(found(&text), [url.replace('\n', "")], "{lines}");
        }
    }

    #[test]
    fn url_ends_with_its_line_in_other_columns() {
        for (lines, url) in [
            (
                "that. They are at http://www.a.org/\nand in the library of the town, as\n",
                "http://www.a.org/",
            ),
            (
                "that. They are at http://www.a.org/\ne.g. in the library of the town, as\n",
                "http://www.a.org/",
            ),
            (
                "that. They are at http://www.a.org\nb.org is the other one of these two\n",
                "http://www.a.org",
            ),
            ("is at http://a.org/\nsrc/convert of the tools, and so on it\n", "http://a.org/"),
            (
                "that. They are at http://www.a.org/\n2019 was the year in which they were\n",
                "http://www.a.org/",
            ),
        ] {
            let text = format!("{WORDS}{lines}{WORDS}");
            assert_eq!(found(&text), [url], "{lines}");
        }
        let wide = "A line of words that is wider than any narrow column of a book or of a paper\n"
            .repeat(3);
        let text =
            format!("{wide}see it in http://www.library.example/\nof/studies/x1 and\n{wide}");
        assert_eq!(found(&text), ["http://www.library.example/"]);
    }
}
