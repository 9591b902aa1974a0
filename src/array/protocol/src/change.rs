//! Changes of the view that a host asks for: the chosen PE, the speed, the theme and the tools.

use serde_json::{Map, Value, json};
use studio::tools::ToolProblem;
use studio::{Action, Edit, Entry, Link, Notice, Parameter, Plan, Transport};

use crate::table::VIEW;
use crate::{Code, Failure, words};

/// A new value of a part of the view.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    entry: Entry,
    /// Link with only this value, or the default link.
    link: Link,
}

impl Change {
    /// Reads a parameter by its name in a link. `null` stands for the default.
    pub(crate) fn read(name: &str, value: &Value) -> Result<Self, Failure> {
        let entry = VIEW
            .into_iter()
            .find(|entry| entry.name() == name)
            .ok_or_else(|| Failure::new(Code::Params, "view", name, &VIEW.map(Entry::name).join(", ")))?;
        let text = match value {
            Value::Null => return Ok(Self { entry, link: Link::default() }),
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            other => return Err(Failure::new(Code::Params, name, &other.to_string(), words::TEXT_OR_NUMBER)),
        };
        let escaped: String = text.bytes().map(|byte| format!("%{byte:02x}")).collect();
        let link = Link::parse(&format!("{name}={escaped}"), "");
        let Some(notice) = link.notices.iter().next() else { return Ok(Self { entry, link }) };
        let failure = Failure::new(Code::Range, name, &text, &::words::link_table::takes(entry));
        let notice = match notice {
            // The reader of links decodes percent signs, so its text may differ from the text of the message.
            Notice::Tool(problem) => Notice::Tool(ToolProblem { given: failure.given.clone(), ..problem.clone() }),
            other => other.clone(),
        };
        let message = ::words::message::value(&notice, &Plan::default()).unwrap_or_else(|| failure.message.clone());
        Err(Failure { message, ..failure })
    }

    /// Returns the action that makes the change in a run.
    ///
    /// # Errors
    /// Fails if the array of the run has no such PE.
    pub(crate) fn action(&self, plan: &Plan) -> Result<Action, Failure> {
        let Link { view, tools, speed, .. } = &self.link;
        Ok(match self.entry {
            Entry::View(Parameter::Speed) => Action::Move(Transport::Speed(*speed)),
            Entry::View(Parameter::Theme) => Action::Edit(Edit::Theme(view.theme)),
            Entry::View(Parameter::Panel) => Action::Edit(Edit::Panel(view.panel)),
            Entry::Tool(tool) => Action::Edit(Edit::Tool(tool, tools.text(tool))),
            _ => {
                let array = plan.schedule().array();
                if let Some(pe) = view.selected.filter(|&pe| !array.contains(pe)) {
                    let allowed = format!("0.0 to {}.{}", array.rows() - 1, array.cols() - 1);
                    return Err(Failure::new(Code::Range, "pe", &format!("{}.{}", pe.row, pe.col), &allowed));
                }
                Action::Edit(Edit::Select(view.selected))
            }
        })
    }
}

/// Returns the view of a link by the names of its parts. A part that is not in use is `null`.
pub(crate) fn view(link: &Link) -> Value {
    let text = |entry: Entry| match entry {
        Entry::View(Parameter::Pe) => link.view.selected.map(|pe| format!("{}.{}", pe.row, pe.col)),
        Entry::View(Parameter::Speed) => Some(link.speed.id().to_owned()),
        Entry::View(Parameter::Theme) => Some(link.view.theme.id().to_owned()),
        Entry::View(Parameter::Panel) => link.view.panel.map(|panel| panel.id().to_owned()),
        Entry::Tool(tool) => Some(link.tools.text(tool)).filter(|text| !text.is_empty()),
        _ => None,
    };
    VIEW.iter().map(|entry| (entry.name().to_owned(), json!(text(*entry)))).collect::<Map<_, _>>().into()
}
