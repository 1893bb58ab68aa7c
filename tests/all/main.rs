//! Every integration test, in one binary: it links once, and `cargo test NAME` picks within it.

mod shared_cases;
mod uri_corpus;
mod uri_laws;
