//! Facts about a chip, each with the words of a question about it.

use display::figure::dollars;
use display::number::readable;
use perfmodel::{Chip, Compute, LinkRate, Links, PeakDtype, PowerKind};

/// A fact about a chip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fact {
    name: &'static str,
    /// Words of a question about the fact.
    pub(crate) words: &'static str,
    /// True if a comparison of chips includes the fact.
    pub(crate) is_compared: bool,
    of: fn(&Chip) -> Option<String>,
}

impl Fact {
    const fn new(name: &'static str, words: &'static str, is_compared: bool, of: fn(&Chip) -> Option<String>) -> Self {
        Self { name, words, is_compared, of }
    }

    /// Returns the fact of a chip, or that no document states it.
    pub(crate) fn says(&self, chip: &Chip) -> String {
        (self.of)(chip).unwrap_or_else(|| format!("no published {}", self.name))
    }
}

/// All facts.
pub(crate) const ALL: [Fact; 8] = [
    Fact::new("peak", "peaks tflops", true, |chip| {
        Some(format!("{} TFLOPS in bf16", readable(chip.peak(PeakDtype::Bf16)?.value?, 6)))
    }),
    Fact::new("memory", "hbm vram capacity gddr bandwidth memory", true, |chip| {
        let (size, rate) = (chip.memory.capacity.value?, chip.memory.gb_per_sec.value?);
        let (size, unit) = (readable(size, 4), chip.memory.unit.word());
        Some(format!("{size} {unit} of {} at {} GB/s", chip.memory.kind, readable(rate, 5)))
    }),
    Fact::new("price", "price prices hourly cost costs dollar dollars", true, |chip| {
        let price = chip.default_price()?;
        Some(format!("{} an hour ({})", dollars(price.usd_per_chip_hour.value?), price.region.unwrap_or("list price")))
    }),
    Fact::new("clock", "clock frequency mhz ghz clocked", false, |chip| {
        Some(format!("{} MHz", readable(chip.clock_mhz.value?, 5)))
    }),
    Fact::new("number of arrays", "mxus arrays units mxu", false, |chip| match &chip.compute {
        Compute::Arrays { rows, cols, units_per_core, cores, .. } => {
            let (rows, cols, units, cores) = (rows.value?, cols.value?, units_per_core.value?, cores.value?);
            let per_core = if cores > 1 { format!(", {units} on each of {cores} cores") } else { String::new() };
            Some(format!("{} × {rows}×{cols} PEs{per_core}", units * cores))
        }
        Compute::TensorCores { count, .. } => Some(format!("{} tensor cores", count.value?)),
        Compute::Unknown(_) => None,
    }),
    Fact::new("rate of links", "ici nvlink interconnect link links torus", false, |chip| {
        let links = Links::of(chip)?;
        let rate = |rate| Some(readable(links.rate(rate)?.value?, 4));
        let each = |rate: String| Some(format!("{} links of {rate} GB/s one way", links.count?.value?));
        rate(LinkRate::PerLinkOneWay)
            .and_then(each)
            .or_else(|| Some(format!("NVLink with {} GB/s one way", rate(LinkRate::NvlinkOneWay)?)))
            .or_else(|| Some(format!("NVLink with {} GB/s both ways", rate(LinkRate::NvlinkBothWays)?)))
    }),
    Fact::new("power", "power watt watts tdp consumption", false, |chip| {
        let (kind, watts) = chip.usual_power()?;
        let kind = if *kind == PowerKind::Mean { "measured mean" } else { "limit or peak of the maker" };
        Some(format!("{} W ({kind})", readable(watts.value?, 4)))
    }),
    Fact::new("ridge", "ridge roofline intensity", false, |chip| {
        Some(format!("ridge at {} FLOP per byte in bf16", readable(chip.ridge(PeakDtype::Bf16)?, 3)))
    }),
];

/// Returns the title: `TPU v5e, TPU v4: clock`.
pub(crate) fn title(facts: &[Fact], chips: &[&Chip]) -> String {
    let facts: Vec<&str> = facts.iter().map(|fact| fact.name).collect();
    let chips: Vec<&str> = chips.iter().map(|chip| chip.name).collect();
    format!("{}: {}", chips.join(", "), facts.join(", "))
}
