//! Example runs. Each example is a link; its texts are in the crate `words`.

use crate::{Link, Scenario};

systolic::named! {
    /// An example run. The crate `words` has its texts.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    exact pub enum Preset {
        /// First screen.
        First => "first",
        /// GEMM whose last folds fill neither the rows nor the columns of the array.
        Ragged => "ragged",
        /// Output-stationary run.
        OutputStationary => "os",
        /// The multiplications as a cube, drawn once for each dataflow.
        Cube => "cube",
        /// Run in bf16, whose sums are rounded.
        Rounding => "bf16",
        /// GEMM that is one larger than the array on each side.
        OnePast => "one-past",
        /// Layer of BERT for 128 tokens.
        Bert128 => "bert-128",
        /// Layer of BERT for 512 tokens.
        Bert512 => "bert-512",
        /// Layer of a language model for one token.
        Decode => "decode",
        /// Array of 256×256.
        Large => "large",
        /// Run that stalls, because B comes from memory.
        Memory => "memory",
        /// Array of one PE.
        One => "one",
    }
}

/// Topic of an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// First steps: how the array works.
    FirstSteps,
    /// Waste: where the array's cycles go.
    Waste,
    /// Real layers: GEMMs of models that people run.
    RealLayers,
}

impl Group {
    /// All topics.
    pub const ALL: [Self; 3] = [Self::FirstSteps, Self::Waste, Self::RealLayers];
}

impl Preset {
    /// Query of the example's link.
    #[must_use]
    pub const fn query(self) -> &'static str {
        match self {
            Self::First => "",
            Self::Ragged => "rows=8&cols=8&m=10&k=13&n=11&df=ws&dt=int8&seed=7&chip=tpu-v5e&t=40",
            Self::OutputStationary => "rows=4&cols=4&m=4&k=6&n=4&df=os&dt=int8&seed=7&chip=tpu-v4&t=5",
            Self::Cube => "rows=4&cols=4&m=4&k=4&n=3&df=ws&dt=int8&seed=7&chip=tpu-v4&t=7&tool=pictures&picture=cubes",
            Self::Rounding => "rows=4&cols=4&m=6&k=4&n=4&df=ws&dt=bf16&fill=uniform&seed=7&chip=tpu-v4&t=8",
            Self::OnePast => "rows=128&cols=128&m=129&k=129&n=129&df=ws&dt=bf16&chip=tpu-v4&t=300",
            Self::Bert128 => "rows=128&cols=128&m=128&k=1024&n=1024&df=ws&dt=bf16&chip=tpu-v4&t=20150",
            Self::Bert512 => "rows=128&cols=128&m=512&k=1024&n=1024&df=ws&dt=bf16&chip=tpu-v4&t=20000",
            Self::Decode => "rows=128&cols=128&m=1&k=4096&n=4096&df=ws&dt=bf16&chip=tpu-v5e&t=200",
            Self::Large => "rows=256&cols=256&m=512&k=256&n=200&df=ws&dt=bf16&chip=tpu-v6e&t=700",
            Self::Memory => {
                "rows=256&cols=256&m=200&k=600&n=600&df=ws&dt=int8&overlap=double-buffered&feed=memory&chip=tpu-v1&t=1800"
            }
            Self::One => "rows=1&cols=1&m=2&k=3&n=2&df=os&dt=int8&seed=7&chip=tpu-v4&t=2",
        }
    }

    /// Returns the example with exactly these settings, if there is one.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.link().scenario == *scenario)
    }

    /// Returns the topic of the example.
    #[must_use]
    pub const fn group(self) -> Group {
        match self {
            Self::First | Self::OutputStationary | Self::Cube | Self::Rounding | Self::One => Group::FirstSteps,
            Self::Ragged | Self::OnePast | Self::Large | Self::Memory => Group::Waste,
            Self::Bert128 | Self::Bert512 | Self::Decode => Group::RealLayers,
        }
    }

    /// Returns the parsed link of the example.
    #[must_use]
    pub fn link(self) -> Link {
        Link::parse(self.query(), "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Session;

    #[test]
    fn every_preset_opens_without_a_notice() {
        for preset in Preset::ALL {
            let (session, playhead) = Session::open(&preset.link());
            assert!(session.notices.is_empty(), "{}", preset.id());
            assert!(playhead.cycle <= session.plan.last(), "{}", preset.id());
        }
    }
}
