//! What a model takes on chips, and on other chips beside them.

use super::{Answer, Entry, Table, chosen, pairs, typed};
use crate::estimate::{self, Asked, Estimate, Given, NAMES, Pass, Refused, SPLITS};
use crate::number::{grouped, percent, significant};
use crate::panel::duration;
use crate::words::estimate as words;
use perfmodel::{Attention, Chip, PeakDtype, PublishedMfu};

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
        let choices = match name {
            "model" => estimate::models().map(|model| (model.id, model.title.to_owned())).collect(),
            "chip" => chips().collect(),
            "dtype" => PeakDtype::ALL.map(|dtype| (dtype.word(), dtype.word().to_owned())).to_vec(),
            "pass" => words_of(&Pass::ALL.map(Pass::id)),
            "remat" => words_of(&["none", "full"]),
            "attention" => words_of(&["full", "causal"]),
            "split" => words_of(&SPLITS.map(|(id, _)| id)),
            _ => Vec::new(),
        };
        Entry { choices, ..typed(text, name, &usual.text(name)) }
    };
    let none = core::iter::once(("", words::NO_SECOND.to_owned()));
    NAMES.iter().map(|name| entry(name)).chain([chosen(text, VERSUS, none.chain(chips()).collect())]).collect()
}

pub(super) fn answer(text: &str, file: Option<&Given>) -> Answer {
    let mut versus = None;
    let mut given = pairs(text);
    given.retain(|(name, value)| {
        if name == VERSUS {
            versus = Some(value.clone());
        }
        name != VERSUS
    });
    let (asked, wrong) = Asked::from_pairs(given);
    let mut wrong: Vec<(String, String)> = wrong.iter().map(|one| (one.name.clone(), words::wrong(one))).collect();
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
            Some(Ok(content)) => Estimate::of_content(asked, content),
            Some(Err(refused)) => Err(refused.clone()),
            None => Estimate::new(asked).map_err(|why| vec![words::why(&why)]),
        }
    };
    let first = match estimated(&asked) {
        Ok(first) => first,
        Err(refused) => return Answer { wrong, refused, ..Answer::default() },
    };
    let mut tables = Vec::new();
    if let Some(chip) = second {
        // A price of one's own is for the first chip.
        match estimated(&Asked { chip, usd: None, ..asked }) {
            Ok(second) => tables.push(beside(&first, &second)),
            Err(refused) => {
                wrong.extend(refused.into_iter().map(|sentence| (VERSUS.to_owned(), sentence)));
            }
        }
    }
    tables.push(products(&first));
    if file.is_none() {
        tables.push(scaling(&first));
    }
    tables.extend(published(first.asked.chip));
    tables.extend([assumptions(&first), super::chip::sheet(first.asked.chip)]);
    let title = words::headline(&first);
    Answer { title, figures: estimate::figures(&first), tables, wrong, ..Answer::default() }
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
        let other = Estimate::new(&Asked { chips, ..estimate.asked.clone() }).ok()?;
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
fn published(chip: &Chip) -> Option<Table> {
    let rows: Vec<(bool, Vec<String>)> = PublishedMfu::all()
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
    (!rows.is_empty()).then(|| Table { title: words::PUBLISHED, heads: words::PUBLISHED_HEADS.to_vec(), rows })
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
