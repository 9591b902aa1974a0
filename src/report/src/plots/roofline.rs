//! Roofline plot of the matmuls of a pass.

use super as words;
use super::super::model::more;
use super::super::table::{Cell, Row};
use display::amount::Amount;
use display::plot::{Axis, Dot, Line, Plot, Shape, Stroke};
use estimate::{Estimate, Placed, placed};

/// Maximum number of plotted matmuls. The plot leaves out the matmuls that take the least time.
const DRAWN_MAX: usize = 40;

/// Groups matmuls at nearly the same point: less than 2 % apart on both axes. Groups with the most time come first.
fn grouped(all: &[Placed]) -> Vec<Vec<&Placed>> {
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 0.02;
    let mut groups: Vec<Vec<&Placed>> = Vec::new();
    for one in all {
        let joins = |group: &&mut Vec<&Placed>| {
            let first = group.first();
            first.is_some_and(|first| {
                near(one.intensity, first.intensity) && near(one.flops_per_sec, first.flops_per_sec)
            })
        };
        match groups.iter_mut().find(joins) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    let share = |group: &[&Placed]| group.iter().map(|one| one.share).sum::<f64>();
    groups.sort_by(|a, b| share(b).total_cmp(&share(a)));
    groups
}

/// Returns the plot and the rows of its table. `None` if the peak or the bandwidth is not published.
///
/// The cells of a row are the number of the dot, name, arithmetic intensity, rate, share of the time, and limit.
#[must_use]
pub(crate) fn roofline(estimate: &Estimate, others: &[(&Estimate, &str)]) -> Option<(Plot, Vec<Row>)> {
    let chip = &estimate.question.chip;
    let dtype = estimate.question.multiplied();
    let peak = chip.peak_flops(dtype)?.0 / 1e12;
    let (ridge, bandwidth) = (chip.ridge(dtype)?, chip.memory.bytes_per_sec()? / 1e12);
    let unit = dtype.peak_unit();
    let mut all = placed(estimate);
    let lower: f64 = all.iter().filter(|one| one.intensity < ridge).map(|one| one.share).sum();
    let rest = all.split_off(all.len().min(DRAWN_MAX));
    let ends = |values: &mut dyn Iterator<Item = f64>, least: f64, most: f64| {
        values.fold((least, most), |(low, high), value| (low.min(value), high.max(value)))
    };
    let (left, right) = ends(&mut all.iter().map(|one| one.intensity), ridge / 6.0, ridge * 3.0);
    let (low, high) = ends(&mut all.iter().map(|one| one.flops_per_sec / 1e12), peak / 6.0, peak);
    let roofs: Vec<Roof> = others.iter().filter_map(|(other, name)| Roof::of(other, name)).collect();
    let high = roofs.iter().map(|roof| roof.peak).fold(high, f64::max);
    let x = Axis::factors(words::INTENSITY, left / 2.0, right * 2.0);
    let y = Axis::factors(words::rate(unit), low / 2.0, high * 2.0);
    let groups = grouped(&all);
    let side = |one: &Placed| if one.intensity < ridge { words::LEFT } else { words::RIGHT };
    let row = |one: &&Placed, number: usize| {
        let cells = [
            Cell::from(one.name.clone()),
            Amount::Number(one.intensity, 4, "").into(),
            Amount::Number(one.flops_per_sec / 1e12, 4, "").into(),
            Amount::Share(one.share).into(),
            side(one).into(),
        ];
        Row::new(number.to_string(), cells)
    };
    let rows = groups.iter().zip(1..).flat_map(|(group, number)| group.iter().map(move |one| row(one, number)));
    let mut rows: Vec<Row> = rows.collect();
    if !rest.is_empty() {
        let share = Amount::Share(rest.iter().map(|one| one.share).sum());
        // The remaining matmuls have no dot, but a screen reader needs a row header.
        rows.push(Row::new("–", [more(rest.len()).into(), "".into(), "".into(), Cell::from(share), "".into()]));
    }
    let dots = groups.iter().zip(1..).filter_map(|(group, number)| dot(group, number, ridge)).collect();
    let title = words::roofline_title(chip.name, dtype);
    let summary = words::roofline_summary(&title, [ridge, peak, lower], unit, rest.is_empty());
    let mut lines = roof(&x, &y, (peak, unit), bandwidth, ridge);
    lines.extend(roofs.iter().zip(1..).map(|(roof, turn)| roof.line(turn, &x, &y)));
    Some((Plot { id: "plot-roofline", title, words: summary, x, y, lines, dots, has_legend: false }, rows))
}

/// The roof of another chip of the comparison.
struct Roof<'a> {
    name: &'a str,
    /// Peak in 10¹² FLOP/s.
    peak: f64,
    /// Bandwidth in 10¹² byte/s.
    bandwidth: f64,
}

impl<'a> Roof<'a> {
    /// The roof of a chip; `None` if the peak or the bandwidth is not published.
    fn of(estimate: &Estimate, name: &'a str) -> Option<Self> {
        let question = &estimate.question;
        let peak = question.chip.peak_flops(question.multiplied())?.0 / 1e12;
        Some(Self { name, peak, bandwidth: question.chip.memory.bytes_per_sec()? / 1e12 })
    }

    fn line(&self, turn: usize, x: &Axis, y: &Axis) -> Line {
        let from = x.ends.0.max(y.ends.0 / self.bandwidth);
        let ridge = self.peak / self.bandwidth;
        let points = [(from, from * self.bandwidth), (ridge.min(x.ends.1), self.peak), (x.ends.1, self.peak)];
        let points =
            if ridge < x.ends.1 { points.to_vec() } else { vec![points[0], (x.ends.1, x.ends.1 * self.bandwidth)] };
        Line { kind: Stroke::Other(turn), points, label: words::other_roof(self.name, self.peak) }
    }
}

/// Returns the lines of the roofline: the slope of the memory bandwidth, the flat peak, and the vertical mark of the
/// ridge.
fn roof(x: &Axis, y: &Axis, (peak, unit): (f64, &str), bandwidth: f64, ridge: f64) -> Vec<Line> {
    // The slope begins at the edge of the plot.
    let from = x.ends.0.max(y.ends.0 / bandwidth);
    let slope = Line {
        kind: Stroke::Roof,
        points: vec![(from, from * bandwidth), (ridge, peak)],
        label: words::bandwidth(bandwidth * 1e3),
    };
    let flat =
        Line { kind: Stroke::Roof, points: vec![(ridge, peak), (x.ends.1, peak)], label: words::peak(peak, unit) };
    let mark = Line { kind: Stroke::Mark, points: vec![(ridge, y.ends.0), (ridge, peak)], label: words::ridge(ridge) };
    vec![slope, flat, mark]
}

/// Returns one dot for a group of matmuls; `None` if the group is empty.
fn dot(group: &[&Placed], number: usize, ridge: f64) -> Option<Dot> {
    let first = group.first()?;
    let share: f64 = group.iter().map(|one| one.share).sum();
    let name = words::and_more(&first.name, group.len() - 1);
    Some(Dot {
        at: (first.intensity, first.flops_per_sec / 1e12),
        shape: if first.intensity < ridge { Shape::Square } else { Shape::Circle },
        radius: 3.0 + 13.0 * share.clamp(0.0, 1.0).sqrt(),
        number,
        words: words::roof_dot(&name, first.intensity, first.flops_per_sec / 1e12, share),
        name,
        is_filled: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use estimate::ModelQuery;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn answer(text: &str) -> Estimate {
        let ModelQuery { question, invalid, .. } = ModelQuery::parse(text);
        assert_eq!(invalid, [], "{text}");
        Estimate::new(&question).expect("an answer")
    }

    #[test]
    fn other_chips_have_their_roofs() {
        let other = answer("chip=h100-sxm");
        let (plot, _) = roofline(&answer("chip=tpu-v5e"), &[(&other, "H100")]).expect("published");
        let line = plot.lines.last().expect("a roof");
        // 989.4 TFLOP/s over 3.35 TB/s: 295 FLOP per byte.
        assert!(line.kind == Stroke::Other(1) && line.label.starts_with("H100, 989"), "{line:?}");
        assert!((line.points[1].0 - 295.3).abs() < 0.5, "{line:?}");
    }

    #[test]
    fn the_ridge_of_a_chip_is_its_peak_over_its_bandwidth() {
        // TPU v5e: 197 TFLOP/s over 819 GB/s (Google): 240.5 FLOP per byte.
        let (plot, rows) = roofline(&answer("model=llama3-8b&chip=tpu-v5e"), &[]).expect("published");
        assert!(plot.lines.iter().any(|line| line.label == "ridge 240.5"), "{:?}", plot.lines);
        // Every product has a row, and every row the number of a dot.
        assert!(rows.iter().all(|row| plot.dots.iter().any(|dot| Cell::from(dot.number.to_string()) == row.cells[0])));
        assert_eq!(rows.len(), placed(&answer("")).len().min(DRAWN_MAX));
        let names: Vec<String> = placed(&answer("")).into_iter().map(|one| one.name).collect();
        assert!(
            ["q_proj, forward", "q_proj, gradient of B"].iter().all(|name| names.iter().any(|one| one == name)),
            "{names:?}"
        );
        // Batch 4 of 2048 tokens by 4096 × 14336 in bf16: 2·M·K·N ÷ 2·(M·K + K·N + M·N) = 2293.8 FLOP per byte.
        let (m, k, n) = (8192.0, 4096.0, 14336.0);
        let intensity = m * k * n / (m * k + k * n + m * n);
        assert!(placed(&answer("")).iter().any(|one| (one.intensity / intensity - 1.0).abs() < 1e-9), "{intensity}");
    }

    #[test]
    fn every_row_has_a_head_that_of_the_rest_too() {
        for text in ["model=sdxl-unet", "model=llama3-8b"] {
            let (_, rows) = roofline(&answer(&format!("{text}&chip=tpu-v5e")), &[]).expect("published");
            assert!(rows.iter().all(|row| !row.texts()[0].is_empty() && !row.texts()[1].is_empty()), "{rows:?}");
            assert_eq!(rows.len() > DRAWN_MAX, text == "model=sdxl-unet", "{text}");
        }
    }

    #[test]
    fn what_takes_most_of_the_time_is_labeled_at_every_width() {
        for text in ["", "pass=decode&batch=1", "model=llama3-70b&chips=512&chip=tpu-v5p", "model=resnet50"] {
            let (plot, _) = roofline(&answer(text), &[]).expect("published");
            for width in [280.0, 330.0, 500.0, 760.0] {
                let labels = plot.layout(width).labels;
                let labeled = |at: usize| labels.iter().any(|label| label.dot == Some(at));
                assert!(labeled(0) && labeled(1), "{text} at {width}");
                assert!(labels.iter().any(|label| label.text.starts_with("ridge")), "{text} at {width}");
            }
        }
    }

    #[test]
    fn decoding_stands_left_of_the_ridge_and_training_right_of_it() {
        let side =
            |text: &str| roofline(&answer(text), &[]).expect("published").1.first().and_then(|row| row.texts().pop());
        assert_eq!(side("pass=decode&batch=1").as_deref(), Some("memory"));
        assert_eq!(side("pass=train&batch=4").as_deref(), Some("compute"));
    }
}
