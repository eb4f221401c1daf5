/* The joint histogram loop of a C programmer, a peer to measure against: two columns over BINS x BINS equal bins of [0, 1].
 * Edges are exact: a guess by multiplication is corrected by comparison with the edges. Values outside and NaN are counted.
 *
 * usage: joint X Y N     X and Y are files of N floats. Answers lines on stdin:
 *   load              reads the files
 *   calls 1 S METHOD  counts once, prints the milliseconds and those of the processor
 *   counts            prints the counts of the last call: rows of BINS bins, then below, above and NaN
 *
 * methods: natural     a branch finds out whether a value is in the range; the code is below
 *          branchless  a clamp instead, and one comparison with the nearest edge
 *          threads     two threads of natural, with a table each */
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BINS = 100,
       EXTENT = BINS + 3 };

static float edges[BINS + 1];
/* Edges from 1 on, the first float above the last one, and NaN at both ends. */
static float nearest[BINS + 3];
static uint32_t tables[2][EXTENT * EXTENT];
static uint64_t counts[EXTENT * EXTENT];
static float *x, *y;
static size_t n;

static inline uint32_t codeOf(float value) {
  if (value >= edges[0] && value <= edges[BINS]) {
    int bin = (int)((value - edges[0]) * BINS);
    if (bin > BINS - 1) bin = BINS - 1;
    if (value < edges[bin]) bin--;
    else if (bin < BINS - 1 && value >= edges[bin + 1]) bin++;
    return bin;
  }
  return value < edges[0] ? BINS : value > edges[BINS] ? BINS + 1
                                                       : BINS + 2;
}

/* 0: NaN, 1: below, 2: the bins, then above. */
static inline uint32_t rowOf(float value) {
  float clamped = value > edges[0] ? value : edges[0];
  clamped = clamped < nearest[BINS + 1] ? clamped : nearest[BINS + 1];
  clamped = value == value ? clamped : -1.5f / BINS;
  int edge = (int)((clamped - edges[0]) * BINS + 1.5f);
  return edge + (value >= nearest[edge]);
}

static void natural(uint32_t *table, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) table[codeOf(x[i]) * EXTENT + codeOf(y[i])]++;
}

static void branchless(uint32_t *table, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) table[rowOf(x[i]) * EXTENT + rowOf(y[i])]++;
}

static void *half(void *unused) {
  natural(tables[1], n / 2, n);
  return unused;
}

static int codeOfRow(int row) {
  return row == 0 ? BINS + 2 : row == 1      ? BINS
                           : row == BINS + 2 ? BINS + 1
                                             : row - 2;
}

static void count(const char *method) {
  int isBranchless = !strcmp(method, "branchless");
  memset(tables, 0, sizeof tables);
  if (!strcmp(method, "threads")) {
    pthread_t other;
    pthread_create(&other, 0, half, 0);
    natural(tables[0], 0, n / 2);
    pthread_join(other, 0);
  } else if (isBranchless) branchless(tables[0], 0, n);
  else natural(tables[0], 0, n);
  for (int i = 0; i < EXTENT; i++) {
    for (int j = 0; j < EXTENT; j++) {
      int to = isBranchless ? codeOfRow(i) * EXTENT + codeOfRow(j) : i * EXTENT + j;
      counts[to] = (uint64_t)tables[0][i * EXTENT + j] + tables[1][i * EXTENT + j];
    }
  }
}

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static float *load(const char *path) {
  FILE *file = fopen(path, "rb");
  float *data = malloc(n * sizeof(float) + 1);
  if (!file || fread(data, sizeof(float), n, file) != n) exit(1);
  fclose(file);
  return data;
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  n = strtoull(argv[3], 0, 10);
  for (int i = 0; i <= BINS; i++) edges[i] = i == BINS ? 1 : (float)(i * (1.0 / BINS));
  memcpy(nearest + 1, edges, BINS * sizeof(float));
  nearest[0] = nearest[BINS + 2] = NAN;
  nearest[BINS + 1] = nextafterf(1, 2);
  char line[256];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (!strcmp(line, "load")) {
      free(x);
      free(y);
      x = load(argv[1]);
      y = load(argv[2]);
      puts("0");
    } else if (!strncmp(line, "calls ", 6)) {
      double start = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
      count(strrchr(line, ' ') + 1);
      double wall = now(CLOCK_MONOTONIC) - start;
      printf("%.6f %.6f\n", wall, now(CLOCK_PROCESS_CPUTIME_ID) - cpu);
    } else {
      for (int cell = 0; cell < EXTENT * EXTENT; cell++) printf("%llu ", (unsigned long long)counts[cell]);
      puts("");
    }
    fflush(stdout);
  }
  return 0;
}
