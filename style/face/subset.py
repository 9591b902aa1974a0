"""Makes the two files of the text face from Inter 3.19 (https://github.com/rsms/inter): a subset with tabular figures.

    python3 subset.py FOLDER     FOLDER has Inter-Regular.otf and Inter-SemiBold.otf

Needs fontTools with brotli. The subset has the printable ASCII characters and the other characters that the page
writes. A character outside the subset appears in the next font of the style sheet.
"""

import pathlib
import sys

from fontTools import subset
from fontTools.ttLib import TTFont

OTHERS = "§°±²³µ·¹¼½×é÷Σδσᵀ–—‖‘’“”…‹›⁰⁴⁵⁶⁷⁸⁹⁻ⁿ₁₂₃⅓←↑→↓↗↘⇥−√∞≈≠≤≥⋯⌈⌉✓\u00a0\u202f"
FACES = {"Inter-Regular.otf": "regular.woff2", "Inter-SemiBold.otf": "semibold.woff2"}


def tabular(font):
    """Returns the glyph with the common width for each glyph that has such a variant."""
    table = font["GSUB"].table
    records = [one for one in table.FeatureList.FeatureRecord if one.FeatureTag == "tnum"]
    lookups = {index for one in records for index in one.Feature.LookupListIndex}
    names = {}
    for index in lookups:
        for sub in table.LookupList.Lookup[index].SubTable:
            names.update(getattr(sub, "ExtSubTable", sub).mapping)
    return names


def align(font):
    """Gives each digit the width of the digit 0: in the semibold font, the 4 is narrower by 3 of 2816 units."""
    digits = [font.getBestCmap()[ord(digit)] for digit in "0123456789"]
    width = font["hmtx"][digits[0]][0]
    for name in digits:
        font["hmtx"][name] = (width, font["hmtx"][name][1])


def make(source, target):
    font = TTFont(source)
    names = tabular(font)
    # Only figures and signs: a period or a comma with the width of a digit would tear the text apart.
    for table in font["cmap"].tables:
        for code, name in table.cmap.items():
            if chr(code) in "0123456789+−×=≈<>" and name in names:
                table.cmap[code] = names[name]
    align(font)
    options = subset.Options()
    options.flavor = "woff2"
    options.layout_features = ["kern", "ccmp", "case"]
    # The copyright and the license stay in the file.
    options.name_IDs = [0, 1, 2, 5, 13, 14]
    options.desubroutinize = True
    made = subset.Subsetter(options)
    made.populate(unicodes=[*range(32, 127), *map(ord, OTHERS)])
    made.subset(font)
    font.flavor = "woff2"
    font.save(target)


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    for source, target in FACES.items():
        make(folder / source, pathlib.Path(__file__).with_name(target))
