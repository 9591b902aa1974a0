//! Plot of the predicted MFU of each compared run next to the published runs on its chip.

use super::super::answer::Drawing;
use super::super::forecast::NEAREST;
use super::point::Point;
use super::{Named, rows};
use display::figure::{Citation, cite};
use display::number::{grouped, percent};
use display::plot::{Axis, Line, Plot, Shape, Stroke};
use perfmodel::{Confidence, PublishedMfu};

/// Maximum number of published runs in a row.
const ROW_MAX: usize = 12;
/// Title of the plot.
const TITLE: &str = "Against published runs";

/// Returns the plot, with a row for each run and its name. `None` if no run was published on any of the chips.
pub(crate) fn published_runs(runs: &[Named<'_>]) -> Option<Drawing> {
    let (mut lines, mut points) = (Vec::new(), Vec::new());
    let mut summary = Vec::new();
    for (row, (estimate, name)) in runs.iter().enumerate() {
        let possible = estimate.mfu.ok().filter(|_| estimate.misfit().is_none());
        let Some(mfu) = possible.map(|mfu| mfu.ratio) else { continue };
        let (shape, shown) = (Shape::Subject, percent(mfu));
        if let Some((low, high)) = estimate.interval().map(|interval| interval.rate(mfu)) {
            let height = Axis::row(row);
            let points = vec![(low * 100.0, height), (high * 100.0, height)];
            lines.push(Line { kind: Stroke::Own, points, label: String::new() });
        }
        summary.push(format!("{name} {shown} %"));
        if !estimate.is_wide() {
            let line = format!("{name}, predicted: {shown} %, {}", shape.word());
            let name = format!("{shown} %");
            points.push(Point { row, x: mfu * 100.0, shape, radius: 6.0, name, line, citation: prediction() });
        }
    }
    let n_predicted = points.len();
    for (row, (estimate, _)) in runs.iter().enumerate() {
        let nearest = estimate.nearest(NEAREST);
        for (run, ratio) in estimate.nearest_mfus(ROW_MAX) {
            let is_near = nearest.iter().any(|near| core::ptr::eq(*near, run));
            let (shape, radius) = if is_near { (Shape::Triangle, 5.0) } else { (Shape::Circle, 3.5) };
            let name = if is_near { run.model.to_owned() } else { String::new() };
            let (line, citation) = (run_line(run, ratio, shape), cite(String::new(), &run.mfu_percent));
            points.push(Point { row, x: ratio * 100.0, shape, radius, name, line, citation });
        }
    }
    if n_predicted == 0 || points.len() == n_predicted {
        return None;
    }
    let most = points.iter().map(|point| point.x).chain(lines.iter().map(|line| line.points[1].0));
    let x = Axis::linear("MFU, full attention, %", (most.fold(0.0, f64::max) / 20.0).ceil() * 20.0);
    let dots = points.iter().enumerate().map(|(index, point)| point.dot(index, point.shape != Shape::Circle)).collect();
    let words =
        format!("{TITLE}. Predicted: {}. The list next to the plot gives each published run.", summary.join("; "));
    let title = TITLE.to_owned();
    let plot = Plot { id: "plot-published", title, words, x, y: rows(runs), lines, dots, has_legend: false };
    let marks = "Diamonds show the predicted MFU; lines show its 80 % interval. Triangles are the nearest five published runs on the chip; circles are other published runs.";
    let dots = points.into_iter().map(|point| (point.line, point.citation)).collect();
    Some(Drawing { dots, notes: vec![marks.to_owned()], ..Drawing::of(plot) })
}

fn run_line(run: &PublishedMfu, ratio: f64, shape: Shape) -> String {
    let chips = run.chips.map_or_else(String::new, |chips| format!(" on {} chips", grouped(chips.into())));
    format!("{}{chips}: {} %, {}", run.model, percent(ratio), shape.word())
}

/// Cites the regression behind a predicted MFU.
fn prediction() -> Citation {
    Citation {
        what: String::new(),
        source: "This project: regression of the published training runs in src/chips/perfmodel/data/training_runs.csv, each with its source",
        confidence: format!("{}: {}", Confidence::Medium.word(), Confidence::Medium.says()),
        note: "",
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawings;
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
