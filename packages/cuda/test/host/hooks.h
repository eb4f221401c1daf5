// What the tests tell the host's runtime, and what it tells them.
#pragma once
#include <atomic>
#include <condition_variable>
#include <mutex>

struct Hooks {
  /** Calls that start or choose a device and were made on the process's first thread. */
  std::atomic<int> onMainThread{0};
  /** ArrayBuffers are held by V8's own means. */
  std::atomic<bool> holdsMemory{true};

  /** Calls wait where they begin, before they read anything, until `open`. */
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
