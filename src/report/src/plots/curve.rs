//! Curves of the MFU and of the dollars of all compared runs, along the number of chips, the batch or the sequence length.

use super as words;
use super::super::entry::name;
use display::amount::Amount;
use display::number::percent;
use display::plot::{Axis, Dot, Line, Plot, Shape, Stroke};
use estimate::{Curve, Estimate, Question};

/// Value of a run that a curve shows.
type Value = fn(&Estimate) -> Option<f64>;

fn mfu(estimate: &Estimate) -> Option<f64> {
    let is_shown = estimate.misfit().is_none() && !estimate.is_wide();
    estimate.mfu.ok().filter(|_| is_shown).map(|mfu| mfu.ratio * 100.0)
}

fn usd(estimate: &Estimate) -> Option<f64> {
    mfu(estimate)?;
    estimate.usd_per_million_tokens()
}

/// Returns the curve of the MFU and the curve of the dollars, with a line for each run and its name. `again` computes
/// the estimate of another question about the same model.
pub(crate) fn curves(
    runs: &[(&Estimate, &str)],
    along: Curve,
    again: impl Fn(&Question) -> Option<Estimate>,
) -> Vec<Plot> {
    let computed: Vec<Vec<(u64, Option<Estimate>)>> = runs
        .iter()
        .map(|(estimate, _)| {
            let question = &estimate.question;
            let of = |value: u64| {
                let is_set = value == along.of(question);
                (value, if is_set { Some((*estimate).clone()) } else { again(&along.at(question, value)) })
            };
            along.values(along.of(question)).into_iter().map(of).collect()
        })
        .collect();
    let of_mfu = plot("plot-curve", runs, along, &computed, mfu);
    let of_usd = plot("plot-curve-usd", runs, along, &computed, usd);
    of_mfu.into_iter().chain(of_usd).collect()
}

fn plot(
    id: &'static str,
    runs: &[(&Estimate, &str)],
    along: Curve,
    computed: &[Vec<(u64, Option<Estimate>)>],
    value: Value,
) -> Option<Plot> {
    let is_usd = id == "plot-curve-usd";
    let (of, y_name) = if is_usd { (words::USD_TOKENS, words::USD_TOKENS) } else { ("MFU", "MFU, %") };
    let along_name = name(along.entry());
    let (mut lines, mut dots, mut said) = (Vec::new(), Vec::new(), Vec::new());
    for (nth, ((estimate, run), points)) in runs.iter().zip(computed).enumerate() {
        let kind = if nth == 0 { Stroke::Own } else { Stroke::Other(nth) };
        // A run that does not fit has no point, so a line would have no name.
        let Some(now) = value(estimate).filter(|_| estimate.has_room()) else { continue };
        // A line ends where the model and its activations do not fit.
        let at = |(at, one): &(u64, Option<Estimate>)| {
            Some((*at as f64, value(one.as_ref().filter(|one| one.has_room())?)?))
        };
        for part in points.iter().map(at).collect::<Vec<_>>().split(Option::is_none) {
            let points: Vec<(f64, f64)> = part.iter().copied().flatten().collect();
            if points.len() > 1 {
                lines.push(Line { kind, points, label: String::new() });
            }
        }
        let shown = if is_usd { Amount::Usd(now).to_string() } else { format!("{} %", percent(now / 100.0)) };
        let set = along.of(&estimate.question);
        let words = words::curve_point(run, along_name, set, &shown);
        said.push(words.clone());
        let shapes = [Shape::Subject, Shape::Square, Shape::Triangle, Shape::Wedge];
        let shape = shapes.get(nth).copied().unwrap_or(Shape::Circle);
        let radius = if nth == 0 { 8.0 } else { 5.0 };
        dots.push(Dot {
            at: (set as f64, now),
            shape,
            radius,
            number: 0,
            name: format!("{run} {shown}"),
            words,
            is_filled: true,
        });
    }
    let places = || lines.iter().flat_map(|line| line.points.iter().copied()).chain(dots.iter().map(|dot| dot.at));
    if dots.is_empty() {
        return None;
    }
    // The axis has all values, so that a person can drag the point beyond the end of a line.
    let values = || computed.iter().flatten().map(|(value, _)| *value as f64);
    let (least, most) = values().fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), at| (low.min(at), high.max(at)));
    let highest = places().map(|at| at.1).fold(0.0, f64::max);
    let title = words::curve_title(of, along_name);
    let words = format!("{title}. {}.", said.join("; "));
    let x = Axis::factors(along_name, least, most);
    let lowest = places().map(|at| at.1).fold(f64::INFINITY, f64::min);
    let y = if is_usd {
        Axis::factors(y_name, lowest * 0.8, highest * 1.25)
    } else {
        Axis::linear(y_name, (highest / 20.0).ceil() * 20.0)
    };
    Some(Plot { id, title, words, x, y, lines, dots, has_legend: true })
}

#[cfg(test)]
mod tests {
    use super::super::super::query::{curves as drawn, drawings};
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
        // 70B in training needs at least 8 chips of 95 GB.
        let all = drawn(&query("model=llama3-70b&chip=tpu-v5p&chips=64&batch=1&remat=full"));
        let least = all[0].plot.lines[0].points[0].0;
        assert!((8.0..=16.0).contains(&least), "{least}");
        assert!(drawn(&query("model=llama3-70b&chip=h100-sxm&chips=1")).is_empty());
        assert!(drawn(&query("model=product")).is_empty());
        assert!(drawings(&query("curve=zebra")).len() > 1, "the rest counts");
    }
}
