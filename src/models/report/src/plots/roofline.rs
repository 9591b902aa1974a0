//! Roofline plot of the matmuls of a pass.

use super::super::answer::Drawing;
use super::super::model::more;
use super::super::table::{Cell, Row, Table, TableId};
use super::{Named, and_more};
use display::amount::Amount;
use display::number::{percent, readable};
use display::plot::{Axis, Dot, Line, Plot, Shape, Stroke};
use estimate::{Estimate, Placed, Roof, Roofline};

/// Returns the plot with its table, and the roofs of `others`. `None` if the peak or the bandwidth is not published.
pub(crate) fn roofline(estimate: &Estimate, others: &[Named<'_>]) -> Option<Drawing> {
    let (chip, dtype) = (&estimate.question.chip, estimate.question.multiplied());
    let found = estimate.roofline()?;
    let (Roof { peak, ridge, .. }, unit) = (found.roof, dtype.peak_unit());
    let ends = |values: &mut dyn Iterator<Item = f64>, least: f64, most: f64| {
        values.fold((least, most), |(low, high), value| (low.min(value), high.max(value)))
    };
    let all = || found.groups.iter().flatten();
    let (left, right) = ends(&mut all().map(|one| one.intensity), ridge / 6.0, ridge * 3.0);
    let (low, high) = ends(&mut all().map(|one| one.flops_per_sec / 1e12), peak / 6.0, peak);
    let roofs: Vec<(Roof, &str)> = others.iter().filter_map(|(other, name)| Some((other.roof()?, *name))).collect();
    let high = roofs.iter().map(|(roof, _)| roof.peak).fold(high, f64::max);
    let x = Axis::factors("FLOP per byte", left / 2.0, right * 2.0);
    let y = Axis::factors(format!("{unit} per chip"), low / 2.0, high * 2.0);
    let dots = found.groups.iter().zip(1..).map(|(group, number)| dot(group, number, ridge)).collect();
    let title = format!("Roofline of {}, {}", chip.name, dtype.word());
    let words = format!(
        "{title}. The ridge is at {} FLOP per byte, and the peak is {} {unit}. Matmuls left of the ridge (squares) take {} % of the time of all matmuls. The table next to the plot lists {}.",
        readable(ridge, 4),
        readable(peak, 5),
        percent(found.share_left),
        if found.rest.is_empty() { "every matmul" } else { "the longest matmuls" }
    );
    let mut lines = roof(&x, &y, found.roof, unit);
    lines.extend(roofs.iter().zip(1..).map(|(roof, turn)| other_roof(*roof, turn, &x, &y)));
    let heads = ["dot", "matmul", "FLOP per byte", "10¹² FLOP/s", "share of time", "bound by"];
    let table = Some(Table::new(TableId::Roofline, &heads, rows(&found)));
    let area = "The area of a mark shows the mark's share of the time of all matmuls. Matmuls at the same position have one common mark. Squares are left of the ridge; circles are right of the ridge.";
    let plot = Plot { id: "plot-roofline", title, words, x, y, lines, dots, has_legend: false };
    Some(Drawing { table, notes: vec![area.to_owned()], ..Drawing::of(plot) })
}

/// Returns the rows of the table: number of the dot, name, arithmetic intensity, rate, share of the time, and limit.
fn rows(found: &Roofline) -> Vec<Row> {
    let side = |one: &Placed| if one.intensity < found.roof.ridge { "memory" } else { "compute" };
    let row = |one: &Placed, number: usize| {
        let cells = [
            Cell::from(one.name.clone()),
            Amount::Number(one.intensity, 4, "").into(),
            Amount::Number(one.flops_per_sec / 1e12, 4, "").into(),
            Amount::Share(one.share).into(),
            side(one).into(),
        ];
        Row::new(number.to_string(), cells)
    };
    let rows = found.groups.iter().zip(1..).flat_map(|(group, number)| group.iter().map(move |one| row(one, number)));
    // The remaining matmuls have no dot, but a screen reader needs a row header.
    let rest = (!found.rest.is_empty()).then(|| {
        let share = Amount::Share(found.rest.iter().map(|one| one.share).sum());
        Row::new("–", [more(found.rest.len()).into(), "".into(), "".into(), Cell::from(share), "".into()])
    });
    rows.chain(rest).collect()
}

/// Returns the roof of another chip of the comparison.
fn other_roof((roof, name): (Roof, &str), turn: usize, x: &Axis, y: &Axis) -> Line {
    let Roof { peak, bandwidth, .. } = roof;
    let from = x.ends.0.max(y.ends.0 / bandwidth);
    let ridge = peak / bandwidth;
    let points = [(from, from * bandwidth), (ridge.min(x.ends.1), peak), (x.ends.1, peak)];
    let points = if ridge < x.ends.1 { points.to_vec() } else { vec![points[0], (x.ends.1, x.ends.1 * bandwidth)] };
    Line { kind: Stroke::Other(turn), points, label: format!("{name}, {}", readable(peak, 4)) }
}

/// Returns the lines of the roofline: the slope of the memory bandwidth, the flat peak, and the vertical mark of the
/// ridge.
fn roof(x: &Axis, y: &Axis, Roof { peak, bandwidth, ridge }: Roof, unit: &str) -> Vec<Line> {
    // The slope begins at the edge of the plot.
    let from = x.ends.0.max(y.ends.0 / bandwidth);
    let line = |kind, ends: [(f64, f64); 2], label| Line { kind, points: ends.to_vec(), label };
    let slope = format!("{} GB/s", readable(bandwidth * 1e3, 5));
    let flat = format!("peak {} {unit}", readable(peak, 5));
    let mark = format!("ridge {}", readable(ridge, 4));
    vec![
        line(Stroke::Roof, [(from, from * bandwidth), (ridge, peak)], slope),
        line(Stroke::Roof, [(ridge, peak), (x.ends.1, peak)], flat),
        line(Stroke::Mark, [(ridge, y.ends.0), (ridge, peak)], mark),
    ]
}

/// Returns the dot of a group of matmuls.
fn dot(group: &[Placed], number: usize, ridge: f64) -> Dot {
    let (first, rate) = (&group[0], group[0].flops_per_sec / 1e12);
    let share: f64 = group.iter().map(|one| one.share).sum();
    let name = and_more(&first.name, group.len() - 1);
    let words = format!(
        "{name}: {} FLOP per byte, {} TFLOP/s, {} % of the time",
        readable(first.intensity, 4),
        readable(rate, 4),
        percent(share)
    );
    Dot {
        at: (first.intensity, rate),
        shape: if first.intensity < ridge { Shape::Square } else { Shape::Circle },
        radius: 3.0 + 13.0 * share.clamp(0.0, 1.0).sqrt(),
        number,
        name,
        words,
        is_filled: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use estimate::{ModelQuery, placed};
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn answer(text: &str) -> Estimate {
        let ModelQuery { question, invalid, .. } = ModelQuery::parse(text);
        assert_eq!(invalid, [], "{text}");
        Estimate::new(&question).expect("an answer")
    }

    fn drawn(estimate: &Estimate, others: &[Named<'_>]) -> (Plot, Vec<Row>) {
        let drawing = roofline(estimate, others).expect("published");
        (drawing.plot, drawing.table.expect("matmuls").rows)
    }

    #[test]
    fn other_chips_have_their_roofs() {
        let other = answer("chip=h100-sxm");
        let (plot, _) = drawn(&answer("chip=tpu-v5e"), &[(&other, "H100")]);
        let line = plot.lines.last().expect("a roof");
        // 989.4 TFLOP/s over 3.35 TB/s are 295 FLOP per byte.
        assert!(line.kind == Stroke::Other(1) && line.label.starts_with("H100, 989"), "{line:?}");
        assert!((line.points[1].0 - 295.3).abs() < 0.5, "{line:?}");
    }

    #[test]
    fn the_ridge_of_a_chip_is_its_peak_over_its_bandwidth() {
        // TPU v5e has 197 TFLOP/s over 819 GB/s (Google), 240.5 FLOP per byte.
        let (plot, rows) = drawn(&answer("model=llama3-8b&chip=tpu-v5e"), &[]);
        assert!(plot.lines.iter().any(|line| line.label == "ridge 240.5"), "{:?}", plot.lines);
        // Every matmul has a row, and every row has the number of a dot.
        assert!(rows.iter().all(|row| plot.dots.iter().any(|dot| Cell::from(dot.number.to_string()) == row.cells[0])));
        assert_eq!(rows.len(), placed(&answer("")).len().min(40));
        let names: Vec<String> = placed(&answer("")).into_iter().map(|one| one.name).collect();
        assert!(
            ["q_proj, forward", "q_proj, gradient of B"].iter().all(|name| names.iter().any(|one| one == name)),
            "{names:?}"
        );
        // A batch of 4 · 2048 tokens by 4096 × 14336 in bf16 has 2·M·K·N ÷ 2·(M·K + K·N + M·N) = 2293.8 FLOP per byte.
        let (m, k, n) = (8192.0, 4096.0, 14336.0);
        let intensity = m * k * n / (m * k + k * n + m * n);
        assert!(placed(&answer("")).iter().any(|one| (one.intensity / intensity - 1.0).abs() < 1e-9), "{intensity}");
    }

    #[test]
    fn every_row_has_a_head_that_of_the_rest_too() {
        for text in ["model=sdxl-unet", "model=llama3-8b"] {
            let (_, rows) = drawn(&answer(&format!("{text}&chip=tpu-v5e")), &[]);
            assert!(rows.iter().all(|row| !row.texts()[0].is_empty() && !row.texts()[1].is_empty()), "{rows:?}");
            assert_eq!(rows.len() > 40, text == "model=sdxl-unet", "{text}");
        }
    }

    #[test]
    fn what_takes_most_of_the_time_is_labeled_at_every_width() {
        for text in ["", "pass=decode&batch=1", "model=llama3-70b&chips=512&chip=tpu-v5p", "model=resnet50"] {
            let (plot, _) = drawn(&answer(text), &[]);
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
        let side = |text: &str| drawn(&answer(text), &[]).1.first().and_then(|row| row.texts().pop());
        assert_eq!(side("pass=decode&batch=1").as_deref(), Some("memory"));
        assert_eq!(side("pass=train&batch=4").as_deref(), Some("compute"));
    }
}
