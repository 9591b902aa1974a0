//! Tests that no label in the plots of a question covers another label.

use super::{curves, drawings};
use display::plot::Label;
use estimate::{Answered, Topic, models};
use perfmodel::Chip;
use proptest::prelude::*;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// True if one box covers a part of the other.
fn covers(one: &Label, other: &Label) -> bool {
    let (a, b) = (one.room, other.room);
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn no_label_of_a_question_covers_another(
        model in 0..models().count(),
        chips in prop::collection::vec(0..Chip::all().len(), 1..=4),
        log in 0_u32..12,
        pass in prop::sample::select(vec!["train", "prefill", "decode"]),
    ) {
        let model = models().nth(model).expect("counted").id;
        let mut text = format!("model={model}&pass={pass}&chips={}", 1 << log);
        for (name, nth) in ["chip", "versus", "third", "fourth"].into_iter().zip(&chips) {
            text += &format!("&{name}={}", Chip::all()[*nth].id);
        }
        let answered = Answered::parse(Topic::Model, &text);
        for drawing in drawings(&answered).into_iter().chain(curves(&answered)) {
            for width in [320.0, 480.0, 760.0] {
                let layout = drawing.plot.layout(width);
                let ticks = layout.x_ticks.iter().chain(&layout.y_ticks).map(|(_, label)| label);
                let all: Vec<&Label> = ticks.chain(&layout.names).chain(&layout.labels).collect();
                let all: Vec<&Label> = all.into_iter().chain(layout.legend.iter().map(|(_, label)| label)).collect();
                for (nth, one) in layout.labels.iter().enumerate() {
                    let [left, top, right, bottom] = one.room;
                    let wide = Label { room: [left - 7.9, top, right + 7.9, bottom], ..one.clone() };
                    for other in &layout.labels[..nth] {
                        prop_assert!(!covers(&wide, other), "{text}, {width}: {} joins {}", one.text, other.text);
                    }
                }
                for (nth, one) in all.iter().enumerate() {
                    for other in &all[..nth] {
                        prop_assert!(!covers(one, other), "{text}, {width}: {} over {}", one.text, other.text);
                    }
                }
            }
        }
    }
}
