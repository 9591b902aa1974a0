//! Texts that parts of the page parse: questions about models and chips, slides, and kiosk mode. Each text is the value
//! of one parameter of a link.

/// The texts that parts of the page parse. The page keeps these texts when a person opens another run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartTexts {
    /// The question about a model on chips, as `name=value` pairs.
    pub ask: String,
    /// The question about lengths of sequences.
    pub lengths: String,
    /// The question about the cost of failures in a long run on chips.
    pub failures: String,
    /// The links of the slides, each on a line.
    pub slides: String,
    /// The number of the slide that is shown.
    pub slide: String,
    /// Seconds without a touch after which the page restarts.
    pub kiosk: String,
}

impl PartTexts {
    /// The names of the parameters.
    pub const NAMES: [&str; 6] = ["ask", "lengths", "failures", Self::SLIDES, "slide", "kiosk"];

    /// The parameter that is after the `#`, so that no server has to accept its long text.
    pub(crate) const SLIDES: &str = "slides";

    /// Returns the text of the parameter with this name; empty if no parameter after the `?` ([`pairs`](Self::pairs))
    /// has this name.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        self.pairs().find(|(own, _)| *own == name).map_or("", |(_, text)| text)
    }

    /// Returns the parameters after the `?` of a link, with their texts.
    pub fn pairs(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let [ask, lengths, failures] = [&self.ask, &self.lengths, &self.failures].map(String::as_str);
        [("ask", ask), ("lengths", lengths), ("failures", failures), ("slide", &self.slide), ("kiosk", &self.kiosk)]
            .into_iter()
    }

    /// Returns the name of the parameter, and its text as a mutable reference. `None` if no parameter has this name.
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
