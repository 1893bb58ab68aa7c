//! Names of elements and attributes as numbers: most decisions of the HTML pass compare a name with a
//! few that are known.

/// A name in lower case, packed: equal for equal names in any case. All names of more than eight bytes
/// have the same key, [`Key::LONG`], and are told apart by their bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key(u64);

impl Key {
    pub(super) const LONG: Self = Self(0);

    pub(super) const fn of(name: &[u8]) -> Self {
        if name.len() > 8 {
            return Self::LONG;
        }
        let (mut key, mut at) = (0, 0);
        while at < name.len() {
            key = key << 8 | name[at].to_ascii_lowercase() as u64;
            at += 1;
        }
        Self(key)
    }
}

/// Declares a constant for the key of each name.
macro_rules! keys {
    ($($constant:ident: $name:literal,)+) => {
        $(pub(super) const $constant: Key = {
            assert!($name.len() <= 8);
            Key::of($name.as_bytes())
        };)+
    };
}

keys! {
    BASE: "base",
    BODY: "body",
    CAPTION: "caption",
    COL: "col",
    COLGROUP: "colgroup",
    DESC: "desc",
    FORM: "form",
    FRAME: "frame",
    FRAMESET: "frameset",
    HEAD: "head",
    HTML: "html",
    IFRAME: "iframe",
    MATH: "math",
    MI: "mi",
    MN: "mn",
    MO: "mo",
    MS: "ms",
    MTEXT: "mtext",
    NOEMBED: "noembed",
    NOFRAMES: "noframes",
    NOSCRIPT: "noscript",
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

/// Lengths of names, each with a bit for the letters that link attributes of that length begin with.
const LINK_NAMES: [u32; 32] = {
    let mut lengths = [0; 32];
    let names = super::table::NAMES;
    let mut at = 0;
    while at < names.len() {
        let name = names[at].as_bytes();
        lengths[name.len()] |= 1 << (name[0] & 31);
        at += 1;
    }
    lengths
};

/// Whether an attribute's name of this length that begins with this byte may be in the table of link
/// attributes. Wrong for few, never for one that is.
pub(super) fn may_be_link(first: u8, len: usize) -> bool {
    LINK_NAMES
        .get(len)
        .is_some_and(|letters| letters >> (first & 31) & 1 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_equal_in_any_case_and_only_for_equal_names() {
        assert_eq!(Key::of(b"TemPlate"), TEMPLATE);
        assert_ne!(Key::of(b"th"), TR);
        assert_ne!(Key::of(b"hea"), HEAD);
        assert_eq!(Key::of(b"plaintext"), Key::LONG);
    }

    #[test]
    fn names_of_the_table_may_be_links() {
        for name in super::super::table::NAMES {
            assert!(
                may_be_link(name.as_bytes()[0].to_ascii_uppercase(), name.len()),
                "{name}"
            );
        }
        assert!(!may_be_link(b'r', 3), "rel");
        assert!(!may_be_link(b'c', 500));
    }
}
