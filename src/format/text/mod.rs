//! URLs in plain text.
//!
//! A URL in running text is marked off in one of the ways RFC 3986, Appendix C (Appendix E of its
//! predecessors, and the appendix of RFC 1738) recommends, or in none; the [`Delimiter`](crate::link::Delimiter) says which:
//!
//! * `<http://a/b>` or `<URL:http://a/b>`: everything up to `>` belongs to the URL but the white
//!   space, whatever its kind, which was put in to break a long one. Nothing is trimmed but a `}` that nothing
//!   opens, with a `.`, `,` or `;` behind it.
//! * `"http://a/b"`, or in the quotes of another language: everything up to the closing quote. Only line
//!   breaks, with the blanks around them, are taken out: a blank within a line ends the URL, as the
//!   quoted words may well be a sentence. The RFC would remove that blank too. A final `.` or `,` is the
//!   sentence's, as American typography sets it before the quote, and so is a bracket that nothing opened.
//! * `URL:http://a/b` and bare `http://a/b`: up to a character that cannot be part of a URL, less the
//!   punctuation of the sentence round it.
//! * where they are asked for, `www.a.b/x`, `ftp.a.b` and `a@b.c`, wherever they stand.
//!
//! What is a link: any scheme before `://` with a host or a path; without `//` only the schemes of a
//! table, if what follows has the form that the scheme's standard demands (RFC 2397, 4151, 5538, 6068, 8089 and
//! so on); any other only in `<URL:...>` and where the text says URL or URI right before the bracket. Never a bare host name but those, and never `javascript:`. A word
//! glued to `http`, `https` or `ftp` is not part of the scheme, nor is an escape (`\n`, `\f5`).
//!
//! A template in a URL (`${port}`, `%(host)s`) is part of it if it ends within the URL. In the host `{}` is one too, and
//! one that does not end makes it no link.
//!
//! # Line ends
//! In brackets and quotes the marks of the line that the delimiter stands on go with a line end, if the
//! next line has them too: of a quoted reply (`> `), of a comment (`# `, `// `, ` * `). So does a page
//! break as RFCs print it: footer, form feed, header. A blank line ends the search.
//!
//! A bare URL ends with its line, unless the line ends with a hyphen and the next one continues it: it
//! begins with a small letter or a digit, and its first word has a letter and a character that words do not
//! have, such as `/`, `.` or a digit. In the mail of many lists that was so for every URL broken after a
//! hyphen.
//!
//! [`Join::Guess`] joins more, and calls it doubtful. It knows three ways in which mail programs break URLs:
//!
//! * after one of `-` `/` `?` `=` `&` `#` `%` `_`: after `/` only before a word that had no room in the line;
//! * at a fixed column, which the other lines of the paragraph show, or in a line that is full;
//! * within the host, an escape, `&amp;` or the extension of a file name, which nobody leaves unfinished.
//!
//! The next line, without the marks of a reply, must begin with a word that could not stand in prose: one with
//! `/`, `=`, a digit and so on, which is alone in its line or can only be a part of a URL. Signatures, rules,
//! code, labels, numbers, items of lists, commits and addresses are none. What begins as no word does (`_b`, `%20`) goes
//! on at any column, and so does what completes a hash; what follows once more in brackets, whole, is joined.
//!
//! How good that is: at 13,500 different line ends after bare URLs in the mail of five archives and of other
//! collections it makes 1,031 doubtful joins. Of 300 of them that were read all but three are right. The rule was written
//! looking at them.
//!
//! Whether the hyphen at a line end belongs to the URL cannot be known (RFC 3986, Appendix C):
//! [`Hyphen`] is the choice, and [`TextUrl::alternatives`] has the other readings. U+2010, which programs that set type
//! write, is a hyphen too, and with `-` in its place is one more reading.
//!
//! # Windows
//! Behind `file://` or `file:///` and a drive (`C:\`) backslashes part the path, and are kept as they are. They are no
//! characters of URIs: the WHATWG URL standard takes them for slashes, RFC 3986 does not.
//!
//! # Characters beyond ASCII
//! By [`Iri::Auto`] a bare URL holds those that Unicode Technical Standard 58 says, and ends where that
//! says, but for these: `<` `>` `"` `` ` `` `\` and characters that are not seen always end it; `^` `|` `*`
//! are not its last; where one of `，。；！？、` or an opening bracket that is not closed stands before
//! another character beyond ASCII, text that sets no blanks goes on, and the URL has ended. So it has before Han or Kana,
//! if all of it before is ASCII and such a character stands right before the URL, or before a blank there and a letter or
//! digit is the last of it; the longer reading is an alternative. `________` is a rule, and ends any bare URL.
//!
//! # By the letter
//! With [`TextOptions::strict`] the recommendation is followed as it stands: what `"` delimits is a URL
//! with all its white space removed and nothing trimmed, only `<` and `"` delimit, a bare URL reaches to
//! white space, a delimiter, a `` ` ``, a `\` or a character beyond ASCII, and no line has marks.
//!
//! # Cost
//! Time is linear in the length of the text, whatever it holds: look-back and look-ahead have fixed
//! bounds. Between the colons of the text the search is `memchr`'s. Nothing is allocated until a URL
//! in delimiters with white space inside turns up; but for what other threads find, by [`scan_parallel`].

mod abbreviated;
mod bare;
mod begun;
mod brackets;
mod chars;
mod common;
mod cut;
mod delimited;
mod escape;
pub(crate) mod in_text;
mod join;
mod layout;
mod lead;
mod line_counter;
mod lines;
mod link_detection;
mod opaque;
mod options;
mod parallel;
mod parts;
mod pasted;
mod pieces;
mod proof;
mod readings;
mod scan;
mod scheme;
mod scheme_names;
mod stream;
pub(crate) mod syntax;
mod tail;
mod template;
mod term;
mod text_link;
mod text_part;
mod text_url;

pub(crate) use chars::ends_url;
pub use in_text::find_each_in_text;
pub use options::{Hyphen, Iri, Join, TextOptions};
pub use parallel::{scan, scan_parallel};
pub use parts::TextParts;
pub use stream::{LinkPosition, TextStream};
pub(crate) use text_link::{link_of_url, notes_of_url};
pub use text_part::TextPart;
pub use text_url::{MAX_URL, TextUrl};
