//! Names of elements and attributes as numbers, since most decisions compare a name with a few
//! known ones.

use std::borrow::Cow;

use super::guard::Guard;
pub(super) use super::key::Key;

/// The name of an element as the standard reads it.
pub(super) fn lower(name: &[u8]) -> Cow<'static, str> {
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    Cow::Owned(name.replace('\0', "\u{FFFD}"))
}

/// A set of keys with a fast lookup, which rarely contains a key that was not added.
#[derive(Clone, Copy)]
pub(super) struct KeySet([u64; 16]);

impl KeySet {
    const fn of(keys: &[&[Key]]) -> Self {
        let mut set = [0; 16];
        let mut list = 0;
        while list < keys.len() {
            let mut at = 0;
            while at < keys[list].len() {
                let (word, bit) = Self::place(keys[list][at]);
                set[word] |= 1 << bit;
                at += 1;
            }
            list += 1;
        }
        Self(set)
    }

    fn add(&mut self, key: Key) {
        let (word, bit) = Self::place(key);
        self.0[word] |= 1 << bit;
    }

    /// The bit of a key.
    #[inline]
    const fn place(key: Key) -> (usize, u32) {
        let hash = key.hash(64 * 16);
        (hash / 64, hash as u32 % 64)
    }

    #[inline]
    pub(super) fn may_have(&self, key: Key) -> bool {
        let (word, bit) = Self::place(key);
        self.0[word] >> bit & 1 != 0
    }
}

/// Declares a constant for the key of each name.
macro_rules! keys {
    ($($constant:ident: $name:literal,)+) => {
        /// All of them.
        #[cfg(test)]
        pub(super) const ALL: &[&str] = &[$($name),+];

        $(pub(super) const $constant: Key = {
            assert!($name.len() <= 8);
            Key::of($name.as_bytes())
        };)+
    };
}

keys! {
    BASE: "base",
    BASEFONT: "basefont",
    BGSOUND: "bgsound",
    BODY: "body",
    BR: "br",
    CAPTION: "caption",
    COL: "col",
    COLGROUP: "colgroup",
    DESC: "desc",
    FONT: "font",
    FORM: "form",
    FRAME: "frame",
    FRAMESET: "frameset",
    HEAD: "head",
    HTML: "html",
    IFRAME: "iframe",
    LINK: "link",
    MATH: "math",
    META: "meta",
    MI: "mi",
    MN: "mn",
    MO: "mo",
    MS: "ms",
    MTEXT: "mtext",
    NOEMBED: "noembed",
    NOFRAMES: "noframes",
    NOSCRIPT: "noscript",
    P: "p",
    SCRIPT: "script",
    SELECT: "select",
    STYLE: "style",
    SVG: "svg",
    TABLE: "table",
    TBODY: "tbody",
    TD: "td",
    TEMPLATE: "template",
    TEXTAREA: "textarea",
    TFOOT: "tfoot",
    TH: "th",
    THEAD: "thead",
    TITLE: "title",
    TR: "tr",
    XMP: "xmp",
}

/// The elements whose start tags have more effect, outside of templates, SVG and MathML, than to
/// create an element with text and tags. Another is `plaintext`.
const WITH_EFFECT: [Key; 18] = [
    BODY, FORM, FRAMESET, HEAD, HTML, IFRAME, MATH, NOEMBED, NOFRAMES, NOSCRIPT, SCRIPT, STYLE,
    SVG, TABLE, TEMPLATE, TEXTAREA, TITLE, XMP,
];

/// Those whose end tags have an effect.
const WITH_END_EFFECT: [Key; 5] = [FORM, FRAMESET, NOFRAMES, TABLE, TEMPLATE];

/// The elements that are read in a template as they are in the head of a page: their tags do not
/// decide what the template contains.
pub(super) const OF_HEAD: [Key; 10] =
    [BASE, BASEFONT, BGSOUND, LINK, META, NOFRAMES, SCRIPT, STYLE, TEMPLATE, TITLE];

/// The elements of HTML that end the SVG or MathML around them (HTML standard, section 13.2.6.5).
/// Another is `blockquote`. A `font` does so only with some attributes.
pub(super) const BREAKING_OUT: [&str; 44] = [
    "b", "big", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed", "font",
    "h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta",
    "nobr", "ol", "p", "pre", "ruby", "s", "small", "span", "strike", "strong", "sub", "sup",
    "table", "tt", "u", "ul", "var",
];

/// Their keys.
const KEYS_BREAKING_OUT: [Key; BREAKING_OUT.len()] = {
    let mut keys = [Key::LONG; BREAKING_OUT.len()];
    let mut at = 0;
    while at < BREAKING_OUT.len() {
        keys[at] = Key::of(BREAKING_OUT[at].as_bytes());
        at += 1;
    }
    keys
};

/// A superset of them, and what has content of its own in SVG.
static LEAVING_FOREIGN: KeySet = KeySet::of(&[&KEYS_BREAKING_OUT, &[Key::LONG, SCRIPT, STYLE]]);

/// Returns true if an HTML element with this name ends the SVG or MathML around it. A `font` does so
/// only with some attributes.
pub(super) fn breaks_out(key: Key, name: &[u8]) -> bool {
    match key {
        Key::LONG => name.eq_ignore_ascii_case(b"blockquote"),
        key => LEAVING_FOREIGN.may_have(key) && KEYS_BREAKING_OUT.contains(&key),
    }
}

/// The names that are searched in tags. Tags without any of them may be skipped.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// For each length of names, a bit for each first letter of the attributes of that length.
    attributes: [u32; 32],
    /// The elements whose start tags are always returned.
    starts: KeySet,
    /// The elements whose end tags are always returned.
    ends: KeySet,
    /// True if start tags, or end tags, with long names are always returned.
    long_starts: bool,
    long_ends: bool,
    /// All bits if tags with an effect have names of three bytes or more, and end tags of four. None
    /// in a [guard](Self::guarded).
    pub(super) short: u64,
}

impl Wanted {
    /// Links.
    pub(super) const LINKS: Self = Self {
        attributes: lengths(&[super::table::NAMES]),
        starts: KeySet::of(&[&WITH_EFFECT]),
        ends: KeySet::of(&[&WITH_END_EFFECT]),
        long_starts: false,
        long_ends: false,
        short: u64::MAX,
    };

    /// Links and anchors. A `select` in a `select` creates no element, and so no anchor.
    pub(super) const ANCHORS: Self = Self {
        attributes: lengths(&[super::table::NAMES, &["id", "name"]]),
        starts: KeySet::of(&[&WITH_EFFECT, &[SELECT]]),
        ends: KeySet::of(&[&WITH_END_EFFECT, &[SELECT]]),
        ..Self::LINKS
    };

    /// Links and event handlers, which begin with `on`.
    const HANDLERS: Self =
        Self { attributes: with_handlers(Self::LINKS.attributes), ..Self::LINKS };

    /// Links, anchors and event handlers.
    const ALL: Self = Self { attributes: with_handlers(Self::ANCHORS.attributes), ..Self::ANCHORS };

    /// Links, and anchors or event handlers on request.
    pub(super) fn of(anchors: bool, handlers: bool) -> &'static Self {
        match (anchors, handlers) {
            (false, false) => &Self::LINKS,
            (true, false) => &Self::ANCHORS,
            (false, true) => &Self::HANDLERS,
            (true, true) => &Self::ALL,
        }
    }

    /// The same names, and the tags that are in doubt.
    pub(super) fn guarded(&self, guard: &Guard) -> Self {
        let mut wanted = Self { short: 0, ..*self };
        for name in &guard.ends {
            match Key::of_name(name.as_bytes()) {
                Key::LONG => wanted.long_ends = true,
                key => wanted.ends.add(key),
            }
        }
        for name in &guard.starts {
            match Key::of_name(name.as_bytes()) {
                Key::LONG => wanted.long_starts = true,
                key => wanted.starts.add(key),
            }
        }
        wanted
    }

    /// Returns true if a self-closing tag in SVG or MathML may do more than to create an element
    /// there.
    #[inline]
    pub(super) fn may_leave_foreign(key: Key) -> bool {
        LEAVING_FOREIGN.may_have(key)
    }

    /// Returns true if tags of the element are returned, whatever their attributes. Also true for
    /// few others.
    #[inline]
    pub(super) fn has_effect(&self, key: Key, is_end: bool, name: &[u8]) -> bool {
        match key {
            Key::LONG if is_end => self.long_ends,
            Key::LONG => self.long_starts || name.eq_ignore_ascii_case(b"plaintext"),
            key if is_end => self.ends.may_have(key),
            key => self.starts.may_have(key),
        }
    }

    /// Returns true if an attribute name of this length with this first byte may be wanted. Wrong
    /// for few names, but never false for a wanted one.
    #[inline]
    pub(super) fn may_have(&self, first: u8, len: usize) -> bool {
        self.attributes.get(len).is_some_and(|letters| letters >> (first & 31) & 1 != 0)
    }
}

const fn lengths(names: &[&[&str]]) -> [u32; 32] {
    let mut lengths = [0; 32];
    let mut list = 0;
    while list < names.len() {
        let mut at = 0;
        while at < names[list].len() {
            let name = names[list][at].as_bytes();
            lengths[name.len()] |= 1 << (name[0] & 31);
            at += 1;
        }
        list += 1;
    }
    lengths
}

/// Returns the lengths with a bit for the `o` of event handlers, such as `onclick`, at every
/// length.
const fn with_handlers(mut lengths: [u32; 32]) -> [u32; 32] {
    let mut len = "on".len();
    while len < lengths.len() {
        lengths[len] |= 1 << (b'o' & 31);
        len += 1;
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_equal_in_any_case_and_only_for_equal_names() {
        assert_eq!(Key::of(b"TemPlate"), TEMPLATE);
        assert_ne!(Key::of(b"th"), TR);
        assert_ne!(Key::of(b"hea"), HEAD);
        assert_ne!(Key::of(b"title\0"), TITLE);
        assert_eq!(Key::of(b"plaintext"), Key::LONG);
    }

    #[test]
    fn attributes_of_the_table_may_be_links() {
        let may_be = |wanted: &Wanted, name: &str| {
            wanted.may_have(name.as_bytes()[0].to_ascii_uppercase(), name.len())
        };
        for name in super::super::table::NAMES {
            assert!(may_be(&Wanted::LINKS, name), "{name}");
            assert!(may_be(&Wanted::ANCHORS, name), "{name}");
        }
        for name in ["id", "name"] {
            assert!(!may_be(&Wanted::LINKS, name), "{name}");
            assert!(may_be(&Wanted::ANCHORS, name), "{name}");
        }
        assert!(!may_be(&Wanted::ANCHORS, "rel"));
        assert!(!Wanted::LINKS.may_have(b'c', 500));
    }

    #[test]
    fn keys_are_read_from_markup() {
        let page = b"A>xTEMPLATE plaintext/p\0><th";
        assert_eq!(Key::at(page, 0), Some((1, Key::of(b"a"))));
        assert_eq!(Key::at(page, 3), Some((8, TEMPLATE)));
        assert_eq!(Key::at(page, 12), Some((9, Key::LONG)));
        assert_eq!(Key::at(page, 22), None, "too near to the end");
        assert_eq!(Key::at(b"p\0>             ", 0), Some((1, Key::of(b"p"))));
        assert_eq!(Key::at(b"nothing-of-sixteen-bytes>", 0), None);
    }

    #[test]
    fn tags_with_an_effect_are_returned_and_usual_others_are_not() {
        let with_effect = |name: &str, is_end| {
            let key = Key::of(name.as_bytes());
            let of = |wanted: &Wanted| wanted.has_effect(key, is_end, name.as_bytes());
            of(&Wanted::LINKS) || of(&Wanted::ANCHORS)
        };
        for name in ["svg", "Script", "template", "PlainText", "select"] {
            assert!(with_effect(name, false), "{name}");
        }
        for name in ["form", "table", "template", "select"] {
            assert!(with_effect(name, true), "{name}");
        }
        let usual = [
            "a", "p", "div", "span", "li", "ul", "td", "tr", "code", "pre", "em", "b", "i", "img",
            "br", "dd", "dt", "h1", "h2", "h3", "h4", "meta", "link", "section", "blockquote",
        ];
        for name in usual {
            assert!(!with_effect(name, false), "{name}");
            assert!(!with_effect(name, true), "{name}");
        }
    }
}
