//! The rules that the command line names.

use std::path::Path;

use anyhow::{Context, bail};
use rehref::map::{PatternMap, PrefixMap, Rule, Rules};
use rehref::source::{Content, Item, ReadOptions};

use super::mirror::Trees;
use crate::args::{RewriteArgs, RuleName};
use crate::terminal::complain;

/// The rules in the order of the command line; none where a file of them is not what it should be.
pub(super) fn rules(args: &RewriteArgs, trees: &Trees) -> anyhow::Result<Option<Rules>> {
    let mut rules = Vec::new();
    for name in &args.rules {
        rules.push(match name {
            RuleName::Absolute => Rule::Absolute,
            RuleName::Relative => Rule::Relative,
            RuleName::RootRelative => Rule::RootRelative,
            RuleName::Map => match prefixes(args)? {
                Some(map) => Rule::Map(map),
                None => return Ok(None),
            },
            RuleName::Mirror => {
                let mirror = trees.mirror(args.local_name, &args.index)?;
                Rule::Mirror(mirror.into())
            }
            RuleName::MapRe => {
                let mut map = PatternMap::default();
                for entry in &args.map_re {
                    map.insert_entry(entry)
                        .with_context(|| format!("--map-re {entry}"))?;
                }
                Rule::Pattern(map)
            }
        });
    }
    let base_elements = args.base_element.clone().unwrap_or_default();
    if rules.is_empty() && base_elements == Default::default() {
        bail!("--base-element keep is no rule by itself");
    }
    Ok(Some(Rules {
        rules,
        base_elements,
        canonical: args.canonical,
        resolver: args.input.resolving.resolver(),
    }))
}

/// The entries of `--map` and `--map-file`; none, and why, where a file has one that is none.
fn prefixes(args: &RewriteArgs) -> anyhow::Result<Option<PrefixMap>> {
    let mut map = PrefixMap::default();
    for entry in &args.map {
        map.insert_entry(entry)
            .with_context(|| format!("--map {entry}"))?;
    }
    for file in &args.map_file {
        let text = read(file).with_context(|| format!("--map-file {}", file.display()))?;
        if let Err(error) = map.insert_table(&text, separator(file, &text)) {
            complain(format_args!("{}:{error}", file.display()));
            return Ok(None);
        }
    }
    for new in map.mapped_again() {
        complain(format_args!(
            "--map: what becomes {new} is mapped too, so a second run goes on changing it"
        ));
    }
    Ok(Some(map))
}

/// The text of a file; one in another charset is decoded.
fn read(file: &Path) -> anyhow::Result<String> {
    let options = ReadOptions::default();
    match options.read(&Item::Path(file.to_owned()))? {
        Content::Document(document) => Ok(document.text().text.into_owned()),
        Content::Damaged(..) | Content::Binary(_) => bail!("this is no text"),
    }
}

/// What separates the columns of a table.
fn separator(file: &Path, text: &str) -> char {
    let is_tsv = file
        .extension()
        .is_some_and(|it| it.eq_ignore_ascii_case("tsv"));
    let has_tab = text.lines().next().is_some_and(|line| line.contains('\t'));
    if is_tsv || has_tab { '\t' } else { ',' }
}
