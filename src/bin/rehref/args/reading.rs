//! The arguments about reading documents.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use rehref::format::Format;
use rehref::fs::ReadOptions;
use rehref::source::{Charset, UnknownCharset};

/// How documents are read.
#[derive(Debug, clap::Args)]
pub(crate) struct ReadingArgs {
    /// Read every document as this kind
    #[arg(long, value_name = "KIND", default_value = "auto", value_parser = media())]
    media: MediaChoice,
    /// Read every document in this character encoding (a label of the Encoding Standard)
    #[arg(long, value_name = "LABEL", value_parser = charset)]
    charset: Option<String>,
}

impl ReadingArgs {
    pub(super) fn apply(&self, options: &mut ReadOptions) {
        options.format = self.media.0;
        options.charset.clone_from(&self.charset);
    }
}

/// `--media`. `None` for `auto`.
#[derive(Clone, Copy, Debug)]
struct MediaChoice(Option<Format>);

fn media() -> impl TypedValueParser<Value = MediaChoice> {
    let names = std::iter::once("auto").chain(Format::all().map(Format::as_str));
    PossibleValuesParser::new(names).map(|name| MediaChoice(name.parse().ok()))
}

fn charset(label: &str) -> Result<String, UnknownCharset> {
    Charset::named(label, b"").map(|_| label.to_owned())
}
