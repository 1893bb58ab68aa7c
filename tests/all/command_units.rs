//! The unit tests of modules of the command. They are compiled into this binary, since the command has no other that
//! would be worth compiling it a second time.

#[allow(dead_code, reason = "the command uses all of it")]
#[path = "../../src/bin/rehref/color.rs"]
mod color;
#[allow(dead_code, reason = "the command uses all of it")]
#[path = "../../src/bin/rehref/ordered.rs"]
mod ordered;
#[allow(dead_code, reason = "the command uses all of it")]
#[path = "../../src/bin/rehref/moving/redirects.rs"]
mod redirects;
