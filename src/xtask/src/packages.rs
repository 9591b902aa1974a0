//! `cargo xtask packages`: packs the npm package and the Python package as for a registry, installs the packed files
//! and the command line into clean folders, and runs their examples there. Nothing is published.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::files::{copied, found, renewed, sources};
use crate::process::{cargo, find, path_with, run as run_program, step};
use crate::{Error, npm, python};

/// npm packages that check the packed npm package: two versions of TypeScript, types of a framework, two checkers of
/// packages, and a bundler.
const CHECKERS: [&str; 6] = [
    "typescript@5.8.3",
    "typescript-next@npm:typescript@7.0.2",
    "@types/react@19.2.2",
    "publint@0.3.25",
    "@arethetypeswrong/cli@0.18.5",
    "esbuild@0.28.2",
];

/// Framework with its own bundler, Turbopack, and the libraries that it needs.
const NEXT: [&str; 3] = ["next@16.4.6", "react@19.3.1", "react-dom@19.3.1"];

/// Page of this framework that contains the element, and the layout around the page.
const NEXT_PAGE: [(&str, &str); 2] = [
    (
        "page.jsx",
        "'use client';\nimport 'systolic-playground';\n\
         export default function Page() { return <systolic-playground rows=\"4\" />; }\n",
    ),
    (
        "layout.jsx",
        "export default function Layout({ children }) { return <html lang=\"en\"><body>{children}</body></html>; }\n",
    ),
];

/// Script that a server runs: the import defines nothing and fails nowhere.
const ON_A_SERVER: &str = "const { SystolicPlayground } = await import('systolic-playground'); \
    if (typeof SystolicPlayground !== 'function') throw new Error('no class');";

/// Packs, installs and checks both packages. Without npm or Python, prints which check is skipped, and succeeds.
///
/// # Errors
/// Fails if a package cannot be packed or installed, or a check of a package fails.
pub(crate) fn run(root: &Path) -> Result<(), Error> {
    let home = crate::target(root).join("packages");
    step("the command line, installed from a copy of the sources", || of_cargo(root, &home))?;
    let checkers = CHECKERS.map(str::to_owned);
    match npm::install(&home.join("checkers"), &checkers, None) {
        Ok(()) => of_npm(root, &home)?,
        Err(reason) => println!("1 check skipped: the npm package: {reason}"),
    }
    match python::Room::for_packages(root) {
        Ok(room) => of_python(root, &home, &room),
        Err(reason) => {
            println!("1 check skipped: the packed Python package: {reason}");
            Ok(())
        }
    }
}

/// Installs the command line from a copy of the sources, and runs it. The crates use files outside their folders, so
/// `cargo package` cannot pack them one by one.
fn of_cargo(root: &Path, home: &Path) -> Result<(), Error> {
    let (copy, installed) = (home.join("sources"), home.join("installed"));
    renewed(&copy)?;
    sources(root, &copy)?;
    renewed(&installed)?;
    let mut install = cargo(&copy, &["install", "--quiet", "--locked", "--path=src/cli", "--root", &path(&installed)]);
    run_program("installing the command line", install.env("CARGO_TARGET_DIR", home.join("cargo")))?;
    let program = installed.join("bin").join(format!("systolic{}", std::env::consts::EXE_SUFFIX));
    let report = Command::new(program).current_dir(home).args(["report", "?rows=8&cols=8"]).output();
    let report = report.map_err(Error::io("start the installed command line"))?;
    let said = String::from_utf8_lossy(&report.stdout);
    if said.contains("8×8") { Ok(()) } else { Err(Error::Verdict(format!("the installed command line says {said}"))) }
}

fn of_npm(root: &Path, home: &Path) -> Result<(), Error> {
    let packed = step("packing the npm package", || pack(root, home))?;
    let clean = home.join("clean");
    let modules = home.join("checkers").join("node_modules");
    step("types, packing rules and bundles of the npm package", || {
        renewed(&clean)?;
        let name = packed.display().to_string();
        npm::install(&clean, &[name], None).map_err(Error::Verdict)?;
        for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let packed = crate::text_if_there(&clean.join("node_modules/systolic-playground").join(name));
            if packed.is_empty() || packed != crate::text_if_there(&root.join(name)) {
                return Err(Error::Verdict(format!("the npm package has no {name}")));
            }
        }
        // The compilers look for the types of React next to the package.
        copied(&modules.join("@types"), &clean.join("node_modules").join("@types"))?;
        copied(&modules.join("csstype"), &clean.join("node_modules").join("csstype"))?;
        fs::write(clean.join("package.json"), "{\"type\": \"module\"}\n").map_err(Error::io("write package.json"))?;
        for name in ["use.ts", "use.tsx", "tsconfig.json"] {
            let (from, to) = (root.join("npm").join("tests").join(name), clean.join(name));
            fs::copy(&from, to).map_err(Error::io(format!("copy {}", from.display())))?;
        }
        for compiler in ["typescript", "typescript-next"] {
            node(
                &clean,
                &format!("the types under {compiler}"),
                &[&path(&modules.join(compiler).join("bin/tsc")), "-p", "."],
            )?;
        }
        node(&clean, "publint", &[&path(&modules.join("publint/src/cli.js")), "--strict", &path(&packed)])?;
        let attw = path(&modules.join("@arethetypeswrong/cli/dist/index.js"));
        // The package has only modules, and a page of types has no script.
        let rules = ["--profile", "esm-only", "--exclude-entrypoints", "./react", "--no-emoji"];
        node(&clean, "attw", &[&[attw.as_str(), path(&packed).as_str()], &rules[..]].concat())?;
        node(&clean, "the import on a server", &["--input-type=module", "-e", ON_A_SERVER])?;
        bundled(&clean, &modules)
    })?;
    step("a page of Next.js with the npm package", || of_next(&home.join("next"), &packed))
}

/// Builds a page of Next.js with Turbopack, which resolves each address of a module as a file.
fn of_next(site: &Path, packed: &Path) -> Result<(), Error> {
    renewed(site)?;
    let packages: Vec<String> = NEXT.map(str::to_owned).into_iter().chain([path(packed)]).collect();
    npm::install(site, &packages, None).map_err(Error::Verdict)?;
    fs::write(site.join("package.json"), "{\"private\": true}\n").map_err(Error::io("write package.json"))?;
    let app = site.join("app");
    renewed(&app)?;
    for (name, text) in NEXT_PAGE {
        fs::write(app.join(name), text).map_err(Error::io(format!("write {name}")))?;
    }
    node(site, "next build", &["node_modules/next/dist/bin/next", "build"])
}

/// Bundles the element for a plain script and for a module, and loads the plain script where there is no page.
fn bundled(clean: &Path, modules: &Path) -> Result<(), Error> {
    fs::write(clean.join("entry.js"), "import 'systolic-playground';\nimport 'systolic-playground/react';\n")
        .map_err(Error::io("write entry.js"))?;
    let esbuild = path(&modules.join("esbuild/bin/esbuild"));
    for format in ["iife", "esm"] {
        let (format_option, out) = (format!("--format={format}"), format!("--outfile={format}.js"));
        // The element looks for the address of its script, and a plain script has none.
        let quiet = "--log-override:empty-import-meta=silent";
        run_program(
            "a bundle",
            Command::new(&esbuild).current_dir(clean).args(["entry.js", "--bundle", &format_option, &out, quiet]),
        )?;
    }
    node(
        clean,
        "the bundle of a plain script",
        &[
            "--input-type=commonjs",
            "-e",
            "require('vm').runInThisContext(require('fs').readFileSync('iife.js', 'utf8'))",
        ],
    )
}

/// Packs the npm package, and returns the path of the file.
fn pack(root: &Path, home: &Path) -> Result<PathBuf, Error> {
    let packed = home.join("npm");
    renewed(&packed)?;
    let npm = find(&["npm"]).ok_or_else(|| Error::Verdict("npm is gone".to_owned()))?;
    let to = path(&packed);
    let mut pack = Command::new(npm);
    pack.current_dir(root.join("npm")).args(["pack", "--silent", "--pack-destination", &to]).stdout(Stdio::null());
    run_program("npm pack", &mut pack)?;
    found(&packed, ".tgz")
}

fn of_python(root: &Path, home: &Path, room: &python::Room) -> Result<(), Error> {
    let packed = home.join("python");
    let sdist = step("packing the source package of Python", || {
        renewed(&packed)?;
        // Both packages contain the page, so that the widget works from the package alone.
        python::write_page(root)?;
        let out = path(&packed);
        run_program("maturin sdist", &mut room.python(root, &["-m", "maturin", "sdist", "--out", &out]))?;
        found(&packed, ".tar.gz")
    })?;
    let wheel = step("building a wheel from the source package", || {
        let (from, out) = (path(&sdist), path(&packed));
        let build = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", &from, "--wheel-dir", &out];
        // The package is unpacked into another folder each time; only its dependencies are built once.
        run_program("building a wheel", room.python(root, &build).env("CARGO_TARGET_DIR", home.join("cargo")))?;
        found(&packed, ".whl")
    })?;
    step("the wheel in a clean environment", || {
        let (sdist, wheel) = (path(&sdist), path(&wheel));
        run_program("twine", &mut room.python(root, &["-m", "twine", "check", "--strict", &sdist, &wheel]))?;
        let clean = home.join("venv");
        renewed(&clean)?;
        run_program("making an environment", &mut room.python(root, &["-m", "venv", &path(&clean)]))?;
        let python = python::Room::at(&clean);
        let with_widget = format!("{wheel}[widget]");
        let install = ["-m", "pip", "install", "--quiet", &with_widget];
        run_program("installing the wheel", &mut python.python(&packed, &install))?;
        let program = path(&root.join("python").join("tests").join("installed.py"));
        run_program("the example", &mut python.python(&packed, &[&program]))
    })
}

/// Runs node in a folder.
fn node(folder: &Path, what: &str, arguments: &[&str]) -> Result<(), Error> {
    let node = find(&["node"]).ok_or_else(|| Error::Verdict("node is gone".to_owned()))?;
    let mut command = Command::new(&node);
    let place = node.parent().map(Path::to_path_buf).into_iter().collect::<Vec<_>>();
    command.current_dir(folder).args(arguments).env("PATH", path_with(&place)).env("NEXT_TELEMETRY_DISABLED", "1");
    run_program(what, command.stdin(Stdio::null()))
}

fn path(path: &Path) -> String {
    path.display().to_string()
}
