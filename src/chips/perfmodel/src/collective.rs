//! Time of collective operations on an array, in a torus of chips and in nodes of GPUs. In this module, an array is a
//! tensor that is sharded over chips, not a systolic array.
//!
//! The formulas for bandwidth time are from the scaling book (Austin et al., How to Scale Your Model, 2025:
//! sharding.md, gpus.md). The times of [`Torus`] and [`Nodes`] are lower bounds: measured rates are lower than the
//! bandwidth, above all for small arrays. [`Measured`] has the constants of measured collectives.

use crate::{Chip, LinkRate, Links, Seconds, Source};

/// A collective operation, in which chips send each other an array or its shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collective {
    /// Gathering of an array: every chip ends with the whole array.
    AllGather,
    /// Sum of the arrays of all chips: every chip starts with one array, and ends with a shard of the sum.
    ReduceScatter,
    /// Sum of the arrays of all chips: every chip starts with one array, and ends with the whole sum. The chips run a
    /// ReduceScatter and then an AllGather.
    AllReduce,
    /// Move of the sharding to another axis of the array: every chip sends a part of its shard to every other chip.
    AllToAll,
}

impl Collective {
    /// All collectives, in the order in which a menu lists them.
    pub const ALL: [Self; 4] = [Self::AllGather, Self::ReduceScatter, Self::AllReduce, Self::AllToAll];

    /// Time of this collective ÷ time of an AllGather, both on the same ring.
    const fn on_ring(self) -> f64 {
        match self {
            Self::AllGather | Self::ReduceScatter => 1.0,
            Self::AllReduce => 2.0,
            Self::AllToAll => 0.25,
        }
    }

    /// Number of passes around the ring: an AllReduce needs two.
    const fn passes(self) -> f64 {
        match self {
            Self::AllGather | Self::ReduceScatter | Self::AllToAll => 1.0,
            Self::AllReduce => 2.0,
        }
    }
}

/// Constants of measured collectives. Each message takes a fixed time, and the bytes move at a share of the published
/// rate.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// Time of a collective of a few bytes, in seconds.
    pub message_sec: f64,
    /// Share of the published rate that large arrays reach.
    pub share: f64,
    /// Source of the measurements.
    pub source: &'static Source,
}

impl Measured {
    /// Time of `messages` collectives that together need `bound` seconds at the published rate.
    pub(crate) fn time(&self, bound: f64, messages: f64) -> f64 {
        if bound > 0.0 { messages * self.message_sec + bound / self.share } else { 0.0 }
    }
}

/// Constants of collectives on a torus of TPUs. The fixed time of a message is 0 here, because [`Torus::time`] computes
/// this time from the hops.
pub static ON_TORUS: Measured = Measured {
    message_sec: 0.0,
    share: 0.95,
    source: &Source {
        key: "scaling-book-all-gather",
        text: "Austin et al., How to Scale Your Model, 2025, sharding.md: an AllGather on 8 × 16 TPU v5e reaches 95 % of \
               the link rate from about 10 MB",
    },
};

/// Constants of collectives inside a node of GPUs.
pub static IN_NODE: Measured = Measured {
    message_sec: 23e-6,
    share: 0.80,
    source: &Source {
        key: "collectives-in-a-node",
        text: "stas00/ml-engineering, network/README.md at 744d01e1: AllGather and ReduceScatter of 16 GiB at 80 and 81 % of \
               the NVLink rate on 8 H200, AllReduce at 78 % on 8 A100; marin-community/marin issue 6736 (2026-06-28): 20 to \
               25 µs for 4 bytes to 1 MiB on 8 H100",
    },
};

/// Constants of collectives between nodes of GPUs. The share is the median of five clusters with two to 32 nodes.
pub static BETWEEN_NODES: Measured = Measured {
    message_sec: 65e-6,
    share: 0.73,
    source: &Source {
        key: "collectives-between-nodes",
        text: "AllReduce between nodes, as shares of the adapters' rate in the formula of this project: 46 % and 67 % on 2 and 3 \
               nodes of A100 with 4 HDR adapters (NVIDIA/nccl issue 1048, nccl-tests issue 119), 73 % on 4 nodes of B200 with \
               EFA (stas00/ml-engineering at 744d01e1), 83 % on 32 nodes of H100 (NVIDIA/nccl issue 1218), 90 % on 2 nodes of \
               H100 with A3 Mega (lessizzmore/create-a3mega-ztan-fork at 02dd8f45). 62 to 71 µs for a few bytes on 32 nodes \
               of A100 (NVIDIA/nccl issue 652)",
    },
};

/// The time of one hop from chip to chip, about 1 µs on a TPU (scaling-book, tpus.md).
pub const HOP: Seconds = Seconds(1e-6);

/// Group of chips that links connect along one or more axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Torus {
    /// `W`: bandwidth of one link in bytes per second, both directions added.
    pub link_bytes_per_sec: f64,
    /// Number of axes that the collective uses at once; each axis adds the bandwidth of its links.
    pub axes: u32,
    /// `X`: chips along each axis.
    pub chips_per_axis: u32,
    /// True if the axes close into rings. Without rings, an array moves in only one direction and takes twice as long.
    pub wraps: bool,
    /// Time of one hop.
    pub hop: Seconds,
}

/// Bandwidth time and latency time of a collective.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollectiveTime {
    /// Time that the bytes need on the links.
    pub bandwidth: Seconds,
    /// Lower bound of the time that the hops need, even for the smallest array.
    pub latency: Seconds,
}

impl CollectiveTime {
    /// Time of the collective: `max(bandwidth, latency)`.
    pub fn total(self) -> Seconds {
        Seconds(self.bandwidth.0.max(self.latency.0))
    }
}

impl Torus {
    /// Builds a torus of chips of this type. The axes close into rings if the chip's documents state rings for axes of
    /// this length.
    ///
    /// An axis without such a statement counts as open. If the axis does close, the computed time is at most twice the
    /// real time. `None` if the link rate is not published, or if the torus does not have this many axes.
    pub fn of(chip: &Chip, axes: u32, chips_per_axis: u32) -> Option<Self> {
        let links = Links::of(chip)?;
        let link_bytes_per_sec = links.ring_bytes_per_sec()?;
        let wraps = links.axis_wraps(chips_per_axis).unwrap_or(false);
        let possible = (1..=u32::from(links.torus_axes()?)).contains(&axes);
        possible.then_some(Self { link_bytes_per_sec, axes, chips_per_axis, wraps, hop: HOP })
    }

    /// Bandwidth of a collective in bytes per second: `W` times the number of axes, and half as much without rings.
    pub fn bytes_per_sec(&self) -> f64 {
        let ways = if self.wraps { 1.0 } else { 0.5 };
        self.link_bytes_per_sec * f64::from(self.axes) * ways
    }

    /// Time of `messages` collectives by the measured constants, for arrays with `bytes` in total.
    pub fn measured(&self, collective: Collective, bytes: f64, messages: f64) -> Seconds {
        let CollectiveTime { bandwidth, latency } = self.time(collective, bytes);
        Seconds(ON_TORUS.time(bandwidth.0, messages) + messages * latency.0)
    }

    /// Time of a collective over an array with this many bytes in total, not per chip.
    ///
    /// For `V` bytes and `k` axes, AllGather and ReduceScatter take `V ÷ (k · W)`, and AllReduce takes twice this time.
    /// In an AllToAll, a quarter of the bytes crosses the middle of an axis in each direction. The links of all `X^(k −
    /// 1)` lines along this axis carry these bytes: `V ÷ (4 · W · X^(k − 1))`. The latency of the hops is a lower
    /// bound: `k · X ÷ 2` hops of 1 µs, or `k · (X − 1)` hops without rings. With one chip, the time is zero.
    pub fn time(&self, collective: Collective, bytes: f64) -> CollectiveTime {
        if self.chips_per_axis <= 1 || self.axes == 0 {
            return CollectiveTime { bandwidth: Seconds(0.0), latency: Seconds(0.0) };
        }
        let length = f64::from(self.chips_per_axis);
        let axes = f64::from(self.axes);
        let hops = axes * if self.wraps { length / 2.0 } else { length - 1.0 };
        // An AllToAll uses each axis for its own part of the way, so the axes do not share the bytes.
        let of_axes = if collective == Collective::AllToAll { axes / length.powf(axes - 1.0) } else { 1.0 };
        CollectiveTime {
            bandwidth: Seconds(collective.on_ring() * of_axes * bytes / self.bytes_per_sec()),
            latency: Seconds(collective.passes() * hops * self.hop.0),
        }
    }
}

/// GPUs joined by switches. Inside a node, switches connect every GPU to every other GPU. Between nodes, data passes
/// through the network adapters of the nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nodes {
    /// Bandwidth of a GPU's links inside the node in one direction, in bytes per second.
    pub gpu_bytes_per_sec: f64,
    /// Bandwidth of all adapters of a node in one direction, in bytes per second.
    pub node_bytes_per_sec: f64,
    /// `N`: GPUs in a node.
    pub gpus_per_node: u32,
    /// `M`: number of nodes.
    pub nodes: u32,
}

impl Nodes {
    /// Number of GPUs per node in the NVIDIA and AWS systems of the link table. These systems are DGX and HGX with
    /// A100, H100, H200 or B200. A node is 8 GPUs behind NVSwitches (Austin et al., How to Scale Your Model, 2025).
    pub const GPUS: u32 = 8;

    /// Builds nodes with GPUs of this type; `None` if the link rate inside a node or between nodes is not published.
    pub fn of(chip: &Chip, gpus_per_node: u32, nodes: u32) -> Option<Self> {
        let links = Links::of(chip)?;
        Some(Self {
            gpu_bytes_per_sec: links.bytes_per_sec(LinkRate::NvlinkOneWay)?,
            node_bytes_per_sec: links.bytes_per_sec(LinkRate::NodeOut)?,
            gpus_per_node,
            nodes,
        })
    }

    /// Time of a collective inside a node, for an array of `V` bytes and links of `W` bytes per second:
    /// - AllGather and ReduceScatter: `V · (N − 1) ÷ (N · W)`.
    /// - AllReduce: twice the time of AllGather, without reductions in the switches.
    /// - AllToAll: `V · (N − 1) ÷ (N² · W)`.
    pub fn inside(&self, collective: Collective, bytes: f64) -> Seconds {
        Seconds(level(collective, bytes, self.gpus_per_node, self.gpu_bytes_per_sec))
    }

    /// Time of a collective between nodes, by the formulas of [`Self::inside`] with `M` nodes instead of `N` GPUs. The
    /// scaling book rounds `(M − 1) ÷ M` up to 1.
    pub fn between(&self, collective: Collective, bytes: f64) -> Seconds {
        Seconds(level(collective, bytes, self.nodes, self.node_bytes_per_sec))
    }

    /// Time of `messages` collectives by the measured constants, for arrays with `bytes` in total. Data moves inside
    /// nodes and between nodes at the same time.
    pub fn measured(&self, collective: Collective, bytes: f64, messages: f64) -> Seconds {
        let inside = IN_NODE.time(self.inside(collective, self.bytes_inside(collective, bytes)).0, messages);
        Seconds(inside.max(BETWEEN_NODES.time(self.between(collective, bytes).0, messages)))
    }

    /// Time of a collective: the longer of the time inside nodes and the time between nodes, because both levels run at
    /// the same time.
    pub fn time(&self, collective: Collective, bytes: f64) -> Seconds {
        let inside = self.inside(collective, self.bytes_inside(collective, bytes));
        Seconds(inside.0.max(self.between(collective, bytes).0))
    }

    /// Bytes of an array that move inside each node. In an AllToAll, each node has its part of the array.
    fn bytes_inside(&self, collective: Collective, bytes: f64) -> f64 {
        if collective == Collective::AllToAll { bytes / f64::from(self.nodes.max(1)) } else { bytes }
    }
}

fn level(collective: Collective, bytes: f64, members: u32, bytes_per_sec: f64) -> f64 {
    if members <= 1 {
        return 0.0;
    }
    let members = f64::from(members);
    let gather = bytes * (members - 1.0) / (members * bytes_per_sec);
    match collective {
        Collective::AllGather | Collective::ReduceScatter => gather,
        Collective::AllReduce => 2.0 * gather,
        Collective::AllToAll => gather / members,
    }
}
