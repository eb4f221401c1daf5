// Measures Xu et al.'s methods as the paper publishes them: with the blocks that a GTX 580 holds on a multiprocessor, and
// with as many as fit on this device. Prints one row of a result file in JSON per method and table, each compared with
// exact counts and sums first. benchmarks/src/suites/published.ts runs it, alone and under ncu.
//
//   nvcc -std=c++17 -O3 -gencode arch=compute_90,code=sm_90 -I packages/cuda/native -I benchmarks/peers
//        benchmarks/peers/published/sums.cu -o published_sums
//   published_sums [--runs=7] [--figure="xu FIGURE" …] [--features=1024] [--documents=131072]
//
// Weights are eighths, so that float sums of them are exact in any order.
#include <map>

#include "measure.cuh"
#include "xu.cuh"

namespace published {
namespace {

/**
 * The values of a feature: normal ones of a deviation, or zeros and others, also in runs; without any, uniform ones. A run of
 * 0 is one of 1 that the name leaves out, as in a result file of ours.
 */
struct Kind {
  double sigma = -1, zeros = -1;
  uint32_t run = 0;

  std::string name() const {
    if (sigma >= 0) return text("sigma %g", sigma);
    if (zeros < 0) return "uniform";
    return run == 0 ? text("%g%% zeros", zeros * 100) : text("%g%% zeros, runs of %u", zeros * 100, run);
  }
};

constexpr uint32_t KINDS_MOST = 16;
struct Kinds {
  Kind at[KINDS_MOST];
  uint32_t count;
};

__device__ uint32_t valueOf(const Kind &kind, uint64_t feature, uint32_t document, uint32_t bins) {
  const uint64_t i = feature << 32 | document / (kind.run == 0 ? 1 : kind.run);
  if (kind.sigma >= 0) {
    const double normal = sqrt(-2 * log(1 - unit(2 * i))) * cospi(2 * unit(2 * i + 1));
    return static_cast<uint32_t>(fmin(fmax(rint(bins / 2 + kind.sigma * normal), 0.0), bins - 1.0));
  }
  if (kind.zeros < 0) return static_cast<uint32_t>(unit(i) * bins);
  return unit(2 * i) < kind.zeros ? 0 : 1 + static_cast<uint32_t>(unit(2 * i + 1) * (bins - 1));
}

/** Feature f has the kind f % kinds.count. */
__global__ void fillTable(uint32_t *words, uint64_t count, uint32_t rowWords, uint32_t bits, uint32_t bins, Kinds kinds) {
  for (uint64_t i = blockIdx.x * uint64_t{blockDim.x} + threadIdx.x; i < count; i += uint64_t{gridDim.x} * blockDim.x) {
    const uint64_t feature = i / rowWords;
    const Kind &kind = kinds.at[feature % kinds.count];
    uint32_t word = 0;
    for (uint32_t slot = 0; slot < 32 / bits; slot++) {
      word |= valueOf(kind, feature, static_cast<uint32_t>(i % rowWords) * (32 / bits) + slot, bins) << bits * slot;
    }
    words[i] = word;
  }
}

__host__ __device__ inline int eighthsOf(uint64_t document) { return static_cast<int>(mixed(document) % 17) - 8; }

__global__ void weigh(float *weights, uint32_t count) {
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) weights[i] = eighthsOf(i) / 8.0f;
}

/** Exact counts and sums in eighths: a block per feature. A thread first adds up runs of one bin. */
__global__ void addPlainly(const uint32_t *words, uint32_t rowWords, uint32_t bits, uint32_t bins, uint32_t *counts, int *eighths) {
  const uint64_t row = uint64_t{blockIdx.x} * rowWords, to = uint64_t{blockIdx.x} * bins;
  const uint32_t perWord = 32 / bits, each = (rowWords + blockDim.x - 1) / blockDim.x;
  uint32_t bin = 0, run = 0;
  int sum = 0;
  const auto flush = [&] {
    if (run == 0) return;
    atomicAdd(counts + to + bin, run);
    atomicAdd(eighths + to + bin, sum);
    run = 0;
    sum = 0;
  };
  for (uint32_t i = 0; i < each; i++) {
    const uint32_t at = threadIdx.x * each + i;
    if (at >= rowWords) break;
    const uint32_t word = words[row + at];
    for (uint32_t slot = 0; slot < perWord; slot++) {
      const uint32_t next = word >> bits * slot & ((1u << bits) - 1);
      if (next != bin) flush();
      bin = next;
      run++;
      sum += eighthsOf(uint64_t{at} * perWord + slot);
    }
  }
  flush();
}

__global__ void listFeatures(uint32_t *to, uint32_t count) {
  for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) to[i] = i;
}

uint32_t bitsFor(uint32_t bins) { return bins <= 16 ? 4 : bins <= 256 ? 8
                                                                      : 16; }
const char *typeFor(uint32_t bins) { return bins <= 16 ? "u4" : bins <= 256 ? "u8"
                                                                            : "u16"; }

/** A method with its parameters. */
struct Method {
  enum { free,
         collision,
         reduced,
         hybrid } kind;
  uint32_t unroll = 1, warps = 1, slots = 0;
  bool skip = false, atomics = true;
  /** Whether a load reads a word, and not one value (4.1). */
  bool words = true;
};

using Sums = void (*)(Table);

template <uint32_t bits, bool words>
Sums freeOf(uint32_t unroll) {
  switch (unroll) {
    case 1: return sumFree<bits, 1, words>;
    case 2: return sumFree<bits, 2, words>;
    case 4: return sumFree<bits, 4, words>;
    case 8: return sumFree<bits, 8, words>;
    case 16: return sumFree<bits, 16, words>;
    default: return sumFree<bits, 32, words>;
  }
}

template <uint32_t bits, bool skip>
Sums collisionOf(uint32_t unroll) {
  switch (unroll) {
    case 1: return sumCollision<bits, 1, skip, true>;
    case 2: return sumCollision<bits, 2, skip, true>;
    case 4: return sumCollision<bits, 4, skip, true>;
    default: return sumCollision<bits, 8, skip, true>;
  }
}

template <uint32_t bits, bool skip>
Sums reducedOf(uint32_t slots) {
  switch (slots) {
    case 5: return sumReduced<bits, 5, skip>;
    case 8: return sumReduced<bits, 8, skip>;
    case 10: return sumReduced<bits, 10, skip>;
    default: return sumReduced<bits, 16, skip>;
  }
}

Sums kernelOf(const Method &of, uint32_t bits) {
  if (of.kind == Method::free) {
    if (bits == 4) return of.words ? freeOf<4, true>(of.unroll) : freeOf<4, false>(of.unroll);
    return of.words ? freeOf<8, true>(of.unroll) : freeOf<8, false>(of.unroll);
  }
  if (!of.atomics) return sumCollision<16, 1, false, false>;
  if (of.kind == Method::collision) {
    // Few bins have cells without skipped zeros only (Table 7).
    if (bits == 4) return collisionOf<4, false>(of.unroll);
    if (bits == 8) return of.skip ? collisionOf<8, true>(of.unroll) : collisionOf<8, false>(of.unroll);
    return of.skip ? collisionOf<16, true>(of.unroll) : collisionOf<16, false>(of.unroll);
  }
  if (bits == 4) return reducedOf<4, false>(of.slots);
  if (bits == 8) return of.skip ? reducedOf<8, true>(of.slots) : reducedOf<8, false>(of.slots);
  return of.skip ? reducedOf<16, true>(of.slots) : reducedOf<16, false>(of.slots);
}

uint32_t sharedOf(const Method &of, uint32_t bins) {
  const uint32_t threads = of.warps * WARP;
  if (of.kind == Method::free) return bins * threads * 6;
  return bins * 8 + of.slots * threads * 8;
}

/** Table 2: what a multiprocessor of a GTX 580 holds. */
uint32_t ofFermi(uint32_t threads, uint32_t sharedBytes) {
  return std::max(1u, std::min({8u, (48u << 10) / std::max(sharedBytes, 1u), 1536 / threads}));
}

/** Collision-free: as many warps a block, up to 8, as the shared memory of a GTX 580 has room for. */
uint32_t warpsForFree(uint32_t bins) { return std::max(1u, std::min(8u, (48u << 10) / (bins * WARP * 6))); }

/** Table 5. */
uint32_t unrollOf(uint32_t bins) { return bins <= 2 ? 1 : bins <= 4 ? 2
                                                      : bins <= 8   ? 4
                                                                    : 16; }

/** Table 6. */
Method reducedBy(uint32_t bins, bool skip = false) {
  if (bins <= 128) return {Method::reduced, 1, 2, 10, skip};
  if (bins <= 256) return {Method::reduced, 1, 2, 8, skip};
  if (bins <= 512) return {Method::reduced, 1, 3, 5, skip};
  return {Method::reduced, 1, 6, 10, skip};
}
Method collisionBy(uint32_t bins, bool skip = false) { return {Method::collision, 1, bins <= 512 ? 2u : 4u, 0, skip}; }

/** A launch of one method for some features. */
struct Launch {
  Sums kernel = nullptr;
  Shape shape;
  Table table{};
  uint32_t features = 0;
  bool skip = false;
  /** Whether its tables become totals in a second kernel. Others are the totals. */
  bool merges = false;
};

class Bench {
 public:
  explicit Bench(const Options &options)
      : options_(options), features_(options.features), documents_(options.documents), most_(features_ * documents_),
        values_(most_ * 8), weights_(documents_ * 8), list_(features_ * 4), total_(1), counts_(features_ * 4 * 1024),
        exact_(features_ * 4 * 1024), eighths_(features_ * 4 * 1024), sums_(features_ * 4 * 1024), tableCounts_(TABLE_WORDS), tableSums_(TABLE_WORDS) {
    weigh<<<256, 256>>>(weights_.at, static_cast<uint32_t>(documents_ * 8));
  }

  bool isRight = true;

  /** Fills the table with features of some kinds. */
  void use(uint32_t bins, const std::vector<Kind> &kinds, uint64_t features, uint64_t documents) {
    bins_ = bins;
    kinds_ = kinds;
    nowFeatures_ = features;
    nowDocuments_ = documents;
    isFilled_ = false;
  }
  void use(uint32_t bins, const std::vector<Kind> &kinds) { use(bins, kinds, features_, documents_); }

  void measure(const Method &of, const char *figures) {
    for (const bool today : {false, true}) measure(of, today, figures);
  }

  /** Measures one method; for the hybrid, its choice for each kind. */
  void measure(const Method &of, bool today, const char *figures) {
    const Names names = namesOf(of, today, figures);
    if (!isWanted(names)) return;
    fillOnce();
    std::vector<Launch> launches;
    if (of.kind == Method::hybrid) launches = chosen(of, today);
    else launches = {launchOf(of, today, 0, nowFeatures_, 0)};
    const bool merges = launches.front().merges;
    for (const Launch &each : launches) {
      if (each.shape.blocksPerUnit == 0) return printMissing(names, text("%u bins: a multiprocessor has no room for its blocks", bins_).c_str());
    }
    const auto clear = [] {};
    const auto count = [&] {
      for (const Launch &each : launches) each.kernel<<<each.shape.blocks, each.shape.threads, each.shape.sharedBytes>>>(each.table);
    };
    const std::function<void()> merge = merges ? std::function<void()>([&] {
      for (const Launch &each : launches) mergeOf(each);
    })
                                               : nullptr;
    // Words that no kernel writes must not look right.
    check(cudaMemset(counts_.at, 0xff, nowFeatures_ * bins_ * sizeof(uint32_t)), "memory");
    check(cudaMemset(sums_.at, 0xff, nowFeatures_ * bins_ * sizeof(float)), "memory");
    count();
    if (merge) merge();
    check(cudaGetLastError(), names.method);
    check(cudaDeviceSynchronize(), names.method);
    const bool exact = agrees();
    if (!exact && names.wrong == nullptr) {
      std::fprintf(stderr, "%s, %s, %u bins, %s: wrong sums\n", names.method, names.parameters.c_str(), bins_, distribution().c_str());
      isRight = false;
    }
    const bool measured = options_.runs > 0 && (exact || names.wrong != nullptr);
    const Times times = measured ? timedBoth(options_.runs, clear, count, merge) : Times{{0}, {0}};
    const Kind &first = kinds_[0];
    const Launch &longest = launches.front();
    std::string more = text(
        ",\"weighted\":{\"features\":%llu,\"documents\":%llu,\"adds\":\"counts and sums\",\"precision\":\"fast\",\"skip\":%s,"
        "\"fetch\":\"%s\"",
        static_cast<unsigned long long>(nowFeatures_), static_cast<unsigned long long>(nowDocuments_), of.skip ? "true" : "false",
        of.kind == Method::reduced || !of.words ? "value" : "word");
    if (of.kind == Method::free || of.kind == Method::collision) more += text(",\"unroll\":%u", of.unroll);
    if (of.kind != Method::hybrid) more += text(",\"warps\":%u", of.warps);
    if (of.kind == Method::reduced) more += text(",\"buffer\":%u", of.slots);
    if (kinds_.size() == 1 && first.sigma >= 0) more += text(",\"sigma\":%g", first.sigma);
    if (kinds_.size() == 1 && first.zeros >= 0) more += text(",\"zeroShare\":%g", first.zeros);
    more += text(",\"figures\":[%s],\"plans\":[", figures);
    for (size_t i = 0; i < launches.size(); i++) {
      more += text("%s\"%u features: %u blocks of %u threads\"", i ? "," : "", launches[i].features, launches[i].shape.blocks, launches[i].shape.threads);
    }
    more += "]}";
    printRow(names, longest.shape, {typeFor(bins_), distribution(), bins_, nowFeatures_ * nowDocuments_, more}, times, merges, exact);
  }

 private:
  static constexpr size_t TABLE_WORDS = size_t{440} << 20;

  Names namesOf(const Method &of, bool today, const char *figures) const {
    static const char *const methods[] = {"Xu collision-free", "Xu collision", "Xu collision-reduced", "Xu hybrid"};
    std::string parameters;
    const auto add = [&](const std::string &one) { parameters += (parameters.empty() ? "" : ",") + one; };
    if (of.kind == Method::free || of.kind == Method::collision) add(text("\"unroll\":%u", of.unroll));
    if (of.kind != Method::hybrid) add(text("\"warps\":%u", of.warps));
    if (of.kind == Method::reduced) add(text("\"buffer\":%u", of.slots));
    if (of.skip) add("\"zeros\":\"skipped\"");
    if (!of.atomics) add("\"adds\":\"without atomics\"");
    if (!of.words) add("\"loads\":\"values\"");
    return {"xu", methods[of.kind], today, figures, parameters, of.atomics ? nullptr : "additions without atomics get lost (6.2.1)"};
  }

  std::string distribution() const { return kinds_.size() == 1 ? kinds_[0].name() : "features of all kinds"; }

  bool isWanted(const Names &names) const {
    if (options_.figures.empty()) return true;
    for (const std::string &figure : options_.figures) {
      if (figure.rfind("xu ", 0) == 0 && names.figures.find('"' + figure.substr(3) + '"') != std::string::npos) return true;
    }
    return false;
  }

  uint32_t rowWords() const { return static_cast<uint32_t>(nowDocuments_ * bitsFor(bins_) / 32); }

  void fillOnce() {
    if (isFilled_) return;
    isFilled_ = true;
    Kinds kinds{};
    kinds.count = static_cast<uint32_t>(kinds_.size());
    std::copy(kinds_.begin(), kinds_.end(), kinds.at);
    uint32_t *const words = reinterpret_cast<uint32_t *>(values_.at);
    fillTable<<<4096, 256>>>(words, nowFeatures_ * rowWords(), rowWords(), bitsFor(bins_), bins_, kinds);
    listFeatures<<<1, 256>>>(list_.at, static_cast<uint32_t>(nowFeatures_));
    const size_t cells = nowFeatures_ * bins_;
    check(cudaMemset(exact_.at, 0, cells * sizeof(uint32_t)), "memory");
    check(cudaMemset(eighths_.at, 0, cells * sizeof(int)), "memory");
    addPlainly<<<static_cast<uint32_t>(nowFeatures_), 256>>>(words, rowWords(), bitsFor(bins_), bins_, exact_.at, eighths_.at);
    wantedCounts_.resize(cells);
    wantedEighths_.resize(cells);
    check(cudaMemcpy(wantedCounts_.data(), exact_.at, cells * sizeof(uint32_t), cudaMemcpyDeviceToHost), "a copy");
    check(cudaMemcpy(wantedEighths_.data(), eighths_.at, cells * sizeof(int), cudaMemcpyDeviceToHost), "a copy");
  }

  bool agrees() {
    const size_t cells = nowFeatures_ * bins_;
    std::vector<uint32_t> counts(cells);
    std::vector<float> sums(cells);
    check(cudaMemcpy(counts.data(), counts_.at, cells * sizeof(uint32_t), cudaMemcpyDeviceToHost), "a copy");
    check(cudaMemcpy(sums.data(), sums_.at, cells * sizeof(float), cudaMemcpyDeviceToHost), "a copy");
    for (size_t i = 0; i < cells; i++) {
      if (counts[i] != wantedCounts_[i] || sums[i] * 8 != static_cast<float>(wantedEighths_[i])) return false;
    }
    return true;
  }

  /** A launch for `features` features of the list from `first` on, whose tables begin at a block. */
  Launch launchOf(const Method &of, bool today, uint32_t first, uint64_t features, uint64_t firstBlock) {
    Launch launch;
    launch.kernel = kernelOf(of, bitsFor(bins_));
    launch.skip = of.skip;
    launch.features = static_cast<uint32_t>(features);
    const uint32_t threads = of.warps * WARP, shared = sharedOf(of, bins_);
    launch.shape = fitted(launch.kernel, threads, shared, today ? 0 : ofFermi(threads, shared));
    Table &table = launch.table;
    table.values = values_.at;
    table.pitch = uint64_t{rowWords()} * 4;
    table.weights = weights_.at;
    table.features = list_.at + first;
    table.documents = static_cast<uint32_t>(nowDocuments_);
    table.bins = bins_;
    table.each = of.kind == Method::reduced ? of.slots * threads : table.documents;
    table.segments = (table.documents + table.each - 1) / table.each;
    // Only a list of all features has their totals in its order.
    launch.merges = of.skip || table.segments > 1 || features < nowFeatures_;
    table.counts = launch.merges ? tableCounts_.at + firstBlock * bins_ : counts_.at;
    table.sums = launch.merges ? tableSums_.at + firstBlock * bins_ : sums_.at;
    launch.shape.blocks = launch.features * table.segments;
    if ((firstBlock + launch.shape.blocks) * bins_ > TABLE_WORDS) launch.shape.blocksPerUnit = 0;
    return launch;
  }

  void mergeOf(const Launch &of) {
    const uint32_t threads = std::min(256u, std::max(WARP, bins_));
    if (of.skip) {
      sumWeights<<<1, 1024, 1024 * sizeof(float)>>>(weights_.at, of.table.documents, total_.at);
      mergeTables<true><<<of.features, threads, 2 * sizeof(uint32_t)>>>(of.table, total_.at, counts_.at, sums_.at);
    } else {
      mergeTables<false><<<of.features, threads, 2 * sizeof(uint32_t)>>>(of.table, total_.at, counts_.at, sums_.at);
    }
  }

  /** 4.5: each kind of feature gets the method that took less time in a first round. */
  std::vector<Launch> chosen(const Method &of, bool today) {
    if (bins_ <= 128) {
      const Method method{Method::free, unrollOf(bins_), warpsForFree(bins_)};
      return {launchOf(method, today, 0, nowFeatures_, 0)};
    }
    std::vector<uint32_t> lists[2];
    const Method methods[] = {collisionBy(bins_, of.skip), reducedBy(bins_, of.skip)};
    for (size_t kind = 0; kind < kinds_.size(); kind++) {
      std::vector<uint32_t> same;
      for (uint32_t f = static_cast<uint32_t>(kind); f < nowFeatures_; f += static_cast<uint32_t>(kinds_.size())) same.push_back(f);
      if (same.empty()) continue;
      float ms[2];
      for (int i = 0; i < 2; i++) {
        put(same, 0);
        const Launch launch = launchOf(methods[i], today, 0, same.size(), 0);
        if (launch.shape.blocksPerUnit == 0) return {launch};
        const Times times = timedBoth(3, [] {}, [&] { launch.kernel<<<launch.shape.blocks, launch.shape.threads, launch.shape.sharedBytes>>>(launch.table); }, [&] { mergeOf(launch); });
        ms[i] = *std::min_element(times.ms.begin(), times.ms.end());
      }
      std::vector<uint32_t> &to = lists[ms[1] < ms[0]];
      to.insert(to.end(), same.begin(), same.end());
    }
    std::vector<Launch> launches;
    uint32_t first = 0;
    uint64_t block = 0;
    for (int i = 0; i < 2; i++) {
      if (lists[i].empty()) continue;
      put(lists[i], first);
      launches.push_back(launchOf(methods[i], today, first, lists[i].size(), block));
      first += static_cast<uint32_t>(lists[i].size());
      block += launches.back().shape.blocks;
    }
    return launches;
  }

  void put(const std::vector<uint32_t> &features, uint32_t first) {
    check(cudaMemcpy(list_.at + first, features.data(), features.size() * sizeof(uint32_t), cudaMemcpyHostToDevice), "a copy");
    // Other methods expect all features in order.
    isFilled_ = false;
  }

  const Options &options_;
  uint64_t features_, documents_, most_;
  Memory<uint8_t> values_;
  Memory<float> weights_;
  Memory<uint32_t> list_;
  Memory<float> total_;
  Memory<uint32_t> counts_, exact_;
  Memory<int> eighths_;
  Memory<float> sums_;
  Memory<uint32_t> tableCounts_;
  Memory<float> tableSums_;
  std::vector<uint32_t> wantedCounts_;
  std::vector<int> wantedEighths_;
  uint32_t bins_ = 0;
  std::vector<Kind> kinds_;
  uint64_t nowFeatures_ = 0, nowDocuments_ = 0;
  bool isFilled_ = false;
};

const Kind UNIFORM, USUAL{-1, 0.8};

Method freeBy(uint32_t bins, uint32_t unroll) { return {Method::free, unroll, warpsForFree(bins)}; }

int run(const Options &options) {
  Bench bench(options);
  // Figures 4 and 7 and Table 5: collision-free by N_unroll.
  for (uint32_t bins = 2; bins <= 128; bins *= 2) {
    bench.use(bins, {UNIFORM});
    for (uint32_t unroll = 1; unroll <= 32; unroll *= 2) {
      const bool isTheirs = unroll == unrollOf(bins);
      const char *const figures = bins == 64 ? isTheirs ? "\"Figure 4\",\"Table 5\",\"Figure 7\",\"4.1\"" : "\"Figure 4\",\"Table 5\""
                                  : isTheirs ? "\"Table 5\",\"Figure 7\",\"4.1\""
                                             : "\"Table 5\"";
      bench.measure(freeBy(bins, unroll), figures);
    }
    // Section 4.1: with a load per value.
    Method single = freeBy(bins, unrollOf(bins));
    single.words = false;
    bench.measure(single, "\"4.1\"");
  }
  // Figures 5 and 6: by documents and features.
  for (uint64_t documents = options.documents * 8; documents >= 1024; documents /= 2) {
    bench.use(64, {UNIFORM}, options.features, documents);
    bench.measure(freeBy(64, 16), "\"Figure 5\"");
  }
  for (uint64_t features = 1; features <= options.features * 4; features *= 2) {
    bench.use(64, {UNIFORM}, features, options.documents);
    bench.measure(freeBy(64, 16), "\"Figure 6\"");
  }
  // Figure 8 and section 6.2.1: collision by N_warp and N_unroll, and without atomics.
  bench.use(1024, {UNIFORM});
  for (const uint32_t warps : {2u, 4u, 8u, 16u, 32u}) {
    for (const uint32_t unroll : {1u, 2u, 4u, 8u}) {
      bench.measure({Method::collision, unroll, warps}, warps == 8 && unroll == 1 ? "\"Figure 8\",\"6.2.1\"" : "\"Figure 8\"");
    }
  }
  bench.measure({Method::collision, 1, 8, 0, false, false}, "\"6.2.1\"");
  bench.use(1024, {Kind{0}});
  bench.measure({Method::collision, 1, 8, 0, false, false}, "\"6.2.1\"");
  // Figure 9, and sections 6.2.1 and 6.2.2 at its ends.
  for (const double sigma : {0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, -1.0}) {
    bench.use(1024, {Kind{sigma}});
    bench.measure({Method::collision, 1, 8}, sigma == 0 ? "\"Figure 9\",\"6.2.1\"" : "\"Figure 9\"");
    bench.measure(reducedBy(1024), sigma <= 0 ? "\"Figure 9\",\"6.2.2\"" : "\"Figure 9\"");
  }
  // Figure 10: features of different kinds, one by one.
  std::vector<Kind> kinds;
  for (const double zeros : {0.0, 0.5, 0.9}) {
    for (const uint32_t run : {1u, 4u, 16u, 64u, 256u}) kinds.push_back({-1, zeros, run});
  }
  for (const Kind &kind : kinds) {
    bench.use(1024, {kind});
    bench.measure(collisionBy(1024), "\"Figure 10\"");
    bench.measure(reducedBy(1024), "\"Figure 10\"");
  }
  // Figure 11: together, with and without zeros.
  for (uint32_t bins = 128; bins <= 1024; bins *= 2) {
    for (const std::vector<Kind> &of : {std::vector<Kind>{USUAL}, kinds}) {
      bench.use(bins, of);
      for (const bool skip : {false, true}) {
        bench.measure(collisionBy(bins, skip), "\"Figure 11\"");
        bench.measure(reducedBy(bins, skip), "\"Figure 11\"");
        bench.measure({Method::hybrid, 1, 1, 0, skip}, "\"Figure 11\"");
      }
    }
  }
  // Figure 11 by the share of zeros, for the sparse features of Table 1.
  for (const double zeros : {0.0, 0.25, 0.5, 0.9, 0.99}) {
    bench.use(1024, {Kind{-1, zeros}});
    for (const bool skip : {false, true}) {
      bench.measure(collisionBy(1024, skip), "\"Figure 11\"");
      bench.measure(reducedBy(1024, skip), "\"Figure 11\"");
    }
  }
  // Table 6: the parameters of both methods.
  for (uint32_t bins = 128; bins <= 1024; bins *= 2) {
    bench.use(bins, {USUAL});
    for (const uint32_t warps : {1u, 2u, 4u, 8u}) bench.measure({Method::collision, 1, warps}, "\"Table 6\"");
    for (const uint32_t warps : {2u, 3u, 6u, 8u}) {
      for (const uint32_t slots : {5u, 8u, 10u, 16u}) bench.measure({Method::reduced, 1, warps, slots}, "\"Table 6\"");
    }
  }
  // Table 7: the hybrid by bins, and its methods.
  for (uint32_t bins = 2; bins <= 1024; bins *= 2) {
    bench.use(bins, {USUAL});
    bench.measure({Method::hybrid}, "\"Table 7\"");
    if (bins <= 256) bench.measure(freeBy(bins, unrollOf(bins)), "\"Table 7\"");
    bench.measure(collisionBy(bins), "\"Table 7\"");
    bench.measure(reducedBy(bins), "\"Table 7\"");
  }
  return bench.isRight ? 0 : 1;
}

}  // namespace
}  // namespace published

int main(int argc, char **argv) {
  published::Options options = published::parse(argc, argv);
  return published::run(options);
}
