"""Compares results and registers with NumPy and ml_dtypes, and with the command line."""

import copy
import json
import pickle
from pathlib import Path
from xml.etree import ElementTree

import ml_dtypes
import numpy as np
import pytest

from systolic_playground import Array

FLOATS = [
    np.float32,
    ml_dtypes.bfloat16,
    np.float16,
    ml_dtypes.float8_e4m3fn,
    ml_dtypes.float8_e5m2,
    ml_dtypes.float8_e4m3b11fnuz,
]
ACCUMULATORS = {"f32": np.float32, "bf16": ml_dtypes.bfloat16, "f16": np.float16}


def in_order(a, b, acc, block):
    """Adds a matmul as an array does: k ascends from zero within a fold, then fold after fold. Each sum is rounded."""

    def kept(values):
        return values.astype(acc).astype(np.float32)

    a, b = a.astype(np.float32), b.astype(np.float32)
    total = None
    for start in range(0, a.shape[1], block):
        part = np.zeros((a.shape[0], b.shape[1]), np.float32)
        for k in range(start, min(start + block, a.shape[1])):
            part = kept(part + a[:, k, None] * b[None, k, :])
        total = part if total is None else kept(total + part)
    return total.astype(acc)


def integers(rng, dtype, shape):
    least, most = (-128, 127) if dtype == np.int8 else (-8, 7)
    return rng.integers(least, most + 1, shape).astype(dtype)


@pytest.mark.parametrize("dtype", [np.int8, ml_dtypes.int4])
def test_integers_equal_numpy_and_a_changed_element_is_seen(rng, dtype):
    for _ in range(60):
        rows, cols = rng.integers(1, 20, 2).tolist()
        m, k, n = rng.integers(1, 40, 3)
        a, b = integers(rng, dtype, (m, k)), integers(rng, dtype, (k, n))
        run = Array(rows, cols, rng.choice(["ws", "os", "is"]), dtype).run(a, b)
        np.testing.assert_array_equal(run.C, a.astype(np.int32) @ b.astype(np.int32))
        assert run.C.dtype == np.int32
        changed = b.astype(np.int32)
        changed[rng.integers(k), rng.integers(n)] ^= 1
        sums, others = (Array(rows, cols, dtype=dtype).run(np.ones((1, k)), one).C for one in (b, changed))
        assert (sums != others).sum() == 1


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("acc", ACCUMULATORS)
@np.errstate(all="ignore")
def test_floats_equal_ml_dtypes_in_the_order_of_the_array(rng, dtype, acc):
    for _ in range(20):
        rows, cols = rng.integers(1, 9, 2).tolist()
        m, k, n = rng.integers(1, 24, 3)
        # From subnormal to beyond the largest number: NaN and infinity arise.
        scale = 2.0 ** rng.integers(-12, 10)
        a, b = ((rng.standard_normal(shape) * scale).astype(np.float32).astype(dtype) for shape in [(m, k), (k, n)])
        for dataflow in ("ws", "os", "is"):
            c = Array(rows, cols, dataflow, dtype, acc=acc).run(a, b).C
            assert c.dtype == ACCUMULATORS[acc]
            expected = in_order(a, b, ACCUMULATORS[acc], k if dataflow == "os" else rows)
            # Any NaN equals any other, in float32.
            np.testing.assert_array_equal(c.astype(np.float32), expected.astype(np.float32))


def test_another_order_of_additions_is_seen(rng):
    a, b = (rng.standard_normal((32, 32)).astype(np.float32) for _ in "AB")
    assert (Array(4, 4, "ws", "f32").run(a, b).C != in_order(a, b, np.float32, 5)).any()
    assert (Array(4, 4, "os", "f32").run(a, b).C != in_order(a, b, np.float32, 4)).any()


def simulated(a, b, rows, cols):
    """Simulates a weight-stationary array register by register. Yields held, east and sum; empty registers are NaN."""
    (m, k), n = a.shape, b.shape[1]
    held = np.full((rows, cols), np.nan)
    for col in range(0, n, cols):
        for row in range(0, k, rows):
            east, sums = np.full((2, rows, cols), np.nan)
            block = np.full((rows, cols), np.nan)
            part = b[row : row + rows, col : col + cols]
            block[: part.shape[0], : part.shape[1]] = part
            for t in range(rows + m + rows + cols - 2):
                if t < rows:
                    held = np.vstack([block[rows - 1 - t], held[:-1]])
                entering = [
                    a[t - rows - i, row + i] if 0 <= t - rows - i < m and row + i < k else np.nan for i in range(rows)
                ]
                east = np.column_stack([entering, east[:, :-1]])
                above = np.vstack([np.zeros(cols), sums[:-1]])
                sums = np.where(np.isnan(held) & ~np.isnan(above) & (np.arange(rows) > 0)[:, None], above, above + held * east)
                yield held, east, sums


def test_every_register_equals_a_simulation_and_a_wrong_weight_is_seen(rng):
    for _ in range(10):
        rows, cols = rng.integers(1, 6, 2).tolist()
        m, k, n = rng.integers(1, 9, 3)
        a, b = integers(rng, np.int8, (m, k)), integers(rng, np.int8, (k, n))
        wrong = b.astype(np.int32)
        wrong[0, 0] ^= 1
        run = Array(rows, cols).run(a, b)

        def differing(b):
            cycles = enumerate(simulated(a.astype(float), b.astype(float), rows, cols))
            return [cycle for cycle, planes in cycles if not same(run.state(cycle), planes)]

        assert differing(b) == []
        assert len(list(simulated(a, b, rows, cols))) == run.cycles
        assert differing(wrong) != []


def same(state, planes):
    return all(
        np.array_equal(plane, state[name].astype(float).filled(np.nan), equal_nan=True)
        for name, plane in zip(("held", "east", "sum"), planes)
    )


OPERANDS = {"ws": ("east", "held"), "is": ("held", "east"), "os": ("east", "south")}
DESIGNS = [
    {},
    {"overlap": "double-buffered"},
    {"overlap": "double-buffered", "drain": "south"},
    {"product_register": True, "order": "cols"},
    {"two_registers_south": True, "west": "2/3"},
]


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("dataflow", OPERANDS)
def test_registers_of_every_design_equal_those_of_the_command(rng, systolic, tmp_path, dataflow, design):
    if "drain" in design and dataflow != "os":
        design = {"overlap": "double-buffered"}
    dtype = rng.choice(["int8", "bf16", "e4m3fn", "f32"])
    rows, cols, m, k, n = rng.integers(1, 6, 5).tolist()
    a, b = (rng.integers(-9, 10, shape) for shape in [(m, k), (k, n)])
    options = ["--array", f"{rows}x{cols}", "--dataflow", dataflow, "--dtype", dtype, "--format", "json"]
    for name, matrix in {"a": a, "b": b}.items():
        np.savetxt(tmp_path / name, matrix, "%d", ",")
        options += [f"--{name}", str(tmp_path / name)]
    for name, value in design.items():
        options += [f"--{name.replace('_', '-')}"] + ([] if value is True else [value])
    run = Array(rows, cols, dataflow, dtype, **design).run(a, b)
    names = dict(zip(("a", "b"), OPERANDS[dataflow])) | {
        "psum": "sum",
        "shadow": "shadow",
        "product": "product",
        "passing": "passing",
        "drained": "drained",
    }
    lines = [json.loads(line) for line in systolic("state", *options).splitlines()]
    assert len(lines) == rows * cols * run.cycles
    states = [run.state(cycle) for cycle in range(run.cycles)]
    for line in lines:
        for theirs, ours in names.items():
            if theirs in line and ours in states[0]:
                value = states[line["cycle"]][ours][line["row"], line["col"]]
                assert (None if value is np.ma.masked else float(value)) == (line[theirs] and float(line[theirs])), line
    assert {ours for theirs, ours in names.items() if theirs in lines[0]} >= set(states[0])


def test_a_trace_is_that_of_the_command_and_adds_up(rng, systolic):
    for dataflow in OPERANDS:
        rows, cols, m, k, n = rng.integers(1, 6, 5).tolist()
        run = Array(rows, cols, dataflow).run(np.zeros((m, k)), np.zeros((k, n)))
        trace = run.trace()
        text = systolic("trace", "--gemm", f"{m}x{k}x{n}", "--array", f"{rows}x{cols}", "--dataflow", dataflow)
        rows_of = ["cycle,operand,edge,port,i,j", *(",".join(map(str, row)) for row in zip(*trace.values()))]
        assert text.splitlines() == rows_of
        for operand, name in {"A": "a_reads", "B": "b_reads"}.items():
            assert (trace["operand"] == operand).sum() == run.elements[name]
        middle = run.cycles // 2
        parts = [run.trace(0, middle)["cycle"], run.trace(middle + 1)["cycle"] if middle + 1 < run.cycles else []]
        np.testing.assert_array_equal(np.concatenate(parts), trace["cycle"])


def test_an_array_goes_to_another_process(rng):
    a, b = (rng.integers(-9, 10, (7, 7)) for _ in "AB")
    array = Array(3, 4, "os", "bf16", overlap="double-buffered", drain="south", product_register=True, west="2/3", acc="f16")
    again = pickle.loads(pickle.dumps(array))
    said = "Array(3, 4, 'os', 'bf16', acc='f16', overlap='double-buffered', drain='south', product_register=True, west='2/3')"
    assert repr(again) == repr(array) == said
    assert again.run(a, b).cycles == array.run(a, b).cycles
    np.testing.assert_array_equal(again.run(a, b).C, array.run(a, b).C)


def test_a_run_says_where_its_pe_cycles_went(rng):
    rows, cols, m, k, n = rng.integers(1, 40, 5).tolist()
    run = Array(rows, cols).run(np.zeros((m, k)), np.zeros((k, n)))
    assert sum(run.pe_cycles.values()) == rows * cols * run.cycles
    assert run.pe_cycles["useful"] == m * k * n == round(run.utilization * rows * cols * run.cycles)
    assert run.occupancy() == min(rows, k) * min(cols, n) / (rows * cols)
    # $3.22 for an hour of 275e12 ÷ 2 multiplications a second.
    cost = run.cost("tpu-v4", cycle=run.cycles - 1)
    full = 3.22 / 3600 / (275e12 / 2) * 1e18
    assert cost == run.cost()
    np.testing.assert_allclose(cost["array_mfu_pct"], 100 * run.utilization)
    np.testing.assert_allclose(cost["array_usd_per_1e18"] * run.utilization, full)
    assert np.isnan(run.cost(cycle=0)["array_usd_per_1e18"])
    wide = Array(rows, cols, dtype="f32").run(np.zeros((m, k)), np.zeros((k, n)))
    np.testing.assert_allclose(wide.cost(passes=3)["array_mfu_pct"] * 3, 100 * run.utilization)
    with pytest.raises(ValueError, match="chip"):
        run.cost("h9000")


def test_a_link_shows_the_same_run_on_the_page(rng, systolic):
    a = rng.standard_normal((5, 3)).astype(ml_dtypes.bfloat16)
    b = rng.standard_normal((3, 2)).astype(ml_dtypes.bfloat16)
    run = Array(4, 4, "os", a.dtype, overlap="double-buffered", drain="south", pad="m8").run(a, b)
    link = run.link(3)
    assert "&t=3#a=" in link
    cells = [line.split(",") for line in systolic("export", link, "--as", "csv").splitlines()]
    at = {name: place for place, name in enumerate(cells[0])}
    sums = run.state(3)["sum"]
    theirs = [cell[at["psum"]] for cell in cells[1:] if cell[at["cycle"]] == "3"]
    assert [float(one) if one else None for one in theirs] == sums.ravel().tolist()
    assert any(theirs)


def test_a_run_and_an_array_say_and_keep_all_their_settings(rng):
    array = Array(8, 4, "os", "bf16", acc="f32", overlap="double-buffered", drain="south", west="340/7", flush=True)
    assert eval(repr(array))._settings == array._settings, repr(array)
    assert "overlap='double-buffered'" in repr(array) and "order" not in repr(array)
    run = array.run(rng.random((5, 6)), rng.random((6, 7)))
    again = pickle.loads(pickle.dumps(run))
    assert (again.C == run.C).all() and again.cycles == run.cycles
    copied = copy.deepcopy(run)
    assert (copied.state(3)["sum"] == run.state(3)["sum"]).all()


def test_a_run_stays_as_it_is_if_its_matrix_changes():
    a = np.ones((2, 2), np.int8)
    run = Array(2, 2).run(a, a)
    a[:] = 7
    assert pickle.loads(pickle.dumps(run)).C.tolist() == run.C.tolist() == [[2, 2], [2, 2]]


def test_a_drawing_has_the_sums_of_the_cycle_and_the_colors_of_its_theme():
    run = Array(4, 4).run(np.arange(24).reshape(6, 4), np.ones((4, 3)))
    drawn = ElementTree.fromstring(run.svg(9, theme="dark"))
    texts = {element.text for element in drawn.iter("{http://www.w3.org/2000/svg}text")}
    assert {str(value) for value in run.state(9)["sum"].compressed()} <= texts
    assert drawn.find("{http://www.w3.org/2000/svg}rect").get("fill") == "#0f1115"
    assert run._repr_html_().startswith("<svg ")
    for wrong, said in [({"cycle": 99}, "cycle = 99"), ({"width": 1}, "width = 1"), ({"theme": "pink"}, "theme = pink")]:
        with pytest.raises(ValueError, match=said):
            run.svg(**wrong)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.float32, np.float64, ">f4", bool])
def test_a_matrix_of_any_format_is_read_as_its_numbers(dtype):
    a, b = np.array([[1, 0], [1, 1]], dtype), np.array([[1, 1], [0, 1]], dtype)
    expected = a.astype(int) @ b.astype(int)
    assert (Array(4, 4).run(a, b).C == expected).all()
    # Every second column of a wider matrix has the same numbers.
    assert (Array(4, 4).run(np.repeat(a, 2, axis=1)[:, ::2], b).C == expected).all()


def test_tiles_of_k_in_another_order_are_those_of_moved_columns_and_rows(rng):
    a, b = rng.standard_normal((5, 12)), rng.standard_normal((12, 6))
    moved = np.r_[8:12, 0:4, 4:8]
    c = Array(4, 4, "ws", "f32", ktiles="2,0,1").run(a, b).C
    assert (c == Array(4, 4, "ws", "f32").run(a[:, moved], b[moved]).C).all()
    assert (c != Array(4, 4, "ws", "f32").run(a, b).C).any()
    with pytest.raises(ValueError, match="list of all tiles|use up"):
        Array(4, 4, ktiles="0,0")


def words(text):
    return np.array([int(word, 16) for word in text.split()], np.uint32).view(np.float32)


def printed(chip):
    """Rows of a table: A, B, c and the sum that the chip returned."""
    path = Path(__file__).parents[2] / "tests" / "golden" / "printed" / f"{chip}.csv"
    for line in path.read_text().splitlines()[1:]:
        a, b, c, d = map(words, line.split(","))
        yield a[None, :], b[:, None], c[None, :], d[0]


@pytest.mark.parametrize("chip, adder, dtype", [("H100_bf16", "h100", "bf16"), ("A100_tf32", "a100", "tf32")])
def test_the_adder_of_a_chip_gives_the_words_that_the_chip_returned(chip, adder, dtype):
    rows = list(printed(chip))[:25]
    k = rows[0][0].shape[1]
    array = Array(k, 1, "ws", dtype, adder=adder)
    assert all(array.run(a, b, c).C[0, 0].view(np.uint32) == d.view(np.uint32) for a, b, c, d in rows)
    plain = Array(k, 1, "ws", dtype)
    assert any(plain.run(a, b, c).C[0, 0] != d for a, b, c, d in rows)
    a, b, c, d = rows[0]
    rounded = Array(k, 1, "ws", dtype, adder=adder, results="bf16").run(a, b, c)
    assert rounded.C.dtype == ml_dtypes.bfloat16 and rounded.C[0, 0] == d.astype(ml_dtypes.bfloat16)
    # The sums in the array stay in f32, and a copy starts from the same c.
    assert pickle.loads(pickle.dumps(rounded)).C[0, 0] == rounded.C[0, 0]
    assert all(f"{name}={value}" in rounded.link() for name, value in [("adder", adder), ("out", "bf16")])


def test_sums_start_from_c_in_integers_too():
    a, b, c = np.eye(2, dtype=int), np.array([[1, 2], [3, 4]]), np.array([[1000, -2], [0, 70000]])
    assert (Array(2, 2).run(a, b, c).C == a @ b + c).all()
    for wrong, said in [(c[:1], "c has 1×2 numbers, but M×N is 2×2"), (c + 0.5, r"c\[0,0\] = 1000.5: with int8, use a whole")]:
        with pytest.raises(ValueError, match=said):
            Array(2, 2).run(a, b, wrong)


def test_an_adder_that_does_not_fit_is_named_with_what_fits():
    for settings, said in [
        ({"dtype": "int8", "adder": "h100"}, "^adder = h100: use it with bf16, f16, e4m3fn, e5m2"),
        ({"dtype": "bf16", "adder": "zebra"}, "^adder = zebra: use one of f32, tpu, v100"),
        ({"dtype": "bf16", "results": "f64"}, "^results = f64: use one of sum, bf16, f16"),
    ]:
        with pytest.raises(ValueError, match=said):
            Array(16, 4, "ws", **settings)
    with pytest.raises(ValueError, match="adder = tpu: K = 40 is not a multiple of 32. Use K = 64."):
        Array(32, 4, "ws", "bf16", adder="tpu").run(np.ones((1, 40)), np.ones((40, 1)))
