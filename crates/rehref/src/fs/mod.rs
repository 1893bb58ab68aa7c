//! File access: walking directories, reading documents, replacing files, and runs that can be
//! resumed or undone. No other room accesses files.
//!
//! # Inside
//! - **A new tree costs what copying costs** (`new_tree`, `benches/benches/tree.rs`). In a
//!   directory that the run created, a file is created under its own name, since no other program
//!   uses the directory yet. In an existing directory a file appears by renaming, as everywhere
//!   else. Nothing is synced to disk, since a lost run can be repeated. Documents that were read
//!   are written from memory; other files are copied by the system (`copy_file_range`), which may
//!   share their blocks. A directory is created with its first file, private from the beginning if
//!   its original is, and gets its final mode last. A file takes seven system calls: open, examine,
//!   read and close the old one, create, write and close the new one. Modes are set only where the
//!   umask changed them.

pub mod journal;
mod messages;
mod new_tree;
mod open;
mod output_file;
mod paths;
mod pieces;
mod read;
mod replace;
mod state_lock;
mod stored_records;
mod unpacked_tree;
mod walk;

pub use messages::{Message, Messages};
pub use open::{Documents, Mailbox, open};
pub use output_file::OutputFile;
pub use paths::{bytes_of_path, path_of_bytes};
pub(crate) use paths::{directory_of, path_below, path_in};
pub(crate) use pieces::pieces;
pub(crate) use read::MailRanges;
pub(crate) use read::error_of;
pub(crate) use read::item::kind_of;
pub(crate) use read::url_below;
pub use read::{
    BaseMapping, BaseMappingError, Compressed, InputText, Item, Linking, MAX_DOCUMENT, Memory,
    Opened, PackageFile, ReadAt, ReadOptions, RealDirectory, Slice, Texts, bytes_of_list,
    directory_url, items_of_list, standard_input,
};
pub use stored_records::{Record, RecordResponse, Records, WebArchive};
pub use unpacked_tree::{Put, StateFile, UnpackedTree};
pub use walk::{GitIgnore, GlobError, Globs, Types, UnknownType, WalkOptions};

pub use self::{
    read::{Content, MailReader, Reading, SharedFile, Stream, max_document, max_threads},
    walk::{
        EntryKind, Walk, WalkEntry, documents_outside, ignores_case, is_listed_whole,
        is_same_owner, layouts, list, list_to_depth, names_in, presence, repository_above, site_of,
    },
};

pub use self::read::WebArchiveReader;
pub(crate) use self::read::{ArchiveRanges, ArchiveRecords};

pub use self::{
    new_tree::NewTree,
    replace::{Replaced, back_up, replace},
};
pub(crate) use replace::sweep;
