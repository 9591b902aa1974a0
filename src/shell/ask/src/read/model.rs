//! Reader of a question about a model on chips: "MFU of Llama 3 70B on 64 H100 with 2048 tokens".

use form_urlencoded::Serializer;
use perfmodel::{Chip, F32Passes, PeakDtype};

use super::tokens::{Part, Tokens};
use super::{Read, chips, formats};
use crate::words::model as words;
use crate::words::{as_f64, is_expected, is_one_of};
use crate::{Answer, Entry, Index, Kind, Target};

/// Entries of an estimate that a text names.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    /// Id and title of a listed model.
    pub(super) model: Option<(String, String)>,
    /// Name of a model that is not listed.
    pub(super) unlisted: Option<String>,
    /// Number of parameters of the named model.
    pub(super) parameters: Option<f64>,
    /// Bytes of a weight.
    pub(super) weight_bytes: Option<f64>,
    /// Tokens that each request generates.
    pub(super) output: Option<u64>,
    /// Claim that is based on the peak with sparsity: the claimed share of this peak, and this peak in TFLOPS.
    pub(super) sparse: Option<(Option<f64>, f64)>,
    /// Seconds of the whole run, and hours of all chips together: `2.8M GPU hours`.
    pub(super) run_seconds: Option<f64>,
    chip_hours: Option<f64>,
    /// Bandwidth in GB/s and bytes of the weights that a text states.
    gb_per_sec: Option<f64>,
    pub(super) weights: Option<f64>,
    /// Stated price of an hour in dollars.
    pub(super) usd_per_hour: Option<f64>,
    topic: Topic,
    /// True if the text asks how long a run takes, or how many tokens per second a chip makes.
    asks_time: bool,
    asks_rate: bool,
    pub(super) chips: Vec<chips::NamedChip>,
    pub(super) n_chips: Option<u64>,
    pub(super) dtype: Option<&'static str>,
    pub(super) pass: Option<&'static str>,
    pub(super) seq: Option<u64>,
    pub(super) batch: Option<u64>,
    /// Tokens of the whole run.
    pub(super) tokens: Option<f64>,
    /// Measurements, as the entry `measured` reads them.
    pub(super) measured: Vec<String>,
    /// First rate in tokens per second, and true if it is the rate of one chip.
    pub(super) rate: Option<(f64, bool)>,
}

/// Topic of a question about a model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Topic {
    /// Rate, cost or duration.
    #[default]
    Speed,
    /// Memory of a training run or of weights.
    Memory,
    /// Memory of keys and values: their bytes for each token.
    Cache(f64),
}

/// Reads a question about a model.
pub(super) fn read(index: &Index, text: &str) -> Option<Read> {
    let mut tokens = Tokens::of(text);
    let mut asked = Asked::of(index, &mut tokens);
    let is_about_mfu = tokens.has("mfu hfu");
    let is_measured = !asked.measured.is_empty();
    let has_model = asked.model.is_some() || asked.unlisted.is_some();
    let has_chip = !asked.chips.is_empty();
    const ABOUT: &str = "memory fit fits cache cost price cheapest cheaper latency speed fast throughput";
    let asks_speed = tokens.has(ABOUT) || is_about_mfu || is_measured || asked.pass.is_some() || asked.tokens.is_some();
    let is_asked = match has_model {
        true => has_chip || asks_speed || asked.n_chips.is_some(),
        false => (is_about_mfu && has_chip) || (is_measured && (has_chip || is_about_mfu)) || asked.is_budget(&tokens),
    };
    let unknown = tokens.unused(|word| is_expected(word) || crate::stem::is_filler(word));
    // Rates of a kernel are not those of a model.
    let is_budget = !has_model && asked.is_budget(&tokens);
    let is_asked = is_asked && (has_model || is_about_mfu || is_budget || unknown.len() <= UNKNOWN_MAX);
    // A matmul with its sizes is a run.
    if !is_asked || (!has_model && super::run::read(index, text).is_some()) {
        return None;
    }
    let first = asked.chips.first().map(|one| one.chip);
    if first.is_some_and(|chip| !has_model && chip.pod_chips.value.is_none_or(|chips| chips <= 1)) {
        // The default model does not fit on one card, so the small model is used.
        asked.n_chips = asked.n_chips.or(Some(1));
        asked.model = index
            .of_kind(Kind::Model)
            .find_map(|entry| id_of(entry).filter(|id| id == SMALL_MODEL).map(|id| (id, entry.answer.title.clone())));
    }
    const CONCEPTS: &str = "zero lora qlora adapter peft activation activations offload speculative cache device";
    let is_concept =
        tokens.has(OTHER_PARTS) || tokens.has(CONCEPTS) && !matches!(asked.topic, Topic::Cache(_)) && !is_measured;
    let is_certain = !is_concept
        && (is_budget
            || asked.computed().is_some()
            || has_model && (has_chip || is_measured)
            || unknown.len() <= UNKNOWN_MAX && (has_model || has_chip && (is_about_mfu || unknown.is_empty())));
    let note = match (&asked.unlisted, &asked.model) {
        (Some(name), Some((_, title))) => Some(words::nearest(name, title)),
        _ => (!unknown.is_empty()).then(|| words::not_used(&unknown)),
    };
    Some(Read { answers: vec![asked.answer()], is_certain, note })
}

/// Words of questions that no estimate answers: on a collective, on memory of a CPU, or on another unit of work.
pub(super) const OTHER_PARTS: &str = "reduce allreduce ddr4 ddr5 lpddr5 lpddr5x petaflop petaflops";

/// Maximum number of unknown words of a question without a model.
const UNKNOWN_MAX: usize = 4;
/// Model for a question about one card without a model. The card has too little memory for the default model.
const SMALL_MODEL: &str = "gpt2-xl";

/// Mark before the id of the model in the link of an entry.
const MODEL_MARK: &str = "model%3D";

/// Returns the id of the model of an entry.
pub(super) fn id_of(entry: &Entry) -> Option<String> {
    let Target::Link(link) = &entry.answer.target else { return None };
    Some(link.split_once(MODEL_MARK)?.1.split('%').next()?.to_owned())
}

impl Asked {
    /// Reads all entries, and marks their words as used.
    pub(super) fn of(index: &Index, tokens: &mut Tokens) -> Self {
        let mut asked = Self { model: listed(index, tokens), ..Self::default() };
        if asked.model.is_none() {
            if let Some((name, parameters)) = unlisted(tokens) {
                asked.model = nearest(index, &name, parameters);
                // A name such as `8x7B` does not give the number of active parameters.
                asked.parameters = Some(parameters)
                    .filter(|_| !name.contains('x') || !name.starts_with(|one: char| one.is_ascii_digit()));
                asked.unlisted = Some(name);
            }
        } else {
            asked.parameters = asked.model.as_ref().and_then(|(_, title)| parameters_of(title));
        }
        asked.weight_bytes = weight_bytes(tokens);
        asked.asks_time = tokens.has("long days hours") && tokens.has("train training pretraining pretrain scratch");
        asked.asks_rate = tokens.has("many much expect expected should") && tokens.has("tokens token throughput tok");
        asked.topic = topic(index, tokens, asked.model.as_ref().filter(|_| asked.unlisted.is_none()));
        if let Some(active) = active(tokens) {
            asked.parameters = Some(active);
        }
        asked.chips = chips::take(tokens);
        asked.n_chips = asked.chips.first().and_then(|one| one.number).or_else(|| chips::number_alone(tokens));
        asked.dtype = formats::take(tokens).first().map(|format| format.in_estimate);
        // V100 and T4 have no bf16.
        let has_only_f16 =
            |chip: &Chip| chip.peak_flops(PeakDtype::Bf16).is_none() && chip.peak_flops(PeakDtype::F16).is_some();
        if asked.chips.first().is_some_and(|one| has_only_f16(one.chip)) {
            asked.dtype = asked.dtype.or(Some("f16"));
        }
        asked.stated(tokens);
        let of_step = step_tokens(tokens);
        asked.measurements(tokens);
        asked.rate_of_step(of_step);
        asked.run_tokens(tokens);
        asked.request(tokens);
        asked.sizes(tokens);
        // A number format of the weights alone means inference.
        let is_decoded = asked.output.is_some() || asked.weight_bytes.is_some() && tokens.has("tokens tok tps");
        asked.pass = pass(tokens).filter(|_| asked.output.is_none()).or(is_decoded.then_some("decode"));
        if let (Some(peak), true) = (asked.sparse_peak(tokens), asked.pass.is_none_or(|pass| pass == "train")) {
            let claimed = asked.measured.iter().position(|one| one.ends_with('%')).map(|at| asked.measured.remove(at));
            let claimed = claimed.and_then(|one| one.trim_end_matches([' ', '%']).parse().ok());
            asked.sparse = Some((claimed, peak));
        }
        asked.rate_of_run();
        asked.measured.truncate(2);
        asked
    }

    /// True if a text asks for the time, the chips or the cost of a training run with a known number of tokens.
    fn is_budget(&self, tokens: &Tokens) -> bool {
        self.tokens.is_some() && tokens.has("train training pretraining pretrain trained gpus gpu hours days cost long")
    }

    /// Reads a bandwidth, the size of weights and a price: `576 GB/s`, `6.4 GB weights`, `$2 per hour`.
    fn stated(&mut self, tokens: &mut Tokens) {
        for at in 0..tokens.0.len() {
            let Some(number) = tokens.number(at).filter(|number| *number > 0.0 && !tokens.0[at].is_used) else {
                continue;
            };
            let scale = if tokens.word(at + 1) == "tb" { 1000.0 } else { 1.0 };
            let is_bytes = matches!(tokens.word(at + 1), "gb" | "tb" | "gib");
            let end = if is_bytes && tokens.is_sign(at + 2, '/') && matches!(tokens.word(at + 3), "s" | "sec") {
                self.gb_per_sec = self.gb_per_sec.or(Some(number * scale));
                at + 4
            } else if is_bytes && (at + 2..at + 4).any(|at| matches!(tokens.word(at), "weights" | "weight" | "model")) {
                self.weights = Some(number * scale * 1e9);
                at + 2
            } else if at > 0
                && tokens.is_sign(at - 1, '$')
                && (at + 1..at + 6).any(|at| is_one_of("hour hr h", tokens.word(at)))
            {
                self.usd_per_hour = Some(number);
                at + 1
            } else {
                continue;
            };
            tokens.mark(at..end);
        }
    }

    /// Share of the peak or of the bandwidth that a text states.
    pub(super) fn share(&self) -> Option<f64> {
        let percent = self.measured.iter().find_map(|one| one.strip_suffix(" %")?.parse::<f64>().ok());
        percent.filter(|percent| *percent > 0.0).map(|percent| percent / 100.0)
    }

    /// Returns a sentence with numbers that follow directly from the parameters and the numbers of the text. No
    /// estimate is needed.
    pub(super) fn computed(&self) -> Option<String> {
        let chip = self.chips.first().map(|one| one.chip);
        let peak = chip.and_then(|chip| chip.peak_flops(PeakDtype::Bf16));
        let n_chips = as_f64(self.n_chips.unwrap_or(1).max(1));
        if let Topic::Cache(bytes) = self.topic {
            return Some(words::cache(bytes, self.seq, self.batch));
        }
        let parameters = self.parameters;
        if self.topic == Topic::Memory {
            let is_trained = self.pass.is_some_and(|pass| pass == "train");
            let each = if is_trained { TRAINING_BYTES } else { self.weight_bytes.unwrap_or(2.0) };
            let capacity = chip.and_then(|chip| Some((chip, chip.memory.bytes()? * n_chips)));
            let training = (self.pass.is_none()).then(|| TRAINING_BYTES * parameters.unwrap_or(0.0));
            let has = capacity.map(|(chip, bytes)| (chip, bytes, self.n_chips.unwrap_or(1)));
            let memory = words::memory(parameters?, each, is_trained, training, has);
            return Some(if each < 2.0 {
                memory + " " + &words::memory(parameters?, 2.0, false, None, has)
            } else {
                memory
            });
        }
        let is_measured = self.rate.is_some() && self.chip_hours.is_none_or(|_| self.run_seconds.is_none());
        if self.pass.is_some_and(|pass| pass != "train") || is_measured || self.sparse.is_some() {
            return None;
        }
        let flop = |tokens: f64| FLOP_PER_PARAMETER * parameters.unwrap_or(1e9) * tokens;
        if let (Some(tokens), Some(hours), Some(peak), Some(parameters)) =
            (self.tokens, self.chip_hours, peak, parameters)
        {
            return Some(words::of_hours(parameters, tokens, hours, flop(tokens) / (hours * 3600.0 * peak.0), chip));
        }
        let has_time = self.run_seconds.is_some() || self.chip_hours.is_some();
        let usual = self.share().unwrap_or(words::USUAL_MFU);
        if !has_time && (self.tokens.is_some() || self.asks_time && parameters.is_some()) {
            let chip = chip.or_else(|| Chip::by_id("a100-80"))?;
            let tokens = self.tokens.or(parameters.map(|parameters| TOKENS_PER_PARAMETER * parameters))?;
            let hours = flop(tokens) / (chip.peak_flops(PeakDtype::Bf16)?.0 * usual * 3600.0);
            let of = words::Budget { parameters, tokens, is_assumed: self.tokens.is_none(), share: usual, chip, hours };
            return Some(of.says(self.n_chips));
        }
        let (parameters, peak) = parameters.zip(peak).filter(|_| self.asks_rate && !has_time)?;
        let rate = usual * peak.0 / (FLOP_PER_PARAMETER * parameters);
        let rate = words::expected_rate(parameters, usual, rate, chip?.name, self.n_chips);
        Some(self.shortage().unwrap_or_default() + &rate)
    }

    /// Returns a sentence if the weights and the optimizer of a training run do not fit in the memory of the chips.
    pub(super) fn shortage(&self) -> Option<String> {
        let (parameters, chips) = self.parameters.zip(self.n_chips)?;
        let has = self.chips.first()?.chip.memory.bytes()? * as_f64(chips);
        (TRAINING_BYTES * parameters > has).then(|| words::shortage(TRAINING_BYTES * parameters, has))
    }

    /// Returns the peak with sparsity of the first chip, if the text contains this number.
    fn sparse_peak(&self, tokens: &Tokens) -> Option<f64> {
        let peak = 2.0 * self.chips.first()?.chip.peak(PeakDtype::Bf16)?.value?;
        let is_peak = |number: &f64| (number / peak - 1.0).abs() < 1e-3;
        (0..tokens.0.len()).find_map(|at| tokens.number(at).filter(is_peak))
    }

    /// Sets the rate from the tokens and the time of a run. This rate takes precedence over a claimed share of the
    /// peak.
    fn rate_of_run(&mut self) {
        let (Some(tokens), Some(seconds)) = (self.tokens, self.run_seconds) else { return };
        if let (None, Some(chips)) = (self.rate, self.n_chips) {
            let rate = tokens / seconds;
            self.chip_hours = self.chip_hours.or(Some(as_f64(chips) * seconds / 3600.0));
            self.rate = Some((rate, false));
            self.measured = vec![format!("{} tokens/s", rate.round())];
        }
    }

    /// Sets the rate from the tokens and the time of a step.
    fn rate_of_step(&mut self, tokens: Option<f64>) {
        let at = self.measured.iter().position(|one| one.ends_with(" s"));
        let seconds = at.and_then(|at| self.measured[at].trim_end_matches(" s").parse::<f64>().ok());
        if let (Some(tokens), Some(at), Some(seconds), None) = (tokens, at, seconds, self.rate) {
            self.rate = Some((tokens / seconds, false));
            self.measured[at] = format!("{} tokens/s", (tokens / seconds).round());
        }
    }

    /// Reads the tokens of a request: `3000 input tokens`, `30 output tokens`, `input length 1024`.
    fn request(&mut self, tokens: &mut Tokens) {
        const INPUT: &str = "input prompt isl input_len";
        const OUTPUT: &str = "output generated osl output_len completion";
        let of = |tokens: &Tokens, names: &str| {
            (0..tokens.0.len()).filter(|at| is_one_of(names, tokens.word(*at))).find_map(|at| {
                let behind =
                    (at + 1..at + 4).find(|at| !matches!(tokens.word(*at), "length" | "len" | "tokens" | "of"));
                [at.checked_sub(1), behind].into_iter().flatten().find(|at| tokens.count(*at).is_some_and(|n| n > 0))
            })
        };
        let (input, output) = (of(tokens, INPUT), of(tokens, OUTPUT));
        let (Some(input), Some(output)) = (input, output) else { return };
        (self.seq, self.output) = (tokens.count(input), tokens.count(output));
        tokens.mark(input..input + 1);
        tokens.mark(output..output + 1);
    }

    /// Returns the answer: the link of the estimate, and a sentence.
    pub(super) fn answer(&self) -> Answer {
        let chip = self.chips.first().map(|one| one.chip);
        let mut query = Serializer::new(String::new());
        let mut set = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                query.append_pair(name, &value);
            }
        };
        set("model", self.model.as_ref().map(|(id, _)| id.clone()));
        set("chip", chip.map(|chip| chip.id.to_owned()));
        set("dtype", self.dtype.map(str::to_owned));
        set("chips", self.n_chips.map(|chips| chips.to_string()));
        set("pass", self.pass.map(str::to_owned));
        // The form chooses tensor parallelism for decode.
        set("split", (self.pass == Some("decode")).then(|| "tensor".to_owned()));
        set("seq", self.seq.map(|seq| seq.to_string()));
        set("batch", self.batch.map(|batch| batch.to_string()));
        set("tokens", self.tokens.map(|tokens| format!("{tokens}")));
        for (name, other) in ["versus", "third", "fourth"].into_iter().zip(self.chips.iter().skip(1)) {
            set(name, Some(other.chip.id.to_owned()));
        }
        set("measured", (!self.measured.is_empty()).then(|| self.measured.join("; ")));
        let target = super::estimate(&query.finish());
        let names: Vec<&str> = self.chips.iter().map(|one| one.chip.name).collect();
        let title = words::title(self.name(), self.pass, &names, self.n_chips);
        Answer { kind: Kind::Model, title, says: self.says(chip), target }
    }

    /// Name of the model.
    pub(super) fn name(&self) -> Option<&str> {
        let listed = self.model.as_ref().map(|(_, title)| &**title);
        self.unlisted.as_deref().or(listed)
    }

    fn says(&self, chip: Option<&'static Chip>) -> String {
        if let Some(computed) = self.computed() {
            return computed;
        }
        let dtype =
            PeakDtype::ALL.into_iter().find(|dtype| Some(dtype.word()) == self.dtype).unwrap_or(PeakDtype::Bf16);
        let peak = chip.and_then(|chip| {
            let run = chip.as_run(perfmodel::Format { dtype, passes: F32Passes::One, fp8: None }).ok()?;
            chip.peak_flops(run.multiplied)
        });
        if self.pass == Some("decode") {
            let gb_per_sec = self.gb_per_sec.or(chip.and_then(|chip| chip.memory.gb_per_sec.value));
            if let Some((parameters, gb_per_sec)) = self.parameters.zip(gb_per_sec) {
                return self.says_decode(parameters, peak.map(|peak| peak.0), gb_per_sec);
            }
        }
        let is_training = self.pass.is_none_or(|pass| pass == "train");
        let n_chips = as_f64(self.n_chips.unwrap_or(1).max(1));
        let of_chip = |(rate, is_of_chip): (f64, bool)| if is_of_chip { rate } else { rate / n_chips };
        let rate = self.rate.filter(|_| is_training).map(of_chip);
        let is_one_chip = self.rate.is_some_and(|(_, is_of_chip)| !is_of_chip) && self.n_chips.is_none();
        let sparse = self.sparse.map(|(claimed, sparse)| words::sparse(claimed, sparse));
        let run = self.tokens.zip(self.run_seconds).filter(|_| is_training && self.n_chips.is_none());
        match (self.parameters, rate, peak) {
            (Some(parameters), None, Some(peak)) if run.is_some() => {
                let flops = run.map_or(0.0, |(tokens, seconds)| FLOP_PER_PARAMETER * parameters * tokens / seconds);
                words::needs_chips(parameters, flops / peak.0)
            }
            (_, Some(rate), _) if self.usd_per_hour.is_some() => words::cost(self.usd_per_hour.unwrap_or(0.0), rate),
            (Some(parameters), Some(rate), Some(peak)) => {
                let mfu = FLOP_PER_PARAMETER * parameters * rate / peak.0;
                let of_parameters = words::of_parameters(parameters, mfu, is_one_chip);
                sparse.map_or(of_parameters.clone(), |sparse| format!("{sparse} {of_parameters}"))
            }
            _ if sparse.is_some() => sparse.unwrap_or_default(),
            (_, _, Some(_))
                if self.model.is_none()
                    || self.measured.is_empty() && self.seq.is_none() && self.n_chips == Some(1) =>
            {
                chip.map_or_else(String::new, |chip| crate::words::run::rate(chip, dtype, F32Passes::One))
            }
            (Some(parameters), None, Some(peak)) if self.measured.is_empty() && is_training => {
                let rate = words::USUAL_MFU * peak.0 / (FLOP_PER_PARAMETER * parameters);
                let chip = chip.map_or("chip", |chip| chip.name);
                self.shortage().unwrap_or_default()
                    + &words::expected_rate(parameters, words::USUAL_MFU, rate, chip, self.n_chips)
                    + " "
                    + &words::says(&[], self.seq)
            }
            _ => words::says(&self.measured, self.seq),
        }
    }

    /// Returns a sentence with the least times of prefill and of a step of decode, from the peak and the bandwidth.
    fn says_decode(&self, parameters: f64, peak: Option<f64>, gb_per_sec: f64) -> String {
        let n_chips = as_f64(self.n_chips.unwrap_or(1).max(1));
        let bytes = self.weights.unwrap_or(parameters * self.weight_bytes.unwrap_or(2.0));
        let share = self.share().filter(|_| self.gb_per_sec.is_some()).unwrap_or(1.0);
        let step = bytes / (gb_per_sec * 1e9 * n_chips * share);
        let batch = self.batch.unwrap_or(1);
        let prompt = self.seq.zip(self.output).zip(peak).map(|((input, output), peak)| {
            let prefill = FLOP_FORWARD * parameters * as_f64(input) / (peak * n_chips);
            let per_request = prefill + as_f64(output) * step / as_f64(batch.max(1));
            (prefill, 1.0 / per_request)
        });
        words::decode(bytes, step, batch, prompt)
    }

    /// Reads measurements: `49345 tok/s`, `41 %`, `400 TFLOP/s/chip`, `3.1 s/step`.
    fn measurements(&mut self, tokens: &mut Tokens) {
        for at in 0..tokens.0.len() {
            let Some(number) = tokens.number(at).filter(|_| !tokens.0[at].is_used) else { continue };
            let text = tokens.0[at].text.replace(',', "");
            // Factors such as the k of `50k tok/s`.
            let (factor, unit) = match tokens.word(at + 1) {
                "k" if tokens.0[at + 1].is_glued => (1e3, at + 2),
                _ => (1.0, at + 1),
            };
            let (kind, end) = unit_at(tokens, unit);
            let end = end.max(unit);
            let per_chip = is_per_chip(tokens, end);
            let rest = if per_chip { end + 2 } else { end };
            let number = number * factor;
            let found = match kind {
                Some(Unit::Tokens) if per_chip => {
                    self.rate = self.rate.or(Some((number, true)));
                    format!("{number} tokens/s/chip")
                }
                Some(Unit::Tokens) => {
                    self.rate = self.rate.or(Some((number, false)));
                    format!("{number} tokens/s")
                }
                // A number of FLOP for each token is not a rate.
                Some(Unit::Flops) if tokens.word(end) == "per" && tokens.word(end + 1) == "token" => continue,
                Some(Unit::Flops) => format!("{number} TFLOP/s/chip"),
                Some(Unit::Percent) if (0.0..=100.0).contains(&number) => format!("{text} %"),
                Some(Unit::Seconds(scale)) if is_of_step(tokens, at, end) => format!("{} s", number * scale),
                _ => continue,
            };
            tokens.mark(at..rest);
            self.measured.push(found);
        }
        // Rates come before percentages, because two measurements of one run are compared.
        self.measured.sort_by_key(|one| one.ends_with('%'));
    }

    /// Reads the tokens of the whole run: `15T tokens`, `2e12 tokens`.
    fn run_tokens(&mut self, tokens: &mut Tokens) {
        for at in 0..tokens.0.len() {
            let Some(number) = tokens.number(at).filter(|_| !tokens.0[at].is_used) else { continue };
            let (factor, end) = match tokens.word(at + 1) {
                "t" | "trillion" => (1e12, at + 2),
                "b" | "bn" | "billion" | "g" => (1e9, at + 2),
                "m" | "million" if !is_rate(tokens, at) && tokens.has("hours hour days day") => (1e6, at + 2),
                _ => (1.0, at + 1),
            };
            let least = if factor == 1e6 { 1e6 } else { 1e9 };
            // `2048 * 16 * 500 tokens`
            let factors = (1..=at / 2).map(|nth| at - 2 * nth).take_while(|at| tokens.is_sign(at + 1, 'x'));
            let others: Vec<usize> = factors.take_while(|at| tokens.number(*at).is_some()).collect();
            let product: f64 = others.iter().filter_map(|at| tokens.number(*at)).product();
            let all = number * factor * product;
            let seconds = match tokens.word(at + 1) {
                "hours" | "hour" | "hrs" => 3600.0,
                "days" | "day" => 86_400.0,
                "weeks" | "week" => 7.0 * 86_400.0,
                "months" | "month" => 30.0 * 86_400.0,
                _ => 0.0,
            };
            if let Some(hours) = chip_hours_at(tokens, at) {
                self.chip_hours = Some(hours);
            } else if seconds > 0.0 && number > 0.0 {
                self.run_seconds = Some(number * seconds);
                tokens.mark(at..at + 2);
            }
            if let Some(from) = others.last().filter(|_| matches!(tokens.word(end), "tokens" | "token") && all >= 1.0) {
                tokens.mark(*from..end + 1);
                self.tokens = Some(all);
            } else if matches!(tokens.word(end), "tokens" | "token") && (least..1e18).contains(&all) {
                tokens.mark(at..end + 1);
                self.tokens = Some(all);
            }
        }
    }

    /// Reads the length of a sequence and the batch.
    fn sizes(&mut self, tokens: &mut Tokens) {
        const SEQ: &str = "seq sequence sequences context ctx length seqlen seq_len tokens prompt";
        const BATCH: &str = "batch bs batch_size batchsize users requests concurrent concurrency";
        for at in 0..tokens.0.len() {
            let Some(number) = tokens.count(at).filter(|number| *number > 0 && !tokens.0[at].is_used) else { continue };
            let kilo = usize::from(tokens.word(at + 1) == "k");
            let after = tokens.word(at + 1 + kilo).to_owned();
            let before = (at.saturating_sub(3)..at).rev().find(|at| {
                !tokens.0[*at].is_used
                    && tokens.word(*at).len() > 1
                    && !matches!(tokens.word(*at), "size" | "of" | "is" | "len")
            });
            let before = before.map_or(String::new(), |at| tokens.word(at).to_owned());
            let is = is_one_of;
            let is_batch = is(BATCH, &after) && (self.output.is_some() || !is(SEQ, &before));
            if is(BATCH, &before) || is_batch || after == "sequences" {
                let is_global = tokens.has("global");
                let chips = self.n_chips.unwrap_or(1).max(1);
                self.batch = Some(if is_global { (number / chips).max(1) } else { number });
            } else if self.output.is_none() && (is(SEQ, &before) || is(SEQ, &after))
                || (self.seq.is_none() && !tokens.is_sign(at + 1, 'x') && number.is_power_of_two() && number >= 512)
            {
                self.seq = Some(number);
            } else {
                continue;
            }
            tokens.mark(at..at + 1 + kilo);
        }
    }
}

/// Bytes per parameter in training with Adam: 2 for the weight, 2 for the gradient, and 12 for the f32 weight and
/// moments.
const TRAINING_BYTES: f64 = 16.0;
/// Tokens per parameter of a training run, if a text names no number of tokens (Hoffmann et al., 2022).
const TOKENS_PER_PARAMETER: f64 = 20.0;
/// FLOP of the forward pass for each parameter and token, without attention.
const FLOP_FORWARD: f64 = 2.0;
/// FLOP of a training step for each parameter and token, without attention: 2 forward and 4 backward.
const FLOP_PER_PARAMETER: f64 = 6.0;

/// Unit of a measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Unit {
    Tokens,
    Flops,
    Percent,
    /// A time, with the seconds of its unit.
    Seconds(f64),
}

/// Returns the unit at a token, and the position behind the unit.
fn unit_at(tokens: &Tokens, at: usize) -> (Option<Unit>, usize) {
    let per_sec = |from: usize| match () {
        () if tokens.is_sign(from, '/') && matches!(tokens.word(from + 1), "s" | "sec" | "second") => Some(from + 2),
        () if tokens.word(from) == "per" && matches!(tokens.word(from + 1), "s" | "sec" | "second") => Some(from + 2),
        () => None,
    };
    match tokens.word(at) {
        "tok" | "tokens" | "token" => per_sec(at + 1).map_or((None, at), |end| (Some(Unit::Tokens), end)),
        "tps" | "toks" => (Some(Unit::Tokens), at + 1),
        "tflop" | "tflops" | "tops" | "teraflops" | "teraflop" => {
            (Some(Unit::Flops), per_sec(at + 1).unwrap_or(at + 1))
        }
        "s" | "sec" | "seconds" => (Some(Unit::Seconds(1.0)), at + 1),
        "ms" | "milliseconds" => (Some(Unit::Seconds(1e-3)), at + 1),
        "percent" => (Some(Unit::Percent), at + 1),
        _ if tokens.is_sign(at, '%') => (Some(Unit::Percent), at + 1),
        _ => (None, at),
    }
}

/// Returns the tokens of a step, `8,388,608 tokens per step`, and marks them as used.
fn step_tokens(tokens: &mut Tokens) -> Option<f64> {
    let at = (1..tokens.0.len()).find(|at| {
        tokens.word(*at) == "tokens"
            && (tokens.word(at + 1) == "per" || tokens.is_sign(at + 1, '/'))
            && matches!(tokens.word(at + 2), "step" | "iteration" | "iter")
    })?;
    let number = tokens.number(at - 1).filter(|number| *number >= 1.0)?;
    tokens.mark(at - 1..at + 2);
    Some(number)
}

/// True if a number belongs to a price or a rate: `per 1M tokens`.
fn is_rate(tokens: &Tokens, at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| tokens.word(before) == "per" || tokens.is_sign(before, '/'))
}

/// True if a rate is the rate of one chip.
fn is_per_chip(tokens: &Tokens, at: usize) -> bool {
    let is_per = tokens.is_sign(at, '/') || tokens.word(at) == "per";
    is_per && matches!(tokens.word(at + 1), "chip" | "device" | "gpu" | "tpu" | "core")
}

/// True if a time is that of a step.
fn is_of_step(tokens: &Tokens, from: usize, end: usize) -> bool {
    let near = (from.saturating_sub(4)..from).chain(end..end + 3);
    near.into_iter().any(|at| matches!(tokens.word(at), "step" | "steps" | "it" | "iter" | "iteration"))
}

/// Finds the longest name of a listed model, and marks its words as used.
fn listed(index: &Index, tokens: &mut Tokens) -> Option<(String, String)> {
    const NAME_TOKENS_MAX: usize = 9;
    let plain = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
    let mut best: Option<(usize, usize, &Entry)> = None;
    for entry in index.of_kind(Kind::Model) {
        let names = core::iter::once(&*entry.answer.title).chain(entry.words.split(';'));
        for name in names.map(plain).filter(|name| name.len() > 3) {
            for from in 0..tokens.0.len() {
                let mut text = String::new();
                for end in from..(from + NAME_TOKENS_MAX).min(tokens.0.len()) {
                    text += &plain(&tokens.0[end].text);
                    if text == name && best.is_none_or(|(start, stop, _)| end + 1 - from > stop - start) {
                        best = Some((from, end + 1, entry));
                    } else if !name.starts_with(&text) {
                        break;
                    }
                }
            }
        }
    }
    let (from, end, entry) = best?;
    tokens.mark(from..end);
    Some((id_of(entry)?, entry.answer.title.clone()))
}

/// Returns the number of parameters in the title of a model, `LLaMA 3 70B`. `None` if only some parameters are active.
fn parameters_of(title: &str) -> Option<f64> {
    let of = |word: &str| word.strip_suffix('B')?.parse::<f64>().ok().map(|billions| billions * 1e9);
    title.split(' ').filter_map(of).next_back()
}

/// Returns the id and title of the listed model whose size is nearest. If the family with this name is listed, only its
/// models are compared.
fn nearest(index: &Index, name: &str, parameters: f64) -> Option<(String, String)> {
    let family: String = name.chars().take_while(char::is_ascii_alphabetic).collect();
    let sized = |entry: &Entry| Some((entry.answer.title.clone(), id_of(entry)?, parameters_of(&entry.answer.title)?));
    let all: Vec<_> = index.of_kind(Kind::Model).filter_map(sized).collect();
    let is_of_family = |title: &str| family.len() > 2 && title.to_lowercase().starts_with(&family);
    let has_family = all.iter().any(|(title, ..)| is_of_family(title));
    let candidates = all.iter().filter(|(title, ..)| !has_family || is_of_family(title));
    let distance = |size: f64| (size / parameters).ln().abs();
    let best = candidates.min_by(|one, other| distance(one.2).total_cmp(&distance(other.2)))?;
    Some((best.1.clone(), best.0.clone()))
}

/// Returns the bytes per weight, from a format that only weights have: `W4A16`, `int4`, `AWQ`.
fn weight_bytes(tokens: &Tokens) -> Option<f64> {
    (0..tokens.0.len()).find_map(|at| match tokens.word(at) {
        "int4" | "fp4" | "nvfp4" | "mxfp4" | "awq" | "gptq" | "q4" | "4bit" | "nf4" => Some(0.5),
        "int8" | "fp8" | "q8" | "8bit" | "tpu_int8" => Some(1.0),
        // Blocks of llama.cpp have scales.
        word if word.starts_with("q4_") => Some(4.8 / 8.0),
        word if word.starts_with("q5_") => Some(5.7 / 8.0),
        word if word.starts_with("q6_") => Some(6.6 / 8.0),
        word if word.starts_with("q8_") => Some(8.5 / 8.0),
        word if word.starts_with("w4a") => Some(0.5),
        word if word.starts_with("w8a") => Some(1.0),
        _ => None,
    })
}

/// Finds a model that is not listed, from a name with a number of parameters such as `Qwen2.5-3B`. Marks the name as
/// used. Of several sizes, uses the last one before a rate.
fn unlisted(tokens: &mut Tokens) -> Option<(String, f64)> {
    let rate = (0..tokens.0.len()).find(|at| matches!(unit_at(tokens, *at).0, Some(Unit::Tokens)));
    let is_named = |at: &usize| {
        let is_size = tokens.word(at + 1) == "b" && tokens.0[at + 1].is_glued;
        is_size
            && tokens.number(*at).is_some_and(|number| (0.01..10_000.0).contains(&number))
            && tokens.word(at + 2) != "tokens"
    };
    let before_rate = (0..rate.unwrap_or(0)).rev().find(is_named);
    let at = before_rate.or_else(|| (0..tokens.0.len()).find(is_named))?;
    let mut from = at;
    while from > 0 && tokens.0[from].is_glued {
        from -= 1;
    }
    let is_factor = from == at && at > 1 && tokens.is_sign(at - 1, 'x') && tokens.number(at - 2).is_some();
    if is_factor {
        from = at - 2;
    }
    // A name before the size: `Mistral 7B`, `Llama 2 13B`.
    if from == at && at > 1 && tokens.number(at - 1).is_some() && tokens.0[at - 2].part == Part::Word {
        from = at - 2;
    }
    if from == at
        && at > 0
        && tokens.0[at - 1].part == Part::Word
        && !crate::stem::is_filler(tokens.word(at - 1))
        && !is_expected(tokens.word(at - 1))
        && !is_one_of(TRAIN, tokens.word(at - 1))
    {
        from = at - 1;
    }
    let name: String = tokens.0[from..at + 2]
        .iter()
        .enumerate()
        .map(|(nth, token)| {
            let space = if nth > 0 && !token.is_glued { " " } else { "" };
            format!("{space}{}", token.text)
        })
        .collect();
    tokens.mark(from..at + 2);
    Some((name, tokens.number(at)? * 1e9))
}

/// Returns the chip-hours of all chips whose number is at a token: `2.79M H800 hours`, `300k GPU hours`.
fn chip_hours_at(tokens: &mut Tokens, at: usize) -> Option<f64> {
    let (factor, unit) = match tokens.word(at + 1) {
        "m" | "million" => (1e6, at + 2),
        "k" => (1e3, at + 2),
        _ => (1.0, at + 1),
    };
    let end = (unit + 1..unit + 6).find(|at| is_one_of("hours hour hrs", tokens.word(*at)))?;
    let is_chip = |at: usize| {
        tokens.0[at].is_used || is_one_of("gpu tpu chip device a h", tokens.word(at)) || tokens.is_sign(at, '-')
    };
    let hours = (unit..end).all(is_chip).then(|| tokens.number(at).map(|number| number * factor))??;
    tokens.mark(at..end + 1);
    Some(hours)
}

/// Returns the number of active parameters: `37B active`.
fn active(tokens: &mut Tokens) -> Option<f64> {
    let at = (0..tokens.0.len()).find(|at| {
        tokens.number(*at).is_some()
            && tokens.word(at + 1) == "b"
            && (at + 2..at + 4).any(|at| matches!(tokens.word(at), "active" | "activated"))
    })?;
    tokens.mark(at..at + 3);
    Some(tokens.number(at)? * 1e9)
}

/// Returns the topic of a text. The topic can be the cache only if the sizes of a listed model are known.
fn topic(index: &Index, tokens: &Tokens, model: Option<&(String, String)>) -> Topic {
    const CACHE: [&str; 3] = ["layers", "kv heads", "head width"];
    let is_left_out = |at: usize| is_one_of("without no excluding except", tokens.word(at));
    let has_cache = tokens.has("cache")
        && (0..tokens.0.len()).any(|at| tokens.word(at) == "kv" && !at.checked_sub(1).is_some_and(is_left_out));
    let of_model = |(id, _): &(String, String)| {
        let entry = index.of_kind(Kind::Model).find(|entry| id_of(entry).as_ref() == Some(id))?;
        let size = |name: &str| {
            entry.words.split(';').find_map(|one| one.trim().strip_prefix(name)?.trim().parse::<f64>().ok())
        };
        // Keys and values of 2 bytes.
        CACHE.iter().map(|name| size(name)).product::<Option<f64>>().map(|elements| 2.0 * 2.0 * elements)
    };
    match model.filter(|_| has_cache).and_then(of_model) {
        Some(bytes) => Topic::Cache(bytes),
        None if tokens.has("memory fit fits hold vram oom") && !has_cache => Topic::Memory,
        // "Can I run a 70B model on 2 A100?"
        None if tokens.has("can will enough need") && !tokens.has("tokens tok mfu hours days") => Topic::Memory,
        None => Topic::Speed,
    }
}

pub(super) const TRAIN: &str =
    "train training trained trains pretrain pretraining finetune finetuning tune sft adam adamw";

/// Returns the pass that a text names.
fn pass(tokens: &mut Tokens) -> Option<&'static str> {
    const PASSES: [(&str, &str); 3] = [
        (
            "decode",
            "decode decoding inference serving serve generate generation generating user users concurrency tpot awq \
             gptq gguf vllm sglang cpp ollama exllama w4a16 w4a8 w4a8kv4 w8a8",
        ),
        ("prefill", "prefill ttft prompt"),
        ("train", TRAIN),
    ];
    let found = PASSES.iter().find(|(_, words)| tokens.has(words))?;
    for at in 0..tokens.0.len() {
        if is_one_of(found.1, tokens.word(at)) {
            tokens.mark(at..at + 1);
        }
    }
    Some(found.0)
}
