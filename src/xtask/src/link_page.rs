//! `links.html`: what a link can say, as a page without a script. Its table is made from that of `studio`, and a test of
//! `protocol` holds it.

use crate::Error;
use crate::digest::{hashed, integrity};

/// The page.
pub const NAME: &str = "links.html";
/// Its table, and the sheets that it shares with the playground and has for itself.
const TABLE: &str = "public/link-table.html";
const SHEETS: [&str; 2] = ["style/tokens.css", "style/links.css"];
/// What it may do: show itself.
const POLICY: &str = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'";

/// The page and its style sheet, as names with their bytes.
///
/// # Errors
/// A file cannot be read.
pub fn files(read: &dyn Fn(&str) -> Result<Vec<u8>, Error>) -> Result<[(String, Vec<u8>); 2], Error> {
    let mut sheet = Vec::new();
    for name in SHEETS {
        sheet.extend(read(name)?);
    }
    let name = hashed("links", "css", &sheet);
    let table = String::from_utf8_lossy(&read(TABLE)?).into_owned();
    let page = format!(
        "<!doctype html>\n<html lang=\"en\" data-theme=\"auto\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>What a link can say – Systolic Playground</title>\n\
         <link rel=\"stylesheet\" href=\"./{name}\" integrity=\"{}\" crossorigin>\n\
         </head>\n<body>\n<main>\n{table}</main>\n</body>\n</html>\n",
        integrity(&sheet)
    );
    Ok([(NAME.to_owned(), page.into_bytes()), (name, sheet)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_the_table_and_names_its_own_sheet() {
        let [(name, page), (sheet, bytes)] = files(&|name| Ok(format!("of {name}\n").into_bytes())).unwrap();
        let page = String::from_utf8(page).unwrap();
        assert_eq!((name.as_str(), bytes.as_slice()), (NAME, b"of style/tokens.css\nof style/links.css\n".as_slice()));
        assert!(page.contains("<main>\nof public/link-table.html\n</main>"), "{page}");
        assert!(page.contains(&format!("href=\"./{sheet}\"")) && !page.contains("<script"), "{page}");
        assert!(files(&|name| Err(Error::Malformed(name.to_owned()))).is_err());
    }
}
