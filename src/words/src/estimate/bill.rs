//! What is said of a bill: the formula of each line, what it shows and what it leaves out.

use display::amount::Amount;
use display::number::readable;
use perfmodel::CostLine;
use workload::PassKind;

use super::table::{Cell, Table};

/// Over the entries of the bill's terms.
pub const TERMS: &str = "Terms of the cost breakdown";
/// Cost.
pub const TITLE: &str = "Cost";
/// Columns of the bill.
pub const HEADS: [&str; 5] = ["line", "$ of the run", "$ per M tokens", "$ per useful PFLOP-hour", "share"];
/// Its last row.
pub const TOTAL: &str = "Total";
/// Its last row where a line is not known.
pub const AT_LEAST: &str = "Total, at least";
/// Over the lines that open.
pub const LINES: &str = "Where each line comes from";

/// A table of amounts with the rows that say something, and the names of the rows that are nothing and of those that
/// nobody knows. The sum stays.
#[must_use]
pub fn counted(table: &Table) -> (Table, Vec<String>, Vec<String>) {
    let (mut nothing, mut unknown, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    for row in &table.rows {
        let amount = |cell: &Cell| match cell {
            Cell::Amount(amount) if amount.is_usd() || !amount.is_known() => Some(*amount),
            _ => None,
        };
        let amounts: Vec<Amount> = row.cells.iter().filter_map(amount).collect();
        let says_something = amounts.iter().any(|one| one.is_known() && !one.is_nothing());
        let name = || row.cells.first().map_or_else(String::new, Cell::to_string);
        if row.is_marked || amounts.is_empty() || says_something {
            rows.push(row.clone());
        } else if amounts.iter().any(|one| one.is_known()) {
            nothing.push(name());
        } else {
            unknown.push(name());
        }
    }
    (Table { rows, ..table.clone() }, nothing, unknown)
}

/// Which lines a bill leaves out because they say nothing; empty where it has all.
#[must_use]
pub fn not_shown(nothing: &[String], unknown: &[String]) -> String {
    let said = |names: &[String], what: &str| (!names.is_empty()).then(|| format!("{what}: {}.", names.join(", ")));
    [said(nothing, "$0.00"), said(unknown, "Not known")].into_iter().flatten().collect::<Vec<_>>().join(" ")
}
/// Bills of two chips.
pub const BESIDE: &str = "Same tokens on both chips";
/// First column of these.
pub const BESIDE_HEAD: &str = "line";
/// What every further run costs.
pub const EACH_RUN: &str = "each run, without porting";
/// What a million tokens of it cost.
pub const EACH_MILLION: &str = "per million tokens";
/// How long the chips work.
pub const USEFUL_TIME: &str = "run time, without failures";
/// Where a bill is beyond what is added up.
pub const TOO_LARGE: &str = "The cost is 10 000 000 000 000 dollars or more: use fewer tokens or chips.";
/// Where a chip's price includes its electricity.
pub const RENTED: &str = "in the rent of the chips";
/// A chip whose power is not known.
pub const NO_POWER: &str = "chip power not published";
/// A grid whose carbon is not set.
pub const NO_GRID: &str = "enter the grid's kg CO₂ per kWh";
/// Engineers whose price is not set.
pub const NO_WEEK: &str = "enter the price of an engineer-week";
/// Where the bills cannot be compared.
pub const LINE_UNKNOWN: &str = "a line of one cost breakdown is not known";
/// What is never paid back.
pub const NEVER: &str = "never";

/// Why it is not.
#[must_use]
pub fn no_break_even_reason(chip: &str, other: &str) -> String {
    format!("a run on {chip} costs no less than one on {other}")
}

/// A price that is not known.
pub const NO_PRICE: &str = "no list price: enter your own";

/// "Cost of 15e12 tokens" or that of a day.
#[must_use]
pub fn title(pass: PassKind, tokens: Option<f64>, is_day: bool) -> String {
    let work = match pass {
        PassKind::Training => "training",
        PassKind::Prefill => "prefill",
        PassKind::Decode => "decoding",
    };
    let tokens = tokens.map(|tokens| readable(tokens, 5));
    match (tokens, is_day) {
        (Some(tokens), true) => format!("Cost of one day of {work}, {tokens} tokens"),
        (Some(tokens), false) => format!("Cost of {tokens} tokens"),
        (None, _) => format!("Cost of one day of {work}"),
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
    /// What it shows.
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
    formula: "price per chip-hour · chips · hours of run time",
    says: "Rent of the chips for the run time without failures.",
    leaves_out: "Hosts, storage and network that are billed separately, and discounts.",
};
static FAILURES: Line = Line {
    id: "bill-failures",
    name: "Failures",
    formula: "compute · (δ ÷ T + (T ÷ 2 + R) ÷ M)",
    says: "Rent of the chips while the run saves checkpoints, repeats lost work and restarts.",
    leaves_out: "Checkpoints that overlap with steps, and failures in bursts. Valid if saving and restarting are short compared with M.",
};
static RECOMPILATION: Line = Line {
    id: "bill-recompilation",
    name: "Recompilation",
    formula: "price per chip-hour · chips · shapes · hours to compile one",
    says: "Rent of the chips while they wait for the compiler, once per shape.",
    leaves_out: "A compilation cache, and compiling again after each restart.",
};
static EGRESS: Line = Line {
    id: "bill-egress",
    name: "Egress",
    formula: "$ per GB · (GB − free GB)",
    says: "The provider's charge for outgoing data.",
    leaves_out: "Cheaper tiers for larger volumes, storage, requests, and traffic between regions.",
};
static PORTING: Line = Line {
    id: "bill-porting",
    name: "Porting",
    formula: "weeks · $ per week",
    says: "Cost of engineers who port the program to this chip, once for all runs.",
    leaves_out: "Learning time and regressions, and maintaining two versions.",
};
static ENERGY: Line = Line {
    id: "bill-energy",
    name: "Energy",
    formula: "kWh of the chips · PUE · $ per kWh",
    says: "Electricity for your own machines; the price of a rented chip includes it.",
    leaves_out: "Hosts, network and storage, whose power is not published with the chip's.",
};

/// Electricity of the run.
pub static KWH: Line = Line {
    id: "bill-kwh",
    name: "kWh of the run",
    formula: "power of a chip · chips · hours, failures and compiling included",
    says: "Energy of the chips during the run, at their published power.",
    leaves_out: "Hosts, network and cooling. Kinds of power differ: a design limit is not an average.",
};

/// Carbon of the run.
pub static CARBON: Line = Line {
    id: "bill-carbon",
    name: "Carbon dioxide",
    formula: "kWh of the chips · PUE · kg per kWh",
    says: "Emissions of the grid for that electricity, at your kg per kWh.",
    leaves_out: "Production of the chips and the building; without a PUE, also the energy of the building.",
};

/// The break-even.
pub static BREAK_EVEN: Line = Line {
    id: "bill-break-even",
    name: "Porting pays back after",
    formula: "porting ÷ (a run on the other chip − a run on this chip)",
    says: "Amount of work after which porting to this chip costs less than staying on the other chip.",
    leaves_out: "Changes of programs and prices before then.",
};
