"""Histograms of Python's libraries, peers to measure against.

usage: histograms.py LIBRARY FILE N TYPE BINS LO HI     answers lines on stdin:
  load    reads N samples of the type from the file; CuPy and PyTorch bring them to the GPU, if there is one
  run     counts once into BINS equal bins over [LO, HI), prints milliseconds
  counts  prints the counts of the last run
  where   prints what counts: "cpu", or the GPU
"""

import sys
import time

import numpy

library, path = sys.argv[1], sys.argv[2]
n, bins = int(sys.argv[3]), int(sys.argv[5])
lo, hi = float(sys.argv[6]), float(sys.argv[7])
dtype = {"u8": "u1", "u16": "<u2", "u32": "<u4", "f32": "<f4", "f64": "<f8"}[sys.argv[4]]
# Each value is its own bin: the libraries' own, faster way.
whole = numpy.dtype(dtype).kind == "u" and bins == hi - lo


def nothing():
    """The CPU is done when the call returns."""


class NumPy:
    where = "cpu"
    wait = staticmethod(nothing)

    def load(self, values):
        self.values = values

    def count(self):
        if whole:
            return numpy.bincount(self.values, minlength=bins)
        return numpy.histogram(self.values, bins, (lo, hi))[0]


class OpenCV:
    where = "cpu"
    wait = staticmethod(nothing)

    def load(self, values):
        import cv2

        if dtype not in ("u1", "<u2", "<f4"):
            raise TypeError("cv2.calcHist takes u8, u16 and f32")
        self.cv2 = cv2
        self.values = values.reshape(1 << 10, -1)

    def count(self):
        # Its counts are 32-bit floats, exact to 2^24 in a bin.
        return self.cv2.calcHist([self.values], [0], None, [bins], [lo, hi]).ravel()


class CuPy:
    def load(self, values):
        import cupy

        self.cupy = cupy
        self.where = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
        self.wait = cupy.cuda.Device().synchronize
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
        if dtype in ("<u2", "<u4"):
            raise TypeError("PyTorch has no u16 and u32 that it counts")
        self.values = torch.from_numpy(values).to("cuda" if gpu else "cpu")

    def count(self):
        if whole:
            return self.torch.bincount(self.values, minlength=bins)
        return self.torch.histc(self.values, bins, lo, hi)


peer = {"numpy": NumPy, "opencv": OpenCV, "cupy": CuPy, "pytorch": PyTorch}[library]()
counts = None
for line in sys.stdin:
    if line == "load\n":
        peer.load(numpy.fromfile(path, dtype=dtype, count=n))
        print(0, flush=True)
    elif line == "run\n":
        start = time.perf_counter()
        counts = peer.count()
        peer.wait()
        print((time.perf_counter() - start) * 1e3, flush=True)
    elif line == "where\n":
        print(peer.where, flush=True)
    else:
        print(*(int(count) for count in counts.tolist()), flush=True)
