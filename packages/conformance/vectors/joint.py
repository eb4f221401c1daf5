#!/usr/bin/env python3
"""Writes src/vectors/joint.json: cells of numpy.histogramdd and Boost.Histogram, flow included.

Usage: python3 vectors/joint.py      (numpy, g++ and the headers of Boost.Histogram)

Sample i of a column is values[(x >> 8) % len(values)], where x runs through x = (1664525 x + 1013904223) mod 2^32 from
the seed on (src/vectors/joint-input.ts is the same). JSON has no NaN and infinity, so they are strings.

NumPy has no flow. Its edges get -inf, the next number after the last edge (which makes the last bin closed) and inf,
and rows with the same columns of NaN are counted by calls of their own. Cells are row-major, and the codes along an axis
are its bins, underflow, overflow and NaN.
"""

import itertools
import json
import pathlib
import subprocess
import tempfile

import numpy as np

HERE = pathlib.Path(__file__).parent
TYPES = {"u8": np.uint8, "i8": np.int8, "u16": np.uint16, "i16": np.int16,
         "u32": np.uint32, "i32": np.int32, "f32": np.float32, "f64": np.float64}
BOOST = HERE / "joint.cc"


def samples(column, n):
    values = [float(value) for value in column["values"]]
    x = column["seed"]
    out = np.empty(n)
    for i in range(n):
        x = (1664525 * x + 1013904223) % 2**32
        out[i] = values[(x >> 8) % len(values)]
    return out.astype(TYPES[column["type"]])


def edges(axis, column):
    kind = axis["type"]
    if kind == "variable":
        return np.array([float(edge) for edge in axis["edges"]])
    if kind == "integer":
        return np.arange(axis["start"], axis["stop"] + 1, dtype=np.float64)
    ends = (axis["lo"], axis["hi"])
    return np.histogram_bin_edges(column, axis["bins"], ends).astype(np.float64)


def padded(axis, own):
    """The bins as half-open ones, between those of underflow and overflow, unless the ends are infinite."""
    closed = axis["type"] != "integer" and axis.get("closed", True)
    last = np.nextafter(own[-1], np.inf) if closed else own[-1]
    below = [-np.inf] if own[0] > -np.inf else []
    above = [np.inf] if last < np.inf else []
    return np.array([*below, *own[:-1], last, *above])


def by_code(counts, axis, own):
    """Moves underflow behind the bins of an axis."""
    bins = len(own) - 1
    first = 1 if own[0] > -np.inf else 0
    empty = np.zeros_like(np.take(counts, [0], axis))
    below = np.take(counts, [0], axis) if first else empty
    above = np.take(counts, [first + bins], axis) if counts.shape[axis] > first + bins else empty
    return np.concatenate([np.take(counts, range(first, first + bins), axis), below, above], axis)


def numpy_cells(axes, columns):
    own = [edges(axis, column) for axis, column in zip(axes, columns)]
    shape = [len(each) + 2 for each in own]
    cells = np.zeros(shape, dtype=np.int64)
    wide = np.stack([column.astype(np.float64) for column in columns], axis=1)
    for missing in itertools.product([False, True], repeat=len(axes)):
        rows = np.all(np.isnan(wide) == missing, axis=1)
        found = [k for k, is_nan in enumerate(missing) if not is_nan]
        if not found:
            cells[tuple(size - 1 for size in shape)] += rows.sum()
            continue
        counts, _ = np.histogramdd(wide[rows][:, found], bins=[padded(axes[k], own[k]) for k in found])
        for i, k in enumerate(found):
            counts = by_code(counts, i, own[k])
        into = tuple(slice(0, shape[k] - 1) if k in found else shape[k] - 1 for k in range(len(axes)))
        cells[into] += counts.astype(np.int64)
    assert cells.sum() == len(wide)
    if all(axis["type"] != "integer" and axis.get("closed", True) for axis in axes):
        plain, _ = np.histogramdd(wide[~np.isnan(wide).any(axis=1)], bins=own)
        assert np.array_equal(plain, cells[tuple(slice(0, len(each) - 1) for each in own)])
    return {"edges": [[repr(float(edge)) if np.isinf(edge) else float(edge) for edge in each] for each in own],
            "cells": cells.ravel().tolist()}


def words(axis):
    kind = axis["type"]
    if kind in ("regular", "circular"):
        return [kind, axis["bins"], axis["lo"], axis["hi"]]
    if kind == "integer":
        return [kind, axis["start"], axis["stop"]]
    listed = {"variable": "edges", "category": "values"}.get(kind)
    return [kind] if listed is None else [kind, len(axis[listed]), *axis[listed]]


def boost_cells(program, axes, columns, weights=()):
    rows = np.stack([column.astype(np.float64) for column in columns], axis=1)
    given = [len(axes), *itertools.chain(*map(words, axes)), len(rows), *(repr(float(x)) for x in rows.ravel()),
             len(weights), *(repr(float(x)) for x in weights)]
    out = subprocess.run([program], input=" ".join(map(str, given)), text=True, check=True, capture_output=True)
    numbers = [float(word) for word in out.stdout.split()]
    extents = [int(number) for number in numbers[:len(axes)]]
    rest = np.array(numbers[len(axes):])
    if len(weights) == 0:
        return {"extents": extents, "cells": whole(rest)}
    cells = int(np.prod(extents))
    sums, profile = rest[:2 * cells].reshape(cells, 2), rest[2 * cells:].reshape(cells, 3)
    return {"extents": extents, "cells": whole(profile[:, 0]), "sums": whole(sums[:, 0]), "squares": whole(sums[:, 1]),
            # Cells with fewer than two samples have no variance, and Boost divides 0 by 0 or -1.
            "means": [mean if count > 0 else None for count, mean, _ in profile],
            "variances": [variance if count > 1 else None for count, _, variance in profile]}


def whole(numbers):
    """Whole numbers without a fraction, for shorter JSON."""
    return [int(number) if number == int(number) else float(number) for number in numbers]


def numpy_sums(axes, columns, weights):
    """Sums of weights and of their squares in the bins."""
    rows = np.stack([column.astype(np.float64) for column in columns], axis=1)
    own = [edges(axis, column) for axis, column in zip(axes, columns)]
    of = lambda each: np.histogramdd(rows, bins=own, weights=each)[0].ravel()
    return {"sums": whole(of(weights)), "squares": whole(of(weights**2))}


def regular(bins, lo, hi, **more):
    return {"type": "regular", "bins": bins, "lo": lo, "hi": hi, **more}


def variable(*own, **more):
    return {"type": "variable", "edges": list(own), **more}


def integer(start, stop):
    return {"type": "integer", "start": start, "stop": stop}


def column(type_, seed, *values):
    return {"type": type_, "seed": seed, "values": list(values)}


ODD = ["nan", "inf", "-inf"]
TENTHS = [k / 10 for k in range(-3, 14)]
EIGHTHS = [k / 8 for k in range(-4, 21)]
BYTES = [0, 1, 7, 8, 127, 128, 200, 254, 255]
SIGNED = [-128, -5, -1, 0, 1, 4, 5, 127]
SHORTS = [0, 1, 255, 256, 1000, 32767, 32768, 65535]
LONGS = [0, 1, 2**31, 2**32 - 1, 12345, 12346]

NUMPY = [
    ("f64 x f64, tenths on edges", 600, [column("f64", 1, *TENTHS), column("f64", 2, *TENTHS)],
     [regular(10, 0, 1), regular(7, 0.1, 0.8)]),
    ("f64 x f64, NaN and infinities", 500, [column("f64", 3, *TENTHS, *ODD), column("f64", 4, *EIGHTHS, *ODD)],
     [regular(5, 0, 1), variable(-0.25, 0, 0.7, 1.5)]),
    ("f32 x f64, edges rounded to f32", 500, [column("f32", 5, *TENTHS, *ODD), column("f64", 6, *TENTHS, *ODD)],
     [regular(6, 0.1, 0.7), regular(6, 0.1, 0.7)]),
    ("f32 x f32, open last bins", 400, [column("f32", 7, *EIGHTHS, "nan"), column("f32", 8, *EIGHTHS)],
     [regular(8, 0, 1, closed=False), variable(0, 0.5, 1, 2.5, closed=False)]),
    ("u8 x u8", 700, [column("u8", 9, *BYTES), column("u8", 10, *range(256))],
     [regular(16, 0, 256), integer(100, 120)]),
    ("u8 x i8, edges between values", 400, [column("u8", 11, *BYTES), column("i8", 12, *SIGNED)],
     [variable(0.5, 7.5, 128, 254.5), regular(4, -8, 5)]),
    ("u16 x i16", 400, [column("u16", 13, *SHORTS), column("i16", 14, *SIGNED, -32768, 32767)],
     [regular(4, 0, 65536), integer(-5, 6)]),
    ("u32 x i32", 400, [column("u32", 15, *LONGS), column("i32", 16, *SIGNED, -2**31, 2**31 - 1)],
     [variable(1, 12346, 2**31, 2**32), regular(5, -5, 5)]),
    ("infinite ends", 300, [column("f64", 17, *TENTHS, *ODD), column("i16", 18, *SIGNED)],
     [variable("-inf", 0, 0.5, "inf"), variable("-inf", 0, "inf")]),
    ("one row", 1, [column("f32", 19, 0.5), column("u8", 20, 3)], [regular(2, 0, 1), integer(0, 4)]),
    ("f32 x u8 x i16", 600, [column("f32", 21, *TENTHS, *ODD), column("u8", 22, *BYTES), column("i16", 23, *SIGNED)],
     [regular(4, 0, 1), regular(4, 0, 256), integer(-1, 3)]),
    ("u8 x u8 x u8, colours", 900, [column("u8", 24, *range(256)), column("u8", 25, *range(256)), column("u8", 26, *range(256))],
     [regular(6, 0, 256), regular(4, 0, 256), regular(5, 0, 256)]),
    ("f64 x f32 x f64, NaN in each", 800, [column("f64", 27, *EIGHTHS, *ODD), column("f32", 28, *TENTHS, *ODD), column("f64", 29, *TENTHS, *ODD)],
     [variable(0, 1), regular(2, 0, 1), variable(-0.1, 0.3, 1.3)]),
    ("four columns", 900, [column("u8", 30, *BYTES), column("f32", 31, *TENTHS, "nan"), column("i32", 32, *SIGNED), column("f64", 33, *EIGHTHS, *ODD)],
     [integer(0, 2), regular(2, 0, 1), variable(-1, 0, 5), regular(3, 0, 1.5)]),
]

BOOST_VECTORS = [
    ("regular x regular", 500, [column("f64", 41, *EIGHTHS, *ODD), column("f32", 42, *EIGHTHS, *ODD)],
     [regular(8, 0, 1), regular(4, -0.5, 1.5)]),
    ("regular x variable x integer", 700, [column("f32", 43, *EIGHTHS, "nan"), column("f64", 44, *TENTHS, *ODD), column("i16", 45, *SIGNED)],
     [regular(4, 0, 2), variable(0.1, 0.3, 1.2), integer(-1, 5)]),
    ("category x boolean", 400, [column("i32", 46, *SIGNED), column("u8", 47, 0, 1, 2, 255)],
     [{"type": "category", "values": [5, -1, 127]}, {"type": "boolean"}]),
    ("circular x category", 500, [column("i16", 48, -25, -24, -1, 0, 5, 6, 23, 24, 30, 1000), column("u8", 49, *BYTES)],
     [{"type": "circular", "bins": 4, "lo": 0, "hi": 24}, {"type": "category", "values": [255, 0]}]),
    ("four axes", 900, [column("u8", 50, *BYTES), column("f32", 51, *EIGHTHS, *ODD), column("i8", 52, *SIGNED), column("f64", 53, *EIGHTHS, *ODD)],
     [integer(0, 3), regular(2, 0, 1), {"type": "category", "values": [4, 5]}, variable(0, 0.5, 2)]),
]


# Sums of eighths are exact in any order.
WEIGHTS = [k / 8 for k in range(-9, 30, 3)]

WEIGHTED = [
    ("numpy", "weights over two columns", 500, [column("f64", 61, *TENTHS), column("u8", 62, *BYTES)],
     [regular(5, 0, 1), regular(4, 0, 256)]),
    ("boost", "weights and a profile", 400, [column("f64", 63, *EIGHTHS, *ODD), column("i16", 64, *SIGNED)],
     [regular(4, 0, 1), integer(-1, 3)]),
    ("boost", "weights and a profile of three columns", 700,
     [column("f32", 65, *EIGHTHS, "nan"), column("u8", 66, *BYTES), column("i32", 67, *SIGNED)],
     [variable(0, 0.5, 2), integer(0, 3), {"type": "category", "values": [5, -1]}]),
]


def boost_version():
    out = subprocess.run(["g++", "-E", "-P", "-include", "boost/version.hpp", "-x", "c++", "-"], input="BOOST_LIB_VERSION",
                         text=True, check=True, capture_output=True)
    return out.stdout.strip().strip('"').replace("_", ".")


def main():
    vectors, weighted = [], []
    for name, n, columns, axes in NUMPY:
        found = numpy_cells(axes, [samples(one, n) for one in columns])
        vectors.append({"name": name, "by": "numpy", "n": n, "columns": columns, "axes": axes, **found})
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "boost"
        subprocess.run(["g++", "-std=c++17", "-O1", "-o", program, BOOST], check=True)
        for name, n, columns, axes in BOOST_VECTORS:
            found = boost_cells(program, axes, [samples(one, n) for one in columns])
            vectors.append({"name": name, "by": "boost", "n": n, "columns": columns, "axes": axes, **found})
        for by, name, n, columns, axes in WEIGHTED:
            given = column("f64", 60, *WEIGHTS)
            own, weights = [samples(one, n) for one in columns], samples(given, n)
            found = numpy_sums(axes, own, weights) if by == "numpy" else boost_cells(program, axes, own, weights)
            weighted.append({"name": name, "by": by, "n": n, "columns": columns, "axes": axes, "weights": given, **found})
    lines = lambda of: ",\n".join(json.dumps(vector, separators=(",", ":")) for vector in of)
    text = (f'{{"numpy":"{np.__version__}","boost":"{boost_version()}","vectors":[\n{lines(vectors)}\n],"weighted":[\n'
            f'{lines(weighted)}\n]}}\n')
    (HERE.parent / "src/vectors/joint.json").write_text(text)


main()
