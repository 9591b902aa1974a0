//! What a model takes on chips, and on other chips beside them.

use super::{Answer, Bill, Drawing, Entry, Table, chosen, own, pairs, typed};
use crate::words::{answer as words, bill, plot};
use crate::{
    Accuracy, Against, Asked, Case, Convention, Estimate, Given, NAMES, Pass, Refused, SPLITS, Term, Terms, VERSUS,
    price,
};
use display::figure::{Figure, duration};
use display::number::{grouped, percent, readable};
use perfmodel::{Attention, Chip, PeakDtype, PublishedMfu};

/// The entry for what the plot of MFU counts.
pub(super) const AXIS: &str = "axis";

/// Products that are listed.
const LISTED_MAX: usize = 40;

pub(super) fn entries(text: &str) -> Vec<Entry> {
    let chips = || Chip::all().iter().map(|chip| (chip.id, chip.name.to_owned()));
    let words_of =
        |all: &[&'static str]| all.iter().map(|one| (*one, words::choice(one).to_owned())).collect::<Vec<_>>();
    let usual = Asked::default();
    let (asked, _) = Asked::parse(text);
    let entry = |name: &'static str| {
        let choices: Vec<(&'static str, String)> = match name {
            "model" => crate::models().map(|model| (model.id, model.title.to_owned())).collect(),
            "chip" => chips().chain([(Chip::BLANK, words::BLANK.to_owned())]).collect(),
            "dtype" => PeakDtype::ALL.map(|dtype| (dtype.word(), dtype.word().to_owned())).to_vec(),
            "pass" => words_of(&Pass::ALL.map(Pass::id)),
            "remat" => words_of(&["none", "full"]),
            "attention" => words_of(&["full", "causal"]),
            "split" => words_of(&SPLITS.map(|(id, _)| id)),
            _ => Vec::new(),
        };
        let choices = choices.into_iter().map(|(id, name)| (id.into(), name)).collect();
        let hint = if name == "usd" { words::USD_HINT } else { "" }.to_owned();
        let counts = u32::try_from(asked.chips).ok().filter(|_| name == "chips");
        Entry { choices, hint, steps: steps(name), counts, ..typed(text, name, &usual.text(name)) }
    };
    let none = core::iter::once(("", words::NO_SECOND.to_owned()));
    let versus = chosen(text, VERSUS, none.chain(chips()).collect());
    let terms = Term::ALL.into_iter().map(|term| typed(text, term.name(), &Terms::default().text(term)));
    let axes = Convention::ALL.map(|(id, convention)| (id, plot::convention(convention).to_owned()));
    let axis = chosen(text, AXIS, core::iter::once(("", plot::AS_ASKED.to_owned())).chain(axes).collect());
    let named = NAMES.iter().filter(|name| **name != "own").map(|name| match *name {
        "price" => prices(text, &asked),
        name => entry(name),
    });
    named.chain([versus]).chain(own::entries(text, &asked)).chain(terms).chain([axis]).collect()
}

/// The choice among the listed prices of the chip.
fn prices(text: &str, asked: &Asked) -> Entry {
    let usual = asked.chip.default_price().map_or_else(|| words::NO_PRICE.to_owned(), words::price_choice);
    let listed = price::listed(&asked.chip).filter(|one| asked.chip.default_price() != Some(*one));
    let listed = listed.map(|one| (price::id(one).into(), words::price_choice(one)));
    let set = asked.listed.as_ref().filter(|one| asked.chip.default_price() != Some(*one)).map(price::id);
    let entry = typed(text, "price", "");
    Entry {
        choices: core::iter::once(("".into(), usual)).chain(listed).collect(),
        text: set.unwrap_or_default(),
        ..entry
    }
}

/// What the sliders pass through: doublings of chips and sequences, quarters of doublings of tokens.
fn steps(name: &str) -> &'static [u32] {
    static CHIPS: [u32; 14] = doublings::<14>(1, 1);
    static BATCH: [u32; 10] = doublings::<10>(1, 1);
    static SEQ: [u32; 41] = doublings::<41>(128, 4);
    static OVERLAP: [u32; 21] = [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 85, 90, 95, 100];
    match name {
        "chips" => &CHIPS,
        "batch" => &BATCH,
        "seq" => &SEQ,
        "overlap" => &OVERLAP,
        _ => &[],
    }
}

/// Numbers from `least` on, so many to a doubling.
const fn doublings<const N: usize>(least: u32, per_doubling: u32) -> [u32; N] {
    let (mut all, mut index, mut octave, mut part) = ([0; N], 0, least, 0);
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

/// A link's text: what is asked, what the plot counts, and what cannot be used.
fn read(text: &str) -> (Case, Option<Convention>, Vec<(String, String)>) {
    let mut all = pairs(text);
    let axis = all.iter().find(|(name, _)| name == AXIS).map(|(_, id)| id.trim().to_owned()).unwrap_or_default();
    all.retain(|(name, _)| name != AXIS);
    let (case, wrong) = Case::from_pairs(all);
    // The peak of the chosen format is the one that has an entry.
    let shown = format!("own-peak-{}", case.asked.dtype.word());
    let named = |name: &str| if name == shown { "own-peak".to_owned() } else { name.to_owned() };
    let mut wrong: Vec<(String, String)> = wrong.iter().map(|one| (named(&one.name), words::wrong(one))).collect();
    let convention = Convention::ALL.into_iter().find(|(id, _)| *id == axis).map(|(_, convention)| convention);
    if convention.is_none() && !axis.is_empty() {
        let allowed = Convention::ALL.map(|(id, _)| id).join(", ");
        wrong.push((AXIS.to_owned(), format!("{AXIS} = {}: allowed is {allowed}.", super::cut(&axis))));
    }
    (case, convention, wrong)
}

/// MFU against chips, and the roofline.
pub(super) fn drawings(text: &str, file: Option<&Given>) -> Vec<Drawing> {
    let (case, convention, _) = read(text);
    let Ok(estimate) = case.estimated(&case.asked, file) else { return Vec::new() };
    let convention = convention.unwrap_or(Convention::Mfu(estimate.asked.attention));
    let Against { plot, dots, notes } =
        crate::against_chips(&estimate, convention, |asked| case.estimated(asked, file).ok());
    let roof = crate::roofline(&estimate).map(|(plot, rows)| {
        let rows = rows.into_iter().map(|cells| (false, cells)).collect();
        let table = Table { title: plot::TABLE, heads: plot::ROOF_HEADS.to_vec(), rows };
        Drawing { plot, dots: Vec::new(), table: Some(table), notes: vec![plot::AREA.to_owned()] }
    });
    core::iter::once(Drawing { plot, dots, table: None, notes }).chain(roof).collect()
}

/// Whether there is an entry beside which a sentence can stand.
fn has_entry(name: &str) -> bool {
    Case::names().any(|one| one == name) || own::NAMES.contains(&name) || name == AXIS
}

pub(super) fn answer(text: &str, file: Option<&Given>, wanted: &dyn Fn(&str) -> bool) -> Answer {
    let (case, _, told) = read(text);
    let (mut wrong, strange): (Vec<_>, Vec<_>) = told.into_iter().partition(|(name, _)| has_entry(name));
    let strange = strange.into_iter().map(|(_, sentence)| sentence);
    let mut answered = match case.answer(file) {
        Ok(answered) => answered,
        Err(refused) => {
            let refused = refused.into_iter().chain(strange).collect();
            let rest = if file.is_none() { without_times(&case.asked) } else { Answer::default() };
            return Answer { wrong, refused, ..rest };
        }
    };
    let no_other = std::mem::take(&mut answered.no_other);
    wrong.extend(no_other.into_iter().map(|sentence| (VERSUS.to_owned(), sentence)));
    let first = &answered.estimate;
    let mut tables = Vec::new();
    let mut show = |title: &'static str, table: &dyn Fn() -> Table| {
        let empty = || Table { title, ..Table::default() };
        tables.push(if wanted(title) { table() } else { empty() });
    };
    if let Some((second, _)) = &answered.other {
        show(words::BESIDE, &|| beside(first, second));
    }
    show(words::PRODUCTS, &|| products(first));
    if let Some(found) = crate::accuracy(first) {
        show(words::ERRORS, &|| errors(&found));
    }
    if file.is_none() {
        show(words::SCALING, &|| scaling(first));
    }
    if !first.asked.chip.is_own && PublishedMfu::all().iter().any(|row| row.chip == first.asked.chip.id) {
        show(words::PUBLISHED, &|| published(&first.asked.chip));
    }
    show(words::ASSUMPTIONS, &|| assumptions(first));
    show(words::SHEET, &|| super::chip::sheet(&first.asked.chip));
    let title = words::headline(first);
    let bill = crate::bill(&answered, &case.terms).map(billed);
    let too_large = bill.is_none().then(|| bill::TOO_LARGE.to_owned());
    let second = answered.other.as_ref().and_then(|(second, _)| crate::misfit(second));
    let told = crate::misfit(first).into_iter().chain(second).chain(words::no_progress(answered.cost.failures));
    let refused = strange.chain(told).chain(too_large).collect();
    Answer { title, figures: crate::figures(first), tables, bill, wrong, refused, ..Answer::default() }
}

/// As much of an answer as there is where the chip's known values give no times.
fn without_times(asked: &Asked) -> Answer {
    let Ok((asked, work)) = crate::work_of(asked) else { return Answer::default() };
    let Err(crate::Why::Chip(refusal)) = Estimate::of(&asked, work.clone()) else { return Answer::default() };
    Answer {
        title: words::headline_of(&work.name, &asked),
        figures: crate::figures_without_times(&asked, Some(&work), &refusal),
        tables: vec![super::chip::sheet(&asked.chip)],
        ..Answer::default()
    }
}

/// The answer as JSON, or sentences on why there is none.
pub(super) fn json(text: &str, file: Option<&Given>) -> Result<String, Refused> {
    let (case, ..) = read(text);
    Ok(crate::report(&case.answer(file)?, &case.terms).to_text())
}

fn billed(bill: crate::Bill) -> Bill {
    let last = bill.rows.len().saturating_sub(1);
    let rows = bill.rows.into_iter().enumerate().map(|(at, cells)| (at == last, cells)).collect();
    let table = Table { title: bill::TITLE, heads: bill.heads, rows };
    let beside = (!bill.beside.is_empty()).then(|| Table {
        title: bill::BESIDE,
        heads: bill.beside_heads,
        rows: bill.beside.into_iter().enumerate().map(|(at, cells)| (at == last, cells)).collect(),
    });
    Bill { title: bill.title, table, lines: bill.lines, beside }
}

/// Two chips side by side.
fn beside(first: &Estimate, second: &Estimate) -> Table {
    let (ours, theirs) = (crate::figures(first), crate::figures(second));
    let value = |all: &[Figure], id: &str| {
        all.iter().find(|one| one.id == id).map_or_else(|| words::NOT_TOLD.to_owned(), |one| one.value.clone())
    };
    // Either may have a figure that the other has not: the power of some chips is not published.
    let others = theirs.iter().filter(|theirs| ours.iter().all(|ours| ours.id != theirs.id));
    let rows = ours.iter().chain(others).map(|figure| {
        let values = [value(&ours, figure.id), value(&theirs, figure.id)];
        (false, core::iter::once(figure.name.to_owned()).chain(values).collect())
    });
    Table {
        title: words::BESIDE,
        heads: vec![words::BESIDE_HEAD, first.asked.chip.name, second.asked.chip.name],
        rows: rows.collect(),
    }
}

/// The same question on other numbers of chips.
fn scaling(estimate: &Estimate) -> Table {
    let row = |chips: u64| {
        let other = estimate.on_chips(chips).ok()?;
        let mfu = other.mfu.map_or_else(|_| "unknown".to_owned(), |mfu| format!("{} %", percent(mfu.ratio)));
        let cells = [
            grouped(chips),
            duration(other.step.0),
            other.exchange_time().map_or_else(|| "none counted".to_owned(), |time| duration(time.0)),
            mfu,
            readable(other.tokens_per_sec(), 4),
        ];
        Some((chips == estimate.asked.chips, cells.into()))
    };
    let mut counts = vec![1, 4, 16, 64, 256, 1024, 4096, estimate.asked.chips];
    counts.sort_unstable();
    counts.dedup();
    let rows = counts.into_iter().filter_map(row).collect();
    Table { title: words::SCALING, heads: words::SCALING_HEADS.to_vec(), rows }
}

/// What others published of a chip, each with how it counts attention: those that differ in that are not comparable.
fn published(chip: &Chip) -> Table {
    let rows = PublishedMfu::all()
        .iter()
        .filter(|row| row.chip == chip.id)
        .map(|row| {
            let percent = row.mfu_percent.value.map_or_else(|| "unknown".to_owned(), |percent| readable(percent, 4));
            let chips = row.chips.map_or_else(|| "not told".to_owned(), |chips| grouped(chips.into()));
            let counted = row.attention.map_or("not told", Attention::word).to_owned();
            let source = row.mfu_percent.source.text.to_owned();
            (false, vec![row.model.to_owned(), chips, format!("{percent} %"), counted, source])
        })
        .collect();
    Table { title: words::PUBLISHED, heads: words::PUBLISHED_HEADS.to_vec(), rows }
}

fn products(estimate: &Estimate) -> Table {
    let mut rows = crate::rows(estimate);
    let rest = rows.split_off(rows.len().min(LISTED_MAX));
    let mut rows: Vec<(bool, Vec<String>)> = rows
        .into_iter()
        .map(|row| {
            let [m, k, n] = row.sizes.map(grouped);
            let eta = row.eta_tile.map_or_else(|| "unknown".to_owned(), |eta| format!("{} %", percent(eta)));
            let time = format!("{} %", percent(row.share));
            let cells = [row.name, format!("{m} × {k} × {n}"), grouped(row.count), time, duration(row.seconds)];
            (false, cells.into_iter().chain([row.bound.to_owned(), eta]).collect())
        })
        .collect();
    if !rest.is_empty() {
        let share: f64 = rest.iter().map(|row| row.share).sum();
        let time = format!("{} %", percent(share));
        rows.push((false, vec![words::more(rest.len()), String::new(), String::new(), time]));
    }
    Table { title: words::PRODUCTS, heads: words::PRODUCT_HEADS.to_vec(), rows }
}

/// How far the times are off.
fn errors(found: &Accuracy) -> Table {
    let rows = found.rows().into_iter().map(|cells| (false, cells)).collect();
    Table { title: words::ERRORS, heads: found.heads().to_vec(), rows }
}

fn assumptions(estimate: &Estimate) -> Table {
    let rows = crate::assumptions(estimate).into_iter().map(|(what, value)| (false, vec![what, value]));
    Table { title: words::ASSUMPTIONS, heads: words::ASSUMPTION_HEADS.to_vec(), rows: rows.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    /// An answer with all tables.
    fn all(text: &str, file: Option<&Given>) -> Answer {
        answer(text, file, &|_| true)
    }

    #[test]
    fn two_chips_are_compared_measure_by_measure() {
        // The power of an H100 is published, that of a TPU v5e is not: their lists of figures differ.
        let answer = all("chip=tpu-v5e&versus=h100-sxm", None);
        let table = answer.tables.first().expect("two chips");
        let row = |name: &str| {
            let cells = table.rows.iter().map(|(_, cells)| cells).find(|cells| cells[0] == name);
            cells.unwrap_or_else(|| panic!("{name} in {table:?}")).clone()
        };
        assert_eq!(row("Tile efficiency")[2], "unknown", "tensor cores are no arrays");
        assert!(
            row("kWh per million tokens")[2].ends_with("kWh") && row("kWh per million tokens")[1] == words::NOT_TOLD
        );
    }

    #[test]
    fn chips_cores_and_slices_are_never_confused() {
        let asked = |text: &str| Asked::parse(text);
        // A v4 has two cores, a slice is named by its cores up to v5p and by its chips since: 64 chips each time.
        for text in ["chip=tpu-v4&chips=v4-128", "chips=v5p-128&chip=tpu-v5p", "chip=tpu-v6e&chips=v6e-64", "chips=64"]
        {
            assert_eq!((asked(text).0.chips, asked(text).1.len()), (64, 0), "{text}");
            let entry = entries(text).into_iter().find(|entry| entry.name == "chips").expect("an entry");
            assert_eq!(entry.steps[entry.step()], 64, "the slider stands there: {text}");
        }
        for text in ["usd=1.61/core&chip=tpu-v4", "chip=tpu-v4&usd=12.88/4", "usd=3.22/chip&chip=tpu-v4", "usd=3.22"] {
            let usd = asked(text).0.usd.expect(text);
            assert!((usd - 3.22).abs() < 1e-12, "{text}: {usd}");
        }
        // A GPU is rented whole, a v5p's slice is no v4's, and half a chip cannot be had.
        for (text, name) in [
            ("chip=h100-sxm&usd=1/core", "usd"),
            ("chip=tpu-v4&chips=v5p-128", "chips"),
            ("chip=tpu-v4&chips=v4-7", "chips"),
            ("usd=1/0", "usd"),
            ("usd=1/pod", "usd"),
        ] {
            let (_, wrong) = asked(text);
            assert!(wrong.len() == 1 && wrong[0].name == name, "{text}: {wrong:?}");
        }
    }

    #[test]
    fn what_the_plot_counts_is_no_part_of_the_question() {
        assert_eq!(json("axis=hfu", None), json("", None));
        let wrong = all("axis=zebra", None).wrong;
        assert_eq!(wrong, [("axis".to_owned(), "axis = zebra: allowed is full, causal, hfu, untold.".to_owned())]);
        let title = |text: &str| drawings(text, None).first().map(|one| one.plot.title.clone()).unwrap_or_default();
        assert!(title("").starts_with("MFU, full") && title("attention=causal").starts_with("MFU, causal"));
        assert!(title("attention=causal&axis=hfu").starts_with("HFU"));
    }

    #[test]
    fn a_model_from_a_file_has_its_plots_and_its_bill_too() {
        let file = &crate::given(b"M,K,N,count,name\n512,1024,4096,2,up\n");
        assert_eq!(drawings("", Some(file)).len(), 2);
        assert!(all("", Some(file)).bill.is_some() && json("", Some(file)).is_ok());
        let zebra = &crate::given(b"zebra");
        assert!(drawings("", Some(zebra)).is_empty() && json("", Some(zebra)).is_err());
    }
}
