//! Texts of the lessons, claims and challenges. The page fetches each text as a separate file when a reader opens it.

use std::collections::BTreeMap;
use std::path::Path;

use crate::process::{cargo, run};
use crate::{Error, digest, files};

/// Folders of the texts.
const FOLDERS: [&str; 4] = ["course/lessons", "course/claims", "course/challenges", "course/tests"];

/// All texts of lessons, claims and challenges.
#[derive(Debug)]
pub(crate) struct Cards {
    /// Texts, by path in the project.
    texts: BTreeMap<String, Vec<u8>>,
}

impl Cards {
    /// Reads all texts.
    pub(crate) fn read(root: &Path) -> Result<Self, Error> {
        let mut texts = BTreeMap::new();
        for folder in FOLDERS {
            for path in files::list(&root.join(folder))? {
                let name = crate::file_name(&path);
                if name.ends_with(".md") {
                    texts.insert(format!("{folder}/{name}"), files::bytes(&path)?);
                }
            }
        }
        Ok(Self { texts })
    }

    /// Checks all texts with the parser of the crate `lesson`, which prints the line and column of each mistake.
    pub(crate) fn check(&self, root: &Path) -> Result<(), Error> {
        let mut check = cargo(root, &["run", "--locked", "--quiet", "--package", "lesson", "--example", "check", "--"]);
        run("reading the lessons", check.args(self.texts.keys()))
    }

    /// Returns each text with its published file name, for example `wave-0123456789abcdef.txt`. The name has the digest
    /// of the text.
    pub(crate) fn files(&self) -> impl Iterator<Item = (String, &[u8])> {
        self.texts.iter().map(|(path, text)| {
            let id = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".md");
            (digest::hashed(id, "txt", text), text.as_slice())
        })
    }
}
