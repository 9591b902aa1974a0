//! Plot of MFU against the number of chips. A line shows the prediction, and dots show the user's setup and published
//! runs. The line and all dots use the same convention for MFU.

use super::{self as words, Against};
use display::figure::{Citation, cite};
use display::plot::{Axis, Dot, Line, Plot, Shape, Stroke};
use estimate::{Convention, Estimate, Question};
use perfmodel::{Attention, Chip, Mfu, PodScaling, PublishedMfu, TransformerFlops};
use workload::PassKind;

/// Number of published runs that the plot names, each with its source.
const NAMED_MAX: usize = 5;

/// A published run that the plot shows.
struct Point {
    row: &'static PublishedMfu,
    chips: u32,
    percent: f64,
    /// Convention and percentage as published; `None` if the published convention is the convention of the plot.
    printed: Option<(Attention, f64)>,
}

/// Published runs in one convention, and the runs that the plot cannot show.
#[derive(Default)]
struct Points {
    placed: Vec<Point>,
    placeless: Vec<String>,
    otherwise: usize,
}

/// Returns the plot of MFU against chips for an estimate. `recounted` computes the estimate again with the plot's
/// convention for attention.
pub(crate) fn against_chips(
    estimate: &Estimate,
    convention: Convention,
    recounted: impl Fn(&Question) -> Option<Estimate>,
) -> Against {
    let attention = match convention {
        Convention::Mfu(attention) => attention,
        Convention::Hfu | Convention::Unstated => Attention::Full,
    };
    let again = (attention != estimate.question.attention)
        .then(|| recounted(&Question { attention, ..estimate.question.clone() }))
        .flatten();
    let estimate = again.as_ref().unwrap_or(estimate);
    let mut notes = Vec::new();
    let points = if estimate.question.pass == PassKind::Training {
        published(convention, &estimate.question.chip)
    } else {
        notes.push(words::NOT_TRAINING.to_owned());
        Points::default()
    };
    let most = points.placed.iter().map(|point| u64::from(point.chips)).fold(estimate.question.chips.max(64), u64::max);
    let mut lines = Vec::new();
    let mut dots = Vec::new();
    let mut ends = Vec::new();
    if convention == Convention::Unstated {
        notes.push(words::NO_LINE.to_owned());
    } else {
        let curve = predicted(estimate, convention, most);
        ends = [curve.first(), curve.last()].into_iter().flatten().map(|point| (point.percent, point.chips)).collect();
        if curve.iter().any(|point| !point.is_counted) {
            notes.push(words::DASHED.to_owned());
        }
        lines = drawn(&curve);
        let own = percent(estimate, convention).filter(|_| estimate.misfit().is_none());
        dots.extend(own.map(|percent| own_dot(estimate, percent)));
        if estimate.share.is_some() {
            notes.extend(about_the_shape(estimate));
        }
    }
    let mut chips: Vec<&str> = points.placed.iter().map(|point| point.row.chip).collect();
    chips.dedup();
    let nearest = estimate.nearest(NAMED_MAX);
    let mut opened = Vec::new();
    for point in &points.placed {
        let is_named = opened.len() < NAMED_MAX && nearest.iter().any(|row| core::ptr::eq(*row, point.row));
        let (dot, opens) = dot(point, if is_named { opened.len() + 1 } else { 0 }, &chips);
        dots.push(Dot { is_filled: point.row.chip == estimate.question.chip.id, ..dot });
        if is_named {
            opened.push(opens);
        }
    }
    if dots.iter().any(|dot| dot.is_filled && dot.number > 0) {
        notes.insert(0, words::filled(estimate.question.chip.name));
    }
    if !points.placeless.is_empty() {
        notes.push(words::placeless(&points.placeless));
    }
    if points.otherwise > 0 {
        notes.push(words::otherwise(points.otherwise));
    }
    let name = words::convention(convention);
    let title = words::against_chips_title(convention);
    let summary = words::summary(&title, &ends, points.placed.len());
    let x = Axis::decades(words::CHIPS, [1.0, most as f64]);
    // The axis goes from zero to the first round number above all dots and lines.
    let heights = dots.iter().map(|dot| dot.at.1).chain(lines.iter().flat_map(|line| &line.points).map(|at| at.1));
    let highest = heights.fold(0.0, f64::max);
    let top =
        [1.0, 2.0, 5.0, 10.0, 20.0, 40.0, 60.0, 80.0].into_iter().find(|top| highest < top * 0.97).unwrap_or(100.0);
    let y = Axis::linear(words::in_percent(name), top);
    Against {
        plot: Plot { id: "plot-mfu", title, words: summary, x, y, lines, dots, has_legend: false },
        dots: opened,
        notes,
    }
}

/// Returns notes on the shape of the line of a training run.
fn about_the_shape(estimate: &Estimate) -> Vec<String> {
    let mut notes = vec![words::SHAPE.to_owned()];
    let pods: Vec<_> = PodScaling::on(&estimate.question.chip).collect();
    if !pods.is_empty() {
        notes.push(words::pods(&pods));
    }
    notes
}

/// A point of the predicted line.
#[derive(Clone, Copy)]
struct Predicted {
    chips: u64,
    percent: f64,
    /// True if the point includes communication between chips, or if the chips need no communication.
    is_counted: bool,
}

fn ratio(estimate: &Estimate, convention: Convention) -> Option<Mfu> {
    match convention {
        Convention::Hfu => estimate.hfu.ok(),
        Convention::Mfu(_) | Convention::Unstated => estimate.mfu.ok(),
    }
}

fn percent(estimate: &Estimate, convention: Convention) -> Option<f64> {
    ratio(estimate, convention).map(|mfu| mfu.ratio * 100.0)
}

/// Returns the points of the predicted line at powers of two, at the question's number of chips, and at the end of the
/// axis. The axis ends at the smallest power of ten, from 10 on, that is at least `most`.
fn predicted(estimate: &Estimate, convention: Convention, most: u64) -> Vec<Predicted> {
    // The axis ends at a whole power of ten.
    let end = core::iter::successors(Some(10u64), |end| end.checked_mul(10)).find(|end| *end >= most).unwrap_or(most);
    let mut counts: Vec<u64> = core::iter::successors(Some(1u64), |chips| chips.checked_mul(2))
        .take_while(|chips| *chips < end)
        .chain([end, estimate.question.chips])
        .collect();
    counts.sort_unstable();
    counts.dedup();
    let of = |chips: u64| {
        let other = estimate.on_chips(chips).ok().filter(|other| other.misfit().is_none())?;
        let is_counted = chips == 1 || other.exchange.is_some() || !other.needs_exchange();
        Some(Predicted { chips, percent: percent(&other, convention)?, is_counted })
    };
    counts.into_iter().filter_map(of).collect()
}

/// Splits the line into parts: solid if communication is counted, else dashed.
fn drawn(curve: &[Predicted]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut last: Option<Predicted> = None;
    for point in curve {
        let at = (point.chips as f64, point.percent);
        let kind = if point.is_counted { Stroke::Own } else { Stroke::Partial };
        match lines.last_mut() {
            Some(line) if line.kind == kind => line.points.push(at),
            _ => {
                // A segment between two parts is as uncertain as the less certain part.
                let from = last.filter(|_| !point.is_counted).map(|last| (last.chips as f64, last.percent));
                let label = if lines.is_empty() { words::PREDICTED.to_owned() } else { String::new() };
                lines.push(Line { kind, points: from.into_iter().chain([at]).collect(), label });
            }
        }
        last = Some(*point);
    }
    lines
}

fn own_dot(estimate: &Estimate, percent: f64) -> Dot {
    let chips = estimate.question.chips;
    Dot {
        at: (chips as f64, percent),
        shape: Shape::Subject,
        radius: 7.0,
        number: 0,
        name: words::yours(percent),
        words: words::yours_on(chips, estimate.question.chip.name, percent),
        is_filled: true,
    }
}

fn dot(point: &Point, number: usize, chips: &[&str]) -> (Dot, (String, Citation)) {
    let row = point.row;
    let chip = row.chip().map_or(row.chip, |chip| chip.name);
    let turn = chips.iter().take_while(|id| **id != row.chip).count();
    let shape = Shape::TURNS.get(turn % Shape::TURNS.len()).copied().unwrap_or(Shape::Circle);
    let line = words::dot(row.model, point.chips, chip, point.percent, shape);
    let counted = point.printed.map_or_else(String::new, |(from, percent)| words::converted(from, percent));
    let citation = cite(counted, &row.mfu_percent);
    let name = row.model.to_owned();
    let words = line.clone();
    let at = (f64::from(point.chips), point.percent);
    (Dot { at, shape, radius: 4.5, number, name, words, is_filled: false }, (line, citation))
}

/// Returns the verified runs on a chip that use a convention, or that can be converted to the convention. Without a run
/// on the chip, returns the runs on other chips of the maker.
fn published(convention: Convention, chip: &Chip) -> Points {
    let has_own = PublishedMfu::verified_on(chip.id).next().is_some();
    let is_shown = |one: &&'static Chip| if has_own { one.id == chip.id } else { one.vendor == chip.vendor };
    let mut points = Points::default();
    for row in Chip::all().iter().filter(is_shown).flat_map(|chip| PublishedMfu::verified_on(chip.id)) {
        let found = match convention {
            Convention::Hfu => row.hfu_percent.map(|percent| (percent, None)),
            Convention::Unstated => {
                row.mfu_percent.value.filter(|_| row.attention.is_none()).map(|percent| (percent, None))
            }
            Convention::Mfu(attention) => counted(row, attention),
        };
        match (found, row.chips) {
            (Some((percent, printed)), Some(chips)) => points.placed.push(Point { row, chips, percent, printed }),
            (Some((percent, _)), None) => {
                let chip = row.chip().map_or(row.chip, |chip| chip.name);
                points.placeless.push(words::unplaced(row.model, chip, percent));
            }
            (None, _) => points.otherwise += 1,
        }
    }
    points
}

type Counted = Option<(f64, Option<(Attention, f64)>)>;

/// Returns a published MFU in a convention: as printed, or converted if the model's dimensions are known.
///
/// For a converted MFU, the second value is the published convention and percentage.
fn counted(row: &PublishedMfu, attention: Attention) -> Counted {
    let (from, percent) = (row.attention?, row.mfu_percent.value?);
    if from == attention {
        return Some((percent, None));
    }
    let model =
        TransformerFlops { matmul_parameters: row.parameters?, layers: row.layers?, heads: row.width?, head_size: 1 };
    Some((model.recount(percent, row.sequence?.into(), from, attention), Some((from, percent))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use estimate::ModelQuery;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn against(text: &str, convention: Convention) -> Against {
        let ModelQuery { question, invalid, .. } = ModelQuery::parse(text);
        assert_eq!(invalid, [], "{text}");
        against_chips(&Estimate::new(&question).expect("an answer"), convention, |question| {
            Estimate::new(question).ok()
        })
    }

    const FULL: Convention = Convention::Mfu(Attention::Full);
    const CAUSAL: Convention = Convention::Mfu(Attention::Causal);

    #[test]
    fn points_of_one_convention_share_an_axis_and_no_others() {
        let full = against("", FULL);
        let all = || PublishedMfu::verified_on("tpu-v5e").filter(|row| row.chips.is_some());
        let stated = all().filter(|row| row.attention == Some(Attention::Full)).count();
        assert_eq!(full.plot.dots.len(), stated + 1, "and your setup");
        assert!((1..=NAMED_MAX).contains(&full.dots.len()), "{:?}", full.dots);
        // MaxText's rows, fitted apart from this crate: 29, 30, 61 and 99 ms a pod.
        let pods = full.notes.iter().find(|note| note.contains("each further pod")).expect("published for a TPU v5e");
        for grown in ["16B by 29.0", "32B by 30.0", "64B by 60.7", "128B by 98.7"] {
            assert!(pods.contains(grown), "{grown}: {pods}");
        }
        let hfu = against("model=llama3-70b&chip=tpu-v4&chips=4096", Convention::Hfu);
        assert_eq!(hfu.plot.dots.len(), 2, "PaLM's 57.8 %: {:?}", hfu.plot.dots);
        assert!((hfu.plot.dots[1].at.1 - 57.8).abs() < 1e-9);
        let untold = against("chip=tpu-v3", Convention::Unstated);
        let unstated = |row: &&PublishedMfu| row.attention.is_none() && row.chips.is_some();
        let stated = PublishedMfu::verified_on("tpu-v3").filter(unstated).count();
        assert!(untold.plot.lines.is_empty() && untold.plot.dots.len() == stated && stated > 0, "BERT, and no line");
        // Nobody published a run on a TPU v2, so other chips by Google are shown, and none is filled.
        let other = against("chip=tpu-v2", FULL);
        assert!(other.plot.dots.len() > 50 && other.plot.dots[1..].iter().all(|dot| !dot.is_filled));
    }

    #[test]
    fn a_point_is_converted_where_the_dimensions_are_known() {
        // Llama 3.1 8B at 8192 tokens: causal attention is 12.5 % of the causal count: 45.46 ÷ 1.125.
        let causal = against("model=llama3-8b&chip=tpu-v6e&chips=256&seq=8192&attention=full", CAUSAL);
        assert_eq!(causal.dots.len(), 1);
        assert!((causal.plot.dots[1].at.1 - 45.46 / 1.125).abs() < 0.05, "{:?}", causal.plot.dots);
        assert!(causal.dots[0].1.what.contains("published as 45.46 % with full attention"), "{:?}", causal.dots[0]);
    }

    #[test]
    fn every_dot_has_its_source_and_its_number() {
        for (_, convention) in Convention::ALL {
            let against = against("model=llama3-8b&chip=tpu-v6e&chips=256&seq=8192&batch=2", convention);
            let numbered: Vec<&Dot> = against.plot.dots.iter().filter(|dot| dot.number > 0).collect();
            assert_eq!(numbered.len(), against.dots.len());
            let own = |dot: &&&Dot| dot.words.contains(" × TPU v6e Trillium:");
            assert!(numbered.iter().all(|dot| dot.is_filled == own(&dot)), "those of the chosen chip");
            for (at, (dot, (line, citation))) in numbered.iter().zip(&against.dots).enumerate() {
                assert_eq!(dot.number, at + 1);
                assert!(dot.words == *line && citation.source.len() > 20 && !citation.confidence.is_empty());
            }
        }
    }

    #[test]
    fn the_line_passes_through_the_setup() {
        let found = against("model=llama3-8b&chip=tpu-v6e&chips=256&seq=8192&batch=2", FULL);
        let question = found.plot.dots.iter().find(|dot| dot.shape == Shape::Subject).expect("the case in question");
        let points = || found.plot.lines.iter().flat_map(|line| &line.points);
        assert!(points().any(|(chips, percent)| (*chips, *percent) == question.at), "the line goes through it");
        // Beyond a pod of 256 exchange is not counted, and the line says so.
        let dashed = found.plot.lines.iter().find(|line| line.kind == Stroke::Partial).expect("beyond the pod");
        assert!(dashed.points.iter().skip(1).all(|(chips, _)| *chips > 256.0));
        assert!(found.notes.iter().any(|note| note == words::DASHED));
    }

    #[test]
    fn published_training_runs_are_not_beside_decoding() {
        let decode = against("pass=decode", FULL);
        assert!(decode.dots.is_empty() && decode.notes.iter().any(|note| note == words::NOT_TRAINING));
    }
}
