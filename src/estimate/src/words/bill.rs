//! What is said of a bill: of each line its formula, what it tells and what it leaves out.

use display::number::readable;
use perfmodel::CostLine;

/// Over the entries of the bill's terms.
pub const TERMS: &str = "Terms of the bill";
/// The bill.
pub const TITLE: &str = "The bill";
/// Columns of the bill.
pub const HEADS: [&str; 5] = ["line", "$ of the run", "$ per M tokens", "$ per useful PFLOP-hour", "share"];
/// Its last row.
pub const TOTAL: &str = "Total";
/// Its last row where a line is not known.
pub const AT_LEAST: &str = "Total, at least";
/// An amount that is not known.
pub const UNKNOWN: &str = "unknown";
/// Over the lines that open.
pub const LINES: &str = "Line by line";
/// Bills of two chips.
pub const BESIDE: &str = "Two bills side by side, for as many tokens";
/// First column of these.
pub const BESIDE_HEAD: &str = "line";
/// What every further run costs.
pub const EACH_RUN: &str = "each run, porting aside";
/// What a million tokens of it cost.
pub const EACH_MILLION: &str = "a million tokens of it";
/// How long the chips work.
pub const USEFUL_TIME: &str = "time of useful work";
/// Where a bill is beyond what is added up.
pub const TOO_LARGE: &str =
    "A bill of 10 000 000 000 000 dollars or more is not added up; fewer tokens or chips make one that is.";
/// Where a chip's price includes its electricity.
pub const RENTED: &str = "in the rent of the chips";
/// A chip that nobody published the power of.
pub const NO_POWER: &str = "nobody published this chip's power";
/// Carbon of a grid that nobody stated.
pub const NO_GRID: &str = "state the grid's kg per kWh";
/// Engineers whose price nobody stated.
pub const NO_WEEK: &str = "state the dollars of a week";
/// Where the bills cannot be compared.
pub const LINE_UNKNOWN: &str = "a line of one of the bills is not known";
/// What is never paid back.
pub const NEVER: &str = "never";

/// Why it is not.
#[must_use]
pub fn saves_nothing(chip: &str, other: &str) -> String {
    format!("a run on {chip} costs no less than one on {other}")
}

/// A price that is not known.
pub const NO_PRICE: &str = "no list price: state your own";

/// "Cost of 15e12 tokens" or that of a day.
#[must_use]
pub fn title(tokens: Option<f64>, is_day: bool) -> String {
    let tokens = tokens.map(|tokens| readable(tokens, 5));
    match (tokens, is_day) {
        (Some(tokens), true) => format!("Cost of one day of useful work, {tokens} tokens"),
        (Some(tokens), false) => format!("Cost of {tokens} tokens"),
        (None, _) => "Cost of one day of useful work".to_owned(),
    }
}

/// The words of a line.
#[derive(Debug)]
pub struct Line {
    /// Stable name of the figure.
    pub id: &'static str,
    /// Name on screen.
    pub name: &'static str,
    /// How it is worked out.
    pub formula: &'static str,
    /// What it tells.
    pub says: &'static str,
    /// What it does not see.
    pub leaves_out: &'static str,
}

/// The words of a line of the bill.
#[must_use]
pub const fn line(line: CostLine) -> &'static Line {
    match line {
        CostLine::Compute => &COMPUTE,
        CostLine::Failures => &FAILURES,
        CostLine::Recompilation => &RECOMPILATION,
        CostLine::Egress => &EGRESS,
        CostLine::Porting => &PORTING,
        CostLine::Energy => &ENERGY,
    }
}

static COMPUTE: Line = Line {
    id: "bill-compute",
    name: "Compute",
    formula: "price per chip-hour · chips · hours of useful work",
    says: "The chips for as long as the useful work takes.",
    leaves_out: "Hosts, storage and network that are priced apart, and discounts.",
};
static FAILURES: Line = Line {
    id: "bill-failures",
    name: "Failures",
    formula: "compute · (δ ÷ T + (T ÷ 2 + R) ÷ M)",
    says: "The chips while the run is saved, repeats what was lost and restarts.",
    leaves_out: "Saves that run beside the steps, failures in bursts; it holds while saving and restarting are short against M.",
};
static RECOMPILATION: Line = Line {
    id: "bill-recompilation",
    name: "Recompilation",
    formula: "price per chip-hour · chips · shapes · hours to compile one",
    says: "The chips while they wait for the compiler, once for each shape.",
    leaves_out: "A cache that keeps programs, and compiling again after each restart.",
};
static EGRESS: Line = Line {
    id: "bill-egress",
    name: "Egress",
    formula: "$ per GB · (GB − GB that cost nothing)",
    says: "What a provider takes for data that leave it.",
    leaves_out: "Lower tiers for more of it, storage, requests, and traffic between regions.",
};
static PORTING: Line = Line {
    id: "bill-porting",
    name: "Porting",
    formula: "weeks · $ per week",
    says: "Engineers who bring the program to this chip, paid once however many runs follow.",
    leaves_out: "What they learn and break on the way, and keeping two versions alive.",
};
static ENERGY: Line = Line {
    id: "bill-energy",
    name: "Energy",
    formula: "kWh of the chips · PUE · $ per kWh",
    says: "Electricity of one's own machines; a rented chip's price includes it.",
    leaves_out: "Hosts, network and storage, whose power is not published with the chip's.",
};

/// Electricity of the run.
pub static KWH: Line = Line {
    id: "bill-kwh",
    name: "kWh of the run",
    formula: "power of a chip · chips · hours, failures and compiling included",
    says: "What the chips draw in the run, at a power that was published for them.",
    leaves_out: "Hosts, network and cooling; and kinds of power differ: a design limit is no mean.",
};

/// Carbon of the run.
pub static CARBON: Line = Line {
    id: "bill-carbon",
    name: "Carbon dioxide",
    formula: "kWh of the chips · PUE · kg per kWh",
    says: "What the grid emits for that electricity, at the kg per kWh that you state.",
    leaves_out: "Making the chips and the building; without a PUE the building's own share.",
};

/// The break-even.
pub static BREAK_EVEN: Line = Line {
    id: "bill-break-even",
    name: "Porting pays back after",
    formula: "porting ÷ (a run on the chip beside it − a run on this chip)",
    says: "How much must run on this chip until bringing the program to it is paid, against staying on the one beside it.",
    leaves_out: "That programs and prices change before that.",
};
