//! HTML, Markdown or LaTeX code that embeds a link in another document.

/// Language of the document that embeds a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// HTML, which most course systems and slide editors also accept.
    Html,
    /// Markdown, which has no frames: the code is a link with the title as its text.
    Markdown,
    /// LaTeX, for printed pages: the code draws a QR code of the link and prints the address.
    Latex,
}

impl Language {
    /// All languages. HTML is first, because only HTML can show the page in a frame.
    pub const ALL: [Self; 3] = [Self::Html, Self::Markdown, Self::Latex];

    /// Name of the language.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Html => "HTML",
            Self::Markdown => "Markdown",
            Self::Latex => "LaTeX",
        }
    }

    /// True if the code shows the page in a frame, which has a size, colors and permissions. Otherwise, the code links
    /// to the whole page.
    #[must_use]
    pub const fn has_frame(self) -> bool {
        matches!(self, Self::Html)
    }

    /// True if the code contains the title.
    #[must_use]
    pub const fn has_title(self) -> bool {
        !matches!(self, Self::Latex)
    }
}

/// Size of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Width and height in CSS pixels.
    Fixed(u32, u32),
    /// Full width of the container, with this aspect ratio (width, height). On a narrow page, the frame is tall enough
    /// for its numbers.
    Fluid(u32, u32),
}

/// Link to embed, with its title and the size of its frame.
#[derive(Clone, Copy, Debug)]
pub struct Embed<'a> {
    /// Address that the frame loads.
    pub frame: &'a str,
    /// Address of the whole page, for code without a frame.
    pub page: &'a str,
    /// Title of the frame for screen readers, and text of the link in Markdown.
    pub title: &'a str,
    /// Size of the frame.
    pub size: Size,
}

/// Permissions of a frame with the playground. A page that opens from the frame is outside the sandbox, so this page
/// has its usual origin and storage.
pub const SANDBOX: [&str; 4] = ["allow-scripts", "allow-popups", "allow-popups-to-escape-sandbox", "allow-downloads"];

/// Escapes text for a quoted HTML attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Escapes the special characters of an address for LaTeX.
fn latex(text: &str) -> String {
    text.replace('%', "\\%").replace('#', "\\#").replace('&', "\\&").replace('_', "\\_")
}

impl Embed<'_> {
    /// Returns the code that embeds the link, as several short lines.
    ///
    /// The frame has the permissions [`SANDBOX`]: it may run scripts, open the whole page and start downloads. The frame
    /// has no access to storage, and its origin is opaque.
    #[must_use]
    pub fn code(&self, language: Language) -> String {
        match language {
            Language::Html => {
                let size = match self.size {
                    Size::Fixed(width, height) => {
                        format!("width=\"{width}\" height=\"{height}\" style=\"max-width:100%;border:0\"")
                    }
                    Size::Fluid(width, height) => {
                        format!("style=\"width:100%;min-height:440px;aspect-ratio:{width}/{height};border:0\"")
                    }
                };
                let sandbox = SANDBOX.join(" ");
                format!(
                    "<iframe src=\"{}\"\n  {size} loading=\"lazy\"\n  sandbox=\"{sandbox}\"\n  \
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

    /// Files that contain the tag of a frame, or code that makes a frame.
    const WRITERS: [&str; 9] = [
        "npm/systolic-playground.mjs",
        "npm/README.md",
        "public/host.js",
        "src/tools/publish/src/scorm.js",
        "docs/embedding.md",
        "docs/teachers.md",
        "examples/hosts/oembed.mjs",
        "examples/hosts/slidev/slides.md",
        "examples/hosts/lms/moodle.html",
    ];

    #[test]
    fn every_frame_has_the_same_permissions() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
        let sandbox = SANDBOX.join(" ");
        for name in WRITERS {
            let text = std::fs::read_to_string(root.join(name)).expect(name);
            assert!(text.contains(&sandbox), "{name}");
            let lists = text.matches("allow-scripts allow-").count();
            assert_eq!(text.matches(&sandbox).count(), lists, "{name} has a frame with other permissions");
        }
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
