//! The time of a step of prefill or decode, as its parts.

use perfmodel::Seconds;
use workload::Kind;

use super::Estimate;
use super::timed::Timed;

/// A part of the time of a step of prefill or decode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepPart {
    /// Reading the weights from memory, while a chip multiplies.
    Weights,
    /// Reading keys and values from memory, while a chip multiplies.
    Cache,
    /// Time of the matmuls beyond the time in which the chip reads memory.
    Matmuls,
    /// Communication between chips that is not hidden behind the matmuls.
    Exchange,
    /// Everything else, from measured steps: attention kernels, sampling, launches and the host.
    Rest,
}

impl StepPart {
    /// Name of the part in files.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Weights => "weights_from_memory",
            Self::Cache => "cache_from_memory",
            Self::Matmuls => "matmuls",
            Self::Exchange => "communication",
            Self::Rest => "rest",
        }
    }
}

/// Time of a part of a step, or of the whole step, and the memory traffic of a chip in this time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartTime {
    /// Time.
    pub time: Seconds,
    /// Bytes of weights, keys and values that a chip reads from memory in this time.
    pub bytes: f64,
    /// Bytes ÷ (time × memory bandwidth); `None` if nothing is read, or if the bandwidth is unknown.
    pub bandwidth_share: Option<f64>,
}

/// The time of a step of prefill or decode, as its parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepParts {
    /// The parts. Their times add up to the time of the step, and their bytes to the bytes of the step.
    pub parts: [(StepPart, PartTime); 5],
    /// The whole step.
    pub step: PartTime,
    /// Time of the matmuls if they never waited for memory.
    pub(crate) multiplied: Seconds,
}

impl Timed<'_> {
    /// Bytes of weights, keys or values that one run of the matmul reads from memory.
    fn bytes_read(&self) -> f64 {
        self.sizes.k as f64 * self.sizes.n as f64 * self.time.as_run.stored.bytes()
    }
}

impl Estimate {
    /// Returns the parts of the time of a step of prefill or decode. `None` in training, and for models without
    /// sequences of tokens.
    #[must_use]
    pub fn step_parts(&self) -> Option<StepParts> {
        let serving = self.serving?;
        let rate = self.question.chip.memory.bytes_per_sec();
        let (mut times, mut bytes, mut multiplied) = ([0.0; 2], [0.0; 2], 0.0);
        for one in self.timed().filter(|one| one.product.kind != Kind::Activations) {
            let nth = usize::from(matches!(one.product.kind, Kind::Scores | Kind::Values));
            let (read, parts) = (one.bytes_read(), one.time.parts);
            // In some fitted times, the time for memory is too short. The time at full bandwidth is its minimum.
            let least = rate.map_or(0.0, |rate| read / rate);
            let memory = parts.memory.0.max(least).min(one.seconds);
            times[nth] += memory * one.count;
            bytes[nth] += read * one.count;
            // Memory time is a loss only beyond the time that the work takes at the peak.
            let at_peak = one.sizes.flops() / one.time.peak.0;
            multiplied += (one.seconds - memory + at_peak.min(memory)) * one.count;
        }
        let matmuls = self.products.total.0;
        let busy = self.step.0 / serving.slower / (1.0 + self.groups.bubble());
        let part = |seconds: f64, bytes: f64| {
            let share = rate.map(|rate| bytes / rate / seconds).filter(|_| bytes > 0.0);
            PartTime { time: Seconds(seconds.max(0.0)), bytes, bandwidth_share: share }
        };
        let parts = [
            (StepPart::Weights, part(times[0], bytes[0])),
            (StepPart::Cache, part(times[1], bytes[1])),
            (StepPart::Matmuls, part(matmuls - times[0] - times[1], 0.0)),
            (StepPart::Exchange, part(busy - matmuls, 0.0)),
            (StepPart::Rest, part(self.step.0 - busy, 0.0)),
        ];
        Some(StepParts { parts, step: part(self.step.0, bytes[0] + bytes[1]), multiplied: Seconds(multiplied) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ModelQuery, Part};
    use perfmodel::Chip;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn of(text: &str) -> Estimate {
        Estimate::new(&ModelQuery::parse(text).question).expect("an answer")
    }

    fn bytes(estimate: &Estimate) -> [f64; 2] {
        let parts = estimate.step_parts().expect("a step of serving").parts;
        assert_eq!([parts[0].0, parts[1].0], [StepPart::Weights, StepPart::Cache]);
        [parts[0].1.bytes, parts[1].1.bytes]
    }

    #[test]
    fn a_step_of_decode_reads_each_weight_once_and_the_cache_of_all_users() {
        // LLaMA 3 70B has 80 layers of width 8192, 8 heads of keys and values of width 128, and an inner width of
        // 28,672. Its output head has 128,256 tokens.
        let layer = 8192.0 * (8192.0 + 2.0 * 1024.0 + 8192.0) + 3.0 * 8192.0 * 28_672.0;
        let weights = 80.0 * layer + 8192.0 * 128_256.0;
        for (chips, batch, element) in [(8, 1, 2.0), (8, 4, 2.0), (2, 16, 1.0)] {
            let dtype = if element > 1.0 { "bf16" } else { "int8" };
            let text = format!("chips={chips}&batch={batch}&dtype={dtype}");
            let estimate = of(&format!("model=llama3-70b&chip=h100-sxm&pass=decode&split=tensor&seq=4095&{text}"));
            // The new token also attends to itself.
            let cache = f64::from(batch * chips) * 4096.0 * 80.0 * 2.0 * 1024.0;
            let expected = [weights, cache].map(|elements| elements * element / f64::from(chips));
            for (found, expected) in bytes(&estimate).into_iter().zip(expected) {
                assert!((found / expected - 1.0).abs() < 1e-9, "{text}: {found} {expected}");
            }
        }
    }

    #[test]
    fn a_step_reads_only_the_experts_that_a_token_visits() {
        // In Mixtral 8x7B, one token visits 2 of the 8 experts. It uses 12.88 G of the 46.70 G weights. A step reads
        // them without the 131 M of the embedding.
        let config = br#"{"model_type":"mixtral","hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,
            "num_key_value_heads":8,"intermediate_size":14336,"vocab_size":32000,"num_local_experts":8,
            "num_experts_per_tok":2}"#;
        let query = ModelQuery::parse("chip=h100-sxm&chips=1&pass=decode&batch=1&dtype=int8");
        let estimate = query.answer(Some(&crate::imported(config))).expect("an answer").estimate;
        let [weights, _] = bytes(&estimate);
        assert!((weights / (12.88e9 - 0.131e9) - 1.0).abs() < 0.002, "{weights}");
    }

    #[test]
    fn the_parts_add_up_to_the_step_and_no_byte_is_faster_than_the_memory() {
        for chip in Chip::all() {
            for pass in ["decode", "prefill"] {
                for rest in ["chips=1", "chips=8&batch=64&split=tensor", "chips=16&groups=tensor=4,pipeline=4"] {
                    let text = format!("model=llama2-7b&chip={}&pass={pass}&{rest}", chip.id);
                    let Ok(estimate) = Estimate::new(&ModelQuery::parse(&text).question) else { continue };
                    let StepParts { parts, step, .. } = estimate.step_parts().expect("a step of serving");
                    let sum: f64 = parts.iter().map(|(_, part)| part.time.0).sum();
                    assert!((sum / estimate.step.0 - 1.0).abs() < 1e-9, "{text}: {sum}");
                    let shares = parts.iter().map(|(_, part)| part.bandwidth_share).chain([step.bandwidth_share]);
                    assert!(shares.flatten().all(|share| share > 0.0 && share <= 1.0 + 1e-9), "{text}: {parts:?}");
                    let factors: f64 = estimate.factors().iter().map(|one| one.factor).product();
                    let mfu = estimate.mfu.expect("possible").ratio;
                    assert!((factors / mfu - 1.0).abs() < 1e-9, "{text}: {factors} {mfu}");
                }
            }
        }
    }

    #[test]
    fn the_largest_loss_of_decode_has_the_smallest_factor_and_the_longest_time() {
        let mut named: Vec<Part> = Vec::new();
        for chip in ["h100-sxm", "tpu-v5e", "tpu-v6e", "mi300x", "a100-80", "l40s"] {
            for model in ["llama3-8b", "llama3-70b"] {
                for (chips, batch, seq) in
                    [(1, 1, 2048), (1, 64, 8192), (1, 512, 64), (8, 4, 2048), (16, 4, 2048), (64, 1, 4096)]
                {
                    let text =
                        format!("model={model}&chip={chip}&pass=decode&split=tensor&chips={chips}&batch={batch}");
                    let estimate = of(&format!("{text}&seq={seq}"));
                    let [weights, cache, matmuls, exchange, rest] =
                        estimate.step_parts().expect("decode").parts.map(|(_, part)| part.time.0);
                    let largest = estimate.largest_loss().expect("possible");
                    // The time of matmuls at the peak is not a loss. These matmuls run while a chip reads, or after it
                    // has read.
                    let at_peak = estimate.mfu.expect("possible").ratio * estimate.step.0;
                    let times =
                        [(Part::Memory, weights + cache), (Part::Exchange, exchange), (Part::Products, matmuls)];
                    if let Some((_, longest)) = times.iter().find(|(part, _)| *part == largest) {
                        assert!(times.iter().all(|(_, time)| time - at_peak <= *longest), "{text} {seq}: {times:?}");
                    } else {
                        // The overhead has the smallest factor, so the product of the three other factors is above the
                        // cube of this factor.
                        assert_eq!(largest, Part::Rest, "{text} {seq}");
                        assert!(at_peak / (estimate.step.0 - rest) > (1.0 - rest / estimate.step.0).powi(3), "{text}");
                    }
                    named.push(largest);
                }
            }
        }
        // Each cause is the largest loss in at least one question.
        for part in [Part::Memory, Part::Exchange, Part::Rest] {
            assert!(named.contains(&part), "{part:?}");
        }
        // 16 H100 are two nodes, with little memory traffic and much communication.
        let two = of("model=llama3-70b&chip=h100-sxm&pass=decode&split=tensor&chips=16&batch=4");
        assert_eq!(two.largest_loss(), Some(Part::Exchange));
        // At a usual rate, few users share the reading of 141 GB of weights.
        for chip in ["h100-sxm", "tpu-v5e"] {
            let query = ModelQuery::parse(&format!("model=llama3-70b&chip={chip}&pass=decode&rate=30"));
            let found = query.answer(None).expect("an answer").estimate;
            assert_eq!(found.largest_loss(), Some(Part::Memory), "{chip}");
        }
    }

    #[test]
    fn memory_bandwidth_is_the_largest_loss_of_decode_until_the_batch_is_large() {
        let largest = |batch: u64| {
            of(&format!("model=llama3-8b&chip=h100-sxm&pass=decode&seq=64&chips=1&batch={batch}")).largest_loss()
        };
        assert_eq!(largest(4), Some(Part::Memory));
        assert_ne!(largest(2048), Some(Part::Memory));
        assert!(of("").step_parts().is_none() && of("").factors().iter().all(|one| one.part != Part::Memory));
    }
}
