//! Wrong command lines: the mistake, and the command line to type instead.

mod neighbors;

use std::error::Error as _;
use std::ffi::OsString;
use std::num::{IntErrorKind, ParseIntError};
use std::path::Path;

use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use rehref::format::Format;
use rehref::fs::{BaseMappingError, directory_url};
use strsim::damerau_levenshtein;

pub(super) use self::neighbors::accept;
use self::neighbors::{instead_of_command, instead_of_option};
use super::mirror_example::with_url;
use super::values::{PathError, is_web_url};
use crate::render::escape::shell_word;
use crate::render::message::Message;

/// Returns URL=DIR, as a shell reads it, for DIR=URL if that is an existing directory and the URL
/// of one.
fn in_order(mapping: &str) -> Option<String> {
    let (directory, url) = mapping.split_once('=')?;
    let is_swapped = Path::new(directory).is_dir() && directory_url(url).is_ok();
    let (url, directory) = (shell_word(url.as_ref()), shell_word(directory.as_ref()));
    is_swapped.then(|| format!("{url}={directory}"))
}

/// A wrong command line.
pub(super) struct Mistake {
    message: String,
    /// The text to type instead.
    help: Option<String>,
}

impl From<Mistake> for Message {
    fn from(mistake: Mistake) -> Self {
        let message = Self::new(mistake.message);
        match mistake.help {
            Some(help) => message.with_help(help),
            None => message,
        }
    }
}

/// The subcommand that a command line names.
pub(super) struct Named<'a> {
    pub(super) subcommand: &'a Command,
    /// The arguments before its name, without the name of the program.
    before: &'a [OsString],
    after: &'a [OsString],
}

impl<'a> Named<'a> {
    pub(super) fn find(command: &'a Command, arguments: &'a [OsString]) -> Option<Self> {
        let arguments = arguments.get(1..)?;
        let find = |(at, argument): (usize, &'a OsString)| {
            Some(Self {
                subcommand: command.find_subcommand(argument)?,
                before: &arguments[..at],
                after: &arguments[at + 1..],
            })
        };
        arguments.iter().enumerate().find_map(find)
    }

    /// Returns true if the name is the last argument.
    pub(super) fn is_bare(&self) -> bool {
        self.after.is_empty()
    }
}

impl Mistake {
    /// The mistake that clap found in the arguments of `command`, which is that of the process.
    pub(super) fn new(error: &Error, command: &Command, arguments: &[OsString]) -> Self {
        let mut wrong = Wrong { error, command, subcommand: None, after: &[] };
        if let Some(named) = Named::find(command, arguments) {
            let argument = wrong.text(ContextKind::InvalidArg);
            // An option before the name is not one of the subcommand.
            let is_before = named.before.iter().any(|it| {
                let name = it.to_str().and_then(|it| it.split('=').next());
                name == Some(argument)
            });
            wrong.after = named.after;
            wrong.subcommand = (!is_before).then_some(named.subcommand);
        }
        match error.kind() {
            ErrorKind::InvalidSubcommand => wrong.command_name(),
            ErrorKind::UnknownArgument => wrong.option(),
            ErrorKind::InvalidValue | ErrorKind::ValueValidation => wrong.value(),
            ErrorKind::MissingRequiredArgument => wrong.missing(),
            ErrorKind::ArgumentConflict => wrong.conflict(),
            ErrorKind::TooManyValues => wrong.value_of_flag(),
            _ => Self { message: first_line(error), help: wrong.list_of_options() },
        }
    }
}

/// A mistake that clap found, and its context.
struct Wrong<'m> {
    error: &'m Error,
    command: &'m Command,
    subcommand: Option<&'m Command>,
    /// The arguments after the name of the subcommand.
    after: &'m [OsString],
}

impl<'m> Wrong<'m> {
    fn texts(&self, kind: ContextKind) -> Vec<&'m str> {
        match self.error.get(kind) {
            Some(ContextValue::String(text)) => vec![text],
            Some(ContextValue::Strings(texts)) => texts.iter().map(String::as_str).collect(),
            _ => Vec::new(),
        }
    }

    fn text(&self, kind: ContextKind) -> &'m str {
        self.texts(kind).first().copied().unwrap_or_default()
    }

    /// The name of the subcommand, or of the program.
    fn name(&self) -> &'m str {
        self.subcommand.unwrap_or(self.command).get_name()
    }

    fn list_of_options(&self) -> Option<String> {
        Some(match self.subcommand {
            Some(command) => format!("`rehref {} -h` lists the options", command.get_name()),
            None => "`rehref -h` lists the commands".to_owned(),
        })
    }

    fn command_name(&self) -> Mistake {
        let name = self.text(ContextKind::InvalidSubcommand);
        if is_web_url(name) {
            return not_fetched(name, "extract");
        }
        let word = shell_word(name.as_ref());
        let (message, help) = if name == "-" || Path::new(name).exists() {
            (
                format!("{name} is a path, not a command"),
                format!("`rehref extract {word}` prints its links"),
            )
        } else if let Some(help) = instead_of_command(name) {
            (format!("unknown command {name}"), help.to_owned())
        } else {
            let names = self.command.get_subcommands().map(Command::get_name);
            let help = match most_similar(name, names) {
                Some(similar) => format!("did you mean `rehref {similar}`?"),
                None => "`rehref -h` lists the commands".to_owned(),
            };
            (format!("unknown command {name}"), help)
        };
        Mistake { message, help: Some(help) }
    }

    fn option(&self) -> Mistake {
        let argument = self.text(ContextKind::InvalidArg);
        let Some(subcommand) = self.subcommand else {
            return self.option_before_command(argument);
        };
        let name = subcommand.get_name();
        if !argument.starts_with('-') {
            return Mistake {
                message: format!("{name}: unexpected argument {argument}"),
                help: self.list_of_options(),
            };
        }
        let is_about_links =
            ["--exclude-", "--ignore-", "--skip-"].iter().any(|it| argument.starts_with(it));
        let known = instead_of_option(name, argument).or_else(|| {
            let other = is_about_links.then_some("--ignore-url");
            other.and_then(|it| instead_of_option(name, it))
        });
        let help = match known {
            Some(help) => Some(help.to_owned()),
            // Otherwise, --exclude would be similar, which is about files.
            None if is_about_links => self.list_of_options(),
            None => similar_option(subcommand, argument)
                .map(|similar| format!("did you mean --{similar}?"))
                .or_else(|| self.list_of_options()),
        };
        Mistake { message: format!("{name} has no option {argument}"), help }
    }

    fn option_before_command(&self, argument: &str) -> Mistake {
        let long = argument.trim_start_matches('-');
        let with_it = self.command.get_subcommands().find(|command| {
            let mut options = command.get_arguments();
            options.any(|it| match argument.starts_with("--") {
                true => it.get_long() == Some(long),
                false => it.get_short().is_some_and(|it| long.starts_with(it)),
            })
        });
        Mistake {
            message: format!("unknown option {argument} before a command"),
            help: Some(match with_it {
                Some(command) => format!(
                    "options follow the command: `rehref {} {argument}`",
                    command.get_name()
                ),
                None => "`rehref -h` lists the commands".to_owned(),
            }),
        }
    }

    fn value(&self) -> Mistake {
        let option = without_value(self.text(ContextKind::InvalidArg));
        let value = self.text(ContextKind::InvalidValue);
        let allowed = self.texts(ContextKind::ValidValue);
        let source = self.error.source();
        if source.and_then(|it| it.downcast_ref()) == Some(&PathError::Url) {
            let is_option = option.starts_with('-');
            if !is_option
                && self.name() == "rewrite"
                && let Some(map) = self.old_and_new()
            {
                return Mistake {
                    message: format!("{value}: a URL is not a PATH"),
                    help: Some(format!("use --map {map}")),
                };
            }
            return not_fetched(value, if is_option { option } else { self.name() });
        }
        let format =
            similar_format(value).filter(|format| option == "--media" && allowed.contains(format));
        let allowed = allowed_values(&allowed).or_else(|| regex_of_glob(option, value));
        if value.is_empty() && self.error.kind() == ErrorKind::InvalidValue {
            return Mistake {
                message: format!("{}: missing value", self.text(ContextKind::InvalidArg)),
                help: allowed.or_else(|| self.list_of_options()),
            };
        }
        let allowed = format.map_or(allowed, |it| Some(format!("did you mean {it}?")));
        let is_mapping = matches!(option, "--base" | "--mirror");
        let mapping = Some(value).filter(|_| is_mapping).and_then(in_order);
        let way_out = mapping.map(|it| format!("write URL=DIR: {option} {it}"));
        let has_no_url = source.and_then(|it| it.downcast_ref::<BaseMappingError>());
        let way_out = match has_no_url {
            Some(BaseMappingError::NotAbsolute(_)) if option == "--mirror" => {
                way_out.or_else(|| Some(with_url(value)))
            }
            _ => way_out,
        };
        Mistake {
            message: format!("{option} {}: {}", shell_word(value.as_ref()), self.problem()),
            help: allowed.or(way_out),
        }
    }

    /// The reason that a value is not accepted.
    fn problem(&self) -> String {
        let Some(source) = self.error.source() else {
            return "unknown value".to_owned();
        };
        if let Some(error) = source.downcast_ref::<ParseIntError>() {
            return match error.kind() {
                IntErrorKind::Zero => "must be at least 1".to_owned(),
                IntErrorKind::PosOverflow => "the number is too large".to_owned(),
                _ => "not a number".to_owned(),
            };
        }
        // Errors of regular expressions quote the expression, and then have a line with the
        // problem.
        let text = source.to_string();
        let last = text.lines().last().unwrap_or_default();
        last.trim_start_matches("error: ").to_owned()
    }

    fn missing(&self) -> Mistake {
        let name = self.name();
        let needed = self.texts(ContextKind::InvalidArg);
        let (message, help) = match name {
            "rewrite" if needed.iter().any(|it| it.contains("--map ")) => (
                "rewrite: missing RULE".to_owned(),
                self.rule_without_option().unwrap_or_else(|| {
                    "add a rule, such as --map OLD=NEW or --relative; `rehref rewrite -h` lists them"
                        .to_owned()
                }),
            ),
            "move" if needed.iter().any(|it| it.contains("--from-list")) => (
                "move: missing SRC... DST".to_owned(),
                "name the files and then their destination: `rehref move SRC... DST`".to_owned(),
            ),
            "unpack" if needed.iter().any(|it| it.contains("--output")) => (
                "unpack: missing -o DIR".to_owned(),
                "name the directory for the files: `rehref unpack ARCHIVE... -o DIR`".to_owned(),
            ),
            "report" if needed.iter().any(|it| it.contains("--output")) => (
                "report: missing -o FILE".to_owned(),
                "name the page to write: `rehref report PATH -o report.html`".to_owned(),
            ),
            _ => {
                let needed: Vec<_> = needed.into_iter().map(without_value).collect();
                let needed = needed.join(" and ");
                let is_option = needed.starts_with('-');
                (
                    format!("{name}: missing {needed}"),
                    match is_option {
                        true => format!("add {needed}, or leave out the options that need it"),
                        false => format!("`rehref {name} -h` shows examples and options"),
                    },
                )
            }
        };
        Mistake { message, help: Some(help) }
    }

    /// The arguments that are neither options nor paths.
    fn words(&self) -> Vec<&'m str> {
        let arguments = self.after.iter().filter_map(|it| it.to_str());
        arguments.filter(|it| !it.starts_with('-') && !Path::new(it).exists()).collect()
    }

    /// Two hosts or URLs without an option, as OLD=NEW.
    fn old_and_new(&self) -> Option<String> {
        match self.words().as_slice() {
            [old, new, ..] if is_of_host(old) && is_of_host(new) => {
                Some(shell_word(format!("{old}={new}").as_ref()))
            }
            _ => None,
        }
    }

    /// Returns the option for a rule that was given without one.
    fn rule_without_option(&self) -> Option<String> {
        if let Some(map) = self.old_and_new() {
            return Some(format!("use --map {map}"));
        }
        self.words().into_iter().find_map(|argument| match of_sed(argument) {
            Some(entry) => {
                // A regular expression also matches the beginning of a longer host.
                let is_map = entry.split('=').all(is_of_host);
                let option = if is_map { "--map" } else { "--map-re" };
                Some(format!("use {option} {}", shell_word(entry.as_ref())))
            }
            None if argument.contains('=') => {
                Some(format!("use --map {}", shell_word(argument.as_ref())))
            }
            None => None,
        })
    }

    /// A flag with a value, such as `--json=pretty`.
    fn value_of_flag(&self) -> Mistake {
        let option = without_value(self.text(ContextKind::InvalidArg));
        Mistake {
            message: format!("{option} takes no value"),
            help: Some(format!("leave out ={}", self.text(ContextKind::InvalidValue))),
        }
    }

    /// The only argument that is not an option.
    fn only_path(&self) -> Option<&'m OsString> {
        let is_option = |it: &&OsString| it.as_encoded_bytes().starts_with(b"-");
        let mut paths = self.after.iter().filter(|it| !is_option(it));
        paths.next().filter(|_| paths.next().is_none())
    }

    fn conflict(&self) -> Mistake {
        let option = without_value(self.text(ContextKind::InvalidArg));
        let others = self.texts(ContextKind::PriorArg);
        let others: Vec<_> = others.into_iter().map(without_value).collect();
        let (message, help) = match others.as_slice() {
            [] => (first_line(self.error), None),
            [same] if *same == option => (format!("{option} is given more than once"), None),
            _ => {
                let is_path = |it: &str| it == "SRC... DST";
                let is_again = |it: &str| ["--undo", "--resume"].contains(&it);
                let all = || others.iter().copied().chain([option]);
                let root = match all().any(is_path) && all().any(is_again) {
                    true => self.only_path(),
                    false => None,
                };
                (
                    format!("{option} cannot be combined with {}", others.join(", ")),
                    Some(match root {
                        Some(root) => format!("use --root {}", shell_word(root)),
                        None => "leave one of them out".to_owned(),
                    }),
                )
            }
        };
        Mistake { message, help }
    }
}

/// The mistake of a URL in place of a path, for a command or an option.
fn not_fetched(url: &str, user: &str) -> Mistake {
    let word = shell_word(url.as_ref());
    Mistake {
        message: format!("{url}: {}", PathError::Url),
        help: Some(match user {
            "rewrite" => format!("curl -sL {word} | rehref rewrite RULE... --base {word} -"),
            "extract" => format!("curl -sL {word} | rehref extract --base {word} -"),
            "check" | "move" => {
                "download the site first, as with `wget -r`, and name its directory; --base URL=DIR is its URL"
                    .to_owned()
            }
            _ => format!("download it first: curl -sLO {word}"),
        }),
    }
}

/// Returns `RE=TEMPLATE` for a substitution of sed, such as `s/RE/TEMPLATE/`.
pub(super) fn of_sed(text: &str) -> Option<String> {
    let mut rest = text.strip_prefix('s')?.chars();
    let separator = rest.next().filter(char::is_ascii_punctuation)?;
    let parts: Vec<_> = rest.as_str().split(separator).collect();
    let &[old, new, "" | "g"] = parts.as_slice() else {
        return None;
    };
    (!old.is_empty()).then(|| format!("{}={new}", old.replace('=', r"\=")))
}

/// Returns true for a text that begins with a host, or a URL of the web: no regular expression is
/// meant.
fn is_of_host(text: &str) -> bool {
    let is_plain = |it: char| it.is_alphanumeric() || "._-:/%~".contains(it);
    let host = text.split_once("://").map_or(text, |(_, rest)| rest);
    let host = host.split('/').next().unwrap_or_default();
    host.trim_matches('.').contains('.') && text.chars().all(is_plain)
}

/// Explains options that have a regular expression, if they were given a glob such as `*.png`.
fn regex_of_glob(option: &str, value: &str) -> Option<String> {
    let end = value.strip_prefix('*')?;
    let has_regex = ["--match", "--exclude-match"].contains(&option);
    has_regex.then(|| {
        let regex = format!("{}$", regex::escape(end));
        format!("{option} is a regular expression: {option} {}", shell_word(regex.as_ref()))
    })
}

/// `--map` for `--map <OLD=NEW>`, and `PATH` for `[PATH]...`.
fn without_value(argument: &str) -> &str {
    if !argument.starts_with('-') {
        return argument.trim_matches(['[', ']', '<', '>', '.']);
    }
    let end = argument.find([' ', '[']).unwrap_or(argument.len());
    argument[..end].trim_end_matches('=')
}

fn allowed_values(values: &[&str]) -> Option<String> {
    let (last, others) = values.split_last()?;
    Some(match others {
        [] => format!("use {last}"),
        _ => format!("use {} or {last}", others.join(", ")),
    })
}

/// The message of clap without its prefix, usage and suggestions.
fn first_line(error: &Error) -> String {
    let text = error.render().to_string();
    let line = text.lines().next().unwrap_or_default();
    line.trim_start_matches("error: ").to_owned()
}

/// Returns the option with the name that is most similar to that of an unknown one.
fn similar_option<'c>(command: &'c Command, unknown: &str) -> Option<&'c str> {
    let unknown = unknown.strip_prefix("--")?;
    let visible = command.get_arguments().filter(|it| !it.is_hide_set());
    most_similar(unknown, visible.filter_map(|it| it.get_long()))
}

/// Returns the format that a wrong name could mean: the one with this extension, of a file or
/// alone, or with a similar name.
pub(super) fn similar_format(name: &str) -> Option<&'static str> {
    let extension = Path::new(name).extension().and_then(|it| it.to_str());
    let extension = extension.unwrap_or(name);
    match Format::from_extension(Path::new(&format!("document.{extension}"))) {
        Some(format) => Some(format.as_str()),
        None => most_similar(extension, Format::all().map(Format::as_str)),
    }
}

/// Returns the name most similar to an unknown one, if it may be a slip of the keyboard or a part
/// of the name.
fn most_similar<'n>(unknown: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let length = unknown.chars().count();
    let (distance, name) = names
        .map(|name| {
            let is_part = length >= 3 && (name.starts_with(unknown) || unknown.starts_with(name));
            let distance = damerau_levenshtein(unknown, name);
            (if is_part { 1 } else { distance }, name)
        })
        .min_by_key(|&(distance, _)| distance)?;
    (distance <= (length / 4).max(1) && length > 1).then_some(name)
}
