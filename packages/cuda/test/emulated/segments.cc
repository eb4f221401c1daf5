// Counts segments on the host with the real per-segment kernel and compares with a loop. Covers sizes around every
// bound of its tables, unaligned starts, tiles, offsets, pieces that cut segments, and rows that are added to.
// Inaccessible memory follows every array, so that a load past its room ends the program.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "generated/kernels/per-segment.cuh"
#include "generated/limits.cuh"

using namespace polybin;

namespace {

/** Memory followed by inaccessible memory. It starts at a multiple of 16 bytes. */
template <typename T>
T *fenced(size_t many) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t bytes = (many * sizeof(T) + 15) / 16 * 16, pages = (bytes + page - 1) / page * page;
  auto *const begin = static_cast<char *>(
      mmap(nullptr, pages + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (begin == MAP_FAILED || mprotect(begin + pages, page, PROT_NONE) != 0) fail("no memory");
  return reinterpret_cast<T *>(begin + pages - bytes);
}

constexpr uint32_t BINS = 256, MOST = 70001;

struct Case {
  const char *name;
  Segments segments;
  /** The available pixels, from `begin` on. */
  uint64_t there;
  std::vector<uint64_t> offsets;
};

struct Lines {
  uint64_t start, width, height, pitch;
};

Lines linesOf(const Segments &of, uint64_t row) {
  const uint64_t segment = of.first + row;
  if (of.cut == Cut::every) return {segment * of.every, std::min(of.every, of.pixels - segment * of.every), 1, 0};
  if (of.cut == Cut::offsets) return {of.offsets[row], of.offsets[row + 1] - of.offsets[row], 1, 0};
  const uint64_t x = segment % of.columns * of.width, y = segment / of.columns * of.height;
  return {y * of.imageWidth + x, std::min(of.width, of.imageWidth - x), std::min(of.height, of.imageHeight - y),
          of.imageWidth};
}

/** The thread layout of a plan. */
struct Layout {
  const char *name;
  uint32_t threadsPerSegment, segmentsPerBlock, replicas, rowsPerBlock, wordsPerThread;
};

constexpr Layout layouts[] = {
    {"bytes, four warps", 32, 4, 32, 256, limits::SEGMENT_FOLD_WORDS},
    {"bytes, a warp", 32, 1, 32, 256, limits::SEGMENT_FOLD_WORDS},
    {"words, four warps", 32, 4, 1, 256, 0},
    {"words, a block", 128, 1, 8, 256, 0},
    {"words, windows", 64, 1, 2, 100, 0},
    {"words, a block, a copy a lane", 64, 1, 32, 256, 0},
};

uint8_t *bytes;
int failures = 0;

void expectSame(const char *what, const Case &of, const Layout &layout, uint64_t row, uint32_t cell, uint64_t found, uint64_t wanted) {
  if (found == wanted || failures++ > 20) return;
  std::printf("%s, %s, %s: row %llu cell %u has %llu, not %llu\n", what, of.name, layout.name,
              static_cast<unsigned long long>(row), cell, static_cast<unsigned long long>(found),
              static_cast<unsigned long long>(wanted));
}

/** One launch: raw bytes of one of `interleaved` channels. Codes sort them into 5 bins and flow. */
void run(const Case &given, const Layout &layout, uint64_t partSamples, uint32_t interleaved, bool coded, bool wide) {
  Case of = given;
  of.segments.offsets = of.offsets.empty() ? nullptr : of.offsets.data();
  Segments &segments = of.segments;
  const uint32_t bins = coded ? 5 : BINS;
  uint32_t *const codes = fenced<uint32_t>(256);
  for (uint32_t i = 0; i < 256; i++) codes[i] = i % 7;
  // Parts: the same number for each segment, or for offsets the number that each needs.
  std::vector<uint32_t> before, segmentOf;
  uint64_t longest = 0;
  for (uint64_t row = 0; row < segments.count; row++) {
    const Lines lines = linesOf(segments, row);
    const uint64_t pixels = lines.width * lines.height, parts = std::max<uint64_t>(1, (pixels + partSamples - 1) / partSamples);
    longest = std::max(longest, pixels);
    before.push_back(static_cast<uint32_t>(segmentOf.size()));
    segmentOf.insert(segmentOf.end(), parts, static_cast<uint32_t>(row));
  }
  segments.partSamples = partSamples;
  segments.partsEach = static_cast<uint32_t>(std::max<uint64_t>(1, (longest + partSamples - 1) / partSamples));
  segments.parts = uint64_t{segments.count} * segments.partsEach;
  const bool isSplit = segments.partsEach > 1;
  if (segments.cut == Cut::offsets && isSplit) {
    segments.partsEach = 0;
    segments.parts = segmentOf.size();
    segments.partsBefore = before.data();
    segments.segmentOf = segmentOf.data();
  }
  Rows rows{};
  rows.wide = wide;
  rows.adds = isSplit || coded || wide || !segments.whole;
  rows.stride = rows.bins = bins;
  rows.codes = coded ? codes : nullptr;
  const size_t many = size_t{segments.count} * bins, words = wide ? 2 : 1;
  auto *const counts = fenced<uint32_t>(many * words);
  auto *const flow = fenced<uint32_t>(size_t{segments.count} * 3 * words);
  for (size_t i = 0; i < many * words; i++) counts[i] = rows.adds ? 0 : ~0u;
  rows.counts = counts;
  rows.flow = flow;

  // The data holds only this part of all pixels, so a load before or behind it is detected.
  auto *const data = fenced<uint8_t>(of.there * interleaved);
  for (uint64_t i = 0; i < of.there * interleaved; i++) data[i] = bytes[segments.begin * interleaved + i];
  Pixels pixels{};
  pixels.data = data;
  pixels.count = of.there;
  pixels.interleaved = interleaved;
  pixels.channels = 1;
  pixels.channel[0] = interleaved - 1;
  Lowering lowering{};
  lowering.kind = Kind::raw;
  lowering.bins = 256;
  Plan plan{};
  plan.cells = 256;
  plan.threads = layout.threadsPerSegment * layout.segmentsPerBlock;
  plan.blocks = 3;
  plan.replicas = layout.replicas;
  plan.wordsPerThread = layout.wordsPerThread;
  const uint32_t table = layout.wordsPerThread != 0 ? 8192 : (layout.rowsPerBlock * layout.replicas * 4 + 15) / 16 * 16;
  plan.sharedBytes = table * layout.segmentsPerBlock;
  const PerSegment own{layout.threadsPerSegment, layout.segmentsPerBlock, static_cast<uint32_t>(partSamples), 256,
                       layout.rowsPerBlock};
  perSegment(pixels, lowering, plan, own, segments, rows, nullptr);

  const auto at = [&](const uint32_t *from, uint64_t i) {
    return wide ? reinterpret_cast<const uint64_t *>(from)[i] : uint64_t{from[i]};
  };
  for (uint64_t row = 0; row < segments.count; row++) {
    uint64_t wanted[BINS + 3] = {};
    const Lines lines = linesOf(segments, row);
    for (uint64_t y = 0; y < lines.height; y++) {
      for (uint64_t x = 0; x < lines.width; x++) {
        const uint64_t pixel = lines.start + y * lines.pitch + x - segments.begin;
        if (pixel >= of.there) continue;
        const uint8_t byte = data[pixel * interleaved + interleaved - 1];
        wanted[coded ? codes[byte] : byte]++;
      }
    }
    for (uint32_t cell = 0; cell < bins; cell++) expectSame("a count", of, layout, row, cell, at(counts, row * bins + cell), wanted[cell]);
    if (!coded) continue;
    for (uint32_t kind = 0; kind < 3; kind++) expectSame("flow", of, layout, row, kind, at(flow, row * 3 + kind), wanted[bins + kind]);
  }
}

Case every(const char *name, uint64_t length, uint64_t pixels, uint64_t first = 0, uint64_t begin = 0, uint64_t there = ~0ull) {
  Case of{};
  of.name = name;
  of.segments.cut = Cut::every;
  of.segments.every = length;
  of.segments.pixels = pixels;
  of.segments.first = first;
  of.segments.count = static_cast<uint32_t>((pixels + length - 1) / length - first);
  of.segments.begin = begin;
  of.there = std::min(pixels - begin, there);
  of.segments.whole = begin == 0 && of.there == pixels;
  return of;
}

Case cutAt(const char *name, std::vector<uint64_t> offsets, uint64_t pixels, uint64_t begin = 0, uint64_t there = ~0ull) {
  Case of{};
  of.name = name;
  of.segments.cut = Cut::offsets;
  of.segments.pixels = pixels;
  of.segments.count = static_cast<uint32_t>(offsets.size() - 1);
  of.segments.begin = begin;
  of.there = std::min(pixels - begin, there);
  of.segments.whole = begin == 0 && of.there == pixels;
  of.offsets = std::move(offsets);
  return of;
}

Case tiles(const char *name, uint64_t width, uint64_t height, uint64_t across, uint64_t down, uint64_t begin = 0, uint64_t there = ~0ull) {
  Case of{};
  of.name = name;
  of.segments.cut = Cut::tiles;
  of.segments.width = width;
  of.segments.height = height;
  of.segments.imageWidth = across;
  of.segments.imageHeight = down;
  of.segments.columns = (across + width - 1) / width;
  of.segments.count = static_cast<uint32_t>(of.segments.columns * ((down + height - 1) / height));
  of.segments.pixels = across * down;
  of.segments.begin = begin;
  of.there = std::min(across * down - begin, there);
  of.segments.whole = begin == 0 && of.there == across * down;
  return of;
}

}  // namespace

int main() {
  bytes = fenced<uint8_t>(MOST * 3);
  std::vector<Case> cases{
      every("64 each", 64, 1000),
      every("1 each", 1, 70),
      every("4096 each", 4096, 3 * 4096 + 7),
      every("odd lengths, not aligned", 1021, 10000),
      every("even, a byte a lane", 48, 50 * 48),
      every("even, a word a lane", 256, 40 * 256 + 100),
      every("even, a vector a lane", 512, 31 * 512 + 511),
      every("even, two vectors a lane", 1024, 17 * 1024, 3),
      every("even, folds with one vector in flight", 512 * 17, 3 * 512 * 17 + 16),
      every("even, folds with two", 1024 * 9, 2 * 1024 * 9),
      every("even, folds with four", 2048 * 7, 4 * 2048 * 7 + 1, 1),
      every("even, of whole vectors, but not of all lanes'", 4096 + 16, 5 * 4112),
      every("even, a piece in the middle", 1024, 12000, 0, 1008, 7000),
      every("even, of a later piece", 1024, 12 * 1024, 4, 4096, 8 * 1024),
      every("one, longer than a lane counts before it folds", 40000, 40000),
      every("from the third on", 777, 9000, 2),
      every("a piece in the middle", 1500, 12000, 0, 1111, 7000),
      cutAt("offsets, some empty", {3, 3, 17, 17, 600, 5000, 5001, 21000}, 22000),
      cutAt("offsets of a piece", {0, 900, 900, 8000, 9999, 10000}, 12000, 450, 9000),
      tiles("aligned tiles", 64, 64, 256, 130),
      tiles("odd tiles", 33, 17, 200, 60),
      tiles("tiles as wide as the picture", 300, 16, 200, 60),
      tiles("tiles of a piece", 32, 32, 160, 100, 777, 9001),
  };
  const auto fill = [&](auto value) {
    for (uint32_t i = 0; i < MOST * 3; i++) bytes[i] = static_cast<uint8_t>(value(i));
  };
  const auto all = [&](uint32_t interleaved, bool coded, bool wide, uint64_t partSamples) {
    for (const Case &of : cases) {
      for (const Layout &layout : layouts) run(of, layout, partSamples, interleaved, coded, wide);
    }
  };
  fill([](uint32_t i) { return std::rand() + i * 0; });
  all(1, false, false, 65536);
  all(3, false, false, 65536);
  all(1, true, true, 1008);
  // Every counter that is used reaches its maximum.
  fill([](uint32_t) { return 255; });
  all(1, false, false, 65536);
  fill([](uint32_t) { return 0; });
  all(1, false, false, 20000);
  return failures > 0;
}
