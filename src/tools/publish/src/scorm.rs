//! The first challenges and both tests as a SCORM 1.2 package: a ZIP for a learning management system (LMS), with a page
//! that reports a score. The course has one item for each set, and the LMS gives the set to the page as a parameter.
//!
//! The package contains the manifest, the playground in one file, and a page around the playground. This page receives
//! the reader's answers and reports them to the LMS.

use std::path::Path;

use crate::{Error, encoding, files, single};

/// Folders and names of the sets. The first set is the set of a page without a parameter.
pub const SETS: [(&str, &str); 3] = [("challenges", "challenges-first"), ("tests", "form-a"), ("tests", "form-b")];
const HTML: &str = include_str!("scorm.html");
const SCRIPT: &str = include_str!("scorm.js");
/// Files of the package besides the manifest. The manifest lists these files.
const FILES: [&str; 3] = ["index.html", "scorm.js", "playground.html"];

/// Returns the package, made from a built page in `dist` and the sets of the project.
///
/// # Errors
/// Fails if a file cannot be read or packed, or a set has no card with a question.
pub fn package(root: &Path, dist: &Path) -> Result<Vec<u8>, Error> {
    let sets = SETS.map(|(folder, id)| Set::read(root, folder, id));
    let sets: Vec<Set> = sets.into_iter().collect::<Result<_, _>>()?;
    let table: Vec<String> = sets.iter().map(Set::to_script).collect();
    let script = SCRIPT.replace("SETS", &format!("{{ {} }}", table.join(", ")));
    let files = [
        ("imsmanifest.xml", manifest(&sets)),
        ("index.html", HTML.to_owned()),
        ("scorm.js", script),
        ("playground.html", single::page(dist)?),
    ];
    encoding::zipped(files.map(|(name, text)| (name.to_owned(), text.into_bytes())))
}

/// A set of cards in the package.
struct Set {
    id: &'static str,
    title: String,
    /// Numbers of the cards with a question, counted from 1.
    asking: Vec<usize>,
    is_test: bool,
}

impl Set {
    fn read(root: &Path, folder: &str, id: &'static str) -> Result<Self, Error> {
        let path = root.join("course").join(folder).join(format!("{id}.md"));
        let set = Self::parse(id, &files::text(&path)?);
        match set.asking.is_empty() {
            true => Err(Error::Failed(format!("{} has no card that asks", path.display()))),
            false => Ok(set),
        }
    }

    fn parse(id: &'static str, text: &str) -> Self {
        let title = text.lines().next().unwrap_or("").trim_start_matches("# ").to_owned();
        let cards = text.split("```card\n").skip(1).zip(1..);
        let asking = cards.filter(|(card, _)| !card.starts_with("kind: explain")).map(|(_, nth)| nth).collect();
        Self { id, title, asking, is_test: text.contains("\ntest: yes\n") }
    }

    /// Returns the set as a property of a JavaScript object: its cards with a question.
    fn to_script(&self) -> String {
        format!("'{}': {:?}", self.id, self.asking)
    }

    /// Returns the item of the set in the manifest.
    fn item(&self) -> String {
        let title = self.title.replace('&', "&amp;").replace('<', "&lt;");
        // A test has no passing score.
        let mastery = if self.is_test { "" } else { "        <adlcp:masteryscore>100</adlcp:masteryscore>\n" };
        format!(
            "      <item identifier=\"{0}\" identifierref=\"page\" parameters=\"?set={0}\">\n        <title>{title}</title>\n\
             {mastery}      </item>\n",
            self.id
        )
    }
}

/// Returns `imsmanifest.xml` by the content aggregation model of SCORM 1.2: one organization with an item for each set,
/// and one resource.
fn manifest(sets: &[Set]) -> String {
    let files: String = FILES.iter().map(|name| format!("      <file href=\"{name}\"/>\n")).collect();
    let items: String = sets.iter().map(Set::item).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <manifest identifier=\"systolic-playground\" version=\"1.0\" xmlns=\"http://www.imsproject.org/xsd/imscp_rootv1p1p2\"\n\
         \x20   xmlns:adlcp=\"http://www.adlnet.org/xsd/adlcp_rootv1p2\">\n\
         \x20 <metadata>\n    <schema>ADL SCORM</schema>\n    <schemaversion>1.2</schemaversion>\n  </metadata>\n\
         \x20 <organizations default=\"course\">\n    <organization identifier=\"course\">\n      <title>Systolic Playground</title>\n\
         {items}    </organization>\n  </organizations>\n\
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
            "# A & B\n\n```card\nkind: explain\n```\n\n```card\nkind: change\n```\n\n```card\nkind: predict\n```\n";
        let set = Set::parse("one", text);
        assert_eq!((set.asking.as_slice(), set.to_script().as_str()), ([2, 3].as_slice(), "'one': [2, 3]"));
        assert!(manifest(&[set]).contains("<title>A &amp; B</title>"));
    }
}
