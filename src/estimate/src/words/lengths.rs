//! The answer about sequences in static shapes.

use super::{answer as words, entry};
use crate::LengthsQuery;
use crate::answer::{Answer, Bars, Table};
use crate::lengths::{Stream, Way};
use display::figure::{Figure, defined, duration};
use display::number::{grouped, percent, readable};
use perfmodel::definition::scale;
use perfmodel::{Layout, ShapeRefusal};

/// Steps that are drawn.
const DRAWN_MAX: usize = 160;

/// The answer.
#[must_use]
pub(crate) fn answer(query: &LengthsQuery) -> Answer {
    let refused = |refusal: ShapeRefusal| Answer { refused: vec![refusal.says().to_owned()], ..Answer::default() };
    let stream = match &query.stream {
        Ok(stream) => stream,
        Err(refusal) => return refused(*refusal),
    };
    let chosen = match stream.layout(query.way) {
        Ok(layout) => layout,
        Err(refusal) => return refused(refusal),
    };
    let rows = Way::ALL.iter().map(|way| {
        let cells = match stream.layout(*way) {
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
        (*way == query.way, core::iter::once(entry::way(*way).to_owned()).chain(cells).collect())
    });
    let table = Table { title: words::WAYS, heads: words::WAY_HEADS.to_vec(), rows: rows.collect() };
    let title = format!(
        "{} sequences, {} tokens, {}",
        grouped(stream.lengths.len() as u64),
        grouped(chosen.tokens),
        entry::way(query.way)
    );
    let (figures, bars) = (figures(stream, &chosen), Some(spikes(stream, &chosen)));
    Answer { title, figures, tables: vec![table], bars, ..Answer::default() }
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
