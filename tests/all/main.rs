//! Every integration test, in one binary: it links once, and `cargo test NAME` picks within it.

#[cfg(target_os = "linux")]
mod attributes;
mod check_laws;
mod checking;
mod command_units;
mod commands;
mod crash;
mod css_laws;
mod css_oracle;
mod edit_laws;
mod faults;
mod folders;
mod foreign_journals;
mod grammar_oracle;
mod html_cases;
mod html_charsets;
mod html_corpus;
mod html_hostile;
mod html_oracle;
mod html_soup;
mod integrity_laws;
#[cfg(unix)]
mod journal_laws;
mod layers;
mod linear;
mod link_detection;
mod mail_cases;
mod mail_corpus;
mod mail_hostile;
mod mail_laws;
mod map_laws;
mod memory;
mod mirror_auto;
mod mirror_laws;
mod mirror_log_laws;
mod moved_laws;
mod moving;
mod moving_git;
#[cfg(unix)]
mod moving_symlinks;
mod names;
mod normalize_corpus;
mod normalize_laws;
mod parse_corpus;
mod preflight;
mod processes;
mod redirect_servers;
mod redirects;
mod relocation;
mod relocation_laws;
mod shared_cases;
mod stream_laws;
mod streams;
mod tables;
mod text_cases;
mod text_corpus;
mod text_laws;
mod tier;
mod tree_laws;
mod uri_alloc;
mod uri_corpus;
mod uri_laws;
mod xml_corpus;
mod xml_laws;
mod xml_oracle;

// What the modules in `command_units` use of the command.

mod input {
    pub(crate) fn is_xhtml(name: &std::path::Path) -> bool {
        name.extension()
            .is_some_and(|it| it == "xhtml" || it == "xht")
    }
}

mod terminal {
    pub(crate) fn warn(message: impl std::fmt::Display) {
        panic!("{message}");
    }
}
