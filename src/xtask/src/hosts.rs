//! Builds the example pages in `examples/hosts`, so that browser tests can open them. The pages are slides, notebooks
//! and documentation sites that embed the playground.
//!
//! The programs that build these pages are in `target/hosts`, and their output is in `target/hosts/site`. Missing
//! programs are reported.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::process::find;
use crate::{debian, files, npm};

/// Address of the playground in the examples. The tests replace this address with the address of a local server.
pub const PLAYGROUND: &str = "https://playground.example/";

/// A host: a program that builds pages, with an example page that embeds the playground.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// Slides by reveal.js, which need no build.
    Reveal,
    /// Page by Quarto. The build calls Pandoc directly with the Markdown that Quarto would pass to Pandoc.
    Quarto,
    /// Notebook by Jupyter, converted to a page.
    Jupyter,
    /// Documentation site by MkDocs.
    MkDocs,
    /// Slides by Slidev, from Markdown.
    Slidev,
    /// Documentation site by Docusaurus.
    Docusaurus,
    /// Notebook by marimo, stored as a Python program.
    Marimo,
    /// Page that runs the Python package in the browser.
    Pyodide,
    /// Application of React, bundled by esbuild.
    React,
    /// Documentation site by Sphinx, from MyST Markdown.
    Sphinx,
}

impl Host {
    /// All hosts.
    pub const ALL: [Self; 10] = [
        Self::Reveal,
        Self::Quarto,
        Self::Jupyter,
        Self::MkDocs,
        Self::Slidev,
        Self::Docusaurus,
        Self::Marimo,
        Self::Pyodide,
        Self::React,
        Self::Sphinx,
    ];

    /// Returns the name of the host's folder in `examples/hosts` and in `target/hosts/site`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reveal => "reveal",
            Self::Quarto => "quarto",
            Self::Jupyter => "jupyter",
            Self::MkDocs => "mkdocs",
            Self::Slidev => "slidev",
            Self::Docusaurus => "docusaurus",
            Self::Marimo => "marimo",
            Self::Pyodide => "pyodide",
            Self::React => "react",
            Self::Sphinx => "sphinx",
        }
    }

    /// Returns the Python package that the host needs, in the tested version.
    const fn python(self) -> Option<&'static str> {
        match self {
            Self::Jupyter => Some("nbconvert==7.17.2"),
            Self::MkDocs => Some("mkdocs==1.6.1"),
            Self::Marimo => Some("marimo==0.25.2"),
            Self::Sphinx => Some("myst-parser==4.0.1"),
            _ => None,
        }
    }

    /// Returns the npm packages that the host needs, in the tested versions. Also returns the latest publication day of
    /// their dependencies, if there is a limit.
    const fn npm(self) -> (&'static [&'static str], Option<&'static str>) {
        match self {
            Self::Reveal => (&["reveal.js@6.0.2"], None),
            Self::React => (&["react@19.3.1", "react-dom@19.3.1", "esbuild@0.28.2"], None),
            Self::Pyodide => (&["pyodide@314.0.7"], None),
            Self::Slidev => (&["@slidev/cli@52.16.0"], Some("2026-07-01")),
            Self::Docusaurus => (
                &["@docusaurus/core@3.10.2", "@docusaurus/preset-classic@3.10.2", "react@19.3.1", "react-dom@19.3.1"],
                None,
            ),
            _ => (&[], None),
        }
    }

    /// Builds the page of the host.
    ///
    /// # Errors
    /// Fails if a program is missing or cannot build the page. The error text states why the tests of the host are
    /// skipped, for a message to the user. Other tests continue.
    pub fn make(self, root: &Path) -> Result<(), String> {
        let work = root.join("target").join("hosts");
        let (from, to) = (root.join("examples").join("hosts").join(self.name()), folder(root, self));
        let (packages, day) = self.npm();
        let home = work.join(self.name());
        if packages.iter().any(|package| !is_installed(&home, package)) {
            let packages: Vec<String> = packages.iter().map(|&package| package.to_owned()).collect();
            npm::install(&home, &packages, day)?;
        }
        let venv = self.python().map(|package| python(&work.join("venv"), package)).transpose()?.unwrap_or_default();
        let bin = |program: &str| venv.join(program);
        if to.exists() {
            fs::remove_dir_all(&to).map_err(|error| format!("{} stays: {error}", to.display()))?;
        }
        fs::create_dir_all(&to).map_err(|error| format!("{} cannot be made: {error}", to.display()))?;
        match self {
            Self::Reveal => {
                copy(&from.join("index.html"), &to.join("index.html"))?;
                for file in ["reveal.mjs", "reveal.css"] {
                    copy(&home.join("node_modules/reveal.js/dist").join(file), &to.join("reveal.js").join(file))?;
                }
                Ok(())
            }
            Self::Quarto => {
                let missing = debian::ensure(&["pandoc"]);
                if !missing.is_empty() {
                    return Err("the page of Quarto needs pandoc".to_owned());
                }
                let mut pandoc = Command::new("pandoc");
                pandoc.args(["--from=markdown", "--to=html5", "--standalone", "--output"]).arg(to.join("index.html"));
                done(pandoc.arg(from.join("lesson.qmd")), self)
            }
            Self::Jupyter => {
                let mut convert = Command::new(bin("jupyter-nbconvert"));
                // A converted notebook loads scripts from other servers. This notebook needs none of them.
                convert.args(["--to=html", "--output=index", "--HTMLExporter.require_js_url="]);
                convert.args(["--HTMLExporter.mathjax_url=", "--output-dir"]).arg(&to).arg(from.join("lesson.ipynb"));
                done(&mut convert, self)
            }
            Self::MkDocs => {
                let mut build = Command::new(bin("mkdocs"));
                done(build.args(["build", "--quiet", "--site-dir"]).arg(&to).current_dir(from), self)
            }
            Self::Slidev => {
                copy(&from.join("slides.md"), &home.join("slides.md"))?;
                let mut build = Command::new(home.join("node_modules/.bin/slidev"));
                done(build.args(["build", "slides.md", "--out"]).arg(&to).current_dir(&home), self)
            }
            Self::Docusaurus => {
                copy(&from.join("docusaurus.config.js"), &home.join("docusaurus.config.mjs"))?;
                copy(&from.join("systolic.mdx"), &home.join("docs").join("systolic.mdx"))?;
                let mut build = Command::new(home.join("node_modules/.bin/docusaurus"));
                build.args(["build", "--config", "docusaurus.config.mjs", "--out-dir"]).arg(&to);
                done(build.env("DOCUSAURUS_DISABLE_TELEMETRY", "1").current_dir(&home), self)
            }
            Self::Marimo => {
                let mut export = Command::new(bin("marimo"));
                export.args(["-y", "export", "html"]).arg(from.join("lesson.py")).arg("-o").arg(to.join("index.html"));
                done(&mut export, self)
            }
            Self::React => {
                copy(&from.join("app.jsx"), &home.join("app.jsx"))?;
                copy(&from.join("index.html"), &to.join("index.html"))?;
                for file in ["package.json", "systolic-playground.mjs"] {
                    let package = home.join("node_modules/systolic-playground");
                    copy(&root.join("npm").join(file), &package.join(file))?;
                }
                let mut bundle = Command::new(home.join("node_modules/.bin/esbuild"));
                bundle.args(["app.jsx", "--bundle", "--format=esm", "--jsx=automatic", "--charset=utf8"]);
                done(bundle.arg(format!("--outfile={}", to.join("app.js").display())).current_dir(&home), self)
            }
            Self::Sphinx => {
                let mut build = Command::new(bin("sphinx-build"));
                done(build.args(["-q", "-b", "html"]).arg(&from).arg(&to), self)
            }
            Self::Pyodide => {
                let wheel = crate::pyodide::wheel(root).map_err(|error| format!("{error}"))?;
                copy(&from.join("index.html"), &to.join("index.html"))?;
                copy(&wheel, &to.join(crate::file_name(&wheel)))?;
                for file in
                    ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip"]
                {
                    copy(&home.join("node_modules/pyodide").join(file), &to.join("pyodide").join(file))?;
                }
                Ok(())
            }
        }
    }
}

/// Returns the folder for the built page of a host.
#[must_use]
pub fn folder(root: &Path, host: Host) -> PathBuf {
    root.join("target").join("hosts").join("site").join(host.name())
}

/// Returns the path of the built page of a host, or `None` if the page is not built.
#[must_use]
pub fn page(root: &Path, host: Host) -> Option<PathBuf> {
    let page = folder(root, host).join("index.html");
    page.is_file().then_some(page)
}

/// Builds the pages of `hosts`, and returns a reason for each page that cannot be built.
#[must_use]
pub fn make(root: &Path, hosts: &[Host]) -> Vec<String> {
    let made =
        hosts.iter().map(|host| host.make(root).map_err(|reason| format!("{} as a host: {reason}", host.name())));
    made.filter_map(Result::err).collect()
}

/// True if npm has installed a package, given as `name@version`, in a folder.
fn is_installed(folder: &Path, package: &str) -> bool {
    let Some((name, version)) = package.rsplit_once('@') else { return false };
    let manifest = crate::text_if_there(&folder.join("node_modules").join(name).join("package.json"));
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap_or(serde_json::Value::Null);
    manifest["version"].as_str() == Some(version)
}

/// Installs a package into a Python virtual environment, and returns the environment's folder of programs. Creates the
/// environment if it does not exist.
///
/// # Errors
/// Fails if Python is missing, or the package cannot be installed. The error text states why the check is skipped, for
/// a message to the user.
pub(crate) fn python(venv: &Path, package: &str) -> Result<PathBuf, String> {
    let bin = venv.join(if cfg!(windows) { "Scripts" } else { "bin" });
    if !bin.is_dir() {
        let python = find(&["python3", "python"]).ok_or_else(|| format!("{package} needs Python"))?;
        quiet(Command::new(python).args(["-m", "venv"]).arg(venv)).ok_or("Python cannot make a venv")?;
    }
    let mut install = Command::new(bin.join("python"));
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", package]);
    quiet(&mut install).ok_or_else(|| format!("pip could not install {package}"))?;
    Ok(bin)
}

fn quiet(command: &mut Command) -> Option<()> {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success()).then_some(())
}

fn done(command: &mut Command, host: Host) -> Result<(), String> {
    quiet(command).ok_or_else(|| format!("its program does not make the page of examples/hosts/{}", host.name()))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    files::copy(from, to).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_host_has_an_example_that_names_the_playground_once_or_more() {
        for host in Host::ALL {
            let folder = crate::root().join("examples").join("hosts").join(host.name());
            let files = crate::encoding::files(&folder).expect("a folder");
            let names = |path: &PathBuf| fs::read_to_string(path).is_ok_and(|text| text.contains(PLAYGROUND));
            assert!(files.iter().any(names), "{}", host.name());
        }
    }

    #[test]
    fn a_package_of_another_version_is_not_there() {
        let folder = std::env::temp_dir().join(format!("npm-{}", std::process::id()));
        let package = folder.join("node_modules/@a/b");
        fs::create_dir_all(&package)
            .and_then(|()| fs::write(package.join("package.json"), r#"{"version":"1.2.3"}"#))
            .expect("written");
        assert!(
            is_installed(&folder, "@a/b@1.2.3")
                && !is_installed(&folder, "@a/b@1.2.4")
                && !is_installed(&folder, "c@1")
        );
        fs::remove_dir_all(folder).expect("removed");
    }
}
