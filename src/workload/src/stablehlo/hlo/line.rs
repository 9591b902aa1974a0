//! One line of a module: an instruction with its shape, operands and attributes.

/// An instruction: `ROOT %dot.1 = f32[2,4]{1,0} dot(%a, %b), lhs_contracting_dims={1}`.
#[derive(Clone, Debug)]
pub(super) struct Instruction<'a> {
    pub(super) name: &'a str,
    pub(super) is_root: bool,
    /// Sizes of the result, or of the first result of several.
    pub(super) dims: Option<Vec<u64>>,
    pub(super) op: &'a str,
    /// Text between the parentheses.
    pub(super) inside: &'a str,
    pub(super) attributes: &'a str,
}

/// An operand, with its sizes if the text repeats them.
#[derive(Clone, Debug)]
pub(super) struct Operand<'a> {
    pub(super) name: &'a str,
    pub(super) dims: Option<Vec<u64>>,
}

impl<'a> Instruction<'a> {
    pub(super) fn parse(line: &'a str) -> Option<Self> {
        let (is_root, line) = line.strip_prefix("ROOT ").map_or((false, line), |line| (true, line));
        let (name, rest) = line.split_once(" = ")?;
        // A tuple has its shapes in parentheses.
        let shape_end = match rest.strip_prefix('(') {
            Some(_) => closing(rest)?,
            None => rest.find(' ')?,
        };
        let (shape, rest) = rest.split_at(shape_end);
        let rest = rest.trim_start();
        let at = rest.find('(')?;
        let (op, rest) = rest.split_at(at);
        let end = closing(rest)?;
        let (inside, attributes) = rest.split_at(end);
        let inside = inside.get(1..inside.len().checked_sub(1)?)?;
        Some(Self { name: name.trim_start_matches('%'), is_root, dims: dims(shape), op, inside, attributes })
    }

    pub(super) fn operands(&self) -> Vec<Operand<'a>> {
        let (mut all, mut depth, mut start) = (Vec::new(), 0usize, 0);
        let mut add = |text: &'a str| {
            let text = text.trim();
            let name = text.rsplit(' ').next().unwrap_or(text).trim_start_matches('%');
            if all.len() < 64 && !name.is_empty() {
                all.push(Operand { name, dims: dims(text).filter(|_| text.contains(' ')) });
            }
        };
        for (at, sign) in self.inside.char_indices() {
            match sign {
                '(' | '{' | '[' => depth += 1,
                ')' | '}' | ']' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => {
                    add(self.inside.get(start..at).unwrap_or(""));
                    start = at + 1;
                }
                _ => {}
            }
        }
        add(self.inside.get(start..).unwrap_or(""));
        all
    }
}

/// Position after the parenthesis that closes the first one. Text in quotation marks has no parentheses.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'(' => depth += 1,
            b')' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Sizes of the first array type in a text: `f32[8,16]{1,0}`.
fn dims(text: &str) -> Option<Vec<u64>> {
    let (_, rest) = text.split_once('[')?;
    let inner = rest.split_once(']')?.0;
    let sizes = inner.split(',').map(|size| size.trim_start_matches("<=").trim()).filter(|size| !size.is_empty());
    sizes.take(32).map(|size| size.parse().ok()).collect()
}

/// Text after a key.
pub(super) fn after<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.split_once(key).map(|(_, rest)| rest)
}

/// Digits at the beginning of a text.
pub(super) fn digits(text: &str) -> &str {
    let end = text.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(text.len());
    text.get(..end).unwrap_or("")
}

fn name(text: &str) -> &str {
    let text = text.trim_start_matches('%');
    let end = text.find(|sign: char| !(sign.is_ascii_alphanumeric() || "_.-$".contains(sign))).unwrap_or(text.len());
    text.get(..end).unwrap_or("")
}

/// Name of the computation after a key.
pub(super) fn name_after<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    after(text, key).map(name).filter(|name| !name.is_empty())
}

/// Text in quotation marks after a key.
pub(super) fn quoted<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    after(text, key)?.strip_prefix('"')?.split_once('"').map(|(inner, _)| inner)
}

/// Names of the branches of a `conditional`.
pub(super) fn names(text: &str) -> Vec<&str> {
    if let Some(inner) = after(text, "branch_computations={").and_then(|rest| rest.split_once('}')) {
        return inner.0.split(',').map(|part| name(part.trim())).filter(|name| !name.is_empty()).take(64).collect();
    }
    ["true_computation=", "false_computation="].iter().filter_map(|key| name_after(text, key)).collect()
}

/// Number of trips that XLA has found for a loop: `"known_trip_count":{"n":"5"}`.
pub(super) fn trip_count(text: &str) -> Option<i64> {
    let rest = after(text, "\"known_trip_count\"")?;
    digits(after(rest, "\"n\":\"")?).parse().ok()
}

/// Number of devices of the mesh in the header of a module: `#sdy.mesh<["x"=8, "y"=2]>`.
pub(super) fn mesh(text: &str) -> Option<u64> {
    let inner = after(text, "sdy.mesh<[")?.split_once(']')?.0;
    inner
        .split('=')
        .skip(1)
        .map(|part| digits(part).parse::<u64>().ok())
        .try_fold(1u64, |all, size| all.checked_mul(size?))
}

/// Number of devices of a sharding: `sharding={devices=[8,1]<=[8]}`.
pub(super) fn devices(text: &str) -> Option<u64> {
    let rest = after(text, "sharding={devices=[")?;
    let sizes = rest.split_once(']')?.0;
    let all = sizes.split(',').map(|size| size.trim().parse::<u64>().ok());
    all.into_iter().try_fold(1u64, |all, size| all.checked_mul(size?))
}

/// Numbers in braces or brackets after a key: `lhs_contracting_dims={1}`, or `"lhs_contracting_dimensions":["1"]`.
fn list(text: &str, keys: [&str; 2]) -> Vec<usize> {
    let inner = keys.iter().find_map(|key| after(text, key)?.split_once(['}', ']'])).map_or("", |(inner, _)| inner);
    inner.split(',').map(|part| part.trim_matches(['"', ' '])).filter_map(|part| part.parse().ok()).take(32).collect()
}

/// Returns M, K, N and the number of batches of a `dot`.
pub(super) fn dot(attributes: &str, operands: &[Option<Vec<u64>>]) -> Option<[u64; 4]> {
    let [Some(left), Some(right), ..] = operands else { return None };
    let side = |side: &str, kind: &str| {
        let own = format!("{side}_{kind}_dims={{");
        let quoted = format!("\"{side}_{kind}_dimensions\":[");
        list(attributes, [&own, &quoted])
    };
    let (left_k, right_k) = (side("lhs", "contracting"), side("rhs", "contracting"));
    let (left_batch, right_batch) = (side("lhs", "batch"), side("rhs", "batch"));
    let size = |shape: &[u64], dims: &[usize]| {
        dims.iter().map(|&at| shape.get(at).copied()).try_fold(1u64, |all, size| all.checked_mul(size?))
    };
    let rest = |shape: &[u64], gone: [&[usize]; 2]| {
        let own = shape.iter().enumerate().filter(|(at, _)| !gone.iter().any(|dims| dims.contains(at)));
        own.map(|(_, size)| *size).try_fold(1u64, u64::checked_mul)
    };
    let (k, batches) = (size(left, &left_k)?, size(left, &left_batch)?);
    let same = size(right, &right_k)? == k && size(right, &right_batch)? == batches;
    let sizes = [rest(left, [&left_batch, &left_k])?, k, rest(right, [&right_batch, &right_k])?, batches];
    same.then_some(sizes)
}

/// Returns M, K, N and the number of groups of a convolution, by im2col. On TPUs, XLA also writes matmuls as convolutions;
/// a batch of them is then a dimension of the window that meets one element in each position.
pub(super) fn convolution(it: &Instruction<'_>, operands: &[Option<Vec<u64>>]) -> Option<[u64; 4]> {
    let [Some(image), Some(kernel), ..] = operands else { return None };
    let out = it.dims.as_ref()?;
    // b01f_01io->b01f
    let labels = after(it.attributes, "dim_labels=")?;
    let labels = plain::first_part(labels, &[' ', ',', '\n']);
    let (sides, out_labels) = labels.split_once("->")?;
    let (image_labels, kernel_labels) = sides.split_once('_')?;
    let place = |labels: &str, wanted: char| labels.chars().position(|label| label == wanted);
    let filters = *kernel.get(place(kernel_labels, 'o')?)?;
    let channels = *kernel.get(place(kernel_labels, 'i')?)?;
    let features = *out.get(place(out_labels, 'f')?)?;
    let group = |key: &str| after(it.attributes, key).and_then(|text| digits(text).parse::<u64>().ok()).unwrap_or(1);
    let groups = group("feature_group_count=").checked_mul(group("batch_group_count="))?;
    if filters != features || groups == 0 || filters % groups != 0 {
        return None;
    }
    let window = Window::of(it.attributes);
    let (mut rows, mut taps, mut batches) = (*out.get(place(out_labels, 'b')?)?, 1u64, 1u64);
    for at in 0..out.len().checked_sub(2)? {
        let label = char::from_digit(u32::try_from(at).ok()?, 10)?;
        let input = *image.get(place(image_labels, label)?)?;
        let taps_here = *kernel.get(place(kernel_labels, label)?)?;
        let positions = *out.get(place(out_labels, label)?)?;
        if taps_here > 1 && window.is_one_to_one(at, input, taps_here, positions) {
            batches = batches.checked_mul(positions)?;
        } else {
            rows = rows.checked_mul(positions)?;
            taps = taps.checked_mul(taps_here)?;
        }
    }
    Some([rows, taps.checked_mul(channels)?, filters / groups, groups.checked_mul(batches)?])
}

/// Window of a convolution: `window={size=3x3 stride=2x2 pad=1_1x1_1 lhs_dilate=1x1 rhs_reversal=0x0}`.
struct Window<'a> {
    text: &'a str,
}

impl<'a> Window<'a> {
    fn of(attributes: &'a str) -> Self {
        let text = after(attributes, "window={").and_then(|rest| rest.split_once('}')).map_or("", |(inner, _)| inner);
        Self { text }
    }

    fn number(&self, key: &str, at: usize, missing: i64) -> i64 {
        let list = self.text.split(' ').find_map(|part| part.strip_prefix(key)?.strip_prefix('='));
        let own = list.and_then(|list| list.split('x').nth(at));
        own.and_then(|own| own.split('_').next()?.parse().ok()).unwrap_or(missing)
    }

    /// True if each position meets exactly one element of the input outside of the padding.
    fn is_one_to_one(&self, at: usize, input: u64, taps: u64, positions: u64) -> bool {
        let dilation = self.number("lhs_dilate", at, 1);
        let (stride, low) = (self.number("stride", at, 1), self.number("pad", at, 0));
        let step = self.number("rhs_dilate", at, 1);
        let (Ok(input), Ok(taps), Ok(positions)) =
            (i64::try_from(input), i64::try_from(taps), i64::try_from(positions))
        else {
            return false;
        };
        if dilation < 1 || taps.saturating_mul(positions) > 1 << 16 {
            return false;
        }
        let meets = |position: i64| {
            let place = |tap: i64| position * stride + tap * step - low;
            let is_element =
                |tap: &i64| place(*tap) >= 0 && place(*tap) % dilation == 0 && place(*tap) / dilation < input;
            (0..taps).filter(is_element).count()
        };
        (0..positions).all(|position| meets(position) == 1)
    }
}
