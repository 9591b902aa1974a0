//! Requests: read, done, answered.

use export::{File, Job};
use serde_json::{Map, Value, json};
use studio::{Action, Edit, Field, Playhead, Session, Transport};

use crate::answer::{job, measures, state};
use crate::table::{FILES, METHODS, MOMENTS};
use crate::{Code, Failure, words};

/// What a host wants.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// What is shown.
    GetState,
    /// Other settings, by their fields.
    SetState(Vec<(Field, String)>),
    /// Cycles on or back.
    Step(i64),
    /// A cycle.
    Seek(u64),
    /// A moment by its name.
    SeekTo(Transport),
    /// Time passes.
    Play,
    /// Time stands.
    Pause,
    /// The accounts.
    Measure,
    /// Words.
    Describe,
    /// A sign of life.
    Ping,
    /// A file, by its name.
    Export(File),
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn one_of(path: &str, value: &Value, names: &'static [&'static str]) -> Result<&'static str, Failure> {
    let found = value.as_str().and_then(|given| names.iter().find(|name| **name == given));
    found.copied().ok_or_else(|| Failure::new(Code::Range, path, &text(value), &names.join(", ")))
}

fn text_file(value: &Value) -> Result<File, Failure> {
    let found = File::TEXTS.into_iter().find(|file| value.as_str() == Some(file.id()));
    found.ok_or_else(|| Failure::new(Code::Range, "as", &text(value), &FILES.join(", ")))
}

impl Request {
    /// Reads a method and its parameters.
    ///
    /// # Errors
    /// There is no such method or parameter, or it takes something else.
    pub fn read(method: &str, params: &Value) -> Result<Self, Failure> {
        let Some(known) = METHODS.iter().find(|one| one.name == method) else {
            let names: Vec<&str> = METHODS.iter().map(|one| one.name).collect();
            return Err(Failure::new(Code::Method, method, "", &names.join(", ")));
        };
        let empty = Map::new();
        let params = match params {
            Value::Null => &empty,
            Value::Object(params) => params,
            other => return Err(Failure::new(Code::Params, "params", &other.to_string(), words::OBJECT)),
        };
        let names: Vec<&str> = known.params.iter().map(|param| param.name).collect();
        if let Some(other) = params.keys().find(|name| !names.contains(&name.as_str())) {
            let allowed = if names.is_empty() { words::NO_PARAMS.to_owned() } else { names.join(", ") };
            return Err(Failure::new(Code::Params, "params", other, &allowed));
        }
        let get = |name: &str| params.get(name).filter(|value| !value.is_null());
        match method {
            "getState" => Ok(Self::GetState),
            "setState" => Self::settings(get("settings").unwrap_or(&Value::Null)),
            "step" => match get("by").map_or(Some(1), Value::as_i64) {
                Some(by) if by != 0 => Ok(Self::Step(by)),
                _ => Err(Failure::new(Code::Range, "by", &get("by").map_or_else(String::new, text), words::STEP)),
            },
            "seek" => match (get("cycle"), get("to")) {
                (Some(cycle), None) => {
                    let number = cycle.as_u64();
                    number.map(Self::Seek).ok_or_else(|| Failure::new(Code::Range, "cycle", &text(cycle), words::WHOLE))
                }
                (None, Some(to)) => Ok(Self::SeekTo(match one_of("to", to, MOMENTS)? {
                    "start" => Transport::Home,
                    "end" => Transport::End,
                    "next-event" => Transport::NextEvent,
                    _ => Transport::PreviousEvent,
                })),
                _ => Err(Failure::new(
                    Code::Params,
                    "params",
                    &Value::Object(params.clone()).to_string(),
                    words::CYCLE_OR_TO,
                )),
            },
            "play" => Ok(Self::Play),
            "pause" => Ok(Self::Pause),
            "measure" => Ok(Self::Measure),
            "describe" => Ok(Self::Describe),
            "ping" => Ok(Self::Ping),
            _ => Ok(Self::Export(text_file(get("as").unwrap_or(&Value::Null))?)),
        }
    }

    fn settings(value: &Value) -> Result<Self, Failure> {
        let Value::Object(settings) = value else {
            return Err(Failure::new(Code::Params, "settings", &value.to_string(), words::OBJECT));
        };
        let read = settings.iter().map(|(name, value)| {
            let field = Field::from_id(name).ok_or_else(|| {
                let names: Vec<&str> = Field::ALL.iter().map(|field| field.id()).collect();
                Failure::new(Code::Params, "settings", name, &names.join(", "))
            })?;
            match value {
                Value::String(_) | Value::Number(_) => Ok((field, text(value))),
                other => Err(Failure::new(Code::Params, name, &other.to_string(), words::TEXT_OR_NUMBER)),
            }
        });
        let mut settings: Vec<(Field, String)> = read.collect::<Result<_, _>>()?;
        // Matrices of one's own are shown, as a link with them shows them.
        let has = |wanted: &[Field]| settings.iter().any(|(field, _)| wanted.contains(field));
        if has(&[Field::A, Field::B]) && !has(&[Field::Fill]) {
            settings.push((Field::Fill, studio::FillKind::Custom.id().to_owned()));
        }
        settings.sort_by_key(|(field, _)| (matches!(field, Field::A | Field::B), *field));
        Ok(Self::SetState(settings))
    }

    /// What it changes, tried on a copy: settings that cannot be used change nothing.
    ///
    /// # Errors
    /// A setting cannot be used, or is locked; a cycle lies after the last one.
    pub fn actions(&self, session: &Session) -> Result<Vec<Action>, Failure> {
        let moved = |transport: Transport| Ok(vec![Action::Move(transport)]);
        match self {
            Self::SetState(settings) => {
                if let Some((field, _)) = settings.iter().find(|(field, _)| session.view.locks(*field)) {
                    return Err(Failure::new(Code::Locked, field.id(), "", ""));
                }
                match session.settled(settings) {
                    Ok(settled) => Ok(vec![Action::Edit(Edit::SetAll(Box::new(settled)))]),
                    Err(problem) => {
                        let field = problem.field;
                        let given =
                            settings.iter().find(|(one, _)| *one == field).map_or(&problem.given, |(_, text)| text);
                        let message = ::words::message::problem(&problem);
                        Err(Failure { message, ..Failure::new(Code::Range, field.id(), given, &allowed(field)) })
                    }
                }
            }
            Self::Step(by) if *by < 0 => moved(Transport::Back(by.unsigned_abs())),
            Self::Step(by) => moved(Transport::Forward(by.unsigned_abs())),
            Self::Seek(cycle) => {
                let last = session.plan.last().get();
                if *cycle > last {
                    let allowed = format!("0 to {last}");
                    return Err(Failure::new(Code::Range, "cycle", &cycle.to_string(), &allowed));
                }
                moved(Transport::Seek(*cycle))
            }
            Self::SeekTo(moment) => moved(*moment),
            Self::Play => moved(Transport::Play),
            Self::Pause => moved(Transport::Pause),
            Self::GetState | Self::Measure | Self::Describe | Self::Ping | Self::Export(_) => Ok(Vec::new()),
        }
    }

    /// Its answer, once its actions are done.
    ///
    /// # Errors
    /// A file would be too large.
    pub fn answer(&self, session: &Session, playhead: &Playhead) -> Result<Answer, Failure> {
        Ok(Answer::Now(match self {
            Self::Ping => Value::Null,
            Self::Measure => measures(&session.plan),
            Self::Describe => {
                json!(::words::caption::status(&session.plan, playhead.cycle, session.view.selected))
            }
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
    /// There at once.
    Now(Value),
    /// A file, made in pieces.
    File(Box<FileAnswer>),
}

impl Answer {
    /// The answer, complete.
    #[must_use]
    pub fn whole(self) -> Value {
        match self {
            Self::Now(value) => value,
            Self::File(mut file) => loop {
                if let Some(value) = file.step() {
                    return value;
                }
            },
        }
    }
}

/// A file that answers a request, so far.
#[derive(Debug)]
pub struct FileAnswer {
    job: Job,
    text: Vec<u8>,
}

impl FileAnswer {
    /// Makes the next piece; returns the file with its last piece.
    pub fn step(&mut self) -> Option<Value> {
        // Memory takes every piece.
        let has_more = self.job.step(&mut self.text).is_ok_and(|progress| !progress.is_done());
        (!has_more).then(|| json!(String::from_utf8_lossy(&core::mem::take(&mut self.text))))
    }
}

fn allowed(field: Field) -> String {
    match field.takes() {
        studio::Takes::Whole { min, max } => format!("{min} to {max}"),
        studio::Takes::OneOf(names) => names.join(", "),
        studio::Takes::Chip => words::CHIP.to_owned(),
        studio::Takes::Matrix => words::MATRIX.to_owned(),
    }
}
