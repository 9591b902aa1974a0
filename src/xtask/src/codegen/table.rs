//! A chip of the data file as the Rust source of its table entry.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::node::{Kind, Node};

/// Names in the data file and the variants they become, in the order the table lists them.
const PEAKS: [(&str, &str); 9] = [
    ("bf16", "Bf16"),
    ("fp16", "F16"),
    ("fp32", "F32"),
    ("tf32", "Tf32"),
    ("fp8", "Fp8"),
    ("fp4", "Fp4"),
    ("int16", "Int16"),
    ("int8", "Int8"),
    ("int4", "Int4"),
];
const POWERS: [(&str, &str); 7] = [
    ("tdp", "Tdp"),
    ("mean", "Mean"),
    ("min", "Min"),
    ("max", "Max"),
    ("busy", "Busy"),
    ("idle", "Idle"),
    ("system_per_chip", "SystemPerChip"),
];
const PRICES: [(&str, &str); 6] = [
    ("on-demand", "OnDemand"),
    ("spot", "Spot"),
    ("preemptible", "Preemptible"),
    ("1y-reserved", "ReservedOneYear"),
    ("3y-reserved", "ReservedThreeYears"),
    ("capacity-block", "CapacityBlock"),
];
const CONFIDENCES: [(&str, &str); 3] = [("high", "High"), ("medium", "Medium"), ("low", "Low")];
const UNITS: [(&str, &str); 2] = [("GB", "Gb"), ("GiB", "Gib")];

/// Renders chips, and keeps count of the sources they cite.
pub(super) struct Table {
    known: BTreeSet<String>,
    cited: RefCell<BTreeSet<String>>,
    shipped: RefCell<BTreeSet<String>>,
}

impl Table {
    pub(super) fn new(known: BTreeSet<String>) -> Self {
        Self { known, cited: RefCell::default(), shipped: RefCell::default() }
    }

    /// A listed source that no value cites.
    pub(super) fn uncited(&self) -> Option<&str> {
        let cited = self.cited.borrow();
        self.known.iter().find(|key| !cited.contains(*key)).map(String::as_str)
    }

    /// The sources of the values that went into the table.
    pub(super) fn shipped(&self) -> BTreeSet<String> {
        self.shipped.borrow().clone()
    }

    pub(super) fn chip(&self, chip: &Node) -> Result<String, String> {
        let shipped = [
            "id",
            "name",
            "vendor",
            "year",
            "compute",
            "clock_mhz",
            "peak_tflops",
            "memory",
            "power_watts",
            "pod_chips",
            "prices",
        ];
        let unshipped = ["on_chip", "network", "best_measured_tflops", "published_cycle_model"];
        chip.only(&[&shipped[..], &unshipped[..]].concat())?;
        for group in unshipped.iter().filter_map(|key| chip.get(key).ok()) {
            self.check_all(&group)?;
        }
        let mut out = String::from("Chip {");
        for key in ["id", "name", "vendor"] {
            let _ = write!(out, "{key}: {:?},", chip.get(key)?.text()?);
        }
        let _ = write!(out, "year: {},", self.sourced(&chip.get("year")?, Kind::Whole)?);
        let _ = write!(out, "compute: {},", self.compute(&chip.get("compute")?)?);
        let _ = write!(out, "clock_mhz: {},", self.sourced(&chip.get("clock_mhz")?, Kind::Real)?);
        let _ = write!(out, "peaks: {},", self.list(&chip.get("peak_tflops")?, &PEAKS)?);
        let _ = write!(out, "memory: {},", self.memory(&chip.get("memory")?)?);
        let _ = write!(out, "power_watts: {},", self.list(&chip.get("power_watts")?, &POWERS)?);
        let _ = write!(out, "pod_chips: {},", self.sourced(&chip.get("pod_chips")?, Kind::Whole)?);
        out.push_str("prices: Borrowed(&[");
        for price in chip.get("prices")?.items()? {
            out.push_str(&self.price(&price)?);
        }
        out.push_str("]), is_own: false },");
        Ok(out)
    }

    fn compute(&self, node: &Node) -> Result<String, String> {
        let fields: &[(&str, Kind)] = if node.get("tensor_cores").is_ok() {
            &[("tensor_cores", Kind::Whole), ("fma_per_clock", Kind::Whole)]
        } else {
            &[
                ("rows", Kind::Whole),
                ("cols", Kind::Whole),
                ("units_per_core", Kind::Whole),
                ("cores", Kind::Whole),
                ("dataflow", Kind::Text),
            ]
        };
        node.only(&fields.iter().map(|(key, _)| *key).collect::<Vec<_>>())?;
        let mut known = false;
        let mut body = String::new();
        for (key, kind) in fields {
            let field = node.get(key)?;
            known |= !field.get("value")?.value.is_null();
            let name = if *key == "tensor_cores" { "count" } else { key };
            let _ = write!(body, "{name}: {},", self.sourced(&field, *kind)?);
        }
        Ok(match (known, fields.len()) {
            (false, _) => format!("Compute::Unknown({})", self.sourced(&node.get(fields[0].0)?, Kind::Text)?),
            (true, 2) => format!("Compute::TensorCores {{ {body} }}"),
            (true, _) => format!("Compute::Arrays {{ {body} }}"),
        })
    }

    fn memory(&self, node: &Node) -> Result<String, String> {
        node.only(&["kind", "unit", "capacity", "gb_per_sec"])?;
        Ok(format!(
            "Memory {{ kind: {:?}, capacity: {}, unit: {}, gb_per_sec: {} }}",
            node.get("kind")?.text()?,
            self.sourced(&node.get("capacity")?, Kind::Real)?,
            node.get("unit")?.word(&UNITS)?,
            self.sourced(&node.get("gb_per_sec")?, Kind::Real)?,
        ))
    }

    fn list(&self, node: &Node, words: &[(&str, &str)]) -> Result<String, String> {
        node.only(&words.iter().map(|(key, _)| *key).collect::<Vec<_>>())?;
        let mut out = String::from("Borrowed(&[");
        for (key, variant) in words {
            if let Ok(field) = node.get(key) {
                let _ = write!(out, "({variant}, {}),", self.sourced(&field, Kind::Real)?);
            }
        }
        out.push_str("])");
        Ok(out)
    }

    fn price(&self, node: &Node) -> Result<String, String> {
        node.only(&["kind", "usd_per_chip_hour", "region", "date", "source", "confidence", "note"])?;
        let optional = |key| {
            let field = node.get(key)?;
            if field.value.is_null() { Ok("None".into()) } else { field.text().map(|text| format!("Some({text:?})")) }
        };
        Ok(format!(
            "Price {{ kind: {}, usd_per_chip_hour: {}, region: {}, date: {} }},",
            node.get("kind")?.word(&PRICES)?,
            self.entry(node, "usd_per_chip_hour", Kind::Real)?,
            optional("region")?,
            optional("date")?,
        ))
    }

    pub(super) fn sourced(&self, node: &Node, kind: Kind) -> Result<String, String> {
        node.only(&["value", "source", "confidence", "note"])?;
        self.entry(node, "value", kind)
    }

    fn entry(&self, node: &Node, value: &str, kind: Kind) -> Result<String, String> {
        let value = node.get(value)?.literal(kind)?;
        let key = self.cite(node)?;
        let confidence = node.get("confidence")?.word(&CONFIDENCES)?;
        let note = match node.get("note") {
            Ok(note) => format!("Some({:?})", note.text()?),
            Err(_) => "None".into(),
        };
        let entry = format!("Sourced::new({value}, &{}, {confidence}, {note})", constant(&key));
        self.shipped.borrow_mut().insert(key);
        Ok(entry)
    }

    fn cite(&self, node: &Node) -> Result<String, String> {
        let source = node.get("source")?;
        let key = source.text()?.to_owned();
        if !self.known.contains(&key) {
            return Err(format!("{}: {key:?} is not in the list of sources", source.place));
        }
        self.cited.borrow_mut().insert(key.clone());
        Ok(key)
    }

    /// Checks a value, or a group of values, that does not go into the table.
    fn check_all(&self, node: &Node) -> Result<(), String> {
        if node.get("value").is_err() {
            return node.keys()?.iter().try_for_each(|key| self.check_all(&node.get(key)?));
        }
        node.only(&["value", "source", "confidence", "note"])?;
        node.get("confidence")?.word(&CONFIDENCES)?;
        self.cite(node).map(drop)
    }
}

/// The name of the static that holds a source.
pub(super) fn constant(key: &str) -> String {
    key.to_uppercase().replace('-', "_")
}
