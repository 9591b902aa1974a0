//! Native benchmarks of stepping, any cycle at once, counting and drawing. Run with
//! `cargo bench -p benches --bench core`.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::cell::RefCell;
use std::hint::black_box;

use benches::array::{self, SIDE};
use benches::estimates;
use benches::{Line, against};
use display::Picture;
use stage::{self, Frame, Work};
use studio::{Link, Plan};
use systolic::Cycle;

fn plan(query: &str) -> Plan {
    Plan::new(&Link::parse(query, "").scenario).expect("a run")
}

fn drawing() -> Vec<Line> {
    let plan_256 = plan("rows=256&cols=256&m=512&k=256&n=200&df=ws&dt=bf16&chip=tpu-v6e");
    let mut picture = Picture::default();
    let mut pixels = vec![0u8; SIDE * SIDE];
    let draw = || {
        let frame = Frame::new(&plan_256, Cycle(700));
        stage::draw(&frame, 800.0, 700.0, &mut picture);
        black_box(&picture);
    };
    let outcome = against(draw, || {
        pixels.fill(black_box(3));
        black_box(&pixels);
    });
    let field =
        Line { name: "draw the 256×256 field", outcome, ratio: outcome.times_bound(), unit: "fills of as many bytes" };

    let first = Plan::default();
    let mut picture = Picture::default();
    let draw = || {
        let frame = Frame::new(&first, Cycle(7));
        stage::draw(&frame, 700.0, 600.0, &mut picture);
        black_box(&picture);
    };
    let probe = || {
        let prober = first.prober();
        for pe in first.schedule().array().iter() {
            black_box(prober.at(black_box(Cycle(7)), pe));
        }
    };
    let outcome = against(draw, probe);
    let first_screen = Line {
        name: "draw the first screen",
        outcome,
        ratio: outcome.times_bound(),
        unit: "looks at all its registers",
    };
    vec![field, first_screen, long_sums()]
}

/// Times one frame of an output-stationary array whose sums have 65 536 terms. The frame reuses no earlier work.
fn long_sums() -> Line {
    const TERMS: u64 = Work::FRAME_MAX;
    let plan = plan("rows=64&cols=64&m=64&k=65536&n=64&df=os&dt=f32&fill=uniform");
    let mut picture = Picture::default();
    let draw = || {
        let work = RefCell::new(Work::default());
        let frame = Frame { work: Some(&work), ..Frame::new(&plan, Cycle(65_436)) };
        stage::draw(&frame, 3840.0, 2160.0, &mut picture);
        black_box(&picture);
    };
    let outcome = against(draw, || {
        let mut sum = 0.0f32;
        for _ in 0..TERMS {
            sum += black_box(0.5f32) * 0.25;
        }
        black_box(sum);
    });
    let ratio = outcome.times_bound();
    Line { name: "a frame of 64×64 sums of 65 536 terms", outcome, ratio, unit: "as many adds in a row" }
}

fn main() {
    println!("{}", Line::HEADER);
    for line in array::lines().into_iter().chain(drawing()).chain(estimates::lines()) {
        println!("{line}");
    }
}
