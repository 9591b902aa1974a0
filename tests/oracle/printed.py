"""Compares `systolic run` with products that real chips printed. Needs NumPy.

    SYSTOLIC=target/debug/systolic python3 tests/oracle/printed.py

The cases are in `tests/golden/printed/printed.json`, each with its source and with the options of its run. The script
writes a line for each case, and then exits with 1 if a case with a known rule differs:

- `run`: number of values that the run with these options gives, of all printed values
- `plain`: number of values without --adder, --ktiles and --results, and with f32 in place of tf32
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

F = np.float32
TOOL = os.environ.get("SYSTOLIC", "systolic")
FOLDER = Path(__file__).parents[1] / "golden" / "printed"
# Options that `plain` leaves out.
OPTIONS_OF_CHIPS = ("--adder", "--ktiles", "--results")


def product(options, a, b, c=None):
    """Returns the results of `systolic run` for A, B and c."""
    with tempfile.TemporaryDirectory() as folder:
        words = [TOOL, "run", *options.split()]
        for name, matrix in (("a", a), ("b", b), ("c", c)):
            if matrix is not None:
                path = f"{folder}/{name}.csv"
                with open(path, "w") as file:
                    file.writelines(",".join(repr(float(value)) for value in row) + "\n" for row in matrix)
                words += [f"--{name}", path]
        made = subprocess.run(words, capture_output=True, text=True)
    if made.returncode:
        raise SystemExit(f"{' '.join(words)}\n{made.stderr.strip()}")
    return np.array([[float(value) for value in line.split(",")] for line in made.stdout.split()])


def plain(options):
    """Returns the options without those that describe a chip."""
    words = options.split()
    pairs = [(name, value) for name, value in zip(words[::2], words[1::2]) if name not in OPTIONS_OF_CHIPS]
    return " ".join(f"{name} {'f32' if value == 'tf32' else value}" for name, value in pairs)


def numbers(texts):
    return np.array([[float(text) for text in row] for row in texts]).astype(F)


def is_printed(value, text, case):
    """True if the two are equal as float32, or in all printed digits."""
    printed = float(text)
    if F(value) == F(printed):
        return True
    if case.get("exact"):
        return False
    mantissa, _, exponent = text.lower().partition("e")
    step = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    digits = mantissa.replace("-", "").replace(".", "").lstrip("0")
    # Seven digits or more name one float32.
    return len(digits) < 7 and abs(float(value) - printed) <= 0.5000001 * step


def count(values, texts, case):
    texts = [text for row in texts for text in row]
    return sum(is_printed(value, text, case) for value, text in zip(np.asarray(values).ravel(), texts)), len(texts)


def fused(a, b):
    """Returns A × B by fused multiply-adds in float32, as the CPU of the source computed."""
    sums = np.zeros((a.shape[0], b.shape[1]))
    for k in range(a.shape[1]):
        sums = (sums + a[:, k : k + 1].astype(np.float64) * b[k : k + 1]).astype(F).astype(np.float64)
    return sums.astype(F)


def matrix(case, run):
    return count(run(numbers(case["a"]), numbers(case["b"])), case["printed"], case)


def rows(case, run):
    a, b = numbers(case["a"]), numbers(case["b"])
    return count(np.concatenate([run(a[row : row + 1], b) for row in range(len(a))]), case["printed"], case)


def two_products(case, run):
    """z·S·z with S = I: the first product has other options than the second, a single number."""
    z = numbers(case["a"])
    first = run(z, np.eye(2), options=case["first_run"])
    return count(run(first, z.T), case["printed"], case)


def difference_from_cpu(case, run):
    a, b = numbers(case["a"]), numbers(case["b"])
    result = run(a, b).astype(F)
    ours = np.concatenate([result, (result - fused(a, b))[:2]])
    return count(ours, case["printed"] + case["printed_minus_cpu"], case)


def count_of_errors(case, run):
    x = np.arange(40, dtype=F).reshape(4, 10)
    y = np.arange(320, dtype=F).reshape(8, 10, 4).transpose(1, 0, 2).reshape(10, 32)
    exact = x.astype(np.float64) @ y.astype(np.float64)
    errors = np.abs(run(x, y) - exact)
    printed = case["printed"]
    found = [
        (errors != 0).sum() == printed["mismatched"],
        is_printed(errors.max(), printed["max_abs"], case),
        is_printed((errors / np.maximum(exact, 1)).max(), printed["max_rel"], case),
    ]
    return sum(map(int, found)), len(found)


def golden(case, run):
    x = (F(1) + F(1e-3) * np.arange(1024 * 512, dtype=F)).astype(F).reshape(1024, 512)
    lines = (FOLDER / case["printed_file"]).read_text().split()
    printed = np.array([[float(value) for value in line.split(",")] for line in lines]).astype(F)
    result = run(x[::16][: len(printed)], x[:512, :256:16])
    return int((result.astype(F) == printed).sum()), printed.size


def dots(case, run):
    lines = (FOLDER / case["printed_file"]).read_text().split("\n")[1:]
    table = [line.split(",") for line in lines if line]
    a, b, c, d = (
        np.array([[int(word, 16) for word in row[column].split()] for row in table], np.uint32).view(F)
        for column in range(4)
    )
    # The dot products of a part are the diagonal of one matmul.
    result = np.empty(len(table), F)
    for start in range(0, len(table), 50):
        part = slice(start, start + 50)
        result[part] = np.diag(run(a[part], b[part].T, np.diag(c[part, 0])))
    # Words are compared, so that -0 is not 0.
    return int((result.view(np.uint32) == d[:, 0].view(np.uint32)).sum()), len(table)


KINDS = {
    "matrix": matrix,
    "rows": rows,
    "two-products": two_products,
    "difference-from-cpu": difference_from_cpu,
    "count-of-errors": count_of_errors,
    "golden": golden,
    "dots": dots,
}


def main():
    cases = json.loads((FOLDER / "printed.json").read_text())
    n_equal, wrong, unexplained = 0, [], []
    for case in cases:
        compare = KINDS[case["kind"]]

        def run(a, b, c=None, options=case["run"]):
            return product(options, a, b, c)

        def run_plain(a, b, c=None, options=case["run"]):
            return product(plain(options), a, b, c)

        equal, n_values = compare(case, run)
        equal_plain, _ = compare(case, run_plain)
        is_equal = equal == n_values
        n_equal += is_equal
        word = "equal" if is_equal else "DIFFERS"
        print(f"{case['id']:38} {word:7} run {equal:>3}/{n_values:<3} plain {equal_plain:>3}/{n_values:<3}  {case['run']}")
        if not is_equal:
            (wrong if case["must_be_equal"] else unexplained).append(case)
    print(f"{n_equal} of {len(cases)} cases are equal.")
    for case in unexplained:
        print(f"differs, as expected: {case['id']}: {case['why']}")
    for case in wrong:
        print(f"differs, but its rule is known: {case['id']}: {case['source']}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
