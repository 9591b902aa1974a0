//! A whole case: the question, the terms of its bill and the chip beside it; a link, the desk and the command line ask it
//! alike.

use std::sync::Arc;

use super::{Asked, Cost, Estimate, Given, NAMES, Refused, Term, Terms, Wrong};
use crate::words::answer as words;
use perfmodel::{Chip, OwnValues};

/// The name of the chip beside the first.
pub const VERSUS: &str = "versus";

/// What is asked.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// The question.
    pub asked: Asked,
    /// What the bill takes besides.
    pub terms: Terms,
    /// The chip beside it.
    pub versus: Option<&'static Chip>,
}

/// The answer to a case.
#[derive(Clone, Debug)]
pub struct Answered {
    /// On the chip that is asked for.
    pub estimate: Estimate,
    /// What that costs.
    pub cost: Cost,
    /// The same on the other chip.
    pub other: Option<(Estimate, Cost)>,
    /// Why there is no such.
    pub no_other: Refused,
}

impl Case {
    /// The names of all that may be set.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.into_iter().chain([VERSUS]).chain(Term::NAMES)
    }

    /// Reads the parameter of a link. Total: what cannot be used is told and keeps its default.
    #[must_use]
    pub fn parse(text: &str) -> (Self, Vec<Wrong>) {
        Self::from_pairs(form_urlencoded::parse(text.as_bytes()).into_owned())
    }

    /// The same from names and values.
    pub fn from_pairs(pairs: impl IntoIterator<Item = (String, String)>) -> (Self, Vec<Wrong>) {
        let (mut terms, mut versus, mut wrong, mut rest) = (Terms::default(), None, Vec::new(), Vec::new());
        for (name, value) in pairs {
            if name == VERSUS {
                versus = Chip::by_id(value.trim());
                if versus.is_none() && !value.trim().is_empty() {
                    let all: Vec<&str> = Chip::all().iter().map(|chip| chip.id).collect();
                    wrong.push(Wrong::new(&name, &value, all.join(", ")));
                }
            } else if !terms.take(&name, &value, &mut wrong) {
                rest.push((name, value));
            }
        }
        let (asked, others) = Asked::from_pairs(rest);
        wrong.extend(others);
        (Self { asked, terms, versus }, wrong)
    }

    /// Answers a question about its model, which may be given by a file.
    ///
    /// # Errors
    /// Sentences on why there is no answer.
    pub fn estimated(&self, asked: &Asked, file: Option<&Given>) -> Result<Estimate, Refused> {
        match file {
            Some(Ok(content)) => Estimate::of_content(asked, content),
            Some(Err(refused)) => Err(refused.clone()),
            None => Estimate::new(asked).map_err(|why| vec![words::why(&why)]),
        }
    }

    /// Answers it; a model may be given by a file.
    ///
    /// # Errors
    /// Sentences on why there is no answer.
    pub fn answer(&self, file: Option<&Given>) -> Result<Answered, Refused> {
        let estimate = self.estimated(&self.asked, file)?;
        let cost = Cost::new(&estimate, &self.terms);
        // A price of one's own is for the first chip.
        let other = self.versus.map(|chip| {
            let (chip, own) = (Arc::new(chip.clone()), OwnValues::default());
            self.estimated(&Asked { chip, own, usd: None, listed: None, ..self.asked.clone() }, file)
        });
        let (other, no_other) = match other {
            None => (None, Refused::new()),
            Some(Err(refused)) => (None, refused),
            Some(Ok(other)) => {
                // Porting is to the first chip: who stays on the other ports nothing.
                let others = Cost::of_tokens(cost.tokens, &other, &self.terms.without_porting());
                (Some((other, others)), Refused::new())
            }
        };
        Ok(Answered { estimate, cost, other, no_other })
    }
}
