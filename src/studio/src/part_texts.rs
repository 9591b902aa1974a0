//! What the parts of the page read for themselves, as a link has it: each text is one parameter, and its part is the door
//! that understands it.

/// The texts of the parts. Whoever opens another run keeps them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartTexts {
    /// The question about a model on chips, as `name=value` pairs.
    pub ask: String,
    /// That about lengths of sequences.
    pub lengths: String,
    /// That about failures of a run.
    pub failures: String,
    /// The links of the slides, each on a line.
    pub slides: String,
    /// The number of the slide that is shown.
    pub slide: String,
    /// When a page that nobody minds begins again.
    pub kiosk: String,
}

impl PartTexts {
    /// The names of the parameters.
    pub const NAMES: [&str; 6] = ["ask", "lengths", "failures", Self::SLIDES, "slide", "kiosk"];

    /// The parameter that stands after the `#`: no server need take so long a text.
    pub(crate) const SLIDES: &str = "slides";

    /// The text of the parameter with this name; empty where there is none.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        self.pairs().find(|(own, _)| *own == name).map_or("", |(_, text)| text)
    }

    /// The parameters of a link that stand after the `?`, and their texts.
    pub fn pairs(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let [ask, lengths, failures] = [&self.ask, &self.lengths, &self.failures].map(String::as_str);
        [("ask", ask), ("lengths", lengths), ("failures", failures), ("slide", &self.slide), ("kiosk", &self.kiosk)]
            .into_iter()
    }

    /// The parameter with this name, and its text.
    pub(crate) fn entry(&mut self, name: &str) -> Option<(&'static str, &mut String)> {
        match name {
            "ask" => Some(("ask", &mut self.ask)),
            "lengths" => Some(("lengths", &mut self.lengths)),
            "failures" => Some(("failures", &mut self.failures)),
            Self::SLIDES => Some((Self::SLIDES, &mut self.slides)),
            "slide" => Some(("slide", &mut self.slide)),
            "kiosk" => Some(("kiosk", &mut self.kiosk)),
            _ => None,
        }
    }
}
