"""Without NumPy, the package takes and gives lists: the values are those of NumPy."""

import array
import math
import pickle
import subprocess
import sys

import numpy as np
import pytest

from systolic_playground import Array, _array, _lists, _tables, count, time


@pytest.fixture
def without_numpy(monkeypatch):
    """Replaces the values of the package, and returns a function that restores NumPy for a comparison."""

    def use(module):
        for place in (_array, _tables):
            monkeypatch.setattr(place, "values", module)

    with_numpy = _array.values
    use(_lists)
    return lambda: use(with_numpy)


@pytest.mark.parametrize("dtype", ["int8", "bf16", "f32"])
def test_runs_are_those_of_numpy(rng, without_numpy, dtype):
    a, b = rng.integers(-8, 8, (5, 3)), rng.integers(-8, 8, (3, 7))
    run = Array(4, 4, "os", dtype).run(a.tolist(), b.tolist())
    assert run.C == (a @ b).tolist()
    assert pickle.loads(pickle.dumps(run)).C == run.C
    buffer = memoryview(array.array("b", a.ravel().tolist())).cast("B").cast("b", a.shape)
    assert Array(4, 4, "os", dtype).run(buffer, b.tolist()).C == run.C
    wide = memoryview(array.array("h", a.ravel().tolist())).cast("B").cast("h", a.shape)
    assert Array(4, 4, "os", dtype).run(wide, b.tolist()).C == run.C
    lists = [run.state(cycle) for cycle in range(run.cycles)]
    trace = run.trace()
    without_numpy()
    same = Array(4, 4, "os", dtype).run(a, b)
    for cycle, state in enumerate(lists):
        planes = {name: plane.tolist() for name, plane in same.state(cycle).items()}
        assert state == planes
    assert {name: column.tolist() for name, column in same.trace().items()} == trace


def test_tables_are_those_of_numpy(rng, without_numpy):
    table = {name: rng.integers(1, 300, 40).tolist() for name in "MNK"}
    counted, timed = count(table, rows=8, cols=16, dataflow="is"), time(table, "tpu-v4", bounds=True)
    assert counted["M"] == table["M"] and isinstance(counted["cycles"], list)
    without_numpy()
    for lists, arrays in ((counted, count(table, rows=8, cols=16, dataflow="is")), (timed, time(table, "tpu-v4", bounds=True))):
        assert list(lists) == list(arrays)
        for name, column in arrays.items():
            pairs = zip(lists[name], column.tolist())
            assert all(one == other or (math.isnan(one) and math.isnan(other)) for one, other in pairs), name


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (5, "A is not a matrix: use a list of rows, for example [[1, 2], [3, 4]]."),
        ([], "A is not a matrix: use a list of rows, for example [[1, 2], [3, 4]]."),
        ([1, 2], "A is not a matrix: use a list of rows, for example [[1, 2], [3, 4]]."),
        ("ab", "A is not a matrix: use a list of rows, for example [[1, 2], [3, 4]]."),
        ([[1], [1, 2]], "A has rows of different lengths: give every row the same number of elements."),
        ([["1"]], "A has elements of str: use real numbers."),
        ([[None]], "A has elements of NoneType: use real numbers."),
        ([[1j]], "A has elements of complex: use real numbers."),
        ([[1.5]], "A[0,0] = 1.5: with int8, use a whole number from -128 to 127."),
        ([[10**400]], "A has a number beyond 1.8e308: use smaller numbers."),
        ([[math.nan]], "A[0,0] = NaN: with int8, use a whole number from -128 to 127."),
        (b"abc", "A has shape (3,): use a matrix with rows and columns."),
    ],
)
def test_a_wrong_matrix_is_refused(without_numpy, given, sentence):
    with pytest.raises(ValueError) as refused:
        Array(2, 2).run(given, [[1]])
    assert str(refused.value) == sentence


def test_a_wrong_table_and_a_wrong_format_are_refused(without_numpy):
    table = {"M": [1], "N": [1], "K": [1.5]}
    for wrong, sentence in [(1.5, "K[0] = 1.5: use a whole number."), (10**400, None), ("x", "K[0] = x: use a whole number.")]:
        with pytest.raises(ValueError) as refused:
            count(table | {"K": [wrong]}, rows=1, cols=1, dataflow="ws")
        assert sentence is None or str(refused.value) == sentence
    with pytest.raises(ValueError, match="without NumPy, use a name"):
        Array(2, 2, "ws", np.float32)


def test_the_package_loads_without_numpy():
    program = (
        "import sys; sys.modules['numpy'] = None\n"
        "from systolic_playground import Array\n"
        "print(Array(2, 2).run([[1, 2]], [[3], [4]]).C)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[[11]]"
