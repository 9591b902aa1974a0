//! Requests of a host: parsing, actions and answers.

use export::{File, Job};
use serde_json::{Map, Value, json};
use studio::{Action, Edit, Field, FieldValue, FillKind, Playhead, Problem, Scenario, Session, Takes, Transport};
use systolic::Cycle;

use crate::answer::{job, measures, registers, result, state};
use crate::change::Change;
use crate::table::{FILES, Method, Moment};
use crate::{Code, Failure, words};

/// A request of a host.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Query of the current state.
    GetState,
    /// New values of settings, and changes of the view.
    SetState(Vec<Setting>, Vec<Change>),
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

/// A new value of a setting.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// The setting.
    pub field: Field,
    /// The value, or the problem with the text of the value.
    pub read: Result<FieldValue, Problem>,
    /// The value as text, for the failure.
    given: String,
}

impl Setting {
    fn new(field: Field, value: FieldValue) -> Self {
        Self { field, given: value.to_string(), read: Ok(value) }
    }
}

/// Returns a text as it is, and any other value as JSON.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
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
fn setting((name, value): (&String, &Value)) -> Result<Option<Setting>, Failure> {
    let field =
        Field::from_id(name).ok_or_else(|| Failure::new(Code::Params, "settings", name, &Field::NAMES.join(", ")))?;
    let given = text(value);
    let count = value.as_u64().filter(|_| matches!(field.takes(), Takes::Whole { .. }));
    Ok(match (value, count) {
        (_, Some(count)) => Some(Setting { field, read: Ok(FieldValue::Count(count)), given }),
        // A number can also be the text of a matrix, or the name of a choice.
        (Value::String(_) | Value::Number(_), None) => Some(Setting { field, read: field.read(&given), given }),
        (Value::Null, None) if field == Field::C => None,
        (Value::Null, None) => {
            let field = if matches!(field, Field::A | Field::B) { Field::Fill } else { field };
            Some(Setting::new(field, Scenario::default().get(field)))
        }
        _ => return Err(Failure::new(Code::Params, name, &given, words::TEXT_OR_NUMBER)),
    })
}

/// Returns the failure for parameters that are valid on their own, but not in this combination.
fn params_of(params: &Map<String, Value>, allowed: &str) -> Failure {
    Failure::new(Code::Params, "params", &Value::Object(params.clone()).to_string(), allowed)
}

impl Request {
    /// Parses a method and its parameters.
    ///
    /// # Errors
    /// Fails if the method or a parameter is unknown, or if a value has the wrong type or is not allowed.
    pub fn read(method: &str, params: &Value) -> Result<Self, Failure> {
        let unknown = || Failure::new(Code::Method, method, "", &Method::NAMES.join(", "));
        let method = Method::from_id(method).ok_or_else(unknown)?;
        let empty = Map::new();
        let params = match params {
            Value::Null => &empty,
            Value::Object(params) => params,
            other => return Err(Failure::new(Code::Params, "params", &text(other), words::OBJECT)),
        };
        let names: Vec<&str> = method.params().iter().map(|param| param.name).collect();
        if let Some(other) = params.keys().find(|name| !names.contains(&name.as_str())) {
            let allowed = if names.is_empty() { words::NO_PARAMS.to_owned() } else { names.join(", ") };
            return Err(Failure::new(Code::Params, "params", other, &allowed));
        }
        let get = |name: &str| params.get(name).filter(|value| !value.is_null());
        match method {
            Method::GetState => Ok(Self::GetState),
            Method::SetState => match (get("settings"), get("view")) {
                (None, None) => Err(params_of(params, words::SETTINGS_OR_VIEW)),
                (settings, view) => Self::set_state(settings, view),
            },
            Method::Step => match get("by").map_or(Some(1), Value::as_i64) {
                Some(by) if by != 0 => Ok(Self::Step(by)),
                _ => Err(Failure::new(Code::Range, "by", &get("by").map_or_else(String::new, text), words::STEP)),
            },
            Method::Seek => match (get("cycle"), get("to")) {
                (Some(cycle), None) => whole("cycle", cycle).map(Self::Seek),
                (None, Some(to)) => match to.as_str().and_then(Moment::from_id) {
                    Some(Moment::Start) => Ok(Self::SeekTo(Transport::Home)),
                    Some(Moment::End) => Ok(Self::SeekTo(Transport::End)),
                    Some(Moment::NextEvent) => Ok(Self::SeekTo(Transport::NextEvent)),
                    Some(Moment::PreviousEvent) => Ok(Self::SeekTo(Transport::PreviousEvent)),
                    None => Err(Failure::new(Code::Range, "to", &text(to), &Moment::NAMES.join(", "))),
                },
                _ => Err(params_of(params, words::CYCLE_OR_TO)),
            },
            Method::Play => Ok(Self::Play),
            Method::Pause => Ok(Self::Pause),
            Method::Measure => Ok(Self::Measure),
            Method::Registers => get("cycle").map(|cycle| whole("cycle", cycle)).transpose().map(Self::Registers),
            Method::Result => Ok(Self::Result),
            Method::Describe => Ok(Self::Describe),
            Method::Ping => Ok(Self::Ping),
            Method::Export => Ok(Self::Export(file(get("as").unwrap_or(&Value::Null))?)),
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
        let mut settings: Vec<Setting> = read.into_iter().flatten().collect();
        // A request that sets a matrix also selects custom matrices, like a link that sets a matrix.
        let has = |wanted: &[Field]| settings.iter().any(|one| wanted.contains(&one.field));
        if has(&[Field::A, Field::B]) && !has(&[Field::Fill]) {
            settings.push(Setting::new(Field::Fill, FieldValue::Fill(FillKind::Custom)));
        }
        settings.sort_by_key(|one| (matches!(one.field, Field::A | Field::B), one.field));
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
                if let Some(one) = settings.iter().find(|one| session.view.locks(one.field)) {
                    return Err(Failure::new(Code::Locked, one.field.id(), "", ""));
                }
                let read = settings.iter().map(|one| (one.field, one.read.clone())).collect();
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
                        let given = settings.iter().find(|one| one.field == field);
                        let given = given.map_or(&problem.given, |one| &one.given);
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
        Takes::OneOf => field.names().join(", "),
        Takes::TileOrder => ::words::message::TILE_ORDER.to_owned(),
        Takes::Chip => words::CHIP.to_owned(),
        Takes::Matrix => words::MATRIX.to_owned(),
    }
}
