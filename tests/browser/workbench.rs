//! The second module: designs, two runs on one clock, defects, one PE written out.

use whole::browser::Page;

use crate::shown;

/// Opens a link to the workbench and waits until it works.
fn open(query: &str) -> Page {
    let page = Page::open(&format!("?{query}&ui=workbench"));
    shown(&page);
    assert_eq!(page.text("#supervisor"), "", "{query}");
    page
}

#[test]
fn the_first_screen_leads_to_the_same_moment_in_the_workbench() {
    let page = Page::open("?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=9");
    shown(&page);
    assert_eq!(page.count("#compare"), 0);
    page.click("#workbench");
    page.wait_for("#compare");
    shown(&page);
    assert!(page.text("#clock").starts_with("9 "), "{}", page.text("#clock"));
    page.keys("#stage", "\u{e014}");
    page.wait_until("the address stays with the workbench", || {
        page.url().contains("t=10") && page.url().contains("ui=workbench")
    });
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn folds_overlap_where_the_link_says_so() {
    let page = open("rows=4&cols=4&m=4&k=8&n=7&df=ws&dt=int8&overlap=double-buffered&t=11");
    assert!(page.text("#caption").contains("shadow register"), "{}", page.text("#caption"));
    assert!(page.text("#clock").ends_with("0–25"), "{}", page.text("#clock"));
    page.js("const list = document.querySelector('#overlap'); list.value = 'none'; \
             list.dispatchEvent(new Event('change', { bubbles: true }))");
    page.wait_until("the run is longer without overlap", || page.text("#clock").ends_with("0–55"));
}

#[test]
fn two_runs_go_on_one_clock_and_in_one_link() {
    let page = open("rows=4&cols=4&m=6&k=4&n=4&df=ws&dt=int8&t=7");
    assert_eq!(page.count("#other"), 0);
    page.fill("#cmp", "df=os&clock=share");
    page.js("document.querySelector('#cmp').dispatchEvent(new Event('change', { bubbles: true }))");
    page.wait_for("#other");
    let words = || page.attribute("#other", "aria-label").unwrap_or_default();
    assert!(words().contains("Output-stationary") && words().contains("Cycle 9 of 0–19"), "{}", words());
    page.keys("#stage", "\u{e010}");
    page.wait_until("both are at their ends", || words().contains("Cycle 19 of 0–19"));
    page.wait_until("the link has both", || page.url().contains("cmp=df%3Dos"));
    page.reload();
    page.wait_for("#other");
    assert!(page.text("#compare").contains("output") || page.text("#compare").contains("os"));
    page.fill("#cmp", "rows=9999");
    page.js("document.querySelector('#cmp').dispatchEvent(new Event('change', { bubbles: true }))");
    page.wait_until("what cannot run is named", || page.text("#cmp-problem").contains("1 to 1024"));
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_defect_spoils_results_and_says_which() {
    for (name, element) in [("no-skew", "c["), ("late-1", "c["), ("stuck-1.1", "c[")] {
        let page = open(&format!("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=8&break={name}"));
        page.wait_for("#spoiled");
        assert!(page.text("#breaker").contains(element), "{name}: {}", page.text("#breaker"));
        page.keys("#stage", "\u{e010}");
        page.wait_until("the end is shown", || page.text("#clock").starts_with("15 "));
        assert_eq!(page.text("#supervisor"), "", "{name}");
        assert_eq!(page.console_errors(), Vec::<String>::new(), "{name}");
    }
    let page = open("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=8&break=sum-bf16");
    page.wait_until("why not", || page.text("#break-problem").contains("float"));
}

#[test]
fn one_pe_is_written_out() {
    let page = open("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7&pe=2.1");
    page.wait_until("its sum has its terms", || page.text("#sheet").contains("a[0,2] · b[2,1]"));
    assert!(page.text("#sheet").contains("0x"), "{}", page.text("#sheet"));
}

/// Chooses from a list as a person does.
fn choose(page: &Page, css: &str, value: &str) {
    page.js(&format!(
        "const list = document.querySelector('{css}'); list.value = '{value}'; \
         list.dispatchEvent(new Event('change', {{ bubbles: true }}))"
    ));
}

#[test]
fn the_pes_show_a_number_with_a_legend() {
    let page = open("rows=8&cols=8&m=12&k=8&n=6&df=ws&dt=bf16&t=14");
    let picture = || page.js("return document.querySelector('#stage canvas').toDataURL()");
    let mut seen = vec![picture()];
    for channel in ["sum", "useful", "wasted", "error"] {
        choose(&page, "#show", channel);
        page.wait_until("the legend has its eight steps", || page.count("#channels .legend li") == 8);
        page.wait_until("the picture is another", || !seen.contains(&picture()));
        seen.push(picture());
        page.wait_until("the link says so", || page.url().contains(&format!("show={channel}")));
    }
    choose(&page, "#show", "activity");
    page.wait_until("what the PEs do", || picture() == seen[0]);
    let page = open("rows=4&cols=4&show=zebra");
    page.wait_until("what is allowed", || page.text("#notices").contains("useful"));
}

#[test]
fn a_number_is_followed_through_the_array() {
    let page = open("rows=4&cols=4&m=6&k=4&n=4&df=ws&dt=int8&t=7&pe=1.1");
    choose(&page, "#follow", "east");
    page.wait_until("it is named", || page.text("#followed").contains("a[1,1]: PE 1,1"));
    page.keys("#stage", "\u{e00f}");
    page.wait_until("it has gone east", || page.text("#followed").contains("a[1,1]: PE 1,2"));
    assert!(page.text("#caption").contains("PE 1,2"), "{}", page.text("#caption"));
    page.keys("#stage", "\u{e010}");
    page.wait_until("it is gone", || page.text("#followed").contains("in no PE"));
}

#[test]
fn a_schedule_of_ones_own_runs_and_shows_why_it_is_wrong() {
    let page = open("rows=4&cols=4&m=6&k=4&n=3&df=os&dt=int8&t=6");
    choose(&page, "#break-ready", "skew-");
    page.wait_for("#lane-3");
    page.wait_until("the right schedule spoils nothing", || page.text("#spoiled").starts_with("No element"));
    page.keys("#lane-2", "\u{e014}");
    page.wait_until("one step later it does", || !page.text("#spoiled").starts_with("No element"));
    page.wait_until("the link says so", || page.url().contains("break=skew-0.1.3.3"));
    page.wait_until("the caption says so", || page.text("#caption").contains("wrong"));
    page.keys("#lane-2", "\u{e012}");
    page.wait_until("and back", || page.text("#spoiled").starts_with("No element"));
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_fold_is_played_again_and_again() {
    let page = open("rows=4&cols=4&m=3&k=12&n=4&df=ws&dt=int8&t=0&speed=60");
    page.click("#loop");
    page.click("#play");
    let cycle = || page.text("#clock").split(' ').next().and_then(|cycle| cycle.parse::<u64>().ok()).unwrap_or(99);
    // 2R + C + M − 2 = 13 cycles; three folds are 39, and at this speed would be over within a second.
    let mut last = 0;
    let mut again = 0;
    while again < 3 {
        let now = cycle();
        assert!(now < 13, "cycle {now} is not of the first fold");
        again += u32::from(now < last);
        last = now;
    }
    assert_eq!(page.attribute("#play", "aria-label").as_deref(), Some("Pause (Space)"));
}

#[test]
fn the_run_is_read_as_text() {
    let page = open("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7");
    page.click("#transcript summary");
    page.wait_until("nine cycles follow", || page.text("#transcript pre").lines().count() == 9);
    let text = page.text("#transcript pre");
    assert!(text.starts_with("Cycle 7 of 0–15") && text.contains("Cycle 15 of 0–15"), "{text}");
}

#[test]
fn the_workbench_has_no_accessibility_violation() {
    for query in [
        "rows=4&cols=4&m=4&k=8&n=7&df=ws&dt=bf16&overlap=double-buffered&t=11&pe=1.1&cmp=df%3Dos",
        "rows=4&cols=4&m=6&k=4&n=4&df=os&dt=int8&t=4&break=no-skew&theme=dark",
        "rows=4&cols=4&m=6&k=4&n=4&df=os&dt=int8&t=4&break=skew-0.0.2.4&theme=projector",
        "rows=4&cols=4&m=6&k=4&n=4&df=ws&dt=bf16&t=9&show=error&follow=sum-9&pe=2.1",
        "rows=4&cols=4&break=zebra&cmp=rows%3D9999&show=zebra",
    ] {
        let page = open(query);
        // Without the checker there is nothing to say here; `cargo xtask test` says so in its last lines.
        let told: Vec<String> = page.axe().unwrap_or_default().iter().map(ToString::to_string).collect();
        assert!(told.is_empty(), "{query}: {}", told.join("\n"));
    }
}
