//! The rules that the command line names.

use anyhow::{Context, bail};
use rehref::rewrite::{PatternMap, PrefixMap, Rule, Rules};

use super::mirror::Trees;
use crate::args::{RewriteArgs, RuleName};
use crate::render::terminal::warn;
use crate::table::{Place, rows};

/// The rules in the order of the command line.
pub(super) fn rules(args: &RewriteArgs, trees: &mut Trees) -> anyhow::Result<Rules> {
    let mut rules = Vec::new();
    for name in &args.rules {
        rules.push(match name {
            RuleName::Absolute => Rule::Absolute,
            RuleName::Relative => Rule::Relative,
            RuleName::RootRelative => Rule::RootRelative,
            RuleName::Map => Rule::Map(prefixes(args)?),
            RuleName::Mirror => {
                let mirror = trees.mirror(args)?;
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
    Ok(Rules {
        rules,
        base_elements,
        canonical: args.canonical,
        resolver: args.input.resolving.resolver(),
    })
}

/// The entries of `--map` and `--map-file`.
fn prefixes(args: &RewriteArgs) -> anyhow::Result<PrefixMap> {
    let mut map = PrefixMap::default();
    for entry in &args.map {
        map.insert_entry(entry)
            .with_context(|| format!("--map {entry}"))?;
    }
    for file in &args.map_file {
        for row in rows(file).with_context(|| format!("--map-file {}", file.display()))? {
            let inserted = map.insert(&row.old, &row.new);
            inserted.with_context(|| Place::of(file, &row).to_string())?;
        }
    }
    for new in map.mapped_again() {
        warn(format_args!(
            "--map: what becomes {new} is mapped too, so a second run goes on changing it"
        ));
    }
    Ok(map)
}
