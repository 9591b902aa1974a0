//! Text of the cost breakdown: the formula of each line, its meaning, and the effects that it leaves out.

use display::amount::Amount;
use display::number::readable;
use perfmodel::CostLine;
use workload::PassKind;

use super::table::{Cell, Table};

/// Heading of the entries for the cost breakdown.
pub const TERMS: &str = "Inputs of the cost breakdown";
/// Column headings of the cost table.
pub const HEADS: [&str; 5] = ["line", "$ of the run", "$ per M tokens", "$ per useful PFLOP-hour", "share"];
/// Name of the last row of the cost table.
pub const TOTAL: &str = "Total";
/// Name of the last row of the cost table if a line is unknown.
pub const AT_LEAST: &str = "Total, at least";
/// Heading of the figures of the cost lines.
pub const LINES: &str = "Details of each cost line";

/// Removes zero and unknown rows from a table of amounts. Returns the remaining table, the names of the zero rows, and
/// the names of the unknown rows.
///
/// Marked rows, such as the total, stay in the table.
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

/// Returns a sentence on the zero and unknown lines that the cost table leaves out; empty if the table has all lines.
#[must_use]
pub fn not_shown(nothing: &[String], unknown: &[String]) -> String {
    let said = |names: &[String], what: &str| (!names.is_empty()).then(|| format!("{what}: {}.", names.join(", ")));
    [said(nothing, "$0.00"), said(unknown, "Not known")].into_iter().flatten().collect::<Vec<_>>().join(" ")
}
/// First column heading of the table that compares the costs of two runs.
pub const BESIDE_HEAD: &str = "line";
/// Message if the cost is too large to add up.
pub const TOO_LARGE: &str = "The cost is 10 000 000 000 000 dollars or more: use fewer tokens or chips.";
/// Note shown if the power of the chip is not published.
pub const NO_POWER: &str = "chip power not published";
/// Note shown if the price of an engineer-week is not set.
pub const NO_WEEK: &str = "enter the price of an engineer-week";

/// Note shown if no price of the chip is known.
pub const NO_PRICE: &str = "no list price: enter your own";

/// Returns the title of the cost breakdown, which names a number of tokens or one day.
#[must_use]
pub fn title(pass: PassKind, tokens: Option<f64>, is_day: bool, is_measured: bool) -> String {
    let work = match pass {
        PassKind::Training => "training",
        PassKind::Prefill => "prefill",
        PassKind::Decode => "decoding",
    };
    let tokens = tokens.map(|tokens| readable(tokens, 5));
    let at = if is_measured { " at the measured speed" } else { "" };
    match (tokens, is_day) {
        (Some(tokens), true) => format!("Cost of one day of {work}{at}, {tokens} tokens"),
        (Some(tokens), false) => format!("Cost of {tokens} tokens{at}"),
        (None, _) => format!("Cost of one day of {work}{at}"),
    }
}

/// Note on a line whose cost is part of a measured time.
pub const IN_MEASURED_TIME: &str = "part of the measured time";

/// Texts of a cost line: name, formula, meaning and omissions.
#[derive(Debug)]
pub struct Line {
    /// Stable name of the figure.
    pub id: &'static str,
    /// Name on screen.
    pub name: &'static str,
    /// Formula of the line.
    pub formula: &'static str,
    /// Meaning of the line.
    pub says: &'static str,
    /// Effects that the line leaves out.
    pub leaves_out: &'static str,
}

/// Returns the text of a cost line.
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
    leaves_out: "Discounts, and any hosts, storage and network that are billed separately.",
};
static FAILURES: Line = Line {
    id: "bill-failures",
    name: "Failures",
    formula: "compute · (δ ÷ T + (T ÷ 2 + R) ÷ M)",
    says: "Rent of the chips while the run saves checkpoints, repeats lost work and restarts.",
    leaves_out: "Checkpoints that overlap with steps, and failures in bursts. The formula is valid if saving and restarting are short compared with M.",
};
static RECOMPILATION: Line = Line {
    id: "bill-recompilation",
    name: "Recompilation",
    formula: "price per chip-hour · chips · shapes · hours to compile one shape",
    says: "Rent of the chips during compilation. Each shape is compiled once.",
    leaves_out: "A compilation cache, and recompilation after each restart.",
};
static EGRESS: Line = Line {
    id: "bill-egress",
    name: "Egress",
    formula: "$ per GB · (GB − free GB)",
    says: "The provider's charge for outgoing data.",
    leaves_out: "Storage, requests, traffic between regions, and cheaper tiers for larger volumes.",
};
static PORTING: Line = Line {
    id: "bill-porting",
    name: "Porting",
    formula: "weeks · $ per week",
    says: "Cost of engineers who port the program to this chip, once for all runs.",
    leaves_out: "Learning time, regressions, and the maintenance of two versions.",
};
static ENERGY: Line = Line {
    id: "bill-energy",
    name: "Energy",
    formula: "kWh of the chips · PUE · $ per kWh",
    says: "Electricity for your own machines. The price of a rented chip includes electricity.",
    leaves_out: "The power of hosts, network and storage, which is not published with the power of the chip.",
};

/// Text of the figure for the energy of the run.
pub static KWH: Line = Line {
    id: "bill-kwh",
    name: "kWh of the run",
    formula: "power of a chip · chips · hours (failures and compilation included)",
    says: "Energy of the chips during the run, at their published power.",
    leaves_out: "Hosts, network and cooling. Published power figures are not comparable: some are design limits, others are averages.",
};

/// Text of the figure for the carbon dioxide of the run.
pub static CARBON: Line = Line {
    id: "bill-carbon",
    name: "Carbon dioxide",
    formula: "kWh of the chips · PUE · kg per kWh",
    says: "Emissions from the electricity of the run, at the kg CO₂ per kWh that you enter.",
    leaves_out: "Production of the chips and of the building. If no PUE is set, the energy of the building is also left out.",
};

/// Text of the break-even figure.
pub static BREAK_EVEN: Line = Line {
    id: "bill-break-even",
    name: "Porting pays back after",
    formula: "porting cost ÷ (cost of a run on the other chip − cost of a run on this chip)",
    says: "Amount of work after which porting to this chip costs less than staying on the other chip.",
    leaves_out: "Changes to programs and prices before the break-even point.",
};
