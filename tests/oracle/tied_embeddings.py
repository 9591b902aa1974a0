"""Writes tests/golden/tied_embeddings.csv: families whose output head uses the embedding table by default.

    tied_embeddings.py GOLDEN

The families are those in docs/files.md. Kimi K2 has the configuration of DeepSeek-V3. Needs Python with transformers.
"""

import sys
from pathlib import Path

from transformers import AutoConfig
from transformers import __version__ as version

ROOT = Path(__file__).resolve().parents[2]
FAMILIES = (ROOT / "docs" / "files.md").read_text().split("```families")[1].split("```")[0].split()


def is_tied(family):
    config = AutoConfig.for_model("deepseek_v3" if family == "kimi_k2" else family)
    if not hasattr(config, "tie_word_embeddings"):
        # The configuration of the whole model has this key.
        config = AutoConfig.for_model(family.removesuffix("_text"))
    return config.tie_word_embeddings


with open(Path(sys.argv[1]) / "tied_embeddings.csv", "w", encoding="ascii") as out:
    out.write(f"# By transformers {version}: tests/oracle/tied_embeddings.py\nfamily,tied\n")
    for family in FAMILIES:
        out.write(f"{family},{str(is_tied(family)).lower()}\n")
