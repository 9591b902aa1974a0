//! A guard against loops without an end: each loop of the module regularly asks how long the task has run.
//!
//! A browser gives a page no way to end its own thread. But a function that a loop calls can throw, and a module that
//! throws has trapped, which the watchdog (`public/boot.js`) can handle.
//!
//! - A loop asks every 2048 turns, through `endIfOverdue`. This function throws when a single task has asked for 0.6
//!   seconds. On a slow processor the limit is six times the start time of the module, because slowness is not a fault.
//! - A pause between two calls, as in a debugger or on a machine that sleeps, counts at most 50 ms.
//! - The guard costs 1.1 KB of the first load. Asking takes about 3% of the time in which a million sums are added.
//!   Counting takes up to 10%, within the scatter of the bench.
//!
//! Only the page around it can end a hang outside the module: `npm/systolic-playground.mjs`.

use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasm_encoder::{CodeSection, Function, Instruction, Module, TypeSection, ValType};
use wasmparser::{ConstExpr, ElementItems, ElementKind, FunctionBody, Operator, Parser, Payload};

use crate::wasm::{clause, copy_section, function_names};

/// Turns of a loop from one question to the next: asking takes some 3 % of the time in which a million sums are added.
const TURNS: i32 = 2048;

/// The place in the module's table of the one function whose mangled name contains `name`.
///
/// # Errors
/// One clause: the module is not as the format has it, or there is no such function, or more than one, or it is not in the table.
pub fn place_in_table(module: &[u8], name: &str) -> Result<u32, String> {
    let (mut named, mut places) = (Vec::new(), Vec::new());
    for payload in Parser::new(0).parse_all(module) {
        match payload.map_err(clause)? {
            Payload::ElementSection(elements) => {
                for element in elements {
                    let element = element.map_err(clause)?;
                    let ElementKind::Active { offset_expr, table_index: None | Some(0) } = element.kind else {
                        continue;
                    };
                    let ElementItems::Functions(functions) = element.items else { continue };
                    for (place, function) in (constant(&offset_expr)?..).zip(functions) {
                        places.push((function.map_err(clause)? as usize, place));
                    }
                }
            }
            Payload::CustomSection(section) => {
                let names = function_names(&section)?.into_iter();
                named.extend(names.filter(|(_, known)| known.contains(name)).map(|(function, _)| function));
            }
            _ => {}
        }
    }
    let [function] = named[..] else { return Err(format!("it has {} functions {name}, not one", named.len())) };
    places
        .into_iter()
        .find_map(|(at, place)| (at == function).then_some(place))
        .ok_or_else(|| format!("{name} is not in its table"))
}

fn constant(offset: &ConstExpr<'_>) -> Result<u32, String> {
    match offset.get_operators_reader().read().map_err(clause)? {
        Operator::I32Const { value } => u32::try_from(value).map_err(|_| "a place before its table".to_owned()),
        _ => Err("a place in its table that is not constant".to_owned()),
    }
}

/// `module` with loops that call the function at this place of the table, of no parameters and no results, every two thousand
/// turns.
///
/// # Errors
/// One clause: what is not as the format has it.
pub fn watched(module: &[u8], place: u32) -> Result<Vec<u8>, String> {
    let mut out = Module::new();
    // Parameters of each type, and the type of each body.
    let (mut params, mut kinds) = (Vec::new(), Vec::new());
    let mut code = CodeSection::new();
    let mut n_bodies = 0;
    for payload in Parser::new(0).parse_all(module) {
        match payload.map_err(clause)? {
            Payload::TypeSection(types) => {
                let mut section = TypeSection::new();
                for kind in types.clone().into_iter_err_on_gc_types() {
                    params.push(kind.map_err(clause)?.params().len());
                }
                RoundtripReencoder.parse_type_section(&mut section, types).map_err(|why| why.to_string())?;
                section.ty().function([], []);
                out.section(&section);
            }
            Payload::CodeSectionStart { count, .. } => n_bodies = count,
            Payload::CodeSectionEntry(body) => {
                let at = code.len() as usize;
                let n_params =
                    kinds.get(at).and_then(|&kind: &u32| params.get(kind as usize)).ok_or("a body of no type")?;
                let call = Call { place, kind: len(params.len())?, counter_from: len(*n_params)? };
                code.function(&call.woven_into(&body)?);
                if code.len() == n_bodies {
                    out.section(&code);
                }
            }
            payload => {
                if let Payload::FunctionSection(functions) = &payload {
                    kinds = functions.clone().into_iter().collect::<Result<_, _>>().map_err(clause)?;
                }
                copy_section(module, &payload, &mut out)?;
            }
        }
    }
    Ok(out.finish())
}

fn len(n: usize) -> Result<u32, String> {
    u32::try_from(n).map_err(|_| "it is too long".to_owned())
}

/// What a loop calls.
struct Call {
    place: u32,
    kind: u32,
    /// Parameters of the function in which it stands; its locals come behind them.
    counter_from: u32,
}

impl Call {
    fn woven_into(&self, body: &FunctionBody<'_>) -> Result<Function, String> {
        let mut locals = Vec::new();
        let mut counter = self.counter_from;
        for group in body.get_locals_reader().map_err(clause)? {
            let (n, kind) = group.map_err(clause)?;
            counter = counter.checked_add(n).ok_or("too many locals")?;
            locals.push((n, ValType::try_from(kind).map_err(|why| format!("a local: {why:?}"))?));
        }
        let mut reader = body.get_operators_reader().map_err(clause)?;
        let (bytes, begin) = (body.as_bytes(), body.range().start);
        let place = |at: u64| usize::try_from(at - begin).map_err(|_| "it is too long".to_owned());
        let mut parts = vec![(place(reader.original_position())?, false)];
        while !reader.eof() {
            if let Operator::Loop { .. } = reader.read().map_err(clause)? {
                parts.push((place(reader.original_position())?, true));
            }
        }
        if parts.len() > 1 {
            locals.push((1, ValType::I32));
        }
        let mut function = Function::new(locals);
        for (index, &(from, is_loop)) in parts.iter().enumerate() {
            if is_loop {
                self.write(counter, &mut function);
            }
            let to = parts.get(index + 1).map_or(bytes.len(), |&(to, _)| to);
            function.raw(bytes[from..to].iter().copied());
        }
        Ok(function)
    }

    fn write(&self, counter: u32, function: &mut Function) {
        function
            .instruction(&Instruction::LocalGet(counter))
            .instruction(&Instruction::I32Const(1))
            .instruction(&Instruction::I32Add)
            .instruction(&Instruction::LocalTee(counter))
            .instruction(&Instruction::I32Const(TURNS - 1))
            .instruction(&Instruction::I32And)
            .instruction(&Instruction::I32Eqz)
            .instruction(&Instruction::If(wasm_encoder::BlockType::Empty))
            .instruction(&Instruction::I32Const(self.place.cast_signed()))
            .instruction(&Instruction::CallIndirect { type_index: self.kind, table_index: 0 })
            .instruction(&Instruction::End);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{
        BlockType, ConstExpr, ElementSection, Elements, EntityType, FunctionSection, ImportSection, NameMap,
        NameSection, RefType, TableSection, TableType,
    };
    use wasmparser::Validator;

    /// An imported function, and three of its own with names: one that is at place 5 of the table, one with a loop within a
    /// loop, one with none.
    fn module() -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([ValType::I64, ValType::I32], []);
        let mut imports = ImportSection::new();
        imports.import("e", "f", EntityType::Function(0));
        let mut functions = FunctionSection::new();
        functions.function(0).function(0).function(0);
        let mut tables = TableSection::new();
        let table =
            TableType { element_type: RefType::FUNCREF, minimum: 8, maximum: None, table64: false, shared: false };
        tables.table(table);
        let mut elements = ElementSection::new();
        elements.active(None, &ConstExpr::i32_const(4), Elements::Functions([2, 1].as_slice().into()));
        let mut code = CodeSection::new();
        let mut plain = Function::new([]);
        plain.instructions().nop().end();
        let mut looping = Function::new([(2, ValType::F32), (1, ValType::I32)]);
        looping.instructions().loop_(BlockType::Empty).loop_(BlockType::Empty).br(1).end().end().end();
        code.function(&plain).function(&looping).function(&plain);
        let mut names = NameSection::new();
        let mut of_functions = NameMap::new();
        of_functions.append(1, "crash::overdue");
        of_functions.append(3, "elsewhere");
        names.functions(&of_functions);
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&tables);
        module.section(&elements).section(&code).section(&names);
        module.finish()
    }

    /// The operators of each body, and how many locals it declares.
    fn bodies(module: &[u8]) -> Vec<(Vec<Operator<'_>>, u32)> {
        let mut bodies = Vec::new();
        for payload in Parser::new(0).parse_all(module) {
            if let Payload::CodeSectionEntry(body) = payload.expect("a module") {
                let operators = body.get_operators_reader().expect("operators").into_iter();
                let locals = body.get_locals_reader().expect("locals").into_iter();
                let n_locals = locals.map(|group| group.expect("a group").0).sum();
                bodies.push((operators.map(|operator| operator.expect("one")).collect(), n_locals));
            }
        }
        bodies
    }

    #[test]
    fn a_function_is_found_at_its_place_in_the_table() {
        assert_eq!(place_in_table(&module(), "overdue"), Ok(5));
        assert!(place_in_table(&module(), "elsewhere").expect_err("not there").contains("not in its table"));
        assert!(place_in_table(&module(), "nowhere").expect_err("not there").contains("0 functions nowhere"));
        assert!(place_in_table(&module(), "e").expect_err("two").contains("2 functions e"));
    }

    #[test]
    fn every_loop_counts_its_turns_and_asks_and_all_else_stays() {
        let (before, after) = (module(), watched(&module(), 5).expect("a module"));
        Validator::new().validate_all(&before).expect("valid");
        Validator::new().validate_all(&after).expect("still valid");
        let (before, after) = (bodies(&before), bodies(&after));
        assert_eq!((before.len(), &before[0], &before[2]), (after.len(), &after[0], &after[2]), "no loop, no change");
        let (operators, n_locals) = &after[1];
        assert_eq!(*n_locals, before[1].1 + 1, "one counter");
        // Behind two parameters and three locals.
        let asks = [
            Operator::LocalGet { local_index: 5 },
            Operator::I32Const { value: 1 },
            Operator::I32Add,
            Operator::LocalTee { local_index: 5 },
            Operator::I32Const { value: TURNS - 1 },
            Operator::I32And,
            Operator::I32Eqz,
            Operator::If { blockty: wasmparser::BlockType::Empty },
            Operator::I32Const { value: 5 },
            Operator::CallIndirect { type_index: 1, table_index: 0 },
            Operator::End,
        ];
        let starts: Vec<usize> =
            (0..operators.len()).filter(|&at| matches!(operators[at], Operator::Loop { .. })).collect();
        assert_eq!(starts.len(), 2);
        for start in starts {
            assert_eq!(operators[start + 1..][..asks.len()], asks);
        }
        let rest = operators.len() - 2 * asks.len();
        assert_eq!(rest, before[1].0.len(), "nothing else was added");
        assert_eq!(TURNS & (TURNS - 1), 0, "it is counted by a mask");
    }

    #[test]
    fn every_shortened_module_is_an_error_or_a_smaller_module() {
        let module = module();
        for length in 0..module.len() {
            if let Ok(shorter) = watched(&module[..length], 5) {
                assert!(bodies(&shorter).len() <= 3);
            }
            let _ = place_in_table(&module[..length], "overdue");
        }
    }
}
