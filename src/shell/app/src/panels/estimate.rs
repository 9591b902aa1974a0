//! The model estimates: topics with entry fields, and the answers next to them.

mod bill;
mod comparison;
mod drawings;
mod layers;
mod own_model;
mod raises;
mod report;
mod views;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ::report::bill::TERMS;
use ::report::{
    self as shown, Answer, Bars, FormEntry, Group, Table, TableId, entry as names, failures, form, form_with, lengths,
    model as words, runs,
};
use ::words::{book, label};
use estimate::{Answered, Column, Entry, Imported, Query, Topic, View};
use leptos::ev::Event;
use leptos::prelude::{Set as _, *};
use studio::{Action, Chrome, Edit, PartText};

use self::bill::BillSection;
use self::comparison::Comparison;
use self::drawings::{Drawings, Set};
use self::layers::Layers;
use self::own_model::{Own, OwnModel};
use self::raises::Raises;
use self::report::{ExportButtons, Inputs, ReportHead};
use self::views::{Views, of_link};
use crate::browser::text_cells::TableRow;
use crate::browser::{entries, timing};
use crate::ctx::{Ctx, memo, text_from, use_ctx};
use crate::effects::address;
use crate::ui::{FigureView, TextTable, book_link};

/// The model estimates. An embed shows its topics one below the other. On the page, all topics except the model are
/// folded below the numbers of the model.
#[component]
pub(crate) fn Estimate() -> impl IntoView {
    let ctx = use_ctx();
    let embedded = ctx.embedded();
    // An embed shows the topics that its link asks for, or the first topic if the link asks for none.
    let is_asked = |topic: &Topic| {
        ctx.session().with_untracked(|session| {
            let asks = |topic: Topic| !session.texts.text(topic.parameter()).is_empty();
            asks(*topic) || (*topic == Topic::ALL[0] && !Topic::ALL.into_iter().any(asks))
        })
    };
    let view = memo(move || ctx.session().with(|session| of_link(&session.texts)));
    let model = Asked::new(Topic::Model, None);
    let run = (!embedded || is_asked(&Topic::Model)).then_some(model.answered);
    let topics = if embedded { Topic::ALL.into_iter().filter(is_asked).collect() } else { vec![Topic::Model] };
    let section = |topic: Topic| {
        let asked = if topic == Topic::Model { model } else { Asked::new(topic, run) };
        let name = names::topic(topic);
        view! {
            <section class="topic" id=format!("estimate-{}", topic.parameter()) aria-label=name>
                <h2>{name}</h2>
                {topic_sides(asked, view)}
            </section>
        }
    };
    let topics = topics.into_iter().map(section).collect_view();
    let views = (!embedded).then(|| {
        let book = book_link("models-book", "docs/models.html", book::MODELS);
        view! { <div class="views-row"><Views chosen=view /> {book}</div> }
    });
    let open = embedded.then(|| {
        let href = text_from(move || address::link_in(ctx, Chrome::Estimate));
        view! { <p class="open-full"><a target="_blank" rel="noopener" href=href>{label::OPEN_FULL}</a></p> }
    });
    view! {
        <div class="estimate" id="estimate" tabindex="-1">
            {embedded.then(|| view! { <h1 class="unseen">{label::TITLE}</h1> })}
            <ReportHead />
            {views}
            {topics}
            {open}
        </div>
    }
}

/// A topic: the query that a person changes, and the answer.
#[derive(Clone, Copy)]
struct Asked {
    ctx: Ctx,
    topic: Topic,
    /// Custom model, in place of the chosen one.
    own: Own,
    /// Run of the model, which gives defaults to another topic.
    run: Option<Memo<Arc<Answered>>>,
    query: Memo<Arc<Query>>,
    /// Query with its answer, which is computed once for each change.
    answered: Memo<Arc<Answered>>,
    /// Text of the answer.
    answer: Memo<Arc<Answer>>,
}

impl Asked {
    fn new(topic: Topic, run: Option<Memo<Arc<Answered>>>) -> Self {
        let (ctx, own) = (use_ctx(), Own::new());
        let id = topic.parameter();
        let text = memo(move || ctx.session().with(|session| session.texts.text(id).to_owned()));
        // Only this memo parses the text; all other code uses the query.
        let query = memo(move || {
            let query = text.with(|text| Query::parse(topic, text));
            Arc::new(match run {
                Some(run) => run.with(|run| query.of_run(run)),
                None => query,
            })
        });
        let answered = memo(move || Arc::new(Answered::new(query.get(), own.file.get())));
        let answer = memo(move || Arc::new(answered.with(|answered| shown::answer(answered))));
        Self { ctx, topic, own, run, query, answered, answer }
    }

    /// Changes an entry of the query.
    fn set(self, entry: Entry, text: &str) {
        if entry == Entry::Model {
            self.own.leave();
        }
        let text = text.trim();
        // An input of the bill has the same value in the bill and in the failures.
        let is_valid = text.is_empty() || entry.number().is_some_and(|range| range.read(text).is_some());
        if let (Entry::Cost(_), true, Some(ask)) = (entry, is_valid, self.stated(&[(entry, text)])) {
            return self.replace_with(self.query.with_untracked(|query| query.with(entry, "")), Some(ask));
        }
        let changed = |file: &Option<Arc<Imported>>| {
            self.query.with_untracked(|query| query.changed(entry, text, file.as_deref()))
        };
        self.replace(self.own.file.with_untracked(changed));
    }

    /// If the query takes values from the run of the model, returns the text of the model with some entries replaced.
    fn stated(self, settings: &[(Entry, &str)]) -> Option<String> {
        let has_run = self.query.with_untracked(|query| query.entries().has_run());
        let run = self.run.filter(|_| has_run)?;
        run.with_untracked(|run| self.stated_of(run, settings))
    }

    /// Returns the text of the model with some entries replaced. If the topic is failures, the link also shows the
    /// bill.
    fn stated_of(self, run: &Answered, settings: &[(Entry, &str)]) -> Option<String> {
        let bill = (Entry::View, "bill");
        let settings: Vec<_> =
            settings.iter().copied().chain((self.topic == Topic::Failures).then_some(bill)).collect();
        run.model_query().map(|model| model.stated(&settings))
    }

    /// Replaces the text of the query. If the query takes values from the run of the model, also writes the text of the
    /// model into the link.
    fn replace(self, text: String) {
        self.replace_with(text, self.stated(&[]));
    }

    /// Replaces the text of the query, and the text of the model if there is one.
    fn replace_with(self, text: String, ask: Option<String>) {
        let of = match self.topic {
            Topic::Model => PartText::Ask,
            Topic::Lengths => PartText::Lengths,
            Topic::Failures => PartText::Failures,
        };
        let mut texts = self.ctx.session().with_untracked(|session| session.texts.clone()).with(of, text);
        if let Some(ask) = ask {
            texts = texts.with(PartText::Ask, ask);
        }
        self.ctx.dispatch(&Action::Edit(Edit::Texts(texts)));
    }

    fn field(self, entry: FormEntry) -> AnyView {
        let name = entry.entry;
        let set = move |text: String| self.set(name, &text);
        view! { <EntryField parameter=self.topic.parameter() entry on_change=Box::new(set) /> }.into_any()
    }

    fn fields(self, entries: Vec<FormEntry>) -> AnyView {
        entries.into_iter().map(|entry| self.field(entry)).collect_view().into_any()
    }

    /// Fields under a heading; nothing without fields.
    fn step(self, name: &'static str, entries: Vec<FormEntry>, id: Option<&'static str>) -> Option<AnyView> {
        let class = id.is_none().then_some("step");
        (!entries.is_empty()).then(|| {
            view! { <fieldset id=id class=class><legend>{name}</legend>{self.fields(entries)}</fieldset> }.into_any()
        })
    }

    /// Becomes true when `is_needed` is true, and then stays true, so that a section does not fold while a person edits
    /// it.
    fn unfolds(is_needed: Box<dyn Fn() -> bool + Send + Sync>) -> Memo<bool> {
        let unfolded = AtomicBool::new(false);
        memo(move || {
            let is_needed = is_needed();
            unfolded.fetch_or(is_needed, Ordering::Relaxed) || is_needed
        })
    }
}

/// The entry fields of a topic, and its answer.
fn topic_sides(asked: Asked, view: Memo<View>) -> AnyView {
    let Asked { topic, own, run, query, answered, answer, .. } = asked;
    let embedded = asked.ctx.embedded();
    let id = topic.parameter();
    let is_model = topic == Topic::Model;
    // Figures follow every change at once, tables a few times a second.
    let tables = timing::throttled(answered, move || answered.try_with_untracked(|answered| shown::tables(answered)));
    let rested = timing::debounced(answered);
    let place = NodeRef::new();
    let entries = move || answered.with(|answered| form_with(answered));
    entries::follow(place, id, Box::new(entries), answer);
    let set: Set = Arc::new(move |settings| asked.replace(query.with_untracked(|query| query.with_all(settings))));
    let all = query.with_untracked(|query| form(query));
    let of_group = |group| -> Vec<FormEntry> { all.iter().filter(|one| one.group(topic) == group).cloned().collect() };
    let axis = of_group(Group::Plot);
    let has_folded = is_model && !embedded;
    let plots = (!axis.is_empty()).then(|| {
        let (axis, raises, set) = (asked.fields(axis), Arc::clone(&set), Arc::clone(&set));
        view! {
            {has_folded.then(|| folded(Topic::Lengths, answered, view))}
            <Raises rested set=raises />
            <Drawings answered rested axis set />
            <Layers rested />
        }
    });
    let failures = has_folded.then(|| folded(Topic::Failures, answered, view));
    let is_wrong = memo(move || answer.with(|answer| !answer.beside_entries.is_empty()));
    let without_wrong = text_from(move || words::without_wrong(answer.with(|answer| answer.beside_entries.len())));
    let shows_bill = memo(move || has_folded && view.get().of_model() == View::Bill);
    let title = view! { <h3 class="step-title" id="estimate-setup" tabindex="-1">{words::MODEL}</h3> };
    view! {
        <div class="sides" node_ref=place>
            <div class="entries">
                {is_model.then_some(title)}
                {asked.fields(of_group(Group::Model))}
                {is_model.then(|| view! { <OwnModel own /> })}
                {run.map(|run| of_run(asked, run))}
                {asked.step(words::WORK, of_group(Group::Work), None)}
                {chip_rows(of_group(Group::Chips), &|entry| asked.field(entry))}
                {asked.fields(of_group(Group::Main))}
                {own_run(asked, of_group(Group::Runs))}
                {is_model.then(|| more_settings(asked, [Group::More, Group::Chip, Group::Bill].map(of_group)))}
            </div>
            <div class="answer" class:stale=move || own.is_refused() class:partial=move || is_wrong.get()>
                <p class="problem" hidden=move || !is_wrong.get()>{without_wrong}</p>
                <Inputs rested />
                <AnswerView id answer tables drawings=plots.into_any() failures=failures.into_any() set shows_bill />
                {is_model.then(|| view! { <ExportButtons answered answer /> })}
            </div>
        </div>
    }
    .into_any()
}

/// A folded topic below the numbers of the model. Its first opening computes its answer. A link that asks for the topic
/// opens it.
fn folded(topic: Topic, run: Memo<Arc<Answered>>, view: Memo<View>) -> AnyView {
    let asked = Asked::new(topic, Some(run));
    let (ctx, id) = (asked.ctx, topic.parameter());
    let is_open = Asked::unfolds(Box::new(move || {
        view.get().topic() == topic || ctx.session().with(|session| !session.texts.text(id).is_empty())
    }));
    let toggled = RwSignal::new(false);
    let has_content = memo(move || toggled.get() || is_open.get());
    view! {
        <details
            class="folded"
            id=format!("estimate-{id}")
            open=move || is_open.get()
            on:toggle=move |_| toggled.set(true)
        >
            <summary><h3>{names::topic(topic)}</h3></summary>
            {move || has_content.get().then(|| topic_sides(asked, view))}
        </details>
    }
    .into_any()
}

/// The values that a topic takes from the run of the model, or a button that takes them.
fn of_run(asked: Asked, run: Memo<Arc<Answered>>) -> impl IntoView {
    let Asked { query, .. } = asked;
    let other = memo(move || {
        query.with(|query| match &**query {
            Query::Failures(query) => run.with(|run| failures::other_run(query, run)),
            Query::Model(_) | Query::Lengths(_) => None,
        })
    });
    let taken = move || {
        query.with(|query| match &**query {
            Query::Failures(query) => failures::of_run(query),
            Query::Lengths(query) => lengths::of_run(query),
            Query::Model(_) => String::new(),
        })
    };
    let said = text_from(move || other.with(|one| one.as_ref().map_or_else(taken, |(said, _)| said.clone())));
    let take = move |_| {
        if let Some((_, text)) = other.get_untracked() {
            let ask = run.with_untracked(|run| asked.stated_of(run, &[]));
            asked.replace_with(text, ask);
        }
    };
    view! {
        <div class="of-run">
            <p class="hint">{said}</p>
            <button type="button" class="remedy" hidden=move || other.with(Option::is_none) on:click=take>
                {failures::TAKE_RUN}
            </button>
        </div>
    }
}

/// The entries of a run that a person measured.
fn own_run(asked: Asked, entries: Vec<FormEntry>) -> Option<impl IntoView> {
    let names: Vec<Entry> = entries.iter().map(|one| one.entry).collect();
    let is_open = Asked::unfolds(Box::new(move || {
        let is_set =
            |entry: &Entry| asked.query.with(|query| query.entries().text(*entry).is_some_and(|text| !text.is_empty()));
        names.iter().any(is_set)
    }));
    (!entries.is_empty()).then(|| {
        view! {
            <details class="more" id="own-run" open=move || is_open.get()>
                <summary>{runs::TITLE}</summary>
                <p class="hint">{runs::SAYS}</p>
                {asked.fields(entries)}
            </details>
        }
    })
}

/// The folded entries: more settings, a custom chip, and the terms of the bill.
fn more_settings(asked: Asked, [more, chip, bill]: [Vec<FormEntry>; 3]) -> impl IntoView {
    let Asked { query, answer, topic, .. } = asked;
    // A problem in a folded entry opens the section.
    let is_open = Asked::unfolds(Box::new(move || {
        let folded = |entry| matches!(Group::of(entry, topic), Group::More | Group::Chip | Group::Bill);
        answer.with(|answer| answer.beside_entries.iter().any(|(entry, _)| folded(*entry)))
    }));
    let sets_the_chip =
        memo(move || query.with(|query| matches!(&**query, Query::Model(model) if model.sets_the_chip())));
    view! {
        <details class="more" id="more-settings" open=move || is_open.get()>
            <summary>{words::MORE}</summary>
            {asked.fields(more)}
            <details class="own-chip" id="own-chip" open=move || sets_the_chip.get()>
                <summary>{words::OWN_CHIP}</summary>
                <p class="hint">{words::OWN_CHIP_SAYS}</p>
                {asked.fields(chip)}
            </details>
            {asked.step(TERMS, bill, Some("terms"))}
        </details>
    }
}

/// The chips of all columns: a row for each column, with its chip, number of chips and price.
fn chip_rows(entries: Vec<FormEntry>, view: &dyn Fn(FormEntry) -> AnyView) -> Option<AnyView> {
    let row = |of: [Entry; 3]| {
        let of_row = entries.iter().filter(|one| of.contains(&one.entry)).cloned();
        view! { <div class="chip-row">{of_row.map(view).collect_view()}</div> }
    };
    let rows = core::iter::once([Entry::Chip, Entry::Chips, Entry::Usd]).chain(Column::ALL.map(Column::entries));
    (!entries.is_empty()).then(|| {
        view! { <fieldset class="step chips"><legend>{words::CHIPS}</legend>{rows.map(row).collect_view()}</fieldset> }.into_any()
    })
}

/// An entry field: a list, or a text field with an optional slider. `entries::follow` fills in its value.
#[component]
fn EntryField(parameter: &'static str, entry: FormEntry, on_change: Box<dyn Fn(String)>) -> impl IntoView {
    // Two topics may have an entry of the same name.
    let own = format!("{parameter}-{}", entry.entry.id());
    let problem = format!("{own}-problem");
    let on_change: Arc<dyn Fn(String)> = on_change.into();
    let change = Arc::clone(&on_change);
    let usual = entry.usual;
    let typed = move |event: Event| {
        let text = event_target_value(&event);
        // An emptied field shows the default, even if the default was in use already.
        if text.trim().is_empty() && !usual.is_empty() {
            entries::refill(&event, &usual);
        }
        change(text);
    };
    let change = Arc::clone(&on_change);
    let control = if entry.choices.is_empty() {
        view! {
            <input
                id=own.clone()
                type="text"
                autocomplete="off"
                spellcheck="false"
                aria-describedby=problem.clone()
                on:change=typed
            />
        }
        .into_any()
    } else {
        view! { <select id=own.clone() aria-describedby=problem.clone() on:change=move |event| change(event_target_value(&event))></select> }
            .into_any()
    };
    let steps = entry.steps;
    let slide = move |text: String| {
        if let Some(step) = text.parse().ok().and_then(|index: usize| steps.get(index)) {
            on_change(step.to_string());
        }
    };
    let slider = (!steps.is_empty()).then(|| {
        view! {
            <input
                id=format!("{own}-slider")
                type="range"
                min="0"
                max=(steps.len() - 1).to_string()
                aria-label=entry.label
                on:input=move |event| slide(event_target_value(&event))
            />
        }
    });
    view! {
        <div class="field">
            <label for=own>{entry.label}</label>
            {control}
            {slider}
            <p id=problem class="problem" role="alert"></p>
        </div>
    }
}

/// Number of figures that are shown first, in large type.
const FIRST: usize = 4;

/// An answer: its title, figures, bars and tables.
#[component]
fn AnswerView(
    id: &'static str,
    answer: Memo<Arc<Answer>>,
    tables: ReadSignal<Option<Vec<Table>>>,
    drawings: AnyView,
    failures: AnyView,
    set: Set,
    shows_bill: Memo<bool>,
) -> impl IntoView {
    let embedded = use_ctx().embedded();
    let is_model = id == Topic::Model.parameter();
    let title = text_from(move || answer.with(|answer| answer.title.clone()));
    let all = memo(move || answer.with(|answer| answer.refused.clone()));
    let refused =
        move || all.get().into_iter().map(|sentence| view! { <p class="problem">{sentence}</p> }).collect_view();
    let has_columns = memo(move || answer.with(|answer| !answer.columns.columns.is_empty()));
    // Rebuilds the figures only if their list changes, so that an open figure stays open while numbers change.
    let figure_ids =
        memo(move || answer.with(|answer| answer.figures.iter().map(|figure| figure.id).collect::<Vec<_>>()));
    let figures = move |first: bool| {
        let figure = move |(_, id): (usize, &'static str)| {
            let of = move |answer: &Arc<Answer>| answer.figures.iter().find(|figure| figure.id == id).cloned();
            view! { <FigureView figure=memo(move || answer.with(of)) /> }
        };
        let of_these = move |(nth, id): &(usize, &'static str)| {
            let is_compared = answer.with_untracked(|answer| answer.columns.has(id));
            (if has_columns.get() { is_compared } else { *nth < FIRST }) == first
        };
        figure_ids.get().into_iter().enumerate().filter(of_these).map(figure).collect_view()
    };
    let why = text_from(move || answer.with(|answer| answer.why.clone()));
    let ids = memo(move || tables.with(|tables| tables.iter().flatten().map(|table| table.id).collect::<Vec<_>>()));
    let table = move |(index, id): (usize, TableId)| {
        let texts = move |show: &mut dyn FnMut(&[&'static str], &[TableRow])| {
            tables.with(|tables| {
                if let Some(table) = tables.as_ref().and_then(|tables| tables.get(index)) {
                    show(&table.heads, &table.texts());
                }
            });
        };
        let table = view! { <TextTable name=id.title() texts=Box::new(texts) /> };
        // Details of models stay folded until a person opens them. The tables of the other topics are the answer.
        if id.is_detail() {
            view! { <details class="as-table detail"><summary><h3>{id.title()}</h3></summary>{table}</details> }
                .into_any()
        } else {
            view! { <h3>{id.title()}</h3> {table} }.into_any()
        }
    };
    // The tables that compare chips are the answer. Tables with details come below.
    let all_of = move |is_answer: bool| {
        let of = move |(_, id): &(usize, TableId)| id.is_answer() == is_answer;
        ids.get().into_iter().enumerate().filter(of).map(table).collect_view()
    };
    let bars = move || answer.with(|answer| answer.bars.clone()).map(|bars| view! { <Steps bars /> });
    view! {
        <h3 class="title" id=format!("{id}-title")>{title.clone()}</h3>
        <p class="unseen" role="status">{title}</p>
        {refused}
        <div class="main-view" hidden=move || shows_bill.get()>
            {is_model.then(|| view! { <Comparison answer set /> })}
            <div class="figures first" class:compared=move || has_columns.get()>{move || figures(true)}</div>
            <p class="costliest" id=format!("{id}-why") hidden=move || has_columns.get()>{why}</p>
            {drawings}
            <div class="tables">{move || all_of(true)}</div>
            <div class="figures">{move || figures(false)}</div>
            {bars}
            <div class="tables">{move || all_of(false)}</div>
        </div>
        <div class="bill-view" hidden=move || is_model && !embedded && !shows_bill.get()>
            <BillSection answer />
            {failures}
        </div>
    }
}

/// A bar chart of the steps of a run. The bars of marked steps have another color and a cap.
#[component]
fn Steps(bars: Bars) -> impl IntoView {
    let width = 6 * bars.bars.len().max(1);
    let drawn = bars
        .bars
        .iter()
        .enumerate()
        .map(|(index, (height, marked))| {
            // The height is a whole number of hundredths, so that formatting it needs no float formatter.
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 100")]
            let height = ((height * 100.0).round() as u32).clamp(1, 100);
            let class = if *marked { "waits" } else { "step" };
            let x = 6 * index;
            view! {
                <rect class=class x=x.to_string() y=(100 - height).to_string() width="5" height=height.to_string()></rect>
                {marked.then(|| view! { <rect class="cap" x=x.to_string() y=(100 - height).to_string() width="5" height="3"></rect> })}
            }
        })
        .collect_view();
    view! {
        <svg class="spikes" role="img" aria-label=bars.words.clone() viewBox=format!("0 0 {width} 100") preserveAspectRatio="none">{drawn}</svg>
        <p class="hint">{bars.words}</p>
    }
}
