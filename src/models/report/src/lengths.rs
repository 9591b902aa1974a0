//! The answer about sequences that are padded or packed to static shapes.

use super::answer::{Answer, Bars};
use super::entry;
use super::table::{Cell, Row, Table, TableId};
use display::amount::Amount;
use display::figure::{Figure, defined, dollars, duration};
use display::number::{grouped, percent, readable};
use estimate::lengths::{Epoch, Way};
use estimate::{Entry, LengthsQuery};
use perfmodel::definition::scale;
use perfmodel::{BatchLayout, Seconds, ShapeRefusal};

/// Maximum number of steps in the bar chart.
const DRAWN_MAX: usize = 160;

/// Returns the answer about sequences that are padded or packed to static shapes.
pub(crate) fn answer(query: &LengthsQuery) -> Answer {
    let refused = |refusal: ShapeRefusal| Answer { refused: vec![refusal.says().to_owned()], ..Answer::default() };
    let epoch = match &query.epoch {
        Ok(epoch) => epoch,
        Err(refusal) => return refused(*refusal),
    };
    let chosen = match epoch.layout(query.way) {
        Ok(layout) => layout,
        Err(refusal) => return refused(refusal),
    };
    let title = format!(
        "{} sequences, {} tokens, {}",
        grouped(epoch.lengths.len() as u64),
        grouped(chosen.tokens),
        entry::way(query.way)
    );
    let (mut figures, bars) = (figures(epoch, &chosen), Some(spikes(epoch, &chosen)));
    figures.extend(query.usd_per_hour.map(|usd| cost(epoch, &chosen, usd)));
    Answer { title, figures, bars, ..Answer::default() }
}

/// Returns the table of all ways of batching; `None` if the sequences or the chosen way cannot be used.
pub(crate) fn table(query: &LengthsQuery) -> Option<Table> {
    let epoch = query.epoch.as_ref().ok()?;
    let layouts = Way::ALL.map(|way| (way, epoch.layout(way)));
    let is_refused = layouts.iter().any(|(way, layout)| *way == query.way && layout.is_err());
    let rows = layouts.into_iter().map(|(way, layout)| {
        let cells = match layout {
            Ok(layout) => {
                let (compilation, computing) = epoch.compilation(&layout);
                let amounts = [
                    Amount::Share(layout.token_efficiency()),
                    Amount::Share(layout.attention_efficiency()),
                    Amount::Count(layout.shapes().len() as u64),
                    Amount::Time(compilation.time().0),
                    Amount::Time(computing + compilation.time().0),
                ];
                amounts.map(Cell::from).into()
            }
            Err(refusal) => vec![Cell::from(refusal.says())],
        };
        Row::new(entry::way(way), cells).marked(way == query.way)
    });
    (!is_refused).then(|| {
        Table::new(
            TableId::Ways,
            &["batching", "useful tokens", "useful attention", "shapes", "compile time", "all epochs"],
            rows,
        )
    })
}

fn figures(epoch: &Epoch, layout: &BatchLayout) -> Vec<Figure> {
    let (compilation, computing) = epoch.compilation(layout);
    let shapes = grouped(compilation.shapes);
    let rows = u64::from(layout.batch) * layout.steps.len() as u64;
    let tokens = format!("{} ÷ {}", grouped(layout.tokens), grouped(layout.padded_tokens()));
    let pairs = format!("{} ÷ {}", readable(layout.pairs as f64, 6), readable(layout.padded_pairs() as f64, 6));
    let overhead = compilation.overhead().map_or_else(|| "unknown".to_owned(), |share| format!("{} %", percent(share)));
    let worked = format!(
        "shapes: {shapes} · {} ÷ (steps: {} · {})",
        duration(epoch.compile.0),
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
            "attention waste is quadratic".to_owned(),
            pairs,
            Vec::new(),
        ),
        defined(&scale::RECOMPILATION_OVERHEAD, overhead, format!("compiled shapes: {shapes}"), worked, Vec::new()),
        Figure {
            id: "run-with-compiling",
            name: "Time with compiling",
            value: duration(computing + compilation.time().0),
            range: None,
            note: format!("{} without compiling", duration(computing)),
            formula: "epochs · Σ (time of the longest step · row length ÷ longest length) + shapes · compile time",
            worked: format!("{} + {}", duration(computing), duration(compilation.time().0)),
            says: "Time of all epochs if the time of a step is proportional to the length of its rows.",
            leaves_out: "The quadratic cost of attention, which makes long rows more expensive; compilation caches that persist across runs.",
            citations: Vec::new(),
        },
    ]
}

/// Returns the figure of the cost of padding, with the cost of all epochs in its note.
fn cost(epoch: &Epoch, layout: &BatchLayout, usd_per_hour: f64) -> Figure {
    let (compilation, computing) = epoch.compilation(layout);
    let usd = |seconds: f64| usd_per_hour * Seconds(seconds).hours();
    let (time, padding) = (computing + compilation.time().0, computing * (1.0 - layout.token_efficiency()));
    Figure {
        id: "cost-of-padding",
        name: "Cost of padding",
        value: dollars(usd(padding)),
        range: None,
        note: format!("of {} for all epochs", dollars(usd(time))),
        formula: "chips · price · time without compiling · (1 − token efficiency)",
        worked: format!(
            "{} per hour · {} · {} %",
            dollars(usd_per_hour),
            duration(computing),
            percent(1.0 - layout.token_efficiency())
        ),
        says: "Price of the time in which the chips of the run compute padding.",
        leaves_out: "Attention, whose waste grows with the square of the row length.",
        citations: Vec::new(),
    }
}

/// Returns a sentence with the step of the run; empty without a run.
#[must_use]
pub fn of_run(query: &LengthsQuery) -> String {
    let of = |entry| query.entries.of_run(entry);
    let Some(((rows, row), step)) = of(Entry::Rows).zip(of(Entry::Longest)).zip(of(Entry::LongestStep)) else {
        return String::new();
    };
    let (rows, row) = (readable(rows, 7), readable(row, 7));
    format!("A step of the run above has {rows} rows of {row} tokens and takes {}.", duration(step))
}

/// Returns the bar chart of the first steps. The bars of steps that wait for the compiler are marked.
///
/// The scale is logarithmic, because the marked steps take far longer than the other steps.
fn spikes(epoch: &Epoch, layout: &BatchLayout) -> Bars {
    let mut runs = layout.step_runs(epoch.compile, |row| epoch.seconds(row));
    let all = runs.len();
    runs.truncate(DRAWN_MAX);
    let least = epoch.seconds(1).max(1e-9);
    let most = runs.iter().map(|run| run.time.0).fold(least * 2.0, f64::max);
    let height = |seconds: f64| ((seconds.max(least) / least).ln() / (most / least).ln()).clamp(0.0, 1.0);
    let compiling = runs.iter().filter(|run| run.compiles).count();
    let compilations = match compiling {
        1 => "1 compilation".to_owned(),
        many => format!("{} compilations", grouped(many as u64)),
    };
    let words = format!(
        "Steps 1 to {} of {}. {compilations}, {} per compiled shape. Logarithmic scale.",
        grouped(runs.len() as u64),
        grouped(all as u64),
        duration(epoch.compile.0)
    );
    Bars { words, bars: runs.into_iter().map(|run| (height(run.time.0), run.compiles)).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use estimate::{Answered, Query, Topic};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn asked(ask: &str, lengths: &str) -> LengthsQuery {
        let run = Answered::parse(Topic::Model, ask);
        match Query::parse(Topic::Lengths, lengths).of_run(&run) {
            Query::Lengths(query) => *query,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn sequences_have_the_rows_the_step_and_the_price_of_the_run() {
        let query = asked("chip=tpu-v5e&chips=64&batch=4&seq=1024&measured=5 s", "way=max&epochs=1&compile=0");
        assert!(of_run(&query).starts_with("A step of the run above has 256 rows of 1024 tokens and takes 5 s"));
        // 128 steps of 5 s run on 64 chips at $1.20. A quarter of the tokens is useful, as in the default distribution.
        let answer = answer(&query);
        let figure = |id: &str| answer.figures.iter().find(|one| one.id == id).expect("a figure");
        let usd = 128.0 * 5.0 / 3600.0 * 64.0 * 1.2;
        assert_eq!(figure("cost-of-padding").note, format!("of ${usd:.2} for all epochs"));
        let padding: f64 = figure("cost-of-padding").value.trim_start_matches('$').parse().expect("dollars");
        let useful: f64 = figure("token-efficiency").value.trim_end_matches(" %").parse().expect("a share");
        assert!((padding / usd - (1.0 - useful / 100.0)).abs() < 0.002, "{padding} {usd} {useful}");
        assert!((20.0..30.0).contains(&useful), "{useful}");
        // The command line keeps what the link sets.
        let set = asked("chip=tpu-v5e&chips=64", "rows=32&step=0.5&longest=512");
        let epoch = set.epoch.expect("sequences");
        assert_eq!((epoch.longest, epoch.seconds(512)), (512, 0.5));
    }

    #[test]
    fn a_step_that_is_not_a_batch_of_sequences_gives_nothing() {
        for ask in ["pass=decode", "model=product&m=8&k=8&n=8"] {
            let query = asked(ask, "");
            assert!(!query.entries.has_run() && query.usd_per_hour.is_none(), "{ask}");
        }
        // A link without a run keeps its defaults.
        assert!(asked("", "way=max").epoch.is_ok_and(|epoch| epoch.longest == 512));
    }
}
