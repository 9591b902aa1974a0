//! Published step times of training on 1, 2 and 32 pods. Bandwidth does not explain the growth of these times.

use crate::definition::scale::MAXTEXT_V5E;
use crate::{Chip, Confidence, Seconds, Sourced};

/// Straight line through the published step times of one model on several pods. The extra time of a step compared with
/// one pod is `a + d · pods`.
///
/// The line is empirical, and its cause is unknown. The line is valid only for the published models and from 2 to 32
/// pods, so the type has no constructor.
#[derive(Debug)]
pub struct PodScaling {
    /// The chip's id in the chip table.
    pub chip: &'static str,
    /// The model's label in the source: `128B`.
    pub model: &'static str,
    /// Number of parameters, from the model's label.
    pub parameters: f64,
    /// Tokens per chip and step.
    pub tokens_per_chip: f64,
    /// Published MFU in percent on 1, 2 and 32 pods of 256 TPU v5e, counted with full attention.
    pub mfu_percent: Sourced<[f64; 3]>,
}

/// Numbers of pods with a published MFU, in the order of [`PodScaling::mfu_percent`].
pub const PODS: [u32; 3] = [1, 2, 32];

/// Peak of a TPU v5e in FLOP/s, from which the published MFU was computed.
const PEAK: f64 = 197e12;

impl PodScaling {
    /// The published models.
    pub fn all() -> &'static [Self] {
        &ROWS
    }

    /// The models that were published for this chip.
    pub fn on(chip: &Chip) -> impl Iterator<Item = &'static Self> {
        ROWS.iter().filter(|row| row.chip == chip.id)
    }

    /// Step times for each number of pods in [`PODS`]: `6 · N · tokens per chip ÷ (peak · MFU)`. Attention is left out
    /// because the model's label does not state the size of attention. Step times and their differences are therefore
    /// too small by the same few percent.
    pub fn step_times(&self) -> [Seconds; 3] {
        let ideal = 6.0 * self.parameters * self.tokens_per_chip / PEAK;
        self.mfu_percent.value.unwrap_or([f64::NAN; 3]).map(|percent| Seconds(ideal / (percent / 100.0)))
    }

    /// `d`: seconds that each additional pod adds to a step, from the line through the points at 2 and 32 pods.
    pub fn seconds_per_pod(&self) -> Seconds {
        let [_, two, many] = self.step_times();
        Seconds((many.0 - two.0) / 30.0)
    }

    /// Extra time of a step compared with one pod, from the line `a + d · pods`. `None` for fewer than 2 or more than
    /// 32 pods.
    pub fn extra(&self, pods: u32) -> Option<Seconds> {
        let [one, two, _] = self.step_times();
        let further = f64::from(pods) - 2.0;
        (2..=32).contains(&pods).then(|| Seconds(two.0 - one.0 + further * self.seconds_per_pod().0))
    }

    /// Extra time of a step that network bandwidth explains: `2 · 2N · (pods − 1) ÷ pods ÷ W`. `W` is the bandwidth of
    /// one pod in bytes per second. In this time, the pods sum the bf16 gradients of all parameters. `None` unless `W`
    /// is above 0.
    ///
    /// The predicted time levels off, but the measured times do not. The text next to the page's plot of published runs
    /// relies on this difference.
    pub fn extra_by_bandwidth(&self, pods: u32, pod_bytes_per_sec: f64) -> Option<Seconds> {
        let share = 1.0 - 1.0 / f64::from(pods.max(1));
        (pod_bytes_per_sec > 0.0).then(|| Seconds(2.0 * 2.0 * self.parameters * share / pod_bytes_per_sec))
    }
}

/// Network bandwidth out of one pod of 256 TPU v5e in bytes per second: 6.4 Tbit/s.
pub const V5E_POD_BYTES_PER_SEC: f64 = 0.8e12;

const fn row(model: &'static str, parameters: f64, tokens_per_chip: f64, mfu: [f64; 3]) -> PodScaling {
    let mfu_percent = Sourced::new(Some(mfu), &MAXTEXT_V5E, Confidence::High, None);
    PodScaling { chip: "tpu-v5e", model, parameters, tokens_per_chip, mfu_percent }
}

static ROWS: [PodScaling; 4] = [
    row("16B", 16e9, 6.0 * 2048.0, [61.10, 59.37, 54.65]),
    row("32B", 32e9, 4.0 * 2048.0, [66.86, 64.81, 60.40]),
    row("64B", 64e9, 2.0 * 2048.0, [59.90, 56.66, 50.18]),
    row("128B", 128e9, 2048.0, [56.06, 55.82, 46.25]),
];
