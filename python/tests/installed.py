"""Program that uses the installed package: `cargo xtask packages` runs it in a clean environment."""

import numpy as np

from systolic_playground import Array, Widget

A, B = np.arange(24, dtype=np.int8).reshape(6, 4), np.ones((4, 3), np.int8)
run = Array(4, 4).run(A, B)
assert (run.C == A.astype(int) @ B).all() and run.cycles == 16, run
assert run.svg().startswith("<svg ")
# The package contains the page of the widget, with its WebAssembly modules.
page = Widget(run)._page
assert page.startswith("<!doctype html>") and len(page) > 1_000_000, len(page)
