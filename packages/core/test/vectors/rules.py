#!/usr/bin/env python3
"""Writes rules.json: the numbers of bins that numpy.histogram_bin_edges picks, for inputs that the test generates too.

Usage: python3 test/vectors/rules.py      (numpy and nothing else)

An input is n values, each the sum of `terms` numbers ((x >> 8) & mask) - offset, times scale, cast to the type, where x
runs through x = (1664525 x + 1013904223) mod 2^32 from the seed on.
"""

import json
import pathlib
import warnings

import numpy as np

warnings.simplefilter("ignore")
TYPES = {"u8": np.uint8, "i8": np.int8, "u16": np.uint16, "i16": np.int16,
         "u32": np.uint32, "i32": np.int32, "f32": np.float32, "f64": np.float64}
RULES = ["auto", "doane", "fd", "rice", "scott", "sqrt", "sturges"]


def values(type_, n, seed, mask, offset, scale, terms):
    out = np.empty(n, dtype=np.float64)
    x = seed
    for i in range(n):
        sum_ = 0.0
        for _ in range(terms):
            x = (1664525 * x + 1013904223) % 2**32
            sum_ += float((x >> 8) & mask) - offset
        out[i] = sum_ * scale
    return out.astype(TYPES[type_])


def main():
    vectors = []
    for type_ in TYPES:
        top = {"u8": 31, "i8": 15, "u16": 4095, "i16": 2047}.get(type_, 255)
        offset = 0.0 if type_[0] == "u" else 20.0
        for n, terms, mask, range_ in [(1, 1, top, None), (2, 3, top, None), (9, 3, top, None), (130, 4, top, None), (1000, 4, top, None),
                                       (1000, 1, 3, None), (500, 1, 0, None), (5003, 6, top, None), (777, 4, top, (0.5, 30.25)), (40, 1, top, (-9, -8)), (0, 1, top, None)]:
            source = {"n": n, "seed": n + 1, "mask": mask, "offset": offset, "scale": 1 / 3 if type_[0] == "f" and mask > 0 else 1.0, "terms": terms}
            a = values(type_, **source)
            bins = {rule: len(np.histogram_bin_edges(a, bins=rule, range=range_)) - 1 for rule in RULES}
            vectors.append({"type": type_, "source": source, "range": range_, "bins": bins})
    path = pathlib.Path(__file__).parent / "rules.json"
    lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in vectors)
    path.write_text(f'{{"numpy":"{np.__version__}","vectors":[\n{lines}\n]}}\n')
    print(f"{len(vectors)} vectors, {path.stat().st_size} bytes")


main()
