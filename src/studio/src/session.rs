//! The state of the playground and the only way to change it.

use std::sync::Arc;

use crate::channel::Channel;
use crate::follow::Place;
use crate::tools::ToolProblem;
use crate::{
    Changed, Chrome, Draft, Edit, EstimateQuery, Field, FillKind, Link, Notice, Notices, Plan, Playhead, Problem,
    Scenario, Tool, Tools, Unknown, View,
};
use systolic::{Cycle, PeId};

/// Everything but time. Cloning it is a snapshot.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// The settings as they were last understood; may have problems as a whole.
    pub scenario: Scenario,
    /// The last settings that could run: what is shown.
    pub plan: Arc<Plan>,
    /// What keeps `scenario` from running.
    pub problems: Vec<Problem>,
    /// Texts of fields that could not be understood.
    pub drafts: Vec<Draft<Field, Problem>>,
    /// The tools of the stage, as they were last understood.
    pub tools: Tools,
    /// Texts of tools that could not be understood.
    pub tool_drafts: Vec<Draft<Tool, ToolProblem>>,
    /// The entries of the questions about models and chips.
    pub estimate: EstimateQuery,
    /// What is looked at.
    pub view: View,
    /// What a link said that could not be used.
    pub notices: Notices,
    /// Parameters of the link that this version does not know, for the next link.
    pub unknown: Unknown,
    /// Counts the changes a person made, so that each becomes one step of the browser's history.
    pub revision: u64,
}

impl Session {
    /// The state that a link asks for, and its moment.
    #[must_use]
    pub fn open(link: &Link) -> (Self, Playhead) {
        let mut notices = link.notices.clone();
        // Settings that contradict each other are kept, to be mended; until then the same run is shown with other numbers, or
        // the first screen.
        let (plan, problems) = match Plan::new(&link.scenario) {
            Ok(plan) => (plan, Vec::new()),
            Err(problems) => {
                notices.extend(problems.iter().cloned().map(Notice::Problem));
                let filled = Scenario { fill: FillKind::Small, ..link.scenario.clone() };
                (Plan::new(&filled).unwrap_or_default(), problems)
            }
        };
        let playhead = Playhead::at(link.cycle.min(plan.last())).with_speed(link.speed);
        if problems.is_empty() && link.cycle > plan.last() {
            notices.push(Notice::PastTheEnd { given: link.cycle, last: plan.last() });
        }
        let mut view = link.view;
        view.selected = view.selected.filter(|&pe| plan.schedule().array().contains(pe));
        if let Some(pe) = link.view.selected.filter(|_| view.selected.is_none() && problems.is_empty()) {
            let given = format!("{}.{}", pe.row, pe.col);
            notices.push(Notice::Parameter { name: "pe", given, allowed: "row.column of a PE inside the array" });
        }
        notices.extend(defect_notice(&link.tools, &plan));
        let session = Self {
            scenario: link.scenario.clone(),
            plan: Arc::new(plan),
            problems,
            drafts: Vec::new(),
            tools: link.tools.clone(),
            tool_drafts: Vec::new(),
            estimate: link.estimate.clone(),
            view,
            notices,
            unknown: link.unknown.clone(),
            revision: 0,
        };
        (session, playhead)
    }

    /// The link to this state at a moment.
    #[must_use]
    pub fn link(&self, playhead: &Playhead) -> Link {
        Link {
            scenario: self.plan.scenario().clone(),
            view: self.view,
            cycle: playhead.cycle,
            speed: playhead.speed,
            tools: self.tools.clone(),
            estimate: self.estimate.clone(),
            unknown: self.unknown.clone(),
            notices: Notices::default(),
        }
    }

    /// Does what a person, a link, a key or another page asked, and tells what that changed. Total: no edit makes it fail.
    #[must_use]
    pub fn applied(self, edit: &Edit, playhead: Playhead) -> (Self, Playhead, Changed) {
        let before = self.clone();
        let (session, playhead) = self.edited(edit, playhead);
        let changed = session.changed_from(&before);
        (session, playhead, changed)
    }

    fn edited(mut self, edit: &Edit, playhead: Playhead) -> (Self, Playhead) {
        match edit {
            Edit::Set(field, text) => {
                let before = Arc::clone(&self.plan);
                self.set(*field, text);
                let playhead = playhead.carried_over(&before, &self.plan);
                return (self, playhead);
            }
            Edit::Tool(tool, text) => self.set_tool(*tool, text),
            Edit::Estimate(entries) => {
                self.revision += u64::from(self.estimate != *entries);
                self.estimate.clone_from(entries);
            }
            Edit::Select(pe) => {
                self.view.selected = pe.filter(|&pe| self.plan.schedule().array().contains(pe));
            }
            Edit::Theme(theme) => self.view.theme = *theme,
            Edit::Room(room) => {
                let embedded = [self.view.chrome, *room].contains(&Chrome::Embed);
                if !embedded && self.view.chrome != *room {
                    self.view.chrome = *room;
                    self.revision += 1;
                }
            }
            Edit::Dismiss => self.notices = Notices::default(),
            Edit::Open(link) | Edit::Preset(link) => {
                let (mut opened, playhead) = Self::open(link);
                // A preset or a step through history changes the run, not the room it is shown in.
                opened.view = View { selected: opened.view.selected, ..self.view };
                opened.revision = self.revision + u64::from(matches!(edit, Edit::Preset(_)));
                return (opened, playhead);
            }
        }
        (self, playhead)
    }

    /// The most that differs from another state.
    fn changed_from(&self, other: &Self) -> Changed {
        if self.plan != other.plan {
            Changed::Plan
        } else if self.tools != other.tools {
            Changed::Tools
        } else if self.estimate != other.estimate {
            Changed::Estimate
        } else if self.view != other.view {
            Changed::View
        } else if self == other {
            Changed::Nothing
        } else {
            Changed::Words
        }
    }

    /// The PE to tell about at a cycle: the chosen one, or the one that now holds the number that is followed from there.
    #[must_use]
    pub fn pe_at(&self, cycle: Cycle) -> Option<PeId> {
        let from = self.view.selected?;
        match self.tools.follow.and_then(|follow| follow.place(&self.plan, from, cycle)) {
            None => Some(from),
            Some(Place::In(pe)) => Some(pe),
            Some(Place::Outside) => None,
        }
    }

    /// Whether the settings cannot run, so that an older run is shown.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.scenario != *self.plan.scenario()
    }

    /// The text that a field's control shows: what was typed, if it could not be understood.
    #[must_use]
    pub fn field_text(&self, field: Field) -> String {
        let draft = self.drafts.iter().find(|draft| draft.of == field);
        draft.map_or_else(|| self.scenario.text(field), |draft| draft.text.clone())
    }

    /// The text that a tool's control shows: what was typed, if it could not be understood.
    #[must_use]
    pub fn tool_text(&self, tool: Tool) -> String {
        let draft = self.tool_drafts.iter().find(|draft| draft.of == tool);
        draft.map_or_else(|| self.tools.text(tool), |draft| draft.text.clone())
    }

    /// The problem to show beside a tool's control.
    #[must_use]
    pub fn tool_problem(&self, tool: Tool) -> Option<&ToolProblem> {
        self.tool_drafts.iter().find(|draft| draft.of == tool).map(|draft| &draft.problem)
    }

    /// The problem to show beside a field.
    #[must_use]
    pub fn problem(&self, field: Field) -> Option<&Problem> {
        self.problems.iter().find(|problem| problem.field == field)
    }

    fn set(&mut self, field: Field, text: &str) {
        self.drafts.retain(|draft| draft.of != field);
        if let Err(problem) = self.scenario.set(field, text) {
            self.drafts.push(Draft { of: field, text: text.to_owned(), problem });
        }
        // Fields that still hold a text nobody understood keep their problem beside those of the whole, as long as the
        // run depends on them.
        let used = self.drafts.iter().filter(|draft| self.scenario.uses(draft.of));
        self.problems = used.map(|draft| draft.problem.clone()).collect();
        match Plan::new(&self.scenario) {
            Ok(plan) => {
                if plan != *self.plan {
                    self.plan = Arc::new(plan);
                    self.revision += 1;
                }
            }
            Err(problems) => self.problems.extend(problems),
        }
        // What is mended is no longer told.
        let mended = self.problems.is_empty();
        let defect = defect_notice(&self.tools, &self.plan);
        self.notices.retain(|notice| match notice {
            Notice::Problem(_) => !mended,
            Notice::Defect(..) | Notice::BesideDefect(_) => defect.as_ref() == Some(notice),
            _ => true,
        });
        let array = self.plan.schedule().array();
        self.view.selected = self.view.selected.filter(|&pe| array.contains(pe));
    }

    fn set_tool(&mut self, tool: Tool, text: &str) {
        self.tool_drafts.retain(|draft| draft.of != tool);
        let before = self.tools.clone();
        if let Err(problem) = self.tools.set(tool, text) {
            self.tool_drafts.push(Draft { of: tool, text: text.to_owned(), problem });
            return;
        }
        // What a link said of this tool no longer holds, and what it said of two of them may not.
        let defect = defect_notice(&self.tools, &self.plan);
        self.notices.retain(|notice| match notice {
            Notice::Tool(problem) => problem.tool != tool,
            Notice::Second(_) => tool != Tool::Compare,
            Notice::Defect(..) | Notice::BesideDefect(_) => defect.as_ref() == Some(notice),
            _ => true,
        });
        self.revision += u64::from(self.tools != before);
    }
}

/// What a link's defect leaves out: itself, where this run cannot have it, or what its machine cannot show.
fn defect_notice(tools: &Tools, plan: &Plan) -> Option<Notice> {
    let named = tools.defect?;
    match named.on(plan) {
        Err(why) => Some(Notice::Defect(named, why)),
        Ok(_) => (tools.show != Channel::Activity).then_some(Notice::BesideDefect(Tool::Show)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, Transport};
    use proptest::prelude::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn start() -> (Session, Playhead) {
        Session::open(&Link::default())
    }

    fn set(field: Field, text: &str) -> Edit {
        Edit::Set(field, text.to_owned())
    }

    #[test]
    fn a_bad_number_keeps_the_last_good_run_and_the_typed_text() {
        let (session, playhead) = start();
        let shown = Arc::clone(&session.plan);
        let (session, playhead, _) = session.applied(&set(Field::Rows, "9999"), playhead);
        assert_eq!(session.plan, shown);
        assert_eq!(session.field_text(Field::Rows), "9999");
        assert_eq!(session.problem(Field::Rows).map(|problem| problem.given.as_str()), Some("9999"));
        let (session, ..) = session.applied(&set(Field::Rows, "8"), playhead);
        assert!(session.problems.is_empty());
        assert_eq!(session.plan.schedule().array().rows(), 8);
    }

    #[test]
    fn pasted_matrices_that_do_not_fit_each_other_are_named_and_then_run() {
        let (session, playhead) = start();
        let (session, playhead, _) = session.applied(&set(Field::A, "1,2,3"), playhead);
        assert!(session.problem(Field::B).is_some(), "B is still to come");
        let (session, playhead, _) = session.applied(&set(Field::B, "1;2"), playhead);
        assert!(!session.problems.is_empty());
        let (session, ..) = session.applied(&set(Field::B, "1;2;3"), playhead);
        assert_eq!(session.problems, []);
        let gemm = session.plan.schedule().gemm();
        assert_eq!((gemm.m(), gemm.k(), gemm.n()), (1, 3, 1));
    }

    #[test]
    fn not_a_number_is_a_number_that_can_be_typed() {
        let query = "rows=2&cols=2&dt=bf16&fill=custom";
        let (session, _) = Session::open(&Link::parse(query, "a=1,nan;1,2&b=1,2;7,1"));
        assert!(!session.is_stale() && session.problems.is_empty());
    }

    #[test]
    fn a_selected_pe_that_no_longer_exists_is_let_go() {
        let (session, playhead) = start();
        let (session, playhead, _) = session.applied(&Edit::Select(Some(PeId::new(3, 3))), playhead);
        let (session, ..) = session.applied(&set(Field::Rows, "2"), playhead);
        assert_eq!(session.view.selected, None);
    }

    #[test]
    fn the_link_of_a_state_opens_the_same_state() {
        let (session, playhead) = start();
        let (session, playhead, _) = session.applied(&set(Field::A, "1,2;3,4"), playhead);
        let (session, playhead, _) = session.applied(&set(Field::B, "5,6;7,8"), playhead);
        let playhead = playhead.moved(Transport::Seek(5), &session.plan);
        let (session, playhead, _) = session.applied(&Edit::Select(Some(PeId::new(1, 0))), playhead);
        let (query, fragment) = session.link(&playhead).to_parts();
        let (again, moment) = Session::open(&Link::parse(&query, &fragment));
        assert_eq!(again.plan, session.plan);
        assert_eq!((again.view, moment.cycle), (session.view, Cycle(5)));
        assert!(again.notices.is_empty());
    }

    #[test]
    fn a_mistake_in_a_field_that_no_longer_counts_is_forgiven() {
        let (session, playhead) = start();
        let (session, playhead, _) = session.applied(&set(Field::Fill, "custom"), playhead);
        let (session, playhead, _) = session.applied(&set(Field::A, "1,x"), playhead);
        assert!(session.is_stale());
        let (session, playhead, _) = session.applied(&set(Field::Fill, "small"), playhead);
        assert_eq!(session.problems, []);
        assert!(!session.is_stale());
        let (session, ..) = session.applied(&set(Field::Rows, "banana"), playhead);
        assert!(!session.is_stale(), "what is shown is what is set");
        assert_eq!(session.problems.len(), 1);
    }

    #[test]
    fn a_link_whose_matrices_do_not_fit_keeps_them_to_be_mended() {
        let (session, playhead) = Session::open(&Link::parse("rows=8&cols=8&df=os&fill=custom", "a=1,2;3,4"));
        assert!(session.is_stale() && !session.notices.is_empty());
        assert_eq!((session.scenario.rows, session.scenario.m, session.scenario.k), (8, 2, 2));
        assert_eq!((session.plan.schedule().array().rows(), session.plan.schedule().gemm().m()), (8, 2), "of its size");
        let (session, ..) = session.applied(&set(Field::B, "1;2"), playhead);
        assert!(!session.is_stale());
        assert!(session.notices.is_empty(), "what is mended is no longer told");
        assert_eq!(session.plan.schedule().array().rows(), 8);
    }

    #[test]
    fn going_to_another_room_is_one_step_and_keeps_the_run() {
        let (session, playhead) = Session::open(&Link::parse("rows=8&cols=8&t=9", ""));
        let (plan, revision) = (Arc::clone(&session.plan), session.revision);
        let (session, playhead, changed) = session.applied(&Edit::Room(Chrome::Desk), playhead);
        assert_eq!((session.view.chrome, changed), (Chrome::Desk, Changed::View));
        assert_eq!((&session.plan, session.revision, playhead.cycle), (&plan, revision + 1, Cycle(9)));
        let (session, playhead, changed) = session.applied(&Edit::Room(Chrome::Desk), playhead);
        assert_eq!((session.revision, changed), (revision + 1, Changed::Nothing));
        assert!(session.link(&playhead).to_parts().0.contains("ui=desk"));
        let (embed, playhead) = Session::open(&Link::parse("ui=embed", ""));
        let (embed, ..) = embed.applied(&Edit::Room(Chrome::Full), playhead);
        assert_eq!(embed.view.chrome, Chrome::Embed);
    }

    fn actions() -> impl Strategy<Value = Action> {
        let text = prop_oneof![
            "[0-9]{1,4}",
            "[ -~]{0,12}",
            Just("ws".to_owned()),
            Just("os".to_owned()),
            Just("bf16".to_owned()),
            Just("custom".to_owned()),
            Just("double-buffered".to_owned()),
            Just("diagonal".to_owned()),
            Just("south".to_owned()),
            Just("zero".to_owned()),
            Just("1,2;3,4".to_owned()),
        ];
        let moves = prop_oneof![
            Just(Transport::Toggle),
            Just(Transport::Home),
            Just(Transport::End),
            Just(Transport::NextEvent),
            Just(Transport::PreviousEvent),
            any::<u64>().prop_map(Transport::Seek),
            any::<u64>().prop_map(Transport::Forward),
            any::<u64>().prop_map(Transport::Back),
        ];
        let tool_text = prop_oneof![
            "[ -~]{0,20}",
            Just("df=os&rows=8".to_owned()),
            Just("late-1".to_owned()),
            Just("error".to_owned()),
            Just("sum-3".to_owned()),
            Just("fold".to_owned()),
        ];
        prop_oneof![
            (prop::sample::select(&Field::ALL[..]), text)
                .prop_map(|(field, text)| Action::Edit(Edit::Set(field, text))),
            (prop::sample::select(&Tool::ALL[..]), tool_text)
                .prop_map(|(tool, text)| Action::Edit(Edit::Tool(tool, text))),
            moves.prop_map(Action::Move),
            any::<f64>().prop_map(Action::Elapse),
            any::<(u32, u32)>().prop_map(|(row, col)| Action::Edit(Edit::Select(Some(PeId::new(row % 9, col % 9))))),
            Just(Action::Edit(Edit::Dismiss)),
            "[ -~]{0,60}".prop_map(|query| Action::Edit(Edit::Open(Box::new(Link::parse(&query, ""))))),
        ]
    }

    #[test]
    fn no_sequence_of_actions_breaks_the_state() {
        let config = proptest::test_runner::Config { cases: 300, failure_persistence: None, ..Default::default() };
        let rng = proptest::test_runner::TestRng::from_seed(proptest::test_runner::RngAlgorithm::ChaCha, &[7; 32]);
        proptest::test_runner::TestRunner::new_with_rng(config, rng)
            .run(&prop::collection::vec(actions(), 1..30), |actions| {
                let (mut session, mut playhead) = start();
                for action in &actions {
                    match action {
                        Action::Edit(edit) => {
                            let before = session.clone();
                            let changed;
                            (session, playhead, changed) = session.applied(edit, playhead);
                            prop_assert_eq!(changed == Changed::Nothing, session == before, "{:?}", edit);
                            prop_assert_eq!(changed == Changed::Plan, session.plan != before.plan, "{:?}", edit);
                            prop_assert!(changed >= Changed::Tools || session.tools == before.tools, "{:?}", edit);
                            prop_assert!(changed >= Changed::View || session.view == before.view, "{:?}", edit);
                        }
                        Action::Move(request) => playhead = playhead.moved(*request, &session.plan),
                        Action::Elapse(seconds) => {
                            playhead = playhead.elapsed(*seconds, &session.plan, session.tools.repeats_fold);
                        }
                    }
                    prop_assert!(playhead.cycle <= session.plan.last());
                    let running = session.problems.is_empty();
                    prop_assert!(!running || !session.is_stale());
                    // What the tools make of it is made without harm, whatever they are set to.
                    let _ = session.tools.compare.as_ref().map(|other| other.plan(session.plan.scenario()));
                    let _ = session.tools.defect.map(|named| named.on(&session.plan));
                    // A state is what its link says of it.
                    let (query, fragment) = session.link(&playhead).to_parts();
                    let again = Link::parse(&query, &fragment);
                    prop_assert_eq!(&again.tools, &session.tools);
                    prop_assert_eq!((&again.estimate, &again.unknown), (&session.estimate, &session.unknown));
                    prop_assert!(
                        session.pe_at(playhead.cycle).is_none_or(|pe| session.plan.schedule().array().contains(pe))
                    );
                    prop_assert!(session.view.selected.is_none_or(|pe| session.plan.schedule().array().contains(pe)));
                }
                Ok(())
            })
            .expect("total");
    }
}
