//! Texts of the lessons, claims and challenges, and the index of the search. The page fetches each text as a separate
//! file when a reader opens it.

use std::collections::BTreeMap;
use std::path::Path;

use crate::process::{cargo, run};
use crate::{Error, digest, files};

/// Folders of the texts.
const FOLDERS: [&str; 4] = ["course/lessons", "course/claims", "course/challenges", "course/tests"];

/// Index of the search.
const INDEX: &str = "public/ask.txt";

/// All texts that the page fetches later: lessons, claims and challenges, and the index of the search.
#[derive(Debug)]
pub(crate) struct Cards {
    /// Texts, by path in the project.
    texts: BTreeMap<String, Vec<u8>>,
}

impl Cards {
    /// Reads all texts.
    pub(crate) fn read(root: &Path) -> Result<Self, Error> {
        let mut texts = BTreeMap::from([(INDEX.to_owned(), files::bytes(&root.join(INDEX))?)]);
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

    /// Checks all lessons, claims and challenges with the parser of the crate `lesson`, which prints the line and column of each mistake.
    pub(crate) fn check(&self, root: &Path) -> Result<(), Error> {
        let mut check = cargo(root, &["run", "--locked", "--quiet", "--package", "lesson", "--example", "check", "--"]);
        run("reading the lessons", check.args(self.texts.keys().filter(|path| *path != INDEX)))
    }

    /// Returns each text with its published file name, for example `wave-0123456789abcdef.txt`. The name has the digest
    /// of the text.
    pub(crate) fn files(&self) -> impl Iterator<Item = (String, &[u8])> {
        self.texts.iter().map(|(path, text)| {
            let name = path.rsplit('/').next().unwrap_or(path);
            let id = name.rsplit_once('.').map_or(name, |(id, _)| id);
            (digest::hashed(id, "txt", text), text.as_slice())
        })
    }
}
