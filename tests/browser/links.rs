//! Tests that, for links of the corpus, the shipped page shows the texts that the model computes without a browser.

use std::thread::sleep;
use std::time::{Duration, Instant};

use whole::browser::{PATIENCE, Page, Setting};
use whole::links::{Line, PATH, on_the_page, rows};

/// Links of every kind: each view, each tool, each question, and links with errors.
const LINKS: [&str; 22] = [
    "?",
    "?rows=4&cols=4&m=4&k=6&n=4&df=os&dt=int8&seed=7&chip=tpu-v4&t=5",
    "?rows=128&cols=128&m=128&k=1024&n=1024&df=ws&dt=bf16&chip=tpu-v4&t=20150",
    "?ui=embed&rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7",
    "?rows=64&cols=64&m=64&k=64&n=64&df=ws&dt=int8&t=120&pe=30.30",
    "?rows=2&cols=2&df=ws&dt=bf16&fill=custom&t=5#a=1.5,-2e3;0.001,inf&b=1,nan;-0,3",
    "?rows=4&cols=4&m=9&k=8&n=7&df=os&dt=int8&overlap=double-buffered&drain=south&t=25&pe=1.2",
    "?rows=1024&cols=1024&m=65536&k=65536&n=65536&df=ws&dt=bf16&t=99999999&speed=max",
    "?rows=9999&df=sideways&t=soon&lesson=4&%%%=%ff#a=1,2;3&zzz",
    "?rows=8&cols=8&df=os&fill=custom#a=1,2;3,4",
    "?rows=8&%3Cscript%3E=%3Cb%3E&x=%22%27%26%23",
    "?rows=4&cols=4&m=6&k=4&n=4&df=ws&dt=int8&t=7&ui=workbench&break=late-1",
    "?rows=8&cols=8&m=20&k=20&n=20&df=is&dt=int8&t=44&pe=2.3&ui=workbench&theme=projector&cmp=df%3Dws&break=late-2\
     &show=useful&follow=east-40&loop=fold&speed=10",
    "?ui=desk",
    "?ui=desk&ask=model%3Dllama3-70b%26chips%3D512&lengths=way%3Dpacked&failures=chips%3D16384%26interval%3D15",
    "?ui=desk&ask=chip%3Down%26own%3Dpeak-bf16.200_rows.128_cols.128_arrays.4_clock.1526",
    "?ui=desk&ask=tokens%3D15e12%26chip%3Dtpu-v6e%26versus%3Dh100-sxm%26weeks%3D3%26week-usd%3D8000",
    "?ui=desk&ask=chip%3Dtpu-v5p%26chips%3Dv5p-128",
    "?ui=desk&ask=price%3Don-demand.europe-west4",
    "?ui=desk&ask=seq%3D0%26batch%3D-1%26overlap%3D101%26tokens%3Dnone%26chips%3D1e3%26mtbf%3D%26pue%3D0.5",
    "?ui=desk&lengths=shortest%3D900%26longest%3D100",
    "?ui=desk&failures=chips%3D1%26mtbf%3D0.01",
];

/// For each line, the text of the first element that matches the selector of the line.
fn texts(page: &Page, lines: &[Line]) -> Vec<String> {
    let selectors = serde_json::to_string(&lines.iter().map(|(css, _)| css).collect::<Vec<_>>()).expect("JSON");
    let texts = page.js(&format!(
        "return {selectors}.map(css => document.querySelector(css)?.textContent ?? `there is no ${{css}}`)"
    ));
    texts.as_array().expect("a list").iter().map(|text| text.as_str().unwrap_or_default().to_owned()).collect()
}

/// Describes each line whose text on the page differs from the expected text.
pub(crate) fn differences(page: &Page, told: &[Line]) -> Vec<String> {
    let pairs = told.iter().zip(texts(page, told));
    let wrong = pairs.filter(|((_, wanted), found)| wanted != found);
    wrong.map(|((css, wanted), found)| format!("{css} is {found}, not {wanted}")).collect()
}

#[test]
fn the_page_says_of_a_link_what_the_model_says() {
    let known = rows(include_str!("../golden/links.txt"));
    let page = Page::new(Setting::default());
    for link in LINKS {
        assert!(known.iter().any(|row| row.link == link), "{link} is not in {PATH}");
        page.goto(link);
        let told = on_the_page(link);
        // Some texts of the estimate appear a moment later.
        let begun = Instant::now();
        while !differences(&page, &told).is_empty() && begun.elapsed() < PATIENCE {
            sleep(Duration::from_millis(50));
        }
        assert_eq!(differences(&page, &told), Vec::<String>::new(), "{link}");
        assert_eq!(page.text("#supervisor"), "", "{link}");
    }
    // The page must differ for another link.
    let other = differences(&page, &on_the_page("?ui=desk&failures=chips%3D2%26mtbf%3D0.01"));
    assert!(other.iter().any(|one| one.contains("#failures-title")), "{other:?}");
    assert_eq!(page.console_errors(), Vec::<String>::new());
}
