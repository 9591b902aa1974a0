"""Runs cases of real users: folders with inputs in `in`, and the expected values in `check.py`.

    python tests/oracle/cases.py FOLDER... --systolic PATH

Without folders, the variable CASES names them, with the separator of PATH between them. The variable SYSTOLIC can name
the command `systolic`. Each case runs as its folder says, except for files that the command does not read. For such a
file, the command must name the tracer in one sentence, and the tracer must give the expected FLOPs or a refusal.

Needs the packages of tests/oracle/traced_matmuls.txt that the files need: onnx, safetensors, gguf, torch, transformers.
"""

import argparse
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python" / "package" / "systolic_playground"))

from systolic_matmuls import Refusal, matmuls  # noqa: E402

ONE = {"batch": 1, "sequence": 2048}
# Files that only the tracer reads, by the name of their case: the file, the sizes, and the FLOPs, the weights or a part
# of the refusal.
TRACED = {
    # Two of eight experts.
    "H12": ("moe.safetensors", {**ONE, "experts_per_token": 2}, 2 * 2048 * (256 * 8 + 2 * 3 * 256 * 512 + 256 * 1000)),
    "H13": ("gptq.safetensors", ONE, "weights are packed"),
    "H14": ("fp8.safetensors", ONE, 2 * 2048 * (512 * 256 + 1000 * 256)),
    "H15": ("lfs_pointer.safetensors", ONE, "git lfs pull"),
    "H16": ("optimum_like.onnx", {"batch_size": 1, "sequence_length": 128}, 2 * 128 * 64 * 256),
    "H17": ("resize.onnx", {}, 10321920),
    "H34": ("nbits.onnx", {}, 2 * 128 * 256 * 256),
    "P10": ("tpu_opt.hlo", {}, "save it as StableHLO"),
    "P13": ("moe.gguf", ONE, 2 * 2048 * (2 * (2 * 64 * 64 + 2 * 64 * 32 + 64 * 8 + 2 * 3 * 64 * 48) + 64 * 1000)),
    "P15": ("glm46v.json", ONE, {"weights": 106230448128}),
    "P16": ("w4a16.safetensors", ONE, "weights are packed"),
    "P17": ("trunc.safetensors", ONE, "not a complete safetensors file"),
    "P20": ("model-00002-of-00002.safetensors", ONE, "one of 2 shards"),
    "P21": ("split1_meta.gguf", ONE, "one of 3 shards"),
    "P22": ("mlx4.safetensors", ONE, "weights are packed"),
    "P23": ("gptoss_mxfp4.safetensors", ONE, "weights are packed"),
    "P24": ("aqlm.safetensors", ONE, "weights are packed"),
    "P25": ("bert.gguf", ONE, 2 * 2048 * (4 * 64 * 64 + 2 * 64 * 128)),
    "P26": ("mamba.safetensors", {**ONE, "tied": 1},
            2 * 2048 * (128 * 4 + 4 * 128 + 64 * 256 + 128 * 64 + 128 * 36 + 64 * 1000)),
    "P27": ("train_ckpt.safetensors", ONE, "state of an optimizer"),
    "P46": ("functions.onnx", {}, 2 * 8 * 64 * 128 + 2 * 8 * 128 * 32),
    "P59": ("bnb8.safetensors", ONE, 2 * 2048 * 512 * 256),
    "P62": ("printed.txt", {}, "not a model"),
    "P67": ("pythia.safetensors", ONE, 2 * 2048 * 64 * (192 + 64 + 256 + 256 + 500)),
}
# Files for which another sentence of the command helps more than the tracer's name.
OTHER_SENTENCE = {"H15": "git lfs pull", "P62": "ONNX"}


def cases_of(folder, command):
    """Returns identifier, source and test of each case of a folder."""
    os.environ["SYSTOLIC"] = command
    sys.argv[1:] = [command]
    sys.path.insert(0, str(folder))
    try:
        lib = importlib.import_module("lib")
        # The last line of check.py runs all cases, and prints them.
        lib.main = lambda: None
        importlib.import_module("check")
        return [(identifier, source, test) for identifier, _, source, test in lib.CASES]
    finally:
        sys.path.remove(str(folder))
        for name in ("lib", "check"):
            sys.modules.pop(name, None)


def traced(identifier, folder, command):
    """Returns whether the command names the tracer for a file, and whether the tracer gives the expected result."""
    name, sizes, want = TRACED[identifier]
    path = folder / "in" / name
    call = [command, "model", "--config", path, "--chip", "tpu-v5p"]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    sentence = OTHER_SENTENCE.get(identifier, "python systolic_matmuls.py ")
    if done.returncode == 0 or sentence not in done.stderr:
        return False, f"the command says {done.stderr.strip() or 'nothing, and reads the file'!r}, without {sentence!r}"
    try:
        found = matmuls(path, sizes=sizes)
        totals = {name: int(number) for name, number in (word.split("=") for word in found.totals(found.rows()).split())}
    except Refusal as error:
        return isinstance(want, str) and want in str(error), f"the tracer says {str(error)!r}, and {want!r} is expected"
    expected = want if isinstance(want, dict) else {"flops": want}
    return expected.items() <= totals.items(), f"the tracer says {totals}, and {want!r} is expected"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    built = ROOT / "target" / "debug" / "systolic"
    parser.add_argument("--systolic", default=os.environ.get("SYSTOLIC", str(built)))
    options = parser.parse_args()
    folders = options.folders or [Path(name) for name in os.environ.get("CASES", "").split(os.pathsep) if name]
    if not folders:
        print("cases of real users: not checked, because CASES names no folder")
        return 0
    passed = failed = 0
    for folder in map(Path.resolve, folders):
        for identifier, source, test in cases_of(folder, options.systolic):
            try:
                if identifier in TRACED and (folder / "in" / TRACED[identifier][0]).is_file():
                    is_right, got = traced(identifier, folder, options.systolic)
                else:
                    is_right, got = test()
            except Exception as error:  # A case is foreign code, with its own errors.
                is_right, got = False, f"{type(error).__name__}: {error}"
            passed, failed = passed + bool(is_right), failed + (not is_right)
            if not is_right:
                print(" ".join(f"{identifier} ({source}): {got}".split())[:300])
    print(f"{passed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
