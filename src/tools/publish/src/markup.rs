//! Reads and rewrites HTML with a parser.

use lol_html::html_content::Element;
use lol_html::{RewriteStrSettings, doc_comments, element, rewrite_str};

use crate::Error;

/// Returns `html` without comments and empty lines, after calling `change` with each element in order.
///
/// # Errors
/// Fails if `change` fails, or the page is not HTML.
pub(crate) fn rewritten(
    html: &str,
    mut change: impl FnMut(&mut Element<'_, '_>) -> Result<(), Error>,
) -> Result<String, Error> {
    let each = element!("*", |element| Ok(change(element)?));
    let comments = doc_comments!(|comment| {
        comment.remove();
        Ok(())
    });
    let settings =
        RewriteStrSettings::new().append_element_content_handler(each).append_document_content_handler(comments);
    let page = rewrite_str(html, settings).map_err(|why| Error::Failed(why.to_string()))?;
    Ok(page.lines().filter(|line| !line.trim().is_empty()).map(|line| format!("{}\n", line.trim())).collect())
}

/// A file that an element loads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) kind: Kind,
    /// Attribute that names the file.
    pub(crate) attribute: &'static str,
    /// Path of the file, relative to the page.
    pub(crate) file: String,
}

/// Kind of a file that an element loads. In the source index.html, some kinds have other `rel` values, which the
/// development server Trunk defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Style,
    Module,
    Script,
    Icon,
    Picture,
    /// In the source index.html: the manifest of the crate. In a built page: the WebAssembly module, which a script
    /// fetches.
    Wasm,
    /// A file that Trunk copies next to the page.
    Beside,
    /// The description of the page for a system that installs the page. A page in one file has none.
    Manifest,
}

/// Returns the file that an element loads, or `None` if it loads no file.
///
/// # Errors
/// Fails for a `<link>` with an unknown `rel`.
pub(crate) fn named(element: &Element<'_, '_>) -> Result<Option<Named>, Error> {
    let value = |name: &str| element.get_attribute(name);
    let (kind, attribute) = match (element.tag_name().as_str(), value("rel").as_deref(), value("type").as_deref()) {
        ("script", _, Some("module")) => (Kind::Module, "src"),
        ("script", ..) => (Kind::Script, "src"),
        ("img", ..) => (Kind::Picture, "src"),
        ("link", Some("stylesheet" | "css"), _) => (Kind::Style, "href"),
        ("link", Some("icon"), _) => (Kind::Icon, "href"),
        ("link", Some("preload" | "rust"), _) => (Kind::Wasm, "href"),
        ("link", Some("copy-file"), _) => (Kind::Beside, "href"),
        ("link", Some("manifest"), _) => (Kind::Manifest, "href"),
        // These links describe the page to other pages, and name its book. The page does not load them.
        ("link", Some("alternate" | "help"), _) => return Ok(None),
        ("link", ..) => return Err(Error::Failed(format!("there is no rule for <link rel={:?}>", value("rel")))),
        _ => return Ok(None),
    };
    let file = value(attribute).map(|file| file.trim_start_matches("./").to_owned());
    Ok(file.map(|file| Named { kind, attribute, file }))
}

/// Returns all files that a page loads, in order.
///
/// # Errors
/// Fails if the page is not HTML, or has a `<link>` with an unknown `rel`.
pub(crate) fn all_named(html: &str) -> Result<Vec<Named>, Error> {
    let mut all = Vec::new();
    rewritten(html, |element| {
        all.extend(named(element)?);
        Ok(())
    })?;
    Ok(all)
}

/// Sets an attribute of an element.
///
/// # Errors
/// Fails if `name` is not a valid name of an attribute.
pub(crate) fn set(element: &mut Element<'_, '_>, name: &str, value: &str) -> Result<(), Error> {
    element
        .set_attribute(name, value)
        .map_err(|why| Error::Failed(format!("the attribute {name} cannot be set: {why}")))
}

/// Returns a script without indentation, empty lines and comment lines.
pub fn without_comments(script: &str) -> String {
    let lines = script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.map(|line| format!("{line}\n")).collect()
}
