"""The tracer of matmuls without any framework: its table and its refusals. tests/oracle/traced_matmuls.py has the rest."""

import csv
import json
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT

from systolic_playground import matmuls, systolic_matmuls
from systolic_playground.systolic_matmuls import (
    FORWARD,
    INPUT_GRADIENT,
    RECOMPUTED,
    WEIGHT_GRADIENT,
    Input,
    Matmuls,
    Refusal,
    Sizes,
    input_of,
    main,
    need,
)

FILE = ROOT / "python" / "package" / "systolic_playground" / "systolic_matmuls.py"


def two_layers():
    """Two layers with a projection, and a head whose table is also looked up."""
    found = Matmuls()
    for layer in range(2):
        at = found.add(f"layers.{layer}.up", 6, 8, 16, tables=[(layer, f"layers.{layer}.up.weight", 128)])
        found.add_gradients(at)
    found.add("scores", 3, 4, 3, 4, kept="c", masked=0.5)
    found.add("values", 3, 3, 4, 4, kept="a", masked=None)
    found.add("head", 6, 8, 10, tables=[("table", "embed.weight", 80)])
    found.lookups["table"] = ("embed.weight", 80)
    found.left_out["softmax"] += 2
    found.versions.append("torch 1")
    found.sizes.update(batch=2, sequence=3)
    found.parameters = 336
    return found


def test_the_table_has_a_row_for_equal_matmuls_of_all_layers():
    text = str(two_layers())
    rows = list(csv.reader(line for line in text.splitlines() if not line.startswith("#")))
    assert rows == [
        ["name", "M", "K", "N", "count", "role", "weights", "shared", "kept", "masked"],
        ["layers.*.up", "6", "8", "16", "2", "forward", "256", "", "", "1"],
        ["layers.*.up", "6", "16", "8", "2", "input-gradient", "256", "", "", "1"],
        ["layers.*.up", "8", "6", "16", "2", "weight-gradient", "0", "", "", "1"],
        ["scores", "3", "4", "3", "4", "forward", "0", "", "c", "0.5"],
        ["values", "3", "3", "4", "4", "forward", "0", "", "a", ""],
        ["head", "6", "8", "10", "1", "forward", "80", "embed.weight", "", "1"],
    ]


def test_three_comments_have_totals_what_was_left_out_and_versions():
    comments = [line for line in str(two_layers()).splitlines() if line.startswith("#")]
    flops = 2 * (3 * 2 * 6 * 8 * 16 + 2 * 4 * 3 * 3 * 4 + 6 * 8 * 10)
    assert comments == [
        f"# totals: rows=6 flops={flops} weights=336 parameters=336",
        "# left out: lookup embed.weight (80 weights); softmax (2)",
        "# traced: systolic_matmuls 1; torch 1; training step (for a forward pass, leave out --train); batch=2; sequence=3",
    ]


def test_the_step_follows_from_the_roles():
    found = two_layers()
    assert found.step() == ("training step", "for a forward pass, leave out --train")
    found.add("again", 3, 4, 5, role=RECOMPUTED)
    assert found.step()[0] == "training step with recomputation"
    found.runs = [run for run in found.runs if run.role == FORWARD]
    assert found.step() == ("forward pass", "for a training step, add --train")


def test_a_gradient_keeps_on_the_chip_what_the_forward_matmul_kept():
    found = Matmuls()
    found.add_gradients(found.add("scores", 3, 4, 5, kept="c"))
    assert [(run.role, run.kept) for run in found.runs[1:]] == [(INPUT_GRADIENT, "a"), (WEIGHT_GRADIENT, "b")]


@pytest.mark.parametrize("visits", [1, 7, 8, 23])
def test_experts_receive_all_rows_and_differ_by_at_most_one(visits):
    found = Matmuls()
    found.add_experts("experts", visits, 4, 6, 8, 3, [("w", "experts.w", 8 * 24)])
    assert sum(run.m * run.times for run in found.runs) == 3 * visits
    assert max(run.m for run in found.runs) - min(run.m for run in found.runs) <= 1
    visited = min(visits, 8)
    assert sum(elements for run in found.runs for _, _, elements in run.tables) == visited * 24


def test_weights_of_a_table_with_two_users_count_once():
    found = Matmuls()
    for name in ("encoder.up", "decoder.up"):
        found.add(name, 6, 8, 16, tables=[("w", "shared.weight", 128)])
    assert "weights=128" in found.totals(found.rows())
    assert [row["shared"] for row in found.rows()] == ["shared.weight"] * 2


TOKENS, VECTORS, ROWS = np.zeros((4, 6), np.int64), np.zeros((2, 9, 12), np.float32), np.zeros((18, 12), np.float32)
NUMBERS, IMAGES = np.zeros((4, 7), np.int32), np.zeros((2, 3, 8, 8), np.float32)


@pytest.mark.parametrize(
    ("inputs", "scores", "is_time_first", "known"),
    [
        ([TOKENS], None, False, {"batch": 4, "sequence": 6}),
        # Two inputs of the same shape, such as tokens and labels, agree.
        ([TOKENS, TOKENS, VECTORS], None, False, {"batch": 4, "sequence": 6}),
        ([TOKENS, NUMBERS], None, False, {}),
        # Layers that read the sequence first leave the order open, until attention shows it.
        ([TOKENS], None, True, {}),
        ([TOKENS], 4, True, {"batch": 6, "sequence": 4}),
        ([VECTORS], None, False, {}),
        ([VECTORS], 9, False, {"batch": 2, "sequence": 9}),
        ([VECTORS], 2, True, {"batch": 9, "sequence": 2}),
        # Attention within windows of two tokens.
        ([VECTORS], 2, False, {}),
        ([ROWS], None, False, {}),
        ([3, "text", None], None, False, {}),
    ],
)
def test_inputs_state_batch_and_sequence_if_their_order_is_known(inputs, scores, is_time_first, known):
    found, sizes = Matmuls(), Sizes({})
    if scores:
        found.add("layer.scores", scores, 4, scores, 6)
    sizes.agree(found, inputs, is_time_first)
    assert sizes == known


@pytest.mark.parametrize(
    ("inputs", "stated", "says"),
    [
        ([TOKENS], {}, ["The table is a forward pass (batch 4, sequence 6): for a training step, add --train."]),
        ([ROWS], {}, ["The table is a forward pass: for a training step, add --train.",
                        "The inputs do not show batch and sequence, so dollars per token stay unknown: run again with --size batch=B "
                        "--size sequence=S."]),
        ([ROWS], {"batch": 2}, ["The table is a forward pass (batch 2): for a training step, add --train.",
                                  "The inputs do not show sequence, so dollars per token stay unknown: run again with --size sequence=S."]),
        # Images have no sequence.
        ([IMAGES], {}, ["The table is a forward pass: for a training step, add --train."]),
    ],
)
def test_a_summary_names_the_step_its_sizes_and_the_options_for_others(inputs, stated, says):
    found = Matmuls(Sizes(stated))
    found.add("up", 6, 8, 16)
    found.sizes.agree(found, inputs)
    assert found.summary().splitlines()[:-1] == says
    assert found.summary().splitlines()[-1].startswith("Next, open the table in the page, or run `systolic model --config ")


@pytest.mark.parametrize(
    ("stated", "inputs", "says"),
    [
        ({"batch": 5}, [TOKENS], "--size batch=5, because their batch is 4: leave it out, or change the inputs."),
        ({"batch": 4, "sequence": 5}, [TOKENS], "--size sequence=5, because their sequence is 6: leave it out, or change the inputs."),
        ({"sequence": 5}, [TOKENS, NUMBERS], "--size sequence=5, because their sizes are [4, 6] and [4, 7]: use these sizes, or change "
                                             "the inputs."),
        ({"batch": 5}, [VECTORS], "--size batch=5, because their sizes are [2, 9, 12]: use these sizes, or change the inputs."),
        ({"batch": 4}, [ROWS], "--size batch=4, because they have 18 rows: use sizes whose product is 18, or change the inputs."),
        ({"batch": 0}, [ROWS], "--size batch=0, because they have 18 rows: use sizes whose product is 18, or change the inputs."),
        ({"batch": 3, "sequence": 3}, [ROWS], "--size batch=3 --size sequence=3, because they have 18 rows: use sizes whose product is "
                                              "18, or change the inputs."),
    ],
)
def test_a_size_that_contradicts_the_inputs_is_refused(stated, inputs, says):
    with pytest.raises(Refusal) as refused:
        Sizes(stated).agree(Matmuls(), inputs)
    assert str(refused.value) == f"The inputs contradict {says}"


@pytest.mark.parametrize(
    ("stated", "inputs"),
    [
        ({"batch": 2, "sequence": 9}, [VECTORS]),
        ({"batch": 6}, [ROWS]),
        ({"batch": 2, "sequence": 9}, [ROWS]),
        # The rows of one of several matrices are unknown.
        ({"batch": 5}, [ROWS, TOKENS[0], VECTORS]),
        ({"batch": 5, "sequence": 7}, []),
    ],
)
def test_sizes_that_the_inputs_leave_open_are_believed(stated, inputs):
    sizes = Sizes(stated)
    sizes.agree(Matmuls(), inputs)
    assert sizes == stated


def test_a_size_that_nothing_reads_is_refused_with_the_sizes_that_are_read():
    sizes = Sizes({"foo": 3, "batch": 2})
    with pytest.raises(Refusal, match="--size .* has no effect, because this model reads no size: leave it out."):
        sizes.check_read()
    assert sizes.use("sequence", 8) == 8 and sizes.use("batch", 1) == 2
    with pytest.raises(Refusal) as refused:
        sizes.check_read()
    assert str(refused.value) == ("--size foo=3 has no effect, because this model reads only the sizes batch, sequence: correct the "
                                  "name.")


PYTHON = """
class Model:
    def __init__(self, words, width=8, *, layers):
        pass

class Broken:
    def __init__(self):
        raise TypeError("no width")

def number():
    return 3

def function():
    return number

def build(words):
    return number, words

def unfinished():
    return (lambda weights, tokens, scale=1: weights), {}

WIDTH, _hidden = 8, number()

def helper(width, words=3):
    return width
"""
FILES = {
    "pointer.safetensors": "version https://git-lfs.github.com/spec/v1\noid sha256:1\n",
    "page.onnx": "<!DOCTYPE html><title>Sign in</title>",
    "model.pt": "PK",
    "table.csv": "M,K,N\n",
    "a.yaml": "a: 1\n",
    "a.onnx": "x",
    "b.onnx": "x",
    "m-00002-of-00003.safetensors": "x",
    "m-00001-of-00002.gguf": "x",
    "model.safetensors.index.json": json.dumps({"weight_map": {"a": "model-00001-of-00001.safetensors"}}),
    "model.py": PYTHON,
    "broken.py": "def",
    "lacking.py": "import no_such_package\nModel = 1\n",
    "folder/readme.md": "x",
}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["none.onnx"], "none.onnx does not exist: check the path."),
        (["pointer.safetensors"], "pointer.safetensors is a pointer of Git LFS, not the file: run `git lfs pull`."),
        (["page.onnx"], "page.onnx is a web page, not a model: download the file itself."),
        (["model.pt"], "model.pt is a pickle, which runs code when it is opened: load it in your program, and trace the"),
        (["table.csv"], "table.csv is a table or text, not a model: open it in the page or with `systolic model --config`."),
        (["a.yaml"], "a.yaml is not a model: give a config.json, ONNX, safetensors, GGUF or FILE.py:NAME."),
        (["a.onnx", "b.onnx"], "a.onnx and b.onnx are several inputs: give one model, or all shards of one model."),
        (["a.onnx", "--train"], "--train has no effect for a.onnx, which has only a forward pass: leave it out, or trace the"),
        (["model.py:function", "--decode"], "--decode needs a configuration of transformers: give your own model one token and "
                                            "its cache."),
        (["a.onnx", "--size", "batch=two"], "--size batch=two: use a name and a whole number, such as --size batch=8."),
        (["m-00002-of-00003.safetensors"], "m-00002-of-00003.safetensors is one of 3 shards and has only some layers: give all shards "
                                           "together (missing: m-00001-of-00003.safetensors and others)."),
        (["m-00001-of-00002.gguf"], "(missing: m-00002-of-00002.gguf)."),
        (["model.safetensors.index.json"], "model.safetensors.index.json names the file model-00001-of-00001.safetensors, which does not "
                                           "exist: download all shards."),
        (["folder"], "folder has no config.json, safetensors or GGUF file: give the folder of a model."),
        (["none.py:build"], "none.py does not exist: check the path."),
        (["model.py"], "model.py needs the name of its model: add a module, or a function that returns (model, *inputs), as in "
                       "model.py:unfinished."),
        (["model.py:"], "model.py needs the name of its model: add a module, or a function that returns (model, *inputs), as in "
                        "model.py:unfinished."),
        (["broken.py"], "broken.py is not a program in Python (invalid syntax (<unknown>, line 1)): correct the file."),
        (["lacking.py:Model"], "lacking.py:Model raised ModuleNotFoundError (No module named 'no_such_package'): install the package "
                               "that it names."),
        (["a.onnx", "--input", "8x512"], "--input 8x512: use a type and a shape, such as --input int64:8,512."),
        (["a.onnx", "--input", "8,512"], "a.onnx takes no inputs: give sizes instead, such as --size batch=8."),
        (["model.py:number", "--input", "8,512"], "model.py:number takes no inputs: give sizes instead, such as --size batch=8."),
        (["model.py:Model"], "model.py:Model needs the arguments words, layers: name a function without arguments that returns "
                             "(model, *inputs)."),
        (["model.py:build"], "model.py:build needs the arguments words: name a function without arguments that returns (model, "),
        (["model.py:Broken"], "model.py:Broken raised TypeError (no width): correct the file."),
        (["model.py:unfinished"], "<lambda> lacks the inputs tokens: add a type and a shape for each, as in `--input int64:8,512 "
                                  "--input 8,512,768`, or name a function that returns (model, *inputs)."),
        (["model.py:absent"], "model.py does not define absent: name a module, or a function that returns (model, *inputs), such as "
                              "unfinished."),
        (["model.py:number"], "int is not a model: give a PyTorch module, a function of JAX, or a file."),
    ],
)
def test_a_refusal_names_the_input_and_the_remedy(arguments, says, tmp_path, monkeypatch, capsys):
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert says in printed.err and printed.err.startswith("error: ") and printed.err.count("\n") == 1


def test_an_input_is_a_shape_with_or_without_its_type():
    assert input_of("int64:8,512") == Input((8, 512), "int64")
    assert input_of("8,512,768") == Input((8, 512, 768), "float32")
    for text in ("", "int64", "int3:8", "8,", "-8"):
        with pytest.raises(Refusal, match=f"--input {text}: use a type and a shape"):
            input_of(text)


def test_a_missing_package_is_named_with_its_command():
    with pytest.raises(Refusal, match="A test needs the package no_such_package: run `pip install no_such_package`."):
        need("no_such_package.part", "A test")


def test_a_model_without_matmuls_is_refused():
    with pytest.raises(Refusal, match="The model runs no matmul"):
        str(Matmuls())


def test_a_refusal_is_a_value_error_in_python():
    with pytest.raises(ValueError, match="none.onnx does not exist"):
        matmuls("none.onnx")


def test_the_file_works_alone_and_imports_no_framework():
    program = (f"import sys; sys.path.insert(0, {str(FILE.parent)!r}); import systolic_matmuls; "
               "print(sorted({'torch', 'jax', 'numpy', 'onnx', 'transformers'} & set(sys.modules)))")
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
    alone = subprocess.run([sys.executable, FILE, "none.onnx"], capture_output=True, text=True, check=False)
    within = subprocess.run([sys.executable, "-m", "systolic_playground", "matmuls", "none.onnx"], capture_output=True, text=True,
                            check=False)
    assert alone.stderr == within.stderr == "error: none.onnx does not exist: check the path.\n"
    assert alone.returncode == within.returncode == 1


def test_another_command_of_the_package_is_refused():
    done = subprocess.run([sys.executable, "-m", "systolic_playground", "model"], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "or the command `systolic`" in done.stderr


def test_the_help_says_which_inputs_are_read(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    printed = capsys.readouterr().out
    assert all(word in printed for word in ("Hugging Face", "ONNX", "safetensors", "GGUF", "PyTorch", "JAX"))
    assert systolic_matmuls.VERSION == "1"
