//! Reads the flip-flops of a design, module by module, from the statistics of Yosys.

use std::collections::BTreeMap;
use std::path::Path;

use rtl::File;

use crate::simulators::{run, sources};

/// Cells of each module, by their kinds.
#[derive(Debug)]
pub(crate) struct Netlist(BTreeMap<String, Vec<(String, u64)>>);

impl Netlist {
    /// Reads a design without its testbench. The modules are not flattened, because Yosys would remove the unused
    /// outputs of the last column.
    pub(crate) fn of(folder: &Path, files: &[File], prefix: &str) -> Self {
        let hardware: Vec<&str> = sources(files).into_iter().filter(|name| !name.ends_with("tb.sv")).collect();
        let script = format!(
            "read_verilog -sv {}; hierarchy -check -top {prefix}top; proc; opt_clean; check -assert; stat -width",
            hardware.join(" ")
        );
        let said = run(folder, "yosys", &["-p", &script]);
        assert!(said.good, "{}", said.text);
        let (_, statistics) = said.text.rsplit_once("Printing statistics.").expect("statistics");
        let (statistics, _) = statistics.split_once("=== design hierarchy").unwrap_or((statistics, ""));
        let mut modules: BTreeMap<String, Vec<(String, u64)>> = BTreeMap::new();
        let mut module = String::new();
        for line in statistics.lines() {
            if let Some(name) = line.strip_prefix("=== ") {
                module = name.trim_end_matches(" ===").to_owned();
                modules.insert(module.clone(), vec![]);
            } else if let [kind, count] = line.split_whitespace().collect::<Vec<_>>()[..]
                && let (Some(cells), Ok(count)) = (modules.get_mut(&module), count.parse())
            {
                cells.push((kind.to_owned(), count));
            }
        }
        Self(modules)
    }

    /// Returns the number of flip-flops in a module and its submodules.
    pub(crate) fn bits(&self, module: &str) -> u64 {
        let of_kind = |kind: &str| match kind.rsplit_once('_') {
            _ if self.0.contains_key(kind) => self.bits(kind),
            Some(("$dff" | "$dffe" | "$sdff" | "$sdffe" | "$sdffce" | "$adff" | "$adffe", width)) => {
                width.parse().expect("a width")
            }
            _ => {
                let stores = ["dff", "dlatch", "$sr", "$ff"].iter().any(|word| kind.contains(word));
                assert!(!stores, "{kind} stores something that is not counted");
                0
            }
        };
        self.0[module].iter().map(|(kind, count)| count * of_kind(kind)).sum()
    }

    /// Returns the modules with this name, for every choice of parameters.
    pub(crate) fn named(&self, name: &str) -> impl Iterator<Item = &str> {
        let is_it = move |module: &&String| module.split('\\').any(|part| part == name);
        self.0.keys().filter(is_it).map(String::as_str)
    }

    /// Returns the number of flip-flops of all instances of a module inside another module.
    pub(crate) fn bits_of(&self, module: &str, name: &str) -> u64 {
        let instances = self.0[module].iter().filter(|(kind, _)| kind.split('\\').any(|part| part == name));
        instances.map(|(kind, count)| count * self.bits(kind)).sum()
    }
}
