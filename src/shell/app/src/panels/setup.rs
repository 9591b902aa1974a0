//! The settings. A few settings are visible at a time. If a value cannot be used, a message next to the setting
//! explains why.

use display::words::format;
use leptos::prelude::*;
use perfmodel::F32Passes;
use studio::{Action, Edit, Feed, Field, FieldValue, FillKind, List, Lock, PaddingKind, Panel, Plan};
use systolic::{Adder, Dataflow, Dtype, KTiles, Load};
use words::{busy, figures, label, memory, message, timing};

mod cells;
mod grid;
mod size;

pub(crate) use self::cells::CellsOnStage;
pub(super) use self::cells::is_next_to_the_array;
pub(super) use self::grid::{MatrixGrid, SIDE_MAX, id as cell_id};
use self::size::Size;
use super::Prose;
use super::matrices::Matrices;
use crate::ctx::{Ctx, Text, memo, use_ctx};
use crate::effects::address;
use crate::ui::{Choice, Note, NumberField, PictureChoice, diagram};

pub(crate) fn text_of(ctx: Ctx, field: Field) -> Text {
    ctx.text(move |session| session.field_text(field))
}

pub(crate) fn problem_of(ctx: Ctx, field: Field) -> Text {
    ctx.text(move |session| session.problem(field).map(message::problem))
}

fn set(ctx: Ctx, field: Field) -> Box<dyn Fn(String)> {
    Box::new(move |text| ctx.dispatch(&Action::Edit(Edit::Type(field, text))))
}

/// A number field that sets a field of the scenario.
#[component]
pub(crate) fn Number(field: Field) -> impl IntoView {
    let ctx = use_ctx();
    view! {
        <NumberField
            id=field.id()
            label=label::field(field)
            help=label::field_help(field)
            text=text_of(ctx, field)
            problem=problem_of(ctx, field)
            on_input=set(ctx, field)
        />
    }
}

/// A list of choices that sets a field of the scenario.
#[component]
pub(crate) fn Pick(field: Field, options: Vec<(&'static str, String)>) -> impl IntoView {
    let ctx = use_ctx();
    // Each number format has its own glossary word.
    let format = memo(move || ctx.plan.with(|plan| plan.dtype().id()));
    let chosen = (field == Field::Dtype).then(|| view! { <span class="chosen">{move || format.get()}</span> });
    let heading = match field {
        Field::Dtype => label::NUMBER_FORMAT,
        Field::Padding => label::PADDING,
        _ => label::field(field),
    };
    let has_note = matches!(field, Field::Dtype | Field::Padding);
    let chosen_value = text_of(ctx, field);
    let note: Note = std::sync::Arc::new(move |value| {
        // The chosen value needs no note, because the panel of counts has its numbers.
        ctx.plan.with(|plan| match field {
            Field::Dtype | Field::Padding if chosen_value() == value => None,
            Field::Dtype => busy::format_in_menu(plan, value),
            Field::Padding => busy::in_menu(plan, field, value),
            _ => None,
        })
    });
    let heading = view! {
        <span class="caption" class:titled=has_note title=label::field_help(field)>
            {heading} " " {chosen}
        </span>
    };
    view! {
        <Choice
            id=field.id()
            label=label::field(field)
            help=label::field_help(field)
            heading=heading.into_any()
            options=options
            note
            value=text_of(ctx, field)
            problem=problem_of(ctx, field)
            on_change=set(ctx, field)
        />
    }
}

/// A choice among pictures that sets a field of the scenario.
#[component]
fn Pictures(
    field: Field,
    label: &'static str,
    options: Vec<(&'static str, &'static str, String)>,
    /// Technical term for the chosen value.
    word: fn(&Plan) -> String,
    /// The chosen value, if it is not the text of the field.
    #[prop(optional)]
    value: Option<Text>,
) -> impl IntoView {
    let ctx = use_ctx();
    let word = memo(move || ctx.plan.with(|plan| word(plan)));
    let note: Note = std::sync::Arc::new(move |value| ctx.plan.with(|plan| busy::in_menu(plan, field, value)));
    view! {
        <PictureChoice
            note=(field == Field::Dataflow).then_some(note)
            id=field.id()
            legend=label.into_any()
            help=label::field_help(field)
            chosen=(move || word.get()).into_any()
            options
            value=value.unwrap_or_else(|| text_of(ctx, field))
            problem=problem_of(ctx, field)
            on_change=set(ctx, field)
        />
    }
}

/// Returns a value for the attribute `hidden`: true while the condition is false. A hidden field keeps its typed text.
/// All returned functions have the same type.
pub(crate) fn unless(holds: Memo<bool>) -> std::sync::Arc<dyn Fn() -> bool + Send + Sync> {
    std::sync::Arc::new(move || !holds.get())
}

/// Returns a condition, which is true if the link locks a group of fields.
fn locked(ctx: Ctx, lock: Lock) -> std::sync::Arc<dyn Fn() -> bool + Send + Sync> {
    let is_locked = ctx.holds(move |session| session.view.lock.is_some_and(|list| list.has(lock)));
    std::sync::Arc::new(move || is_locked.get())
}

/// Value, in the choice of orders, for an order that a link lists.
const LISTED: &str = "listed";

/// The timing of folds: overlap, loading and draining.
#[component]
pub(crate) fn Timing() -> impl IntoView {
    let ctx = use_ctx();
    let loads = ctx.holds(|session| session.scenario.uses(Field::Load));
    let drains = ctx.holds(|session| session.scenario.uses(Field::Drain));
    // If a link names no load, its overlap determines the load.
    let load = ctx.text_of_plan(|plan| plan.schedule().design().load().id().to_owned());
    let choice = |value: FieldValue| Some((value.id()?, timing::name(&value), String::new()));
    let options = |field: Field| field.choices().filter_map(choice).collect();
    let loads_of = Load::ALL.map(|load| FieldValue::Load(Some(load))).into_iter().filter_map(choice).collect();
    // The order is a setting only for runs in which each sum consists of several whole tiles of k.
    let orders = ctx.holds(|session| {
        let (scenario, schedule) = (&session.scenario, session.plan.schedule());
        let is_whole = schedule.folds_per_result() > 1 && scenario.k % scenario.rows.max(1) == 0;
        scenario.uses(Field::KTiles) && (is_whole || scenario.k_tiles != KTiles::Up)
    });
    let named =
        KTiles::NAMED.map(|order| (order.name().unwrap_or_default(), label::design(&FieldValue::KTiles(order))));
    let of_link = ctx.session().with_untracked(|session| session.scenario.k_tiles);
    let choose = move |name: String| {
        let text = if name == LISTED { of_link.to_string() } else { name };
        ctx.dispatch(&Action::Edit(Edit::Type(Field::KTiles, text)));
    };
    let listed = of_link.name().is_none().then(|| (LISTED, label::design(&FieldValue::KTiles(of_link))));
    let orders_of = named.into_iter().chain(listed).map(|(id, name)| (id, name.to_owned())).collect();
    let order = ctx.text(|session| session.scenario.k_tiles.name().unwrap_or(LISTED).to_owned());
    view! {
        <fieldset class="group timing" disabled=locked(ctx, Lock::Design)>
            <Pictures field=Field::Overlap label=timing::HEADING options=options(Field::Overlap) word=timing::folds />
            <p class="hint" id="timing-says">{ctx.text_of_plan(timing::says)}</p>
            <div hidden=unless(loads)>
                <Pictures field=Field::Load label=timing::LOADING options=loads_of word=|_| String::new() value=load />
            </div>
            <div hidden=unless(orders)>
                <Choice id=Field::KTiles.id() label=label::field(Field::KTiles) help=label::field_help(Field::KTiles) options=orders_of value=order problem=problem_of(ctx, Field::KTiles) on_change=Box::new(choose) />
            </div>
            <div hidden=unless(drains)>
                <Pictures field=Field::Drain label=timing::RESULTS options=options(Field::Drain) word=|_| String::new() />
            </div>
        </fieldset>
    }
}

/// The number format, and the passes of an f32 matmul on a TPU.
#[component]
fn NumberFormat() -> impl IntoView {
    let ctx = use_ctx();
    let dtypes = Dtype::ALL.map(|one| (one.id(), label::dtype(one).to_owned())).to_vec();
    let passes = F32Passes::ALL.map(|one| (one.id(), format::passes(one).to_owned())).to_vec();
    let in_passes = memo(move || ctx.plan.with(|plan| plan.runs_in_passes()));
    let named = |value: FieldValue| (value.id().unwrap_or_default(), label::design(&value).to_owned());
    let [adders, results] = [Field::Adder, Field::Out].map(|field| field.choices().map(named).collect::<Vec<_>>());
    // The formats whose products some chip adds in blocks.
    let in_blocks = ctx.holds(|session| {
        let (dtype, adder) = (session.scenario.dtype, session.scenario.adder);
        adder != Adder::F32 || Adder::ALL.into_iter().any(|adder| adder.rule(dtype).is_some())
    });
    let is_rounded = ctx.holds(|session| !session.scenario.dtype.is_integer());
    view! {
        <fieldset class="group" disabled=locked(ctx, Lock::Format)>
            <Pick field=Field::Dtype options=dtypes />
            <p class="hint" id="format-says">{ctx.text_of_plan(figures::format_says)}</p>
            <div hidden=unless(in_passes)><Pick field=Field::Passes options=passes /></div>
            <div hidden=unless(in_blocks)>
                <Pick field=Field::Adder options=adders />
                <p class="hint" id="adder-says">{ctx.text_of_plan(message::adder_of)}</p>
            </div>
            <div hidden=unless(is_rounded)><Pick field=Field::Out options=results /></div>
        </fieldset>
    }
}

/// The form of all settings.
#[component]
pub(crate) fn Setup() -> impl IntoView {
    let ctx = use_ctx();
    let dataflows = Dataflow::ALL.map(|one| (one.id(), label::stays(one), diagram::dataflow(one))).to_vec();
    let paddings = PaddingKind::ALL.map(|one| (one.id(), label::padding(one).to_owned())).to_vec();
    let fills = FillKind::ALL.map(|one| (one.id(), label::fill(one).to_owned())).to_vec();
    let feeds = Feed::ALL.map(|one| (one.id(), label::design(&FieldValue::Feed(one)).to_owned())).to_vec();
    let multiple = ctx.holds(|session| session.scenario.padding == PaddingKind::MultipleOfM);
    let seeded = ctx.holds(|session| matches!(session.scenario.fill, FillKind::Small | FillKind::Uniform));
    let custom = ctx.holds(|session| session.scenario.fill == FillKind::Custom);
    // If the fields of the matrices are next to the array, the settings do not repeat them.
    let was_on_stage = Memo::new(move |was: Option<&bool>| was.copied().unwrap_or(false) || ctx.view.edits.get());
    let values = ctx.text(|session| {
        let seed = session.scenario.number(Field::Seed);
        let values = match session.scenario.fill {
            fill @ (FillKind::Small | FillKind::Uniform) => {
                format!("{}, seed {seed}", label::fill(fill).trim_end_matches(" random"))
            }
            fill => label::fill(fill).to_owned(),
        };
        if session.scenario.feed == Feed::OnChip { values } else { format!("{values}, {}", label::FROM_MEMORY) }
    });
    let some_locked = ctx.holds(|session| session.view.lock.is_some_and(|list| list != List::EMPTY));
    let stale = ctx.text(|session| if session.problems.is_empty() { "" } else { label::LAST_GOOD }.to_owned());
    // The effect of a change is below its field.
    let effect = move |fields: &'static [Field]| {
        ctx.text(move |session| {
            let trial = session.trial.as_ref().filter(|trial| fields.contains(&trial.field));
            let trial = trial.filter(|trial| session.problem(trial.field).is_none());
            trial.and_then(|trial| busy::effect(&session.plan, trial)).unwrap_or_default()
        })
    };
    view! {
        <section class="setup" id="setup" aria-label=label::SETUP tabindex="-1">
            <p class="hint" hidden=unless(some_locked)>{label::LOCKED}</p>
            <div class="glance-head">
                <h2>{label::PROBLEM}</h2>
                <span hidden=move || ctx.view.can_undo.get()>{label::PROBLEM_SIDES}</span>
                <button id="undo" type="button" title=label::UNDO_KEYS hidden=move || !ctx.view.can_undo.get() on:click=move |_| address::undo(ctx)>
                    {label::UNDO}
                </button>
            </div>
            <fieldset class="group" disabled=locked(ctx, Lock::Sizes)>
                <Size field=Field::M />
                <Size field=Field::K />
                <Size field=Field::N />
            </fieldset>
            <p class="effect" id="effect" role="status">{effect(&[Field::M, Field::K, Field::N])}</p>
            <p class="hint"><Prose text=ctx.text_of_plan(|plan| message::consequence(plan).join("\n")) /></p>
            <details class="more" id="values" open=move || custom.get() && !was_on_stage.get()>
                <summary>{label::VALUES} " " <span>{values}</span></summary>
                <fieldset class="group" disabled=locked(ctx, Lock::Numbers)>
                    <Pick field=Field::Fill options=fills />
                    <div class="field" hidden=unless(seeded)>
                        <span class="caption">{label::field(Field::Seed)}</span>
                        <span class="numbers"><Number field=Field::Seed /></span>
                    </div>
                    <div hidden=unless(custom)><Matrices /></div>
                </fieldset>
                <fieldset class="group" disabled=locked(ctx, Lock::Design)><Pick field=Field::Feed options=feeds /></fieldset>
                <p class="hint" id="feed-says"><Prose text=ctx.text_of_plan(memory::memory_feed_sentence) /></p>
            </details>
            <div class="glance-head">
                <h2>{label::ARRAY}</h2>
                <p class="effect" id="effect-of-sides" role="status">{effect(&[Field::Rows, Field::Cols])}</p>
            </div>
            <fieldset class="group array-sides" disabled=locked(ctx, Lock::Array)>
                <Number field=Field::Rows />
                <span aria-hidden="true">{label::field(Field::Rows)} " ×"</span>
                <Number field=Field::Cols />
                <span aria-hidden="true">{label::field(Field::Cols)}</span>
            </fieldset>
            <fieldset class="group" disabled=locked(ctx, Lock::Dataflow)>
                <Pictures
                    field=Field::Dataflow
                    label=label::STAYS
                    options=dataflows
                    word=|plan| label::short_dataflow(plan.schedule().dataflow()).to_owned()
                />
            </fieldset>
            <p class="hint" id="stays-says"><Prose text=ctx.text_of_plan(message::dataflow) /></p>
            <NumberFormat />
            <fieldset class="group" disabled=locked(ctx, Lock::Padding)>
                <Pick field=Field::Padding options=paddings />
                <div class="field" hidden=unless(multiple)>
                    <span class="caption">{label::field(Field::Multiple)}</span>
                    <span class="numbers"><Number field=Field::Multiple /></span>
                </div>
            </fieldset>
            // The tool of the folds has these settings.
            {move || (ctx.tools.panel.get() != Some(Panel::Folds)).then(|| view! { <Timing /> })}
            <p class="problem" role="status">{stale}</p>
        </section>
    }
}
