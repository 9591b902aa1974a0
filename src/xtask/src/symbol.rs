//! Finds the crate of a symbol in compiled Rust code, from the first path in the symbol's name.

/// Returns the crate of `symbol`, which may be demangled, or mangled by the legacy or the v0 scheme. `None` if `symbol`
/// contains no path.
#[must_use]
pub fn crate_of(symbol: &str) -> Option<String> {
    first_path(&format!("{:#}", rustc_demangle::demangle(symbol)))
}

/// Returns the first `name::` in a demangled symbol, such as `alloc` in `<T as alloc::string::ToString>::to_string`.
fn first_path(text: &str) -> Option<String> {
    text.match_indices("::").find_map(|(at, _)| {
        let before = &text[..at];
        let start = before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |end| end + 1);
        is_name(&before[start..]).then(|| before[start..].to_owned())
    })
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::crate_of;

    #[test]
    fn the_first_path_names_the_crate() {
        for (symbol, expected) in [
            ("_ZN4core3fmt5write17h0123456789abcdefE", Some("core")),
            ("_ZN58_$LT$app..view..Panel$u20$as$u20$core..ops..drop..Drop$GT$4drop17h0123456789abcdefE", Some("app")),
            ("_ZN45_$LT$T$u20$as$u20$alloc..string..ToString$GT$9to_string17h0123456789abcdefE", Some("alloc")),
            ("_RNvMs0_NtCs8sUiWzzBgSO_6studio4linkNtB5_4Link5parse", Some("studio")),
            ("_RNvNtC4core3fmt5write", Some("core")),
            ("_RINvNtCsaBcDeF_4core3ptr13drop_in_placeNtCsX_3app4ViewE", Some("core")),
            ("<leptos::View as tachys::Render>::build", Some("leptos")),
            ("dlmalloc::Dlmalloc::malloc", Some("dlmalloc")),
            ("__wbindgen_malloc", None),
            ("memcpy", None),
            ("", None),
        ] {
            assert_eq!(crate_of(symbol).as_deref(), expected, "{symbol}");
        }
    }
}
