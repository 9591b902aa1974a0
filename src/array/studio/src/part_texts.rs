//! Texts that parts of the page parse: questions about models and chips, slides, and kiosk mode.

use core::ops::{Index, IndexMut};

systolic::named! {
    /// A parameter of a link whose text is parsed by a part of the page.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    exact pub enum PartText {
        /// The question about a model on chips, as `name=value` pairs.
        Ask => "ask",
        /// The question about lengths of sequences.
        Lengths => "lengths",
        /// The question about the cost of failures in a long run on chips.
        Failures => "failures",
        /// The links of the slides, each on a line. After the `#`, so that no server has to accept this long text.
        Slides => "slides",
        /// The number of the slide that is shown.
        Slide => "slide",
        /// Seconds without a touch after which the page restarts.
        Kiosk => "kiosk",
    }
}

/// The texts that parts of the page parse. The page keeps these texts when a person opens another run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartTexts([String; PartText::ALL.len()]);

impl PartTexts {
    /// Returns the text of the parameter with this name; empty if no parameter has this name.
    #[must_use]
    pub fn text(&self, name: &str) -> &str {
        PartText::from_id(name).map_or("", |of| &self[of])
    }

    /// Returns the texts with another text of a parameter.
    #[must_use]
    pub fn with(mut self, of: PartText, text: String) -> Self {
        self[of] = text;
        self
    }

    /// Returns the parameters after the `?` of a link, with their texts.
    pub fn pairs(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let after = PartText::ALL.into_iter().filter(|of| *of != PartText::Slides);
        after.map(|of| (of.id(), self[of].as_str()))
    }
}

impl Index<PartText> for PartTexts {
    type Output = String;

    fn index(&self, of: PartText) -> &String {
        &self.0[of as usize]
    }
}

impl IndexMut<PartText> for PartTexts {
    fn index_mut(&mut self, of: PartText) -> &mut String {
        &mut self.0[of as usize]
    }
}
