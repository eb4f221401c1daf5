// Allocates and frees memory.
#pragma once
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace polybin {

/**
 * Held while a gate is closed (gate.h), and while memory is allocated or freed. The driver may wait for the whole
 * device then. With a lock of its own it could otherwise wait for a stream that waits for the host to launch.
 */
std::mutex &wholeDevice();

/**
 * Allocates page-locked memory for JavaScript. It stays as long as somebody holds it, such as a call that reads it
 * after the ArrayBuffer is gone. @throws Failure
 */
std::shared_ptr<void> takePinned(size_t bytes);
/** Returns this memory if an address lies in it, otherwise null. */
std::shared_ptr<void> pinnedAt(const void *);

/** Allocates memory of the current device. @throws Failure */
void *takeDevice(size_t bytes);
/** Allocates page-locked memory, which is mapped into all devices. @throws Failure */
void *takeHost(size_t bytes);
/**
 * Device memory that its owner no longer needs, kept for the next request of the same size. The driver takes as long
 * for a large allocation as a kernel takes to fill it. All such memory is freed if an allocation fails.
 */
class Spare {
 public:
  Spare();
  ~Spare();
  Spare(const Spare &) = delete;
  Spare &operator=(const Spare &) = delete;

  /** Returns the kept memory if it has this size, otherwise new memory. @throws Failure */
  void *take(size_t bytes);
  /** Keeps memory that nothing reads or writes any more, and frees what it kept before. */
  void keep(void *memory, size_t bytes);
  void release() { keep(nullptr, 0); }
  /** Removes the memory from all objects that keep some. */
  static std::vector<void *> giveUp();

 private:
  void *memory_ = nullptr;
  size_t bytes_ = 0;
};

/** Does no harm for null, or if the device is lost. */
void giveDevice(void *);
void giveHost(void *);

}  // namespace polybin
