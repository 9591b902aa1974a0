//! Curves of the MFU and the cost of all compared runs, plotted against the number of chips, the batch or the sequence
//! length.

use super::super::answer::{Drag, Drawing};
use super::super::entry::name;
use super::Named;
use display::amount::Amount;
use display::number::{grouped, percent};
use display::plot::{Axis, Dot, Line, Plot, Shape, Stroke};
use estimate::{Answered, Curve, CurvePoint};

/// Value that a curve shows.
#[derive(Clone, Copy, PartialEq)]
enum Value {
    Mfu,
    Usd,
}

impl Value {
    const fn of(self, point: &CurvePoint) -> Option<f64> {
        match self {
            Self::Mfu => point.mfu,
            Self::Usd => point.usd,
        }
    }

    fn shown(self, value: f64) -> String {
        match self {
            Self::Mfu => format!("{} %", percent(value / 100.0)),
            Self::Usd => Amount::Usd(value).to_string(),
        }
    }
}

/// Returns the curves of an answer. A person can drag the point of the first run.
#[must_use]
pub fn curves(answered: &Answered) -> Vec<Drawing> {
    let (Some(query), Ok(answer)) = (answered.model_query(), answered.model()) else { return Vec::new() };
    let (runs, along, points) = (answer.runs(), query.page.curve, answered.curves());
    let runs = super::named(&runs);
    let drag = Drag { entry: along.entry(), values: along.values(along.of(&answer.estimate.question)) };
    let drawn = |plot: Plot| {
        // Without its point, the first run cannot be dragged.
        let is_dragged = plot.dots.iter().any(|dot| dot.shape == Shape::Subject);
        let note = "Drag the blue diamond, or change the entry. A dragged point stops at powers of two. A line ends where the model and its activations no longer fit in memory.";
        let notes = if is_dragged { vec![note.to_owned()] } else { Vec::new() };
        Drawing { notes, drag: is_dragged.then(|| drag.clone()), ..Drawing::of(plot) }
    };
    [Value::Mfu, Value::Usd].into_iter().filter_map(|value| plot(&runs, along, &points, value)).map(drawn).collect()
}

fn plot(runs: &[Named<'_>], along: Curve, curves: &[Vec<CurvePoint>], value: Value) -> Option<Plot> {
    let along_name = name(along.entry());
    let (mut lines, mut dots, mut said) = (Vec::new(), Vec::new(), Vec::new());
    for (nth, ((estimate, run), points)) in runs.iter().zip(curves).enumerate() {
        let kind = if nth == 0 { Stroke::Own } else { Stroke::Other(nth) };
        let set = along.of(&estimate.question);
        // A run that does not fit has no point, so a line would have no name.
        let Some(now) = points.iter().find(|one| one.at == set).and_then(|one| value.of(one)) else { continue };
        // A line ends where the model and its activations do not fit.
        let places: Vec<Option<(f64, f64)>> = points.iter().map(|one| Some((one.at as f64, value.of(one)?))).collect();
        for part in places.split(Option::is_none) {
            let points: Vec<(f64, f64)> = part.iter().copied().flatten().collect();
            if points.len() > 1 {
                lines.push(Line { kind, points, label: String::new() });
            }
        }
        let shown = value.shown(now);
        let words = format!("{run} at {} {along_name}: {shown}", grouped(set));
        said.push(words.clone());
        let shapes = [Shape::Subject, Shape::Square, Shape::Triangle, Shape::Wedge];
        let shape = shapes.get(nth).copied().unwrap_or(Shape::Circle);
        let (radius, name) = (if nth == 0 { 8.0 } else { 5.0 }, format!("{run} {shown}"));
        dots.push(Dot { at: (set as f64, now), shape, radius, number: 0, name, words, is_filled: true });
    }
    if dots.is_empty() {
        return None;
    }
    let heights = || lines.iter().flat_map(|line| line.points.iter().copied()).chain(dots.iter().map(|dot| dot.at));
    let heights = || heights().map(|at| at.1);
    let (lowest, highest) = (heights().fold(f64::INFINITY, f64::min), heights().fold(0.0, f64::max));
    // The axis has all values, so that a person can drag the point beyond the end of a line.
    let values = || curves.iter().flatten().map(|one| one.at as f64);
    let x = Axis::factors(along_name, values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
    let usd = "$ per million tokens";
    let (id, of, y) = match value {
        Value::Mfu => ("plot-curve", "MFU", Axis::linear("MFU, %", (highest / 20.0).ceil() * 20.0)),
        Value::Usd => ("plot-curve-usd", usd, Axis::factors(usd, lowest * 0.8, highest * 1.25)),
    };
    let title = format!("{of} by {along_name}");
    let words = format!("{title}. {}.", said.join("; "));
    Some(Plot { id, title, words, x, y, lines, dots, has_legend: true })
}

#[cfg(test)]
mod tests {
    use super::super::drawings;
    use super::curves as drawn;
    use estimate::{Answered, Topic};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn query(text: &str) -> Answered {
        Answered::parse(Topic::Model, text)
    }

    #[test]
    fn every_point_of_a_curve_is_the_estimate_of_its_question() {
        for (along, entry) in [("chips", "chips"), ("batch", "batch"), ("seq", "seq")] {
            let text = format!("chip=tpu-v5p&chips=64&versus=h100-sxm&curve={along}");
            let all = drawn(&query(&text));
            let [of_mfu, of_usd] = &all[..] else { panic!("{}", all.len()) };
            assert_eq!((of_mfu.plot.dots.len(), of_usd.plot.dots.len()), (2, 2), "{along}");
            for (at, percent) in &of_mfu.plot.lines[0].points {
                let other = query(&format!("chip=tpu-v5p&chips=64&versus=h100-sxm&{entry}={at}"));
                let mfu = other.model().expect("an answer").estimate.mfu.expect("possible").ratio;
                assert!((mfu * 100.0 - percent).abs() < 1e-9, "{along} {at}");
            }
            let drag = of_mfu.drag.as_ref().expect("a point to drag");
            assert!(drag.values.contains(&64) || along != "chips");
            assert_eq!(drag.entry.id(), entry);
        }
    }

    #[test]
    fn a_line_ends_where_the_model_does_not_fit_and_a_run_without_room_has_no_point() {
        // In training, 70B needs at least 8 chips of 95 GB.
        let all = drawn(&query("model=llama3-70b&chip=tpu-v5p&chips=64&batch=1&remat=full"));
        let least = all[0].plot.lines[0].points[0].0;
        assert!((8.0..=16.0).contains(&least), "{least}");
        assert!(drawn(&query("model=llama3-70b&chip=h100-sxm&chips=1")).is_empty());
        assert!(drawn(&query("model=product")).is_empty());
        assert!(drawings(&query("curve=zebra")).len() > 1, "the rest counts");
    }
}
