//! URLs in plain text.
//!
//! [`Document`](crate::Document) finds them in bytes of any character encoding, [`scan`](scan()) in
//! a `str`. [`TextOptions`] has the options of both.
//!
//! # Delimiters
//! RFC 3986, Appendix C, recommends ways to delimit a URL in running text. So did Appendix E of RFC
//! 2396 and the appendix of RFC 1738. [`Delimiter`](crate::link::Delimiter) is the way that was
//! found:
//!
//! * `<http://a/b>` or `<URL:http://a/b>`: the URL is everything up to `>`, without any white
//!   space, which was inserted to break a long URL. Nothing else is trimmed, except an unmatched
//!   `}` with a `.`, `,` or `;` after it.
//! * `"http://a/b"`, or in the quotes of another language: the URL is everything up to the closing
//!   quote. Line breaks are removed with the spaces around them. A space within a line ends the
//!   URL, since the quoted words may be a sentence; the RFC would remove that space too. A final
//!   `.` or `,` belongs to the sentence, as American typography sets it before the quote, and so
//!   does an unmatched closing bracket.
//! * `URL:http://a/b` and bare `http://a/b`: up to a character that cannot be part of a URL,
//!   without the punctuation of the sentence around it.
//! * On request, `www.a.b/x`, `ftp.a.b` and `a@b.c` anywhere.
//!
//! # Schemes
//! A URL has any scheme before `://`, with a host or a path. Without `//` it has a scheme from a
//! table, and the form that the standard of the scheme requires (RFC 2397, 4151, 5538, 6068, 8089
//! and others). Any other scheme counts only in `<URL:...>` and where the text has URL or URI right
//! before the bracket. Other bare host names and `javascript:` never count. A word glued to `http`,
//! `https` or `ftp` is not part of the scheme, nor is an escape (`\n`, `\f5`).
//!
//! A template in a URL (`${port}`, `%(host)s`) is part of the URL if it ends within it. In the
//! host, `{}` is a template too, and an unclosed template makes the URL invalid.
//!
//! # Markup
//! A mark right before a bare URL ends it where it is repeated: `|url|`, `~~url~~`, `_url_`. Labels
//! (`<url|label>`, `[[url|label]]`), tags of BBCode and Jira (`[/url]`, `{color}`) and character
//! references of quotes and angle brackets (`&quot;`) end it, too. In `<...>` without a line break,
//! words after the URL are its label.
//!
//! # Escapes
//! Within a string literal, JSON escapes in a URL are decoded, whatever the text is: `\/`, `\u0026`,
//! also doubled in nested JSON. The literal begins right before the URL, or before it in its line
//! where a value begins. If it begins with the URL, `\xHH` and `\"` are decoded, too, as in the
//! fields of logs. `\=` is decoded everywhere, as CEF and LEEF write it.
//!
//! # Defanged URLs
//! Reports about attacks write `hxxp` for `http`, and brackets around marks: `[.]`, `(.)`, `[dot]`,
//! `[:]//`, `[://]`. Such a URL is found as written, with the note
//! [`Defanged`](crate::link::Note::Defanged). [`refanged`] undoes it. A backslash before a dot is a
//! mark only where another part shows that the URL is defanged. With
//! [`TextOptions::abbreviated`], names without a scheme count, too: `a[.]b`. In 450 MB of source
//! code, prose and manuals there was no defanged URL, and three such names, none of them a host.
//!
//! # Line breaks
//! In brackets and quotes, the marks at the start of the line are removed with the line break if
//! the next line has them too: those of a quoted reply (`> `) and of a comment (`# `, `// `, ` *
//! `). A page break as in RFCs is removed as well: footer, form feed, header. A blank line ends the
//! search.
//!
//! A bare URL ends with its line, unless the line ends with a hyphen and the next line continues
//! the URL. It does if it begins with a lowercase letter or a digit, and its first word has a
//! letter and a character that words of prose do not have, such as `/`, `.` or a digit. This was
//! right for every URL broken after a hyphen in the mail of many lists.
//!
//! [`Join::Guess`] joins more lines and marks the result as doubtful. It covers the ways in which
//! programs break URLs:
//!
//! * after one of `-` `/` `?` `=` `&` `#` `%` `_`; after `/` only if the next word did not fit in
//!   the line;
//! * at a fixed column, which the other lines of the paragraph show, or in a full line;
//! * in a narrow column, as the text of a PDF has: within the host, or after `/`;
//! * within the host, an escape, `&amp;` or a file name extension: these are never incomplete.
//!
//! The next line, without reply marks, must begin with a word that is not prose: one with `/`, `=`,
//! a digit and so on, which is alone in its line or can only be part of a URL. Signatures, rulers,
//! code, labels, numbers, list items, commits and addresses are never joined. A word that begins as
//! no word does (`_b`, `%20`), or that completes a hash, is joined at any column. So is a URL that
//! is repeated in brackets.
//!
//! The reading that ends at the first doubtful line break is in [`TextUrl::alternatives`].
//!
//! Accuracy: at 13,500 different line ends after bare URLs in the mail of five archives and of
//! other collections, this rule makes 1,031 doubtful joins. Of 300 that were read, all but three
//! are right. The rule was developed on these.
//!
//! It cannot be decided if the hyphen at a line end belongs to the URL (RFC 3986, Appendix C).
//! [`Hyphen`] selects a reading, and [`TextUrl::alternatives`] has the others. U+2010, which
//! typesetting programs write, is never part of the URL; the alternative has `-` in its place.
//!
//! # Windows paths
//! After `file://` or `file:///` and a drive (`C:\`), backslashes separate path segments and are
//! kept. They are not URI characters: the WHATWG URL standard reads them as slashes, RFC 3986 does
//! not.
//!
//! # Non-ASCII characters
//! With [`Iri::Auto`], a bare URL has the characters that Unicode Technical Standard 58 includes,
//! and ends where that standard ends it, with these exceptions:
//!
//! * `<` `>` `"` `` ` `` `\` and invisible characters always end it.
//! * `^` `|` `*` are never its last character.
//! * One of `，。；！？、`, or an unclosed opening bracket, ends it before another non-ASCII character,
//!   since that is text without spaces.
//! * It ends before Han or Kana if it is ASCII up to there and such a character precedes it
//!   directly. If a space is between them, it also has to end with a letter or digit. The longer
//!   reading is an alternative.
//! * `________` is a ruler and ends it.
//!
//! # Strict rules
//! With [`TextOptions::strict`], the recommendation of RFC 3986, Appendix C, is followed to the
//! letter. A URL between `"` loses all white space and nothing else. Only `<` and `"` are
//! delimiters. A bare URL ends at white space, a delimiter, a `` ` ``, a `\` or a non-ASCII
//! character. Lines have no marks.
//!
//! # Cost
//! Time is linear in the length of any text: look-back and look-ahead have fixed bounds. Between
//! the colons of the text the search is that of `memchr`. Nothing is allocated before a URL with
//! white space between its delimiters.
//!
//! # Inside
//! * **Triggers.** [`scan`](scan()) visits every colon; `@` and `.` are triggers only on request.
//!   At a colon the adjacent bytes decide first (`candidates`), which rejects most. Then the scheme
//!   is read backward (`scheme`), and the text before it (`opening`).
//! * **Fast path.** Common URLs take a shorter way (`common`). It reads bytes, of UTF-8 or of a
//!   text that is not decoded (`encoded`). Property tests compare it with the full rules.
//! * **Delimiters.** `delimited` reads up to the closing bracket or quote, and removes white space,
//!   line marks and page breaks (`lines`). `bare` reads by the class of each character (`chars`,
//!   with the UTS #58 data in `link_detection`). `join` decides about line breaks, and
//!   `wrap_heuristics` guesses in mail.
//! * **Streams.** All look-back and look-ahead is bounded, except for the characters of a URL,
//!   which end at [`MAX_URL`]. A trigger is decided if the current text extends beyond the
//!   look-ahead; otherwise it is read again with the next piece. So the same code searches whole
//!   texts and streams. `stream` keeps the current piece, decodes it if necessary, and maps spans
//!   and lines to the document. The scan never reads before its `min_start`, the end of the last
//!   URL, so time is linear.
//! * **Encodings.** Where ASCII characters are ASCII bytes, as in all encodings of the web except
//!   UTF-16 and ISO-2022-JP, the bytes are searched (`search`). Only the text near some triggers is
//!   decoded (`undecoded`, `window`), and that near terminal sequences (`near_escapes`).
//! * **Other spellings.** `string_escapes` decodes escapes, `defanged` reads marks, and `markup` the
//!   text around a URL. All look back within the line only.
//! * **Parts.** Any number of threads can search the parts of a long text (`parts` of a stream,
//!   `text_part` for ranges of a file). A part begins where no look-back crosses (`boundary`), so it
//!   has the same result as in the whole text, unless the last URL before reaches into it. Then it
//!   is searched again. One thread reads, checks and searches a part while its bytes are in the
//!   cache of that core.
//! * **Tables.** scripts/link_detection.py writes `link_detection` from the files of Unicode.

mod abbreviated;
mod bare;
mod bare_start;
mod boundary;
mod brackets;
mod candidates;
mod chars;
mod coding;
mod common;
mod defanged;
mod delimited;
mod encoded;
mod escape;
mod found_url;
pub(crate) mod in_text;
mod join;
mod language;
mod layout;
mod line_counter;
mod lines;
mod link_detection;
mod markup;
mod namespace;
mod narrow_column;
mod near_escapes;
mod opaque;
mod opening;
pub(super) mod parts;
mod pieces;
mod prose_below;
mod quotes;
pub(super) mod readings;
mod scan;
mod scheme;
mod scheme_names;
mod search;
mod searchable;
mod simd;
mod stream;
mod string_escapes;
mod surroundings;
pub(crate) mod syntax;
mod tail;
mod template;
mod term;
mod text_link;
mod text_part;
mod text_url;
mod undecoded;
mod window;
mod wrap_heuristics;
mod write;

pub use crate::format::options::{Hyphen, Iri, Join, TextOptions};
pub use defanged::{is_defanged, refanged};
pub(super) use in_text::{find as read_text, find_each, find_in_decoded};
pub(super) use join::hyphen_len;
pub(crate) use language::LANGUAGE;
pub use scan::scan;
pub use surroundings::words_around;
pub(crate) use text_link::link_of_url;
pub use text_url::{MAX_URL, TextUrl};
pub(super) use write::write as write_text;

pub use self::{
    line_counter::{LineFeeds, LinePosition, LinkPosition},
    parts::TextParts,
    stream::TextStream,
    text_part::{TextPart, TextRanges},
};
