//! Recognizing notebooks.

use crate::format::language::Language;

/// A notebook, by its extension or media type.
pub(crate) const RECOGNIZED: Language = Language {
    extensions: &["ipynb"],
    media_types: &["application/x-ipynb+json"],
    has_anchors: true,
    ..Language::with_feature("notebook", "html")
};
