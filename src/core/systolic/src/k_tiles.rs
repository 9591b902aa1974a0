//! Order of the tiles of k in a weight- or input-stationary run.
//!
//! Each fold of such a run has one tile of k, and the results of the tiles are added outside the array, one after
//! another. Sums of floats depend on the order. A compiler can choose it: in a table of outputs of a Pallas kernel that
//! JAX stored in 2023, the second half of k is added first (<https://github.com/jax-ml/jax/commit/3e5e947542>).

use core::fmt;

/// Order in which the tiles of k run.
///
/// ```
/// use systolic::KTiles;
///
/// let order = KTiles::from_text("second-half-first").expect("an order");
/// assert_eq!((0..4).map(|place| order.tile(place, 4)).collect::<Vec<_>>(), [2, 3, 0, 1]);
/// assert_eq!(KTiles::from_text("2,0,1").map(|order| order.to_string()), Some("2,0,1".to_owned()));
/// assert_eq!(["2,0,0", "0,,1", "0,321,1", "1"].map(KTiles::from_text), [None; 4]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KTiles {
    /// From the first tile to the last one.
    #[default]
    Up,
    /// From the last tile to the first one.
    Down,
    /// The second half of the tiles, then the first half, each from its first tile to its last one.
    SecondHalfFirst,
    /// The tiles of a list.
    Listed(TileList),
}

/// A list of tiles: each number from 0 to the number of tiles less 1, once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TileList {
    tiles: [u8; KTiles::LISTED_MAX],
    n: u8,
}

impl KTiles {
    /// Largest number of tiles in a list.
    pub const LISTED_MAX: usize = 32;

    /// Names of the orders that are not a list.
    pub const NAMES: [&'static str; 3] = ["up", "down", "second-half-first"];

    /// The orders that are not a list, in the order of their names.
    pub const NAMED: [Self; 3] = [Self::Up, Self::Down, Self::SecondHalfFirst];

    /// Order with this name, or order of a list such as `2,3,0,1`. `None` if the text is neither, or if the list lacks a
    /// tile, has a tile twice, or is too long.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        if let Some(named) = Self::NAMES.iter().position(|name| *name == text) {
            return Some(Self::NAMED[named]);
        }
        let (mut list, mut seen) = (TileList { tiles: [0; Self::LISTED_MAX], n: 0 }, 0u64);
        let mut tile = None;
        for byte in text.bytes().chain([b',']) {
            tile = match (byte, tile) {
                (b'0'..=b'9', None | Some(0..4)) => Some(10 * tile.unwrap_or(0) + byte - b'0'),
                (b' ', _) => tile,
                (b',', Some(tile @ 0..32)) => {
                    *list.tiles.get_mut(usize::from(list.n))? = tile;
                    list.n += 1;
                    seen |= 1 << tile;
                    None
                }
                _ => return None,
            };
        }
        (seen == (1 << list.n) - 1).then_some(Self::Listed(list))
    }

    /// Tile that runs as number `place` of `n` tiles.
    #[must_use]
    pub fn tile(self, place: u64, n: u64) -> u64 {
        match self {
            Self::Up => place,
            Self::Down => n - 1 - place,
            Self::SecondHalfFirst => (place + n / 2) % n,
            Self::Listed(list) => {
                list.tiles().get(crate::units::len_usize(place)).map_or(place, |&tile| u64::from(tile))
            }
        }
    }

    /// Number of a tile in the order in which `n` tiles run.
    #[must_use]
    pub fn place(self, tile: u64, n: u64) -> u64 {
        (0..n).find(|&place| self.tile(place, n) == tile).unwrap_or(tile)
    }

    /// Name of the order; `None` for a list.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::Up => Self::NAMES[0],
            Self::Down => Self::NAMES[1],
            Self::SecondHalfFirst => Self::NAMES[2],
            Self::Listed(_) => return None,
        })
    }

    /// Number of tiles of a list; `None` for an order of any number of tiles.
    #[must_use]
    pub const fn n_listed(self) -> Option<u64> {
        match self {
            Self::Listed(list) => Some(list.n as u64),
            Self::Up | Self::Down | Self::SecondHalfFirst => None,
        }
    }
}

impl TileList {
    fn tiles(&self) -> &[u8] {
        &self.tiles[..usize::from(self.n)]
    }
}

impl fmt::Display for KTiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Listed(list) = self else { return f.write_str(self.name().unwrap_or_default()) };
        let tiles: Vec<String> = list.tiles().iter().map(u8::to_string).collect();
        f.write_str(&tiles.join(","))
    }
}
