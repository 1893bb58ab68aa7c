//! The rules that arguments name.

use anyhow::{Context, anyhow, bail};
use rehref::jobs::{MirrorTrees, rows};
use rehref::rewrite::{PatternMap, PrefixMap, Rule, Rules};

use crate::args::{RewriteArgs, RuleName};
use crate::render::mirror::print;
use crate::render::reasons::explained;
use crate::render::terminal::warn;

/// The rules in the order of the arguments.
pub(super) fn rules(
    args: &RewriteArgs,
    mut trees: Option<&mut MirrorTrees>,
) -> anyhow::Result<Rules> {
    let mut rules = Vec::new();
    for name in &args.rules {
        rules.push(match name {
            RuleName::Absolute => Rule::Absolute,
            RuleName::Relative => Rule::Relative,
            RuleName::RootRelative => Rule::RootRelative,
            RuleName::Map => Rule::Map(prefixes(args)?),
            RuleName::Mirror => match &mut trees {
                Some(trees) => {
                    let mirror = trees.mirror(&mut |event| print(&event));
                    Rule::Mirror(mirror.map_err(explained)?.into())
                }
                None => continue,
            },
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
        let shown = file.display();
        let rows = rows(file).map_err(|error| anyhow!("--map-file {shown}: {error}"))?;
        for row in rows {
            map.insert(&row.old, &row.new)
                .with_context(|| format!("{shown}:{}:1", row.line))?;
        }
    }
    for new in map.mapped_again() {
        warn(format_args!(
            "--map: what becomes {new} is mapped too, so a second run goes on changing it"
        ));
    }
    Ok(map)
}
