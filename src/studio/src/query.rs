//! The entries of the questions about models and chips, as a link has them.

/// The entries of each question: `name=value` pairs as in a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EstimateQuery {
    /// A model on chips.
    pub ask: String,
    /// Lengths of sequences.
    pub lengths: String,
    /// Failures of a run.
    pub failures: String,
}

impl EstimateQuery {
    /// The entries in the parameter with this name; empty where there are none.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        self.pairs().find(|(own, _)| *own == name).map_or("", |(_, text)| text)
    }

    /// The parameters of a link that hold them, and their texts.
    pub fn pairs(&self) -> impl Iterator<Item = (&'static str, &str)> {
        [("ask", self.ask.as_str()), ("lengths", &self.lengths), ("failures", &self.failures)].into_iter()
    }

    /// The parameter with this name, and its text.
    pub(crate) fn entry(&mut self, name: &str) -> Option<(&'static str, &mut String)> {
        match name {
            "ask" => Some(("ask", &mut self.ask)),
            "lengths" => Some(("lengths", &mut self.lengths)),
            "failures" => Some(("failures", &mut self.failures)),
            _ => None,
        }
    }
}
