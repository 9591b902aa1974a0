//! Sequences of many lengths, padded to few compiled shapes: the waste of padding and the cost of compiling.

use crate::entries::Entries;
use crate::entry_reader::EntryReader;
use crate::{Allowed, Entry, InvalidEntry, Topic};
use perfmodel::{BatchLayout, Batching, Buckets, Compilation, LengthMix, Seconds, ShapeRefusal};

/// Example of a custom list of lengths.
pub const OWN: &str = "17, 39, 128, 300";
/// Largest allowed length in a list, in tokens.
const LENGTH_MAX: u32 = 1 << 20;
/// Maximum number of lengths in a list.
const LENGTHS_MAX: usize = 100_000;
/// Seed of the random sequence lengths, which is fixed so that equal queries have equal lengths.
const SEED: u64 = 7;

/// Source of the sequence lengths: a distribution or a custom list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    /// A log-normal distribution.
    LogNormal,
    /// A uniform distribution.
    Uniform,
    /// A custom list.
    Own,
}

impl Mix {
    /// All sources of lengths.
    pub const ALL: [Self; 3] = [Self::LogNormal, Self::Uniform, Self::Own];

    /// Returns the source's name in a link.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::LogNormal => "lognormal",
            Self::Uniform => "uniform",
            Self::Own => "own",
        }
    }
}

/// Method of padding or packing sequences into the rows of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Rows as long as the longest sequence of the epoch.
    Max,
    /// Rows whose lengths are powers of two.
    Powers,
    /// Rows whose lengths are multiples of a given length.
    Multiples,
    /// Rows as long as the longest sequence of their batch.
    Exact,
    /// Sequences sorted by length, in rows whose lengths are powers of two.
    SortedPowers,
    /// Sequences sorted by length, in rows whose lengths are multiples of a given length.
    SortedMultiples,
    /// Sequences sorted by length, in rows as long as the longest sequence of their batch.
    SortedExact,
    /// Several sequences packed into each row.
    Packed,
}

impl Way {
    /// All methods of padding or packing.
    pub const ALL: [Self; 8] = [
        Self::Max,
        Self::Powers,
        Self::Multiples,
        Self::Exact,
        Self::SortedPowers,
        Self::SortedMultiples,
        Self::SortedExact,
        Self::Packed,
    ];

    /// Returns the method's name in a link.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Max => "max",
            Self::Powers => "powers",
            Self::Multiples => "multiples",
            Self::Exact => "exact",
            Self::SortedPowers => "sorted-powers",
            Self::SortedMultiples => "sorted-multiples",
            Self::SortedExact => "sorted-exact",
            Self::Packed => "packed",
        }
    }
}

/// A question about sequences of many lengths.
#[derive(Clone, Debug)]
pub struct LengthsQuery {
    /// Entries as typed.
    pub entries: Entries,
    /// Method of padding or packing sequences into the rows of a batch.
    pub way: Way,
    /// Dollars per hour on all chips of the run; `None` without a run or a price.
    pub usd_per_hour: Option<f64>,
    /// The sequences of an epoch, or the reason why the lengths cannot be used.
    pub epoch: Result<Epoch, ShapeRefusal>,
    /// Entries that cannot be used.
    pub invalid: Vec<InvalidEntry>,
}

/// The sequences of an epoch, with the settings that group them into batches.
#[derive(Clone, Debug)]
pub struct Epoch {
    /// Number of tokens in each sequence.
    pub lengths: Vec<u32>,
    /// Number of tokens in the longest row.
    pub longest: u32,
    rows: u32,
    multiple: u32,
    /// Time to compile the program for one shape.
    pub compile: Seconds,
    /// Time of a step with the longest rows, in seconds.
    step: f64,
    epochs: u32,
}

impl LengthsQuery {
    /// Reads the query from entries as typed.
    #[must_use]
    pub fn new(entries: Entries) -> Self {
        let mut numbers = EntryReader::of(&entries);
        let mix = numbers.one_of(Entry::Mix, &Mix::ALL, Mix::id);
        let median = numbers.number(Entry::Median);
        let sigma = numbers.number(Entry::Sigma);
        let shortest = numbers.count(Entry::Shortest);
        let longest = numbers.count(Entry::Longest);
        let count = numbers.count(Entry::Count);
        let rows = numbers.count(Entry::Rows);
        let way = numbers.one_of(Entry::Way, &Way::ALL, Way::id);
        let multiple = numbers.count(Entry::Multiple);
        let compile = Seconds(numbers.number(Entry::CompileTime));
        let step = numbers.number(Entry::LongestStep);
        let epochs = numbers.count(Entry::Epochs);
        let mut invalid = std::mem::take(&mut numbers.invalid);
        let own = if mix == Mix::Own { listed(&entries, &mut invalid) } else { Vec::new() };
        let is_crossed = shortest > longest && mix != Mix::Own;
        if is_crossed {
            let given = shortest.to_string();
            invalid.push(InvalidEntry::new(Entry::Shortest, &given, Allowed::AtMostLongest(longest)));
        }
        let shortest = if is_crossed { 1 } else { shortest };
        let mix = match mix {
            Mix::Uniform => LengthMix::Uniform { shortest, longest },
            Mix::Own => LengthMix::List(&own),
            Mix::LogNormal => LengthMix::LogNormal { median, sigma, longest },
        };
        let epoch = mix.lengths(count, SEED).map(|mut lengths| {
            if let LengthMix::LogNormal { .. } = mix {
                // Raises lengths below the shortest length, because the distribution also cuts lengths above the
                // longest.
                lengths.iter_mut().for_each(|length| *length = (*length).max(shortest));
            }
            let longest = lengths.iter().copied().max().unwrap_or(longest).max(longest);
            Epoch { lengths, longest, rows, multiple, compile, step, epochs }
        });
        let unknown = entries.unknown.iter().map(|(name, text)| InvalidEntry::unknown(Topic::Lengths, name, text));
        invalid.extend(unknown);
        let chips_and_price = entries.of_run(Entry::RunChips).zip(entries.of_run(Entry::RunUsd));
        let usd_per_hour = chips_and_price.map(|(chips, usd)| chips * usd);
        Self { entries, way, usd_per_hour, epoch, invalid }
    }
}

/// Reads a list of lengths. Omits unusable lengths, and reports only the first unusable length.
fn listed(entries: &Entries, invalid: &mut Vec<InvalidEntry>) -> Vec<u32> {
    let text = entries.text(Entry::OwnLengths).unwrap_or(OWN);
    let parts = text.split([',', ' ', ';', '\n', '\t']).filter(|part| !part.is_empty()).take(LENGTHS_MAX);
    let (mut lengths, mut strange) = (Vec::new(), None);
    for part in parts {
        match part.parse().ok().filter(|length| (1..=LENGTH_MAX).contains(length)) {
            Some(length) => lengths.push(length),
            None => strange = strange.or(Some(part)),
        }
    }
    let refused = |part| InvalidEntry::new(Entry::OwnLengths, part, Allowed::Lengths(u64::from(LENGTH_MAX)));
    invalid.extend(strange.map(refused));
    lengths
}

impl Epoch {
    /// Arranges the sequences in rows, by one method of padding or packing.
    ///
    /// # Errors
    /// [`ShapeRefusal`] if this method is impossible for the sequences.
    pub fn layout(&self, way: Way) -> Result<BatchLayout, ShapeRefusal> {
        let (is_sorted, buckets) = match way {
            Way::Powers => (false, Buckets::PowersOfTwo),
            Way::SortedPowers => (true, Buckets::PowersOfTwo),
            Way::Multiples => (false, Buckets::Multiples(self.multiple)),
            Way::SortedMultiples => (true, Buckets::Multiples(self.multiple)),
            Way::Exact => (false, Buckets::Exact),
            Way::SortedExact => (true, Buckets::Exact),
            Way::Max | Way::Packed => (false, Buckets::One(self.longest)),
        };
        let batching = match way {
            Way::Packed => Batching::Packed { batch: self.rows, row: self.longest },
            _ => Batching::Padded { batch: self.rows, sorted: is_sorted, buckets },
        };
        BatchLayout::new(&self.lengths, batching)
    }

    /// Returns the time in seconds of a step in which each row has `row` tokens.
    #[must_use]
    pub fn seconds(&self, row: u32) -> f64 {
        self.step * f64::from(row) / f64::from(self.longest)
    }

    /// Returns the cost of compiling over all epochs, and the time of all steps without compiling, in seconds.
    #[must_use]
    pub fn compilation(&self, layout: &BatchLayout) -> (Compilation, f64) {
        let computing: f64 = layout.steps.iter().map(|row| self.seconds(*row)).sum();
        let steps = layout.steps.len() as u64;
        let all = Compilation {
            shapes: layout.shapes().len() as u64,
            compile: self.compile,
            steps: steps * u64::from(self.epochs),
            step: Seconds(computing / (steps.max(1)) as f64),
        };
        (all, computing * f64::from(self.epochs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn lengths(text: &str) -> (Vec<u32>, Vec<Allowed>) {
        let query = LengthsQuery::new(Entries::parse(Topic::Lengths, text));
        let invalid = query.invalid.into_iter().map(|one| one.allowed).collect();
        (query.epoch.map(|epoch| epoch.lengths).unwrap_or_default(), invalid)
    }

    #[test]
    fn every_length_is_within_the_shortest_and_the_longest() {
        for mix in ["lognormal", "uniform"] {
            let (lengths, invalid) = lengths(&format!("mix={mix}&shortest=90&longest=100"));
            assert!(invalid.is_empty() && lengths.iter().all(|length| (90..=100).contains(length)), "{mix}");
        }
        assert_eq!(lengths("shortest=900&longest=100").1, [Allowed::AtMostLongest(100)]);
    }

    #[test]
    fn a_length_that_is_none_is_refused_and_the_others_are_used() {
        let (lengths, invalid) = lengths("mix=own&own=17,x,300&count=4");
        assert_eq!((lengths, invalid), (vec![17, 300, 17, 300], vec![Allowed::Lengths(1_048_576)]));
    }

    #[test]
    fn a_name_that_is_no_entry_and_an_entry_set_twice_are_refused() {
        assert_eq!(lengths("zebra=1").1, [Allowed::EntryOf(Topic::Lengths)]);
        let (lengths, invalid) = lengths("mix=uniform&count=3&count=9");
        assert_eq!((lengths.len(), invalid), (3, vec![Allowed::Once]));
    }
}
