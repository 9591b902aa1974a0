//! The answer about sequences that are padded or packed to static shapes.

use super::answer::{Answer, Bars};
use super::entry;
use super::table::{Cell, Row, Table, TableId};
use display::amount::Amount;
use display::figure::{Figure, defined, duration};
use display::number::{grouped, percent, readable};
use estimate::LengthsQuery;
use estimate::lengths::{Epoch, Way};
use perfmodel::definition::scale;
use perfmodel::{BatchLayout, ShapeRefusal};

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
    let (figures, bars) = (figures(epoch, &chosen), Some(spikes(epoch, &chosen)));
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
