//! Pages next to the playground: `links.html` lists the link parameters, and `host.html` checks if a server, a host
//! page and a browser can run the playground. The tables of these pages are generated from Rust code. A test of the
//! crate `protocol` checks that the tables are current.

use crate::Error;
use crate::digest::{hashed, integrity};
use crate::markup::without_comments;

/// A page that is published next to the playground.
struct Beside {
    name: &'static str,
    title: &'static str,
    /// Path of the HTML content of the page.
    table: &'static str,
    sheets: &'static [&'static str],
    script: Option<&'static str>,
    policy: &'static str,
}

const PAGES: [Beside; 2] = [
    Beside {
        name: "links",
        title: "Link parameters",
        table: "public/link-table.html",
        sheets: &["style/tokens.css", "style/links.css"],
        script: None,
        policy: "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'",
    },
    Beside {
        name: "host",
        title: "Host check",
        table: "public/host-table.html",
        sheets: &["style/tokens.css", "style/links.css", "style/host.css"],
        script: Some("public/host.js"),
        policy: "default-src 'none'; style-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; \
                 base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    },
];

/// Returns the name and the content of every file of the pages: HTML, style sheets and scripts.
pub(crate) fn files(read: &dyn Fn(&str) -> Result<Vec<u8>, Error>) -> Result<Vec<(String, Vec<u8>)>, Error> {
    let mut files = Vec::new();
    for page in &PAGES {
        let mut sheet = Vec::new();
        for name in page.sheets {
            sheet.extend(read(name)?);
        }
        let sheet_name = hashed(page.name, "css", &sheet);
        // A browser requests a file with a digest as if from another origin (CORS). The page that tests a host must
        // also work if the server forbids such requests, so it has no digest.
        let digest = if page.script.is_none() {
            format!(" integrity=\"{}\" crossorigin", integrity(&sheet))
        } else {
            String::new()
        };
        let mut script_tag = String::new();
        if let Some(script) = page.script {
            let script = without_comments(&String::from_utf8_lossy(&read(script)?));
            let name = hashed(page.name, "js", script.as_bytes());
            script_tag = format!("<script src=\"./{name}\" defer></script>\n");
            files.push((name, script.into_bytes()));
        }
        let (title, policy) = (page.title, page.policy);
        let table = String::from_utf8_lossy(&read(page.table)?).into_owned();
        let text = format!(
            "<!doctype html>\n<html lang=\"en\" data-theme=\"auto\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{title} – Systolic Playground</title>\n\
             <link rel=\"stylesheet\" href=\"./{sheet_name}\"{digest}>\n{script_tag}\
             </head>\n<body>\n<main>\n{table}</main>\n</body>\n</html>\n"
        );
        files.push((format!("{}.html", page.name), text.into_bytes()));
        files.push((sheet_name, sheet));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_page_has_its_table_and_names_its_own_files() {
        let files = files(&|name| Ok(format!("of {name}\n").into_bytes())).unwrap();
        for page in &PAGES {
            let of_page = |end: &str| {
                let is_it = |(name, _): &&(String, Vec<u8>)| name.starts_with(page.name) && name.ends_with(end);
                files.iter().find(is_it).map(|(name, bytes)| (name.as_str(), String::from_utf8_lossy(bytes)))
            };
            let (_, html) = of_page(".html").unwrap();
            let (sheet, rules) = of_page(".css").unwrap();
            assert_eq!(rules.lines().count(), page.sheets.len());
            assert!(html.contains(&format!("<main>\nof {}\n</main>", page.table)), "{html}");
            assert!(html.contains(&format!("href=\"./{sheet}\"")), "{html}");
            assert_eq!(html.matches("<script").count(), usize::from(page.script.is_some()));
            assert!(of_page(".js").is_none_or(|(script, _)| html.contains(&format!("src=\"./{script}\""))), "{html}");
        }
        assert!(super::files(&|name| Err(Error::Failed(name.to_owned()))).is_err());
    }
}
