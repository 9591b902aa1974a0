//! Previews of the playground in other pages: a card with a picture, and an answer to oEmbed. Both previews need the
//! public address of the playground, so only `cargo xtask build --at ADDRESS` writes them.
//!
//! A static file cannot know which link a person pasted. The previews therefore name no link and show no frame: they
//! show a picture of the first screen. `examples/hosts/oembed.mjs` answers for each link, on a host that runs functions.

use crate::Error;

/// File name of the picture of a card, 1200 by 630 pixels.
const CARD: &str = "card.png";
/// File name of the oEmbed answer.
const OEMBED: &str = "oembed.json";
/// Alternative text of the picture.
const CARD_WORDS: &str = "A 4×4 systolic array in the middle of A × B = C, with the numbers in its registers";

/// Address of the folder in which the page is published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(String);

impl Address {
    /// Reads an address.
    ///
    /// # Errors
    /// [`Error::Failed`] if the text is not the web address of a folder, or has characters that are unsafe in HTML.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).unwrap_or("");
        let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-._~:/%[]".contains(sign);
        if host.starts_with('/') || !host.contains('/') || !host.ends_with('/') || !host.chars().all(is_plain) {
            let allowed = "the address of a folder is allowed, such as https://example.org/playground/";
            return Err(Error::Failed(allowed.to_owned()));
        }
        Ok(Self(text.to_owned()))
    }
}

/// Returns the tags for the page's `<head>` that name the previews.
pub(crate) fn tags(Address(at): &Address) -> String {
    let property = |name: &str, content: &str| format!("<meta property=\"og:{name}\" content=\"{content}\">\n");
    [
        property("image", &format!("{at}{CARD}")),
        property("image:width", "1200"),
        property("image:height", "630"),
        property("image:alt", CARD_WORDS),
        "<meta name=\"twitter:card\" content=\"summary_large_image\">\n".to_owned(),
        format!("<link rel=\"alternate\" type=\"application/json+oembed\" href=\"{at}{OEMBED}\" title=\"Systolic Playground\">\n"),
    ]
    .concat()
}

/// Returns the names and contents of the files that [`tags`] names.
pub(crate) fn files(
    Address(at): &Address,
    read: &dyn Fn(&str) -> Result<Vec<u8>, Error>,
) -> Result<[(String, Vec<u8>); 2], Error> {
    let text = String::from_utf8_lossy(&read(&format!("public/{OEMBED}"))?).into_owned();
    let answer = text.replace("ADDRESS", at);
    Ok([(OEMBED.to_owned(), answer.into_bytes()), (CARD.to_owned(), read(&format!("public/{CARD}"))?)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn an_address_is_one_of_a_folder() {
        for good in ["https://example.org/", "https://example.org/a/b/", "http://[::1]:8080/"] {
            assert!(Address::parse(good).is_ok(), "{good}");
        }
        for bad in ["", "example.org/", "https://example.org", "https://example.org/a", "https:///", "https://a/\"><b/"]
        {
            let error = Address::parse(bad).unwrap_err().to_string();
            assert!(error.contains("of a folder is allowed"), "{error}");
        }
    }

    #[test]
    fn the_answer_is_what_oembed_wants_of_a_link_and_shows_no_other_run() {
        let read = |name: &str| std::fs::read(crate::root().join(name)).map_err(Error::io(format!("read {name}")));
        let [(name, answer), (card, picture)] =
            files(&Address::parse("https://example.org/p/").unwrap(), &read).unwrap();
        let answer: Value = serde_json::from_slice(&answer).expect("JSON");
        // In oEmbed 1.0, 2.3.4, an answer of type link has no frame, and has all of the thumbnail's fields or none of
        // them.
        assert_eq!((answer["version"].as_str(), answer["type"].as_str()), (Some("1.0"), Some("link")));
        assert!(name == OEMBED && answer["html"].is_null() && answer["width"].is_null());
        assert_eq!(answer["thumbnail_url"], format!("https://example.org/p/{card}"));
        // The header of a PNG contains its sizes (PNG, 11.2.2).
        let side = |at: usize| picture[at..at + 4].iter().fold(0u64, |side, byte| side << 8 | u64::from(*byte));
        assert_eq!(
            (side(16), side(20)),
            (answer["thumbnail_width"].as_u64().unwrap(), answer["thumbnail_height"].as_u64().unwrap())
        );
    }

    #[test]
    fn the_tags_name_the_files_by_whole_addresses() {
        let tags = tags(&Address::parse("https://example.org/p/").unwrap());
        for name in [CARD, OEMBED] {
            assert!(tags.contains(&format!("\"https://example.org/p/{name}\"")), "{tags}");
        }
        // A site takes a card with an address for the card of that address, whatever link a person pasted. So the tags
        // have no address.
        assert!(tags.lines().count() == 6 && !tags.contains("og:url"), "{tags}");
    }
}
