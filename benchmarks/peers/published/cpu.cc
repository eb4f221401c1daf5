// Measures the papers' methods for a CPU, as the papers describe them, with 1, 2, 4 … threads: the CUDA Handbook's fork and
// join of private histograms, and the loop of Xu et al.'s Algorithm 1. Prints one row of a result file in JSON per cell,
// each compared with exact counts first. benchmarks/src/suites/published.ts runs it on the machine of the GPU.
//
//   g++ -std=c++17 -O3 -pthread benchmarks/peers/published/cpu.cc -o published_cpu
//   published_cpu [--runs=11] [--bytes=268435456] [--features=16] [--documents=1048576]
//
// Source: The CUDA Handbook, Privatized (Per Thread) Histograms; Xu et al., Algorithm 1 and 5.3. Neither prints the code of
// several threads: those of the Handbook get a piece of the data each, and those of Xu et al. features. Weights are eighths,
// so that float sums of them are exact in any order.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr uint32_t BYTES_BINS = 256;

struct Options {
  int runs = 11;
  size_t bytes = size_t{1} << 28, features = 16, documents = 1 << 20;
};

uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

/** Forks, gives each thread its number, and joins. The calling thread is the first. */
void inParallel(unsigned threads, const std::function<void(unsigned thread)> &work) {
  std::vector<std::thread> others;
  for (unsigned thread = 1; thread < threads; thread++) others.emplace_back(work, thread);
  work(0);
  for (std::thread &other : others) other.join();
}

/** A histogram of one thread, apart from those of others. */
struct alignas(128) Private {
  uint32_t counts[BYTES_BINS];
};

/** The Handbook's fork/join: a piece of the data and a histogram per thread. */
void forkJoin(const std::vector<uint8_t> &data, unsigned threads, std::vector<uint32_t> &counts) {
  std::vector<Private> all(threads);
  inParallel(threads, [&](unsigned thread) {
    uint32_t *const own = all[thread].counts;
    std::fill(own, own + BYTES_BINS, 0);
    const size_t from = data.size() * thread / threads, to = data.size() * (thread + 1) / threads;
    const uint8_t *const bytes = data.data();
    for (size_t i = from; i < to; i++) own[bytes[i]]++;
  });
  for (uint32_t bin = 0; bin < BYTES_BINS; bin++) {
    counts[bin] = 0;
    for (const Private &one : all) counts[bin] += one.counts[bin];
  }
}

/** Features of values of half a byte, a byte or two bytes, and a weight per document. */
struct Table {
  uint32_t bits, bins;
  size_t features, documents;
  std::vector<uint8_t> values;
  std::vector<float> weights;

  Table(uint32_t bits, uint32_t bins, size_t features, size_t documents)
      : bits(bits), bins(bins), features(features), documents(documents), values(features * documents * bits / 8), weights(documents) {
    for (size_t i = 0; i < features * documents; i++) set(i, mixed(i) % bins);
    for (size_t i = 0; i < documents; i++) weights[i] = eighthsOf(i) / 8.0f;
  }
  static int eighthsOf(size_t document) { return static_cast<int>(mixed(~document) % 17) - 8; }
  uint32_t at(size_t i) const {
    if (bits == 4) return values[i / 2] >> 4 * (i % 2) & 15;
    return bits == 8 ? values[i] : reinterpret_cast<const uint16_t *>(values.data())[i];
  }

 private:
  void set(size_t i, uint32_t value) {
    if (bits == 4) values[i / 2] |= value << 4 * (i % 2);
    else if (bits == 8) values[i] = value;
    else reinterpret_cast<uint16_t *>(values.data())[i] = value;
  }
};

/** Where a table's counts and sums go: [feature][bin]. */
struct Sums {
  std::vector<uint32_t> counts;
  std::vector<float> sums;
};

/** Algorithm 1 for one feature. */
template <uint32_t bits>
void algorithm1(const Table &of, size_t feature, uint32_t *counts, float *sums) {
  for (uint32_t bin = 0; bin < of.bins; bin++) {
    counts[bin] = 0;
    sums[bin] = 0;
  }
  const uint8_t *const row = of.values.data() + feature * of.documents * bits / 8;
  for (size_t j = 0; j < of.documents; j++) {
    uint32_t value;
    if constexpr (bits == 4) value = row[j / 2] >> 4 * (j % 2) & 15;
    else if constexpr (bits == 8) value = row[j];
    else value = reinterpret_cast<const uint16_t *>(row)[j];
    counts[value] += 1;
    sums[value] += of.weights[j];
  }
}

void sumAll(const Table &of, unsigned threads, Sums &to) {
  const auto one = of.bits == 4 ? algorithm1<4> : of.bits == 8 ? algorithm1<8>
                                                               : algorithm1<16>;
  inParallel(threads, [&](unsigned thread) {
    for (size_t f = thread; f < of.features; f += threads) one(of, f, &to.counts[f * of.bins], &to.sums[f * of.bins]);
  });
}

std::vector<double> timed(int runs, const std::function<void()> &call) {
  std::vector<double> ms;
  // The first two runs warm up.
  for (int run = -2; run < runs; run++) {
    const auto start = std::chrono::steady_clock::now();
    call();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    if (run >= 0) ms.push_back(took.count());
  }
  return ms;
}

void print(const char *paper, const char *method, const char *figure, const char *type, uint32_t bins, size_t n, unsigned threads, bool exact,
           const std::vector<double> &ms, const std::string &more) {
  std::printf("{\"peer\":\"%s\",\"variant\":\"paper\",\"type\":\"%s\",\"bins\":%u,\"n\":%zu,\"distribution\":\"uniform\",\"threads\":%u,\"ms\":[", method, type, bins, n, threads);
  for (size_t i = 0; i < ms.size(); i++) std::printf("%s%.6f", i ? "," : "", ms[i]);
  std::printf(
      "],\"exact\":%s,\"published\":{\"paper\":\"%s\",\"method\":\"%s\",\"launch\":\"paper\",\"figures\":[\"%s\"],\"threads\":%u,\"blocks\":1,"
      "\"blocksPerUnit\":1,\"sharedBytes\":0,\"registers\":0,\"parameters\":{}}%s}\n",
      exact ? "true" : "false", paper, method, figure, threads, more.c_str());
  std::fflush(stdout);
}

/** 1, 2, 4 … threads, as many as there are cores. */
std::vector<unsigned> threadCounts() {
  std::vector<unsigned> counts;
  for (unsigned count = 1; count <= std::max(1u, std::thread::hardware_concurrency()); count *= 2) counts.push_back(count);
  return counts;
}

bool handbook(const Options &options) {
  std::vector<uint8_t> data(options.bytes);
  for (size_t i = 0; i < data.size(); i++) data[i] = static_cast<uint8_t>(mixed(i));
  // The reference counts from the end, in a histogram of 64 bits.
  std::vector<uint64_t> exact(BYTES_BINS);
  for (size_t i = data.size(); i-- > 0;) exact[data[i]]++;
  bool isRight = true;
  for (const unsigned threads : threadCounts()) {
    std::vector<uint32_t> counts(BYTES_BINS, 77);
    forkJoin(data, threads, counts);
    const bool is = std::equal(counts.begin(), counts.end(), exact.begin(), exact.end());
    isRight = isRight && is;
    print("cuda-handbook", "Handbook CPU", "CPU", "u8", BYTES_BINS, data.size(), threads, is,
          timed(options.runs, [&] { forkJoin(data, threads, counts); }), "");
  }
  return isRight;
}

bool table4(const Options &options) {
  bool isRight = true;
  const struct {
    uint32_t bits, bins;
    const char *type;
  } kinds[] = {{4, 16, "u4"}, {8, 256, "u8"}, {16, 1024, "u16"}};
  for (const auto &kind : kinds) {
    const Table table(kind.bits, kind.bins, options.features, options.documents);
    const size_t cells = table.features * table.bins;
    std::vector<uint32_t> wanted(cells);
    std::vector<int> eighths(cells);
    for (size_t i = 0; i < table.features * table.documents; i++) {
      const size_t cell = i / table.documents * table.bins + table.at(i);
      wanted[cell]++;
      eighths[cell] += Table::eighthsOf(i % table.documents);
    }
    for (const unsigned threads : threadCounts()) {
      Sums found{std::vector<uint32_t>(cells, 77), std::vector<float>(cells, 77)};
      sumAll(table, threads, found);
      bool is = true;
      for (size_t i = 0; i < cells; i++) is = is && found.counts[i] == wanted[i] && found.sums[i] * 8 == static_cast<float>(eighths[i]);
      isRight = isRight && is;
      char more[300];
      std::snprintf(more, sizeof more,
                    ",\"weighted\":{\"features\":%zu,\"documents\":%zu,\"adds\":\"counts and sums\",\"precision\":\"fast\",\"skip\":false,"
                    "\"figures\":[\"Table 4\"],\"plans\":[]}",
                    table.features, table.documents);
      print("xu", "Xu CPU", "Table 4", kind.type, table.bins, table.features * table.documents, threads, is,
            timed(options.runs, [&] { sumAll(table, threads, found); }), more);
    }
  }
  return isRight;
}

}  // namespace

int main(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; i++) {
    const std::string given(argv[i]), name = given.substr(0, given.find('=')), value = given.substr(std::min(given.size(), name.size() + 1));
    const long long number = std::atoll(value.c_str());
    if (name == "--runs" && number > 0) options.runs = static_cast<int>(number);
    else if (name == "--bytes" && number > 0) options.bytes = number;
    else if (name == "--features" && number > 0) options.features = number;
    else if (name == "--documents" && number > 0 && number % 2 == 0) options.documents = number;
    else {
      std::fprintf(stderr, "usage: %s [--runs=11] [--bytes=268435456] [--features=16] [--documents=1048576]\n", argv[0]);
      return 2;
    }
  }
  const bool isRight = handbook(options);
  return table4(options) && isRight ? 0 : 1;
}
