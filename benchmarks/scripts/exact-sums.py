"""Reads cases of exact-sums.mjs and compares every bin with math.fsum: the exact sum, rounded once.

A case is a line of JSON and the raw doubles that it announces: samples, weights, edges, then for each engine counts, sums
and sums of squares, each of all bins and underflow, overflow, NaN. The last line is what was found, as JSON.
"""

import json
import math
import sys
from array import array
from bisect import bisect_left, bisect_right

source = sys.stdin.buffer


def doubles(count):
    out = array("d")
    out.frombytes(source.read(8 * count))
    return out


def row_of(x, edges, closed):
    """Returns the bin of a sample, or the index of underflow, overflow or NaN after the bins."""
    bins = len(edges) - 1
    if x != x:
        return bins + 2
    if x < edges[0]:
        return bins
    if x > edges[bins] or (x == edges[bins] and not closed):
        return bins + 1
    # The last of equal edges begins a bin. The last edge of all belongs to the bin that ends there.
    return bisect_right(edges, x) - 1 if x < edges[bins] else bisect_left(edges, x) - 1


found = {"cases": 0, "bins": 0, "samples": 0, "wrongCounts": 0, "wrongSums": 0, "wrongSquares": 0,
         "worstShare": 0.0, "engines": {}}
for line in source:
    case = json.loads(line)
    samples, weights, edges = doubles(case["n"]), doubles(case["n"]), doubles(case["bins"] + 1)
    rows = case["bins"] + 3
    in_row = [[] for _ in range(rows)]
    for x, weight in zip(samples, weights):
        in_row[row_of(x, edges, case["closed"])].append(weight)
    want = [math.fsum(of) for of in in_row]
    want_squares = [math.fsum(weight * weight for weight in of) for of in in_row]
    sizes = [math.fsum(map(abs, of)) for of in in_row]
    for engine in case["engines"]:
        counts, sums, squares = doubles(rows), doubles(rows), doubles(rows)
        wrong = 0
        for row in range(rows):
            found["wrongCounts"] += counts[row] != len(in_row[row])
            wrong += sums[row] != want[row]
            found["wrongSquares"] += squares[row] != want_squares[row]
            if sizes[row] > 0:
                found["worstShare"] = max(found["worstShare"], abs(sums[row] - want[row]) / sizes[row])
        found["wrongSums"] += wrong
        found["engines"][engine] = found["engines"].get(engine, 0) + rows - wrong
    found["cases"] += 1
    found["samples"] += case["n"]
    found["bins"] += rows
print(json.dumps(found))
