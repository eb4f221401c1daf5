/* The plain histogram loop of a C programmer, a peer to measure against: 8-byte loads, 8 tables.
 *
 * usage: loop FILE N     answers lines on stdin:
 *   load    reads the file
 *   run     counts once, prints milliseconds
 *   counts  prints the 256 counts of the last run */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t counts[256];

static void count(const uint8_t *data, size_t n) {
  static uint32_t tables[8][256];
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

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  size_t n = strtoull(argv[2], 0, 10);
  uint8_t *data = malloc(n ? n : 1);
  char line[16];
  FILE *file = fopen(argv[1], "rb");
  if (!data || !file) return 1;
  while (fgets(line, sizeof line, stdin)) {
    if (!strcmp(line, "load\n")) {
      rewind(file);
      if (fread(data, 1, n, file) != n) return 1;
      puts("0");
    } else if (!strcmp(line, "run\n")) {
      double start = now();
      count(data, n);
      printf("%.6f\n", now() - start);
    } else {
      for (int bin = 0; bin < 256; bin++) printf("%llu ", (unsigned long long)counts[bin]);
      puts("");
    }
    fflush(stdout);
  }
  return 0;
}
