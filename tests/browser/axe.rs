//! Checks of the page with axe-core, for people who cannot see, point or hear.

use std::fmt;
use std::fs;

use serde_json::Value;

use super::Page;

/// Rule that the page breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Id of the rule, such as `color-contrast`.
    pub rule: String,
    /// Requirement of the rule.
    pub help: String,
    /// Places that break the rule: a selector, and the problem at this place.
    pub places: Vec<String>,
}

impl fmt::Display for Violation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.rule, self.help)?;
        self.places.iter().try_for_each(|place| write!(out, "\n    {place}"))
    }
}

impl Page {
    /// Rules that the page breaks in its current state; `None` if axe-core is not installed.
    ///
    /// # Panics
    /// Panics if axe-core does not run.
    #[must_use]
    #[track_caller]
    pub fn axe(&self) -> Option<Vec<Violation>> {
        let script = xtask::axe::script(&publish::root())?;
        let script = fs::read_to_string(&script).unwrap_or_else(|error| panic!("{}: {error}", script.display()));
        self.js(&format!("{script}\nwindow.axe = window.axe || axe; return null;"));
        let found = self.js_async(
            // By default, axe does not check the size of elements that a pointer can press.
            "const rules = { 'target-size': { enabled: true } }; \
             const found = await axe.run(document, { resultTypes: ['violations'], rules }); \
             return found.violations.map(({ id, help, nodes }) => ({ id, help, \
                 nodes: nodes.map(node => `${node.target.join(' ')}: ${node.failureSummary}`) }));",
        );
        let violation = |found: &Value| Violation {
            rule: text(&found["id"]),
            help: text(&found["help"]),
            places: found["nodes"].as_array().into_iter().flatten().map(text).collect(),
        };
        Some(found.as_array().expect("axe gives a list").iter().map(violation).collect())
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
