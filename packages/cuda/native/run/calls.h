// Immediate counts of residents and small inputs. Launches queue on the device, their counts arrive in mapped memory,
// and a thread of the context watches for them.
#pragma once
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "job.h"
#include "memory/pieces.h"
#include "memory/ring.h"
#include "platform/failure.h"
#include "platform/watch.h"
#include "total.h"
#include "workspace.h"

namespace polybin {

/** Dense pixels: on the device, or a small number of them on the host. */
struct Ready {
  uint64_t pixels = 0;
  /** The address on the device, and the owner of that memory. */
  const void *device = nullptr;
  std::shared_ptr<const void> held;
  /** The address on the host. It is valid while `submit` or `countNow` runs. */
  const uint8_t *host = nullptr;
};

/** Inputs that are counted separately and answered together: all succeed or all fail. */
struct Batch {
  std::shared_ptr<Job> job;
  std::vector<Ready> inputs;
  /** The total that the counts are added to, which stays on the device. Null: the counts are the answer. */
  std::shared_ptr<Total> total;
  /** Whether to copy the total to the host. The one input is then ignored. */
  bool takes = false;
  /** The recipient of the answer, known to the caller only. */
  std::shared_ptr<void> asker;
  /** The counts of each input, once all are finished. */
  std::vector<double> counts;
  /** The durations of a call that was counted piece by piece. Otherwise the counts are the whole answer. */
  std::optional<Times> times;
  std::optional<Failure> failure;

 private:
  friend class Calls;
  size_t launched = 0, over = 0;
};

class Calls {
 public:
  explicit Calls(int device) : device_(device) {}
  ~Calls() { close(); }
  Calls(const Calls &) = delete;

  /**
   * Sets `tell`, which runs on any thread when there is an answer to take. Set it before the first call. Change it only
   * while no call is under way.
   */
  void onAnswers(std::function<void()> tell) { tell_ = std::move(tell); }
  /** Counts a batch. It is answered in any case. */
  void submit(std::unique_ptr<Batch>);
  /** Answers a batch that was counted elsewhere. */
  void answer(std::unique_ptr<Batch>);
  /** Returns the finished batches. */
  std::vector<std::unique_ptr<Batch>> take();
  /** Whether there are finished batches. Takes no lock. */
  bool hasAnswers() const { return isTold_; }
  /** Counts one input into `counts` before it returns. @throws Failure */
  void countNow(const std::shared_ptr<Job> &, const Ready &, double *counts);

  /** Waits until all calls are over and ends the thread. The next call starts another one. */
  void stop();
  /** The same, and frees all memory. Never fails. */
  void close();

 private:
  /** One input that was launched. */
  struct Call {
    Job *job;
    Batch *batch;
    /** Keeps the memory that is read, and the total that is added to, until the call is over. */
    std::shared_ptr<const void> held, total;
    size_t index;
    const uint8_t *home;
    volatile uint32_t *flag;
    uint32_t number;
    bool narrow;
    /** The number of counts that the call copies to the host. */
    uint32_t size;
    uint64_t end;
    cudaStream_t stream;
    /** Whether this is a call of `countNow`, whose thread watches for its end. */
    bool isAwaited = false, isOver = false;

    void read(double *counts) const;
  };
  using CallOf = std::shared_ptr<Call>;

  /** One of several streams. The next call counts on another stream while this one's counts are copied to the host. */
  struct Queue {
    const Stream own = newStream();
    const cudaStream_t stream = own.get();
    Gate gate;
    Workspace workspace{gate};
  };
  static constexpr uint32_t queueCount = 4;
  struct Memory {
    Queue queues[queueCount];
    Ring ring;
  };

  std::unique_lock<std::mutex> enter();
  void letIn(std::unique_lock<std::mutex> &);
  void begin();
  bool fits(const Job &, const Ready &) const;
  void makeRoom(Job &, const Ready &);
  uint32_t queuesOf(const Job &) const;
  Queue &queueFor(const Job &, const Total *);
  CallOf launch(Job &, const Ready &, Total *, bool takes);
  void queue(Queue &, Job &, const Ready &, const void *data, const Home &, bool narrow, Total *, bool takes);
  bool launchNext(Batch &);
  void run();
  void launchSome(std::unique_lock<std::mutex> &);
  void watchFirst(std::unique_lock<std::mutex> &);
  void lingerOrSleep(std::unique_lock<std::mutex> &);
  void tell(std::unique_lock<std::mutex> &);
  void collect();
  void finish(Batch &);
  void failAll(const Failure &);

  const int device_;
  /** Held by a thread that stops this one, but not while anything is launched. */
  std::mutex stopping_;
  std::mutex mutex_;
  std::condition_variable changed_;
  /** The first call makes it. */
  std::unique_ptr<Memory> memory_;
  uint32_t number_ = 0;
  /** The calls under way, in launch order. Calls on the same stream also finish in this order. */
  std::deque<CallOf> under_;
  /** Batches with inputs that are not launched yet, and batches whose inputs are all launched. */
  std::deque<std::unique_ptr<Batch>> waiting_, launched_;
  std::vector<std::unique_ptr<Batch>> answered_;
  std::function<void()> tell_;
  std::thread thread_;
  bool isStopping_ = false, isAsleep_ = false;
  /** Whether `tell` has run for the answers that are ready. */
  std::atomic<bool> isTold_{false};
  /** The number of threads that want the lock while the thread is working. */
  std::atomic<uint32_t> wanted_{0};
  /** The number of batches that ever arrived. A lingering thread sees from it that there is another. */
  std::atomic<uint32_t> came_{0};
};

}  // namespace polybin
