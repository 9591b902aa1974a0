//! The links between chips, as the documents of the chips describe them. Collective operations use these links.

use crate::links_generated::LINKS;
use crate::{Chip, Per, Sourced};

/// Links of a chip to its neighbors, and the names of its slices. The table is separate from [`Chip`], so that a
/// program without links does not contain the table.
#[derive(Debug)]
pub struct Links {
    /// The chip's id.
    pub chip: &'static str,
    /// Topology of the links, in words.
    pub topology: Option<Sourced<&'static str>>,
    /// Number of links of one chip.
    pub count: Option<Sourced<u8>>,
    /// Published rates in GB/s (10⁹ bytes per second), each with its scope.
    pub rates: &'static [(LinkRate, Sourced<f64>)],
    /// Named networks between nodes of GPUs, each with the rate at which data leaves a node, in GB/s. The first network
    /// is the default.
    pub networks: &'static [(&'static str, Sourced<f64>)],
    /// Axes of the torus that wraparound links close into rings; `None` if no document states these axes.
    pub ring_axes: Option<Sourced<RingAxes>>,
    /// Naming of slices; `None` for chips that are not rented in named slices.
    pub slice_names: Option<SliceNames>,
}

/// Axes of a torus that close into rings (wraparound links), by their length in chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RingAxes {
    /// Axes of exactly this length.
    Only(u32),
    /// Axes whose length is a multiple of this number.
    MultiplesOf(u32),
}

/// Names of slices such as `v5p-128`.
#[derive(Clone, Copy, Debug)]
pub struct SliceNames {
    /// Prefixes before the number: `v5e` and `v5litepod`.
    pub prefixes: &'static [&'static str],
    /// Unit that the number counts.
    pub number: Sourced<Per>,
}

/// Scope of a link rate: the links and directions that the rate includes. Documents use all six scopes. The rates of
/// one chip in two scopes can differ by a large factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkRate {
    /// One link, one direction.
    PerLinkOneWay,
    /// All links of a chip, one direction.
    ChipOneWay,
    /// All links of a chip, both directions added.
    ChipBothWays,
    /// A GPU's NVLink ports together, one direction.
    NvlinkOneWay,
    /// A GPU's NVLink ports together, both directions added.
    NvlinkBothWays,
    /// A node's network adapters together, one direction.
    NodeOut,
}

impl Links {
    /// Links of every chip, in the order of the chip table. A chip whose network is not known has no entry.
    pub fn all() -> &'static [Self] {
        &LINKS
    }

    /// The links of a chip, if its documents state any.
    pub fn of(chip: &Chip) -> Option<&'static Self> {
        LINKS.iter().find(|links| links.chip == chip.id)
    }

    /// A published rate with its source.
    pub fn rate(&self, rate: LinkRate) -> Option<&'static Sourced<f64>> {
        self.rates.iter().find(|(of, _)| *of == rate).map(|(_, value)| value)
    }

    /// A named network between nodes.
    pub fn network(&self, name: &str) -> Option<&'static Sourced<f64>> {
        self.networks.iter().find(|(of, _)| *of == name).map(|(_, value)| value)
    }

    /// A published rate in bytes per second.
    pub fn bytes_per_sec(&self, rate: LinkRate) -> Option<f64> {
        Some(self.rate(rate)?.value? * 1e9)
    }

    /// `W`: bandwidth of one link in bytes per second, both directions added: `2 · one way`. Ring collectives use the
    /// two directions at once.
    pub fn ring_bytes_per_sec(&self) -> Option<f64> {
        Some(2.0 * self.bytes_per_sec(LinkRate::PerLinkOneWay)?)
    }

    /// Number of axes of the torus: half the links of a chip, because a chip has two neighbors along each axis.
    ///
    /// `None` if the rate of one link is unknown. In this case, it is also unknown if the links form a torus.
    pub fn torus_axes(&self) -> Option<u8> {
        self.rate(LinkRate::PerLinkOneWay)?;
        Some(self.count?.value? / 2)
    }

    /// True if an axis of this many chips closes into a ring. `None` if no document states which axes close.
    pub fn axis_wraps(&self, chips: u32) -> Option<bool> {
        Some(match self.ring_axes?.value? {
            RingAxes::Only(length) => chips == length,
            RingAxes::MultiplesOf(block) => chips > 0 && chips.is_multiple_of(block),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{LinkRate, Links};
    use crate::Chip;

    fn chip(id: &str) -> &'static Chip {
        Chip::by_id(id).expect("the chip exists")
    }

    fn links(id: &str) -> &'static Links {
        Links::of(chip(id)).expect("the table has its links")
    }

    #[test]
    fn rings_use_both_directions_of_a_link() {
        // The scaling book has these rates in bytes/s in both directions: v5e 9e10, v5p 1.8e11, v4 9e10.
        for (id, both, axes) in [("tpu-v5e", 9e10, 2), ("tpu-v5p", 1.8e11, 3), ("tpu-v4", 9e10, 3)] {
            assert_eq!((links(id).ring_bytes_per_sec(), links(id).torus_axes()), (Some(both), Some(axes)), "{id}");
        }
    }

    #[test]
    fn one_way_is_half_of_both_ways_where_both_are_published() {
        let mut pairs = 0;
        for links in Links::all() {
            let one = links.bytes_per_sec(LinkRate::NvlinkOneWay);
            let Some((one, both)) = one.zip(links.bytes_per_sec(LinkRate::NvlinkBothWays)) else { continue };
            assert_eq!(2.0 * one, both, "{}", links.chip);
            pairs += 1;
        }
        assert_eq!(pairs, 9, "A100 (two), H100, H800, H200, B200, B300, GB200, GB300");
    }

    #[test]
    fn the_sum_over_links_is_near_the_rate_stated_for_the_chip() {
        // The links add up to 4 · 2 · 45 = 360 GB/s, but 400 GB/s are stated. The table has both, and rings use the
        // rate of a link.
        for (id, sum, stated) in [("tpu-v5e", 360e9, 400e9), ("tpu-v6e", 720e9, 800e9)] {
            let found = 4.0 * links(id).ring_bytes_per_sec().expect(id);
            assert_eq!((found, links(id).bytes_per_sec(LinkRate::ChipBothWays)), (sum, Some(stated)), "{id}");
        }
    }

    #[test]
    fn what_is_not_published_is_unknown() {
        assert_eq!(links("tpu-v1").ring_bytes_per_sec(), None);
        assert_eq!(links("v100").bytes_per_sec(LinkRate::NvlinkOneWay), None);
        assert_eq!(links("h100-sxm").torus_axes(), None);
        assert!(Links::of(chip("gaudi3")).is_none());
        assert_eq!(links("tpu-7x").axis_wraps(16), None);
    }

    #[test]
    fn only_some_axes_close_into_a_ring() {
        assert_eq!((links("tpu-v5e").axis_wraps(8), links("tpu-v5e").axis_wraps(16)), (Some(false), Some(true)));
        assert_eq!((links("tpu-v5p").axis_wraps(2), links("tpu-v5p").axis_wraps(12)), (Some(false), Some(true)));
    }
}
