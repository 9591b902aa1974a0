//! The form of a topic: its entry fields, with their values, choices and slider positions.

use plain::OrEmpty;
use std::borrow::Cow;

use super::{entry as words, model as said, own, plots};
use display::number::significant;
use display::words::format;
use estimate::custom::CustomEntry;
use estimate::lengths::{Mix, OWN, Way};
use estimate::{
    ATTENTIONS, Answered, Column, Convention, CostInputs, Curve, Entry, F32_PASSES, FRAMEWORKS, LATENTS, ModelQuery,
    PASSES, PRODUCT, Query, Question, REMATS, SPLITS, models, price,
};
use perfmodel::{Chip, Links, PeakDtype};
use workload::{Content, PassKind, Workload};

/// An entry field on the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormEntry {
    /// Entry that the field sets.
    pub entry: Entry,
    /// Name of the entry on the page.
    pub label: &'static str,
    /// Ids and names of the choices; empty for a text field.
    pub choices: Vec<(Cow<'static, str>, String)>,
    /// Text that the user has set, or the default text.
    pub text: String,
    /// Default text of the field.
    pub usual: String,
    /// Placeholder: a published value, a number that the answer chose, or examples.
    pub hint: String,
    /// Values of the slider, in ascending order; empty without a slider.
    pub steps: &'static [u32],
    /// Number that sets the slider if the text is not a number. Examples: 64 chips for the text `v5p-128`, or a number
    /// that the answer chose.
    pub counts: Option<u32>,
    /// True if other entries make this entry irrelevant.
    ///
    /// Examples: f32 passes in another format, rematerialization outside of training, sizes of a matmul if a model is
    /// chosen, and a third chip without a second chip.
    pub is_idle: bool,
}

/// Part of the form that an entry belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// The model, or the sizes of a matmul.
    Model,
    /// Settings of the work: pass, sequences and format.
    Work,
    /// Chips of all columns, with their numbers and prices.
    Chips,
    /// Settings of the other topics that most people change.
    Main,
    /// Settings that few people change.
    More,
    /// Measured run, compared settings and claim.
    Runs,
    /// Custom values of the chip.
    Chip,
    /// Inputs of the cost breakdown.
    Bill,
    /// Convention of the MFU axis.
    Plot,
}

impl Group {
    /// Returns the part of a topic's form that an entry belongs to.
    #[must_use]
    pub const fn of(entry: Entry, topic: estimate::Topic) -> Self {
        match entry {
            Entry::Custom(_) => Self::Chip,
            Entry::Cost(_) if matches!(topic, estimate::Topic::Model) => Self::Bill,
            Entry::Model | Entry::M | Entry::K | Entry::N => Self::Model,
            Entry::Axis | Entry::Curve | Entry::View => Self::Plot,
            Entry::Measured | Entry::Runs | Entry::Than | Entry::Claim => Self::Runs,
            Entry::Pass
            | Entry::Seq
            | Entry::Batch
            | Entry::Rate
            | Entry::Dtype
            | Entry::Passes
            | Entry::Split
            | Entry::Groups => Self::Work,
            Entry::Chip
            | Entry::Chips
            | Entry::Usd
            | Entry::Versus
            | Entry::Third
            | Entry::Fourth
            | Entry::ChipsOf(_)
            | Entry::UsdOf(_) => Self::Chips,
            Entry::Packed
            | Entry::Latent
            | Entry::Remat
            | Entry::Framework
            | Entry::Attention
            | Entry::Network
            | Entry::Overlap
            | Entry::Price
            | Entry::Tokens => Self::More,
            _ => Self::Main,
        }
    }
}

impl FormEntry {
    /// Returns the part of a topic's form that this entry belongs to.
    #[must_use]
    pub const fn group(&self, topic: estimate::Topic) -> Group {
        Group::of(self.entry, topic)
    }

    /// Returns the index of the slider position: the last of [`Self::steps`] that is at most the set value.
    #[must_use]
    pub fn step(&self) -> usize {
        let set = display::number::read(&self.text.replace('_', ""));
        let set = set.or(self.counts.map(f64::from)).unwrap_or(0.0);
        self.steps.iter().filter(|step| f64::from(**step) <= set).count().saturating_sub(1)
    }

    fn typed(query: &Query, entry: Entry, usual: &str) -> Self {
        Self {
            entry,
            label: words::name(entry),
            choices: Vec::new(),
            text: query.entries().text(entry).unwrap_or(usual).to_owned(),
            usual: usual.to_owned(),
            hint: String::new(),
            steps: &[],
            counts: None,
            is_idle: false,
        }
    }

    fn chosen(query: &Query, entry: Entry, choices: Vec<(Cow<'static, str>, String)>) -> Self {
        let usual = choices.first().map_or("", |(id, _)| id).to_owned();
        let field = Self { choices, ..Self::typed(query, entry, &usual) };
        let is_chip = matches!(entry, Entry::Versus | Entry::Third | Entry::Fourth);
        let chip = Chip::named(&field.text).filter(|_| is_chip).map_or("", |chip| chip.id);
        field.listed(chip)
    }

    /// Returns the field with one of its choices as its text. Any other text becomes `named`, the choice that the text
    /// stands for, or else the default. The message below the list names a text that cannot be used.
    fn listed(mut self, named: &str) -> Self {
        let is_choice = |text: &str| self.choices.is_empty() || self.choices.iter().any(|(id, _)| *id == text);
        if !is_choice(&self.text) {
            let first = || self.choices.first().map_or("", |(id, _)| id).to_owned();
            let usual = [named, &self.usual].into_iter().find(|text| is_choice(text)).map(str::to_owned);
            self.text = usual.unwrap_or_else(first);
        }
        self
    }
}

/// Returns the entry fields of a query, in the order of the form.
#[must_use]
pub fn form(query: &Query) -> Vec<FormEntry> {
    // The view has its own buttons.
    let entries = query.topic().entries().into_iter().filter(|entry| *entry != Entry::View);
    match query {
        Query::Model(model) => {
            entries.filter(|entry| *entry != Entry::Own).map(|entry| model_entry(query, model, entry)).collect()
        }
        Query::Lengths(_) | Query::Failures(_) => entries.map(|entry| number_entry(query, entry)).collect(),
    }
}

/// Returns the entry fields of a query, with the numbers of chips and sequences from its answer. If a file contains the
/// model, the model menu shows the name of the file.
#[must_use]
pub fn form_with(answered: &Answered) -> Vec<FormEntry> {
    let (mut all, file) = (form(answered.query()), answered.file());
    if let (Some(query), Ok(answer)) = (answered.model_query(), answered.model()) {
        let (question, first) = (&query.question, &answer.estimate.question);
        if !question.is_batch_set || question.is_batch_of_log {
            for field in all.iter_mut().filter(|one| one.entry == Entry::Batch) {
                field.text = first.batch.to_string();
                field.usual.clone_from(&field.text);
            }
        }
        // Numbers that the answer chose are placeholders, because no person has set them.
        let runs = answer.runs();
        let chips = runs.iter().filter(|run| run.estimate.question.chosen.chips);
        let chips = chips.map(|run| (run.entry, run.estimate.question.chips));
        let batch = first.chosen.batch.then_some((Entry::Batch, first.batch));
        for (entry, number) in chips.chain(batch) {
            for field in all.iter_mut().filter(|one| one.entry == entry) {
                (field.text, field.usual, field.hint) = (String::new(), String::new(), number.to_string());
                field.counts = u32::try_from(number).ok();
            }
        }
    }
    if let Some(Ok(Content::Products(work))) = file {
        all.iter_mut().for_each(|one| one.is_idle |= is_stated(one.entry, work));
    }
    let model = all.iter_mut().find(|one| one.entry == Entry::Model);
    if let (Some(model), Some(Ok(content))) = (model, file) {
        model.choices.insert(0, ("".into(), own::chosen(content)));
        model.text.clear();
    }
    all
}

/// True for an entry that changes nothing, because the list of matmuls already determines its setting.
const fn is_stated(entry: Entry, work: &Workload) -> bool {
    match entry {
        Entry::Seq | Entry::Batch | Entry::Packed | Entry::Latent => true,
        Entry::Pass | Entry::Remat => work.traced.is_some(),
        _ => false,
    }
}

fn number_entry(query: &Query, entry: Entry) -> FormEntry {
    match entry {
        Entry::Mix => FormEntry::chosen(query, entry, Mix::ALL.map(|mix| choice(mix.id(), words::mix(mix))).into()),
        Entry::Way => FormEntry::chosen(query, entry, Way::ALL.map(|way| choice(way.id(), words::way(way))).into()),
        Entry::OwnLengths => FormEntry::typed(query, entry, OWN),
        _ => {
            let of_run = query.entries().of_run(entry);
            let usual = of_run.map(|value| significant(value, 9));
            let usual = usual.or_else(|| Some(significant(entry.number()?.usual, 5))).or_empty();
            // The run has these values, so the form does not ask for them again.
            let is_taken = matches!(
                entry,
                Entry::RunChips | Entry::RunUsd | Entry::Hours | Entry::Rows | Entry::Longest | Entry::LongestStep
            );
            let is_idle = is_taken && of_run.is_some() && query.entries().text(entry).is_none();
            FormEntry { is_idle, ..FormEntry::typed(query, entry, &usual) }
        }
    }
}

fn choice(id: &'static str, name: impl Into<String>) -> (Cow<'static, str>, String) {
    (id.into(), name.into())
}

fn chips() -> impl Iterator<Item = (Cow<'static, str>, String)> {
    Chip::all().iter().map(|chip| choice(chip.id, chip.name))
}

fn model_entry(query: &Query, model: &ModelQuery, entry: Entry) -> FormEntry {
    let choices: Vec<(Cow<'static, str>, String)> = match entry {
        Entry::Model => {
            let product = core::iter::once(choice(PRODUCT, "Single matmul (M, K, N)"));
            product.chain(models().map(|model| choice(model.id, model.title))).collect()
        }
        Entry::Chip => chips().chain([choice(Chip::BLANK, said::BLANK)]).collect(),
        Entry::Dtype => PeakDtype::ALL.map(|dtype| choice(dtype.word(), dtype.word())).into(),
        // Only f32 has passes.
        Entry::Passes if model.question.dtype != PeakDtype::F32 => vec![choice("", "only for f32")],
        Entry::Passes => F32_PASSES.map(|(id, passes)| choice(id, format::passes(passes))).into(),
        Entry::Pass => PASSES.map(|(id, pass)| choice(id, words::pass(pass))).into(),
        // Only training has rematerialization and published runs by framework.
        Entry::Remat | Entry::Framework if model.question.pass != PassKind::Training => {
            vec![choice("", words::ONLY_IN_TRAINING)]
        }
        Entry::Framework => FRAMEWORKS.map(|(id, framework)| choice(id, words::framework(framework))).into(),
        Entry::Remat => REMATS.map(|(id, remat)| choice(id, words::remat(remat))).into(),
        Entry::Attention => ATTENTIONS.map(|(id, attention)| choice(id, words::attention(attention))).into(),
        Entry::Latent => LATENTS.map(|(id, _)| choice(id, id)).into(),
        Entry::Split => SPLITS.map(|(id, split)| choice(id, words::split(split))).into(),
        Entry::Network => {
            let all = Links::of(&model.question.chip).map_or(&[][..], |links| links.networks);
            let none = all.is_empty().then(|| choice("", "one network"));
            none.into_iter().chain(all.iter().map(|(id, _)| choice(id, words::network(id)))).collect()
        }
        Entry::Versus | Entry::Third | Entry::Fourth => core::iter::once(choice("", "none")).chain(chips()).collect(),
        Entry::Axis => {
            let axes = Convention::ALL.map(|(id, convention)| choice(id, plots::convention(convention)));
            core::iter::once(choice("", "as set above")).chain(axes).collect()
        }
        Entry::Curve => Curve::ALL.map(|(id, curve)| choice(id, words::name(curve.entry()))).into(),
        _ => Vec::new(),
    };
    let question = &model.question;
    match entry {
        Entry::Price => price_entry(query, question),
        Entry::Third | Entry::Fourth => {
            // A field for a further chip is relevant only after the chip before it is set.
            let is_set = |one| query.entries().text(one).is_some_and(|text| !text.is_empty());
            let before = if entry == Entry::Third { Entry::Versus } else { Entry::Third };
            FormEntry { is_idle: !is_set(before) && !is_set(entry), ..FormEntry::chosen(query, entry, choices) }
        }
        Entry::ChipsOf(column) | Entry::UsdOf(column) => {
            let hint = match entry {
                Entry::ChipsOf(_) => question.chips.to_string(),
                _ => column_price(query, column).or_empty(),
            };
            let is_set = |one| query.entries().text(one).is_some_and(|text| !text.is_empty());
            let is_idle = question.is_product || !column.entries().into_iter().any(is_set);
            FormEntry { hint, is_idle, ..FormEntry::typed(query, entry, "") }
        }
        Entry::Versus => FormEntry::chosen(query, entry, choices),
        // Only training has published runs with an MFU.
        Entry::Axis => {
            let is_idle = question.is_product || question.pass != PassKind::Training;
            FormEntry { is_idle, ..FormEntry::chosen(query, entry, choices) }
        }
        Entry::Curve => FormEntry { is_idle: question.is_product, ..FormEntry::chosen(query, entry, choices) },
        Entry::Custom(custom) => FormEntry {
            text: model.custom_text(custom).to_owned(),
            hint: published(custom, question),
            ..FormEntry::typed(query, entry, "")
        },
        Entry::Cost(input) => FormEntry::typed(query, entry, &CostInputs::default().text(input)),
        _ => {
            let listed = question.price().filter(|_| entry == Entry::Usd).and_then(|one| one.usd_per_chip_hour.value);
            let hint = listed.map_or_else(|| hint(entry).to_owned(), |usd| significant(usd, 5));
            let counts = u32::try_from(question.chips).ok().filter(|_| entry == Entry::Chips);
            // With a given rate per user, the parallelism of decode has another default.
            let has_rate = entry == Entry::Split && question.rate_of_user().is_some();
            let usual = if has_rate { question.text(entry) } else { Question::default().text(entry) };
            let is_idle = is_idle(entry, question);
            let field = FormEntry::typed(query, entry, &usual);
            let field = FormEntry { choices, hint, steps: steps(entry), counts, is_idle, ..field };
            field.listed(&question.text(entry))
        }
    }
}

/// Returns the listed price of the chip in a column after the first.
fn column_price(query: &Query, column: Column) -> Option<String> {
    let chip = Chip::named(query.entries().text(column.chip())?)?;
    Some(significant(chip.default_price()?.usd_per_chip_hour.value?, 5))
}

/// Returns examples of text for an entry; empty if an entry needs none.
const fn hint(entry: Entry) -> &'static str {
    match entry {
        Entry::Usd => "1.2, 0.6/core, 9.6/8",
        Entry::Groups => said::GROUPS_HINT,
        Entry::Packed => "512,1024,512",
        Entry::Measured => "5.67 s, 57 %, a log line",
        Entry::Runs => "41 %; chips.64_seq.4096: 5.67 s",
        Entry::Than => "chips.8_batch.1",
        Entry::Claim => "2.7 faster, 3x cheaper",
        Entry::Rate => "e.g. 30",
        _ => "",
    }
}

/// True if an entry is irrelevant for a question.
fn is_idle(entry: Entry, question: &Question) -> bool {
    match entry {
        Entry::M | Entry::K | Entry::N => !question.is_product,
        Entry::Passes => question.dtype != PeakDtype::F32,
        Entry::Remat | Entry::Framework => question.pass != PassKind::Training,
        Entry::Latent | Entry::Rate => question.is_product || question.pass != PassKind::Decode,
        Entry::Network => question.network().is_none(),
        Entry::Packed => question.is_product || question.pass == PassKind::Decode,
        Entry::Chips
        | Entry::Pass
        | Entry::Seq
        | Entry::Batch
        | Entry::Attention
        | Entry::Split
        | Entry::Groups
        | Entry::Overlap
        | Entry::Tokens => question.is_product,
        _ => false,
    }
}

fn published(entry: CustomEntry, question: &Question) -> String {
    let value = entry.published(&question.published(), question.dtype);
    value.map_or_else(|| said::UNKNOWN.to_owned(), |value| significant(value, 5))
}

/// Returns the entry field with the listed prices of the chip.
fn price_entry(query: &Query, question: &Question) -> FormEntry {
    let first = question.chip.default_price();
    let usual = first.map_or_else(|| said::NO_PRICE.to_owned(), said::price_choice);
    let listed = price::listed(&question.chip).filter(|one| first != Some(*one));
    let listed = listed.map(|one| (price::id(one).into(), said::price_choice(one)));
    let set = question.listed.as_ref().filter(|one| first != Some(*one)).map(price::id);
    FormEntry {
        choices: core::iter::once(("".into(), usual)).chain(listed).collect(),
        text: set.or_empty(),
        ..FormEntry::typed(query, Entry::Price, "")
    }
}

/// Returns the values of a slider; empty if the entry has no slider.
///
/// The numbers of chips and of sequences double at each step. The number of tokens doubles every four steps. The
/// overlap grows by 5% at each step.
fn steps(entry: Entry) -> &'static [u32] {
    static CHIPS: [u32; 14] = doublings::<14>(1, 1);
    static BATCH: [u32; 10] = doublings::<10>(1, 1);
    static SEQ: [u32; 41] = doublings::<41>(128, 4);
    static OVERLAP: [u32; 21] = [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 100];
    match entry {
        Entry::Chips => &CHIPS,
        Entry::Batch => &BATCH,
        Entry::Seq => &SEQ,
        Entry::Overlap => &OVERLAP,
        _ => &[],
    }
}

/// Returns ascending numbers from `min`, with `per_doubling` numbers in each doubling.
const fn doublings<const N: usize>(min: u32, per_doubling: u32) -> [u32; N] {
    let (mut all, mut index, mut octave, mut part) = ([0; N], 0, min, 0);
    while index < N {
        all[index] = octave + octave * part / per_doubling;
        part += 1;
        if part == per_doubling {
            (octave, part) = (2 * octave, 0);
        }
        index += 1;
    }
    all
}
