//! Resolves references against a base URL (RFC 3986, section 5), and relativizes the results.

#![allow(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;

use rehref::uri::Resolver;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let base = arguments.next().ok_or("usage: resolve BASE REFERENCE...")?;
    let base = Resolver::default().base(&base)?;
    let mut url = String::new();
    for reference in arguments {
        base.resolve_into(reference.as_str(), &mut url)?;
        println!("{reference}\t{url}\t{}", base.relative_reference(&url).unwrap_or_default());
    }
    Ok(())
}
