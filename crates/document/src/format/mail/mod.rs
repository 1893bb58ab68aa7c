//! Mail: its detection, the lines that structure it, and the links of its text. `container::mail`
//! reads the messages.

mod detect;
pub(super) mod footer;
pub mod lines;
mod part;
mod proof;

use crate::format::called_text::CalledText;
use crate::format::language::{Container, Content, Language};

use detect::is_mailbox;
pub(super) use part::find_each;

/// One mail message.
pub(crate) const MESSAGE: Language = Language {
    extensions: &["eml", "msg"],
    media_types: &["message/rfc822", "message/global", "message/news"],
    begins: detect::begins_as_message,
    overrides: detect::is_message,
    ..container("mail", Container::Message)
};

/// A mailbox.
pub(crate) const MAILBOX: Language = Language {
    extensions: &["mbox", "mbx", "mmdf"],
    media_types: &["application/mbox"],
    begins: detect::begins_as_mailbox,
    // Archives of mailing lists have names of plain text.
    overrides: |beginning| beginning.called == CalledText::Prose && is_mailbox(beginning.bytes),
    ..container("mbox", Container::Mailbox)
};

/// A web page with its parts in one message.
pub(crate) const MHTML: Language = Language {
    extensions: &["mht", "mhtml"],
    media_types: &["multipart/related", "application/x-mimearchive"],
    ..container("mhtml", Container::Page)
};

const fn container(name: &'static str, container: Container) -> Language {
    Language {
        shows_decoded: true,
        // Some messages have binary parts, and damaged disks left NULs in archives. Files of other
        // programs under the names of mail are still binary.
        may_have_nuls: |bytes| !detect::is_of_other_program(bytes),
        content: Content::Container(container),
        ..Language::new(name, part::find)
    }
}
