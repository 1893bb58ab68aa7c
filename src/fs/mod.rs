//! The only room that touches files: walking directories, reading documents, replacing files, and runs that can be
//! finished or undone.

pub mod journal;
mod new_tree;
mod read;
mod replace;
mod walk;

pub use new_tree::NewTree;
pub use read::{
    BaseMapping, BaseMappingError, Compressed, Content, GZIP, Item, MAX_DOCUMENT, MAX_INFLATED,
    MAX_INFLATED_XML, MailReader, ReadOptions, Reading, RealFolder, Slice, Stream, bytes_of_list,
    folder_url, items_of_list, max_document, max_threads,
};
pub use replace::{Replaced, back_up, replace};
pub use walk::{
    EntryKind, GlobError, Globs, Walk, WalkEntry, WalkOptions, bytes_of_path, ignores_case,
    is_listed_whole, is_same_owner, list, names_in, path_of_bytes,
};
