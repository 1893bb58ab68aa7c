//! Makes the links of a page absolute, verifies the result, and prints it.

use std::error::Error;
use std::io::Write;

use rehref::{Document, Rules};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: rewrite_page FILE URL";
    let bytes = std::fs::read(arguments.next().ok_or(usage)?)?;
    let url = arguments.next().ok_or(usage)?;
    let page = Document::from_bytes(bytes).content_type("text/html").url(url).build()?;
    let links = page.links();
    let plan = links.rewrite(&Rules::new().absolute());
    plan.verify()?;
    std::io::stdout().write_all(plan.bytes())?;
    Ok(())
}
