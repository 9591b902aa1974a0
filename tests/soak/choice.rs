//! Random actions of a person, a link or a host: most are sensible, some are not.

use studio::{
    Action, Chrome, Edit, Field, Link, Panel, PartText, PartTexts, Preset, Scenario, Speed, Takes, Theme, Tool,
    Transport,
};
use systolic::PeId;

use super::dice::Dice;

/// Texts that no field is meant to accept.
const HOSTILE: [&str; 22] = [
    "",
    " ",
    "zebra",
    "0",
    "-1",
    "+5",
    "1e3",
    "0x10",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "NaN",
    "inf",
    "1,2;3",
    "1,;2",
    "\u{1b}]0;x\u{7}",
    "\u{202e}8",
    "٣",
    "8\u{0}",
    "<b>8</b>",
    "%26rows%3D0",
    "=1+1",
];

const TOOLS: [(Tool, &[&str]); 7] = [
    (Tool::Compare, &["df=os", "df=is&clock=share", "rows=0", "cols=9&zebra=1", "dt=f32&passes=3", "a=1,2;3,4"]),
    (Tool::Defect, &["no-skew", "late-0", "late-7", "skew-0.1.2.3", "stuck-0.0", "stuck-9.9", "sum-bf16", "sum-f16"]),
    (Tool::Show, &["activity", "sum", "useful", "wasted", "error"]),
    (Tool::Follow, &["east-0", "south-7", "sum-3", "sum-18446744073709551615"]),
    (Tool::Repeat, &["fold"]),
    (Tool::Class, &["useful", "padding", "fill", "drain", "load", "stall", "idle"]),
    (Tool::Learn, &["wave.1", "wave.3.result", "claims-array.1"]),
];

const ENTRIES: [&str; 8] = [
    "",
    "model=llama3-70b",
    "chips=0&seq=1e9",
    "zebra=1",
    "own=peak%3D-1",
    "model=\u{1b}",
    "2",
    "t=3\nrows=8&slide=1#a=1,2",
];

/// Action, and a link with the same effect if the replay of a failure needs one.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// Action on the session.
    pub action: Action,
    /// Link with the effect of the action; `None` if the link to the state before the action is enough for a replay.
    pub link: Option<Said>,
}

/// Link or parameter with the effect of an action.
#[derive(Clone, Debug)]
pub(crate) enum Said {
    /// Link that replaces the current one: query and fragment.
    Instead(String, String),
    /// Parameter to set in the query: name and value.
    Query(&'static str, String),
    /// Parameter to append to the fragment: name and value.
    Fragment(&'static str, String),
}

/// Chooses the next action on a run with these settings.
pub(crate) fn next(dice: &mut Dice, scenario: &Scenario) -> Choice {
    let alone = |action| Choice { action, link: None };
    match dice.below(32) {
        0..=9 => set(dice, scenario),
        10..=12 => tool(dice),
        13 => {
            let texts = PartText::ALL
                .into_iter()
                .fold(PartTexts::default(), |texts, of| texts.with(of, dice.pick(&ENTRIES).to_owned()));
            let link = Some(Said::Query("ask", texts[PartText::Ask].clone()));
            // The parts of the page that read these texts must not panic.
            let deck = studio::Deck::of(&texts);
            (0..=deck.len()).for_each(|index| _ = deck.shown(index, &texts));
            let _ = studio::kiosk::Idle::parse(&texts[PartText::Kiosk]);
            Choice { action: Action::Edit(Edit::Texts(texts)), link }
        }
        14 | 15 => {
            let pe = PeId::new(side(dice, scenario.rows), side(dice, scenario.cols));
            let link = Some(Said::Query("pe", format!("{}.{}", pe.row, pe.col)));
            let chosen = (!dice.once_in(4)).then_some(pe);
            Choice { action: Action::Edit(Edit::Select(chosen)), link: link.filter(|_| chosen.is_some()) }
        }
        16 => alone(Action::Edit(Edit::Theme(dice.pick(&Theme::ALL)))),
        17 => {
            let rooms = [Chrome::Full, Chrome::Embed, Chrome::Workbench, Chrome::Estimate, Chrome::Present];
            alone(Action::Edit(Edit::Room(dice.pick(&rooms))))
        }
        18 => {
            let panel = (!dice.once_in(4)).then(|| dice.pick(&Panel::ALL));
            alone(Action::Edit(Edit::Panel(panel)))
        }
        19 => alone(Action::Edit(Edit::Dismiss)),
        20 | 21 => open(dice, scenario),
        22 => {
            let preset = dice.pick(&Preset::ALL);
            let (query, fragment) = preset.link().to_parts();
            let action = Action::Edit(Edit::Preset(Box::new(preset.link())));
            Choice { action, link: Some(Said::Instead(query, fragment)) }
        }
        23..=28 => {
            let cycle = if dice.once_in(3) { dice.any() } else { dice.any() % 60 };
            let all = [
                Transport::Play,
                Transport::Pause,
                Transport::Toggle,
                Transport::Forward(cycle),
                Transport::Back(cycle),
                Transport::Seek(cycle),
                Transport::Home,
                Transport::End,
                Transport::NextEvent,
                Transport::PreviousEvent,
                Transport::Speed(dice.pick(&Speed::ALL)),
            ];
            alone(Action::Move(dice.pick(&all)))
        }
        _ => {
            let seconds = [1.0 / 60.0, 0.1, 0.0, 5.0, -1.0, f64::NAN, f64::INFINITY, 1e300];
            alone(Action::Elapse(if dice.once_in(4) { dice.pick(&seconds) } else { 1.0 / 60.0 }))
        }
    }
}

/// Random row or column number from 0 to `sides`. The number `sides` is just outside of the array.
fn side(dice: &mut Dice, sides: u64) -> u32 {
    u32::try_from(dice.any() % (sides + 1)).unwrap_or(u32::MAX)
}

fn set(dice: &mut Dice, scenario: &Scenario) -> Choice {
    let field = dice.pick(&Field::ALL);
    let text = text(dice, field, scenario);
    let link = Some(match field {
        Field::A | Field::B => Said::Fragment(field.id(), text.clone()),
        _ => Said::Query(field.id(), text.clone()),
    });
    let edit = match text.parse() {
        Ok(number) if dice.once_in(3) => Edit::Drag(field, number),
        _ => Edit::Type(field, text),
    };
    Choice { action: Action::Edit(edit), link }
}

/// Random text for a field: most of the time one that the field accepts.
fn text(dice: &mut Dice, field: Field, scenario: &Scenario) -> String {
    if dice.once_in(8) {
        return if dice.once_in(20) { "9".repeat(5000) } else { dice.pick(&HOSTILE).to_owned() };
    }
    match field.takes() {
        Takes::Whole { min, max } => {
            let number = match dice.below(16) {
                0 => max,
                1 => max + 1,
                2 => min + dice.any() % (max - min + 1),
                _ => min + dice.any() % 12.min(max - min + 1),
            };
            number.to_string()
        }
        Takes::OneOf => dice.pick(&field.names()).to_owned(),
        Takes::TileOrder => dice.pick(&["up", "down", "second-half-first", "1,0", "0"]).to_owned(),
        Takes::Chip => perfmodel::Chip::all()[dice.below(perfmodel::Chip::all().len())].id.to_owned(),
        Takes::Matrix => {
            let fits = if field == Field::A { (scenario.m, scenario.k) } else { (scenario.k, scenario.n) };
            let other = (1 + dice.any() % 5, 1 + dice.any() % 5);
            let (rows, cols) = if fits.0 * fits.1 <= 64 && !dice.once_in(4) { fits } else { other };
            let number = |dice: &mut Dice| match dice.below(30) {
                0 => "nan".to_owned(),
                1 => "-inf".to_owned(),
                2 => "0.1".to_owned(),
                _ => (dice.any() % 17).cast_signed().wrapping_sub(8).to_string(),
            };
            let row = |dice: &mut Dice| (0..cols).map(|_| number(dice)).collect::<Vec<_>>().join(",");
            (0..rows).map(|_| row(dice)).collect::<Vec<_>>().join(";")
        }
    }
}

fn tool(dice: &mut Dice) -> Choice {
    let (tool, texts) = dice.pick(&TOOLS);
    let text = match dice.below(6) {
        0 => String::new(),
        1 => dice.pick(&HOSTILE).to_owned(),
        _ => dice.pick(texts).to_owned(),
    };
    let link = Some(Said::Query(tool.id(), text.clone()));
    Choice { action: Action::Edit(Edit::Tool(tool, text)), link }
}

/// Opens a link with random parameters; a few are strange, repeated or unknown.
fn open(dice: &mut Dice, scenario: &Scenario) -> Choice {
    let (mut query, mut fragment) = (Vec::new(), Vec::new());
    for _ in 0..dice.below(9) {
        let (name, value) = match dice.below(12) {
            0 => ("t", (dice.any() >> dice.below(64)).to_string()),
            1 => ("pe", format!("{}.{}", dice.below(9), dice.below(9))),
            2 => ("ui", dice.pick(&["embed", "workbench", "desk", "present", "full", "zebra"]).to_owned()),
            3 => {
                ("tool", dice.pick(&["pe", "compare", "break", "heat", "folds", "transcript", "none", "x"]).to_owned())
            }
            4 => ("lock", dice.pick(&["none", "sizes.df", "numbers.array", "zebra"]).to_owned()),
            5 => ("hide", dice.pick(&["none", "legend.caption", "busy.tools", "zebra"]).to_owned()),
            6 => ("v", dice.pick(&["1", "2", ""]).to_owned()),
            7 => {
                let (tool, texts) = dice.pick(&TOOLS);
                (tool.id(), dice.pick(texts).to_owned())
            }
            8 => (dice.pick(&["zebra", "", "ask", "speed", "theme"]), dice.pick(&HOSTILE).to_owned()),
            _ => {
                let field = dice.pick(&Field::ALL);
                (field.id(), text(dice, field, scenario))
            }
        };
        let pair = form_urlencoded::Serializer::new(String::new()).append_pair(name, &value).finish();
        if matches!(name, "a" | "b") { fragment.push(pair) } else { query.push(pair) }
    }
    let (mut query, fragment) = (query.join("&"), fragment.join("&"));
    if dice.once_in(3) && !query.is_empty() {
        // A program that does not know links may cut a link anywhere.
        let cut = dice.below(query.len());
        query.truncate((0..=cut).rev().find(|&at| query.is_char_boundary(at)).unwrap_or(0));
    }
    let link = Box::new(Link::parse(&query, &fragment));
    let action = Action::Edit(if dice.once_in(2) { Edit::Open(link) } else { Edit::Preset(link) });
    Choice { action, link: Some(Said::Instead(query, fragment)) }
}
