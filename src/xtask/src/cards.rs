//! The texts of the lessons, claims and challenges: files of the page that it fetches one by one, when they are opened.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::process::{cargo, run};
use crate::{Error, digest};

/// The folders that they stand in.
const FOLDERS: [&str; 3] = ["course/lessons", "course/claims", "course/challenges"];

/// All texts.
#[derive(Debug)]
pub struct Cards {
    /// The texts by their paths in the project.
    texts: BTreeMap<String, Vec<u8>>,
    /// A digest of all of them, which is in the name of each: one name to tell the page instead of all.
    pub digest: String,
}

impl Cards {
    /// Reads all of them.
    ///
    /// # Errors
    /// One cannot be read.
    pub fn read(root: &Path) -> Result<Self, Error> {
        let mut texts = BTreeMap::new();
        for folder in FOLDERS {
            let entries = fs::read_dir(root.join(folder)).map_err(Error::io(format!("list {folder}")))?;
            for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
                let name = crate::file_name(&path);
                if name.ends_with(".md") {
                    let name = format!("{folder}/{name}");
                    texts.insert(name.clone(), fs::read(&path).map_err(Error::io(format!("read {name}")))?);
                }
            }
        }
        let all: Vec<u8> = texts.values().flatten().copied().collect();
        Ok(Self { texts, digest: digest::short(&all) })
    }

    /// Has the reader of lessons read all of them, which says the line and the column of each mistake.
    ///
    /// # Errors
    /// One of them has a mistake.
    pub fn check(&self, root: &Path) -> Result<(), Error> {
        let mut check = cargo(root, &["run", "--locked", "--quiet", "--package", "lesson", "--example", "check", "--"]);
        run("reading the lessons", check.args(self.texts.keys()))
    }

    /// Each with the name under which it is published: `wave-0123456789abcdef.txt`.
    pub fn files(&self) -> impl Iterator<Item = (String, &[u8])> {
        self.texts.iter().map(|(path, text)| {
            let id = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".md");
            (format!("{id}-{}.txt", self.digest), text.as_slice())
        })
    }
}
