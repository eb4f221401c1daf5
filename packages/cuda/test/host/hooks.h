// Hooks between the tests and the host's runtime.
#pragma once
#include <atomic>
#include <condition_variable>
#include <mutex>

struct Hooks {
  /** Calls that start or select a device and that ran on the process's first thread. */
  std::atomic<int> onMainThread{0};
  /** Whether V8's own means hold ArrayBuffers. */
  std::atomic<bool> holdsMemory{true};

  /** Makes calls wait at their start, before they read anything, until `open`. */
  void close() {
    const std::lock_guard<std::mutex> lock(mutex);
    isClosed = true;
  }
  void open() {
    const std::lock_guard<std::mutex> lock(mutex);
    isClosed = false;
    changed.notify_all();
  }
  void pass() {
    std::unique_lock<std::mutex> lock(mutex);
    waiting++;
    changed.wait(lock, [&] { return !isClosed; });
    waiting--;
  }
  int waitingNow() {
    const std::lock_guard<std::mutex> lock(mutex);
    return waiting;
  }

 private:
  std::mutex mutex;
  std::condition_variable changed;
  bool isClosed = false;
  int waiting = 0;
};

Hooks &hooks();
