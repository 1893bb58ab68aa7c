//! Texinfo: `@uref{URL, label}` and its escapes.

use super::unit::Unit;

pub(super) const MARKS: &[u8] = b"@{,}";

/// Commands whose first argument is a URL or an address, which a comma ends.
const LINKS: [&str; 5] = ["@uref{", "@url{", "@indicateurl{", "@email{", "@image{"];

/// The state of a Texinfo text.
#[derive(Clone, Debug, Default)]
pub(super) struct Texinfo {
    /// The number of open braces in the first argument of a link, including that of the command.
    depth: usize,
}

impl Texinfo {
    pub(super) fn unit(&mut self, rest: &str) -> Unit {
        match rest.as_bytes()[0] {
            b'{' => {
                self.depth += usize::from(self.depth > 0);
                Unit::Keep(1)
            }
            b'}' => {
                self.depth = self.depth.saturating_sub(1);
                Unit::Keep(1)
            }
            b',' if self.depth == 1 => {
                self.depth = 0;
                Unit::Stop(1)
            }
            b',' => Unit::Keep(1),
            _ => self.command(rest),
        }
    }

    fn command(&mut self, rest: &str) -> Unit {
        if let Some(link) = LINKS.iter().find(|it| rest.starts_with(**it)) {
            self.depth = 1;
            return Unit::Keep(link.len());
        }
        match rest.as_bytes().get(1) {
            Some(escaped @ (b'@' | b'{' | b'}' | b'&')) => Unit::Char(2, char::from(*escaped)),
            // A possible line break, or the end of an abbreviation.
            Some(b'/' | b'-' | b':') => Unit::Gap(2),
            _ if rest.starts_with("@comma{}") => Unit::Char(8, ','),
            _ if rest.starts_with("@tie{}") => Unit::Stop(6),
            _ => Unit::Keep(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::translation::translated;
    use crate::source::TextSyntax;

    #[test]
    fn comma_ends_a_first_argument() {
        let texinfo = |text: &str| translated(TextSyntax::Texinfo, text);
        assert_eq!(texinfo("@uref{http://a/,b, c}, d"), "@uref{http://a/\u{1F}b, c}, d");
        assert_eq!(texinfo("@url{http://a/@{x,y@}@/z}, b"), "@url{http://a/{x\u{1F}y}z}, b");
        assert_eq!(texinfo("http://a/@@b,c @comma{}"), "http://a/@b,c ,");
    }
}
