//! TeX, LaTeX and BibTeX: commands that spell characters, and `\verb`.

use super::unit::{STOP, Unit, blanks};

pub(super) const MARKS: &[u8] = b"\\{$\n\x1F|!+=/\"'";

/// Commands that spell a character. A space or `{}` after them belongs to them.
const CHARACTERS: [(&str, char); 7] = [
    ("textasciitilde", '~'),
    ("textasciicircum", '^'),
    ("textunderscore", '_'),
    ("textdollar", '$'),
    ("textpercent", '%'),
    ("slash", '/'),
    ("sim", '~'),
];

/// Commands that allow a line break.
const BREAKS: [&str; 4] = ["allowbreak", "linebreak", "penalty0", "break"];

/// Commands whose argument may be delimited by any character.
const VERBATIM: [&str; 5] = ["verb", "url", "path", "nolinkurl", "lstinline"];

/// The maximum length of a command name that is read, in letters. All names in these tables are
/// shorter.
const LONGEST_NAME: usize = 20;

/// The state of a TeX text.
#[derive(Clone, Debug, Default)]
pub(super) struct Tex {
    /// The byte that ends the verbatim text.
    end: Option<u8>,
}

impl Tex {
    pub(super) fn unit(&mut self, rest: &str) -> Unit {
        let byte = rest.as_bytes()[0];
        if self.end == Some(byte) || byte == b'\n' {
            let ended = self.end.take();
            return if ended == Some(byte) { Unit::Stop(1) } else { Unit::Keep(1) };
        }
        match byte {
            b'\\' => self.command(rest),
            // In the form of bibliography programs: `{\_}`, `{\~{}}`.
            b'{' => match rest[1..].starts_with('\\').then(|| command(&rest[1..])) {
                Some(Command::Char(len, c)) if rest[1 + len..].starts_with('}') => {
                    Unit::Char(len + 2, c)
                }
                _ => Unit::Keep(1),
            },
            b'$' => match rest.strip_prefix("$\\sim$") {
                Some(_) => Unit::Char(6, '~'),
                None => Unit::Keep(1),
            },
            _ => Unit::Keep(1),
        }
    }

    fn command(&mut self, rest: &str) -> Unit {
        match command(rest) {
            Command::Char(len, c) => Unit::Char(len, c),
            Command::Break(len) => Unit::Gap(len),
            Command::Verbatim(len) => {
                let after = &rest.as_bytes()[len..];
                match after.first() {
                    // Other delimiters are not marks.
                    Some(end) if MARKS.contains(end) && !b"{\\\n$".contains(end) => {
                        self.end = Some(*end);
                        // The delimiter is not part of the argument.
                        Unit::Stop(len + 1)
                    }
                    _ => Unit::Keep(len),
                }
            }
            Command::Other => Unit::Keep(1),
        }
    }
}

/// A TeX command and its length.
enum Command {
    Char(usize, char),
    Break(usize),
    Verbatim(usize),
    Other,
}

/// The command at the start of `rest`.
fn command(rest: &str) -> Command {
    let Some(first) = rest[1..].chars().next() else {
        return Command::Other;
    };
    let letters = rest[1..].bytes().take(LONGEST_NAME).take_while(u8::is_ascii_alphabetic).count();
    if letters == 0 {
        return match first {
            '#' | '&' | '%' | '_' | '$' | '{' | '}' => Command::Char(2, first),
            '~' | '^' if rest[2..].starts_with("{}") => Command::Char(4, first),
            '-' | '/' => Command::Break(2),
            '\\' => Command::Char(2, STOP),
            _ => Command::Other,
        };
    }
    let name = &rest[1..1 + letters];
    if name == "string" && rest[1 + letters..].starts_with('~') {
        return Command::Char(letters + 2, '~');
    }
    if let Some((_, c)) = CHARACTERS.iter().find(|(it, _)| *it == name) {
        let after = &rest[1 + letters..];
        let end = if after.starts_with("{}") { 2 } else { blanks(after).min(1) };
        return Command::Char(1 + letters + end, *c);
    }
    if let Some(name) = BREAKS.into_iter().find(|it| rest[1..].starts_with(it)) {
        let after = &rest[1 + name.len()..];
        return Command::Break(1 + name.len() + blanks(after).min(1));
    }
    if VERBATIM.contains(&name) {
        let star = usize::from(rest[1 + letters..].starts_with('*'));
        return Command::Verbatim(1 + letters + star);
    }
    Command::Other
}

#[cfg(test)]
mod tests {
    use super::super::translation::translated;
    use crate::source::TextSyntax;

    #[test]
    fn commands_spell_characters() {
        let tex = |text: &str| translated(TextSyntax::Tex, text);
        assert_eq!(tex(r"\href{http://a/b\_c\%20d\#e}{f}"), r"\href{http://a/b_c%20d#e}{f}");
        assert_eq!(
            tex(r"http://a/\~{}b{\_}c{\~{}}d$\sim$e\textasciitilde f"),
            "http://a/~b_c~d~e~f"
        );
        assert_eq!(tex(r"http://a/\-b\allowbreak c\string~d"), "http://a/bc~d");
        assert_eq!(tex(r"\textbf{a} \\ $x$"), "\\textbf{a} \u{1F} $x$");
    }

    #[test]
    fn verbatim_text_has_its_own_delimiter() {
        let tex = |text: &str| translated(TextSyntax::Tex, text);
        assert_eq!(tex("\\verb|http://a/|, x|y"), "\u{1F}http://a/\u{1F}, x|y");
        assert_eq!(tex("\\verb*+http://a/+\n"), "\u{1F}http://a/\u{1F}\n");
        assert_eq!(tex("\\verb|a\nb|"), "\u{1F}a\nb|");
        assert_eq!(tex("\\url{http://a/}"), "\\url{http://a/}");
    }
}
