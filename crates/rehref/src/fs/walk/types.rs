//! Types of files, by their names.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use ignore::types::{Types as Globs, TypesBuilder};

use crate::format::Format;
use crate::source::Compression;

/// Types of files, by their names. Empty takes all files.
///
/// Each format has a type with its extensions, in any case and also compressed; `mail` has those of
/// all formats of mail, `office` those of all documents of offices. All other types are those of ripgrep, whose globs also match any case unless
/// they have upper case letters, such as `*.C`.
///
/// ```
/// use rehref::fs::Types;
///
/// assert!(Types::new(&["html", "css", "mail"], &[]).is_ok());
/// assert!(Types::new(&[], &["htlm"]).is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Types(Option<Globs>);

/// A name that no type of files has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownType(String);

impl fmt::Display for UnknownType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let formats: Vec<_> = of_formats().map(|(name, _)| name).collect();
        write!(
            f,
            "no type of files is named {:?}; the types are {}, and those of ripgrep",
            self.0,
            formats.join(", ")
        )
    }
}

impl UnknownType {
    /// The unknown name.
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl std::error::Error for UnknownType {}

impl Types {
    /// The types with the names in `taken`, or all if it is empty, without those in `skipped`.
    ///
    /// # Errors
    /// If a name is unknown. The message lists the names of formats.
    pub fn new<S: AsRef<str>>(taken: &[S], skipped: &[S]) -> Result<Self, UnknownType> {
        // Knowing all types takes half a millisecond.
        if taken.is_empty() && skipped.is_empty() {
            return Ok(Self(None));
        }
        let mut types = known();
        for name in taken {
            types.select(name.as_ref());
        }
        for name in skipped {
            types.negate(name.as_ref());
        }
        match types.build() {
            Ok(types) => Ok(Self(Some(types))),
            Err(ignore::Error::UnrecognizedFileType(name)) => Err(UnknownType(name)),
            Err(error) => Err(UnknownType(error.to_string())),
        }
    }

    /// All types, sorted by their names, each with its globs. Those of formats are in lower case and
    /// without compression.
    pub fn all() -> impl Iterator<Item = (String, Vec<String>)> {
        let of_formats = of_formats().map(|(name, extensions)| {
            let globs = extensions.into_iter().map(|it| format!("*.{it}"));
            (name.to_owned(), globs.collect())
        });
        // Formats are later, and replace types of ripgrep.
        let types: BTreeMap<_, Vec<_>> = of_ripgrep().chain(of_formats).collect();
        types.into_iter()
    }

    /// Returns true if files of all types are taken.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns true if a file is of one of the types.
    pub(super) fn takes(&self, name: &Path) -> bool {
        let types = self.0.as_ref();
        types.is_none_or(|types| !types.matched(name, false).is_ignore())
    }
}

/// The type of all files of mail.
const MAIL: &str = "mail";

/// The type of all documents of offices.
const OFFICE: &str = "office";

/// Documents of offices that are not packages.
const FLAT: [&str; 4] = ["fodg", "fodp", "fods", "fodt"];

/// The types of formats, with their extensions.
fn of_formats() -> impl Iterator<Item = (&'static str, BTreeSet<&'static str>)> {
    let of_format = |format: Format| {
        let of_mail = Format::all().filter(move |it| format.as_str() == MAIL && it.is_mail());
        (format.as_str(), of_mail.chain([format]).flat_map(Format::extensions).collect())
    };
    // Documents of offices have places of their own, and books have those of pages.
    let is_of_office =
        |it: &Format| it.is_package() && Format::places().any(|place| place == it.as_str());
    let of_offices = Format::all().filter(is_of_office).flat_map(Format::extensions);
    let office = (OFFICE, of_offices.chain(FLAT).collect());
    Format::all().map(of_format).chain([office])
}

/// The types of ripgrep with their globs.
fn of_ripgrep() -> impl Iterator<Item = (String, Vec<String>)> {
    let mut types = TypesBuilder::new();
    types.add_defaults();
    let types = types.definitions().into_iter();
    let types = types.map(|it| (it.name().to_owned(), it.globs().to_vec()));
    // The type of all types.
    types.filter(|(name, _)| name != "all")
}

/// All types.
fn known() -> TypesBuilder {
    let mut types = TypesBuilder::new();
    for (name, globs) in of_ripgrep() {
        for glob in globs {
            let added = types.add(&name, &in_any_case(&glob));
            debug_assert!(added.is_ok(), "{name} names a type");
        }
    }
    for (name, extensions) in of_formats() {
        types.clear(name);
        for extension in extensions {
            for compression in [None].into_iter().chain(Compression::ALL.map(Some)) {
                let mut glob = format!("*.{}", in_any_case(extension));
                if let Some(compression) = compression {
                    glob += &format!(".{}", in_any_case(compression.extension()));
                }
                let added = types.add(name, &glob);
                debug_assert!(added.is_ok(), "{name} names a type");
            }
        }
    }
    types
}

/// A glob in any case, if it has no upper case letters.
fn in_any_case(glob: &str) -> String {
    if glob.contains(char::is_uppercase) {
        return glob.to_owned();
    }
    let mut is_in_class = false;
    let pieces = glob.chars().map(|it| {
        is_in_class = it == '[' || is_in_class && it != ']';
        match it.is_alphabetic() && !is_in_class {
            true => format!("[{it}{}]", it.to_ascii_uppercase()),
            false => it.to_string(),
        }
    });
    pieces.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_those_of_formats_and_of_ripgrep() {
        let takes = |types: &[&str], name: &str| {
            let types = Types::new(types, &[]).expect("known types");
            types.takes(Path::new(name))
        };
        for name in ["a.html", "a.HTM", "d/a.shtml", "a.html.xz", "a.css"] {
            assert!(takes(&["html", "css"], name), "{name}");
        }
        assert!(!takes(&["html", "css"], "a.txt"));
        for name in ["a.eml", "a.mbox", "a.mbox.gz", "a.mht"] {
            assert!(takes(&["mail"], name), "{name}");
            assert_eq!(takes(&["mbox"], name), name.contains("mbox"), "{name}");
        }
        for name in ["a.docx", "a.XLSM", "a.odt", "a.fodt"] {
            assert!(takes(&["office"], name) && !takes(&["epub"], name), "{name}");
        }
        assert!(takes(&["epub"], "a.epub") && !takes(&["office"], "a.epub"));
        assert!(takes(&["markdown"], "README.md"));
        for name in ["a.md", "README.MD", "a.Markdown"] {
            assert!(takes(&["md"], name), "{name}");
        }
        assert!(takes(&["cpp"], "a.C") && !takes(&["cpp"], "a.c"));
        assert!(takes(&["make"], "Makefile") && takes(&["man"], "a.1"));
        assert!(takes(&[], "a.xyz"));
        let error = Types::new(&["htlm"], &[]).expect_err("unknown").to_string();
        assert!(error.contains("\"htlm\"; the types are text, html, "), "{error}");
        assert!(error.ends_with("and those of ripgrep"), "{error}");
    }
}
