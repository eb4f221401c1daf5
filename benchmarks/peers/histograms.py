"""Peers: histograms of Python libraries.

usage: histograms.py LIBRARY FILE N TYPE BINS LO HI [WORD...]     answers lines on stdin:
  load            reads N samples of the type from the file; CuPy and PyTorch bring them to the GPU, if there is one
  data N FILE     has other samples from now on, and reads them
  run             counts once into BINS equal bins over [LO, HI), prints milliseconds
  calls MOST S    counts at most so many times for at most S seconds until the counts are in the host's memory,
                  prints milliseconds of each
  segments E M S  the same, a histogram for each E samples, of those that can: in one call, with keys made beforehand
  counts          prints the counts of the last run, or its sums of weights
  row I           prints the counts of segment I
  where           prints what counts: "cpu", or the GPU
words, for the libraries of the CPU:
  threads=T       counts with T threads
  channels=C      pixels of C interleaved samples; counts the first `wanted=W` channels
  columns=2       counts pairs of two columns, which follow one another in the file
  edges=A,B,..    has these edges instead of equal bins
  weights         adds up weights, 32-bit floats that follow the samples in the file
  groups=G        counts the samples of G groups apart; their 16-bit numbers follow the samples in the file
  streamed        reads the file, NumPy's, anew in every call
CuPy and PyTorch know channels, too.
"""

import math
import sys
import time

import numpy

library, path = sys.argv[1], sys.argv[2]
n, bins = int(sys.argv[3]), int(sys.argv[5])
lo, hi = float(sys.argv[6]), float(sys.argv[7])
dtypes = {"u8": "u1", "u16": "<u2", "i16": "<i2", "u32": "<u4", "i32": "<i4", "f32": "<f4", "f64": "<f8"}
dtype = dtypes[sys.argv[4]]
words = dict(word.partition("=")[::2] for word in sys.argv[8:])
channels, wanted, columns = (int(words.get(name, 1)) for name in ("channels", "wanted", "columns"))
edges = numpy.array(words["edges"].split(","), "f8") if "edges" in words else None
weighted = "weights" in words
groups = int(words.get("groups", 0))
streamed = "streamed" in words
# What a call of NumPy's functions takes.
axis = {"bins": bins, "range": (lo, hi)} if edges is None else {"bins": edges}
# Each value is its own bin, for which the libraries have a faster function.
whole = numpy.dtype(dtype).kind == "u" and bins == hi - lo


def nothing():
    """Does nothing, because the CPU is done when the call returns."""


def same(counts):
    """Does nothing, because the counts are in host memory."""
    return counts


class NumPy:
    where = "cpu"
    wait = staticmethod(nothing)
    home = staticmethod(same)

    def load(self, values):
        self.values = values
        self.split = split(values)

    def count(self):
        if streamed:
            return numpy.histogram(numpy.load(path, mmap_mode="r"), **axis)[0]
        if groups:
            cells = ((self.values - lo) * (bins / (hi - lo))).astype("i8")
            return numpy.bincount(codes.astype("i8") * bins + cells, minlength=groups * bins)
        if weighted:
            return numpy.histogram(self.values, weights=weights, **axis)[0]
        if columns == 2:
            return numpy.histogram2d(*self.split, bins=bins, range=((lo, hi), (lo, hi)))[0].ravel()
        if whole:
            return numpy.concatenate([numpy.bincount(of, minlength=bins) for of in self.split])
        return numpy.histogram(self.values, **axis)[0]

    def segments(self, each):
        cells = len(self.values) // each * bins
        keys = numpy.repeat(numpy.arange(0, cells, bins, dtype=numpy.int64), each) + self.values
        return lambda: numpy.bincount(keys, minlength=cells)


class OpenCV:
    where = "cpu"
    wait = staticmethod(nothing)
    home = staticmethod(same)

    def load(self, values):
        import cv2

        if dtype not in ("u1", "<u2", "<f4"):
            raise TypeError("cv2.calcHist takes u8, u16 and f32")
        if "threads" in words:
            cv2.setNumThreads(int(words["threads"]))
        self.calc = cv2.calcHist
        if columns == 2:
            self.values = [of.reshape(rows(of), -1) for of in split(values)]
        elif channels > 1:
            self.values = values.reshape(rows(values[::channels]), -1, channels)
        else:
            self.values = values.reshape(rows(values), -1)

    def count(self):
        # Its counts are 32-bit floats, exact to 2^24 in a bin.
        if columns == 2:
            return self.calc(self.values, [0, 1], None, [bins, bins], [lo, hi, lo, hi]).ravel()
        span = [lo, hi] if edges is None else edges.tolist()
        each = [self.calc([self.values], [channel], None, [bins], span) for channel in range(wanted)]
        return numpy.concatenate(each).ravel()


class FastHistogram:
    where = "cpu"
    wait = staticmethod(nothing)
    home = staticmethod(same)

    def load(self, values):
        import fast_histogram

        self.module = fast_histogram
        self.values = values
        self.split = split(values)

    def count(self):
        if columns == 2:
            return self.module.histogram2d(*self.split, bins=bins, range=((lo, hi), (lo, hi))).ravel()
        return self.module.histogram1d(self.values, bins, (lo, hi), weights=weights)


class CuPy:
    def load(self, values):
        import cupy

        self.cupy = cupy
        self.where = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
        self.wait = cupy.cuda.Device().synchronize
        self.home = cupy.asnumpy
        self.values = cupy.asarray(values)

    def count(self):
        if channels > 1:
            each = [self.cupy.bincount(self.values[at::channels], minlength=bins) for at in range(wanted)]
            return self.cupy.concatenate(each)
        if whole:
            return self.cupy.bincount(self.values, minlength=bins)
        return self.cupy.histogram(self.values, bins, (lo, hi))[0]


class PyTorch:
    def load(self, values):
        import torch

        self.torch = torch
        gpu = torch.cuda.is_available()
        self.where = torch.cuda.get_device_name(0) if gpu else "cpu"
        self.wait = torch.cuda.synchronize if gpu else nothing
        self.home = torch.Tensor.cpu if gpu else same
        if dtype in ("<u2", "<u4"):
            raise TypeError("PyTorch has no u16 and u32 that it counts")
        self.values = torch.from_numpy(values).to("cuda" if gpu else "cpu")

    def count(self):
        if channels > 1:
            each = [self.torch.bincount(self.values[at::channels], minlength=bins) for at in range(wanted)]
            return self.torch.cat(each)
        if whole:
            return self.torch.bincount(self.values, minlength=bins)
        return self.torch.histc(self.values, bins, lo, hi)

    def segments(self, each):
        cells = len(self.values) // each * bins
        starts = self.torch.arange(0, cells, bins, device=self.values.device)
        keys = starts.repeat_interleave(each) + self.values
        return lambda: self.torch.bincount(keys, minlength=cells)


def calls(count, most, seconds):
    """Returns the milliseconds of each call."""
    ms = []
    end = time.perf_counter() + seconds
    stop = 0.0
    while len(ms) < most and stop < end:
        start = time.perf_counter()
        found = peer.home(count())
        stop = time.perf_counter()
        ms.append((stop - start) * 1e3)
    return ms, found


def split(values):
    """Returns the columns, or the channels, as arrays."""
    if columns > 1:
        return values.reshape(columns, -1)
    return [values[channel::channels] for channel in range(wanted)]


def rows(values):
    """Returns the height of a picture of these samples. Its width is limited to 2^31 bytes."""
    return math.gcd(1 << 10, len(values))


def load():
    global weights, codes
    if streamed:
        print(0, flush=True)
        return
    with open(path, "rb") as file:
        values = numpy.fromfile(file, dtype=dtype, count=n * channels * columns)
        weights = numpy.fromfile(file, dtype="<f4", count=n) if weighted else None
        codes = numpy.fromfile(file, dtype="<u2", count=n) if groups else None
    peer.load(values)
    print(0, flush=True)


peer = {"numpy": NumPy, "opencv": OpenCV, "fast-histogram": FastHistogram, "cupy": CuPy, "pytorch": PyTorch}[library]()
counts = weights = codes = None
for line in sys.stdin:
    word, _, rest = line.rstrip("\n").partition(" ")
    if word == "load":
        load()
    elif word == "data":
        size, _, path = rest.partition(" ")
        n = int(size)
        load()
    elif word == "run":
        start = time.perf_counter()
        counts = peer.count()
        peer.wait()
        print((time.perf_counter() - start) * 1e3, flush=True)
    elif word == "calls":
        most, seconds = rest.split()[:2]
        ms, counts = calls(peer.count, int(most), float(seconds))
        print(*ms, flush=True)
    elif word == "segments":
        each, most, seconds = rest.split()
        ms, matrix = calls(peer.segments(int(each)), int(most), float(seconds))
        matrix = matrix.reshape(-1, bins)
        print(*ms, flush=True)
    elif word == "row":
        print(*(int(count) for count in matrix[int(rest)].tolist()), flush=True)
    elif word == "where":
        print(peer.where, flush=True)
    else:
        # Sums and counts are whole multiples of a power of two, which 17 digits repeat.
        print(*(format(count, ".17g") for count in counts.tolist()), flush=True)
