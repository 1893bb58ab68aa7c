//! Laws, held by random input.
