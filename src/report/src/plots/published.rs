//! Plot of the predicted MFU of each compared run next to the published runs on its chip.

use super::super::forecast::NEAREST;
use super::point::Point;
use super::{self as words, Against};
use display::figure::{Citation, cite};
use display::number::percent;
use display::plot::{Axis, Line, Plot, Shape, Stroke};
use estimate::Estimate;
use perfmodel::{Confidence, PublishedMfu};

/// Maximum number of published runs in a row.
const ROW_MAX: usize = 12;

/// Returns the plot, with a row for each run and its name. `None` if no run was published on any of the chips.
pub(crate) fn published_runs(runs: &[(&Estimate, &str)]) -> Option<Against> {
    let (mut lines, mut points) = (Vec::new(), Vec::new());
    let mut summary = Vec::new();
    for (row, (estimate, name)) in runs.iter().enumerate() {
        let possible = || estimate.mfu.ok().filter(|_| estimate.misfit().is_none());
        let Some(mfu) = possible().map(|mfu| mfu.ratio) else { continue };
        let shape = Shape::Subject;
        let (shown, ends) = (percent(mfu), estimate.interval().map(|interval| interval.rate(mfu)));
        if let Some((low, high)) = ends {
            let height = Axis::row(row);
            let points = vec![(low * 100.0, height), (high * 100.0, height)];
            lines.push(Line { kind: Stroke::Own, points, label: String::new() });
        }
        summary.push(format!("{name} {shown} %"));
        let is_wide = estimate.is_wide();
        if !is_wide {
            let line = words::predicted(name, &shown, shape);
            let name = format!("{shown} %");
            points.push(Point { row, x: mfu * 100.0, shape, radius: 6.0, name, line, citation: prediction() });
        }
    }
    let n_predicted = points.len();
    let mut published = 0;
    for (row, (estimate, _)) in runs.iter().enumerate() {
        // Published runs in fp8 have their MFU in percent of the 16-bit peak.
        let speedup = estimate.share.as_ref().map_or(1.0, |share| share.speedup);
        for (nth, run) in estimate.nearest(ROW_MAX).into_iter().enumerate() {
            let Some(ratio) = run.full_ratio().map(|ratio| ratio / speedup) else { continue };
            let is_near = nth < NEAREST;
            let (shape, radius) = if is_near { (Shape::Triangle, 5.0) } else { (Shape::Circle, 3.5) };
            let name = if is_near { run.model.to_owned() } else { String::new() };
            published += 1;
            let (line, citation) = (run_line(run, ratio, shape), cite(String::new(), &run.mfu_percent));
            points.push(Point { row, x: ratio * 100.0, shape, radius, name, line, citation });
        }
    }
    if published == 0 || n_predicted == 0 {
        return None;
    }
    let most = points.iter().map(|point| point.x).chain(lines.iter().map(|line| line.points[1].0));
    let x = Axis::linear(words::MFU_FULL, (most.fold(0.0, f64::max) / 20.0).ceil() * 20.0);
    let y = Axis::rows(runs.iter().map(|(_, name)| (*name).to_owned()).collect());
    let dots = points.iter().enumerate().map(|(index, point)| point.dot(index, point.shape != Shape::Circle)).collect();
    let title = words::PUBLISHED_TITLE.to_owned();
    let words = words::published_summary(&summary);
    let plot = Plot { id: "plot-published", title, words, x, y, lines, dots, has_legend: false };
    let dots = points.into_iter().map(|point| (point.line, point.citation)).collect();
    Some(Against { plot, dots, notes: vec![words::PUBLISHED_MARKS.to_owned()] })
}

fn run_line(run: &PublishedMfu, ratio: f64, shape: Shape) -> String {
    words::published_run(run.model, run.chips, &percent(ratio), shape)
}

/// Cites the regression behind a predicted MFU.
fn prediction() -> Citation {
    Citation {
        what: String::new(),
        source: words::REGRESSION,
        confidence: format!("{}: {}", Confidence::Medium.word(), Confidence::Medium.says()),
        note: "",
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::query::drawings;
    use super::*;
    use estimate::{Answered, Topic};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn drawn(text: &str) -> Option<Plot> {
        let all = drawings(&Answered::parse(Topic::Model, text));
        all.into_iter().map(|one| one.plot).find(|plot| plot.id == "plot-published")
    }

    #[test]
    fn each_row_has_its_prediction_and_the_runs_of_its_chip() {
        let plot = drawn("chip=tpu-v5e&chips=64&versus=h100-sxm&third=tpu-7x").expect("three chips with runs");
        assert_eq!(plot.y.rows.len(), 3);
        let of = |shape: Shape| plot.dots.iter().filter(|dot| dot.shape == shape).count();
        assert_eq!((of(Shape::Subject), plot.lines.len()), (3, 3));
        assert_eq!(of(Shape::Triangle), 15, "the nearest five of each chip");
        assert!(plot.dots.iter().all(|dot| (0.0..=100.0).contains(&dot.at.0)));
    }

    #[test]
    fn a_chip_without_a_published_run_and_a_run_without_room_have_no_such_plot() {
        assert!(drawn("chip=gaudi3").is_none() && drawn("pass=decode").is_none());
        assert!(drawn("model=llama3-70b&chip=h100-sxm&chips=1").is_none());
    }
}
