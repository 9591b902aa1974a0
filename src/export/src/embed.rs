//! The code that shows a link in somebody else's page.

/// A language of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A page, or a document that takes pieces of one: most course systems and slide makers.
    Html,
    /// A text that takes no frames: a picture with a link.
    Markdown,
    /// A printed page: the link as a QR code with its address.
    Latex,
}

impl Language {
    /// All of them, the one that shows most first.
    pub const ALL: [Self; 3] = [Self::Html, Self::Markdown, Self::Latex];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Html => "HTML",
            Self::Markdown => "Markdown",
            Self::Latex => "LaTeX",
        }
    }

    /// Whether it shows a frame, which has a size, colors and what readers may do; else it leads to the whole page.
    #[must_use]
    pub const fn has_frame(self) -> bool {
        matches!(self, Self::Html)
    }

    /// Whether it says the title.
    #[must_use]
    pub const fn has_title(self) -> bool {
        !matches!(self, Self::Latex)
    }
}

/// How large a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// So many CSS pixels.
    Fixed(u32, u32),
    /// As wide as its place, in the form of so many to so many.
    Fluid(u32, u32),
}

/// What is shown.
#[derive(Clone, Copy, Debug)]
pub struct Embed<'a> {
    /// The address of the embed.
    pub frame: &'a str,
    /// The address of the whole page.
    pub page: &'a str,
    /// What a screen reader calls it.
    pub title: &'a str,
    /// How large it is.
    pub size: Size,
}

/// Text inside a quoted attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

/// An address in LaTeX, where `\url` takes all but what ends its argument.
fn latex(text: &str) -> String {
    text.replace('%', "\\%").replace('#', "\\#").replace('&', "\\&").replace('_', "\\_")
}

impl Embed<'_> {
    /// The code, in lines that a person can read.
    ///
    /// The frame may run scripts and nothing else: the page needs neither storage nor its own origin.
    #[must_use]
    pub fn code(&self, language: Language) -> String {
        match language {
            Language::Html => {
                let size = match self.size {
                    Size::Fixed(width, height) => format!("width=\"{width}\" height=\"{height}\""),
                    Size::Fluid(width, height) => {
                        format!("style=\"width:100%;aspect-ratio:{width}/{height};border:0\"")
                    }
                };
                format!(
                    "<iframe src=\"{}\"\n  {size} loading=\"lazy\"\n  sandbox=\"allow-scripts allow-popups allow-downloads\"\n  \
                     title=\"{}\"></iframe>",
                    escaped(self.frame),
                    escaped(self.title)
                )
            }
            Language::Markdown => format!("[{}]({})", self.title.replace(['[', ']'], ""), self.page),
            Language::Latex => {
                format!("% \\usepackage{{qrcode,hyperref}}\n\\qrcode{{{0}}}\\quad\\url{{{0}}}", latex(self.page))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMBED: Embed<'static> = Embed {
        frame: "https://example.org/?rows=4&ui=embed",
        page: "https://example.org/?rows=4&t=7#a=1,2",
        title: "\"C = A × B\" <on 4×4>",
        size: Size::Fixed(800, 500),
    };

    #[test]
    fn a_title_cannot_leave_its_attribute() {
        let code = EMBED.code(Language::Html);
        assert!(code.contains("title=\"&quot;C = A × B&quot; &lt;on 4×4&gt;\""), "{code}");
        assert!(code.contains("?rows=4&amp;ui=embed\"") && code.contains("width=\"800\" height=\"500\""), "{code}");
        assert!(!code.contains("allow-same-origin"), "{code}");
    }

    #[test]
    fn latex_has_no_sign_that_it_would_obey() {
        let code = EMBED.code(Language::Latex);
        assert!(code.contains("rows=4\\&t=7\\#a=1,2"), "{code}");
    }

    #[test]
    fn a_language_says_what_its_code_depends_on() {
        for language in Language::ALL {
            let code = |embed: Embed| embed.code(language);
            let differs = |embed: Embed| code(embed) != code(EMBED);
            let framed =
                [Embed { frame: "https://example.org/?rows=8", ..EMBED }, Embed { size: Size::Fluid(8, 5), ..EMBED }];
            assert!(framed.into_iter().all(|embed| differs(embed) == language.has_frame()), "{language:?}");
            assert_eq!(differs(Embed { title: "Another", ..EMBED }), language.has_title(), "{language:?}");
        }
    }

    #[test]
    fn a_fluid_frame_keeps_its_form() {
        let code = Embed { size: Size::Fluid(8, 5), ..EMBED }.code(Language::Html);
        assert!(code.contains("aspect-ratio:8/5"), "{code}");
    }
}
