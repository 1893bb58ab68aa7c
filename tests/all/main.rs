//! Every integration test, in one binary: it links once, and `cargo test NAME` picks within it.

#[cfg(target_os = "linux")]
mod attributes;
mod check_laws;
mod checking;
mod commands;
mod crash;
mod css_laws;
mod css_oracle;
mod edit_laws;
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
mod map_laws;
mod mirror_laws;
mod moved_laws;
mod moving;
mod normalize_corpus;
mod normalize_laws;
mod parse_corpus;
mod preflight;
mod processes;
mod relocation_laws;
mod shared_cases;
mod stream_laws;
mod streams;
mod tables;
mod text_cases;
mod text_corpus;
mod text_laws;
mod tree_laws;
mod uri_alloc;
mod uri_corpus;
mod uri_laws;
mod xml_corpus;
mod xml_laws;
mod xml_oracle;
