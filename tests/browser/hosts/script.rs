//! Script of 40 steps that every host passes, and its twin: the same steps without a browser, which give the answers
//! that the page must give.
//!
//! The twin runs `protocol` on this machine. A test compares its counts with closed forms of `systolic`.

use lesson::{Answer, Card, Lesson, LessonPlace, course};
use protocol::{Failure, Request};
use serde_json::{Value, json};
use studio::{Action, LearnPage, Link, Playhead, Session};

/// Link to the run that the script begins with.
pub(super) const FIRST: &str = "?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7&ui=embed";
/// Link to a task whose goal needs only settings: a utilization of at least one half.
pub(super) const TASK: &str = "?learn=challenges-first.1&ui=embed";
/// Link to a question that asks for a number.
pub(super) const QUESTION: &str = "?learn=multiply.2&ui=embed";

/// Step of the script.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Call of a protocol method with these parameters.
    Ask(&'static str, Value),
    /// Link to open; an empty link means the link that the twin has kept.
    Open(String),
    /// Right number for the question, typed and locked in.
    Answer,
}

/// Number of steps in the script.
pub(super) const N_STEPS: usize = 40;
/// Number of steps that only a host can take, because the page has no control for them.
pub(super) const FOR_HOSTS_ALONE: usize = 8;

pub(super) fn steps() -> Vec<Step> {
    let ask = |method, params| Step::Ask(method, params);
    let set = |settings: Value| Step::Ask("setState", json!({ "settings": settings }));
    let export = |file: &str| Step::Ask("export", json!({ "as": file }));
    vec![
        Step::Open(FIRST.to_owned()),
        // Read.
        ask("getState", json!({})),
        ask("describe", json!({})),
        ask("measure", json!({})),
        // Step.
        ask("step", json!({})),
        ask("step", json!({ "by": 3 })),
        ask("step", json!({ "by": -2 })),
        ask("step", json!({ "by": 0 })),
        // Seek.
        ask("seek", json!({ "cycle": 5 })),
        ask("seek", json!({ "to": "end" })),
        ask("seek", json!({ "to": "previous-event" })),
        ask("seek", json!({ "to": "start" })),
        ask("seek", json!({ "to": "next-event" })),
        ask("seek", json!({ "cycle": 9999 })),
        // Set.
        set(json!({ "m": 64 })),
        ask("result", json!({})),
        set(json!({ "df": "os" })),
        ask("registers", json!({ "cycle": 5 })),
        set(json!({ "rows": 8, "cols": 8 })),
        ask("measure", json!({})),
        set(json!({ "rows": 0 })),
        ask("getState", json!({})),
        set(json!({ "zebra": 1 })),
        set(json!({ "rows": 4, "cols": 4, "m": 6, "df": "ws" })),
        // Export.
        export("svg"),
        export("tikz"),
        export("csv"),
        export("json"),
        export("perfetto"),
        export("vcd"),
        export("bmp"),
        ask("zap", json!({})),
        ask("seek", json!({ "cycle": 9 })),
        ask("ping", json!({})),
        // Predict: a task that the host itself meets, and a question that a person answers by hand.
        Step::Open(TASK.to_owned()),
        set(json!({ "m": right_m() })),
        Step::Open(QUESTION.to_owned()),
        Step::Answer,
        // Restore.
        Step::Open(String::new()),
        ask("getState", json!({})),
    ]
}

/// Returns the card at a place.
pub(super) fn card(place: &str) -> Card {
    let place = LessonPlace::parse(place).expect("a place");
    let lesson = course::text(&place.lesson).and_then(|text| Lesson::read(text).ok()).expect("a lesson");
    lesson.card(place.card).cloned().expect("a card")
}

/// Right answer to the question, as a person types it.
pub(super) fn right_answer() -> String {
    let card = card("multiply.2");
    let question = card.question.as_ref().expect("a question");
    match question.right(&card.scene()) {
        Ok(Answer::Number(number)) => display::number::significant(number, 4),
        other => panic!("{other:?} is no number"),
    }
}

/// Smallest number of rows of A with which at least half of the PE-cycles in the task are useful. M·N·K PE-cycles are
/// useful. The run has 2·R + C + M − 2 cycles for the load, the wavefront and the rows of A (SCALE-Sim,
/// weight-stationary, one fold).
pub(super) fn right_m() -> u64 {
    let (rows, cols, k, n) = (4, 4, 4, 3);
    (1..).find(|m| 2 * m * n * k >= rows * cols * (2 * rows + cols + m - 2)).expect("there is one")
}

/// Twin of the page: the playground without a browser.
pub(super) struct Twin {
    pub(super) session: Session,
    pub(super) playhead: Playhead,
    /// Link to which the script returns.
    kept: String,
}

impl Twin {
    pub(super) fn new() -> Self {
        let (session, playhead) = Session::open(&Link::default());
        Self { session, playhead, kept: String::new() }
    }

    /// Link that a step opens: its own link, or the link that was kept before the cards.
    pub(super) fn link(&self, step: &str) -> String {
        if step.is_empty() { self.kept.clone() } else { step.to_owned() }
    }

    pub(super) fn open(&mut self, link: &str) {
        let (query, fragment) = link.split_once('#').unwrap_or((link, ""));
        let link = Link::parse(query, fragment);
        // A card brings its own state.
        let state = link.tools.learn.as_ref().and_then(LearnPage::card).map(|place| card(&place.card_text()).state);
        let mut opened = state.unwrap_or_else(|| link.clone());
        (opened.tools.learn, opened.view) = (link.tools.learn.clone(), link.view);
        (self.session, self.playhead) = Session::open(&opened);
    }

    /// Answers a request in the form of the element: `{ok}` or `{error}`.
    pub(super) fn ask(&mut self, method: &str, params: &Value) -> Value {
        match self.answer(method, params) {
            Ok(result) => {
                if self.session.tools.learn.is_none() {
                    self.kept = self.to_link();
                }
                json!({ "ok": result })
            }
            Err(failure) => json!({ "error": { "code": failure.code.id(), "path": failure.path, "given": failure.given,
                                               "allowed": failure.allowed, "message": failure.message } }),
        }
    }

    fn answer(&mut self, method: &str, params: &Value) -> Result<Value, Failure> {
        let request = Request::read(method, params)?;
        for action in request.actions(&self.session)? {
            match action {
                Action::Edit(edit) => {
                    (self.session, self.playhead, _) = self.session.clone().applied(&edit, self.playhead);
                }
                Action::Move(transport) => self.playhead = self.playhead.moved(transport, &self.session.plan),
                Action::Elapse(_) => {}
            }
        }
        request.answer(&self.session, &self.playhead).map(protocol::Answer::whole)
    }

    pub(super) fn to_link(&self) -> String {
        let (query, fragment) = self.session.link(&self.playhead).to_parts();
        if fragment.is_empty() { format!("?{query}") } else { format!("?{query}#{fragment}") }
    }
}

#[test]
fn the_script_has_forty_steps_of_each_kind_and_its_twin_counts_as_the_closed_forms_do() {
    let (steps, mut twin, mut methods) = (steps(), Twin::new(), std::collections::BTreeSet::new());
    assert_eq!(steps.len(), N_STEPS);
    let mut n_refused = 0;
    for step in &steps {
        match step {
            Step::Open(link) => twin.open(&twin.link(link)),
            Step::Answer => {}
            Step::Ask(method, params) => {
                methods.insert(*method);
                let answer = twin.ask(method, params);
                n_refused += usize::from(answer.get("error").is_some());
                if *method == "measure" {
                    let schedule = twin.session.plan.schedule();
                    let of = |name: &str| answer["ok"][name].as_u64().expect("a number");
                    let size = |name: &str| twin.ask_settings()[name].as_u64().expect("a size");
                    assert_eq!(of("useful"), size("m") * size("k") * size("n"));
                    assert_eq!(of("pe_cycles"), of("cycles") * size("rows") * size("cols"));
                    assert_eq!(of("cycles"), schedule.cycles().get());
                }
            }
        }
    }
    assert_eq!(n_refused, 6, "errors are answers too");
    let known = protocol::Method::NAMES.into_iter().filter(|name| !matches!(*name, "play" | "pause"));
    assert!(known.into_iter().all(|name| methods.contains(name)), "{methods:?}");
    // The task as the lesson has it.
    let (task, met) = (card("challenges-first.1"), right_m());
    for (m, is_met) in [(met - 1, false), (met, true)] {
        let plan = lesson::evaluate::plan_with(&task.plan, &[(studio::Field::M, studio::FieldValue::Count(m))])
            .expect("a run");
        let scene = lesson::Scene::new(&plan, task.state.cycle);
        assert_eq!(task.change.as_ref().expect("a task").is_met(&scene), is_met, "M = {m}");
    }
}

impl Twin {
    fn ask_settings(&self) -> Value {
        let request = Request::read("getState", &Value::Null).expect("a method");
        request.answer(&self.session, &self.playhead).expect("a state").whole()["settings"].clone()
    }
}
