//! Sentences about a run that reads B from the chip's main memory.

use display::figure::duration;
use display::number::{grouped, significant};
use perfmodel::Compute;
use studio::{Feed, Plan};
use systolic::{Axis, Cycles, Dtype};

/// Returns the number of elements of B that the array needs per cycle.
fn vector_of_b(plan: &Plan) -> u64 {
    let schedule = plan.schedule();
    let (mapping, array, run) = (schedule.mapping(), schedule.array(), schedule.run());
    // In an input-stationary run, B enters through the rows. In other runs, B enters through the columns.
    let (axis, side) =
        if mapping.time == Axis::N { (mapping.rows, array.rows()) } else { (mapping.cols, array.cols()) };
    run.extent(axis).min(u64::from(side))
}

/// Returns the rate at which the memory delivers elements to one array: `48.6 int8 values per cycle`. `None` if the
/// rate is unknown.
fn per_cycle(plan: &Plan) -> Option<String> {
    let share = plan.scenario().memory_share()?;
    let dtype: Dtype = plan.dtype();
    Some(format!("{} {} values per cycle", significant(share.elements_per_cycle(), 3), dtype.id()))
}

/// Describes the rate of the memory, the rate that the array needs, and the time of the run. If the rate of the memory
/// is unknown, returns the reason. `None` if B is in on-chip memory.
#[must_use]
pub fn memory_feed_sentence(plan: &Plan) -> Option<String> {
    if plan.scenario().feed != Feed::Memory {
        return None;
    }
    let chip = plan.chip();
    let (Some(share), Some(per_cycle)) = (plan.scenario().memory_share(), per_cycle(plan)) else {
        let why = match (&chip.compute, chip.clock_mhz.value) {
            (Compute::Arrays { .. }, None) => "its clock is not published",
            (Compute::Arrays { .. }, Some(_)) | (Compute::Unknown(_), _) => {
                "its arrays or its memory bandwidth are not published"
            }
            (Compute::TensorCores { .. }, _) => "it has tensor cores, not a systolic array",
        };
        return Some(format!(
            "{}'s bandwidth per array is unknown because {why}, so this simulation assumes that the array never stalls for B",
            chip.name
        ));
    };
    let arrays = if share.arrays == 1 { String::new() } else { format!(", shared by {} arrays", share.arrays) };
    let clock = significant(share.clock_mhz, 5);
    let vector = vector_of_b(plan);
    let takes = match share.elements_per_cycle() >= systolic::Elements(vector).as_f64() {
        true => format!(
            "The array needs {} per cycle, and the memory always delivers enough values, so the array never stalls",
            grouped(vector)
        ),
        false => {
            format!("The array needs {} per cycle, more than the memory delivers, so the array stalls", grouped(vector))
        }
    };
    let gb = significant(share.gb_per_sec, 5);
    let cycles = plan.schedule().cycles().get();
    let lasts = duration(Cycles(cycles).as_f64() / (share.clock_mhz * 1e6));
    Some(format!(
        "{}'s memory delivers {gb} GB/s{arrays}. At {clock} MHz, one array gets {per_cycle}. {takes}. {} cycles take {lasts}",
        chip.name,
        grouped(cycles)
    ))
}

/// Returns the reason why PEs stall.
#[must_use]
pub(crate) fn stalled(plan: &Plan) -> String {
    match per_cycle(plan) {
        Some(brings) => format!(
            "{}'s memory delivers {brings}, but the array needs {} per cycle, so PEs stall.",
            plan.chip().name,
            grouped(vector_of_b(plan))
        ),
        None => "PEs stall: the bandwidth of one edge of the array is too low.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use systolic::Slot;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan(query: &str) -> Plan {
        Plan::new(&studio::Link::parse(query, "").scenario).expect("a run")
    }

    fn said(query: &str) -> String {
        memory_feed_sentence(&plan(query)).unwrap_or_default().replace('\u{202f}', " ")
    }

    #[test]
    fn the_time_of_the_first_tpu_is_said() {
        let v1 = "m=200&k=600&n=600&overlap=double-buffered&chip=tpu-v1&dt=int8&feed=memory";
        let small = said(&format!("rows=256&cols=256&{v1}"));
        assert_eq!(
            small,
            "TPU v1's memory delivers 34 GB/s. At 700 MHz, one array gets 48.6 int8 values per cycle. The array needs 256 per \
             cycle, more than the memory delivers, so the array stalls. 12 860 cycles take 18.4 µs"
        );
        assert!(said(&format!("rows=512&cols=512&{v1}")).ends_with("22 814 cycles take 32.6 µs"));
        assert!(stalled(&plan(&format!("rows=256&cols=256&{v1}"))).contains("256 per cycle"));
    }

    #[test]
    fn an_array_that_never_waits_and_a_chip_that_nobody_knows_are_named() {
        assert_eq!(said(""), "");
        let v4 = plan("feed=memory");
        assert!(
            memory_feed_sentence(&v4)
                .is_some_and(|said| said.contains("shared by 8 arrays") && said.contains("never stalls"))
        );
        assert_eq!(v4.schedule().tally().get(Slot::Stall).get(), 0);
        assert!(said("feed=memory&chip=tpu-v6e").contains("its clock is not published"));
        assert!(said("feed=memory&chip=h100-sxm").contains("not a systolic array"));
    }
}
