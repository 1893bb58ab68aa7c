//! The unit tests of modules of the command. They are compiled into this binary, so that the command is compiled once.

#[allow(dead_code, reason = "used by the command")]
#[path = "../../src/bin/rehref/render/broken.rs"]
mod broken;
#[allow(dead_code, reason = "used by the command")]
#[path = "../../src/bin/rehref/render/color.rs"]
mod color;
#[allow(dead_code, reason = "used by the command")]
#[path = "../../src/bin/rehref/render/escape.rs"]
mod escape;
#[allow(dead_code, reason = "used by the command")]
#[path = "../../src/bin/rehref/render/lines.rs"]
mod lines;
