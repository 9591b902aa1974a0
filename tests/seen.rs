//! Tests that states and operands in the array view are distinguishable: without color, and with each kind of color
//! vision.

use std::collections::BTreeMap;

use display::picture::{Dash, Mark, Rect};
use display::{Picture, Tone};
use stage::{self, Detail, Frame, Layout};
use studio::{Link, Plan};
use systolic::{Activity, Cycle};

/// Color in linear light: red, green and blue from 0 to 1.
type Light = [f64; 3];

/// Tones of a theme, read from the style sheets as a browser reads them.
fn tones(theme: &str) -> BTreeMap<String, Light> {
    let mut tones = of_sheet(include_str!("../style/tokens.css"), theme);
    tones.extend(of_sheet(include_str!("../style/shades.css"), theme));
    tones
}

fn of_sheet(text: &str, theme: &str) -> BTreeMap<String, Light> {
    let block = |head: &str| {
        let from = text.find(head).unwrap_or_else(|| panic!("{head} in the sheet"));
        text[from..].split_once('}').expect("a closed block").0
    };
    let mut blocks = vec![block(":root {")];
    if theme == "dark" {
        blocks.push(block(":root[data-theme=\"dark\"]"));
    }
    let lines = blocks.into_iter().flat_map(str::lines).filter_map(|line| line.trim().strip_prefix("--tone-"));
    let pairs = lines.filter_map(|line| line.trim_end_matches(';').split_once(": #"));
    pairs.map(|(name, hex)| (name.to_owned(), light(hex))).collect()
}

fn light(hex: &str) -> Light {
    [0, 2, 4].map(|at| {
        let share = f64::from(u8::from_str_radix(&hex[at..at + 2], 16).expect("two digits")) / 255.0;
        // This is the formula of IEC 61966-2-1.
        if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
    })
}

/// Color that a dichromat sees, in linear light. The conversion for red and green is from Viénot, Brettel and Mollon
/// 1999. The matrix for blue is from Machado, Oliveira and Fernandes 2009, at severity 1.
fn seen_by(kind: &str, [r, g, b]: Light) -> Light {
    let by = |m: [[f64; 3]; 3]| m.map(|row| (row[0] * r + row[1] * g + row[2] * b).clamp(0.0, 1.0));
    match kind {
        "protanopia" => by([[0.112_38, 0.887_62, 0.0], [0.112_38, 0.887_62, 0.0], [0.004_01, -0.004_01, 1.0]]),
        "deuteranopia" => by([[0.292_75, 0.707_25, 0.0], [0.292_75, 0.707_25, 0.0], [-0.022_34, 0.022_34, 1.0]]),
        "tritanopia" => by([
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_900],
        ]),
        "greyscale" => [luminance([r, g, b]); 3],
        _ => [r, g, b],
    }
}

fn luminance([r, g, b]: Light) -> f64 {
    0.2126 * r + 0.7152 * g + 0.0722 * b
}

/// CIE 1976 L*a*b* for the white point D65.
fn lab([r, g, b]: Light) -> [f64; 3] {
    let x = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.950_47;
    let y = luminance([r, g, b]);
    let z = (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.088_83;
    let f = |t: f64| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
    [116.0 * f(y) - 16.0, 500.0 * (f(x) - f(y)), 200.0 * (f(y) - f(z))]
}

fn difference(a: Light, b: Light) -> f64 {
    let (a, b) = (lab(a), lab(b));
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

const VISIONS: [&str; 5] = ["usual", "greyscale", "protanopia", "deuteranopia", "tritanopia"];

#[test]
fn operands_are_told_apart_with_each_kind_of_color_vision() {
    for theme in ["light", "dark"] {
        let tones = tones(theme);
        for vision in VISIONS.into_iter().filter(|vision| *vision != "greyscale") {
            let inks = ["a", "b", "sum", "c"];
            for (i, first) in inks.iter().enumerate() {
                for second in &inks[i + 1..] {
                    let d = difference(seen_by(vision, tones[*first]), seen_by(vision, tones[*second]));
                    // The limit is twice the difference at which two adjacent colors are plainly different.
                    assert!(d > 20.0, "{theme}, {vision}: {first} and {second} differ by {d:.1}");
                }
            }
        }
    }
}

#[test]
fn fields_of_a_large_array_are_told_apart_in_grey() {
    for theme in ["light", "dark"] {
        let tones = tones(theme);
        for vision in VISIONS {
            // One picture can show these areas side by side: ahead of the wavefront, inside it, behind it, and padding
            // inside it.
            let fields = ["ground", "useful", "drain", "padding"];
            for (i, first) in fields.iter().enumerate() {
                for second in &fields[i + 1..] {
                    let d = difference(seen_by(vision, tones[*first]), seen_by(vision, tones[*second]));
                    assert!(d > 9.0, "{theme}, {vision}: {first} and {second} differ by {d:.1}");
                }
            }
        }
    }
}

/// Appearance of a cell without its colors: border, hatching and sign.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Look {
    border: (Dash, u32),
    hatch: Option<bool>,
    sign: String,
}

fn look_of(picture: &Picture, rect: Rect) -> Look {
    let is_it = |other: &Rect| (other.x - rect.x).abs() < 0.5 && (other.y - rect.y).abs() < 0.5;
    let border = picture.marks.iter().find_map(|mark| match mark {
        Mark::Shape { rect, stroke, .. } if is_it(rect) => Some((stroke.dash, (stroke.width * 10.0).round())),
        _ => None,
    });
    let (dash, width) = border.expect("a cell has a border");
    let hatch = picture.marks.iter().find_map(|mark| match mark {
        Mark::Hatch { rect, rising, .. } if is_it(rect) => Some(*rising),
        _ => None,
    });
    let (x, y) = rect.center();
    let sign = picture.marks.iter().find_map(|mark| match mark {
        Mark::Text { at, text, .. } if (at.0 - x).abs() < 1.0 && (at.1 - y).abs() < 3.0 => Some(text.clone()),
        _ => None,
    });
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a width in tenths of a pixel")]
    Look { border: (dash, width as u32), hatch, sign: sign.unwrap_or_default() }
}

#[test]
fn states_differ_in_two_ways_beside_color() {
    let mut looks: BTreeMap<String, Look> = BTreeMap::new();
    for query in [
        "rows=16&cols=16&m=20&k=16&n=10&df=ws&dt=int8",
        "rows=16&cols=16&m=20&k=12&n=10&df=ws&dt=int8&pad=zero",
        "rows=16&cols=16&m=20&k=16&n=10&df=os&dt=int8",
    ] {
        let plan = Plan::new(&Link::parse(query, "").scenario).expect("a run");
        for cycle in 0..plan.schedule().cycles().get() {
            let mut picture = Picture::default();
            stage::draw(&Frame::new(&plan, Cycle(cycle)), 420.0, 440.0, &mut picture);
            let layout = Layout::new(&plan, 420.0, 440.0);
            assert_eq!(layout.detail, Detail::Glyph);
            for pe in plan.schedule().array().iter() {
                let activity = plan.schedule().activity(Cycle(cycle), pe);
                let look = look_of(&picture, layout.cell_of(pe));
                let known = looks.entry(format!("{activity:?}")).or_insert_with(|| look.clone());
                assert_eq!(*known, look, "{activity:?} looks always the same");
            }
        }
    }
    let named = |activity: Activity| format!("{activity:?}");
    for activity in [
        Activity::Unmapped,
        Activity::Loading,
        Activity::Waiting,
        Activity::Useful,
        Activity::OnPadding,
        Activity::Done,
    ] {
        assert!(looks.contains_key(&named(activity)), "{activity:?} was drawn");
    }
    let all: Vec<_> = looks.iter().collect();
    for (i, (first, a)) in all.iter().enumerate() {
        for (second, b) in &all[i + 1..] {
            let ways = [a.border.0 != b.border.0 || a.border.1 != b.border.1, a.hatch != b.hatch, a.sign != b.sign];
            let n = ways.into_iter().filter(|differ| *differ).count();
            assert!(n >= 2, "{first} {a:?} and {second} {b:?} differ in {n} ways");
        }
    }
    // Every tone has its color.
    let tones = tones("light");
    let colored = Tone::ALL.iter().filter(|tone| ![Tone::Clear, Tone::Wrong].contains(tone));
    colored.for_each(|tone| assert!(tones.contains_key(tone.id()), "{}", tone.id()));
}

#[test]
fn shades_grow_in_lightness_for_everybody_and_carry_text() {
    for theme in ["light", "dark"] {
        let tones = tones(theme);
        let shade = |step: usize| tones[stage::channel::SHADES[step].id()];
        for kind in ["normal", "greyscale", "protanopia", "deuteranopia", "tritanopia"] {
            let lightness: Vec<f64> = (0..8).map(|step| lab(seen_by(kind, shade(step)))[0]).collect();
            let steps: Vec<f64> = lightness.windows(2).map(|pair| pair[1] - pair[0]).collect();
            let (up, down) = (steps.iter().all(|step| *step > 3.0), steps.iter().all(|step| *step < -3.0));
            assert!(up || down, "{theme}, {kind}: {lightness:?}");
        }
        let contrast = |a: Light, b: Light| {
            let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
            if a > b { a / b } else { b / a }
        };
        for step in 0..8 {
            let ink = if step < 5 { tones["ink"] } else { tones["ground"] };
            assert!(contrast(shade(step), ink) >= 4.5, "{theme}, step {step}: {}", contrast(shade(step), ink));
        }
    }
}
