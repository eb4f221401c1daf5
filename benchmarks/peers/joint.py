"""Peers: joint histograms of NumPy and fast-histogram, two columns over 100 x 100 equal bins of [0, 1].

usage: joint.py LIBRARY X Y N     LIBRARY is numpy or fast; X and Y are files of N floats. Answers lines on stdin:
  load         reads the files
  calls 1 S    counts once, prints the milliseconds and those of the processor
  counts       prints the counts of the last call, rows of 100 bins
"""

import sys
import time

import numpy

library, *paths, n = sys.argv[1:]
if library == "numpy":
    count = numpy.histogram2d
else:
    from fast_histogram import histogram2d as count

columns = []
counts = None
for line in sys.stdin:
    word = line.split()[0]
    if word == "load":
        columns = [numpy.fromfile(path, "<f4", int(n)) for path in paths]
        answer = [0]
    elif word == "calls":
        start, cpu = time.perf_counter(), time.process_time()
        found = count(*columns, bins=100, range=[[0, 1], [0, 1]])
        answer = [(time.perf_counter() - start) * 1e3, (time.process_time() - cpu) * 1e3]
        counts = found[0] if library == "numpy" else found
    else:
        answer = counts.ravel().astype(int)
    print(*answer, flush=True)
