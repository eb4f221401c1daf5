// Runs the jobs of context.ts one after the other, from standard input to standard output. The input consists of 32-bit
// words. The output consists of 64-bit totals, preceded by their size in bytes. Behind every array there is the padding
// that native/run/sums.cc allocates, followed by inaccessible memory, so that a load past it ends the program.
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "generated/limits.cuh"
#include "kernels/weighted.cuh"

using namespace polybin;

namespace {

/** The memory that `fenced` has allocated for a job. */
std::vector<std::pair<void *, size_t>> mapped;

/** Allocates memory for this number of words at a multiple of 16 bytes, followed by inaccessible memory. */
uint32_t *fenced(size_t words) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t bytes = (words * sizeof(uint32_t) + 15) / 16 * 16, pages = (bytes + page - 1) / page * page;
  auto *const begin = static_cast<char *>(
      mmap(nullptr, pages + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (begin == MAP_FAILED || mprotect(begin + pages, page, PROT_NONE) != 0) fail("no memory");
  mapped.emplace_back(begin, pages + page);
  return reinterpret_cast<uint32_t *>(begin + pages - bytes);
}

class Words {
 public:
  explicit Words(size_t bytes) : bytes_(bytes) {
    if (std::fread(bytes_.data(), 1, bytes, stdin) != bytes) fail("the job ends before its end");
  }
  uint32_t next() {
    uint32_t word;
    std::memcpy(&word, take(1), sizeof word);
    return word;
  }
  /** Includes the padding that a load may touch. Null: there is no array. */
  uint32_t *array(size_t words) {
    if (words == 0) return nullptr;
    const size_t room = limits::GPU_PADDING_BYTES / sizeof(uint32_t);
    return static_cast<uint32_t *>(std::memcpy(fenced(words + room), take(words), words * sizeof(uint32_t)));
  }

 private:
  const char *take(size_t words) {
    at_ += words * sizeof(uint32_t);
    if (at_ > bytes_.size()) fail("the job is too short");
    return bytes_.data() + at_ - words * sizeof(uint32_t);
  }
  std::vector<char> bytes_;
  size_t at_ = 0;
};

template <class Own>
cudaError_t launch(cudaError_t (*kernel)(const WeightedInput &, const WeightedPlan &, const Own &, cudaStream_t),
                   const WeightedInput &in, const WeightedPlan &plan, const void *own) {
  return kernel(in, plan, *static_cast<const Own *>(own), nullptr);
}
cudaError_t launch(cudaError_t (*kernel)(const WeightedInput &, const WeightedPlan &, cudaStream_t), const WeightedInput &in,
                   const WeightedPlan &plan, const void *) {
  return kernel(in, plan, nullptr);
}

}  // namespace

namespace polybin {
#define SAMPLES_KERNEL(...)
#define SEGMENTS_KERNEL(...)
#define CODES_KERNEL(...)
#define COLUMNS_KERNEL(...)
#define SUMS_KERNEL(name, ...) cudaError_t name(const WeightedInput &, const WeightedPlan &, __VA_ARGS__ cudaStream_t);
#include "generated/kernels.inc"
#undef SUMS_KERNEL
}  // namespace polybin

constexpr cudaError_t (*kernels[])(const WeightedInput &, const WeightedPlan &, const void *own) = {
#define SUMS_KERNEL(name, ...) \
  [](const WeightedInput &in, const WeightedPlan &plan, const void *own) { return launch(name, in, plan, own); },
#include "generated/kernels.inc"
};

std::vector<Count> totalsOf(Words &words) {
  std::vector<Count> out;
  WeightedInput in{};
  in.documents = words.next();
  in.pitch = words.next();
  const uint32_t rows = words.next(), squares = words.next(), list = words.next(), launches = words.next();
  in.values = reinterpret_cast<const uint8_t *>(words.array(rows * in.pitch / sizeof(uint32_t)));
  in.weights = reinterpret_cast<const int32_t *>(words.array(in.documents));
  in.squares = reinterpret_cast<const int32_t *>(words.array(squares));
  in.list = words.array(list);
  for (uint32_t i = 0; i < launches; i++) {
    const uint32_t kernel = words.next(), ownBytes = words.next();
    WeightedPlan plan;
    std::memcpy(&plan, words.array(sizeof plan / sizeof(uint32_t)), sizeof plan);
    const void *const own = words.array(ownBytes / sizeof(uint32_t));
    in.count = words.next();
    in.features = reinterpret_cast<const WeightedFeature *>(words.array(in.count * sizeof(WeightedFeature) / sizeof(uint32_t)));
    in.skips = std::any_of(in.features, in.features + in.count, [](const WeightedFeature &of) { return of.skip != noSkip; });
    const size_t size = size_t{in.count} * (1 + plan.counts + plan.squares) * plan.bins;
    in.totals = reinterpret_cast<Count *>(fenced(2 * size));
    const size_t bytes = size_t{in.count} * plan.segments * plan.passes * plan.subHistogramBytes;
    in.subHistograms = bytes == 0 ? nullptr : fenced(bytes / sizeof(uint32_t));
    if (in.subHistograms != nullptr) std::memset(in.subHistograms, 0xa5, bytes);
    kernels[kernel](in, plan, own);
    out.insert(out.end(), in.totals, in.totals + size);
  }
  return out;
}

int main() {
  for (uint32_t bytes; std::fread(&bytes, sizeof bytes, 1, stdin) == 1;) {
    Words words(bytes);
    const std::vector<Count> totals = totalsOf(words);
    const uint32_t size = static_cast<uint32_t>(totals.size() * sizeof(Count));
    std::fwrite(&size, sizeof size, 1, stdout);
    std::fwrite(totals.data(), 1, size, stdout);
    std::fflush(stdout);
    for (const auto &[at, length] : mapped) munmap(at, length);
    mapped.clear();
  }
}
