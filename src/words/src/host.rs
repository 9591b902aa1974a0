//! All texts of `host.html`, the page that tests a host: requirements, findings, and remedies for what is missing.
//!
//! The script of that page, `public/host.js`, only chooses among these texts.

/// The page.
pub const TITLE: &str = "What this place allows";
/// Under the title.
pub const LEAD: &str = "Put this page where the playground is to be: in the same frame, of the same size. It tries what the playground \
     needs, sends nothing anywhere, and says what is missing and who can change it.";
/// Where the page stands alone.
pub const ALONE: &str =
    "It stands alone now, so this says what this server and this browser allow. To test another page, put this there:";
/// Where no script runs.
pub const NO_SCRIPT: &str =
    "No script runs here, so the playground cannot. The frame's sandbox must have allow-scripts.";
/// The columns of the table.
pub const COLUMNS: [&str; 3] = ["", "what for", "found"];
/// Above the report.
pub const REPORT: &str = "The same as text, for whoever looks after this place";
/// What nobody but a person can see.
pub const BY_HAND: &str = "To try by hand";
/// The note below the heading.
pub const BY_HAND_LEAD: &str = "A sandbox forbids these without a word, so press each and look.";
/// What takes the report to the clipboard.
pub const COPY: &str = "Copy";

/// What becomes of the playground where something is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Not looked at yet.
    Open,
    /// As it should be.
    Works,
    /// The playground runs, with something less.
    Less,
    /// It does not run.
    Stops,
}

systolic::named! {
    exact Effect {
        Open => "open",
        Works => "works",
        Less => "less",
        Stops => "stops",
    }
}

impl Effect {
    /// The word before what was found.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Open => "not tried",
            Self::Works => "works",
            Self::Less => "less",
            Self::Stops => "missing",
        }
    }

    /// What the page says above the table, where nothing is worse than this.
    #[must_use]
    pub const fn verdict(self) -> &'static str {
        match self {
            Self::Open => "Trying …",
            Self::Works => "The playground works here.",
            Self::Less => "The playground works here, with something less.",
            Self::Stops => "The playground cannot run here yet.",
        }
    }
}

/// Something that was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// Its name in the page's source.
    pub id: &'static str,
    /// Its name for a person.
    pub name: &'static str,
    /// What the playground does with it.
    pub purpose: &'static str,
    /// What may be found: a name in the page's source, what follows for the playground, and what is said.
    pub found: &'static [(&'static str, Effect, &'static str)],
}

/// What is tried, in the order of the page.
pub const CHECKS: [Check; 8] = [
    Check {
        id: "module",
        name: "WebAssembly",
        purpose: "The array is computed in a WebAssembly module.",
        found: &[
            ("yes", Effect::Works, "It compiles."),
            (
                "old",
                Effect::Stops,
                "This browser is too old. Chrome or Edge from 91, Firefox from 89 and Safari from 16.4 have it with SIMD.",
            ),
            (
                "policy",
                Effect::Stops,
                "A Content-Security-Policy forbids it. The server's policy must allow 'wasm-unsafe-eval' for scripts.",
            ),
        ],
    },
    Check {
        id: "files",
        name: "Its own files",
        purpose: "Parts of the page are fetched when they are asked for.",
        found: &[
            ("yes", Effect::Works, "They arrive."),
            (
                "no",
                Effect::Stops,
                "They do not arrive. In a sandbox the server of these files must send Access-Control-Allow-Origin: *.",
            ),
            (
                "disk",
                Effect::Stops,
                "A browser fetches nothing from a disk. Use the playground in one file, from Share.",
            ),
        ],
    },
    Check {
        id: "size",
        name: "Room",
        purpose: "The array, its caption and the controls stand in the frame.",
        found: &[
            ("yes", Effect::Works, "It is wide and high enough."),
            ("narrow", Effect::Less, "It is narrower than 320 pixels: numbers and captions are cut. Widen the frame."),
            ("low", Effect::Less, "It is lower than 400 pixels: the array becomes small. Make the frame higher."),
        ],
    },
    Check {
        id: "height",
        name: "Height of the frame",
        purpose: "A frame that follows the height of its page has no bar to scroll.",
        found: &[
            ("yes", Effect::Works, "The page around follows it."),
            (
                "no",
                Effect::Less,
                "The page around keeps its height. It may listen for sap/1, open-iframe-resizer or Canvas' lti.frameResize.",
            ),
            ("alone", Effect::Works, "No page is around that would follow it, so nothing is missing."),
        ],
    },
    Check {
        id: "steering",
        name: "Steering",
        purpose: "The page around may set the array and ask for its state, by sap/1.",
        found: &[
            ("yes", Effect::Works, "The page around has said hello."),
            ("no", Effect::Works, "The page around does not ask for it."),
            ("alone", Effect::Works, "No page is around that would steer it, so nothing is missing."),
        ],
    },
    Check {
        id: "screen",
        name: "Full screen",
        purpose: "Present fills the screen.",
        found: &[
            ("yes", Effect::Works, "It may."),
            ("no", Effect::Less, "It may not. The frame needs allow=\"fullscreen\"."),
        ],
    },
    Check {
        id: "storage",
        name: "Storage",
        purpose: "Which cards of the lessons were answered is kept in this browser.",
        found: &[
            ("yes", Effect::Works, "It keeps."),
            ("no", Effect::Less, "It keeps nothing, so a reload forgets the answers. All else works without."),
        ],
    },
    Check {
        id: "offline",
        name: "Offline",
        purpose: "A page that was asked to stays when there is no network.",
        found: &[
            ("yes", Effect::Works, "It can stay."),
            ("frame", Effect::Works, "A frame keeps nothing. Open the playground on its own to keep it."),
            ("no", Effect::Less, "It cannot stay: this needs https and a browser that lets pages be kept."),
        ],
    },
];

/// What a person tries: a name in the page's source, the words of the control, and what to do where nothing happens.
pub const TRIALS: [(&str, &str, &str); 3] = [
    ("file", "Save a file", "If no file arrives, the frame's sandbox needs allow-downloads."),
    ("tab", "Open a new tab", "If no tab opens, the frame's sandbox needs allow-popups."),
    ("print", "Print", "If no dialog opens, the frame's sandbox needs allow-modals."),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_finding_says_in_a_sentence_what_follows() {
        let ids: BTreeSet<&str> = CHECKS.iter().map(|check| check.id).collect();
        assert_eq!(ids.len(), CHECKS.len());
        for check in CHECKS {
            assert!(check.purpose.ends_with('.') && check.found.len() > 1, "{}", check.id);
            let found: BTreeSet<&str> = check.found.iter().map(|found| found.0).collect();
            assert_eq!(found.len(), check.found.len(), "{}", check.id);
            assert!(check.found.iter().any(|found| found.1 == Effect::Works), "{} can be well", check.id);
            assert!(check.found.iter().all(|found| found.2.ends_with('.') && found.1 != Effect::Open), "{}", check.id);
        }
        let worst: BTreeSet<&str> = Effect::ALL.map(Effect::verdict).into();
        assert_eq!(worst.len(), Effect::ALL.len());
    }
}
