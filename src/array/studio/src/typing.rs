//! A text that a person is typing, with the settings before its first letter. Each letter changes the run, but the
//! person wants only the run of the whole text.

use std::sync::Arc;

use crate::{Field, Plan, Scenario, Session, Speed};

/// A text that a person is typing into a field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Typing {
    field: Field,
    text: String,
    /// The settings before the person began to type.
    pub(crate) scenario: Scenario,
    /// The run that was shown before the person began to type.
    pub(crate) plan: Arc<Plan>,
    /// Number of changes before the person began to type.
    pub(crate) revision: u64,
    /// Number of changes after the last letter. Another change ends the typing.
    pub(crate) after: u64,
    /// Speed before the person began to type.
    pub(crate) speed: Speed,
}

impl Typing {
    /// Returns the typing to which a new text of a field belongs. The typing continues if the new text only adds or
    /// removes letters at the end of the last text. A new typing begins if the new text equals the last text.
    pub(crate) fn of(session: &Session, field: Field, text: &str, speed: Speed) -> Self {
        let goes_on = |last: &&Self| {
            let is_longer_or_shorter = text.starts_with(&last.text) || last.text.starts_with(text);
            let is_alone = last.after == session.revision;
            last.field == field && last.text != text && is_longer_or_shorter && is_alone
        };
        let text = text.to_owned();
        match session.typing.as_ref().filter(goes_on) {
            Some(last) => Self { text, ..last.clone() },
            None => {
                let (scenario, plan) = (session.scenario.clone(), Arc::clone(&session.plan));
                Self { field, text, scenario, plan, revision: session.revision, after: session.revision, speed }
            }
        }
    }
}
