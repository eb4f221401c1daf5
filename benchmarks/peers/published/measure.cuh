// Fits a kernel to a device, launches it, times it, and prints it as a row of a result file (src/runner/row.ts).
#pragma once
#include <chrono>
#include <cstdarg>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <dlfcn.h>

#include "data.cuh"

namespace published {

struct Options {
  /** With 0 runs each kernel is launched once, for a profiler. */
  int runs = 20;
  /** The figures to measure; empty: all. */
  std::set<std::string> figures;
  std::string pictures, sample;
  uint64_t features = 1024, documents = 1 << 17;
};

inline Options parse(int argc, char **argv) {
  Options to;
  for (int i = 1; i < argc; i++) {
    const std::string given(argv[i]), name = given.substr(0, given.find('=')), value = given.substr(std::min(given.size(), name.size() + 1));
    if (name == "--runs") to.runs = std::atoi(value.c_str());
    else if (name == "--figure" && !value.empty()) to.figures.insert(value);
    else if (name == "--pictures") to.pictures = value;
    else if (name == "--sample") to.sample = value;
    else if (name == "--features" && std::atoi(value.c_str()) > 0) to.features = std::atoi(value.c_str());
    else if (name == "--documents" && std::atoi(value.c_str()) > 0) to.documents = std::atoi(value.c_str());
    else {
      std::fprintf(stderr, "usage: %s [--runs=20] [--figure=NAME …] [--pictures=FOLDER] [--sample=FOLDER] [--features=1024] [--documents=131072]\n", argv[0]);
      std::exit(2);
    }
  }
  return to;
}

/** The clocks of the device, by NVML, which comes with the driver. Both are 0 if it is missing. */
class Clocks {
 public:
  Clocks() {
    void *const library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (library == nullptr) return;
    const auto start = reinterpret_cast<int (*)()>(dlsym(library, "nvmlInit_v2"));
    const auto find = reinterpret_cast<int (*)(const char *, void **)>(dlsym(library, "nvmlDeviceGetHandleByPciBusId_v2"));
    read_ = reinterpret_cast<int (*)(void *, int, unsigned *)>(dlsym(library, "nvmlDeviceGetClockInfo"));
    char bus[32];
    check(cudaDeviceGetPCIBusId(bus, sizeof bus, 0), "the device");
    if (!start || !find || !read_ || start() != 0 || find(bus, &device_) != 0) device_ = nullptr;
  }
  unsigned sm() const { return clock(1); }
  unsigned memory() const { return clock(2); }

 private:
  unsigned clock(int kind) const {
    unsigned mhz = 0;
    return device_ != nullptr && read_(device_, kind, &mhz) == 0 ? mhz : 0;
  }
  void *device_ = nullptr;
  int (*read_)(void *, int, unsigned *) = nullptr;
};

/** A kernel's launch on this device. */
struct Shape {
  uint32_t threads = 0, sharedBytes = 0, blocksPerUnit = 0, registers = 0;
  uint32_t blocks = 0;
};

inline uint32_t units() {
  static const uint32_t count = attribute(cudaDevAttrMultiProcessorCount);
  return count;
}

/**
 * Lets a multiprocessor hold this number of blocks by padded shared memory, as the papers do, or as many as fit with 0.
 * Without a room for them, blocksPerUnit is 0. `blocks` is a grid that fills the device once.
 */
template <class Kernel>
Shape fitted(Kernel *kernel, uint32_t threads, uint32_t ownBytes, uint32_t blocksPerUnit) {
  Shape of;
  of.threads = threads;
  of.sharedBytes = ownBytes;
  const uint32_t room = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor), reserved = attribute(cudaDevAttrReservedSharedMemoryPerBlock),
                 most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  if (ownBytes > most) return of;
  if (blocksPerUnit > 0) {
    const uint32_t share = room / blocksPerUnit / 128 * 128;
    if (share < ownBytes + reserved) return of;
    of.sharedBytes = std::max(ownBytes, std::min(most, share - reserved) / 16 * 16);
  }
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel), "a kernel");
  of.registers = attributes.numRegs;
  // The attribute belongs to the kernel, which several launches share, so it permits all of them.
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(most - attributes.sharedSizeBytes)), "shared memory");
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 100), "shared memory");
  int held = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&held, kernel, static_cast<int>(threads), of.sharedBytes), "occupancy");
  if (blocksPerUnit > 0 && held != static_cast<int>(blocksPerUnit)) return of;
  of.blocksPerUnit = held;
  of.blocks = held * units();
  return of;
}

/** Text with numbers in it. */
inline std::string text(const char *format, ...) {
  char out[400];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(out, sizeof out, format, arguments);
  va_end(arguments);
  return out;
}

/** The fields of a row that do not depend on its data. */
struct Names {
  const char *paper, *method;
  bool today;
  /** A list of strings in JSON, and the fields of an object. */
  std::string figures, parameters;
  /** Why it counts wrongly on purpose, or nothing. */
  const char *wrong = nullptr;
};

/** The data of a row. */
struct On {
  std::string type, distribution;
  uint32_t bins;
  uint64_t n;
  /** More fields in JSON, each with a comma before it. */
  std::string more;
};

struct Times {
  std::vector<float> ms, mergeMs;
};

struct Event {
  cudaEvent_t at = nullptr;
  Event() { check(cudaEventCreate(&at), "an event"); }
  ~Event() { cudaEventDestroy(at); }
  Event(const Event &) = delete;
  Event &operator=(const Event &) = delete;
  void record() const { check(cudaEventRecord(at), "an event"); }
};

inline float between(const Event &start, const Event &end) {
  float ms = 0;
  check(cudaEventElapsedTime(&ms, start.at, end.at), "an event");
  return ms;
}

/** The most seconds for one cell, after five runs. */
constexpr double LONG_SECONDS = 0.4;

/** Runs a kernel that counts and one that merges, between events; `clear` before them is not timed. */
inline Times timedBoth(int runs, const std::function<void()> &clear, const std::function<void()> &count,
                       const std::function<void()> &merge) {
  static const Event start, middle, end;
  Times times;
  const auto since = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count(); };
  // The first two runs warm up.
  for (int run = -2; run < runs && (run < 5 || seconds() < LONG_SECONDS); run++) {
    clear();
    start.record();
    count();
    middle.record();
    if (merge) merge();
    end.record();
    check(cudaGetLastError(), "a launch");
    check(cudaEventSynchronize(end.at), "a run");
    if (run < 0) continue;
    times.ms.push_back(between(start, end));
    times.mergeMs.push_back(between(middle, end));
  }
  return times;
}

inline void printList(const char *name, const std::vector<float> &ms) {
  std::printf(",\"%s\":[", name);
  for (size_t i = 0; i < ms.size(); i++) std::printf("%s%.6f", i ? "," : "", ms[i]);
  std::printf("]");
}

inline void printRow(const Names &names, const Shape &shape, const On &on, const Times &times, bool merges, bool exact) {
  static const Clocks clocks;
  const unsigned sm = clocks.sm(), memory = clocks.memory();
  std::printf("{\"peer\":\"%s\",\"variant\":\"%s%s%s\",\"type\":\"%s\",\"bins\":%u,\"n\":%llu,\"distribution\":\"%s\"", names.method, names.today ? "today" : "paper", names.parameters.empty() ? "" : ", ", [&] {
                std::string plain;
                for (const char c : names.parameters) plain += c == '"' ? "" : c == ':' ? "=" : c == ',' ? ", " : std::string(1, c);
                return plain; }().c_str(), on.type.c_str(), on.bins, static_cast<unsigned long long>(on.n), on.distribution.c_str());
  printList("ms", times.ms);
  std::printf(
      ",\"exact\":%s%s,\"published\":{\"paper\":\"%s\",\"method\":\"%s\",\"launch\":\"%s\",\"figures\":[%s],\"threads\":%u,"
      "\"blocks\":%u,\"blocksPerUnit\":%u,\"sharedBytes\":%u,\"registers\":%u,\"parameters\":{%s}",
      exact ? "true" : "false", on.more.c_str(), names.paper, names.method, names.today ? "today" : "paper",
      names.figures.c_str(), shape.threads, shape.blocks, shape.blocksPerUnit, shape.sharedBytes, shape.registers,
      names.parameters.c_str());
  if (merges) printList("mergeMs", times.mergeMs);
  if (names.wrong != nullptr) std::printf(",\"wrong\":\"%s\"", names.wrong);
  std::printf("}");
  if (sm > 0) std::printf(",\"clocks\":{\"sm\":%u,\"memory\":%u}", sm, memory);
  std::puts("}");
  std::fflush(stdout);
}

inline void printMissing(const Names &names, const char *why) {
  std::printf("{\"missing\":\"%s, %s: %s\"}\n", names.method, names.today ? "today" : "paper", why);
}

}  // namespace published
