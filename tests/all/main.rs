//! Every integration test, in one binary: it links once, and `cargo test NAME` picks within it.

mod commands;
mod edit_laws;
mod html_cases;
mod html_corpus;
mod html_oracle;
mod html_soup;
mod layers;
mod linear;
mod processes;
mod shared_cases;
mod text_cases;
mod text_corpus;
mod text_laws;
mod uri_alloc;
mod uri_corpus;
mod uri_laws;
