//! The first word of the line after a URL, and the evidence that it is part of the URL.

use super::{chars, scheme};
use crate::format::options::Iri;

/// The length from which a word with digits is not a word of prose, in bytes.
const CODE: usize = 12;

/// File name extensions of two letters or more.
const EXTENSIONS: [&str; 64] = [
    "asc", "asp", "aspx", "bib", "bin", "bz2", "cfm", "cgi", "conf", "css", "csv", "dat", "deb",
    "diff", "doc", "docx", "eps", "exe", "gif", "git", "gz", "htm", "html", "ics", "jar", "java",
    "jpe", "jpeg", "jpg", "js", "json", "jsp", "log", "md", "mp3", "mpg", "nsf", "obj", "patch",
    "pdf", "pgp", "php", "pl", "png", "ppt", "pptx", "ps", "py", "rda", "rmd", "rnw", "rpm",
    "shtml", "svg", "swf", "tar", "tgz", "tiff", "txt", "vcf", "xls", "xlsx", "xml", "zip",
];

/// Words of two or three letters that are not the rest of a URL.
const SHORT_WORDS: &str = " ad al all also am an and any are as at au be but by can das de der did die do du el \
    en es et et for from get go had has he her him his how if il im in is it its la las le les let los me my no \
    nor not now of off oh ok on one or our out per she so the to too try two um un und une up us use via von was \
    we who why yes yet you zu ";

/// The first word of the next line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tail<'t> {
    /// The part of the word that can belong to a URL, without final punctuation.
    pub(super) word: &'t str,
    /// The rest of its line.
    pub(super) after: &'t str,
    /// True if its line has a greater quote depth than the previous one.
    pub(super) is_deeper: bool,
}

impl<'t> Tail<'t> {
    /// The first word of `line`, reading at most `most` bytes.
    pub(super) fn new(line: &'t str, most: usize) -> Self {
        let end = memchr::memchr(b'\n', &line.as_bytes()[..line.len().min(most)]);
        let mut end = end.unwrap_or(line.len().min(most));
        while !line.is_char_boundary(end) {
            end -= 1;
        }
        let line = &line[..end];
        let len = chars::before_stop(line);
        let is_closing = |c| chars::is_trimmed(c, Iri::Auto) || matches!(c, ')' | ']');
        let word = line[..len].trim_end_matches(is_closing);
        Self { word, after: &line[word.len()..], is_deeper: false }
    }

    /// Returns true if the rest of its line is only punctuation, or the same URL again in brackets.
    pub(super) fn is_alone(&self) -> bool {
        let closes = |c: char| c.is_whitespace() || ".,;:!?)]}>'\"*".contains(c);
        let again = self.after.trim_start().strip_prefix('<');
        self.after.starts_with('<')
            || again.is_some_and(|again| scheme::starts_url(again.as_bytes()))
            || self.after.chars().all(closes)
    }

    /// Returns true if it begins a line of text, code or decoration, whatever precedes it.
    pub(super) fn is_prose(&self) -> bool {
        let bytes = self.word.as_bytes();
        let (Some(first), second) = (bytes.first(), bytes.get(1)) else {
            return true;
        };
        // A ruler across the page, `--`, `##`.
        let doubled = first.is_ascii_punctuation() && *first != b'_' && second == Some(first);
        let mut runs = bytes.chunk_by(|a, b| a == b);
        let ruled = runs.any(|run| run.len() > 4 && run[0].is_ascii_punctuation());
        let decorates = doubled || ruled || !self.word.contains(char::is_alphanumeric);
        let rest = &bytes[1..];
        let begins = match *first {
            // `#endif`
            b'#' => !rest.iter().all(u8::is_ascii_alphabetic),
            b'?' => rest.contains(&b'='),
            b'/' | b'&' | b'=' | b'%' | b'_' | b'.' | b'-' | b'~' | b'+' | b';' => true,
            _ => self.word.starts_with(char::is_alphanumeric),
        };
        // `Yes` begins a sentence.
        let sentence = self.word.starts_with(char::is_uppercase)
            && self.word.chars().skip(1).all(|c| c.is_lowercase() || c == '\'');
        // `e.g.`, `i.e.`
        let abbreviation =
            self.word.contains('.') && self.word.split('.').all(|part| part.len() == 1);
        // `tel:555-0100`
        let number = self.word.split_once(':').is_some_and(|(name, number)| {
            let is_in = |byte: u8| byte.is_ascii_digit() || b"+-/.".contains(&byte);
            name.chars().all(char::is_alphabetic) && number.bytes().all(is_in)
        });
        let label = self.after.strip_prefix(':').is_some_and(|after| {
            !self.has_parts() && (after.is_empty() || after.starts_with(char::is_whitespace))
        });
        // A file of the current directory, as an argument of a program.
        let local = self.word.starts_with("./") || self.word.starts_with("../");
        // An undecoded character reference: `&nbsp;`, `&#8203;`
        let reference = self.word.strip_prefix('&').is_some_and(|name| {
            let name = name.split(';').next().unwrap_or_default();
            name.starts_with('#') || ["nbsp", "lt", "gt", "quot"].contains(&name)
        });
        reference
            || self.is_assigned()
            || self.is_macro()
            || self.word.contains(chars::is_ideographic)
            || decorates
            || !begins
            || local
            || sentence
            || abbreviation
            || label
            || number
            || self.is_call()
    }

    /// Returns true if it is a call in a program: `library(a)`
    fn is_call(&self) -> bool {
        let name = self.word.split('(').next().unwrap_or_default();
        name.len() < self.word.len()
            && name.ends_with(|c: char| c.is_ascii_alphanumeric())
            && !name.contains(['/', '%', '=', '&'])
    }

    /// Returns true for `NAME:=` and `+NAME:=`: an assignment in a makefile, as in patches.
    pub(super) fn is_assigned(&self) -> bool {
        let name = self.word.strip_prefix(['+', '-']).unwrap_or(self.word);
        let is_in = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let len = name.bytes().take_while(|byte| is_in(byte)).count();
        len > 0 && name[len..].starts_with(":=")
    }

    /// Returns true for `+.IP`: a macro of a manual page, as in patches.
    fn is_macro(&self) -> bool {
        let name = self.word.strip_prefix(['+', '-']);
        let name = name.and_then(|word| word.strip_prefix('.'));
        name.is_some_and(|it| it.len() == 2 && it.bytes().all(|byte| byte.is_ascii_uppercase()))
    }

    /// Returns true for `a/b: ` with text after it: the file name at the beginning of a program's
    /// message.
    pub(super) fn is_labelled(&self) -> bool {
        let after = self.after.strip_prefix(':');
        after.is_some_and(|after| after.starts_with([' ', '\t']) && !after.trim().is_empty())
    }

    /// Returns true for `name at host.example`, a mail address as archives show it.
    pub(super) fn is_address(&self) -> bool {
        let host = self.after.strip_prefix(" at ").unwrap_or_default();
        let host = host.split([' ', '\r', ']', ')', '>', '"']).next().unwrap_or_default();
        let is_in = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
        let name = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
        host.trim_end_matches(['.', ',']).contains('.')
            && host.bytes().all(is_in)
            && self.word.chars().all(name)
    }

    /// Returns true if it is only a commit id, complete or abbreviated.
    pub(super) fn is_hash(&self) -> bool {
        let word = self.word.as_bytes();
        matches!(word.len(), 7..=16 | 40 | 64)
            && word.iter().all(u8::is_ascii_hexdigit)
            && word.iter().any(u8::is_ascii_digit)
    }

    /// Returns true if it begins with text that only occurs within a URL: `_b`, `=b`, `%20`,
    /// `.html`
    pub(super) fn starts_within_url(&self) -> bool {
        match self.word.as_bytes() {
            [b'_', second, ..] => second.is_ascii_alphanumeric() && !self.word.ends_with('_'),
            [b'=', second, ..] => second.is_ascii_alphanumeric() && !self.is_escape(b'='),
            [b'%', a, b, ..] => a.is_ascii_hexdigit() && b.is_ascii_hexdigit(),
            [b'.', rest @ ..] => {
                let len = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric());
                is_extension(&self.word[1..=len.count()])
            }
            _ => false,
        }
    }

    /// Returns true if it is only an escape such as `=20`.
    fn is_escape(&self, sign: u8) -> bool {
        matches!(self.word.as_bytes(), [first, a, b]
            if *first == sign && a.is_ascii_hexdigit() && b.is_ascii_hexdigit())
    }

    /// Returns true for `x=1`: an assignment of a program, or part of a query.
    pub(super) fn is_assignment(&self) -> bool {
        self.word.contains('=') && !self.word.contains(['/', '?', '&', '%', '#'])
    }

    /// Returns true if it has a character that words of prose do not have.
    pub(super) fn has_shape(&self) -> bool {
        let is_shape = |c: char| c.is_ascii_digit() || "./_=&%#?-~".contains(c);
        self.word.contains(is_shape) && !self.is_number()
    }

    /// Returns true for a date, a time, a version or a telephone number.
    fn is_number(&self) -> bool {
        let is_in = |byte: u8| byte.is_ascii_digit() || b"-/.,:+".contains(&byte);
        self.word.bytes().all(is_in)
            && self.word.contains(['-', '/', '.', ',', ':'])
            && !self.word.starts_with(['-', '/', '.'])
            && !self.word.ends_with('/')
    }

    /// Returns true if it has separators of a path or a query: `a/b.c`, `a/b/c`, `a=b`; but
    /// `and/or` is a word.
    pub(super) fn has_parts(&self) -> bool {
        let word = self.word;
        let escape = word
            .bytes()
            .zip(word.bytes().skip(1))
            .any(|pair| matches!(pair, (b'%', digit) if digit.is_ascii_hexdigit()));
        let mut parts = word.split('/');
        let is_word = |part: &str| part.chars().all(char::is_alphabetic);
        let either = parts.all(is_word) && word.matches('/').count() == 1 && !word.ends_with('/');
        // Excludes a question mark for a lost character: `m?ller`.
        let query = word.contains('?') && word.contains(['=', '/', '.']);
        escape
            || query
            || word.contains(['=', '&', '#', '~'])
            || word.contains('/') && !either && !self.is_number()
    }

    /// Returns true if it can only be part of a URL.
    pub(super) fn is_part(&self) -> bool {
        let parted = self.word.matches(['-', '_', '.', '+']).count() > 2;
        let extension = self.word.rsplit_once('.').map(|(_, extension)| extension);
        let named = extension.is_some_and(is_extension);
        let digits = self.word.bytes().filter(u8::is_ascii_digit).count();
        let coded = self.word.len() >= CODE && digits > 2;
        (self.has_parts() || parted || named || coded) && !self.is_number()
    }

    /// Returns true if it is a short rest of a URL and not a word.
    pub(super) fn is_rest(&self) -> bool {
        self.word.len() <= 3
            && self.word.bytes().all(|byte| byte.is_ascii_lowercase())
            && !SHORT_WORDS.split(' ').any(|word| word == self.word)
    }
}

/// Returns true if `word` is a file name extension.
pub(super) fn is_extension(word: &str) -> bool {
    EXTENSIONS.iter().any(|extension| extension.eq_ignore_ascii_case(word))
}
