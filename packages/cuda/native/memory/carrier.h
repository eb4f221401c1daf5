// Copies numbers of the device to the host while the device works. It copies through page-locked memory if the
// destination is not page-locked.
#pragma once
#include <cstdint>
#include <vector>

#include <cuda_runtime.h>

#include "buffer.h"
#include "copiers.h"
#include "platform/arrays.h"
#include "platform/handles.h"

namespace polybin {

/** What numbers are on the device. */
enum class Lies { bytes,
                  u32,
                  u64,
                  i64,
                  f64 };

inline uint32_t sizeOf(Lies as) { return as == Lies::bytes ? 1 : (as == Lies::u32 ? 4 : 8); }

/** Numbers on the device, and where they go: as they are, or converted to doubles. */
struct Freight {
  const void *from;
  uint64_t many;
  Lies as;
  /** The place of the first number. There may be more memory behind the last. */
  Written to;
};

/** Some numbers of a freight, from the `first`-th on. */
Freight partOf(const Freight &, uint64_t first, uint64_t many);

/** One copy in flight, of some freights together. */
class Carrier {
 public:
  explicit Carrier(Copiers &copiers) : copiers_(copiers) {}
  Carrier(const Carrier &) = delete;

  /**
   * Settles the copy in flight and queues the next one on a stream. What does not go to page-locked memory reaches its
   * destination when the copy is settled.
   * @throws Failure
   */
  void bring(const std::vector<Freight> &, cudaStream_t);
  /** Waits until everything has arrived. @throws Failure */
  void settle();
  /** Drops a copy whose stream is done: nothing is written to the caller's memory afterwards. */
  void drop();

 private:
  void unpack(const Freight &, const uint8_t *from) const;

  Copiers &copiers_;
  const Event there_ = newEvent(cudaEventDisableTiming);
  /** What is staged when the copy is done: one after the other, without those that go to their destination directly. */
  Buffer staging_{Buffer::Where::host};
  std::vector<Freight> staged_;
  bool isUnderWay_ = false;
};

}  // namespace polybin
