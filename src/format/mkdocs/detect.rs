//! Recognizing the configuration of MkDocs.

use crate::format::language::Language;

/// The configuration of MkDocs, by its name.
pub(crate) const RECOGNIZED: Language = Language {
    overrides: |beginning| {
        let name = beginning.name.file_name();
        name.is_some_and(|it| it == "mkdocs.yml" || it == "mkdocs.yaml")
    },
    ..Language::with_feature("mkdocs", "html")
};
