//! A set of challenges as a SCORM 1.2 package: a ZIP for a learning management system (LMS), with a page that reports a
//! score.
//!
//! The package contains the manifest, the playground in one file, and a page around the playground. This page receives
//! the reader's answers and reports them to the LMS.

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::{Error, single};

/// Name of the set of challenges.
pub const SET: &str = "challenges-first";
const HTML: &str = include_str!("scorm.html");
const SCRIPT: &str = include_str!("scorm.js");
/// Files of the package besides the manifest. The manifest lists these files.
const FILES: [&str; 3] = ["index.html", "scorm.js", "playground.html"];

/// Returns the package, made from a built page in `dist` and the challenges of the project.
///
/// # Errors
/// Fails if a file cannot be read or packed, or the set has no card with a question.
pub fn package(root: &Path, dist: &Path) -> Result<Vec<u8>, Error> {
    let set = root.join("course/challenges").join(format!("{SET}.md"));
    let text = fs::read_to_string(&set).map_err(Error::io(format!("read {}", set.display())))?;
    let (title, n_cards) = (text.lines().next().unwrap_or("").trim_start_matches("# "), cards(&text));
    if n_cards == 0 {
        return Err(Error::Malformed(format!("{} has no card that asks", set.display())));
    }
    let script = SCRIPT.replace("CARDS", &n_cards.to_string()).replace("SET", SET);
    let files = [
        ("imsmanifest.xml", manifest(title)),
        ("index.html", HTML.to_owned()),
        ("scorm.js", script),
        ("playground.html", single::page(dist)?),
    ];
    // Entries have no times, so that equal files give equal packages.
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in &files {
        let packed = zip.start_file(*name, options).and_then(|()| Ok(zip.write_all(text.as_bytes())?));
        packed.map_err(|error| Error::Malformed(format!("{name} cannot be packed: {error}")))?;
    }
    let packed = zip.finish().map_err(|error| Error::Malformed(format!("the package cannot be packed: {error}")))?;
    Ok(packed.into_inner())
}

/// Returns the number of cards with a question: all cards except cards that only explain.
fn cards(text: &str) -> usize {
    text.split("```card\n").skip(1).filter(|card| !card.starts_with("kind: explain")).count()
}

/// Returns `imsmanifest.xml` by the content aggregation model of SCORM 1.2: one organization, one item, one resource.
fn manifest(title: &str) -> String {
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    let files: String = FILES.iter().map(|name| format!("      <file href=\"{name}\"/>\n")).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <manifest identifier=\"systolic-playground\" version=\"1.0\" xmlns=\"http://www.imsproject.org/xsd/imscp_rootv1p1p2\"\n\
         \x20   xmlns:adlcp=\"http://www.adlnet.org/xsd/adlcp_rootv1p2\">\n\
         \x20 <metadata>\n    <schema>ADL SCORM</schema>\n    <schemaversion>1.2</schemaversion>\n  </metadata>\n\
         \x20 <organizations default=\"course\">\n    <organization identifier=\"course\">\n      <title>{title}</title>\n\
         \x20     <item identifier=\"set\" identifierref=\"page\">\n        <title>{title}</title>\n\
         \x20       <adlcp:masteryscore>100</adlcp:masteryscore>\n      </item>\n    </organization>\n  </organizations>\n\
         \x20 <resources>\n    <resource identifier=\"page\" type=\"webcontent\" adlcp:scormtype=\"sco\" href=\"index.html\">\n\
         {files}    </resource>\n  </resources>\n</manifest>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cards_that_ask_are_counted() {
        let text =
            "# A set\n\n```card\nkind: explain\n```\n\n```card\nkind: change\n```\n\n```card\nkind: predict\n```\n";
        assert_eq!(cards(text), 2);
        assert!(manifest("A & B").contains("<title>A &amp; B</title>"));
    }
}
