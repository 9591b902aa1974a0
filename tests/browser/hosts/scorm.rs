//! Tests of the SCORM 1.2 package in a simulated course system: its manifest, and its reports of answers.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Cursor, Read};
use std::path::PathBuf;

use lesson::{Kind, Lesson, course};
use publish::scorm;
use serde_json::{Value, json};
use whole::browser::{Page, ServerOptions, Setting};
use xtask::server::Server;
use zip::ZipArchive;

use super::{host_page, is_clean};
use crate::shown;

/// Files of the package: name and text of each.
fn files() -> Vec<(String, String)> {
    let root = publish::root();
    let package = scorm::package(&root, &publish::page::dist(&root)).expect("a package");
    let mut zip = ZipArchive::new(Cursor::new(package)).expect("a ZIP");
    (0..zip.len())
        .map(|nth| {
            let mut file = zip.by_index(nth).expect("a file");
            let mut text = String::new();
            file.read_to_string(&mut text).expect("text");
            (file.name().expect("a name").into_owned(), text)
        })
        .collect()
}

/// Runtime of SCORM 1.2 as a course system has it: states, error codes, and the values that the page uses.
const API: &str = "<script>
window.calls = []; window.values = {}; window.refuses = false;
let isOpen = false, error = '0';
const answer = (code, value) => { error = code; return value; };
const is = {
  'cmi.core.score.raw': (text) => /^\\d+$/.test(text) && Number(text) <= 100,
  'cmi.core.score.min': (text) => text === '0', 'cmi.core.score.max': (text) => text === '100',
  'cmi.core.lesson_status': (text) => ['passed', 'completed', 'failed', 'incomplete', 'browsed', 'not attempted'].includes(text),
  'cmi.core.lesson_location': (text) => text.length <= 255,
  'cmi.core.session_time': (text) => /^\\d{2,4}:\\d\\d:\\d\\d(\\.\\d{1,2})?$/.test(text),
  'cmi.core.exit': (text) => ['time-out', 'suspend', 'logout', ''].includes(text),
  'cmi.suspend_data': (text) => text.length <= 4096 };
// Items have consecutive numbers, and a course system answers no question about them but their number.
const isItem = (name, text) => {
  const [, nth, part] = /^cmi\\.interactions\\.(\\d+)\\.(id|type|result)$/.exec(name) ?? [];
  const n = new Set(Object.keys(values).map((name) => /^cmi\\.interactions\\.(\\d+)/.exec(name)?.[1]).filter(Boolean)).size;
  return nth !== undefined && Number(nth) <= n && { id: /^[\\w.-]{1,255}$/.test(text),
    type: ['choice', 'performance'].includes(text), result: ['correct', 'wrong'].includes(text) }[part];
};
window.API = {
  LMSInitialize(nothing) { calls.push('LMSInitialize'); if (isOpen || nothing !== '') return answer('101', 'false');
    isOpen = true; return answer('0', 'true'); },
  LMSFinish(nothing) { calls.push('LMSFinish'); if (!isOpen || nothing !== '') return answer('301', 'false');
    isOpen = false; return answer('0', 'true'); },
  LMSGetValue(name) { if (!isOpen) return answer('301', ''); if (name === 'cmi.interactions._count') return answer('0', '0');
    if (!is[name]) return answer('401', ''); return answer('0', values[name] ?? ''); },
  LMSSetValue(name, value) { if (refuses) return answer('101', 'false'); if (!isOpen) return answer('301', 'false');
    if (name.startsWith('cmi.interactions.')) {
      if (typeof value !== 'string' || !isItem(name, value)) return answer('405', 'false');
      values[name] = value; return answer('0', 'true'); }
    if (!is[name]) return answer('401', 'false'); if (typeof value !== 'string' || !is[name](value)) return answer('405', 'false');
    values[name] = value; return answer('0', 'true'); },
  LMSCommit(nothing) { calls.push('LMSCommit'); return isOpen && nothing === '' ? answer('0', 'true') : answer('301', 'false'); },
  LMSGetLastError: () => error, LMSGetErrorString: (code) => 'error ' + code, LMSGetDiagnostic: () => '' };
</script>";

/// Course system that shows the package in a frame within a frame.
struct System {
    page: Page,
    _server: Server,
    folder: PathBuf,
}

impl System {
    fn new(name: &str, api: &str) -> Self {
        Self::with(name, api, "")
    }

    /// Opens the item that gives these parameters to the page.
    fn with(name: &str, api: &str, parameters: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("scorm-{name}-{}", std::process::id()));
        fs::create_dir_all(folder.join("course")).expect("a folder");
        for (name, text) in files() {
            fs::write(folder.join("course").join(name), text).expect("written");
        }
        let frame = "<iframe id=player src='player.html' width=1000 height=780></iframe>";
        fs::write(folder.join("index.html"), host_page(api, frame)).expect("written");
        let player = format!("<iframe id=sco src='course/index.html{parameters}' width=980 height=760></iframe>");
        fs::write(folder.join("player.html"), host_page("", &player)).expect("written");
        let server = Server::start(&folder, ServerOptions::default()).expect("serves");
        let page = Page::new(Setting { window: (1100, 900), ..Setting::default() });
        page.visit(&server.url());
        Self { page, _server: server, folder }
    }

    /// Does the work inside the playground.
    fn inside<T>(&self, work: impl FnOnce(&Page) -> T) -> T {
        for css in ["#player", "#sco", "iframe"] {
            self.page.enter_frame(css);
        }
        shown(&self.page);
        let done = work(&self.page);
        (0..3).for_each(|_| self.page.leave_frame());
        done
    }

    fn value(&self, name: &str) -> Value {
        self.page.js(&format!("return values['{name}'] ?? null"))
    }

    fn reports(&self, n_right: usize) {
        let (n, status) = (n_cards(), if n_right == n_cards() { "passed" } else { "incomplete" });
        let raw = format!("{:.0}", 100.0 * n_right as f64 / n as f64);
        self.page.wait_until(&format!("{n_right} of {n} cards are reported"), || {
            self.value("cmi.core.score.raw") == json!(raw) && self.value("cmi.core.lesson_status") == json!(status)
        });
    }

    fn said(&self) -> String {
        self.page.enter_frame("#player");
        self.page.enter_frame("#sco");
        let said = self.page.text("#said");
        self.page.leave_frame();
        self.page.leave_frame();
        said
    }

    fn calls(&self, name: &str) -> usize {
        let n = self.page.js(&format!("return calls.filter((one) => one === '{name}').length")).as_u64();
        n.and_then(|n| usize::try_from(n).ok()).expect("a number")
    }
}

impl Drop for System {
    fn drop(&mut self) {
        // Files that remain in a temporary folder do no harm.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Number of cards in the set that ask a question.
fn n_cards() -> usize {
    let set = course::text(scorm::SETS[0].1).and_then(|text| Lesson::read(text).ok()).expect("a set");
    set.cards.iter().filter(|card| card.kind != Kind::Explain).count()
}

#[test]
fn the_manifest_names_every_file_of_the_package_once() {
    let files = files();
    let names: BTreeSet<&str> = files.iter().map(|(name, _)| &**name).collect();
    let manifest = &files.iter().find(|(name, _)| name == "imsmanifest.xml").expect("a manifest").1;
    let xml = roxmltree::Document::parse(manifest).expect("XML");
    let all = |name: &str| xml.descendants().filter(|node| node.tag_name().name() == name).collect::<Vec<_>>();
    let packaging = "http://www.imsproject.org/xsd/imscp_rootv1p1p2";
    assert_eq!(xml.root_element().tag_name().namespace(), Some(packaging));
    assert_eq!(all("schemaversion")[0].text(), Some("1.2"));
    let (items, resources) = (all("item"), all("resource"));
    assert_eq!((items.len(), resources.len()), (scorm::SETS.len(), 1));
    for (item, (_, set)) in items.iter().zip(scorm::SETS) {
        assert_eq!(item.attribute("identifierref"), resources[0].attribute("identifier"));
        assert_eq!(item.attribute("parameters"), Some(format!("?set={set}").as_str()));
    }
    assert_eq!(all("organizations")[0].attribute("default"), all("organization")[0].attribute("identifier"));
    let kind = resources[0].attribute(("http://www.adlnet.org/xsd/adlcp_rootv1p2", "scormtype"));
    assert_eq!((kind, resources[0].attribute("href")), (Some("sco"), Some("index.html")));
    let listed: Vec<&str> = all("file").iter().filter_map(|file| file.attribute("href")).collect();
    assert_eq!(listed.iter().copied().chain(["imsmanifest.xml"]).collect::<BTreeSet<_>>(), names);
    assert_eq!(listed.len() + 1, files.len());
}

#[test]
fn a_test_reports_each_item_and_does_not_tell_the_learner() {
    answer_a_test("test", API);
}

/// Tests that only `cargo xtask long` runs.
mod long {
    use super::*;

    #[test]
    fn a_runtime_of_another_project_accepts_each_report_of_a_test() {
        // `cargo xtask hosts` installs the runtime, and says if it cannot.
        let Some(runtime) = xtask::hosts::scorm_runtime(&publish::root()) else { return };
        let api = "window.API = new Scorm12API({ logLevel: 'ERROR' }); \
            window.values = new Proxy({}, { get: (_, name) => API.getFlattenedCMI()[name] });";
        answer_a_test("runtime", &format!("<script>{runtime}</script><script>{api}</script>"));
    }

    #[test]
    fn what_the_system_refuses_is_said_and_without_one_it_says_so() {
        let system = System::new("refused", API);
        system.reports(0);
        system.page.js("refuses = true");
        system.inside(|page| {
            page.wait_for("#change-m");
            page.enter("#change-m", &crate::hosts::script::right_m().to_string());
        });
        system.page.wait_until("it says the error", || system.said().contains("LMSSetValue with 101: error 101"));
        drop(system);
        let alone = System::new("alone", "");
        alone.page.wait_until("it says so", || alone.said().contains("No course system"));
        assert_eq!(alone.page.console_errors(), Vec::<String>::new());
    }

    #[test]
    fn what_is_solved_is_reported_and_counts_on_at_the_next_visit() {
        let system = System::new("scored", API);
        let page = &system.page;
        system.reports(0);
        // An attempt that does not meet the goal changes no score.
        system.inside(|page| {
            page.wait_for("#change-m");
            page.enter("#change-m", "7");
            page.wait_until("the run is another", || {
                page.js("return document.querySelector('#verdict').className") != "verdict unseen"
            });
        });
        system.reports(0);
        system.inside(|page| page.enter("#change-m", &crate::hosts::script::right_m().to_string()));
        system.reports(1);
        system.inside(|page| {
            page.click("#card-next");
            page.wait_for("#change-n");
            page.enter("#change-n", "4");
        });
        system.reports(2);
        assert_eq!(system.value("cmi.suspend_data"), json!("1:1 2:1"));
        // A learner leaves and comes back, and finds the card that was open.
        page.wait_until("the card is reported", || system.value("cmi.core.lesson_location") == json!("2"));
        page.js("document.querySelector('#player').src = 'about:blank'");
        page.wait_until("it is finished", || system.calls("LMSFinish") == 1);
        let seconds = system.value("cmi.core.session_time");
        let seconds = seconds.as_str().and_then(|time| time.rsplit(':').next()?.parse::<u64>().ok());
        assert!(seconds.is_some_and(|seconds| seconds >= 1), "{seconds:?}");
        assert_eq!(system.value("cmi.core.exit"), json!("suspend"));
        page.js("values['cmi.core.score.raw'] = ''; document.querySelector('#player').src = 'player.html'");
        system.reports(2);
        system.inside(|page| {
            page.wait_until("the second card", || page.text(".card-top").contains("Card 2 of"));
        });
        assert_eq!((system.calls("LMSInitialize"), system.calls("LMSFinish")), (2, 1));
        assert!(system.calls("LMSCommit") >= 3);
        // A frame that fails is greeted again, and its later messages count.
        system.inside(|page| {
            page.js("dispatchEvent(new ErrorEvent('error', { error: new WebAssembly.RuntimeError('unreachable') }))");
        });
        system.inside(|page| {
            page.wait_until("it is back", || page.js("return name !== ''") == true);
        });
        system.reports(2);
        is_clean(page);
    }
}

/// Answers each question of a test, every second one wrong, and then checks the data of the course system.
fn answer_a_test(name: &str, api: &str) {
    let system = System::with(name, api, "?set=form-a");
    let form = course::text("form-a").and_then(|text| Lesson::read(text).ok()).expect("a test");
    let mut n_right = 0;
    for (card, nth) in form.cards.iter().zip(1..) {
        system.inside(|page| {
            page.wait_until("the card is there", || page.text(".card-top").contains(&format!("Card {nth} of")));
            assert_eq!(
                page.js("return document.querySelector('#stage').checkVisibility({ visibilityProperty: true })"),
                false
            );
            if let Some(question) = &card.question {
                // Each second answer is wrong.
                let is_right = |choice: &usize| {
                    question.judge(&card.scene(), &lesson::Answer::Choice(*choice)).verdict == lesson::Verdict::Right
                };
                let wants_right = nth % 2 == 0;
                let choice = (0..4).find(|choice| is_right(choice) == wants_right).expect("a choice");
                n_right += usize::from(wants_right);
                page.click(&format!("#choice-{choice}"));
                page.click("#lock");
                page.wait_until("the answer counts", || !page.text("#verdict").is_empty());
                let said = page.text("#verdict");
                let is_last = nth == form.cards.len();
                assert_eq!(said.contains(" of "), is_last, "{said}");
            }
            page.click("#card-next");
        });
    }
    let n = form.cards.len() - 1;
    system.page.wait_until("all items are reported", || system.value("cmi.core.lesson_status") == json!("completed"));
    assert_eq!(system.value("cmi.core.score.raw"), json!(format!("{:.0}", 100.0 * n_right as f64 / n as f64)));
    for nth in 0..n {
        let card = nth + 2;
        assert_eq!(system.value(&format!("cmi.interactions.{nth}.id")), json!(format!("form-a.{card}")));
        let wanted = if card % 2 == 0 { "correct" } else { "wrong" };
        assert_eq!(system.value(&format!("cmi.interactions.{nth}.result")), json!(wanted), "item {card}");
    }
    assert!(system.said().starts_with(&format!("{n} of {n} answered")), "{}", system.said());
    is_clean(&system.page);
}
