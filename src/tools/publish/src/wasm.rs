//! Reads and rewrites WebAssembly modules: names of functions, custom sections.

use wasm_encoder::{CustomSection, Module, RawSection};
use wasmparser::{BinaryReaderError, KnownCustom, Name, Parser, Payload};

/// Returns the names of the functions of `module`, from its name section.
///
/// # Errors
/// Fails if `module` is not a valid module. The error message does not name the module.
pub(crate) fn function_names(module: &[u8]) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for payload in Parser::new(0).parse_all(module) {
        let Payload::CustomSection(section) = payload.map_err(error_text)? else { continue };
        let KnownCustom::Name(subsections) = section.as_known() else { continue };
        for subsection in subsections {
            let Name::Function(functions) = subsection.map_err(error_text)? else { continue };
            for naming in functions {
                found.push(naming.map_err(error_text)?.name.to_owned());
            }
        }
    }
    Ok(found)
}

/// Returns several modules in one file: a module without code, with one custom section for each module, in order. Each
/// section has the name `name`.
pub(crate) fn packed(name: &str, modules: &[Vec<u8>]) -> Vec<u8> {
    let mut pack = Module::new();
    for module in modules {
        pack.section(&CustomSection { name: name.into(), data: module.into() });
    }
    pack.finish()
}

/// Returns `module` without its custom sections, such as function names, relocations and names of tools. No engine
/// needs these sections.
///
/// # Errors
/// Fails if `module` is not a valid module. The error message does not name the module.
pub(crate) fn stripped(module: &[u8]) -> Result<Vec<u8>, String> {
    let mut out = Module::new();
    for payload in Parser::new(0).parse_all(module) {
        let payload = payload.map_err(error_text)?;
        if !matches!(payload, Payload::CustomSection(_)) {
            copy_section(module, &payload, &mut out)?;
        }
    }
    Ok(out.finish())
}

/// Copies a section of `module` unchanged to `out`. Ignores payloads that are not sections.
fn copy_section(module: &[u8], payload: &Payload<'_>, out: &mut Module) -> Result<(), String> {
    let Some((id, range)) = payload.as_section() else { return Ok(()) };
    let place = |at: u64| usize::try_from(at).map_err(|_| "it is too long".to_owned());
    let data = module.get(place(range.start)?..place(range.end)?).ok_or("it ends too early")?;
    out.section(&RawSection { id, data });
    Ok(())
}

#[expect(clippy::needless_pass_by_value, reason = "results hand their errors over")]
fn error_text(error: BinaryReaderError) -> String {
    error.message().to_owned()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use wasm_encoder::{
        CodeSection, EntityType, Function as Body, FunctionSection, ImportSection, MemoryType, NameMap, NameSection,
        TypeSection,
    };

    /// Module with one imported function, one imported memory and two functions with bodies. The second of the two has
    /// the name `name`.
    pub(crate) fn module_with(name: &str) -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([], []);
        let mut imports = ImportSection::new();
        let memory = MemoryType { minimum: 1, maximum: None, memory64: false, shared: false, page_size_log2: None };
        imports.import("e", "f", EntityType::Function(0)).import("e", "m", EntityType::Memory(memory));
        let mut functions = FunctionSection::new();
        functions.function(0).function(0);
        let mut code = CodeSection::new();
        let mut longer = Body::new([]);
        longer.instructions().nop().nop().end();
        let mut shorter = Body::new([]);
        shorter.instructions().end();
        code.function(&shorter).function(&longer);
        let mut names = NameSection::new();
        let mut of_functions = NameMap::new();
        of_functions.append(0, "imported");
        of_functions.append(2, name);
        names.functions(&of_functions);
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&code);
        if !name.is_empty() {
            module.section(&names);
        }
        module.finish()
    }

    #[test]
    fn a_pack_is_a_module_that_carries_others() {
        let inner = [module_with("one"), module_with("another")];
        let pack = packed("part", &inner);
        assert_eq!(function_names(&pack), Ok(Vec::new()));
        let carried = |payload| match payload {
            Ok(Payload::CustomSection(section)) => Some((section.name().to_owned(), section.data().to_vec())),
            _ => None,
        };
        let sections: Vec<_> = Parser::new(0).parse_all(&pack).filter_map(carried).collect();
        assert_eq!(sections, inner.map(|module| ("part".to_owned(), module)));
    }

    #[test]
    fn names_are_those_of_the_name_section() {
        assert_eq!(function_names(&module_with("gg")).expect("a module"), ["imported", "gg"]);
        assert_eq!(function_names(&module_with("")).expect("a module"), [""; 0]);
    }

    #[test]
    fn names_go_and_all_that_runs_stays() {
        let runs = module_with("");
        assert_eq!(stripped(&module_with("gg")).expect("a module"), runs);
        assert_eq!(stripped(&runs).expect("a module"), runs);
        assert!(stripped(&runs[..12]).is_err());
    }

    #[test]
    fn every_shortened_module_is_an_error_or_a_smaller_module() {
        let module = module_with("gg");
        assert!(function_names(b"not wasm").is_err());
        for length in 0..module.len() {
            if let Ok(found) = function_names(&module[..length]) {
                assert!(found.len() <= 2);
            }
        }
    }
}
