//! Sequences of many lengths made to fit few compiled shapes: what is wasted, and what compiling costs.

use super::numbers::{Number, Numbers};
use super::{Answer, Bars, Entry, Table, chosen, typed};
use crate::words::answer as words;
use display::figure::{Figure, defined, duration};
use display::number::{grouped, percent, readable};
use perfmodel::definition::scale;
use perfmodel::{Batching, Buckets, Compilation, Layout, LengthMix, Seconds, ShapeRefusal};

/// Ways of laying sequences out, by their names in a link.
const WAYS: [&str; 8] =
    ["max", "powers", "multiples", "exact", "sorted-powers", "sorted-multiples", "sorted-exact", "packed"];
const MIXES: [&str; 3] = ["lognormal", "uniform", "own"];

const MEDIAN: Number = Number::new("median", 96.0, [1.0, 1e6]);
const SIGMA: Number = Number::new("sigma", 0.8, [0.0, 5.0]);
const SHORTEST: Number = Number::new("shortest", 1.0, [1.0, 1_048_576.0]);
const LONGEST: Number = Number::new("longest", 512.0, [1.0, 1_048_576.0]);
const COUNT: Number = Number::new("count", 4096.0, [1.0, 1e5]);
const ROWS: Number = Number::new("rows", 32.0, [1.0, 4096.0]);
const MULTIPLE: Number = Number::new("multiple", 128.0, [1.0, 1_048_576.0]);
const COMPILE: Number = Number::new("compile", 60.0, [0.0, 86_400.0]);
const STEP: Number = Number::new("step", 0.5, [1e-6, 86_400.0]);
const EPOCHS: Number = Number::new("epochs", 10.0, [1.0, 1e6]);
/// Lengths of one's own, as an example.
const OWN: &str = "17, 39, 128, 300";

/// Steps that are drawn.
const DRAWN_MAX: usize = 160;

pub(super) fn entries(text: &str) -> Vec<Entry> {
    let words_of =
        |all: &[&'static str]| all.iter().map(|one| (*one, words::choice(one).to_owned())).collect::<Vec<_>>();
    vec![
        chosen(text, "mix", words_of(&MIXES)),
        MEDIAN.entry(text),
        SIGMA.entry(text),
        SHORTEST.entry(text),
        LONGEST.entry(text),
        typed(text, "own", OWN),
        COUNT.entry(text),
        ROWS.entry(text),
        chosen(text, "way", words_of(&WAYS)),
        MULTIPLE.entry(text),
        COMPILE.entry(text),
        STEP.entry(text),
        EPOCHS.entry(text),
    ]
}

/// The question with its defaults.
struct Stream {
    lengths: Vec<u32>,
    longest: u32,
    rows: u32,
    multiple: u32,
    way: &'static str,
    compile: Seconds,
    /// Time of a step at the longest row.
    step: f64,
    epochs: u32,
}

fn read(numbers: &mut Numbers) -> Result<Stream, ShapeRefusal> {
    let mix = numbers.one_of("mix", &MIXES);
    let median = numbers.number(&MEDIAN);
    let sigma = numbers.number(&SIGMA);
    let shortest = numbers.whole(&SHORTEST);
    let longest = numbers.whole(&LONGEST);
    let count = numbers.whole(&COUNT);
    let rows = numbers.whole(&ROWS);
    let way = numbers.one_of("way", &WAYS);
    let multiple = numbers.whole(&MULTIPLE);
    let compile = Seconds(numbers.number(&COMPILE));
    let step = numbers.number(&STEP);
    let epochs = numbers.whole(&EPOCHS);
    let own = if mix == "own" { listed(numbers) } else { Vec::new() };
    let shortest = if shortest > longest && mix != "own" {
        let sentence = format!("shortest = {shortest}: allowed is at most the longest, {longest}.");
        numbers.wrong.push(("shortest".to_owned(), sentence));
        1
    } else {
        shortest
    };
    let mix = match mix {
        "uniform" => LengthMix::Uniform { shortest, longest },
        "own" => LengthMix::Given(&own),
        _ => LengthMix::LogNormal { median, sigma, longest },
    };
    let mut lengths = mix.lengths(count, 7)?;
    if let LengthMix::LogNormal { .. } = mix {
        // What would be shorter is raised, as what would be longer is cut.
        lengths.iter_mut().for_each(|length| *length = (*length).max(shortest));
    }
    let longest = lengths.iter().copied().max().unwrap_or(longest).max(longest);
    Ok(Stream { lengths, longest, rows, multiple, way, compile, step, epochs })
}

/// Lengths of one's own. Those that cannot be used are named and left out.
fn listed(numbers: &mut Numbers) -> Vec<u32> {
    let given = numbers.text("own").unwrap_or(OWN).to_owned();
    let parts = given.split([',', ' ', ';', '\n', '\t']).filter(|part| !part.is_empty()).take(100_000);
    let (mut lengths, mut strange) = (Vec::new(), None);
    for part in parts {
        match part.parse().ok().filter(|length| (1..=1u32 << 20).contains(length)) {
            Some(length) => lengths.push(length),
            None => strange = strange.or(Some(part)),
        }
    }
    if let Some(part) = strange {
        let sentence = format!("own = {}: allowed are whole numbers from 1 to 1048576.", super::cut(part));
        numbers.wrong.push(("own".to_owned(), sentence));
    }
    lengths
}

impl Stream {
    fn laid_out(&self, way: &str) -> Result<Layout, ShapeRefusal> {
        let (sorted, way) = way.strip_prefix("sorted-").map_or((false, way), |way| (true, way));
        let buckets = match way {
            "powers" => Buckets::PowersOfTwo,
            "multiples" => Buckets::Multiples(self.multiple),
            "exact" => Buckets::Exact,
            _ => Buckets::One(self.longest),
        };
        let batching = match way {
            "packed" => Batching::Packed { batch: self.rows, row: self.longest },
            _ => Batching::Padded { batch: self.rows, sorted, buckets },
        };
        Layout::new(&self.lengths, batching)
    }

    fn seconds(&self, row: u32) -> f64 {
        self.step * f64::from(row) / f64::from(self.longest)
    }

    /// What compiling costs over all epochs, and the time of their steps.
    fn compilation(&self, layout: &Layout) -> (Compilation, f64) {
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

pub(super) fn answer(text: &str) -> Answer {
    let mut numbers = Numbers::read(text);
    let read = read(&mut numbers);
    let wrong = std::mem::take(&mut numbers.wrong);
    let refused =
        |refusal: ShapeRefusal, wrong| Answer { wrong, refused: vec![refusal.says().to_owned()], ..Answer::default() };
    let stream = match read {
        Ok(stream) => stream,
        Err(refusal) => return refused(refusal, wrong),
    };
    let chosen = match stream.laid_out(stream.way) {
        Ok(layout) => layout,
        Err(refusal) => return refused(refusal, wrong),
    };
    let rows = WAYS.iter().map(|way| {
        let cells = match stream.laid_out(way) {
            Ok(layout) => {
                let (compilation, computing) = stream.compilation(&layout);
                let total = computing + compilation.time().0;
                vec![
                    format!("{} %", percent(layout.token_efficiency())),
                    format!("{} %", percent(layout.attention_efficiency())),
                    grouped(layout.shapes().len() as u64),
                    duration(compilation.time().0),
                    duration(total),
                ]
            }
            Err(refusal) => vec![refusal.says().to_owned()],
        };
        (*way == stream.way, core::iter::once(words::choice(way).to_owned()).chain(cells).collect())
    });
    let table = Table { title: words::WAYS, heads: words::WAY_HEADS.to_vec(), rows: rows.collect() };
    let title = format!(
        "{} sequences, {} tokens, {}",
        grouped(stream.lengths.len() as u64),
        grouped(chosen.tokens),
        words::choice(stream.way)
    );
    let (figures, bars) = (figures(&stream, &chosen), Some(spikes(&stream, &chosen)));
    Answer { title, figures, tables: vec![table], bars, wrong, ..Answer::default() }
}

fn figures(stream: &Stream, layout: &Layout) -> Vec<Figure> {
    let (compilation, computing) = stream.compilation(layout);
    let shapes = grouped(compilation.shapes);
    let rows = u64::from(layout.batch) * layout.steps.len() as u64;
    let tokens = format!("{} ÷ {}", grouped(layout.tokens), grouped(layout.padded_tokens()));
    let pairs = format!("{} ÷ {}", readable(layout.pairs as f64, 6), readable(layout.padded_pairs() as f64, 6));
    let overhead = compilation.overhead().map_or_else(|| "unknown".to_owned(), |share| format!("{} %", percent(share)));
    let worked = format!(
        "shapes: {shapes} · {} ÷ (steps: {} · {})",
        duration(stream.compile.0),
        grouped(compilation.steps),
        duration(compilation.step.0)
    );
    vec![
        defined(
            &scale::TOKEN_EFFICIENCY,
            format!("{} %", percent(layout.token_efficiency())),
            format!("{} rows in {} steps", grouped(rows), grouped(layout.steps.len() as u64)),
            tokens,
            Vec::new(),
        ),
        defined(
            &scale::ATTENTION_EFFICIENCY,
            format!("{} %", percent(layout.attention_efficiency())),
            "waste of attention is quadratic".to_owned(),
            pairs,
            Vec::new(),
        ),
        defined(&scale::RECOMPILATION_OVERHEAD, overhead, format!("compiled shapes: {shapes}"), worked, Vec::new()),
        Figure {
            id: "run-with-compiling",
            name: "Time with compiling",
            value: duration(computing + compilation.time().0),
            note: format!("{} of it computing", duration(computing)),
            formula: "Σ step · row ÷ longest row, all epochs, + shapes · compile time",
            worked: format!("{} + {}", duration(computing), duration(compilation.time().0)),
            says: "How long all epochs take when a step's time goes with the length of its rows.",
            leaves_out: "Attention's square, so that long rows cost more than here; caches that keep programs for the next run.",
            citations: Vec::new(),
        },
    ]
}

/// The first steps, those that wait for the compiler marked; on a logarithmic scale, for these are far longer.
fn spikes(stream: &Stream, layout: &Layout) -> Bars {
    let mut runs = layout.step_runs(stream.compile, |row| stream.seconds(row));
    let all = runs.len();
    runs.truncate(DRAWN_MAX);
    let least = stream.seconds(1).max(1e-9);
    let most = runs.iter().map(|run| run.time.0).fold(least * 2.0, f64::max);
    let height = |seconds: f64| ((seconds.max(least) / least).ln() / (most / least).ln()).clamp(0.0, 1.0);
    let compiling = runs.iter().filter(|run| run.compiles).count();
    let words = format!(
        "Steps 1 to {} of {}; waiting {} times {} for the compiler. Logarithmic scale.",
        grouped(runs.len() as u64),
        grouped(all as u64),
        grouped(compiling as u64),
        duration(stream.compile.0)
    );
    Bars { words, bars: runs.into_iter().map(|run| (height(run.time.0), run.compiles)).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn lengths(text: &str) -> (Vec<u32>, Vec<(String, String)>) {
        let mut numbers = Numbers::read(text);
        let lengths = read(&mut numbers).map(|stream| stream.lengths).unwrap_or_default();
        (lengths, numbers.wrong)
    }

    #[test]
    fn every_length_is_within_the_shortest_and_the_longest() {
        for mix in ["lognormal", "uniform"] {
            let (lengths, wrong) = lengths(&format!("mix={mix}&shortest=90&longest=100"));
            assert!(wrong.is_empty() && lengths.iter().all(|length| (90..=100).contains(length)), "{mix}");
        }
        let (_, wrong) = lengths("shortest=900&longest=100");
        assert_eq!(wrong, [("shortest".to_owned(), "shortest = 900: allowed is at most the longest, 100.".to_owned())]);
    }

    #[test]
    fn a_length_that_is_none_is_named_and_the_others_are_used() {
        let (lengths, wrong) = lengths("mix=own&own=17,x,300&count=4");
        assert_eq!(lengths, [17, 300, 17, 300]);
        let sentence = "own = x: allowed are whole numbers from 1 to 1048576.";
        assert_eq!(wrong, [("own".to_owned(), sentence.to_owned())]);
    }
}
