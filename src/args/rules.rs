//! The arguments that name rules.

use std::collections::HashMap;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::ArgMatches;
use clap::parser::ValueSource;
use indexmap::IndexSet;
use rehref::bytes::Position;
use rehref::format::Options;
use rehref::jobs::{MapFile, MirrorTrees, Rewrite, map_file};
use rehref::mirror::Mirror;
use rehref::rewrite::{
    Adjustments, BaseElements, ParamGlobs, PathPrefix, PatternMap, PrefixMap, PrefixMapError, Rule,
    Rules,
};
use rehref::uri::Resolver;

use super::filter::FilterArgs;
use super::inputs::InputArgs;
use super::mirror::MirrorArgs;
use super::mistakes::of_sed;
use super::values::{globs, path};
use crate::exit::Exit;
use crate::heading;
use crate::project::Project;
use crate::render::escape::shell_word;
use crate::render::map_files::{RefusedRows, print_report};
use crate::render::message::Message;
use crate::render::reasons::{explained, print_mirror_event};
use crate::render::terminal::warn;

/// The rules of `rewrite`.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = heading::RULES)]
pub(crate) struct RuleArgs {
    /// Make references absolute
    #[arg(long, group = "rule")]
    absolute: bool,
    /// Make references to the same site relative
    ///
    /// Without --base, a directory PATH is the root of its own site: /a/b.html is the file a/b.html
    /// in it. A file PATH has no known root, so --base must name it.
    #[arg(long, group = "rule")]
    relative: bool,
    /// Make references to the same site absolute paths, such as /a/b
    ///
    /// Without --base, a directory PATH is the root of its own site.
    #[arg(long, group = "rule")]
    root_relative: bool,
    /// Replace the URL prefix OLD with NEW, also in plain text files
    ///
    /// May be repeated: the longest OLD wins. A host without a scheme, such as old.example or
    /// old.example:8080/docs, means http, https and //. NEW without a scheme keeps the scheme of
    /// the link. The first `=` before a URL or host ends OLD; write %3D for a `=` in its query.
    /// Either side may be a path of Windows, such as '\\server\share' or 'P:\Projects': it matches
    /// in any case of letters, and links keep their spelling.
    #[arg(long, group = "rule", value_name = "OLD=NEW")]
    map: Vec<String>,
    /// Replace URLs by FILE: CSV, TSV, or a link checker's report
    ///
    /// A row has OLD and NEW. TSV has the extension .tsv or a tab in its first line. Reports are
    /// those of `lychee --format json -v` and `linkchecker -v -o csv`. The target of a permanent
    /// redirect, or a suggested copy, replaces exactly its URL, and the fragment stays. Harmful
    /// redirects are skipped, such as those to a missing page or a private host. No row writes
    /// javascript:, vbscript: or data:; only --map and --map-re do.
    #[arg(long, group = "rule", value_name = "FILE", value_parser = path())]
    map_file: Vec<PathBuf>,
    /// Replace the first match of the regular expression RE in a URL, also in text
    ///
    /// $1 or ${name} in TEMPLATE inserts a group. ^ and $ in RE are the ends of the URL. The first
    /// `=` ends RE; write \= for a `=` in RE. The first RE that matches wins. A result that is not
    /// a URL is skipped.
    #[arg(long, group = "rule", value_name = "RE=TEMPLATE")]
    map_re: Vec<String>,
    /// Remove query parameters whose names match GLOB, such as utm_*
    ///
    /// Also in plain text files. Applies to links with http, https or no scheme; all other bytes of
    /// the link stay. It applies in addition to other rules, which get the link without these
    /// parameters.
    #[arg(long, group = "rule", value_name = "GLOB,...")]
    drop_param: Vec<String>,
    /// Link to x.html as x, and to x/index.html as x/
    ///
    /// Applies to hyperlinks that are relative or below --base, in addition to other rules. In a
    /// directory, the page must exist, and x must not name another file.
    #[arg(long, group = "rule", conflicts_with = "mirror")]
    clean_urls: bool,
    #[command(flatten)]
    pub(super) mirror: MirrorArgs,
    /// Add PATH to links from the root: with /app/, /x becomes /app/x
    ///
    /// A link that has the prefix already stays. It applies in addition to other rules, to what
    /// these write.
    #[arg(long, group = "rule", value_name = "PATH", value_parser = PathPrefix::from_str,
        conflicts_with = "mirror", hide_short_help = true)]
    path_prefix: Option<PathPrefix>,
    /// Keep BASE elements, remove them, or set them to URI; all links keep their targets [default:
    /// keep]
    #[arg(long, group = "rule", value_name = "keep|strip|URI", hide_short_help = true, value_parser = BaseElements::from_str)]
    base_element: Option<BaseElements>,
    /// Let --relative, --root-relative and --mirror also change public URLs (canonical, hreflang,
    /// og:url)
    #[arg(long, hide_short_help = true)]
    canonical: bool,
    /// The rules in the order in which they were given.
    #[arg(skip)]
    pub(super) order: IndexSet<RuleName>,
}

impl RuleArgs {
    /// Returns a dry run with the rules over these inputs, and [`Exit::Trouble`] if a list of paths
    /// could not be read. Prints messages about mirrors and files of maps. If `explains`, also one
    /// for each replacement that is left out.
    pub(super) fn rewrite(
        &self,
        inputs: &InputArgs,
        filter: &FilterArgs,
        explains: bool,
    ) -> anyhow::Result<(Rewrite, Project, Exit)> {
        let mirror = self.mirror.options(inputs)?;
        let mirror = mirror.map(|it| MirrorTrees::new(it, &mut |event| print_mirror_event(&event)));
        let mut mirror = mirror.transpose().map_err(explained)?;
        let resolver = inputs.run.options().resolver;
        let (rules, made) = self.rules(resolver, mirror.as_mut(), explains)?;
        let mut rewrite = Rewrite::new(rules);
        rewrite.mirror = made;
        rewrite.mirror_root = mirror.as_ref().and_then(MirrorTrees::root).cloned();
        let default = self.mirror.directories();
        let (project, exit) = inputs.apply_or(&mut rewrite.inputs, "rewrite", &default)?;
        let base = rewrite.inputs.read.retrieval.as_ref();
        rewrite.rules.filter = filter.of_project(&project, base)?;
        let only_maps = rewrite.rules.only_map_urls() && self.base_element.is_none();
        if only_maps && inputs.base()?.is_none() {
            // A map of the URL of the site must not make relative links absolute: the site moves.
            rewrite.inputs.read.retrieval = None;
        }
        let rels = rewrite.rules.filter.needs_rels();
        rewrite.options = Options { scripted: explains, rels, ..inputs.run.options() };
        InputArgs::warn_of_base(&rewrite.inputs);
        Ok((rewrite, project, exit))
    }

    /// Returns true if rules are given.
    pub(super) fn are_given(&self) -> bool {
        let adjusts = !self.drop_param.is_empty() || self.clean_urls || self.path_prefix.is_some();
        adjusts || !self.order.is_empty() || self.base_element.is_some()
    }

    /// Returns the rules in the order of the arguments, with the mirror that they name.
    fn rules(
        &self,
        resolver: Resolver,
        mut trees: Option<&mut MirrorTrees>,
        explains: bool,
    ) -> anyhow::Result<(Rules, Option<Arc<Mirror>>)> {
        let (mut rules, mut mirror) = (Vec::new(), None);
        for name in &self.order {
            rules.push(match name {
                RuleName::Absolute => Rule::Absolute,
                RuleName::Relative => Rule::Relative,
                RuleName::RootRelative => Rule::RootRelative,
                RuleName::Map => Rule::Map(self.prefixes(explains)?),
                RuleName::MapRe => Rule::Pattern(self.patterns()?),
                RuleName::Mirror => match &mut trees {
                    Some(trees) => {
                        let made = trees.mirror(&mut |event| print_mirror_event(&event));
                        mirror = Some(made.map_err(explained)?.into());
                        Rule::Mirror
                    }
                    None => continue,
                },
            });
        }
        let rules = Rules {
            rules,
            adjustments: self.adjustments()?,
            base_elements: self.base_element.clone().unwrap_or_default(),
            canonical: self.canonical,
            resolver,
            ..Rules::default()
        };
        if rules.is_empty() && rules.base_elements == BaseElements::Keep {
            bail!("--base-element keep is not a rule by itself");
        }
        Ok((rules, mirror))
    }

    fn adjustments(&self) -> anyhow::Result<Adjustments> {
        let globs = self.drop_param.iter().flat_map(|it| globs(it));
        let drop_params = (!self.drop_param.is_empty()).then(|| ParamGlobs::new(globs));
        Ok(Adjustments {
            drop_params: drop_params.transpose().context("--drop-param")?,
            clean_urls: self.clean_urls,
            path_prefix: self.path_prefix.clone(),
        })
    }

    /// The entries of `--map` and `--map-file`.
    fn prefixes(&self, explains: bool) -> anyhow::Result<PrefixMap> {
        let mut map = PrefixMap::default();
        let mut places = HashMap::new();
        for entry in &self.map {
            map.insert_entry(entry).map_err(|error| {
                let message = Message::new(format_args!("--map {entry}: {error}"));
                message.with_help_if(match error {
                    PrefixMapError::NoSeparator => {
                        Some("write OLD and NEW as one argument: --map old.example=new.example")
                    }
                    PrefixMapError::OldNotAbsolute if entry.starts_with(['*', '?']) => Some(
                        r"--map has no globs; use a regular expression: --map-re '^https?://[^/]*\.old\.example=http://new.example'",
                    ),
                    _ => None,
                })
            })?;
        }
        for file in &self.map_file {
            let shown = file.display();
            let rows = map_file(file).map_err(explained)?;
            match rows {
                MapFile::Table(rows) => {
                    let mut refused = RefusedRows::new(file, explains);
                    for row in rows {
                        match map.insert_of_file(&row.old, &row.new) {
                            Err(error @ PrefixMapError::ActiveScheme(_)) => {
                                refused.add(row.line, &error);
                                continue;
                            }
                            inserted => {
                                inserted.with_context(|| format!("{shown}:{}:1", row.line))?
                            }
                        }
                        places.entry(row.new).or_insert((file, row.line));
                    }
                    refused.print();
                }
                MapFile::Report(report) => {
                    print_report(file, &report, explains);
                    for (old, new) in &report.replacements {
                        match map.insert_exact(old, new) {
                            // Entries of --map and of earlier files come first.
                            Ok(()) | Err(PrefixMapError::Duplicate) => {}
                            Err(error) => bail!("--map-file {shown}: {old}: {error}"),
                        }
                    }
                }
                _ => bail!("--map-file {shown}: unknown kind of file"),
            }
        }
        for new in map.mapped_again() {
            let text = format!("{new} is mapped again: a second run would change it again");
            warn(match places.get(new) {
                Some((file, line)) => {
                    let line = usize::try_from(*line).unwrap_or(usize::MAX);
                    Message::about(file, Some(Position { line, column: 1 }), text)
                }
                None => Message::new(text),
            });
        }
        Ok(map)
    }

    /// The entries of `--map-re`.
    fn patterns(&self) -> anyhow::Result<PatternMap> {
        let mut map = PatternMap::default();
        for entry in &self.map_re {
            map.insert_entry(entry).map_err(|error| {
                let message = Message::new(format_args!("--map-re {entry}: {error}"));
                if let Some(entry) = of_sed(entry) {
                    return message
                        .with_help(format_args!("write --map-re {}", shell_word(entry.as_ref())));
                }
                match entry.matches('=').count() {
                    0 | 1 => message,
                    _ => message.with_help(r"write \= for a `=` in RE"),
                }
            })?;
        }
        Ok(map)
    }
}

/// A rule of `rewrite` that decides about links, so that its place among the others counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RuleName {
    Absolute,
    Relative,
    RootRelative,
    Map,
    MapRe,
    Mirror,
}

impl RuleName {
    /// The rules that the command line names, each at its first place.
    pub(super) fn in_order(matches: &ArgMatches) -> IndexSet<Self> {
        let rules = [
            ("absolute", Self::Absolute),
            ("relative", Self::Relative),
            ("root_relative", Self::RootRelative),
            ("map", Self::Map),
            ("map_file", Self::Map),
            ("map_re", Self::MapRe),
            ("mirror", Self::Mirror),
        ];
        let given = |name: &str| matches.value_source(name) == Some(ValueSource::CommandLine);
        let mut found: Vec<_> = rules
            .into_iter()
            .filter(|(name, _)| given(name))
            .filter_map(|(name, rule)| Some((matches.indices_of(name)?.next()?, rule)))
            .collect();
        found.sort_by_key(|&(at, _)| at);
        // The entries of arguments and files form one map.
        found.into_iter().map(|(_, rule)| rule).collect()
    }
}
