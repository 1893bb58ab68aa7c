//! All integration tests in one binary: it links once.

mod text_cases;
mod text_corpus;
mod text_laws;
