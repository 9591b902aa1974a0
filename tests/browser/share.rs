//! Tests of what the shipped page shares: its link, the code of an embed, and files.

use std::collections::BTreeMap;
use std::sync::Arc;

use export::{File, Job, Limits};
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8, Transform};
use resvg::usvg;
use studio::{Link, Plan};
use systolic::Cycle;
use whole::browser::{Page, ServerOptions, Setting, serve};

use crate::shown;

pub(super) const FIRST: &str = "?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=7";

pub(super) fn opened(query: &str) -> Page {
    let page = Page::new(Setting::window(1440, 900));
    page.goto(query);
    shown(&page);
    page.click("#to-share");
    page.wait_for("#share-address");
    page
}

fn value(page: &Page, css: &str) -> String {
    page.js(&format!("return document.querySelector('{css}').value")).as_str().unwrap_or_default().to_owned()
}

fn has_focus_inside(page: &Page, css: &str) -> bool {
    page.js(&format!("return !!document.activeElement.closest('{css}')")).as_bool() == Some(true)
}

/// Address of the frame in the code of an embed.
fn frame_of(page: &Page) -> String {
    let code = value(page, "#embed-code");
    let address = code.split_once("src=\"").and_then(|(_, rest)| rest.split_once('"')).map(|(address, _)| address);
    address.unwrap_or_else(|| panic!("no address in {code}")).replace("&amp;", "&")
}

/// Records the bytes of every file that the page makes.
pub(super) fn keep_files(page: &Page) {
    page.js("window.saved = []; const make = URL.createObjectURL; URL.createObjectURL = blob => { \
         blob.arrayBuffer().then(bytes => window.saved.push(Array.from(new Uint8Array(bytes)))); \
         return make.call(URL, blob); }; HTMLAnchorElement.prototype.click = () => {}");
}

pub(super) fn saved(page: &Page, button: &str) -> Vec<u8> {
    page.js("window.saved.length = 0");
    page.click(button);
    page.wait_until(&format!("a file of {button}"), || page.js("return window.saved.length").as_u64() == Some(1));
    let bytes = page.js("return window.saved[0]");
    let bytes = bytes.as_array().expect("bytes").iter();
    bytes.map(|byte| byte.as_u64().and_then(|byte| u8::try_from(byte).ok()).expect("a byte")).collect()
}

#[test]
fn the_link_is_the_one_of_the_page_and_the_dialog_keeps_the_focus_until_it_closes() {
    let page = opened(&format!("{FIRST}&theme=dark"));
    page.wait_until("the focus is in the dialog", || has_focus_inside(&page, "#share"));
    let link = value(&page, "#share-address");
    let parsed = |address: &str| {
        let (_, query) = address.split_once('?').expect("a query");
        Link::parse(query, "")
    };
    assert_eq!(parsed(&format!("{link}&theme=dark")), parsed(&page.url()));
    page.click("#share-theme");
    page.wait_until("with its colors", || value(&page, "#share-address").contains("theme=dark"));
    page.click("#share-cycle");
    page.wait_until("from the start", || value(&page, "#share-address").contains("&t=0"));
    assert_eq!(page.count(".qr path"), 1);
    let sides = || {
        let sides = page.js("const code = document.querySelector('#share-qr'); const { width, height, top, left } = code.getBoundingClientRect(); \
            return [width, height, top, left, Number(code.querySelector('svg').viewBox.baseVal.width)]");
        [0, 1, 2, 3, 4].map(|nth| sides[nth].as_f64().expect("a number"))
    };
    page.click("#share-qr");
    page.wait_until("the code is large", || sides()[0] >= 3.0 * sides()[4]);
    let [width, height, top, left, modules] = sides();
    assert!((width / modules).fract() < 1e-3 && width == height, "whole pixels: {width} for {modules} modules");
    assert!(top >= 0.0 && left >= 0.0 && top + height <= 900.0, "the whole code is in the window");
    page.click("#share-qr");
    page.wait_until("the code is small again", || sides()[0] < 140.0);
    page.click("#share-copy");
    page.wait_until("it says what became of it", || !page.text(".share-row .said").is_empty());
    let selected = page
        .js("const field = document.querySelector('#share-address'); return field.selectionEnd - field.selectionStart");
    assert_eq!(selected.as_u64(), Some(value(&page, "#share-address").len() as u64));
    // Keys of the array do nothing meanwhile.
    let clock = page.text("#clock");
    page.js("document.querySelector('#share-title').focus()");
    page.press('\u{e014}', false);
    assert_eq!(page.text("#clock"), clock);
    page.press('\u{e00c}', false);
    page.wait_until("it is closed", || page.count("#share-address") == 0);
    page.wait_until("the focus is back", || has_focus_inside(&page, "#to-share"));
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn an_embed_lets_its_readers_change_what_the_code_says_and_leaves_out_the_rest() {
    let page = opened(FIRST);
    assert!(!frame_of(&page).contains("lock="), "nothing is free until somebody says so");
    page.click("#embed-readers > summary");
    page.click("#change-sizes");
    page.click("#see-timeline");
    page.wait_until("the code says so", || frame_of(&page).contains("hide=timeline"));
    let frame = frame_of(&page);
    assert!(frame.contains("ui=embed") && frame.contains("lock=numbers.array.df.dt.pad.design.chip"), "{frame}");
    page.click(".share-preview summary");
    page.wait_for("#share-frame");
    assert_eq!(page.js("return document.querySelector('#share-frame').src").as_str(), Some(&*frame));
    let page = Page::new(Setting::window(800, 500));
    page.goto(&format!("?{}", frame.split_once('?').expect("a query").1));
    shown(&page);
    page.wait_for("#m");
    let is_disabled =
        |css: &str| page.js(&format!("return document.querySelector('{css}').matches(':disabled')")).as_bool();
    assert_eq!((is_disabled("#m"), is_disabled("#rows"), is_disabled("#dt")), (Some(false), Some(true), Some(true)));
    let height =
        |css: &str| page.js(&format!("return document.querySelector('{css}').getBoundingClientRect().height")).as_f64();
    assert_eq!(height(".timeline"), Some(0.0));
    assert!(
        height(".setup").is_some_and(|height| height > 80.0) && height("#stage").is_some_and(|height| height > 200.0)
    );
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn an_answer_of_the_estimate_is_handed_on_as_a_frame() {
    let page = Page::new(Setting::window(1440, 900));
    page.goto("?ui=desk&ask=model%3Dllama3-8b");
    page.wait_for("#estimate-ask .figure .value");
    page.click("#to-share");
    page.wait_for("#embed-code");
    assert!(frame_of(&page).contains("ui=answer") && !frame_of(&page).contains("hide="), "{}", frame_of(&page));
    page.js("const list = document.querySelector('#embed-look'); list.value = 'alone'; \
             list.dispatchEvent(new Event('change', { bubbles: true }))");
    page.wait_until("without its entries", || frame_of(&page).contains("hide=controls"));
    assert!(frame_of(&page).contains("ask=model%3Dllama3-8b"), "{}", frame_of(&page));
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_function_of_a_host_answers_oembed_with_the_code_of_an_embed() {
    let path = publish::root().join("examples/hosts/oembed.mjs");
    let function = std::fs::read_to_string(path).expect("the function").replace("YOUR.HOST", "example.org");
    let page = Page::new(Setting::window(800, 600));
    page.visit("about:blank");
    let script = format!(
        "const {{ default: host }} = await import('data:text/javascript,' + encodeURIComponent({})); \
         const ask = link => host.fetch({{ url: `https://example.org/oembed?maxwidth=640&url=${{encodeURIComponent(link)}}` }}); \
         const own = await ask('https://example.org/playground/?rows=8&t=9#a=1,2'); \
         const others = await Promise.all([ask('https://elsewhere.example/'), ask('\"><script>')]); \
         return [await own.json(), ...others.map(({{ status }}) => status)]",
        serde_json::json!(function)
    );
    let answers = page.js_async(&script);
    assert_eq!((&answers[1], &answers[2]), (&serde_json::json!(404), &serde_json::json!(404)));
    let link = "https://example.org/playground/?rows=8&t=9&ui=embed#a=1,2";
    let embed = export::embed::Embed {
        frame: link,
        page: link,
        title: "Systolic array",
        size: export::embed::Size::Fixed(640, 500),
    };
    let words = |code: &str| code.split_whitespace().map(str::to_owned).collect::<std::collections::BTreeSet<_>>();
    let code = answers[0]["html"].as_str().expect("code");
    assert_eq!(words(code), words(&embed.code(export::embed::Language::Html)));
}

#[test]
fn a_frame_can_be_a_still_picture_or_the_array_alone_with_any_tool() {
    let page = opened(FIRST);
    let choose = |list: &str, value: &str| {
        page.js(&format!(
            "const list = document.querySelector('#{list}'); list.value = '{value}'; list.dispatchEvent(new Event('change', {{ bubbles: true }}))"
        ));
    };
    page.click("#embed-readers > summary");
    page.click("#change-sizes");
    choose("embed-look", "poster");
    page.wait_until("the code says so", || frame_of(&page).contains("ui=poster"));
    assert!(!frame_of(&page).contains("lock="), "nothing is there to be changed: {}", frame_of(&page));
    assert_eq!(page.js("return document.querySelector('#change-sizes').checkVisibility()").as_bool(), Some(false));
    choose("embed-look", "bare");
    choose("embed-tool", "heat");
    page.wait_until("so it does of the other", || {
        let frame = frame_of(&page);
        frame.contains("ui=bare") && frame.contains("tool=heat")
    });
    choose("embed-look", "embed");
    page.wait_until("what was chosen before stands", || {
        let frame = frame_of(&page);
        frame.contains("ui=embed") && frame.contains("lock=numbers")
    });
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

/// Draws an SVG document with resvg, which is not a browser, with two pixels for each CSS pixel.
fn drawn(svg: &str) -> Pixmap {
    let mut options = usvg::Options::default();
    options.fontdb_mut().load_system_fonts();
    let tree = usvg::Tree::from_str(svg, &options).expect("SVG");
    let size = tree.size().to_int_size();
    let mut pixels = Pixmap::new(2 * size.width(), 2 * size.height()).expect("a size");
    resvg::render(&tree, Transform::from_scale(2.0, 2.0), &mut pixels.as_mut());
    pixels
}

/// Links to runs whose SVG files are drawn by other programs.
const DRAWN: [&str; 3] = [
    FIRST,
    "?rows=4&cols=4&m=6&k=4&n=3&df=ws&dt=int8&t=9&pe=2.1&theme=dark",
    "?rows=16&cols=16&m=16&k=16&n=16&df=os&t=20",
];

/// Checks that the drawing of another program is like the drawing of the page. Both drawings have two pixels for each
/// CSS pixel.
fn is_alike(drawn: &Pixmap, shown: &Pixmap, what: &str) {
    assert_eq!((drawn.width(), drawn.height()), (shown.width(), shown.height()), "{what}");
    let ground = shown.pixels()[0];
    let apart = |one: PremultipliedColorU8, other: PremultipliedColorU8| {
        let parts = |pixel: PremultipliedColorU8| [pixel.red(), pixel.green(), pixel.blue()].map(u64::from);
        parts(one).into_iter().zip(parts(other)).map(|(one, other)| one.abs_diff(other)).sum::<u64>()
    };
    let (mut n_off, mut n_ink, mut off) = (0, 0, 0);
    for (one, other) in drawn.pixels().iter().zip(shown.pixels()) {
        let by = apart(*one, *other);
        off += by;
        n_off += usize::from(by > 90);
        n_ink += usize::from(apart(*other, ground) > 90);
    }
    let n = drawn.pixels().len();
    assert!(n_ink * 50 > n, "{what}: the picture of the page is empty");
    // Only the edges of letters and lines differ, because each program smooths them in its own way.
    assert!(n_off * 100 < n * 3, "{what}: {n_off} of {n} pixels have another color");
    assert!(off < 12 * n as u64, "{what}: the mean difference is {} levels", off / n as u64);
}

/// The drawing of a run as the page saves it: an SVG document and a PNG.
fn saved_drawing(link: &str) -> (String, Pixmap) {
    let page = opened(link);
    keep_files(&page);
    let svg = String::from_utf8(saved(&page, "#save-svg")).expect("text");
    (svg, Pixmap::decode_png(&saved(&page, "#save-png")).expect("PNG"))
}

#[test]
fn another_program_draws_the_svg_as_the_page_draws_it() {
    for link in DRAWN {
        let (svg, shown) = saved_drawing(link);
        is_alike(&drawn(&svg), &shown, link);
    }
}

/// Tests that only `cargo xtask long` runs.
mod long {
    use std::process::Command;

    use publish::process::find;

    use super::*;

    /// Programs that draw SVG, with the arguments for the width of the picture, its name, and the name of the document.
    const PROGRAMS: [(&str, [&str; 4]); 2] = [
        ("rsvg-convert", ["--width=2400", "--output", "out.png", "in.svg"]),
        ("inkscape", ["--export-width=2400", "--export-filename=out.png", "--export-overwrite", "in.svg"]),
    ];

    #[test]
    fn programs_for_documents_draw_the_svg_as_the_page_draws_it() {
        let folder = std::env::temp_dir().join(format!("playground-drawn-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        for link in DRAWN {
            let (svg, shown) = saved_drawing(link);
            std::fs::write(folder.join("in.svg"), svg).expect("written");
            // `cargo xtask long` installs them if it can, and otherwise says so in its last lines.
            for (program, arguments) in PROGRAMS.into_iter().filter(|(program, _)| find(&[program]).is_some()) {
                let done = Command::new(program).current_dir(&folder).args(arguments).output().expect("it runs");
                assert!(done.status.success(), "{program}: {}", String::from_utf8_lossy(&done.stderr));
                let drawn = std::fs::read(folder.join("out.png")).expect("a picture");
                is_alike(&Pixmap::decode_png(&drawn).expect("PNG"), &shown, &format!("{program}, {link}"));
            }
        }
        // Files that remain in a temporary folder do no harm.
        let _ = std::fs::remove_dir_all(&folder);
    }
}

#[test]
fn a_locked_setting_says_so_where_another_way_leads_to_it() {
    let page = Page::new(Setting::window(1440, 900));
    page.goto(&format!("{FIRST}&lock=array.chip"));
    shown(&page);
    page.wait_for("#rows:disabled");
    page.js("const field = document.querySelector('#rows'); field.closest('fieldset').disabled = false; field.value = '8'; \
             field.dispatchEvent(new Event('input', { bubbles: true })); field.dispatchEvent(new Event('change', { bubbles: true }))");
    page.wait_until("a notice", || page.text("#notices").contains("This link locks the setting"));
    assert!(page.url().contains("rows=4"), "{}", page.url());
    page.goto(&format!("{FIRST}&lock=zebra&hide=all"));
    shown(&page);
    page.wait_until("two notices", || {
        let said = page.text("#notices");
        said.contains("lock = zebra") && said.contains("hide = all")
    });
}

#[test]
fn every_file_is_what_the_command_line_writes_of_the_same_run() {
    let page = opened(FIRST);
    keep_files(&page);
    let link = Link::parse(FIRST, "");
    let plan = Plan::new(&link.scenario).expect("a run");
    let view = export::View { plan: &plan, link: &link, size: (1200.0, 800.0) };
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    assert_eq!(text(saved(&page, "#save-svg")), export::svg::document(&view));
    assert_eq!(text(saved(&page, "#save-tex")), export::tikz::picture(&view));
    assert_eq!(text(saved(&page, "#save-trace-json")), export::perfetto::trace(&plan));
    let table = export::registers::Table::new(plan.schedule(), plan.prober());
    let mut csv = Vec::new();
    table.write_head(&mut csv).expect("memory");
    (0..16).for_each(|cycle| table.write_csv(Cycle(cycle), &mut csv).expect("memory"));
    assert_eq!(text(saved(&page, "#save-csv")), text(csv));
    let mut json = Vec::new();
    (0..16).for_each(|cycle| table.write_json(Cycle(cycle), &mut json).expect("memory"));
    assert_eq!(text(saved(&page, "#save-jsonl")), text(json));
    // The header of a PNG has its sizes (PNG, 11.2.2).
    let png = saved(&page, "#save-png");
    assert_eq!(png.get(1..4), Some(&b"PNG"[..]));
    // Another reader of PNG finds the link in its texts.
    let reader = png::Decoder::new(std::io::Cursor::new(&png)).read_info().expect("a PNG");
    let texts = &reader.info().utf8_text;
    let told = texts.iter().find(|text| text.keyword == "URL").and_then(|text| text.get_text().ok());
    assert_eq!(told, Some(value(&page, "#share-address")));
    let side =
        |at: usize| png.get(at..at + 4).map(|bytes| bytes.iter().fold(0u32, |side, byte| side << 8 | u32::from(*byte)));
    assert_eq!((side(16), side(20)), (Some(2400), Some(1600)));
    let waves = export::hardware::waveforms(&plan).expect("integers");
    assert_eq!(Some(text(saved(&page, "#save-vcd"))), waves);
    let mut job =
        Job::new(File::Hardware, Arc::new(plan.clone()), link.clone(), view.size, Limits::TAB).expect("integers");
    let mut hardware = Vec::new();
    while !job.step(&mut hardware).expect("memory").is_done() {}
    assert!(saved(&page, "#save-rtl-zip") == hardware, "the folder is the one of the command line");
    let zip = saved(&page, "#save-zip");
    assert_eq!((zip.get(..2), said(&page)), (Some(&b"PK"[..]), "Saved systolic-4x4-ws-6x4x3.zip.".to_owned()));
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

/// Text of the status line below the files.
fn said(page: &Page) -> String {
    page.text("#share section:last-of-type .said")
}

#[test]
fn perfetto_gets_the_trace_that_the_page_saves() {
    let page = opened(FIRST);
    keep_files(&page);
    let trace = saved(&page, "#save-trace-json");
    assert_eq!(page.attribute("#open-perfetto", "href").as_deref(), Some("https://ui.perfetto.dev/"));
    assert!(page.text(".hint:has(#open-perfetto)").ends_with(words::share::PERFETTO_HINT));
    // A page of another origin replaces Perfetto. It answers the third ping, and returns the trace that it gets.
    let viewer = "<!doctype html><title>A viewer</title><link rel=icon href='data:,'><script>let pings = 0; \
        addEventListener('message', ({ data, origin, source }) => { \
          if (data === 'PING') return void (++pings === 3 && source.postMessage('PONG', origin)); \
          const { buffer, title, fileName } = data.perfetto; \
          source.postMessage({ pings, title, fileName, bytes: Array.from(new Uint8Array(buffer)) }, origin); close(); })</script>";
    let pages = BTreeMap::from([("/viewer.html".to_owned(), viewer.to_owned())]);
    let server = serve(ServerOptions { pages, ..ServerOptions::default() });
    page.js(&format!(
        "window.got = []; addEventListener('message', ({{ data }}) => data.bytes && window.got.push(data)); \
         document.querySelector('#open-perfetto').href = '{}/viewer.html'",
        server.origin()
    ));
    page.click("#open-perfetto");
    // An answer of another window counts for nothing.
    page.js("postMessage('PONG', '*')");
    page.wait_until("the viewer has the trace", || page.js("return window.got.length") == 1);
    let got = page.js("return window.got[0]");
    let name = "systolic-4x4-ws-6x4x3.trace.json";
    assert_eq!([&got["title"], &got["fileName"]], [name, name]);
    assert!(got["pings"].as_u64() >= Some(3), "{}", got["pings"]);
    assert!(got["bytes"] == serde_json::json!(trace), "the viewer got another trace");
    page.wait_until("it says so", || said(&page) == words::share::PERFETTO_READS);
    assert_eq!((page.asked_elsewhere(), page.console_errors()), (Vec::<String>::new(), Vec::<String>::new()));
}

#[test]
fn without_a_viewer_it_says_what_to_do_with_the_trace() {
    let page = opened(FIRST);
    page.js("window.open = () => null");
    page.click("#open-perfetto");
    page.wait_until("the tab is blocked", || said(&page) == words::share::PERFETTO_BLOCKED);
    page.js("window.open = () => ({ closed: true })");
    page.click("#open-perfetto");
    page.wait_until("the tab is closed", || said(&page) == words::share::PERFETTO_SILENT);
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_table_that_would_be_too_long_says_what_to_do_instead() {
    let page = opened("?rows=256&cols=256&m=256&k=256&n=256&df=ws&dt=int8&t=0");
    page.click("#save-csv");
    page.wait_until("it says so", || said(&page).contains("use systolic export"));
    page.click("#save-vcd");
    page.wait_until("so it does of waveforms", || said(&page).contains("use systolic export --as vcd"));
    page.click("#save-zip");
    page.wait_until("it can be left", || page.count("#save-cancel") == 1);
    page.click("#save-cancel");
    page.wait_until("it is left", || page.count("#save-cancel") == 0);
    assert_eq!(page.console_errors(), Vec::<String>::new());
}

#[test]
fn a_file_is_of_the_run_that_is_there_when_it_is_asked_for() {
    let page = opened("?rows=2&cols=2&m=2&k=2&n=2&df=ws&dt=int8&t=0");
    let large = "?rows=1024&cols=1024&m=4096&k=2&n=1&df=os&dt=bf16&t=0";
    let before = page.text("#save-csv");
    page.js(&format!("history.pushState(null, '', '{large}'); dispatchEvent(new PopStateEvent('popstate'))"));
    page.wait_until("another size is said", || page.text("#save-csv") != before);
    page.click("#save-csv");
    page.wait_until("it is too large", || said(&page).contains("use systolic export"));
}

#[test]
fn a_film_of_which_a_frame_cannot_be_drawn_is_not_saved() {
    let page = opened(FIRST);
    keep_files(&page);
    page.js("let n = 0; const read = CanvasRenderingContext2D.prototype.getImageData; \
             CanvasRenderingContext2D.prototype.getImageData = function (...all) { \
               if (++n > 5) throw new Error('no memory'); return read.apply(this, all); }");
    page.click("#save-gif");
    page.wait_until("it says so", || said(&page) == words::share::FAILED);
    assert_eq!((page.count("#save-cancel"), page.js("return window.saved.length").as_u64()), (0, Some(0)));
}

#[test]
fn a_video_that_is_left_ends_without_a_word() {
    let page = opened("?rows=32&cols=32&m=64&k=64&n=64&df=ws&dt=int8&t=7");
    keep_files(&page);
    page.click("#save-webm");
    page.wait_until("frames are there", || said(&page).starts_with("frame "));
    page.click("#save-cancel");
    page.wait_until("it is left", || page.count("#save-cancel") == 0);
    page.js_async("await new Promise((done) => setTimeout(done, 1500))");
    assert_eq!(
        (page.js("return window.saved.length").as_u64(), page.console_errors()),
        (Some(0), Vec::<String>::new())
    );
}

#[test]
fn in_a_sandbox_it_says_what_to_do_where_no_file_arrives() {
    let playground = serve(ServerOptions::default());
    let html = format!(
        "<!doctype html><title>A course</title><iframe sandbox='allow-scripts' src='{}{FIRST}' width=1200 height=800></iframe>",
        playground.url()
    );
    let pages = BTreeMap::from([("/course.html".to_owned(), html)]);
    let server = ServerOptions { pages, ..ServerOptions::default() };
    let page = Page::new(Setting { window: (1280, 860), server, ..Setting::default() });
    page.visit(&format!("{}/course.html", page.server().origin()));
    page.enter_frame("iframe");
    shown(&page);
    page.click("#to-share");
    page.wait_for("#share-address");
    page.click("#save-svg");
    page.wait_until("it says so", || said(&page) == words::share::saved_in_sandbox("systolic-4x4-ws-6x4x3.svg"));
    assert!(page.text(".hint:has(#open-perfetto)").ends_with(words::share::PERFETTO_REFUSES));
    page.click("#share-print");
    page.wait_until("it says why nothing is printed", || said(&page) == words::share::CANNOT_PRINT);
}

#[test]
fn where_printing_is_allowed_nothing_is_said_of_it() {
    let page = opened(FIRST);
    page.js("window.print = () => dispatchEvent(new Event('beforeprint'))");
    page.click("#share-print");
    page.js_async("await new Promise((done) => setTimeout(done, 200))");
    assert_eq!(said(&page), "");
}
