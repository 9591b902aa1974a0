//! Parts of the project that can be tested separately: the packages of the workspace, and the page. Also the cargo
//! arguments that select packages.

use std::fs;
use std::path::Path;

use crate::Error;

/// Packages that run only in a browser and are never built natively.
const BROWSER_ONLY: [&str; 3] = ["app", "page", "wasm-streams"];

/// A part of the project that can be tested separately: a package or the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Room {
    /// A package of the workspace.
    Package {
        /// Folder of the package in `src`, or `whole`.
        name: String,
        /// Name of the package for cargo.
        package: String,
        /// True if the tests of the package also run in a browser.
        in_browser: bool,
    },
    /// The published page, whose tests run in a browser.
    Page,
}

impl Room {
    /// Returns the name that selects the package or the page in `cargo xtask test`.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Package { name, .. } => name,
            Self::Page => "page",
        }
    }

    /// True if the tests run on this machine without a browser.
    #[must_use]
    pub fn is_native(&self) -> bool {
        matches!(self, Self::Package { package, .. } if !BROWSER_ONLY.contains(&package.as_str()))
    }

    /// True for the page, and for a package with tests in a browser.
    #[must_use]
    pub const fn is_in_browser(&self) -> bool {
        matches!(self, Self::Page | Self::Package { in_browser: true, .. })
    }
}

/// Returns every package and, at the end, the page.
///
/// # Errors
/// Fails if a manifest in `src` or `tests` cannot be read or has no package name.
pub fn all(root: &Path) -> Result<Vec<Room>, Error> {
    let mut rooms = Vec::new();
    let src = root.join("src");
    let entries = fs::read_dir(&src).map_err(Error::io("list src"))?;
    let mut folders: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.sort();
    folders.push(root.join("tests"));
    for folder in folders.iter().filter(|folder| folder.join("Cargo.toml").is_file()) {
        let manifest = folder.join("Cargo.toml");
        let text = fs::read_to_string(&manifest).map_err(Error::io(format!("read {}", manifest.display())))?;
        let package = package_of(&text)
            .ok_or_else(|| Error::Malformed(format!("{}: the package has no name", manifest.display())))?;
        // The package `page` only links the crate `app`, and the browser tests of the page cover it.
        if package == Room::Page.name() {
            continue;
        }
        let inside = folder.strip_prefix(&src).map_or(package, |folder| folder.to_str().unwrap_or(package));
        let in_browser = text.contains("wasm-bindgen-test.workspace");
        rooms.push(Room::Package { name: inside.to_owned(), package: package.to_owned(), in_browser });
    }
    rooms.push(Room::Page);
    Ok(rooms)
}

/// Returns the package or page with this name.
///
/// # Errors
/// [`Error::Usage`] if the name is unknown. The message lists the known names.
pub fn named(root: &Path, name: &str) -> Result<Room, Error> {
    let rooms = all(root)?;
    let names = rooms.iter().map(Room::name).collect::<Vec<_>>().join(", ");
    let found = rooms.into_iter().find(|room| room.name() == name);
    found.ok_or_else(|| Error::Usage(format!("there is no room {name}; the rooms are {names}")))
}

/// Returns cargo's arguments that select all native packages. Lints and tests must use the same arguments: otherwise
/// cargo unites the features of shared crates differently and builds these crates again.
#[must_use]
pub fn natively() -> Vec<String> {
    let mut arguments = vec!["--workspace".to_owned()];
    arguments.extend(BROWSER_ONLY.map(|package| format!("--exclude={package}")));
    arguments.push("--features=whole/browser,benches/browser".to_owned());
    arguments
}

/// Returns cargo's arguments that select all packages with tests in a browser. One call of cargo builds shared crates
/// only once.
#[must_use]
pub fn in_browser(rooms: &[Room]) -> Vec<String> {
    let packages = rooms.iter().filter_map(|room| match room {
        Room::Package { package, in_browser: true, .. } => Some(format!("--package={package}")),
        _ => None,
    });
    packages.collect()
}

fn package_of(manifest: &str) -> Option<&str> {
    manifest.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_are_the_folders_of_src_and_the_whole_and_the_page() {
        let rooms = all(&crate::root()).unwrap();
        let names: Vec<&str> = rooms.iter().map(Room::name).collect();
        for name in ["systolic", "perfmodel", "workload", "studio", "app", "cli", "xtask", "whole", "page"] {
            assert_eq!(names.iter().filter(|found| **found == name).count(), 1, "{name} among {names:?}");
        }
        let room = |name: &str| rooms.iter().find(|room| room.name() == name).unwrap();
        assert!(room("systolic").is_native() && room("systolic").is_in_browser());
        assert!(room("cli").is_native() && !room("cli").is_in_browser());
        assert!(!room("app").is_native() && room("app").is_in_browser());
        assert!(!room("page").is_native() && room("page").is_in_browser());
    }

    #[test]
    fn a_wrong_name_is_answered_with_the_right_ones() {
        let error = named(&crate::root(), "kitchen").unwrap_err().to_string();
        assert!(error.starts_with("there is no room kitchen; the rooms are app, cli, "), "{error}");
        assert!(error.contains("systolic, ") && error.contains("whole, page"), "{error}");
    }
}
