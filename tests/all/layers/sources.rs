//! The source files of the packages as modules: their imports, their types and their code lines.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree, Visibility};

/// The source directories of the packages, and the module that each is: those of the library's
/// packages have the names of their rooms.
const PACKAGES: [(&str, &[&str]); 5] = [
    ("crates/uri/src", &["uri"]),
    ("crates/document/src", &[]),
    ("crates/rehref/src", &[]),
    ("src", &["bin"]),
    ("python/src", &["python"]),
];

/// The path of a module. Modules of the command begin with `bin`; the library's root is empty.
pub(super) type Module = Vec<String>;

/// One source file without its unit tests.
pub(super) struct Source {
    pub(super) path: PathBuf,
    module: Module,
    /// Paths in `use` items, and whether each is a re-export.
    uses: Vec<(Vec<String>, bool)>,
    /// Paths of two or more segments outside of `use` items.
    paths: Vec<Vec<String>>,
    /// Names of the types and traits that the file defines.
    defined: BTreeSet<String>,
    /// Types with an inherent `impl` in the file.
    inherent: Vec<String>,
    /// The number of lines with code.
    pub(super) code_lines: usize,
}

/// An import: the module with the definition, and the name as written.
pub(super) struct Import {
    pub(super) module: Module,
    pub(super) name: String,
    is_reexport: bool,
}

/// All source files, by module.
pub(super) struct Sources {
    files: BTreeMap<Module, Source>,
    /// The paths that re-exports name, by module and name.
    reexports: BTreeMap<Module, BTreeMap<String, Vec<String>>>,
}

impl Sources {
    /// Reads all source files of the library and of the command.
    pub(super) fn read() -> Self {
        let entries = PACKAGES
            .iter()
            .flat_map(|(root, _)| walkdir::WalkDir::new(root).sort_by_file_name().into_iter());
        let paths = entries.map(|entry| entry.expect("a source file").into_path());
        let paths = paths.filter(|path| path.extension().is_some_and(|it| it == "rs"));
        // The root of the library has the same names.
        let paths = paths.filter(|path| !path.ends_with("crates/document/src/lib.rs"));
        Self::new(paths.map(|path| {
            let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
            (path, text)
        }))
    }

    fn new(texts: impl Iterator<Item = (PathBuf, String)>) -> Self {
        let files: BTreeMap<_, _> = texts
            .map(|(path, text)| Source::parse(path, &text))
            .map(|source| (source.module.clone(), source))
            .collect();
        let mut sources = Self { files, reexports: BTreeMap::new() };
        let mut reexports: BTreeMap<Module, BTreeMap<_, _>> = BTreeMap::new();
        for (module, source) in &sources.files {
            for (path, _) in source.uses.iter().filter(|(_, is_reexport)| *is_reexport) {
                if let (Some(path), Some(name)) = (sources.absolute(path, module), path.last()) {
                    let names = reexports.entry(module.clone()).or_default();
                    names.insert(name.clone(), path);
                }
            }
        }
        sources.reexports = reexports;
        sources
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&Module, &Source)> {
        self.files.iter()
    }

    /// Returns a path from the root of the sources. Paths to other crates return `None`.
    fn absolute(&self, path: &[String], module: &Module) -> Option<Vec<String>> {
        let front_end = module.first().filter(|it| *it == "bin" || *it == "python");
        let is_in_uri = module.first().is_some_and(|it| it == "uri" || it == "bytes");
        let (first, rest) = path.split_first()?;
        let mut base = match &**first {
            "crate" if front_end.is_some() => front_end.cloned().into_iter().collect(),
            "crate" if is_in_uri && rest.first().is_none_or(|it| it != "bytes") => {
                vec!["uri".to_owned()]
            }
            "crate" => Vec::new(),
            "rehref" if front_end.is_some() => Vec::new(),
            "rehref_document" => Vec::new(),
            "rehref_uri" if rest.first().is_some_and(|it| it == "bytes") => Vec::new(),
            "rehref_uri" => vec!["uri".to_owned()],
            "self" => module.clone(),
            "super" => {
                let climbs = path.iter().take_while(|it| *it == "super").count();
                let kept = module.len().checked_sub(climbs)?;
                return Some([&module[..kept], &path[climbs..]].concat());
            }
            child => {
                let child = [&module[..], &[child.to_owned()]].concat();
                self.files.contains_key(&child).then_some(child)?
            }
        };
        base.extend_from_slice(rest);
        Some(base)
    }

    /// Returns the module that defines the name of a path, with re-exports followed.
    fn resolve(&self, path: &[String], depth: usize) -> Option<Module> {
        let len = (0..=path.len()).rev().find(|&len| self.files.contains_key(&path[..len]))?;
        let (module, rest) = path.split_at(len);
        // Re-exports of re-exports are followed up to this depth, in case two name each other.
        if let ([name, rest @ ..], true) = (rest, depth < 8) {
            let reexport = self.reexports.get(module).and_then(|it| it.get(name));
            if let Some(reexport) = reexport {
                return self.resolve(&[&reexport[..], rest].concat(), depth + 1);
            }
        }
        Some(module.to_vec())
    }

    /// Returns the imports of a module from other modules, re-exports included.
    pub(super) fn imports(&self, module: &Module) -> Vec<Import> {
        let source = &self.files[module];
        let paths = source.paths.iter().map(|path| (path, false));
        let uses = source.uses.iter().map(|(path, public)| (path, *public));
        let imports = uses.chain(paths).filter_map(|(path, is_reexport)| {
            let mut absolute = self.absolute(path, module)?;
            absolute.retain(|it| it != "*");
            Some(Import {
                module: self.resolve(&absolute, 0)?,
                name: path.last()?.clone(),
                is_reexport,
            })
        });
        imports.filter(|import| import.module != *module).collect()
    }

    /// Returns the rooms that a module imports from: those of the paths as written and, where a
    /// path names a re-export, those of the definition. A name of the library's root is returned as
    /// `crate::name`.
    pub(super) fn rooms_named(&self, module: &Module) -> BTreeSet<String> {
        let source = &self.files[module];
        let uses = source.uses.iter().map(|(path, _)| path);
        let mut rooms = BTreeSet::new();
        for path in uses.chain(&source.paths) {
            let Some(absolute) = self.absolute(path, module) else {
                continue;
            };
            let is_room = |it: &&String| self.files.keys().any(|module| module.first() == Some(it));
            rooms.extend(absolute.first().filter(is_room).cloned());
            if let Some(defined) = self.resolve(&absolute, 0) {
                let room = defined.into_iter().next();
                rooms.insert(room.unwrap_or_else(|| format!("crate::{}", absolute.join("::"))));
            }
        }
        rooms
    }

    /// Returns the circles between files, each a sorted list of modules. A re-export alone does not
    /// close a circle.
    pub(super) fn circles(&self) -> Vec<Vec<Module>> {
        circles(self.edges(|module| Some(module.clone())))
    }

    /// Returns the circles between the directories and files of one directory, each with all files
    /// below it.
    pub(super) fn circles_of_directories(&self) -> Vec<Vec<Module>> {
        let is_directory = |parent: &&Module| {
            self.files.keys().any(|it| it.len() > parent.len() && it.starts_with(parent))
        };
        let parents = self.files.keys().filter(is_directory);
        let of_parent = |parent: &Module| {
            let child = |module: &Module| {
                let is_below = module.len() > parent.len() && module.starts_with(parent);
                is_below.then(|| module[..=parent.len()].to_vec())
            };
            circles(self.edges(child))
        };
        parents.flat_map(of_parent).collect()
    }

    /// The imports between the units that contain modules, without re-exports.
    fn edges(
        &self,
        unit: impl Fn(&Module) -> Option<Module>,
    ) -> BTreeMap<Module, BTreeSet<Module>> {
        let mut edges: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
        for module in self.files.keys() {
            let Some(from) = unit(module) else {
                continue;
            };
            let imports = self.imports(module).into_iter().filter(|import| !import.is_reexport);
            let units = imports.filter_map(|import| unit(&import.module));
            let units = units.filter(|to| *to != from).collect::<Vec<_>>();
            edges.entry(from).or_default().extend(units);
        }
        edges
    }

    /// Returns the imports within a circle, one line per pair of files.
    pub(super) fn describe(&self, circle: &[Module]) -> String {
        let mut lines = BTreeMap::<_, BTreeSet<String>>::new();
        // Directories in a circle have the same parent.
        let is_of_directories = circle
            .windows(2)
            .all(|it| it[0].split_last().map(|it| it.1) == it[1].split_last().map(|it| it.1));
        let unit = |module: &Module| {
            let contains =
                |it: &&Module| module == *it || is_of_directories && module.starts_with(it);
            circle.iter().find(contains)
        };
        for module in self.files.keys() {
            for import in self.imports(module) {
                if !import.is_reexport
                    && let (Some(from), Some(to)) = (unit(module), unit(&import.module))
                    && from != to
                {
                    let pair = (module.join("::"), import.module.join("::"));
                    lines.entry(pair).or_default().insert(import.name);
                }
            }
        }
        let lines = lines.into_iter().map(|((from, to), names)| {
            let names = names.into_iter().collect::<Vec<_>>().join(", ");
            format!("  {from} imports {names} from {to}\n")
        });
        lines.collect()
    }
}

/// Returns the circles of a graph.
fn circles(edges: BTreeMap<Module, BTreeSet<Module>>) -> Vec<Vec<Module>> {
    let mut reached: BTreeMap<&Module, BTreeSet<&Module>> = BTreeMap::new();
    for (module, next) in &edges {
        let mut found = BTreeSet::new();
        let mut pending: Vec<&Module> = next.iter().collect();
        while let Some(next) = pending.pop() {
            if found.insert(next) {
                pending.extend(edges.get(next).into_iter().flatten());
            }
        }
        reached.insert(module, found);
    }
    let mut circles = BTreeSet::new();
    for (module, found) in &reached {
        if found.contains(*module) {
            let members =
                found.iter().filter(|it| reached.get(**it).is_some_and(|of| of.contains(*module)));
            circles.insert(members.map(|it| (*it).clone()).collect::<Vec<_>>());
        }
    }
    circles.into_iter().collect()
}

impl Source {
    fn parse(path: PathBuf, text: &str) -> Self {
        let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let mut source = Self {
            module: module(&path),
            code_lines: code(text).lines().count(),
            path,
            uses: Vec::new(),
            paths: Vec::new(),
            defined: BTreeSet::new(),
            inherent: Vec::new(),
        };
        source.visit_file(&file);
        source
    }

    /// Returns the types with an inherent `impl` here that are defined in another file.
    pub(super) fn foreign_impls(&self) -> Vec<&str> {
        let names = self.inherent.iter().map(String::as_str);
        names.filter(|it| !self.defined.contains(*it)).collect()
    }

    /// Returns the names after the type `owner` in paths: its variants, functions and constants.
    pub(super) fn names_in(&self, owner: &str) -> impl Iterator<Item = &str> {
        self.paths.iter().filter_map(move |path| match &path[..] {
            [.., before, name] => (*before == owner).then_some(&**name),
            _ => None,
        })
    }

    /// Collects the paths and the type definitions in the tokens of a macro.
    fn read_tokens(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        let mut defines = false;
        for token in tokens {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Ident(ident) => {
                    let ident = ident.to_string();
                    if defines {
                        self.defined.insert(ident.clone());
                    }
                    defines = matches!(&*ident, "struct" | "enum" | "union" | "trait");
                    if colons != 2 {
                        self.end_path(&mut path);
                    }
                    path.push(ident);
                    colons = 0;
                }
                token => {
                    self.end_path(&mut path);
                    colons = 0;
                    if let TokenTree::Group(group) = token {
                        self.read_tokens(group.stream());
                    }
                }
            }
        }
        self.end_path(&mut path);
    }

    fn end_path(&mut self, path: &mut Vec<String>) {
        let path = std::mem::take(path);
        if path.len() > 1 {
            self.paths.push(path);
        }
    }
}

impl<'a> Visit<'a> for Source {
    fn visit_item(&mut self, item: &'a Item) {
        let (attributes, name): (&[Attribute], _) = match item {
            Item::Mod(item) => (&item.attrs, None),
            Item::Fn(item) => (&item.attrs, None),
            Item::Use(item) => (&item.attrs, None),
            Item::Impl(item) => (&item.attrs, None),
            Item::Struct(item) => (&item.attrs, Some(&item.ident)),
            Item::Enum(item) => (&item.attrs, Some(&item.ident)),
            Item::Union(item) => (&item.attrs, Some(&item.ident)),
            Item::Trait(item) => (&item.attrs, Some(&item.ident)),
            _ => (&[], None),
        };
        if attributes.iter().any(is_for_tests) {
            return;
        }
        self.defined.extend(name.map(ToString::to_string));
        match item {
            Item::Use(item) => {
                let is_public = !matches!(item.vis, Visibility::Inherited);
                for path in expand(&item.tree) {
                    self.uses.push((path, is_public));
                }
                return;
            }
            Item::Impl(item) if item.trait_.is_none() => {
                if let syn::Type::Path(path) = &*item.self_ty
                    && let Some(segment) = path.path.segments.last()
                {
                    self.inherent.push(segment.ident.to_string());
                }
            }
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        if path.leading_colon.is_none() && path.segments.len() > 1 {
            let names = path.segments.iter().map(|it| it.ident.to_string());
            self.paths.push(names.collect());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &'a syn::Macro) {
        self.read_tokens(item.tokens.clone());
        visit::visit_macro(self, item);
    }

    /// `pub(in crate::room)` names a room without importing from it.
    fn visit_visibility(&mut self, _: &'a Visibility) {}
}

/// Returns the module of a source file. Files outside of the packages are in the library.
fn module(path: &Path) -> Module {
    let package = PACKAGES.iter().find_map(|(root, of)| Some((path.strip_prefix(root).ok()?, *of)));
    let (path, of) = package.unwrap_or((path, &[]));
    let of = if path.starts_with("bytes") { &[] } else { of };
    let names = path.with_extension("");
    let names = names.iter().map(|it| it.to_string_lossy().into_owned());
    let mut module: Module = of.iter().map(|it| (*it).to_owned()).chain(names).collect();
    let is_root = module.len() == of.len() + 1;
    let last = module.last().map(String::as_str);
    if last == Some("mod") || is_root && matches!(last, Some("lib" | "main")) {
        module.pop();
    }
    module
}

fn is_for_tests(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg") && attribute.meta.to_token_stream().to_string() == "cfg (test)"
}

/// Returns each path of a `use` item. Renamed imports keep the name of the definition.
fn expand(tree: &UseTree) -> Vec<Vec<String>> {
    let under = |name: String, paths: Vec<Vec<String>>| {
        let paths = paths.into_iter();
        paths.map(|path| [std::slice::from_ref(&name), &path[..]].concat()).collect()
    };
    match tree {
        UseTree::Path(path) => under(path.ident.to_string(), expand(&path.tree)),
        UseTree::Group(group) => group.items.iter().flat_map(expand).collect(),
        UseTree::Name(name) if name.ident == "self" => vec![Vec::new()],
        UseTree::Name(name) => vec![vec![name.ident.to_string()]],
        UseTree::Rename(name) if name.ident == "self" => vec![Vec::new()],
        UseTree::Rename(name) => vec![vec![name.ident.to_string()]],
        UseTree::Glob(_) => vec![vec!["*".to_owned()]],
    }
}

/// Returns the code of a formatted file, without comments, blank lines and modules of unit tests.
pub(crate) fn code(text: &str) -> String {
    let mut code = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let next = lines.peek().copied().unwrap_or_default();
        if line == "#[cfg(test)]" && next.contains("mod ") {
            if next.ends_with('{') {
                lines.by_ref().find(|line| *line == "}");
            } else {
                lines.next();
            }
        } else if !line.trim().is_empty() && !line.trim_start().starts_with("//") {
            code.push_str(line);
            code.push('\n');
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(files: &[(&str, &str)]) -> Sources {
        let texts = files.iter();
        Sources::new(texts.map(|(path, text)| (PathBuf::from(path), (*text).to_owned())))
    }

    fn imports(sources: &Sources, module: &str) -> Vec<String> {
        let module: Module = module.split("::").map(str::to_owned).collect();
        let imports = sources.imports(&module).into_iter();
        imports.map(|it| it.module.join("::")).collect()
    }

    #[test]
    fn imports_are_found_in_use_items_paths_and_macros() {
        let code = "use crate::{a::{X, Y as Z}, b};\nuse std::fs;\nfn f() { let c = c; crate::c::g(); m!(super::d::H) }";
        let files = ["a.rs", "b.rs", "c.rs", "d.rs"].map(|path| (path, ""));
        let sources = sources(&[&files[..], &[("e.rs", code)]].concat());
        assert_eq!(imports(&sources, "e"), ["a", "a", "b", "c", "d"]);
    }

    #[test]
    fn reexports_resolve_to_the_defining_file() {
        let sources = sources(&[
            ("lib.rs", "pub use a::X;"),
            ("a/mod.rs", "mod b; pub use b::X;"),
            ("a/b.rs", "pub struct X;"),
            ("c.rs", "use crate::X; use crate::a::{self, X as Y};"),
            ("src/main.rs", "use rehref::a::X; use crate::args::A;"),
            ("src/args.rs", ""),
        ]);
        assert_eq!(imports(&sources, "c"), ["a::b", "a", "a::b"]);
        assert_eq!(imports(&sources, "bin"), ["a::b", "bin::args"]);
    }

    #[test]
    fn circles_ignore_reexports_and_unit_tests() {
        let parent = "mod b; mod c; pub use b::B; pub struct A;";
        let child = "use super::A; #[cfg(test)] mod tests { use super::super::c::C; }";
        let other = "use super::B;";
        let files = [("a/mod.rs", parent), ("a/b.rs", child), ("a/c.rs", other)];
        assert!(sources(&files).circles().is_empty());
        let parent = "mod b; mod c; pub use b::B; pub struct A; fn f() { b::g(); }";
        let files = [("a/mod.rs", parent), ("a/b.rs", child), ("a/c.rs", other)];
        let sources = sources(&files);
        let circles = sources.circles();
        assert_eq!(circles, [[vec!["a".to_owned()], vec!["a".to_owned(), "b".to_owned()]]]);
        let lines = "  a imports g from a::b\n  a::b imports A from a\n";
        assert_eq!(sources.describe(&circles[0]), lines);
    }

    #[test]
    fn inherent_impls_belong_to_the_file_of_the_type() {
        let code = "struct A<T>(T); m! { enum B {} } impl<T> A<T> {} impl B {} impl super::C {} impl Clone for C {}";
        let sources = sources(&[("a.rs", code)]);
        assert_eq!(sources.files[&vec!["a".to_owned()]].foreign_impls(), ["C"]);
    }

    #[test]
    fn code_lines_exclude_comments_blank_lines_and_unit_tests() {
        let text = "//! A\nfn f() {}\n\n/// B\nfn g() {\n    // C\n}\n#[cfg(test)]\nmod tests {\n    fn h() {}\n}\nfn i() {}\n";
        assert_eq!(code(text), "fn f() {}\nfn g() {\n}\nfn i() {}\n");
    }
}
