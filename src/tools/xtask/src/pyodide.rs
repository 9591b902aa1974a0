//! `cargo xtask pyodide`: the pure wheel of the Python package, for Python in a browser.
//!
//! The wheel has the same Python files as the other wheels. Instead of the compiled part of a platform, it has the core as
//! a WebAssembly module, the script of wasm-bindgen, and `python/pyodide/_native.py`, which calls the script.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::process::{cargo, run};
use crate::python::Venv;
use crate::{Error, files};
use publish::module::{self, WASM};

/// Program that packs the wheel.
const PACKER: &str = "flit_core==3.12.0";

/// Returns the folder of the wheel.
pub(crate) fn folder(root: &Path) -> PathBuf {
    crate::target(root).join("pyodide")
}

/// Builds the wheel, and returns its path.
///
/// # Errors
/// Fails if a tool is missing, the core does not compile, or the wheel cannot be packed.
pub(crate) fn wheel(root: &Path) -> Result<PathBuf, Error> {
    let venv = Venv::with(&folder(root).join("venv"), &[PACKER]).map_err(Error::Verdict)?;
    let staged = staged(root)?;
    let out = folder(root).join("wheel");
    files::renewed(&out)?;
    let mut pack = venv.python(root, &["-m", "flit_core.wheel", "--outdir"]);
    pack.arg(&out).arg(&staged).stdout(Stdio::null());
    run("packing the wheel", pack.env("SOURCE_DATE_EPOCH", "1735689600"))?;
    let wheel = files::found(&out, ".whl")?;
    println!("Written to {}", wheel.display());
    Ok(wheel)
}

/// Compiles the core, and writes the files of the wheel to a folder.
fn staged(root: &Path) -> Result<PathBuf, Error> {
    let mut build = cargo(root, &["build", "--locked", "--quiet", "--package=systolic-python"]);
    build.args(["--profile=wasm-release", "--target", WASM]);
    run("compiling the core", build.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", module::remapped(root)))?;
    let compiled = crate::target(root).join(WASM).join("wasm-release").join("_native.wasm");
    let bound = folder(root).join("bound");
    module::bind(&compiled, &bound, "core", |bindgen| bindgen.no_modules(true))?;
    let staged = folder(root).join("staged");
    let package = staged.join("systolic_playground");
    files::renewed(&staged)?;
    files::copied(&root.join("python").join("package").join("systolic_playground"), &package)?;
    for (from, to) in [
        (root.join("python/pyodide/_native.py"), package.join("_native.py")),
        (bound.join("core.js"), package.join("core.js")),
        (bound.join("core_bg.wasm"), package.join("core.wasm")),
        (root.join("python/README.md"), staged.join("python/README.md")),
        (root.join("LICENSE-MIT"), staged.join("LICENSE-MIT")),
        (root.join("LICENSE-APACHE"), staged.join("LICENSE-APACHE")),
    ] {
        files::copy(&from, &to)?;
    }
    files::write(&staged.join("pyproject.toml"), pure(&files::text(&root.join("pyproject.toml"))?)?)?;
    Ok(staged)
}

/// Returns the manifest of the pure wheel: the project's tables in `pyproject.toml`, with another program that packs
/// the wheel.
fn pure(manifest: &str) -> Result<String, Error> {
    let missing = |what: &str| Error::Failed(format!("pyproject.toml has no {what}"));
    let from = manifest.find("[project]").ok_or_else(|| missing("[project]"))?;
    let to = manifest.find("[tool.").ok_or_else(|| missing("[tool]"))?;
    let project = manifest.get(from..to).ok_or_else(|| missing("[project] before [tool]"))?;
    let build = "[build-system]\nrequires = [\"flit_core\"]\nbuild-backend = \"flit_core.buildapi\"\n\n";
    Ok(format!("{build}{project}[tool.flit.module]\nname = \"systolic_playground\"\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pure_wheel_has_the_project_of_the_other_wheels() {
        let ours = std::fs::read_to_string(crate::root().join("pyproject.toml")).expect("there");
        let pure = pure(&ours).expect("a project");
        assert!(pure.contains("name = \"systolic-playground\"") && pure.contains("requires-python"));
        assert!(!pure.contains("maturin") && pure.ends_with("name = \"systolic_playground\"\n"));
        assert!(super::pure("[tool.x]").is_err());
    }
}
