//! Example runs. Each example is a link; its texts are in the crate `words`.

use crate::{Link, Scenario};

/// An example run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// Id of the example, under which the crate `words` has its texts.
    pub id: &'static str,
    /// Query of the example's link.
    pub query: &'static str,
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
    /// All examples, in the order of the list.
    pub const ALL: [Self; 11] = [
        Self { id: "first", query: "" },
        Self { id: "ragged", query: "rows=8&cols=8&m=10&k=13&n=11&df=ws&dt=int8&seed=7&chip=tpu-v5e&t=40" },
        Self { id: "os", query: "rows=4&cols=4&m=4&k=6&n=4&df=os&dt=int8&seed=7&chip=tpu-v4&t=5" },
        Self { id: "bf16", query: "rows=4&cols=4&m=6&k=4&n=4&df=ws&dt=bf16&fill=uniform&seed=7&chip=tpu-v4&t=8" },
        Self { id: "one-past", query: "rows=128&cols=128&m=129&k=129&n=129&df=ws&dt=bf16&chip=tpu-v4&t=300" },
        Self { id: "bert-128", query: "rows=128&cols=128&m=128&k=1024&n=1024&df=ws&dt=bf16&chip=tpu-v4&t=20150" },
        Self { id: "bert-512", query: "rows=128&cols=128&m=512&k=1024&n=1024&df=ws&dt=bf16&chip=tpu-v4&t=20000" },
        Self { id: "decode", query: "rows=128&cols=128&m=1&k=4096&n=4096&df=ws&dt=bf16&chip=tpu-v5e&t=200" },
        Self { id: "large", query: "rows=256&cols=256&m=512&k=256&n=200&df=ws&dt=bf16&chip=tpu-v6e&t=700" },
        Self {
            id: "memory",
            query: "rows=256&cols=256&m=200&k=600&n=600&df=ws&dt=int8&overlap=double-buffered&feed=memory&chip=tpu-v1&t=1800",
        },
        Self { id: "one", query: "rows=1&cols=1&m=2&k=3&n=2&df=os&dt=int8&seed=7&chip=tpu-v4&t=2" },
    ];

    /// Returns the example with exactly these settings, if there is one.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.link().scenario == *scenario)
    }

    /// Returns the topic of the example.
    #[must_use]
    pub fn group(&self) -> Group {
        match self.id {
            "ragged" | "one-past" | "large" | "memory" => Group::Waste,
            "bert-128" | "bert-512" | "decode" => Group::RealLayers,
            _ => Group::FirstSteps,
        }
    }

    /// Returns the parsed link of the example.
    #[must_use]
    pub fn link(&self) -> Link {
        Link::parse(self.query, "")
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
            assert!(session.notices.is_empty(), "{}", preset.id);
            assert!(playhead.cycle <= session.plan.last(), "{}", preset.id);
        }
    }
}
