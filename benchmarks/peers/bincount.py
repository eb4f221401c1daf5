"""NumPy's bincount, a peer to measure against.

usage: bincount.py FILE N     answers lines on stdin:
  load    reads the file
  run     counts once, prints milliseconds
  counts  prints the 256 counts of the last run
"""

import sys
import time

import numpy

path, n = sys.argv[1], int(sys.argv[2])
counts = data = None
for line in sys.stdin:
    if line == "load\n":
        data = numpy.fromfile(path, dtype=numpy.uint8, count=n)
        print(0, flush=True)
    elif line == "run\n":
        start = time.perf_counter()
        counts = numpy.bincount(data, minlength=256)
        print((time.perf_counter() - start) * 1e3, flush=True)
    else:
        print(*counts, flush=True)
