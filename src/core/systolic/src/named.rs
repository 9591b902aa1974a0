//! Names of enum values in links, files and on the command line.

use core::fmt;

/// Error for a name that belongs to no value of an enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// All valid names.
    pub names: &'static [&'static str],
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "use {}", self.names.join(", "))
    }
}

impl core::error::Error for UnknownName {}

/// Implements `ALL`, `NAMES`, `id`, `from_id` and [`FromStr`](core::str::FromStr) for an enum without fields. The macro
/// can also declare the enum.
///
/// Parsing ignores ASCII case, unless the word `exact` precedes the enum's name.
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
    ($(#[$attribute:meta])* exact $vis:vis enum $name:ident {
        $($(#[$of_value:meta])* $value:ident => $id:literal),+ $(,)?
    }) => {
        $(#[$attribute])*
        $vis enum $name {
            $($(#[$of_value])* $value),+
        }
        $crate::named! { exact $name { $($value => $id),+ } }
    };
    ($name:ident { $($value:ident => $id:literal),+ $(,)? }) => {
        $crate::named!(str::eq_ignore_ascii_case, $name { $($value => $id),+ });
    };
    (exact $name:ident { $($value:ident => $id:literal),+ $(,)? }) => {
        $crate::named!(str::eq, $name { $($value => $id),+ });
    };
    ($is_same:expr, $name:ident { $($value:ident => $id:literal),+ }) => {
        impl $name {
            /// All values, in the order of their names.
            pub const ALL: [Self; [$($id),+].len()] = [$(Self::$value),+];

            /// Names of all values, in the order of `ALL`.
            pub const NAMES: [&'static str; [$($id),+].len()] = [$($id),+];

            /// Name of the value in links, files and on the command line.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$value => $id),+
                }
            }

            /// Value with this name; `None` if there is no such value.
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
