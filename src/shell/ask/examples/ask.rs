//! Prints the answers to a question: `cargo run -p ask --example ask -- "TEXT"`. With `--time`, prints only the time of
//! each question, one question per line of the input.

use std::io::{self, Read as _, Write};
use std::time::Instant;

use ask::{Answers, Index, Target};

fn print(answers: &Answers) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for (answer, nth) in answers.found.iter().zip(1..) {
        let place = match &answer.target {
            Target::Link(place) | Target::Book(place) => place,
            Target::None => "no link",
        };
        writeln!(out, "{nth}. {}: {}\n   {}\n   {place}", ask::words::kind(answer.kind), answer.title, answer.says)?;
    }
    answers.note.iter().try_for_each(|note| writeln!(out, "Note: {note}"))
}

fn main() -> io::Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../public/ask.txt");
    let text = std::fs::read_to_string(path)?;
    let start = Instant::now();
    let index = Index::parse(&text);
    let parsed = start.elapsed();
    let question = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    if question != "--time" {
        return print(&index.ask(&question));
    }
    let mut lines = String::new();
    io::stdin().read_to_string(&mut lines)?;
    writeln!(io::stdout(), "index: {parsed:?}")?;
    for line in lines.lines() {
        let start = Instant::now();
        let answers = index.ask(line);
        let first = answers.found.first().map_or("", |answer| &answer.title);
        writeln!(io::stdout(), "{:?}\t{line}\t{first}", start.elapsed())?;
    }
    Ok(())
}
