//! Plot of MFU against the number of chips. A line shows the prediction, and dots show the user's setup and published
//! runs. The line and all dots use the same convention for MFU.

use super::super::answer::Drawing;
use super::convention;
use display::figure::{Citation, cite};
use display::number::{fixed, grouped, readable};
use display::plot::{Axis, Dot, Line, Plot, Shape, Stroke};
use estimate::{Convention, ConvertedMfu, MfuByChips, PredictedMfu};
use perfmodel::{Attention, PodScaling};

/// Number of published runs that the plot names, each with its source.
const NAMED_MAX: usize = 5;

/// Returns the plot.
pub(crate) fn by_chips(found: &MfuByChips) -> Drawing {
    let (question, name) = (&found.estimate.question, convention(found.convention));
    let placed = || found.published.iter().filter_map(|one| Some((one, one.row.chips?)));
    let lines = lines(&found.predicted);
    let mut dots: Vec<Dot> = found.own.into_iter().map(|percent| own_dot(found, percent)).collect();
    let mut chips: Vec<&str> = placed().map(|(one, _)| one.row.chip).collect();
    chips.dedup();
    let nearest = found.estimate.nearest(NAMED_MAX);
    let mut named = Vec::new();
    for (one, n_chips) in placed() {
        let is_named = named.len() < NAMED_MAX && nearest.iter().any(|row| core::ptr::eq(*row, one.row));
        let (dot, line) = dot(one, n_chips, if is_named { named.len() + 1 } else { 0 }, &chips);
        dots.push(Dot { is_filled: one.row.chip == question.chip.id, ..dot });
        if is_named {
            named.push(line);
        }
    }
    let notes = notes(found, dots.iter().any(|dot| dot.is_filled && dot.number > 0));
    let title = format!("{name}, by number of chips");
    let ends = [found.predicted.first(), found.predicted.last()].into_iter().flatten();
    let ends: Vec<String> =
        ends.map(|one| format!("{} % on {}", readable(one.percent, 3), grouped(one.chips))).collect();
    let line = if ends.is_empty() { String::new() } else { format!("Predicted: {} chips. ", ends.join(" and ")) };
    let words = format!(
        "{title}. {line}{} published points are shown as dots; the list next to the plot gives each source.",
        placed().count()
    );
    let x = Axis::decades("chips", [1.0, found.most as f64]);
    // The axis goes from zero to the first round number above all dots and lines.
    let heights = dots.iter().map(|dot| dot.at.1).chain(lines.iter().flat_map(|line| &line.points).map(|at| at.1));
    let highest = heights.fold(0.0, f64::max);
    let top =
        [1.0, 2.0, 5.0, 10.0, 20.0, 40.0, 60.0, 80.0].into_iter().find(|top| highest < top * 0.97).unwrap_or(100.0);
    let y = Axis::linear(format!("{name}, %"), top);
    let plot = Plot { id: "plot-mfu", title, words, x, y, lines, dots, has_legend: false };
    Drawing { dots: named, notes, ..Drawing::of(plot) }
}

/// Returns the notes below the plot.
fn notes(found: &MfuByChips, has_filled: bool) -> Vec<String> {
    let chip = &found.estimate.question.chip;
    let filled = has_filled.then(|| format!("Filled dots: published runs on {}, your chip.", chip.name));
    let about = if found.convention == Convention::Unstated {
        vec!["No line is drawn, because predictions exist only for full or causal attention.".to_owned()]
    } else {
        about_the_line(found)
    };
    let placeless = found.published.iter().filter(|one| one.row.chips.is_none());
    let placeless: Vec<String> = placeless
        .map(|one| format!("{} on {}, {} %", one.row.model, chip_name(one), readable(one.percent, 4)))
        .collect();
    let placeless =
        (!placeless.is_empty()).then(|| format!("Not plotted (chip count not published): {}.", placeless.join("; ")));
    let elsewhere = (found.n_elsewhere > 0).then(|| {
        let points = if found.n_elsewhere == 1 { "published point is" } else { "published points are" };
        let number = grouped(found.n_elsewhere as u64);
        format!("{number} {points} not on this axis, because the convention is not stated or cannot be converted.")
    });
    filled.into_iter().chain(about).chain(placeless).chain(elsewhere).collect()
}

/// Returns notes on the shape, height and dashes of the predicted line.
fn about_the_line(found: &MfuByChips) -> Vec<String> {
    let dashed = found.predicted.iter().any(|point| !point.is_counted).then(|| {
        "The dashed line leaves out communication between chips, because the link rate is not published or the run exceeds one pod."
            .to_owned()
    });
    let shape = "A regression of published runs gives the height of the curve, and its fall with each doubling of the chips. Formulas give the communication between chips.";
    let each = |one: &PodScaling| format!("{} by {} ms", one.model, fixed(one.seconds_per_pod().0 * 1e3, 1));
    let pods: Vec<String> = PodScaling::on(&found.estimate.question.chip).map(each).collect();
    let pods = (!pods.is_empty()).then(|| {
        format!(
            "Beyond one pod of 256 chips, published step times increase with each further pod ({}). Bandwidth does not explain this empirical effect, and the cause is unknown. The line does not include this effect.",
            pods.join(", ")
        )
    });
    dashed.into_iter().chain([shape.to_owned()]).chain(pods).collect()
}

/// Splits the line into parts: solid if communication is counted, else dashed.
fn lines(curve: &[PredictedMfu]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut last: Option<PredictedMfu> = None;
    for point in curve {
        let at = (point.chips as f64, point.percent);
        let kind = if point.is_counted { Stroke::Own } else { Stroke::Partial };
        match lines.last_mut() {
            Some(line) if line.kind == kind => line.points.push(at),
            _ => {
                // A segment between two parts is as uncertain as the less certain part.
                let from = last.filter(|_| !point.is_counted).map(|last| (last.chips as f64, last.percent));
                let label = if lines.is_empty() { "predicted".to_owned() } else { String::new() };
                lines.push(Line { kind, points: from.into_iter().chain([at]).collect(), label });
            }
        }
        last = Some(*point);
    }
    lines
}

fn own_dot(found: &MfuByChips, percent: f64) -> Dot {
    let (question, shown) = (&found.estimate.question, readable(percent, 3));
    Dot {
        at: (question.chips as f64, percent),
        shape: Shape::Subject,
        radius: 7.0,
        number: 0,
        name: format!("your setup: {shown} %"),
        words: format!("your setup on {} × {}: {shown} %", grouped(question.chips), question.chip.name),
        is_filled: true,
    }
}

fn chip_name(one: &ConvertedMfu) -> &'static str {
    one.row.chip().map_or(one.row.chip, |chip| chip.name)
}

/// Returns the dot of a published run, and its line in the list of dots.
fn dot(one: &ConvertedMfu, n_chips: u32, number: usize, chips: &[&str]) -> (Dot, (String, Citation)) {
    let row = one.row;
    let turn = chips.iter().take_while(|id| **id != row.chip).count();
    let shape = Shape::TURNS.get(turn % Shape::TURNS.len()).copied().unwrap_or(Shape::Circle);
    let place = format!("{} on {} × {}", row.model, grouped(n_chips.into()), chip_name(one));
    let words = format!("{place}: {} %, {}", readable(one.percent, 4), shape.word());
    let printed = |(from, percent): (Attention, f64)| {
        format!("published as {} % with {}, converted", readable(percent, 4), from.word())
    };
    let line = (words.clone(), cite(one.printed.map_or_else(String::new, printed), &row.mfu_percent));
    let (name, at) = (row.model.to_owned(), (f64::from(n_chips), one.percent));
    (Dot { at, shape, radius: 4.5, number, name, words, is_filled: false }, line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use estimate::{Answered, Topic};
    use perfmodel::PublishedMfu;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn against(text: &str, convention: Convention) -> Drawing {
        let axis = Convention::ALL.iter().find(|(_, one)| *one == convention).expect("listed").0;
        let answered = Answered::parse(Topic::Model, &format!("{text}&axis={axis}"));
        assert_eq!(answered.query().invalid(), [], "{text}");
        by_chips(&answered.mfu_by_chips().expect("training"))
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
        // A fit of MaxText's rows by another program gave 29, 30, 61 and 99 ms for each further pod.
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
        // Nobody has published a run on a TPU v2. The plot shows runs on Google's other chips, and none of the dots is
        // filled.
        let other = against("chip=tpu-v2", FULL);
        assert!(other.plot.dots.len() > 50 && other.plot.dots[1..].iter().all(|dot| !dot.is_filled));
    }

    #[test]
    fn a_point_is_converted_where_the_dimensions_are_known() {
        // For Llama 3.1 8B at 8192 tokens, causal attention is 12.5% of the causal count. Full attention has twice
        // these FLOPs, so the causal MFU is 45.46 ÷ 1.125.
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
        // Beyond a pod of 256 chips, the line does not count communication, and says so.
        let dashed = found.plot.lines.iter().find(|line| line.kind == Stroke::Partial).expect("beyond the pod");
        assert!(dashed.points.iter().skip(1).all(|(chips, _)| *chips > 256.0));
        assert!(found.notes.iter().any(|note| note.starts_with("The dashed line")));
    }

    #[test]
    fn only_training_has_published_runs() {
        assert!(Answered::parse(Topic::Model, "pass=decode").mfu_by_chips().is_none());
    }
}
