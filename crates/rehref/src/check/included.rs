//! Files that are included in others: their headings are those of the page.

use std::collections::HashMap;
use std::sync::RwLock;

use crate::link::Directive;
use crate::listing::Id;

/// The maximum depth of files that are included in included files.
const DEEPEST: usize = 8;

/// The files that documents include. Threads share it.
#[derive(Debug, Default)]
pub(super) struct Included(RwLock<Pairs>);

#[derive(Debug, Default)]
struct Pairs {
    /// The included files by the file that includes them.
    files: HashMap<Id, Vec<Id>>,
    /// The files that include a file.
    pages: HashMap<Id, Vec<Id>>,
}

impl Included {
    /// Adds a file that a document names with a construct, if that includes the text.
    pub(super) fn add(&self, document: Id, directive: Directive, file: Id) {
        let is_inclusion = matches!(
            directive,
            Directive::Include
                | Directive::RustdocInclude
                | Directive::Snippet
                | Directive::IncludeRelative
                | Directive::Import
        );
        if is_inclusion && let Ok(mut pairs) = self.0.write() {
            pairs.files.entry(document).or_default().push(file);
            pairs.pages.entry(file).or_default().push(document);
        }
    }

    /// Returns true if `has` is true for a file that is included in this one, or for one that
    /// includes it, with the other files in that.
    pub(super) fn any(&self, file: Id, has: &dyn Fn(Id) -> bool) -> bool {
        let Ok(pairs) = self.0.read() else {
            return false;
        };
        let mut pages = pairs.pages.get(&file).into_iter().flatten();
        pairs.any_below(file, has, DEEPEST)
            || pages.any(|page| has(*page) || pairs.any_below(*page, has, DEEPEST))
    }
}

impl Pairs {
    fn any_below(&self, file: Id, has: &dyn Fn(Id) -> bool, depth: usize) -> bool {
        let mut files = self.files.get(&file).into_iter().flatten();
        depth > 0 && files.any(|it| has(*it) || self.any_below(*it, has, depth - 1))
    }
}
