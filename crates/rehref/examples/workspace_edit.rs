//! Prints the `WorkspaceEdit` of the Language Server Protocol that moves a file and updates the
//! references to and from it.

#![allow(clippy::print_stdout, reason = "an example prints")]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;

use rehref::bytes::percent::encode_path_segment;
use rehref::fs::path_of_bytes;
use rehref::jobs::Relocate;
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let [root, old, new] = [(); 3].map(|()| arguments.next().unwrap_or_default());
    let plan = Relocate::new(&root).rename(old, new).plan()?;
    // The edits of a document, in its order.
    let mut documents: BTreeMap<&[u8], Vec<Value>> = BTreeMap::new();
    let mut text = Vec::new();
    let mut name: &[u8] = b"";
    for edit in &plan.edits {
        if &*edit.doc.0 != name {
            name = &*edit.doc.0;
            text = fs::read(path_of_bytes(name))?;
        }
        let [start, end] = edit.span.map(|offset| position(&text, offset));
        let new_text = String::from_utf8_lossy(&edit.text.0);
        let edit = json!({"range": {"start": start, "end": end}, "newText": new_text});
        documents.entry(name).or_default().push(edit);
    }
    let edits = documents.into_iter().map(|(name, edits)| {
        json!({"textDocument": {"uri": uri(name), "version": null}, "edits": edits})
    });
    // Files move after the edits, whose documents have the old paths.
    let moves = plan.moves.iter().map(|moved| {
        let [old, new] = [&moved.old, &moved.new].map(|path| uri(&path.0));
        json!({"kind": "rename", "oldUri": old, "newUri": new})
    });
    let changes: Vec<Value> = edits.chain(moves).collect();
    println!("{:#}", json!({"documentChanges": changes}));
    Ok(())
}

/// The position of a byte: its line from 0, and the UTF-16 code units before it in the line.
fn position(text: &[u8], offset: usize) -> Value {
    let before = String::from_utf8_lossy(&text[..offset]);
    let lines = before.replace("\r\n", "\n").replace('\r', "\n");
    let line = lines.matches('\n').count();
    let start = lines.rfind('\n').map_or(0, |at| at + 1);
    let character = lines[start..].encode_utf16().count();
    json!({"line": line, "character": character})
}

/// The `file` URI of a path.
fn uri(path: &[u8]) -> String {
    let path = path_of_bytes(path);
    let path = std::path::absolute(&path).unwrap_or(path);
    let mut uri = "file://".to_owned();
    for name in path.iter().filter(|name| Path::new(name).is_relative()) {
        uri.push('/');
        encode_path_segment(name.as_encoded_bytes(), &mut uri);
    }
    uri
}
