#!/usr/bin/env python3
"""Writes src/vectors/numpy.json: results of numpy.histogram for inputs that this script and the suite both generate.

Usage: python3 vectors/make.py      (numpy and nothing else)

An input is n values (k - offset) * scale, cast to the type, where k = (x >> shift) & mask and
x runs through x = (1664525 x + 1013904223) mod 2^32 from the seed on (src/vectors/input.ts is the same).
"""

import json
import pathlib

import numpy as np

TYPES = {"u8": np.uint8, "i8": np.int8, "u16": np.uint16, "i16": np.int16,
         "u32": np.uint32, "i32": np.int32, "f32": np.float32, "f64": np.float64}


def values(type_, n, seed, shift, mask, offset, scale):
    out = np.empty(n, dtype=np.float64)
    x = seed
    for i in range(n):
        x = (1664525 * x + 1013904223) % 2**32
        out[i] = (float((x >> shift) & mask) - offset) * scale
    return out.astype(TYPES[type_])


def vector(name, type_, bins=10, range_=None, edges=None, n=2000, seed=1,
           shift=8, mask=0xFFFF, offset=0.0, scale=1.0):
    source = {"n": n, "seed": seed, "shift": shift, "mask": mask, "offset": offset, "scale": scale}
    a = values(type_, **source)
    counts, found = np.histogram(a, bins=bins if edges is None else np.array(edges, dtype=np.float64), range=range_)
    # NumPy corrects its own guess by at most one bin. Inputs with a larger error prove nothing.
    direct = np.searchsorted(found[:-1], a, side="right") - 1
    inside = (a >= found[0]) & (a <= found[-1])
    again = np.bincount(np.minimum(direct[inside], len(counts) - 1), minlength=len(counts))
    if not np.array_equal(counts, again):
        raise SystemExit(f"{name}: numpy.histogram does not follow its own edges")
    return {"name": name, "type": type_, "source": source,
            **({"axis": "edges"} if edges is not None else {"axis": "range", "range": list(range_)} if range_ else {"axis": "data"}),
            "edges": [float(edge) for edge in found], "counts": [int(count) for count in counts],
            "underflow": int((a < found[0]).sum()), "overflow": int((a > found[-1]).sum())}


def floats(type_):
    label = lambda text: f"{type_}: {text}"
    yield vector(label("tenths on the edges of [0, 10]"), type_, 100, (0, 10), mask=127, scale=0.1)
    yield vector(label("hundredths on the edges of [0, 1]"), type_, 100, (0, 1), mask=127, scale=0.01)
    yield vector(label("tenths, six bins of [0.1, 0.7]"), type_, 6, (0.1, 0.7), mask=7, scale=0.1)
    yield vector(label("thirds, three bins of [0, 1]"), type_, 3, (0, 1), mask=3, scale=1 / 3)
    yield vector(label("sevenths, both signs"), type_, 49, (-3.5, 3.5), mask=63, offset=31, scale=1 / 7)
    yield vector(label("256 bins of [0.1, 0.9]"), type_, 256, (0.1, 0.9), scale=2.0**-16)
    yield vector(label("one bin"), type_, 1, (0.25, 0.75), scale=2.0**-16)
    yield vector(label("1000 bins of a small range"), type_, 1000, (1.0, 1.001), offset=-2.0**16, scale=2.0**-16)
    yield vector(label("the data's own range"), type_, 50, offset=1000, scale=0.001)
    yield vector(label("the data's own range, 256 bins"), type_, 256, seed=7, offset=30000, scale=0.1)
    yield vector(label("the data's own range, 7 bins of tenths"), type_, 7, seed=3, mask=127, scale=0.1)
    yield vector(label("one value"), type_, 10, mask=0, offset=-4.2)
    yield vector(label("one value, zero"), type_, 3, mask=0)
    yield vector(label("one large value"), type_, 10, mask=0, offset=-123456.7)
    yield vector(label("no value"), type_, 10, n=0)
    yield vector(label("explicit edges"), type_, edges=[0.1, 0.2, 0.30000000000000004, 0.7, 1, 5.5], mask=127, scale=0.1)
    yield vector(label("explicit edges past the values"), type_, edges=[-1e30, -1, 0, 1e-30, 1e30], offset=32768)


def integers(type_):
    """The range of the data: the default for 32-bit types, and range: "data" for smaller types."""
    label = lambda text: f"{type_}: {text}"
    info = np.iinfo(TYPES[type_])
    yield vector(label("the data's own range"), type_, 10, mask=63)
    yield vector(label("the data's own range, more bins than values"), type_, 256, seed=5, mask=31, offset=-7.0)
    yield vector(label("the data's own range, a bin a value and one less"), type_, 99, n=5000, mask=127, offset=27.0 if info.min < 0 else 0.0)
    yield vector(label("one value"), type_, 10, mask=0, offset=-5.0)
    yield vector(label("one value, the least"), type_, 3, mask=0, offset=-float(info.min))
    yield vector(label("one value, the greatest"), type_, 4, mask=0, offset=-float(info.max))
    yield vector(label("no value"), type_, 10, n=0)
    # Only the lowest and highest values.
    yield vector(label("both ends of the type"), type_, 7, n=100, mask=1, offset=float(info.min) / (info.min - info.max), scale=float(info.max - info.min))
    if info.bits == 32:
        yield vector(label("the data's own range, wide"), type_, 256, shift=0, mask=0xFFFFFFFF, offset=-float(info.min))


def main():
    vectors = [*floats("f64"), *floats("f32"), *(one for type_ in TYPES if type_[0] != "f" for one in integers(type_))]
    vectors += [
        vector("f64: denormal range", "f64", 5, (0, 5e-322), mask=127, scale=5e-324),
        vector("f64: a range of many magnitudes", "f64", 64, (-1e300, 1e300), offset=32768, scale=1e296),
        vector("f32: denormal range", "f32", 5, (0, 1e-43), mask=127, scale=2.0**-149),
        vector("f32: neighbours of 16777216", "f32", 4, (16777208, 16777224), mask=31, offset=-16777200.0),
        vector("u8: ten bins of [0, 256]", "u8", 10, (0, 256), mask=255),
        vector("u8: 256 bins of [0, 255], closed", "u8", 256, (0, 255), mask=255),
        vector("u8: seven bins off both sides", "u8", 7, (31.5, 201.25), mask=255),
        vector("i8: 16 bins of [-128, 127]", "i8", 16, (-128, 127), mask=255, offset=128),
        vector("u16: 1000 bins of [0, 65535]", "u16", 1000, (0, 65535)),
        vector("i16: 37 bins off both sides", "i16", 37, (-20000.5, 12345.25), offset=32768),
        vector("u32: 256 bins of [0, 2^32]", "u32", 256, (0, 2**32), shift=0, mask=0xFFFFFFFF),
        vector("u32: ten bins at the top", "u32", 10, (2**32 - 2**16, 2**32 - 1), offset=-(2.0**32 - 2**16)),
        vector("i32: 100 bins of the whole range", "i32", 100, (-(2**31), 2**31), shift=0, mask=0xFFFFFFFF, offset=2.0**31),
        vector("i32: edges between integers", "i32", edges=[-5.5, -1, -0.5, 0.5, 1, 2.25, 9], mask=31, offset=16),
    ]
    path = pathlib.Path(__file__).parent.parent / "src" / "vectors" / "numpy.json"
    lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in vectors)
    path.write_text(f'{{"numpy":"{np.__version__}","vectors":[\n{lines}\n]}}\n')
    print(f"{len(vectors)} vectors, {path.stat().st_size} bytes")


main()
