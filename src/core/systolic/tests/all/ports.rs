//! Tests that the elements at the ports equal the elements in the registers behind the ports. The number of these
//! elements must equal the counted traffic.

use crate::common::{cases, runner};
use proptest::prop_assert_eq;
use systolic::{Cycle, Edge, Hold, Operand, PeId, PortEvent, Prober};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

#[test]
fn port_events_are_what_the_registers_behind_the_ports_take_in_or_give_out() {
    runner(1_000)
        .run(&cases(), |case| {
            let schedule = case.schedule;
            let operands = case.operands();
            let prober = Prober::new(&schedule, &operands, case.unit);
            let (rows, cols) = (schedule.array().rows(), schedule.array().cols());
            let flows = schedule.dataflow().hold() == Hold::Operand;
            let mut counted = [0u64; 3];
            for cycle in (0..schedule.cycles().get()).map(Cycle) {
                let mut events: Vec<PortEvent> = vec![];
                schedule.port_events(cycle, |event| events.push(event));
                for event in &events {
                    counted[event.operand as usize] += 1;
                }
                let at = |edge: Edge, port: u32| {
                    let found: Vec<_> =
                        events.iter().filter(|event| event.edge == edge && event.port == port).collect();
                    assert!(found.len() <= 1, "one element at a port: {found:?}");
                    found.first().map(|event| (event.i, event.j))
                };
                for pe in schedule.array().iter().filter(|pe| pe.row < schedule.fold_at(cycle, *pe).mapped.rows) {
                    prop_assert_eq!(schedule.is_in_wave(cycle, pe), prober.at(cycle, pe).east.is_some());
                }
                for row in 0..rows {
                    let east = prober.at(cycle, PeId::new(row, 0)).east;
                    prop_assert_eq!(at(Edge::West, row), east.map(|element| (element.row, element.col)));
                }
                for col in 0..cols {
                    let (top, bottom) = (PeId::new(0, col), PeId::new(rows - 1, col));
                    let north = prober.at(cycle, top);
                    let loaded = if flows { north.shadow.or(north.held) } else { north.south };
                    let place = loaded.map(|element| (element.row, element.col));
                    let event = at(Edge::North, col);
                    // A stationary element stays if no element enters.
                    prop_assert_eq!(event, if flows { event.and(place) } else { place });
                    let leaving = if flows {
                        prober.at(cycle, bottom).sum
                    } else {
                        // This sum was in the last register one cycle ago and has left it.
                        let before = cycle.get().checked_sub(1).map(|before| prober.at(Cycle(before), bottom));
                        let event = at(Edge::South, col);
                        before.and_then(|before| before.drained.or(before.sum)).filter(|_| event.is_some())
                    };
                    prop_assert_eq!(at(Edge::South, col), leaving.map(|sum| (sum.row, sum.col)));
                }
            }
            let traffic = schedule.edge_traffic();
            let drained = flows || schedule.drain_cycles().get() > 0;
            prop_assert_eq!(counted[Operand::A as usize], traffic.a_reads.get());
            prop_assert_eq!(counted[Operand::B as usize], traffic.b_reads.get());
            prop_assert_eq!(counted[Operand::C as usize], if drained { traffic.c_writes.get() } else { 0 });
            Ok(())
        })
        .expect("the ports show what the registers hold");
}
