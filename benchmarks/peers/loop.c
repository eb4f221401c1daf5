/* The plain histogram loop of a C programmer, a peer to measure against: 8-byte loads, 8 tables.
 *
 * usage: loop FILE N [THREADS]     answers lines on stdin:
 *   load          reads the file
 *   data N FILE   switches to other bytes, and reads them
 *   run           counts once, prints the milliseconds
 *   calls MOST S  counts at most MOST times for at most S seconds, prints the milliseconds of each call
 *   counts        prints the 256 counts of the last run */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t counts[256];

static void countPart(const uint8_t *data, size_t n, uint64_t *counts) {
  uint32_t tables[8][256];
  memset(tables, 0, sizeof tables);
  size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    uint64_t word;
    memcpy(&word, data + i, 8);
    for (int table = 0; table < 8; table++) tables[table][(uint8_t)(word >> (8 * table))]++;
  }
  for (; i < n; i++) tables[0][data[i]]++;
  for (int bin = 0; bin < 256; bin++) {
    counts[bin] = 0;
    for (int table = 0; table < 8; table++) counts[bin] += tables[table][bin];
  }
}

static int threads = 1;

static void count(const uint8_t *data, size_t n) {
  if (threads == 1) {
    countPart(data, n, counts);
    return;
  }
  memset(counts, 0, sizeof counts);
#pragma omp parallel for num_threads(threads)
  for (int thread = 0; thread < threads; thread++) {
    uint64_t part[256];
    const size_t from = n / threads * thread, to = thread == threads - 1 ? n : n / threads * (thread + 1);
    countPart(data + from, to - from, part);
#pragma omp critical
    for (int bin = 0; bin < 256; bin++) counts[bin] += part[bin];
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static uint8_t *data;

static int load(const char *path, size_t n) {
  FILE *file = fopen(path, "rb");
  free(data);
  data = malloc(n ? n : 1);
  int read = data && file && fread(data, 1, n, file) == n;
  if (file) fclose(file);
  puts("0");
  return read;
}

int main(int argc, char **argv) {
  if (argc != 3 && argc != 4) return 2;
  if (argc == 4) threads = atoi(argv[3]);
  size_t n = strtoull(argv[2], 0, 10);
  char line[4096];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (!strcmp(line, "load")) {
      if (!load(argv[1], n)) return 1;
    } else if (!strncmp(line, "data ", 5)) {
      char *path;
      n = strtoull(line + 5, &path, 10);
      if (!load(path + 1, n)) return 1;
    } else if (!strcmp(line, "run")) {
      double start = now();
      count(data, n);
      printf("%.6f\n", now() - start);
    } else if (!strncmp(line, "calls ", 6)) {
      char *rest;
      long most = strtol(line + 6, &rest, 10);
      double end = now() + strtod(rest, 0) * 1e3, stop = 0;
      while (most-- > 0 && stop < end) {
        double start = now();
        count(data, n);
        stop = now();
        printf("%.6f ", stop - start);
      }
      puts("");
    } else {
      for (int bin = 0; bin < 256; bin++) printf("%llu ", (unsigned long long)counts[bin]);
      puts("");
    }
    fflush(stdout);
  }
  return 0;
}
