//! Reader of a run in words: "matmul 4096 × 4096 × 4096 on v5e in int8", "128×128 array, K = 100, how much padding".

use perfmodel::{Chip, Compute};
use studio::{Field, Link, Plan};
use systolic::Slot;

use super::tokens::{Part, Tokens};
use super::{Read, chips, formats};
use crate::words::is_one_of;
use crate::words::run as words;
use crate::{Answer, Index, Kind, Target};

/// Sizes that a person asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sizes {
    /// Rows and columns of the array.
    pub(super) array: Option<(u64, u64)>,
    pub(super) m: Option<u64>,
    pub(super) k: Option<u64>,
    pub(super) n: Option<u64>,
}

/// Settings of a run that a text asks for.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    pub(super) sizes: Sizes,
    pub(super) chip: Option<&'static Chip>,
    pub(super) dtype: Option<&'static str>,
    pub(super) dataflow: Option<&'static str>,
    /// Further parameters.
    pub(super) others: Vec<(&'static str, String)>,
    pub(super) focus: words::Focus,
}

const ARRAY: &str = "array arrays mxu mxus pe pes systolic grid mesh processing";
const MATMUL: &str = "matmul matmuls gemm matrix matrices multiply multiplication multiplying product mm dot sgemm hgemm linear \
     mnk mkn";
const SPEED: &str = "cycle cycles utilization utilisation util padding padded pad fill drain skew latency time mfu efficiency \
     stationary busy idle waste wasted";
/// Words for a matmul with one row.
const ONE_ROW: &str = "gemv matvec vector";
/// Words of questions about digits, which a printed result answers better than a count of cycles.
const DIGITS: &str = "wrong differ differs different difference accuracy precise inaccurate incorrect mismatch result results \
     digits allclose error errors printed rounding";

/// Words of a matmul on a CPU.
const CPU: &str = "cpu xeon i5 i7 i9 avx2 avx512 epyc ryzen";

/// Reads a run in words.
pub(super) fn read(_index: &Index, text: &str) -> Option<Read> {
    let mut tokens = Tokens::of(text);
    let chip = chips::take(&mut tokens).first().map(|one| one.chip);
    let named = formats::take(&mut tokens);
    let mut asked = Asked { chip, dtype: named.iter().find_map(|format| format.in_run), ..Asked::default() };
    designs(&mut tokens, &mut asked);
    let hz = tokens.take_before(&[("mhz", 1e6), ("ghz", 1e9)]);
    let others;
    (asked.sizes, others) = sizes(&mut tokens);
    let Sizes { array, m, k, n } = asked.sizes;
    let n_named = [m, k, n].iter().flatten().count();
    let unknown: Vec<String> = tokens.unused(is_expected).into_iter().map(str::to_owned).collect();
    let is_named = ["m", "k", "n"].iter().all(|axis| tokens.has(axis));
    let is_said = is_named
        || tokens.has(MATMUL)
        || tokens.has(KERNEL)
        || tokens.has(ONE_ROW)
        || tokens.has(SPEED) && array.is_some();
    // One number is a run only if the array is named, too.
    let is_enough = n_named > 1 || n_named == 1 && (array.is_some() || chip.is_some()) || array.is_some();
    if !is_enough || !(is_said || unknown.len() <= UNKNOWN_MAX) || names_two_arrays(text) {
        return None;
    }
    asked.focus = focus(&tokens, chip.is_some());
    let (mut answer, plan) = asked.answer()?;
    let cycles = plan.as_ref().map(|plan| plan.schedule().cycles().get());
    // SCALE-Sim prints the index of the last cycle.
    let printed = cycles.and_then(|cycles| cycles.checked_sub(1)).filter(|_| tokens.has("scale scalesim"));
    if let Some(printed) = printed.filter(|last| (0..tokens.0.len()).any(|at| tokens.count(at) == Some(*last))) {
        answer.says += &words::scale_sim(printed);
    }
    if let (Some(plan), Some(hz)) = (plan.filter(|_| array.is_some()), hz) {
        answer.says = words::clocked(&plan, hz, n_named > 0) + &answer.says;
    }
    let further = others.into_iter().take(2).filter_map(|others| {
        let others = Sizes { array, ..others };
        Some((Asked { sizes: others, ..asked.clone() }.answer()?.0, others))
    });
    let mut answers: Vec<(Answer, Sizes)> = further.chain([(answer, asked.sizes)]).collect();
    let are_named = n_named == 3;
    for ((answer, sizes), seconds) in answers.iter_mut().zip(super::shapes::seconds(&tokens)).filter(|_| are_named) {
        let mkn = [sizes.m, sizes.k, sizes.n].map(|size| size.unwrap_or(1));
        answer.says += &crate::words::profile::measured(mkn, seconds, chip);
    }
    let no_format = named.iter().find(|format| format.in_run.is_none()).is_some();
    if no_format {
        answers.iter_mut().for_each(|(answer, _)| answer.says = words::no_block_formats(&answer.says));
    }
    let is_about_digits = tokens.has(DIGITS) && !tokens.has(SPEED);
    let is_long = unknown.len() > 8 && n_named < 3 || unknown.len() > 1 && n_named == 0 && hz.is_none();
    let is_cut = array.is_some_and(|(rows, cols)| rows.max(cols) > ARRAY_MAX);
    let unknown: Vec<&str> = unknown.iter().map(|word| &**word).collect();
    let note = (!unknown.is_empty()).then(|| words::not_used(&unknown));
    let note = if is_cut { Some(words::array_cut(ARRAY_MAX)) } else { note };
    let answers = answers.into_iter().map(|(answer, _)| answer).collect();
    let is_elsewhere = tokens.has(CPU);
    Some(Read { answers, is_certain: !(is_about_digits || is_long || no_format || is_elsewhere), note })
}

/// Maximum number of unknown words of a text that has sizes but does not name a matmul.
const UNKNOWN_MAX: usize = 2;

/// True if a word of a question changes no setting of a run.
fn is_expected(word: &str) -> bool {
    let of_reader = [MATMUL, ARRAY, ONE_ROW, KERNEL, INPUT, CHANNELS];
    crate::words::is_expected(word)
        || crate::stem::is_filler(word)
        || of_reader.iter().any(|words| is_one_of(words, word))
}

/// True if a text compares two sizes of arrays: `from 16x16 to 64x64`.
fn names_two_arrays(text: &str) -> bool {
    let tokens = Tokens::of(text);
    let squares: Vec<Group> =
        groups(&tokens).into_iter().filter(|group| matches!(*group.numbers, [a, b] if a == b)).collect();
    let is_between = |range: core::ops::Range<usize>| {
        range.len() < 5
            && range
                .into_iter()
                .any(|at| is_one_of("to vs versus or than not", tokens.word(at)) || tokens.is_sign(at, '>'))
    };
    tokens.has(ARRAY)
        && squares.windows(2).any(|two| two[0].numbers != two[1].numbers && is_between(two[0].end..two[1].from))
}

/// Returns the number for which the question asks.
fn focus(tokens: &Tokens, has_chip: bool) -> words::Focus {
    if tokens.has("padding padded pad waste wasted wastes ragged") {
        words::Focus::Class(Slot::Padding)
    } else if tokens.has("load loading preload") {
        words::Focus::Class(Slot::Load)
    } else if tokens.has("drain draining") {
        words::Focus::Class(Slot::Drain)
    } else if tokens.has("fill filling skew") {
        words::Focus::Class(Slot::Fill)
    } else if has_chip {
        words::Focus::Chip
    } else {
        words::Focus::Array
    }
}

/// Reads dataflow, overlap and the passes of f32, and marks their words as used.
fn designs(tokens: &mut Tokens, asked: &mut Asked) {
    for at in 0..tokens.0.len() {
        // A hyphen may join the words.
        let next = if tokens.is_sign(at + 1, '-') { at + 2 } else { at + 1 };
        let pair = (tokens.word(at).to_owned(), tokens.word(next).to_owned());
        let (set, used) = match (&*pair.0, &*pair.1) {
            ("ws" | "ws_mesh", _) => (("df", "ws"), 1),
            ("weight" | "weights", "stationary") => (("df", "ws"), 2),
            ("output" | "outputs", "stationary") => (("df", "os"), 2),
            ("input" | "inputs", "stationary") => (("df", "is"), 2),
            ("os" | "os_mesh", _) => (("df", "os"), 1),
            ("df", _) if tokens.is_sign(at + 1, '=') && tokens.word(at + 2) == "is" => (("df", "is"), 3),
            ("double", "buffer" | "buffered" | "buffering") => (("overlap", "double-buffered"), 2),
            ("highest", "precision") | ("precision", "highest") => (("passes", "6"), 2),
            ("high", "precision") => (("passes", "3"), 2),
            ("zero", "padding" | "padded") => (("pad", "zero"), 2),
            _ => continue,
        };
        tokens.mark(at..if used == 2 { next + 1 } else { at + used });
        match set {
            ("df", dataflow) => asked.dataflow = Some(dataflow),
            (name, value) => {
                if name == "passes" {
                    asked.dtype = Some("f32");
                }
                asked.others.push((name, value.to_owned()));
            }
        }
    }
    for at in 1..tokens.0.len() {
        if matches!(tokens.word(at), "pass" | "passes") && matches!(tokens.count(at - 1), Some(3 | 6)) {
            let passes = tokens.count(at - 1).unwrap_or(6).to_string();
            tokens.mark(at - 1..at + 1);
            asked.dtype = Some("f32");
            asked.others.push(("passes", passes));
        }
    }
}

/// Numbers with `x` or `by` between them, or in brackets with commas.
#[derive(Clone, Debug)]
struct Group {
    numbers: Vec<u64>,
    from: usize,
    end: usize,
}

/// Reads all sizes, and marks them as used. If the text has several matmuls, returns the last one first, and then the
/// earlier ones.
fn sizes(tokens: &mut Tokens) -> (Sizes, Vec<Sizes>) {
    let mut sizes = Sizes::default();
    if let Some([m, k, n]) = conv(tokens) {
        (sizes.m, sizes.k, sizes.n) = (m, k, n);
    }
    for group in groups(tokens) {
        tokens.mark(group.from..group.end);
        group_sizes(tokens, &group, &mut sizes);
    }
    joined_pairs(tokens, &mut sizes);
    let others = named_sizes(tokens, &mut sizes);
    if (sizes.m, sizes.k, sizes.n) == (None, None, None) {
        single_size(tokens, &mut sizes);
    }
    (sizes, others)
}

/// Finds groups of two or more numbers that no reader has used.
fn groups(tokens: &Tokens) -> Vec<Group> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.0.len() {
        let free = |at: usize| tokens.get(at).filter(|token| !token.is_used).and_then(|_| tokens.count(at));
        let Some(first) = free(at).filter(|_| tokens.word(at.wrapping_sub(1)) != "t" || at == 0) else {
            at += 1;
            continue;
        };
        let in_brackets = at > 0 && (tokens.is_sign(at - 1, '[') || tokens.is_sign(at - 1, '('));
        // `T(8,128)` is a layout.
        let is_layout = at > 1 && in_brackets && matches!(tokens.word(at - 2), "t");
        let (from, mut end, mut numbers) = (at, at + 1, vec![first]);
        let is_joint =
            |at: usize| tokens.is_sign(at, 'x') || tokens.word(at) == "by" || in_brackets && tokens.is_sign(at, ',');
        while let Some(next) = Some(end).filter(|at| is_joint(*at)).and_then(|at| free(at + 1)) {
            numbers.push(next);
            end += 2;
        }
        if tokens.is_sign(end, '^') && numbers.len() == 1 && tokens.count(end + 1) == Some(3) {
            (numbers, end) = (vec![first; 3], end + 2);
        }
        if numbers.len() > 1 && !is_layout {
            found.push(Group { numbers, from, end });
        }
        at = end;
    }
    found
}

const KERNEL: &str = "filter filters kernel kernels conv convolution";
const INPUT: &str = "ifmap input image map maps feature activation";
const CHANNELS: &str = "channels in_channels cin ic";
const FILTERS: &str = "filters filter out_channels cout oc num_filter num_filters";
/// Maximum side of a kernel, and maximum side of a kernel that is written before its channels: `3x3x64x128`.
const KERNEL_MAX: u64 = 11;
const SMALL_KERNEL: u64 = 5;

/// Reads a convolution as a matmul, and marks its sizes as used: `IFMAP 14x14 filter 3x3 channels 64 num filter 128`.
/// Also reads height, width, input and output channels: `7x7x512x2048`. M is the number of output pixels.
fn conv(tokens: &mut Tokens) -> Option<[Option<u64>; 3]> {
    let all = groups(tokens);
    let named = |names: &str| {
        (0..tokens.0.len()).filter(|at| is_one_of(names, tokens.word(*at))).find_map(|at| {
            let skip = usize::from(tokens.is_sign(at + 1, '=') || tokens.is_sign(at + 1, ':'));
            let number = at + 1 + skip;
            let behind = tokens.count(number).filter(|_| !tokens.is_sign(number + 1, 'x'));
            let before = at.checked_sub(1).and_then(|at| tokens.count(at)).filter(|_| !tokens.is_sign(at - 2, 'x'));
            before.or(behind)
        })
    };
    let near = |names: &str, after: usize| {
        let is = |group: &&Group| group.numbers.len() == 2 && is_near(tokens, group, names, 2, after);
        all.iter().find(is)
    };
    let is_layer = |group: &&Group| {
        (group.numbers.len() == 4 || group.numbers.len() == 3 && named(FILTERS).is_some())
            && !tokens.has("torus topology mesh pod")
    };
    let input = all
        .iter()
        .find(is_layer)
        .or_else(|| Some(near(INPUT, 0)?).filter(|_| tokens.has(KERNEL) && named(CHANNELS).is_some()))?;
    let kernel = near(KERNEL, 0)
        .or_else(|| near(KERNEL, 1))
        .filter(|group| group.numbers.iter().all(|side| (1..=KERNEL_MAX).contains(side)));
    let kernel_size = named("kernel_size").map_or((1, 1), |side| (side, side));
    let (r, s) = kernel.map_or(kernel_size, |group| (group.numbers[0], group.numbers[1]));
    let stride = named("stride strides").unwrap_or(1).max(1);
    let (h, w, channels, filters) = match *input.numbers {
        [n, h, w, channels] if h == w && n != h => (n * h, w, channels, named(FILTERS)?),
        [h, w, channels, filters] => (h, w, channels, filters),
        [h, w, channels] => (h, w, channels, named(FILTERS)?),
        // SCALE-Sim adds no padding to the input.
        [h, w] => (h.checked_sub(r)? / stride + 1, w.checked_sub(s)? / stride + 1, named(CHANNELS)?, named(FILTERS)?),
        _ => return None,
    };
    let ranges: Vec<_> = [Some(input), kernel].into_iter().flatten().map(|group| group.from..group.end).collect();
    ranges.into_iter().for_each(|range| tokens.mark(range));
    let product = |numbers: &[u64]| numbers.iter().try_fold(1_u64, |all, number| all.checked_mul(*number));
    if h.max(w) <= SMALL_KERNEL && input.numbers.len() == 4 {
        return Some([None, product(&[h, w, channels]), Some(filters)]);
    }
    // A stride of 4 visits every fourth pixel.
    let pixels = if input.numbers.len() == 2 { [h, w] } else { [h.div_ceil(stride), w.div_ceil(stride)] };
    Some([product(&pixels), product(&[r, s, channels]), Some(filters)])
}

/// True if one of the words is at most `before` tokens before a group, or at most `after` tokens after the group.
fn is_near(tokens: &Tokens, group: &Group, words: &str, before: usize, after: usize) -> bool {
    let start = group.from.saturating_sub(before);
    (start..group.from).chain(group.end..group.end + after).any(|at| is_one_of(words, tokens.word(at)))
}

fn group_sizes(tokens: &Tokens, group: &Group, sizes: &mut Sizes) {
    let is_of_array = || is_near(tokens, group, ARRAY, 2, 3) && !is_near(tokens, group, MATMUL, 1, 1);
    match *group.numbers {
        [m, k, n] if sizes.m.is_none() => {
            let order = order_of(tokens);
            for (axis, size) in order.into_iter().zip([m, k, n]) {
                sizes.set(axis, size);
            }
        }
        [k, n] if sizes.k.is_none() && tokens.has(ONE_ROW) && is_near(tokens, group, ONE_ROW, 3, 3) => {
            (sizes.k, sizes.n) = (Some(k), Some(n));
        }
        [rows, cols] if sizes.array.is_none() && is_of_array() => sizes.array = Some((rows, cols)),
        [side, other] if side == other && sizes.m.is_none() && is_near(tokens, group, MATMUL, 3, 2) => {
            // A second pair of the same matrices changes nothing.
            (sizes.m, sizes.k, sizes.n) = (Some(side), Some(side), Some(side));
        }
        [rows, cols]
            if sizes.array.is_none() && tokens.has(SPEED) && tokens.has(ARRAY) && !is_joined(tokens, group) =>
        {
            sizes.array = Some((rows, cols));
        }
        _ => {}
    }
}

/// True if a sign or a word before or after a pair of sizes joins it with another matrix: `512x1024 @ 1024x256`.
fn is_joined(tokens: &Tokens, group: &Group) -> bool {
    let joint = |at: usize| {
        tokens.is_sign(at, '@')
            || tokens.is_sign(at, 'x')
            || matches!(tokens.word(at), "by" | "and" | "times" | "with" | "x")
    };
    let brackets = |at: usize| {
        tokens.is_sign(at, ')') || tokens.is_sign(at, ']') || tokens.is_sign(at, '(') || tokens.is_sign(at, '[')
    };
    let after = (group.end..tokens.0.len()).find(|at| !brackets(*at));
    let before = (0..group.from).rev().find(|at| !brackets(*at));
    after.is_some_and(joint) || before.is_some_and(joint)
}

/// Sets M, K and N from two pairs with a common side: `512x1024 @ 1024x256`.
fn joined_pairs(tokens: &Tokens, sizes: &mut Sizes) {
    let pairs: Vec<[u64; 2]> = pairs(tokens);
    if (sizes.m, sizes.n) != (None, None) && sizes.m != sizes.n {
        return;
    }
    if let Some(pair) =
        pairs.windows(2).find(|pair| pair[0][1] == pair[1][0] && Some((pair[0][0], pair[0][1])) != sizes.array)
    {
        (sizes.m, sizes.k, sizes.n) = (Some(pair[0][0]), Some(pair[0][1]), Some(pair[1][1]));
    }
}

/// All pairs of sizes, in the order of the text.
fn pairs(tokens: &Tokens) -> Vec<[u64; 2]> {
    let mut found = Vec::new();
    for at in 1..tokens.0.len().saturating_sub(1) {
        let in_brackets = at > 1 && (tokens.is_sign(at - 2, '[') || tokens.is_sign(at - 2, '('));
        let is_joint = tokens.is_sign(at, 'x') || tokens.word(at) == "by" || in_brackets && tokens.is_sign(at, ',');
        if let (true, Some(a), Some(b)) = (is_joint, tokens.count(at - 1), tokens.count(at + 1)) {
            found.push([a, b]);
        }
    }
    found
}

/// Order of three sizes: M, K, N, unless the text names another order.
fn order_of(tokens: &Tokens) -> [char; 3] {
    let names: Vec<char> = tokens
        .0
        .iter()
        .filter_map(|token| {
            let mut letters = token.text.chars();
            letters.next().filter(|letter| letters.next().is_none() && "mkn".contains(*letter))
        })
        .collect();
    let has = |word: &str| tokens.0.iter().any(|token| token.text == word);
    match *names {
        [a, b, c, ..] if a != b && b != c && a != c => [a, b, c],
        _ if has("mnk") || has("mxnxk") => ['m', 'n', 'k'],
        _ => ['m', 'k', 'n'],
    }
}

/// Reads sizes with a name: `K = 100`, `M=K=N=4096`, `rows=8`, `batch size 1`. If the text has several matmuls, `sizes`
/// gets the last one, and the earlier ones are returned.
fn named_sizes(tokens: &mut Tokens, sizes: &mut Sizes) -> Vec<Sizes> {
    let mut others = Vec::new();
    let mut named: Vec<char> = Vec::new();
    let mut at = 0;
    while at < tokens.0.len() {
        let from = at;
        let mut axes = Vec::new();
        while let Some(axis) = axis_of(tokens.word(at)) {
            axes.push(axis);
            let is_joint = |at: usize| ['=', ':', ',', '/'].iter().any(|sign| tokens.is_sign(at, *sign));
            let is_size = |at: usize| matches!(tokens.word(at), "size" | "of" | "is" | "dim" | "dimension" | "and");
            at += 1;
            while is_joint(at) || is_size(at) {
                at += 1;
            }
        }
        match tokens.count(at).filter(|_| !axes.is_empty() && tokens.get(at).is_some_and(|token| !token.is_used)) {
            Some(size) => {
                for axis in axes {
                    if named.contains(&axis) && ['m', 'k', 'n'].iter().all(|axis| named.contains(axis)) {
                        others.push(*sizes);
                        named.clear();
                    }
                    named.push(axis);
                    sizes.set(axis, size);
                }
                at += 1;
                tokens.mark(from..at);
            }
            None => at = at.max(from + 1),
        }
    }
    let one_row = (0..tokens.0.len()).find(|at| {
        matches!((tokens.word(*at), tokens.word(at + 1)), ("one" | "single", "row" | "token" | "vector"))
            || is_one_of(ONE_ROW, tokens.word(*at))
            || tokens.count(*at) == Some(1) && matches!(tokens.word(at + 1), "row" | "token")
    });
    if let Some(at) = one_row.filter(|_| sizes.m.is_none()) {
        sizes.m = Some(1);
        tokens.mark(at..at + 2);
    }
    others
}

/// Letter of a size: m, k or n, and r or c for rows or columns of the array.
fn axis_of(word: &str) -> Option<char> {
    Some(match word {
        "m" | "batch" | "bs" => 'm',
        "k" | "contraction" | "inner" => 'k',
        "n" => 'n',
        "rows" | "ms_rows" | "arrayheight" | "array_height" => 'r',
        "cols" | "columns" | "ms_cols" | "arraywidth" | "array_width" => 'c',
        _ => return None,
    })
}

/// Reads a matmul with three equal sizes, given as one number: `matmul 4096`, `4096 matmul`.
fn single_size(tokens: &mut Tokens, sizes: &mut Sizes) {
    let is_free = |at: usize| tokens.get(at).is_some_and(|token| !token.is_used && token.part != Part::Word);
    let found = (0..tokens.0.len()).find(|at| {
        let is_near = is_one_of(MATMUL, tokens.word(at + 1)) || *at > 0 && is_one_of(MATMUL, tokens.word(at - 1));
        is_near && is_free(*at) && tokens.count(*at).is_some_and(|size| size > 1)
    });
    if let Some((at, size)) = found.and_then(|at| Some((at, tokens.count(at)?))) {
        tokens.mark(at..at + 1);
        (sizes.m, sizes.k, sizes.n) = (Some(size), Some(size), Some(size));
    }
}

impl Sizes {
    fn set(&mut self, axis: char, size: u64) {
        match axis {
            'm' => self.m = Some(size),
            'k' => self.k = Some(size),
            'n' => self.n = Some(size),
            'r' => self.array = Some((size, self.array.map_or(size, |(_, cols)| cols))),
            _ => self.array = Some((self.array.map_or(size, |(rows, _)| rows), size)),
        }
    }
}

/// Largest side of an array.
const ARRAY_MAX: u64 = 1024;
/// Largest side of a matmul that runs on a small array if no array is named.
const SMALL: u64 = 16;
/// Sides of the array if neither an array nor a chip with arrays is named.
const SMALL_ARRAY: u64 = 4;
const USUAL_ARRAY: u64 = 128;

impl Asked {
    /// Returns the rows and columns of the array: the asked array, or an array of the chip.
    fn array(&self) -> (u64, u64) {
        let of_chip = || match &self.chip?.compute {
            Compute::Arrays { rows, cols, .. } => Some((rows.value?.into(), cols.value?.into())),
            Compute::TensorCores { .. } | Compute::Unknown(_) => None,
        };
        let Sizes { array, m, k, n } = self.sizes;
        let longest = [m, k, n].into_iter().flatten().max().unwrap_or(USUAL_ARRAY);
        let side = if longest <= SMALL && self.chip.is_none() { SMALL_ARRAY } else { USUAL_ARRAY };
        array.or_else(of_chip).unwrap_or((side, side))
    }

    /// Returns the answer that shows a run, and this run. If the array cannot run the matmul, the answer is an estimate
    /// on a chip, without a run. `None` if neither is possible.
    pub(super) fn answer(&self) -> Option<(Answer, Option<Plan>)> {
        let (rows, cols) = self.array();
        let (rows, cols) = (rows.clamp(1, ARRAY_MAX), cols.clamp(1, ARRAY_MAX));
        let Sizes { m, k, n, .. } = self.sizes;
        // A missing size fills the array once.
        let (k, n) = (k.unwrap_or(rows), n.unwrap_or(cols));
        let m = m.unwrap_or_else(|| rows.max(cols));
        let is_integer = self.chip.is_some_and(|chip| chip.id == "tpu-v1");
        let usual = if is_integer || (rows <= SMALL_ARRAY && self.chip.is_none()) { "int8" } else { "bf16" };
        let dtype = self.dtype.unwrap_or(usual);
        let mut query = format!("?rows={rows}&cols={cols}&m={m}&k={k}&n={n}");
        let dataflow = self.dataflow.map(|dataflow| ("df", dataflow.to_owned()));
        let chip = self.chip.map(|chip| ("chip", chip.id.to_owned()));
        for (name, value) in
            dataflow.into_iter().chain([("dt", dtype.to_owned())]).chain(chip).chain(self.others.clone())
        {
            query += &format!("&{name}={value}");
        }
        let link = Link::parse(&query, "");
        let plan = Plan::new(&link.scenario).ok().filter(|_| link.notices.is_empty());
        let Some(plan) = plan else { return Some((self.on_chip([m, k, n], dtype)?, None)) };
        if let words::Focus::Class(slot) = self.focus {
            query += &format!("&class={}", slot.id());
        }
        // The middle of a fold shows PEs that multiply; a fold begins by loading.
        let (schedule, n_folds) = (plan.schedule(), plan.schedule().folds());
        let begun = schedule.fold_start(n_folds / 2).get();
        let fold_cycles = schedule.cycles().get() / n_folds.max(1);
        query += &format!("&t={}", (begun + fold_cycles / 2).min(schedule.cycles().get() - 1));
        let title = words::title([m, k, n], dtype, (rows, cols), self.chip, self.dataflow);
        let says = words::says(&plan, self.focus, self.chip.is_some());
        Some((Answer { kind: Kind::Run, title, says, target: Target::Link(query) }, Some(plan)))
    }

    /// Returns the estimate of a matmul that is too large for a run. `None` if the matmul is also too large for an
    /// estimate.
    fn on_chip(&self, [m, k, n]: [u64; 3], dtype: &'static str) -> Option<Answer> {
        const SIDE_MAX: u64 = 1 << 20;
        if [m, k, n].iter().any(|size| !(1..=SIDE_MAX).contains(size)) {
            return None;
        }
        let chip = self.chip.or_else(|| Chip::by_id("tpu-v4"))?;
        let format = Field::Dtype.read(dtype).ok()?;
        let studio::FieldValue::Dtype(dtype) = format else { return None };
        let format = studio::chip_format(dtype, perfmodel::F32Passes::One);
        let on = perfmodel::gemm_time::ProductOnChip::new(chip, format, perfmodel::GemmSizes { m, k, n });
        let query = format!("model=product&m={m}&k={k}&n={n}&chip={}&dtype={}", chip.id, format.dtype.word());
        let target = super::estimate(&query);
        let title = words::title_on_chip([m, k, n], format.dtype.word(), chip);
        Some(Answer { kind: Kind::Model, title, says: words::too_large(on.ok().as_ref(), chip), target })
    }
}
