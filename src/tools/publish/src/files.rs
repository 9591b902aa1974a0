//! Files and folders: read, written, listed, copied, emptied. Each error names the path.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Error, process};

/// Returns the content of a file.
pub fn bytes(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(Error::io(format!("read {}", path.display())))
}

/// Returns the text of a file.
pub fn text(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(Error::io(format!("read {}", path.display())))
}

/// Writes a file, and makes the folder of the file.
pub fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Error> {
    let made = fs::create_dir_all(path.parent().unwrap_or(path));
    made.and_then(|()| fs::write(path, content)).map_err(Error::io(format!("write {}", path.display())))
}

/// Returns the paths of the files and folders in a folder, sorted.
pub fn list(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = fs::read_dir(folder).map_err(Error::io(format!("list {}", folder.display())))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    Ok(paths)
}

/// Makes an empty folder, and first deletes an existing folder at this path.
pub fn renewed(folder: &Path) -> Result<(), Error> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(Error::io(format!("empty {}", folder.display())))?;
    }
    made(folder)
}

/// Makes a folder if it does not exist.
pub fn made(folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(Error::io(format!("make {}", folder.display())))
}

/// Copies a file, and makes the folder that it goes to.
pub fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    let made = fs::create_dir_all(to.parent().unwrap_or(to));
    made.and_then(|()| fs::copy(from, to)).map(drop).map_err(Error::io(format!("copy {}", from.display())))
}

/// Copies a folder with its folders.
pub fn copied(from: &Path, to: &Path) -> Result<(), Error> {
    for from in list(from)? {
        let to = to.join(crate::file_name(&from));
        if from.is_dir() { copied(&from, &to)? } else { copy(&from, &to)? }
    }
    Ok(())
}

/// Returns the file with this ending in a folder.
pub fn found(folder: &Path, ending: &str) -> Result<PathBuf, Error> {
    let file = list(folder)?.into_iter().find(|path| crate::file_name(path).ends_with(ending));
    file.ok_or_else(|| Error::Verdict(format!("{} has no {ending}", folder.display())))
}

/// Copies the [`tracked`] files. Leaves an equal file of the copy alone, so that cargo does not rebuild unchanged crates.
pub fn sources(root: &Path, copy: &Path) -> Result<(), Error> {
    for name in tracked(root)? {
        let (from, to) = (root.join(&name), copy.join(&name));
        if fs::read(&to).ok() != fs::read(&from).ok() {
            self::copy(&from, &to)?;
        }
    }
    Ok(())
}

/// Returns the paths of the tracked files, and of the untracked files that git does not ignore, relative to `root`.
pub fn tracked(root: &Path) -> Result<Vec<String>, Error> {
    let git = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let listed = process::answer(Command::new("git").current_dir(root).args(git)).filter(|files| !files.is_empty());
    let listed = listed.ok_or_else(|| Error::missing("git's list of the sources", "run it in a clone"))?;
    // Git also lists tracked files that are deleted here.
    Ok(listed.lines().filter(|name| root.join(name).is_file()).map(str::to_owned).collect())
}
