//! Headers of the `_headers` file of static web hosts, which lists response headers by path.

/// Returns the headers of `path`, which starts with a slash, by the text of a `_headers` file. Each path pattern is a
/// line without indentation, and its `Name: value` lines follow, indented. A line that begins with `#` is a comment.
pub(crate) fn of(rules: &str, path: &str) -> Vec<(String, String)> {
    let (mut headers, mut applies) = (Vec::new(), false);
    for line in rules.lines().filter(|line| !line.trim().is_empty() && !line.trim().starts_with('#')) {
        if !line.starts_with([' ', '\t']) {
            applies = matches(line.trim(), path);
        } else if let Some((name, value)) = line.split_once(':').filter(|_| applies) {
            headers.push((name.trim().to_owned(), value.trim().to_owned()));
        }
    }
    headers
}

/// True if `path` matches `pattern`. A `*` matches any sequence of characters, including slashes.
fn matches(pattern: &str, path: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|start| path.strip_prefix(start)) else { return false };
    let Some(end) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str =
        "# all\n/*\n  X-A: 1\n  X-B: b: c\n\n/*.wasm\n  X-C: 2\n/index.html\n\tCache-Control: no-cache\n";

    fn value(path: &str, name: &str) -> Option<String> {
        of(FILE, path).into_iter().find(|header| header.0 == name).map(|header| header.1)
    }

    #[test]
    fn rules_add_up() {
        assert_eq!(value("/any/thing", "X-A").as_deref(), Some("1"));
        assert_eq!(value("/any/thing", "X-B").as_deref(), Some("b: c"));
        assert_eq!(value("/deep/a.wasm", "X-A").as_deref(), Some("1"));
        assert_eq!(value("/deep/a.wasm", "X-C").as_deref(), Some("2"));
        assert_eq!(value("/index.html", "Cache-Control").as_deref(), Some("no-cache"));
        assert_eq!(value("/index.htm", "Cache-Control"), None);
    }

    #[test]
    fn a_star_matches_any_run() {
        assert!(matches("/*", "/") && matches("/*-*.js", "/app-12.js") && matches("/a", "/a"));
        assert!(!matches("/*-*.js", "/app.js") && !matches("/a", "/ab") && !matches("/a*b", "/a"));
    }

    #[test]
    fn the_shipped_rules_name_no_header_twice_for_one_path() {
        let text = std::fs::read_to_string(crate::root().join("public/_headers")).unwrap();
        for path in ["/", "/index.html", "/page-12ab.js", "/boot-12ab.js", "/page-12ab.wasm", "/style-12ab.css"] {
            let headers = of(&text, path);
            let names: std::collections::BTreeSet<_> = headers.iter().map(|(name, _)| name.to_lowercase()).collect();
            assert_eq!(names.len(), headers.len(), "{path}: {headers:?}");
            let caching: Vec<_> = headers.iter().filter(|(name, _)| name == "Cache-Control").collect();
            assert_eq!(caching.len(), 1, "{path}");
            let immutable = caching[0].1 == "public, max-age=31536000, immutable";
            assert!(if path.contains("12ab") { immutable } else { caching[0].1 == "no-cache" }, "{path} {caching:?}");
            assert!(headers.iter().any(|(name, _)| name == "Content-Security-Policy"), "{path}");
        }
        // The page itself brings the same policy to a host that sends no headers.
        let html = std::fs::read_to_string(crate::root().join("index.html")).unwrap();
        let policy = of(&text, "/").into_iter().find(|(name, _)| name == "Content-Security-Policy").unwrap().1;
        assert!(html.contains(&format!("http-equiv=\"Content-Security-Policy\" content=\"{policy}\"")), "{policy}");
        assert!(policy.contains("require-trusted-types-for 'script'; trusted-types default offline"), "{policy}");
        assert!(of(&text, "/favicon.ico").iter().all(|(name, _)| name != "Cache-Control"));
    }
}
