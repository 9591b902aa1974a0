//! All texts of `host.html`, the page that tests a host: requirements, findings, and remedies for missing features.
//!
//! The script of that page, `public/host.js`, only chooses among these texts.

/// Title of the page.
pub const TITLE: &str = "Host check";
/// Introduction below the title.
pub const LEAD: &str = "Open this page instead of the playground, in a frame of the same size. This page tests every feature that the playground needs. For each missing feature, the table shows a remedy. This page sends no data.";
/// Message above the embed code, if the page is not embedded.
pub const ALONE: &str = "This page is not embedded now, so it checks only this server and this browser. To check another page, put this code into that page:";
/// Message if scripts are blocked.
pub const NO_SCRIPT: &str =
    "Scripts are blocked here, so the playground cannot run. Add allow-scripts to the sandbox of the frame.";
/// Column headings of the table of checks.
pub const COLUMNS: [&str; 3] = ["", "purpose", "result"];
/// Heading of the text report.
pub const REPORT: &str = "Text report for your site administrator";
/// Heading of the trials whose result only a person can see.
pub const BY_HAND: &str = "To try by hand";
/// Note below the heading of the trials.
pub const BY_HAND_LEAD: &str = "A sandbox can block these actions without a message, so try each action.";
/// Label of the button that copies the report to the clipboard.
pub const COPY: &str = "Copy";

systolic::named! {
    /// Effect of a finding on the playground.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    exact pub enum Effect {
        /// Unknown effect, because the check has not run yet.
        Open => "open",
        /// Full function.
        Works => "works",
        /// Reduced function: the playground runs without a feature.
        Less => "less",
        /// Failure: the playground does not run.
        Stops => "stops",
    }
}

impl Effect {
    /// Returns the word before the text of a finding, such as "limited".
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Open => "not tried",
            Self::Works => "works",
            Self::Less => "limited",
            Self::Stops => "missing",
        }
    }

    /// Returns the verdict above the table for a page whose worst finding has this effect.
    #[must_use]
    pub const fn verdict(self) -> &'static str {
        match self {
            Self::Open => "Trying …",
            Self::Works => "The playground works here.",
            Self::Less => "The playground works here, with limitations.",
            Self::Stops => "The playground cannot run here yet.",
        }
    }
}

/// A check of one feature that the playground needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// Name of the check in the source of the page.
    pub id: &'static str,
    /// Name of the check on screen.
    pub name: &'static str,
    /// Purpose of the feature in the playground.
    pub purpose: &'static str,
    /// Possible findings: the name in the source of the page, the effect on the playground, and the sentence on screen.
    pub found: &'static [(&'static str, Effect, &'static str)],
}

/// All checks, in the order of the page.
pub const CHECKS: [Check; 8] = [
    Check {
        id: "module",
        name: "WebAssembly",
        purpose: "A WebAssembly module computes the array.",
        found: &[
            ("yes", Effect::Works, "The module compiles."),
            ("old", Effect::Stops, "This browser is too old. Use Chrome or Edge 91, Firefox 89, Safari 16.4 or newer."),
            (
                "policy",
                Effect::Stops,
                "A Content-Security-Policy blocks WebAssembly. Add 'wasm-unsafe-eval' to script-src in the policy of the server.",
            ),
        ],
    },
    Check {
        id: "files",
        name: "Page files",
        purpose: "The page loads some parts on demand.",
        found: &[
            ("yes", Effect::Works, "The files arrive."),
            (
                "no",
                Effect::Stops,
                "The files do not load. If the frame is sandboxed, the server of these files must send Access-Control-Allow-Origin: *.",
            ),
            (
                "disk",
                Effect::Stops,
                "The browser does not load files from a disk. Use the single-file playground, from Share.",
            ),
        ],
    },
    Check {
        id: "size",
        name: "Size",
        purpose: "The array, its caption and the controls must fit in the frame.",
        found: &[
            ("yes", Effect::Works, "The frame is large enough."),
            (
                "narrow",
                Effect::Less,
                "The frame is narrower than 320 pixels, so numbers and captions are cut off. Widen the frame.",
            ),
            (
                "low",
                Effect::Less,
                "The frame is less than 400 pixels high, so the array is small. Make the frame higher.",
            ),
        ],
    },
    Check {
        id: "height",
        name: "Height of the frame",
        purpose: "A frame that adapts to the height of its content needs no scroll bar.",
        found: &[
            ("yes", Effect::Works, "The host page adjusts the height of the frame."),
            (
                "no",
                Effect::Less,
                "The host page does not adapt the height of the frame. The host page can listen for messages of sap/1, open-iframe-resizer or lti.frameResize (Canvas).",
            ),
            ("alone", Effect::Works, "Not embedded, so not needed."),
        ],
    },
    Check {
        id: "steering",
        name: "Control by the host",
        purpose: "With sap/1, the host page can change the array and read the state of the array.",
        found: &[
            ("yes", Effect::Works, "The host page has connected."),
            ("no", Effect::Works, "The host page does not use sap/1."),
            ("alone", Effect::Works, "Not embedded, so not needed."),
        ],
    },
    Check {
        id: "screen",
        name: "Full screen",
        purpose: "The button Present fills the screen.",
        found: &[
            ("yes", Effect::Works, "Allowed."),
            ("no", Effect::Less, "Blocked. Add allow=\"fullscreen\" to the frame."),
        ],
    },
    Check {
        id: "storage",
        name: "Storage",
        purpose: "The browser stores which lesson cards you answered.",
        found: &[
            ("yes", Effect::Works, "The browser stores the answers."),
            ("no", Effect::Less, "Nothing is stored, so a reload loses the answers. Everything else works."),
        ],
    },
    Check {
        id: "offline",
        name: "Offline",
        purpose: "A saved page opens without a network.",
        found: &[
            ("yes", Effect::Works, "The page can be saved."),
            (
                "frame",
                Effect::Works,
                "A page in a frame cannot be saved. To save the playground, open the playground in its own tab.",
            ),
            ("no", Effect::Less, "The page cannot be saved. Use https and a browser that can save pages."),
        ],
    },
];

/// Trials for a person: the id of the button, the label of the button, and the remedy if nothing happens.
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
