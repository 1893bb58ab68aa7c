//! The inputs: generated ones, the same in every run, and the files of directories given on the
//! command line.

pub(crate) mod archive;
pub(crate) mod charsets;
pub(crate) mod cliffs;
mod dice;
pub(crate) mod mailbox;
pub(crate) mod markdown;
pub(crate) mod packages;
pub(crate) mod pages;
pub(crate) mod real;
pub(crate) mod scale;
pub(crate) mod texts;
pub(crate) mod words;
