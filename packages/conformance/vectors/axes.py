#!/usr/bin/env python3
"""Writes src/vectors/axes.json: counts over axes that numpy.histogram does not have, or has only in part.

Usage: python3 vectors/axes.py      (numpy, g++ and the headers of Boost.Histogram)

  log, power     edges to 60 digits (decimal), rounded once; counts by NumPy's searchsorted over these edges
  category       NumPy's comparisons, and Boost.Histogram for the integers
  circular       fractions, which are exact; Boost.Histogram where its own arithmetic is exact
  open, infinite NumPy's searchsorted, and Boost.Histogram

Inputs are those of make.py, with `specials` NaN, both infinities and both zeros before them.
"""

import decimal
import json
import math
import pathlib
import re
import subprocess
import tempfile
from fractions import Fraction

import numpy as np

HERE = pathlib.Path(__file__).parent
TYPES = {"u8": np.uint8, "i8": np.int8, "u16": np.uint16, "i16": np.int16,
         "u32": np.uint32, "i32": np.int32, "f32": np.float32, "f64": np.float64}
SPECIALS = [math.nan, math.inf, -math.inf, 0.0, -0.0]
decimal.getcontext().prec = 80


def values(type_, n, seed, shift, mask, offset, scale):
    out = np.empty(n, dtype=np.float64)
    x = seed
    for i in range(n):
        x = (1664525 * x + 1013904223) % 2**32
        out[i] = (float((x >> shift) & mask) - offset) * scale
    if TYPES[type_] in (np.float32, np.float64):
        out = np.concatenate([SPECIALS, out])
    return out.astype(TYPES[type_])


def source(n=2000, seed=1, shift=8, mask=0xFFFF, offset=0.0, scale=1.0):
    return {"n": n, "seed": seed, "shift": shift, "mask": mask, "offset": offset, "scale": scale}


class Boost:
    """The program axes.cc."""

    def __init__(self, folder):
        self.program = pathlib.Path(folder) / "axes"
        subprocess.run(["g++", "-O1", "-std=c++17", HERE / "axes.cc", "-o", self.program], check=True)
        header = pathlib.Path("/usr/include/boost/version.hpp").read_text()
        self.version = re.search(r'BOOST_LIB_VERSION "([^"]+)"', header).group(1).replace("_", ".")

    def cells(self, kind, numbers, samples):
        words = [self.program, kind, *(repr(float(number)) for number in numbers)]
        found = subprocess.run(words, input=samples.astype(np.float64).tobytes(), stdout=subprocess.PIPE, check=True)
        return [int(word) for word in found.stdout.split()]


def vector(name, type_, axis, of, edges, counts, underflow, overflow, nan):
    return {"name": f"{type_}: {name}", "type": type_, "axis": axis, "source": of,
            "edges": [None if math.isinf(edge) else float(edge) for edge in edges], "counts": [int(count) for count in counts],
            "underflow": int(underflow), "overflow": int(overflow), "nan": int(nan)}


def ordered(name, type_, axis, of, edges, closed=True):
    """Counts over ascending edges, by NumPy's searchsorted."""
    a = values(type_, **of)
    nan = np.isnan(a)
    x = a[~nan].astype(np.float64)
    edges = np.asarray(edges, dtype=np.float64)
    above = (x > edges[-1]) if closed else (x >= edges[-1])
    below = x < edges[0]
    at = np.minimum(np.searchsorted(edges, x[~above & ~below], side="right") - 1, len(edges) - 2)
    counts = np.bincount(at, minlength=len(edges) - 1)
    return vector(name, type_, axis, of, edges, counts, below.sum(), above.sum(), nan.sum()), a


def check(name, boost, kind, numbers, samples, one):
    """Boost.Histogram must find the same: its NaN are in overflow."""
    expected = [*one["counts"], one["underflow"], one["overflow"] + one["nan"]]
    found = boost.cells(kind, numbers, samples)
    if found != expected:
        raise SystemExit(f"{name}: Boost.Histogram has {found} and not {expected}")


def spaced(bins, lo, hi, forward, back):
    """Edges that are even in `forward`, each rounded once."""
    first, last = forward(decimal.Decimal(lo)), forward(decimal.Decimal(hi))
    inner = [float(back(first + (last - first) * i / bins)) for i in range(1, bins)]
    return [lo, *inner, hi]


def log_edges(bins, lo, hi):
    return spaced(bins, lo, hi, lambda x: x.ln(), lambda x: x.exp())


def power_edges(bins, lo, hi, p):
    exponent = decimal.Decimal(p)
    raised = lambda x, to: x if x == 0 else (x.ln() * to).exp()
    return spaced(bins, lo, hi, lambda x: raised(x, exponent), lambda x: raised(x, 1 / exponent))


def logs(boost):
    for type_, bins, lo, hi, of in [
        ("f64", 30, 1e-3, 1e3, source(scale=0.05)),
        ("f32", 30, 1e-3, 1e3, source(scale=0.05)),
        ("f64", 7, 0.1, 0.7, source(scale=2.0**-16)),
        ("f64", 64, 5e-324, 1.7976931348623157e308, source(scale=1e-300)),
        ("u8", 8, 1.0, 256.0, source(mask=255)),
        ("u16", 20, 0.5, 65535.0, source()),
        ("i32", 12, 3.0, 4e9, source(shift=0, mask=0xFFFFFFFF, offset=2.0**31)),
    ]:
        edges = log_edges(bins, lo, hi)
        apart = np.abs(np.geomspace(lo, hi, bins + 1) - edges)
        if not (apart <= 1e-12 * np.array(edges)).all():
            raise SystemExit(f"log: numpy.geomspace({lo}, {hi}) is elsewhere")
        one, _ = ordered(f"log of {bins} bins over [{lo}, {hi}]", type_, {"log": [bins, lo, hi]}, of, edges)
        yield one
    # Boost compares logarithms and not edges, so these samples stay away from the edges.
    one, a = ordered("log of integers", "u16", {"log": [10, 0.7, 716.8]}, source(mask=511), log_edges(10, 0.7, 716.8))
    check("log", boost, "log", [10, 0.7, 716.8], a, one)
    yield one


def powers(boost):
    for type_, bins, lo, hi, p, of in [
        ("f64", 16, 0.0, 16.0, 0.5, source(mask=0xFFFF, scale=2.0**-12)),
        ("f32", 10, 0.0, 1.0, 2.0, source(scale=2.0**-16)),
        ("f64", 10, 0.25, 100.0, -1.0, source(scale=0.002)),
        ("f64", 9, 0.1, 50.0, 0.3, source(scale=0.001)),
        ("f64", 5, 1e-200, 1e200, 0.01, source(scale=1e195)),
        ("u16", 64, 0.0, 65535.0, 1 / 2.2, source()),
        ("u32", 12, 10.0, 4e9, 3.0, source(shift=0, mask=0xFFFFFFFF)),
    ]:
        edges = power_edges(bins, lo, hi, p)
        one, _ = ordered(f"power {p} of {bins} bins over [{lo}, {hi}]", type_, {"power": [bins, lo, hi, p]}, of, edges)
        yield one
    one, a = ordered("power of integers", "u16", {"power": [6, 0.5, 72.5, 0.5]}, source(mask=63), power_edges(6, 0.5, 72.5, 0.5))
    check("power", boost, "power", [6, 0.5, 72.5, 0.5], a, one)
    yield one


def ends(boost):
    axis = {"type": "regular", "bins": 8, "lo": 0, "hi": 8, "closed": False}
    for type_ in ("f64", "f32", "i16", "u32"):
        one, a = ordered("regular, open", type_, axis, source(mask=63, offset=16.0, scale=0.25), np.arange(9), closed=False)
        check("open", boost, "regular", [8, 0, 8], a, one)
        yield one
    edges = [-1.5, 0.0, 0.1, 2.0, 3.0]
    for type_ in ("f64", "f32", "i8", "i32"):
        of = source(mask=63, offset=16.0, scale=0.1 if type_[0] == "f" else 1.0)
        one, a = ordered("variable, open", type_, {"type": "variable", "edges": edges, "closed": False}, of, edges, closed=False)
        check("open", boost, "variable", edges, a, one)
        yield one
    for inner, closed in [([0.0], True), ([-1.0, 0.5, 1.0], False), ([-1e300, 1e300], True)]:
        infinite = [-math.inf, *inner, math.inf]
        axis = {"type": "variable", "edges": [None, *inner, None], **({} if closed else {"closed": False})}
        for type_ in ("f64", "f32", "u8", "i16", "i32"):
            one, a = ordered(f"variable of {len(inner) + 1} bins, infinite{'' if closed else ', open'}", type_, axis,
                             source(mask=63, offset=0.0 if type_[0] == "u" else 16.0, scale=1.0 if type_[0] != "f" else 0.125), infinite, closed)
            if not closed:
                check("infinite", boost, "variable", infinite, a, one)
            yield one
    half = [0.0, 10.0, math.inf]
    one, _ = ordered("variable, one infinite end", "f32", {"type": "variable", "edges": [0, 10, None]}, source(mask=63, offset=16.0), half)
    yield one


def categories(boost):
    for type_, listed, of in [
        ("u8", [7, 3, 4, 250, 0], source(mask=255)),
        ("i8", [-128, -1, 0, 127], source(mask=255, offset=128.0)),
        ("u16", [9, 1, 5, 60000, 65535, 65534], source(mask=15)),
        ("i16", [4, -4, 3, -3, 0], source(mask=15, offset=8.0)),
        ("u32", [2, 0, 4294967295, 7], source(mask=7)),
        ("i32", list(range(-3, 9)), source(mask=31, offset=16.0)),
        ("i32", [5, -2147483648, 11, 2147483647], source(mask=15)),
        ("f32", [0, 3, -2, 16777217], source(mask=15, offset=4.0, scale=0.5)),
        ("f64", [1, 0, -1, 9007199254740991], source(mask=15, offset=4.0, scale=0.5)),
        ("u8", [300, -1], source(mask=255)),
    ]:
        a = values(type_, **of)
        counts = [(a.astype(np.float64) == value).sum() for value in listed]
        one = vector(f"category of {len(listed)} integers", type_, {"type": "category", "values": listed}, of,
                     range(len(listed) + 1), counts, 0, len(a) - sum(counts), 0)
        if type_ in ("u8", "i8", "u16", "i16", "i32"):
            check("category", boost, "category", listed, a, one)
        yield one
    words = ["red", "green", "blue"]
    a = values("u16", **source(mask=3))
    counts = [(a == i).sum() for i in range(3)]
    yield vector("category of strings", "u16", {"type": "category", "values": words}, source(mask=3), range(4),
                 counts, 0, len(a) - sum(counts), 0)


def booleans(boost):
    for type_, of in [("u8", source(mask=3)), ("i8", source(mask=3, offset=2.0)), ("u16", source(mask=1)), ("i32", source(mask=7, offset=3.0)),
                      ("f32", source(mask=7, offset=3.0, scale=2.0**-149)), ("f64", source(mask=7, offset=3.0, scale=5e-324))]:
        a = values(type_, **of)
        true = (a != 0) & ~np.isnan(a)
        one = vector("boolean", type_, {"type": "boolean"}, of, range(3), [(a == 0).sum(), true.sum()], 0, 0, np.isnan(a).sum())
        if type_ == "u16":
            check("boolean", boost, "boolean", [0, 1], a, one)
        yield one


def circulars(boost):
    for name, type_, bins, lo, hi, of, by_boost in [
        ("hours of seconds", "u32", 24, 0, 86400, source(shift=0, mask=0xFFFFFFFF), False),
        ("directions", "i16", 16, 0, 360, source(offset=32768.0), False),
        ("directions from north", "f64", 8, -22.5, 337.5, source(offset=32768.0, scale=0.25), True),
        ("directions from north", "f32", 8, -22.5, 337.5, source(offset=32768.0, scale=0.25), True),
        ("eighths of a byte", "u8", 8, 0, 256, source(mask=255), True),
        ("a period of no integers", "u8", 5, 0, 12.5, source(mask=255), False),
        ("a period of no integers", "i32", 7, -1.75, 1.5, source(shift=0, mask=0xFFFFFFFF, offset=2.0**31), False),
        ("angles", "f64", 12, -math.pi, math.pi, source(offset=32768.0, scale=0.001), False),
        ("angles", "f32", 12, 0, 2 * math.pi, source(offset=32768.0, scale=0.001), False),
        ("angles on the edges", "f64", 6, 0, 2 * math.pi, source(mask=63, offset=32.0, scale=math.pi / 3), False),
        ("tenths far away", "f64", 3, 0.1, 0.7, source(offset=32768.0, scale=1e10), False),
        ("one bin", "i8", 1, 0, 3, source(mask=255, offset=128.0), False),
        ("more bins than values", "u16", 1000, 5, 12, source(), False),
    ]:
        a = values(type_, **of)
        step = (hi - lo) / bins
        edges = [*(lo + i * step for i in range(bins)), hi]
        period = Fraction(hi - lo)
        counts = [0] * bins
        outside = {math.inf: 0, -math.inf: 0}
        for x in a.tolist():
            if math.isnan(x):
                continue
            if math.isinf(x):
                outside[x] += 1
                continue
            from_lo = (Fraction(x) - Fraction(edges[0])) % period
            counts[max(i for i in range(bins) if Fraction(edges[i]) - Fraction(edges[0]) <= from_lo)] += 1
        axis = {"type": "circular", "bins": bins, "lo": lo, "hi": hi}
        one = vector(f"circular, {name}", type_, axis, of, edges, counts, outside[-math.inf], outside[math.inf], np.isnan(a).sum())
        if by_boost:
            found = boost.cells("circular", [bins, lo, hi], a)
            everything = [*counts, 0, len(a) - sum(counts)]
            if found != everything:
                raise SystemExit(f"{name}: Boost.Histogram has {found} and not {everything}")
        yield one


def main():
    with tempfile.TemporaryDirectory() as folder:
        boost = Boost(folder)
        makers = [logs, powers, ends, categories, booleans, circulars]
        vectors = [one for maker in makers for one in maker(boost)]
    path = HERE.parent / "src" / "vectors" / "axes.json"
    lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in vectors)
    path.write_text(f'{{"numpy":"{np.__version__}","boost":"{boost.version}","vectors":[\n{lines}\n]}}\n')
    print(f"{len(vectors)} vectors, {path.stat().st_size} bytes")


main()
