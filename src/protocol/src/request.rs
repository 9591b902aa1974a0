//! Requests of a host: parsing, actions and answers.

use export::{File, Job};
use serde_json::{Map, Value, json};
use studio::{Action, Edit, Field, FieldValue, FillKind, Playhead, Problem, Scenario, Session, Takes, Transport};
use systolic::Cycle;

use crate::answer::{job, measures, registers, result, state};
use crate::change::Change;
use crate::table::{FILES, METHODS, MOMENTS};
use crate::{Code, Failure, words};

/// A request of a host.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Query of the current state.
    GetState,
    /// New values of settings by field, and changes of the view.
    SetState(Vec<(Field, Setting)>, Vec<Change>),
    /// Advance by a number of cycles; a negative number goes back.
    Step(i64),
    /// Jump to a cycle.
    Seek(u64),
    /// Jump to a named moment, such as the next event.
    SeekTo(Transport),
    /// Start of playback.
    Play,
    /// Pause of playback.
    Pause,
    /// Query of the utilization and the PE-cycles by class.
    Measure,
    /// Query of the registers at a cycle, or at the cycle that the page shows.
    Registers(Option<u64>),
    /// Query of the result C.
    Result,
    /// Query of the screen-reader description.
    Describe,
    /// Check that the frame responds.
    Ping,
    /// Export of a file.
    Export(File),
}

/// A new value of a setting, as a message contains it.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// A number, or a default.
    Value(FieldValue),
    /// A text.
    Text(String),
}

impl Setting {
    fn read(&self, field: Field) -> Result<FieldValue, Problem> {
        match self {
            Self::Value(value) => Ok(value.clone()),
            Self::Text(text) => field.read(text),
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Value(value) => value.to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

/// Returns a text as it is, and any other value as JSON.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn one_of(path: &str, value: &Value, names: &'static [&'static str]) -> Result<&'static str, Failure> {
    let found = value.as_str().and_then(|given| names.iter().find(|name| **name == given));
    found.copied().ok_or_else(|| Failure::new(Code::Range, path, &text(value), &names.join(", ")))
}

fn whole(path: &str, value: &Value) -> Result<u64, Failure> {
    value.as_u64().ok_or_else(|| Failure::new(Code::Range, path, &text(value), words::WHOLE))
}

/// Fails if a cycle is after the last cycle.
fn within(cycle: u64, session: &Session) -> Result<u64, Failure> {
    let last = session.plan.last().get();
    let allowed = || format!("0 to {last}");
    if cycle <= last { Ok(cycle) } else { Err(Failure::new(Code::Range, "cycle", &cycle.to_string(), &allowed())) }
}

fn file(value: &Value) -> Result<File, Failure> {
    let found = File::TEXTS.into_iter().chain(File::PIXELS).find(|file| value.as_str() == Some(file.id()));
    found.ok_or_else(|| Failure::new(Code::Range, "as", &text(value), &FILES.join(", ")))
}

/// Reads a setting. `null` stands for its default. For a matrix, the default is the default fill.
fn setting((name, value): (&String, &Value)) -> Result<Option<(Field, Setting)>, Failure> {
    let field = Field::from_id(name).ok_or_else(|| {
        let names: Vec<&str> = Field::ALL.iter().map(|field| field.id()).collect();
        Failure::new(Code::Params, "settings", name, &names.join(", "))
    })?;
    let count = value.as_u64().filter(|_| matches!(field.takes(), Takes::Whole { .. }));
    Ok(Some(match (value, count) {
        (_, Some(count)) => (field, Setting::Value(FieldValue::Count(count))),
        // A single number is also a matrix, or the name of a choice.
        (Value::String(_) | Value::Number(_), None) => (field, Setting::Text(text(value))),
        (Value::Null, _) if field == Field::C => return Ok(None),
        (Value::Null, _) => {
            let field = if matches!(field, Field::A | Field::B) { Field::Fill } else { field };
            (field, Setting::Value(Scenario::default().get(field)))
        }
        (other, _) => return Err(Failure::new(Code::Params, name, &other.to_string(), words::TEXT_OR_NUMBER)),
    }))
}

/// Returns the failure of parameters that are valid, but not together.
fn params_of(params: &Map<String, Value>, allowed: &str) -> Failure {
    Failure::new(Code::Params, "params", &Value::Object(params.clone()).to_string(), allowed)
}

impl Request {
    /// Parses a method and its parameters.
    ///
    /// # Errors
    /// Fails if the method or a parameter is unknown, or if a value has the wrong type or is not allowed.
    pub fn read(method: &str, params: &Value) -> Result<Self, Failure> {
        let Some(known) = METHODS.iter().find(|one| one.name == method) else {
            let names: Vec<&str> = METHODS.iter().map(|one| one.name).collect();
            return Err(Failure::new(Code::Method, method, "", &names.join(", ")));
        };
        let empty = Map::new();
        let params = match params {
            Value::Null => &empty,
            Value::Object(params) => params,
            other => return Err(Failure::new(Code::Params, "params", &text(other), words::OBJECT)),
        };
        let names: Vec<&str> = known.params.iter().map(|param| param.name).collect();
        if let Some(other) = params.keys().find(|name| !names.contains(&name.as_str())) {
            let allowed = if names.is_empty() { words::NO_PARAMS.to_owned() } else { names.join(", ") };
            return Err(Failure::new(Code::Params, "params", other, &allowed));
        }
        let get = |name: &str| params.get(name).filter(|value| !value.is_null());
        match method {
            "getState" => Ok(Self::GetState),
            "setState" => match (get("settings"), get("view")) {
                (None, None) => Err(params_of(params, words::SETTINGS_OR_VIEW)),
                (settings, view) => Self::set_state(settings, view),
            },
            "step" => match get("by").map_or(Some(1), Value::as_i64) {
                Some(by) if by != 0 => Ok(Self::Step(by)),
                _ => Err(Failure::new(Code::Range, "by", &get("by").map_or_else(String::new, text), words::STEP)),
            },
            "seek" => match (get("cycle"), get("to")) {
                (Some(cycle), None) => whole("cycle", cycle).map(Self::Seek),
                (None, Some(to)) => Ok(Self::SeekTo(match one_of("to", to, MOMENTS)? {
                    "start" => Transport::Home,
                    "end" => Transport::End,
                    "next-event" => Transport::NextEvent,
                    _ => Transport::PreviousEvent,
                })),
                _ => Err(params_of(params, words::CYCLE_OR_TO)),
            },
            "play" => Ok(Self::Play),
            "pause" => Ok(Self::Pause),
            "measure" => Ok(Self::Measure),
            "registers" => get("cycle").map(|cycle| whole("cycle", cycle)).transpose().map(Self::Registers),
            "result" => Ok(Self::Result),
            "describe" => Ok(Self::Describe),
            "ping" => Ok(Self::Ping),
            _ => Ok(Self::Export(file(get("as").unwrap_or(&Value::Null))?)),
        }
    }

    fn set_state(settings: Option<&Value>, view: Option<&Value>) -> Result<Self, Failure> {
        let object = |path: &str, value: Option<&Value>| match value {
            None => Ok(Map::new()),
            Some(Value::Object(values)) => Ok(values.clone()),
            Some(other) => Err(Failure::new(Code::Params, path, &other.to_string(), words::OBJECT)),
        };
        let view = object("view", view)?;
        let changes = view.iter().map(|(name, value)| Change::read(name, value)).collect::<Result<_, _>>()?;
        let read = object("settings", settings)?.iter().map(setting).collect::<Result<Vec<_>, _>>()?;
        let mut settings: Vec<(Field, Setting)> = read.into_iter().flatten().collect();
        // A request that sets a matrix also selects custom matrices, like a link that sets a matrix.
        let has = |wanted: &[Field]| settings.iter().any(|(field, _)| wanted.contains(field));
        if has(&[Field::A, Field::B]) && !has(&[Field::Fill]) {
            settings.push((Field::Fill, Setting::Value(FieldValue::Fill(FillKind::Custom))));
        }
        settings.sort_by_key(|(field, _)| (matches!(field, Field::A | Field::B), *field));
        Ok(Self::SetState(settings, changes))
    }

    /// Returns the actions that the request asks for. Settings are first tried on a copy, so invalid settings change
    /// nothing.
    ///
    /// # Errors
    /// Fails if a setting is invalid or locked, or if a cycle is after the last cycle.
    pub fn actions(&self, session: &Session) -> Result<Vec<Action>, Failure> {
        let moved = |transport: Transport| Ok(vec![Action::Move(transport)]);
        match self {
            Self::SetState(settings, changes) => {
                if let Some((field, _)) = settings.iter().find(|(field, _)| session.view.locks(*field)) {
                    return Err(Failure::new(Code::Locked, field.id(), "", ""));
                }
                let read = settings.iter().map(|(field, setting)| (*field, setting.read(*field))).collect();
                match session.settled_as_read(read) {
                    Ok(settled) => {
                        let moves = changes.iter().map(|change| change.action(settled.plan()));
                        let moves = moves.collect::<Result<Vec<_>, _>>()?;
                        // Without settings, the run stays the same run, and the history has no new step.
                        let set = (!settings.is_empty()).then(|| Action::Edit(Edit::SetAll(Box::new(settled))));
                        Ok(set.into_iter().chain(moves).collect())
                    }
                    Err(problem) => {
                        let field = problem.field;
                        let given = settings.iter().find(|(one, _)| *one == field).map(|(_, setting)| setting.text());
                        let given = given.as_deref().unwrap_or(&problem.given);
                        let message = ::words::message::problem(&problem);
                        Err(Failure { message, ..Failure::new(Code::Range, field.id(), given, &allowed(field)) })
                    }
                }
            }
            Self::Step(by) if *by < 0 => moved(Transport::Back(by.unsigned_abs())),
            Self::Step(by) => moved(Transport::Forward(by.unsigned_abs())),
            Self::Seek(cycle) => moved(Transport::Seek(within(*cycle, session)?)),
            Self::SeekTo(moment) => moved(*moment),
            Self::Play => moved(Transport::Play),
            Self::Pause => moved(Transport::Pause),
            Self::GetState
            | Self::Measure
            | Self::Registers(_)
            | Self::Result
            | Self::Describe
            | Self::Ping
            | Self::Export(_) => Ok(Vec::new()),
        }
    }

    /// Returns the answer to the request. The caller must apply the actions before this call.
    ///
    /// # Errors
    /// Fails if a file is too large or not possible for this run.
    pub fn answer(&self, session: &Session, playhead: &Playhead) -> Result<Answer, Failure> {
        Ok(Answer::Now(match self {
            Self::Ping => Value::Null,
            Self::Measure => measures(&session.plan),
            Self::Registers(cycle) => {
                let cycle = cycle.map_or(Ok(playhead.cycle.get()), |cycle| within(cycle, session))?;
                registers(&session.plan, Cycle(cycle))?
            }
            Self::Result => result(&session.plan)?,
            Self::Describe => {
                json!(::words::caption::status(&session.plan, playhead.cycle, session.view.selected))
            }
            Self::Export(of) if File::PIXELS.contains(of) => return Ok(Answer::Pixels(*of)),
            Self::Export(of) => {
                let job = job(*of, &session.plan, session.link(playhead))?;
                return Ok(Answer::File(Box::new(FileAnswer { job, text: Vec::new() })));
            }
            _ => state(session, playhead),
        }))
    }
}

/// An answer to a request.
#[derive(Debug)]
pub enum Answer {
    /// Complete result.
    Now(Value),
    /// File that is written in chunks.
    File(Box<FileAnswer>),
    /// File of [`File::PIXELS`], which only a browser can draw.
    Pixels(File),
}

impl Answer {
    /// Returns the complete result. If the result is a file, the function writes all remaining chunks. A file in pixels
    /// is null, because this function has no browser.
    #[must_use]
    pub fn whole(self) -> Value {
        match self {
            Self::Now(value) => value,
            Self::Pixels(_) => Value::Null,
            Self::File(mut file) => loop {
                if let Some(value) = file.step() {
                    return value;
                }
            },
        }
    }
}

/// A partly written file that answers a request.
#[derive(Debug)]
pub struct FileAnswer {
    job: Job,
    text: Vec<u8>,
}

impl FileAnswer {
    /// Writes the next chunk. Returns `None` before the last chunk, and the whole file after the last chunk.
    pub fn step(&mut self) -> Option<Value> {
        // Writing to memory never fails.
        let has_more = self.job.step(&mut self.text).is_ok_and(|progress| !progress.is_done());
        (!has_more).then(|| json!(String::from_utf8_lossy(&core::mem::take(&mut self.text))))
    }
}

fn allowed(field: Field) -> String {
    match field.takes() {
        Takes::Whole { min, max } => format!("{min} to {max}"),
        Takes::OneOf(names) => names.join(", "),
        Takes::TileOrder => ::words::message::TILE_ORDER.to_owned(),
        Takes::Chip => words::CHIP.to_owned(),
        Takes::Matrix => words::MATRIX.to_owned(),
    }
}
