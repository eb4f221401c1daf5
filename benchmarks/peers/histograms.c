/* The histogram loops of a C programmer, peers to measure against. Bytes go through 8-byte loads into eight tables. The
 * cells of wider samples are found block by block, which the compiler vectorizes, and are then counted into several tables.
 * Edges are exact: where a multiplication may err, its guess is compared with the edges.
 *
 * usage: histograms FILE N TYPE BINS LO HI [WORD...]     answers lines on stdin:
 *   load          reads the file
 *   data N FILE   switches to other samples, and reads them
 *   run           counts once, prints the milliseconds
 *   calls MOST S  counts at most MOST times for at most S seconds, prints the milliseconds of each call
 *   counts        prints the counts of the last run, or its sums of weights
 * words:
 *   threads=T     counts with T threads
 *   channels=C    pixels of C interleaved bytes; counts the first `wanted=W` channels
 *   columns=2     counts pairs of two columns, which follow one another in the file
 *   edges=A,B,..  has these edges instead of equal bins
 *   weights       adds up weights, 32-bit floats that follow the samples in the file */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BLOCK = 512,
       TABLES = 8,
       /* Cells outside the bins: below, above, NaN. */
       FLOW = 3,
       /* Cells above which two tables replace eight, which would leave the first-level cache. */
       MANY = 512,
       MOST_EDGES = 1 << 17 };

static size_t n;
static int bins, threads = 1, channels = 1, wanted = 1, columns = 1, weighted = 0, listed = 0;
static double lo, hi, edges[MOST_EDGES];
static float edges32[MOST_EDGES];
static const char *type;
static size_t width;
static char *data;
static const float *weights;
/* The result: counts, or sums of weights. */
static double *counts;

static int isType(const char *name) { return !strcmp(type, name); }
static int cellsOf(void) {
  return columns == 2 ? (bins + FLOW) * (bins + FLOW) : wanted * (channels > 1 ? bins : bins + FLOW);
}

/* Integers over the whole range of their type: equal bins are a multiplication and a shift, without rounding. */
#define WHOLE(name, type_t, unsigned_t, low, bits)                                                    \
  static void name(const char *from, size_t at, int count, int32_t *restrict codes) {                 \
    const type_t *restrict x = (const type_t *)from + at;                                             \
    const uint64_t many = bins;                                                                       \
    if ((many & (many - 1)) == 0) {                                                                   \
      const int shift = bits - __builtin_ctzll(many);                                                 \
      for (int i = 0; i < count; i++) codes[i] = (unsigned_t)(x[i] - (unsigned_t)low) >> shift;       \
    } else {                                                                                          \
      for (int i = 0; i < count; i++) codes[i] = (unsigned_t)(x[i] - (unsigned_t)low) * many >> bits; \
    }                                                                                                 \
  }
WHOLE(codesOfU16, uint16_t, uint16_t, 0, 16)
WHOLE(codesOfI16, int16_t, uint16_t, INT16_MIN, 16)
WHOLE(codesOfU32, uint32_t, uint32_t, 0, 32)
WHOLE(codesOfI32, int32_t, uint32_t, INT32_MIN, 32)
WHOLE(codesOfU8, uint8_t, uint8_t, 0, 8)

/* Gathering edges into vectors takes longer than reading them one by one. */
#define ONE_BY_ONE __attribute__((noinline, optimize("no-tree-vectorize")))

/* Floats: equal bins by multiplication. A block with a sample so near to an edge that the product may err is compared with
 * the edges. Uneven edges are found by a search without branches. `fine` is the error of a product for each bin. */
#define CLAMPED(value) ((value) > least ? (value) < most ? (value) : most : least)
#define FLOATS(name, float_t, edges, fine)                                                                \
  ONE_BY_ONE static void name##Searched(const float_t *restrict x, int count, int32_t *restrict codes) {  \
    const int first = 1 << (31 - __builtin_clz(bins));                                                    \
    for (int i = 0; i < count; i++) {                                                                     \
      int code = x[i] >= edges[first] ? bins - first : 0;                                                 \
      for (int step = first / 2; step > 0; step /= 2) code += x[i] >= edges[code + step] ? step : 0;      \
      codes[i] = code;                                                                                    \
    }                                                                                                     \
  }                                                                                                       \
  ONE_BY_ONE static void name##Corrected(const float_t *restrict x, int count, int32_t *restrict codes) { \
    for (int i = 0; i < count; i++) {                                                                     \
      int code = codes[i] < bins ? codes[i] : bins - 1;                                                   \
      if (x[i] < edges[code]) code--;                                                                     \
      else if (x[i] >= edges[code + 1]) code++;                                                           \
      codes[i] = code;                                                                                    \
    }                                                                                                     \
  }                                                                                                       \
  static void name(const char *from, size_t at, int count, int32_t *restrict codes) {                     \
    const float_t *restrict x = (const float_t *)from + at;                                               \
    const float_t least = edges[0], most = edges[bins], scale = bins / (hi - lo);                         \
    if (listed) name##Searched(x, count, codes);                                                          \
    else {                                                                                                \
      const int isEven = (bins & (bins - 1)) == 0 && lo == 0 && hi == 1;                                  \
      const float_t error = bins * (float_t)fine;                                                         \
      int isNear = 0;                                                                                     \
      if (isEven)                                                                                         \
        for (int i = 0; i < count; i++) codes[i] = (int32_t)(CLAMPED(x[i]) * scale);                      \
      else                                                                                                \
        for (int i = 0; i < count; i++) {                                                                 \
          const float_t place = (CLAMPED(x[i]) - least) * scale, rest = place - (int32_t)place;           \
          codes[i] = (int32_t)place;                                                                      \
          isNear |= (rest < error) | (rest > 1 - error);                                                  \
        }                                                                                                 \
      if (isNear) name##Corrected(x, count, codes);                                                       \
    }                                                                                                     \
    for (int i = 0; i < count; i++) {                                                                     \
      int code = codes[i] < bins ? codes[i] : bins - 1;                                                   \
      code = x[i] < least ? bins : code;                                                                  \
      code = x[i] > most ? bins + 1 : code;                                                               \
      codes[i] = x[i] == x[i] ? code : bins + 2;                                                          \
    }                                                                                                     \
  }
FLOATS(codesOfF32, float, edges32, 0x1p-21)
FLOATS(codesOfF64, double, edges, 0x1p-49)

typedef void (*Codes)(const char *from, size_t at, int count, int32_t *restrict codes);

static Codes codesOf(void) {
  return isType("u8")    ? codesOfU8
         : isType("u16") ? codesOfU16
         : isType("i16") ? codesOfI16
         : isType("u32") ? codesOfU32
         : isType("i32") ? codesOfI32
         : isType("f32") ? codesOfF32
                         : codesOfF64;
}

static void countBytes(size_t from, size_t to, uint32_t *tables) {
  const uint8_t *bytes = (const uint8_t *)data;
  uint32_t (*table)[256] = (uint32_t (*)[256])tables;
  size_t i = from;
  for (; i + 8 <= to; i += 8) {
    uint64_t word;
    memcpy(&word, bytes + i, 8);
    for (int at = 0; at < 8; at++) table[at][(uint8_t)(word >> (8 * at))]++;
  }
  for (; i < to; i++) table[0][bytes[i]]++;
}

/* Three channels: a table for each, four times, so that equal neighbours do not wait for one another. */
#define PIXELS(name, each)                                                                              \
  static void name(size_t from, size_t to, uint32_t *tables) {                                          \
    const uint8_t *pixel = (const uint8_t *)data + from * each;                                         \
    uint32_t (*table)[3][256] = (uint32_t (*)[3][256])tables;                                           \
    size_t i = from;                                                                                    \
    for (; i + 4 <= to; i += 4, pixel += 4 * each)                                                      \
      for (int at = 0; at < 4; at++)                                                                    \
        for (int channel = 0; channel < 3; channel++) table[at][channel][pixel[at * each + channel]]++; \
    for (; i < to; i++, pixel += each)                                                                  \
      for (int channel = 0; channel < 3; channel++) table[0][channel][pixel[channel]]++;                \
  }
PIXELS(countRgb, 3)
PIXELS(countRgba, 4)

static void countCodes(size_t from, size_t to, uint32_t *tables, int mask) {
  const Codes codesAt = codesOf();
  const int cells = cellsOf();
  uint32_t *table[TABLES];
  for (int i = 0; i < TABLES; i++) table[i] = tables + (size_t)(i & mask) * cells;
  int32_t codes[BLOCK], others[BLOCK];
  for (size_t at = from; at < to; at += BLOCK) {
    const int count = to - at < BLOCK ? (int)(to - at) : BLOCK;
    codesAt(data, at, count, codes);
    if (columns == 2) {
      codesAt(data + n * width, at, count, others);
      for (int i = 0; i < count; i++) codes[i] = codes[i] * (bins + FLOW) + others[i];
    }
    int i = 0;
    for (; i + TABLES <= count; i += TABLES)
      for (int j = 0; j < TABLES; j++) table[j][codes[i + j]]++;
    for (; i < count; i++) table[0][codes[i]]++;
  }
}

static void addWeights(size_t from, size_t to, double *tables, int mask) {
  const Codes codesAt = codesOf();
  const int cells = cellsOf();
  double *table[TABLES];
  for (int i = 0; i < TABLES; i++) table[i] = tables + (size_t)(i & mask) * cells;
  int32_t codes[BLOCK];
  for (size_t at = from; at < to; at += BLOCK) {
    const int count = to - at < BLOCK ? (int)(to - at) : BLOCK;
    codesAt(data, at, count, codes);
    int i = 0;
    for (; i + TABLES <= count; i += TABLES)
      for (int j = 0; j < TABLES; j++) table[j][codes[i + j]] += weights[at + i + j];
    for (; i < count; i++) table[0][codes[i]] += weights[at + i];
  }
}

static void countPart(size_t from, size_t to, double *out) {
  /* A thread keeps its tables from call to call. */
  static _Thread_local char *memory;
  const int cells = cellsOf(), copies = channels > 1 ? 4 : cells > MANY ? 2
                                                                        : TABLES;
  const size_t size = (size_t)copies * cells * (weighted ? sizeof(double) : sizeof(uint32_t));
  if (!memory) memory = malloc(size);
  memset(memory, 0, size);
  if (weighted) {
    double *tables = (double *)memory;
    addWeights(from, to, tables, copies - 1);
    for (int cell = 0; cell < cells; cell++)
      for (int i = 0; i < copies; i++) out[cell] += tables[(size_t)i * cells + cell];
    return;
  }
  uint32_t *tables = (uint32_t *)memory;
  if (channels == 3) countRgb(from, to, tables);
  else if (channels == 4) countRgba(from, to, tables);
  else if (isType("u8") && bins == 256) {
    /* Bytes have no flow, so their tables lie closer together. */
    countBytes(from, to, tables);
    for (int cell = 0; cell < 256; cell++)
      for (int i = 0; i < TABLES; i++) out[cell] += tables[i * 256 + cell];
    return;
  } else countCodes(from, to, tables, copies - 1);
  for (int i = 0; i < copies; i++)
    for (int cell = 0; cell < cells; cell++) out[cell] += tables[(size_t)i * cells + cell];
}

static void count(void) {
  const int cells = cellsOf();
  memset(counts, 0, cells * sizeof *counts);
  if (threads == 1) {
    countPart(0, n, counts);
    return;
  }
#pragma omp parallel for num_threads(threads)
  for (int thread = 0; thread < threads; thread++) {
    static _Thread_local double *part;
    if (!part) part = malloc(cells * sizeof *part);
    memset(part, 0, cells * sizeof *part);
    countPart(n / threads * thread, thread == threads - 1 ? n : n / threads * (thread + 1), part);
#pragma omp critical
    for (int cell = 0; cell < cells; cell++) counts[cell] += part[cell];
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static int load(const char *path) {
  FILE *file = fopen(path, "rb");
  const size_t samples = n * width * channels * columns, size = samples + (weighted ? n * sizeof(float) : 0);
  free(data);
  data = aligned_alloc(64, (size + 64) / 64 * 64);
  int read = data && file && fread(data, 1, size, file) == size;
  if (file) fclose(file);
  weights = (const float *)(data + samples);
  puts("0");
  return read;
}

static void readWord(char *word) {
  char *value = strchr(word, '=');
  if (!strncmp(word, "threads=", 8)) threads = atoi(value + 1);
  else if (!strncmp(word, "channels=", 9)) channels = atoi(value + 1);
  else if (!strncmp(word, "wanted=", 7)) wanted = atoi(value + 1);
  else if (!strncmp(word, "columns=", 8)) columns = atoi(value + 1);
  else if (!strcmp(word, "weights")) weighted = 1;
  else if (!strncmp(word, "edges=", 6)) {
    listed = 1;
    for (int i = 0; i <= bins; i++, value = strchr(value + 1, ',')) edges[i] = atof(value + 1);
  } else exit(2);
}

static void printCounts(void) {
  const int each = columns == 2 ? bins + FLOW : 0;
  if (each)
    for (int x = 0; x < bins; x++)
      for (int y = 0; y < bins; y++) printf("%.17g ", counts[x * each + y]);
  else
    for (int cell = 0; cell < wanted * bins; cell++) printf("%.17g ", counts[cell]);
  puts("");
}

int main(int argc, char **argv) {
  if (argc < 7) return 2;
  n = strtoull(argv[2], 0, 10);
  type = argv[3];
  bins = atoi(argv[4]);
  lo = atof(argv[5]);
  hi = atof(argv[6]);
  width = atoi(type + 1) / 8;
  if (bins + 1 > MOST_EDGES) return 2;
  for (int i = 0; i <= bins; i++) edges[i] = i == bins ? hi : lo + i * ((hi - lo) / bins);
  for (int i = 7; i < argc; i++) readWord(argv[i]);
  for (int i = 0; i <= bins; i++) edges32[i] = (float)edges[i];
  counts = calloc(cellsOf(), sizeof *counts);
  char line[4096];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (!strcmp(line, "load")) {
      if (!load(argv[1])) return 1;
    } else if (!strncmp(line, "data ", 5)) {
      char *path;
      n = strtoull(line + 5, &path, 10);
      if (!load(path + 1)) return 1;
    } else if (!strcmp(line, "run")) {
      double start = now();
      count();
      printf("%.6f\n", now() - start);
    } else if (!strncmp(line, "calls ", 6)) {
      char *rest;
      long most = strtol(line + 6, &rest, 10);
      double end = now() + strtod(rest, 0) * 1e3, stop = 0;
      while (most-- > 0 && stop < end) {
        double start = now();
        count();
        stop = now();
        printf("%.6f ", stop - start);
      }
      puts("");
    } else printCounts();
    fflush(stdout);
  }
  return 0;
}
