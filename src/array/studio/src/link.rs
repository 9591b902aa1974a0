//! A link is the only save format: readable parameters, matrices in the fragment.
//!
//! `?v=1&rows=8&cols=8&m=128&k=512&n=64&df=ws&dt=int8&t=12#a=1,2;3,4&b=…`
//!
//! If a parameter is repeated, the last usable value counts. For a tool or a text of a page part, the first value
//! counts, because earlier versions of the page used the first value. In both cases, a notice reports the repetition.
//!
//! A parameter that this version does not know stays in the next link that the page writes. If the name of the
//! parameter may be a typo, a notice says so. If a value cannot be used, the default applies, and a notice reports the
//! value.

mod pairs;

use self::pairs::Pairs;
use crate::opened::telling_cycle;
use crate::unknown::Part;
use crate::{
    Chrome, Entry, Field, FillKind, List, Notice, Notices, Panel, Parameter, PartText, PartTexts, Plan, Scenario,
    Speed, Theme, Tool, Tools, Unknown, View,
};
use systolic::{Cycle, PeId};

/// Contents of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The settings of the run.
    pub scenario: Scenario,
    /// The view of the run.
    pub view: View,
    /// The cycle that is shown.
    pub cycle: Cycle,
    /// The playback speed.
    pub speed: Speed,
    /// The settings of the tools.
    pub tools: Tools,
    /// Texts that parts of the page parse.
    pub texts: PartTexts,
    /// Parameters that this version does not know.
    pub unknown: Unknown,
    /// Notices about parts that could not be used.
    pub notices: Notices,
}

impl Default for Link {
    /// Returns the link of the first screen.
    fn default() -> Self {
        Self {
            scenario: Scenario::default(),
            view: View::default(),
            cycle: Cycle(7),
            speed: Speed::HalfCycles(4),
            tools: Tools::default(),
            texts: PartTexts::default(),
            unknown: Unknown::default(),
            notices: Notices::default(),
        }
    }
}

/// Name of the parameter for the version of the link format.
const VERSION: &str = "v";

/// Parameters that the parser has read, so that a repeated parameter gives a notice.
#[derive(Default)]
struct Used {
    fields: Vec<Field>,
    parameters: Vec<Parameter>,
}

impl Link {
    /// The longest query or fragment that is read, in bytes.
    pub const LENGTH_MAX: usize = 1 << 20;
    /// Maximum number of parameters that are read from one part of a link (query or fragment), because each parameter
    /// takes time.
    pub const PARAMETERS_MAX: usize = 4096;
    /// Value of `tool` if no tool is open.
    pub(crate) const NO_PANEL: &str = "none";

    /// Reads a query and a fragment, with or without their `?` and `#`. Never fails.
    #[must_use]
    pub fn parse(query: &str, fragment: &str) -> Self {
        let mut link = Self::default();
        if query.len() > Self::LENGTH_MAX || fragment.len() > Self::LENGTH_MAX {
            link.notices.push(Notice::TooLong);
            return link;
        }
        let (mut is_sized, mut is_filled, mut has_moment, mut has_panel) = (false, false, false, false);
        let mut used = Used::default();
        // The address of a glossary entry is a place on the page and does not affect the run.
        let fragment = if crate::word_address(fragment).is_some() { "" } else { fragment };
        let mut parameters = Pairs::read(query.trim_start_matches('?'), Self::PARAMETERS_MAX);
        let mut own = Pairs::read(fragment.trim_start_matches('#'), Self::PARAMETERS_MAX);
        if own.all.is_empty() {
            parameters.cut();
        } else {
            own.cut();
        }
        if parameters.is_unreadable() {
            link.notices.push(Notice::Unreadable);
        }
        for (name, value) in parameters.all.iter().take(Self::PARAMETERS_MAX) {
            if let Some(field) = Field::from_id(name) {
                (is_sized, is_filled) = (true, is_filled || field == Field::Fill);
                link.set(field, value, &mut used);
            } else if let Some(tool) = Tool::from_id(name) {
                link.set_tool(tool, value);
            } else if let Some(parameter) = Parameter::from_id(name) {
                // If a cycle cannot be read, the run opens at its start.
                let is_usable = link.set_view(parameter, value, &mut used);
                has_moment |= is_usable && parameter == Parameter::Cycle;
                has_panel |= parameter == Parameter::Panel;
            } else if name == VERSION {
                link.check_version(value);
            } else if !link.set_text(name, value) {
                link.keep(Part::Query, name, value);
            }
        }
        // Matrices set their own sizes, so they come after the sizes; a fill that the link names still counts.
        let fill = link.scenario.fill;
        for (name, value) in own.all.iter().take(Self::PARAMETERS_MAX) {
            match Field::from_id(name) {
                Some(field @ (Field::A | Field::B | Field::C)) => link.set(field, value, &mut used),
                None if name == PartText::Slides.id() => _ = link.set_text(name, value),
                _ => link.keep(Part::Fragment, name, value),
            }
        }
        if parameters.all.len().max(own.all.len()) > Self::PARAMETERS_MAX {
            link.notices.push(Notice::TooManyParameters);
        }
        if is_filled {
            link.scenario.fill = fill;
            if fill != FillKind::Custom && (link.scenario.a.is_some() || link.scenario.b.is_some()) {
                link.notices.push(Notice::ListNotShown);
            }
        }
        if link.scenario.fill == FillKind::Custom && link.scenario.a.is_none() && link.scenario.b.is_none() {
            link.scenario.fill = Scenario::default().fill;
            let mut names = parameters.all.iter().chain(&own.all).map(|(name, _)| Field::from_id(name));
            // A refused matrix has its own notice.
            if !names.any(|field| matches!(field, Some(Field::A | Field::B))) {
                link.notices.push(Notice::MatricesMissing);
            }
        }
        if link.scenario.fill == FillKind::Custom {
            link.scenario.size_as_listed();
        }
        if !has_panel {
            link.view.panel = link.view.usual_panel(&link.tools, &link.scenario);
        }
        // The cycle of the first screen belongs to its run. Another run opens at its start, or at the first cycle at
        // which the tool of the link shows something.
        if !has_moment && (is_sized || !fragment.trim_start_matches('#').is_empty()) {
            let plan = Plan::new(&link.scenario).ok();
            let telling = |plan: Plan| telling_cycle(&link.view, &link.tools, &plan, Cycle(0));
            link.cycle = plan.and_then(telling).unwrap_or(Cycle(0));
        }
        link
    }

    /// Returns the link of a run at its first cycle.
    #[must_use]
    pub fn of_run(scenario: Scenario) -> Self {
        let mut link = Self { scenario, cycle: Cycle(0), ..Self::default() };
        link.view.panel = link.view.usual_panel(&link.tools, &link.scenario);
        link
    }

    /// Returns the link of a run at a cycle, with a chosen PE.
    #[must_use]
    pub fn of_pe(scenario: Scenario, cycle: Cycle, pe: PeId) -> Self {
        let mut link = Self { cycle, ..Self::of_run(scenario) };
        link.view.selected = Some(pe);
        link
    }

    /// Returns the query (without `?`) and the fragment (without `#`).
    #[must_use]
    pub fn to_parts(&self) -> (String, String) {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.append_pair(VERSION, "1");
        let (scenario, usual) = (&self.scenario, Scenario::default());
        for field in Field::ALL {
            // A parameter that earlier versions did not have is written only if it differs from its default.
            let is_later = matches!(
                field,
                Field::Overlap
                    | Field::Load
                    | Field::Drain
                    | Field::KTiles
                    | Field::Feed
                    | Field::Passes
                    | Field::Adder
                    | Field::Out
                    | Field::Arrays
                    | Field::Clock
                    | Field::Price
            );
            let says = !is_later || scenario.get(field) != usual.get(field);
            if says && scenario.uses(field) && !matches!(field, Field::A | Field::B | Field::C) {
                query.append_pair(field.id(), &scenario.text(field));
            }
        }
        query.append_pair(Parameter::Cycle.id(), &self.cycle.get().to_string());
        if let Some(pe) = self.view.selected {
            query.append_pair(Parameter::Pe.id(), &format!("{}.{}", pe.row, pe.col));
        }
        if self.speed != Self::default().speed {
            query.append_pair(Parameter::Speed.id(), self.speed.id());
        }
        if self.view.theme != Theme::Auto {
            query.append_pair(Parameter::Theme.id(), self.view.theme.id());
        }
        if self.view.chrome != Chrome::Full {
            query.append_pair(Parameter::Room.id(), self.view.chrome.id());
        }
        for tool in Tool::ALL {
            let text = self.tools.text(tool);
            if !text.is_empty() {
                query.append_pair(tool.id(), &text);
            }
        }
        if self.view.panel != self.view.usual_panel(&self.tools, &self.scenario) {
            query.append_pair(Parameter::Panel.id(), self.view.panel.map_or(Self::NO_PANEL, Panel::id));
        }
        if let Some(lock) = self.view.lock {
            query.append_pair(Parameter::Lock.id(), &lock.to_text());
        }
        if self.view.hide != List::EMPTY {
            query.append_pair(Parameter::Hide.id(), &self.view.hide.to_text());
        }
        query.extend_pairs(self.texts.pairs().filter(|(_, text)| !text.is_empty()));
        let mut fragment = String::new();
        if scenario.fill == FillKind::Custom {
            for (field, matrix) in [(Field::A, &scenario.a), (Field::B, &scenario.b), (Field::C, &scenario.c)] {
                if let Some(matrix) = matrix {
                    let joint = if fragment.is_empty() { "" } else { "&" };
                    // Digits, signs, commas, semicolons and letters are legal in a fragment as they are.
                    fragment.push_str(&format!("{joint}{}={}", field.id(), matrix.in_link()));
                }
            }
        }
        query.extend_pairs(self.unknown.of(Part::Query));
        let mut rest = form_urlencoded::Serializer::new(String::new());
        if !self.texts[PartText::Slides].is_empty() {
            rest.append_pair(PartText::Slides.id(), &self.texts[PartText::Slides]);
        }
        let rest = rest.extend_pairs(self.unknown.of(Part::Fragment)).finish();
        if !rest.is_empty() {
            let joint = if fragment.is_empty() { "" } else { "&" };
            fragment.push_str(&format!("{joint}{rest}"));
        }
        (query.finish(), fragment)
    }

    /// Sets the text of a page part. Returns true if the name belongs to a page part.
    fn set_text(&mut self, name: &str, value: &str) -> bool {
        let Some(of) = PartText::from_id(name) else { return false };
        match self.texts[of].is_empty() {
            true => value.clone_into(&mut self.texts[of]),
            false => self.notices.push(Notice::Again(of.id())),
        }
        true
    }

    fn set(&mut self, field: Field, value: &str, used: &mut Used) {
        match self.scenario.set_text(field, value) {
            Ok(()) if used.fields.contains(&field) => self.notices.push(Notice::LastCounts(field.id())),
            Ok(()) => used.fields.push(field),
            Err(problem) => self.notices.push(Notice::Problem(problem)),
        }
    }

    fn keep(&mut self, part: Part, name: &str, value: &str) {
        if let Some(meant) = Entry::meant(name) {
            let is_misplaced = meant.is_in_fragment() != (part == Part::Fragment);
            self.notices.push(Notice::Meant { given: plain::cut(name), meant, is_misplaced });
        }
        if !self.unknown.push(part, name, value) {
            self.notices.push(Notice::TooManyUnknown);
        }
    }

    fn set_tool(&mut self, tool: Tool, text: &str) {
        if !self.tools.text(tool).is_empty() {
            self.notices.push(Notice::Again(tool.id()));
            return;
        }
        if let Err(problem) = self.tools.set(tool, text) {
            self.notices.push(Notice::Tool(problem));
        }
        if let (Tool::Compare, Some(other)) = (tool, &self.tools.compare) {
            self.notices.extend(other.notices());
        }
    }

    fn check_version(&mut self, value: &str) {
        if value != "1" {
            self.notices.push(Notice::LaterVersion { given: plain::cut(value) });
        }
    }

    /// Sets a part of the view. Returns true if the value can be used.
    fn set_view(&mut self, parameter: Parameter, value: &str, used: &mut Used) -> bool {
        let is_usable = match parameter {
            Parameter::Cycle => value.trim().parse().map(|cycle| self.cycle = Cycle(cycle)).is_ok(),
            Parameter::Pe => {
                let pair = value.split_once('.').and_then(|(row, col)| Some((row.parse().ok()?, col.parse().ok()?)));
                pair.map(|(row, col)| self.view.selected = Some(PeId::new(row, col))).is_some()
            }
            Parameter::Speed => Speed::from_id(value).map(|speed| self.speed = speed).is_some(),
            Parameter::Theme => Theme::from_id(value).map(|theme| self.view.theme = theme).is_some(),
            Parameter::Room => Chrome::from_id(value).map(|chrome| self.view.chrome = chrome).is_some(),
            Parameter::Panel if value == Self::NO_PANEL => {
                self.view.panel = None;
                true
            }
            Parameter::Panel => Panel::from_id(value).map(|panel| self.view.panel = Some(panel)).is_some(),
            Parameter::Lock => List::parse(value).map(|lock| self.view.lock = Some(lock)).is_some(),
            Parameter::Hide => List::parse(value).map(|hide| self.view.hide = hide).is_some(),
        };
        if !is_usable {
            self.notices.push(Notice::Parameter { parameter, given: plain::cut(value) });
        } else if used.parameters.contains(&parameter) {
            self.notices.push(Notice::LastCounts(parameter.id()));
        } else {
            used.parameters.push(parameter);
        }
        is_usable
    }
}

#[cfg(test)]
mod tests;
