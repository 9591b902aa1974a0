//! Utilization of the array, now and with other values of a setting.
//!
//! Each utilization is counted from the PE-cycles of a run with that value. The only exception is the utilization of an
//! endless stream, which is the share of PEs that have work.

use crate::{Edit, Feed, Field, FieldValue, FillKind, PaddingKind, Plan, Scenario, Settings, plan};
use systolic::{Axis, Dataflow, Overlap, Slot, Tally};

/// A change of settings, and the utilization after the change. [`remedies`] returns only changes that reduce a class of
/// PE-cycles and raise utilization.
#[derive(Clone, Debug, PartialEq)]
pub struct Remedy {
    /// The fields to change: one field, or the rows and columns of the array.
    pub set: Settings,
    /// Utilization after the change, from 0 to 1.
    pub share: f64,
}

impl Remedy {
    /// Returns the changes as edits of single fields, as a person would make them.
    pub fn edits(&self) -> impl Iterator<Item = Edit> {
        self.set.iter().map(|(field, value)| Edit::Set(*field, value.clone()))
    }
}

/// Utilization of the array as a function of one field of the scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The field.
    pub field: Field,
    /// Values of the field in ascending order, each with its utilization from 0 to 1.
    pub points: Vec<(u64, f64)>,
    /// Current value of the field, and its utilization.
    pub now: (u64, f64),
    /// Previous value of the field, if there is one, and its utilization.
    pub before: Option<(u64, f64)>,
    /// Utilization that the array approaches as the field grows without end ([`limit`]); `None` if there is no limit.
    pub limit: Option<f64>,
}

/// Returns the field that sets the length of an axis of the GEMM.
#[must_use]
pub const fn field_of(axis: Axis) -> Field {
    match axis {
        Axis::M => Field::M,
        Axis::K => Field::K,
        Axis::N => Field::N,
    }
}

/// Counts the PE-cycles of a scenario with other settings. Returns `None` if the scenario cannot run.
#[must_use]
pub fn tally_with(scenario: &Scenario, settings: &[(Field, FieldValue)]) -> Option<Tally> {
    let mut other = scenario.clone();
    for (field, value) in settings {
        other.set(*field, value.clone()).ok()?;
    }
    plan::schedule(&other).ok().map(|schedule| schedule.tally())
}

/// Returns the utilization, from 0 to 1, with another value of a field. `None` if the scenario cannot run.
#[must_use]
pub fn share_with(scenario: &Scenario, field: Field, value: u64) -> Option<f64> {
    tally_with(scenario, &[(field, FieldValue::Count(value))]).map(|tally| tally.utilization())
}

/// Returns at most two changes that reduce a class of PE-cycles and raise utilization, the most effective first.
#[must_use]
pub fn remedies(plan: &Plan, slot: Slot) -> Vec<Remedy> {
    // Typed matrices keep their sizes. Other sizes would drop elements, or multiply zeros that the person did not type.
    let is_custom = plan.scenario().fill == FillKind::Custom;
    let candidates = match slot {
        Slot::Useful => Vec::new(),
        Slot::Stall => feeding(plan, is_custom),
        _ if is_custom => around(plan),
        Slot::Padding => filling(plan),
        Slot::Load | Slot::Fill | Slot::Drain => lengthening(plan),
    };
    let scenario = plan.scenario();
    let share = |tally: &Tally| tally.get(slot).as_f64() / tally.total().as_f64().max(1.0);
    let now = plan.schedule().tally();
    let counted = candidates.into_iter().filter_map(|set| {
        let tally = tally_with(scenario, &set)?;
        let helps = share(&tally) < share(&now) && tally.utilization() > now.utilization();
        helps.then(|| Remedy { set, share: tally.utilization() })
    });
    let mut remedies: Vec<Remedy> = counted.collect();
    remedies.sort_by(|a, b| b.share.total_cmp(&a.share));
    remedies.truncate(2);
    remedies
}

/// Returns the change that raises utilization most: a change that reduces a class of PE-cycles, or another dataflow.
#[must_use]
pub fn best_remedy(plan: &Plan) -> Option<Remedy> {
    let all = Slot::ALL.into_iter().flat_map(|slot| remedies(plan, slot)).chain(best_dataflow(plan));
    all.max_by(|a, b| a.share.total_cmp(&b.share))
}

/// Returns the dataflow that raises utilization most. `None` if no other dataflow raises utilization.
pub(crate) fn best_dataflow(plan: &Plan) -> Option<Remedy> {
    let (now, scenario) = (plan.schedule().tally().utilization(), plan.scenario());
    let all = Dataflow::ALL.into_iter().filter_map(|one| {
        let set = vec![(Field::Dataflow, FieldValue::Dataflow(one))];
        let share = tally_with(scenario, &set)?.utilization();
        (share > now).then_some(Remedy { set, share })
    });
    all.max_by(|a, b| a.share.total_cmp(&b.share))
}

/// Returns the settings that make the array as large as the GEMM. A side of the array that already has the right size
/// is omitted.
fn array_of_product(plan: &Plan) -> Settings {
    let schedule = plan.schedule();
    let (mapping, array, gemm) = (schedule.mapping(), schedule.array(), schedule.gemm());
    let sides = [(mapping.rows, array.rows(), Field::Rows), (mapping.cols, array.cols(), Field::Cols)];
    let differs = |(axis, side, field): (Axis, u32, Field)| {
        let extent = gemm.extent(axis);
        (extent != u64::from(side)).then(|| (field, FieldValue::Count(extent)))
    };
    sides.into_iter().filter_map(differs).collect()
}

/// Changes that keep the sizes of the GEMM: the size of the array, the dataflow, overlapping folds, and no padding.
fn around(plan: &Plan) -> Vec<Settings> {
    let schedule = plan.schedule();
    let array = array_of_product(plan);
    let mut all: Vec<Settings> = array.iter().map(|side| vec![side.clone()]).collect();
    if array.len() > 1 {
        all.push(array);
    }
    let others = Dataflow::ALL.into_iter().filter(|&one| one != schedule.dataflow());
    all.extend(others.map(|one| vec![(Field::Dataflow, FieldValue::Dataflow(one))]));
    all.extend(overlapping(plan));
    if schedule.run() != schedule.gemm() {
        all.push(vec![(Field::Padding, FieldValue::Padding(PaddingKind::Ragged))]);
    }
    all
}

/// GEMM sizes that give work to more PEs: sizes that fill whole folds, and a stream length without padding.
fn filling(plan: &Plan) -> Vec<Settings> {
    let schedule = plan.schedule();
    let (mapping, array, gemm) = (schedule.mapping(), schedule.array(), schedule.gemm());
    let mut all = Vec::new();
    for (axis, side) in [(mapping.rows, array.rows()), (mapping.cols, array.cols())] {
        let (extent, side) = (gemm.extent(axis), u64::from(side));
        if !extent.is_multiple_of(side) {
            all.push(vec![(field_of(axis), FieldValue::Count(extent.next_multiple_of(side)))]);
        }
    }
    let (real, padded) = (gemm.extent(mapping.time), schedule.run().extent(mapping.time));
    if padded > real {
        all.push(vec![(field_of(mapping.time), FieldValue::Count(padded))]);
    }
    all
}

/// Ratio of a proposed stream length to the current length, before the proposed length is rounded up to a power of two.
const LONGER: u64 = 8;

/// Changes that spread loading, filling and draining over more work: a longer stream, or overlapping folds.
fn lengthening(plan: &Plan) -> Vec<Settings> {
    let schedule = plan.schedule();
    let time = schedule.mapping().time;
    let longer = (schedule.gemm().extent(time) * LONGER).next_power_of_two();
    let mut all = vec![vec![(field_of(time), FieldValue::Count(longer.min(field_of(time).most())))]];
    all.extend(overlapping(plan));
    all
}

/// Changes that reduce waiting for B: a longer stream for each block of B, overlapping folds, or B on the chip. For
/// custom matrices, the only change is to store B on the chip.
fn feeding(plan: &Plan, is_custom: bool) -> Vec<Settings> {
    let mut all = if is_custom { Vec::new() } else { lengthening(plan) };
    all.push(vec![(Field::Feed, FieldValue::Feed(Feed::OnChip))]);
    all
}

/// Setting that lets folds overlap. `None` if the run has only one fold, or if its folds already overlap.
fn overlapping(plan: &Plan) -> Option<Settings> {
    let schedule = plan.schedule();
    let can = schedule.folds() > 1 && schedule.design().overlap == Overlap::None;
    can.then(|| vec![(Field::Overlap, FieldValue::Overlap(Overlap::DoubleBuffered))])
}

/// Utilization that the array approaches as a field grows without end. `None` for rows and columns, because a larger
/// array leaves more PEs idle.
#[must_use]
pub fn limit(plan: &Plan, field: Field) -> Option<f64> {
    let schedule = plan.schedule();
    let (mapping, array, gemm) = (schedule.mapping(), schedule.array(), schedule.gemm());
    let filled = |axis: Axis, side: u32| {
        let (extent, side) = (gemm.extent(axis), u64::from(side));
        ratio(extent, extent.next_multiple_of(side))
    };
    let axis = [Axis::M, Axis::K, Axis::N].into_iter().find(|&axis| field_of(axis) == field)?;
    if axis == mapping.time {
        if schedule.slow_edge().is_some() {
            // The gaps in the stream stay, however long the stream is.
            return share_with(plan.scenario(), field, field.most());
        }
        return Some(filled(mapping.rows, array.rows()) * filled(mapping.cols, array.cols()));
    }
    // The candidates have only whole folds, as many as the field allows.
    let side = u64::from(if axis == mapping.rows { array.rows() } else { array.cols() });
    let most = field.most() / side * side;
    (most > 0).then(|| share_with(plan.scenario(), field, most)).flatten()
}

/// Ratio of a new scale to the largest value, so that a somewhat larger value still fits.
const FREE: f64 = 1.3;

/// Returns the value at the end of a bar, from the previous such value and the largest value to show. The scale stays
/// while the largest value fits and fills at least a quarter of the bar. So a person can compare a bar with the bar
/// before a change.
#[must_use]
pub fn scale(before: f64, most: f64) -> f64 {
    if (before / 4.0..=before).contains(&most) { before } else { most * FREE }
}

fn ratio(part: u64, whole: u64) -> f64 {
    systolic::PeCycles(part).as_f64() / systolic::PeCycles(whole).as_f64().max(1.0)
}

/// Maximum number of jumps in a utilization curve. The curve jumps at each value at which the number of folds changes.
const STEPS_MAX: u64 = 24;

/// Computes utilization as a function of a field. The points are all slider values up to a power of two that is at
/// least the current value and the previous value. So the range rarely changes. The curve also has points at the last
/// value before and at the first value after each change in the number of folds.
#[must_use]
pub fn curve(plan: &Plan, field: Field, before: Option<u64>) -> Curve {
    let (scenario, schedule) = (plan.scenario(), plan.schedule());
    let set = scenario.number(field);
    let least_top = if field.is_side() { 64 } else { 512 };
    let top = set.max(before.unwrap_or(1)).next_power_of_two().max(least_top).min(field.most());
    let mut values: Vec<u64> = field.slider().take_while(|&value| value <= top).collect();
    let (mapping, array, gemm) = (schedule.mapping(), schedule.array(), schedule.gemm());
    let edges = [
        (field_of(mapping.rows), Field::Rows, array.rows(), gemm.extent(mapping.rows)),
        (field_of(mapping.cols), Field::Cols, array.cols(), gemm.extent(mapping.cols)),
    ];
    for (extent_field, side_field, side, extent) in edges {
        if field == extent_field {
            values.extend((1..=STEPS_MAX).flat_map(|nth| [nth * u64::from(side), nth * u64::from(side) + 1]));
        } else if field == side_field {
            values.extend((1..=STEPS_MAX).map(|nth| extent.div_ceil(nth)).flat_map(|side| [side, side - 1]));
        }
    }
    values.extend([set, top].into_iter().chain(before));
    values.retain(|value| (1..=top).contains(value));
    values.sort_unstable();
    values.dedup();
    let at = |value: u64| share_with(scenario, field, value).map(|share| (value, share));
    Curve {
        field,
        points: values.into_iter().filter_map(at).collect(),
        now: (set, schedule.tally().utilization()),
        before: before.filter(|&before| before != set).and_then(at),
        limit: limit(plan, field),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan(link: &str) -> Plan {
        let (query, fragment) = link.split_once('#').unwrap_or((link, ""));
        Plan::new(&crate::Link::parse(query, fragment).scenario).expect("a run")
    }

    /// Returns the share of useful PE-cycles by asking each PE at each cycle.
    fn asked(plan: &Plan) -> f64 {
        let schedule = plan.schedule();
        let cycles = (0..schedule.cycles().get()).map(systolic::Cycle);
        let useful: usize = cycles
            .map(|cycle| schedule.array().iter().filter(|&pe| schedule.slot(cycle, pe) == Slot::Useful).count())
            .sum();
        useful as f64 / schedule.pe_cycles().as_f64()
    }

    #[test]
    fn a_remedy_does_what_it_says() {
        let mut n = 0;
        for query in [
            "rows=4&cols=4&m=6&k=4&n=3&df=ws",
            "rows=4&cols=4&df=ws&fill=custom#a=1,2;3,4&b=5,6;7,8",
            "rows=2&cols=3&df=is&fill=custom&pad=m&padm=8#a=1,2,3;3,4,5;5,6,7&b=5,6;7,8;9,1",
            "rows=4&cols=4&m=6&k=9&n=7&df=ws",
            "rows=4&cols=4&m=6&k=9&n=7&df=os",
            "rows=3&cols=7&m=6&k=9&n=7&df=is",
            "rows=4&cols=4&m=6&k=4&n=4&df=ws&pad=m&padm=8",
            "rows=4&cols=4&m=5&k=9&n=7&df=os&pad=zero&overlap=double-buffered&drain=south",
            "rows=8&cols=64&m=6&k=8&n=64&dt=int8&chip=tpu-v1&feed=memory",
        ] {
            let plan = plan(query);
            for slot in Slot::ALL {
                for remedy in remedies(&plan, slot) {
                    let mut scenario = plan.scenario().clone();
                    for (field, value) in &remedy.set {
                        scenario.set(*field, value.clone()).expect("can be set");
                    }
                    let then = Plan::new(&scenario).expect("can run");
                    assert!((asked(&then) - remedy.share).abs() < 1e-12, "{query} {remedy:?}");
                    assert!(remedy.share > asked(&plan), "{query} {remedy:?}");
                    n += 1;
                }
            }
        }
        assert!(n > 12, "only {n} remedies");
    }

    #[test]
    fn the_first_screen_is_filled_by_a_fourth_column_and_a_longer_stream() {
        let plan = Plan::default();
        let one = |slot: Slot| remedies(&plan, slot).first().map(|one| (one.set.clone(), one.share));
        assert_eq!(one(Slot::Padding), Some((vec![(Field::N, FieldValue::Count(4))], 96.0 / 256.0)));
        assert_eq!(one(Slot::Load), Some((vec![(Field::M, FieldValue::Count(64))], 768.0 / 1184.0)));
        assert_eq!(one(Slot::Useful), None);
    }

    #[test]
    fn a_scale_stays_while_the_bars_fit_and_can_be_seen() {
        assert_eq!([scale(0.0, 20.0), scale(26.0, 6.5), scale(26.0, 26.0)], [26.0; 3]);
        assert_eq!([scale(26.0, 40.0), scale(26.0, 5.0), scale(26.0, 0.0)], [52.0, 6.5, 0.0]);
    }

    #[test]
    fn a_curve_has_the_same_end_while_its_values_are_below_the_end() {
        let end = |m: u64, before: Option<u64>| {
            let plan = plan(&format!("m={m}"));
            curve(&plan, Field::M, before).points.last().map(|point| point.0)
        };
        assert_eq!([end(1, None), end(6, Some(64)), end(512, Some(6))], [Some(512); 3]);
        assert_eq!([end(513, Some(6)), end(6, Some(513))], [Some(1024); 2]);
    }

    #[test]
    fn another_dataflow_is_the_best_change_if_no_other_change_is_better() {
        // N is as large as it can be, so a longer stream is impossible.
        let best = best_remedy(&plan("rows=4&cols=4&m=4&k=4&n=65536&df=ws")).expect("a change");
        assert_eq!(best.set, [(Field::Dataflow, FieldValue::Dataflow(Dataflow::InputStationary))]);
        // 16 PEs compute 4 · 4 · 65536 products, with 4 cycles of loading and 6 of filling and draining.
        assert!((best.share - 65536.0 / (65536.0 + 10.0)).abs() < 1e-9, "{}", best.share);
    }

    #[test]
    fn typed_matrices_keep_their_numbers_and_have_remedies_all_the_same() {
        let around = [Field::Rows, Field::Cols, Field::Dataflow, Field::Overlap, Field::Padding];
        for fragment in ["a=1,2;3,4&b=5,6;7,8", "a=1,2,3;4,5,6;7,8,9;1,2,3;4,5,6&b=1,2;3,4;5,6", "a=1,2&b=3;4"] {
            for (dataflow, pad) in [("ws", "ragged"), ("os", "zero"), ("is", "m")] {
                let plan = plan(&format!("rows=4&cols=4&df={dataflow}&pad={pad}&padm=4&fill=custom#{fragment}"));
                let all: Vec<Remedy> = Slot::ALL.into_iter().flat_map(|slot| remedies(&plan, slot)).collect();
                assert!(all.iter().flat_map(|one| &one.set).all(|(field, _)| around.contains(field)), "{all:?}");
                assert!(!remedies(&plan, Slot::Padding).is_empty(), "{dataflow} {fragment}");
                for edit in all.iter().flat_map(Remedy::edits) {
                    let (session, playhead) = crate::Session::open(&crate::Link {
                        scenario: plan.scenario().clone(),
                        ..crate::Link::default()
                    });
                    let (session, ..) = session.applied(&edit, playhead);
                    let typed = |scenario: &Scenario| (scenario.a.clone(), scenario.b.clone(), scenario.fill);
                    assert_eq!(typed(&session.scenario), typed(plan.scenario()), "{edit:?}");
                }
            }
        }
    }

    #[test]
    fn a_product_of_two_by_two_fits_an_array_of_two_by_two() {
        let plan = plan("rows=4&cols=4&df=ws&fill=custom#a=1,2;3,4&b=5,6;7,8");
        let sides = [Field::Rows, Field::Cols].map(|side| (side, FieldValue::Count(2))).to_vec();
        // 4 PEs compute 8 products in 2R + C + M − 2 = 6 cycles.
        assert_eq!(remedies(&plan, Slot::Padding).first(), Some(&Remedy { set: sides, share: 8.0 / 24.0 }));
    }

    #[test]
    fn a_curve_goes_through_what_is_set_and_comes_close_to_its_limit() {
        for query in [
            "rows=4&cols=4&m=6&k=4&n=3&df=ws",
            "rows=8&cols=8&m=10&k=13&n=11&df=os",
            "rows=3&cols=7&m=6&k=9&n=7&df=is&overlap=double-buffered",
            "rows=64&cols=64&m=64&k=64&n=64&df=os&dt=int8&chip=tpu-v1&feed=memory",
        ] {
            let plan = plan(query);
            for field in Field::SLIDERS {
                let curve = curve(&plan, field, Some(2));
                assert!(curve.points.contains(&curve.now), "{query} {field:?}");
                assert!((curve.now.1 - asked(&plan)).abs() < 1e-12);
                assert!(curve.points.windows(2).all(|pair| pair[0].0 < pair[1].0), "{query} {field:?}");
                assert!(curve.points.len() > 30 && curve.points.len() < 250, "{}", curve.points.len());
                assert!(curve.before.is_some_and(|(value, _)| value == 2) || curve.now.0 == 2);
                if let Some(limit) = curve.limit {
                    let far = share_with(plan.scenario(), field, 64 * 7 * 8 * 8).expect("a run");
                    assert!((far - limit).abs() < 0.01, "{query} {field:?}: {far} against {limit}");
                    assert!(curve.points.iter().all(|(_, share)| *share <= limit + 1e-9), "{query} {field:?}");
                }
            }
        }
        assert_eq!(limit(&Plan::default(), Field::M), Some(0.75));
    }
}
