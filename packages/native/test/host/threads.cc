// A program without Node: threads that count at the same time on one pool, for the thread sanitizer. It prints "counted",
// or what is wrong.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

#include "run/count.h"

namespace polybin {
namespace {

/** A count that nobody waits for in its own thread. */
class Started : public Call {
 public:
  Started(const Job &job, const Pixels &of) : counts_(256), count_(job, of, counts_.data()) {}

  void take(uint32_t place) noexcept override { count_.take(place); }
  void end() noexcept override {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  double wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return ended_; });
    double sum = 0;
    for (const double count : counts_) sum += count;
    return sum;
  }
  uint32_t threads() const { return count_.threads(); }

 private:
  std::vector<double> counts_;
  Count count_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
};

JobNumbers bytes(uint32_t threads) {
  JobNumbers of{};
  of.type = Type::u8;
  of.kind = Kind::raw;
  of.interleaved = of.channels = 1;
  of.bins = of.rows = 256;
  of.tables = 8;
  of.threads = threads;
  of.shareBytes = of.pieceBytes = 4096;
  return of;
}

bool isRight(const Job &job, const std::vector<uint8_t> &samples) {
  const Pixels of{samples.data(), samples.size(), 1, samples.size()};
  for (int round = 0; round < 50; round++) {
    std::vector<double> counts(256);
    Count count(job, of, counts.data());
    Started started(job, of);
    Pool::shared().start(started, started.threads());
    Pool::shared().run(count, count.threads() - 1);
    double sum = 0;
    for (const double one : counts) sum += one;
    if (sum != static_cast<double>(samples.size()) || started.wait() != sum) return false;
  }
  return true;
}

}  // namespace
}  // namespace polybin

int main() {
  std::vector<uint8_t> samples(200'000);
  for (size_t i = 0; i < samples.size(); i++) samples[i] = static_cast<uint8_t>(i * 7919 >> 5);
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (const uint32_t threads : {1U, 2U, 7U}) {
    callers.emplace_back([&, threads] {
      const auto numbers = polybin::bytes(threads);
      const polybin::Job job({numbers, nullptr, nullptr, 0});
      if (!polybin::isRight(job, samples)) wrong++;
    });
  }
  for (std::thread &caller : callers) caller.join();
  std::puts(wrong == 0 ? "counted" : "a count is wrong");
  return wrong;
}
