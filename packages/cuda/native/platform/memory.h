// Taking and giving back memory.
#pragma once
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace polybin {

/**
 * Held while a gate is closed (gate.h), and while memory is taken or given back, for which the driver may wait for the
 * whole device: else it could wait, locked, for a stream that waits for the host to launch.
 */
std::mutex &wholeDevice();

/**
 * Page-locked memory that JavaScript is given. It stays while anybody has it: a call that reads it, say, though the
 * ArrayBuffer be gone. @throws Failure
 */
std::shared_ptr<void> takePinned(size_t bytes);
/** That memory, where something lies in such; else null. */
std::shared_ptr<void> pinnedAt(const void *);

/** Of the current device. @throws Failure */
void *takeDevice(size_t bytes);
/** Page-locked; of all devices, and mapped into them. @throws Failure */
void *takeHost(size_t bytes);
/**
 * Device memory that its owner needs no longer, kept for the next that asks for as much: the driver takes as long over a
 * large allocation as a kernel over filling it. Given up, whoever keeps it, where an allocation fails.
 */
class Spare {
 public:
  Spare();
  ~Spare();
  Spare(const Spare &) = delete;
  Spare &operator=(const Spare &) = delete;

  /** What is kept, where it is of this size; else new memory. @throws Failure */
  void *take(size_t bytes);
  /** Keeps memory that nothing reads or writes any more, and gives back what it kept before. */
  void keep(void *memory, size_t bytes);
  void release() { keep(nullptr, 0); }
  /** Takes what all keep away from them. */
  static std::vector<void *> giveUp();

 private:
  void *memory_ = nullptr;
  size_t bytes_ = 0;
};

/** Harmless for null, and where the device is lost. */
void giveDevice(void *);
void giveHost(void *);

}  // namespace polybin
