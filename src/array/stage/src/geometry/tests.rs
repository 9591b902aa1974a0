//! Tests of the geometry: PEs at points, and the level of detail of cells.

use super::*;
use proptest::prelude::*;
use studio::Link;
use systolic::Dataflow;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn plan(rows: u64, cols: u64, dataflow: Dataflow) -> Plan {
    let query = format!("rows={rows}&cols={cols}&m=8&k=8&n=8&df={}&dt=int8", dataflow.id());
    Plan::new(&Link::parse(&query, "").scenario).expect("in range")
}

#[test]
fn the_center_of_a_pe_hits_that_pe_in_every_layout() {
    let config = proptest::test_runner::Config { cases: 500, failure_persistence: None, ..Default::default() };
    let rng = proptest::test_runner::TestRng::from_seed(proptest::test_runner::RngAlgorithm::ChaCha, &[5; 32]);
    let shapes = (1u64..1025, 1u64..1025, 40f32..2000.0, 40f32..1200.0, 0usize..3, any::<u32>(), any::<u32>());
    proptest::test_runner::TestRunner::new_with_rng(config, rng)
        .run(&shapes, |(rows, cols, width, height, dataflow, row, col)| {
            let layout = Layout::new(&plan(rows, cols, Dataflow::ALL[dataflow]), width, height);
            prop_assert!(layout.cell > 0.0, "{layout:?}");
            let pe = PeId::new(row % layout.rows, col % layout.cols);
            let (x, y) = layout.cell_of(pe).center();
            prop_assert_eq!(layout.hit(x, y), Some(pe));
            let array = layout.array();
            prop_assert!(array.x >= -1.0 && array.y >= -1.0, "{layout:?}");
            prop_assert!(array.x + array.w <= width + 1.0 && array.y + array.h <= height + 1.0, "{layout:?}");
            Ok(())
        })
        .expect("hit is the inverse of place");
}

#[test]
fn detail_follows_the_size_of_a_cell() {
    let detail = |side: u64, room: f32| Layout::new(&plan(side, side, Dataflow::WeightStationary), room, room).detail;
    assert_eq!(detail(4, 800.0), Detail::Tagged);
    assert_eq!(detail(4, 500.0), Detail::Registers);
    assert_eq!(detail(8, 620.0), Detail::Compact);
    assert_eq!(detail(8, 390.0), Detail::Value);
    assert_eq!(detail(16, 480.0), Detail::Glyph);
    assert_eq!(detail(64, 800.0), Detail::Block);
    assert_eq!(detail(256, 800.0), Detail::Pixel);
}
