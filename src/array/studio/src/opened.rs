//! Tools that a person opens with a button. Such a tool begins with an example setting. The setting is removed when the
//! tool closes. A tool that would be empty begins at a later cycle.

use crate::defect::DefectName;
use crate::{Built, Channel, Drawing, Panel, Plan, Session, Tool, Tools, View};
use systolic::{Activity, Cycle, Dataflow, PeId};

/// A tool that is open because a person pressed its button. A link opens a tool without an example setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToolOpening {
    /// The panel of the tool.
    pub panel: Panel,
    /// The tool that got an example setting; `None` after the person sets this tool.
    pub(crate) set: Option<Tool>,
}

/// Returns the cycle at which the open tool shows something. `None` if the tool is not empty at `cycle`.
///
/// The cycle is that of the first multiplication of the chosen PE. Without a chosen PE, the lowest PE of the first
/// column counts, as on the first screen.
#[must_use]
pub(crate) fn telling_cycle(view: &View, tools: &Tools, plan: &Plan, cycle: Cycle) -> Option<Cycle> {
    let schedule = plan.schedule();
    let works = |pe: PeId| matches!(schedule.activity(cycle, pe), Activity::Useful | Activity::OnPadding);
    let is_empty = match (tools.picture, view.panel) {
        (Drawing::Bits, _) => !view.selected.map_or_else(|| schedule.census(cycle).useful > 0, works),
        (Drawing::Array, Some(Panel::Pe)) if view.selected.is_none() => schedule.census(cycle).useful == 0,
        (Drawing::PeCycles | Drawing::Cube | Drawing::Cubes, _) | (Drawing::Array, Some(Panel::Pe)) => {
            cycle == Cycle(0)
        }
        (Drawing::Array, _) => tools.show != Channel::Activity && cycle == Cycle(0),
        (Drawing::Roofline | Drawing::Traffic | Drawing::Im2col, _) => false,
    };
    // The last PE that the fold uses in the first column completes the first sum.
    let lowest = PeId::new(schedule.fold(0).real.rows.saturating_sub(1), 0);
    let of_pe = || view.selected.and_then(|pe| schedule.first_useful(pe));
    is_empty.then(|| of_pe().or_else(|| schedule.first_useful(lowest))).flatten()
}

impl Session {
    /// Returns the cycle to go to because the tool that a person just opened would be empty at `cycle`.
    #[must_use]
    pub fn telling_cycle(&self, cycle: Cycle) -> Option<Cycle> {
        telling_cycle(&self.view, &self.tools, &self.plan, cycle)
    }

    /// Opens a tool's panel, or closes the open panel. Removes the example setting of the previous panel. If the new
    /// tool is not in use, it gets an example setting.
    pub(crate) fn open_panel(&mut self, panel: Option<Panel>) {
        if self.view.panel == panel {
            return;
        }
        let revision = self.revision;
        if let Some(tool) = self.opened.take().and_then(|opened| opened.set) {
            self.set_tool(tool, "");
        }
        // Without its panel, nothing on the page would name the fault, end the comparison, or bring back the array.
        match self.view.panel {
            Some(Panel::Break) => self.set_tool(Tool::Defect, ""),
            Some(Panel::Compare) if panel.is_none() => self.set_tool(Tool::Compare, ""),
            Some(Panel::Pictures) => self.set_tool(Tool::Picture, ""),
            Some(Panel::Build) => self.set_tool(Tool::Flow, ""),
            _ => {}
        }
        self.view.panel = panel;
        let begins_with = panel.and_then(|panel| self.begins_with(panel));
        if let Some((tool, text)) = &begins_with {
            self.set_tool(*tool, text);
        }
        self.opened = panel.map(|panel| ToolOpening { panel, set: begins_with.map(|(tool, _)| tool) });
        self.revision = revision + 1;
    }

    /// Returns the example setting of a panel. `None` if its tool is in use, or if the run cannot have the setting.
    fn begins_with(&self, panel: Panel) -> Option<(Tool, String)> {
        let (tools, plan) = (&self.tools, &self.plan);
        match panel {
            Panel::Compare if tools.compare.is_none() => {
                let is_output = plan.schedule().dataflow() == Dataflow::OutputStationary;
                Some((Tool::Compare, if is_output { "df=ws" } else { "df=os" }.to_owned()))
            }
            Panel::Break if tools.defect.is_none() => {
                let name = DefectName::stuck_sum(plan, self.view.selected);
                name.on(plan).is_ok().then(|| (Tool::Defect, name.to_text()))
            }
            Panel::Heat if tools.show == Channel::Activity => Some((Tool::Show, Channel::Wasted.id().to_owned())),
            Panel::Build if tools.built.is_none() => Some((Tool::Flow, Built::FIRST.to_owned())),
            Panel::Pictures if tools.picture == Drawing::Array => Some((Tool::Picture, Drawing::Cube.id().to_owned())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Edit, Link};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// Returns the tools' part of the link after some edits.
    fn after(query: &str, edits: &[Edit]) -> String {
        let (mut session, mut playhead) = Session::open(&Link::parse(query, ""));
        for edit in edits {
            (session, playhead, _) = session.applied(edit, playhead);
        }
        let (query, _) = session.link(&playhead).to_parts();
        let is_tool =
            |pair: &&str| ["cmp=", "break=", "show=", "picture=", "tool="].iter().any(|name| pair.starts_with(name));
        query.split('&').filter(is_tool).collect::<Vec<_>>().join("&")
    }

    fn open(panel: Panel) -> Edit {
        Edit::Panel(Some(panel))
    }

    /// Returns the cycles at which a tool shows something, by asking each PE at each cycle.
    fn first_work(session: &Session) -> Option<u64> {
        let (schedule, pe) = (session.plan.schedule(), session.view.selected);
        (0..=session.plan.last().get()).find(|&cycle| {
            let works = |pe| schedule.activity(Cycle(cycle), pe) == Activity::Useful;
            pe.map_or_else(|| schedule.array().iter().any(works), works)
        })
    }

    #[test]
    fn a_link_without_a_cycle_opens_a_tool_at_a_cycle_at_which_pes_multiply() {
        for run in ["rows=4&cols=4", "rows=4&cols=4&df=os", "rows=8&cols=3&m=9&k=20&n=5&df=is", "rows=64&cols=64"] {
            for tool in ["tool=pe", "picture=pe-cycles", "picture=bits", "tool=heat&show=useful", "tool=pe&pe=2.1"] {
                let (session, playhead) = Session::open(&Link::parse(&format!("{run}&{tool}"), ""));
                let works = session.plan.schedule().census(playhead.cycle).useful > 0;
                assert!(works, "{run} {tool}");
                assert_eq!(session.telling_cycle(playhead.cycle), None);
                if session.view.selected.is_some() {
                    assert_eq!(Some(playhead.cycle.get()), first_work(&session), "{run} {tool}");
                }
                let (_, at_start) = Session::open(&Link::parse(&format!("{run}&{tool}&t=0"), ""));
                assert_eq!(at_start.cycle, Cycle(0), "a link with a cycle keeps it");
            }
        }
        // Other tools show something at the start of a run. The first screen has its own cycle.
        for query in ["rows=4&tool=compare", "rows=4&tool=break&break=no-skew", "rows=4&picture=traffic", "rows=4"] {
            assert_eq!(Link::parse(query, "").cycle, Cycle(0), "{query}");
        }
        assert_eq!(Link::parse("rows=4&cols=4&m=6&k=4&n=3&tool=pe", "").cycle, Link::default().cycle);
    }

    #[test]
    fn a_tool_that_would_be_empty_asks_for_another_cycle_and_no_other_tool_does() {
        let telling = |query: &str| {
            let (session, playhead) = Session::open(&Link::parse(query, ""));
            session.telling_cycle(playhead.cycle).map(Cycle::get)
        };
        for (query, cycle) in [
            ("tool=pe&t=0", Some(7)),
            ("tool=pe&t=15", Some(7)),
            ("tool=pe&pe=3.0&t=0", Some(7)),
            ("tool=pe&pe=3.2&t=0", Some(9)),
            // PE 3,3 has no column of B.
            ("tool=pe&pe=3.3&t=0", Some(7)),
            ("tool=pe&pe=3.2&t=2", None),
            ("picture=bits&pe=3.2&t=2", Some(9)),
            ("picture=bits&t=15", Some(7)),
            ("picture=pe-cycles&t=0", Some(7)),
            ("picture=pe-cycles&t=15", None),
            ("tool=heat&show=wasted&t=0", Some(7)),
            ("tool=compare&t=0", None),
            ("tool=folds&t=0", None),
            ("tool=pe", None),
        ] {
            assert_eq!(telling(query), cycle, "{query}");
        }
    }

    #[test]
    fn a_button_opens_a_tool_with_a_result_and_closing_it_takes_that_back() {
        for (query, panel, shown) in [
            ("", Panel::Compare, "cmp=df%3Dos&tool=compare"),
            ("df=is", Panel::Compare, "cmp=df%3Dos&tool=compare"),
            ("df=os", Panel::Compare, "cmp=df%3Dws&tool=compare"),
            ("", Panel::Break, "break=stuck-1.1&tool=break"),
            ("rows=1&cols=1", Panel::Break, "break=stuck-0.0&tool=break"),
            ("pe=2.3", Panel::Break, "break=stuck-2.3&tool=break"),
            ("", Panel::Heat, "show=wasted&tool=heat"),
            ("", Panel::Folds, "tool=folds"),
            ("", Panel::Pictures, "picture=cube&tool=pictures"),
            // The simulator of a faulty array has a limit for the length of a run.
            ("m=65536&k=4096&n=4096", Panel::Break, "tool=break"),
        ] {
            assert_eq!(after(query, &[open(panel)]), shown, "{query}");
            assert_eq!(after(query, &[open(panel), Edit::Panel(None)]), "", "{query}");
        }
        assert_eq!(after("", &[open(Panel::Compare), open(Panel::Break)]), "break=stuck-1.1&tool=break");
    }

    #[test]
    fn a_setting_of_a_person_or_a_link_stays_until_the_panel_that_ends_it_closes() {
        let set = |tool: Tool, text: &str| Edit::Tool(tool, text.to_owned());
        let chosen = [open(Panel::Break), set(Tool::Defect, "late-1"), Edit::Panel(None)];
        assert_eq!(after("", &chosen), "");
        assert_eq!(after("break=late-1", &[]), "break=late-1", "a link shows what it showed");
        let none = [open(Panel::Break), set(Tool::Defect, ""), open(Panel::Heat)];
        assert_eq!(after("", &none), "show=wasted&tool=heat");
        assert_eq!(after("cmp=m%3D9&show=sum", &[open(Panel::Compare), open(Panel::Pe)]), "cmp=m%3D9&show=sum&tool=pe");
        assert_eq!(after("cmp=m%3D9&show=sum", &[open(Panel::Compare), Edit::Panel(None)]), "show=sum");
        for (link, closed) in [("tool=compare", ""), ("tool=break", ""), ("cmp=df%3Dos&tool=compare", "")] {
            assert_eq!(after(link, &[]), link, "a link shows what it showed");
            assert_eq!(after(link, &[Edit::Panel(None)]), closed, "{link}");
        }
    }
}
