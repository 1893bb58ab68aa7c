//! The inputs that arguments name.

use rehref::fs::items_of_list;
use rehref::jobs::{Inputs, threads};

use crate::args::{Args, InputArgs, the_base};
use crate::exit::Exit;
use crate::render::terminal::{stdin_is_terminal, warn};

/// The inputs of a command.
pub(crate) struct Input {
    pub(crate) inputs: Inputs,
    /// [`Exit::Trouble`] if a list of paths could not be read.
    pub(crate) exit: Exit,
}

impl Input {
    /// The inputs that the arguments of `command` name. If there are none and standard input is a terminal, prints help
    /// and returns `None`.
    pub(crate) fn new(args: InputArgs, command: &str) -> anyhow::Result<Option<Self>> {
        let mut arguments = args.paths;
        let mut exit = Exit::Done;
        for list in &args.files_from {
            match items_of_list(list) {
                Ok(items) => arguments.extend(items),
                Err(error) => {
                    warn(error);
                    exit = Exit::Trouble;
                }
            }
        }
        if arguments.is_empty() && args.files_from.is_empty() {
            if stdin_is_terminal() {
                Args::print_short_help(command);
                return Ok(None);
            }
            arguments.push("-".into());
        }
        let mut inputs = Inputs::default();
        inputs.walk = args.walk.tree()?;
        inputs.threads = threads(args.jobs.jobs);
        inputs.read.format = args.reading.media.0;
        inputs.read.charset = args.reading.charset;
        inputs.read.retrieval = the_base(args.base)?;
        for argument in &arguments {
            inputs.add_argument(argument);
        }
        Ok(Some(Self { inputs, exit }))
    }
}
