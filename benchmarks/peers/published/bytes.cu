// Measures the papers' kernels that count bytes, as the papers publish them: with each paper's launch, and with as many
// blocks as fit on this device. Prints one row of a result file in JSON per kernel and data, each compared with exact
// counts first. benchmarks/src/suites/published.ts runs it, alone and under ncu.
//
//   nvcc -std=c++17 -O3 -gencode arch=compute_90,code=sm_90 -I packages/cuda/native -I benchmarks/peers
//        benchmarks/peers/published/bytes.cu -o published_bytes
//   published_bytes [--runs=20] [--figure="PAPER FIGURE" …] [--pictures=FOLDER] [--sample=FOLDER]
//
// --sample names the folder of the picture that everybody has, whose rows are apart from those of photographs. A folder of
// pictures has planes (.pgm) and pictures of three channels (.ppm), which become RGBA with alpha 0, as in
// Brown & Snoeyink's Figure 7.
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>

#include "handbook.cuh"
#include "hardavellas.cuh"
#include "measure.cuh"
#include "nugteren.cuh"
#include "podlozhnyuk.cuh"
#include "trish.cuh"

namespace published {
namespace {

constexpr uint64_t N = 1 << 26, MOST = 1 << 28;

/** Where kernels count to. */
struct Out {
  Memory<uint32_t> partial, counts;
  explicit Out(size_t words) : partial(words), counts(BINS) {}
};

/** A kernel with its launch on this device. */
struct Kernel {
  Names names;
  Shape shape;
  uint32_t bins = BINS;
  std::function<void(const uint32_t *data, uint32_t words, const Out &)> count, merge;
  /** The grid for a number of words, if it depends on it. */
  std::function<uint32_t(uint64_t words)> grid;
  /** The most bytes that a thread can count. */
  uint64_t mostPerThread = UINT64_MAX;
};

constexpr const char *BROWN = "brown-snoeyink", *HANDBOOK = "cuda-handbook", *PODLOZHNYUK = "podlozhnyuk", *SLIDES = "hardavellas";

using ToPartial = void (*)(const uint32_t *, uint32_t, uint32_t *);

/** A kernel that writes a table per block, which a second one adds up. `inOneBlock`: by TRISH's BlockSum. */
Kernel withTables(Names names, ToPartial kernel, const Shape &shape, bool inOneBlock, uint32_t bins = BINS) {
  Kernel of{std::move(names), shape, bins};
  of.count = [=](const uint32_t *data, uint32_t words, const Out &out) {
    const uint32_t blocks = shape.blocks;
    kernel<<<blocks, shape.threads, shape.sharedBytes>>>(data, words, out.partial.at);
  };
  of.merge = [=](const uint32_t *, uint32_t, const Out &out) {
    if (inOneBlock) sumInOneBlock<<<1, BINS>>>(out.partial.at, shape.blocks, out.counts.at);
    else sumInBlocks<<<bins, MERGE_THREADS, MERGE_THREADS * sizeof(uint32_t)>>>(out.partial.at, shape.blocks, out.counts.at);
  };
  return of;
}

/** A kernel that adds to the counts with atomics. */
Kernel withAtomics(Names names, ToPartial kernel, const Shape &shape) {
  Kernel of{std::move(names), shape};
  of.count = [=](const uint32_t *data, uint32_t words, const Out &out) {
    kernel<<<shape.blocks, shape.threads, shape.sharedBytes>>>(data, words, out.counts.at);
  };
  return of;
}

/** TRISH's Count kernels by k, in pairs. */
template <Rows rows, uint32_t... ks>
ToPartial trishOf(uint32_t k, std::integer_sequence<uint32_t, ks...>) {
  ToPartial found = nullptr;
  ((ks + 1 == k ? (void)(found = countTrish<ks + 1, rows>) : (void)0), ...);
  return found;
}

Kernel trish(uint32_t k, uint32_t perUnit, std::string figures, Rows rows = Rows::pairs) {
  ToPartial kernel = nullptr;
  if (rows == Rows::pairs) kernel = trishOf<Rows::pairs>(k, std::make_integer_sequence<uint32_t, 63>());
  else if (rows == Rows::singles) kernel = countTrish<31, Rows::singles>;
  else kernel = k == 1 ? countTrish<1, Rows::none> : countTrish<31, Rows::none>;
  const Shape shape = fitted(kernel, TRISH_THREADS, TRISH_WORDS * sizeof(uint32_t), perUnit);
  const bool today = perUnit == 0;
  std::string parameters = text("\"k\":%u", k);
  if (rows == Rows::singles) parameters += ",\"row sums\":\"singles\"";
  if (rows == Rows::none) parameters += ",\"row sums\":\"none\"";
  if (perUnit != 0 && perUnit != 3) parameters += text(",\"blocks a multiprocessor\":%u", perUnit);
  Names names{BROWN, "TRISH", today, std::move(figures), parameters};
  if (rows == Rows::none) names.wrong = "without row sums its 8-bit counters wrap around (6.2)";
  return withTables(names, kernel, shape, !today);
}

Kernel nugteren(bool today, std::string figures, bool bytes = false) {
  const ToPartial kernel = bytes ? countNugteren<true> : countNugteren<false>;
  Names names{BROWN, "Nugteren", today, std::move(figures), bytes ? "\"loads\":\"bytes\"" : ""};
  Kernel of = withTables(names, kernel, fitted(kernel, WARP, NUGTEREN_WORDS * sizeof(uint32_t), today ? 0 : 3), false);
  of.mostPerThread = NUGTEREN_MOST;
  return of;
}

/** Podlozhnyuk's per-warp method with 8 blocks of 192 threads, or as many as fit. */
Kernel perWarp(const char *paper, bool today, std::string figures) {
  const ToPartial kernel = histogram256Atomic;
  const Names names{paper, "Podlozhnyuk 256", today, std::move(figures), "\"collisions\":\"atomic\""};
  return withTables(names, kernel, fitted(kernel, WARPS * WARP, WARPS * BINS * sizeof(uint32_t), today ? 0 : 8), false);
}

Kernel perWarpTagged(const char *paper, bool today, std::string figures) {
  const auto kernel = histogram256<false>;
  const Names names{paper, "Podlozhnyuk 256", today, std::move(figures), "\"collisions\":\"tag\""};
  const Shape shape = fitted(kernel, WARPS * WARP, WARPS * BINS * sizeof(uint32_t), today ? 0 : 8);
  Kernel of = withTables(names, nullptr, shape, false);
  of.count = [=](const uint32_t *data, uint32_t words, const Out &out) {
    kernel<<<shape.blocks, shape.threads, shape.sharedBytes>>>(data, words, out.partial.at, nullptr);
  };
  return of;
}

template <Columns columns, uint32_t threads, bool staggered>
Kernel per64(const char *columnsName) {
  const ToPartial kernel = histogram64<columns, threads, staggered>;
  const std::string parameters = text("\"columns\":\"%s\",\"starts\":\"%s\"", columnsName, staggered ? "apart" : "equal");
  const Names names{PODLOZHNYUK, "Podlozhnyuk 64", columns == Columns::ofToday, "\"oclHistogram64\"", parameters};
  Kernel of = withTables(names, kernel, fitted(kernel, threads, 16 * threads * sizeof(uint32_t), 0), false, 64);
  of.grid = [](uint64_t words) { return static_cast<uint32_t>((words + threads * BYTE_WORDS - 1) / (threads * BYTE_WORDS)); };
  of.shape.blocks = of.grid(N / 4);
  const Shape shape = of.shape;
  of.count = [=](const uint32_t *data, uint32_t words, const Out &out) {
    kernel<<<shape.blocks, shape.threads, shape.sharedBytes>>>(data, words, out.partial.at);
  };
  of.merge = [=](const uint32_t *, uint32_t, const Out &out) {
    sumInBlocks<<<64, MERGE_THREADS, MERGE_THREADS * sizeof(uint32_t)>>>(out.partial.at, shape.blocks, out.counts.at);
  };
  return of;
}

/** The Handbook's program launches fixed grids. */
Shape fixedOr(bool today, const Shape &fits, uint32_t blocks) {
  Shape of = fits;
  if (!today) of.blocks = blocks;
  return of;
}

std::vector<Kernel> handbook() {
  std::vector<Kernel> all;
  const auto names = [](const char *method, bool today, std::string parameters) {
    return Names{HANDBOOK, method, today, "\"Performance\"", std::move(parameters)};
  };
  for (const bool today : {false, true}) {
    all.push_back(withAtomics(names("Handbook per grid", today, ""), countPerGrid,
                              fixedOr(today, fitted(countPerGrid, 256, 0, 0), 400)));
    const auto block = [&](ToPartial kernel, const char *loads, const char *places) {
      all.push_back(withAtomics(names("Handbook per block", today, text("\"loads\":\"%s\",\"places\":\"%s\"", loads, places)), kernel,
                                fixedOr(today, fitted(kernel, 256, BINS * sizeof(uint32_t), 0), 400)));
    };
    block(countPerBlock<false, false>, "bytes", "equal");
    block(countPerBlock<true, false>, "words", "equal");
    block(countPerBlock<false, true>, "bytes", "turned");
    block(countPerBlock<true, true>, "words", "turned");
    const auto reduce = [&](ToPartial kernel, const char *places) {
      all.push_back(withTables(names("Handbook per block, second kernel", today, text("\"places\":\"%s\"", places)), kernel,
                               fixedOr(today, fitted(kernel, 64, BINS * sizeof(uint32_t), 0), 240), !today));
    };
    reduce(countPerBlockReduce<false>, "equal");
    reduce(countPerBlockReduce<true>, "turned");
    const auto thread = [&](ToPartial kernel, uint32_t threads, const char *layout) {
      all.push_back(withAtomics(names("Handbook per thread", today, text("\"threads\":%u,\"layout\":\"%s\",\"merge\":\"periodic\"", threads, layout)),
                                kernel, fixedOr(today, fitted(kernel, threads, threads * BINS, 0), 256)));
    };
    thread(countPerThread<Layout::row, 64, true>, 64, "row");
    thread(countPerThread<Layout::column, 64, true>, 64, "column");
    thread(countPerThread<Layout::interleaved, 64, true>, 64, "interleaved");
    thread(countPerThread<Layout::interleaved, 32, true>, 32, "interleaved");
    const auto check = [&](ToPartial kernel, const char *layout, bool inShared) {
      const uint32_t bytes = 64 * BINS + (inShared ? BINS * sizeof(uint32_t) : 0);
      const std::string parameters = text("\"threads\":64,\"layout\":\"%s\",\"merge\":\"check-%s\"", layout, inShared ? "shared" : "global");
      all.push_back(withAtomics(names("Handbook per thread", today, parameters), kernel, fixedOr(today, fitted(kernel, 64, bytes, 0), 256)));
    };
    check(countPerThreadChecked<Layout::row, 64, true>, "row", true);
    check(countPerThreadChecked<Layout::column, 64, true>, "column", true);
    check(countPerThreadChecked<Layout::interleaved, 64, true>, "interleaved", true);
    check(countPerThreadChecked<Layout::row, 64, false>, "row", false);
    check(countPerThreadChecked<Layout::column, 64, false>, "column", false);
    check(countPerThreadChecked<Layout::interleaved, 64, false>, "interleaved", false);
  }
  // To avoid overflow, the number of bytes decides the grid, on every device.
  const auto avoid = [&](ToPartial kernel, uint32_t threads, const char *layout, uint32_t perThread) {
    Shape shape = fitted(kernel, threads, threads * BINS, 0);
    // The book divides by 64 threads also for blocks of 32.
    shape.blocks = (N + 64 * perThread - 1) / (64 * perThread);
    all.push_back(withAtomics(names("Handbook per thread", false,
                                    text("\"threads\":%u,\"layout\":\"%s\",\"merge\":\"avoid\",\"loads\":\"%s\"", threads, layout,
                                         perThread == 255 ? "bytes" : "words")),
                              kernel, shape));
  };
  avoid(countPerThread<Layout::row, 64, false>, 64, "row", 255 / 4);
  avoid(countPerThread<Layout::column, 64, false>, 64, "column", 255 / 4);
  avoid(countPerThread<Layout::interleaved, 64, false>, 64, "interleaved", 255 / 4);
  avoid(countPerThread<Layout::interleaved, 32, false>, 32, "interleaved", 255 / 4);
  avoid(countPerThreadBytes, 64, "interleaved", 255);
  return all;
}

/** `isProfiled`: the cells whose instructions are counted. */
std::vector<Kernel> slides(bool isProfiled) {
  std::vector<Kernel> all;
  for (const bool today : {false, true}) {
    const auto add = [&](const char *method, ToPartial kernel, uint32_t threads, uint32_t words, uint32_t perUnit) {
      const char *const figures = isProfiled && !today ? "\"Discussion\",\"Lab\"" : "\"Discussion\"";
      all.push_back(withAtomics({SLIDES, method, today, figures, ""}, kernel,
                                fitted(kernel, threads, words * sizeof(uint32_t), today ? 0 : perUnit)));
    };
    // "Use only 1 warp per SM"; the others are as many as a GTX 680 holds.
    add("Hardavellas per thread", countSlidesPerThread, WARP, BINS * WARP, 1);
    add("Hardavellas per block", countSlidesPerBlock, 256, BINS, 8);
    add("Hardavellas per bank", countSlidesPerBank, WARP, BINS + WARP, 16);
  }
  return all;
}

/** Data on the device, and exact counts. */
class Input {
 public:
  explicit Input(uint64_t bytes) : data_(bytes), exact_(BINS) {}

  const uint32_t *words() const { return reinterpret_cast<const uint32_t *>(data_.at); }

  void fillWith(Distribution of, uint64_t n) {
    fill<<<4096, 256>>>(data_.at, n, of, levels, Picture{nullptr, 1});
    known_.clear();
  }
  void copy(const std::vector<uint8_t> &bytes) {
    check(cudaMemcpy(data_.at, bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "a copy");
    known_.clear();
  }

  /** Returns the counts of the first n bytes. */
  const std::vector<Count> &countsOf(uint64_t n, uint32_t bins) {
    std::vector<Count> &counts = known_[{n, bins}];
    if (!counts.empty()) return counts;
    counts.resize(bins);
    check(cudaMemset(exact_.at, 0, BINS * sizeof(Count)), "memory");
    countPlainly<<<1024, 256>>>(data_.at, n, bins / levels, 1, 0, exact_.at);
    check(cudaMemcpy(counts.data(), exact_.at, bins * sizeof(Count), cudaMemcpyDeviceToHost), "a copy");
    return counts;
  }

 private:
  Memory<uint8_t> data_;
  Memory<Count> exact_;
  std::map<std::pair<uint64_t, uint32_t>, std::vector<Count>> known_;
};

class Bench {
 public:
  explicit Bench(const Options &options) : options_(options), input_(MOST), out_(size_t{1} << 24) {}

  bool isRight = true;

  /** `n`: the bytes that are filled. Sorted ones reach the highest value only there. */
  void use(Distribution of, uint64_t n = MOST) {
    distribution_ = distributions[of];
    input_.fillWith(of, n);
  }
  void use(const std::string &name, const std::vector<uint8_t> &bytes) {
    distribution_ = name;
    input_.copy(bytes);
  }

  void measure(const Kernel &of, uint64_t n) {
    if (!isWanted(of)) return;
    if (of.shape.blocksPerUnit == 0) return printMissing(of.names, "a multiprocessor has no room for its blocks");
    if (uint64_t{of.shape.blocks} * of.bins > size_t{1} << 24) return printMissing(of.names, "too many blocks for its tables");
    if (n / (uint64_t{of.shape.blocks} * of.shape.threads) > of.mostPerThread) return printMissing(of.names, "a thread would get more than a counter holds");
    const uint32_t words = static_cast<uint32_t>(n / 4);
    const auto clear = [&] { check(cudaMemsetAsync(out_.counts.at, 0, BINS * sizeof(uint32_t)), "memory"); };
    const auto count = [&] { of.count(input_.words(), words, out_); };
    const std::function<void()> merge = of.merge ? std::function<void()>([&] { of.merge(input_.words(), words, out_); }) : nullptr;
    clear();
    count();
    if (merge) merge();
    check(cudaGetLastError(), of.names.method);
    check(cudaDeviceSynchronize(), of.names.method);
    std::vector<uint32_t> found(of.bins);
    check(cudaMemcpy(found.data(), out_.counts.at, of.bins * sizeof(uint32_t), cudaMemcpyDeviceToHost), "a copy");
    const bool exact = agrees(found, input_.countsOf(n, of.bins));
    const bool asSaid = of.names.wrong != nullptr ? wraps(found, input_.countsOf(n, of.bins)) : exact;
    isRight = isRight && asSaid;
    if (!asSaid) std::fprintf(stderr, "%s, %s, %s, %llu bytes: wrong counts\n", of.names.method, of.names.parameters.c_str(), distribution_.c_str(), static_cast<unsigned long long>(n));
    const Times times = options_.runs > 0 && asSaid ? timedBoth(options_.runs, clear, count, merge) : Times{{0}, {0}};
    printRow(of.names, of.shape, {"u8", distribution_, of.bins, n, ""}, times, static_cast<bool>(merge), exact);
  }

 private:
  static bool agrees(const std::vector<uint32_t> &found, const std::vector<Count> &exact) {
    return std::equal(found.begin(), found.end(), exact.begin(), exact.end());
  }
  /** Whether each bin lacks a multiple of what a byte counter loses or carries into its neighbour. */
  static bool wraps(const std::vector<uint32_t> &found, const std::vector<Count> &exact) {
    Count sum = 0, wanted = 0;
    for (size_t bin = 0; bin < found.size(); bin++) {
      sum += found[bin];
      wanted += exact[bin];
    }
    return sum <= wanted;
  }
  bool isWanted(const Kernel &of) const {
    if (options_.figures.empty()) return true;
    for (const std::string &figure : options_.figures) {
      const size_t space = figure.find(' ');
      if (figure.substr(0, space) == of.names.paper && of.names.figures.find('"' + figure.substr(space + 1) + '"') != std::string::npos) return true;
    }
    return false;
  }

  const Options &options_;
  Input input_;
  Out out_;
  std::string distribution_;
};

/** A picture of one or three channels. */
struct Pixels {
  std::string name;
  uint32_t width = 0, height = 0, channels = 0;
  std::vector<uint8_t> bytes;
};

std::vector<Pixels> picturesIn(const std::string &folder) {
  std::vector<Pixels> all;
  if (folder.empty()) return all;
  std::vector<std::filesystem::path> paths;
  for (const auto &entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const auto &path : paths) {
    if (path.extension() != ".pgm" && path.extension() != ".ppm") continue;
    std::ifstream file(path, std::ios::binary);
    Pixels of;
    std::string kind;
    uint32_t most = 0;
    file >> kind >> of.width >> of.height >> most;
    file.get();
    of.name = path.stem().string();
    of.channels = kind == "P6" ? 3 : 1;
    of.bytes.resize(size_t{of.width} * of.height * of.channels);
    file.read(reinterpret_cast<char *>(of.bytes.data()), static_cast<std::streamsize>(of.bytes.size()));
    if (!file || most != 255) {
      std::fprintf(stderr, "expected a binary PGM or PPM of 8 bits but received %s\n", path.c_str());
      std::exit(2);
    }
    all.push_back(std::move(of));
  }
  return all;
}

/** Tiles a picture to a square. Three channels become four, the last of them 0. */
std::vector<uint8_t> tiled(const Pixels &of, uint32_t side) {
  const uint32_t channels = of.channels == 3 ? 4 : 1;
  std::vector<uint8_t> out(size_t{side} * side * channels);
  size_t at = 0;
  for (uint32_t y = 0; y < side; y++) {
    for (uint32_t x = 0; x < side; x++) {
      const uint8_t *const from = of.bytes.data() + (size_t{y % of.height} * of.width + x % of.width) * of.channels;
      for (uint32_t c = 0; c < of.channels; c++) out[at++] = from[c];
      if (channels == 4) out[at++] = 0;
    }
  }
  return out;
}

/** Brown & Snoeyink's cells that differ by size on one distribution. */
void figure6(Bench &bench, Distribution of) {
  for (uint32_t power = 13; power <= 28; power++) {
    const uint64_t n = uint64_t{1} << power;
    for (const bool today : {false, true}) {
      const char *const figures = n == N ? "\"Figure 6\",\"Table 1\",\"6.1\"" : "\"Figure 6\"";
      bench.measure(trish(31, today ? 0 : 3, figures), n);
      bench.measure(perWarp(BROWN, today, figures), n);
      if (of == uniform) bench.measure(trish(63, today ? 0 : 3, "\"Figure 6, k\""), n);
      bench.measure(nugteren(today, figures), n);
    }
  }
}

void brownSnoeyink(Bench &bench, Distribution of) {
  if (of != picture) figure6(bench, of);
  if (of != uniform) return;
  for (uint32_t k = 1; k <= 63; k++) {
    for (const uint32_t perUnit : {3u, 0u}) bench.measure(trish(k, perUnit, k == 1 || k == 31 ? "\"Figure 4\",\"6.2\"" : "\"Figure 4\""), N);
  }
  for (const uint32_t perUnit : {1u, 2u, 4u, 6u, 8u, 10u, 12u}) bench.measure(trish(31, perUnit, "\"6.2\""), N);
  for (const uint32_t perUnit : {3u, 0u}) {
    bench.measure(trish(31, perUnit, "\"5.3\"", Rows::singles), N);
    for (const uint32_t k : {1u, 31u}) bench.measure(trish(k, perUnit, "\"6.2\"", Rows::none), N);
  }
  for (const bool today : {false, true}) bench.measure(nugteren(today, "\"6.3\"", true), N);
}

void podlozhnyuk(Bench &bench) {
  bench.measure(per64<Columns::plain, 192, true>("plain"), N);
  bench.measure(per64<Columns::swizzled, 192, true>("swizzled"), N);
  bench.measure(per64<Columns::swizzled, 192, false>("swizzled"), N);
  bench.measure(per64<Columns::ofToday, 128, true>("swizzled for 32 banks"), N);
  for (const bool today : {false, true}) {
    bench.measure(perWarpTagged(PODLOZHNYUK, today, "\"oclHistogram256\""), N);
    bench.measure(perWarp(PODLOZHNYUK, today, "\"oclHistogram256\""), N);
  }
}

void figure7(Bench &bench, const Pixels &of, const char *figures) {
  for (uint32_t side = 256; side <= 4096; side *= 2) {
    const std::vector<uint8_t> bytes = tiled(of, side);
    bench.use(of.name + (of.channels == 3 ? ", RGBA with an alpha of 0" : ""), bytes);
    for (const bool today : {false, true}) {
      bench.measure(trish(31, today ? 0 : 3, figures), bytes.size());
      bench.measure(perWarp(BROWN, today, figures), bytes.size());
      bench.measure(perWarpTagged(BROWN, today, figures), bytes.size());
      bench.measure(nugteren(today, figures), bytes.size());
    }
  }
}

/** The picture that everybody has: Figure 7 with it, and the methods of the Handbook and of the slides on its bytes. */
void ofSample(Bench &bench, const Pixels &of) {
  figure7(bench, of, "\"Figure 7, sample\"");
  if (of.channels != 1) return;
  bench.use(of.name, tiled(of, 8192));
  for (const Kernel &kernel : handbook()) bench.measure(kernel, N);
  for (const Kernel &kernel : slides(false)) bench.measure(kernel, N);
}

int run(const Options &options) {
  Bench bench(options);
  const std::vector<Pixels> pictures = picturesIn(options.pictures);
  for (const Distribution of : {uniform, zeros, ramp, apart, gauss, two}) {
    bench.use(of);
    if (of != gauss && of != two) brownSnoeyink(bench, of);
    podlozhnyuk(bench);
    for (const Kernel &kernel : handbook()) bench.measure(kernel, N);
    for (const Kernel &kernel : slides(of == uniform)) bench.measure(kernel, N);
  }
  // The rest of the distributions, on which the comparison of the Handbook and of the slides is shown.
  for (const Distribution of : {smooth, zipf, sorted}) {
    bench.use(of, N);
    for (const Kernel &kernel : handbook()) bench.measure(kernel, N);
  }
  for (const Pixels &of : picturesIn(options.sample)) ofSample(bench, of);
  for (const Pixels &of : pictures) figure7(bench, of, "\"Figure 7\"");
  if (pictures.empty()) std::puts("{\"missing\":\"Brown & Snoeyink's Figure 7: expected --pictures=FOLDER\"}");
  return bench.isRight ? 0 : 1;
}

}  // namespace
}  // namespace published

int main(int argc, char **argv) { return published::run(published::parse(argc, argv)); }
