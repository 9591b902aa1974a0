"""Refused values: one sentence names the field, the given value and the allowed values."""

import subprocess
import sys

import numpy as np
import pytest

import systolic_playground
from systolic_playground import Array, count, model, time

ONE = {"M": [1], "K": [1], "N": [1]}
WS = {"rows": 4, "cols": 4, "dataflow": "ws"}


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: Array(0, 4), "rows = 0: use a whole number from 1 to 1024."),
        (lambda: Array(4, -1), "cols = -1: use a whole number from 1 to 1024."),
        (lambda: Array(4, 10**30), "cols = 1000000000000000000000000000000: use a whole number from 1 to 1024."),
        (lambda: Array(4, 4.5), "cols = 4.5: use a whole number from 1 to 1024."),
        (lambda: Array(4, 4, "xs"), "dataflow = xs: use one of ws, os, is."),
        (lambda: Array(4, 4, dtype=np.float64), "dtype = float64: use one of f32, bf16, f16, e4m3fn, e5m2, "),
        (lambda: Array(4, 4, acc="bf16"), "acc = bf16: with int8, use int32."),
        (lambda: Array(4, 4, "os", load="rows"), "load works only with dataflow ws or is."),
        (lambda: Array(4, 4, drain="south"), "drain works only with dataflow os."),
        (lambda: Array(4, 4, saturate=2), "saturate = 2: use True or False."),
        (lambda: Array(4, 4, pad="m0"), "pad = m0: use ragged, zero, or m followed by a number from 1 to 65536 (m8 pads M to a multiple of 8)."),
        (lambda: Array(4, 4, west="0/3"), "west = 0/3: use a number of elements per cycle (such as 64), or a fraction"),
        (lambda: Array(4, 4).run([[1.5]], [[1]]), "A[0,0] = 1.5: with int8, use a whole number from -128 to 127."),
        (lambda: Array(4, 4).run([[1, 2]], [[1], [128]]), "B[1,0] = 128: with int8, use a whole number from -128 to 127."),
        (lambda: Array(4, 4).run([[np.nan]], [[1]]), "A[0,0] = NaN: with int8, use a whole number from -128 to 127."),
        (lambda: Array(4, 4).run([[1, 2]], [[1]]), "B has 1 row, but needs 2, one per column of A."),
        (lambda: Array(4, 4).run([1], [[1]]), "A has shape (1,): use a matrix with rows and columns."),
        (lambda: Array(4, 4).run([["a"]], [[1]]), "A has elements of <U1: use real numbers."),
        (lambda: Array(4, 4).run([[1j]], [[1]]), "A has elements of complex128: use real numbers."),
        (lambda: Array(4, 4).run(np.zeros((0, 1)), [[1]]), "m = 0: use a whole number from 1 to 2"),
        (lambda: Array(4, 4).run(np.zeros((2**14, 1)), np.zeros((1, 2**14))), "The matmul has 16"),
        (lambda: Array(4, 4).run([[1]], [[1]]).state(11), "cycle = 11: use a cycle from 0 to 10."),
        (lambda: Array(4, 4).run([[1]], [[1]]).trace(last=-1), "last = -1: use a cycle from 0 to 10."),
        (lambda: Array(4, 4, order="cols").run([[1]], [[1]]).link(), "order = cols: the page cannot show arrays with this setting"),
        (lambda: Array(4, 4).run(np.zeros((70_000, 1)), [[1]]).link(), "M = 70"),
        (lambda: Array(4, 4).run(np.zeros((300, 300)), np.zeros((300, 1))).link(), "A has more than 65"),
        (lambda: count(ONE), "The table has no column R: add it, or set rows."),
        (lambda: count({"M": [1]}, **WS), "The table has no column N: add it."),
        (lambda: count(ONE | {"R": [4]}, **WS), "rows = 4: the table also has a column R. Use either rows or the column R."),
        (lambda: count({"M": [1, 2], "K": [1], "N": [1]}, **WS), "The columns differ in length: give every column one value per row"),
        (lambda: count({"M": [5, 0], "K": [1, 1], "N": [1, 1]}, **WS), "M[1] = 0: use a whole number from 1 to 2"),
        (lambda: count({"M": [5, 1.5], "K": [1, 1], "N": [1, 1]}, **WS), "M[1] = 1.5: use a whole number."),
        (lambda: count({"M": ["5", "x"], "K": [1, 1], "N": [1, 1]}, **WS), "M[1] = x: use a whole number."),
        (lambda: count(ONE, rows=4, cols=4, dataflow="xs"), "dataflow[0] = xs: use one of ws, os, is."),
        (lambda: count(ONE | {"overlap": ["half"]}, **WS), "overlap[0] = half: use one of none, double-buffered."),
        (lambda: count(dict.fromkeys("MKN", [2**31]), **WS), "The run has too many PE-cycles to count: use at most 4"),
        (lambda: count(3), "table = int: use a dict of columns, or a table that supports the Arrow C interface."),
        (lambda: time(ONE, "tpu-v99"), "chip = tpu-v99: use one of tpu-v1, tpu-v2, "),
        (lambda: time(ONE, "tpu-v4", "zebra"), "dtype = zebra: use one of bf16, f16, f32, "),
        (lambda: time(ONE, "tpu-v4", per="rack"), "per = rack: use one of chip, core."),
        (lambda: model("zebra"), "model = zebra: use one of bert-large, "),
        (lambda: model("bert-large", chips=0), "chips = 0: use a whole number from 1 to 1"),
        (lambda: model("bert-large", zebra=1), "zebra is not an entry of a model: use one of model, chip, "),
        (lambda: model({}), "config: "),
    ],
)
def test_a_refusal_is_a_sentence(call, says):
    with pytest.raises(ValueError) as refusal:
        call()
    sentence = str(refusal.value)
    assert sentence.startswith(says), sentence
    assert sentence.endswith(".")


def test_a_name_that_the_package_does_not_have():
    with pytest.raises(AttributeError, match="no attribute 'Zebra'"):
        systolic_playground.Zebra  # noqa: B018


def test_masked_elements_are_refused():
    masked = np.ma.MaskedArray([[1, 2], [3, 4]], mask=[[0, 1], [0, 0]])
    with pytest.raises(ValueError, match="A has masked elements"):
        Array(2, 2).run(masked, np.ones((2, 2)))
    plain = np.ma.MaskedArray([[1, 2], [3, 4]])
    assert Array(2, 2).run(plain, np.ones((2, 2))).C.tolist() == [[3, 3], [7, 7]]


def test_a_sentence_has_no_control_characters():
    for call in [
        lambda: time({"M": ["\x1b[31m"], "K": [1], "N": [1]}, "tpu-v4"),
        lambda: Array(4, 4, "\x1b[31m"),
        lambda: time({"M": [1], "K": [1], "N": [1]}, "\x1b[31m"),
    ]:
        with pytest.raises(ValueError) as error:
            call()
        assert str(error.value).isprintable(), repr(str(error.value))


def test_a_matrix_that_is_too_large_is_refused_before_it_is_copied():
    with pytest.raises(ValueError, match="A has 4000000000 elements"):
        Array(4, 4).run(np.broadcast_to(np.int8(1), (10**9, 4)), np.ones((4, 4)))


def test_a_narrow_matrix_takes_little_memory():
    script = """
import numpy as np, resource
from systolic_playground import Array
a, b = np.ones((50_000, 1_000), np.int8), np.ones((1_000, 8), np.int8)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
run = Array(128, 128).run(a, b)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    grown_kib = int(subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout)
    # 50 MB of input: a copy, its bytes, and four bytes an element.
    assert grown_kib < 400_000


def test_two_columns_of_one_name_are_refused():
    with pytest.raises(ValueError, match="The table has two columns M, M and m: rename or remove one of them."):
        count({"M": [1], "m": [2], "K": [1], "N": [1]}, **WS)
