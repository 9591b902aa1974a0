//! All parameters that a link can have, as one table. The documents, the schema and the types are made from this table.

use crate::kiosk::Idle;
use crate::{
    Channel, Chrome, Drawing, Field, Link, Lock, PagePart, Panel, Parameter, PartText, Speed, Takes, Theme, Tool,
};
use systolic::Slot;

/// A parameter of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The version of the link format.
    Version,
    /// A setting of the run.
    Setting(Field),
    /// A setting of the view.
    View(Parameter),
    /// A tool of the array view.
    Tool(Tool),
    /// A parameter whose text is parsed by a part of the page.
    Text(PartText),
}

/// Values that a parameter accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// A whole number in a range.
    Whole {
        /// Smallest number.
        min: u64,
        /// Largest number.
        max: u64,
    },
    /// One of these names.
    OneOf(Vec<&'static str>),
    /// Some of these names, separated by dots, or `none`.
    Some(&'static [&'static str]),
    /// The row and the column of a PE.
    Place,
    /// The name of an order of tiles, or a list of tiles.
    TileOrder,
    /// Rows of numbers.
    Matrix,
    /// A text that only one part of the page understands.
    Text,
}

impl Entry {
    /// Returns all parameters, in the order of a link.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Version]
            .into_iter()
            .chain(Field::ALL.map(Self::Setting))
            .chain(Parameter::ALL.map(Self::View))
            .chain(Tool::ALL.map(Self::Tool))
            .chain(PartText::ALL.map(Self::Text))
    }

    /// Returns the name of the parameter in a link.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Version => "v",
            Self::Setting(field) => field.id(),
            Self::View(parameter) => parameter.id(),
            Self::Tool(tool) => tool.id(),
            Self::Text(of) => of.id(),
        }
    }

    /// Returns the parameter with this name.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        Self::all().find(|entry| entry.name() == name)
    }

    /// Returns the parameter that an unknown name probably means. The name may differ in case, be the long form of a
    /// short name, or have one missing, extra or wrong letter. A known name in the wrong part of the link is also
    /// found.
    #[must_use]
    pub fn meant(name: &str) -> Option<Self> {
        const LONG: [(&str, &str); 6] = [
            ("columns", "cols"),
            ("dataflow", "df"),
            ("dtype", "dt"),
            ("padding", "pad"),
            ("compare", "cmp"),
            ("cycle", "t"),
        ];
        let name = name.trim().to_ascii_lowercase();
        let name = LONG.iter().find(|(long, _)| *long == name).map_or(name.as_str(), |(_, short)| short);
        let is_near = |other: &str| {
            let lengths = [name.len(), other.len()];
            // Short names are excluded, because half the alphabet is one letter off.
            lengths.iter().all(|n| *n > 2) && lengths != [3, 3] && is_a_letter_off(name, other)
        };
        let mut near = None;
        for one in Self::all() {
            if one.name() == name {
                return Some(one);
            }
            if near.is_none() && is_near(one.name()) {
                near = Some(one);
            }
        }
        near
    }

    /// True if the parameter is after the `#`, so that no server has to accept its long text.
    #[must_use]
    pub fn is_in_fragment(self) -> bool {
        matches!(self, Self::Setting(Field::A | Field::B | Field::C) | Self::Text(PartText::Slides))
    }

    /// Returns the values that the parameter accepts.
    #[must_use]
    pub fn allowed(self) -> Allowed {
        match self {
            Self::Version => Allowed::OneOf(vec!["1"]),
            Self::Setting(field) => match field.takes() {
                Takes::Whole { min, max } => Allowed::Whole { min, max },
                Takes::OneOf | Takes::Chip => Allowed::OneOf(field.names()),
                Takes::TileOrder => Allowed::TileOrder,
                Takes::Matrix => Allowed::Matrix,
            },
            Self::View(Parameter::Cycle) => Allowed::Whole { min: 0, max: u64::MAX },
            Self::View(Parameter::Pe) => Allowed::Place,
            Self::View(Parameter::Speed) => Allowed::OneOf(Speed::ALL.map(Speed::id).to_vec()),
            Self::View(Parameter::Theme) => Allowed::OneOf(Theme::ALL.map(Theme::id).to_vec()),
            Self::View(Parameter::Room) => Allowed::OneOf(Chrome::ALL.map(Chrome::id).to_vec()),
            Self::View(Parameter::Panel) => {
                Allowed::OneOf(Panel::ALL.map(Panel::id).into_iter().chain([Link::NO_PANEL]).collect())
            }
            Self::View(Parameter::Lock) => Allowed::Some(&Lock::NAMES),
            Self::View(Parameter::Hide) => Allowed::Some(&PagePart::NAMES),
            Self::Tool(Tool::Show) => Allowed::OneOf(Channel::ALL.map(Channel::id).to_vec()),
            Self::Tool(Tool::Picture) => Allowed::OneOf(Drawing::ALL.map(Drawing::id).to_vec()),
            Self::Tool(Tool::Class) => Allowed::OneOf(Slot::ALL.map(Slot::id).to_vec()),
            Self::Tool(Tool::Repeat) => Allowed::OneOf(vec!["fold"]),
            Self::Text(PartText::Kiosk) => Allowed::Whole { min: Idle::MIN.into(), max: Idle::MAX.into() },
            Self::Text(PartText::Slide) => Allowed::Whole { min: 1, max: u64::MAX },
            Self::Tool(Tool::Compare | Tool::Defect | Tool::Flow | Tool::Follow | Tool::Learn) | Self::Text(_) => {
                Allowed::Text
            }
        }
    }

    /// Returns the default of the parameter: the text that has the same effect as a link without the parameter. `None`
    /// if no text has this effect.
    #[must_use]
    pub fn usual(self) -> Option<String> {
        let link = Link::default();
        match self {
            Self::Version => Some("1".to_owned()),
            Self::Setting(Field::A | Field::B | Field::C) => None,
            Self::Setting(field) => Some(link.scenario.text(field)),
            Self::View(Parameter::Cycle) => Some(link.cycle.get().to_string()),
            Self::View(Parameter::Speed) => Some(link.speed.id().to_owned()),
            Self::View(Parameter::Theme) => Some(link.view.theme.id().to_owned()),
            Self::View(Parameter::Room) => Some(link.view.chrome.id().to_owned()),
            Self::View(Parameter::Panel) => Some(Link::NO_PANEL.to_owned()),
            Self::View(Parameter::Hide) => Some(link.view.hide.to_text()),
            Self::Tool(Tool::Show) => Some(Channel::default().id().to_owned()),
            Self::Tool(Tool::Picture) => Some(Drawing::default().id().to_owned()),
            Self::View(Parameter::Pe | Parameter::Lock) | Self::Tool(_) | Self::Text(_) => None,
        }
    }

    /// Returns an example: a query and a fragment, as in an address.
    #[must_use]
    pub const fn example(self) -> (&'static str, &'static str) {
        match self {
            Self::Version => ("v=1&rows=8", ""),
            Self::Setting(field) => match field {
                Field::Rows => ("rows=8", ""),
                Field::Cols => ("cols=8", ""),
                Field::M => ("m=12", ""),
                Field::K => ("k=9", ""),
                Field::N => ("n=5", ""),
                Field::Dataflow => ("df=os", ""),
                Field::Dtype => ("dt=bf16", ""),
                Field::Padding => ("n=5&pad=zero", ""),
                Field::Multiple => ("pad=m&padm=16", ""),
                Field::Fill => ("fill=counting", ""),
                Field::Seed => ("seed=11", ""),
                Field::Overlap => ("k=9&overlap=double-buffered", ""),
                Field::Load => ("k=9&overlap=double-buffered&load=diagonal", ""),
                Field::Drain => ("df=os&drain=south", ""),
                Field::KTiles => ("k=8&ktiles=down", ""),
                Field::Feed => ("k=9&n=9&feed=memory", ""),
                Field::Chip => ("chip=tpu-v5e", ""),
                Field::Passes => ("dt=f32&passes=3", ""),
                Field::Adder => ("dt=bf16&adder=h100", ""),
                Field::Out => ("dt=bf16&out=bf16", ""),
                Field::Arrays => ("arrays=8", ""),
                Field::Clock => ("arrays=8&mhz=940", ""),
                Field::Price => ("arrays=8&cents=322", ""),
                Field::A => ("", "a=1,2;3,4&b=5,6;7,8"),
                Field::B => ("", "a=1,2,3&b=4;5;6"),
                Field::C => ("", "a=1,2;3,4&b=5,6;7,8&c=1,0;0,1"),
            },
            Self::View(parameter) => match parameter {
                Parameter::Cycle => ("t=9", ""),
                Parameter::Pe => ("pe=2.1&tool=pe", ""),
                Parameter::Speed => ("speed=10", ""),
                Parameter::Theme => ("theme=dark", ""),
                Parameter::Room => ("ui=present", ""),
                Parameter::Panel => ("tool=folds", ""),
                Parameter::Lock => ("ui=embed&lock=array.df", ""),
                Parameter::Hide => ("hide=legend.timeline", ""),
            },
            Self::Tool(tool) => match tool {
                Tool::Compare => ("tool=compare&cmp=df%3Dos", ""),
                Tool::Defect => ("tool=break&break=no-skew", ""),
                Tool::Show => ("tool=heat&show=useful", ""),
                Tool::Picture => ("tool=pictures&picture=pe-cycles", ""),
                Tool::Follow => ("tool=pe&follow=east-3", ""),
                Tool::Repeat => ("tool=folds&loop=fold", ""),
                Tool::Class => ("class=fill", ""),
                Tool::Flow => ("tool=build&flow=east%2Cstays%2Csouth%2C0%2C1", ""),
                Tool::Learn => ("learn=multiply.3", ""),
            },
            Self::Text(of) => match of {
                PartText::Ask => ("ui=desk&ask=model%3Dllama3-70b%26chips%3D512", ""),
                PartText::Lengths => ("ui=desk&lengths=way%3Dpacked", ""),
                PartText::Failures => ("ui=desk&failures=chips%3D16384", ""),
                PartText::Slides => ("", "slides=rows%3D4%0Arows%3D8"),
                PartText::Slide => ("slide=2", "slides=rows%3D4%0Arows%3D8"),
                PartText::Kiosk => ("kiosk=45", ""),
            },
        }
    }
}

/// True if two names differ in at most one letter: an extra letter in one name, or two different letters at one place.
fn is_a_letter_off(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let n_same = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let (one, other) = (&one[n_same..], &other[n_same..]);
    let n_same = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
    one.len().max(other.len()) - n_same <= 1
}

#[cfg(test)]
mod tests;
