//! Builds the example pages in `examples/hosts`, so that browser tests can open them. The pages are slides, notebooks
//! and documentation sites that embed the playground.
//!
//! The programs that build these pages are in `target/hosts`, and their output is in `target/hosts/site`. Missing
//! programs are reported.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::ValueEnum;

use crate::python::Venv;
use crate::{Error, debian, files, npm};

/// Address of the playground in the examples. The tests replace this address with the address of a local server.
pub const PLAYGROUND: &str = "https://playground.example/";

/// Runtime of SCORM 1.2 by another project, in the tested version.
const SCORM: &str = "scorm-again@3.4.3";

/// A host: a program that builds pages, with an example page that embeds the playground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
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
    /// Site by Observable Framework, from Markdown with JavaScript.
    Observable,
    /// Notebook by Observable, built by Notebook Kit.
    ObservableNotebook,
}

/// Recipe for the page of a host: packages, copied files, and a program. The texts have these placeholders:
///
/// - `{from}`: folder of the example
/// - `{to}`: folder of the built page
/// - `{home}`: folder of the npm packages, in which the program runs
/// - `{npm}`: folder of the playground's npm package
#[derive(Default)]
struct Recipe {
    name: &'static str,
    /// Python package with the program, in the tested version.
    python: Option<&'static str>,
    /// npm packages, in the tested versions.
    npm: &'static [&'static str],
    /// Latest publication day of the dependencies of the npm packages.
    by: Option<&'static str>,
    copies: &'static [(&'static str, &'static str)],
    /// Program with its arguments. Empty for a page without a build.
    run: &'static str,
    /// Folder of the built page in `{home}`, if the program accepts no other folder.
    made: Option<&'static str>,
}

impl Host {
    /// Returns the name of the host's folder in `examples/hosts` and in `target/hosts/site`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.recipe().name
    }

    #[expect(clippy::too_many_lines, reason = "it is a table")]
    fn recipe(self) -> Recipe {
        let none = Recipe::default();
        match self {
            Self::Reveal => Recipe {
                name: "reveal",
                npm: &["reveal.js@6.0.2"],
                copies: &[
                    ("{from}/index.html", "{to}/index.html"),
                    ("{home}/node_modules/reveal.js/dist/reveal.mjs", "{to}/reveal.js/reveal.mjs"),
                    ("{home}/node_modules/reveal.js/dist/reveal.css", "{to}/reveal.js/reveal.css"),
                ],
                ..none
            },
            Self::Quarto => Recipe {
                name: "quarto",
                run: "pandoc --from=markdown --to=html5 --standalone --output {to}/index.html {from}/lesson.qmd",
                ..none
            },
            Self::Jupyter => Recipe {
                name: "jupyter",
                python: Some("nbconvert==7.17.2"),
                // A converted notebook loads scripts from other servers. This notebook needs none of them.
                run: "jupyter-nbconvert --to=html --output=index --HTMLExporter.require_js_url= \
                      --HTMLExporter.mathjax_url= --output-dir {to} {from}/lesson.ipynb",
                ..none
            },
            Self::MkDocs => Recipe {
                name: "mkdocs",
                python: Some("mkdocs==1.6.1"),
                run: "mkdocs build --quiet --config-file {from}/mkdocs.yml --site-dir {to}",
                ..none
            },
            Self::Slidev => Recipe {
                name: "slidev",
                npm: &["@slidev/cli@52.16.0"],
                by: Some("2026-07-01"),
                copies: &[("{from}/slides.md", "{home}/slides.md")],
                run: "node_modules/.bin/slidev build slides.md --out {to}",
                ..none
            },
            Self::Docusaurus => Recipe {
                name: "docusaurus",
                npm: &[
                    "@docusaurus/core@3.10.2",
                    "@docusaurus/preset-classic@3.10.2",
                    "react@19.3.1",
                    "react-dom@19.3.1",
                ],
                copies: &[
                    ("{from}/docusaurus.config.js", "{home}/docusaurus.config.mjs"),
                    ("{from}/systolic.mdx", "{home}/docs/systolic.mdx"),
                ],
                run: "node_modules/.bin/docusaurus build --config docusaurus.config.mjs --out-dir {to}",
                ..none
            },
            Self::Marimo => Recipe {
                name: "marimo",
                python: Some("marimo==0.25.2"),
                run: "marimo -y export html {from}/lesson.py -o {to}/index.html",
                ..none
            },
            // The wheel of the Python package is next to this page.
            Self::Pyodide => Recipe {
                name: "pyodide",
                npm: &["pyodide@314.0.7"],
                copies: &[
                    ("{from}/index.html", "{to}/index.html"),
                    ("{home}/node_modules/pyodide/pyodide.mjs", "{to}/pyodide/pyodide.mjs"),
                    ("{home}/node_modules/pyodide/pyodide.asm.mjs", "{to}/pyodide/pyodide.asm.mjs"),
                    ("{home}/node_modules/pyodide/pyodide.asm.wasm", "{to}/pyodide/pyodide.asm.wasm"),
                    ("{home}/node_modules/pyodide/pyodide-lock.json", "{to}/pyodide/pyodide-lock.json"),
                    ("{home}/node_modules/pyodide/python_stdlib.zip", "{to}/pyodide/python_stdlib.zip"),
                ],
                ..none
            },
            Self::React => Recipe {
                name: "react",
                npm: &["react@19.3.1", "react-dom@19.3.1", "esbuild@0.28.2"],
                copies: &[
                    ("{from}/app.jsx", "{home}/app.jsx"),
                    ("{from}/index.html", "{to}/index.html"),
                    ("{npm}/package.json", "{home}/node_modules/systolic-playground/package.json"),
                    (
                        "{npm}/systolic-playground.mjs",
                        "{home}/node_modules/systolic-playground/systolic-playground.mjs",
                    ),
                ],
                run: "node_modules/.bin/esbuild app.jsx --bundle --format=esm --jsx=automatic --charset=utf8 \
                      --outfile={to}/app.js",
                ..none
            },
            Self::Sphinx => Recipe {
                name: "sphinx",
                python: Some("myst-parser==4.0.1"),
                run: "sphinx-build -q -b html {from} {to}",
                ..none
            },
            Self::Observable => Recipe {
                name: "observable",
                npm: &["@observablehq/framework@1.13.4"],
                copies: &[
                    ("{from}/observablehq.config.js", "{home}/observablehq.config.js"),
                    ("{from}/index.md", "{home}/src/index.md"),
                ],
                run: "node_modules/.bin/observable build",
                made: Some("dist"),
                ..none
            },
            Self::ObservableNotebook => Recipe {
                name: "observable-notebook",
                npm: &["@observablehq/notebook-kit@2.1.8"],
                copies: &[("{from}/notebook.html", "{home}/index.html")],
                run: "node_modules/.bin/notebooks build --root {home} --out {to} {home}/index.html",
                ..none
            },
        }
    }

    /// Builds the page of the host.
    ///
    /// # Errors
    /// Fails if a program is missing or cannot build the page. The error text states why the tests of the host are
    /// skipped, for a message to the user. Other tests continue.
    fn make(self, root: &Path) -> Result<(), String> {
        let Recipe { name, python, npm, by, copies, run, made } = self.recipe();
        let work = root.join("target").join("hosts");
        let (from, to, home) = (root.join("examples/hosts").join(name), folder(root, self), work.join(name));
        if npm.iter().any(|package| !npm::is_installed(&home, package)) {
            npm::install(&home, npm, by)?;
        }
        let venv = python.map(|package| Venv::with(&work.join("venv"), &[package])).transpose()?;
        let text = |error: Error| error.to_string();
        files::renewed(&to).and_then(|()| files::made(&home)).map_err(text)?;
        let places = [("{from}", from), ("{to}", to.clone()), ("{home}", home.clone()), ("{npm}", root.join("npm"))];
        let filled = |text: &str| {
            places.iter().fold(text.to_owned(), |text, (name, path)| text.replace(name, &path.to_string_lossy()))
        };
        for (from, to) in copies {
            files::copy(filled(from).as_ref(), filled(to).as_ref()).map_err(text)?;
        }
        if self == Self::Pyodide {
            let wheel = crate::pyodide::wheel(root).map_err(text)?;
            files::copy(&wheel, &to.join(crate::file_name(&wheel))).map_err(text)?;
        }
        let mut words = run.split(' ').filter(|word| !word.is_empty());
        let Some(program) = words.next() else { return Ok(()) };
        if program == "pandoc" && !debian::ensure(&["pandoc"]).is_empty() {
            return Err("its page needs pandoc".to_owned());
        }
        let program = match venv {
            Some(venv) => venv.program(program),
            None if program.contains('/') => home.join(program),
            None => program.into(),
        };
        let mut build = Command::new(program);
        build.current_dir(&home).args(words.map(filled));
        build.envs([("DOCUSAURUS_DISABLE_TELEMETRY", "1"), ("OBSERVABLE_TELEMETRY_DISABLE", "1")]);
        let status = build.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !status.is_ok_and(|status| status.success()) {
            return Err(format!("its program does not make the page of examples/hosts/{name}"));
        }
        made.map_or(Ok(()), |made| files::copied(&home.join(made), &to)).map_err(text)
    }
}

/// Returns the folder for the built page of a host.
fn folder(root: &Path, host: Host) -> PathBuf {
    root.join("target").join("hosts").join("site").join(host.name())
}

/// Returns the path of the built page of a host, or `None` if the page is not built.
#[must_use]
pub fn page(root: &Path, host: Host) -> Option<PathBuf> {
    let page = folder(root, host).join("index.html");
    page.is_file().then_some(page)
}

/// Returns the script of a SCORM 1.2 runtime by another project, or `None` if the script is not installed.
#[must_use]
pub fn scorm_runtime(root: &Path) -> Option<String> {
    let script = root.join("target/hosts/scorm/node_modules/scorm-again/dist/scorm12.min.js");
    files::text(&script).ok()
}

/// Builds the pages of all hosts, and installs the SCORM runtime. Returns a reason for each that fails.
pub(crate) fn make(root: &Path) -> Vec<String> {
    let failed = |host: &Host| Some(format!("{} as a host: {}", host.name(), host.make(root).err()?));
    let scorm = root.join("target").join("hosts").join("scorm");
    let installed = if npm::is_installed(&scorm, SCORM) { Ok(()) } else { npm::install(&scorm, &[SCORM], None) };
    let reason = installed.err().map(|reason| format!("a runtime of SCORM: {reason}"));
    Host::value_variants().iter().filter_map(failed).chain(reason).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_host_has_an_example_that_names_the_playground_once_or_more() {
        for host in Host::value_variants() {
            let folder = crate::root().join("examples").join("hosts").join(host.name());
            let files = crate::encoding::files(&folder).expect("a folder");
            let names = |path: &PathBuf| files::text(path).is_ok_and(|text| text.contains(PLAYGROUND));
            assert!(files.iter().any(names), "{}", host.name());
        }
    }
}
