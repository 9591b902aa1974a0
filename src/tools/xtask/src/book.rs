//! Builds the book from `docs` with mdBook: gathers the pages and draws pictures of runs.
//!
//! Some pages of the book are in other folders, such as `python/README.md`. `docs/SUMMARY.md` names such a page by its
//! path. The build copies the page into the book, and changes the links of the page.

mod check;
mod links;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

pub use check::check;

use crate::process::{run as run_program, step};
use crate::{Error, files, python, tools};

/// Beginning of a line that the build replaces with a picture of a run. The rest of the line has the link query of the
/// run and the alternative text of the picture.
const PICTURE: &str = "<!-- picture: ";

/// Pages of the book: path in the project, and path in the book.
pub(crate) type Pages = BTreeMap<String, String>;

/// Returns the pages that `docs/SUMMARY.md` names.
pub(crate) fn pages(root: &Path) -> Result<Pages, Error> {
    let summary = files::text(&root.join("docs/SUMMARY.md"))?;
    let named = summary.lines().filter_map(|line| Some(line.split_once("](")?.1.split_once(')')?.0));
    Ok(named.map(|name| (links::joined("docs", name), links::place(name))).collect())
}

/// Builds the book into `target/book/html`.
///
/// # Errors
/// Fails if mdBook cannot be installed, a picture cannot be drawn, or a page has a broken link.
pub fn run(root: &Path) -> Result<(), Error> {
    let to = root.join("target").join("book").join("html");
    build(root, &to)?;
    println!("Written to {}", to.display());
    Ok(())
}

/// Builds the book into the folder `to`. The published book is in the folder `docs` next to the page.
///
/// # Errors
/// Fails if mdBook cannot be installed, a picture cannot be drawn, or a page has a broken link.
pub(crate) fn build(root: &Path, to: &Path) -> Result<(), Error> {
    let mdbook = tools::mdbook(root)?;
    check(root)?;
    let systolic = python::systolic(root)?;
    let work = root.join("target").join("book").join("from");
    step("gathering the pages", || gather(root, &work, &systolic))?;
    step("building the book", || {
        let mut build = Command::new(mdbook);
        run_program("mdBook", build.arg("build").arg(&work).arg("--dest-dir").arg(to))?;
        keep_own(to)
    })
}

/// Copies all pages and their pictures into the folder `work`, from which mdBook builds.
fn gather(root: &Path, work: &Path, systolic: &Path) -> Result<(), Error> {
    files::renewed(work)?;
    for name in ["book.toml", "theme/index.hbs", "theme/page.css"] {
        files::write(&work.join(name), files::text(&root.join("docs").join(name))?)?;
    }
    let (pages, from) = (pages(root)?, work.join("src"));
    let summary = files::text(&root.join("docs/SUMMARY.md"))?;
    files::write(&from.join("SUMMARY.md"), links::changed(&summary, "docs/SUMMARY.md", &pages, &mut Vec::new()))?;
    let mut n_pictures = 0;
    for (path, place) in &pages {
        let mut pictures = Vec::new();
        let text = links::changed(&files::text(&root.join(path))?, path, &pages, &mut pictures);
        for picture in pictures {
            let to = from.join(place).parent().unwrap_or(&from).join(&picture);
            files::copy(&root.join(path).parent().unwrap_or(root).join(&picture), &to)?;
        }
        let text = with_pictures(systolic, &text, place, &mut n_pictures, &from)?;
        files::write(&from.join(place), text)?;
    }
    Ok(())
}

/// Returns the text of a page, with a picture in place of each line that begins with [`PICTURE`].
fn with_pictures(
    systolic: &Path,
    text: &str,
    place: &str,
    n_pictures: &mut usize,
    from: &Path,
) -> Result<String, Error> {
    let mut out = String::with_capacity(text.len());
    let up = "../".repeat(place.matches('/').count());
    for line in text.lines() {
        if let Some((query, words)) = picture(line) {
            *n_pictures += 1;
            let name = format!("pictures/run-{n_pictures}.svg");
            let drawing = Command::new(systolic).args(["svg", query]).output().map_err(Error::io("start systolic"))?;
            if !drawing.status.success() {
                let why = String::from_utf8_lossy(&drawing.stderr).into_owned();
                return Err(Error::Failed(format!("{place}: {query} cannot be drawn: {why}")));
            }
            files::write(&from.join(&name), drawing.stdout)?;
            out.push_str(&live_picture(query, words, &up, &name));
        } else {
            out.push_str(line);
        }
        out.push('\n');
    }
    Ok(out)
}

/// Returns the HTML of a picture that links to its run. The script of the element, if it loads, makes the picture a
/// button that starts the run in its place.
#[must_use]
pub fn live_picture(query: &str, words: &str, up: &str, name: &str) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
    let [query, words] = [escaped(query), escaped(words)];
    // The playground is in the folder above the book.
    format!(
        "<systolic-playground link=\"{query}\" loading=\"click\" label=\"{words}\">\n\
         <a href=\"{up}../{query}\"><img src=\"{up}{name}\" alt=\"{words}\"></a>\n</systolic-playground>\n"
    )
}

/// Returns the link query and the alternative text in a line that begins with [`PICTURE`], or `None` for any other
/// line.
pub(crate) fn picture(line: &str) -> Option<(&str, &str)> {
    let (query, words) = line.strip_prefix(PICTURE)?.strip_suffix(" -->")?.split_once(" | ")?;
    Some((query.trim(), words.trim()))
}

/// Deletes files that mdBook adds for its own theme: scripts, fonts and styles that no page uses.
fn keep_own(book: &Path) -> Result<(), Error> {
    for path in files::list(book)? {
        let name = crate::file_name(&path);
        let is_made = name == "toc.html" || name.starts_with("favicon");
        let is_page_or_picture = [".html", ".svg", ".png", ".gif"].iter().any(|ending| name.ends_with(ending));
        if !is_made && (is_page_or_picture || ["theme", "pictures", "json"].contains(&name.as_str())) {
            continue;
        }
        let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.map_err(Error::io(format!("remove {name}")))?;
    }
    Ok(())
}
