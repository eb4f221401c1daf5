"""Peers: histograms of Python libraries.

usage: histograms.py LIBRARY FILE N TYPE BINS LO HI     answers lines on stdin:
  load            reads N samples of the type from the file; CuPy and PyTorch bring them to the GPU, if there is one
  data N FILE     has other samples from now on, and reads them
  run             counts once into BINS equal bins over [LO, HI), prints milliseconds
  calls MOST S    counts at most so many times for at most S seconds until the counts are in the host's memory,
                  prints milliseconds of each
  segments E M S  the same, a histogram for each E samples, of those that can: in one call, with keys made beforehand
  counts          prints the counts of the last run
  row I           prints the counts of segment I
  where           prints what counts: "cpu", or the GPU
"""

import sys
import time

import numpy

library, path = sys.argv[1], sys.argv[2]
n, bins = int(sys.argv[3]), int(sys.argv[5])
lo, hi = float(sys.argv[6]), float(sys.argv[7])
dtype = {"u8": "u1", "u16": "<u2", "u32": "<u4", "f32": "<f4", "f64": "<f8"}[sys.argv[4]]
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

    def count(self):
        if whole:
            return numpy.bincount(self.values, minlength=bins)
        return numpy.histogram(self.values, bins, (lo, hi))[0]

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
        self.cv2 = cv2
        self.values = values.reshape(min(1 << 10, len(values)), -1)

    def count(self):
        # Its counts are 32-bit floats, exact to 2^24 in a bin.
        return self.cv2.calcHist([self.values], [0], None, [bins], [lo, hi]).ravel()


class FastHistogram:
    where = "cpu"
    wait = staticmethod(nothing)
    home = staticmethod(same)

    def load(self, values):
        import fast_histogram

        self.histogram1d = fast_histogram.histogram1d
        self.values = values

    def count(self):
        return self.histogram1d(self.values, bins, (lo, hi))


class CuPy:
    def load(self, values):
        import cupy

        self.cupy = cupy
        self.where = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
        self.wait = cupy.cuda.Device().synchronize
        self.home = cupy.asnumpy
        self.values = cupy.asarray(values)

    def count(self):
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


def load():
    peer.load(numpy.fromfile(path, dtype=dtype, count=n))
    print(0, flush=True)


peer = {"numpy": NumPy, "opencv": OpenCV, "fast-histogram": FastHistogram, "cupy": CuPy, "pytorch": PyTorch}[library]()
counts = None
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
        most, seconds = rest.split()
        print(*calls(peer.count, int(most), float(seconds))[0], flush=True)
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
        print(*(int(count) for count in counts.tolist()), flush=True)
