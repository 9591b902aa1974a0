//! Compares values of a custom dataflow in the cards' expressions with counts by hand.

use lesson::{Expression, Refusal, Scene, Value};
use studio::{Link, Plan};
use systolic::Cycle;

fn value(state: &str, text: &str) -> Result<String, Refusal> {
    let link = Link::parse(state, "");
    let plan = Plan::new(&link.scenario).expect("a run");
    let expression = Expression::parse(text).expect("an expression");
    expression.value(&Scene::new(&plan, Cycle(0)).with_tools(&link.tools)).map(Value::shown)
}

#[test]
fn the_values_of_a_flow_are_those_that_a_person_counts() {
    // If M, K and N are 4, the array has 16 PEs, and each matrix that moves needs 0 + 1 + 2 + 3 skew registers.
    let weights = "?flow=east%2Cstays%2Csouth%2C1%2C1";
    // All rows start together: row 1 gets its element of A one cycle too early, in cycle 1.
    let together = "?flow=east%2Cstays%2Csouth%2C0%2C1";
    let wires = "?flow=along-row%2Calong-col%2Cstays%2C0%2C0";
    let nothing_stays = "?flow=east%2Csouth%2Cwest%2C1%2C1";
    for (state, text, wanted) in [
        (weights, "flow_wrong", "0"),
        (weights, "flow_pes", "16"),
        (weights, "flow_registers", "48"),
        (weights, "flow_skew", "12"),
        (weights, "flow_load", "4"),
        // The last element of A enters the last row in cycle 6, and needs 3 more cycles to the last column. Loading
        // takes 4 cycles before that.
        (weights, "flow_cycles", "14"),
        (weights, "flow_busy 0", "1"),
        (weights, "flow_busy 2", "6"),
        (weights, "flow_first 3 0", "3"),
        (weights, "flow_first 2 3", "5"),
        (weights, "flow_reach_a", "4"),
        (weights, "flow_reach_b", "1"),
        // 16 PEs compute 64 products in 14 cycles.
        (weights, "flow_utilization = 64 / (16 * 14)", "yes"),
        (together, "flow_fault", "1"),
        (together, "flow_early", "1"),
        (together, "flow_utilization = 0", "yes"),
        (together, "flow_skew", "6"),
        (wires, "flow_wires", "8"),
        (wires, "flow_skew", "0"),
        (wires, "flow_registers", "16"),
        (wires, "flow_cycles", "4"),
        // The three matrices use 4 × 7 PEs. A PE computes the products of one m and one n − k, two cycles apart.
        (nothing_stays, "flow_registers", "84"),
        (nothing_stays, "flow_busy 5 1 2", "yes"),
        (nothing_stays, "flow_busy 6 1 2", "no"),
        (nothing_stays, "flow_busy 7 1 2", "yes"),
    ] {
        assert_eq!(value(state, text).as_deref(), Ok(wanted), "{state} {text}");
    }
}

#[test]
fn a_value_that_a_flow_does_not_have_is_refused() {
    let weights = "?flow=east%2Cstays%2Csouth%2C1%2C1";
    for (state, text, why) in [
        ("?m=4", "flow_wrong", Refusal::NoFlow),
        (weights, "flow_fault", Refusal::NoEvent),
        (weights, "flow_early", Refusal::NoEvent),
        (weights, "flow_busy 10", Refusal::NotThere),
        (weights, "flow_first 4 0", Refusal::NotThere),
    ] {
        assert_eq!(value(state, text), Err(why), "{state} {text}");
    }
}
