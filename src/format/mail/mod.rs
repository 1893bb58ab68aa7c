//! Mail: its detection, and the lines that structure it. `container::mail` reads the messages.

mod detect;
pub(crate) mod lines;

use crate::format::language::{Content, Language, Rewriting};
use crate::format::text;
use crate::format::write::write as write_in_markup;

pub(crate) use detect::{
    is_mailbox, is_message_in_directory, is_message_in_text, is_of_other_program,
};

/// One mail message.
pub(crate) const MESSAGE: Language = Language {
    name: "mail",
    extensions: &["eml", "msg"],
    media_types: &["message/rfc822", "message/global", "message/news"],
    begins: detect::begins_as_message,
    ..MHTML
};

/// A mailbox.
pub(crate) const MAILBOX: Language = Language {
    name: "mbox",
    extensions: &["mbox", "mbx", "mmdf"],
    media_types: &["application/mbox"],
    begins: detect::begins_as_mailbox,
    ..MHTML
};

/// A web page with its parts in one message.
pub(crate) const MHTML: Language = Language {
    name: "mhtml",
    extensions: &["mht", "mhtml"],
    media_types: &["multipart/related", "application/x-mimearchive"],
    begins: Language::BY_NAME,
    declared_charset: Language::NO_CHARSET,
    read: text::read_mail,
    write: write_in_markup,
    compare: None,
    content: Content::Container,
    rewriting: Rewriting::Never,
    has_anchors: false,
};
