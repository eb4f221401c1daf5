"""A peer: CuPy's histogram2d and histogramdd over columns on the device. Prints one JSON line per cell.

usage: cupy_joint.py --rounds N --seconds S --samples N

Columns of bytes, uniform and constant, over 256 x 256, 64 x 64 and 16 x 16 x 16 bins. They are on the device before the
clock starts, and the counts stay there. CuPy converts bytes to doubles, as part of the call.
"""

import argparse
import json

try:
    import cupy
except ImportError as error:
    print(json.dumps({"missing": f"cupy.histogramdd: {error}"}))
    raise SystemExit(0) from error

LEAST_ROUNDS = 2


def milliseconds(call):
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    begin.record()
    result = call()
    end.record()
    end.synchronize()
    return cupy.cuda.get_elapsed_time(begin, end), result


def exact(counts, columns, bins):
    """Whether the counts equal those of bincount over the cells, which core's own tests compare with."""
    cells = cupy.zeros(columns[0].shape, dtype=cupy.int64)
    for column in columns:
        cells = cells * bins + column // (256 // bins)
    return bool((cupy.bincount(cells, minlength=bins ** len(columns)) == counts.ravel()).all())


def main():
    parser = argparse.ArgumentParser()
    for name in ("rounds", "samples"):
        parser.add_argument(f"--{name}", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    given = parser.parse_args()
    for distribution in ("independent", "constant"):
        for columns, bins in ((2, 256), (2, 64), (3, 16)):
            data = [
                cupy.random.randint(0, 256, given.samples, dtype=cupy.uint8)
                if distribution == "independent"
                else cupy.full(given.samples, 77 + 40 * k, dtype=cupy.uint8)
                for k in range(columns)
            ]
            edges = [cupy.linspace(0, 256, bins + 1)] * columns
            for variant in ("histogram2d", "histogramdd")[columns - 2 :]:
                if variant == "histogram2d":
                    call = lambda: cupy.histogram2d(data[0], data[1], bins=edges)[0]  # noqa: E731
                else:
                    call = lambda: cupy.histogramdd(tuple(data), bins=edges)[0]  # noqa: E731
                try:
                    _, counts = milliseconds(call)
                    right = exact(counts, data, bins)
                    ms, spent = [], 0.0
                    while len(ms) < given.rounds and (len(ms) < LEAST_ROUNDS or spent < given.seconds * 1e3):
                        ms.append(milliseconds(call)[0])
                        spent += ms[-1]
                    line = {"variant": variant, "columns": columns, "bins": bins, "distribution": distribution,
                            "n": given.samples, "ms": ms, "exact": right}
                except cupy.cuda.memory.OutOfMemoryError as error:
                    line = {"missing": f"cupy.{variant}, {columns} x {bins}: {error}"}
                print(json.dumps(line), flush=True)


main()
