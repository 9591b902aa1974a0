//! The pictures on the cards of the list, drawn from runs and from the chip table.

use std::fmt::Write;
use std::sync::Arc;

use ::words::{busy, figures};
use leptos::html::Canvas;
use leptos::prelude::*;
use perfmodel::{Chip, PeakDtype};
use studio::{Field, Link, Plan};
use systolic::{Cycle, Dataflow, Dtype, Slot};

use crate::ctx::use_ctx;
use crate::effects::paint;
use crate::ui::diagram;

/// The run of the first lesson, which is also the run of the first screen.
const FIRST_RUN: &str = "rows=4&cols=4&m=6&k=4&n=3&df=ws";

/// Width and height of a picture in pixels.
const SIZE: (f64, f64) = (176.0, 96.0);

/// The picture on the card of a lesson or of a set of challenges. Claims have no pictures.
#[component]
pub(super) fn CardPicture(id: &'static str) -> impl IntoView {
    let ctx = use_ctx();
    let canvas: NodeRef<Canvas> = NodeRef::new();
    let drawn = match id {
        "multiply" => run(FIRST_RUN).map(|plan| svg(&wave(&plan))),
        "tiles" => run("rows=128&cols=128&m=256&k=200&n=200&df=ws").map(|plan| {
            paint::fold_picture(canvas, ctx, Arc::new(plan));
            view! { <canvas node_ref=canvas></canvas> }.into_any()
        }),
        "dataflow" => Some(svg(&Dataflow::ALL.map(diagram::dataflow).concat())),
        "build" => Some(svg(&diagram::dataflow(Dataflow::WeightStationary))),
        "pe-cycles" => run(FIRST_RUN).map(|plan| svg(&classes(&plan))),
        "rounding" => Some(svg(&formats())),
        "to-mfu" => run("m=128&k=1024&n=1024&dt=bf16&chip=tpu-v5e").map(|plan| svg(&breakdown(&plan))),
        "layers" => Some(svg(&picture_rows())),
        "array-size" => Some(svg(&sizes())),
        "challenges-first" => run(FIRST_RUN)
            .map(|plan| svg(&busy::spark(&plan, &studio::busy::curve(&plan, Field::M, None)).svg(SIZE.0, SIZE.1))),
        "why-array" | "challenges-second" => Some(svg(&shapes())),
        "challenges-chip" => {
            Chip::by_id("tpu-v5e").and_then(|chip| chip.ridge(PeakDtype::Bf16)).map(|ridge| svg(&roof(ridge)))
        }
        _ => None,
    };
    drawn.map(|drawn| view! { <span class="card-picture" aria-hidden="true">{drawn}</span> })
}

fn run(query: &str) -> Option<Plan> {
    Plan::new(&Link::parse(query, "").scenario).ok()
}

fn svg(text: &str) -> AnyView {
    view! { <span class="drawing" inner_html=text.to_owned()></span> }.into_any()
}

/// Wraps shapes in an SVG element with the size of a picture.
fn framed(shapes: &str) -> String {
    let (width, height) = SIZE;
    format!("<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">{shapes}</svg>")
}

fn rect(shapes: &mut String, class: &str, [x, y, width, height]: [f64; 4]) {
    // Writing to a String cannot fail.
    let _ = write!(
        shapes,
        "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"1.5\"/>"
    );
}

/// Draws the PEs of a run at cycle 7, each in the color of its class, and the skew registers of the rows.
fn wave(plan: &Plan) -> String {
    let mut shapes = String::new();
    for pe in plan.schedule().array().iter() {
        let (x, y) = (f64::from(pe.col).mul_add(22.0, 68.0), f64::from(pe.row).mul_add(22.0, 6.0));
        rect(&mut shapes, plan.schedule().slot(Cycle(7), pe).id(), [x, y, 18.0, 18.0]);
        if pe.col < pe.row {
            let x = f64::from(pe.col).mul_add(-14.0, 52.0);
            rect(&mut shapes, "a", [x, y + 5.0, 12.0, 8.0]);
        }
    }
    framed(&shapes)
}

/// Draws the classes of the PE-cycles of a run as one bar.
fn classes(plan: &Plan) -> String {
    let (mut shapes, mut x) = (String::new(), 8.0);
    for (slot, part) in Slot::ALL.into_iter().zip(figures::parts(&plan.schedule().tally())) {
        let width = part.share * 160.0;
        rect(&mut shapes, slot.id(), [x, 30.0, width, 36.0]);
        x += width;
    }
    framed(&shapes)
}

/// Draws the bits of three formats: sign, exponent and fraction.
fn formats() -> String {
    let mut shapes = String::new();
    let formats = [Dtype::F32, Dtype::Bf16, Dtype::E4m3fn].into_iter().filter_map(Dtype::float);
    for (nth, format) in (0u32..).zip(formats) {
        let y = f64::from(nth).mul_add(28.0, 12.0);
        for bit in 0..=(format.exponent_bits + format.fraction_bits) {
            let class = match bit {
                0 => "sign",
                bit if bit <= format.exponent_bits => "exponent",
                _ => "fraction",
            };
            rect(&mut shapes, class, [f64::from(bit).mul_add(5.0, 8.0), y, 4.0, 16.0]);
        }
    }
    framed(&shapes)
}

/// Draws the share of the peak that is left after each factor.
fn breakdown(plan: &Plan) -> String {
    let mut shapes = String::new();
    for (nth, (left, lost)) in (0u32..).zip(plan.ladder()) {
        let y = f64::from(nth).mul_add(12.0, 6.0);
        rect(&mut shapes, "useful", [8.0, y, left * 160.0, 9.0]);
        rect(&mut shapes, "padding", [left.mul_add(160.0, 8.0), y, lost * 160.0, 9.0]);
    }
    framed(&shapes)
}

/// Draws a picture of pixels, and the rows of a matrix that a small filter makes of it.
fn picture_rows() -> String {
    let mut shapes = String::new();
    for row in 0..6 {
        for col in 0..6 {
            let class = if row < 3 && col < 3 { "useful" } else { "fill" };
            let (x, y) = (f64::from(col).mul_add(11.0, 10.0), f64::from(row).mul_add(11.0, 16.0));
            rect(&mut shapes, class, [x, y, 9.0, 9.0]);
        }
    }
    for row in 0..6 {
        for col in 0..9 {
            let class = if row == 0 { "useful" } else { "fill" };
            let (x, y) = (f64::from(col).mul_add(9.0, 88.0), f64::from(row).mul_add(11.0, 16.0));
            rect(&mut shapes, class, [x, y, 7.0, 9.0]);
        }
    }
    framed(&shapes)
}

/// Draws four small arrays and one large array of as many PEs.
fn sizes() -> String {
    let mut shapes = String::new();
    for (x, y) in [(12.0, 14.0), (48.0, 14.0), (12.0, 50.0), (48.0, 50.0)] {
        rect(&mut shapes, "useful", [x, y, 32.0, 32.0]);
    }
    rect(&mut shapes, "useful", [98.0, 14.0, 68.0, 68.0]);
    framed(&shapes)
}

/// Draws 16 PEs in three shapes.
fn shapes() -> String {
    let mut shapes = String::new();
    for (top, rows, cols) in [(8.0, 1, 16), (24.0, 2, 8), (50.0, 4, 4)] {
        for row in 0..rows {
            for col in 0..cols {
                let x = (f64::from(col) - f64::from(cols) / 2.0).mul_add(10.0, 88.0);
                rect(&mut shapes, "useful", [x, f64::from(row).mul_add(10.0, top), 8.0, 8.0]);
            }
        }
    }
    framed(&shapes)
}

/// Draws a roofline from 1 to 10,000 FLOP per byte, with the ridge point.
fn roof(ridge: f64) -> String {
    let x = ridge.log10().mul_add(40.0, 8.0);
    framed(&format!(
        "<path class=\"roof\" d=\"M8 84L{x:.1} 20H168\"/><path class=\"limit\" d=\"M{x:.1} 20V90\"/><circle class=\"useful\" cx=\"{x:.1}\" cy=\"20\" r=\"4\"/>"
    ))
}
