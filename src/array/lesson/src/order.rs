//! Order in which a reader sees the choices of a question. The order of the file cannot give away the right choice.

use crate::draw::hash;
use crate::{Answer, Ask, Choice, Question, Scene};

impl Question {
    /// Returns the indices of the choices in the order in which a reader sees them. Choices that show their numbers are
    /// in rising order. Other choices are in the order of a hash of the question and the choice. Verdicts on a claim
    /// keep the order of the file. Empty for a question without a list.
    ///
    /// Items that the reader puts in order begin in a wrong order.
    #[must_use]
    pub fn listed(&self, scene: &Scene<'_>) -> Vec<usize> {
        let (Ask::Choose { choices, .. } | Ask::Order(choices)) = &self.ask else { return Vec::new() };
        let mut order: Vec<usize> = (0..choices.len()).collect();
        if self.is_claim() {
            return order;
        }
        if choices.iter().all(|choice| choice.is_shown) {
            let number = |choice: &Choice| choice.value.value(scene).map_or(0.0, |value| value.number);
            order.sort_by(|&one, &other| number(&choices[one]).total_cmp(&number(&choices[other])));
            return order;
        }
        let asked = self.text.text(scene);
        order.sort_by_key(|&nth| hash(&[asked.as_str(), &choices[nth].label.text(scene)].concat()));
        if matches!(self.ask, Ask::Order(_)) && self.right(scene) == Ok(Answer::Order(order.clone())) {
            order.reverse();
        }
        order
    }
}
