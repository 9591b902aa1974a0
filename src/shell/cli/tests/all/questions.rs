//! Opens every link and runs every command of `docs/questions.md`, and of the worked questions in `docs/models.md`. Each
//! answer must have the numbers and texts that the document lists, within the listed bounds.

use std::fs;
use std::path::Path;

use crate::common::{fed, systolic, text, told};
use estimate::{Answered, Topic};
use report::{Row, answer, drawings, tables};
use studio::{Link, Session};

/// Path of the document.
const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/questions.md");

/// Document whose section of worked questions has the form of the document at [`PATH`].
const MODELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/models.md");

/// Question of a row, with its expected answers.
#[derive(Debug)]
struct Asked {
    row: String,
    /// Link from its question mark on, or the arguments of a command and its input.
    ask: String,
    says: Vec<Says>,
}

/// Expected part of an answer.
#[derive(Debug)]
enum Says {
    /// Value with this name and unit, within this bound.
    Number { name: String, value: f64, unit: String, bound: f64 },
    /// Text that the answer contains.
    Text(String),
}

fn read(markdown: &str) -> Vec<Asked> {
    let (mut all, mut row): (Vec<Asked>, String) = (Vec::new(), String::new());
    for line in markdown.lines() {
        if let Some(title) = line.strip_prefix("### ") {
            row = title.to_owned();
        } else if let Some(ask) = line.strip_prefix("    ") {
            all.push(Asked { row: row.clone(), ask: ask.trim().to_owned(), says: Vec::new() });
        } else if let Some(said) = line.strip_prefix("- `")
            && let Some((name, rest)) = said.split_once("` is ")
        {
            let (value, bound) = rest.split_once(" ± ").unwrap_or((rest, "0"));
            let (value, unit) = value.split_once(' ').unwrap_or((value, ""));
            let number = |text: &str| text.trim().parse::<f64>().unwrap_or_else(|_| panic!("{row}: no number: {text}"));
            let (value, bound) = (number(value), number(bound.split(' ').next().unwrap_or_default()));
            let says = Says::Number { name: name.to_owned(), value, unit: unit.trim().to_owned(), bound };
            all.last_mut().unwrap_or_else(|| panic!("{row}: nothing is asked before {name}")).says.push(says);
        } else if let Some(said) = line.strip_prefix("- says “") {
            let said = said.trim_end_matches('”').to_owned();
            all.last_mut().unwrap_or_else(|| panic!("{row}: nothing is asked")).says.push(Says::Text(said));
        }
    }
    all
}

/// Returns the first number in a text, and the text after it.
fn number_in(text: &str) -> Option<(f64, String)> {
    let plain = text.replace('\u{202f}', "").replace('−', "-").replace('$', "");
    let start = plain.find(|c: char| c.is_ascii_digit())?;
    let start = if start > 0 && plain[..start].ends_with('-') { start - 1 } else { start };
    let rest = &plain[start..];
    let end = rest.char_indices().find(|(at, c)| !(c.is_ascii_digit() || *c == '.' || (*at == 0 && *c == '-')));
    let (number, behind) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
    Some((number.parse().ok()?, behind.trim().to_owned()))
}

/// Answer of a link or command: values by name, and the whole text.
#[derive(Default)]
pub(crate) struct Shown {
    values: Vec<(String, String)>,
    pub(crate) text: String,
}

impl Shown {
    fn say(&mut self, name: impl Into<String>, value: impl Into<String>) {
        let (name, value) = (name.into(), value.into());
        self.text.push_str(&format!("{name}: {value}\n"));
        self.values.push((name, value));
    }

    fn answer(&mut self, answered: &Answered) {
        let (answer, tables) = (answer(answered), tables(answered));
        self.text.push_str(&answer.title);
        for figure in &answer.figures {
            self.say(figure.id, &figure.value);
            self.text.push_str(&format!("{} {} {}\n", figure.shown(), figure.note, figure.worked));
        }
        let bill = answer.bill.iter().flat_map(|bill| core::iter::once(&bill.table).chain(&bill.beside));
        for table in tables.iter().chain(bill) {
            for cells in table.rows.iter().map(Row::texts) {
                let name = cells.first().cloned().unwrap_or_default();
                for (head, cell) in table.heads.iter().zip(&cells).skip(1) {
                    self.say(format!("{name} / {head}"), cell);
                }
            }
        }
        let sentences = answer.beside_entries.iter().map(|(_, said)| said);
        let notes = answer.notes.iter().map(|(_, said)| said);
        for said in
            sentences.chain(notes).chain(&answer.refused).chain(answer.columns.remedy.as_ref().map(|one| &one.says))
        {
            self.text.push_str(said);
            self.text.push('\n');
        }
    }

    /// Returns the answer of a link.
    pub(crate) fn of_link(link: &str) -> Self {
        let (query, fragment) =
            link.trim_start_matches('?').split_once('#').unwrap_or((link.trim_start_matches('?'), ""));
        let link = Link::parse(query, fragment);
        assert!(link.notices.is_empty(), "{query}: {:?}", link.notices);
        let mut shown = Self::default();
        for topic in Topic::ALL {
            let text = link.texts.text(topic.parameter());
            if !text.is_empty() {
                let answered = Answered::of_link(topic, |parameter| link.texts.text(parameter));
                assert_eq!(answered.query().invalid(), [], "{text}");
                shown.answer(&answered);
                for one in drawings(&answered) {
                    one.dots.iter().for_each(|(line, _)| shown.text.push_str(&format!("{line}\n")));
                }
            }
        }
        let (session, _) = Session::open(&link);
        let plan = &session.plan;
        shown.say("cycles", plan.schedule().cycles().get().to_string());
        for part in words::figures::parts(&plan.schedule().tally()) {
            shown.say(words::busy::class(part.slot), format!("{} %", part.percent));
        }
        for figure in words::figures::run_figures(plan).into_iter().chain(words::figures::ladder_figures(plan)) {
            shown.say(figure.id, &figure.value);
            shown.text.push_str(&format!("{} {}\n", figure.note, figure.worked));
        }
        shown.text.push_str(&words::figures::on_chip_sentence(plan));
        shown.text.extend(words::memory::memory_feed_sentence(plan));
        shown
    }

    /// Returns the output of a command: JSON by its path, a table by column and row, and the whole text.
    pub(crate) fn of_command(command: &str) -> Self {
        let (command, input) = command.split_once(" <<< ").unwrap_or((command, ""));
        let input = input.trim().trim_start_matches('$').trim_matches('\'').replace("\\n", "\n") + "\n";
        let arguments: Vec<String> = shell(command.strip_prefix("systolic ").expect("a command of systolic"));
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = if input.trim().is_empty() { systolic(&arguments) } else { fed(&arguments, &input) };
        // The command refuses an impossible claim or measurement, and still prints the answer.
        let may_be_refused = command.contains("--measured") || command.contains("--claim");
        let out = if may_be_refused { text(&output.stdout) } else { told(&output) };
        let mut shown = Self { text: out.clone() + &text(&output.stderr), ..Self::default() };
        if let Ok(json) = serde_json::from_str::<serde_json::Value>(&out) {
            flat("", &json, &mut shown.values);
        } else {
            table(&out, &mut shown.values);
        }
        shown
    }

    pub(crate) fn number(&self, name: &str) -> Option<(f64, String)> {
        let (_, value) = self.values.iter().find(|(own, _)| own == name)?;
        value.parse().ok().map(|number| (number, String::new())).or_else(|| number_in(value))
    }
}

/// Splits a command line into words. Text in quotation marks is one word.
pub(crate) fn shell(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (nth, part) in command.split('\'').enumerate() {
        if nth % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

fn flat(path: &str, value: &serde_json::Value, to: &mut Vec<(String, String)>) {
    let under = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        serde_json::Value::Object(map) => map.iter().for_each(|(name, value)| flat(&under(name), value, to)),
        serde_json::Value::Array(all) => {
            all.iter().enumerate().for_each(|(nth, value)| flat(&under(&nth.to_string()), value, to));
        }
        serde_json::Value::Number(number) => to.push((path.to_owned(), number.to_string())),
        serde_json::Value::String(text) => to.push((path.to_owned(), text.clone())),
        serde_json::Value::Bool(is) => to.push((path.to_owned(), u8::from(*is).to_string())),
        serde_json::Value::Null => {}
    }
}

/// Reads a table with commas: `column` is in the first row, `column[2]` in the second.
fn table(text: &str, to: &mut Vec<(String, String)>) {
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let Some(heads) = lines.next() else { return };
    for (row, nth) in lines.zip(1..) {
        for (head, cell) in heads.iter().zip(row) {
            if nth == 1 {
                to.push((head.clone(), cell.clone()));
            }
            to.push((format!("{head}[{nth}]"), cell));
        }
    }
}

#[test]
fn every_row_of_the_list_shows_what_it_says() {
    let mut all = read(&fs::read_to_string(Path::new(PATH)).expect("the list"));
    let models = fs::read_to_string(Path::new(MODELS)).expect("the page");
    let section =
        models.split("\n## ").find(|section| section.starts_with("Three worked questions")).expect("a section");
    let worked = read(section);
    assert_eq!(worked.len(), 3);
    all.extend(worked);
    let mut wrong = Vec::new();
    for one in &all {
        let shown = if one.ask.starts_with('?') { Shown::of_link(&one.ask) } else { Shown::of_command(&one.ask) };
        for says in &one.says {
            match says {
                Says::Number { name, value, unit, bound } => match shown.number(name) {
                    None => {
                        let names: Vec<&str> = shown.values.iter().map(|(name, _)| name.as_str()).collect();
                        wrong.push(format!("{}, {}: no {name} among {}", one.row, one.ask, names.join("; ")));
                    }
                    Some((found, behind)) => {
                        let is_near = (found - value).abs() <= bound * 1.000_001 + 1e-12;
                        if !is_near || !(unit.is_empty() || behind.starts_with(unit.as_str())) {
                            wrong.push(format!("{}, {}: {name} is {found} {behind}", one.row, one.ask));
                        }
                    }
                },
                Says::Text(said) => {
                    let plain = |text: &str| text.replace('\u{202f}', " ");
                    if !plain(&shown.text).contains(&plain(said)) {
                        wrong.push(format!("{}, {}: nothing says “{said}”", one.row, one.ask));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_row_is_there_and_is_asked_something() {
    let markdown = fs::read_to_string(Path::new(PATH)).expect("the list");
    let all = read(&markdown);
    let titles: Vec<&str> = markdown.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    assert_eq!(titles.len(), 30);
    for title in titles {
        assert!(title.ends_with('?'), "{title}");
        let asked: Vec<&Asked> = all.iter().filter(|one| one.row == title).collect();
        assert!(!asked.is_empty(), "{title} asks nothing");
        assert!(asked.iter().all(|one| !one.says.is_empty()), "{title} asks something and does not say what it shows");
    }
}

#[test]
fn a_number_that_is_wrong_is_found() {
    assert_eq!(number_in("$1\u{202f}449.95 a run"), Some((1449.95, "a run".to_owned())));
    assert_eq!(number_in("× 28.1 %"), Some((28.1, "%".to_owned())));
    assert_eq!(number_in("−3.5 µs"), Some((-3.5, "µs".to_owned())));
    let shown = Shown::of_link("?");
    assert_eq!(shown.number("cycles"), Some((16.0, String::new())));
    assert_eq!(shown.number("zebra"), None);
}
