//! Messages about unusable input: the field, the given value, and the allowed values. The module also has messages
//! about the effects of usable settings.

use super::count::counted;
use super::names::allowed_names;
use super::{adder, block, label, own_matrices};
use studio::Part;
use studio::compare::Other;
use studio::defect::{self, DefectName, DefectProblem};
use studio::tools::ToolProblem;
use studio::{Allowed, Entry, Field, FillKind, Link, Notice, Notices, Parameter, Plan, Problem, Tool, problem::Why};

use display::number::{MINUS, grouped, percent, significant};
use systolic::{Dataflow, Dtype, Hold, Overlap, PeId, Rule};

/// Allowed values of the field for the order of the tiles of k.
pub const TILE_ORDER: &str = "up, down, second-half-first, or a list of all tiles, such as 2,3,0,1";

/// Allowed values of the parameter for the selected PE.
pub(crate) const PLACE: &str = "row.column, such as 2.1";

/// Returns the message about a field value that cannot be used.
#[must_use]
pub fn problem(problem: &Problem) -> String {
    about(problem, label::field(problem.field))
}

fn about(problem: &Problem, name: &str) -> String {
    let given = if problem.given.trim().is_empty() { "nothing" } else { problem.given.as_str() };
    match &problem.why {
        Why::NotInRange { min, max } => {
            format!("{name} = {given}: use a whole number from {} to {}.", grouped(*min), grouped(*max))
        }
        Why::NotOneOf(names) => format!("{name} = {given}: use {}.", allowed_names(names)),
        Why::NotAnOrder => format!("{name} = {given}: use {TILE_ORDER}."),
        Why::NotAllTiles { k, rows } if k % rows == 0 => {
            format!("{name} = {given}: list each of the {} tiles of k once, from 0.", grouped(k / rows))
        }
        Why::NotAllTiles { k, rows } => {
            let [k, rows, next] = [*k, *rows, k.next_multiple_of(*rows)].map(grouped);
            format!("{name} = {given}: K = {k} is not a multiple of {rows} rows. Use K = {next}, or ktiles = up.")
        }
        Why::Adder(error) => format!("{name} = {given}: {}", adder::refused(*error)),
        Why::Shape { rows, cols, want_rows, want_cols } => {
            let sizes = match problem.field {
                Field::A => "M×K",
                Field::C => "M×N",
                _ => "K×N",
            };
            format!(
                "{name} has {rows}×{cols} numbers, but {sizes} is {want_rows}×{want_cols}: \
                 change the sizes or the matrix."
            )
        }
        Why::Inner { a_cols, b_rows } => {
            let (cols, rows) = (counted(*a_cols, "column"), counted(*b_rows, "row"));
            format!("{name}: A has {cols}, but B has {rows}. Give B one line for each column of A.")
        }
        Why::RowLength { row, found, wanted } => {
            let found = counted(*found, "number");
            format!("{name}: row {row} has {found}, but row 0 has {wanted}. Give all rows the same length.")
        }
        Why::NotANumber { row, col } => {
            format!("{name}[{row},{col}] = {given}: use a number, nan, inf or -inf.")
        }
        Why::CommaInNumber { row, col } => {
            format!("{name}[{row},{col}] = {given}: write the number without a comma, with a point before decimals.")
        }
        Why::NotInFormat { row, col, dtype } => {
            let range = match (dtype.float(), dtype.whole_range()) {
                (Some(format), _) => format!("numbers up to {}", significant(format.max(), 5)),
                // c has the format of the sums.
                (None, Some(_)) if problem.field == Field::C => {
                    format!("whole numbers from {MINUS}{} to {}", i32::MIN.unsigned_abs(), i32::MAX)
                }
                (None, range) => {
                    let (least, most) = range.unwrap_or((0, 0));
                    format!("whole numbers from {MINUS}{} to {most}", least.unsigned_abs())
                }
            };
            format!("{name}[{row},{col}] = {given}: with {dtype}, use {range}.")
        }
        Why::TooManyElements { max } => {
            format!("{name} has more than {} numbers: paste a smaller matrix, or choose random values.", grouped(*max))
        }
        Why::Dimensions { .. } | Why::Blocks | Why::LineBreaks => {
            format!("{name}: {}", own_matrices::printed(&problem.why))
        }
        Why::NoValues => format!("{name} is empty: type or paste its rows."),
        Why::TooLong => "This run is too long to count exactly: make the matrices smaller.".to_owned(),
    }
}

/// Returns a sentence about the adder of the run. Empty if the adder adds single products in f32.
#[must_use]
pub fn adder_of(plan: &Plan) -> String {
    match plan.unit().rule() {
        None => String::new(),
        Some(rule @ Rule::Exact { .. }) => {
            format!("A TPU adds {} products exactly, then rounds once. Only 256 rows were printed.", rule.block())
        }
        Some(rule @ Rule::Truncated { fraction_bits, .. }) => {
            let lowest = block::lowest_bit(fraction_bits);
            format!("The chip adds {} products at once. It drops bits below the {lowest}.", rule.block())
        }
    }
}

/// Returns a sentence for each notice about a link, and a sentence with the number of further notices.
#[must_use]
pub fn notices(notices: &Notices, plan: &Plan) -> Vec<String> {
    let more = match notices.n_more() {
        0 => None,
        1 => Some("1 more part of the link could not be used.".to_owned()),
        n => Some(format!("{} more parts of the link could not be used.", grouped(n))),
    };
    notices.iter().map(|one| notice(one, plan)).chain(more).collect()
}

/// Returns the sentence of a notice about a part of a link, with the value that the page uses instead.
#[must_use]
pub fn notice(notice: &Notice, plan: &Plan) -> String {
    match notice {
        Notice::Problem(wrong) => {
            let shown = plan.scenario().text(wrong.field);
            let used = match wrong.field {
                Field::A | Field::B | Field::C => String::new(),
                _ => format!(" Showing {shown} instead."),
            };
            format!("In the link, {}{used}", about(wrong, wrong.field.id()))
        }
        Notice::Second(wrong) => {
            format!("In the link, cmp: {} The second run is not shown.", about(wrong, wrong.field.id()))
        }
        Notice::Tool(wrong) => format!("In the link, {} The page ignores this value.", tool(wrong)),
        Notice::Defect(named, why) => {
            format!("In the link, {} Showing the array without a fault.", defect(*named, *why))
        }
        Notice::BesideDefect(tool) => {
            format!("In the link, {} is ignored: for an array with a fault, the page shows only registers.", tool.id())
        }
        Notice::Parameter { parameter: one, given } => {
            format!("In the link, {} The page ignores this value.", parameter(*one, given))
        }
        Notice::Meant { given, meant, is_misplaced: true } => {
            let (name, sign) = (meant.name(), if meant.is_in_fragment() { "#" } else { "?" });
            format!("In the link, {given} has no effect here: write {name} after the {sign}.")
        }
        Notice::Meant { given, meant, is_misplaced: false } => {
            format!("In the link, {given} is unknown and has no effect: write {}.", meant.name())
        }
        Notice::Locked(field) => {
            format!("This link locks the setting “{}”, so it was not changed.", label::field(*field))
        }
        Notice::NoSuchPe(pe) => format!("In the link, {} The page ignores this value.", no_such_pe(*pe, plan)),
        Notice::Again(name) => format!("In the link, {name} appears more than once: the first value is used."),
        Notice::LastCounts(name) => format!("In the link, {name} appears more than once: the last value is used."),
        Notice::PastTheEnd { given, last } => {
            let (given, last) = (grouped(given.get()), grouped(last.get()));
            format!("In the link, t = {given}: use a cycle from 0 to {last}. Showing the last cycle.")
        }
        Notice::LaterVersion { given } => {
            format!("In the link, v = {given}: this page reads version 1 and shows the parts it understands.")
        }
        Notice::TooManyParameters => {
            format!("The link has more than {} parameters; the rest was ignored.", Link::PARAMETERS_MAX)
        }
        Notice::Unreadable => {
            "Nothing in this link could be read, so the page shows its first screen. Ask the sender for the link again."
                .to_owned()
        }
        Notice::TooManyUnknown => "The link has too many unknown parameters; the rest was ignored.".to_owned(),
        Notice::MatricesMissing => {
            "In the link, the matrices after the # are missing: copy the whole link. Showing random numbers.".to_owned()
        }
        Notice::ListNotShown => "In the link, a and b set only the sizes: the numbers come from fill.".to_owned(),
        Notice::TooLong => "The link is longer than 1 MiB and was not read.".to_owned(),
    }
}

/// Returns the sentence of a notice about a part of a link, for the command line. The command line does not replace
/// this part with another value, so the sentence names none.
#[must_use]
pub fn refused(one: &Notice, plan: &Plan) -> String {
    value(one, plan).map_or_else(|| notice(one, plan), |value| format!("In the link, {value}"))
}

/// Returns the sentence about a value that cannot be used, without the place of the value. `None` for a notice about a
/// link as a whole.
#[must_use]
pub fn value(one: &Notice, plan: &Plan) -> Option<String> {
    Some(match one {
        Notice::Problem(wrong) => about(wrong, wrong.field.id()),
        Notice::Second(wrong) => format!("cmp: {}", about(wrong, wrong.field.id())),
        Notice::Tool(wrong) => tool(wrong),
        Notice::Defect(named, why) => defect(*named, *why),
        Notice::Parameter { parameter: one, given } => parameter(*one, given),
        Notice::NoSuchPe(pe) => no_such_pe(*pe, plan),
        Notice::PastTheEnd { given, last } => {
            format!("t = {}: use a cycle from 0 to {}.", grouped(given.get()), grouped(last.get()))
        }
        _ => return None,
    })
}

/// Returns the message about an unusable value of a view parameter.
fn parameter(parameter: Parameter, given: &str) -> String {
    let allowed = allowed(Entry::View(parameter));
    let given = if given.trim().is_empty() { "nothing" } else { given };
    format!("{} = {given}: use {allowed}.", parameter.id())
}

fn no_such_pe(pe: PeId, plan: &Plan) -> String {
    let array = plan.schedule().array();
    let [row, col] = [array.rows() - 1, array.cols() - 1];
    format!("pe = {}.{}: use the row and column of a PE, from 0.0 to {row}.{col}.", pe.row, pe.col)
}

/// Returns the message about a tool value that cannot be used.
#[must_use]
pub fn tool(problem: &ToolProblem) -> String {
    format!("{} = {}: use {}.", problem.tool.id(), problem.given, allowed(Entry::Tool(problem.tool)))
}

/// Returns the values that a parameter of the view, or a tool, accepts.
fn allowed(entry: Entry) -> String {
    match (entry.allowed(), entry) {
        (Allowed::OneOf(names), _) => allowed_names(&names),
        (Allowed::Some(names), _) => {
            let (last, others) = names.split_last().unwrap_or((&"", &[]));
            format!("none, or one or more of {} and {last}, separated by dots", others.join(", "))
        }
        (Allowed::Whole { .. }, _) => "a whole number, 0 or more".to_owned(),
        (_, Entry::Tool(tool)) => tool_text(tool).to_owned(),
        _ => PLACE.to_owned(),
    }
}

/// Returns the text that a tool accepts; empty for a tool with a list of names.
pub(crate) const fn tool_text(tool: Tool) -> &'static str {
    match tool {
        Tool::Compare => "settings of the second run, such as df=os&rows=8",
        Tool::Defect => "no-skew, late-ROW, skew-EDGES.EDGES.…, stuck-ROW.COLUMN, sum-bf16 or sum-f16",
        Tool::Follow => "east-CYCLE, south-CYCLE or sum-CYCLE",
        Tool::Learn => "contents, or a lesson and one of its cards, such as multiply.3",
        Tool::Flow => {
            "three moves and two delays such as east,stays,south,1,1, with moves from stays, east, south, west, north, along-row and along-col, delays from 0 to 2, and a cycle such as @3 if wanted"
        }
        Tool::Show | Tool::Picture | Tool::Class | Tool::Repeat => "",
    }
}

/// Returns the message about unknown settings in a comparison. `None` if all settings are known.
#[must_use]
pub fn unknown_parts(other: &Other) -> Option<String> {
    let parts: Vec<String> = other.unknown.of(Part::Query).map(|(name, value)| format!("{name}={value}")).collect();
    let problem = ToolProblem { tool: Tool::Compare, given: plain::cut(&parts.join("&")) };
    (!parts.is_empty()).then(|| tool(&problem))
}

/// Returns the message about a fault that a run cannot have.
#[must_use]
pub fn defect(named: DefectName, why: DefectProblem) -> String {
    let given = named.to_text();
    match why {
        DefectProblem::Outside => {
            format!("break = {given}: use only rows, PEs and cycles of this run.")
        }
        DefectProblem::NoNarrowSum => {
            format!(
                "break = {given}: this fault rounds sums, and integer sums are exact. Choose a floating-point format, such as bf16."
            )
        }
        DefectProblem::TooLong => format!(
            "break = {given}: a run with a fault is limited to {} PE-cycles and {} cycles. Use a smaller run.",
            grouped(defect::PE_CYCLES_MAX),
            grouped(defect::CYCLES_MAX)
        ),
    }
}

/// Describes the effects of the settings, for the page to show next to the fields: idle PEs, folds, padding, and
/// rounding of typed numbers.
#[must_use]
pub fn consequence(plan: &Plan) -> Vec<String> {
    let schedule = plan.schedule();
    let (mapping, gemm, array) = (schedule.mapping(), schedule.run(), schedule.array());
    let mut lines = Vec::new();
    let sides = [
        (mapping.rows, u64::from(array.rows()), "row", schedule.row_folds()),
        (mapping.cols, u64::from(array.cols()), "column", schedule.col_folds()),
    ];
    for (axis, side, noun, folds) in sides {
        let extent = gemm.extent(axis);
        let name = match axis {
            systolic::Axis::M => "M",
            systolic::Axis::K => "K",
            systolic::Axis::N => "N",
        };
        let (given, side_words) = (grouped(extent), counted(side, noun));
        if extent < side {
            let idle = side - extent;
            lines.push(format!("{name} = {given} < {side_words}: {} idle", grouped(idle)));
        } else if folds > 1 {
            let ragged = if extent.is_multiple_of(side) { "" } else { ", last partial" };
            lines.push(format!("{name} = {given} > {side_words}: {}{ragged}", counted(folds, "fold")));
        }
    }
    if schedule.run() != schedule.gemm() {
        let (m, k, n) = (gemm.m(), gemm.k(), gemm.n());
        lines.push(format!("padded with zeros to {}×{}×{}", grouped(m), grouped(k), grouped(n)));
    }
    lines.extend(rounded(plan));
    lines
}

/// Describes the dataflow of a run: the stationary and the moving matrices, the load, and the cycles.
#[must_use]
pub fn dataflow(plan: &Plan) -> String {
    let schedule = plan.schedule();
    let what = match schedule.dataflow() {
        Dataflow::WeightStationary => "Each PE keeps one element of B; A moves east, partial sums move south",
        Dataflow::OutputStationary => "Each PE keeps one partial sum; A moves east, B moves south",
        Dataflow::InputStationary => "Each PE keeps one element of A; B moves east, partial sums move south",
    };
    let load = match (schedule.dataflow().hold(), schedule.design().overlap) {
        (Hold::Result, _) => "Nothing is loaded first",
        (Hold::Operand, Overlap::None) => "Each fold loads its stationary operand first",
        (Hold::Operand, _) => "Each fold loads its stationary operand while the previous fold runs",
    };
    let (cycles, folds) = (counted(schedule.cycles().get(), "cycle"), counted(schedule.folds(), "fold"));
    format!("{what}. {load}. The run takes {cycles} in {folds}.")
}

/// Describes typed numbers that the format rounds: the first number with its rounded value, and the count of further
/// rounded numbers. `None` if no number is rounded, or if the format is f32 or an integer format.
fn rounded(plan: &Plan) -> Option<String> {
    // f32 keeps seven digits, which are more than a person types.
    let format = plan.dtype().float().filter(|_| plan.dtype() != Dtype::F32)?;
    let scenario = plan.scenario();
    let typed = [("a", &scenario.a), ("b", &scenario.b)];
    let typed = typed.into_iter().filter(|_| scenario.fill == FillKind::Custom);
    let mut changed = typed.filter_map(|(name, matrix)| Some((name, matrix.as_ref()?))).flat_map(|(name, matrix)| {
        let values = matrix.values.iter().enumerate().map(|(index, &value)| (index, value));
        let stored = values.map(move |(index, value)| (index, value, format.nearest(value, false, false)));
        let is_other =
            |(_, value, stored): &(usize, f64, f64)| value.is_finite() && value.to_bits() != stored.to_bits();
        stored.filter(is_other).map(move |(index, value, stored)| {
            let (row, col) = (index as u64 / matrix.cols, index as u64 % matrix.cols);
            (name, row, col, value, stored)
        })
    });
    let (name, row, col, value, stored) = changed.next()?;
    let off = percent((stored / value - 1.0).abs());
    let more = match changed.count() as u64 {
        0 => String::new(),
        n => format!("; {} more rounded", grouped(n)),
    };
    let [value, stored] = [value, stored].map(|number| significant(number, 9));
    let dtype = plan.dtype().id();
    Some(format!("{name}[{row},{col}] = {value} is {stored} in {dtype}, {off} % off{more}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use studio::{Link, Unknown};
    use systolic::Cycle;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    fn lines(query: &str, fragment: &str) -> Vec<String> {
        consequence(&Plan::new(&Link::parse(query, fragment).scenario).expect("a run"))
    }

    #[test]
    fn a_number_that_the_format_cannot_hold_is_named() {
        let one = "rows=1&cols=1&fill=custom";
        assert_eq!(lines(&format!("{one}&dt=bf16"), "a=1.001&b=1"), ["a[0,0] = 1.001 is 1 in bf16, 0.10 % off"]);
        let two = lines(&format!("{one}&dt=e4m3fn"), "a=1&b=0.3");
        assert_eq!(two, ["b[0,0] = 0.3 is 0.3125 in e4m3fn, 4.2 % off"]);
        assert!(
            lines("fill=custom&dt=f16", "a=1,0.1,0.2&b=1;2;3")[1..]
                .iter()
                .any(|line| line.ends_with("; 1 more rounded"))
        );
        for dtype in ["bf16", "f16", "f32"] {
            assert!(lines(&format!("{one}&dt={dtype}"), "a=1.5&b=-2").is_empty(), "{dtype}");
        }
        assert!(lines(&format!("{one}&dt=f32"), "a=0.1&b=1").is_empty(), "nobody types as many digits as f32 has");
    }

    #[test]
    fn a_wrong_value_of_a_tool_gives_a_notice_and_is_left_out() {
        for (query, says) in [
            ("show=zebra", "show = zebra: use activity, sum, useful, wasted or error."),
            ("break=zebra", "break = zebra: use no-skew,"),
            ("follow=zebra", "follow = zebra: use east-CYCLE"),
            ("loop=zebra", "loop = zebra: use fold."),
            ("cmp=zebra%3D1", "cmp = zebra=1: use settings of the second run"),
            ("cmp=rows%3D0%26df%3Dos", "cmp: rows = 0: use a whole number from 1 to"),
            ("t=x&t=3", "t = x: use a whole number, 0 or more."),
            ("t=3&t=x", "t = x: use a whole number, 0 or more."),
            ("t=1&t=3", "In the link, t appears more than once: the last value is used."),
            ("cmp=df%3Dos&cmp=df%3Dis", "In the link, cmp appears more than once: the first value is used."),
        ] {
            let link = Link::parse(query, "");
            let said = notices(&link.notices, &Plan::default());
            assert!(said.len() == 1 && said[0].contains(says), "{query}: {said:?}");
            assert_eq!(link.unknown, Unknown::default(), "{query}");
            assert_eq!(link.cycle, Cycle(if query.starts_with('t') { 3 } else { 7 }), "{query}");
        }
    }

    #[test]
    fn a_megabyte_of_mistakes_or_of_unknown_parameters_is_a_handful_of_sentences() {
        for (query, fragment, n_said) in [
            ("v=2&".repeat(15_000), String::new(), 2),
            (String::new(), "a=x&".repeat(Link::LENGTH_MAX / 4), 2),
            (String::new(), "x&".repeat(Link::LENGTH_MAX / 2), 1),
            ((0..20_000).map(|n| format!("rows=r{n}&")).collect(), String::new(), Notices::SHOWN_MAX + 1),
        ] {
            let (session, playhead) = studio::Session::open(&Link::parse(&query, &fragment));
            let said = notices(&session.notices, &session.plan);
            assert_eq!(said.len(), n_said, "{said:?}");
            let (query, fragment) = session.link(&playhead).to_parts();
            assert!(query.len() + fragment.len() < 4 * Unknown::BYTES_MAX);
        }
    }
}
