"""A peer: PyTorch's bincount with weights over a feature table. Prints one JSON line per cell.

usage: torch_sums.py --features F --bins B --shift BYTES --rounds N --seconds S [--device cuda]
                     --weights FILE --row NAME=FILE ...

  weights  32-bit floats, one a document
  row      bytes, one a document; feature f holds them from byte f * SHIFT on, and then those before

Ways to do it, each with all that does not depend on the weights done before the clock starts:
  a call a feature    torch.bincount(keys[f], weights=w, minlength=B), keys as bytes
  one call            torch.bincount(keys, weights=w repeated, minlength=F * B), keys = f * B + value;
                      the weights are repeated before the clock starts
  one histogram       torch.bincount(keys, weights=w repeated, minlength=B), keys as bytes: one histogram of all features
                      together. Not what is asked for, but as many additions in the way that suits bincount best.
All give sums alone. bincount adds 32-bit floats; offBy is how far the worst bin is off sums in doubles, as a share of its
sum of |weight|: of four features NumPy's, of the one histogram torch's own.
"""

import argparse
import json
import time

try:
    import numpy
    import torch
except ImportError as error:
    print(json.dumps({"missing": f"torch.bincount: {error}"}))
    raise SystemExit(0) from error

# The largest error of "fast" sums. A larger one is no rounding.
TOLERANCE = 2**-9
# As for other cells: at least three rounds, then up to a second.
LEAST_ROUNDS = 3
CELL_SECONDS = 1.0
# A first call that takes longer is enough warm-up.
SLOW_MS = 300


def stopwatch(device):
    """Times a call in milliseconds, with the device's own events where it has them."""
    if device.type != "cuda":

        def on_host(call):
            start = time.perf_counter()
            result = call()
            return (time.perf_counter() - start) * 1e3, result

        return on_host

    def on_device(call):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        result = call()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end), result

    return on_device


def off_by(sums, keys, weights, bins, features):
    """Returns the largest error of some features, over its bin's sum of |weight|. keys: [F, N] on the device."""
    worst = 0.0
    if sums.dim() == 1:
        repeated = torch.from_numpy(weights).to(keys.device).repeat(features)
        right = torch.bincount(keys.view(-1), weights=repeated, minlength=bins)
        sizes = torch.bincount(keys.view(-1), weights=repeated.abs_(), minlength=bins)
        return float(((sums.double() - right).abs() / sizes.clamp(min=torch.finfo(torch.float64).tiny)).max())
    for f in sorted({0, min(1, features - 1), features // 2, features - 1}):
        values = keys[f].cpu().numpy()
        right = numpy.bincount(values, weights=weights, minlength=bins)
        sizes = numpy.bincount(values, weights=numpy.abs(weights), minlength=bins)
        off = numpy.abs(sums[f].cpu().numpy().astype(numpy.float64) - right)
        if numpy.any(off[sizes == 0] != 0):
            return float("inf")
        worst = max(worst, float(numpy.max(off[sizes > 0] / sizes[sizes > 0])))
    return worst


def table_of(row, features, shift):
    """Makes [F, N] bytes: row rotated by f * shift."""
    documents = row.numel()
    twice = torch.cat([row, row])
    table = torch.empty((features, documents), dtype=torch.uint8, device=row.device)
    for f in range(features):
        first = f * shift % documents
        table[f] = twice[first : first + documents]
    return table


def ways(table, weights, bins):
    """Yields the name and maker of each variant. Makers run in sequence, so that only one set of keys exists."""
    features, _ = table.shape

    def each():
        return lambda: torch.stack(
            [torch.bincount(table[f], weights=weights, minlength=bins) for f in range(features)]
        )

    def at_once():
        keys = table.to(torch.int64)
        keys += torch.arange(features, dtype=torch.int64, device=table.device)[:, None] * bins
        keys = keys.view(-1)
        repeated = weights.repeat(features)
        return lambda: torch.bincount(keys, weights=repeated, minlength=features * bins).view(features, bins)

    def together():
        keys = table.view(-1)
        repeated = weights.repeat(features)
        return lambda: torch.bincount(keys, weights=repeated, minlength=bins)

    yield "a call a feature", each
    yield "one call", at_once
    yield "one histogram of all features", together


def main():
    parser = argparse.ArgumentParser()
    for name in ("features", "bins", "shift", "rounds"):
        parser.add_argument(f"--{name}", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--weights", required=True)
    parser.add_argument("--row", action="append", required=True)
    parser.add_argument("--device", default="cuda")
    args = parser.parse_args()
    start = time.perf_counter()
    device = torch.device(args.device)
    timed = stopwatch(device)
    host_weights = numpy.fromfile(args.weights, dtype=numpy.float32)
    weights = torch.from_numpy(host_weights).to(device)
    for name, file in (row.split("=", 1) for row in args.row):
        row = torch.from_numpy(numpy.fromfile(file, dtype=numpy.uint8)).to(device)
        table = table_of(row, args.features, args.shift)
        for variant, make in ways(table, weights, args.bins):
            cell = {"variant": f"{variant}, PyTorch {torch.__version__}", "distribution": name}
            what = f"torch.bincount, {variant}, {name}"
            if time.perf_counter() - start > args.seconds:
                print(json.dumps({"missing": f"{what}: the {args.seconds:.0f} s were used up"}), flush=True)
                continue
            try:
                call = make()
                first_ms, sums = timed(call)
                off = off_by(sums, table, host_weights.astype(numpy.float64), args.bins, args.features)
                if not off <= TOLERANCE:
                    print(json.dumps({"missing": f"{what}: a sum is off by {off}"}), flush=True)
                    continue
                if first_ms < SLOW_MS:
                    timed(call)
                ms = []
                began = time.perf_counter()
                while len(ms) < args.rounds:
                    if len(ms) >= LEAST_ROUNDS and time.perf_counter() - began > CELL_SECONDS:
                        break
                    ms.append(timed(call)[0])
                print(json.dumps({**cell, "ms": ms, "offBy": off}), flush=True)
            except RuntimeError as error:
                reason = str(error).splitlines()[0]
                print(json.dumps({"missing": f"{what}: {reason}"}), flush=True)
            finally:
                call = sums = None
                if device.type == "cuda":
                    torch.cuda.empty_cache()


main()
