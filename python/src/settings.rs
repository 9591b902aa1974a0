//! Settings of an array, as texts by name. Python passes them in this form.

use std::collections::BTreeMap;

use systolic::{
    Accumulator, Adder, ArrayShape, Dataflow, Design, Drain, Dtype, FoldOrder, Gemm, Hold, KTiles, Load, MacUnit,
    Overlap, Padding, Pipeline, Ports, Rate, ResultFormat, Schedule,
};

use crate::problem::{Problem, Usable};

/// Names of all settings. The command line has the same names, with a dash for each underscore.
const NAMES: [&str; 20] = [
    "rows",
    "cols",
    "dataflow",
    "dtype",
    "acc",
    "saturate",
    "flush",
    "pad",
    "overlap",
    "load",
    "drain",
    "order",
    "ktiles",
    "adder",
    "results",
    "product_register",
    "two_registers_south",
    "west",
    "north",
    "south",
];

/// Texts of settings by name. An optional setting that is missing has its default.
#[derive(Clone, Debug)]
pub(crate) struct Settings(BTreeMap<String, String>);

impl Settings {
    /// Creates settings. Fails if a name is unknown.
    pub(crate) fn new(texts: BTreeMap<String, String>) -> Result<Self, Problem> {
        match texts.keys().find(|name| !NAMES.contains(&name.as_str())) {
            Some(given) => Err(Problem::NoSuchSetting { given: given.clone(), names: &NAMES }),
            None => Ok(Self(texts)),
        }
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Parses the text of a setting if the setting is present.
    fn parsed<T>(&self, name: &str, usable: Usable, parse: impl Fn(&str) -> Option<T>) -> Result<Option<T>, Problem> {
        let found = |text| parse(text).ok_or_else(|| Problem::value(name, text, usable));
        self.text(name).map(found).transpose()
    }

    fn needed<T>(&self, name: &str, usable: &Usable, parse: impl Fn(&str) -> Option<T>) -> Result<T, Problem> {
        let found = self.parsed(name, usable.clone(), parse)?;
        found.ok_or_else(|| Problem::value(name, "", usable.clone()))
    }

    fn named<T: Copy>(&self, name: &str, all: &[(&'static str, T)]) -> Result<Option<T>, Problem> {
        let usable = Usable::OneOf(all.iter().map(|(id, _)| *id).collect());
        let by_id = |text: &str| all.iter().find(|(id, _)| id.eq_ignore_ascii_case(text)).map(|(_, one)| *one);
        self.parsed(name, usable, by_id)
    }

    fn flag(&self, name: &str) -> Result<bool, Problem> {
        let parse = |text: &str| match text {
            "True" => Some(true),
            "False" => Some(false),
            _ => None,
        };
        Ok(self.parsed(name, Usable::Flag, parse)?.unwrap_or_default())
    }

    pub(crate) fn array(&self) -> Result<ArrayShape, Problem> {
        let side = |name| {
            let in_range = |text: &str| text.parse().ok().filter(|side| (1..=ArrayShape::SIDE_MAX).contains(side));
            self.needed(name, &Usable::UpTo(ArrayShape::SIDE_MAX), in_range)
        };
        Ok(ArrayShape::new(side("rows")?, side("cols")?)?)
    }

    pub(crate) fn dataflow(&self) -> Result<Dataflow, Problem> {
        self.needed("dataflow", &dataflows(), Dataflow::from_id)
    }

    /// Arithmetic of a PE.
    pub(crate) fn unit(&self) -> Result<MacUnit, Problem> {
        let dtypes = Usable::OneOf(Dtype::ALL.map(Dtype::id).to_vec());
        let dtype = self.needed("dtype", &dtypes, Dtype::from_id)?;
        let unit = MacUnit::new(dtype).with_saturation(self.flag("saturate")?).with_flushing(self.flag("flush")?);
        let with = |text: &str| Accumulator::from_id(text).and_then(|accumulator| unit.with_accumulator(accumulator));
        let unit = self.parsed("acc", Usable::Accumulator { dtype }, with)?.unwrap_or(unit);
        let adder = self.named("adder", &Adder::ALL.map(|one| (one.id(), one)))?.unwrap_or_default();
        unit.with_adder(adder).map_err(|error| Problem::Adder { adder, error })
    }

    /// Format to which complete results are rounded.
    pub(crate) fn results(&self) -> Result<ResultFormat, Problem> {
        Ok(self.named("results", &ResultFormat::ALL.map(|one| (one.id(), one)))?.unwrap_or_default())
    }

    pub(crate) fn padding(&self) -> Result<Padding, Problem> {
        let parse = |text: &str| match text {
            "ragged" => Some(Padding::Ragged),
            "zero" => Some(Padding::ToArray),
            _ => {
                let multiple = text.strip_prefix('m')?.parse().ok();
                multiple.filter(|&one| one >= 1 && u64::from(one) <= Padding::MULTIPLE_MAX).map(Padding::MultipleOfM)
            }
        };
        Ok(self.parsed("pad", Usable::Padding, parse)?.unwrap_or(Padding::Ragged))
    }

    /// Design of the array: its construction and its feeding. The defaults follow SCALE-Sim.
    pub(crate) fn design(&self) -> Result<Design, Problem> {
        let rate = |edge: &str| {
            let parse = |text: &str| {
                let (elements, cycles) = text.split_once('/').unwrap_or((text, "1"));
                Rate::new(elements.trim().parse().ok()?, cycles.trim().parse().ok()?)
            };
            self.parsed(edge, Usable::Rate { most: Rate::MAX.into() }, parse)
        };
        Ok(Design {
            overlap: self.named("overlap", &Overlap::ALL.map(|one| (one.id(), one)))?.unwrap_or_default(),
            load: self.named("load", &Load::ALL.map(|one| (one.id(), one)))?,
            drain: self.named("drain", &Drain::ALL.map(|one| (one.id(), one)))?.unwrap_or_default(),
            order: self.named("order", &[("rows", FoldOrder::Rows), ("cols", FoldOrder::Cols)])?.unwrap_or_default(),
            k_tiles: self.parsed("ktiles", Usable::TileOrder, KTiles::from_text)?.unwrap_or_default(),
            pipeline: Pipeline {
                product_register: self.flag("product_register")?,
                two_registers_south: self.flag("two_registers_south")?,
            },
            ports: Ports { west: rate("west")?, north: rate("north")?, south: rate("south")? },
        })
    }

    /// Checks that every setting applies to the dataflow. A setting that is ignored would describe a different array.
    pub(crate) fn suit(&self, dataflow: Dataflow) -> Result<(), Problem> {
        let (name, dataflows) = match dataflow.hold() {
            Hold::Operand => ("drain", &[Dataflow::OutputStationary][..]),
            Hold::Result => ("load", &[Dataflow::WeightStationary, Dataflow::InputStationary][..]),
        };
        if self.text(name).is_some() { Err(Problem::NotOfDataflow { name, dataflows }) } else { Ok(()) }
    }

    /// Schedule of a matmul on the array, for the adder of `unit`.
    pub(crate) fn schedule(&self, gemm: Gemm, unit: MacUnit) -> Result<Schedule, Problem> {
        let schedule = Schedule::new(gemm, self.array()?, self.dataflow()?, self.padding()?)?;
        let schedule = schedule.with(self.design()?)?;
        schedule.with_unit(unit).map_err(|error| Problem::Adder { adder: unit.adder(), error })
    }
}

/// Names of all dataflows, as the allowed values.
pub(crate) fn dataflows() -> Usable {
    Usable::OneOf(Dataflow::ALL.map(Dataflow::id).to_vec())
}
