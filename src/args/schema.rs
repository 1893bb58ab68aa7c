//! The arguments of `schema`.

use clap::ValueEnum;

use crate::heading;

#[derive(Debug, clap::Args)]
pub(crate) struct SchemaArgs {
    /// The schema
    #[arg(value_name = "WHICH", default_value = "records", help_heading = heading::INPUT)]
    pub(crate) which: SchemaChoice,
}

/// A schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaChoice {
    /// The records that --json prints
    Records,
    /// The project file .rehref.toml
    Config,
}
