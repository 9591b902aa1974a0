//! Settings of a link that change what the page shows, and not the question.

use crate::{Allowed, Convention, Curve, Entry, View};

/// Settings of the page.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageSettings {
    /// Convention of MFU that the plot uses; `None` for the convention of the question.
    pub axis: Option<Convention>,
    /// Quantity along which the curves run.
    pub curve: Curve,
    /// View that the link names.
    pub view: Option<View>,
}

impl PageSettings {
    /// Sets the setting of an entry; an empty text sets its default. `None` if the entry is not a setting of the page.
    pub(crate) fn set(&mut self, entry: Entry, text: &str) -> Option<Result<(), Allowed>> {
        let is_found = match entry {
            Entry::Axis => {
                self.axis = Convention::by_id(text);
                self.axis.is_some()
            }
            Entry::Curve => {
                let found = Curve::by_id(text);
                self.curve = found.unwrap_or_default();
                found.is_some()
            }
            Entry::View => {
                self.view = View::by_id(text);
                self.view.is_some()
            }
            _ => return None,
        };
        let ids = || match entry {
            Entry::Axis => Convention::ALL.map(|(id, _)| id.to_owned()).to_vec(),
            Entry::Curve => Curve::ALL.map(|(id, _)| id.to_owned()).to_vec(),
            _ => View::ALL.map(|(id, _)| id.to_owned()).to_vec(),
        };
        Some(if is_found || text.is_empty() { Ok(()) } else { Err(Allowed::OneOf(ids())) })
    }
}
