#!/usr/bin/env python3
"""Writes joint-f32.json: counts of f32 columns by numpy.histogram and numpy.histogramdd, whose edges differ.

Usage: python3 test/vectors/joint-f32.py      (numpy)

numpy.histogram rounds the edges of a given range to f32, the type of the samples. numpy.histogramdd leaves them in f64.
Both space the edges of the data's own range in f32.
"""

import json
import pathlib

import numpy as np

HERE = pathlib.Path(__file__).parent
X = np.array([k / 20 for k in range(-3, 25)], dtype=np.float32)
Y = np.array([(k * 7 % 28) / 10 for k in range(28)], dtype=np.float32)

CASES = [([10, 7], [(0, 1), (0.1, 0.8)]), ([20, 3], [(0, 1), (-1, 2)]), ([6, 14], [(0.1, 0.7), (0, 1.4)])]


def case(bins, ranges):
    columns = [X, Y]
    rounded = [np.histogram_bin_edges(*of) for of in zip(columns, bins, ranges)]
    assert all(edges.dtype == np.float32 for edges in rounded)
    wide, edges = np.histogramdd(columns, bins=bins, range=ranges)
    assert all(own.dtype == np.float64 for own in edges)
    found, own = np.histogramdd(columns, bins=bins)
    assert all(each.dtype == np.float32 for each in own)
    return {
        "bins": bins,
        "ranges": ranges,
        "histogram": [np.histogram(*of)[0].tolist() for of in zip(columns, bins, ranges)],
        "rounded": np.histogramdd(columns, bins=rounded)[0].astype(int).ravel().tolist(),
        "edges": [each.tolist() for each in edges],
        "histogramdd": wide.astype(int).ravel().tolist(),
        "data": found.astype(int).ravel().tolist(),
    }


cases = [case(*of) for of in CASES]
assert any(one["rounded"] != one["histogramdd"] for one in cases)
lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in cases)
columns = json.dumps([X.tolist(), Y.tolist()], separators=(",", ":"))
(HERE / "joint-f32.json").write_text(f'{{"numpy":"{np.__version__}","columns":{columns},"cases":[\n{lines}\n]}}\n')
