//! The query about one topic, which is the only entry point from text to an estimate. Reading a query never fails. The
//! query lists each unusable entry, and uses the entry's default instead.

use std::sync::Arc;

use crate::claim::{Claim, Claimed, Uncheckable};
use crate::columns::{Column, ColumnTexts};
use crate::conventions::{self, Reading};
use crate::custom::{self, CustomEntry};
use crate::entries::Entries;
use crate::measured::{Measured, OwnRun, Unusable};
use crate::taken_apart::{Change, difference_by_setting};
use crate::than::SettingOverrides;
use crate::{
    Allowed, ChosenForRate, Cost, CostInputs, Entry, Estimate, FailuresQuery, Imported, InvalidEntry, LengthsQuery,
    OwnRuns, PageSettings, Question, Refusal, Software, Topic, rate, splits,
};
use perfmodel::{Chip, Seconds};
use workload::PassKind;

/// A query about one topic: the entries of a link, read once.
#[derive(Clone, Debug)]
pub enum Query {
    /// Time, MFU and cost of a model on chips.
    Model(Box<ModelQuery>),
    /// Cost of padding and compiling for sequences of many lengths.
    Lengths(Box<LengthsQuery>),
    /// Cost of failures in a long run.
    Failures(Box<FailuresQuery>),
}

/// A query about a model: the question, the runs to compare, and the inputs of the bill.
#[derive(Clone, Debug)]
pub struct ModelQuery {
    /// Entries as typed.
    pub entries: Entries,
    /// The question.
    pub question: Question,
    /// Inputs of the bill besides the chips.
    pub cost_inputs: CostInputs,
    /// The second chip, which is compared with the first.
    pub versus: Option<&'static Chip>,
    /// The third and fourth chip.
    pub(crate) others: [Option<&'static Chip>; 2],
    /// Numbers of chips and prices of the second, third and fourth column.
    pub(crate) columns: [ColumnTexts; 3],
    /// Settings of the second run that differ from the first run.
    pub than: SettingOverrides,
    /// A measurement of the run.
    pub measured: Option<(Measured, Option<Measured>)>,
    /// Tokens of a step on each chip, if the measurement is a log line that contains them.
    pub tokens_of_log: Option<f64>,
    /// Other runs of the user.
    pub own_runs: OwnRuns,
    /// A claim about the run, compared with the second run.
    pub claim: Option<Claim>,
    /// Settings of the page.
    pub page: PageSettings,
    /// Entries that cannot be used.
    pub invalid: Vec<InvalidEntry>,
}

/// Time, MFU and cost of a model on the question's chip and on the other chips of the comparison.
#[derive(Clone, Debug)]
pub struct ModelAnswer {
    /// Estimate on the chip of the question.
    pub estimate: Estimate,
    /// Cost of the estimated run.
    pub cost: Cost,
    /// Cost of the measured run; `None` without a possible measured run.
    pub own_cost: Option<Cost>,
    /// Estimate and cost of the second run, or the reason why no estimate is possible.
    pub other: Option<Result<(Estimate, Cost), Refusal>>,
    /// The measured figure in every convention that it can have; empty for a time.
    pub readings: Vec<Reading>,
    /// Results of the measured run, or the reason why the measurement cannot be evaluated.
    pub own_run: Option<Result<OwnRun, Unusable>>,
    /// The regression of published runs, updated with the user's other runs, or the reason why a run cannot be
    /// evaluated. `None` without other runs.
    pub software: Result<Option<Software>, Unusable>,
    /// Result of the claim, or the reason why the claim cannot be checked.
    pub claim: Option<Result<Claimed, Uncheckable>>,
    /// Changes that lead from the second run to the first run, one setting at a time.
    pub changes: Vec<Change>,
    /// Estimates of the third and fourth column.
    pub others: Vec<(Column, Result<Estimate, Refusal>)>,
    /// Columns that are left out, because their run is the run of another column.
    pub repeated: Vec<Column>,
}

impl PartialEq for Query {
    /// Compares only the entries as typed, because the entries determine all other fields.
    fn eq(&self, other: &Self) -> bool {
        self.entries() == other.entries()
    }
}

#[cfg(debug_assertions)]
thread_local! {
    static N_PARSES: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

impl Query {
    /// Reads the query of a topic from a link parameter.
    #[must_use]
    pub fn parse(topic: Topic, text: &str) -> Self {
        #[cfg(debug_assertions)]
        N_PARSES.set(N_PARSES.get() + 1);
        let entries = Entries::parse(topic, text);
        match topic {
            Topic::Model => Self::Model(Box::new(ModelQuery::new(entries))),
            Topic::Lengths => Self::Lengths(Box::new(LengthsQuery::new(entries))),
            Topic::Failures => Self::Failures(Box::new(FailuresQuery::new(entries))),
        }
    }

    /// Returns the number of times that this thread has called [`Self::parse`]. Tests use this number to check that a
    /// query is read only once.
    #[cfg(debug_assertions)]
    #[must_use]
    pub fn n_parses() -> u64 {
        N_PARSES.get()
    }

    /// Returns the topic of the query.
    #[must_use]
    pub const fn topic(&self) -> Topic {
        match self {
            Self::Model(_) => Topic::Model,
            Self::Lengths(_) => Topic::Lengths,
            Self::Failures(_) => Topic::Failures,
        }
    }

    /// Returns the entries as typed.
    #[must_use]
    pub fn entries(&self) -> &Entries {
        match self {
            Self::Model(query) => &query.entries,
            Self::Lengths(query) => &query.entries,
            Self::Failures(query) => &query.entries,
        }
    }

    /// Returns the entries that cannot be used.
    #[must_use]
    pub fn invalid(&self) -> &[InvalidEntry] {
        match self {
            Self::Model(query) => &query.invalid,
            Self::Lengths(query) => &query.invalid,
            Self::Failures(query) => &query.invalid,
        }
    }

    /// Returns the link parameter with the text of one entry replaced; an empty text removes the entry.
    #[must_use]
    pub fn with(&self, entry: Entry, text: &str) -> String {
        let (entry, text) = match (self, entry) {
            (Self::Model(query), Entry::Custom(entry)) => (Entry::Own, query.own_with(entry, text)),
            _ => (entry, text.to_owned()),
        };
        self.entries().with(entry, &text).to_text()
    }

    /// Returns the link parameter with the texts of several entries replaced.
    #[must_use]
    pub fn with_all(&self, settings: &[(Entry, String)]) -> String {
        let entries = self.entries().clone();
        settings.iter().fold(entries, |entries, (entry, text)| entries.with(*entry, text)).to_text()
    }

    /// Returns the link parameter after a user changes one entry of the form. A change of the pass also sets the
    /// parallelism that suits the new pass. In decode, the numbers of chips follow the other settings until a user sets
    /// them.
    #[must_use]
    pub fn changed(&self, entry: Entry, text: &str, file: Option<&Imported>) -> String {
        match (self, entry) {
            (Self::Model(query), Entry::Custom(entry)) => {
                splits::changed(query, Entry::Own, &query.own_with(entry, text), file).to_text()
            }
            (Self::Model(query), _) => splits::changed(query, entry, text, file).to_text(),
            _ => self.with(entry, text),
        }
    }
}

impl ModelQuery {
    /// Returns the query with the settings that the form chooses when decode is selected: tensor parallelism on the
    /// fewest chips that can hold the model. Settings that are already in the query do not change. Queries of other
    /// passes do not change either.
    #[must_use]
    pub fn begun(&self, file: Option<&Imported>) -> Self {
        if self.question.pass != PassKind::Decode {
            return self.clone();
        }
        let pass = self.entries.text(Entry::Pass).unwrap_or_default();
        let before = Self::new(self.entries.with(Entry::Pass, ""));
        Self::new(splits::changed(&before, Entry::Pass, pass, file))
    }

    /// Reads the query from a link parameter.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        Self::new(Entries::parse(Topic::Model, text))
    }

    /// Reads the query from entries as typed.
    #[must_use]
    pub fn new(entries: Entries) -> Self {
        let (mut cost_inputs, mut versus, mut invalid) = (CostInputs::default(), None, Vec::new());
        let (mut of_question, mut others) = (Vec::new(), [None; 2]);
        let mut columns: [ColumnTexts; 3] = Default::default();
        let (mut than, mut runs, mut measured, mut claim) = ("", "", None, None);
        let mut page = PageSettings::default();
        for (entry, text) in entries.iter() {
            let text = text.trim();
            let unless = |is_found: bool, ids: &dyn Fn() -> Vec<String>| {
                (!is_found && !text.is_empty()).then(|| Allowed::OneOf(ids()))
            };
            let chips = || Chip::all().iter().map(|chip| chip.id.to_owned()).collect();
            let refused = match entry {
                Entry::Versus => {
                    versus = Chip::named(text);
                    unless(versus.is_some(), &chips)
                }
                Entry::Third | Entry::Fourth => {
                    let chip = Chip::named(text);
                    others[usize::from(entry == Entry::Fourth)] = chip;
                    unless(chip.is_some(), &chips)
                }
                Entry::ChipsOf(column) => {
                    text.clone_into(&mut columns[column as usize].chips);
                    None
                }
                Entry::UsdOf(column) => {
                    text.clone_into(&mut columns[column as usize].usd);
                    None
                }
                Entry::Than => {
                    than = text;
                    None
                }
                Entry::Runs => {
                    runs = text;
                    None
                }
                Entry::Measured => {
                    measured = Measured::read_two(text);
                    (measured.is_none() && !text.is_empty()).then_some(Allowed::Measurement)
                }
                Entry::Claim => {
                    claim = Claim::read(text);
                    (claim.is_none() && !text.is_empty()).then_some(Allowed::Times)
                }
                Entry::Cost(input) => cost_inputs.set(input, text).err(),
                Entry::Axis | Entry::Curve | Entry::View => page.set(entry, text).and_then(Result::err),
                _ => {
                    of_question.push((entry, text));
                    None
                }
            };
            invalid.extend(refused.map(|allowed| InvalidEntry::new(entry, text, allowed)));
        }
        let (mut question, refused) = Question::from_entries(of_question);
        let tokens_of_log = measured.and_then(|_| Measured::tokens_of_log(entries.text(Entry::Measured)?));
        if let Some(batch) = tokens_of_log.and_then(|tokens| question.sequences_of(tokens)) {
            question.set_batch(batch);
            question.is_batch_of_log = true;
        }
        invalid.extend(refused.into_iter().map(|one| one.in_form(question.dtype)));
        let other_chip = versus.map_or_else(|| Arc::clone(&question.chip), |chip| Arc::new(chip.clone()));
        let (than, refused) = SettingOverrides::read(than, &other_chip);
        invalid.extend(refused);
        for (column, chip) in Column::ALL.into_iter().zip([versus, others[0], others[1]]) {
            let chip = chip.map_or_else(|| Arc::clone(&question.chip), |chip| Arc::new(chip.clone()));
            invalid.extend(columns[column as usize].invalid(column, &chip));
        }
        let (own_runs, refused) = OwnRuns::read(runs, &question.chip);
        invalid.extend(refused);
        let unknown = entries.unknown.iter().map(|(name, text)| InvalidEntry::unknown(Topic::Model, name, text));
        invalid.extend(unknown);
        Self {
            entries,
            question,
            cost_inputs,
            versus,
            others,
            columns,
            than,
            measured,
            tokens_of_log,
            own_runs,
            claim,
            page,
            invalid,
        }
    }

    /// Returns the link parameter with some entries replaced. If no entry is set, the parameter names the model, so that
    /// the other questions of the link are about this run.
    #[must_use]
    pub fn stated(&self, settings: &[(Entry, &str)]) -> String {
        let start = self.entries.clone();
        let entries = settings.iter().fold(start, |entries, (entry, text)| entries.with(*entry, text));
        if entries.states_run() {
            return entries.to_text();
        }
        entries.with(Entry::Model, &self.question.text(Entry::Model)).to_text()
    }

    /// Returns the text of [`Entry::Own`] as typed.
    #[must_use]
    pub fn own_text(&self) -> &str {
        self.entries.text(Entry::Own).unwrap_or("")
    }

    /// Returns the text of one custom value of the chip as typed.
    #[must_use]
    pub fn custom_text(&self, entry: CustomEntry) -> &str {
        custom::value(self.own_text(), &custom::name(entry.value(self.question.dtype))).unwrap_or("")
    }

    fn own_with(&self, entry: CustomEntry, text: &str) -> String {
        custom::with(self.own_text(), &custom::name(entry.value(self.question.dtype)), text)
    }

    /// True if custom values of the chip are set, or if the chip is [`Chip::BLANK`], which has only custom values.
    #[must_use]
    pub fn sets_the_chip(&self) -> bool {
        self.entries.text(Entry::Own).is_some() || self.entries.text(Entry::Chip) == Some(Chip::BLANK)
    }

    /// Computes the estimate for a question about the query's model, or about the model in `file`.
    ///
    /// # Errors
    /// [`Refusal`] names the reason.
    pub fn estimate(&self, question: &Question, file: Option<&Imported>) -> Result<Estimate, Refusal> {
        match file {
            Some(Ok(content)) => Estimate::of_content(question, content),
            Some(Err(refusal)) => Err(Refusal::File(refusal.clone())),
            None => Estimate::new(question),
        }
    }

    /// Computes the answer for the query's model, or for the model in `file`.
    ///
    /// # Errors
    /// [`Refusal`] names the reason.
    pub fn answer(&self, file: Option<&Imported>) -> Result<ModelAnswer, Refusal> {
        let software = self.own_runs.software(&self.question, |question| self.estimate(question, file));
        let learned = || software.as_ref().ok().cloned().flatten();
        let answered = |question: &Question| self.estimate(&Question { software: learned(), ..question.clone() }, file);
        let at_rate = |question: &Question| rate::at_rate(question, answered);
        let estimate = answered(&at_rate(&self.question))?;
        let cost = Cost::new(&estimate, &self.cost_inputs);
        let mut seen = vec![estimate.question.clone()];
        let second = self.column(Column::Second).map(|question| self.than.of(&question));
        let second = second.or_else(|| (!self.than.is_empty()).then(|| self.than.of(&self.question)));
        // A comparison of a run with itself says nothing.
        let mut repeated = Vec::new();
        let mut is_new = |column: Column, question: &Question| {
            let is_new = !seen.iter().any(|other| question.is_column_of(other));
            seen.push(question.clone());
            if !is_new && (column != Column::Second || self.than.is_empty()) {
                repeated.push(column);
            }
            is_new
        };
        let second = second.map(|question| at_rate(&question));
        let second = second.filter(|question| is_new(Column::Second, question) || !self.than.is_empty());
        let further = [Column::Third, Column::Fourth].into_iter().filter_map(|column| {
            let question = at_rate(&self.column(column)?);
            is_new(column, &question).then_some((column, question))
        });
        let others: Vec<_> = further.map(|(column, question)| (column, answered(&question))).collect();
        let other = second.map(|question| {
            let other = answered(&question)?;
            // Both runs process equally many tokens. They have equally many steps if equally many chips have equally
            // many sequences.
            let as_many = estimate.tokens.zip(other.tokens).map_or(1.0, |(here, there)| here / there);
            // Only the first chip needs porting.
            let others = Cost::of_steps(cost.n_steps * as_many, &other, &self.cost_inputs.without_porting());
            Ok((other, others))
        });
        let there = other.as_ref().and_then(|other: &Result<(Estimate, Cost), Refusal>| other.as_ref().ok());
        // A measured time identifies the run without a convention. An MFU depends on its convention.
        let exact = self.measured.map(|(first, second)| second.filter(|_| first.has_convention()).unwrap_or(first));
        // A figure of a step with other tokens would mislead.
        let is_other = self.tokens_of_log.zip(estimate.tokens).is_some_and(|(of_log, of_step)| {
            (of_log * estimate.question.chips as f64 / of_step - 1.0).abs() > conventions::TOLERANCE
        });
        let own_run =
            exact.map(|measured| if is_other { Err(Unusable::OtherTokens) } else { OwnRun::new(&estimate, measured) });
        let readings =
            self.measured.map_or_else(Vec::new, |(first, second)| conventions::readings(&estimate, first, second));
        let possible = own_run.as_ref().and_then(|run| run.as_ref().ok()).filter(|run| run.mfu.is_ok());
        let own_cost = possible.map(|run| Cost::of_run(run, &estimate, &self.cost_inputs));
        let claim = self.claim.map(|claim| {
            let (there, _) = there.ok_or(Uncheckable::NothingBeside)?;
            Claimed::new(claim, &estimate, there)
        });
        let answered = |question: &Question| answered(question).ok();
        // Numbers that the answer chose for one column may not fit on the chip of another.
        let is_set = |one: &Estimate| one.question.chosen == ChosenForRate::default();
        let there = there.map(|(there, _)| there).filter(|there| is_set(&estimate) && is_set(there));
        let changes = there.map_or_else(Vec::new, |there| difference_by_setting(&estimate, there, answered));
        Ok(ModelAnswer {
            estimate,
            cost,
            own_cost,
            other,
            own_run,
            readings,
            software,
            claim,
            changes,
            others,
            repeated,
        })
    }
}

impl ModelAnswer {
    /// Returns the time of a step: of the measured run if there is one, and of the estimated run otherwise.
    #[must_use]
    pub fn step(&self) -> Seconds {
        let billed = self.billed();
        Seconds(billed.time.0 / billed.n_steps)
    }

    /// Returns the cost of the bill: of the measured run if there is one, and of the estimated run otherwise.
    #[must_use]
    pub fn billed(&self) -> &Cost {
        self.own_cost.as_ref().unwrap_or(&self.cost)
    }

    /// Returns the estimate and cost of the second run, if known.
    #[must_use]
    pub fn comparison(&self) -> Option<&(Estimate, Cost)> {
        self.other.as_ref().and_then(|other| other.as_ref().ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CostInput;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn what_cannot_be_used_is_refused_and_the_rest_counts() {
        let query =
            ModelQuery::parse("model=gpt9&chips=0&seq=banana&zebra=1&batch=7&overlap=101&usd=-1&tokens=nan&pue=0");
        assert_eq!(query.question.batch, 7);
        let entries: Vec<_> = query.invalid.iter().map(InvalidEntry::entry).collect();
        // Entries that depend on the chip are read after the chip, and unknown names come last.
        let named = [Entry::Model, Entry::Seq, Entry::Overlap, Entry::Tokens, Entry::Usd, Entry::Chips].map(Some);
        let all: Vec<_> = core::iter::once(Some(Entry::Cost(CostInput::Pue))).chain(named).chain([None]).collect();
        assert_eq!(entries, all);
        for entry in Entry::options() {
            let usual = Question::default().text(entry);
            let again = ModelQuery::parse(&format!("{}={usual}", entry.id()));
            assert!(again.invalid.is_empty() || usual.is_empty(), "{entry:?}");
            assert_eq!(again.question.text(entry), usual);
        }
    }

    #[test]
    fn several_settings_are_one_change() {
        let settings = [(Entry::Chips, "16"), (Entry::Remat, "full"), (Entry::Batch, "2")];
        let settings = settings.map(|(entry, text)| (entry, text.to_owned()));
        let changed = Query::parse(Topic::Model, "chips=8&seq=512").with_all(&settings);
        assert_eq!(changed, "seq=512&chips=16&remat=full&batch=2");
    }

    #[test]
    fn chips_cores_and_slices_are_never_confused() {
        // A v4 has two cores. Slice names count cores up to v5p and chips since then: 64 chips each time.
        for text in ["chip=tpu-v4&chips=v4-128", "chips=v5p-128&chip=tpu-v5p", "chip=tpu-v6e&chips=v6e-64", "chips=64"]
        {
            let query = ModelQuery::parse(text);
            assert_eq!((query.question.chips, query.invalid.len()), (64, 0), "{text}");
        }
        for text in ["usd=1.61/core&chip=tpu-v4", "chip=tpu-v4&usd=12.88/4", "usd=3.22/chip&chip=tpu-v4", "usd=3.22"] {
            let usd = ModelQuery::parse(text).question.usd.expect(text);
            assert!((usd - 3.22).abs() < 1e-12, "{text}: {usd}");
        }
        // A GPU cannot be rented in parts, a slice of v5p is not a slice of v4, and half a chip is impossible.
        for (text, entry) in [
            ("chip=h100-sxm&usd=1/core", Entry::Usd),
            ("chip=tpu-v4&chips=v5p-128", Entry::Chips),
            ("chip=tpu-v4&chips=v4-7", Entry::Chips),
            ("usd=1/0", Entry::Usd),
            ("usd=1/pod", Entry::Usd),
        ] {
            let invalid = ModelQuery::parse(text).invalid;
            assert!(invalid.len() == 1 && invalid[0].entry() == Some(entry), "{text}: {invalid:?}");
        }
    }
}
