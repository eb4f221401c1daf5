#!/usr/bin/env python3
"""Writes types.json: counts of f16, i64 and u64 samples by NumPy, and by exact integers where NumPy rounds.

Usage: python3 test/vectors/types.py      (numpy and nothing else)

Samples are 64-bit words x from x = (6364136223846793005 x + 1442695040888963407) mod 2^64, seeded by `seed`: for f16 the
upper 16 bits, for integers (x >> shift) + offset, modulo 2^64. `near` values follow. Edges lie in f64. f16 is counted by
numpy.histogram of the values in f64. Integers are compared with the edges as Python integers and fractions, which are
exact, and the result is compared with numpy.histogram if all values are below 2^53.
"""

import json
import pathlib
from fractions import Fraction

import numpy as np


def words(n, seed):
    x = seed
    for _ in range(n):
        x = (6364136223846793005 * x + 1442695040888963407) % 2**64
        yield x


def halves():
    every = np.arange(65536, dtype=np.uint16)
    few = np.array([x >> 48 for x in words(3000, 5)], dtype=np.uint16)
    for name, bits in [("every", every), ("few", few)]:
        values = bits.view(np.float16).astype(np.float64)
        finite = values[~np.isnan(values)]
        for edges in [np.linspace(-2, 2, 11), np.linspace(0, 1, 257), np.array([-65504.0, -1, -2.0**-24, 0, 6.1e-5, 0.1, 65504]), np.linspace(-70000, 70000, 8)]:
            counts, _ = np.histogram(finite, bins=edges)
            yield {"type": "f16", "samples": name, "edges": edges.tolist(), "counts": counts.tolist(), "closed": True,
                   "underflow": int((finite < edges[0]).sum()), "overflow": int((finite > edges[-1]).sum()), "nan": int(np.isnan(values).sum())}


def integers():
    big = 2.0**53
    for type_, seed, shift, offset, near, edges, closed in [
        ("i64", 1, 0, 0, [], [-2.0**63, -2.0**62, -1, 0, 1, 2.0**62, 2.0**63], True),
        ("i64", 2, 40, -2**23, [], np.linspace(-2**23, 2**23, 33).tolist(), True),
        ("i64", 3, 50, -5000, [0, -1, 1], [-4000.5, -1, 0, 0.25, 1, 7.5, 8000], False),
        ("i64", 4, 61, 2**53 - 3, [], [big - 4, big - 2, big, big + 2, big + 4], True),
        ("i64", 4, 61, 2**53 - 3, [], [big - 4, big - 2, big, big + 2, big + 4], False),
        ("i64", 5, 61, -2**60 - 3, [], [-2.0**60 - 256, -2.0**60, -2.0**60 + 128], True),
        ("i64", 6, 4, 1700000000000000000 - 2**59, [], np.linspace(1.69e18, 1.71e18, 12).tolist(), True),
        ("u64", 7, 0, 0, [0, 2**64 - 1, 2**63, 2**63 - 1], np.linspace(0, 2.0**64, 17).tolist(), True),
        ("u64", 8, 0, 0, [2**64 - 1], [0, 2.0**63, 2.0**64 - 2048], True),
        ("u64", 9, 56, 0, [], np.linspace(0, 255, 11).tolist(), True),
        ("u64", 10, 61, 2**63 - 4, [], [2.0**63 - 1024, 2.0**63], True),
    ]:
        samples = [(x >> shift) + offset for x in words(2000, seed)] + near
        low, top = (-2**63, 2**63 - 1) if type_ == "i64" else (0, 2**64 - 1)
        samples = [x if low <= x <= top else (x - 2**64 if x > top else x + 2**64) for x in samples]
        exact = [Fraction(edge) for edge in edges]
        counts, under, over = [0] * (len(edges) - 1), 0, 0
        for x in samples:
            if x < exact[0]: under += 1
            elif x > exact[-1] or (x == exact[-1] and not closed): over += 1
            else: counts[min(max(i for i, edge in enumerate(exact) if edge <= x), len(counts) - 1)] += 1
        if closed and max(abs(x) for x in samples) < 2**53:
            found, _ = np.histogram(np.array(samples, dtype=np.int64 if type_ == "i64" else np.uint64), bins=np.array(edges))
            assert found.tolist() == counts, (found, counts)
        yield {"type": type_, "samples": {"seed": seed, "shift": shift, "offset": str(offset), "near": [str(x) for x in near]},
               "edges": edges, "closed": closed, "counts": counts, "underflow": under, "overflow": over, "nan": 0}


path = pathlib.Path(__file__).parent / "types.json"
vectors = [*halves(), *integers()]
lines = ",\n".join(json.dumps(one, separators=(",", ":")) for one in vectors)
path.write_text(f'{{"numpy":"{np.__version__}","vectors":[\n{lines}\n]}}\n')
print(f"{len(vectors)} vectors, {path.stat().st_size} bytes")
