//! Names of the values of an enum: in links, files and on the command line.

use core::fmt;

/// A name that is none of an enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// The names that there are.
    pub names: &'static [&'static str],
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "use {}", self.names.join(", "))
    }
}

impl core::error::Error for UnknownName {}

/// Gives an enum without fields `ALL`, `NAMES`, `id`, `from_id` and [`FromStr`](core::str::FromStr).
///
/// Capitals are read as small letters; after the word `exact` they are not.
///
/// ```
/// use systolic::Dataflow;
///
/// assert_eq!(Dataflow::NAMES, ["ws", "os", "is"]);
/// assert_eq!("OS".parse(), Ok(Dataflow::OutputStationary));
/// assert_eq!("xs".parse::<Dataflow>().map_err(|error| error.to_string()), Err("use ws, os, is".to_owned()));
/// ```
#[macro_export]
macro_rules! named {
    ($name:ident { $($value:ident => $id:literal),+ $(,)? }) => {
        $crate::named!(str::eq_ignore_ascii_case, $name { $($value => $id),+ });
    };
    (exact $name:ident { $($value:ident => $id:literal),+ $(,)? }) => {
        $crate::named!(str::eq, $name { $($value => $id),+ });
    };
    ($is_same:expr, $name:ident { $($value:ident => $id:literal),+ }) => {
        impl $name {
            /// All of them, in their order.
            pub const ALL: [Self; [$($id),+].len()] = [$(Self::$value),+];

            /// Their names, in the same order.
            pub const NAMES: [&'static str; [$($id),+].len()] = [$($id),+];

            /// The name in links, files and on the command line.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$value => $id),+
                }
            }

            /// The value of that name.
            #[must_use]
            pub fn from_id(id: &str) -> Option<Self> {
                let is_same: fn(&str, &str) -> bool = $is_same;
                Self::ALL.into_iter().find(|one| is_same(one.id(), id))
            }
        }

        impl core::str::FromStr for $name {
            type Err = $crate::UnknownName;

            fn from_str(id: &str) -> Result<Self, Self::Err> {
                Self::from_id(id).ok_or($crate::UnknownName { names: &Self::NAMES })
            }
        }
    };
}
