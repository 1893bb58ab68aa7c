//! The place of a document in a package.

use std::collections::HashMap;
use std::sync::Arc;

use crate::bytes::percent;

/// The package that a document is a part of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackagePart {
    /// The name of the part in the package, such as `word/document.xml`.
    pub name: String,
    /// What the relative references of the part are relative to.
    pub base: PartBase,
    /// True if the document has a base of its own for its hyperlinks (ISO 29500-1, section
    /// 22.2.2.11). Programs disagree about it.
    pub has_hyperlink_base: bool,
    /// True if the package has relationships of the part.
    pub has_relationships: bool,
    /// What the part of relationships says about them, if this is a part with relationships, and if
    /// it was read.
    pub uses: Option<RelationshipUses>,
}

/// The ids of the relationships that a part refers to, with the fragments of the targets.
pub type RelationshipUses = HashMap<String, Option<Arc<str>>>;

/// What the relative references of a part are relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartBase {
    /// The package: they are those of the file (ECMA-376, part 2, section 8.3).
    Package,
    /// The part. The package counts as a directory (ODF 1.3, part 2, section 3.7).
    Part,
    /// The part, and they must not leave the package (EPUB 3.3, section 4.2.5).
    PartOfBook,
}

impl PackagePart {
    /// The base URL of the part, in a package with this URL.
    pub fn base_in(&self, package: &str) -> String {
        let mut base = package.to_owned();
        if self.base != PartBase::Package {
            base.push_str(&self.below());
        }
        base
    }

    /// Returns true if a URL is that of a part of the same package. `base` is that of this part.
    pub fn is_sibling(&self, base: &str, uri: &str) -> bool {
        let package = base.strip_suffix(&*self.below()).filter(|_| self.base != PartBase::Package);
        let below = package.and_then(|it| uri.strip_prefix(it));
        below.is_some_and(|it| it.starts_with('/'))
    }

    /// Returns true if a relative reference climbs out of the package, whatever it refers to then.
    pub fn is_left_by(&self, reference: &str) -> bool {
        let path = reference.split(['?', '#']).next().unwrap_or_default();
        let mut depth = self.name.matches('/').count() as isize;
        path.split('/').any(|segment| {
            match segment {
                ".." => depth -= 1,
                "" | "." => {}
                _ => depth += 1,
            }
            depth < 0
        })
    }

    /// The path of the part, below the package.
    fn below(&self) -> String {
        let mut path = String::new();
        for segment in self.name.split('/') {
            path.push('/');
            percent::encode_path_segment(segment.as_bytes(), &mut path);
        }
        path
    }
}
