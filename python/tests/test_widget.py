"""Tests the data that the widget sends to the notebook and, in Chromium, that frame and notebook stay in step."""

import http.server
import json
import queue
import shutil
import subprocess
import threading

import numpy as np
import pytest

anywidget = pytest.importorskip("anywidget")

import systolic_playground  # noqa: E402
from systolic_playground import Array, _widget  # noqa: E402

# Not the run of the first screen, which a frame without a link would show.
RUN = Array(4, 4).run(np.eye(5, 4), np.eye(4, 3))


@pytest.fixture
def some_page(monkeypatch):
    monkeypatch.setattr(_widget, "page", lambda: "<!doctype html>")


def test_a_run_opens_at_its_cycle(some_page):
    widget = systolic_playground.Widget(RUN, cycle=7, height=400)
    state = widget.get_state()
    assert (state["_link"], state["cycle"], state["height"]) == (RUN.link(7), 7, 400)
    assert (state["_page"], state["_src"]) == ("<!doctype html>", "")
    assert "customElements.define('systolic-playground'" in state["_esm"] and "export default { render }" in state["_esm"]


def test_a_page_on_a_host_is_not_sent_along():
    state = systolic_playground.Widget("https://example.org/playground/?rows=8#a=1,2").get_state()
    assert (state["_page"], state["_src"], state["_link"]) == ("", "https://example.org/playground/", "?rows=8#a=1,2")


def test_without_the_page_it_says_how_to_make_it(monkeypatch, tmp_path):
    monkeypatch.setattr(_widget, "files", lambda package: tmp_path)
    with pytest.raises(RuntimeError, match="cargo xtask dist"):
        systolic_playground.Widget("?rows=8")


def test_a_cycle_that_no_run_has_is_refused(some_page):
    with pytest.raises(ValueError, match="cycle = 99: use a cycle from 0 to 14"):
        systolic_playground.Widget(RUN, cycle=99)


# A notebook as far as a widget sees it. It sets a cycle and settings when the frame is there, and writes down what comes back.
NOTEBOOK = """<!doctype html><meta charset="utf-8"><title>A notebook</title><link rel="icon" href="data:,"><div id="cell"></div>
<script type="application/json" id="state">STATE</script>
<script type="module">
const tell = (said) => fetch('/said', { method: 'POST', body: JSON.stringify(said) });
addEventListener('unhandledrejection', (event) => tell({ failed: String(event.reason) }));
const state = JSON.parse(document.getElementById('state').textContent);
const module = await import(URL.createObjectURL(new Blob([state._esm], { type: 'text/javascript' })));
const heard = {};
const model = {
  get: (name) => state[name],
  set: (name, value) => { const old = JSON.stringify(state[name]); state[name] = value;
    if (JSON.stringify(value) !== old) for (const one of heard[`change:${name}`] ?? []) one(); },
  on: (name, one) => { (heard[name] ??= []).push(one); },
  off: () => {},
  save_changes: () => {},
};
const until = async (is) => { while (!is()) await new Promise((done) => setTimeout(done, 20)); };
const said = {};
module.default.render({ model, el: document.getElementById('cell') });
await until(() => state.settings.rows);
said.first = [state.cycle, state.last, state.settings.rows];
model.set('cycle', 9);
await new Promise((done) => setTimeout(done, 300));
document.querySelector('systolic-playground').step({ by: 2 });
await until(() => state.cycle === 11);
said.stepped = state.cycle;
model.set('settings', { ...state.settings, df: 'os', rows: 8 });
await until(() => state.settings.df === 'os' && state.settings.rows == 8 && state.last !== said.first[1]);
said.settings = [state.settings.df, String(state.settings.rows)];
model.set('settings', { ...state.settings, rows: 0 });
await until(() => state.error);
said.error = state.error;
tell(said);
</script>"""


class Host(http.server.BaseHTTPRequestHandler):
    """Serves the notebook and receives its messages."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(self.server.notebook)

    def do_POST(self):
        self.server.said.put(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


def test_frame_and_notebook_follow_each_other(tmp_path):
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("there is no Chromium")
    try:
        state = systolic_playground.Widget(RUN, cycle=7).get_state()
    except RuntimeError as error:
        pytest.skip(str(error))
    state = json.dumps({name: value for name, value in state.items() if isinstance(value, str | int | dict)})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Host) as server:
        server.said = queue.Queue()
        server.notebook = NOTEBOOK.replace("STATE", state.replace("<", "\\u003c")).encode()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}"]
        with subprocess.Popen(
            [chromium, *options, f"http://127.0.0.1:{server.server_port}/"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as browser:
            try:
                said = server.said.get(timeout=60)
            finally:
                browser.terminate()
                server.shutdown()
    assert said == {"first": [7, 14, 4], "stepped": 11, "settings": ["os", "8"], "error": said.get("error")}, said
    assert said["error"].startswith("rows = 0: use a whole number from 1 to 1024")
