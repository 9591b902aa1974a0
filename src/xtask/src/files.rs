//! Folders and files of builds: emptied, copied, found.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;

/// Makes an empty folder.
pub(crate) fn renewed(folder: &Path) -> Result<(), Error> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(Error::io(format!("empty {}", folder.display())))?;
    }
    fs::create_dir_all(folder).map_err(Error::io(format!("make {}", folder.display())))
}

/// Copies a folder with its folders.
pub(crate) fn copied(from: &Path, to: &Path) -> Result<(), Error> {
    fs::create_dir_all(to).map_err(Error::io(format!("make {}", to.display())))?;
    for entry in fs::read_dir(from).map_err(Error::io(format!("list {}", from.display())))? {
        let from = entry.map_err(Error::io("list a folder"))?.path();
        let to = to.join(crate::file_name(&from));
        if from.is_dir() {
            copied(&from, &to)?;
        } else {
            fs::copy(&from, &to).map_err(Error::io(format!("copy {}", from.display())))?;
        }
    }
    Ok(())
}

/// Returns the file in a folder with this ending.
pub(crate) fn found(folder: &Path, ending: &str) -> Result<PathBuf, Error> {
    let entries = fs::read_dir(folder).map_err(Error::io(format!("list {}", folder.display())))?;
    let file =
        entries.filter_map(Result::ok).map(|entry| entry.path()).find(|path| crate::file_name(path).ends_with(ending));
    file.ok_or_else(|| Error::Verdict(format!("{} has no {ending}", folder.display())))
}

/// Copies a file, and makes the folder that it goes to.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    let folder = to.parent().unwrap_or(to);
    fs::create_dir_all(folder).map_err(Error::io(format!("make {}", folder.display())))?;
    fs::copy(from, to).map(drop).map_err(Error::io(format!("copy {}", from.display())))
}
