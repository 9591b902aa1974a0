"""Shared fixtures: random numbers whose seed a failure shows, and the command line as an independent reference."""

import os
import pathlib
import shutil
import subprocess

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def rng():
    """Random numbers; SEED=… repeats a failure."""
    seed = int(os.environ.get("SEED") or np.random.SeedSequence().entropy % 2**32)
    print(f"repeat with SEED={seed}")
    return np.random.default_rng(seed)


@pytest.fixture(scope="session")
def systolic():
    """Calls the command `systolic` with options and an input text, and returns its output."""
    built = [ROOT / "target" / profile / "systolic" for profile in ("debug", "release")]
    found = [os.environ.get("SYSTOLIC"), *(str(path) for path in built if path.is_file()), shutil.which("systolic")]
    command = next((path for path in found if path), None)
    if command is None:
        pytest.skip("the command systolic is not built: cargo build -p systolic-cli")

    def call(*options, text=""):
        done = subprocess.run([command, *options], input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    call.command = command
    return call


def csv(columns):
    """Returns columns as CSV, as the command reads them."""
    rows = zip(*(column.tolist() for column in columns.values()))
    return "\n".join(",".join(map(str, row)) for row in [tuple(columns), *rows]) + "\n"
