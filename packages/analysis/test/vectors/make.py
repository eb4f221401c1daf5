"""Writes the vectors of the tests, from NumPy, SciPy, scikit-image and OpenCV.

Run it with the versions that `versions` in each file names: python3 make.py. On Debian 12:
apt install python3-skimage python3-opencv python3-scipy python3-numpy
"""

import base64
import hashlib
import json
import pathlib
import warnings

import cv2
import numpy as np
import scipy
import scipy.spatial.distance
import scipy.stats
import skimage
from skimage import data, exposure, filters, metrics

HERE = pathlib.Path(__file__).parent
VERSIONS = {
    "numpy": np.__version__,
    "scipy": scipy.__version__,
    "scikit-image": skimage.__version__,
    "opencv": cv2.__version__,
}
RANDOM = np.random.default_rng(20261122)


def write(name, content):
    """Each case takes one line."""
    lines = []
    for key, value in {"versions": VERSIONS, **content}.items():
        if isinstance(value, list):
            cases = ",\n".join(json.dumps(case, default=plain) for case in value)
            lines.append(f"{json.dumps(key)}: [\n{cases}\n]")
        else:
            lines.append(f"{json.dumps(key)}: {json.dumps(value, default=plain)}")
    (HERE / f"{name}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


def plain(value):
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value.item()


def sparse(counts):
    """Pairs of a bin and its count."""
    bins = np.flatnonzero(counts)
    return np.column_stack([bins, counts[bins]]).ravel()


def scene(width, height, levels):
    """A smooth picture with two kinds of areas, some noise and a few outliers."""
    y, x = np.mgrid[0:height, 0:width]
    waves = np.sin(x / 7.0) * np.cos(y / 5.0) + np.where((x - width / 3) ** 2 + (y - height / 2) ** 2 < 200, 1.5, 0)
    noisy = waves + RANDOM.normal(0, 0.15, waves.shape)
    scaled = (noisy - noisy.min()) / (noisy.max() - noisy.min())
    return np.clip(scaled * levels * 0.7 + levels * 0.1, 0, levels - 1).astype(np.uint8 if levels == 256 else np.uint16)


def normal(*parts):
    return np.concatenate([RANDOM.normal(center, width, count) for center, width, count in parts])


def pictures8():
    clip = lambda values: np.clip(values, 0, 255).astype(np.uint8)
    return {
        "two peaks": clip(normal((70, 12, 6000), (180, 20, 3000))),
        "three peaks": clip(normal((40, 8, 4000), (120, 10, 5000), (210, 14, 2000))),
        "long tail to the right": clip(20 + RANDOM.exponential(40, 8000)),
        "long tail to the left": clip(230 - RANDOM.exponential(30, 8000)),
        "all values": RANDOM.integers(0, 256, 20000).astype(np.uint8),
        "few values": RANDOM.choice([3, 9, 100, 101, 250], 500, p=[0.4, 0.1, 0.2, 0.2, 0.1]).astype(np.uint8),
        "two values": np.repeat(np.uint8([10, 200]), [30, 70]),
        "both ends": np.repeat(np.uint8([0, 128, 255]), [500, 1, 20]),
        "scene": scene(96, 64, 256).ravel(),
        "dark scene": (scene(80, 80, 256) // 3).ravel(),
        **{name: getattr(data, name)().ravel() for name in ("camera", "coins", "moon")},
    }


def pictures16():
    # A few hundred different values keep the files small.
    clip = lambda values: (np.clip(values, 0, 65535) // 151 * 151).astype(np.uint16)
    return {
        "16 bits, two peaks": clip(normal((9000, 900, 6000), (40000, 3000, 3000))),
        "16 bits, tail": clip(300 + RANDOM.exponential(5000, 8000)),
        "16 bits, scene": clip(scene(96, 64, 65536).ravel()),
    }


def floats():
    """Values, and the number of bins to count them into."""
    return {
        "floats, two peaks": (normal((0.2, 0.06, 5000), (0.8, 0.1, 2500)), 64),
        "floats, wide": (normal((-3e3, 400, 5000), (2e3, 900, 5000)), 100),
    }


EIGHT, SIXTEEN, FLOATS = pictures8(), pictures16(), floats()


def histograms():
    """The histograms that the other files name."""
    cases = {}
    for name, values in {**EIGHT, **SIXTEEN}.items():
        type = "u8" if values.dtype == np.uint8 else "u16"
        cases[name] = {"type": type, "counts": sparse(np.bincount(values))}
    for name, (values, bins) in FLOATS.items():
        counts, edges = np.histogram(values, bins)
        cases[name] = {"type": "f64", "edges": edges, "counts": sparse(counts)}
    write("histograms", {"cases": cases})


def known(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return call()
        except (RuntimeError, IndexError, ValueError) as error:
            return type(error).__name__


def thresholds():
    cases = []
    for name, values in {**EIGHT, **SIXTEEN}.items():
        levels = 256 if values.dtype == np.uint8 else 65536
        counts = np.bincount(values, minlength=levels)
        hist = (counts, np.arange(levels))
        case = {
            "name": name,
            "triangle": known(lambda: filters.threshold_triangle(values)),
            "li": known(lambda: filters.threshold_li(values.copy())),
        }
        cases.append({**case, **by_histogram(hist)})
    for name, (values, bins) in FLOATS.items():
        counts, edges = np.histogram(values, bins)
        hist = (counts, (edges[:-1] + edges[1:]) / 2)
        case = {"name": name}
        cases.append({**case, "triangle": known(lambda: filters.threshold_triangle(values, bins)), **by_histogram(hist)})
    write("thresholds", {"cases": cases})


def by_histogram(hist):
    found = {
        "otsu": known(lambda: filters.threshold_otsu(hist=hist)),
        "yen": known(lambda: filters.threshold_yen(hist=hist)),
        "isodata": known(lambda: filters.threshold_isodata(hist=hist)),
    }
    # The others take minutes for 16 bits.
    if hist[0].size <= 256:
        found["minimum"] = known(lambda: filters.threshold_minimum(hist=hist))
        for classes in (2, 3, 4):
            found[f"multiOtsu{classes}"] = known(lambda: filters.threshold_multiotsu(classes=classes, hist=hist))
    return found


def table_of(mapped, values, levels):
    """The entries of the values that occur: pairs of a value and what it became."""
    table = np.zeros(levels, np.int64)
    table[values] = mapped
    occurring = np.unique(values)
    return np.column_stack([occurring, table[occurring]]).ravel()


def whole(table):
    """A table of 65,536 entries: a hash of its little-endian bytes, and some entries."""
    return {"sha256": hashlib.sha256(table.astype("<u2").tobytes()).hexdigest(), "every257": table[::257]}


def equalized16(values):
    """OpenCV's equalizeHist for 16 bits, in doubles: OpenCV has it for 8 bits alone."""
    counts = np.bincount(values, minlength=65536).astype(float)
    first = np.flatnonzero(counts)[0]
    counts_after = counts.copy()
    counts_after[first] = 0
    return np.rint(np.cumsum(counts_after) * (65535 / counts_after.sum()))[values].astype(np.uint16)


def tables():
    cases = []
    for group, reference in ((EIGHT, "scene"), (SIXTEEN, "16 bits, scene")):
        other = group[reference]
        for name, values in group.items():
            levels = 256 if values.dtype == np.uint8 else 65536
            equal = cv2.equalizeHist(values.reshape(1, -1)).ravel() if levels == 256 else equalized16(values)
            case = {
                "name": name,
                "reference": reference,
                "equalize": table_of(equal, values, levels),
                "match": table_of(
                    exposure.match_histograms(values.reshape(-1, 1), other.reshape(-1, 1), channel_axis=1).ravel(),
                    values,
                    levels,
                ),
            }
            for low, high in ((0, 100), (1, 99), (2.5, 80)):
                limits = tuple(np.percentile(values, (low, high)))
                stretched = exposure.rescale_intensity(values, in_range=limits)
                case[f"stretch {low} {high}"] = table_of(stretched, values, levels)
            cases.append(case)
    powers = []
    for exponent in (0, 0.25, 0.45, 0.5, 1, 1.8, 2, 2.2, 3.7):
        powers.append(
            {
                "gamma": exponent,
                "u8": exposure.adjust_gamma(np.arange(256, dtype=np.uint8), exponent),
                "u16": whole(exposure.adjust_gamma(np.arange(65536, dtype=np.uint16), exponent)),
                "half": exposure.adjust_gamma(np.arange(256, dtype=np.uint8), exponent, gain=0.5),
            }
        )
    write("tables", {"cases": cases, "gamma": powers})


def base(array):
    return base64.b64encode(array.astype(array.dtype.newbyteorder("<")).tobytes()).decode()


def clahe():
    cases = []
    # (width, height, levels, columns, rows, limit)
    for width, height, levels, columns, rows, limit in (
        (64, 48, 256, 8, 8, 40.0),
        (64, 48, 256, 8, 8, 2.0),
        (61, 47, 256, 8, 8, 3.0),
        (64, 45, 256, 8, 8, 4.0),
        (96, 72, 256, 3, 4, 1.5),
        (50, 30, 256, 1, 1, 2.0),
        (50, 30, 256, 5, 3, 0.0),
        (9, 9, 256, 8, 8, 40.0),
        (64, 48, 65536, 2, 2, 2.0),
        (45, 37, 65536, 2, 3, 500.0),
    ):
        image = scene(width, height, levels)
        out = cv2.createCLAHE(clipLimit=limit, tileGridSize=(columns, rows)).apply(image)
        cases.append(
            {
                "width": width,
                "height": height,
                "levels": levels,
                "columns": columns,
                "rows": rows,
                "clipLimit": limit,
                "image": base(image),
                "result": base(out),
            }
        )
    write("clahe", {"cases": cases})


def statistics():
    cases = []
    fractions = [0, 0.25, 0.5, 0.75, 0.9375, 1]
    for name, values in {**EIGHT, **SIXTEEN}.items():
        levels = 256 if values.dtype == np.uint8 else 65536
        counts = np.bincount(values, minlength=levels)
        cases.append(
            {
                "name": name,
                "fractions": fractions,
                "quantiles": np.quantile(values, fractions, method="inverted_cdf"),
                "mean": np.mean(values, dtype=float),
                "variance": np.var(values, dtype=float),
                "sample variance": np.var(values, dtype=float, ddof=1),
                "mode": int(np.argmax(counts)),
                "entropy": scipy.stats.entropy(counts),
                "bits": scipy.stats.entropy(counts, base=2),
                "cdf": exposure.cumulative_distribution(values)[0][-5:],
            }
        )
    binned = []
    for name, (values, bins) in FLOATS.items():
        counts, edges = np.histogram(values, bins)
        centers = (edges[:-1] + edges[1:]) / 2
        distribution = scipy.stats.rv_histogram((counts, edges), density=False)
        inner = [0.1, 0.25, 0.5, 0.8, 0.99]
        at = np.linspace(edges[0], edges[-1], 7)
        binned.append(
            {
                "name": name,
                "fractions": inner,
                "quantiles": distribution.ppf(inner),
                "samples' quantiles": np.quantile(values, inner, method="inverted_cdf"),
                "at": at,
                "cdf": distribution.cdf(at),
                "samples' cdf": [np.mean(values <= x) for x in at],
                "mean": np.average(centers, weights=counts),
                "samples' mean": np.mean(values),
                "variance": np.average((centers - np.average(centers, weights=counts)) ** 2, weights=counts),
                "samples' variance": np.var(values),
            }
        )
    write("statistics", {"cases": cases, "binned": binned})


def distances():
    eight = list(EIGHT.items())
    cases = []
    for (first, a), (second, b) in zip(eight, eight[1:] + eight[:1]):
        in_a, in_b = np.bincount(a, minlength=256), np.bincount(b, minlength=256)
        single = in_a.astype(np.float32), in_b.astype(np.float32)
        compare = lambda method: cv2.compareHist(*single, method)
        cases.append(
            {
                "a": first,
                "b": second,
                "chiSquare": compare(cv2.HISTCMP_CHISQR),
                "symmetric": compare(cv2.HISTCMP_CHISQR_ALT),
                "intersection": compare(cv2.HISTCMP_INTERSECT),
                "correlation": compare(cv2.HISTCMP_CORREL),
                "bhattacharyya": compare(cv2.HISTCMP_BHATTACHARYYA),
                "jensenShannon": scipy.spatial.distance.jensenshannon(in_a, in_b),
                "jensenShannon2": scipy.spatial.distance.jensenshannon(in_a, in_b, base=2),
                "earthMovers": scipy.stats.wasserstein_distance(np.arange(256), np.arange(256), in_a, in_b),
            }
        )
    (values, bins), (others, fewer) = FLOATS.values()
    in_a, edges_a = np.histogram(values, bins)
    in_b, edges_b = np.histogram(others, fewer)
    middles = [(edges[:-1] + edges[1:]) / 2 for edges in (edges_a, edges_b)]
    different = {
        "a": list(FLOATS)[0],
        "b": list(FLOATS)[1],
        "earthMovers": scipy.stats.wasserstein_distance(*middles, in_a, in_b),
    }
    write("distances", {"cases": cases, "different": different})


def joint():
    x = RANDOM.normal(0, 1, 5000)
    pairs = {
        "independent": (x, RANDOM.normal(0, 1, 5000), (16, 16)),
        "correlated": (x, 0.8 * x + RANDOM.normal(0, 0.4, 5000), (16, 16)),
        "a function": (x, x**2, (24, 10)),
        "equal": (x, x, (12, 12)),
    }
    cases = []
    for name, (a, b, shape) in pairs.items():
        counts, _, edges = np.histogram2d(a, b, shape)
        groups, values = np.arange(shape[0]), np.arange(shape[1])
        entropies = [scipy.stats.entropy(part) for part in (counts.sum(1), counts.sum(0), counts.ravel())]
        case = {
            "name": name,
            "shape": shape,
            "counts": counts.ravel().astype(int),
            "mutualInformation": entropies[0] + entropies[1] - entropies[2],
            "correlationRatio": ratio(counts, values),
            "correlationRatio0": ratio(counts.T, groups),
        }
        if shape[0] == shape[1]:
            case["normalizedMutualInformation"] = metrics.normalized_mutual_information(a, b, bins=shape[0])
        cases.append(case)
    write("joint", {"cases": cases})


def ratio(counts, values):
    """The variance of the group means over the variance of all: SciPy has the correlation ratio of samples alone."""
    samples = [np.repeat(values, row.astype(int)) for row in counts]
    every = np.concatenate(samples)
    between = sum(len(part) * (part.mean() - every.mean()) ** 2 for part in samples if len(part) > 0)
    return between / (len(every) * every.var())


for make in (histograms, thresholds, tables, clahe, statistics, distances, joint):
    make()
