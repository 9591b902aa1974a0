//! `cargo xtask packages`: packs the npm package and the Python package as for a registry, installs the packed files
//! and the command line into clean folders, and runs their examples there. Nothing is published.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::files::{copied, found, renewed, sources};
use crate::lanes::skipped;
use crate::process::{cargo, find, run as run_program, step};
use crate::python::{self, Venv};
use crate::{Error, npm};

/// Packs, installs and checks both packages. Without npm or Python, prints which check is skipped, and succeeds.
///
/// # Errors
/// Fails if a package cannot be packed or installed, or a check of a package fails.
pub(crate) fn run(root: &Path) -> Result<(), Error> {
    let home = crate::target(root).join("packages");
    step("the command line, installed from a copy of the sources", || of_cargo(root, &home))?;
    match find(&["npm"]) {
        Some(npm) => of_npm(root, &home, &npm)?,
        None => skipped("the npm package: it needs npm")?,
    }
    match Venv::of_package(root, &["twine>=6,<7"]) {
        Ok(venv) => of_python(root, &home, &venv),
        Err(reason) => skipped(&format!("the packed Python package: {reason}")),
    }
}

/// Installs the command line from a copy of the sources, and runs it. The crates use files outside their folders, so
/// `cargo package` cannot pack them one by one.
fn of_cargo(root: &Path, home: &Path) -> Result<(), Error> {
    let (copy, installed) = (home.join("sources"), home.join("installed"));
    renewed(&copy)?;
    sources(root, &copy)?;
    renewed(&installed)?;
    let mut install =
        cargo(&copy, &["install", "--quiet", "--locked", "--path=src/shell/cli", "--root", &path(&installed)]);
    run_program("installing the command line", install.env("CARGO_TARGET_DIR", home.join("cargo")))?;
    let program = installed.join("bin").join(format!("systolic{}", std::env::consts::EXE_SUFFIX));
    let report = Command::new(program).current_dir(home).args(["report", "?rows=8&cols=8"]).output();
    let report = report.map_err(Error::io("start the installed command line"))?;
    let said = String::from_utf8_lossy(&report.stdout);
    if said.contains("8×8") { Ok(()) } else { Err(Error::Verdict(format!("the installed command line says {said}"))) }
}

/// Packs the npm package. Installs it into copies of `npm/tests` and `npm/tests/next`, and runs their checks: types under
/// two versions of TypeScript, packing rules, bundles, and a page of Next.js, which resolves each address of a module as
/// a file.
fn of_npm(root: &Path, home: &Path, npm: &Path) -> Result<(), Error> {
    let (packed, tests) = (home.join("npm"), home.join("npm-tests"));
    renewed(&packed)?;
    let mut pack = Command::new(npm);
    pack.current_dir(root.join("npm")).args(["pack", "--silent", "--pack-destination"]).arg(&packed);
    step("packing the npm package", || run_program("npm pack", pack.stdout(Stdio::null())))?;
    let packed = path(&found(&packed, ".tgz")?);
    renewed(&tests)?;
    copied(&root.join("npm").join("tests"), &tests)?;
    for folder in [tests.join("next"), tests] {
        if let Err(reason) = step("packages for the npm package", || Ok(npm::install(&folder, &[&packed], None)))? {
            return skipped(&format!("the npm package: {reason}"));
        }
        for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let text = crate::text_if_there(&folder.join("node_modules/systolic-playground").join(name));
            if text.is_empty() || text != crate::text_if_there(&root.join(name)) {
                return Err(Error::Verdict(format!("the npm package has no {name}")));
            }
        }
        let mut test = Command::new(npm);
        test.current_dir(&folder).args(["test", "--silent"]).env("PACKED", &packed).env("NEXT_TELEMETRY_DISABLED", "1");
        step("checks of the npm package", || run_program("npm test", test.stdin(Stdio::null())))?;
    }
    Ok(())
}

fn of_python(root: &Path, home: &Path, venv: &Venv) -> Result<(), Error> {
    let packed = home.join("python");
    renewed(&packed)?;
    let out = path(&packed);
    // Both packages contain the page, so that the widget works from the package alone.
    python::write_page(root)?;
    step("packing the source package of Python", || {
        run_program("maturin sdist", &mut venv.python(root, &["-m", "maturin", "sdist", "--out", &out]))
    })?;
    let sdist = path(&found(&packed, ".tar.gz")?);
    step("building a wheel from the source package", || {
        let build = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", &sdist, "--wheel-dir", &out];
        // The package is unpacked into another folder each time; only its dependencies are built once.
        run_program("building a wheel", venv.python(root, &build).env("CARGO_TARGET_DIR", home.join("cargo")))
    })?;
    let wheel = path(&found(&packed, ".whl")?);
    step("the wheel in a clean environment", || {
        run_program("twine", &mut venv.python(root, &["-m", "twine", "check", "--strict", &sdist, &wheel]))?;
        let clean = home.join("venv");
        renewed(&clean)?;
        let clean = Venv::with(&clean, &[&format!("{wheel}[widget]")]).map_err(Error::Verdict)?;
        let program = path(&root.join("python").join("tests").join("installed.py"));
        run_program("the example", &mut clean.python(&packed, &[&program]))
    })
}

fn path(path: &Path) -> String {
    path.display().to_string()
}
