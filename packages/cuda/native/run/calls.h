// Counts of what lies ready, at once: residents and small inputs. Launches queue on the device, their counts arrive in
// mapped memory, and a thread of the context's own watches for them.
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
#include "memory/ring.h"
#include "platform/failure.h"
#include "platform/watch.h"
#include "total.h"
#include "workspace.h"

namespace polybin {

/** Dense pixels, on the device or few of them on the host. */
struct Ready {
  uint64_t pixels = 0;
  /** On the device, and what keeps it there. */
  const void *device = nullptr;
  std::shared_ptr<const void> held;
  /** On the host; there while `submit` or `countNow` runs. */
  const uint8_t *host = nullptr;
};

/** What a count took: its launches on the device, and all pieces until they were counted. */
struct Times {
  double kernelMs = 0, uploadMs = 0;
};

/** Inputs that are counted each by itself and answered together: all or none. */
struct Batch {
  std::shared_ptr<Job> job;
  std::vector<Ready> inputs;
  /** What the counts are added to, and stay; null: they are the answer. */
  std::shared_ptr<Total> total;
  /** Brings the total home: what the one input is does not matter. */
  bool takes = false;
  /** Who is answered: what it is only the caller knows. */
  std::shared_ptr<void> asker;
  /** For each input its counts, once all are there. */
  std::vector<double> counts;
  /** Of what went piece by piece: milliseconds; else the counts are all that is to be told. */
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

  /** `tell`: whoever takes is told that there is something to take, on any thread. Before the first call, and again only while none is under way. */
  void onAnswers(std::function<void()> tell) { tell_ = std::move(tell); }
  /** Counts a batch; it is answered, come what may. */
  void submit(std::unique_ptr<Batch>);
  /** Answers a batch that somebody else has counted. */
  void answer(std::unique_ptr<Batch>);
  /** Batches that are over. */
  std::vector<std::unique_ptr<Batch>> take();
  /** Are there such? Asks without a lock. */
  bool hasAnswers() const { return isTold_; }
  /** Counts one input into `counts` before it returns. @throws Failure */
  void countNow(const std::shared_ptr<Job> &, const Ready &, double *counts);

  /** Waits until all calls are over and ends the thread; the next call begins another. */
  void stop();
  /** The same, and lets go of all memory. Never fails. */
  void close();

 private:
  /** One input that was launched. */
  struct Call {
    Job *job;
    Batch *batch;
    /** Keeps what is read, and what is added to, until that is over. */
    std::shared_ptr<const void> held, total;
    size_t index;
    const uint8_t *home;
    volatile uint32_t *flag;
    uint32_t number;
    bool narrow;
    /** Counts that it brings home. */
    uint32_t size;
    uint64_t end;
    cudaStream_t stream;
    /** Of `countNow`: its thread watches by itself. */
    bool isAwaited = false, isOver = false;

    void read(double *counts) const;
  };
  using CallOf = std::shared_ptr<Call>;

  /** One of several streams: on another one the next call counts while this one's counts go home. */
  struct Queue {
    cudaStream_t stream = nullptr;
    Workspace workspace;
  };
  static constexpr uint32_t queueCount = 4;

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
  /** Who stops; not held while anything is launched. */
  std::mutex stopping_;
  std::mutex mutex_;
  std::condition_variable changed_;
  /** Made together. */
  Queue queues_[queueCount];
  Ring ring_;
  uint32_t number_ = 0;
  /** In their order; those on one stream also end in it. */
  std::deque<CallOf> under_;
  /** Not all of these was launched; and those of which all was. */
  std::deque<std::unique_ptr<Batch>> waiting_, launched_;
  std::vector<std::unique_ptr<Batch>> answered_;
  std::function<void()> tell_;
  std::thread thread_;
  bool isStopping_ = false, isAsleep_ = false;
  /** Who takes was told of what is to be taken. */
  std::atomic<bool> isTold_{false};
  /** Those who want to come in while the thread is at work. */
  std::atomic<uint32_t> wanted_{0};
  /** Batches that ever came: who lingers sees that there is another. */
  std::atomic<uint32_t> came_{0};
};

}  // namespace polybin
