//! Texts of the PE sheet, which shows one PE. The sheet has the registers with the origin and destination of their
//! contents, the sum term by term, and the numbers in bits.

use super::block;
use super::caption::{pe_name, place};
use super::pe::{bracketed, factor};
use display::number::{grouped, significant};
use studio::Plan;
use studio::value_text::full;
use systolic::{Cycle, Dtype, Edge, Element, Next, Operand, PeId, Probe, Register, Rule, Value};

/// Content of one register of the PE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Name of the register.
    pub register: &'static str,
    /// Content of the register: a matrix element or a partial sum, with its value.
    pub holds: String,
    /// Origin of the content.
    pub from: String,
    /// Destination of the content in the next cycles.
    pub next: String,
}

/// Returns the registers of a PE at up to 13 cycles: `cycle`, and up to six cycles before and after `cycle`.
#[must_use]
pub fn around(plan: &Plan, cycle: Cycle, pe: PeId) -> Vec<(Cycle, Probe)> {
    let (from, to) = (cycle.get().saturating_sub(HISTORY), (cycle.get() + HISTORY).min(plan.last().get()));
    (from..=to).map(Cycle).zip(plan.prober().during(from..=to, pe)).collect()
}

/// Returns the non-empty registers of a PE.
#[must_use]
pub fn registers(plan: &Plan, cycle: Cycle, probe: &Probe) -> Vec<Line> {
    let pe = probe.pe;
    let operands = [
        ("stationary", Register::Held, probe.held),
        ("shadow", Register::Shadow, probe.shadow),
        ("going east", Register::East, probe.east),
        ("going south", Register::South, probe.south),
    ];
    let holds = |element: &Element| format!("{} = {}", place(element), full(element.value));
    let mut lines: Vec<Line> = operands
        .into_iter()
        .filter_map(|(name, register, element)| Some((name, register, element?)))
        .map(|(name, register, element)| Line {
            register: name,
            holds: holds(&element),
            from: origin(plan, cycle, pe, register),
            next: next(plan, cycle, pe, register),
        })
        .collect();
    if let Some(sum) = probe.sum {
        lines.push(Line {
            register: "sum",
            holds: format!(
                "{4}: {0} of {1} terms of c[{2},{3}]",
                sum.terms,
                sum.terms_max,
                sum.row,
                sum.col,
                full(sum.value)
            ),
            from: sum
                .before
                .map_or_else(|| "starts here".to_owned(), |before| format!("{} plus this product", full(before))),
            next: next(plan, cycle, pe, Register::Sum),
        });
    }
    if let Some(sum) = probe.drained {
        lines.push(Line {
            register: "output buffer",
            holds: format!("c[{},{}] = {}", sum.row, sum.col, full(sum.value)),
            from: "the previous fold".to_owned(),
            next: "shifts south".to_owned(),
        });
    }
    lines
}

fn edge(edge: Edge) -> &'static str {
    match edge {
        Edge::West => "west",
        Edge::North => "north",
        Edge::South => "south",
    }
}

fn origin(plan: &Plan, cycle: Cycle, pe: PeId, register: Register) -> String {
    plan.schedule().origin(cycle, pe, register).map_or_else(String::new, |origin| {
        let port = match origin.edge {
            Edge::West => "row",
            Edge::North | Edge::South => "column",
        };
        format!("the {} edge, {port} {}, in cycle {}", edge(origin.edge), origin.port, grouped(origin.cycle.get()))
    })
}

fn next(plan: &Plan, cycle: Cycle, pe: PeId, register: Register) -> String {
    match plan.schedule().next(cycle, pe, register) {
        None => String::new(),
        Some(Next::Stays) => "stays".to_owned(),
        Some(Next::Moves { to, at }) => format!("{} in cycle {}", pe_name(to), grouped(at.get())),
        Some(Next::IsTakenOver { at }) => format!("becomes the stationary value in cycle {}", grouped(at.get())),
        Some(Next::Leaves { through: Some(through), at }) => {
            format!("leaves through the {} edge in cycle {}", edge(through), grouped(at.get()))
        }
        Some(Next::Leaves { through: None, at }) => format!("is read in place before cycle {}", grouped(at.get())),
        Some(Next::IsDropped) => "is dropped: no other PE needs it".to_owned(),
    }
}

/// Maximum number of terms that [`terms`] writes. For a longer sum, [`terms`] writes only the first and the last terms.
const TERMS_MAX: usize = 64;

/// Returns the terms of the sum in a PE, in the order of adding. Each term has its product (`a[3,1] · b[1,5] = 8 ×
/// (−3)`), the PE, and the cycle.
#[must_use]
pub fn terms(plan: &Plan, cycle: Cycle, pe: PeId) -> Vec<[String; 3]> {
    let terms = plan.schedule().terms(cycle, pe);
    let skipped = terms.len().saturating_sub(TERMS_MAX);
    let prober = plan.prober();
    let mut lines: Vec<[String; 3]> = Vec::new();
    for (nth, term) in terms.iter().enumerate() {
        if skipped > 0 && nth == TERMS_MAX / 2 {
            lines.push([format!("… {} more …", grouped(skipped as u64)), String::new(), String::new()]);
        }
        if skipped > 0 && nth >= TERMS_MAX / 2 && nth < TERMS_MAX / 2 + skipped {
            continue;
        }
        let [a, b] = [Operand::A, Operand::B].map(|operand| {
            let (row, col) = term.mkn.of(operand);
            prober.element(operand, row, col)
        });
        let text = format!("{} · {} = {} × {}", place(&a), place(&b), factor(a.value), factor(b.value));
        lines.push([text, pe_name(term.pe), grouped(term.cycle.get())]);
    }
    lines
}

/// A number and its bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bits {
    /// Role of the number in the multiply-accumulate, such as "product".
    pub name: &'static str,
    /// Exact value of the number.
    pub value: String,
    /// Bits of sign, exponent and fraction. An integer has all its bits in the last part, byte by byte.
    pub parts: [String; 3],
    /// All bits as a hexadecimal number.
    pub code: String,
}

/// Returns the multiply-accumulate of a PE in bits: both operands, the product, and the sum before and after the
/// addition. Empty if the PE does not multiply.
#[must_use]
pub fn bits(plan: &Plan, probe: &Probe) -> Vec<Bits> {
    let (Some(_), Some(sum), Some(east), Some(other)) = (probe.mac, probe.sum, probe.east, probe.held.or(probe.south))
    else {
        return Vec::new();
    };
    let dtype = plan.dtype();
    let wide = if dtype.is_integer() { None } else { Some(Dtype::F32) };
    let product = product(east.value, other.value);
    let mut lines = vec![
        in_bits("from the west", east.value, Some(dtype)),
        in_bits(if probe.held.is_some() { "stationary" } else { "from the north" }, other.value, Some(dtype)),
        in_bits("product", product, wide),
    ];
    lines.extend(sum.before.map(|before| in_bits("sum before", before, wide)));
    // The adder of a chip rounds only whole blocks of products. The block may still be open, so the name is not "sum,
    // rounded".
    let name = if plan.unit().rule().is_some() { "sum as f32" } else { "sum, rounded" };
    lines.push(in_bits(name, sum.value, wide));
    lines
}

/// Returns the steps of a PE within one cycle: present the operands, multiply, add and round, latch. Empty if the PE
/// does not multiply.
#[must_use]
pub fn steps(plan: &Plan, probe: &Probe) -> Vec<[String; 2]> {
    let (Some(_), Some(sum), Some(east), Some(other)) = (probe.mac, &probe.sum, probe.east, probe.held.or(probe.south))
    else {
        return Vec::new();
    };
    let product = exact(product(east.value, other.value));
    let before = sum.before.map_or_else(|| "0".to_owned(), exact);
    let presented = format!("{} = {} and {} = {}", place(&east), full(east.value), place(&other), full(other.value));
    // The first product is exact in the accumulator's format, or rounded to it.
    let rounds = match plan.unit().rule() {
        _ if plan.dtype().is_integer() => "exact",
        None => "rounded to nearest, ties to even",
        Some(_) if block::is_open(plan, sum) => "open: rounded later, with the other products of the block",
        Some(Rule::Exact { .. }) => "the block rounded to nearest, ties to even",
        Some(Rule::Truncated { .. }) => "the block cut toward zero",
    };
    [
        ("present", presented),
        ("multiply", format!("{} × {} = {product}", factor(east.value), factor(other.value))),
        ("add and round", format!("{before} + {} → {} ({rounds})", bracketed(product), exact(sum.value))),
        (
            "latch",
            format!("c[{},{}] = {}, {} of {} terms", sum.row, sum.col, full(sum.value), sum.terms, sum.terms_max),
        ),
    ]
    .map(|(step, does)| [step.to_owned(), does])
    .into()
}

/// Number of cycles that the history of a PE shows on each side of the current cycle.
const HISTORY: u64 = 6;

/// Returns the history of a PE around a cycle, one row per cycle: the cycle, the activity, the multiply-accumulate, the
/// sum. The flag is true for the row of `cycle`.
#[must_use]
pub fn history(cycle: Cycle, around: &[(Cycle, Probe)]) -> Vec<(bool, [String; 4])> {
    let line = |(at, probe): &(Cycle, Probe)| {
        let operands = probe.east.zip(probe.held.or(probe.south)).filter(|_| probe.mac.is_some());
        let mac = operands.map_or_else(String::new, |(x, w)| format!("{} · {}", place(&x), place(&w)));
        let sum = probe.sum.map_or_else(String::new, |sum| full(sum.value));
        let does = super::bench::activity(probe.activity).to_owned();
        (*at == cycle, [grouped(at.get()), does, mac, sum])
    };
    around.iter().map(line).collect()
}

fn product(x: Value, w: Value) -> Value {
    match (x, w) {
        (Value::Int(x), Value::Int(w)) => Value::Int(x.wrapping_mul(w)),
        (x, w) => Value::Float(float(x) * float(w)),
    }
}

fn float(value: Value) -> f32 {
    match value {
        Value::Float(float) => float,
        Value::Int(_) => 0.0,
    }
}

/// Returns a value and its bits in a format. Without a format, a float has the bits of f32 and an integer has 32 bits.
fn in_bits(name: &'static str, value: Value, dtype: Option<Dtype>) -> Bits {
    let format = dtype.and_then(Dtype::float);
    let (code, [sign, exponent, fraction]) = match (value, format) {
        (Value::Float(float), Some(format)) => {
            (format.code(f64::from(float)), [1, format.exponent_bits, format.fraction_bits])
        }
        (Value::Float(float), None) => (float.to_bits(), [1, 8, 23]),
        (Value::Int(int), _) => {
            let width = dtype.map_or(32, |dtype| u32::try_from(dtype.bits()).unwrap_or(32));
            let all = int.cast_unsigned();
            (if width < 32 { all & ((1 << width) - 1) } else { all }, [0, 0, width])
        }
    };
    let width = sign + exponent + fraction;
    // An integer of four bytes is wider than the table. With a space after each byte, it can wrap.
    let is_split = |left: u32| sign == 0 && left > 0 && left.is_multiple_of(8);
    let part = |from: u32, n: u32| -> String {
        (0..n)
            .flat_map(|bit| {
                let digit = if code >> (from + n - 1 - bit) & 1 == 1 { '1' } else { '0' };
                [Some(digit), is_split(n - 1 - bit).then_some(' ')].into_iter().flatten()
            })
            .collect()
    };
    Bits {
        name,
        value: exact(value),
        parts: [part(width - sign, sign), part(fraction, exponent), part(0, fraction)],
        code: format!("0x{code:0digits$x}", digits = width.div_ceil(4) as usize),
    }
}

/// Returns the text of a value. A float has nine significant digits, enough to distinguish every f32 from its
/// neighbors.
fn exact(value: Value) -> String {
    match value {
        Value::Float(float) if float.is_finite() => significant(f64::from(float), 9),
        _ => full(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn plan(query: &str) -> Plan {
        Plan::new(&studio::Link::parse(query, "").scenario).expect("a run")
    }

    const QUERIES: [&str; 6] = [
        "rows=4&cols=3&m=5&k=7&n=4&df=ws&dt=int8",
        "rows=4&cols=3&m=5&k=7&n=4&df=os&dt=bf16&fill=uniform",
        "rows=3&cols=4&m=5&k=7&n=4&df=is&dt=e4m3fn",
        "rows=4&cols=3&m=5&k=7&n=4&df=ws&dt=int4&overlap=double-buffered",
        "rows=4&cols=3&m=5&k=7&n=4&df=os&dt=f32&overlap=double-buffered&drain=south",
        "rows=4&cols=3&m=5&k=7&n=4&df=os&dt=f16&drain=south",
    ];

    /// Decodes the bits of a number by the definition of its format.
    fn value_of(bits: &Bits, bias: i32) -> f64 {
        let [sign, exponent, fraction] = &bits.parts;
        let number = |text: &str| text.chars().fold(0u32, |sum, bit| 2 * sum + u32::from(bit == '1'));
        if sign.is_empty() {
            assert!(fraction.split(' ').all(|byte| byte.len() == 8 || byte.len() == fraction.len()), "{fraction}");
            let fraction = &fraction.replace(' ', "");
            let negative = fraction.starts_with('1');
            let modulus = if negative { 2f64.powi(i32::try_from(fraction.len()).expect("short")) } else { 0.0 };
            return f64::from(number(fraction)) - modulus;
        }
        let steps = f64::from(number(fraction)) / 2f64.powi(i32::try_from(fraction.len()).expect("short"));
        let power = i32::try_from(number(exponent)).expect("short");
        let magnitude = if power == 0 { steps * 2f64.powi(1 - bias) } else { (1.0 + steps) * 2f64.powi(power - bias) };
        if sign == "1" { -magnitude } else { magnitude }
    }

    #[test]
    fn bits_mean_the_numbers_beside_them() {
        for query in QUERIES {
            let plan = plan(query);
            let mut told = 0;
            for cycle in 0..plan.schedule().cycles().get() {
                for pe in plan.schedule().array().iter() {
                    let probe = plan.prober().at(Cycle(cycle), pe);
                    let lines = bits(&plan, &plan.prober().at(Cycle(cycle), pe));
                    let Some(last) = lines.last() else { continue };
                    told += 1;
                    let sum = probe.sum.expect("a sum where something is added").value.as_f64();
                    assert!((value_of(last, 127) - sum).abs() < f64::EPSILON, "{query} {cycle} {pe:?}: {last:?}");
                    let bias = plan.dtype().float().map_or(0, |format| format.bias);
                    let east = probe.east.expect("an operand").value.as_f64();
                    assert!((value_of(&lines[0], bias) - east).abs() < f64::EPSILON, "{query}: {:?}", lines[0]);
                }
            }
            assert!(told > 20, "{query}");
        }
    }

    #[test]
    fn the_terms_make_the_sum() {
        for query in QUERIES.iter().filter(|query| query.contains("int")) {
            let plan = plan(query);
            let number = |text: &str| {
                assert_eq!(text.starts_with('('), text.contains('\u{2212}'), "a sign stands in parentheses: {text}");
                let bare = text.trim_matches(['(', ')']).replace('\u{2212}', "-");
                bare.parse::<i32>().expect("a whole number")
            };
            for cycle in 0..plan.schedule().cycles().get() {
                for pe in plan.schedule().array().iter() {
                    let sum = plan.prober().at(Cycle(cycle), pe).sum.map_or(0, |sum| match sum.value {
                        Value::Int(int) => int,
                        Value::Float(_) => panic!("a sum of integers"),
                    });
                    let product = |text: &String| {
                        let (_, factors) = text.split_once(" = ").expect("two sides");
                        factors.split(" × ").map(number).product::<i32>()
                    };
                    let written: i32 = terms(&plan, Cycle(cycle), pe).iter().map(|[text, ..]| product(text)).sum();
                    assert_eq!(written, sum, "{query} {cycle} {pe:?}");
                }
            }
        }
    }

    #[test]
    fn the_steps_of_a_cycle_lead_from_the_sum_before_to_the_sum_after() {
        for query in QUERIES.iter().filter(|query| query.contains("int")) {
            let plan = plan(query);
            let number = |text: &str| {
                let bare = text.trim_matches(['(', ')']).replace('\u{2212}', "-");
                bare.parse::<i32>().expect("a whole number")
            };
            for cycle in 0..plan.schedule().cycles().get() {
                for pe in plan.schedule().array().iter() {
                    let steps = steps(&plan, &plan.prober().at(Cycle(cycle), pe));
                    assert_eq!(steps.is_empty(), plan.prober().at(Cycle(cycle), pe).mac.is_none(), "{query}");
                    let Some([_, adds]) = steps.get(2) else { continue };
                    let (terms, rest) = adds.split_once(" → ").expect("an arrow");
                    let (before, product) = terms.split_once(" + ").expect("two terms");
                    let (after, _) = rest.split_once(' ').expect("how it is rounded");
                    assert_eq!(number(before) + number(product), number(after), "{query} {cycle} {pe:?}: {adds}");
                }
            }
        }
    }

    #[test]
    fn the_history_of_a_pe_has_the_cycle_in_its_midst() {
        let plan = plan(QUERIES[0]);
        for cycle in 0..=plan.last().get() {
            let lines = history(Cycle(cycle), &around(&plan, Cycle(cycle), PeId::new(1, 1)));
            let marked: Vec<_> = lines.iter().filter(|(now, _)| *now).map(|(_, line)| line[0].clone()).collect();
            assert_eq!(marked, [cycle.to_string()]);
            assert!(lines.len() >= 7 && lines.len() <= 13, "{} lines", lines.len());
        }
    }

    #[test]
    fn every_register_with_a_content_is_written_out() {
        for query in QUERIES {
            let plan = plan(query);
            for cycle in 0..plan.schedule().cycles().get() {
                for pe in plan.schedule().array().iter() {
                    let registers_held = plan.prober().registers(Cycle(cycle), pe);
                    let held = [
                        registers_held.held,
                        registers_held.shadow,
                        registers_held.east,
                        registers_held.south,
                        registers_held.sum,
                        registers_held.drained,
                    ];
                    let lines = registers(&plan, Cycle(cycle), &plan.prober().at(Cycle(cycle), pe));
                    assert_eq!(lines.len(), held.iter().flatten().count(), "{query} {cycle} {pe:?}");
                    let told = |line: &Line| !line.holds.is_empty() && !line.from.is_empty() && !line.next.is_empty();
                    assert!(lines.iter().all(told), "{query} {cycle} {pe:?}: {lines:?}");
                }
            }
        }
    }

    #[test]
    fn a_long_sum_is_cut_in_the_middle_and_says_so() {
        let plan = plan("rows=1&cols=1&m=1&k=200&n=1&df=os&dt=int8");
        let lines = terms(&plan, plan.last(), PeId::new(0, 0));
        assert_eq!(lines.len(), TERMS_MAX + 1);
        assert!(lines.iter().any(|[text, ..]| text.contains("136 more")), "{lines:?}");
    }
}
