//! What a model takes on chips, and on other chips beside them.

use super::{Answer, Entry, Table, chosen, pairs, typed};
use std::sync::Arc;

use super::own;
use crate::estimate::{self, Asked, Estimate, NAMES, Pass, Refused, SPLITS, price};
use crate::number::{grouped, percent, significant};
use crate::panel::duration;
use crate::words::estimate as words;
use perfmodel::{Attention, Chip, OwnValues, PeakDtype, PublishedMfu};

/// The entry for a second chip, beside those of the question.
const VERSUS: &str = "versus";

/// Products that are listed.
const LISTED_MAX: usize = 40;

pub(super) fn entries(text: &str) -> Vec<Entry> {
    let chips = || Chip::all().iter().map(|chip| (chip.id, chip.name.to_owned()));
    let words_of =
        |all: &[&'static str]| all.iter().map(|one| (*one, words::choice(one).to_owned())).collect::<Vec<_>>();
    let usual = Asked::default();
    let entry = |name: &'static str| {
        let choices: Vec<(&'static str, String)> = match name {
            "model" => estimate::models().map(|model| (model.id, model.title.to_owned())).collect(),
            "chip" => chips().chain([(Chip::BLANK, words::BLANK.to_owned())]).collect(),
            "dtype" => PeakDtype::ALL.map(|dtype| (dtype.word(), dtype.word().to_owned())).to_vec(),
            "pass" => words_of(&Pass::ALL.map(Pass::id)),
            "remat" => words_of(&["none", "full"]),
            "attention" => words_of(&["full", "causal"]),
            "split" => words_of(&SPLITS.map(|(id, _)| id)),
            _ => Vec::new(),
        };
        let choices = choices.into_iter().map(|(id, name)| (id.into(), name)).collect();
        Entry { choices, steps: steps(name), ..typed(text, name, &usual.text(name)) }
    };
    let none = core::iter::once(("", words::NO_SECOND.to_owned()));
    let (asked, _) = Asked::parse(text);
    let named = NAMES.iter().filter(|name| **name != "own").map(|name| match *name {
        "price" => prices(text, &asked),
        name => entry(name),
    });
    let versus = chosen(text, VERSUS, none.chain(chips()).collect());
    named.chain([versus]).chain(own::entries(text, &asked)).collect()
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

pub(super) fn answer(text: &str, file: Option<&[u8]>, wanted: &dyn Fn(&str) -> bool) -> Answer {
    let mut versus = None;
    let mut given = pairs(text);
    given.retain(|(name, value)| {
        if name == VERSUS {
            versus = Some(value.clone());
        }
        name != VERSUS
    });
    let (asked, told) = Asked::from_pairs(given);
    // The peak of the chosen format is the one that has an entry.
    let shown = format!("own-peak-{}", asked.dtype.word());
    let named = |name: &str| if name == shown { "own-peak".to_owned() } else { name.to_owned() };
    let told = told.iter().map(|one| (named(&one.name), words::wrong(one)));
    let has_entry =
        |(name, _): &(String, String)| NAMES.contains(&name.as_str()) || own::NAMES.contains(&name.as_str());
    let (mut wrong, strange): (Vec<_>, Vec<_>) = told.partition(has_entry);
    let strange: Vec<String> = strange.into_iter().map(|(_, sentence)| sentence).collect();
    let second = versus.filter(|id| !id.is_empty()).and_then(|id| {
        let chip = Chip::by_id(&id);
        if chip.is_none() {
            let all: Vec<&str> = Chip::all().iter().map(|chip| chip.id).collect();
            let given = super::cut(&id);
            wrong.push((VERSUS.to_owned(), format!("{VERSUS} = {given}: allowed is {}.", all.join(", "))));
        }
        chip
    });
    let estimated = |asked: &Asked| -> Result<Estimate, Refused> {
        match file {
            Some(file) => Estimate::of_file(asked, file),
            None => Estimate::new(asked).map_err(|why| vec![words::why(&why)]),
        }
    };
    let first = match estimated(&asked) {
        Ok(first) => first,
        Err(refused) => {
            let refused = refused.into_iter().chain(strange).collect();
            let rest = if file.is_none() { without_times(&asked) } else { Answer::default() };
            return Answer { wrong, refused, ..rest };
        }
    };
    let mut tables = Vec::new();
    let mut show = |title: &'static str, table: &dyn Fn() -> Table| {
        let empty = || Table { title, ..Table::default() };
        tables.push(if wanted(title) { table() } else { empty() });
    };
    if let Some(chip) = second {
        // A price of one's own is for the first chip.
        let (chip, own) = (Arc::new(chip.clone()), OwnValues::default());
        match estimated(&Asked { chip, own, usd: None, listed: None, ..asked }) {
            Ok(second) => show(words::BESIDE, &|| beside(&first, &second)),
            Err(refused) => {
                wrong.extend(refused.into_iter().map(|sentence| (VERSUS.to_owned(), sentence)));
            }
        }
    }
    show(words::PRODUCTS, &|| products(&first));
    if file.is_none() {
        show(words::SCALING, &|| scaling(&first));
    }
    if !first.asked.chip.is_own && PublishedMfu::all().iter().any(|row| row.chip == first.asked.chip.id) {
        show(words::PUBLISHED, &|| published(&first.asked.chip));
    }
    show(words::ASSUMPTIONS, &|| assumptions(&first));
    show(words::SHEET, &|| super::chip::sheet(&first.asked.chip));
    let title = words::headline(&first);
    Answer { title, figures: estimate::figures(&first), tables, wrong, refused: strange, ..Answer::default() }
}

/// As much of an answer as there is where the chip's known values give no times.
fn without_times(asked: &Asked) -> Answer {
    let Ok((asked, work)) = estimate::work_of(asked) else { return Answer::default() };
    let Err(estimate::Why::Chip(refusal)) = Estimate::of(&asked, work.clone()) else { return Answer::default() };
    Answer {
        title: words::headline_of(&work.name, &asked),
        figures: estimate::figures_without_times(&asked, Some(&work), &refusal),
        tables: vec![super::chip::sheet(&asked.chip)],
        ..Answer::default()
    }
}

/// Two chips side by side.
fn beside(first: &Estimate, second: &Estimate) -> Table {
    let (ours, theirs) = (estimate::figures(first), estimate::figures(second));
    let rows = ours
        .into_iter()
        .zip(theirs)
        .map(|(ours, theirs)| (ours.value != theirs.value, vec![ours.name.to_owned(), ours.value, theirs.value]));
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
        let exchange = other.exchange.map(|step| step.forward.exchange.0 + step.backward.exchange.0);
        let mfu = other.mfu.map_or_else(|_| "unknown".to_owned(), |mfu| format!("{} %", percent(mfu.ratio)));
        let cells = [
            grouped(chips),
            duration(other.step.0),
            exchange.map_or_else(|| "none counted".to_owned(), duration),
            mfu,
            significant(other.tokens_per_sec(), 4),
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
            let percent = row.mfu_percent.value.map_or_else(|| "unknown".to_owned(), |percent| significant(percent, 4));
            let chips = row.chips.map_or_else(|| "not told".to_owned(), |chips| grouped(chips.into()));
            let counted = row.attention.map_or("not told", Attention::word).to_owned();
            let source = row.mfu_percent.source.text.to_owned();
            (false, vec![row.model.to_owned(), chips, format!("{percent} %"), counted, source])
        })
        .collect();
    Table { title: words::PUBLISHED, heads: words::PUBLISHED_HEADS.to_vec(), rows }
}

fn products(estimate: &Estimate) -> Table {
    let mut rows = estimate::rows(estimate);
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

fn assumptions(estimate: &Estimate) -> Table {
    let rows = estimate::assumptions(estimate).into_iter().map(|(what, value)| (false, vec![what, value]));
    Table { title: words::ASSUMPTIONS, heads: words::ASSUMPTION_HEADS.to_vec(), rows: rows.collect() }
}
