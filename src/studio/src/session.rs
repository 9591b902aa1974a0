//! The state of the playground and the only way to change it.

use std::sync::Arc;

use crate::{Action, Field, FillKind, Link, Notice, Plan, Playhead, Problem, Scenario, View};

/// The parameter of a link that has playing stay within a fold: `loop=fold`.
pub const LOOP: &str = "loop";

/// Everything but time. Cloning it is a snapshot.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// The settings as they were last understood; may have problems as a whole.
    pub scenario: Scenario,
    /// The last settings that could run: what is shown.
    pub plan: Arc<Plan>,
    /// What keeps `scenario` from running.
    pub problems: Vec<Problem>,
    /// Texts that could not be understood, kept as typed.
    pub drafts: Vec<(Field, String)>,
    /// What is looked at.
    pub view: View,
    /// What a link said that could not be used.
    pub notices: Vec<Notice>,
    /// Parameters of the link that this version does not know; kept for the next link.
    pub unknown: Vec<(String, String)>,
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
        let session = Self {
            scenario: link.scenario.clone(),
            plan: Arc::new(plan),
            problems,
            drafts: Vec::new(),
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
            unknown: self.unknown.clone(),
            notices: Vec::new(),
        }
    }

    /// Does what a person, a link, a key or another page asked. Total: nothing it can be given makes it fail.
    #[must_use]
    pub fn applied(mut self, action: &Action, playhead: Playhead) -> (Self, Playhead) {
        match action {
            Action::Set(field, text) => {
                let before = Arc::clone(&self.plan);
                self.set(*field, text);
                let playhead = playhead.carried_over(&before, &self.plan);
                (self, playhead)
            }
            Action::Move(request) => {
                let playhead = playhead.moved(*request, &self.plan);
                (self, playhead)
            }
            Action::Elapse(seconds) => {
                let later = playhead.advanced(*seconds, &self.plan);
                let loops = self.kept(LOOP) == "fold";
                let later = if loops { later.looped(playhead, &self.plan) } else { later };
                (self, later)
            }
            Action::Select(pe) => {
                self.view.selected = pe.filter(|&pe| self.plan.schedule().array().contains(pe));
                (self, playhead)
            }
            Action::Theme(theme) => {
                self.view.theme = *theme;
                (self, playhead)
            }
            Action::Keep(name, text) => {
                self.unknown.retain(|(kept, _)| kept != name);
                if !text.is_empty() {
                    self.unknown.push(((*name).to_owned(), text.clone()));
                }
                self.revision += 1;
                (self, playhead)
            }
            Action::Dismiss => {
                self.notices.clear();
                (self, playhead)
            }
            Action::Open(link) => {
                let (mut opened, playhead) = Self::open(link);
                // A preset or a step through history changes the run, not the room it is shown in.
                opened.view = View { selected: opened.view.selected, ..self.view };
                opened.revision = self.revision;
                (opened, playhead)
            }
            Action::Preset(link) => {
                let (mut opened, playhead) = self.applied(&Action::Open(link.clone()), playhead);
                opened.revision += 1;
                (opened, playhead)
            }
        }
    }

    /// Whether the settings cannot run, so that an older run is shown.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.scenario != *self.plan.scenario()
    }

    /// A parameter of the link that no setting has.
    #[must_use]
    pub fn kept(&self, name: &str) -> &str {
        self.unknown.iter().find(|(kept, _)| kept == name).map_or("", |(_, text)| text)
    }

    /// The text that a field's control shows: what was typed, if it could not be understood.
    #[must_use]
    pub fn field_text(&self, field: Field) -> String {
        self.drafts
            .iter()
            .find(|(drafted, _)| *drafted == field)
            .map_or_else(|| self.scenario.text(field), |(_, text)| text.clone())
    }

    /// The problem to show beside a field.
    #[must_use]
    pub fn problem(&self, field: Field) -> Option<&Problem> {
        self.problems.iter().find(|problem| problem.field == field)
    }

    fn set(&mut self, field: Field, text: &str) {
        self.drafts.retain(|(drafted, _)| *drafted != field);
        let mut scenario = self.scenario.clone();
        let misread = scenario.set(field, text).err();
        if misread.is_some() {
            self.drafts.push((field, text.to_owned()));
        }
        self.scenario = scenario;
        // Fields that still hold a text nobody understood keep their problem beside those of the whole, as long as the
        // run depends on them.
        let used = self.drafts.iter().filter(|(field, _)| self.scenario.uses(*field));
        self.problems = used.filter_map(|(field, text)| Scenario::default().set(*field, text).err()).collect();
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
        self.notices.retain(|notice| !(mended && matches!(notice, Notice::Problem(_))));
        let array = self.plan.schedule().array();
        self.view.selected = self.view.selected.filter(|&pe| array.contains(pe));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Transport;
    use proptest::prelude::*;
    use systolic::{Cycle, PeId};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn start() -> (Session, Playhead) {
        Session::open(&Link::default())
    }

    fn set(field: Field, text: &str) -> Action {
        Action::Set(field, text.to_owned())
    }

    #[test]
    fn a_bad_number_keeps_the_last_good_run_and_the_typed_text() {
        let (session, playhead) = start();
        let shown = Arc::clone(&session.plan);
        let (session, playhead) = session.applied(&set(Field::Rows, "9999"), playhead);
        assert_eq!(session.plan, shown);
        assert_eq!(session.field_text(Field::Rows), "9999");
        assert_eq!(session.problem(Field::Rows).map(|problem| problem.given.as_str()), Some("9999"));
        let (session, _) = session.applied(&set(Field::Rows, "8"), playhead);
        assert!(session.problems.is_empty());
        assert_eq!(session.plan.schedule().array().rows(), 8);
    }

    #[test]
    fn pasted_matrices_that_do_not_fit_each_other_are_named_and_then_run() {
        let (session, playhead) = start();
        let (session, playhead) = session.applied(&set(Field::A, "1,2,3"), playhead);
        assert!(session.problem(Field::B).is_some(), "B is still to come");
        let (session, playhead) = session.applied(&set(Field::B, "1;2"), playhead);
        assert!(!session.problems.is_empty());
        let (session, _) = session.applied(&set(Field::B, "1;2;3"), playhead);
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
        let (session, playhead) = session.applied(&Action::Select(Some(PeId::new(3, 3))), playhead);
        let (session, _) = session.applied(&set(Field::Rows, "2"), playhead);
        assert_eq!(session.view.selected, None);
    }

    #[test]
    fn the_link_of_a_state_opens_the_same_state() {
        let (session, playhead) = start();
        let (session, playhead) = session.applied(&set(Field::A, "1,2;3,4"), playhead);
        let (session, playhead) = session.applied(&set(Field::B, "5,6;7,8"), playhead);
        let (session, playhead) = session.applied(&Action::Move(Transport::Seek(5)), playhead);
        let (session, playhead) = session.applied(&Action::Select(Some(PeId::new(1, 0))), playhead);
        let (query, fragment) = session.link(&playhead).to_parts();
        let (again, moment) = Session::open(&Link::parse(&query, &fragment));
        assert_eq!(again.plan, session.plan);
        assert_eq!((again.view, moment.cycle), (session.view, Cycle(5)));
        assert_eq!(again.notices, []);
    }

    #[test]
    fn a_mistake_in_a_field_that_no_longer_counts_is_forgiven() {
        let (session, playhead) = start();
        let (session, playhead) = session.applied(&set(Field::Fill, "custom"), playhead);
        let (session, playhead) = session.applied(&set(Field::A, "1,x"), playhead);
        assert!(session.is_stale());
        let (session, playhead) = session.applied(&set(Field::Fill, "small"), playhead);
        assert_eq!(session.problems, []);
        assert!(!session.is_stale());
        let (session, _) = session.applied(&set(Field::Rows, "banana"), playhead);
        assert!(!session.is_stale(), "what is shown is what is set");
        assert_eq!(session.problems.len(), 1);
    }

    #[test]
    fn a_link_whose_matrices_do_not_fit_keeps_them_to_be_mended() {
        let (session, playhead) = Session::open(&Link::parse("rows=8&cols=8&df=os&fill=custom", "a=1,2;3,4"));
        assert!(session.is_stale() && !session.notices.is_empty());
        assert_eq!((session.scenario.rows, session.scenario.m, session.scenario.k), (8, 2, 2));
        assert_eq!((session.plan.schedule().array().rows(), session.plan.schedule().gemm().m()), (8, 2), "of its size");
        let (session, _) = session.applied(&set(Field::B, "1;2"), playhead);
        assert!(!session.is_stale());
        assert_eq!(session.notices, [], "what is mended is no longer told");
        assert_eq!(session.plan.schedule().array().rows(), 8);
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
        prop_oneof![
            (prop::sample::select(&Field::ALL[..]), text).prop_map(|(field, text)| Action::Set(field, text)),
            moves.prop_map(Action::Move),
            any::<f64>().prop_map(Action::Elapse),
            any::<(u32, u32)>().prop_map(|(row, col)| Action::Select(Some(PeId::new(row % 9, col % 9)))),
            "[ -~]{0,20}".prop_map(|text| Action::Keep("cmp", text)),
            "[ -~]{0,60}".prop_map(|query| Action::Open(Link::parse(&query, ""))),
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
                    (session, playhead) = session.applied(action, playhead);
                    prop_assert!(playhead.cycle <= session.plan.last());
                    let running = session.problems.is_empty();
                    prop_assert!(!running || !session.is_stale());
                    // What the workbench reads from the link is read without harm, whatever it says.
                    let second = crate::compare::Other::parse(session.kept("cmp")).plan(session.plan.scenario());
                    prop_assert!(second.is_ok() || !session.kept("cmp").is_empty());
                    prop_assert!(session.view.selected.is_none_or(|pe| session.plan.schedule().array().contains(pe)));
                }
                Ok(())
            })
            .expect("total");
    }
}
