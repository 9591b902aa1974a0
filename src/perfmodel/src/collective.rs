//! How long chips take to exchange an array: collectives on a torus of links and on nodes of GPUs.
//!
//! Bandwidth costs are the scaling book's (Austin et al., How to Scale Your Model, 2025: sharding.md, gpus.md). They are
//! lower bounds: measured rates fall short of them, small arrays most of all.

use crate::{Chip, LinkRate, Links, Seconds};

/// A collective operation over an array of which each chip holds, or ends with, a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collective {
    /// Every chip ends with the whole array.
    AllGather,
    /// Arrays are added, and every chip ends with a shard of the sum.
    ReduceScatter,
    /// Arrays are added, and every chip ends with the whole sum: a ReduceScatter, then an AllGather.
    AllReduce,
    /// Every chip sends a part of its shard to each other chip: the sharding moves to another axis of the array.
    AllToAll,
}

impl Collective {
    /// All of them, in the order a picker lists them.
    pub const ALL: [Self; 4] = [Self::AllGather, Self::ReduceScatter, Self::AllReduce, Self::AllToAll];

    /// Time on a ring or torus ÷ time of an AllGather there.
    const fn on_ring(self) -> f64 {
        match self {
            Self::AllGather | Self::ReduceScatter => 1.0,
            Self::AllReduce => 2.0,
            Self::AllToAll => 0.25,
        }
    }

    /// Passes over the ring: an AllReduce goes round twice.
    const fn passes(self) -> f64 {
        match self {
            Self::AllGather | Self::ReduceScatter | Self::AllToAll => 1.0,
            Self::AllReduce => 2.0,
        }
    }
}

/// The time of one hop from chip to chip, about 1 µs on a TPU (scaling-book, tpus.md).
pub const HOP: Seconds = Seconds(1e-6);

/// Chips joined by links along one or more axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Torus {
    /// `W`: both directions of one link in bytes per second.
    pub link_bytes_per_sec: f64,
    /// Axes the collective runs over at once; each adds its links.
    pub axes: u32,
    /// `X`: chips along each axis.
    pub chips_per_axis: u32,
    /// Whether the axes close into rings. Without, an array crosses in one direction only and takes twice as long.
    pub wraps: bool,
    /// Time of one hop.
    pub hop: Seconds,
}

/// The two ends of a collective's time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollectiveTime {
    /// Time that the bytes need on the links.
    pub bandwidth: Seconds,
    /// Time that the hops need, however small the array: the floor.
    pub latency: Seconds,
}

impl CollectiveTime {
    /// `max(bandwidth, latency)`.
    pub fn total(self) -> Seconds {
        Seconds(self.bandwidth.0.max(self.latency.0))
    }
}

impl Torus {
    /// A chip's torus over this many axes, closed into rings where its documents say that axes of this length are.
    ///
    /// Where nobody says whether an axis closes, it is taken not to: the time is then at most twice what it is. `None` where the
    /// link rate is not published, and for more axes than the torus has.
    pub fn of(chip: &Chip, axes: u32, chips_per_axis: u32) -> Option<Self> {
        let links = Links::of(chip)?;
        let link_bytes_per_sec = links.ring_bytes_per_sec()?;
        let wraps = links.axis_wraps(chips_per_axis).unwrap_or(false);
        let possible = (1..=u32::from(links.torus_axes()?)).contains(&axes);
        possible.then_some(Self { link_bytes_per_sec, axes, chips_per_axis, wraps, hop: HOP })
    }

    /// `W` times the axes, halved without rings: what a collective's bytes are divided by.
    pub fn bytes_per_sec(&self) -> f64 {
        let ways = if self.wraps { 1.0 } else { 0.5 };
        self.link_bytes_per_sec * f64::from(self.axes) * ways
    }

    /// The time for an array of this many bytes, whole (not per chip).
    ///
    /// AllGather and ReduceScatter `V ÷ (k · W)`, AllReduce twice, AllToAll a quarter of that; whatever the number of
    /// chips. Never below the hops: `k · X ÷ 2`, or `k · (X − 1)` without rings, each 1 µs. One chip exchanges nothing.
    pub fn time(&self, collective: Collective, bytes: f64) -> CollectiveTime {
        if self.chips_per_axis <= 1 || self.axes == 0 {
            return CollectiveTime { bandwidth: Seconds(0.0), latency: Seconds(0.0) };
        }
        let length = f64::from(self.chips_per_axis);
        let hops = f64::from(self.axes) * if self.wraps { length / 2.0 } else { length - 1.0 };
        CollectiveTime {
            bandwidth: Seconds(collective.on_ring() * bytes / self.bytes_per_sec()),
            latency: Seconds(collective.passes() * hops * self.hop.0),
        }
    }
}

/// GPUs joined by switches: all to all inside a node, through the node's network adapters beyond it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nodes {
    /// One direction of a GPU's links inside the node, in bytes per second.
    pub gpu_bytes_per_sec: f64,
    /// One direction of all adapters of a node, in bytes per second.
    pub node_bytes_per_sec: f64,
    /// `N`: GPUs in a node.
    pub gpus_per_node: u32,
    /// `M`: nodes.
    pub nodes: u32,
}

impl Nodes {
    /// GPUs of a node in NVIDIA's and AWS' systems whose links are in the table: DGX and HGX A100, H100, H200, B200 (Austin
    /// et al., How to Scale Your Model, 2025: a node is 8 GPUs behind NVSwitches).
    pub const GPUS: u32 = 8;

    /// A GPU's nodes; `None` where one of the two rates is not published.
    pub fn of(chip: &Chip, gpus_per_node: u32, nodes: u32) -> Option<Self> {
        let links = Links::of(chip)?;
        Some(Self {
            gpu_bytes_per_sec: links.bytes_per_sec(LinkRate::NvlinkOneWay)?,
            node_bytes_per_sec: links.bytes_per_sec(LinkRate::NodeOut)?,
            gpus_per_node,
            nodes,
        })
    }

    /// Time inside a node: AllGather and ReduceScatter `V · (N − 1) ÷ (N · W)`, AllReduce twice that without
    /// reductions in the switches, AllToAll `V · (N − 1) ÷ (N² · W)`.
    pub fn inside(&self, collective: Collective, bytes: f64) -> Seconds {
        Seconds(level(collective, bytes, self.gpus_per_node, self.gpu_bytes_per_sec))
    }

    /// Time between nodes: the same with nodes for GPUs. The book rounds `(M − 1) ÷ M` up to 1.
    pub fn between(&self, collective: Collective, bytes: f64) -> Seconds {
        Seconds(level(collective, bytes, self.nodes, self.node_bytes_per_sec))
    }

    /// The slower of the two levels, which run at the same time.
    pub fn time(&self, collective: Collective, bytes: f64) -> Seconds {
        Seconds(self.inside(collective, bytes).0.max(self.between(collective, bytes).0))
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
