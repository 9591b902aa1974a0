//! A comparison of two runs: the second run is next to the first run, and one clock moves both runs.

use plain::OrEmpty;
use std::sync::Arc;

use leptos::html::Canvas;
use leptos::prelude::*;
use studio::compare::{self, Clock, Other};
use studio::{Action, Edit, Plan, Tool};
use systolic::Cycle;
use words::legend::{self, Entry};
use words::{bench, caption, compare as said, label, message, present};

use super::more::{LinkText, More};
use crate::browser::lines;
use crate::ctx::{Ctx, Text, memo, text_from, use_ctx};
use crate::effects::{paint, presentation, theme};
use crate::panels::{Prose, shape_path};
use crate::ui::{Choice, FieldProblem, fixed_table};

/// Returns a memo of the second run that the link describes, if the link contains a second run.
fn other(ctx: Ctx) -> Memo<Option<Other>> {
    Memo::new(move |_| ctx.session().with(|session| session.tools.compare.clone()))
}

/// Returns a memo of the second run's plan, or of the problems that prevent the run.
fn second(ctx: Ctx, other: Memo<Option<Other>>) -> Memo<Option<Result<Arc<Plan>, String>>> {
    Memo::new(move |_| {
        let other = other.get()?;
        Some(ctx.plan.with(|first| match other.plan(first.scenario()) {
            Ok(plan) => Ok(Arc::new(plan)),
            Err(problems) => Err(problems.iter().map(message::problem).collect::<Vec<_>>().join(" ")),
        }))
    })
}

/// Returns a memo of the second run's plan, with the cycle that is shown.
fn second_run(ctx: Ctx) -> Memo<Option<(Arc<Plan>, Cycle)>> {
    let other = other(ctx);
    Memo::new(move |_| {
        let (other, plan) = (other.get()?, ctx.tools.second.get()?);
        let cycle = ctx.plan.with(|first| other.cycle(first, ctx.cycle.get(), &plan));
        Some((plan, cycle))
    })
}

/// The array view of the second run.
#[component]
pub(crate) fn OtherStage() -> impl IntoView {
    let ctx = use_ctx();
    // The style sheet of the tools defines the colors of new shades. This array view is drawn first, so it requests the
    // repaint.
    theme::renew();
    let shown = second_run(ctx);
    let exists = Memo::new(move |_| shown.with(Option::is_some));
    move || {
        exists.get().then(|| {
            let canvas: NodeRef<Canvas> = NodeRef::new();
            paint::other_stage(canvas, ctx, shown);
            let label = text_from(move || {
                shown.with(|shown| {
                    shown.as_ref().map_or_else(String::new, |(plan, cycle)| {
                        format!("{}. {}", label::headline(plan), caption::moment(plan, *cycle))
                    })
                })
            });
            let [first, second] = titles(ctx);
            // A presentation shows the cycle below both runs, so it is omitted here.
            let moment =
                move |plan: &Plan, at: Cycle| if ctx.presents() { String::new() } else { said::moment(plan, at) };
            let second_moment = text_from(move || {
                shown.with(|shown| shown.as_ref().map_or_else(String::new, |(plan, at)| moment(plan, *at)))
            });
            view! {
                <p class="banner" id="first-name">
                    <strong>{first}</strong> " " <span>{ways(ctx, false)}</span> " " {ctx.text_of_moment(moment)}
                </p>
                <SecondLegend />
                <div class="stage other" id="other" role="img" aria-label=label>
                    <canvas node_ref=canvas aria-hidden="true"></canvas>
                    <p class="banner" aria-hidden="true">
                        <strong>{second}</strong> " " <span>{ways(ctx, true)}</span> " " {second_moment}
                    </p>
                </div>
            }
        })
    }
}

/// Returns the name and the length of each of the two runs.
fn titles(ctx: Ctx) -> [Text; 2] {
    [0, 1].map(|nth| {
        text_from(move || {
            ctx.tools.second.with(|second| {
                let Some(second) = second else { return String::new() };
                ctx.plan.with(|first| {
                    let [one, other] = said::names(first, second);
                    let (name, plan) = if nth == 0 { (&one, &**first) } else { (&other, &**second) };
                    match ctx.presents() {
                        true => present::title_of_run(name, plan, presentation::shows_mfu(ctx)),
                        false => said::title(name, plan),
                    }
                })
            })
        })
    })
}

/// Returns a text with the path of each value in a run. Only a wall shows this text, because it has no legends. The
/// text is empty on the page.
fn ways(ctx: Ctx, is_second: bool) -> Text {
    text_from(move || match ctx.tools.second.get().filter(|_| ctx.presents()) {
        Some(second) if is_second => present::ways(&second),
        Some(_) => ctx.plan.with(|plan| present::ways(plan)),
        None => String::new(),
    })
}

/// The legend of the second run, with the role of each shape.
#[component]
fn SecondLegend() -> impl IntoView {
    let ctx = use_ctx();
    let entries = move || ctx.tools.second.with(|second| second.as_ref().map(|second| legend::entries(second)));
    let items = move || {
        let item = |entry: Entry| {
            view! {
                <li class=entry.shape.id()>
                    <svg viewBox="0 0 22 14" aria-hidden="true"><path d=shape_path(entry.shape)></path></svg>
                    <b>{entry.letter}</b>
                    " "
                    {entry.does}
                </li>
            }
        };
        entries().into_iter().flatten().map(item).collect_view()
    };
    view! { <div class="shapes second"><ul>{items}</ul></div> }
}

/// The timeline of the second run, below the timeline of the first run. If the clock shows both runs at equal cycles,
/// both timelines have the same scale.
#[component]
pub(crate) fn OtherLine() -> impl IntoView {
    let ctx = use_ctx();
    let shown = second_run(ctx);
    let exists = Memo::new(move |_| shown.with(Option::is_some));
    let clock = Memo::new(move |_| {
        ctx.session().with(|session| session.tools.compare.as_ref().map_or(Clock::default(), |other| other.clock))
    });
    let names = move |nth: usize| {
        text_from(move || {
            ctx.tools.second.with(|second| {
                let Some(second) = second else { return String::new() };
                let [one, other] = ctx.plan.with(|first| said::names(first, second));
                if nth == 0 { one } else { other }
            })
        })
    };
    let widths = Memo::new(move |_| {
        let second = ctx.tools.second.get();
        ctx.plan.with(|first| second.map_or((100, 100), |second| compare::widths(first, &second, clock.get())))
    });
    lines::follow(widths);
    move || {
        exists.get().then(|| {
            let canvas: NodeRef<Canvas> = NodeRef::new();
            paint::other_timeline(canvas, ctx, shown);
            view! {
                <p class="run-name first">{names(0)}</p>
                <p class="run-name second">{names(1)}</p>
                <div class="timeline second"><canvas node_ref=canvas aria-hidden="true"></canvas></div>
            }
        })
    }
}

/// The choice of the second run and its clock, and a table that compares both runs.
#[component]
pub(crate) fn Compare() -> impl IntoView {
    let ctx = use_ctx();
    let other = other(ctx);
    let second = second(ctx, other);
    let keep = move |text: String| ctx.dispatch(&Action::Edit(Edit::Tool(Tool::Compare, text)));
    let ready = bench::COMPARISONS
        .iter()
        .chain([&bench::COMPARE_OTHER])
        .map(|(text, name)| (*text, (*name).to_owned()))
        .collect();
    let text = move || other.get().map_or_else(String::new, |other| other.to_text());
    // The second run without its clock.
    let which = move || Other { clock: Clock::default(), ..other.get().unwrap_or_default() }.to_text();
    let known = memo(move || {
        let which = which();
        let found = bench::COMPARISONS.iter().find(|(known, _)| Other::parse(known).to_text() == which);
        found.map_or(bench::COMPARE_OTHER.0, |(known, _)| *known)
    });
    let is_other = memo(move || known.get() == bench::COMPARE_OTHER.0);
    let clock = text_from(move || other.get().unwrap_or_default().clock.id().to_owned());
    let clocks = Clock::ALL.map(|clock| (clock.id(), bench::clock(clock).to_owned())).to_vec();
    let problem = text_from(move || {
        let unknown = || other.get().and_then(|other| message::unknown_parts(&other)).or_empty();
        second.get().and_then(Result::err).unwrap_or_else(unknown)
    });
    let difference = text_from(move || {
        let (Some(second), Some(other)) = (ctx.tools.second.get(), other.get()) else { return String::new() };
        ctx.plan.with(|first| {
            let goes_on = said::goes_on(first, &other, &second).map(|words| format!(" {words}"));
            said::difference(first, &second) + goes_on.as_deref().unwrap_or("")
        })
    });
    let rows = move || {
        let Some(Ok(second)) = second.get() else { return ().into_any() };
        let rows = ctx.plan.with(|first| said::rows(first, &second));
        let rows = rows.into_iter().map(|row| (row.better.is_some(), row.cells().to_vec())).collect();
        view! {
            {fixed_table(&bench::COMPARE_HEADS, rows)}
            <p class="hint">{said::BETTER_HINT}</p>
        }
        .into_any()
    };
    view! {
        <div class="bench" id="compare">
            <Choice
                id="cmp-ready"
                label=bench::COMPARE_WITH
                options=ready
                value=text_from(move || known.get().to_owned())
                on_change=Box::new(move |text| {
                    // A person who chooses this option types settings into the text field. The option itself changes
                    // nothing.
                    if text == bench::COMPARE_OTHER.0 {
                        return;
                    }
                    let clock = other.get_untracked().unwrap_or_default().clock;
                    let chosen = Other { clock, ..Other::parse(&text) };
                    keep(if text.is_empty() { text } else { chosen.to_text() });
                })
            />
            <FieldProblem id="cmp" text=problem />
            <Choice
                id="cmp-clock"
                label=bench::COMPARE_CLOCK
                options=clocks
                value=clock
                on_change=Box::new(move |id| {
                    let mut other = other.get_untracked().unwrap_or_default();
                    other.clock = Clock::ALL.into_iter().find(|clock| clock.id() == id).unwrap_or(other.clock);
                    keep(other.to_text());
                })
            />
            <p id="difference"><Prose text=difference /></p>
            {rows}
            <More id="cmp-more" is_needed=is_other>
                <LinkText id="cmp" label=bench::COMPARE_FIELDS placeholder="df=os&rows=8" value=text_from(text) on_change=Box::new(keep) />
            </More>
        </div>
    }
}
