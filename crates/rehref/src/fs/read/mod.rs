//! Reading documents from files, directories, slices and lists, compressed or not.

mod base_mapping;
mod content;
mod fault;
mod head;
pub(super) mod item;
mod limit;
mod mail_reader;
mod opened;
mod options;
mod package;
mod shared_file;
mod standard_input;
mod stream;
mod texts;
mod web_archive;
mod web_archive_kind;

pub(crate) use base_mapping::url_below;
pub use base_mapping::{BaseMapping, BaseMappingError, RealDirectory, directory_url};
pub use content::Content;
pub use item::{Item, Memory, Slice, bytes_of_list, items_of_list};
pub use limit::{MAX_DOCUMENT, max_document, max_threads};
pub(crate) use mail_reader::MailRanges;
pub use mail_reader::MailReader;
pub use opened::Opened;
pub use options::{Compressed, ReadOptions, Reading};
pub use package::{Linking, PackageFile};
pub use shared_file::{ReadAt, SharedFile};
pub use standard_input::standard_input;
pub use stream::Stream;
pub use texts::{InputText, Texts};
pub use web_archive::WebArchiveReader;
pub(crate) use web_archive::error_of;
pub(crate) use web_archive::{ArchiveRanges, ArchiveRecords};
