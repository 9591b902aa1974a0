//! Colors of exported drawings, read from the style sheets of the page.

use display::Tone;
use studio::Theme;

/// Style sheet with the color variables of the page.
const TOKENS: &str = include_str!("../../../../style/tokens.css");
/// Style sheet with the color variables of heat maps.
const SHADES: &str = include_str!("../../../../style/shades.css");

/// Returns the value of a CSS variable in a theme. In a file, the theme of the system is the light theme.
fn value(theme: Theme, name: &str) -> Option<&'static str> {
    let own = format!(":root[data-theme=\"{}\"] {{", theme.id());
    let in_rules = |start: &str| {
        // The light theme comes first, so the first rules are its rules.
        [TOKENS, SHADES].into_iter().find_map(|sheet| {
            let mut rules = sheet.lines().skip_while(|line| *line != start).take_while(|line| *line != "}");
            rules.find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(": ")?.strip_suffix(';'))
        })
    };
    in_rules(&own).or_else(|| in_rules(":root {"))
}

/// Returns the color of a tone in a theme as six hexadecimal digits, or `None` for [`Tone::Clear`].
pub(crate) fn hex(theme: Theme, tone: Tone) -> Option<&'static str> {
    let text = value(theme, &format!("--tone-{}", tone.id()))?;
    let named = text.strip_prefix("var(").and_then(|name| name.strip_suffix(')'));
    named.map_or(Some(text), |name| value(theme, name))?.strip_prefix('#')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tone_but_the_clear_one_has_six_digits_in_every_theme() {
        for (theme, tone) in Theme::ALL.into_iter().flat_map(|theme| Tone::ALL.iter().map(move |tone| (theme, *tone))) {
            let digits = hex(theme, tone).map(|hex| (hex.len(), hex.bytes().all(|byte| byte.is_ascii_hexdigit())));
            assert_eq!(digits, (tone != Tone::Clear).then_some((6, true)), "{theme:?} {tone:?}");
        }
    }

    #[test]
    fn a_theme_has_its_own_colors_and_else_the_light_ones() {
        let of = |theme| [Tone::Ground, Tone::A, Tone::Wrong, Tone::Shade0].map(|tone| hex(theme, tone));
        assert_eq!(of(Theme::Dark), [Some("0f1115"), Some("5f84ff"), Some("ff9a8f"), Some("00224e")]);
        assert_eq!(of(Theme::Auto), of(Theme::Light));
        assert_eq!(of(Theme::Projector), of(Theme::Light), "these four stay as they are");
        assert_ne!(hex(Theme::Projector, Tone::ATint), hex(Theme::Light, Tone::ATint));
    }
}
