//! Templates for the SystemVerilog files in the folder `verilog`.
//!
//! - `//% if a !b` begins a part for designs that have the feature `a` and lack the feature `b`.
//! - `//% else` begins the part for all other designs.
//! - `//% end` ends the part.
//! - `//% use name` inserts the file `name` of the folder `verilog/pieces`.
//! - `@NAME@` inserts the value that the design has for `NAME`.

use std::collections::BTreeMap;
use std::fmt::Display;

/// Names and texts of the pieces that several templates share.
const PIECES: [(&str, &str); 3] = [
    ("multiply", include_str!("verilog/pieces/multiply.sv")),
    ("product", include_str!("verilog/pieces/product.sv")),
    ("hop_south", include_str!("verilog/pieces/hop_south.sv")),
];

/// Features and values of a design, which fill the templates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices {
    has: Vec<&'static str>,
    values: BTreeMap<&'static str, String>,
}

impl Choices {
    /// Adds the feature `name` if `is_so` is true.
    pub(crate) fn has(&mut self, name: &'static str, is_so: bool) {
        if is_so {
            self.has.push(name);
        }
    }

    pub(crate) fn set(&mut self, name: &'static str, value: impl Display) {
        self.values.insert(name, value.to_string());
    }

    fn are(&self, condition: &str) -> bool {
        condition.split_whitespace().all(|name| match name.strip_prefix('!') {
            Some(name) => !self.has.contains(&name),
            None => self.has.contains(&name),
        })
    }

    /// Returns the text of a template with the features and values of this design.
    pub(crate) fn filled(&self, template: &str) -> String {
        let mut text = String::new();
        let mut open: Vec<bool> = Vec::new();
        for line in template.lines() {
            if let Some(directive) = line.trim_start().strip_prefix("//% ") {
                match (directive.split_once(' '), directive) {
                    (Some(("if", condition)), _) => open.push(self.are(condition)),
                    (Some(("use", name)), _) if open.iter().all(|&is_open| is_open) => {
                        let piece = PIECES.iter().find(|(piece, _)| *piece == name);
                        text.push_str(&piece.map_or_else(String::new, |(_, piece)| self.filled(piece)));
                    }
                    (None, "else") => {
                        if let Some(last) = open.last_mut() {
                            *last = !*last;
                        }
                    }
                    (None, "end") => drop(open.pop()),
                    _ => {}
                }
            } else if open.iter().all(|&is_open| is_open) {
                self.fill(line, &mut text);
                text.push('\n');
            }
        }
        text
    }

    /// Appends a line of a template, with values in place of names. An `@` that begins no known name stays unchanged.
    fn fill(&self, line: &str, text: &mut String) {
        let mut rest = line;
        while let Some((before, after)) = rest.split_once('@') {
            text.push_str(before);
            let value = after.split_once('@').and_then(|(name, rest)| Some((self.values.get(name)?, rest)));
            match value {
                Some((value, after)) => {
                    text.push_str(value);
                    rest = after;
                }
                None => {
                    text.push('@');
                    rest = after;
                }
            }
        }
        text.push_str(rest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_design_takes_the_parts_that_it_has() {
        let mut choices = Choices::default();
        choices.has("a", true);
        choices.has("b", false);
        choices.set("W", 8);
        let template = "//% if a !b\none @W@\n  //% if b\ntwo\n  //% else\nthree @(posedge clk) @W@\n  //% end\n//% end\n//% if b\nfour\n//% end\n";
        assert_eq!(choices.filled(template), "one 8\nthree @(posedge clk) 8\n");
    }
}
