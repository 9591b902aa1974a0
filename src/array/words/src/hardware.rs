//! Storage of an array: the registers of the PEs, and their bits.

use super::count::counted;
use display::number::grouped;
use systolic::{MacUnit, PeRegister, PeStorage, Schedule};

/// Returns the name of a PE register, as in the array view and the PE sheet.
#[must_use]
pub const fn register(register: PeRegister) -> &'static str {
    match register {
        PeRegister::Held => "stationary",
        PeRegister::Shadow => "shadow",
        PeRegister::East => "going east",
        PeRegister::South => "going south",
        PeRegister::Product => "product",
        PeRegister::Sum => "sum",
        PeRegister::Passing => "second hop south",
        PeRegister::Drained => "output buffer",
    }
}

/// Returns the storage of a PE, such as "3 registers: stationary 8 bits, going east 8 bits, sum 32 bits. With 3 valid
/// bits, the PE has 51 flip-flops".
fn stored(storage: &PeStorage) -> String {
    let each = storage.registers().iter().map(|&(kind, bits)| format!("{} {bits} bits", register(kind)));
    let each = each.collect::<Vec<_>>().join(", ");
    let (n, valid) = (storage.registers().len(), storage.valid_bits());
    let control = match storage.control_bits() {
        0 => String::new(),
        bits => format!(" and {bits} control bits"),
    };
    format!("{n} registers: {each}. With {valid} valid bits{control}, the PE has {} flip-flops", storage.bits())
}

/// Returns sentences about the storage of a PE, of a PE in the last row (if different), and of the array with its skew
/// registers.
#[must_use]
pub fn storage(schedule: &Schedule, unit: MacUnit) -> Vec<String> {
    let last = schedule.array().rows() - 1;
    let (first, of_last) = (schedule.storage(unit, 0), schedule.storage(unit, last));
    let mut lines = vec![format!("A PE has {}.", stored(&first))];
    if of_last != first {
        lines.push(format!("A PE of the last row has {}.", stored(&of_last)));
    }
    lines.push(format!(
        "The array of {} has {} flip-flops; its skew registers have {} more.",
        counted(schedule.array().pes(), "PE"),
        grouped(schedule.array_bits(unit)),
        grouped(schedule.skew_bits(unit))
    ));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::Plan;

    #[test]
    fn the_first_screen_stores_what_it_draws() {
        let plan = Plan::default();
        let lines = storage(plan.schedule(), plan.unit());
        assert_eq!(
            lines,
            [
                "A PE has 3 registers: stationary 8 bits, going east 8 bits, sum 32 bits. With 3 valid bits, the PE has 51 \
                 flip-flops.",
                "The array of 16 PEs has 816 flip-flops; its skew registers have 54 more."
            ]
        );
    }
}
