//! What a link asks about one topic: the one door from text to an estimate. It never fails; what cannot be used is
//! listed, and its default counts.

use std::sync::Arc;

use crate::custom::{self, CustomEntry};
use crate::entries::Entries;
use crate::invalid::EntryName;
use crate::{
    Allowed, Convention, Cost, CostInputs, Entry, Estimate, FailuresQuery, Imported, InvalidEntry, LengthsQuery,
    Question, Refusal, Topic,
};
use perfmodel::{Chip, OwnValues};

/// A topic with its entries, read once.
#[derive(Clone, Debug)]
pub enum Query {
    /// What a model takes on chips.
    Model(Box<ModelQuery>),
    /// What padding and compiling cost.
    Lengths(Box<LengthsQuery>),
    /// What failures cost.
    Failures(Box<FailuresQuery>),
}

/// What is asked about a model.
#[derive(Clone, Debug)]
pub struct ModelQuery {
    /// As typed.
    pub entries: Entries,
    /// The question.
    pub question: Question,
    /// What the bill takes besides.
    pub cost_inputs: CostInputs,
    /// The chip beside the first.
    pub versus: Option<&'static Chip>,
    /// What the plot of MFU counts; `None` for the question's own way.
    pub axis: Option<Convention>,
    /// What cannot be used.
    pub invalid: Vec<InvalidEntry>,
}

/// What a model takes on the chip of the question and on the chip beside it.
#[derive(Clone, Debug)]
pub struct ModelAnswer {
    /// On the chip of the question.
    pub estimate: Estimate,
    /// What that costs.
    pub cost: Cost,
    /// The same on the other chip, or why there is no such estimate.
    pub other: Option<Result<(Estimate, Cost), Refusal>>,
}

impl PartialEq for Query {
    /// What was typed says it all.
    fn eq(&self, other: &Self) -> bool {
        self.entries() == other.entries()
    }
}

#[cfg(debug_assertions)]
thread_local! {
    static N_PARSES: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

impl Query {
    /// Reads the parameter of a link.
    #[must_use]
    pub fn parse(topic: Topic, text: &str) -> Self {
        #[cfg(debug_assertions)]
        N_PARSES.set(N_PARSES.get() + 1);
        let entries = Entries::parse(topic, text);
        match topic {
            Topic::Model => Self::Model(Box::new(ModelQuery::new(entries))),
            Topic::Lengths => Self::Lengths(Box::new(LengthsQuery::new(entries))),
            Topic::Failures => Self::Failures(Box::new(FailuresQuery::new(entries))),
        }
    }

    /// How many texts this thread has read, for the tests of whoever holds a query.
    #[cfg(debug_assertions)]
    #[must_use]
    pub fn n_parses() -> u64 {
        N_PARSES.get()
    }

    /// Its topic.
    #[must_use]
    pub const fn topic(&self) -> Topic {
        match self {
            Self::Model(_) => Topic::Model,
            Self::Lengths(_) => Topic::Lengths,
            Self::Failures(_) => Topic::Failures,
        }
    }

    /// As typed.
    #[must_use]
    pub fn entries(&self) -> &Entries {
        match self {
            Self::Model(query) => &query.entries,
            Self::Lengths(query) => &query.entries,
            Self::Failures(query) => &query.entries,
        }
    }

    /// What cannot be used.
    #[must_use]
    pub fn invalid(&self) -> &[InvalidEntry] {
        match self {
            Self::Model(query) => &query.invalid,
            Self::Lengths(query) => &query.invalid,
            Self::Failures(query) => &query.invalid,
        }
    }

    /// The parameter of a link with one entry set anew; an empty text takes it out.
    #[must_use]
    pub fn with(&self, entry: Entry, text: &str) -> String {
        let (entry, text) = match (self, entry) {
            (Self::Model(query), Entry::Custom(entry)) => (Entry::Own, query.own_with(entry, text)),
            _ => (entry, text.to_owned()),
        };
        self.entries().with(entry, &text).to_text()
    }
}

impl ModelQuery {
    /// Reads the parameter of a link.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        Self::new(Entries::parse(Topic::Model, text))
    }

    /// Reads entries as typed.
    #[must_use]
    pub fn new(entries: Entries) -> Self {
        let (mut cost_inputs, mut versus, mut axis, mut invalid) = (CostInputs::default(), None, None, Vec::new());
        let mut of_question = Vec::new();
        for (entry, text) in entries.iter() {
            let text = text.trim();
            let refused = match entry {
                Entry::Versus => {
                    versus = Chip::by_id(text);
                    let ids = || Allowed::OneOf(Chip::all().iter().map(|chip| chip.id.to_owned()).collect());
                    (versus.is_none() && !text.is_empty()).then(ids)
                }
                Entry::Axis => {
                    axis = Convention::by_id(text);
                    let ids = || Allowed::OneOf(Convention::ALL.map(|(id, _)| id.to_owned()).to_vec());
                    (axis.is_none() && !text.is_empty()).then(ids)
                }
                Entry::Cost(input) => cost_inputs.set(input, text).err(),
                _ => {
                    of_question.push((entry, text));
                    None
                }
            };
            invalid.extend(refused.map(|allowed| InvalidEntry::new(entry, text, allowed)));
        }
        let (question, refused) = Question::from_entries(of_question);
        // A value of the chip that the form has an entry for is that entry's.
        let in_form = |one: InvalidEntry| match &one.name {
            EntryName::Piece(piece) => {
                let of_piece = |entry: &CustomEntry| custom::name(entry.value(question.dtype)) == *piece;
                let entry = CustomEntry::ALL.into_iter().find(of_piece);
                let name = entry.map_or_else(|| one.name.clone(), |entry| EntryName::Entry(Entry::Custom(entry)));
                InvalidEntry { name, ..one }
            }
            _ => one,
        };
        invalid.extend(refused.into_iter().map(in_form));
        let unknown = entries.unknown.iter().map(|(name, text)| InvalidEntry::unknown(Topic::Model, name, text));
        invalid.extend(unknown);
        Self { entries, question, cost_inputs, versus, axis, invalid }
    }

    /// The text of [`Entry::Own`] as typed.
    #[must_use]
    pub fn own_text(&self) -> &str {
        self.entries.text(Entry::Own).unwrap_or_default()
    }

    /// The text of a value of the chip as typed.
    #[must_use]
    pub fn custom_text(&self, entry: CustomEntry) -> &str {
        custom::value(self.own_text(), &custom::name(entry.value(self.question.dtype))).unwrap_or_default()
    }

    fn own_with(&self, entry: CustomEntry, text: &str) -> String {
        custom::with(self.own_text(), &custom::name(entry.value(self.question.dtype)), text)
    }

    /// Whether values of the chip are set, or it is a chip of which nothing else is known.
    #[must_use]
    pub fn sets_the_chip(&self) -> bool {
        self.entries.text(Entry::Own).is_some() || self.entries.text(Entry::Chip) == Some(Chip::BLANK)
    }

    /// The estimate for a question about its model, which a file may hold.
    ///
    /// # Errors
    /// Why there is none.
    pub fn estimate(&self, question: &Question, file: Option<&Imported>) -> Result<Estimate, Refusal> {
        match file {
            Some(Ok(content)) => Estimate::of_content(question, content),
            Some(Err(refusal)) => Err(Refusal::File(refusal.clone())),
            None => Estimate::new(question),
        }
    }

    /// The answer; a file may hold the model.
    ///
    /// # Errors
    /// Why there is none.
    pub fn answer(&self, file: Option<&Imported>) -> Result<ModelAnswer, Refusal> {
        let estimate = self.estimate(&self.question, file)?;
        let cost = Cost::new(&estimate, &self.cost_inputs);
        let other = self.versus.map(|chip| {
            // A price of one's own is for the first chip.
            let (chip, own) = (Arc::new(chip.clone()), OwnValues::default());
            let question = Question { chip, own, usd: None, listed: None, ..self.question.clone() };
            let other = self.estimate(&question, file)?;
            // Porting is to the first chip: who stays on the other ports nothing.
            // As many tokens: the same steps, for both chips have the same sequences each.
            let others = Cost::of_steps(cost.n_steps, &other, &self.cost_inputs.without_porting());
            Ok((other, others))
        });
        Ok(ModelAnswer { estimate, cost, other })
    }
}

impl ModelAnswer {
    /// The estimate and cost on the other chip, where there is one.
    #[must_use]
    pub fn beside(&self) -> Option<&(Estimate, Cost)> {
        self.other.as_ref().and_then(|other| other.as_ref().ok())
    }
}
