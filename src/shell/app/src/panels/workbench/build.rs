//! Building a dataflow: the move of each matrix, the delays of rows and columns, and what the array then computes.

use core::cell::{Cell, RefCell};
use core::time::Duration;
use std::collections::BTreeSet;
use std::sync::Arc;

use leptos::html::Canvas;
use leptos::prelude::*;
use plain::OrEmpty;
use studio::{Action, Built, Edit, Field, FieldValue, Tool, Transport};
use systolic::flow::{Along, Flow, FlowRun, Goal, Move};
use systolic::{Drain, Operand};
use words::{flow, label, message};

use crate::browser::kept::Kept;
use crate::browser::timer::later;
use crate::ctx::{Ctx, text_from, use_ctx};
use crate::effects::paint;
use crate::navigation;
use crate::ui::{Choice, FieldProblem};

/// Time of a cycle during playback.
const CYCLE: Duration = Duration::from_millis(700);
/// Delays of a row or a column.
const DELAYS: [&str; 3] = ["0", "1", "2"];

thread_local! {
    /// State of the open tool.
    static OPEN: Cell<Option<State>> = const { Cell::new(None) };
    /// Flows that a person has found, each with the goal before it. `None` before the stored list is read.
    static FOUND: RefCell<Option<BTreeSet<String>>> = const { RefCell::new(None) };
}

/// Adds a flow to those that a person has found for a goal, and returns the number of flows found for this goal.
fn found(goal: Goal, flow: Option<Flow>, is_kept: bool) -> u64 {
    FOUND.with_borrow_mut(|found| {
        let stored = || Kept::Flows.read().split(' ').filter(|one| one.contains(':')).map(str::to_owned).collect();
        let all = found.get_or_insert_with(|| if is_kept { stored() } else { BTreeSet::new() });
        let of_goal = [goal.id(), ":"].concat();
        if flow.is_some_and(|flow| all.insert([&of_goal, flow.to_string().as_str()].concat())) && is_kept {
            Kept::Flows.write(&all.iter().map(String::as_str).collect::<Vec<_>>().join(" "));
        }
        all.iter().filter(|one| one.starts_with(&of_goal)).count() as u64
    })
}

/// The tool's state: the flow with its cycle, and its run.
#[derive(Clone, Copy)]
struct State {
    ctx: Ctx,
    built: Memo<Option<Built>>,
    run: Memo<Option<Arc<FlowRun>>>,
    plays: RwSignal<bool>,
}

impl State {
    fn new(ctx: Ctx) -> Self {
        let built = Memo::new(move |_| ctx.session().with(|session| session.tools.built));
        let flow = Memo::new(move |_| built.get().map(|built| built.flow));
        let run = Memo::new(move |_| {
            let seed = ctx.session().with(|session| session.scenario.seed);
            Built { flow: flow.get()?, cycle: None }.run(seed).map(Arc::new)
        });
        Self { ctx, built, run, plays: RwSignal::new(false) }
    }

    /// Returns a text made from the run and the shown cycle; empty without a run.
    fn text(self, made: impl Fn(&FlowRun, u64) -> String + Send + Sync + 'static) -> crate::ctx::Text {
        text_from(move || {
            let run = self.run.get();
            run.map_or_else(String::new, |run| made(&run, self.cycle(&run)))
        })
    }

    fn cycle(self, run: &FlowRun) -> u64 {
        self.built.get().map_or(0, |built| built.cycle_of(run))
    }

    /// Changes the flow. The page then shows the first fault.
    fn change(self, change: impl Fn(&mut Flow)) {
        // If there is no readable flow, a choice changes the first built-in flow.
        if let Some(mut built) = self.built.get_untracked().or_else(|| Built::parse(Built::FIRST)) {
            change(&mut built.flow);
            self.take(Built { cycle: None, ..built }.to_text());
        }
    }

    fn take(self, text: String) {
        self.plays.set(false);
        self.ctx.dispatch(&Action::Edit(Edit::Tool(Tool::Flow, text)));
    }

    fn show(self, cycle: u64) {
        self.ctx.dispatch(&Action::Edit(Edit::ShowBuilt(cycle)));
    }

    /// Moves by some cycles. Returns false at the end.
    fn step(self, by: i64) -> bool {
        let Some(run) = self.run.get_untracked() else { return false };
        let last = run.n_cycles().saturating_sub(1);
        let cycle = untrack(|| self.cycle(&run));
        let to = cycle.saturating_add_signed(by).min(last);
        self.show(to);
        to < last
    }

    /// Plays until the last cycle, or until a person stops.
    fn play(self) {
        later(
            move || {
                if self.plays.try_get_untracked() == Some(true) {
                    if self.step(1) { self.play() } else { self.plays.set(false) }
                }
            },
            CYCLE,
        );
    }

    fn go_to(self, cycle: u64) {
        self.plays.set(false);
        let last = self.run.get_untracked().map_or(0, |run| run.n_cycles().saturating_sub(1));
        self.show(cycle.min(last));
    }

    /// Starts or stops playback. At the end, playback starts again.
    fn toggle(self) {
        let plays = !self.plays.get_untracked();
        self.plays.set(plays);
        if plays {
            let run = self.run.get_untracked();
            if run.is_some_and(|run| untrack(|| self.cycle(&run)) + 1 >= run.n_cycles()) {
                self.show(0);
            }
            self.play();
        }
    }
}

/// Moves through the cycles of the built dataflow. Returns false if its tool is not open.
pub(crate) fn move_built(request: Transport) -> bool {
    let Some(state) = OPEN.get() else { return false };
    let by = |cycles: u64| i64::try_from(cycles).unwrap_or(i64::MAX);
    let stop = |by: i64| {
        state.plays.set(false);
        state.step(by);
    };
    match request {
        Transport::Toggle => state.toggle(),
        Transport::Play | Transport::Pause => {
            if state.plays.get_untracked() != (request == Transport::Play) {
                state.toggle();
            }
        }
        Transport::Forward(cycles) => stop(by(cycles)),
        Transport::Back(cycles) => stop(-by(cycles)),
        Transport::NextEvent => stop(1),
        Transport::PreviousEvent => stop(-1),
        Transport::Seek(cycle) => state.go_to(cycle),
        Transport::Home => state.go_to(0),
        Transport::End => state.go_to(u64::MAX),
        Transport::Speed(_) => return false,
    }
    true
}

/// Ids of the choices. They differ for a lesson card and for the tool, because both can show these choices at once.
#[derive(Clone, Copy)]
struct Ids {
    moves: [&'static str; 3],
    delays: [&'static str; 2],
}

impl Ids {
    const TOOL: Self = Self { moves: ["move-a", "move-b", "move-sums"], delays: ["row-delay", "col-delay"] };
    const CARD: Self =
        Self { moves: ["card-move-a", "card-move-b", "card-move-sums"], delays: ["card-row-delay", "card-col-delay"] };
}

/// The choice of the move of one matrix.
#[component]
fn MoveChoice(state: State, operand: Operand, ids: Ids) -> impl IntoView {
    let options = Move::ALL.map(|motion| (motion.id(), flow::motion(operand, motion).to_owned())).to_vec();
    let value = text_from(move || state.built.get().map_or("", |built| built.flow.of(operand).id()).to_owned());
    let id = ids.moves[operand as usize];
    let change = move |id: String| {
        let Some(motion) = Move::from_id(&id) else { return };
        state.change(|flow| match operand {
            Operand::A => flow.a = motion,
            Operand::B => flow.b = motion,
            Operand::C => flow.sums = motion,
        });
    };
    view! { <Choice id label=flow::heading(operand) options value on_change=Box::new(change) /> }
}

/// The choice of the delay of rows or of columns.
#[component]
fn DelayChoice(state: State, along: Along, ids: Ids) -> impl IntoView {
    let options = DELAYS.into_iter().zip(0..).map(|(id, delay)| (id, flow::wait(along, delay))).collect();
    let of = move |flow: &Flow| if along == Along::Row { flow.row_delay } else { flow.col_delay };
    let value = text_from(move || state.built.get().map_or_else(String::new, |built| of(&built.flow).to_string()));
    let [row, col] = ids.delays;
    let (id, label) = if along == Along::Row { (row, flow::ROWS) } else { (col, flow::COLS) };
    let change = move |text: String| {
        let Ok(delay) = text.parse() else { return };
        state.change(|flow| if along == Along::Row { flow.row_delay = delay } else { flow.col_delay = delay });
    };
    view! { <Choice id label options value on_change=Box::new(change) /> }
}

/// The five choices.
#[component]
fn Choices(state: State, ids: Ids) -> impl IntoView {
    view! {
        <MoveChoice state operand=Operand::A ids />
        <MoveChoice state operand=Operand::B ids />
        <MoveChoice state operand=Operand::C ids />
        <DelayChoice state along=Along::Row ids />
        <DelayChoice state along=Along::Col ids />
    }
}

/// The choices and the first fault, for a lesson card.
#[component]
pub(crate) fn OwnFlow() -> impl IntoView {
    let state = State::new(use_ctx());
    let fault = text_from(move || {
        let run = state.run.get();
        run.and_then(|run| Some(flow::fault(&run, &run.first_fault()?))).or_empty()
    });
    view! {
        <div id="card-flow">
            <Choices state ids=Ids::CARD />
            <FlowSteps />
            <p class="hint" role="status">{fault}</p>
        </div>
    }
}

/// Buttons that move through the cycles, for a lesson card.
#[component]
pub(crate) fn FlowSteps() -> impl IntoView {
    let state = State::new(use_ctx());
    let step = move |by: i64| {
        state.step(by);
    };
    view! {
        <div class="built-buttons">
            <button type="button" aria-label=label::BACK title=label::BACK on:click=move |_| step(-1)>"◀"</button>
            <button type="button" aria-label=label::FORWARD title=label::FORWARD on:click=move |_| step(1)>"▶"</button>
            <span role="status">{state.text(flow::clock)}</span>
        </div>
    }
}

/// Place and cycle of each matrix as formulas. Terms in which two matrices differ are marked.
fn formulas(run: &FlowRun) -> impl IntoView + use<> {
    let each = flow::where_and_when(run).into_iter().map(|one| {
        let terms = one.cycle.into_iter().map(|term| {
            if term.differs {
                view! { " " <mark>{term.text}</mark> }.into_any()
            } else {
                view! { " " {term.text} }.into_any()
            }
        });
        let terms = terms.collect_view();
        view! { <p>{[one.name, " is in ", &one.place, " in cycle"].concat()} {terms}</p> }
    });
    let conclusion = flow::conclusion(&run.flow().verdict(run.gemm()));
    view! { {each.collect_view()} <p><strong>{conclusion}</strong></p> }
}

/// C as the array computes it.
fn matrix(run: &FlowRun) -> impl IntoView + use<> {
    let n = run.gemm().n();
    let rows = (0..run.gemm().m()).map(|m| {
        let cells = (0..n).map(|col| {
            let at = usize::try_from(m * n + col).unwrap_or(usize::MAX);
            let value = run.c().get(at).copied().flatten();
            let text = value.map_or_else(|| "–".to_owned(), flow::number);
            view! { <td class:wrong=!run.is_sum_right(m, col)>{text}</td> }
        });
        view! { <tr>{cells.collect_view()}</tr> }
    });
    view! { <table class="built-c"><caption>{flow::C}</caption><tbody>{rows.collect_view()}</tbody></table> }
}

/// The goals, with what has been found.
fn goals(run: &FlowRun, is_kept: bool) -> impl IntoView + use<> {
    let each = Goal::ALL.map(|goal| {
        let n = found(goal, Some(run.flow()).filter(|_| goal.is_reached(run)), is_kept);
        let [first, second] = flow::hints(goal);
        let is_found = n > 0;
        view! {
            <details name="goal" class:found=is_found>
                <summary>
                    <span aria-hidden="true">{if is_found { "✓ " } else { "○ " }}</span>
                    {flow::goal(goal)}
                    " "
                    <small>{flow::progress(goal, n)}</small>
                </summary>
                <p>{flow::goal_verdict(goal, run)}</p>
                <p>{first}</p>
                <p>{second}</p>
            </details>
        }
    });
    each.collect_view()
}

/// The verdict on a flow: the sums, the first fault, figures, and which dataflow it is.
fn verdict(state: State, run: &FlowRun) -> impl IntoView + use<> {
    let fault = run.first_fault();
    let said = fault.map(|fault| {
        view! { <h3>{flow::fault_title(&fault)}</h3> <p>{flow::fault(run, &fault)}</p> }
    });
    let known = run.flow().dataflow();
    let keep = known.map(|dataflow| {
        let keep = move |_| {
            navigation::close_panel(state.ctx);
            state.ctx.set_all(&[(Field::Dataflow, FieldValue::Dataflow(dataflow))]);
        };
        view! { <button type="button" class="remedy" id="keep-flow" on:click=keep>{flow::keep(dataflow)}</button> }
    });
    let to_fault = fault.map(|fault| {
        view! { <button type="button" class="remedy" id="to-fault" on:click=move |_| state.show(fault.cycle)>{flow::TO_FAULT}</button> }
    });
    let more =
        [flow::refusal(run.flow()), flow::equals(run.flow()), flow::why_every_other(run.flow()), flow::wires(run)];
    let is_right = run.n_wrong_sums() == 0;
    // A flow with a wrong sum shows its first fault only.
    let more = more.into_iter().enumerate().filter(|(nth, _)| is_right || *nth == 0).filter_map(|(_, text)| text);
    view! {
        <h2 class:wrong=!is_right>{flow::wrong_sums(run)}</h2>
        {said}
        {to_fault}
        {more.map(|text| view! { <p>{text}</p> }).collect_view()}
        {keep}
        {matrix(run)}
        <p>{flow::figures(run, Drain::InPlace)}</p>
    }
}

/// The tool with which a person builds a dataflow.
#[component]
pub(crate) fn Build() -> impl IntoView {
    let ctx = use_ctx();
    let problem = ctx.text(|session| session.tool_problem(Tool::Flow).map(message::tool));
    let state = State::new(ctx);
    // A link can open the tool without a flow. A flow that cannot be read has a notice, which must stay, so no other
    // flow replaces it.
    let is_empty = ctx.session().with_untracked(|session| session.tools.built.is_none() && session.notices.is_empty());
    if is_empty {
        later(move || state.take(Built::FIRST.to_owned()), Duration::ZERO);
    }
    OPEN.set(Some(state));
    on_cleanup(|| OPEN.set(None));
    let line = NodeRef::<Canvas>::new();
    paint::flow_timeline(line, ctx, state.run, Memo::new(move |_| state.run.get().map_or(0, |run| state.cycle(&run))));
    let of_run = move || state.run.get();
    let last = state.text(|run, _| (run.n_cycles().saturating_sub(1)).to_string());
    let now = state.text(|_, cycle| cycle.to_string());
    let seek = move |event| state.go_to(event_target_value(&event).parse().unwrap_or(0));
    let press = |request: Transport| {
        move_built(request);
    };
    view! {
        <div class="bench" id="build">
            <div class="built-choices">
                <p class="hint">{flow::ASKED}</p>
                <Choices state ids=Ids::TOOL />
                <FieldProblem id="flow" text=problem />
                <h3>{flow::WHERE_AND_WHEN}</h3>
                <div class="formulas">{move || of_run().map(|run| formulas(&run))}</div>
                <button type="button" class="remedy" id="flow-again" on:click=move |_| state.take(Built::FIRST.to_owned())>{flow::AGAIN}</button>
            </div>
            <div class="built-foot">
                <div aria-live="polite">
                    <p class="built-headline">{state.text(|run, cycle| flow::caption(run, cycle).headline)}</p>
                    <p>{state.text(|run, cycle| flow::caption(run, cycle).sentence)}</p>
                </div>
                <canvas node_ref=line class="built-line" aria-hidden="true"></canvas>
                <div class="built-buttons">
                    <button type="button" aria-label=label::BACK title=label::BACK on:click=move |_| press(Transport::Back(1))>"◀"</button>
                    <button type="button" id="play-flow" aria-pressed=move || state.plays.get().to_string() on:click=move |_| press(Transport::Toggle)>
                        {move || if state.plays.get() { flow::PAUSE } else { label::PLAY_HERE }}
                    </button>
                    <button type="button" aria-label=label::FORWARD title=label::FORWARD on:click=move |_| press(Transport::Forward(1))>"▶"</button>
                    <input type="range" id="flow-cycle" min="0" max=last prop:value=now aria-label=label::SCRUBBER on:input=seek />
                    <span>{state.text(flow::clock)}</span>
                </div>
            </div>
            <div class="built-verdict">
                {move || of_run().map(|run| verdict(state, &run))} <h3 id="goals-title">{flow::GOALS}</h3>
                <div class="goals">{move || of_run().map(|run| goals(&run, !ctx.embedded()))}</div>
            </div>
        </div>
    }
}
