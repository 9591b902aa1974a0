//! The pages of `examples/hosts` as the programs make them that they are written for, so that browser tests can open them:
//! slides, a notebook, sites of documents.
//!
//! Everything lies under `target/hosts`: the programs, and what they wrote in `site`. What cannot be had is told.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::process::find;
use crate::{debian, npm};

/// Where the examples have the playground; the tests put their own in its place.
pub const PLAYGROUND: &str = "https://playground.example/";

/// A host whose page a program makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// Slides, which ask for no step of a build.
    Reveal,
    /// What Quarto passes to Pandoc, by Pandoc itself.
    Quarto,
    /// A notebook as a page.
    Jupyter,
    /// A site of documents.
    MkDocs,
    /// Slides from Markdown.
    Slidev,
    /// A site of documents.
    Docusaurus,
    /// A notebook as a program.
    Marimo,
}

impl Host {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Reveal, Self::Quarto, Self::Jupyter, Self::MkDocs, Self::Slidev, Self::Docusaurus, Self::Marimo];

    /// Its folder among the examples and among the sites.
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
        }
    }

    /// About how long it takes, the first time.
    #[must_use]
    pub const fn estimate(self) -> Duration {
        Duration::from_secs(match self {
            Self::Reveal => 3,
            Self::Quarto => 20,
            Self::Jupyter | Self::MkDocs | Self::Marimo => 30,
            Self::Slidev => 150,
            Self::Docusaurus => 170,
        })
    }

    /// The packages of Python that it takes, as they were tested.
    const fn python(self) -> Option<&'static str> {
        match self {
            Self::Jupyter => Some("nbconvert==7.17.2"),
            Self::MkDocs => Some("mkdocs==1.6.1"),
            Self::Marimo => Some("marimo==0.25.2"),
            _ => None,
        }
    }

    /// The packages of npm that it takes, as they were tested, and the day of the other packages that they ask for.
    const fn npm(self) -> (&'static [&'static str], Option<&'static str>) {
        match self {
            Self::Reveal => (&["reveal.js@6.0.2"], None),
            Self::Slidev => (&["@slidev/cli@52.16.0"], Some("2026-07-01")),
            Self::Docusaurus => (
                &["@docusaurus/core@3.10.2", "@docusaurus/preset-classic@3.10.2", "react@19.3.1", "react-dom@19.3.1"],
                None,
            ),
            _ => (&[], None),
        }
    }

    /// Makes its page.
    ///
    /// # Errors
    /// One clause for the reader, since tests go on without it.
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
                // A page of its own asks others for scripts, of which this notebook needs none.
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
        }
    }
}

/// Where the page of a host is, once it is made.
#[must_use]
pub fn folder(root: &Path, host: Host) -> PathBuf {
    root.join("target").join("hosts").join("site").join(host.name())
}

/// The page of a host, where it was made.
#[must_use]
pub fn page(root: &Path, host: Host) -> Option<PathBuf> {
    let page = folder(root, host).join("index.html");
    page.is_file().then_some(page)
}

/// Makes the pages of hosts; what cannot be made is a reason each.
#[must_use]
pub fn make(root: &Path, hosts: &[Host]) -> Vec<String> {
    let made =
        hosts.iter().map(|host| host.make(root).map_err(|reason| format!("{} as a host: {reason}", host.name())));
    made.filter_map(Result::err).collect()
}

/// Whether npm has put a package, given as `name@version`, under a folder.
fn is_installed(folder: &Path, package: &str) -> bool {
    let Some((name, version)) = package.rsplit_once('@') else { return false };
    let manifest = crate::text_if_there(&folder.join("node_modules").join(name).join("package.json"));
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap_or(serde_json::Value::Null);
    manifest["version"].as_str() == Some(version)
}

/// The programs of a Python environment with a package.
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
    let parent = to.parent().unwrap_or(to);
    let copied = fs::create_dir_all(parent).and_then(|()| fs::copy(from, to));
    copied.map(|_| ()).map_err(|error| format!("{} cannot be copied: {error}", from.display()))
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
