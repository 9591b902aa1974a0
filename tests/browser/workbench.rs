//! Tests of the tools of the array view: two runs on one clock, faults, one PE in detail, designs.

use whole::browser::{Page, Setting};

use crate::shown;

/// Opens a link with a tool and waits until the tool works.
fn open(query: &str, tool: &str) -> Page {
    let page = Page::open(&format!("?{query}&tool={tool}"));
    shown(&page);
    page.wait_for(".bench");
    assert_eq!(page.text("#supervisor"), "", "{query}");
    page
}

/// True if an element is visible.
fn is_in_sight(page: &Page, css: &str) -> bool {
    page.js(&format!("return (document.querySelector('{css}')?.getBoundingClientRect().width ?? 0) > 1")).as_bool()
        == Some(true)
}

fn focused(page: &Page) -> String {
    page.js("return document.activeElement.id").as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_tool_opens_beside_the_array_at_the_same_moment_and_gives_the_focus_back() {
    let page = Page::open("?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=9");
    shown(&page);
    assert_eq!(page.count("#compare"), 0);
    page.click("#tool-compare");
    page.wait_for("#compare");
    page.wait_until("its heading has the focus", || focused(&page) == "panel-title");
    assert_eq!(page.attribute("#tool-compare", "aria-pressed").as_deref(), Some("true"));
    let [kept, folded] = [["#m", "#k", "#n", "#df"], ["#rows", "#dt", "#m-more", "#values"]];
    assert!(kept.iter().all(|css| is_in_sight(&page, css)), "sizes and dataflow stay at hand");
    assert!(!folded.iter().any(|css| is_in_sight(&page, css)), "the rest of the drawer makes room");
    page.click("#tool-break");
    page.wait_for("#breaker");
    assert_eq!(page.count("#compare"), 0, "one at a time");
    assert!(page.text("#clock").starts_with("9 "), "{}", page.text("#clock"));
    assert!(page.text("#spoiled").contains("wrong"), "it begins with a defect");
    page.wait_until("the address has the tool", || page.url().contains("break=stuck-1.1&tool=break"));
    page.keys("#panel-title", "\u{e00c}");
    page.wait_until("Escape closes it", || focused(&page) == "tool-break" && page.count("#breaker") == 0);
    assert!(is_in_sight(&page, "#rows"));
    page.wait_until("the address has none", || !page.url().contains("tool=") && !page.url().contains("break="));
    page.js("history.back()");
    page.wait_for("#breaker");
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_link_to_the_workbench_opens_the_tool_that_it_uses() {
    for (query, tool) in [
        ("cmp=df%3Dos", "#compare"),
        ("break=late-1", "#breaker"),
        ("show=sum", "#channels"),
        ("pe=1.1&follow=east-7", "#sheet"),
        ("overlap=double-buffered", "#tiles"),
    ] {
        let page = Page::open(&format!("?rows=4&cols=4&m=6&k=4&n=4&df=ws&dt=int8&t=7&{query}&ui=workbench"));
        shown(&page);
        page.wait_for(tool);
        assert_eq!(page.count(".bench"), 1, "{query}");
    }
    let page = Page::open("?rows=4&cols=4&m=6&k=4&n=4&df=ws&dt=int8&t=7&ui=workbench");
    shown(&page);
    assert!(is_in_sight(&page, ".toolbar") && is_in_sight(&page, "#setup"));
}

#[test]
fn an_embed_shows_what_tools_do_and_their_panel_where_the_link_asks() {
    const RUN: &str = "?ui=embed&rows=4&cols=4&m=6&k=4&n=4&df=ws&dt=int8&t=8";
    for (query, sign) in [("break=late-1", "#caption"), ("cmp=df%3Dos", "#other"), ("show=sum", "#stage")] {
        let page = Page::open(&format!("{RUN}&{query}"));
        shown(&page);
        page.wait_until("it is in sight", || is_in_sight(&page, sign));
        assert_eq!((page.count(".toolbar"), page.count(".bench")), (0, 0), "{query}");
        if query.starts_with("break") {
            page.wait_until("the caption says so", || page.text("#caption").contains("wrong"));
        }
        let tool = match sign {
            "#caption" => "break",
            "#other" => "compare",
            _ => "heat",
        };
        page.goto(&format!("{RUN}&{query}&tool={tool}"));
        page.wait_until("the panel is there", || is_in_sight(&page, ".bench"));
        assert!(!is_in_sight(&page, "#live"), "in the place of the figures");
        assert_ne!(focused(&page), "panel-title", "an embed takes no focus");
    }
}

#[test]
fn folds_overlap_where_the_link_says_so() {
    let page = open("rows=4&cols=4&m=4&k=8&n=7&df=ws&dt=int8&overlap=double-buffered&t=10", "folds");
    assert!(page.text("#caption").contains("shadow register"), "{}", page.text("#caption"));
    assert!(page.text("#clock").ends_with("of 25"), "{}", page.text("#clock"));
    page.js("document.querySelector('#overlap-none').click()");
    page.wait_until("the run is longer without overlap", || page.text("#clock").ends_with("of 55"));
}

#[test]
fn two_runs_go_on_one_clock_and_in_one_link() {
    let page = open("rows=4&cols=4&m=6&k=4&n=4&df=ws&dt=int8&t=7", "compare");
    assert_eq!(page.count("#other"), 0);
    page.click("#cmp-more summary");
    page.fill("#cmp", "df=os&clock=share");
    page.js("document.querySelector('#cmp').dispatchEvent(new Event('change', { bubbles: true }))");
    page.wait_for("#other");
    let words = || page.attribute("#other", "aria-label").unwrap_or_default();
    assert!(words().contains("Output-stationary") && words().contains("Cycle 9 of 19"), "{}", words());
    page.keys("#stage", "\u{e010}");
    page.wait_until("both are at their ends", || words().contains("Cycle 19 of 19"));
    page.wait_until("the link has both", || page.url().contains("cmp=df%3Dos"));
    page.reload();
    page.wait_for("#other");
    assert!(page.text("#compare").contains("output") || page.text("#compare").contains("os"));
    page.click("#cmp-more summary");
    page.fill("#cmp", "rows=9999");
    page.js("document.querySelector('#cmp').dispatchEvent(new Event('change', { bubbles: true }))");
    page.wait_until("what cannot run is named", || page.text("#cmp-problem").contains("1 to 1024"));
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_defect_spoils_results_and_says_which() {
    for (name, element) in [("no-skew", "c["), ("late-1", "c["), ("stuck-1.1", "c[")] {
        let page = open(&format!("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=8&break={name}"), "break");
        page.wait_for("#spoiled");
        assert!(page.text("#breaker").contains(element), "{name}: {}", page.text("#breaker"));
        page.keys("#stage", "\u{e010}");
        page.wait_until("the end is shown", || page.text("#clock").starts_with("15 "));
        assert_eq!(page.text("#supervisor"), "", "{name}");
        assert_eq!(page.console_errors(), Vec::<String>::new(), "{name}");
    }
    let page = open("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=8&pe=2.1&break=stuck-1.1", "break");
    page.wait_until("the PE with the fault", || page.text("#breaker").contains("PE 1,1 always holds the sum 0."));
    page.click("#break-pe");
    page.wait_until("the selected PE", || page.text("#breaker").contains("PE 2,1 always holds the sum 0."));
    page.wait_until("the link has the fault", || page.url().contains("break=stuck-2.1"));
    assert_eq!(page.count("#break-pe"), 0);
    let page = open("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=8&break=sum-bf16", "break");
    page.wait_until("why not", || page.text("#break-problem").contains("float"));
}

#[test]
fn one_pe_is_written_out() {
    let page = open("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7&pe=2.1", "pe");
    page.wait_until("its sum has its terms", || page.text("#sheet").contains("a[0,2] · b[2,1]"));
    assert!(page.text("#sheet").contains("0x"), "{}", page.text("#sheet"));
    assert!(page.text("#storage").contains("flip-flops"), "{}", page.text("#storage"));
}

/// Chooses from a list as a person does.
fn choose(page: &Page, css: &str, value: &str) {
    page.js(&format!(
        "const list = document.querySelector('{css}'); list.value = '{value}'; \
         list.dispatchEvent(new Event('change', {{ bubbles: true }}))"
    ));
}

#[test]
fn a_drawing_takes_the_place_of_the_array_and_of_its_moving_tokens() {
    let page = Page::new(Setting::window(1366, 900));
    page.goto("?rows=4&cols=4&m=6&k=4&n=3&t=7");
    shown(&page);
    // These are the canvases of the array view that a person sees.
    let seen = || {
        page.js("return [...document.querySelectorAll('#stage canvas')].filter(one => one.checkVisibility()).length")
            .as_u64()
    };
    page.wait_until("the tokens of the next step are ready", || seen().is_some_and(|n| n > 1));
    page.click("#tool-pictures");
    page.wait_until("the link has the drawing", || page.url().contains("picture=cube"));
    page.wait_until("only the drawing is in view", || seen() == Some(1));
    assert!(page.text("#pictures").contains("The wave is the plane m + k + n = 3."), "{}", page.text("#pictures"));
    let picture = || page.js("return document.querySelector('#stage canvas').toDataURL()");
    let mut all = vec![picture()];
    for drawing in ["pe-cycles", "cubes", "roofline", "bits"] {
        choose(&page, "#picture", drawing);
        page.wait_until("the picture is another", || !all.contains(&picture()));
        all.push(picture());
    }
    page.click("#close-tool");
    page.wait_until("the array is back", || !page.url().contains("picture=") && seen().is_some_and(|n| n > 1));
    // Between two cards, the view keeps its size while the drawing replaces the array.
    for (card, is_drawing) in [("multiply.5", true), ("multiply.4", false), ("multiply.5", true)] {
        match card {
            "multiply.4" => page.click("#card-back"),
            _ if page.url().contains("learn=") => page.click("#card-next"),
            _ => page.goto("?learn=multiply.5"),
        }
        page.wait_until(card, || page.count("#card-next") == 1 && page.url().contains(card));
        page.wait_until("the drawing alone, or the array with its tokens", || match seen() {
            Some(n) => (n == 1) == is_drawing,
            None => false,
        });
    }
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_cube_is_turned_by_keys_and_by_a_drag_and_a_cell_shows_its_pe_and_its_cycle() {
    let page = Page::new(Setting::window(1366, 768));
    page.goto("?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=9&tool=pictures&picture=cube");
    page.wait_until("the cube is drawn", || page.count(".stage[data-drawing=cube]") == 1);
    let picture = || page.js("return document.querySelector('#stage canvas').toDataURL()");
    page.wait_until("the tools are loaded", || page.count("#pictures") == 1);
    let before = picture();
    page.press(',', false);
    page.wait_until("the cube has turned", || picture() != before);
    page.press('.', false);
    page.wait_until("the cube has turned back", || picture() == before);
    let point = |events: &[(&str, u32, u32)]| {
        for (name, x, y) in events {
            let class = if *name == "click" { "MouseEvent" } else { "PointerEvent" };
            page.js(&format!(
                "const one = document.elementFromPoint({x}, {y}); one.dispatchEvent(new {class}('{name}', \
                   {{ clientX: {x}, clientY: {y}, bubbles: true, pointerId: 1, pointerType: 'mouse' }}))"
            ));
        }
    };
    let at = page.js("const at = document.querySelector('#stage canvas').getBoundingClientRect(); \
         return [at.left + at.width * 0.3, at.top + at.height * 0.6].map(Math.round)");
    let [x, y] = [0, 1].map(|nth| u32::try_from(at[nth].as_u64().expect("a place")).expect("small"));
    point(&[("pointerdown", x, y), ("pointermove", x + 30, y), ("pointerup", x + 30, y), ("click", x + 30, y)]);
    page.wait_until("the drag has turned the cube", || picture() != before);
    assert!(!page.url().contains("pe="), "a drag chooses nothing: {}", page.url());
    point(&[("pointerdown", x, y), ("pointerup", x, y), ("click", x, y)]);
    page.wait_until("the PE of the cell is chosen", || page.url().contains("pe="));
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_person_builds_weight_stationary_and_keeps_it() {
    let page = open("rows=4&cols=4&m=6&k=4&n=3&df=os&dt=int8&t=7", "build");
    page.wait_until("the panel shows the first fault", || {
        page.text(".built-verdict h2").contains("16 of 16 sums are wrong")
    });
    assert!(page.text("#build").contains("The sum of c[0,0] needs a[0,1] = 7."), "{}", page.text("#build"));
    choose(&page, "#row-delay", "1");
    page.wait_until("the array multiplies", || page.text(".built-verdict h2").contains("0 of 16 sums are wrong"));
    page.wait_until("the link has the flow", || page.url().contains("flow=east%2Cstays%2Csouth%2C1%2C1"));
    assert!(page.text(".goals .found summary").contains("Weights stay"), "{}", page.text(".goals"));
    page.click("#keep-flow");
    page.wait_until("the run has the dataflow", || page.url().contains("df=ws") && !page.url().contains("flow="));
    page.goto("?tool=build&flow=east,up,south,1,1");
    page.wait_until("the page names the wrong flow", || page.text("body").contains("flow = east,up,south,1,1"));
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn the_pes_show_a_number_with_a_legend() {
    let page = open("rows=8&cols=8&m=12&k=8&n=6&df=ws&dt=bf16&t=14", "heat");
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
    let page = open("rows=4&cols=4&show=zebra", "heat");
    page.wait_until("what is allowed", || page.text("#notices").contains("useful"));
}

#[test]
fn a_number_is_followed_through_the_array() {
    let page = open("rows=4&cols=4&m=6&k=4&n=4&df=ws&dt=int8&t=7&pe=1.1", "pe");
    choose(&page, "#follow", "east");
    page.wait_until("it is named", || page.text("#followed").contains("a[1,1]: PE 1,1"));
    page.keys("#stage", "\u{e00f}");
    page.wait_until("it has gone east", || page.text("#followed").contains("a[1,1]: PE 1,2"));
    assert!(page.text("#caption").contains("PE 1,2"), "{}", page.text("#caption"));
    page.keys("#stage", "\u{e010}");
    page.wait_until("it is gone", || page.text("#followed").contains("not in any PE"));
}

#[test]
fn a_schedule_of_ones_own_runs_and_shows_why_it_is_wrong() {
    let page = open("rows=4&cols=4&m=6&k=4&n=3&df=os&dt=int8&t=6", "break");
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
    let page = open("rows=4&cols=4&m=3&k=12&n=4&df=ws&dt=int8&t=0&speed=60", "folds");
    page.click("#loop");
    page.click("#play");
    let cycle = || page.text("#clock").split(' ').next().and_then(|cycle| cycle.parse::<u64>().ok()).unwrap_or(99);
    // Three folds of 2R + C + M − 2 = 13 cycles are 39 cycles. At this speed, they would be over within a second.
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
    let page = open("rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7", "transcript");
    page.click("#transcript summary");
    page.wait_until("nine cycles follow", || page.text("#transcript pre").lines().count() == 9);
    let text = page.text("#transcript pre");
    assert!(text.starts_with("Cycle 7 of 15") && text.contains("Cycle 15 of 15"), "{text}");
}

#[test]
fn no_tool_has_no_accessibility_violation() {
    for (query, tool) in [
        ("rows=4&cols=4&m=4&k=8&n=7&df=ws&dt=bf16&overlap=double-buffered&t=11&pe=1.1&cmp=df%3Dos", "compare"),
        ("rows=4&cols=4&m=6&k=4&n=4&df=os&dt=int8&t=4&break=no-skew&theme=dark", "break"),
        ("rows=4&cols=4&m=6&k=4&n=4&df=os&dt=int8&t=4&break=skew-0.0.2.4&theme=projector", "break"),
        ("rows=4&cols=4&m=6&k=4&n=4&df=ws&dt=bf16&t=9&show=error&follow=sum-9&pe=2.1", "heat"),
        ("rows=4&cols=4&break=zebra&cmp=rows%3D9999&show=zebra", "transcript"),
    ] {
        let page = open(query, tool);
        // Without the checker this test checks nothing; `cargo xtask test` says so in its last lines.
        let told: Vec<String> = page.axe().unwrap_or_default().iter().map(ToString::to_string).collect();
        assert!(told.is_empty(), "{query}: {}", told.join("\n"));
    }
}

/// Script that scrubs for thirty frames, and returns the largest number of frames requested at once, including its own.
const FRAMES_ASKED: &str = "const real = requestAnimationFrame, leave = cancelAnimationFrame, open = new Set(); let most = 0; \
    window.requestAnimationFrame = work => { const id = real(time => { open.delete(id); work(time); }); open.add(id); \
        most = Math.max(most, open.size); return id; }; \
    window.cancelAnimationFrame = id => { open.delete(id); leave.call(window, id); }; \
    const scrub = document.querySelector('#scrub'), last = Number(scrub.max); \
    for (let frame = 1; frame <= 30; frame += 1) { await new Promise(done => requestAnimationFrame(done)); \
        scrub.value = (frame * 1084903) % last; scrub.dispatchEvent(new Event('input', { bubbles: true })); } \
    return most;";

#[test]
fn a_picture_that_is_not_whole_asks_for_one_frame_however_often_it_is_drawn() {
    let page = Page::open("?rows=256&cols=256&m=65536&k=256&n=256&df=ws&dt=f32&t=40000&show=sum&tool=heat");
    shown(&page);
    page.wait_for("#live");
    let most = page.js_async(FRAMES_ASKED).as_u64().expect("a number");
    assert!(most <= 3, "{most} frames were asked for at once");
}
